"""Search in what events say: which events hold all words of a text, each at the beginning of a word.

An index (FTS5, without contents) knows which words stand in which *page*, some hundred events of one run; which of
these events it is, their text says. A page is made when its events are packed, or else with the first search after
its run has gone on so far. Without an index, or before it knows an event, the text alone is searched.
"""

from __future__ import annotations

import json
import re
import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple

from workbench.engine.journal.events import RunId
from workbench.engine.journal.storage.rows import said_by
from workbench.engine.journal.storage.store import Store
from workbench.errors import StoreFailed
from workbench.regex import regex

PAGE = 512
_PAGES_AT_ONCE = 32
_AT_ONCE = 4
"""So many more are made when something is written."""
_SHORTEST_PREFIX = 3
_TOKEN = regex(r"[^\W_]+")
_ESCAPE = regex(r"(?:\\u[0-9a-f]{4})+|\\.")
_TABLE = """CREATE VIRTUAL TABLE IF NOT EXISTS word USING fts5(
    text, content='', detail=none, columnsize=0, tokenize='unicode61 remove_diacritics 0')"""
_FINAL = ("completed", "failed", "cancelled")


class Hit(NamedTuple):
    """An event that holds what was searched for."""

    run: RunId
    seq: int


def find_text(store: Store, text: str, run: RunId | None = None, limit: int = 1_000_000) -> tuple[Hit, ...]:
    """At most *limit* events (of *run*, None: of all runs) in which all words of *text* stand, by run and number."""
    if not _TOKEN.search(text):
        return ()
    fill_index(store)
    found: list[Hit] = []
    with store.reading() as connection:
        for stretch in _stretches(connection, text, run):
            found += _hits(connection, stretch, text)
            if len(found) >= limit:
                break
    return tuple(found[:limit])


def places_of(store: Store, text: str, run: RunId) -> array[int]:
    """The numbers of all events of *run* in which all words of *text* stand, in order."""
    return array("q", sorted(hit.seq for hit in find_text(store, text, run)))


def runs_with(store: Store, text: str) -> frozenset[RunId]:
    """The runs of which some event holds all words of *text*."""
    if not _TOKEN.search(text):
        return frozenset()
    fill_index(store)
    found: set[RunId] = set()
    with store.reading() as connection:
        for stretch in _stretches(connection, text, None):
            if stretch.run not in found and any(True for _hit in _hits(connection, stretch, text)):
                found.add(stretch.run)
    return frozenset(found)


class _Stretch(NamedTuple):
    """Events of one run, from number *first* up to *end*, some of which may hold what is searched for."""

    run: RunId
    first: int
    end: int


def _stretches(connection: sqlite3.Connection, text: str, run: RunId | None) -> Iterator[_Stretch]:
    """Where *text* may be: pages that the index names, and all that no page has yet."""
    wanted = "" if run is None else " AND page.run=:run"
    query = f"""SELECT page.run, first, first+count FROM word JOIN page ON page.id = word.rowid
        WHERE word MATCH :words{wanted} ORDER BY page.run, first"""  # noqa: S608 - constants
    if _has_index(connection):
        for row in connection.execute(query, {"words": _asked(text), "run": run}):
            yield _Stretch(*row)
    for one, count, indexed in _unfinished(connection):
        if run in {None, one} and indexed < count:
            yield _Stretch(one, indexed, count)


def _asked(text: str) -> str:
    """*text* for the index: words of some length may go on."""
    tokens = _TOKEN.findall(text.lower())
    return " AND ".join(f'"{each}"{"*" if len(each) >= _SHORTEST_PREFIX else ""}' for each in tokens)


def _hits(connection: sqlite3.Connection, stretch: _Stretch, text: str) -> Iterator[Hit]:
    """The events of *stretch* that hold all words of *text*."""
    wanted = sorted(text.lower().split(), key=len, reverse=True)
    for said in said_by(connection, *stretch):
        whole = searched(said.lines)
        places = set(_lines_with(whole, wanted[0])) if all(word in whole for word in wanted) else set[int]()
        for word in wanted[1:] if places else ():
            places.intersection_update(_lines_with(whole, word))
        yield from (Hit(stretch.run, said.first + place) for place in sorted(places))


