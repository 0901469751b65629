"""The conversation of the run that is shown, as it was at the moment that is shown.

With it come the field in which a person says something to a run that waits for a message, the line that stands above a
run that failed, where an earlier one of its file worked, and whether a question of a run may take the keys from where
they are.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFontMetrics, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QPlainTextEdit, QPushButton, QWidget

from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.keyframes import Keyframes, Moment, MomentWalk
from workbench.gui.control.running.retelling import RunView
from workbench.gui.forms.run_menu import NO_SPOT, RunMenu, RunSpot
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import ElidedLabel, Label
from workbench.gui.look.layouts import in_row
from workbench.gui.look.theming import GRID_PX, Ink, current_theme
from workbench.gui.runs.card import Card, CardKind, CardsChange
from workbench.gui.runs.conversation_view import ConversationView
from workbench.gui.words.run_words import RunWords, moment_of
from workbench.i18n import _
from workbench.vocabulary import clock_text

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunId
    from workbench.engine.journal.run_list import RunSummary
    from workbench.engine.state.run_state import RunState
    from workbench.engine.state.waiting import OpenWait
    from workbench.gui.control.running.run_host import RunHost
    from workbench.gui.control.running.window_runs import WindowRun
    from workbench.gui.runs.cards import CardFold

_SOON_MS = 100
_LINES_SHOWN = 2
_WAITING = frozenset({RunStatus.LISTENING, RunStatus.TIMED, RunStatus.PAUSED})


class RunConversation(ConversationView):
    """Grows with the run; while an earlier moment is shown, it ends there."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._frames: Keyframes[CardFold] | None = None
        self._is_behind = False
        self._walk = MomentWalk(self)
        self._walk.arrived.connect(self._on_arrived)
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self._catch_up)
        self.menu = RunMenu(context, self)
        self._shown = context.shown
        self._shown.run_shown.connect(self._on_run_shown)
        self._shown.events_arrived.connect(self._on_events_arrived)
        self._shown.moment_changed.connect(self._on_moment_changed)
        self._shown.settled.connect(self._catch_up)

    def event(self, event: QEvent) -> bool:
        """Offer what can be done about the current entry before its menu is shown."""
        if event.type() is QEvent.Type.ContextMenu:
            self.offer()
        return super().event(event)

    def offer(self) -> None:
        """Offer what can be done about the current entry."""
        card = self.cards[self.current] if self.current >= 0 else None
        self.menu.open_on(NO_SPOT if card is None else _spot_of(card))

    @Slot(object)
    def _on_run_shown(self, view: RunView | None) -> None:
        self.clear()
        self._walk.forget()
        self._is_behind = False
        self._frames = Keyframes(_card_fold(view)) if view is not None else None

    @Slot(object)
    def _on_events_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        changes = self._frames.take(batch) if self._frames is not None else ()
        if self._shown.moment is not None or self._is_behind:
            return
        if not self._shown.is_live:  # what was long ago is told quickly: not each part of it is laid out and painted
            self._is_behind = True
            self._soon.start()
            return
        for change in changes:
            if isinstance(change, CardsChange):
                self.apply(change)

    @Slot(object)
    def _on_moment_changed(self, _moment: Moment | None) -> None:
        """Thousands of cards take longer to lay out than a step from event to event may: not while nobody sees them."""
        self._is_behind = True
        self._walk.forget()
        if self.isVisible():
            self._catch_up()

    def showEvent(self, event: QShowEvent) -> None:
        """Show the moment that was chosen while the conversation was hidden."""
        super().showEvent(event)
        self._catch_up()

    @Slot()
    def _catch_up(self) -> None:
        moment = self._shown.moment
        if not self._is_behind or self._frames is None:
            return
        self._is_behind = False
        if moment is None:
            self.show_cards(self._frames.fold.cards)
        else:
            self._walk.go(self._frames, moment)

    @Slot(object)
    def _on_arrived(self, fold: CardFold) -> None:
        self.show_cards(fold.cards)


