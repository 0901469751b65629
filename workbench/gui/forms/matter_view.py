"""What belongs to a question: the surroundings of its step, what a run has made, and what a model has said."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from workbench.engine.ports import Request, RequestKind
from workbench.gui.forms.question_frame import ChoiceButton
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label, WordsLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import Ink
from workbench.gui.words.values import drawable_line, menu_text, tip
from workbench.i18n import _
from workbench.model.procedures.matter import StepLink, StepMatter, Table

_GAP_PX = 8


class MatterView(QWidget):
    """All of it but the commands, which have buttons of their own.

    *call_wanted* carries the path of a playbook that is to be gone through first, *link_wanted* what is to be opened.
    """

    call_wanted = Signal(object)  # str
    link_wanted = Signal(object)  # str

    def __init__(self, request: Request, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        matter = request.matter or StepMatter()
        self.column = in_column(self, margins=0, spacing=_GAP_PX)
        if len(matter.above) > 1:
            self.column.addWidget(Label(" › ".join(matter.above), self, role="secondary", wraps=True))
        if matter.prose:
            self._add(matter.prose)
        for rule in matter.rules:
            self._add(f"• {rule}")
        for table in matter.tables:
            self.column.addWidget(TableView(table, self))
        for words, follows in ((_("If yes: {steps}"), matter.if_yes), (_("If no: {steps}"), matter.if_no)):
            if follows:
                self._add(words.format(steps=" · ".join(follows)), role="secondary")
        self.calls = tuple(self._linked(link) for link in matter.links if link.path)
        self.links = tuple(self._opening(link) for link in matter.links)
        self.setVisible(self.column.count() > 0)

    def _linked(self, link: StepLink) -> ChoiceButton:
        """The button that goes through the playbook that *link* leads to."""
        text = _("Go through “{name}”").format(name=drawable_line(link.text or link.path))
        button = ChoiceButton(link.path, menu_text(text), self)
        words = _("Carry out {path} first; this step is asked about again after it")
        button.setToolTip(tip(words.format(path=link.path)))
        button.chosen.connect(self.call_wanted)
        self.column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return button

    def _opening(self, link: StepLink) -> ChoiceButton:
        """The button that opens what *link* leads to."""
        text = _("Open “{name}”").format(name=drawable_line(link.text or link.target))
        button = ChoiceButton(link.target, menu_text(text), self)
        button.setToolTip(tip(link.target))
        button.chosen.connect(self.link_wanted)
        self.column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return button

    @property
    def words(self) -> str:
        """What is shown, as text."""
        found = self.findChildren(WordsLabel)
        return "\n".join(label.words for label in found)

    def _add(self, text: str, role: str | None = None) -> None:
        label = WordsLabel(text, self, role=role)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.column.addWidget(label)


class TableView(QFrame):
    """A table, whole: those of procedures are short, and what is asked about must be seen."""

    def __init__(self, table: Table, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(_("Table"))
        grid = QGridLayout(self)
        grid.setContentsMargins(_GAP_PX, _GAP_PX, _GAP_PX, _GAP_PX)
        grid.setHorizontalSpacing(2 * _GAP_PX)
        for number, row in enumerate((table.head, *table.rows)):
            for column, cell in enumerate(row):
                label = WordsLabel(cell, self, role="secondary" if number == 0 else None)
                grid.addWidget(label, number, column, Qt.AlignmentFlag.AlignTop)
        for column in range(len(table.head)):
            grid.setColumnStretch(column, 1)


class MadeView(QFrame):
    """The playbooks that a run has made, as they would be carried out. *words*: their text."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(_("What the run has made"))
        self.words = text
        words = WordsLabel(text, self, role="mono")
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        in_column(self, words, margins=8)


class Suggestion(QWidget):
    """Says so above the fields. *words*: all of it."""

    def __init__(self, request: Request, parent: QWidget) -> None:
        super().__init__(parent)
        lines = _lines(request)
        self.words = "\n".join(lines)
        labels = [Label(line, self, role="secondary", wraps=True) for line in lines]
        picture = Picture(icon("chat", Ink.ACCENT), self)
        in_row(self, picture, (in_column(None, *labels, margins=0, spacing=2), 1), margins=0)


def suggestion_about(request: Request, parent: QWidget) -> Suggestion | None:
    """What is to be said about *request*; None where no model has to do with it."""
    return Suggestion(request, parent) if _lines(request) else None


def _lines(request: Request) -> tuple[str, ...]:
    said = _("It said: {text}").format(text=request.said) if request.said else ""
    if request.proposal is None:
        reason = _("A model handed this over to you: {reason}").format(reason=request.reason) if request.reason else ""
        return tuple(filter(None, (reason, said)))
    return tuple(filter(None, (_proposed(request), said)))


def _proposed(request: Request) -> str:
    assert request.proposal is not None
    if request.kind is not RequestKind.DECIDE:
        return _("A model proposes what stands below. Accept it, or change it first.")
    if request.proposal.decision:
        return _("A model proposes: yes.")
    return _("A model proposes: no.")
