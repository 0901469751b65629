"""Which proven patterns help with a task: found by its words and kind, ranked by what their record is worth."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from workbench.library.entries import PatternEntry
from workbench.library.listing import of_playbook, of_type
from workbench.library.relevance.content_words import content_words, words
from workbench.library.relevance.synthesizer import DEFAULT_BUDGET, pattern_fragments, synthesize
from workbench.library.rows import PATTERN_COLUMNS, entry_of
from workbench.library.store import PatternStore
from workbench.library.task_types import DEFAULT_WORDS, OTHER, classify_task_type

_CANDIDATES = 40
_WORDS_LIMIT = 12
_HALF_LIFE_DAYS = 90.0
_LEAST_SCORE = 0.35
_CONTEXT_PATTERNS = 12

_WORDS_WEIGHT, _TYPE_WEIGHT, _RECORD_WEIGHT, _AGE_WEIGHT = 0.5, 0.15, 0.25, 0.1


@dataclass(frozen=True, slots=True)
class Relevant:
    """A pattern that may help, with *score* from 0 to 1."""

    entry: PatternEntry
    score: float


def relevant_to(
    store: PatternStore,
    task: str,
    top_k: int = 3,
    task_type: str = "",
    table: Mapping[str, frozenset[str]] = DEFAULT_WORDS,
) -> tuple[Relevant, ...]:
    """The patterns that have worked and fit *task* best.

    *task_type*: known kind of the task; guessed by *table* where it is empty. Raises
    ValueError for a negative *top_k*, StoreFailed.
    """
    if top_k < 0:
        raise ValueError("top_k must not be negative")
    if top_k == 0:
        return ()
    kind = task_type or classify_task_type(task, table)
    asked = content_words(task)
    now = datetime.now(UTC)
    with store.database.reading() as connection:
        found = {entry.pattern_id: entry for entry in _candidates(connection, asked, kind)}
    ranked = [Relevant(entry, _score(entry, asked, kind, now)) for entry in found.values()]
    ranked.sort(key=lambda each: (-each.score, -each.entry.success_count, each.entry.pattern_id))
    return tuple(each for each in ranked if each.score > 0)[:top_k]


def _candidates(connection: sqlite3.Connection, asked: frozenset[str], kind: str) -> list[PatternEntry]:
    """A bounded number of patterns among which the best are: looking at all would take as long as there are many."""
    found: list[PatternEntry] = []
    rarest_first = sorted(asked, key=len, reverse=True)[:_WORDS_LIMIT]
    if rarest_first:
        found += _matching(connection, " AND ".join(_quoted(word) for word in rarest_first))
        for word in rarest_first:
            found += _matching(connection, _quoted(word))
    if kind != OTHER:
        found += of_type(connection, kind, _CANDIDATES)
    return found


def _matching(connection: sqlite3.Connection, words_query: str) -> list[PatternEntry]:
    """The newest patterns that the full-text index finds."""
    columns = ", ".join(f"p.{name.strip()}" for name in PATTERN_COLUMNS.split(","))
    rows = connection.execute(
        f"""SELECT {columns} FROM (SELECT rowid FROM pattern_words WHERE pattern_words MATCH ?
        ORDER BY rowid DESC LIMIT {_CANDIDATES}) AS hit
        JOIN pattern p ON p.row = hit.rowid WHERE p.success_count > 0""",
        (words_query,),
    )
    return [entry_of(row) for row in rows]


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def _score(entry: PatternEntry, asked: frozenset[str], kind: str, now: datetime) -> float:
    """0 where nothing of the task occurs in it; else words, kind, record and age together."""
    own = frozenset(words(" ".join((entry.label, entry.description, entry.task_type, *entry.tool_sequence))))
    overlap = len(asked & own) / len(asked) if asked else 0.0
    kinship = _kinship(entry.task_type, kind)
    if not overlap and not kinship:
        return 0.0
    return (
        _WORDS_WEIGHT * overlap
        + _TYPE_WEIGHT * kinship
        + _RECORD_WEIGHT * entry.success_bounds[0]
        + _AGE_WEIGHT * _freshness(entry.last_seen, now)
    )


def _kinship(own: str, asked: str) -> float:
    if asked == OTHER:
        return 0.0
    if own == asked:
        return 1.0
    return 0.5 if own.startswith(asked + "+") else 0.0


def _freshness(last_seen: str, now: datetime) -> float:
    """1 for just now, half of it every 90 days; 0 where nobody knows."""
    try:
        seen = datetime.fromisoformat(last_seen)
    except ValueError:
        return 0.0
    seen = seen if seen.tzinfo else seen.replace(tzinfo=UTC)
    age_days = max(0.0, (now - seen).total_seconds() / 86_400)
    return float(0.5 ** (age_days / _HALF_LIFE_DAYS))


def advice(
    store: PatternStore,
    playbook: str,
    task: str,
    top_k: int = 3,
    table: Mapping[str, frozenset[str]] = DEFAULT_WORDS,
) -> tuple[PatternEntry, ...]:
    """What has worked before: in runs of *playbook* itself, then for tasks like *task*. Raises StoreFailed."""
    with store.database.reading() as connection:
        own = of_playbook(connection, playbook, top_k) if playbook else ()
    others = (
        each.entry for each in relevant_to(store, task, top_k + len(own), table=table) if each.score >= _LEAST_SCORE
    )
    found = {entry.pattern_id: entry for entry in (*own, *others)}
    return tuple(found.values())[:top_k]


def advice_context(store: PatternStore, task: str, budget: int) -> str:
    """The few patterns that fit *task* well, as text for a model of at most *budget* tokens. Raises StoreFailed."""
    return synthesize(pattern_fragments(advice(store, "", task)), task, budget)


def proven_context(store: PatternStore, task: str, budget: int = DEFAULT_BUDGET) -> str:
    """The proven patterns that fit *task*, as text for a model of at most *budget* tokens. Raises StoreFailed."""
    entries = tuple(each.entry for each in relevant_to(store, task, _CONTEXT_PATTERNS))
    return synthesize(pattern_fragments(entries), task, budget)
