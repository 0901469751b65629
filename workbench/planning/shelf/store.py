"""The shelf: one SQLite file with playbooks, their versions and runs, and notes; searched by goal in words.

Safe to share between threads and processes. What was kept is on the disk when a method returns.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from workbench.disk.files import why
from workbench.disk.private import make_private_folder
from workbench.disk.sqlite_file import WAIT_S, Trouble, connect, failure, in_plain_words, write_ahead
from workbench.errors import StoreFailed
from workbench.i18n import _, numeral
from workbench.library.entries import now_text
from workbench.library.relevance.content_words import content_words, words
from workbench.planning.shelf.entries import Entry, Found, Kept, NotOnShelf, Origin, RunOfIt, VersionOfIt, chosen

_TABLES = """
CREATE TABLE playbook (
    row INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, title TEXT NOT NULL, goal TEXT NOT NULL,
    description TEXT NOT NULL, format TEXT NOT NULL, owner TEXT NOT NULL, tags TEXT NOT NULL,
    version INTEGER NOT NULL, made_at TEXT NOT NULL,
    used_at TEXT NOT NULL DEFAULT '', successes INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE version (
    playbook INTEGER NOT NULL REFERENCES playbook(row) ON DELETE CASCADE, version INTEGER NOT NULL, text TEXT NOT NULL,
    digest TEXT NOT NULL, plan TEXT NOT NULL, origin TEXT NOT NULL, cycle TEXT NOT NULL, imports TEXT NOT NULL,
    tools TEXT NOT NULL, made_at TEXT NOT NULL, PRIMARY KEY (playbook, version)
);
CREATE INDEX version_of_text ON version (digest);
CREATE INDEX version_of_cycle ON version (cycle);
CREATE TABLE run (
    run TEXT PRIMARY KEY, playbook INTEGER NOT NULL REFERENCES playbook(row) ON DELETE CASCADE,
    version INTEGER NOT NULL, at TEXT NOT NULL, is_success INTEGER NOT NULL, error TEXT NOT NULL,
    duration_ms INTEGER NOT NULL
);
CREATE TABLE note (
    row INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, owner TEXT NOT NULL, text TEXT NOT NULL, source TEXT NOT NULL,
    kind TEXT NOT NULL, old TEXT NOT NULL, new TEXT NOT NULL, about TEXT NOT NULL, is_on INTEGER NOT NULL,
    made_at TEXT NOT NULL, UNIQUE (owner, text)
);
CREATE TABLE effect (
    note TEXT NOT NULL, cycle TEXT NOT NULL, place TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL,
    at TEXT NOT NULL, UNIQUE (note, cycle, place)
);
CREATE VIRTUAL TABLE words USING fts5(title, goal, rest, tokenize='unicode61 remove_diacritics 2', prefix='3');
"""
_COPIES = """
CREATE TABLE copy (
    digest TEXT PRIMARY KEY, playbook INTEGER NOT NULL REFERENCES playbook(row) ON DELETE CASCADE,
    version INTEGER NOT NULL
);
"""
_UPGRADES = (_TABLES, _COPIES)
"""What makes each version of the file of the one before it."""
_VERSION = len(_UPGRADES)
_COLUMNS = """p.id, p.title, p.goal, p.description, p.format, p.owner, p.tags, p.version, p.made_at, p.used_at,
    p.successes, p.failures,
    (SELECT json_extract(v.origin, '$.by') FROM version v WHERE v.playbook = p.row AND v.version = p.version)"""
_CANDIDATES = 60
_SHORTEST_PREFIX = 4
_HAS_TAG = "EXISTS (SELECT 1 FROM json_each(p.tags) WHERE value = ?)"


class Shelf:
    """The shelf in the file *path*, made where there is none; *owner*: whose playbooks and notes these are.

    Raises StoreFailed where it is damaged, newer than us or cannot be written, as every method does.
    """

    def __init__(self, path: Path, owner: str = "", wait_s: float = WAIT_S) -> None:
        self.path, self.owner = path, owner
        self._wait_s = wait_s
        self._lock = threading.RLock()
        try:
            make_private_folder(path.parent)
        except OSError as error:
            message = _("The folder {folder} for the shelf cannot be created: {reason}.")
            raise StoreFailed(message.format(folder=path.parent, reason=why(error))) from error
        with in_plain_words(_subject(path), wait_s):
            self._connection = connect(str(path), wait_s)
            try:
                _prepare(self._connection, path, wait_s)
            except BaseException:  # nobody else has the connection yet
                self._connection.close()
                raise

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is kept, or nothing."""
        with self._lock, in_plain_words(_subject(self.path), self._wait_s):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:  # whatever ends the writing, nothing of it stays
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, to read from."""
        with self._lock, in_plain_words(_subject(self.path), self._wait_s):
            yield self._connection

    def put(self, kept: Kept, into: str = "") -> Entry:
        """The entry in which *kept* stands now: that of *into* as its next version, else one of its own.

        The same text in the same place, or a cycle that has put something here already, changes nothing.
        """
        digest = _digest(kept.text)
        with self.writing() as connection:
            row = _known_row(connection, kept, digest, into)
            if row is None:
                row = _new_entry(connection, kept, self.owner) if not into else _row_of(connection, into)
                _new_version(connection, row, kept, digest)
                _index(connection, row)
            return _entry(connection, row)

    def entry(self, prefix: str) -> Entry:
        """The entry whose id begins with *prefix*, or whose title it is. Raises NotOnShelf."""
        with self.reading() as connection:
            return _entry(connection, _row_of(connection, prefix))

    def kept(self, prefix: str, version: int = 0) -> Kept:
        """What was put there as *version*, 0 for the newest. Raises NotOnShelf."""
        with self.reading() as connection:
            entry = _entry(connection, row := _row_of(connection, prefix))
            query = "SELECT text, plan, origin, imports, tools FROM version WHERE playbook=? AND version=?"
            found = connection.execute(query, (row, version or entry.version)).fetchone()
        if found is None:
            message = _("“{title}” has no version {version}; the newest is {newest}.")
            raise NotOnShelf(message.format(title=entry.title, version=version, newest=numeral(entry.version)))
        text, *values = found
        plan, origin, imports, tools = (json.loads(value) for value in values)
        whence = Origin(**{**origin, "notes": tuple(origin["notes"])})
        about = (entry.description, plan, imports, tuple(tools), entry.tags)
        return Kept(entry.title, text, entry.format, whence, *about)

    def entries(self, tag: str = "") -> tuple[Entry, ...]:
        """All entries, or those with *tag*, the newest first."""
        with self.reading() as connection:
            rows = connection.execute(f"SELECT {_COLUMNS} FROM playbook p ORDER BY p.made_at DESC, p.row DESC")
            found = tuple(map(_as_entry, rows))
        return tuple(each for each in found if not tag or tag in each.tags)

    def search(self, goal: str, limit: int = 10, tag: str = "", *, is_typing: bool = False) -> tuple[Found, ...]:
        """The entries that fit *goal* best: by the words that they share, then by how their runs went.

        *tag*: one that they must have. *is_typing*: the last word of *goal* may be the beginning of one.
        """
        wanted = sorted(content_words(goal))
        if not wanted:
            return ()
        begun = words(goal)[-1] if is_typing else ""
        query = " OR ".join(f'"{word}"*' if _may_go_on(word, begun) else f'"{word}"' for word in wanted)
        # every entry that has any of the words would be looked at to find the tags
        inner, more = ("words", "") if not tag else ("words JOIN playbook p ON p.row = words.rowid", f"AND {_HAS_TAG}")
        with self.reading() as connection:
            rows = connection.execute(
                f"""SELECT {_COLUMNS}, w.rank FROM (
                    SELECT words.rowid AS entry, bm25(words, 4.0, 8.0, 1.0) AS rank FROM {inner}
                    WHERE words MATCH ? {more} ORDER BY rank LIMIT ?
                ) w JOIN playbook p ON p.row = w.entry ORDER BY w.rank""",
                (query, *filter(None, (tag,)), max(limit, _CANDIDATES)),
            ).fetchall()
        found = [Found(entry := _as_entry(row[:-1]), _fit(entry, wanted, begun)) for row in rows]
        found.sort(key=lambda each: (round(each.fit, 1), each.entry.rating, each.fit), reverse=True)
        return tuple(found[:limit])

    def count_run(self, prefix: str, run: RunOfIt) -> Entry:
        """The entry after *run* was counted, which is counted once however often it is told. Raises NotOnShelf."""
        with self.writing() as connection:
            known = connection.execute("SELECT playbook FROM run WHERE run=?", (run.run,)).fetchone()
            row = known[0] if known is not None else _row_of(connection, prefix)
            connection.execute(
                "INSERT OR REPLACE INTO run VALUES (?,?,?,?,?,?,?)",
                (run.run, row, run.version, run.at, run.is_success, run.error, run.duration_ms),
            )
            connection.execute(
                """UPDATE playbook SET used_at = max(used_at, ?),
                successes = (SELECT count(*) FROM run WHERE run.playbook = playbook.row AND is_success),
                failures = (SELECT count(*) FROM run WHERE run.playbook = playbook.row AND NOT is_success)
                WHERE row = ?""",
                (run.at, row),
            )
            return _entry(connection, row)

    def runs(self, prefix: str) -> tuple[RunOfIt, ...]:
        """Its runs, the newest first. Raises NotOnShelf."""
        query = "SELECT run, version, at, is_success, error, duration_ms FROM run WHERE playbook=? ORDER BY at DESC"
        with self.reading() as connection:
            rows = connection.execute(query, (_row_of(connection, prefix),)).fetchall()
        return tuple(RunOfIt(run, version, at, bool(good), error, ms) for run, version, at, good, error, ms in rows)

    def of_text(self, text: str) -> tuple[str, int] | None:
        """The id and the version of the newest entry with just *text*, or of which it is a copy; else None."""
        query = """SELECT p.id, v.version FROM version v JOIN playbook p ON p.row = v.playbook
            WHERE v.digest=? ORDER BY v.made_at DESC LIMIT 1"""
        copies = "SELECT p.id, c.version FROM copy c JOIN playbook p ON p.row = c.playbook WHERE c.digest=?"
        wanted = (_digest(text),)
        with self.reading() as connection:
            row = connection.execute(query, wanted).fetchone() or connection.execute(copies, wanted).fetchone()
        return (row[0], row[1]) if row is not None else None

    def of_cycle(self, cycle: str) -> str:
        """The id of the entry that the cycle *cycle* has put here; empty where there is none."""
        query = "SELECT p.id FROM version v JOIN playbook p ON p.row = v.playbook WHERE v.cycle=?"
        with self.reading() as connection:
            row = connection.execute(query, (cycle,)).fetchone() if cycle else None
        return str(row[0]) if row is not None else ""

    def tag(self, prefix: str, tags: Sequence[str]) -> Entry:
        """The entry with *tags* and no others. Raises NotOnShelf."""
        return describe(self, prefix, tags=tags)

    def remove(self, prefix: str) -> None:
        """Take an entry with all its versions off the shelf. Raises NotOnShelf."""
        with self.writing() as connection:
            row = _row_of(connection, prefix)
            connection.execute("DELETE FROM words WHERE rowid=?", (row,))
            connection.execute("DELETE FROM playbook WHERE row=?", (row,))


def describe(
    shelf: Shelf, prefix: str, *, title: str = "", owner: str | None = None, tags: Sequence[str] | None = None
) -> Entry:
    """The entry with another *title*, *owner* or other *tags*, where they are given. Raises NotOnShelf."""
    with shelf.writing() as connection:
        row = _row_of(connection, prefix)
        entry = _entry(connection, row)
        chosen = entry.tags if tags is None else sorted(dict.fromkeys(filter(None, (each.strip() for each in tags))))
        values = (" ".join(title.split()) or entry.title, entry.owner if owner is None else " ".join(owner.split()))
        update = "UPDATE playbook SET title=?, owner=?, tags=? WHERE row=?"
        connection.execute(update, (*values, json.dumps(chosen, ensure_ascii=False), row))
        _index(connection, row)
        return _entry(connection, row)


def versions_of(shelf: Shelf, prefix: str) -> tuple[VersionOfIt, ...]:
    """The versions of an entry, the newest first. Raises NotOnShelf."""
    query = "SELECT version, made_at, origin FROM version WHERE playbook=? ORDER BY version DESC"
    with shelf.reading() as connection:
        rows = connection.execute(query, (_row_of(connection, prefix),)).fetchall()
    return tuple(VersionOfIt(number, at, json.loads(origin)["by"]) for number, at, origin in rows)


def note_copy(shelf: Shelf, prefix: str, version: int, text: str) -> None:
    """Count runs of *text*, a changed copy of *version*, for the entry from now on. Raises NotOnShelf."""
    with shelf.writing() as connection:
        row = _row_of(connection, prefix)
        connection.execute("INSERT OR REPLACE INTO copy VALUES (?,?,?)", (_digest(text), row, version))


def stamp_of(shelf: Shelf) -> int:
    """A value that changes whenever anybody else writes to the shelf."""
    with shelf.reading() as connection:
        return int(connection.execute("PRAGMA data_version").fetchone()[0])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _subject(path: Path) -> str:
    return _("The shelf “{path}”").format(path=path)


def _prepare(connection: sqlite3.Connection, path: Path, wait_s: float) -> None:
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > _VERSION:
        raise failure(Trouble.NEWER, _subject(path))
    write_ahead(connection, wait_s)
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")
    if found < _VERSION:
        connection.execute("BEGIN IMMEDIATE")
        found = connection.execute("PRAGMA user_version").fetchone()[0]  # another program may have been quicker
        for tables in _UPGRADES[found:]:
            for statement in filter(str.strip, tables.split(";\n")):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version={_VERSION}")
        connection.execute("COMMIT")


def _known_row(connection: sqlite3.Connection, kept: Kept, digest: str, into: str) -> int | None:
    """The entry that *kept* stands in already."""
    if kept.origin.cycle:
        found = connection.execute("SELECT playbook FROM version WHERE cycle=?", (kept.origin.cycle,)).fetchone()
        if found is not None:
            return int(found[0])
    query = """SELECT v.playbook FROM version v JOIN playbook p ON p.row = v.playbook
        WHERE v.digest=? AND v.version = p.version AND (p.goal=? OR p.row=?)"""
    row = _row_of(connection, into) if into else -1
    found = connection.execute(query, (digest, kept.origin.goal, row)).fetchone()
    return int(found[0]) if found is not None else None


def _new_entry(connection: sqlite3.Connection, kept: Kept, owner: str) -> int:
    at = now_text()
    name = hashlib.sha256(f"{owner}\0{kept.origin.goal}\0{kept.title}\0{at}\0{kept.text}".encode("utf-8", "replace"))
    tags = json.dumps(sorted(kept.tags), ensure_ascii=False)
    values = (name.hexdigest()[:12], kept.title, kept.origin.goal, kept.description, kept.format, owner, tags, 0, at)
    columns = "id, title, goal, description, format, owner, tags, version, made_at"
    found = connection.execute(f"INSERT INTO playbook ({columns}) VALUES (?,?,?,?,?,?,?,?,?)", values)
    assert found.lastrowid is not None
    return found.lastrowid


def _new_version(connection: sqlite3.Connection, row: int, kept: Kept, digest: str) -> None:
    origin = kept.origin
    told = {name: getattr(origin, name) for name in ("goal", "by", "cycle", "patterns", "context")}
    values = [dict(kept.plan), {**told, "notes": list(origin.notes)}, dict(kept.imports), list(map(dict, kept.tools))]
    plan, whence, imports, tools = (json.dumps(value, sort_keys=True) for value in values)
    version, title = _next_version(connection, row, kept.title)
    connection.execute(
        "INSERT INTO version VALUES (?,?,?,?,?,?,?,?,?,?)",
        (row, version, kept.text, digest, plan, whence, origin.cycle, imports, tools, now_text()),
    )
    update = "UPDATE playbook SET version=?, title=?, description=?, format=? WHERE row=?"
    connection.execute(update, (version, title, kept.description, kept.format, row))


def _next_version(connection: sqlite3.Connection, row: int, title: str) -> tuple[int, str]:
    """The number of the next version, and the title: *title*, unless a person has chosen another one."""
    number, was, goal = connection.execute("SELECT version, title, goal FROM playbook WHERE row=?", (row,)).fetchone()
    found = connection.execute("SELECT plan FROM version WHERE playbook=? AND version=?", (row, number)).fetchone()
    is_given = found is None or was in {goal, json.loads(found[0]).get("title")}
    return number + 1, title if is_given else was


def _index(connection: sqlite3.Connection, row: int) -> None:
    title, goal, description, tags = connection.execute(
        "SELECT title, goal, description, tags FROM playbook WHERE row=?", (row,)
    ).fetchone()
    connection.execute("DELETE FROM words WHERE rowid=?", (row,))
    texts = [" ".join(words(each)) for each in (title, goal, f"{description} {tags}")]
    connection.execute("INSERT INTO words (rowid, title, goal, rest) VALUES (?,?,?,?)", (row, *texts))


def _row_of(connection: sqlite3.Connection, prefix: str) -> int:
    """The row of the entry whose id begins with *prefix*, or whose title it is. Raises NotOnShelf."""
    query = "SELECT row FROM playbook WHERE id=?"
    found = connection.execute(query, (prefix,)).fetchone()
    if found is None:
        rows = connection.execute(f"SELECT {_COLUMNS} FROM playbook p ORDER BY p.made_at DESC, p.row DESC")
        found = connection.execute(query, (chosen(prefix, map(_as_entry, rows)).id,)).fetchone()
    return int(found[0])


def _entry(connection: sqlite3.Connection, row: int) -> Entry:
    return _as_entry(connection.execute(f"SELECT {_COLUMNS} FROM playbook p WHERE p.row=?", (row,)).fetchone())


def _as_entry(row: Sequence[Any]) -> Entry:
    values = (*row[:6], tuple(json.loads(row[6])), *row[7:-1], row[-1] or "")
    return Entry(*values)


def _fit(entry: Entry, wanted: Sequence[str], begun: str) -> float:
    """The share of *wanted* that the entry has, in its goal and title before all; words that begin alike count."""
    own = {*words(entry.goal), *words(entry.title)}
    rest = {*words(entry.description), *(word for tag in entry.tags for word in words(tag))}
    found = sum(1.0 if _has(own, word, begun) else 0.5 if _has(rest, word, begun) else 0.0 for word in wanted)
    return found / len(wanted)


def _may_go_on(word: str, begun: str) -> bool:
    """Whether *word* also stands for longer ones; *begun* is still being typed."""
    return word == begun or len(word) >= _SHORTEST_PREFIX


def _has(known: set[str], word: str, begun: str) -> bool:
    if word in known:
        return True
    return _may_go_on(word, begun) and any(
        each.startswith(word) or (len(each) >= _SHORTEST_PREFIX and word.startswith(each)) for each in known
    )
