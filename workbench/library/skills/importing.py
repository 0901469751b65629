"""Takes skills that exist already into the library, to be browsed beside the patterns."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from workbench.errors import CannotRead
from workbench.library.entries import PromotionEvent, PromotionState, now_text
from workbench.library.exchange import ImportReport, PublishedEntry, take_in
from workbench.library.history import add_event
from workbench.library.identity import checked_text, checked_tools
from workbench.library.skills.reading import FoundSkill, find_skills, read_skill
from workbench.library.skills.text import text_digest
from workbench.library.store import PatternStore

OF_OTHERS = "skill/"
"""Begins the task type of a skill that was not promoted from a pattern; its name follows."""


def import_skills(store: PatternStore, root: Path) -> ImportReport:
    """Take in every skill under *root*. Raises StoreFailed; skills that cannot be read are reported."""
    good: list[tuple[PublishedEntry, FoundSkill]] = []
    skipped: list[tuple[int, str]] = []
    for number, path in enumerate(find_skills(root), start=1):
        try:
            skill = read_skill(path)
            good.append((_entry_of(skill), skill))
        except (CannotRead, ValueError) as error:
            skipped.append((number, str(error)))
    added = 0
    if good:
        with store.database.writing() as connection:
            added = sum(_take_in(connection, entry, skill) for entry, skill in good)
    return ImportReport(added, len(good) - added, tuple(skipped))


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
        extra={},
    )


def _take_in(connection: sqlite3.Connection, entry: PublishedEntry, skill: FoundSkill) -> int:
    """1 when it is new; the file counts as its promotion, unless the store knows of one already."""
    is_new = take_in(connection, entry)
    (state,) = connection.execute("SELECT state FROM pattern WHERE pattern_id = ?", (entry.pattern_id,)).fetchone()
    if state in {PromotionState.NONE.value, PromotionState.PROPOSED.value}:
        text = skill.path.read_bytes().decode("utf-8", "surrogateescape")
        note = "found" if not skill.pattern_id else "skill"
        event = PromotionEvent("", PromotionState.ACCEPTED, str(skill.path), text_digest(text), note)
        add_event(connection, entry.pattern_id, event)
    return is_new
