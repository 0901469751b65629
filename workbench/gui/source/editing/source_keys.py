"""The keys that mean something in the source only: they go to their actions before the window sees them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence

from workbench.gui.control.action_spec import ShortcutScope
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.actions import ActionRegistry
from workbench.gui.source.editor import SourceEditor


class SourceKeys(QObject):
    """Some of them mean something else elsewhere: Alt+Up moves a line here, and a step in the flowchart."""

    def __init__(self, actions: ActionRegistry, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._actions = actions
        self._ids: dict[str, str] = {}
        actions.keys_changed.connect(self._take_keys)
        self._take_keys()
        editor.takers.append(self)

    @Slot()
    def _take_keys(self) -> None:
        own = (spec.id for spec in ACTIONS if spec.scope is ShortcutScope.SOURCE)
        self._ids = {QKeySequence(keys).toString(): each for each in own for keys in self._actions.keys(each)}

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
