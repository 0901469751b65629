"""Two versions beside each other: flowcharts, text and a list of changes, each of which can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListView, QPushButton, QSplitter, QWidget

from workbench.editing.commands import EditText
from workbench.errors import WorkbenchError
from workbench.gui.canvas.gestures.zoom_input import ZoomInput
from workbench.gui.canvas.view import camera
from workbench.gui.canvas.view.difference_chart import DifferenceChart
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.control.versions.compared import Compared, compared_with, told_change
from workbench.gui.control.versions.version_control import Version, Wanted
from workbench.gui.look.label import ElidedLabel, Label, ProblemLabel
from workbench.gui.look.layouts import in_column, in_rows_on_screen, resize_on_screen
from workbench.gui.source.line_table import LineTable
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _, ngettext, numeral
from workbench.model.snapshot import Snapshot
from workbench.model.versions.differences import Differences
from workbench.syntax.text import SourceText

ORIGIN = "versions"
_REST_MS = 120
_LONGEST_LABEL = 60
_SUMMARY_LINES = 4


class ChangeModel(QAbstractListModel):
    """The changes in words."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._compared: Compared | None = None

    def show_compared(self, compared: Compared | None) -> None:
        """Show the changes of *compared*."""
        self.beginResetModel()
        self._compared = compared
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        """How many changes there are."""
        return 0 if parent.isValid() or self._compared is None else len(self._compared.changes)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A change in two lines, and all of it in the tooltip."""
        assert self._compared is not None
        if role == Qt.ItemDataRole.DisplayRole:
            told = told_change(self._compared.changes[index.row()])
            head = f"{told.sign}  {told.place or told.fates}"
            below = ": ".join(filter(None, (told.fates if told.place else "", told.text)))
            return f"{drawable_line(head)}\n{drawable_line(below)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(told_change(self._compared.changes[index.row()]).line)
        return None


class ComparisonView(QWidget):
    """Shows a ``Compared``: a list of what differs, both flowcharts, and both texts line by line."""

    change_chosen = Signal()
    spoken = Signal(str, str)  # a topic, and which change is chosen now, where the keys are not in the list of them

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.compared: Compared | None = None
        self.changes = ChangeModel(self)
        self.list = QListView(self)
        self.charts = DifferenceChart(self, is_former=True), DifferenceChart(self, is_former=False)
        self.heads = ElidedLabel("", self, role="card-title"), ElidedLabel("", self, role="card-title")
        self.table = LineTable(self)
        self._arrange()
        self.list.selectionModel().currentChanged.connect(self._on_current_changed)
        self.table.change_chosen.connect(self.choose)
        for chart in self.charts:
            chart.change_chosen.connect(self.choose)
            ZoomInput(chart)

    def _arrange(self) -> None:
        self.list.setModel(self.changes)
        self.list.setAccessibleName(_("Changes"))
        self.list.setUniformItemSizes(True)  # else all of thousands are measured before the first is shown
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        across = QSplitter(Qt.Orientation.Horizontal, self, childrenCollapsible=False)
        names = (_("Flowchart before"), _("Flowchart now"))
        for chart, head, name in zip(self.charts, self.heads, names, strict=True):
            chart.setAccessibleName(name)
            side = QWidget(across)
            in_column(side, head, (chart, 1), margins=0, spacing=4)
        down = QSplitter(Qt.Orientation.Vertical, self, childrenCollapsible=False)
        down.addWidget(across)
        down.addWidget(self.table)
        down.setSizes([560, 440])
        sides = QSplitter(Qt.Orientation.Horizontal, self, childrenCollapsible=False)
        sides.addWidget(self.list)
        sides.addWidget(down)
        sides.setSizes([260, 840])
        in_column(self, sides, margins=0)

    @property
    def current(self) -> int:
        """The place of the change that is chosen; -1 for none."""
        return self.list.currentIndex().row()

    def show_names(self, names: tuple[str, str]) -> None:
        """Say what the versions are called."""
        self.table.lines.names = names
        for head, name in zip(self.heads, names, strict=True):
            head.setText(drawable_line(name))

    def show_compared(self, compared: Compared | None) -> None:
        """Show *compared*; the change that was chosen, or the one in its place, is chosen again."""
        current = max(0, self.current)
        self.compared = compared
        self.changes.show_compared(compared)
        self.table.show_compared(compared)
        if compared is None:
            return
        versions = compared.differences.old, compared.differences.new
        for chart, snapshot, layout, marks in zip(self.charts, versions, compared.layouts, compared.marks, strict=True):
            chart.show_version(snapshot, layout, marks)
        if compared.changes:
            self.choose(min(current, len(compared.changes) - 1))

    @Slot(int)
    def choose(self, change: int) -> None:
        """Choose a change, and show it everywhere."""
        self.list.setCurrentIndex(self.changes.index(change))

    @Slot()
    def go_on(self) -> None:
        """Choose the next change."""
        self.choose(min(self.current + 1, self.changes.rowCount() - 1))

    @Slot()
    def go_back(self) -> None:
        """Choose the change before."""
        self.choose(max(self.current - 1, 0))

    def zoom(self, change: Callable[[DifferenceChart], None]) -> None:
        """Show both flowcharts larger or smaller."""
        for chart in self.charts:
            change(chart)

    @Slot()
    def _on_current_changed(self) -> None:
        if self.compared is not None and self.current >= 0:
            steps = self.compared.steps(self.current)
            hunk = self.compared.changes[self.current].hunks[0]
            starts = hunk.old.start, hunk.new.start
            versions = self.compared.differences.old, self.compared.differences.new
            for chart, chosen, snapshot, start in zip(self.charts, steps, versions, starts, strict=True):
                chart.choose(chosen, snapshot.step_at(start) if snapshot.text else None)
            self.table.choose(self.current, self.compared.rows[self.current])
            if not self.list.hasFocus():
                count = numeral(self.changes.rowCount())
                place = _("{place} of {count}").format(place=numeral(self.current + 1), count=count)
                line = drawable_line(told_change(self.compared.changes[self.current]).line)
                self.spoken.emit("change", f"{place}: {line}")
        self.change_chosen.emit()


class VersionDialog(QDialog):
    """Stays beside the window, and stays right while the document is edited. *wanted*: what is compared."""

    page_wanted = Signal(object, object)  # Differences, and the names of both versions

    def __init__(self, context: WindowContext, wanted: Wanted, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._context = context
        self._wanted = wanted
        self._document = context.documents.document
        self._old: Snapshot | None = None
        self.summary = Label(parent=self, wraps=True)
        self.said = ProblemLabel(self)
        self.view = ComparisonView(self)
        self.previous = QPushButton(_("&Previous change"), self)
        self.next = QPushButton(_("&Next change"), self)
        self.take = QPushButton(_("Take over &theirs") if wanted.old.is_other_file else _("&Take back"), self)
        self.take_all = QPushButton(_("Take over &all") if wanted.old.is_other_file else _("Take &all back"), self)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.apply_button = self._buttons.addButton(_("Apply"), QDialogButtonBox.ButtonRole.ApplyRole)
        self.save = self._buttons.addButton(_("&Save as page…"), QDialogButtonBox.ButtonRole.ActionRole)
        self._arrange()
        self._work = BackgroundWork(self)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._connect()
        self.compare()

    def _arrange(self) -> None:
        path = self._context.documents.document.path
        new = self._wanted.new_name or (path.name if path is not None else _("New playbook"))
        self.names = drawable_line(self._wanted.old.name), drawable_line(new)
        self.setWindowTitle(_("Compare {name} with {other}").format(name=self.names[1], other=self.names[0]))
        self.view.show_names((_("Before: {name}").format(name=self.names[0]), _("Now: {name}").format(name=new)))
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.previous.setToolTip(_("Go to the change before (Shift+F7)"))
        self.next.setToolTip(_("Go to the next change (F7)"))
        self.take.setToolTip(_("Put back what stood here in “{name}” (Ctrl+Backspace)").format(name=self.names[0]))
        self.take_all.setToolTip(_("Make the text what it is in “{name}”").format(name=self.names[0]))
        buttons = (self.previous, self.next, self.take, self.take_all, self.save)
        for button in (*buttons, *self._buttons.buttons()):
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)  # Enter in the list goes to the step
        for each in (self.take, self.take_all):
            each.setVisible(self._wanted.new is None)
        self.apply_button.setVisible(self._wanted.proposal is not None)
        row = in_rows_on_screen(self, *buttons[:4], self._buttons)
        in_column(self, self.summary, self.said, (self.view, 1), row, margins=12, spacing=8)
        resize_on_screen(self, 1160, 800)

    def _connect(self) -> None:
        documents = self._context.documents
        self._work.done.connect(self._on_compared)
        self._rest.timeout.connect(self.compare)
        documents.document_changed.connect(self._on_changed)
        documents.document_opened.connect(self._on_changed)
        documents.file_state_changed.connect(self._on_changed)
        self._buttons.rejected.connect(self.reject)
        self.previous.clicked.connect(self.view.go_back)
        self.next.clicked.connect(self.view.go_on)
        self.take.clicked.connect(self.take_back)
        self.take_all.clicked.connect(self.take_all_back)
        self.save.clicked.connect(self._on_save)
        self.apply_button.clicked.connect(self.apply)
        self.view.change_chosen.connect(self._show_state)
        self.view.spoken.connect(self._context.notices.spoken)
        self.view.list.activated.connect(self._on_activated)
        self._add_keys()

    def _add_keys(self) -> None:
        documents = self._context.documents
        keys: tuple[tuple[str, Callable[[], object]], ...] = (
            ("F7", self.view.go_on),
            ("Shift+F7", self.view.go_back),
            ("Ctrl+Backspace", self.take_back),
            ("Ctrl+Z", documents.undo),
            ("Ctrl+Shift+Z", documents.redo),
            ("Ctrl+Y", documents.redo),
            ("Ctrl++", partial(self.view.zoom, camera.zoom_in)),
            ("Ctrl+-", partial(self.view.zoom, camera.zoom_out)),
            ("Ctrl+0", partial(self.view.zoom, camera.fit)),
        )
        for key, act in keys:
            QShortcut(QKeySequence(key), self).activated.connect(act)

    @property
    def is_there(self) -> bool:
        """Whether the document that is compared is the one that is open."""
        return self._wanted.new is not None or self._context.documents.document is self._document

    @property
    def differences(self) -> Differences | None:
        """What differs, where that is known of the text as it is now."""
        found, new = self.view.compared, self._wanted.new or self._context.documents.snapshot
        return found.differences if found is not None and self.is_there and found.differences.new is new else None

    @Slot()
    def compare(self) -> None:
        """Look at both versions as they are now."""
        if self.is_there:
            new = self._wanted.new or self._context.documents.snapshot
            self.summary.setText(_("Comparing…") if self.view.compared is None else self.summary.text())
            self._work.ask(partial(compared_with, partial(_source_of, self._wanted.old, self._old), new, self._old))
        self._show_state()

    @Slot(object)
    def _on_changed(self, _cause: object) -> None:
        if self._wanted.new is None:
            self._rest.start()
            self._show_state()

    @Slot(object)
    def _on_compared(self, found: Compared | WorkbenchError) -> None:
        if isinstance(found, WorkbenchError):
            self.view.show_compared(None)
            self.summary.setText("")
            self.said.setText(str(found))
        else:
            self._old = found.differences.old
            self.said.setText("")
            lines = [" ".join(sentence.split()) for sentence in found.summary[:_SUMMARY_LINES]]
            self.summary.setText("\n".join(lines))
            self.view.show_compared(found)
        self._show_state()

    @Slot()
    def _show_state(self) -> None:
        """What can be done now."""
        count, at = self.view.changes.rowCount(), self.view.current
        self.previous.setEnabled(at > 0)
        self.next.setEnabled(at + 1 < count)
        is_known = self.differences is not None
        self.take.setEnabled(is_known and at >= 0)
        self.take_all.setEnabled(is_known and count > 0)
        self.save.setEnabled(is_known)
        if not self.is_there:
            self.said.setText(_("Another document is shown in the window. What is compared here is not followed."))

    @Slot()
    def take_back(self) -> None:
        """Put back what stood there in the other version, as one edit; all other changes stay."""
        found, at = self.view.compared, self.view.current
        if self.differences is not None and found is not None and at >= 0 and self._wanted.new is None:
            what = drawable_line(told_change(found.changes[at]).line)[:_LONGEST_LABEL]
            edits = found.differences.taking_back(found.changes[at].hunks).edits
            label = _("Take over {what}") if self._wanted.old.is_other_file else _("Take back {what}")
            self._context.documents.execute(EditText(edits, label.format(what=what)), self._context.selection.selected)

    @Slot()
    def take_all_back(self) -> None:
        """Make the text what it is in the other version, as one edit."""
        differences = self.differences
        if differences is not None and self.view.compared is not None and self._wanted.new is None:
            count = len(self.view.compared.changes)
            label = ngettext("Take back {count} change", "Take back {count} changes", count)
            edits = differences.taking_back(differences.hunks).edits
            words = label.format(count=numeral(count))
            self._context.documents.execute(EditText(edits, words), self._context.selection.selected)

    @Slot()
    def apply(self) -> None:
        """Do what was proposed, as one edit; not where the text is another by now."""
        proposal, documents = self._wanted.proposal, self._context.documents
        self.accept()
        if proposal is None or documents.snapshot is not proposal.snapshot:
            self._context.notices.tell(_("The text has changed since this was shown, so nothing was applied."))
        else:
            documents.execute(proposal.command, self._context.selection.selected)

    @Slot()
    def _on_activated(self) -> None:
        """Show the step in the window, as far as the document has it."""
        found, at = self.view.compared, self.view.current
        if found is not None and at >= 0 and self._wanted.new is None and self.is_there:
            snapshot = self._context.documents.snapshot
            steps = tuple(step for step in found.steps(at)[1] if snapshot.has(step))
            if steps:
                self._context.selection.reveal(steps[:1], ORIGIN)

    @Slot()
    def _on_save(self) -> None:
        if self.differences is not None:
            self.page_wanted.emit(self.differences, self.names)


def _source_of(version: Version, known: Snapshot | None) -> SourceText:
    """What *version* is, on another thread; *known*: what it was the last time."""
    return known.source if known is not None and version.is_fixed else version.read()
