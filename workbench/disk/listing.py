"""What is in a folder and all folders below it, folder by folder, so that the first names can be shown at once."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MOST_FILES = 50_000
"""Where listing ends: a folder with more is no project, but a disk."""

_CLOSED = frozenset(
    ".git .hg .svn .bzr .venv venv node_modules __pycache__ .mypy_cache .pytest_cache .ruff_cache .tox .cache "
    ".hypothesis site-packages".split()
)
"""Folders that programs fill for themselves."""


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file: its name, when it was changed, and its size in bytes."""

    name: str
    edited_ns: int
    size: int


@dataclass(frozen=True, slots=True)
class ListedFolder:
    """What is directly in one folder, by name. *path*: from the folder that was listed on, empty for itself."""

    path: str
    folders: tuple[str, ...]
    files: tuple[ListedFile, ...]

    def path_of(self, name: str) -> str:
        """The path of what is called *name* in it."""
        return f"{self.path}/{name}" if self.path else name


def folders_below(folder: Path, most: int = MOST_FILES) -> Iterator[ListedFolder]:
    """*folder* and those below it, those near it first, until *most* files have been listed.

    Links to folders are not followed, and a folder that cannot be read is empty.
    """
    waiting = deque([""])
    count = 0
    while waiting and count < most:
        path = waiting.popleft()
        listed = _listed(folder, path)
        count += len(listed.files)
        waiting.extend(map(listed.path_of, listed.folders))
        yield listed


def _listed(root: Path, path: str) -> ListedFolder:
    folders: list[str] = []
    files: list[ListedFile] = []
    try:
        with os.scandir(root / path) as found:
            for entry in found:
                _add(entry, folders, files)
    except (OSError, ValueError):
        pass
    return ListedFolder(path, tuple(sorted(folders)), tuple(sorted(files, key=lambda file: file.name)))


def _add(entry: os.DirEntry[str], folders: list[str], files: list[ListedFile]) -> None:
    try:
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in _CLOSED:
                folders.append(entry.name)
        elif entry.is_file():
            found = entry.stat()
            files.append(ListedFile(entry.name, found.st_mtime_ns, found.st_size))
    except OSError:
        return  # it has just gone away
