"""A run beside another one of its file: what differs, and a way to each step at which it does."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from workbench.engine.journal.events import RunId
from workbench.errors import WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_steps import steps_of_run
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, in_row, resize_on_screen
from workbench.gui.look.theming import current_theme
from workbench.gui.look.written_words import read_as_written
from workbench.gui.recorded.comparing import Choices, Compared, Part, choices_for, compared
from workbench.gui.words.run_words import summary_texts
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _, ngettext, numeral
from workbench.pages.comparison_words import Told

ORIGIN = "comparison"
_PART = Qt.ItemDataRole.UserRole
_AT_ONCE = 40


class ComparisonDialog(QDialog):
    """Stays beside the window, so that a step can be looked at. *run*: the one that is looked at."""

    page_wanted = Signal(object)  # Comparison: it is to be saved as a page

    def __init__(self, context: WindowContext, run: RunId, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._context = context
        self._run = run
        self._compared: Compared | None = None
        self.setWindowTitle(_("Compare runs"))
        self.title = Label(_("Reading the run…"), self, role="title", wraps=True)
        self.others = QComboBox(self)
        self.summary = Label(parent=self, wraps=True)
        self.tree = DifferenceTree(self)
        self.said = ProblemLabel(self)
        self._arrange()
        self._choosing, self._comparing = BackgroundWork(self), BackgroundWork(self)
        self._choosing.done.connect(self._on_choices)
        self._comparing.done.connect(self._on_compared)
        self.others.activated.connect(self._on_chosen)
        self.tree.part_chosen.connect(self._on_part_chosen)
        self._choosing.ask(partial(choices_for, context.runs.host, run))

    def _arrange(self) -> None:
        self.others.setAccessibleName(_("Run to compare with"))
        self.others.setEnabled(False)
        self.others.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.others.setMinimumContentsLength(24)
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label = Label(_("Compared &with"), self)
        label.setBuddy(self.others)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.save = buttons.addButton(_("&Save as page…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.save.setEnabled(False)
        self.save.clicked.connect(self._on_save)
        buttons.rejected.connect(self.reject)
        for button in buttons.buttons():
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)  # Enter in the list goes to a step
        row = in_row(None, label, (self.others, 1), spacing=8)
        parts = (self.title, row, self.summary, self.said, (self.tree, 1), buttons)
        in_column(self, *parts, margins=16, spacing=10)
        resize_on_screen(self, 860, 600)

    @Slot(object)
    def _on_choices(self, choices: Choices | WorkbenchError) -> None:
        if isinstance(choices, WorkbenchError):
            self._refuse(str(choices))
            return
        title, *lines = summary_texts((choices.run, *choices.others))
        self.title.setText(drawable_line(title))
        for other, line in zip(choices.others, lines, strict=True):
            self.others.addItem(drawable_line(line), other.id)
            self.others.setItemData(self.others.count() - 1, tip(other.id), Qt.ItemDataRole.ToolTipRole)
        self.others.setEnabled(bool(choices.others))
        if choices.proposed is None:
            self._refuse(_("There is no other run of this file, so there is nothing to compare with."))
            return
        self.others.setCurrentIndex(self.others.findData(choices.proposed))
        self._on_chosen()

    @Slot()
    def _on_chosen(self) -> None:
        self._compared = None
        self.save.setEnabled(False)
        self.said.setText("")
        self.summary.setText(_("Comparing…"))
        self.tree.show_parts(())
        self._comparing.ask(partial(compared, self._context.runs.host, self._run, self.others.currentData()))

    @Slot(object)
    def _on_compared(self, found: Compared | WorkbenchError) -> None:
        if isinstance(found, WorkbenchError):
            self._refuse(str(found))
            return
        self._compared = found
        self.save.setEnabled(True)
        lines = [" ".join(sentence.split()) for sentence in found.summary]
        if found.left_out:
            more = ngettext(
                "{count} more step differs and is not listed here.",
                "{count} more steps differ and are not listed here.",
                found.left_out,
            )
            lines.append(more.format(count=numeral(found.left_out)))
        self.summary.setText("\n".join(lines))
        self.tree.show_parts(found.parts)

    def _refuse(self, words: str) -> None:
        self.summary.setText("")
        self.said.setText(words)

    @Slot()
    def _on_save(self) -> None:
        if self._compared is not None:
            self.page_wanted.emit(self._compared.comparison)

    @Slot(object)
    def _on_part_chosen(self, part: Part) -> None:
        """Show the step in every pane, as far as the document that is open has it."""
        found = self._compared
        if found is None or not part.address:
            return
        documents = self._context.documents
        side, ran = (found.comparison.other, found.other_ran) if part.is_of_other else (found.comparison.run, found.ran)
        path = documents.document.path
        is_of_file = side.path == ("" if path is None else str(path))
        step = steps_of_run(ran, documents.snapshot, is_of_file=is_of_file).id_of(part.address)
        if step is not None:
            self.said.setText("")
            self._context.selection.reveal((step,), ORIGIN)
        else:
            self.said.setText(_("The open file does not have this step any more."))


class DifferenceTree(QTreeWidget):
    """A row for each step, and in it what differs; many rows come a few at a time, so that nothing else waits."""

    part_chosen = Signal(object)  # Part

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        read_as_written(self)
        self.setColumnCount(3)
        self.setHeaderLabels([_("Difference"), _("Other run"), _("This run")])
        self.setAccessibleName(_("Differences"))
        self.setAllColumnsShowFocus(True)
        header = self.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setStretchLastSection(False)
        self.itemClicked.connect(self._on_item)
        self.itemActivated.connect(self._on_item)
        self._waiting: tuple[Part, ...] = ()
        self._next = QTimer(self, interval=0, singleShot=True)
        self._next.timeout.connect(self._add_some)

    def show_parts(self, parts: tuple[Part, ...]) -> None:
        """Show *parts*, each with what differs in it."""
        self.clear()
        self._waiting = parts
        self._add_some()

    @Slot()
    def _add_some(self) -> None:
        rows = [_row(part) for part in self._waiting[:_AT_ONCE]]
        self._waiting = self._waiting[_AT_ONCE:]
        self.addTopLevelItems(rows)
        for row in rows:
            row.setFirstColumnSpanned(True)
            row.setExpanded(True)
        if self._waiting:
            self._next.start()

    @Slot(QTreeWidgetItem)
    def _on_item(self, item: QTreeWidgetItem) -> None:
        around = item.parent() or item
        self.part_chosen.emit(around.data(0, _PART)[0])


def _row(part: Part) -> QTreeWidgetItem:
    row = QTreeWidgetItem([drawable_line(part.title)])
    row.setData(0, _PART, [part])  # in a list, so that Qt keeps it as it is
    row.setToolTip(0, tip(part.title))
    row.setData(0, Qt.ItemDataRole.FontRole, _bold())
    row.addChildren([_difference(each) for each in part.told])
    return row


def _bold() -> QFont:
    font = current_theme().body_font()
    font.setWeight(QFont.Weight.DemiBold)
    return font


def _difference(told: Told) -> QTreeWidgetItem:
    cells = (told.what, told.other, told.run)
    row = QTreeWidgetItem([drawable_line(cell) for cell in cells])
    for column, cell in enumerate(cells):
        row.setToolTip(column, tip(cell))
    return row
