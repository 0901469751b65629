"""Whether a question of a run may take the keys from where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QApplication, QWidget

from workbench.engine.journal.choices import RunStatus
from workbench.gui.control.context import WindowContext

if TYPE_CHECKING:
    from workbench.engine.state.run_state import RunState


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
