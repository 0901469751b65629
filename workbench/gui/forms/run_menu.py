"""What the context menu of a pane offers about a call or a question of the run: mock, change what it gave, pin it.

A pane knows only what it was opened on; what is done is asked of the window by the signals and actions of the context.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from workbench.engine.journal.choices import RunStatus
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_controller import CallSpot
from workbench.i18n import _


@dataclass(frozen=True, slots=True)
class RunSpot:
    """A call or a question. *tool*: of a call. *seq*: the event with which it begins. *step*: whose question it is.

    *is_answered*: whether that has an answer.
    """

    tool: str = ""
    step: str = ""
    seq: int = -1
    is_answered: bool = False


NO_SPOT = RunSpot()


class RunMenu(QObject):
    """Gives *view* its actions, of which only those are seen that make sense where the menu was opened."""

    def __init__(self, context: WindowContext, view: QWidget) -> None:
        super().__init__(view)
        self._context = context
        self.view = view
        self._spot = NO_SPOT
        self.result = self._added(_("Change this &result…"), self._on_result)
        self.answer = self._added(_("Change this ans&wer…"), self._on_answer)
        self.mock = self._added(_("&Mock this tool…"), self._on_mock)
        self.unmock = self._added(_("Call this &tool again"), self._on_unmock)
        self.pin = self._added(_("&Pin this answer for later runs"), self._on_pin)

    def _added(self, words: str, slot: Callable[[], None]) -> QAction:
        action = QAction(words, self.view)
        action.triggered.connect(slot)
        action.setVisible(False)
        self.view.addAction(action)
        return action

    def open_on(self, spot: RunSpot) -> bool:
        """Offer what can be done about *spot*; whether that is anything."""
        self._spot = spot
        runs, file = self._context.runs, self._file
        is_mocked = bool(spot.tool) and runs.mock_of(spot.tool) is not None
        is_own = file == str(self._context.documents.document.path or "")
        self.mock.setVisible(bool(spot.tool) and is_own)
        self.mock.setText(_("Change the &mock of this tool…") if is_mocked else _("&Mock this tool…"))
        self.unmock.setVisible(is_mocked and is_own)
        self.pin.setVisible(not spot.tool and spot.is_answered and bool(file))
        self.result.setVisible(bool(spot.tool) and self._held_tool == spot.tool and not spot.is_answered)
        self.answer.setVisible(not spot.tool and self._asked == f"q{spot.seq}")
        return any(each.isVisible() for each in (self.result, self.answer, self.mock, self.unmock, self.pin))

    @property
    def _file(self) -> str:
        """The file of the run that is shown; empty where it has none."""
        view = self._context.shown.view
        return view.origin.path if view is not None else ""

    @property
    def _is_held(self) -> bool:
        state = self._context.runs.state
        return self._context.shown.is_now and state is not None and state.status is RunStatus.PAUSED

    @property
    def _held_tool(self) -> str:
        """The tool at whose result the run is held."""
        state = self._context.runs.state
        intent = state.intent if state is not None and self._is_held else None
        return intent.tool if intent is not None and intent.held is not None else ""

    @property
    def _asked(self) -> str:
        """The question whose answer could be changed now."""
        from workbench.engine.state.answering import answer_at_hand  # noqa: PLC0415 - loaded with the first run

        state = self._context.runs.state
        at = answer_at_hand(state) if state is not None and self._is_held else None
        return at.request.id if at is not None else ""

    @Slot()
    def _on_result(self) -> None:
        self._context.actions.trigger("run.change-result")

    @Slot()
    def _on_answer(self) -> None:
        self._context.actions.trigger("run.change-answer")

    @Slot()
    def _on_mock(self) -> None:
        self._context.runs.mock_wanted.emit(CallSpot(self._spot.tool, self._spot.seq))

    @Slot()
    def _on_unmock(self) -> None:
        self._context.runs.mock(self._spot.tool, None)

    @Slot()
    def _on_pin(self) -> None:
        self._context.runs.pin_wanted.emit(self._spot.step)
