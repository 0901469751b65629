"""The files of a project as a tree of rows: what is shown of them, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.disk.listing import ListedFolder
from workbench.model.links import is_named_as_ours
from workbench.project.index import FileEntry, ProjectIndex


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file or a folder. *path*: from the project on. *entry*: None for a folder, and while it has not been read."""

    path: str
    is_folder: bool = False
    entry: FileEntry | None = None
    rows: tuple[FileRow, ...] = ()

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class RowChoice:
    """What is to be shown. *words*: all of them stand in path, title or tags. *is_all*: also what is none of ours."""

    words: tuple[str, ...] = ()
    is_all: bool = False

    def takes(self, path: str, entry: FileEntry | None) -> bool:
        """Whether the file *path* is shown; what has not been read yet may be ours."""
        is_ours = is_named_as_ours(path) if entry is None else entry.is_ours
        if not (is_ours or self.is_all):
            return False
        told = f"{path} {entry.title if entry else ''}".casefold() if self.words else ""
        if entry is not None and any(word.startswith("#") for word in self.words):
            told = " ".join((told, *(f"#{tag.casefold()}" for tag in entry.tags)))
        return all(word in told for word in self.words)


def choice_of(written: str, *, is_all: bool) -> RowChoice:
    """What the words *written* in a field for searching choose."""
    return RowChoice(tuple(written.casefold().split()), is_all)


def rows_of(index: ProjectIndex, choice: RowChoice) -> tuple[FileRow, ...]:
    """The rows of *index*, folders first. A folder is shown where something in it is, or where it is quite empty."""
    return _Rows(index, choice, {folder.path: folder for folder in index.folders}).below("")


@dataclass(frozen=True, slots=True)
class _Rows:
    index: ProjectIndex
    choice: RowChoice
    folders: dict[str, ListedFolder]

    def below(self, path: str) -> tuple[FileRow, ...]:
        """The rows in the folder *path*."""
        folder = self.folders.get(path)
        return (*self._folders(folder), *self._files(folder)) if folder is not None else ()

    def _folders(self, folder: ListedFolder) -> Iterator[FileRow]:
        for name in sorted(folder.folders, key=str.casefold):
            path = folder.path_of(name)
            rows = self.below(path)
            if rows or (self._is_empty(path) and not self.choice.words):
                yield FileRow(path, is_folder=True, rows=rows)

    def _is_empty(self, path: str) -> bool:
        folder = self.folders.get(path)
        return self.choice.is_all or (folder is not None and not folder.files and not folder.folders)

    def _files(self, folder: ListedFolder) -> Iterator[FileRow]:
        for file in sorted(folder.files, key=lambda file: file.name.casefold()):
            path = folder.path_of(file.name)
            entry = self.index.entries.get(path)
            if self.choice.takes(path, entry):
                yield FileRow(path, entry=entry)
