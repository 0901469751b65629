"""The store of patterns: what is recorded stays, and nothing is written over what cannot be used."""

from __future__ import annotations

import errno
import hashlib
import multiprocessing
import os
import sqlite3
import stat
import subprocess
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import PATIENCE_S
from workbench.errors import StoreFailed
from workbench.library.entries import (
    Evidence,
    Outcome,
    PatternEntry,
    PromotionEvent,
    PromotionState,
    pattern_id,
    variant_id,
)
from workbench.library.listing import PatternQuery, Sort
from workbench.library.rows import UnknownPattern
from workbench.library.run_recording import CallRecord, RunRecord, record_run
from workbench.library.store import PatternStore, back_up_when_due

PROMOTED = PromotionEvent("", PromotionState.ACCEPTED)

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
TOOLS = st.lists(TEXT.filter(str.strip), max_size=6)


@pytest.fixture
def store(tmp_path: Path) -> PatternStore:
    return PatternStore(tmp_path / "patterns.sqlite")


def record(store: PatternStore, *tools: str, times: int = 1, task_type: str = "shell") -> PatternEntry:
    for _time in range(times):
        entry = store.record(task_type, "Free the disk", tools)
    return entry


@given(TEXT, TOOLS)
def test_the_id_of_a_pattern_is_the_published_formula(task_type: str, tools: list[str]) -> None:
    published = hashlib.sha256(f"{task_type}:{','.join(sorted(tools))}".encode()).hexdigest()[:16]
    assert pattern_id(task_type, tools) == published


def test_a_store_is_private_and_comes_to_be_with_the_first_record(tmp_path: Path) -> None:
    store = PatternStore(tmp_path / "deep" / "patterns.sqlite")
    assert store.patterns() == ()
    assert not store.path.parent.exists()
    record(store, "du")
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    assert sorted(path.name for path in store.path.parent.iterdir() if "new" in path.name) == []


def test_every_order_of_the_tools_is_a_variant_with_its_own_counts(store: PatternStore) -> None:
    record(store, "test", "deploy", times=3)
    entry = record(store, "deploy", "test")
    assert entry.success_count == 4
    assert [(variant.tools, variant.success_count) for variant in store.variants(entry.pattern_id)] == [
        (("test", "deploy"), 3),
        (("deploy", "test"), 1),
    ]


def test_what_one_connection_records_another_sees_at_once(store: PatternStore) -> None:
    other = PatternStore(store.path)
    record(store, "du")
    assert other.count() == 1
    record(other, "du")
    assert store.patterns()[0].success_count == 2


def test_a_run_counts_once_with_its_newest_outcome(store: PatternStore) -> None:
    store.record("shell", "x", ["a"], evidence=Evidence(run="r1", outcome=Outcome.FAILURE, reason="full"))
    entry = store.record("shell", "x", ["a"], evidence=Evidence(run="r1"))
    assert (entry.success_count, entry.failure_count) == (1, 0)
    assert len(store.observations(entry.pattern_id)) == 1


def test_an_observation_keeps_run_time_duration_outcome_and_reason(store: PatternStore) -> None:
    evidence = Evidence("r7", "2026-01-02T03:04:05+00:00", 1200, Outcome.FAILURE, "disk full", playbook="Main")
    entry = store.record("shell", "x", ["a"], evidence=evidence)
    (found,) = store.observations(entry.pattern_id)
    assert (found.run, found.at, found.duration_ms) == ("r7", "2026-01-02T03:04:05.000000+00:00", 1200)
    assert (found.outcome, found.reason, found.playbook) == (Outcome.FAILURE, "disk full", "Main")


def test_an_unknown_pattern_is_named(store: PatternStore) -> None:
    with pytest.raises(UnknownPattern, match="nope"):
        store.set_state("nope", PROMOTED)


def test_patterns_are_found_by_words_type_tool_state_and_record(store: PatternStore) -> None:
    disk = record(store, "du", "rm", times=2)
    web = store.record("web", "Fetch a Page", ["fetch"], evidence=Evidence(outcome=Outcome.FAILURE))
    store.set_state(disk.pattern_id, PROMOTED)

    def found(**query: object) -> list[str]:
        return [entry.pattern_id for entry in store.patterns(PatternQuery(**query))]  # type: ignore[arg-type]

    assert found(text="PAGE fetch") == [web.pattern_id]
    assert found(text=disk.pattern_id) == [disk.pattern_id]
    assert found(task_type="web") == [web.pattern_id]
    assert found(tool="rm") == [disk.pattern_id]
    assert found(tool="r") == []
    assert found(states=frozenset({PromotionState.ACCEPTED})) == [disk.pattern_id]
    assert found(minimum_rate=0.5) == [disk.pattern_id]
    assert found(sort=Sort.NAME) == [web.pattern_id, disk.pattern_id]
    assert found(sort=Sort.SUCCESSES) == [disk.pattern_id, web.pattern_id]


@pytest.mark.parametrize("sort", list(Sort))
def test_every_order_lists_every_pattern(store: PatternStore, sort: Sort) -> None:
    for number in range(5):
        record(store, f"tool{number}")
    assert len(store.patterns(PatternQuery(sort=sort))) == 5
    assert len(store.patterns(PatternQuery(text="tool", sort=sort), limit=3)) == 3


