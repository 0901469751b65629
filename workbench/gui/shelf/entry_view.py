"""One entry of the shelf: what it is and where it comes from, its flowchart and text, its versions and runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFormLayout,
    QFrame,
    QHeaderView,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from workbench.gui.canvas.gestures.zoom_input import ZoomInput
from workbench.gui.canvas.view import camera
from workbench.gui.canvas.view.difference_chart import DifferenceChart
from workbench.gui.look.frames import draw_row_ground
from workbench.gui.look.icons import icon, pixmap
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import WrappedRow, in_column, in_row
from workbench.gui.look.theming import GRID_PX, Ink, Theme, current_theme
from workbench.gui.shelf.shelf_desk import ShelfDesk, Whole
from workbench.gui.words.values import drawable, drawable_line, duration_words, moment_text, tip
from workbench.i18n import N_, LazyText, _, ngettext, numeral
from workbench.model.layout.program import Layout
from workbench.model.snapshot import Snapshot
from workbench.planning.request import PlaybookFormat, offer_from_json
from workbench.planning.shelf.entries import Entry, Kept, RunOfIt

FORMAT_WORDS: dict[str, LazyText] = {
    PlaybookFormat.MARKDOWN.value: N_("markdown"),
    PlaybookFormat.STEPLIST.value: N_("step list"),
}
_Index = QModelIndex | QPersistentModelIndex
_LONGEST, _MOST_TEXT = 2_000, 200_000


def local_moment(at: str) -> str:
    """An ISO time as the person's own clock shows it; as written where it is none."""
    try:
        return moment_text(datetime.fromisoformat(at).timestamp()) or at
    except ValueError:
        return at


def facts_of(kept: Kept) -> Iterator[tuple[str, str]]:
    """What *kept* is for, where it comes from and what comes with it: what each is called, and the words."""
    origin = kept.origin
    yield _("Goal"), origin.goal
    yield _("Description"), kept.description
    yield _("Context"), origin.context
    yield _("Made by"), origin.by
    yield _("Worked before"), origin.patterns
    tools = [offer_from_json(each) for each in kept.tools]
    yield _("May call"), "\n".join(each.line for each in tools)
    yield _("Imports"), "\n".join(_import_line(name, text) for name, text in kept.imports.items())


def _import_line(name: str, text: str) -> str:
    count = len(text.splitlines())
    return ngettext("{name} ({count} line)", "{name} ({count} lines)", count).format(name=name, count=numeral(count))


def beginning_of(text: str, longest: int = _LONGEST) -> str:
    """As much of *text*, and *longest* letters of a line, as a field can draw at once; it says what is missing."""
    lines = [line if len(line) <= longest else f"{line[:longest]}…" for line in text[:_MOST_TEXT].split("\n")]
    if (more := len(text) - _MOST_TEXT) > 0:
        words = ngettext("({count} more letter is not shown)", "({count} more letters are not shown)", more)
        lines.append(words.format(count=numeral(more)))
    return "\n".join(lines)


class FactsView(QScrollArea):
    """Rows of what something is called and what is known of it; what is empty has no row."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._page = QWidget(self)
        self.setWidget(self._page)
        self.form = QFormLayout(self._page)
        self.form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        self.form.setContentsMargins(GRID_PX, GRID_PX, GRID_PX, GRID_PX)
        self.form.setVerticalSpacing(2)
        self.words = ""

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show *facts* from now on."""
        told = [(name, text.strip()[:_LONGEST]) for name, text in facts if text.strip()]
        self.words = "\n".join(f"{name}: {text}" for name, text in told)
        while self.form.rowCount():
            self.form.removeRow(0)
        for name, text in told:
            value = Label(text, self._page, wraps=True)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            value.setContentsMargins(0, 0, 0, 6)
            self.form.addRow(Label(name, self._page, role="secondary"), value)


