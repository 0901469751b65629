"""Takes patterns in and gives them out in the published form: a JSON list with eight fields."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.disk.files import read_file
from workbench.errors import CannotRead
from workbench.i18n import _, numeral
from workbench.library.entries import (
    PatternEntry,
    PromotionEvent,
    PromotionState,
    checked_text,
    checked_tools,
    now_text,
    pattern_id,
    utc_text,
    variant_id,
)
from workbench.library.rows import add_event, json_list, search_text
from workbench.library.store import PatternStore

FIELDS = (
    "pattern_id",
    "task_type",
    "description",
    "tool_sequence",
    "prompt_template",
    "success_count",
    "created_at",
    "promoted",
)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. *skipped*: why entries were left out, by their place in the file, from 1.

    *noticed*: what is doubtful in those that came in.
    """

    added: int
    merged: int
    skipped: tuple[tuple[int, str], ...] = ()
    noticed: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """How many patterns came in, and how many were there already."""
        text = _("{added} added, {merged} already in the library.")
        return text.format(added=numeral(self.added), merged=numeral(self.merged))


@dataclass(frozen=True, slots=True)
class PublishedEntry:
    """One checked entry of a published file. *extra*: fields that are not published, kept as they are."""

    task_type: str
    description: str
    tools: tuple[str, ...]
    prompt: str
    successes: int
    created_at: str
    is_promoted: bool
    extra: Mapping[str, object]

    @property
    def pattern_id(self) -> str:
        """Its id by the published formula."""
        return pattern_id(self.task_type, self.tools)

    @property
    def seen_at(self) -> str:
        """When it was made, so that it sorts with our own times; now, where the file does not say."""
        try:
            return utc_text(self.created_at)
        except ValueError:
            return now_text()


def export_patterns(entries: tuple[PatternEntry, ...]) -> str:
    """*entries* as a published file, with the fields that an import did not know."""
    return json.dumps([published(entry) for entry in entries], indent=2, ensure_ascii=False) + "\n"


def published(entry: PatternEntry) -> dict[str, object]:
    """The eight published fields of *entry*, then those kept from an import."""
    return {
        "pattern_id": entry.pattern_id,
        "task_type": entry.task_type,
        "description": entry.description,
        "tool_sequence": list(entry.tool_sequence),
        "prompt_template": entry.prompt_template,
        "success_count": entry.success_count,
        "created_at": entry.created_at,
        "promoted": entry.promoted,
        **entry.extra,
    }


def export_bytes(text: str) -> bytes:
    """What ``export_patterns`` gave, as it stands in a file."""
    return text.encode("utf-8", "backslashreplace")


def import_patterns(store: PatternStore, path: Path) -> ImportReport:
    """Take in the published file *path*, all good entries in one transaction.

    A pattern that is known already keeps what the store knows; its count becomes the higher of
    the two, so that importing a file twice changes nothing. Raises CannotRead, StoreFailed.
    """
    good: list[PublishedEntry] = []
    skipped: list[tuple[int, str]] = []
    noticed: list[str] = []
    for number, raw in enumerate(_load(path), start=1):
        try:
            good.append(_checked(raw))
            noticed += [_given_twice(number, key) for key in getattr(raw, "twice", ())]
        except ValueError as error:
            skipped.append((number, str(error)))
    added = 0
    if good:
        with store.database.writing() as connection:
            added = sum(take_in(connection, entry) for entry in good)
    return ImportReport(added, len(good) - added, tuple(skipped), tuple(noticed))