def check_refused(path: Path, words: str) -> None:
    """Reading and recording are refused with *words*, and the file is as it was."""
    before = path.read_bytes()
    with pytest.raises(StoreFailed, match=words):
        PatternStore(path).record("shell", "x", ["a"])
    assert path.read_bytes() == before


def test_an_emptied_store_is_refused_and_left_alone(store: PatternStore) -> None:
    record(store, "du")
    store.close()
    store.path.write_bytes(b"")
    check_refused(store.path, "damaged: it is empty")


def test_a_cut_store_is_refused_and_copied_aside_once(store: PatternStore) -> None:
    record(store, "du")
    store.close()
    store.path.write_bytes(store.path.read_bytes()[:9000])
    check_refused(store.path, "its end is missing")
    check_refused(store.path, "a copy is in")
    assert len(list(store.path.parent.glob("*.corrupt-*"))) == 1


def test_a_store_with_damaged_pages_is_refused(store: PatternStore) -> None:
    record(store, "du")
    store.close()
    data = bytearray(store.path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    store.path.write_bytes(data)
    check_refused(store.path, "damaged")


@pytest.mark.parametrize("content", [b"[]\n", b"hello", b'{"a": 1}'])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "playbook.json"
    path.write_bytes(content)
    check_refused(path, "is not a pattern library")


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    check_refused(path, "is not a pattern library")


def test_a_store_of_a_newer_version_can_be_read_and_is_not_written_to(store: PatternStore) -> None:
    record(store, "du")
    with store.database.writing() as connection:
        connection.execute("PRAGMA user_version = 99")
    store.close()
    newer = PatternStore(store.path)
    assert newer.count() == 1
    with pytest.raises(StoreFailed, match="newer version"):
        record(newer, "du")
    assert newer.patterns()[0].success_count == 1


def test_a_read_only_store_can_be_browsed(store: PatternStore) -> None:
    record(store, "du")
    store.close()
    store.path.chmod(0o400)
    closed = PatternStore(store.path)
    assert closed.count() == 1
    with pytest.raises(StoreFailed, match="read-only"):
        record(closed, "du")


def test_an_unreadable_store_is_refused(store: PatternStore) -> None:
    record(store, "du")
    store.close()
    store.path.chmod(0)
    with pytest.raises(StoreFailed, match="cannot be read"):
        PatternStore(store.path).count()


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="cannot be read"):
        PatternStore(tmp_path).count()


def test_a_full_disk_is_told_and_changes_nothing(store: PatternStore) -> None:
    record(store, "du")
    with store.database.reading() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(StoreFailed, match="disk is full"):
        store.record("shell", "long " * 100_000, ["df"])
    assert PatternStore(store.path).entry(record_id("du")).success_count == 1


def record_id(*tools: str) -> str:
    return pattern_id("shell", tools)


def test_a_store_that_is_in_use_is_waited_for_only_so_long(store: PatternStore) -> None:
    record(store, "du")
    impatient = PatternStore(store.path, lock_wait_s=0.05)
    with store.database.writing(), pytest.raises(StoreFailed, match="locked by another program"):
        record(impatient, "du")


