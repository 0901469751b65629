"""What stands above the conversation: what runs and how it stands, its buttons, and what has worked before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from workbench.engine.journal.choices import RunStatus
from workbench.engine.ports import Answer, Request
from workbench.errors import CannotRead
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.control.running.keyframes import Moment
from workbench.gui.control.running.retelling import RunView
from workbench.gui.control.running.run_steps import TextMatch
from workbench.gui.look.action_button import ActionButton, OfferButton
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import ElidedLabel, Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import GRID_PX, TOOL_ICON_PX, Ink, status_ink
from workbench.gui.runs.message_bar import MessageBar
from workbench.gui.runs.run_conversation import KeysOfPane, RunConversation, WorkedStrip
from workbench.gui.runs.start_dialogs import RunDialogs
from workbench.gui.words.run_words import file_name, moment_words, used_words
from workbench.gui.words.values import NS_PER_S, tip
from workbench.i18n import _, duration_text
from workbench.vocabulary import Status, status_of_run, waiting_words

if TYPE_CHECKING:
    from workbench.engine.running.run import Run
    from workbench.engine.state.run_state import RunState
    from workbench.gui.forms.question_frame import QuestionFrame


CLOCK_MS = 200
BUTTONS = ("run.judges", "run.start", "run.pause", "run.step", "run.stop")
_LOOKS = {
    RunStatus.PAUSED: ("pause", "blocked"),
    RunStatus.CANCELLED: ("stop", "stopped"),
    RunStatus.COMPLETED: ("done", "done"),
    RunStatus.FAILED: ("failed", "failed"),
}
_WAITING = frozenset({RunStatus.LISTENING, RunStatus.TIMED})
ORIGIN = "run"
WIDE = 1.6


class RunHeader(QWidget):
    """Shows the run; the buttons are the actions of the Run menu."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = context.shown
        self._documents = context.documents
        self._looks: tuple[str, str, str] | None = None
        self._picture = Picture(icon("run"), self, TOOL_ICON_PX)
        self._words = Label(parent=self)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._elapsed = Label(parent=self, role="secondary")
        row = in_row(self, self._picture, (self._words, 1), self._elapsed, margins=(12, 4, 8, 4), spacing=6)
        for action_id in ("run.change-result", "run.change-answer", "run.resume", "run.go-on"):
            row.addWidget(OfferButton(context.actions.action(action_id), self))
        row.addWidget(ReportOffer(context, self))
        for action_id in BUTTONS:
            row.addWidget(ActionButton(context.actions.action(action_id), self))
        self._clock = QTimer(self, interval=CLOCK_MS)
        self._clock.timeout.connect(self._show)
        self._connect()
        self._show()

    def _connect(self) -> None:
        self._shown.run_shown.connect(self._on_run_shown)
        self._shown.state_changed.connect(self._show)
        self._shown.settled.connect(self._on_settled)
        self._documents.file_state_changed.connect(self._show)

    @property
    def words(self) -> str:
        """What runs, and how it stands."""
        return self._words.text()

    @Slot(object)
    def _on_run_shown(self, view: RunView | None) -> None:
        if view is None:
            self._clock.stop()
        else:
            self._clock.start()
        self._show()

    @Slot()
    def _on_settled(self) -> None:
        self._clock.stop()
        self._show()

    @Slot()
    def _show(self) -> None:
        """Asked with every batch of a run: text is laid out only where it differs."""
        elapsed_ns = self._shown.shown_ns()
        self._elapsed.setText(duration_text(elapsed_ns) if elapsed_ns >= NS_PER_S else _("under 1 s"))
        self._elapsed.setVisible(self._shown.view is not None)
        status, icon_name, color = self._status()
        looks = " · ".join(part for part in (self._name(), status, self._used()) if part), icon_name, color
        if looks != self._looks:
            self._looks = looks
            self._words.setText(looks[0])
            self._picture.show_icon(icon(icon_name, status_ink(color)))

    def _name(self) -> str:
        """The playbook, and its file where that is not the one that is open."""
        view = self._shown.view
        if view is None:
            return ""
        path, match = self._documents.file_state.path, self._shown.text_match
        if match in {TextMatch.CHANGED, TextMatch.LOST}:
            return f"{view.name} ({match.short_words})"
        if view.origin.path == ("" if path is None else str(path)):
            return view.name
        return _("{playbook} in {file}").format(playbook=view.name, file=file_name(view.origin.path))

    def _used(self) -> str:
        """What models have used, in a few words."""
        used = self._shown.state.used if self._shown.state is not None else None
        if used is None or not used.requests:
            return ""
        return used_words(used)

    def _status(self) -> tuple[str, str, str]:
        """The word, icon and colour of the status."""
        shown, state = self._shown, self._shown.state
        if shown.view is None:
            return _("No run yet"), "run", ""
        if shown.moment is not None:
            return moment_words(shown.moment.seq, shown.moments.count), "history", "waiting"
        if not shown.is_live:
            if not shown.is_settled:
                return _("Reading the run…"), "run", ""
            if state is None or not state.is_over:
                return str(Status.INTERRUPTED), "blocked", "blocked"
        if state is None:
            return str(Status.STARTING), "running", "running"
        if _is_asking_model(state):
            return _("asking a model"), "running", "running"
        if state.status is RunStatus.RUNNING and state.pending is not None:
            return str(Status.WAITING_FOR_YOU), "waiting", "waiting"
        if state.waiting.wait is not None and state.status in _WAITING:
            wait = state.waiting.wait
            return waiting_words(wait.until_ns, is_open=wait.is_open), "waiting", "waiting"
        icon_name, color = _LOOKS.get(state.status, ("running", "running"))
        return str(status_of_run(state.status, is_live=True)), icon_name, color


