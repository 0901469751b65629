"""Many files of a project, read and checked by programs of their own while the window goes on.

There is one lock for all Python of a program: read on a thread of the window, two thousand files would stand between
the person and each key.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

from workbench.i18n import language
from workbench.project.index import Earlier, FileEntry, Read, Told
from workbench.project.kept import entry_of

_ARGUMENTS = ("check", "--format", "index", "--give-way", "--files-from", "-")
_MOST = 4
_LOOK_S = 0.1
_FEW = 100
"""For fewer files, another program takes longer to start than it saves."""


class Readers:
    """Reads many files with several programs. *is_over*: nobody wants to know any more.

    *earlier*: how files were before. *has_findings*: whether what is doubtful in them is wanted as well.
    """

    def __init__(
        self, is_over: Callable[[], bool], earlier: Earlier = MappingProxyType({}), *, has_findings: bool = True
    ) -> None:
        self.earlier = earlier
        self.is_over = is_over
        self._has_findings = has_findings
        self._lines: queue.Queue[bytes | None] = queue.Queue()

    def read(self, root: Path, files: Sequence[FileEntry]) -> Iterator[Read | None]:
        """What is in *files* of the folder *root*, in any order, and None now and then; not all can be read so."""
        waiting = {each.path: each for each in files}
        named = [each.path for each in files if "\n" not in each.path and "\r" not in each.path]
        count = max(1, min(os.cpu_count() or 1, _MOST, len(named) // _FEW))
        children = [self._started(root, named[at::count]) for at in range(count)]
        running = len(children)
        try:
            while running and not self.is_over():
                with suppress(queue.Empty):
                    line = self._lines.get(timeout=_LOOK_S)
                    running -= line is None
                    read = _read_from(line, waiting) if line is not None else None
                    if read is not None:
                        del waiting[read[0]]
                        yield read
                        continue
                yield None
        finally:
            for each in children:
                each.kill()
                each.wait()

    def _started(self, root: Path, paths: Sequence[str]) -> subprocess.Popen[bytes]:
        # without -P, a module that lies in the folder would be taken for one of Python's
        words = [sys.executable, "-P", "-X", "utf8", "-m", "workbench", *_ARGUMENTS]
        words += [] if self._has_findings else ["--unchecked"]
        child = subprocess.Popen(
            words,
            cwd=root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "LANGUAGE": language()},
        )
        assert child.stdin is not None and child.stdout is not None
        threading.Thread(target=self._listen, args=(child.stdout,), daemon=True).start()
        with suppress(BrokenPipeError):  # it has ended already: then nothing is told
            child.stdin.write(b"".join(os.fsencode(path) + b"\n" for path in paths))
            child.stdin.close()
        return child

    def _listen(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                self._lines.put(line)
        self._lines.put(None)


def _read_from(line: bytes, waiting: dict[str, FileEntry]) -> Read | None:
    """What *line* tells of one of the files that are *waiting*; None where it tells of none."""
    try:
        told: dict[str, Any] = json.loads(line)
        known = entry_of(told["entry"])
        wanted = waiting[known.path]
        entry = replace(known, edited_ns=wanted.edited_ns, size=wanted.size)
        found = told.get("found")
        return entry.path, entry, Told(entry, str(told["depends_on"]), found) if found is not None else None
    except (ValueError, KeyError, TypeError):
        return None
