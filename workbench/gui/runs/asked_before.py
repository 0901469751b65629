"""The dialogs that a run may need before it starts; loaded with the first of them.

What a run would start and where it may reach, for a person to allow or not; and of a procedure its chapters, and values
for what it leaves open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QFrame, QScrollArea, QVBoxLayout, QWidget

from workbench.gui.control.running.run_questions import ProcedureQuestion, TrustQuestion
from workbench.gui.forms.call_view import CallView
from workbench.gui.forms.field import RunField
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label, WordsLabel
from workbench.gui.look.layouts import in_column, in_row, make_room, resize_on_screen
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.words.values import drawable_line, menu_text
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.model.procedures.placeholders import Placeholder, is_usable

_WIDTH_PX, _HEIGHT_PX, _MARGIN_PX = 680, 560, 16
_MOST_PX = 220


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a person has allowed. *is_folder*: with every playbook in its folder."""

    question: TrustQuestion
    is_folder: bool


@dataclass(frozen=True, slots=True)
class _Row:
    """One thing that would start or be reached, with its sign; *is_problem*: it is named and cannot be used."""

    icon: str
    words: str
    is_problem: bool = False


class TrustDialog(QDialog):
    """*trusted* carries what the person allows; closing it any other way allows nothing."""

    trusted = Signal(object)  # Allowed

    def __init__(self, question: TrustQuestion, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question = question
        self._starts = question.starts
        self.setWindowTitle(_("Allow what this file starts") if self._has_servers else _("Allow Python from this file"))
        resize_on_screen(self, _WIDTH_PX, _HEIGHT_PX)
        self.code = self._code_view()
        buttons = QDialogButtonBox(self)
        self.allow_button = buttons.addButton(_("&Allow and run"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel_button = buttons.addButton(_("&Do not run"), QDialogButtonBox.ButtonRole.RejectRole)
        # whoever presses Enter without reading has allowed nothing
        self.cancel_button.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.folder = QCheckBox(self)
        file = question.file
        self.folder.setVisible(file is not None)
        if file is not None:
            self.folder.setText(menu_text(_("Allow every playbook in “{folder}”").format(folder=file.parent)))
        parts = (*self._words(), self._row_list(), (self.code, 1), self.folder, buttons)
        in_column(self, *parts, margins=_MARGIN_PX, spacing=10)
        self.cancel_button.setFocus()

    @property
    def _has_servers(self) -> bool:
        return self._starts is not None and bool(self._starts.servers)

    @property
    def rows(self) -> tuple[_Row, ...]:
        """What would start, and where it may reach."""
        return tuple(_rows(self._question))

    def _words(self) -> tuple[Label, Label]:
        if self._question.changes:
            asked = _("What this playbook starts has changed since you allowed it. Allow it to run?")
        elif self._has_servers:
            asked = _("This playbook starts programs or reaches servers. Allow it to run?")
        else:
            asked = _("This playbook contains Python. Allow it to run?")
        words = Label(
            _(
                "What is started can do anything you can do on this computer: read and change files, use the network, "
                "start programs. Allow it only if you know where it comes from. Your decision is remembered until "
                "something of it changes. Nothing has run yet."
            ),
            self,
            wraps=True,
        )
        return Label(asked, self, role="title", wraps=True), words

    def _row_list(self) -> _Rows:
        inside = QWidget(self)
        lines = []
        for row in self.rows:
            ink = Ink.BLOCKED if row.is_problem else Ink.MUTED
            label = Label(row.words, inside, role="caution" if row.is_problem else None, wraps=True)
            lines.append(in_row(None, Picture(icon(row.icon, ink), inside), (label, 1), spacing=8))
        in_column(inside, *lines, 1, margins=0, spacing=6)
        return _Rows(inside, self)

    def _code_view(self) -> CallView:
        question, code = self._question, CallView(self)
        code.show_text(question.changes or _python_of(question), is_difference=bool(question.changes))
        code.setAccessibleName(_("Changes") if question.changes else _("Python and steps of this file"))
        return code

    @Slot()
    def accept(self) -> None:
        """The person allows this."""
        super().accept()
        self.trusted.emit(Allowed(self._question, self.folder.isChecked()))


class _Rows(QScrollArea):
    """As high as what is in it, up to a limit: from there on it scrolls."""

    def __init__(self, inside: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._inside = inside
        self.setWidgetResizable(True)
        self.setWidget(inside)
        self.setAccessibleName(_("What would start"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrower, its lines are wrapped onto more."""
        super().resizeEvent(event)
        wanted = self._inside.heightForWidth(self.viewport().width())
        self.setFixedHeight(min(wanted, current_theme().px(_MOST_PX)))


def _python_of(question: TrustQuestion) -> str:
    """What is to be read; servers are told above it."""
    if question.starts is None:
        return question.code
    modules = (f"# {name}\n\n{text}" for name, text in question.starts.modules)
    return "\n".join(filter(None, (question.starts.python, *modules)))


def _rows(question: TrustQuestion) -> Iterator[_Row]:
    starts = question.starts
    if starts is None or starts.python:
        yield _Row("python", _("Python of this file runs when steps call it: read it below."))
    if starts is None:
        return
    if starts.modules:
        names = ", ".join(name for name, _text in starts.modules)
        yield _Row("python", _("Python of the project can be called: {files}").format(files=names))
    for sentence in starts.reaches:
        yield _Row("tool", sentence)
    yield _Row("shield", _("Commands, files and addresses on the web: you are asked before a call that may do harm."))
    for problem in starts.problems:
        yield _Row("warning", problem, is_problem=True)


_WIDE_PX, _LEAST_HIGH_PX = 460, 160


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
        inside = QWidget(self)
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
        make_room(self, self.area)

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