def _lines_with(whole: str, word: str) -> Iterator[int]:
    """The numbers of the lines of *whole* in which a word begins with *word*, which no word goes on with before."""
    line, counted, is_word = 0, 0, word[0].isalnum()
    at = whole.find(word)
    while at >= 0:
        if not is_word or not whole[at - 1 : at].isalnum():
            line, counted = line + whole.count("\n", counted, at), at
            yield line
        at = whole.find(word, at + 1)


def searched(lines: Sequence[str]) -> str:
    """What is searched of events that are told by *lines*, in small letters, a line for each."""
    whole = "\n".join(lines).lower()
    return _ESCAPE.sub(_written_out, whole).lower() if "\\" in whole else whole


def _written_out(found: re.Match[str]) -> str:
    escape = found.group()
    if escape[1] != "u":
        return " " if escape[1] in "bfnrt" else escape[1]
    written: str = json.loads(f'"{escape}"')
    return written.replace("\n", " ")


def _unfinished(connection: sqlite3.Connection) -> list[tuple[RunId, int, int]]:
    """Of each run that the index does not know to its end: how many events it has, and how many are known."""
    query = """SELECT id, events, coalesce((SELECT max(first+count) FROM page WHERE page.run = run.id), 0)
        FROM run ORDER BY id"""
    return [row for row in connection.execute(query) if isinstance(row[1], int) and row[2] < row[1]]


def _has_index(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name='word'").fetchone() is not None


def _can_index(connection: sqlite3.Connection) -> bool:
    """Whether this SQLite was made with the index."""
    return connection.execute("SELECT 1 FROM pragma_module_list WHERE name='fts5'").fetchone() is not None


def fill_index(store: Store) -> None:
    """Make a page of everything that fills one, and of the rest of what is over.

    It holds the store for some pages at a time only, and does nothing where it may not write.
    """
    with suppress(StoreFailed):  # without the index the text alone is searched
        while True:
            with store.reading() as connection:
                due = _due(connection) if _can_index(connection) else []
            if not due:
                return
            with store.transaction() as connection:
                for run, group in groupby(due[:_PAGES_AT_ONCE], itemgetter(0)):
                    for _run, first, count in group:
                        add_page(connection, run, first, count)


def _due(connection: sqlite3.Connection) -> list[tuple[RunId, int, int]]:
    """The next pages that are to be made: run, first, count; some of each run."""
    found = []
    for run, count, first in _unfinished(connection):
        row = connection.execute("SELECT status FROM run WHERE id=?", (run,)).fetchone()
        end = count if row is not None and row[0] in _FINAL else count - (count - first) % PAGE
        starts = islice(range(first, end, PAGE), _PAGES_AT_ONCE)
        found += [(run, at, min(PAGE, end - at)) for at in starts]
    return found


def index_packed(connection: sqlite3.Connection, run: RunId, packed: int) -> None:
    """Make pages of the first *packed* events of *run*, a few at once."""
    query = "SELECT first+count FROM page WHERE run=? ORDER BY first DESC LIMIT 1"
    row = connection.execute(query, (run,)).fetchone()
    known = row[0] if row is not None else 0
    for first in islice(range(known, packed - PAGE + 1, PAGE), _AT_ONCE):
        add_page(connection, run, first, PAGE)


def add_page(connection: sqlite3.Connection, run: RunId, first: int, count: int) -> None:
    """Put *count* events of *run* from number *first* on into the index."""
    if not _has_index(connection):
        if not _can_index(connection):
            return
        connection.execute(_TABLE)
    known = connection.execute("SELECT 1 FROM page WHERE run=? AND first=?", (run, first)).fetchone()
    if known is not None:  # another program was quicker
        return
    words: set[str] = set()
    for said in said_by(connection, run, first, first + count):
        words.update(_TOKEN.findall(searched(said.lines)))
    number = connection.execute("INSERT INTO page (run, first, count) VALUES (?,?,?)", (run, first, count)).lastrowid
    text = " ".join(words).encode("utf-8", "ignore").decode()
    connection.execute("INSERT INTO word (rowid, text) VALUES (?,?)", (number, text))
