"""Keeps the selection true while the document changes."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.editing.change import DocumentChange
from workbench.gui.control.context import WindowContext


class SelectionFollower(QObject):
    """Selects what an edit says is to be selected, and lets go of steps that are gone."""

    def __init__(self, context: WindowContext, parent: QObject) -> None:
        super().__init__(parent)
        self._selection = context.selection
        context.documents.document_changed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._on_document_opened)

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        if self._selection.hovered in change.removed:
            self._selection.hover(None, "edit")
        wanted = change.selection or self._selection.selected
        self._selection.select(tuple(step for step in wanted if change.after.has(step)), "edit")

    @Slot(object)
    def _on_document_opened(self, _snapshot: object) -> None:
        self._selection.hover(None, "edit")
        self._selection.select((), "edit")
