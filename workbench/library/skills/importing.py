"""Takes skills that exist already into the library, to be browsed beside the patterns.

They are read leniently: what can be understood is taken, what is wrong is reported.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from workbench.disk.files import entries, is_file, is_folder, is_link, read_file
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.library.entries import PromotionEvent, PromotionState, checked_text, checked_tools, now_text
from workbench.library.exchange import ImportReport, PublishedEntry, take_in
from workbench.library.rows import add_event
from workbench.library.skills.rules import (
    FILE_NAME,
    SkillParts,
    SkillProblem,
    check_skill_text,
    keys_given_twice,
    load_front,
    split_skill,
)
from workbench.library.skills.skill_text import TOOLS_KEY, text_digest
from workbench.library.store import PatternStore
from workbench.regex import regex

OF_OTHERS = "skill/"
"""Begins the task type of a skill that was not promoted from a pattern; its name follows."""

_DEPTH_LIMIT = 6
_FOLDER_LIMIT = 2000
_SIZE_LIMIT = 1 << 20
_ABOUT = ("author", "version")
_NAME = regex(r"[^\s,()]+(?:\([^)]*\))?")
_STEP = regex(r"^\s*\d+[.)]\s+(?:Use\s+)?(?P<ticks>`+)\s?(?P<tool>.+?)\s?(?P=ticks)(?!`)")


def import_skills(store: PatternStore, root: Path) -> ImportReport:
    """Take in every skill under *root*. Raises StoreFailed; skills that cannot be read are reported."""
    good: list[tuple[PublishedEntry, FoundSkill]] = []
    skipped: list[tuple[int, str]] = []
    for number, path in enumerate(find_skills(root), start=1):
        try:
            skill = read_skill(path)
            good.append((_told_apart(_entry_of(skill), skill, good, root), skill))
        except (CannotRead, ValueError) as error:
            skipped.append((number, str(error)))
    added = 0
    if good:
        with store.database.writing() as connection:
            added = sum(_take_in(connection, entry, skill) for entry, skill in good)
    noticed = tuple(f"{skill.path}:{one.line}: {one.message}" for _entry, skill in good for one in skill.twice)
    return ImportReport(added, len(good) - added, tuple(skipped), noticed)


def _told_apart(
    entry: PublishedEntry, skill: FoundSkill, others: Sequence[tuple[PublishedEntry, FoundSkill]], root: Path
) -> PublishedEntry:
    """*entry*, under the name of its folder where *others* hold another skill of its name and tools already."""
    like = [other for each, other in others if (each.task_type, {*each.tools}) == (entry.task_type, {*entry.tools})]
    if skill.pattern_id or all(other.body == skill.body for other in like):
        return entry
    return replace(entry, task_type=f"{entry.task_type} ({skill.path.parent.relative_to(root).as_posix()})")


def _entry_of(skill: FoundSkill) -> PublishedEntry:
    """What *skill* says of itself, as a pattern; raises ValueError where it cannot be one."""
    task_type = skill.task_type if skill.pattern_id else OF_OTHERS + skill.name
    return PublishedEntry(
        task_type=checked_text(task_type, "the task type"),
        description=checked_text(skill.description or skill.name, "the description"),
        tools=checked_tools(skill.tools),
        prompt="",
        successes=skill.successes,
        created_at=now_text(),
        is_promoted=False,
        extra=dict(skill.about),
    )


def _take_in(connection: sqlite3.Connection, entry: PublishedEntry, skill: FoundSkill) -> int:
    """1 when it is new; the file counts as its promotion, unless the store knows of one already."""
    is_new = take_in(connection, entry)
    (state,) = connection.execute("SELECT state FROM pattern WHERE pattern_id = ?", (entry.pattern_id,)).fetchone()
    if state in {PromotionState.NONE.value, PromotionState.PROPOSED.value}:
        text = read_file(skill.path, _SIZE_LIMIT).decode("utf-8", "surrogateescape")
        note = "found" if not skill.pattern_id else "skill"
        event = PromotionEvent("", PromotionState.ACCEPTED, str(skill.path), text_digest(text), note)
        add_event(connection, entry.pattern_id, event)
    return is_new


@dataclass(frozen=True, slots=True)
class FoundSkill:
    """A skill as it stands in a folder. *problems*: why strict readers would refuse it; empty: none.

    *tools*: of ours exactly as promoted; of others those that it lists, names in steps or allows. *allowed*: to what
    it limits a step that uses it. *about*: who wrote it, and its version, where it says so. *twice*: fields of which
    only the last was taken.
    """

    path: Path
    name: str
    description: str
    metadata: Mapping[str, str]
    tools: tuple[str, ...]
    body: str
    problems: tuple[SkillProblem, ...]
    allowed: tuple[str, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)
    twice: tuple[SkillProblem, ...] = ()

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
    file = path / FILE_NAME if is_folder(path) else path
    return skill_in(read_file(file, _SIZE_LIMIT).decode("utf-8", "replace"), file)


def skill_in(text: str, file: Path) -> FoundSkill:
    """The skill in *text*, the content of *file*. Raises CannotRead where there is no front matter."""
    whole = text.removeprefix("\ufeff").replace("\r\n", "\n")
    plain = whole.lstrip("\r\n")
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
        allowed=_listed(fields.get("allowed-tools")) or _sequence(fields, metadata),
        about={key: told for key in _ABOUT if (told := _text(fields.get(key)) or metadata.get(key, ""))},
        body=parts.body,
        problems=check_skill_text(text, file.parent.name),
        twice=tuple(replace(one, line=one.line + len(whole) - len(plain)) for one in keys_given_twice(parts.front)),
    )


def find_skills(root: Path) -> Iterator[Path]:
    """The SKILL.md files under *root*, at most six levels deep, links not followed."""
    waiting, visited = [(root, 0)], 0
    while waiting and visited < _FOLDER_LIMIT:
        folder, depth = waiting.pop(0)
        visited += 1
        if is_file(folder / FILE_NAME):
            yield folder / FILE_NAME
        if depth < _DEPTH_LIMIT:
            waiting += [(child, depth + 1) for child in entries(folder) if is_folder(child) and not is_link(child)]


def _metadata(fields: Mapping[str, object]) -> Mapping[str, str]:
    found = fields.get("metadata")
    return {str(key): _text(value) for key, value in found.items()} if isinstance(found, dict) else {}


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _tools(fields: Mapping[str, object], metadata: Mapping[str, str], body: str) -> tuple[str, ...]:
    listed = _sequence(fields, metadata)
    if listed:
        return listed
    named = tuple(match["tool"] for line in body.splitlines() if (match := _STEP.match(line)))
    return named or _listed(fields.get("allowed-tools"))


def _sequence(fields: Mapping[str, object], metadata: Mapping[str, str]) -> tuple[str, ...]:
    """The tools in their order, where they are written down as such."""
    exact = _json_tools(metadata.get(TOOLS_KEY, ""))
    return exact if exact is not None else _listed(fields.get("tools"))


def _listed(value: object) -> tuple[str, ...]:
    """The names in a list, or in a text with commas or blanks between them."""
    if isinstance(value, list):
        return tuple(text for item in value if (text := _text(item)))
    return tuple(_NAME.findall(_text(value)))


def _json_tools(text: str) -> tuple[str, ...] | None:
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(loaded, list) and all(isinstance(tool, str) for tool in loaded):
        return tuple(loaded)
    return None
