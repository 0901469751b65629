"""A run stops where its person wants, goes on as far as that person wants, and takes what is changed meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import PATIENCE_S, examples
from tests.core.engine_driver import begin, book, finished, scripted
from tests.core.programs import PROGRAMS, expected, happened, read
from workbench.engine.backends.script import ScriptedWalker
from workbench.engine.debugging.breakpoints import Breakpoint, NoBreakpoint, StopKind, parse_breakpoint
from workbench.engine.debugging.goals import Goal, Going
from workbench.engine.journal.choices import RunStatus, Scope, StepStatus
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.running.controls import EditVariable, SkipStep
from workbench.engine.running.run import Run
from workbench.engine.scripts import ScriptedCall, script_beside
from workbench.engine.starting import resume_run, start_run
from workbench.engine.state.fold import fold
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

CALLS = derive(
    SourceText(
        """# Shop
## Main
### Steps
- $a = 1
- $b = Double($a)
- $c = $b + 1
- Return $c

## Double($x)
### Steps
- $y = $x * 2
- $z = $y
- Return $z
"""
    )
)
LOOP = """- $sum = 0
- For each $n in [1, 2, 3, 4]:
  - $sum = $sum + $n
- Return $sum
"""


class Session:
    """A run at which somebody looks: what has happened, and where it stops."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.events: list[RunEvent] = []

    def stop(self) -> str:
        """The address before which the run has stopped next; empty where it has ended."""
        for _turn in range(int(PATIENCE_S / 0.002)):
            is_over = self.run.wait(0.002)
            fresh = self.run.drain()
            self.events += fresh
            stops = [each for each in fresh if each.name == "run.paused"]
            if stops:
                return stops[-1].step
            if is_over:
                return ""
        raise AssertionError("the run neither stops nor ends")

    def go(self, going: Going = Going.FREELY, address: str = "") -> str:
        """Where it stops next after it goes on."""
        self.run.controls.go_on(Goal(going, address))
        return self.stop()

    def bodies(self, name: str) -> list[dict[str, object]]:
        """What the events called *name* say."""
        return [dict(encoded(event.payload)) for event in self.events if event.name == name]


@contextmanager
def watched(
    snapshot: Snapshot | str, folder: Path, *breakpoints: str, script: str = "", paused: bool = False
) -> Iterator[Session]:
    """A run of *snapshot* that stops at *breakpoints*."""
    journal = Journal(folder / "runs.sqlite")
    options = RunOptions(
        is_trusted=True, start_paused=paused, breakpoints=tuple(parse_breakpoint(each) for each in breakpoints)
    )
    session = Session(begin(snapshot, journal, scripted(script), options))
    try:
        yield session
    finally:
        session.run.stop()
        session.run.wait(PATIENCE_S)
        journal.close()


# How a breakpoint is written


@pytest.mark.parametrize(
    ("text", "breakpoint_"),
    [
        ("Main:04", Breakpoint(StopKind.STEP, "Main:04")),
        ("Put out a fire:02.01", Breakpoint(StopKind.STEP, "Put out a fire:02.01")),
        ("tool:refund", Breakpoint(StopKind.TOOL, "refund")),
        ("error", Breakpoint(StopKind.ERROR)),
        ("violation", Breakpoint(StopKind.VIOLATION)),
        ("cost:0.5", Breakpoint(StopKind.COST, "0.5")),
        ("Main:04 if $n > 3", Breakpoint(StopKind.STEP, "Main:04", "$n > 3")),
        ("Main:04 if $n > 3 from 2", Breakpoint(StopKind.STEP, "Main:04", "$n > 3", 2)),
        ("Main:04 from 2", Breakpoint(StopKind.STEP, "Main:04", from_hit=2)),
        ("Main:04 from 2 to 5 every 3", Breakpoint(StopKind.STEP, "Main:04", from_hit=2, to_hit=5, every=3)),
        ("Main:04 if $n > 3 every 2", Breakpoint(StopKind.STEP, "Main:04", "$n > 3", every=2)),
        ("Main:04 log n is {$n}, from 2", Breakpoint(StopKind.STEP, "Main:04", log="n is {$n}, from 2")),
        ("tool:x if $a log seen", Breakpoint(StopKind.TOOL, "x", "$a", log="seen")),
    ],
)
def test_a_breakpoint_is_read_as_it_is_written(text: str, breakpoint_: Breakpoint) -> None:
    assert parse_breakpoint(text) == breakpoint_
    assert parse_breakpoint(str(breakpoint_)) == breakpoint_


