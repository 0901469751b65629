"""The findings of the open document, asked for when typing rests."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from workbench.gui.control.context import WindowContext

# Findings cost more than a keystroke may take in long files.
_REST_MS = 200


class Diagnosis(QObject):
    """Says when there are findings to show; what they are is in the snapshot."""

    ready = Signal(object)  # Snapshot

    def __init__(self, context: WindowContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._on_rested)
        context.documents.document_changed.connect(self._on_changed)
        context.documents.document_opened.connect(self._on_changed)
        if context.documents.file_state.is_open:
            self._rest.start()

    def ask(self) -> None:
        """Ask for the findings once more, although the text is the same."""
        self._rest.start()

    @Slot(object)
    def _on_changed(self, _cause: object) -> None:
        self._rest.start()

    @Slot()
    def _on_rested(self) -> None:
        self.ready.emit(self._context.documents.snapshot)