class Preview(QTabWidget):
    """Pages of one playbook. The flowchart is made when somebody first looks at it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.chart: DifferenceChart | None = None
        self._drawn: tuple[Snapshot, Layout] | None = None
        self.facts = FactsView(self)
        self._chart_page = QWidget(self)
        self._chart_column = in_column(self._chart_page, margins=0)
        self.text = QPlainTextEdit(self, readOnly=True)
        self.text.setProperty("role", "mono")
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName(_("Text of the playbook"))
        self.addTab(self.facts, _("About"))
        self.addTab(self._chart_page, _("Flowchart"))
        self.addTab(self.text, _("Text"))
        self.setDocumentMode(True)
        self.currentChanged.connect(self._draw)

    def show_playbook(self, snapshot: Snapshot, layout: Layout, facts: Sequence[tuple[str, str]]) -> None:
        """Show *snapshot* with its *layout*, and *facts* about it."""
        self.facts.show_facts(facts)
        shown = beginning_of(drawable(snapshot.text))
        if self.text.toPlainText() != shown:
            self.text.setPlainText(shown)
        self._drawn = snapshot, layout
        self._draw()

    @Slot()
    def _draw(self) -> None:
        if self._drawn is None or self.currentWidget() is not self._chart_page:
            return
        if self.chart is None:
            self.chart = DifferenceChart(self._chart_page, is_former=False)
            self.chart.setAccessibleName(_("Flowchart of the playbook"))
            ZoomInput(self.chart)
            self._chart_column.addWidget(self.chart)
        self.chart.show_version(*self._drawn, {})
        camera.show_start(self.chart)
        self._drawn = None


_RUN = Qt.ItemDataRole.UserRole
ENTRY_ROLE = Qt.ItemDataRole.UserRole + 1
_ICON_PX = 16
_PERCENT = 100
_DAY = 10  # letters of a moment
_WIDE_PX, _LOW_PX = 440, 320
_GOOD, _FAIR = 0.8, 0.5


class EntryView(QWidget):
    """Shows an entry; what is done with it goes through the desk."""

    def __init__(self, desk: ShelfDesk, parent: QWidget) -> None:
        super().__init__(parent)
        self.whole: Whole | None = None
        self.title = _wrapping("title", self)
        self.about = _wrapping("secondary", self)
        self.record = _wrapping(None, self)
        self.version = QComboBox(self)
        self.version.setAccessibleName(_("Version"))
        self.version.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.version.setMinimumContentsLength(17)
        self.compare = QPushButton(_("Compare…"), self)
        self.preview = Preview(self)
        self.runs = RunList(self.preview)
        self.preview.addTab(self.runs, _("Runs"))
        self.preview.setMinimumHeight(1)
        self._acts = WrappedRow(self)
        self.reuse = QPushButton(_("Reuse…"), self._acts)
        self.reuse.setProperty("primary", "true")
        self.reuse.setToolTip(_("Open a copy as a new document, with your notes woven in"))
        self.more = QPushButton(_("More"), self._acts)
        self._desk = desk
        self._arrange()
        self.version.activated.connect(self._on_version_chosen)
        self.runs.itemActivated.connect(self._on_run_activated)

    def _arrange(self) -> None:
        versions = in_row(None, (self.version, 1), self.compare, spacing=GRID_PX // 2)
        words = in_column(None, self.title, self.about, self.record, 1, spacing=2)
        self._head = in_row(None, (words, 1), in_column(None, self._acts, versions, 1, spacing=4), spacing=GRID_PX)
        self._all = in_column(self, (self._head, 0), (self.preview, 1), margins=GRID_PX, spacing=4)

    def show_whole(self, whole: Whole) -> None:
        """Show *whole* from now on."""
        self.whole = whole
        entry, kept = whole.entry, whole.kept
        self.title.setText(entry.title)
        parts = (FORMAT_WORDS[entry.format], entry.owner, *(f"#{tag}" for tag in entry.tags))
        self.about.setText(" · ".join(str(part) for part in parts if part))
        record, chances = record_words(entry)
        self.record.setText(record)
        self.record.setToolTip(chances)
        with QSignalBlocker(self.version):
            self.version.clear()
            for each in whole.versions:
                moment = local_moment(each.at)
                words = _("Version {number} · {at}").format(number=numeral(each.number), at=moment[:_DAY])
                self.version.addItem(words, each.number)
                self.version.setItemData(self.version.count() - 1, moment, Qt.ItemDataRole.ToolTipRole)
            self.version.setCurrentIndex(self.version.findData(whole.version))
        self.version.setVisible(len(whole.versions) > 1)
        self.compare.setVisible(len(whole.versions) > 1)
        self.preview.show_playbook(whole.snapshot, whole.layout, [*facts_of(kept), *_more_facts(whole)])
        self.runs.show_runs(whole.runs)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The buttons stand beside the words where there is room, else below; all of that beside the pages in a low
        pane.
        """
        super().resizeEvent(event)
        is_wide, is_low = event.size().width() >= _WIDE_PX, event.size().height() < _LOW_PX
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._head.setDirection(across if is_wide and not is_low else down)
        self._all.setDirection(across if is_wide and is_low else down)
        self._all.setStretch(0, 2 if is_wide and is_low else 0)
        self._all.setStretch(1, 3)
        # what can be done goes last: the rest is in the pages as well
        for label, least_px in ((self.about, 130), (self.record, 110)):
            label.setVisible(event.size().height() >= least_px)

    @Slot(int)
    def _on_version_chosen(self, index: int) -> None:
        if self.whole is not None:
            self._desk.open(self.whole.entry.id, self.version.itemData(index))

    @Slot(QTreeWidgetItem, int)
    def _on_run_activated(self, item: QTreeWidgetItem, _column: int) -> None:
        self._desk.context.shown.look_requested.emit(item.data(0, _RUN))


