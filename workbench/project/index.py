"""What is known of all files of a project: what each is, its title, how many steps it has, and where its links lead.

A value, and how it is built: file by file, what has not changed taken from what was known before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from posixpath import dirname, normpath
from types import MappingProxyType

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

_TITLE_LIMIT = 200


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file. *path*: from the project on. *kind*: None where it holds no text.

    *links*: the paths of files that it links to, whether they are there or not. *wikis*: the names in its wiki links.
    *tags*: those in it, as they are written.
    *wanted*: what the person has said that it is.
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

    @property
    def is_ours(self) -> bool:
        """Whether it is something that is drawn and run."""
        return self.kind not in (None, FileKind.FOREIGN)


Entries = Mapping[str, FileEntry]
"""By path, in the order of the paths."""
Wanted = Mapping[str, FileKind]


@dataclass(frozen=True)
class ProjectIndex:
    """The files of the project in the folder *root*.

    *entries*: of the files that may be playbooks, as far as they have been read. *count*: how many there are.
    *folders*: all that is in the project, whatever it is.
    """

    root: Path
    entries: Entries = field(default_factory=lambda: MappingProxyType({}))
    count: int = 0
    folders: tuple[ListedFolder, ...] = ()

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
    root: Path, known: Entries, every: int = 25, wanted: Wanted = MappingProxyType({})
) -> Iterator[ProjectIndex]:
    """The index of the folder *root*, again and again as it grows, the last one whole; *known*: from an earlier one.

    *wanted*: what the person has said of files, by the whole path. The first one has the names of all files. What is
    unchanged is not read again. Whoever has seen enough asks for no more.
    """
    root = real_path(root)
    folders = tuple(folders_below(root))
    files = {path: file for folder in folders for path, file in _may_be_ours(folder)}
    said = {path: kind for path in files if (kind := wanted.get(str(root / path)))} if wanted else {}
    entries = {path: known[path] for path, file in files.items() if _is_same(known.get(path), file, said.get(path))}
    missing = [path for path in files if path not in entries]
    for count, path in enumerate(missing):
        if count % every == 0:
            yield ProjectIndex(root, _sorted(entries), len(files), folders)
        entries[path] = read_entry(root, path, files[path], said.get(path))
    yield ProjectIndex(root, _sorted(entries), len(files), folders)


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
    place = root / path
    if file.size > LARGEST_INDEXED or not real_path(place).is_relative_to(root):
        return entry
    try:
        data = read_file(place, LARGEST_INDEXED)
    except CannotRead:
        return entry
    if b"\0" in data[:1024] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return entry
    return entry_of_snapshot(entry, derive(SourceText.decode(data), wanted=wanted))


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
