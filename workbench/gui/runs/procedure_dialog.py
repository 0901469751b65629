"""What is asked before the run of a procedure: its chapters, and values for what it leaves open."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QFrame, QScrollArea, QVBoxLayout, QWidget

from workbench.gui.control.running.run_questions import ProcedureQuestion
from workbench.gui.forms.field import RunField
from workbench.gui.look.label import Label, WordsLabel
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import current_theme
from workbench.gui.words.values import drawable_line, menu_text
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.model.procedures.placeholders import Placeholder, is_usable

_WIDE_PX, _LEAST_HIGH_PX = 460, 160
_FRAME_PX = 48
"""What the window manager draws around a dialog, and a little air."""


class OpenValue(QWidget):
    """The value for one place that is left open; nothing leaves it as it is written."""

    def __init__(self, placeholder: Placeholder, parent: QWidget) -> None:
        super().__init__(parent)
        self.placeholder = placeholder
        self.field = RunField(Variable(placeholder.title, is_state=False, type="str"), self)
        self.field.fill(placeholder.default)
        column = in_column(self, self.field, margins=0, spacing=2)
        if placeholder.description:
            column.addWidget(WordsLabel(placeholder.description, self, role="secondary"))

    @property
    def value(self) -> str:
        """What was entered."""
        return self.field.words.strip()

    def check(self) -> bool:
        """Whether it can be put in; shows what is wrong where not."""
        problem = ""
        if not is_usable(self.value):
            problem = _("It has a line end or another invisible character, which could change a command.")
        elif self.placeholder.is_required and not self.value:
            problem = _("A value is missing.")
        self.field.show_problem(problem)
        return not problem


class ProcedureDialog(QDialog):
    """A box for each chapter, and a field for each value; Run is pressed by Enter."""

    given = Signal(object)  # RunOptions

    def __init__(self, question: ProcedureQuestion, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question = question
        self.setWindowTitle(_("Run {playbook}").format(playbook=drawable_line(question.title)))
        self.setMinimumWidth(current_theme().px(_WIDE_PX))
        self._inside = inside = QWidget(self)
        column = in_column(inside, margins=0, spacing=10)
        self.chapters = tuple(QCheckBox(menu_text(title), inside) for _name, title in question.chapters)
        self._add_chapters(column, inside)
        self.values = tuple(OpenValue(each, inside) for each in question.placeholders)
        if self.values:
            words = _("These values are put in where the procedure leaves them open. What is empty stays as written.")
            column.addWidget(Label(words, inside, wraps=True))
        for each in self.values:
            each.field.submitted.connect(self.accept)
            column.addWidget(each)
        self.ticks = QCheckBox(_("&Tick the boxes in the file for what is done"), inside)
        self.ticks.setVisible(question.has_boxes)
        column.addWidget(self.ticks)
        self._finish(inside)

    def _add_chapters(self, column: QVBoxLayout, inside: QWidget) -> None:
        is_choice = len(self.chapters) > 1
        if is_choice:
            column.addWidget(Label(_("Chapters to go through, in this order:"), inside, wraps=True))
        for box in self.chapters:
            box.setChecked(True)
            box.setVisible(is_choice)
            box.toggled.connect(self._on_toggled)
            column.addWidget(box)

    def _finish(self, inside: QWidget) -> None:
        self.area = area = QScrollArea(self, widgetResizable=True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        area.setMinimumHeight(min(inside.sizeHint().height(), current_theme().px(_LEAST_HIGH_PX)))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.run_button = buttons.addButton(_("&Run"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.run_button.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        in_column(self, (area, 1), buttons, margins=16, spacing=10)
        (self.values[0].field.editor if self.values else self.run_button).setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """What is asked is seen at once."""
        super().showEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """As high as what stands in it, as far as the screen allows; never lower than it is."""
        layout, inside = self.layout(), self._inside
        if layout is not None:
            layout.activate()
        needed = max(inside.heightForWidth(self.area.viewport().width()), inside.minimumSizeHint().height())
        most = self.screen().availableSize().height() - _FRAME_PX
        height = min(self.height() - self.area.viewport().height() + needed, most)
        self.resize(self.width(), max(self.height(), height))

    @Slot()
    def _on_toggled(self) -> None:
        self.run_button.setEnabled(any(box.isChecked() for box in self.chapters))

    @Slot()
    def accept(self) -> None:
        """Hand over what was chosen, or go to the first value that cannot be used."""
        wrong = [each for each in self.values if not each.check()]
        self._make_room()  # what is wrong is said below the values
        if wrong or not self.run_button.isEnabled():
            (wrong[0].field.editor if wrong else self.chapters[0]).setFocus()
            return
        super().accept()
        boxes = zip(self._question.chapters, self.chapters, strict=True)
        chosen = [name for (name, _title), box in boxes if box.isChecked()]
        values = {each.placeholder.name: each.value for each in self.values}
        self.given.emit(self._question.answered(tuple(chosen), values, ticks=self.ticks.isChecked()))
