"""What is known of a project, kept until the next start, so that only files that have changed are read again.

Nothing is lost with it: a file that is missing, damaged or of another version is as good as none.
"""

from __future__ import annotations

import hashlib
import json
import logging
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench import __version__
from workbench.disk.atomic import remove_file, replace_private_file
from workbench.disk.files import entries, look_at, read_file, why
from workbench.disk.places import Places
from workbench.disk.private import make_private_folder
from workbench.errors import CannotRead
from workbench.model.kinds import FileKind
from workbench.project.index import Entries, FileEntry, ProjectIndex

log = logging.getLogger(__name__)

_MOST_KEPT = 60
_FORM = 4
"""Another number for another form of what is kept, or where files are read in another way."""


def kept_entries(where: Places, root: Path) -> Entries:
    """What was kept of the project in the folder *root*; nothing where nothing was."""
    try:
        found = json.loads(read_file(_file(where, root)))
        if found["version"] != _version(root):
            return MappingProxyType({})
        return MappingProxyType({entry.path: entry for entry in map(entry_of, found["files"])})
    except (CannotRead, ValueError, KeyError, TypeError, RecursionError):
        return MappingProxyType({})


def keep(where: Places, index: ProjectIndex) -> None:
    """Keep *index* for the next time; where that cannot be done, files are read again."""
    data = json.dumps({"version": _version(index.root), "files": list(map(row_of, index.entries.values()))}).encode(
        "utf-8", "surrogatepass"
    )
    try:
        make_private_folder(where.projects_dir)
        replace_private_file(_file(where, index.root), data)
        for each in sorted(entries(where.projects_dir), key=_edited, reverse=True)[_MOST_KEPT:]:
            remove_file(each)
    except OSError as error:
        log.info("Did not keep what is known of the project: %s", why(error))


def _edited(path: Path) -> float:
    return look_at(path).edited_s


def _version(root: Path) -> list[object]:
    return [_FORM, __version__, str(root)]


def _file(where: Places, root: Path) -> Path:
    name = hashlib.sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return where.projects_dir / f"{name}.json"


def row_of(one: FileEntry) -> list[object]:
    """*one* as JSON has it."""
    kind, wanted = (each.value if each else "" for each in (one.kind, one.wanted))
    known = [one.path, one.edited_ns, one.size, kind, one.title, one.steps, one.links, one.wikis, one.tags, wanted]
    return [*known, one.digest]


def entry_of(row: list[Any]) -> FileEntry:
    """What ``row_of`` made a row of. Raises ValueError and TypeError where it is none."""
    path, edited_ns, size, kind, title, steps, links, wikis, tags, wanted, digest = row
    entry = FileEntry(str(path), int(edited_ns), int(size), FileKind(kind) if kind else None, str(title), int(steps))
    said = FileKind(wanted) if wanted else None
    links, wikis, tags = (tuple(map(str, each)) for each in (links, wikis, tags))
    return replace(entry, links=links, wikis=wikis, tags=tags, wanted=said, digest=str(digest))