@pytest.mark.parametrize("text", ["", "Main", "cost:much", "cost:-1", "cost:inf", "Main:04 if $n >", "errors"])
def test_what_is_no_breakpoint_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(NoBreakpoint, match=r"\S"):
        parse_breakpoint(text)


@settings(max_examples=examples(200))
@given(st.text(max_size=40))
def test_any_text_is_a_breakpoint_or_refused(text: str) -> None:
    try:
        found = parse_breakpoint(text)
    except NoBreakpoint:
        return
    assert parse_breakpoint(str(found)) == found


# Where a run stops


def test_a_run_stops_before_the_step_and_goes_on(tmp_path: Path) -> None:
    with watched(CALLS, tmp_path, "Double:02") as session:
        assert session.stop() == "Double:02"
        assert session.run.state.frames[-1].locals == {} and session.run.state.variables["y"] == 2
        assert session.go() == ""
        assert session.run.result == 3
        assert session.bodies("bp.hit") == [{"breakpoint": "Double:02", "count": 1}]


def test_the_event_of_a_stop_names_the_step_that_comes_next(tmp_path: Path) -> None:
    with watched(CALLS, tmp_path, "Main:03") as session:
        session.stop()
        hit = next(event for event in session.events if event.name == "bp.hit")
        assert (hit.step, hit.line) == ("Main:03", 6)


@pytest.mark.parametrize(
    ("going", "stops"),
    [
        (Going.INTO, ["Main:02", "Double:01", "Double:02", "Double:03", "Main:03", "Main:04", ""]),
        (Going.OVER, ["Main:02", "Main:03", "Main:04", ""]),
    ],
)
def test_a_run_is_stepped_through(going: Going, stops: list[str], tmp_path: Path) -> None:
    with watched(CALLS, tmp_path, paused=True) as session:
        assert session.stop() == "Main:01"
        assert [session.go(going) for _stop in stops] == stops
        assert session.run.result == 3


def test_a_run_steps_out_of_what_was_called(tmp_path: Path) -> None:
    with watched(CALLS, tmp_path, "Double:01") as session:
        session.stop()
        assert session.go(Going.OUT) == "Main:03"


def test_a_run_goes_up_to_a_step(tmp_path: Path) -> None:
    with watched(CALLS, tmp_path, paused=True) as session:
        session.stop()
        assert session.go(Going.TO, "Double:03") == "Double:03"


def test_several_goals_are_reached_one_after_the_other(tmp_path: Path) -> None:
    with watched(CALLS, tmp_path, paused=True) as session:
        session.stop()
        session.run.step()
        session.run.step()
        assert session.stop() == "Double:01"


def test_a_breakpoint_counts_on_the_way_to_a_goal(tmp_path: Path) -> None:
    with watched(CALLS, tmp_path, "Double:02", paused=True) as session:
        session.stop()
        assert session.go(Going.OUT) == "Double:02"


def test_a_condition_decides_whether_it_stops(tmp_path: Path) -> None:
    with watched(LOOP, tmp_path, "Main:02.01 if $n > 2") as session:
        assert session.stop() == "Main:02.01"
        assert session.run.state.variables["sum"] == 3
        assert session.go() == "Main:02.01"
        assert session.go() == ""


def test_a_condition_that_cannot_be_worked_out_is_told_once(tmp_path: Path) -> None:
    with watched(LOOP, tmp_path, "Main:02.01 if $nobody > 2") as session:
        assert session.stop() == ""
        (told,) = session.bodies("bp.logged")
        assert "nobody" in str(told["problem"])


def test_a_breakpoint_counts_from_a_hit_on(tmp_path: Path) -> None:
    with watched(LOOP, tmp_path, "Main:02.01 from 3") as session:
        session.stop()
        assert session.run.state.variables["sum"] == 3


def test_a_log_point_tells_and_does_not_stop(tmp_path: Path) -> None:
    with watched(LOOP, tmp_path, "Main:02.01 log {$n} on top of {$sum}") as session:
        assert session.stop() == ""
        told = [body["text"] for body in session.bodies("bp.logged")]
        assert told == ["1 on top of 0", "2 on top of 1", "3 on top of 3", "4 on top of 6"]


