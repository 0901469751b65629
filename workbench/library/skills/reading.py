"""Reads SKILL.md folders leniently: what can be understood is taken, what is wrong is reported."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.library.skills.rules import (
    FILE_NAME,
    SkillParts,
    SkillProblem,
    check_skill_text,
    load_front,
    split_skill,
)
from workbench.library.skills.text import TOOLS_KEY

_DEPTH_LIMIT = 6
_FOLDER_LIMIT = 2000
_SIZE_LIMIT = 1 << 20
_STEP = re.compile(r"^\s*\d+[.)]\s+(?:Use\s+)?(?P<ticks>`+)\s?(?P<tool>.+?)\s?(?P=ticks)(?!`)")


@dataclass(frozen=True, slots=True)
class FoundSkill:
    """A skill as it stands in a folder. *problems*: why strict readers would refuse it; empty: none.

    *tools*: of ours exactly as promoted; of others those that are allowed or named in steps.
    """

    path: Path
    name: str
    description: str
    metadata: Mapping[str, str]
    tools: tuple[str, ...]
    body: str
    problems: tuple[SkillProblem, ...]

    @property
    def pattern_id(self) -> str:
        """The pattern that it was promoted from, empty for skills of others."""
        return self.metadata.get("pattern-id", "")

    @property
    def task_type(self) -> str:
        """The task type of the pattern that it was promoted from, empty for skills of others."""
        written = self.metadata.get("task-type", "")
        if not written.startswith('"'):
            return written
        try:
            loaded = json.loads(written)
        except ValueError:
            return written
        return loaded if isinstance(loaded, str) else written

    @property
    def successes(self) -> int:
        """The successes that its record counted when it was written."""
        count = self.metadata.get("successes", "")
        return int(count) if re.fullmatch(r"[0-9]{1,9}", count) else 0


def read_skill(path: Path) -> FoundSkill:
    """The skill in the file or folder *path*. Raises CannotRead, saying why."""
    file = path / FILE_NAME if path.is_dir() else path
    try:
        if file.stat().st_size > _SIZE_LIMIT:
            raise CannotRead(_("“{path}” is too long to be a skill; it was left alone.").format(path=file))
        text = file.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotRead(_("“{path}” cannot be read: {reason}.").format(path=file, reason=reason)) from error
    return skill_in(text, file)


def skill_in(text: str, file: Path) -> FoundSkill:
    """The skill in *text*, the content of *file*. Raises CannotRead where there is no front matter."""
    plain = text.removeprefix("\ufeff").lstrip("\r\n").replace("\r\n", "\n")
    parts = split_skill(plain)
    fields = load_front(parts.front) if isinstance(parts, SkillParts) else parts
    if isinstance(parts, SkillProblem) or isinstance(fields, SkillProblem):
        problem = parts if isinstance(parts, SkillProblem) else fields
        assert isinstance(problem, SkillProblem)
        raise CannotRead(_("“{path}” is not a skill: {why}").format(path=file, why=problem.message))
    metadata = _metadata(fields)
    return FoundSkill(
        path=file,
        name=_text(fields.get("name")) or file.parent.name,
        description=_text(fields.get("description")),
        metadata=metadata,
        tools=_tools(fields, metadata, parts.body),
        body=parts.body,
        problems=check_skill_text(text, file.parent.name),
    )


def find_skills(root: Path) -> Iterator[Path]:
    """The SKILL.md files under *root*, at most six levels deep, links not followed."""
    waiting, visited = [(root, 0)], 0
    while waiting and visited < _FOLDER_LIMIT:
        folder, depth = waiting.pop(0)
        visited += 1
        if (folder / FILE_NAME).is_file():
            yield folder / FILE_NAME
        if depth < _DEPTH_LIMIT:
            waiting += [(child, depth + 1) for child in _subfolders(folder)]


def _subfolders(folder: Path) -> list[Path]:
    try:
        return sorted(child for child in folder.iterdir() if child.is_dir() and not child.is_symlink())
    except OSError:
        return []


def _metadata(fields: Mapping[str, object]) -> Mapping[str, str]:
    found = fields.get("metadata")
    return {str(key): _text(value) for key, value in found.items()} if isinstance(found, dict) else {}


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _tools(fields: Mapping[str, object], metadata: Mapping[str, str], body: str) -> tuple[str, ...]:
    exact = _json_tools(metadata.get(TOOLS_KEY, ""))
    if exact is not None:
        return exact
    named = tuple(match["tool"] for line in body.splitlines() if (match := _STEP.match(line)))
    return named or tuple(_text(fields.get("allowed-tools")).split())


def _json_tools(text: str) -> tuple[str, ...] | None:
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(loaded, list) and all(isinstance(tool, str) for tool in loaded):
        return tuple(loaded)
    return None
