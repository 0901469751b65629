"""What is known of all files of a project: what each is, its title, how many steps it has, and where its links lead.

A value, and how it is built: file by file, what has not changed taken from what was known before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from posixpath import dirname, normpath
from types import MappingProxyType
from typing import NamedTuple, Protocol

from workbench.disk.files import read_file, real_path
from workbench.disk.listing import ListedFile, ListedFolder, folders_below
from workbench.errors import CannotRead
from workbench.model.kinds import FileKind
from workbench.model.links import first_title, is_named_as_ours, is_plain_path, links_of
from workbench.model.showing.tags import bare, tags_of
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.links import WIKIS, Link
from workbench.syntax.text import SourceText

LARGEST_INDEXED = 2 * 1024 * 1024

MUCH = 64 * 1024
"""How many bytes are read beside the window by a program of their own: Python here would hold up the keys."""
MOST_EARLIER = 5_000
_TITLE_LIMIT = 200


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file. *path*: from the project on. *kind*: None where it holds no text.

    *links*: the paths of files that it links to, whether they are there or not. *wikis*: the names in its wiki links.
    *tags*: those in it, as they are written.
    *wanted*: what the person has said that it is. *digest*: of what it holds, empty where it has not been read.
    """

    path: str
    edited_ns: int
    size: int
    kind: FileKind | None = None
    title: str = ""
    steps: int = 0
    links: tuple[str, ...] = ()
    wikis: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    wanted: FileKind | None = None
    digest: str = ""

    @property
    def is_ours(self) -> bool:
        """Whether it is something that is drawn and run."""
        return self.kind not in (None, FileKind.FOREIGN)


Entries = Mapping[str, FileEntry]
"""By path, in the order of the paths."""
Wanted = Mapping[str, FileKind]
Earlier = Mapping[tuple[str, str], FileEntry]
"""By path and digest, what is known of files as they were before."""


class Told(NamedTuple):
    """What was found in a file while it was read. *entry*: of the file; *rows*: as ``checked.py`` reads them."""

    entry: FileEntry
    depends_on: str
    rows: Sequence[Sequence[object]]


Read = tuple[str, FileEntry, Told | None]


class Reader(Protocol):
    """Reads where there is much to read. *earlier*: how files were before, so that some need not be read."""

    earlier: Earlier

    def is_over(self) -> bool:
        """Whether nobody wants to know any more."""

    def read(self, root: Path, files: Sequence[FileEntry]) -> Iterator[Read | None]:
        """What is in *files*, of which path, time and size are known, and None now and then; not all need be told."""


@dataclass(frozen=True)
class ProjectIndex:
    """The files of the project in the folder *root*.

    *entries*: of the files that may be playbooks, as far as they have been read. *count*: how many there are.
    *folders*: all that is in the project, whatever it is. *told*: by path, what was found by the way in files that have
    been read. *earlier*: how files were that are otherwise now, as long as that is worth keeping.
    """

    root: Path
    entries: Entries = field(default_factory=lambda: MappingProxyType({}))
    count: int = 0
    folders: tuple[ListedFolder, ...] = ()
    told: Mapping[str, Told] = field(default_factory=lambda: MappingProxyType({}))
    earlier: Earlier = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_whole(self) -> bool:
        """Whether all files have been read."""
        return len(self.entries) == self.count

    @cached_property
    def names(self) -> Mapping[str, str]:
        """By the word that wiki links have for it, the path of each file; of several, the one nearest to the root."""
        found: dict[str, str] = {}
        for path in sorted(self.entries, key=lambda path: (path.count("/"), path)):
            found.setdefault(wiki_name(path), path)
        return found

    @cached_property
    def links_in(self) -> Mapping[str, tuple[str, ...]]:
        """By path, the other files that link to it."""
        found: dict[str, list[str]] = {}
        for path in self.entries:
            for target in self.links_out(path):
                found.setdefault(target, []).append(path)
        return {path: tuple(sources) for path, sources in found.items()}

    def links_out(self, path: str) -> tuple[str, ...]:
        """The other files of the project that the file *path* links to, each once."""
        entry = self.entries.get(path)
        if entry is None:
            return ()
        targets = dict.fromkeys((*entry.links, *(self.names.get(name, "") for name in entry.wikis)))
        return tuple(target for target in targets if target in self.entries and target != path)

    @cached_property
    def tags(self) -> Mapping[str, int]:
        """In how many files each tag is, in the order of the alphabet."""
        found: dict[str, tuple[str, int]] = {}
        for tag in (tag for entry in self.entries.values() for tag in entry.tags):
            written, count = found.get(bare(tag), (tag, 0))
            found[bare(tag)] = written, count + 1
        return dict(sorted(found.values(), key=lambda each: each[0].casefold()))

    @cached_property
    def files(self) -> frozenset[str]:
        """The paths of all files, whatever they are."""
        return frozenset(folder.path_of(file.name) for folder in self.folders for file in folder.files)

    def path_named(self, name: str) -> str:
        """The path of the file that wiki links call *name*; empty where there is none."""
        return self.names.get(wiki_name(f"{name}.md"), "")

    def path_of(self, place: Path) -> str:
        """The path of the file *place* in this project; empty where it is not in it."""
        found = real_path(place)
        return found.relative_to(self.root).as_posix() if found.is_relative_to(self.root) else ""

    def entry_of(self, place: Path) -> FileEntry | None:
        """What is known of the file *place*."""
        return self.entries.get(self.path_of(place))


