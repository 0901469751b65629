"""The run pane: the conversation with the person, and the form of the question that the run waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from workbench.engine.journal.events import RunEvent
from workbench.engine.ports import Answer, Request
from workbench.gui.control.context import WindowContext
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.layouts import in_column
from workbench.gui.runs.cards import CardFold
from workbench.gui.runs.conversation_view import ConversationView
from workbench.gui.runs.request_form import RequestForm
from workbench.gui.runs.run_header import AdviceStrip, RunHeader
from workbench.gui.runs.start_dialogs import RunDialogs
from workbench.gui.words.run_words import RunWords
from workbench.i18n import _

if TYPE_CHECKING:
    from workbench.engine.running.run import Run

ORIGIN = "run"
WIDE = 1.6


class RunPanel(QWidget):
    """Conversation and form side by side, or one above the other where the pane is narrow."""

    room_wanted = Signal(object)  # int: how high the pane must be to show the whole form; 0 while there is none

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._fold: CardFold | None = None
        self.form: RequestForm | None = None
        self._owes_focus = False
        self.header = RunHeader(context.actions, self)
        self.advice = AdviceStrip(context, self)
        self.conversation = ConversationView(self)
        self._form_area = QWidget(self)
        self._form_column = QVBoxLayout(self._form_area)
        self._form_column.setContentsMargins(0, 0, 0, 0)
        self._form_area.hide()
        self._dialogs = RunDialogs(context, self)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        words = _("Press Run (F5): the run's messages and questions appear here, and you answer them here.")
        self._empty = EmptyState("chat", _("No run yet"), words, self)
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self._splitter.addWidget(self.conversation)
        self._splitter.addWidget(self._form_area)
        self._splitter.setChildrenCollapsible(False)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._splitter)
        in_column(self, self.header, self.advice, (self._stack, 1), margins=0, spacing=0)

    def _connect(self) -> None:
        runs = self._context.runs
        runs.run_started.connect(self._on_run_started)
        runs.events_arrived.connect(self._on_events_arrived)
        runs.state_changed.connect(self.header.show_state)
        runs.request_changed.connect(self._on_request_changed)
        runs.run_finished.connect(self._on_run_finished)
        self.conversation.step_chosen.connect(self._on_step_chosen)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a wide pane the form stands beside the conversation, else beneath it."""
        super().resizeEvent(event)
        is_wide = self.width() > WIDE * self.height()
        self._splitter.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)

    def showEvent(self, event: QShowEvent) -> None:
        """The pane may come forward only after the question has arrived."""
        super().showEvent(event)
        self._give_focus()

    def sizeHint(self) -> QSize:
        """Room for a few cards and a small form."""
        return QSize(720, 260)

    @Slot(object)
    def _on_run_started(self, run: Run) -> None:
        words = RunWords(run.snapshot)
        self._fold = CardFold(words.step_words)
        self.conversation.clear()
        self.header.begin(_name_of(run))
        self._stack.setCurrentWidget(self._splitter)

    @Slot(object)
    def _on_events_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        change = self._fold.take(batch) if self._fold is not None else None
        if change is not None:
            self.conversation.apply(change)

    @Slot(object)
    def _on_run_finished(self, _state: object) -> None:
        self.header.end(self._fold.lasted_s if self._fold is not None else 0.0)

    @Slot(object)
    def _on_request_changed(self, request: Request | None) -> None:
        """Another question, or none: the form follows, and takes the keys unless somebody is typing elsewhere."""
        self._close_form()
        if request is None:
            return
        form = RequestForm(request, self._form_area)
        form.answered.connect(self._on_answered)
        form.step_chosen.connect(self._on_step_chosen)
        form.laid_out.connect(self._tell_room)
        self.form = form
        self._form_column.addWidget(form)
        self._form_area.show()
        self._tell_room()
        self._owes_focus = not is_typing(QApplication.focusWidget(), self)
        self._give_focus()

    @Slot(object)
    def _on_answered(self, answer: Answer) -> None:
        form, runs = self.form, self._context.runs
        if form is None or runs.answer(form.request.id, answer):
            return
        is_waiting = runs.run is not None and runs.run.pending == form.request
        no_fit = _("The answer was not accepted: a value does not fit. Change it and submit again.")
        form.show_refused(no_fit if is_waiting else _("The run is no longer waiting for this answer."))

    @Slot(object)
    def _on_step_chosen(self, address: str) -> None:
        step = self._context.runs.steps.id_of(address)
        if step is not None:
            self._context.selection.reveal((step,), ORIGIN)

    @Slot()
    def _tell_room(self) -> None:
        """Say how much is needed; one above the other, the conversation keeps a little."""
        if self.form is None:
            self.room_wanted.emit(0)
            return
        is_wide = self._splitter.orientation() is Qt.Orientation.Horizontal
        needed_px = self.form.needed_px(self._form_area.width())
        above_px = self._stack.y() + (0 if is_wide else self.conversation.minimumSizeHint().height())
        self.room_wanted.emit(above_px + needed_px)

    def _give_focus(self) -> None:
        if self._owes_focus and self.form is not None and self.isVisible():
            self._owes_focus = False
            self.form.take_focus()

    def _close_form(self) -> None:
        if self.form is not None:
            had_focus = self.form.isAncestorOf(QApplication.focusWidget() or self)
            self._form_column.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
            self.form = None
            self._form_area.hide()
            self._tell_room()
            if had_focus:  # the keys stay in this pane, ready for the next question
                self.conversation.setFocus(Qt.FocusReason.OtherFocusReason)


def is_typing(focused: QWidget | None, pane: QWidget) -> bool:
    """Whether the keys belong to somebody who types outside *pane*."""
    if focused is None or pane.isAncestorOf(focused):
        return False
    return focused.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)


def _name_of(run: Run) -> str:
    """The playbook that runs, by the title of its heading."""
    name = run.state.origin.playbook
    playbook = run.snapshot.program.playbook(name)
    return playbook.title if playbook is not None else name
