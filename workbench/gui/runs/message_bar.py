"""Where a person says something to a run that waits for a message, and ends the conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QPushButton, QWidget

from workbench.engine.journal.choices import RunStatus
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.retelling import RunView
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_row
from workbench.gui.look.theming import GRID_PX, current_theme
from workbench.i18n import _
from workbench.vocabulary import clock_text

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunId
    from workbench.engine.state.waiting import OpenWait
    from workbench.gui.control.running.window_runs import WindowRun

_LINES_SHOWN = 2
_WAITING = frozenset({RunStatus.LISTENING, RunStatus.TIMED, RunStatus.PAUSED})


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
