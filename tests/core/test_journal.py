"""The journal: a chain without gaps in a file that other processes share, and clear words when it cannot be used."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.conftest import PATIENCE_S
from tests.core.cli_driver import Terminal
from tests.core.engine_driver import begin, book, play, scripted, wait_for
from workbench.disk.sqlite_file import WAIT_S
from workbench.engine.backends.person import PersonBackend
from workbench.engine.journal.codec import decoded
from workbench.engine.journal.envelope import FIRST_HASH
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.lease import Owner, handing_over, is_alive, this_process
from workbench.engine.starting import new_run_id, resume_run
from workbench.errors import RunFailed, StoreFailed

_RUN = RunId("r")


def _event(seq: int, type_: str = "log", **body: object) -> RunEvent:
    return RunEvent(_RUN, seq, decoded(type_, body), 1, 2)


def _journal(folder: Path, wait_s: float = WAIT_S) -> Journal:
    journal = Journal(folder / "runs.sqlite", wait_s=wait_s)
    journal.append([_event(0, "run.created", playbook="Main", path="")])
    return journal


def test_what_was_written_is_read_again_the_same(tmp_path: Path) -> None:
    journal = _journal(tmp_path)
    events = [_event(1, text="é\udc80 ☃", n=1.5, deep={"a": [None, True]}), _event(2, big="x" * 5000)]
    journal.append(events)
    assert list(journal.read(_RUN, first=1)) == events


def test_a_run_is_read_in_parts(tmp_path: Path) -> None:
    journal = _journal(tmp_path)
    journal.append([_event(seq, big="x" * 5000) for seq in range(1, 8)])
    parts = [journal.read(_RUN, first, 3) for first in (0, 3, 6, 8)]
    assert [len(part) for part in parts] == [3, 3, 2, 0]
    assert sum(parts, ()) == journal.read(_RUN)


def test_a_new_journal_waits_for_another_program_that_makes_it_at_the_same_moment(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.2, other.commit).start()
    Journal(path, wait_s=PATIENCE_S).close()
    other.close()


@pytest.mark.parametrize("first", [0, 3, 4])
def test_a_part_ends_where_the_chain_does(tmp_path: Path, first: int) -> None:
    journal = _journal(tmp_path)
    journal.append([_event(seq) for seq in range(1, 8)])
    with sqlite3.connect(journal.path) as connection:
        connection.execute("UPDATE event SET body = '{}', at = 99 WHERE seq = 4")
    connection.close()
    assert [event.seq for event in journal.read(_RUN, first, 3)] == [*range(first, min(first + 3, 4))]


def test_rows_are_chained_from_the_first(tmp_path: Path) -> None:
    journal = _journal(tmp_path)
    journal.append([_event(1), _event(2)])
    with sqlite3.connect(journal.path) as connection:
        rows = connection.execute("SELECT prev_hash, hash FROM event ORDER BY seq").fetchall()
    connection.close()
    assert [row[0] for row in rows] == [FIRST_HASH, rows[0][1], rows[1][1]]


def test_a_big_body_is_kept_once(tmp_path: Path) -> None:
    journal = _journal(tmp_path)
    journal.append([_event(1, big="x" * 5000), _event(2, big="x" * 5000)])
    with sqlite3.connect(journal.path) as connection:
        assert connection.execute("SELECT count(*) FROM blob").fetchone() == (1,)
    connection.close()


def test_a_gap_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="Another process"):
        _journal(tmp_path).append([_event(5)])


def test_two_writers_of_one_run_cannot_both_go_on(tmp_path: Path) -> None:
    first, second = _journal(tmp_path), Journal(tmp_path / "runs.sqlite")
    second.append([_event(1)])
    with pytest.raises(StoreFailed):
        first.append([_event(1)])


@pytest.mark.parametrize("change", ["body='{\"n\":2}'", "step='Main:01'", "at=5", "hash=x'00'", "prev_hash=x'00'"])
def test_a_changed_row_ends_what_is_sound(change: str, tmp_path: Path) -> None:
    journal = _journal(tmp_path)
    journal.append([_event(1, n=1), _event(2, n=1), _event(3, n=1)])
    with sqlite3.connect(journal.path) as connection:
        connection.execute(f"UPDATE event SET {change} WHERE seq=2")
    connection.close()
    assert [event.seq for event in journal.read(_RUN)] == [0, 1]
    with pytest.raises(StoreFailed, match="damaged after 2 of 4 events"):
        journal.check(_RUN)


def test_missing_rows_at_the_end_are_noticed(tmp_path: Path) -> None:
    journal = _journal(tmp_path)
    journal.append([_event(1), _event(2)])
    with sqlite3.connect(journal.path) as connection:
        connection.execute("DELETE FROM event WHERE seq=2")
    connection.close()
    with pytest.raises(StoreFailed, match="damaged after 2 of 3"):
        journal.check(_RUN)


def test_a_damaged_run_is_not_resumed(tmp_path: Path) -> None:
    played = play("- Ask user for $a\n", tmp_path)
    journal = Journal(tmp_path / "runs.sqlite")
    with sqlite3.connect(journal.path) as connection:
        connection.execute("DELETE FROM event WHERE seq=4")
    connection.close()
    with pytest.raises(StoreFailed, match="damaged"):
        resume_run(played.run.id, journal, scripted(""))


@pytest.mark.parametrize("damage", ["DELETE FROM event WHERE seq=0", "UPDATE event SET body='{}' WHERE seq=0"])
@pytest.mark.parametrize("command", [("resume",), ("export",), ("audit", "verify")], ids=" ".join)
def test_a_run_whose_beginning_is_damaged_is_refused_in_words(
    command: tuple[str, ...], damage: str, terminal: Terminal, tmp_path: Path
) -> None:
    played = play("- Ask user for $a\n", tmp_path)
    with sqlite3.connect(tmp_path / "runs.sqlite") as connection:
        connection.execute(damage)
    connection.close()
    done = terminal.run(*command, played.run.id, "--store", tmp_path)
    assert done.code in (1, 2)
    assert "0 of" in done.err or "event 0" in done.err


def test_a_run_of_which_nothing_is_left_is_refused_in_words(terminal: Terminal, tmp_path: Path) -> None:
    played = play("- Ask user for $a\n", tmp_path)
    with sqlite3.connect(tmp_path / "runs.sqlite") as connection:
        connection.executescript("DELETE FROM event; UPDATE run SET events=0")
    connection.close()
    assert "what the run began with" in terminal.run("resume", played.run.id, "--store", tmp_path).err
    assert "what the run began with" in terminal.run("export", played.run.id, "--store", tmp_path).err


def test_a_finished_run_is_not_resumed(tmp_path: Path) -> None:
    played = play("- $a = 1\n", tmp_path)
    with pytest.raises(RunFailed, match="has ended"):
        resume_run(played.run.id, Journal(tmp_path / "runs.sqlite"), scripted(""))


def test_an_unknown_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="no run nowhere"):
        resume_run(RunId("nowhere"), Journal(tmp_path / "runs.sqlite"), scripted(""))


@pytest.mark.parametrize(
    "content", [b"not a database, but long enough to look like one" * 50, b"SQLite format 3\0" * 99]
)
def test_a_file_that_is_no_journal_is_called_damaged(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "runs.sqlite").write_bytes(content)
    with pytest.raises(StoreFailed, match="damaged"):
        Journal(tmp_path / "runs.sqlite")


def test_a_newer_journal_is_not_touched(tmp_path: Path) -> None:
    _journal(tmp_path).close()
    with sqlite3.connect(tmp_path / "runs.sqlite") as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(StoreFailed, match="newer"):
        Journal(tmp_path / "runs.sqlite")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFailed, match="cannot be created"):
        Journal(tmp_path / "file" / "runs.sqlite")


def test_a_folder_in_the_place_of_the_journal_is_said_to_be_unwritable(tmp_path: Path) -> None:
    (tmp_path / "runs.sqlite").mkdir()
    with pytest.raises(StoreFailed, match="cannot be written"):
        Journal(tmp_path / "runs.sqlite")


def test_a_journal_that_is_locked_says_so(tmp_path: Path) -> None:
    journal = _journal(tmp_path, wait_s=0.02)
    other = sqlite3.connect(journal.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreFailed, match="locked by another program"):
        journal.append([_event(1)])
    other.close()
    journal.append([_event(1)])


def test_a_run_is_carried_out_once_at_a_time(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin("- Ask user for $a\n", journal, PersonBackend())
    wait_for(run, "input.asked")
    assert journal.runs()[0].is_live
    with pytest.raises(StoreFailed, match="carried out by another process"):
        resume_run(run.id, journal, scripted(""))
    run.stop()
    run.wait()
    assert not journal.runs()[0].is_live


def test_a_lease_is_given_back_where_a_run_cannot_begin(tmp_path: Path) -> None:
    journal = _journal(tmp_path)
    with pytest.raises(KeyError), handing_over(journal.lease(_RUN)):
        raise KeyError
    assert not journal.runs()[0].is_live


def test_a_lease_that_was_handed_over_stays_taken(tmp_path: Path) -> None:
    journal = _journal(tmp_path)
    with handing_over(journal.lease(_RUN)) as lease:
        pass
    assert journal.runs()[0].is_live
    lease.release()


def test_the_lease_of_a_dead_process_is_free_at_once() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    here = this_process()
    owner = Owner(child.pid, _started(child.pid), here.boot, here.host)
    assert is_alive(owner, time.time_ns())
    child.kill()
    child.wait()
    assert child.stdin is not None
    child.stdin.close()
    assert not is_alive(owner, time.time_ns())


def _started(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]


def test_of_another_machine_only_the_heartbeat_counts() -> None:
    owner = Owner(1, "1", "another boot", "another host")
    assert is_alive(owner, time.time_ns())
    assert not is_alive(owner, time.time_ns() - 11_000_000_000)


def test_runs_are_listed_newest_first_with_their_status(tmp_path: Path) -> None:
    play("- $a = 1\n", tmp_path)
    play("- $a = 1 / 0\n", tmp_path)
    play("- Ask user for $a\n", tmp_path)
    runs = Journal(tmp_path / "runs.sqlite").runs()
    assert [run.status.value for run in runs] == ["paused", "failed", "completed"]
    assert [run.is_resumable for run in runs] == [True, False, False]
    assert "Division by zero" in runs[1].error


def test_a_run_is_found_by_how_its_id_begins(tmp_path: Path) -> None:
    played = play("- $a = 1\n", tmp_path)
    journal = Journal(tmp_path / "runs.sqlite")
    assert journal.find(played.run.id[:20]) == played.run.id
    with pytest.raises(StoreFailed, match="no run zzz"):
        journal.find("zzz")


def test_a_run_goes_on_with_the_text_it_was_begun_with(tmp_path: Path) -> None:
    played = play(book("- Ask user for $a\n- Return $a\n"), tmp_path)
    journal = Journal(tmp_path / "runs.sqlite")
    run = resume_run(played.run.id, journal, scripted("answers: [{values: {a: 1}}]"))
    assert run.wait(PATIENCE_S)
    assert run.snapshot.text == played.run.snapshot.text


def test_run_ids_sort_by_time_and_are_version_seven() -> None:
    ids = []
    for _count in range(5):
        ids.append(new_run_id())
        time.sleep(0.002)
    assert ids == sorted(ids)
    assert {run[14] for run in ids} == {"7"}
