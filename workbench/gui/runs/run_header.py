"""What stands above the conversation: what runs and how it stands, its buttons, and what has worked before."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from workbench.engine.journal.choices import RunStatus
from workbench.engine.state.run_state import RunState
from workbench.errors import CannotRead
from workbench.gui.control.actions import ActionRegistry
from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import ElidedLabel, Label
from workbench.gui.look.layouts import in_row
from workbench.gui.look.theming import GRID_PX, TOOL_ICON_PX, Ink, status_ink
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
