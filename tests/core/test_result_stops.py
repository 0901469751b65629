"""A run stops when a call has come back, before its result is used, and takes another result from its person."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.conftest import PATIENCE_S
from tests.core.cli_driver import Terminal
from tests.core.engine_driver import Played, finished, scripted
from tests.core.steplist_driver import walked
from tests.core.test_debugging import LIST, PAY, TOOL, Session, watched
from tests.core.test_replaying import check_played
from workbench.engine.backends.script import ScriptedWalker
from workbench.engine.debugging.breakpoints import Breakpoint, StopKind, parse_breakpoint
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import ToolResult
from workbench.engine.options import RunOptions
from workbench.engine.running.controls import EditResult, SkipStep
from workbench.engine.scripts import ScriptedCall
from workbench.engine.starting import resume_run, start_run
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

RESULT = "result:Pay"


def test_a_stop_at_a_result_is_read_as_it_is_written() -> None:
    assert parse_breakpoint("result:Pay if $result > 3") == Breakpoint(StopKind.RESULT, "Pay", "$result > 3")


def test_a_run_stops_before_a_result_is_used(tmp_path: Path) -> None:
    with watched(TOOL, tmp_path, RESULT, script=PAY) as session:
        assert session.stop() == "Main:02"
        assert session.bodies("effect.held") == [{"value": "paid"}] and session.bodies("effect.result") == []
        assert session.go() == ""
        assert session.run.result == "paid"
        assert "instead" not in session.bodies("effect.result")[0]


def test_a_changed_result_is_used_and_the_first_is_kept_beside_it(tmp_path: Path) -> None:
    with watched(TOOL, tmp_path, RESULT, script=PAY) as session:
        session.stop()
        session.run.controls.order(EditResult("refused"))
        session.run.controls.order(EditResult("lost"))
        assert session.go() == ""
        assert session.run.result == "lost"
        (result,) = session.bodies("effect.result")
        instead = dict(result["instead"])  # type: ignore[call-overload]
        assert instead.pop("by") and instead == {"how": "edit", "original": "paid"}


def test_a_result_is_changed_to_a_failure_and_a_failure_to_a_result(tmp_path: Path) -> None:
    with watched(TOOL, tmp_path / "a", RESULT, script=PAY) as session:
        session.stop()
        session.run.controls.order(EditResult(failure="The bank is closed"))
        session.go()
        assert session.run.state.status is RunStatus.FAILED and "closed" in session.run.state.error
    with watched(TOOL, tmp_path / "b", RESULT, script="tools:\n  Pay: []\n") as session:
        session.stop()
        session.run.controls.order(EditResult("paid by hand"))
        session.go()
        assert session.run.result == "paid by hand"
        assert "have been used" in str(session.bodies("effect.result")[0]["instead"])


def test_conditions_and_log_points_see_the_result(tmp_path: Path) -> None:
    steps = "- $a = Pay()\n- $b = Pay()\n- Return $b\n"
    stops = ("result:Pay if $result > 1", "result:Pay log got {$result}")
    with watched(steps, tmp_path, *stops, script="tools:\n  Pay: [1, 2]\n") as session:
        assert session.stop() == "Main:02"
        assert [each["text"] for each in session.bodies("bp.logged")] == ["got 1", "got 2"]


def test_a_call_that_was_made_cannot_be_left_out(tmp_path: Path) -> None:
    with watched(TOOL, tmp_path, RESULT, script=PAY) as session:
        session.stop()
        session.run.controls.order(SkipStep())
        session.go()
        assert session.run.result == "paid" or session.go() == ""
        assert "made already" in str(session.bodies("bp.logged")[0]["problem"])


def test_a_result_is_only_changed_where_the_run_stops_at_one(tmp_path: Path) -> None:
    with watched(TOOL, tmp_path, "Main:02", script=PAY) as session:
        session.stop()
        session.run.controls.order(EditResult("early"))
        session.go()
        assert session.run.result == "paid" and session.bodies("bp.logged")[0]["problem"]


def test_a_result_that_was_held_is_not_lost_when_the_run_is_let_go_of(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    effects = tmp_path / "effects"
    text = f"""# Book
```python
@playbook
async def Pay():
    with open("{effects}", "a") as file:
        file.write("paid ")
    return 7
```
## Main
### Steps
- $done = Pay()
- Return $done
"""
    options = RunOptions(is_trusted=True, breakpoints=(parse_breakpoint(RESULT),))
    session = Session(start_run(derive(SourceText(text)), journal, scripted(""), options))
    session.stop()
    session.run.controls.order(EditResult(8))
    while len(session.bodies("effect.held")) < 2:
        session.events += session.run.drain()
    session.run.leave()
    assert session.run.wait(PATIENCE_S)
    played = finished(resume_run(session.run.id, journal, scripted(""), RunOptions(is_trusted=True)), journal)
    journal.close()
    assert played.run.result == 8 and effects.read_text("utf-8") == "paid "
    assert played.bodies("effect.in_doubt") == []


def test_a_run_whose_result_was_changed_is_replayed_as_it_was(tmp_path: Path) -> None:
    with watched(TOOL, tmp_path, RESULT, script=PAY) as session:
        session.stop()
        session.run.controls.order(EditResult("lost"))
        session.go()
        assert session.run.wait(PATIENCE_S)
        played = Played(session.run, tuple(session.events))
    check_played(played, tmp_path)


def test_a_step_list_goes_on_with_the_changed_result(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    walker = ScriptedWalker((ScriptedCall("lookup", {}), ScriptedCall("refund", {}), ScriptedCall("task_complete", {})))
    options = RunOptions(breakpoints=(parse_breakpoint("result:lookup"),))
    session = Session(start_run(derive(SourceText(LIST)), journal, walker, options))
    session.stop()
    session.run.controls.order(EditResult("nobody"))
    session.run.go_on()
    walk = walked(session.run, journal)
    journal.close()
    assert next(each.payload.value for each in walk.events if isinstance(each.payload, ToolResult)) == "nobody"


def test_a_result_is_shown_and_changed_at_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sys.stdin", io.StringIO("result = 3\nresult\nresult = 4\ncontinue\n"))
    (tmp_path / "pay.md").write_text("# Book\n## Main\n### Steps\n- $a = Pay()\n- Return $a\n", "utf-8")
    (tmp_path / "pay.yaml").write_text("tools:\n  Pay: [1]\n", "utf-8")
    where = ("--store", tmp_path / "store", "--script", tmp_path / "pay.yaml")
    done = Terminal(capsys).run("run", tmp_path / "pay.md", "--break", RESULT, *where)
    assert done.code == 0
    assert "run.completed     4" in done.out and "it was 1)" in done.out
    assert "\n3\n" in done.out.replace("(Main:01) ", "")