def _spot_of(card: Card) -> RunSpot:
    is_answered = bool(card.outcome) if card.tool else card.kind is CardKind.ANSWERED and card.seq >= 0
    return RunSpot(card.tool, card.step, card.seq, is_answered)


def _card_fold(view: RunView) -> CardFold:
    """What makes the cards of the run in *view*."""
    from workbench.gui.runs.cards import CardFold  # noqa: PLC0415 - events are loaded with the first run

    return CardFold(RunWords(view.ran, view.texts).step_words)


class KeysOfPane(QObject):
    """A question takes the keys where the pane has them already, and where a person has just had the run go on.

    Who has gone elsewhere meanwhile works there with keys: a list or the flowchart takes no text, and yet Enter or a
    letter that was meant for it would answer the question.
    """

    def __init__(self, context: WindowContext, pane: QWidget) -> None:
        super().__init__(pane)
        self._pane = pane
        self._is_expected = False
        context.runs.run_started.connect(self._on_run_started)
        context.runs.state_changed.connect(self._on_state_changed)

    def may_be_taken(self) -> bool:
        """Whether the question that is shown now may have the keys."""
        from workbench.gui.forms.question_frame import is_typing  # noqa: PLC0415 - no start waits for questions

        focused = QApplication.focusWidget()
        is_expected, self._is_expected = self._is_expected, False
        is_free = focused is None or focused is self._pane or self._pane.isAncestorOf(focused)
        return is_free or (is_expected and not is_typing(focused, self._pane))

    @Slot(object)
    def _on_run_started(self, _run: object) -> None:
        self._is_expected = True

    @Slot(object)
    def _on_state_changed(self, state: RunState) -> None:
        """Who lets a run that paused go on looks out for what comes."""
        self._is_expected = self._is_expected or state.status is RunStatus.PAUSED


class WorkedStrip(QWidget):
    """Shown for a failed run; the list of runs is read beside the window."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.label = ElidedLabel("", self)
        self.button = QPushButton(_("What changed since it last worked"), self)
        self.button.setProperty("role", "link")
        self.button.clicked.connect(self._on_clicked)
        picture = Picture(icon("compare", Ink.ACCENT), self)
        margins = (GRID_PX + GRID_PX // 2, 0, GRID_PX, 0)
        in_row(self, picture, (self.label, 1), self.button, margins=margins, spacing=GRID_PX)
        self.hide()
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_found)
        context.shown.run_shown.connect(self._on_run_shown)
        context.shown.settled.connect(self._on_settled)

    @Slot(object)
    def _on_run_shown(self, _view: object) -> None:
        self._work.forget()
        self.hide()

    @Slot()
    def _on_settled(self) -> None:
        view, latest = self._context.shown.view, self._context.shown.latest
        if view is not None and latest is not None and latest.status is RunStatus.FAILED:
            self._work.ask(partial(_worked_before, self._context.runs.host, view.id))

    @Slot(object)
    def _on_found(self, found: RunSummary | None) -> None:
        if found is not None:
            self.label.setText(_("This file last worked on {time}.").format(time=moment_of(found)))
            self.show()

    @Slot()
    def _on_clicked(self) -> None:
        self._context.actions.trigger("run.compare")


def _worked_before(host: RunHost, run: RunId) -> RunSummary | None:
    from workbench.gui.recorded.comparing import worked_before  # noqa: PLC0415 - no start needs it

    return worked_before(host, run)


class MessageText(QPlainTextEdit):
    """Enter sends, Shift+Enter begins a line."""

    submitted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, tabChangesFocus=True)
        self.setPlaceholderText(_("Your message (Enter to send, Shift+Enter for a new line)"))
        self.setAccessibleName(_("Your message"))
        self.take_theme()

    def take_theme(self) -> None:
        """Larger letters need more room."""
        line_px = QFontMetrics(current_theme().body_font()).lineSpacing()
        self.setFixedHeight(line_px * _LINES_SHOWN + 16)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send on Enter."""
        is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if is_enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.submitted.emit()
        else:
            super().keyPressEvent(event)