def test_a_linked_store_stays_linked(tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite"
    link.symlink_to(tmp_path / "real.sqlite")
    record(PatternStore(link), "du")
    assert link.is_symlink()
    assert PatternStore(tmp_path / "real.sqlite").count() == 1


def test_a_store_that_was_moved_away_is_noticed(store: PatternStore) -> None:
    record(store, "du")
    store.path.rename(store.path.with_name("away.sqlite"))
    assert store.count() == 0
    record(store, "df")
    assert [entry.tool_sequence for entry in store.patterns()] == [("df",)]


def run(*calls: CallRecord, name: str = "r1", status: str = "completed") -> RunRecord:
    return RunRecord(name, calls, status, "Find an order", playbook="orders.md:Main", reason="lost")


def test_only_calls_that_succeeded_are_recorded_with_repeats_as_one(store: PatternStore) -> None:
    entry = record_run(store, run(CallRecord("a"), CallRecord("a"), CallRecord("bad", False), CallRecord("b")))
    assert entry is not None
    assert entry.tool_sequence == ("a", "b")
    assert store.variants(entry.pattern_id)[0].text == "a ×2 → b"


def test_a_failed_run_counts_against_the_pattern_that_it_followed(store: PatternStore) -> None:
    proven = record_run(store, run(CallRecord("a"), CallRecord("b"), CallRecord("c")))
    failed = record_run(store, run(CallRecord("a"), CallRecord("b", False), name="r2", status="failed"))
    assert proven is not None
    assert failed is not None
    assert failed.pattern_id == proven.pattern_id
    assert (failed.success_count, failed.failure_count) == (1, 1)
    assert store.observations(failed.pattern_id)[0].reason == "lost"


def test_runs_that_say_nothing_are_not_recorded(store: PatternStore) -> None:
    assert record_run(store, run()) is None
    assert record_run(store, run(CallRecord("a", False))) is None
    assert record_run(store, run(CallRecord("a"), status="cancelled")) is None
    assert store.count() == 0


def test_a_hint_is_stored_only_when_given_and_without_secrets(store: PatternStore) -> None:
    told = RunRecord(
        "r", (CallRecord("a"),), "completed", "x", hint="log in, password: hunter2, token sk-abcdefghijklmn1"
    )
    entry = record_run(store, told)
    assert entry is not None
    assert "hunter2" not in entry.prompt_template
    assert "sk-abc" not in entry.prompt_template
    assert entry.prompt_template.startswith("log in")


@given(TOOLS, TOOLS)
def test_different_orders_are_different_variants(first: list[str], second: list[str]) -> None:
    if variant_id("t", first) == variant_id("t", second):
        assert [unicodedata.normalize("NFC", tool) for tool in first] == [
            unicodedata.normalize("NFC", tool) for tool in second
        ]


def test_times_of_any_zone_are_kept_as_utc(store: PatternStore) -> None:
    entry = store.record("t", "d", ["a"], evidence=Evidence(at="2026-05-01T12:00:00+02:00"))
    assert entry.last_seen == "2026-05-01T10:00:00.000000+00:00"
    with pytest.raises(ValueError, match="Invalid isoformat"):
        store.record("t", "d", ["a"], evidence=Evidence(at="yesterday"))


def test_a_store_goes_on_in_a_forked_process(store: PatternStore) -> None:
    record(store, "du")
    fork = multiprocessing.get_context("fork")
    children = [fork.Process(target=record, args=(store, "du"), kwargs={"times": 20}) for _child in range(3)]
    for child in children:
        child.start()
    record(store, "du", times=20)
    for child in children:
        child.join(PATIENCE_S)
        assert child.exitcode == 0
    assert store.patterns()[0].success_count == 81


def test_thirty_threads_on_one_store_lose_nothing(store: PatternStore) -> None:
    with ThreadPoolExecutor(30) as pool:
        for done in [pool.submit(record, store, "du", times=5) for _thread in range(30)]:
            done.result()
    assert store.patterns()[0].success_count == 150


def test_a_pattern_remembers_how_its_last_runs_ended(store: PatternStore) -> None:
    for number in range(20):
        outcome = Outcome.FAILURE if number == 18 else Outcome.SUCCESS
        entry = store.record("t", "d", ["a"], evidence=Evidence(run=f"r{number}", outcome=outcome))
    assert len(entry.recent) == 16
    assert entry.recent[-2:] == (Outcome.FAILURE, Outcome.SUCCESS)
    store.record("t", "d", ["a"], evidence=Evidence(run="r18"))
    assert Outcome.FAILURE not in store.entry(entry.pattern_id).recent


def first_record(path: Path, number: int) -> None:
    """One record over a store of its own, closed again at once, as a command does."""
    store = PatternStore(path, PATIENCE_S)
    record(store, f"tool {number % 4}")
    back_up_when_due(store)
    store.close()


def test_twenty_threads_may_be_the_first_to_use_a_library(tmp_path: Path) -> None:
    path = tmp_path / "new" / "patterns.sqlite"
    with ThreadPoolExecutor(20) as pool:
        for done in [pool.submit(first_record, path, number) for number in range(20)]:
            done.result()
    assert sum(entry.success_count for entry in PatternStore(path).patterns()) == 20


def test_twenty_processes_may_be_the_first_to_use_a_library(tmp_path: Path) -> None:
    path = tmp_path / "new" / "patterns.sqlite"
    fork = multiprocessing.get_context("fork")
    children = [fork.Process(target=first_record, args=(path, number)) for number in range(20)]
    for child in children:
        child.start()
    for child in children:
        child.join(PATIENCE_S)
    assert [child.exitcode for child in children] == [0] * 20
    assert sum(entry.success_count for entry in PatternStore(path).patterns()) == 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="elsewhere a handle that is closed takes no locks along")
def test_looking_at_a_library_leaves_its_locks_to_who_has_it_open(store: PatternStore) -> None:
    record(store, "du")
    PatternStore(store.path).count()
    code = "import sys; from workbench.library.store import PatternStore as P; P(sys.argv[1]).record('t', 'd', ['a'])"
    subprocess.run([sys.executable, "-c", code, store.path], check=True, timeout=PATIENCE_S)
    # the last one to close a store removes its log, and the other process was not the last
    assert store.path.with_name(store.path.name + "-wal").exists()


def test_a_record_is_kept_and_not_told_as_failed_where_no_backup_can_be_made(
    store: PatternStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_paths: Path) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr("workbench.library.store.rename", full)
    first_record(store.path, 1)
    assert store.count() == 1


def test_a_library_comes_to_be_once_where_files_have_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_paths: Path) -> None:
        raise OSError(errno.EPERM, "no links")

    monkeypatch.setattr("os.link", refused)
    path = tmp_path / "patterns.sqlite"
    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(first_record, path, number) for number in range(8)]:
            done.result()
    assert sum(entry.success_count for entry in PatternStore(path).patterns()) == 8