def indexed(
    root: Path,
    known: Entries,
    every: int = 25,
    wanted: Wanted = MappingProxyType({}),
    reader: Reader | None = None,
) -> Iterator[ProjectIndex]:
    """The index of the folder *root*, again and again as it grows, the last one whole; *known*: from an earlier one.

    *wanted*: what the person has said of files, by the whole path. The first one has the names of all files. What is
    unchanged is not read again, nor what is as it was earlier. Whoever has seen enough asks for no more.
    """
    grown = _Grown.of(real_path(root), known, wanted, reader)
    if grown.missing:
        yield grown.now()
    for count, read in enumerate(grown.read(), 1):
        if reader is not None and reader.is_over():
            break
        if read is not None:
            path, grown.entries[path], told = read
            grown.told |= {path: told} if told is not None else {}
        if count % every == 0 and len(grown.entries) < grown.count:
            yield grown.now()
    yield grown.now()


@dataclass(slots=True)
class _Grown:
    """An index while it grows. *missing*: what is known of files that are to be read; *before*: how files were."""

    root: Path
    folders: tuple[ListedFolder, ...]
    entries: dict[str, FileEntry]
    missing: list[FileEntry]
    before: Earlier
    reader: Reader | None
    same: int
    told: dict[str, Told] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Path, known: Entries, wanted: Wanted, reader: Reader | None) -> _Grown:
        """What is known of the folder *root* before anything is read."""
        folders = tuple(folders_below(root))
        files = {path: file for folder in folders for path, file in _may_be_ours(folder)}
        said = {path: kind for path in files if (kind := wanted.get(str(root / path)))} if wanted else {}
        same = {path: known[path] for path, file in files.items() if _is_same(known.get(path), file, said.get(path))}
        missing = [
            FileEntry(path, file.edited_ns, file.size, wanted=said.get(path))
            for path, file in files.items()
            if path not in same
        ]
        left = {(path, each.digest): each for path, each in known.items() if each.digest and path not in same}
        earlier = reader.earlier if reader is not None else {}
        before = MappingProxyType(dict([*earlier.items(), *left.items()][-MOST_EARLIER:]))
        return cls(root, folders, same, missing, before, reader, len(same))

    @property
    def count(self) -> int:
        """How many files there are that may be ours."""
        return self.same + len(self.missing)

    def now(self) -> ProjectIndex:
        """What is known by now."""
        told = MappingProxyType(dict(self.told))
        return ProjectIndex(self.root, _sorted(self.entries), self.count, self.folders, told, self.before)

    def read(self) -> Iterator[Read | None]:
        """What is in the files that are missing: recalled where that was there before, else read."""
        known, waiting = {path for path, _digest in self.before}, []
        for each in self.missing:
            data = _data(self.root, each) if each.path in known else None
            recalled = self.before.get((each.path, digest_of(data))) if data is not None else None
            if recalled is not None and recalled.wanted == each.wanted:
                yield each.path, replace(recalled, edited_ns=each.edited_ns), None
            else:
                waiting.append(each)
        # what the person has said of files, others may not know yet
        others = [each for each in waiting if each.wanted is None and each.size <= LARGEST_INDEXED]
        if self.reader is not None and sum(each.size for each in others) > MUCH:
            done = set()
            for read in self.reader.read(self.root, others):
                done |= {read[0]} if read is not None else set()
                yield read
            waiting = [each for each in waiting if each.path not in done]
        for each in waiting:
            file = ListedFile(each.path, each.edited_ns, each.size)
            yield each.path, read_entry(self.root, each.path, file, each.wanted), None


