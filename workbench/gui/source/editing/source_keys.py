"""The keys that mean something in the source only: they go to their actions before the window sees them."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeyEvent, QKeySequence

from workbench.gui.control.action_spec import Scope
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.actions import ActionRegistry
from workbench.gui.source.editor import SourceEditor


class SourceKeys(QObject):
    """Some of them mean something else elsewhere: Alt+Up moves a line here, and a step in the flowchart."""

    def __init__(self, actions: ActionRegistry, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._actions = actions
        own = (spec for spec in ACTIONS if spec.scope is Scope.SOURCE)
        self._ids = {QKeySequence(keys).toString(): spec.id for spec in own for keys in spec.shortcuts}
        editor.takers.append(self)

    def claims(self, event: QKeyEvent) -> bool:
        """Whether it is one of them."""
        return self._id_of(event) is not None

    def takes(self, event: QKeyEvent) -> bool:
        """Do what it stands for."""
        found = self._id_of(event)
        if found is None:
            return False
        self._actions.trigger(found)
        return True

    def _id_of(self, event: QKeyEvent) -> str | None:
        return self._ids.get(QKeySequence(event.keyCombination()).toString())
