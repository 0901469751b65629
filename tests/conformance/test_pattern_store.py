"""Patterns: what is recorded, ranked and kept, whatever happens to the disk."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import random
import resource
import signal
import stat
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from tests.conftest import PATIENCE_S, examples
from workbench.disk.unfinished import clear_up
from workbench.errors import StoreFailed
from workbench.library.entries import Evidence, Outcome, PromotionEvent, PromotionState, pattern_id, variant_id
from workbench.library.exchange import export_patterns, import_patterns
from workbench.library.relevance.relevance import relevant_to
from workbench.library.run_recording import CallRecord, RunRecord, record_run
from workbench.library.store import PatternStore, back_up
from workbench.library.task_types import classify_task_type, extract_outcome, extract_task_type, outcome_of

PROMOTED = PromotionEvent("", PromotionState.ACCEPTED)

FORK = multiprocessing.get_context("fork")


@pytest.fixture
def store(tmp_path: Path) -> PatternStore:
    return PatternStore(tmp_path / "patterns.sqlite")


def published(text: str, tools: list[str]) -> str:
    """The formula as it is published, written down once more."""
    return hashlib.sha256((text + ":" + ",".join(sorted(tools))).encode("utf-8")).hexdigest()[:16]


def test_the_first_record_counts_one_and_copies_the_list(store: PatternStore) -> None:
    tools = ["a", "b"]
    entry = store.record("shell", "d", tools, "h")
    tools.append("c")
    assert (entry.success_count, entry.promoted, entry.tool_sequence) == (1, False, ("a", "b"))
    assert entry.created_at


def test_a_repeat_adds_one_and_replaces_description_and_hint(store: PatternStore) -> None:
    first = store.record("shell", "old", ["a", "b"], "old hint")
    store.set_state(first.pattern_id, PROMOTED)
    second = store.record("shell", "new", ["b", "a"], "new hint")
    assert (second.success_count, second.description, second.prompt_template) == (2, "new", "new hint")
    assert (second.created_at, second.promoted) == (first.created_at, True)


def test_ids_are_the_published_formula_and_orders_are_variants(store: PatternStore) -> None:
    source = random.Random(75)
    alphabet = "ab,:é日 \U0001f600"
    for _time in range(1000):
        words = ["".join(source.choices(alphabet, k=source.randint(0, 5))) for _word in range(source.randint(1, 6))]
        assert pattern_id(words[0], words[1:]) == published(words[0], words[1:])
    for tools in (["test", "deploy"], ["deploy", "test"], ["test", "deploy"]):
        entry = store.record("shell", "ship", tools)
    best, other = store.variants(entry.pattern_id)
    assert (best.tools, best.success_count) == (("test", "deploy"), 2)
    assert (other.tools, other.success_count) == (("deploy", "test"), 1)


def test_what_shares_an_id_is_told_apart_as_variants(store: PatternStore) -> None:
    assert pattern_id("t", ["a,b"]) == pattern_id("t", ["a", "b"])
    assert variant_id("t", ["a,b"]) != variant_id("t", ["a", "b"])
    assert pattern_id("x:y", ["z"]) == pattern_id("x", ["y:z"])
    store.record("t", "", ["a,b"])
    entry = store.record("t", "", ["a", "b"])
    assert {variant.tools for variant in store.variants(entry.pattern_id)} == {("a,b",), ("a", "b")}
    with pytest.raises(ValueError, match="blank"):
        store.record("t", "", [""])


def test_no_tools_are_allowed_by_the_api_and_not_recorded_from_runs(store: PatternStore) -> None:
    assert store.record("chat", "talk", []).tool_sequence == ()
    assert record_run(store, RunRecord("r", (), "completed", "talk")) is None


def test_only_successful_calls_up_to_fifty_with_repeats_collapsed(store: PatternStore) -> None:
    calls = tuple(CallRecord(f"t{number}") for number in range(60))
    entry = record_run(store, RunRecord("r", (CallRecord("x", False), calls[0], *calls), "completed", "d"))
    assert entry is not None
    assert entry.tool_sequence == tuple(f"t{number}" for number in range(50))
    assert store.variants(entry.pattern_id)[0].text.startswith("t0 ×2 → t1 → ")


def test_relevant_patterns_are_the_most_proven_of_their_type(store: PatternStore) -> None:
    few, many = store.record("shell", "few", ["a"]), store.record("shell", "many", ["b"])
    store.record("shell", "many", ["b"])
    wider = store.record("shell+file", "both", ["a", "c"])
    for _time in range(5):
        store.record("web", "other", ["w"])
    ids = [entry.pattern_id for entry in store.get_relevant("shell", 9)]
    assert ids == [many.pattern_id, few.pattern_id, wider.pattern_id]
    assert store.get_relevant("shell", 0) == ()
    with pytest.raises(ValueError, match="negative"):
        store.get_relevant("shell", -1)
    assert relevant_to(store, "do few things")[0].entry.pattern_id == few.pattern_id


def test_failures_are_recorded_and_change_the_ranking(store: PatternStore) -> None:
    for number in range(4):
        failure = Evidence(outcome=Outcome.FAILURE, reason="timeout")
        store.record("shell", "clean the disk", ["shaky"], evidence=Evidence() if number % 2 else failure)
        store.record("shell", "clean the disk", ["sound"], evidence=Evidence())
    sound, shaky = relevant_to(store, "clean the disk", 2)
    assert sound.entry.tool_sequence == ("sound",)
    assert shaky.entry.success_rate == 0.5
    assert shaky.score < sound.score


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("prune the tree", "chat"),
        ("what's my profile?", "chat"),
        ("credit report", "chat"),
        ("runtime error", "chat"),
        ("transcript ready", "chat"),
        ("Run the script", "shell"),
        ("RUN it, then save the file", "shell+file"),
        ("run curl and fetch the page", "shell+web"),
        ("Lösche die Dateien", "chat"),
    ],
)
def test_the_task_type_is_guessed_from_whole_words(text: str, expected: str) -> None:
    assert classify_task_type(text) == expected


def test_the_table_can_be_replaced_and_tools_say_more_than_words() -> None:
    assert classify_task_type("Lösche die Dateien", {"file": frozenset({"dateien"})}) == "file"
    assert extract_task_type(["shell_exec", "file_read"]) == "shell+file"
    assert extract_task_type(["mcp__git__commit"]) == "git"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Successfully deployed", Outcome.SUCCESS),
        ("All done.", Outcome.SUCCESS),
        ("Not successfully deployed", Outcome.FAILURE),
        ("nothing was done", Outcome.FAILURE),
        ("Error: failed, but the backup completed", Outcome.FAILURE),
        ("I couldn’t finish it", Outcome.FAILURE),
        ("Here is the list", Outcome.PARTIAL),
    ],
)
def test_words_say_the_outcome_only_when_nothing_else_does(text: str, expected: Outcome) -> None:
    assert extract_outcome(text) is expected
    assert outcome_of("failed", None, "all done") is Outcome.FAILURE
    assert outcome_of("completed", False, "all done") is Outcome.PARTIAL
    assert outcome_of("completed", None, "could not be worse") is Outcome.SUCCESS
    assert outcome_of("", None, text) is expected


def test_a_damaged_store_is_copied_aside_and_never_overwritten(store: PatternStore) -> None:
    for number in range(20):
        store.record("shell", "d", [f"t{number}"])
    back_up(store)
    store.close()
    cut = store.path.read_bytes()[:-10]
    store.path.write_bytes(cut)
    for attempt in (PatternStore(store.path).count, lambda: PatternStore(store.path).record("shell", "d", ["new"])):
        with pytest.raises(StoreFailed, match="backup"):
            attempt()
    assert store.path.read_bytes() == cut
    (copy,) = store.path.parent.glob("*.corrupt-*")
    assert copy.read_bytes() == cut
    assert PatternStore(store.path.with_name(store.path.name + ".backup")).count() == 20


def test_unknown_fields_are_kept_and_a_newer_store_is_only_read(store: PatternStore, tmp_path: Path) -> None:
    file = tmp_path / "playbook.json"
    entries = [
        {"task_type": "shell", "description": "d", "tool_sequence": ["a"], "success_count": 2, "confidence": 0.9},
        {"task_type": "web", "description": "e", "tool_sequence": ["b"]},
    ]
    file.write_text(json.dumps(entries))
    assert import_patterns(store, file).added == 2
    store.record("shell", "d", ["a"])
    out = {entry["task_type"]: entry for entry in json.loads(export_patterns(store.patterns()))}
    assert (out["shell"]["confidence"], out["shell"]["success_count"]) == (0.9, 3)
    with store.database.writing() as connection:
        connection.execute("PRAGMA user_version = 7")
    store.close()
    newer = PatternStore(store.path)
    assert newer.count() == 2
    with pytest.raises(StoreFailed, match="newer"):
        newer.record("shell", "d", ["a"])


@pytest.mark.parametrize("mode", [0o000, 0o400])
def test_a_store_that_cannot_be_written_to_is_told(store: PatternStore, mode: int) -> None:
    store.record("shell", "d", ["a"])
    store.close()
    before = store.path.read_bytes()
    store.path.chmod(mode)
    with pytest.raises(StoreFailed):
        PatternStore(store.path).record("shell", "d", ["a"])
    store.path.chmod(0o600)
    assert store.path.read_bytes() == before


def test_a_full_disk_is_told_and_the_record_is_not_there(store: PatternStore) -> None:
    store.record("shell", "d", ["a"])
    with store.database.reading() as connection:
        connection.execute(f"PRAGMA max_page_count={connection.execute('PRAGMA page_count').fetchone()[0]}")
    with pytest.raises(StoreFailed, match="full"):
        store.record("shell", "d" * 400_000, ["b"])
    assert store.count() == 1


def _record_on_a_full_disk(path: Path) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 100_000,) * 2)
    store = PatternStore(path)
    for number in range(1000):
        try:
            store.record("shell", "long " * 2000, [f"t{number}"])
        except StoreFailed:
            os._exit(7)


def test_a_disk_that_takes_no_more_leaves_all_that_was_acknowledged(store: PatternStore) -> None:
    store.record("shell", "d", ["a"])
    store.close()
    process = FORK.Process(target=_record_on_a_full_disk, args=(store.path,))
    process.start()
    process.join(PATIENCE_S)
    assert process.exitcode == 7
    assert store.entry(pattern_id("shell", ["a"])).success_count == 1
    store.record("shell", "d", ["a"])


def _record_many(path: Path, worker: int, times: int) -> None:
    store = PatternStore(path, lock_wait_s=PATIENCE_S)
    for number in range(times):
        store.record("shell", "shared" if number % 2 else "own", ["same"] if number % 2 else [f"t{worker}-{number}"])


@pytest.mark.slow
@pytest.mark.parametrize("workers", [2, 8])
def test_many_processes_lose_nothing(tmp_path: Path, workers: int) -> None:
    path = tmp_path / "patterns.sqlite"
    running = [FORK.Process(target=_record_many, args=(path, worker, 200)) for worker in range(workers)]
    for process in running:
        process.start()
    for process in running:
        process.join(PATIENCE_S)
        assert process.exitcode == 0
    store = PatternStore(path)
    assert store.count() == workers * 100 + 1
    assert sum(entry.success_count for entry in store.patterns()) == workers * 200


def test_the_wait_for_the_lock_is_bounded(store: PatternStore) -> None:
    store.record("shell", "d", ["a"])
    with store.database.writing(), pytest.raises(StoreFailed, match="another program"):
        PatternStore(store.path, lock_wait_s=0.2).record("shell", "d", ["b"])


def _record_until_killed(path: Path, trial: int, acknowledged: Connection) -> None:
    store = PatternStore(path)
    for number in range(100_000):
        name = f"{trial}-{number}"
        store.record("shell", "d", [name], evidence=Evidence(run=name))
        acknowledged.send_bytes(name.encode())


def test_a_killed_process_loses_no_acknowledged_record_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path, source = tmp_path / "patterns.sqlite", random.Random(87)
    acknowledged: set[str] = set()
    for trial in range(examples(40, 100)):
        acknowledged |= _one_kill(path, trial, source.uniform(0, 0.03))
    clear_up()  # as every start does: a process that is killed while it makes the store leaves its draft
    store = PatternStore(path)
    store.record("shell", "after", ["after"])
    stored = {entry.tool_sequence[0] for entry in store.patterns()}
    store.close()
    assert acknowledged
    assert acknowledged <= stored
    assert sorted(each.name for each in tmp_path.iterdir()) == ["patterns.sqlite"]


def _one_kill(path: Path, trial: int, delay_s: float) -> set[str]:
    """What a process had acknowledged when it was killed."""
    receiver, sender = FORK.Pipe(duplex=False)
    process = FORK.Process(target=_record_until_killed, args=(path, trial, sender))
    process.start()
    sender.close()
    if trial % 2:
        # however busy the machine is, every second process has acknowledged something
        assert receiver.poll(PATIENCE_S)
    time.sleep(delay_s)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    heard: set[str] = set()
    try:
        while receiver.poll():
            heard.add(receiver.recv_bytes().decode())
    except EOFError:
        pass
    receiver.close()
    return heard


def filled(folder: Path, entries: int) -> PatternStore:
    """A store with some patterns of forty types."""
    store, file = PatternStore(folder / f"{entries}.sqlite"), folder / f"{entries}.json"
    types = [(number, f"type{number % 40}") for number in range(entries)]
    patterns = [{"task_type": t, "description": f"task {n} words", "tool_sequence": [f"t{n}"]} for n, t in types]
    file.write_text(json.dumps(patterns))
    import_patterns(store, file)
    return store


def steps_of_sqlite(store: PatternStore, work: Callable[[], object]) -> int:
    """How many steps SQLite's machine takes for *work*: unlike time, the same whenever it is counted."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    with store.database.reading() as connection:
        connection.set_progress_handler(count, 1)
    work()
    with store.database.reading() as connection:
        connection.set_progress_handler(None, 0)
    return steps


