"""What a server has written about itself, and what happened to it: the last of it, without secrets."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterable

from workbench.secrets import Redactor, known_secrets

_CHARACTERS = 64_000
_LONGEST_LINE = 4_000


class ServerLog:
    """The last lines, from any thread. *secrets*: values that are taken out besides those that look like some."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._redactor = Redactor(os.urandom(16), sorted({*secrets, *known_secrets()}, key=len, reverse=True))
        self._lines: deque[str] = deque()
        self._size = 0
        self._last = ""
        self._lock = threading.Lock()

    def add(self, text: str) -> None:
        """Keep the lines of *text*, which the server has written."""
        for line in text.splitlines():
            # what is cut off must not be a part of a secret that would have been found
            shown = self.redacted(line[: 2 * _LONGEST_LINE])[:_LONGEST_LINE]
            self._add(shown)
            self._last = shown.strip() or self._last

    def note(self, text: str) -> None:
        """Keep *text*, which says what became of the server."""
        self._add(self.redacted(text))

    def redacted(self, text: str) -> str:
        """*text* with marks in the place of secrets."""
        return str(self._redactor.redacted(text)) if self._redactor.suspects(text) else text

    def _add(self, line: str) -> None:
        with self._lock:
            self._lines.append(line)
            self._size += len(line) + 1
            while self._size > _CHARACTERS:
                self._size -= len(self._lines.popleft()) + 1

    @property
    def text(self) -> str:
        """All that is kept."""
        with self._lock:
            return "".join(f"{line}\n" for line in self._lines)

    @property
    def last(self) -> str:
        """The last line that the server has written; empty where it has written none."""
        return self._last
