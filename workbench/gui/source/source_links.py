"""Links in the source: a click with Ctrl follows one."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.gui.control.context import WindowContext
from workbench.gui.source.document_sync import DocumentSync
from workbench.gui.source.editor import SourceEditor


class SourceLinks(QObject):
    """Follows the link that was clicked."""

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync) -> None:
        super().__init__(editor)
        self._context = context
        self._sync = sync
        editor.link_requested.connect(self._on_link_requested)

    @Slot(object)
    def _on_link_requested(self, position: int) -> None:
        link = self._context.links.link_at(self._sync.positions.offset(position))
        if link is not None:
            self._context.links.open(link)