def test_a_record_costs_the_same_in_a_large_store(tmp_path: Path) -> None:
    # the benchmark takes the time of a hundred thousand
    small, large = (
        [steps_of_sqlite(store, partial(store.record, "type1", name, [name])) for name in "abc"]
        for store in (filled(tmp_path, 100), filled(tmp_path, 4_000))
    )
    assert large == small
    assert min(small) > 0


def test_the_newest_entry_of_another_program_is_found_at_the_same_cost(tmp_path: Path) -> None:
    costs = []
    for entries in (100, 4_000):
        store = filled(tmp_path, entries)
        fresh = PatternStore(store.path).record("type1", "brand new words", ["newest"])
        found = relevant_to(store, "brand new words", task_type="type1")
        assert found[0].entry.pattern_id == fresh.pattern_id
        costs.append(steps_of_sqlite(store, partial(relevant_to, store, "brand new words", task_type="type1")))
    assert 0 < costs[1] < 2 * costs[0]


def test_the_store_is_private_and_hints_are_opt_in_and_redacted(tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite"
    link.symlink_to(tmp_path / "real.sqlite")
    store = PatternStore(link)
    without = record_run(store, RunRecord("r1", (CallRecord("a"),), "completed", "d"))
    told = RunRecord("r2", (CallRecord("a"),), "completed", "d", hint="my password is hunter2")
    with_hint = record_run(store, told)
    assert without is not None
    assert with_hint is not None
    assert (without.prompt_template, with_hint.prompt_template) == ("", "my password is [removed]")
    assert link.is_symlink()
    assert stat.S_IMODE((tmp_path / "real.sqlite").stat().st_mode) == 0o600
    store.close()
    assert b"hunter2" not in (tmp_path / "real.sqlite").read_bytes()


def test_unicode_is_kept_and_half_a_character_is_refused(store: PatternStore) -> None:
    entry = store.record("überprüfen", "日本語 \U0001f600 e\u0301", ["é", "e\u0301"], "ﬁ")
    assert store.entry(entry.pattern_id) == entry
    assert entry.tool_sequence == ("é", "e\u0301")
    for broken in ("\ud800", "a\udfffb"):
        with pytest.raises(ValueError, match="surrogate"):
            store.record("t", "d", [broken])
    with pytest.raises(ValueError, match="list of names"):
        store.record("t", "d", "abc")
