"""What the window says and shows of a kind of file, in one table."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.i18n import N_, LazyText
from workbench.model.kinds import FileKind


@dataclass(frozen=True, slots=True)
class FileKindSpec:
    """A kind of file as a person sees it."""

    word: LazyText
    icon: str


FILE_KINDS: dict[FileKind, FileKindSpec] = {
    FileKind.PROGRAM: FileKindSpec(N_("Playbook program"), "playbook"),
    FileKind.PROCEDURE: FileKindSpec(N_("Procedure"), "flowchart"),
    FileKind.SKILL: FileKindSpec(N_("Skill"), "skill"),
    FileKind.STEPLIST: FileKindSpec(N_("Step list"), "outline"),
    FileKind.GRAPH: FileKindSpec(N_("Step graph"), "pattern"),
    FileKind.FOREIGN: FileKindSpec(N_("File of another program"), "file"),
}
GIT_SIGNS = {"modified": "M", "added": "A", "untracked": "U", "conflicted": "!"}
GIT_WORDS = {
    "modified": N_("changed since the last commit"),
    "added": N_("new, and in the next commit"),
    "untracked": N_("not in git yet"),
    "conflicted": N_("in conflict since a merge"),
}
"""By the value of a ``GitState``, so that nothing of git is loaded where there is none."""