class _Fields(dict[str, object]):
    """A JSON object. *twice*: the keys of which only the last value was taken."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        counts = Counter(key for key, _value in pairs) if len(self) < len(pairs) else {}
        self.twice = [key for key, count in counts.items() if count > 1]


def _given_twice(number: int, key: str) -> str:
    return _("Entry {number}: “{key}” is given twice; the last one counts.").format(number=number, key=key)


def _load(path: Path) -> list[object]:
    try:
        loaded = json.loads(read_file(path), object_pairs_hook=_Fields)
    except (ValueError, RecursionError) as error:
        text = _("“{path}” is not readable JSON ({reason}); nothing was imported.")
        raise CannotRead(text.format(path=path, reason=error)) from error
    if not isinstance(loaded, list):
        raise CannotRead(_("“{path}” contains no list of patterns; nothing was imported.").format(path=path))
    return loaded


def _checked(raw: object) -> PublishedEntry:
    """One entry; raises ValueError saying what is wrong with it."""
    if not isinstance(raw, dict):
        raise ValueError(_("it is not a mapping"))  # noqa: TRY004  # a value in a file, not a mistake of ours
    tools, count = raw.get("tool_sequence"), raw.get("success_count", 1)
    if not isinstance(tools, list):
        raise ValueError(_("its tool_sequence is not a list"))  # noqa: TRY004
    if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count < 1 << 53:
        raise ValueError(_("its success_count is not a count"))
    return PublishedEntry(
        task_type=_text(raw, "task_type"),
        description=_text(raw, "description"),
        tools=checked_tools(tools),
        prompt=_text(raw, "prompt_template"),
        successes=count,
        created_at=_text(raw, "created_at") or now_text(),
        is_promoted=raw.get("promoted") is True,
        extra=_extra(raw),
    )


def _extra(raw: Mapping[str, object]) -> dict[str, object]:
    """The fields that are not published; an id that the formula does not give is kept as one of them."""
    extra = {str(key): value for key, value in raw.items() if key not in FIELDS}
    checked_text(json.dumps(extra, ensure_ascii=False), "a field")
    return extra


def _text(raw: Mapping[str, object], field: str) -> str:
    return checked_text(raw.get(field, ""), field)  # type: ignore[arg-type]


def take_in(connection: sqlite3.Connection, entry: PublishedEntry) -> int:
    """1 when the pattern is new, 0 when it was merged."""
    found = connection.execute(
        "SELECT row, state, extra FROM pattern WHERE pattern_id = ?", (entry.pattern_id,)
    ).fetchone()
    if found is not None:
        _merge(connection, entry, found)
        return 0
    _insert(connection, entry)
    if entry.is_promoted:
        add_event(connection, entry.pattern_id, PromotionEvent("", PromotionState.ACCEPTED, note="imported"))
    return 1


def _merge(connection: sqlite3.Connection, entry: PublishedEntry, found: tuple[int, str, str]) -> None:
    row, state, extra = found
    connection.execute(
        """UPDATE pattern SET success_count = max(success_count, ?), created_at = min(created_at, ?), extra = ?,
        bound = lower_bound(max(success_count, ?), max(success_count, ?) + failure_count) WHERE row = ?""",
        (
            *(entry.successes, entry.created_at, _json({**json.loads(extra), **entry.extra})),
            *(entry.successes, entry.successes, row),
        ),
    )
    if entry.is_promoted and state == PromotionState.NONE.value:
        add_event(connection, entry.pattern_id, PromotionEvent("", PromotionState.ACCEPTED, note="imported"))


def _insert(connection: sqlite3.Connection, entry: PublishedEntry) -> None:
    cursor = connection.execute(
        """INSERT INTO pattern (pattern_id, task_type, description, prompt_template, tool_sequence, success_count,
        bound, created_at, last_seen, extra, search) VALUES (?,?,?,?,?,?,lower_bound(?, ?),?,?,?,?) RETURNING row""",
        (
            *(entry.pattern_id, entry.task_type, entry.description, entry.prompt, json_list(entry.tools)),
            *(entry.successes, entry.successes, entry.successes, entry.created_at, entry.seen_at),
            *(_json(entry.extra), search_text(entry.pattern_id, ("", entry.description), entry.task_type, entry.tools)),
        ),
    )
    (row,) = cursor.fetchone()
    connection.execute(
        """INSERT INTO variant (pattern, variant_id, tools, success_count, first_seen, last_seen)
        VALUES (?,?,?,?,?,?)""",
        (
            *(row, variant_id(entry.task_type, entry.tools), json_list(entry.tools)),
            *(entry.successes, entry.seen_at, entry.seen_at),
        ),
    )


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(dict(value), ensure_ascii=False)
