"""The top of the inspector: icon, number, the kind, which can be changed, and the words of the step."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QWidget

from workbench.editing.commands import ChangeKind
from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import ElidedLabel
from workbench.gui.look.layouts import TwoRows, in_row
from workbench.gui.look.written_words import follow_words
from workbench.gui.words.kinds import choices_in, icon_of, word_for, word_of
from workbench.gui.words.values import tip
from workbench.gui.words.widget_text import rewritten, shown
from workbench.i18n import _
from workbench.model.meaning import StepKind
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot

_ICON_PX = 20
_LINES = 4
_KIND_PX = 56
_NUMBER_PX = 120


@dataclass(frozen=True, slots=True)
class KindChoice:
    """The kind that a step shall become."""

    step: StepId
    kind: StepKind


class InspectorHead(TwoRows):
    """Says which step this is."""

    kind_chosen = Signal(object)  # KindChoice

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._step: Step | None = None
        self.kinds: tuple[StepKind, ...] = ()
        self._picture = Picture(icon("step"), self, _ICON_PX)
        self.address = ElidedLabel("", self, role="title")
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(_("Kind of step"))
        self.kind.setToolTip(_("Change the kind of this step"))
        self.kind.setMinimumWidth(_KIND_PX)
        self.kind.activated.connect(self._on_activated)
        self.lay_out(in_row(None, self._picture, (self.address, 1)), in_row(None, self.kind), (12, 12, 12, 8), 0)

    def show_number(self, step: Step, snapshot: Snapshot) -> None:
        """Show which step *step* is; one that has neither a number nor a choice of kinds is called by its kind."""
        number, is_choice = snapshot.number(step.id), len(self.kinds) > 1
        self.kind.setVisible(bool(number) or is_choice)
        # the number of a step says which one it is; the list of kinds gives way to it, and goes on below
        self.address.setMinimumWidth(min(self.address.fontMetrics().horizontalAdvance(number), _NUMBER_PX))
        self.address.setText(number or ("" if is_choice else word_for(step)))
        self.address.setToolTip(tip(snapshot.address(step.id)))
        self.fold()

    def show_kind(self, step: Step) -> None:
        """Show what *step* is, and what it could become."""
        known = self._step
        is_known = known is not None and (known.id, known.kind, word_for(known)) == (step.id, step.kind, word_for(step))
        self._step = step
        if is_known:
            return
        can_become = self._context.documents.can(ChangeKind(step.id, StepKind.STEP)) is None
        choices = choices_in(self._context.documents.snapshot.program)
        self.kinds = choices if can_become and step.kind in choices else (step.kind,)
        self._fill()

    def _fill(self) -> None:
        assert self._step is not None, "there is a step to show"
        kind = self._step.kind
        self._picture.show_icon(icon(icon_of(kind), kind))
        self.kind.clear()
        for each in self.kinds:
            self.kind.addItem(icon(icon_of(each), each), word_for(self._step) if each is kind else word_of(each))
        self.kind.setCurrentIndex(self.kinds.index(kind))
        self.kind.setEnabled(len(self.kinds) > 1)

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        """Ask for the chosen kind; until the document has changed, the old one shows."""
        if self._step is None or self.kinds[index] is self._step.kind:
            return
        choice = KindChoice(self._step.id, self.kinds[index])
        self.kind.setCurrentIndex(self.kinds.index(self._step.kind))
        self.kind_chosen.emit(choice)


@dataclass(frozen=True, slots=True)
class NewWords:
    """The words that somebody wrote for a step."""

    step: StepId
    text: str


class StepWords(QPlainTextEdit):
    """Holds what is being written until it is applied; the document may change meanwhile."""

    words_written = Signal(object)  # NewWords

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step: StepId | None = None
        self._before = ""
        self._is_applying = False
        self.setTabChangesFocus(True)
        follow_words(self)
        self.setAccessibleName(_("Text of the step"))
        self.setToolTip(_("Ctrl+Enter to apply, Esc to cancel"))

    @property
    def is_being_written(self) -> bool:
        """True while there is something that was not applied."""
        return self._step is not None and self.written != self._before

    @property
    def step(self) -> StepId | None:
        """The step whose words stand here."""
        return self._step

    @property
    def written(self) -> str:
        """What stands in it, in the characters of the document."""
        return rewritten(self._before, self.document().toRawText())

    def show_words(self, step: StepId, text: str) -> None:
        """Show *text*; what is being written for the same step is left alone."""
        if step == self._step and (text == self._before or (self.is_being_written and not self._is_applying)):
            return
        if step != self._step:
            self.apply()
        self._step = step
        self._before = text
        self.setPlainText(shown(text))
        lines = self.fontMetrics().lineSpacing() * _LINES
        self.setFixedHeight(lines + 2 * round(self.document().documentMargin()) + 2 * self.frameWidth())

    def apply(self) -> None:
        """Report the words, where they differ from what was shown; they stay where that is refused."""
        if self._step is not None and self.is_being_written and not self._is_applying:
            self._is_applying = True
            self.words_written.emit(NewWords(self._step, self.written))
            self._is_applying = False

    def take_back(self) -> None:
        """Show again what the document has."""
        self.setPlainText(shown(self._before))

    def event(self, event: QEvent) -> bool:
        """Ctrl+Enter belongs to what is being written, whatever else it does in this pane."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_apply(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Apply with Ctrl+Enter, take back with Esc."""
        if _is_apply(event):
            self.apply()
        elif event.key() == Qt.Key.Key_Escape and self.is_being_written:
            self.take_back()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving the field applies what was written."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.apply()


def _is_apply(event: QKeyEvent) -> bool:
    is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
    return is_enter and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
