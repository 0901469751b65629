"""How a new step travels from the palette to the canvas: its words, as a type of their own and as plain text."""

from __future__ import annotations

from PySide6.QtCore import QMimeData

STEP_MIME = "application/x-playbook-workbench-step"


def mime_of(words: str) -> QMimeData:
    """What a drag of a new step with *words* carries."""
    data = QMimeData()
    data.setData(STEP_MIME, words.encode("utf-8", "surrogatepass"))
    data.setText(words)
    return data


def words_in(data: QMimeData) -> str | None:
    """The words of the new step that *data* carries, or None."""
    if not data.hasFormat(STEP_MIME):
        return None
    return bytes(data.data(STEP_MIME).data()).decode("utf-8", "surrogatepass")