def _is_asking_model(state: RunState) -> bool:
    loop = state.frames[-1].judging if state.frames else None
    return state.status is RunStatus.RUNNING and loop is not None and loop.is_with_model


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
        context.shown.run_shown.connect(self._on_run_shown)

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
    def _on_run_shown(self, _view: RunView | None) -> None:
        """Advice is for a run that begins."""
        self.show_advice(())

    @Slot(object)
    def _on_run_started(self, run: Run) -> None:
        from workbench.gui.runs.advice import advice_lines  # noqa: PLC0415 - the library, which a start need not load

        try:
            lines = advice_lines(run, self._places)
        except CannotRead as error:
            self._notices.report(error, Cause.PATTERNS)
            lines = ()
        self.show_advice(lines)


class RunPanel(QWidget):
    """Conversation and form side by side, or one above the other where the pane is narrow."""

    room_wanted = Signal(object)  # int: how high the pane must be to show the whole form; 0 while there is none

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.form: QuestionFrame | None = None
        self._owes_focus = False
        self._keys = KeysOfPane(context, self)
        self._unsent: tuple[object, dict[str, str]] = (None, {})
        self.header = RunHeader(context, self)
        self.advice = AdviceStrip(context, self)
        self.worked = WorkedStrip(context, self)
        self.conversation = RunConversation(context, self)
        self.message = MessageBar(context, self)
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
        talk = QWidget(self)
        in_column(talk, (self.conversation, 1), self.message, margins=0, spacing=0)
        self._splitter.addWidget(talk)
        self._splitter.addWidget(self._form_area)
        self._splitter.setChildrenCollapsible(False)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._splitter)
        self._lines = QWidget(self)
        in_column(self._lines, self.advice, self.worked, margins=0, spacing=0)
        in_column(self, self.header, self._lines, (self._stack, 1), margins=0, spacing=0)
        self._stack.setMinimumHeight(1)  # in a very low pane it gives way before the header does

    def _connect(self) -> None:
        shown = self._context.shown
        shown.run_shown.connect(self._on_run_shown)
        shown.moment_changed.connect(self._on_moment_changed)
        self._context.runs.request_changed.connect(self._on_request_changed)
        self.conversation.step_chosen.connect(self._on_card_chosen)
        self.message.opened.connect(self._on_message_opened)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a wide pane the form stands beside the conversation, else beneath it; a very low one is for the header."""
        super().resizeEvent(event)
        self._lines.setVisible(self.height() >= 2 * self.header.sizeHint().height())
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
    def _on_run_shown(self, view: RunView | None) -> None:
        """Another run: its conversation, and its question where it is the one that waits for an answer."""
        self._stack.setCurrentWidget(self._splitter if view is not None else self._empty)
        self._on_request_changed(self._context.runs.request)

    @Slot(object)
    def _on_moment_changed(self, _moment: Moment | None) -> None:
        """What is asked now has no place in an earlier moment; what was entered is kept for the way back."""
        if self.form is not None and not self._context.shown.is_now:
            self._unsent = _question_of(self.form.request), self.form.written()
        self._on_request_changed(self._context.runs.request)

    @Slot(object)
    def _on_request_changed(self, request: Request | None) -> None:
        """Another question, or none: the form follows, and takes the keys where nobody needs them elsewhere."""
        if self.form is not None and self.form.request == request and self._context.shown.is_now:
            return
        self._close_form()
        if request is None or not self._context.shown.is_now:
            return
        from workbench.gui.runs.request_form import form_for  # noqa: PLC0415 - no start waits for questions

        form = form_for(request, self._context, self._form_area)
        form.answered.connect(self._on_answered)
        form.step_chosen.connect(self._on_step_chosen)
        form.link_wanted.connect(self._context.links.open_target)
        form.laid_out.connect(self._tell_room)
        self.form = form
        asked, words = self._unsent
        if asked == _question_of(request):
            form.write_again(words)
            self._unsent = None, {}
        self._form_column.addWidget(form)
        self._form_area.show()
        self._tell_room()
        self._owes_focus = self._keys.may_be_taken()
        self._give_focus()

    @Slot()
    def _on_message_opened(self) -> None:
        """A message is waited for: it takes the keys where nobody needs them elsewhere."""
        if self.isVisible() and self._keys.may_be_taken():
            self.message.text.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def _on_answered(self, answer: Answer) -> None:
        form, runs = self.form, self._context.runs
        if form is None:
            return
        if answer.run:  # the question comes back when the command is over
            self._unsent = _question_of(form.request), form.written()
        if runs.answer(form.request.id, answer):
            return
        is_waiting = runs.run is not None and runs.run.pending == form.request
        no_fit = _("The answer was not accepted: a value does not fit. Change it and submit again.")
        form.show_refused(no_fit if is_waiting else _("The run is no longer waiting for this answer."))

    @Slot(object)
    def _on_card_chosen(self, address: str) -> None:
        step = self._context.shown.steps.at(self.conversation.cards[self.conversation.current].told).id_of(address)
        if step is not None:
            self._context.selection.reveal((step,), ORIGIN)

    @Slot(object)
    def _on_step_chosen(self, address: str) -> None:
        step = self._context.shown.steps.id_of(address)
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


def _question_of(request: Request) -> object:
    """What tells the question from others, whatever has been found out for it meanwhile."""
    return request.kind, request.step, request.text, request.fields


class ReportOffer(OfferButton):
    """Offers the report when the run is over; what there is of it so far is had from the menu."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        self._shown = context.shown
        super().__init__(context.actions.action("run.report"), parent)

    @property
    def is_wanted(self) -> bool:
        """While the run goes on or waits there is nothing final."""
        state = self._shown.latest
        return super().is_wanted and state is not None and state.is_over
