"""What stands above the conversation: what runs and how it stands, its buttons, and what has worked before."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.ports import Answer, Request
from workbench.engine.state.run_state import RunState
from workbench.errors import CannotRead
from workbench.gui.control.actions import ActionRegistry
from workbench.gui.control.context import WindowContext
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import ElidedLabel, Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import GRID_PX, TOOL_ICON_PX, Ink, status_ink
from workbench.gui.runs.cards import CardFold
from workbench.gui.runs.conversation_view import ConversationView
from workbench.gui.runs.request_form import RequestForm
from workbench.gui.runs.start_dialogs import RunDialogs
from workbench.gui.words.run_words import RunWords
from workbench.gui.words.values import duration_text, tip
from workbench.i18n import _
from workbench.vocabulary import Status, status_of_run

if TYPE_CHECKING:
    from workbench.engine.running.run import Run

CLOCK_MS = 200
BUTTONS = ("run.start", "run.pause", "run.go-on", "run.step", "run.stop")
_LOOKS = {
    RunStatus.PAUSED: ("pause", "blocked"),
    RunStatus.CANCELLED: ("stop", "stopped"),
    RunStatus.COMPLETED: ("done", "done"),
    RunStatus.FAILED: ("failed", "failed"),
}
ORIGIN = "run"
WIDE = 1.6


class RunHeader(QWidget):
    """Shows the run; the buttons are the actions of the Run menu."""

    def __init__(self, actions: ActionRegistry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state: RunState | None = None
        self._playbook = ""
        self._is_watched = False
        self._started_s = 0.0
        self._picture = Picture(icon("run"), self, TOOL_ICON_PX)
        self._words = Label(parent=self)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._elapsed = Label(parent=self, role="secondary")
        row = in_row(self, self._picture, (self._words, 1), self._elapsed, margins=(12, 4, 8, 4), spacing=6)
        for action_id in BUTTONS:
            row.addWidget(ActionButton(actions.action(action_id), self))
        self._clock = QTimer(self, interval=CLOCK_MS)
        self._clock.timeout.connect(self._on_tick)
        self._show()

    def begin(self, playbook: str) -> None:
        """A run has begun."""
        self._playbook, self._state, self._is_watched = playbook, None, True
        self._started_s = time.monotonic()
        self._clock.start()
        self._show()
        self._on_tick()

    @Slot(object)
    def show_state(self, state: RunState) -> None:
        """How the run stands."""
        before = (self._state.status, self._state.pending) if self._state is not None else None
        self._state = state
        if before != (state.status, state.pending):
            self._show()

    def end(self, lasted_s: float) -> None:
        """The run is over; the last events may have come a little later than they happened."""
        self._clock.stop()
        self._is_watched = False
        self._show_elapsed(lasted_s)
        self._show()

    def _show(self) -> None:
        status, icon_name, color = self._look()
        self._picture.show_icon(icon(icon_name, status_ink(color)))
        self._words.setText(" · ".join(part for part in (self._playbook, status) if part))

    def _look(self) -> tuple[str, str, str]:
        """The word, icon and colour of the status."""
        if not self._playbook:
            return _("No run yet"), "run", ""
        if not self._is_watched and (self._state is None or not self._state.is_over):
            return str(Status.INTERRUPTED), "blocked", "blocked"
        if self._state is None:
            return str(Status.STARTING), "running", "running"
        if self._state.status is RunStatus.RUNNING and self._state.pending is not None:
            return str(Status.WAITING_FOR_YOU), "waiting", "waiting"
        icon_name, color = _LOOKS.get(self._state.status, ("running", "running"))
        return str(status_of_run(self._state.status, is_live=True)), icon_name, color

    @Slot()
    def _on_tick(self) -> None:
        self._show_elapsed(time.monotonic() - self._started_s)

    def _show_elapsed(self, elapsed_s: float) -> None:
        self._elapsed.setText(duration_text(elapsed_s * 1e9) if elapsed_s >= 1 else _("under 1 s"))


class ActionButton(QToolButton):
    """The button of one action; unlike a plain tool button it goes when the action is hidden."""

    def __init__(self, action: QAction, parent: QWidget) -> None:
        super().__init__(parent)
        self.setDefaultAction(action)
        self.setProperty("role", "tool")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        action.changed.connect(self._on_action_changed)
        self._on_action_changed()

    @Slot()
    def _on_action_changed(self) -> None:
        self.setVisible(self.defaultAction().isVisible())


class AdviceStrip(QWidget):
    """Shown while there is advice; it can be put away until the next run."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._places = context.places
        self._notices = context.notices
        self.label = ElidedLabel("", self)
        self.dismiss = QToolButton(self)
        self.dismiss.setIcon(icon("cross", Ink.MUTED))
        self.dismiss.setToolTip(_("Dismiss"))
        self.dismiss.setAccessibleName(_("Dismiss"))
        self.dismiss.clicked.connect(self.hide)
        picture = Picture(icon("pattern", Ink.DONE), self)
        margins = (GRID_PX + GRID_PX // 2, 0, GRID_PX, 0)
        in_row(self, picture, (self.label, 1), self.dismiss, margins=margins, spacing=GRID_PX)
        self.hide()
        context.runs.run_started.connect(self._on_run_started)

    @property
    def words(self) -> str:
        """What is advised, in full."""
        return self.label.text()

    def show_advice(self, lines: tuple[str, ...]) -> None:
        """Show the first of *lines*, and all of them in the tooltip; nothing hides the strip."""
        self.label.setText(lines[0] if lines else "")
        self.label.setToolTip(tip("\n".join(lines)))
        self.setVisible(bool(lines))

    @Slot(object)
    def _on_run_started(self, run: Run) -> None:
        from workbench.gui.runs.advice import advice_lines  # noqa: PLC0415 - the library, which a start need not load

        try:
            lines = advice_lines(run, self._places)
        except CannotRead as error:
            self._notices.report(error)
            lines = ()
        self.show_advice(lines)


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
