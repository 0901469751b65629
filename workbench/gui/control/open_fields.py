"""The fields of the window in which words of the document are being written.

What stands in such a field belongs to the document in which it was written: it counts as unsaved, is taken before the
document is saved, left or asked about, and is kept where its step is gone.
"""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QObject, Signal


class OpenField(Protocol):
    """A field that holds what is being written until it is applied."""

    @property
    def is_being_written(self) -> bool:
        """True while there is something that was not applied."""

    @property
    def written(self) -> str:
        """What stands in it."""

    def apply(self) -> None:
        """Make a command of what was written; it is still being written where that is refused."""

    def take_back(self) -> None:
        """Show again what the document has."""


class OpenFields(QObject):
    """All of them; each reports when what stands in it may have changed."""

    changed = Signal()
    left_over = Signal(str)  # words that no step takes: told, so that nothing is lost

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._fields: list[OpenField] = []

    @property
    def are_written_in(self) -> bool:
        """True while something in any of them was not applied."""
        return any(field.is_being_written for field in self._fields)

    def add(self, field: OpenField) -> None:
        """Ask *field* too from now on; it lives as long as the window."""
        self._fields.append(field)

    def settle(self) -> None:
        """Apply everything that is being written."""
        for field in self._fields:
            if field.is_being_written:
                field.apply()

    def leave(self) -> None:
        """Apply everything, because another document comes; what is refused is left over."""
        self.settle()
        for field in self._fields:
            if field.is_being_written:
                self.left_over.emit(field.written)
                field.take_back()