def _may_be_ours(folder: ListedFolder) -> Iterator[tuple[str, ListedFile]]:
    for file in folder.files:
        if is_named_as_ours(file.name):
            yield folder.path_of(file.name), file


def _is_same(entry: FileEntry | None, file: ListedFile, wanted: FileKind | None) -> bool:
    return entry is not None and (entry.edited_ns, entry.size, entry.wanted) == (file.edited_ns, file.size, wanted)


def _sorted(entries: Mapping[str, FileEntry]) -> Entries:
    return MappingProxyType(dict(sorted(entries.items())))


def wiki_name(path: str) -> str:
    """What wiki links call the file *path*: its name without the ending, however it is written."""
    name = path.rpartition("/")[2]
    return (name.rpartition(".")[0] or name).casefold().replace(" ", "-")


def read_entry(root: Path, path: str, file: ListedFile, wanted: FileKind | None = None) -> FileEntry:
    """What the file *path* is, which is *wanted* where the person says so, and where its links lead."""
    entry = FileEntry(path, file.edited_ns, file.size, wanted=wanted)
    data = _data(root, entry)
    if data is None:
        return entry
    entry = replace(entry, digest=digest_of(data))
    if b"\0" in data[:1024] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return entry
    return entry_of_snapshot(entry, derive(SourceText.decode(data), wanted=wanted))


def _data(root: Path, entry: FileEntry) -> bytes | None:
    """What the file holds; None where it is too large, lies elsewhere, or cannot be read."""
    place = root / entry.path
    if entry.size > LARGEST_INDEXED or not real_path(place).is_relative_to(root):
        return None
    try:
        return read_file(place, LARGEST_INDEXED)
    except CannotRead:
        return None


def digest_of(data: bytes) -> str:
    """What tells this content from any other."""
    return hashlib.blake2b(data, digest_size=12).hexdigest()


def entry_of_snapshot(entry: FileEntry, snapshot: Snapshot) -> FileEntry:
    """*entry* with what *snapshot* says of the file."""
    steps = sum(1 for playbook in snapshot.program.playbooks for root in playbook.steps for _step in root.walk())
    links = links_of(snapshot)
    targets = (target_path(entry.path, link) for link in links)
    return replace(
        entry,
        kind=snapshot.program.kind,
        title=first_title(snapshot)[:_TITLE_LIMIT],
        steps=steps,
        links=tuple(dict.fromkeys(target for target in targets if target and is_named_as_ours(target))),
        tags=tuple(tags_of(snapshot).counts),
        wikis=tuple(dict.fromkeys(wiki_name(link.path + ".md") for link in links if link.form in WIKIS and link.path)),
    )


def target_path(path: str, link: Link) -> str:
    """The path, from the project on, that *link* in the file *path* names; empty where it names no file of it."""
    return joined_path(path, link.path) if link.form not in WIKIS and is_plain_path(link.path) else ""


def joined_path(path: str, written: str) -> str:
    """The path, from the project on, that *written* in the file *path* means; empty where it leads out of it."""
    joined = written.lstrip("/") if written.startswith("/") else f"{dirname(path)}/{written}".lstrip("/")
    found = normpath(joined)
    return "" if found.startswith("..") or found in {".", "/"} else found