def test_a_breakpoint_that_is_off_does_nothing(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    off = RunOptions(breakpoints=(Breakpoint(StopKind.STEP, "Main:01", is_on=False),))
    run = begin("- $a = 1\n", journal, scripted(""), off)
    assert run.wait(PATIENCE_S) and run.state.status is RunStatus.COMPLETED
    journal.close()


def test_breakpoints_can_be_set_while_the_run_is_held(tmp_path: Path) -> None:
    with watched(CALLS, tmp_path, paused=True) as session:
        session.stop()
        session.run.controls.breakpoints = (parse_breakpoint("Double:03"),)
        assert session.go() == "Double:03"


PAY = "tools:\n  Pay: [paid]\n"
TOOL = """- $to = "Ann"
- $done = Pay($to)
- Return $done
"""


def test_a_run_stops_before_a_call_is_made_or_noted(tmp_path: Path) -> None:
    with watched(TOOL, tmp_path, "tool:Pay", script=PAY) as session:
        assert session.stop() == "Main:02"
        assert session.bodies("tool.call") == []
        assert session.go() == ""
        assert session.run.result == "paid" and len(session.bodies("tool.call")) == 1


def test_a_call_is_made_with_what_was_changed_before_it(tmp_path: Path) -> None:
    with watched(TOOL, tmp_path, "tool:Pay", script=PAY) as session:
        session.stop()
        edit(session, "to", "Bob")
        session.go()
        assert session.bodies("tool.call")[0]["positional"] == ["Bob"]


def test_a_failure_is_stopped_before_and_mended(tmp_path: Path) -> None:
    with watched("- $n = 0\n- $half = 10 / $n\n- Return $half\n", tmp_path, "error") as session:
        assert session.stop() == "Main:02"
        assert "zero" in str(session.bodies("bp.hit")[0]["problem"])
        edit(session, "n", 2)
        assert session.go() == ""
        assert session.run.result == 5
        assert session.bodies("step.failed") == []


def test_a_failure_that_nobody_mends_happens(tmp_path: Path) -> None:
    with watched("- $half = 10 / 0\n", tmp_path, "error") as session:
        session.stop()
        assert session.go() == ""
        assert session.run.state.status is RunStatus.FAILED


# What is done to a run that is held


def edit(session: Session, name: str, value: object, scope: Scope = Scope.STATE) -> None:
    """Give the variable *name* of the playbook at work another value."""
    frame = session.run.state.frames[-1]
    session.run.controls.order(EditVariable(name, scope, frame.agent, frame.span, value))


def test_a_changed_variable_counts_and_is_kept_with_its_author(tmp_path: Path) -> None:
    with watched(CALLS, tmp_path, "Main:03") as session:
        session.stop()
        edit(session, "b", 40)
        assert session.go() == ""
        assert session.run.result == 41
        (edited,) = session.bodies("state.edited")
        assert (edited["name"], edited["new"]) == ("b", 40) and edited["by"]
        assert next(each for each in session.events if each.name == "state.edited").actor == "user"


def test_a_local_variable_is_changed_in_its_own_frame(tmp_path: Path) -> None:
    text = book("- n = 1\n- Return n\n")
    with watched(text, tmp_path, "Main:02") as session:
        session.stop()
        edit(session, "n", 5, Scope.LOCAL)
        session.go()
        assert session.run.result == 5


def test_a_skipped_step_is_left_out_and_the_run_stops_again(tmp_path: Path) -> None:
    with watched(CALLS, tmp_path, "Main:02") as session:
        session.stop()
        edit(session, "b", 7)
        session.run.controls.order(SkipStep())
        assert session.stop() == "Main:03"
        assert session.run.state.step_statuses["Main:02"] is StepStatus.SKIPPED
        assert session.go() == ""
        assert session.run.result == 8


def test_a_skipped_loop_is_left_out_whole(tmp_path: Path) -> None:
    with watched(LOOP, tmp_path, "Main:02") as session:
        session.stop()
        session.run.controls.order(SkipStep())
        assert session.stop() == "Main:03"
        session.go()
        assert session.run.result == 0


def test_a_skipped_branch_is_not_taken(tmp_path: Path) -> None:
    steps = "- $a = 1\n- If $a == 1:\n  - $b = 1\n- Otherwise:\n  - $b = 2\n- Return $b\n"
    with watched(steps, tmp_path, "Main:02") as session:
        session.stop()
        session.run.controls.order(SkipStep())
        session.stop()
        session.go()
        assert session.run.result == 2


def test_what_was_changed_is_there_after_an_interruption(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin(CALLS, journal, scripted(""), RunOptions(breakpoints=(parse_breakpoint("Main:03"),)))
    session = Session(run)
    session.stop()
    edit(session, "b", 40)
    while not session.bodies("state.edited"):
        session.events += run.drain()
    run.leave()
    assert run.wait(PATIENCE_S)
    assert fold(journal.read(run.id)).variables["b"] == 40
    again = resume_run(run.id, journal, scripted(""))
    assert again.wait(PATIENCE_S) and again.result == 41
    journal.close()


# Nothing else changes because somebody looks


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.stem)
def test_a_program_does_the_same_where_every_step_is_looked_at(file: Path, tmp_path: Path) -> None:
    wanted, snapshot = expected(file), read(file).snapshot
    script, journal = script_beside(file), Journal(tmp_path / "runs.sqlite")
    options = RunOptions(
        is_trusted=True,
        path=str(tmp_path / file.name),
        arguments=wanted.arguments,
        start_paused=True,
        breakpoints=tuple(Breakpoint(StopKind.STEP, step, log="seen") for step in addresses(snapshot)),
    )
    run = start_run(snapshot, journal, scripted(script.read_text("utf-8") if script else ""), options)
    for _step in range(200):
        run.step(Goal(Going.OVER))
    run.go_on()
    played = finished(run, journal)
    journal.close()
    assert (played.run.result, played.state.error) == (wanted.result, "")
    assert happened(played.events) == wanted.happened
    assert {body["text"] for body in played.bodies("bp.logged")} <= {"seen"}


def addresses(snapshot: Snapshot) -> list[str]:
    """The address of every step of *snapshot*."""
    roots = [root for playbook in snapshot.program.playbooks for part in playbook.sections for root in part.steps]
    return [snapshot.address(step.id) for root in roots for step in root.walk()]


# Step lists


def test_a_step_list_stops_before_a_violation(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    walker = ScriptedWalker((ScriptedCall("refund", {}), ScriptedCall("lookup", {})))
    options = RunOptions(breakpoints=(parse_breakpoint("violation"),))
    session = Session(start_run(derive(SourceText(LIST)), journal, walker, options))
    assert session.stop() == "refund:01"
    assert session.bodies("tool.blocked") == []
    assert "refund" in str(session.bodies("bp.hit")[0]["problem"])
    session.go()
    assert session.bodies("tool.blocked")[0]["tool"] == "refund"
    session.run.stop()
    assert session.run.wait(PATIENCE_S)
    journal.close()


def test_a_step_list_stops_before_the_turn_of_a_step(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    walker = ScriptedWalker((ScriptedCall("lookup", {}), ScriptedCall("refund", {})))
    options = RunOptions(breakpoints=(parse_breakpoint("refund:02"),))
    session = Session(start_run(derive(SourceText(LIST)), journal, walker, options))
    assert session.stop() == "refund:02"
    assert [body["tool"] for body in session.bodies("tool.call")] == ["lookup"]
    session.run.stop()
    assert session.run.wait(PATIENCE_S)
    journal.close()


@pytest.mark.parametrize("places", [("violation",), ("refund:01", "refund:02", "violation", "error", "tool:refund")])
def test_a_step_list_does_the_same_where_every_turn_is_looked_at(places: tuple[str, ...], tmp_path: Path) -> None:
    told = []
    for number, breakpoints in enumerate(((), tuple(parse_breakpoint(place) for place in places))):
        journal = Journal(tmp_path / f"{number}.sqlite")
        calls = [ScriptedCall(tool, {}, result=tool) for tool in ("refund", "lookup", "refund")]
        walker = ScriptedWalker((*calls, ScriptedCall(text="done")))
        options = RunOptions(breakpoints=breakpoints, start_paused=bool(breakpoints))
        session = Session(start_run(derive(SourceText(LIST)), journal, walker, options))
        while session.stop():
            session.run.step()
        assert session.run.state.status is RunStatus.COMPLETED
        watching = ("bp.", "run.paused", "run.resumed")
        told.append([(each.name, each.step) for each in session.events if not each.name.startswith(watching)])
        journal.close()
    assert told[0] == told[1]


LIST = """id: refund
name: refund
description: Pays back
strict_sequence: true
steps:
  - id: find
    description: Find the order
    expected_tools: [lookup]
  - id: pay
    description: Pay
    expected_tools: [refund]
"""
