"""The lines of a journal in a file of its own; what the disk refuses goes in as soon as there is room."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path

from workbench.disk.files import why
from workbench.disk.lock import HeldFile
from workbench.editing.keeping.journal_records import Edited, line_of_edit
from workbench.syntax.text import SourceText

log = logging.getLogger(__name__)


class KeptLines(ABC):
    """A journal: its file begins with the first edit, and is held while the document is open.

    Keeping a journal must never stop anyone's work: what cannot be written waits, together with all that comes later,
    until ``try_again`` finds room. So the file never lacks a line between two others.

    *name*: of the document. *base*: what its edits start from. *trouble*: why edits are waiting, and would be lost in
    a crash; empty while none is.
    """

    def __init__(self, name: str, base: SourceText) -> None:
        self.name = name
        self.base = base
        self.trouble = ""
        self._held: HeldFile | None = None
        self._size = 0
        self._waiting: list[bytes] = []

    @abstractmethod
    def _new_file(self) -> Path:
        """A name that no other journal has."""

    @abstractmethod
    def _begin(self) -> bytes:
        """The line that says what the edits start from."""

    def append(self, edited: Edited) -> None:
        """Add one change; unless there is *trouble*, a crash of the program cannot lose it when this returns."""
        self._add(line_of_edit(edited))

    @property
    def lines(self) -> bytes:
        """All lines but the one that it begins with. Raises OSError."""
        kept = self._held.read().partition(b"\n")[2] if self._held is not None else b""
        return b"".join([kept, *self._waiting])

    def hand_over(self) -> Path:
        """Leave everything to whoever opens the document next; the file in which it stands. Raises OSError.

        That is what a crash leaves as well; nothing is to be added afterwards.
        """
        if self._waiting:
            self.try_again()
        if self.trouble:
            raise OSError(self.trouble)
        held = self._held or self._begun()
        held.let_go()
        self._held = None
        return held.path

    def remove(self) -> None:
        """Forget everything."""
        held, self._held = self._held, None
        self._waiting, self._size, self.trouble = [], 0, ""
        try:
            if held is not None:
                held.remove()
        except OSError as error:
            log.warning("Could not remove the recovery file for %s: %s", self.name, error)

    def try_again(self) -> None:
        """Write what is waiting, where that is possible by now."""
        try:
            held = self._held or self._begun()
            data = b"".join(self._waiting)
            try:
                held.append(data)
            except OSError:
                held.cut(self._size)  # half a line would hide all that comes later
                raise
        except OSError as error:
            if not self.trouble:
                # said once, not at every key
                log.warning("Stopped keeping a recovery file for %s: %s", self.name, error)
            self.trouble = why(error)
            return
        if self.trouble:
            log.info("Keeps a recovery file for %s again", self.name)
        self._size += len(data)
        self._waiting.clear()
        self.trouble = ""

    def _add(self, data: bytes) -> None:
        self._waiting.append(data)
        if not self.trouble:
            self.try_again()

    def _begun(self) -> HeldFile:
        held = HeldFile.create(self._new_file())
        data = self._begin()
        try:
            held.append(data)
        except OSError:
            with suppress(OSError):  # an empty journal is of no use, and is removed at the next start
                held.remove()
            raise
        self._held, self._size = held, len(data)
        return held
