"""Timers go off when their time has come, also while nobody was there; what waits for a time needs no processor."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from tests.conftest import PATIENCE_S
from tests.core.engine_driver import Played, begin, book, finished, play, wait_for
from workbench.engine.backends.person import NobodyBackend, PersonBackend
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.language.timers import due_after
from workbench.engine.options import RunOptions
from workbench.engine.running.run import Run
from workbench.engine.starting import resume_run
from workbench.model.meaning import Timing
from workbench.model.snapshot import Snapshot

_S = 1_000_000_000
_FAST = "clock: fast-forward\n"
_START = 1_800_000_000 * _S


class HandClock:
    """Shows what a test sets it to. *looks*: how often somebody has looked."""

    def __init__(self, now_ns: int = _START) -> None:
        self.at_ns, self.looks = now_ns, 0

    def now_ns(self) -> int:
        """What was set."""
        self.looks += 1
        return self.at_ns

    def timeout_s(self, _until_ns: int) -> float | None:
        """Nobody looks at it by himself."""
        return None

    def skip_to(self, _until_ns: int) -> bool:
        """It stands still."""
        return False

    def pass_time(self, run: Run, seconds: float) -> None:
        """Let *seconds* pass, and the run look at the clock."""
        self.at_ns += round(seconds * _S)
        run.go_on()


def _program(trigger: str, steps: str = "- Say('Begun')\n", more: str = "") -> Snapshot:
    text = f"# B\n## Main\n### Triggers\n- When program starts\n### Steps\n{steps}"
    return book("", f"{text}## Alarm\n### Triggers\n- {trigger}\n### Steps\n- Say('Ring')\n{more}")


def _by_hand(snapshot: Snapshot, folder: Path, clock: HandClock) -> tuple[Run, Journal]:
    journal = Journal(folder / "runs.sqlite")
    return begin(snapshot, journal, NobodyBackend(), RunOptions(clock=clock)), journal


def _due(played: Played) -> list[tuple[int, int]]:
    """When each timer should have gone off, in seconds after it was set, and how often it was missed."""
    first = played.events[0].at_ns
    return [(round((body["due_ns"] - first) / _S), body.get("missed", 0)) for body in played.bodies("timer.due")]


def test_a_timer_goes_off_once_and_then_the_run_ends(tmp_path: Path) -> None:
    clock = HandClock()
    run, journal = _by_hand(_program("After 5 minutes"), tmp_path, clock)
    wait_for(run, "wait.begun")
    assert (run.state.status, run.state.waiting.wait.until_ns) == (RunStatus.TIMED, _START + 300 * _S)
    clock.pass_time(run, 300)
    played = finished(run, journal)
    assert (played.told(), _due(played), played.state.status) == (["Begun", "Ring"], [(300, 0)], RunStatus.COMPLETED)


def test_a_timer_that_is_set_says_when_it_is_due(tmp_path: Path) -> None:
    run, journal = _by_hand(_program("Every hour"), tmp_path, HandClock())
    set_ = wait_for(run, "wait.begun")
    assert [event.payload.due_ns for event in set_ if event.name == "timer.set"] == [_START + 3600 * _S]
    run.stop()
    finished(run, journal)


def test_a_timer_that_repeats_goes_off_again_and_again(tmp_path: Path) -> None:
    played = play(_program("Every hour"), tmp_path, f"{_FAST}messages:\n- after: 200 minutes\n")
    assert (_due(played), played.told()) == ([(3600, 0), (7200, 0), (10800, 0)], ["Begun", "Ring", "Ring", "Ring"])


def test_what_became_due_meanwhile_goes_off_once_and_says_how_often_it_was_missed(tmp_path: Path) -> None:
    clock = HandClock()
    run, journal = _by_hand(_program("Every hour"), tmp_path, clock)
    wait_for(run, "wait.begun")
    run.leave()
    assert run.wait(PATIENCE_S)
    clock.at_ns += 3 * 3600 * _S + 60 * _S
    again = resume_run(run.id, journal, NobodyBackend(), RunOptions(clock=clock))
    wait_for(again, "wait.begun")
    again.stop()
    played = finished(again, journal)
    assert (_due(played), played.told()) == ([(3600, 2)], ["Begun", "Ring"])
    assert played.bodies("timer.due")[0]["next_ns"] == _START + 4 * 3600 * _S


def test_a_step_waits(tmp_path: Path) -> None:
    played = play("- Wait 10 minutes\n- Say('Up')\n", tmp_path, _FAST)
    begun, over = (next(event for event in played.events if event.name == name) for name in ("wait.begun", "wait.over"))
    assert played.told() == ["Up"]
    assert over.at_ns >= begun.payload.until_ns >= begun.at_ns + 599 * _S
    assert (begun.span, begun.step) == (over.span, "Main:01")


def test_a_step_that_waits_was_left_and_goes_on_waiting_for_the_same_time(tmp_path: Path) -> None:
    clock = HandClock()
    run, journal = _by_hand(book("- Wait 10 minutes\n- Say('Up')\n"), tmp_path, clock)
    wait_for(run, "wait.begun")
    run.leave()
    assert run.wait(PATIENCE_S)
    clock.at_ns += 599 * _S
    again = resume_run(run.id, journal, NobodyBackend(), RunOptions(clock=clock))
    wait_for(again, "wait.begun")
    clock.pass_time(again, 1)
    played = finished(again, journal)
    assert played.told() == ["Up"]
    assert len({event.span for event in played.events if event.name.startswith("wait.")}) == 1


def test_timers_go_off_while_a_step_waits(tmp_path: Path) -> None:
    played = play(_program("Every hour", "- Wait 150 minutes\n- Say('Up')\n"), tmp_path, _FAST)
    assert played.told() == ["Ring", "Ring", "Up"]


def test_a_timer_that_is_due_interrupts_after_the_step_at_work(tmp_path: Path) -> None:
    steps = "- Wait 2 minutes\n- Say('Up')\n- Say('End')\n"
    played = play(_program("After 1 minute", steps), tmp_path, _FAST)
    assert played.told() == ["Ring", "Up", "End"]


def test_two_timers_that_are_due_together_have_their_turn_one_after_the_other(tmp_path: Path) -> None:
    more = "## Bell\n### Triggers\n- After 60 seconds\n### Steps\n- Say('Bell')\n- Say('Bells')\n"
    played = play(_program("After 1 minute", more=more), tmp_path, f"{_FAST}messages:\n- after: 2 minutes\n")
    assert sorted(played.told()) == ["Begun", "Bell", "Bells", "Ring"]
    assert played.told()[1] == "Ring"


def test_messages_and_timers_come_in_the_order_of_their_times(tmp_path: Path) -> None:
    more = "## Hi\n### Triggers\n- When user says 'hi'\n### Steps\n- Say('Hi')\n"
    script = f"{_FAST}messages:\n- hi\n- text: hi\n  after: 10 minutes\n"
    assert play(_program("After 5 minutes", more=more), tmp_path, script).told() == ["Begun", "Hi", "Ring", "Hi"]


def test_without_messages_left_a_script_ends_the_run_whatever_timers_there_are(tmp_path: Path) -> None:
    assert play(_program("Every hour"), tmp_path, _FAST).told() == ["Begun"]


@pytest.mark.parametrize("steer", ["stop", "leave"])
def test_a_run_that_waits_for_a_time_is_ended_at_once(steer: str, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin(_program("Every hour"), journal, PersonBackend())
    wait_for(run, "wait.begun")
    getattr(run, steer)()
    assert run.wait(PATIENCE_S)
    assert run.state.is_over is (steer == "stop")


def test_a_person_may_end_a_run_that_only_waits_for_its_timers(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin(_program("Every hour"), journal, PersonBackend())
    wait_for(run, "wait.begun")
    run.controls.mailbox.send("not heard: nothing listens")
    run.controls.mailbox.end()
    assert finished(run, journal).state.status is RunStatus.COMPLETED


def test_what_waits_looks_at_the_clock_once_and_then_sleeps(tmp_path: Path) -> None:
    clock = HandClock()
    run, journal = _by_hand(_program("Every hour"), tmp_path, clock)
    wait_for(run, "wait.begun")
    for seconds in (1, 2, 3):
        clock.pass_time(run, seconds)
    assert not run.wait(0.05)
    looks = clock.looks
    assert not run.wait(0.05)
    run.stop()
    finished(run, journal)
    assert clock.looks <= looks + 3  # the end of the run is events too


def test_the_wall_clock_wakes_a_run(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    played = finished(begin(book("- Wait 0.02 seconds\n- Say('Up')\n"), journal, NobodyBackend()), journal)
    assert played.told() == ["Up"]


def _local(text: str) -> int:
    return round(dt.datetime.fromisoformat(text).timestamp() * _S)  # as the clock on the wall shows it


@pytest.mark.parametrize(
    ("timing", "now", "due"),
    [
        (Timing(0, 540), "2026-03-02T08:59:59", "2026-03-02T09:00"),
        (Timing(0, 540), "2026-03-02T09:00", "2026-03-03T09:00"),
        (Timing(0, 0), "2026-12-31T12:00", "2027-01-01T00:00"),
        (Timing(0, 540, frozenset({0}), is_repeated=True), "2026-03-02T10:00", "2026-03-09T09:00"),
        (Timing(0, 540, frozenset(range(5)), is_repeated=True), "2026-03-06T10:00", "2026-03-09T09:00"),
        (Timing(90), "2026-03-02T09:00", "2026-03-02T09:01:30"),
    ],
)
def test_the_next_time_of_a_timing(timing: Timing, now: str, due: str) -> None:
    assert due_after(timing, _local(now)) == _local(due)


def test_a_daily_timer_that_was_missed_for_days_goes_off_once(tmp_path: Path) -> None:
    clock = HandClock(_local("2026-03-02T08:00"))
    run, journal = _by_hand(_program("Every day at 9:00"), tmp_path, clock)
    wait_for(run, "wait.begun")
    clock.pass_time(run, 2 * 86400 + 2 * 3600)
    wait_for(run, "wait.begun")
    run.stop()
    body = finished(run, journal).bodies("timer.due")[0]
    assert (body["missed"], body["next_ns"]) == (2, _local("2026-03-05T09:00"))
