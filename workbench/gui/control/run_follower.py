"""Keeps the step that the run is at in view, while the person wants that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QApplication

from workbench.gui.control.actions import Mark

if TYPE_CHECKING:
    from workbench.gui.control.context import WindowContext
    from workbench.model.program import StepId

ORIGIN = "run"
# A run can be at a thousand steps in a second: nobody could look at any of them.
_PAUSE_MS = 120
# Whoever types looks at what is typed.
_TYPING_MS = 2000


class RunFollower(QObject):
    """Asks flowchart and source to show the step that is running, next, waiting or failed. The switch is remembered.

    *typing*: runs from the last change of the text on, for as long as whoever types looks at what is typed.
    """

    def __init__(self, context: WindowContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._place: StepId | None = None
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self.typing = QTimer(self, interval=_TYPING_MS, singleShot=True)
        self._pause.timeout.connect(self._show)
        context.actions.register("run.follow", self.toggle)
        context.shown.run_shown.connect(self._on_run_shown)
        context.shown.marks_changed.connect(self._on_marks_changed)
        context.shown.settled.connect(self._on_told)
        context.documents.document_changed.connect(self.typing.start)
        context.settings.settings_changed.connect(self._mark)
        self._mark()

    def toggle(self) -> None:
        """Follow, or stop following."""
        is_following = not self._context.settings.current.is_following
        self._context.settings.change(lambda settings: replace(settings, is_following=is_following))
        self._show()

    @Slot()
    def _mark(self) -> None:
        is_following = self._context.settings.current.is_following
        self._context.actions.set_mark("run.follow", Mark.ON if is_following else Mark.OFF)

    @Slot(object)
    def _on_run_shown(self, _view: object) -> None:
        self._place = None

    @Slot(object)
    def _on_marks_changed(self, _marks: object) -> None:
        """An earlier run that is only told passes by; where it ended is shown, or the moment that was chosen."""
        if self._context.shown.is_live or self._context.shown.moment is not None:
            self._on_told()

    @Slot()
    def _on_told(self) -> None:
        place = self._context.shown.place
        if place is not None and place != self._place:
            self._place = place
            if not self._pause.isActive():
                self._pause.start()

    @Slot()
    def _show(self) -> None:
        """Nothing moves under the pointer of somebody who is dragging, or under the hands of somebody who types."""
        if QApplication.mouseButtons() != Qt.MouseButton.NoButton or self.typing.isActive():
            self._pause.start()
        elif self._context.settings.current.is_following and self._place is not None:
            self._context.selection.show((self._place,), ORIGIN)
