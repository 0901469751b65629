"""The pane of the run that is shown: its conversation and the form that it asks with, and what has worked before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from workbench.engine.ports import Answer, Request
from workbench.errors import CannotRead
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.control.running.keyframes import Moment
from workbench.gui.control.running.retelling import RunView
from workbench.gui.control.running.window_runs import WindowRun
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import ElidedLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import GRID_PX, Ink
from workbench.gui.runs.run_conversation import KeysOfPane, MessageBar, RunConversation, WorkedStrip
from workbench.gui.runs.run_header import RunHeader, RunsList
from workbench.gui.runs.start_dialogs import RunDialogs
from workbench.gui.words.values import tip
from workbench.i18n import _

if TYPE_CHECKING:
    from workbench.engine.running.run import Run
    from workbench.gui.forms.question_frame import QuestionFrame


ORIGIN = "run"
WIDE = 1.6


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
        from workbench.planning.lessons import advice_lines  # noqa: PLC0415 - the library, which a start need not load

        try:
            lines = advice_lines(run.state, run.snapshot.program, self._places)
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
        self._asking: WindowRun | None = None
        self._unsent: dict[object, dict[str, str]] = {}
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
        self.runs = RunsList(context, self)
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
        self._beside = QSplitter(Qt.Orientation.Horizontal, self)
        for part, stretch in ((self.runs, 0), (self._stack, 1)):
            self._beside.addWidget(part)
            self._beside.setStretchFactor(self._beside.count() - 1, stretch)
        self._beside.setChildrenCollapsible(False)
        in_column(self, self.header, self._lines, (self._beside, 1), margins=0, spacing=0)
        for each in (self._stack, self._beside):
            each.setMinimumHeight(1)  # in a very low pane it gives way before the header does

    def _connect(self) -> None:
        shown = self._context.shown
        shown.run_shown.connect(self._on_run_shown)
        shown.moment_changed.connect(self._on_moment_changed)
        self._context.runs.request_changed.connect(self._on_request_changed)
        self.conversation.step_chosen.connect(self._on_card_chosen)
        self.message.opened.connect(self._on_message_opened)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a wide pane list, conversation and form stand side by side, else one beneath the other; a very low one is
        for the header."""
        super().resizeEvent(event)
        self._lines.setVisible(self.height() >= 2 * self.header.sizeHint().height())
        is_wide = self.width() > WIDE * self.height()
        for splitter in (self._splitter, self._beside):
            splitter.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)

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
        """What is asked now has no place in an earlier moment."""
        self._on_request_changed(self._context.runs.request)

    @Slot(object)
    def _on_request_changed(self, request: Request | None) -> None:
        """Another question, or none: the form follows, and takes the keys where nobody needs them elsewhere."""
        front, is_now = self._context.runs.front, self._context.shown.is_now
        if self.form is not None and self.form.request == request and self._asking is front and is_now:
            return
        self._keep_unsent()
        self._close_form()
        if request is None or front is None or not is_now:
            return
        from workbench.gui.runs.request_form import form_for  # noqa: PLC0415 - no start waits for questions

        form = form_for(request, self._context, self._form_area)
        form.answered.connect(self._on_answered)
        form.step_chosen.connect(self._on_step_chosen)
        form.link_wanted.connect(self._context.links.open_target)
        form.laid_out.connect(self._tell_room)
        self.form, self._asking = form, front
        words = self._unsent.pop(_question_of(front, request), None)
        if words is not None:
            form.write_again(words)
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
        if answer.run and runs.front is not None:  # the question comes back when the command is over
            self._unsent[_question_of(runs.front, form.request)] = form.written()
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
        above_px = self._beside.y() + (0 if is_wide else self.conversation.minimumSizeHint().height())
        self.room_wanted.emit(above_px + needed_px)

    def _give_focus(self) -> None:
        if self._owes_focus and self.form is not None and self.isVisible():
            self._owes_focus = False
            self.form.take_focus()

    def _keep_unsent(self) -> None:
        """What was entered for a question that still waits is kept until it is shown again."""
        if self.form is not None and self._asking is not None and self._asking.request == self.form.request:
            self._unsent[_question_of(self._asking, self.form.request)] = self.form.written()

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


def _question_of(run: WindowRun, request: Request) -> object:
    """What tells the question from others, whatever has been found out for it meanwhile."""
    return run.id, request.kind, request.step, request.text, request.fields
