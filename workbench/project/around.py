"""The files around a document, as a check of its links asks about them: never outside of its project."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from posixpath import relpath

from workbench.disk.files import Kind, look_at, read_file, real_path
from workbench.disk.listing import folders_below
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.checks.links import check_links
from workbench.model.checks.nearest import is_other_in_row
from workbench.model.links import RUNBOOK_ENDINGS, Anchors, anchors_of
from workbench.model.plans.policies import DEVIATION, PLANS, problems_of_policies
from workbench.model.snapshot import Snapshot
from workbench.project.targets import place_of, project_of
from workbench.project_file import project_file
from workbench.syntax.diagnostics import Diagnostic, Severity
from workbench.syntax.scan import scan
from workbench.syntax.text import SourceText, Span, split_lines

_MOST_LISTED = 10_000
_LARGEST = 2 * 1024 * 1024
_LONGEST_LINE = 1000


def link_findings(snapshot: Snapshot, path: str, opened: str = "") -> tuple[Diagnostic, ...]:
    """What is wrong with the links from *snapshot*, a file at *path*, to other files of its project.

    *opened*: the folder that a window shows as the project.
    """
    if not path or not snapshot.may_link_files:
        return ()
    return tuple(check_links(snapshot, FilesOfProject(Path(path), project_of(Path(path), opened))))


def problems_of_project(folder: Path) -> Iterator[str]:
    """What cannot be used of what the project in *folder* says about plans and deviations, in sentences."""
    project = project_file(folder)
    for key, said in ((DEVIATION, project.deviation), (PLANS, project.plans)):
        for _word, message, _near in problems_of_policies(said, key):
            yield _("[{table}] in {file}: {problem}").format(table=key, file=project.path.name, problem=message)


def project_findings(snapshot: Snapshot, path: str) -> Iterator[Diagnostic]:
    """The same as findings in *snapshot*, a file at *path*, at its first line: they hold for each playbook there.

    The file itself is as it should be, so these are warnings.
    """
    if snapshot.program.foreign or snapshot.deriver.is_procedure:
        return
    lines = split_lines(snapshot.text[:_LONGEST_LINE])
    first = Span(0, len(lines[0].rstrip("\r\n")) if lines else 0)
    for problem in problems_of_project(Path(path).parent):
        yield Diagnostic("metadata-value", Severity.WARNING, problem, first)


class FilesOfProject:
    """The files of *project* as links in the *file* name them."""

    def __init__(self, file: Path, project: Path) -> None:
        self._file = file
        self._project = real_path(project)
        self._anchors: dict[Path, Anchors | None] = {}

    def is_missing(self, path: str) -> bool:
        """Whether it is certain that there is neither a file nor a folder."""
        place = place_of(self._project, self._file, path)
        return place is not None and look_at(place).kind is Kind.MISSING

    def anchors(self, path: str) -> Anchors | None:
        """The anchors of a file in markdown; None where nobody can tell."""
        place = place_of(self._project, self._file, path)
        if place is None or not place.name.lower().endswith(RUNBOOK_ENDINGS):
            return None
        if place not in self._anchors:
            self._anchors[place] = _anchors_in(place)
        return self._anchors[place]

    def near(self, path: str) -> str:
        """The one file of this name elsewhere, else the one with nearly this name in the folder that is meant."""
        name = path.rpartition("/")[2]
        same: Sequence[str] = self._by_name.get(name.casefold(), ())
        place = place_of(self._project, self._file, path)
        if not same and place is not None:
            folder = place.relative_to(self._project).as_posix().rpartition("/")[0]
            beside = {each.rpartition("/")[2]: each for each in self._listed if each.rpartition("/")[0] == folder}
            ending = name.rpartition(".")[2]
            alike = [each for each in beside if each.rpartition(".")[2] == ending]
            near = get_close_matches(name, alike, 2, 0.8)
            same = [beside[each] for each in near if not is_other_in_row(name, each)]
        return self._from_here(same[0]) if len(same) == 1 else ""

    def _from_here(self, found: str) -> str:
        folder = real_path(self._file.parent)
        here = folder.relative_to(self._project).as_posix() if folder.is_relative_to(self._project) else "."
        return relpath(found, here)

    @cached_property
    def _listed(self) -> tuple[str, ...]:
        return tuple(
            folder.path_of(file.name) for folder in folders_below(self._project, _MOST_LISTED) for file in folder.files
        )

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self._listed:
            found.setdefault(path.rpartition("/")[2].casefold(), []).append(path)
        return found


def _anchors_in(place: Path) -> Anchors | None:
    try:
        return anchors_of(scan(SourceText.decode(read_file(place, _LARGEST)).text))
    except CannotRead:
        return None
