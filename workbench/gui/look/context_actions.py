"""What the context menu of a view offers by itself, with keys that work while the view has the focus."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget


def add_context_actions(view: QWidget, entries: Iterable[tuple[str, QKeySequence, Callable[[], None]]]) -> None:
    """Give *view* a context menu of *entries*: words, keys, and what is done."""
    for text, keys, slot in entries:
        action = QAction(text, view)
        action.setShortcut(keys)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(slot)
        view.addAction(action)
    view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
