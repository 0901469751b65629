"""A log point says of a run that has been what it would have said while that went on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from tests.core.engine_driver import begin, finished, scripted
from tests.core.programs import PROGRAMS, expected, read
from tests.core.steplist_driver import walked
from tests.core.test_debugging import CALLS, LIST, LOOP, PAY, TOOL, addresses
from workbench.engine.backends.script import ScriptedWalker
from workbench.engine.debugging.breakpoints import Breakpoint, StopKind, parse_breakpoint
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.replaying.looking_back import came_by
from workbench.engine.scripts import ScriptedCall, script_beside
from workbench.engine.starting import start_run
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText


def told(text: Snapshot | str, folder: Path, point: str, script: str = "") -> list[str]:
    """What *point* says of a run of *text* that has been; while it goes on, it says the same."""
    journal = Journal(folder / "runs.sqlite")
    written = parse_breakpoint(point)
    options = RunOptions(is_trusted=True, breakpoints=(written,) if written.log else ())
    played = finished(begin(text, journal, scripted(script), options), journal)
    found = [each.text or each.problem for each in came_by(journal, played.run.id, written)]
    journal.close()
    live = [body.get("text") or body["problem"] for body in played.bodies("bp.logged")]
    assert not written.log or live == found
    return found


@pytest.mark.parametrize(
    ("point", "lines"),
    [
        ("Main:02.01 log {$n} on top of {$sum}", ["1 on top of 0", "2 on top of 1", "3 on top of 3", "4 on top of 6"]),
        ("Main:02.01 if $n > 2 log {$n}", ["3", "4"]),
        ("Main:02.01 if $n > 1 from 2 log {$n}", ["3", "4"]),
        ("Main:02.01 if $n > 3", [""]),
        ("Main:03 log {$sum}", ["10"]),
        ("error log never", []),
    ],
)
def test_a_point_tells_of_the_past_what_it_tells_of_the_present(point: str, lines: list[str], tmp_path: Path) -> None:
    assert told(LOOP, tmp_path, point) == lines


def test_calls_and_results_are_come_by(tmp_path: Path) -> None:
    assert told(TOOL, tmp_path / "a", "tool:Pay log to {$to}", PAY) == ["to Ann"]
    assert told(TOOL, tmp_path / "b", "result:Pay log {$result} for {$to}", PAY) == ["paid for Ann"]


def test_what_cannot_be_worked_out_says_so_each_time(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    played = finished(begin(LOOP, journal, scripted("")), journal)
    found = list(came_by(journal, played.run.id, parse_breakpoint("Main:02.01 log {$nobody}")))
    journal.close()
    assert [(each.hit, "nobody" in each.problem) for each in found] == [(0, True)] * 4


def test_failures_are_come_by(tmp_path: Path) -> None:
    assert told("- $n = 0\n- $half = 10 / $n\n", tmp_path, "error log n is {$n}") == ["n is 0"]


def test_local_variables_are_those_of_the_playbook_that_came_by(tmp_path: Path) -> None:
    assert told(CALLS, tmp_path, "Double:02 log {$x} gives {$y}") == ["1 gives 2"]


def test_a_step_list_is_looked_back_at(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    walker = ScriptedWalker((ScriptedCall("refund", {}), ScriptedCall("lookup", {}), ScriptedCall("refund", {})))
    walk = walked(start_run(derive(SourceText(LIST)), journal, walker, RunOptions()), journal)
    broken = list(came_by(journal, walk.run.id, Breakpoint(StopKind.VIOLATION)))
    assert [each.event for each in broken] == [each for each in walk.events if each.name in _BROKEN]
    assert broken[0].event.step == "refund:01"
    assert list(came_by(journal, walk.run.id, Breakpoint(StopKind.STEP, "refund:02")))
    journal.close()


_BROKEN = {"tool.blocked", "plan.violation"}


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.stem)
def test_every_program_is_come_by_as_often_as_it_told(file: Path, tmp_path: Path) -> None:
    snapshot, script, journal = read(file).snapshot, script_beside(file), Journal(tmp_path / "runs.sqlite")
    points = tuple(Breakpoint(StopKind.STEP, step, log=f"at {step}") for step in addresses(snapshot)[::3])
    options = RunOptions(
        is_trusted=True, path=str(tmp_path / file.name), arguments=expected(file).arguments, breakpoints=points
    )
    run = start_run(snapshot, journal, scripted(script.read_text("utf-8") if script else ""), options)
    played = finished(run, journal)
    live = [body["text"] for body in played.bodies("bp.logged")]
    for point in points:
        found = [each.text for each in came_by(journal, run.id, point)]
        assert found == [text for text in live if text == point.log]
    journal.close()


def test_a_log_point_is_asked_for_at_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    terminal, file, store = Terminal(capsys), tmp_path / "loop.md", ("--store", tmp_path / "store")
    file.write_text(f"# Book\n## Main\n### Steps\n{LOOP}", "utf-8")
    terminal.run("run", file, *store)
    run = terminal.run("runs", "--json", *store).json[0]["run"]
    done = terminal.run("runs", "log", run, "Main:02.01 if $n > 2 log n is {$n}", *store)
    assert done.code == 0 and [line.split("  ")[-1].strip() for line in done.out.splitlines()] == ["n is 3", "n is 4"]
    rows = terminal.run("runs", "log", run, "Main:02.01", "--json", *store).json
    assert [row["hit"] for row in rows] == [1, 2, 3, 4]
    assert terminal.run("runs", "log", run, "error", *store).code == 1
    assert terminal.run("runs", "log", run, "Main:09", *store).code == 2
