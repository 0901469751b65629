"""What was found in the files of a project when they were checked, and whether that still holds.

Findings hold as long as the file is what it was, and what they depend on besides: the files that it links to, or, where
it imports others or calls what they offer, all files of the project.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from workbench import __version__
from workbench.disk.atomic import replace_private_file
from workbench.disk.files import read_file, why
from workbench.disk.places import Places
from workbench.disk.private import make_private_folder
from workbench.errors import CannotRead
from workbench.i18n import language
from workbench.project.index import ProjectIndex, Told
from workbench.syntax.diagnostics import Severity

log = logging.getLogger(__name__)

FILE, LINKS, PROJECT = "file", "links", "project"
_FORM = 2


class Found(NamedTuple):
    """One finding. *line*, *column*: where it begins, from 1."""

    severity: Severity
    line: int
    column: int
    code: str
    message: str


class Counts(NamedTuple):
    """How many findings of each severity there are."""

    errors: int = 0
    warnings: int = 0
    infos: int = 0

    def __add__(self, other: object) -> Counts:
        """Those of both."""
        return Counts(*(one + two for one, two in zip(self, other, strict=True))) if isinstance(other, Counts) else self


def counts_of(severities: Iterable[Severity]) -> Counts:
    """How often each of *severities* comes."""
    all_of = list(severities)
    return Counts(*(all_of.count(each) for each in (Severity.ERROR, Severity.WARNING, Severity.INFO)))


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that was checked. *stamp*: what it was then; *around*: what it *depends_on*, likewise."""

    stamp: str
    found: tuple[Found, ...] = ()
    depends_on: str = FILE
    around: str = ""


Checks = Mapping[str, Checked]
"""By path, from the project on."""


@dataclass(frozen=True)
class Stamps:
    """What identifies the files of *index* as they are. *chapters*: which of them a person has said are carried out."""

    index: ProjectIndex
    chapters: Mapping[str, object]

    def of(self, path: str) -> str:
        """That of the file *path*."""
        entry = self.index.entries[path]
        said = self.chapters.get(str(self.index.root / path), "")
        state = entry.digest or (entry.edited_ns, entry.size)
        return _digest(state, entry.wanted, said)

    def around(self, path: str, depends_on: str) -> str:
        """That of what the findings in *path* depend on besides the file."""
        if depends_on == LINKS:
            return _digest(self._names, *(self.of(each) for each in self.index.links_out(path)))
        return self._all if depends_on == PROJECT else ""

    def holds(self, path: str, known: Checked | None) -> bool:
        """Whether what is *known* of *path* is still so."""
        return known is not None and (known.stamp, known.around) == (self.of(path), self.around(path, known.depends_on))

    @cached_property
    def _names(self) -> str:
        return _digest(*sorted(self.index.files))

    @cached_property
    def _all(self) -> str:
        return _digest(*((each.path, each.files) for each in self.index.folders))


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogateescape")).hexdigest()[:20]


def checked_by_the_way(stamps: Stamps, path: str, told: Told) -> Checked | None:
    """What was found in the file *path* while it was read, where that is the file as it is."""
    if stamps.index.entries.get(path) is not told.entry:
        return None
    try:
        found = tuple(found_in(told.rows))
    except (ValueError, TypeError):
        return None
    return Checked(stamps.of(path), found, told.depends_on, stamps.around(path, told.depends_on))


def unchecked(stamps: Stamps, known: Checks) -> tuple[str, ...]:
    """The files of ours in the project of which nothing is *known* that holds, in the order of their paths."""
    entries = stamps.index.entries.values()
    return tuple(each.path for each in entries if each.is_ours and not stamps.holds(each.path, known.get(each.path)))


def checked_in(stamps: Stamps, line: str) -> tuple[str, Checked] | None:
    """The file that a *line* of ``check --format jsonl`` tells of, with what was found; None where it tells of none."""
    try:
        told: dict[str, Any] = json.loads(line)
        path, depends_on = stamps.index.path_of(Path(told["file"])), str(told["depends_on"])
        found = tuple(
            Found(Severity(each["severity"]), int(each["line"]), int(each["column"]), each["code"], each["message"])
            for each in told["findings"]
        )
        return path, Checked(stamps.of(path), found, depends_on, stamps.around(path, depends_on))
    except (ValueError, KeyError, TypeError):
        return None


def kept_checks(where: Places, root: Path) -> Checks:
    """What was kept of the project in the folder *root*; nothing where nothing was."""
    try:
        found = json.loads(read_file(_file(where, root)))
        return dict(map(_read, found["files"])) if found["version"] == _version(root) else {}
    except (CannotRead, ValueError, KeyError, TypeError, RecursionError):
        return {}


def keep_checks(where: Places, root: Path, checks: Checks) -> None:
    """Keep *checks* for the next start; where that cannot be done, the files are checked again.

    What may depend on any file is left out: skills and Python that it asks for can lie outside of the project.
    """
    rows = [_row(path, each) for path, each in checks.items() if each.depends_on != PROJECT]
    data = json.dumps({"version": _version(root), "files": rows}).encode("utf-8", "surrogatepass")
    try:
        make_private_folder(where.projects_dir)
        replace_private_file(_file(where, root), data)
    except OSError as error:
        log.info("Did not keep what was found in the project: %s", why(error))


def _version(root: Path) -> list[object]:
    """Messages are kept as they were said."""
    return [_FORM, __version__, language(), str(root)]


def _file(where: Places, root: Path) -> Path:
    name = hashlib.sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return where.projects_dir / f"{name}-checks.json"


def _row(path: str, checked: Checked) -> list[object]:
    return [path, checked.stamp, checked.depends_on, checked.around, list(map(row_of_found, checked.found))]


def row_of_found(found: Found) -> list[object]:
    """*found* as JSON has it."""
    return [found.severity.value, *found[1:]]


def _read(row: list[Any]) -> tuple[str, Checked]:
    path, stamp, depends_on, around, found = row
    return str(path), Checked(str(stamp), tuple(found_in(found)), str(depends_on), str(around))


def found_in(rows: Iterable[Any]) -> Iterator[Found]:
    """What ``row_of_found`` made *rows* of. Raises ValueError and TypeError where they are none."""
    for severity, line, column, code, message in rows:
        yield Found(Severity(severity), int(line), int(column), str(code), str(message))
