"""How steps travel to a flowchart: a new one by its words, those of a document by their source; and as plain text."""

from __future__ import annotations

from PySide6.QtCore import QMimeData

STEP_MIME = "application/x-playbook-workbench-step"
_LINES_MIME = "application/x-playbook-workbench-lines"
TAKES_STEPS = "takes-steps"
"""A property of the widgets to which steps can be dragged out of a flowchart."""


class SourceLines(str):
    """Whole steps in the form of the file that they come from."""

    __slots__ = ()


def mime_of(words: str) -> QMimeData:
    """What a drag of a new step with *words* carries."""
    data = QMimeData()
    data.setData(STEP_MIME, words.encode("utf-8", "surrogatepass"))
    data.setText(words)
    return data


def mime_of_lines(source: str) -> QMimeData:
    """What a drag of steps with *source* to another document carries."""
    data = mime_of(source)
    data.setData(_LINES_MIME, b"1")
    return data


def words_in(data: QMimeData) -> str | None:
    """The words of the new step that *data* carries, or the source of steps; None where it carries neither."""
    if data.hasFormat(_LINES_MIME):
        return SourceLines(bytes(data.data(STEP_MIME).data()).decode("utf-8", "surrogatepass"))
    if not data.hasFormat(STEP_MIME):
        return None
    return bytes(data.data(STEP_MIME).data()).decode("utf-8", "surrogatepass")
