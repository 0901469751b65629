"""What a server has written about itself, and what happened to it: the last of it, without secrets."""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from collections.abc import Iterable
from pathlib import Path

from workbench.disk.atomic import make_folder, replace_private_file
from workbench.disk.files import is_there, read_file
from workbench.secrets import Redactor, known_secrets
from workbench.tools.mcp.specs import ServerSpec

log = logging.getLogger(__name__)

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


def keep_log(folder: Path, spec: ServerSpec, text: str) -> None:
    """Keep *text* in *folder* as what *spec* has written last, as far as that can be done."""
    try:
        make_folder(folder)
        replace_private_file(_file(folder, spec), text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        log.info("The log of the server %s was not kept: %s", spec.name, error)


def kept_log(folder: Path, spec: ServerSpec) -> str:
    """What *spec* has written when it ran last; empty where nothing is known. Raises CannotRead."""
    path = _file(folder, spec)
    return read_file(path).decode("utf-8", "replace") if is_there(path) else ""


def _file(folder: Path, spec: ServerSpec) -> Path:
    return folder / f"{spec.digest[:32]}.log"
