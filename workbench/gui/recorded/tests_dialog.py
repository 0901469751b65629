"""The saved runs of a playbook and what came of them: each leads to the step where it first went another way."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QWidget,
)

from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, resize_on_screen
from workbench.gui.look.theming import Ink
from workbench.gui.look.written_words import read_as_written
from workbench.gui.recorded.saved_tests import SavedTest, Verdict
from workbench.gui.words.values import drawable, drawable_line, tip
from workbench.i18n import _, ngettext, numeral
from workbench.syntax.text import Span

ORIGIN = "tests"
_TEST = Qt.ItemDataRole.UserRole
_LOOKS = {
    Verdict.SAME: ("done", Ink.DONE),
    Verdict.OTHERWISE: ("failed", Ink.FAILED),
    Verdict.UNUSABLE: ("warning", Ink.BLOCKED),
}


class SavedTestsDialog(QDialog):
    """Stays beside the window, so that a step can be looked at and mended. *playbook*: the one that is tested."""

    again_wanted = Signal()

    def __init__(self, context: WindowContext, playbook: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._tests: list[SavedTest] = []
        self.setWindowTitle(_("Tests of {name}").format(name=drawable_line(playbook.name)))
        self.summary = Label(parent=self, role="title", wraps=True)
        self.note = Label(parent=self, role="secondary", wraps=True)
        self.list = QListWidget(self)
        read_as_written(self.list)
        self.list.setAccessibleName(_("Tests"))
        self.lines = QPlainTextEdit(self, readOnly=True, tabChangesFocus=True)
        self.lines.setProperty("role", "mono")
        self.lines.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.lines.setAccessibleName(_("What came out otherwise"))
        self.said = ProblemLabel(self)
        self._arrange()
        self.list.currentRowChanged.connect(self._on_row_changed)
        self.list.itemClicked.connect(self._on_chosen)
        self.list.itemActivated.connect(self._on_chosen)

    def _arrange(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.again = buttons.addButton(_("&Test again"), QDialogButtonBox.ButtonRole.ActionRole)
        self.again.clicked.connect(self.again_wanted)
        buttons.rejected.connect(self.reject)
        for button in buttons.buttons():
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)  # Enter in the list goes to a step
        splitter = QSplitter(Qt.Orientation.Vertical, self)
        splitter.addWidget(self.list)
        splitter.addWidget(self.lines)
        splitter.setChildrenCollapsible(False)
        parts = (self.summary, self.note, (splitter, 1), self.said, buttons)
        in_column(self, *parts, margins=16, spacing=10)
        resize_on_screen(self, 760, 520)

    def begin(self, *, is_changed: bool) -> None:
        """Tests begin. *is_changed*: the document has changes that are not in its file."""
        self._tests = []
        self.list.clear()
        self.said.setText("")
        self.again.setEnabled(False)
        self.summary.setText(_("Testing…"))
        self.note.setText(_("The file is tested as it was saved last.") if is_changed else "")
        self.note.setVisible(is_changed)

    @Slot(object)
    def take(self, test: SavedTest) -> None:
        """One more test is over; the first that is not as it was recorded is shown."""
        self._tests.append(test)
        name, ink = _LOOKS[test.verdict]
        words = test.verdict.words
        if test.verdict is not Verdict.UNUSABLE:
            words = f"{words} · {ngettext('{count} event', '{count} events', test.events)}"
        item = QListWidgetItem(icon(name, ink), drawable_line(f"{test.name} · {words}"))
        item.setToolTip(tip(str(test.file)))
        item.setData(_TEST, [test])  # in a list, so that Qt keeps it as it is
        self.list.addItem(item)
        is_first = sum(each.verdict is not Verdict.SAME for each in self._tests) == 1
        if test.verdict is not Verdict.SAME and is_first:
            self.list.setCurrentItem(item)

    @Slot(str)
    def end(self, problem: str) -> None:
        """All tests are over, or there is a *problem* with them as a whole."""
        self.again.setEnabled(True)
        self.said.setText(problem)
        self.summary.setText("" if problem else together(self._tests))
        self.summary.setVisible(not problem)
        if self.list.currentRow() < 0:
            self.list.setCurrentRow(0)

    @Slot(int)
    def _on_row_changed(self, row: int) -> None:
        lines = self._tests[row].lines if 0 <= row < len(self._tests) else ()
        self.lines.setPlainText(drawable("\n".join(lines)))

    @Slot(QListWidgetItem)
    def _on_chosen(self, item: QListWidgetItem) -> None:
        """Go to where it went another way, where that is in the file that is open."""
        test: SavedTest = item.data(_TEST)[0]
        self.said.setText("")
        if not test.step and not test.line:
            return
        path, snapshot = self._context.documents.document.path, self._context.documents.snapshot
        if path is None or path.name != test.playbook.name:
            self.said.setText(_("This is in {name}, which is not open.").format(name=test.playbook.name))
            return
        step = snapshot.at_address(test.step) if test.step else None
        if step is not None:
            self._context.selection.reveal((step.id,), ORIGIN)
        elif test.line:
            start = snapshot.lines.offset(test.line - 1)
            self._context.selection.show_place(Span(start, start))


def together(tests: list[SavedTest]) -> str:
    """How many tests there are, and how many of each verdict."""
    counts = Counter(test.verdict for test in tests)
    runs = ngettext("{count} saved run", "{count} saved runs", len(tests))
    return f"{runs}: {', '.join(f'{numeral(counts[each])} {each.words}' for each in Verdict if counts[each])}"