class MessageBar(QFrame):
    """Shows while the live run waits between playbooks: for a message, or only for its timers.

    What is written stays while the run does something else, and is left over where the run ends before it was sent. It
    is an ``OpenField`` that nothing but the person applies: saving a file sends no message.
    """

    opened = Signal()  # a message is waited for now

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._run: RunId | None = None
        self._unsent: dict[RunId, str] = {}
        self.text = MessageText(self)
        self.until = Label(parent=self, role="secondary")
        self.send = QPushButton(_("&Send"), self)
        self.send.setProperty("primary", "true")
        self.send.setToolTip(_("Send the message (Enter)"))
        self.done = QPushButton(_("D&one"), self)
        self.done.setToolTip(_("End the run: there is nothing more to say"))
        margins = (GRID_PX, GRID_PX // 2, GRID_PX, GRID_PX)
        in_row(self, (self.text, 1), (self.until, 1), self.send, self.done, margins=margins, spacing=GRID_PX)
        self.hide()
        self._connect()

    def _connect(self) -> None:
        self.text.submitted.connect(self._on_sent)
        self.text.textChanged.connect(self._on_edited)
        self.send.clicked.connect(self._on_sent)
        self.done.clicked.connect(self._context.runs.end_conversation)
        self._context.documents.fields.add(self)
        shown = self._context.shown
        shown.run_shown.connect(self._on_run_shown)
        shown.state_changed.connect(self._show)
        shown.settled.connect(self._on_settled)
        self._context.runs.run_ended.connect(self._on_run_ended)

    @property
    def is_being_written(self) -> bool:
        """Whether something stands there that was not sent."""
        return bool(self.written.strip())

    @property
    def written(self) -> str:
        """What stands there."""
        return self.text.toPlainText()

    def apply(self) -> None:
        """Nothing: only the person sends it."""

    def take_back(self) -> None:
        """Let go of what was written."""
        self.text.clear()

    @property
    def _wait(self) -> OpenWait | None:
        """What the live run waits for between playbooks."""
        shown, state = self._context.shown, self._context.shown.state
        if state is None or not shown.is_now or state.frames or state.status not in _WAITING:
            return None
        return state.waiting.wait

    @Slot()
    def _show(self) -> None:
        """Asked with every batch of a run."""
        wait, was_open = self._wait, not self.isHidden() and not self.text.isHidden()
        is_open = wait is not None and wait.is_open
        if wait is not None and wait.until_ns:
            self.until.setText(_("Next timer: {time}").format(time=clock_text(wait.until_ns)))
        self.until.setVisible(not is_open)
        self.text.setVisible(is_open)
        self.send.setVisible(is_open)
        self.setVisible(wait is not None)
        if is_open and not was_open:
            self.opened.emit()

    @Slot(object)
    def _on_run_shown(self, view: RunView | None) -> None:
        """What was not sent belongs to the run that it was written for."""
        if self._run is not None and self.is_being_written:
            self._unsent[self._run] = self.written
        self._run = view.id if view is not None else None
        self.text.setPlainText(self._unsent.pop(self._run, "") if self._run is not None else "")
        self._show()

    @Slot(object)
    def _on_run_ended(self, run: WindowRun) -> None:
        """Nobody hears any more what was written for a run that is not shown."""
        unsent = self._unsent.pop(run.id, "")
        if unsent:
            self._context.documents.fields.left_over.emit(unsent)

    @Slot()
    def _on_settled(self) -> None:
        """The run is over: nobody hears any more what was not sent."""
        self._show()
        if self.is_being_written:
            self._context.documents.fields.left_over.emit(self.written)
            self.take_back()

    @Slot()
    def _on_edited(self) -> None:
        self._context.documents.fields.changed.emit()

    @Slot()
    def _on_sent(self) -> None:
        if self.is_being_written:
            self._context.runs.say(self.written.strip())
            self.text.clear()