def record_words(entry: Entry) -> tuple[str, str]:
    """How its runs went, and what can be counted on."""
    count = entry.successes + entry.failures
    if not count:
        return _("Never run."), ""
    record = f"{entry.record[:1].upper()}{entry.record[1:]}."
    low = numeral(int(_PERCENT * entry.rating))
    return record, _("Succeeds in at least {low}% of runs (95% confidence).").format(low=low) if count > 1 else ""


def record_text(entry: Entry) -> str:
    """*7 of 8*, or that it never ran."""
    count = entry.successes + entry.failures
    if not count:
        return _("never run")
    return _("{place} of {count}").format(place=numeral(entry.successes), count=numeral(count))


def record_color(entry: Entry, theme: Theme) -> str:
    """Green for what mostly works, amber for what often does not, red for what mostly fails."""
    count = entry.successes + entry.failures
    if not count:
        return theme.muted
    rate = entry.successes / count
    return theme.done if rate >= _GOOD else theme.blocked if rate >= _FAIR else theme.failed


def _more_facts(whole: Whole) -> Iterator[tuple[str, str]]:
    """What is known of it beyond what it brings."""
    made = next((each for each in whole.versions if each.number == whole.version), None)
    yield _("Id"), whole.entry.id
    yield _("Made"), local_moment(made.at) if made is not None else ""
    yield _("Notes woven in"), "\n".join(whole.notes)
    yield (
        _("What they changed"),
        "\n".join(f"{each.place}: {each.before} → {each.after or '–'}" for each in whole.effects),
    )


class RunList(QTreeWidget):
    """One row per run, newest first; one that is chosen is shown as a past run."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setHeaderLabels([_("Result"), _("When"), _("Version"), _("Duration")])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAccessibleName(_("Runs of the playbook"))
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def show_runs(self, newest_first: tuple[RunOfIt, ...]) -> None:
        """Show these."""
        self.clear()
        for run in newest_first:
            word = _("Succeeded") if run.is_success else _("Failed")
            lasted = duration_words(run.duration_ms) if run.duration_ms else ""
            item = QTreeWidgetItem(self, [word, local_moment(run.at), numeral(run.version), lasted])
            item.setIcon(0, icon("done", Ink.DONE) if run.is_success else icon("failed", Ink.FAILED))
            item.setData(0, _RUN, run.run)
            for column in range(4):
                item.setToolTip(column, tip(run.error or drawable_line(run.run)))


def _wrapping(role: str | None, parent: QWidget) -> Label:
    label = Label(parent=parent, role=role, wraps=True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label


class EntryCards(QStyledItemDelegate):
    """Paints an entry in two lines: title and record, goal and tags."""

    def height_px(self) -> int:
        """The height of every card: two lines and their margins."""
        theme = current_theme()
        first, second = (QFontMetrics(font).height() for font in (theme.body_font(), theme.secondary_font()))
        return first + second + 2 * GRID_PX + 2

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """As high as all cards."""
        return QSize(160, self.height_px())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw the card."""
        entry = index.data(ENTRY_ROLE)
        if not isinstance(entry, Entry):
            return
        theme = current_theme()
        painter.save()
        draw_row_ground(painter, option.rect, option.state, theme)
        area = option.rect.adjusted(GRID_PX, GRID_PX, -GRID_PX, -GRID_PX)
        color = record_color(entry, theme)
        painter.drawPixmap(area.topLeft(), pixmap("playbook", color, _ICON_PX, option.widget.devicePixelRatioF()))
        area.setLeft(area.left() + _ICON_PX + GRID_PX)
        painter.setFont(theme.body_font())
        line = QRect(area.left(), area.top(), area.width(), painter.fontMetrics().height())
        _two_ends(painter, line, (entry.title, theme.text), (record_text(entry), color))
        painter.setFont(theme.secondary_font())
        line = QRect(area.left(), line.bottom() + 1, area.width(), painter.fontMetrics().height())
        tags = " ".join(f"#{tag}" for tag in entry.tags)
        _two_ends(painter, line, (entry.goal, theme.muted), (tags, theme.muted))
        painter.restore()


def _two_ends(painter: QPainter, line: QRect, left: tuple[str, str], right: tuple[str, str]) -> None:
    """Words at the left, and at most a third of the room for those at the right; each with its colour."""
    metrics, middle = painter.fontMetrics(), Qt.AlignmentFlag.AlignVCenter
    words = metrics.elidedText(drawable_line(right[0]), Qt.TextElideMode.ElideRight, line.width() // 3)
    painter.setPen(QColor(right[1]))
    painter.drawText(line, Qt.AlignmentFlag.AlignRight | middle, words)
    room = line.adjusted(0, 0, -(metrics.horizontalAdvance(words) + GRID_PX if words else 0), 0)
    painter.setPen(QColor(left[1]))
    shown = metrics.elidedText(drawable_line(left[0][:400]), Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignLeft | middle, shown)
