"""Long and old runs take little room: they are packed, searched, pinned, pruned, and are what they were."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.million_run import RARE, RUN, million_events
from tests.conftest import examples
from tests.core.steplist_cutting import IN_MEMORY
from workbench.engine.audit.chain import check_chain, json_lines
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.codec import decoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_list import RunSummary
from workbench.engine.journal.storage import packs
from workbench.engine.journal.storage.packs import packed_of
from workbench.engine.journal.storage.room import Retention, compact, leave_out, set_pin, sizes, surplus
from workbench.engine.journal.storage.words import find_text, places_of, runs_with
from workbench.errors import StoreFailed

_COUNT = 6_000
_DAY_NS = 86_400_000_000_000


@pytest.fixture(scope="module")
def events() -> tuple[RunEvent, ...]:
    """A run that is long enough to be packed as it goes on."""
    return tuple(million_events(_COUNT))


@pytest.fixture
def journal(tmp_path: Path, events: Sequence[RunEvent]) -> Journal:
    """A journal with that run, written in batches as a run writes."""
    journal = Journal(tmp_path / "runs.sqlite", b"k" * 32)
    for first in range(0, len(events), 200):
        journal.append(events[first : first + 200])
    return journal


def _event(run: str, seq: int, type_: str = "log", **body: object) -> RunEvent:
    return RunEvent(RunId(run), seq, decoded(type_, body), 1, 2)


def _begin(journal: Journal, run: str, **body: object) -> None:
    journal.append([_event(run, 0, "run.created", playbook="Main", path="a.md"), _event(run, 1, **body)])


def _packed(journal: Journal, run: RunId = RUN) -> int:
    with journal.reading() as connection:
        return packed_of(connection, run)


def test_a_long_run_is_packed_while_it_goes_on_but_for_its_newest_events(journal: Journal) -> None:
    packed = _packed(journal)
    assert packed == 1_536
    assert _COUNT - packed < packs.KEPT_ROWS + 2 * packs.SIZE


def test_a_packed_run_is_read_as_it_was_written(journal: Journal, events: Sequence[RunEvent]) -> None:
    assert journal.check(RUN) == events
    compact(journal, [RUN])
    assert _packed(journal) == _COUNT
    assert journal.check(RUN) == events


@pytest.mark.parametrize("first", [0, 1, 511, 512, 1_000, 1_535, 1_536, 5_999, 6_000])
def test_a_packed_run_is_read_from_any_event_on(first: int, journal: Journal, events: Sequence[RunEvent]) -> None:
    assert journal.read(RUN, first, 700) == events[first : first + 700]
    compact(journal, [RUN])
    assert journal.read(RUN, first, 700) == events[first : first + 700]


def test_the_chain_signature_and_export_of_a_packed_run_are_those_of_its_rows(
    journal: Journal, events: Sequence[RunEvent]
) -> None:
    before = check_chain(journal, RUN)
    compact(journal, [RUN])
    after = check_chain(journal, RUN)
    assert (after.head, after.sound, after.signature) == (before.head, _COUNT, before.signature)
    assert list(json_lines(journal.read(RUN))) == list(json_lines(tuple(events)))


def test_a_run_goes_on_after_it_was_packed_whole(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    _begin(journal, "r", text="é\udc80 ☃", big="x" * 5000)
    compact(journal, [RunId("r")])
    journal.append([_event("r", 2, big="x" * 5000), _event("r", 3)])
    compact(journal, [RunId("r")])
    journal.append([_event("r", 4)])
    assert [event.seq for event in journal.check(RunId("r"))] == [0, 1, 2, 3, 4]
    assert journal.read(RunId("r"), 1, 1) == (_event("r", 1, text="é\udc80 ☃", big="x" * 5000),)
    assert [event.seq for event in journal.read(RunId("r"), 3, 9)] == [3, 4]


@pytest.mark.parametrize(
    ("damage", "sound"),
    [
        ("UPDATE pack SET data = zeroblob(10) WHERE first = 512", 512),
        ("UPDATE pack SET data = (SELECT data FROM pack WHERE first = 0) WHERE first = 512", 512),
        ("UPDATE pack SET hash = zeroblob(32) WHERE first = 512", 512),
        ("UPDATE pack SET prev_hash = zeroblob(32) WHERE first = 512", 512),
        ("DELETE FROM pack WHERE first = 0", 0),
        ("DELETE FROM pack WHERE first = 1024", 1024),
        ("UPDATE pack SET first = 513 WHERE first = 512", 512),
    ],
)
def test_whoever_changes_a_pack_is_found_out(damage: str, sound: int, journal: Journal) -> None:
    with sqlite3.connect(journal.path) as connection:
        connection.execute(damage)
    connection.close()
    assert len(journal.read(RUN)) == sound
    assert not check_chain(journal, RUN).is_sound
    with pytest.raises(StoreFailed, match="damaged after"):
        journal.check(RUN)


def test_the_first_changed_event_of_a_pack_is_named(journal: Journal) -> None:
    with sqlite3.connect(journal.path) as connection:
        (data,) = connection.execute("SELECT data FROM pack WHERE first = 512").fetchone()
        lines = zlib.decompress(data).split(b"\n")
        lines[2 + 7] = b'{"text":"forged"}'
        connection.execute("UPDATE pack SET data = ? WHERE first = 512", (zlib.compress(b"\n".join(lines)),))
    connection.close()
    assert check_chain(journal, RUN).first_broken == 512 + 7


def test_rows_that_were_changed_are_packed_by_nobody(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    _begin(journal, "r")
    with sqlite3.connect(journal.path) as connection:
        connection.execute("UPDATE event SET prev_hash = zeroblob(32) WHERE seq = 1")
    connection.close()
    compact(journal, [RunId("r")])
    assert _packed(journal, RunId("r")) == 0
    assert len(journal.read(RunId("r"))) == 1


class _Killed(BaseException):
    """The end of the process, before a statement."""


class _Cut:
    """A connection that ends with statement number *left*."""

    def __init__(self, connection: sqlite3.Connection, left: int) -> None:
        self.connection = connection
        self.left = left

    def __getattr__(self, name: str) -> object:
        return getattr(self.connection, name)

    def execute(self, *statement: object) -> object:
        self.left -= 1
        if self.left < 0:
            raise _Killed
        return self.connection.execute(*statement)  # type: ignore[arg-type]


@pytest.mark.parametrize("left", range(30))
def test_a_crash_between_any_two_statements_loses_nothing(left: int, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    _begin(journal, "r", text="kept")
    journal.append([_event("r", seq, n=seq) for seq in range(2, 40)])
    before = journal.read(RunId("r"))
    whole = journal._connection
    journal._connection = _Cut(whole, left)  # type: ignore[assignment]
    with suppress(_Killed):
        compact(journal, [RunId("r")])
    whole.close()
    journal = Journal(tmp_path / "runs.sqlite")
    assert journal.check(RunId("r")) == before
    assert [hit.seq for hit in find_text(journal, "kept")] == [1]


def test_words_are_found_in_packs_in_rows_and_in_long_texts(journal: Journal, events: Sequence[RunEvent]) -> None:
    expected = [event.seq for event in events if RARE in str(event)]
    assert expected
    assert list(places_of(journal, RARE.upper(), RUN)) == expected
    journal.append([_event(RUN, _COUNT, text="late"), _event(RUN, _COUNT + 1, big="y" * 3000 + " deep\nwell Äpfel")])
    assert list(places_of(journal, "late", RUN)) == [_COUNT]
    assert list(places_of(journal, "äpf deep", RUN)) == [_COUNT + 1]
    assert list(places_of(journal, "pfel", RUN)) == []
    assert list(places_of(journal, "well deep tool.call", RUN)) == []
    assert list(places_of(journal, "·", RUN)) == []


_LETTERS = st.sampled_from('ab Ä_-"\\\n.')


@settings(max_examples=examples(40))
@given(st.lists(st.text(_LETTERS, max_size=12), max_size=8), st.text("abÄ_-", min_size=1, max_size=3))
def test_the_index_finds_what_a_look_at_every_event_finds(texts: list[str], word: str) -> None:
    journal = Journal(IN_MEMORY)
    _begin(journal, "r")
    journal.append([_event("r", seq, text=text) for seq, text in enumerate(texts, 2)])
    plain = find_text(journal, word)
    compact(journal, [RunId("r")])
    journal.append([_event("r", len(texts) + 2, "run.completed")])
    assert find_text(journal, word) == plain
    journal.close()


def test_runs_are_found_by_what_they_say(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    _begin(journal, "one", text="apples")
    _begin(journal, "two", text="pears")
    journal.append([_event("two", 2, "run.completed", returned=None)])
    assert runs_with(journal, "pear") == {"two"}
    assert runs_with(journal, "apple pear") == frozenset()
    assert runs_with(journal, "Main") == {"one", "two"}


def test_a_run_that_is_left_out_takes_with_it_what_only_it_has(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite", b"k" * 32)
    shared, own = journal.keep(b"the text of both"), journal.keep(b"the text of one")
    _begin(journal, "one", texts=[shared, own], big="x" * 5000)
    _begin(journal, "two", text=shared)
    leave_out(journal, [RunId("one")])
    assert [one.id for one in journal.runs()] == ["two"]
    assert journal.kept(shared) == b"the text of both"
    with pytest.raises(StoreFailed):
        journal.kept(own)
    with sqlite3.connect(journal.path) as connection:
        left = [
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("event", "blob", "signature")
        ]
    connection.close()
    assert left == [2, 1, 1]
    assert find_text(journal, "x" * 5000) == ()


def test_a_text_that_a_run_is_just_begun_with_is_not_lost_with_an_old_run_of_it(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    beginning, cleaning = Journal(file), Journal(file)
    part = cleaning.keep(b"a linked text")
    text = cleaning.keep({"linked": part})
    _begin(cleaning, "old", text=text)
    assert (beginning.keep(b"a linked text"), beginning.keep({"linked": part})) == (part, text)
    leave_out(cleaning, [RunId("old")])  # nobody names the text just now
    _begin(beginning, "new", text=text)
    assert beginning.kept(part) == b"a linked text" and cleaning.kept(text)
    leave_out(cleaning, [RunId("new")])
    with pytest.raises(StoreFailed):
        cleaning.kept(text)
    beginning.close()
    cleaning.close()


def test_nothing_goes_on_from_a_run_that_was_left_out_meanwhile(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    _begin(journal, "old")
    leave_out(journal, [RunId("old")])
    taken = [_event("new", 0, "run.created", playbook="Main", path="a.md")]
    with pytest.raises(StoreFailed, match="removed"):
        journal.append_synced(taken, RunId("old"))
    assert journal.runs() == ()
    journal.close()


def test_neither_a_pinned_nor_a_running_run_is_left_out(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    _begin(journal, "pinned")
    _begin(journal, "live")
    set_pin(journal, RunId("pinned"), is_pinned=True)
    lease = journal.lease(RunId("live"))
    leave_out(journal, [RunId("pinned"), RunId("live")])
    lease.release()
    assert {(one.id, one.is_pinned) for one in journal.runs()} == {("pinned", True), ("live", False)}


def test_compacting_makes_the_store_smaller_and_its_index_exact(journal: Journal) -> None:
    _begin(journal, "other", text="something else")
    compact(journal, [RUN, RunId("other")])
    leave_out(journal, [RUN])
    done = compact(journal, [RunId("other")])
    assert done.after < done.before / 2
    assert find_text(journal, RARE) == ()
    assert [hit.run for hit in find_text(journal, "something")] == ["other"]
    assert sizes(journal).keys() == {"other"}


def _summary(name: str, days: int, *, ended: bool = True, live: bool = False, pinned: bool = False) -> RunSummary:
    at_ns = (100 - days) * _DAY_NS
    status = RunStatus.COMPLETED if ended else RunStatus.PAUSED
    return RunSummary(RunId(name), "Main", "", status, at_ns, at_ns if ended else 0, 9, "", live, pinned)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Retention(), ""),
        (Retention(days=4), "fe"),
        (Retention(runs=2), "fd"),
        (Retention(bytes=25), "fd"),
        (Retention(days=4, runs=3), "fed"),
    ],
)
def test_what_is_above_a_limit_is_left_out_but_what_is_pinned_runs_or_can_go_on(rule: Retention, expected: str) -> None:
    listed = (
        _summary("a", 0, live=True, ended=False),
        _summary("b", 1),
        _summary("c", 2, pinned=True),
        _summary("d", 3),
        _summary("e", 5, ended=False),
        _summary("f", 9),
    )
    gone = surplus(listed, {RunId(each): 10 for each in "abcdef"}, rule, 100 * _DAY_NS)
    assert {one.id for one in gone} == set(expected)
