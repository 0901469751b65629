"""Mocks: calls that are not made, what stands in their place, and where it is said."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.cli_driver import Terminal
from tests.core.engine_driver import Played, book, finished, play, scripted
from tests.core.steplist_driver import walked
from tests.core.test_debugging import LIST, Session
from tests.core.test_replaying import check_played
from workbench.engine.audit.deeds import Outcome, deeds_of
from workbench.engine.backends.script import ScriptedWalker
from workbench.engine.debugging.breakpoints import parse_breakpoint
from workbench.engine.debugging.mocks import Mock, NoMock, parse_mock
from workbench.engine.enforcement.plan_json import plan_to_json
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.codec import decoded, encoded, type_of
from workbench.engine.journal.instead import How
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import ToolResult
from workbench.engine.options import RunOptions
from workbench.engine.ports import InDoubtChoice
from workbench.engine.scripts import ScriptedCall
from workbench.engine.starting import resume_run, start_run
from workbench.event_words import described
from workbench.model.snapshot import derive
from workbench.planning.lessons import run_record
from workbench.syntax.text import SourceText

PAY = """- $to = "Ann"
- $done = Pay($to)
- Return $done
"""
PYTHON = """# Book
```python
@playbook
async def Pay(to):
    with open("{effects}", "a") as file:
        file.write("paid ")
    return "paid " + to
```
## Main
### Steps
- $done = Pay("Ann")
- Return $done
"""


def mocked(*mocks: str, trusted: bool = True) -> RunOptions:
    """Options of a run with *mocks*."""
    return RunOptions(is_trusted=trusted, mocks=tuple(map(parse_mock, mocks)))


@pytest.mark.parametrize(
    ("text", "mock"),
    [
        ('refund={"id": 7}', Mock("refund", {"id": 7})),
        ("refund = 7", Mock("refund", 7)),
        ("refund=all is well = fine", Mock("refund", "all is well = fine")),
        ("refund=", Mock("refund", "")),
        ("refund=null", Mock("refund")),
        ("refund=NaN", Mock("refund", "NaN")),
        ("refund=!The bank is closed", Mock("refund", failure="The bank is closed")),
    ],
)
def test_a_mock_is_read_as_it_is_written(text: str, mock: Mock) -> None:
    assert parse_mock(text) == mock
    assert parse_mock(str(mock)) == mock


@pytest.mark.parametrize("text", ["", "refund", "=7"])
def test_what_is_no_mock_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(NoMock, match=r"\S"):
        parse_mock(text)


@settings(max_examples=examples(100))
@given(st.text(max_size=30))
def test_any_text_is_a_mock_or_refused(text: str) -> None:
    try:
        found = parse_mock(text)
    except NoMock:
        return
    assert parse_mock(str(found)) == found


def test_a_mocked_call_is_not_made_and_says_so(tmp_path: Path) -> None:
    effects = tmp_path / "effects"
    played = play(derive(SourceText(PYTHON.format(effects=effects))), tmp_path, options=mocked("Pay=nothing"))
    assert played.run.result == "nothing"
    assert not effects.exists()
    (result,) = [each.payload for each in played.events if isinstance(each.payload, ToolResult)]
    assert result.instead is not None and result.instead.how is How.MOCK and result.instead.by


def test_a_mocked_call_needs_no_trust_and_no_leave(tmp_path: Path) -> None:
    text = PYTHON.format(effects=tmp_path / "effects")
    played = play(derive(SourceText(text)), tmp_path, options=mocked("Pay=nothing", trusted=False))
    assert played.run.result == "nothing"
    shell = play('- $out = run_command("rm -r .")\n- Return $out\n', tmp_path / "b", options=mocked("run_command=gone"))
    assert shell.run.result == "gone" and shell.bodies("approval.asked") == []


def test_a_tool_that_is_not_there_can_be_mocked(tmp_path: Path) -> None:
    assert play(PAY, tmp_path, options=mocked('Pay={"id": 7}')).run.result == {"id": 7}


def test_a_mock_stands_before_what_a_script_says(tmp_path: Path) -> None:
    played = play(PAY, tmp_path, "tools:\n  Pay: [paid]\n", mocked("Pay=mocked"))
    assert played.run.result == "mocked"


def test_a_mock_that_fails_fails_the_step(tmp_path: Path) -> None:
    played = play(PAY, tmp_path, options=mocked("Pay=!The bank is closed"))
    assert played.state.status is RunStatus.FAILED and "The bank is closed" in played.state.error
    (error,) = played.bodies("effect.error")
    assert error["instead"]["how"] == "mock"


def test_a_mocked_run_teaches_no_pattern(tmp_path: Path) -> None:
    snapshot = book(PAY)
    real = play(snapshot, tmp_path / "a", "tools:\n  Pay: [paid]\n")
    fake = play(snapshot, tmp_path / "b", options=mocked("Pay=paid"))
    assert run_record(real.events, real.state, snapshot.program) is not None
    assert run_record(fake.events, fake.state, snapshot.program) is None


def test_events_and_evidence_say_that_a_result_is_a_mock(tmp_path: Path) -> None:
    played = play(PAY, tmp_path, options=mocked("Pay=paid"))
    (deed,) = deeds_of(played.events)
    assert deed.outcome is Outcome.NOT_MADE and "mock" in deed.result
    (words,) = [described(each) for each in played.events if each.name == "effect.result"]
    assert words.startswith("paid (mock, set by ")


def test_what_an_earlier_version_wrote_of_a_result_is_written_the_same() -> None:
    earlier = {"recovered": True, "value": 3}
    assert encoded(decoded("effect.result", earlier)) == earlier
    assert "instead" not in encoded(ToolResult(3)) and type_of("effect.result") is ToolResult


@pytest.mark.parametrize("outcome", ["Pay=paid", "Pay=!closed"])
def test_a_mocked_run_is_replayed_as_it_was(outcome: str, tmp_path: Path) -> None:
    check_played(play(PAY, tmp_path, options=mocked(outcome)), tmp_path)


# While the run goes on


def test_a_mock_is_set_and_taken_away_while_the_run_is_held(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    steps = "- $a = Pay()\n- $b = Pay()\n- $c = Pay()\n- Return [$a, $b, $c]\n"
    stops = tuple(parse_breakpoint(f"Main:0{number}") for number in (2, 3))
    options = RunOptions(breakpoints=stops)
    session = Session(start_run(book(steps), journal, scripted("tools:\n  Pay: [1, 2, 3]\n"), options))
    session.stop()
    session.run.controls.mocking.set(Mock("Pay", "mocked"))
    session.go()
    assert session.run.controls.mocking.remove("Pay") and not session.run.controls.mocking.remove("Pay")
    session.go()
    assert session.run.result == [1, "mocked", 2]
    journal.close()


@pytest.mark.parametrize("choice", InDoubtChoice)
def test_a_mocked_call_is_never_in_doubt_wherever_the_run_was_cut_off(choice: InDoubtChoice, tmp_path: Path) -> None:
    text = PYTHON.format(effects=tmp_path / "effects")
    whole = play(derive(SourceText(text)), tmp_path / "whole", options=mocked("Pay=nothing"))
    source = Journal(tmp_path / "whole" / "runs.sqlite")
    began = [event.name for event in whole.events].index("tool.call")
    for count in (began + 1, began + 2):
        played = gone_on(whole, source, count, tmp_path / f"{choice.value}{count}", choice)
        assert played.run.result == "nothing" and played.bodies("effect.in_doubt") == []
    source.close()
    assert not (tmp_path / "effects").exists()


def gone_on(whole: Played, source: Journal, count: int, folder: Path, choice: InDoubtChoice) -> Played:
    """The run *whole* without mocks, gone on with in *folder* after *count* of its events."""
    folder.mkdir()
    journal = Journal(folder / "runs.sqlite")
    journal.keep(source.kept(whole.state.origin.pb_hash))
    journal.append_synced(whole.events[:count])
    options = RunOptions(is_trusted=True, in_doubt=choice, gave=("told",))
    played = finished(resume_run(whole.run.id, journal, scripted(""), options), journal)
    journal.close()
    return played


# Step lists


def test_a_mocked_call_counts_in_a_step_list_and_is_marked_in_its_plan(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    walker = ScriptedWalker((ScriptedCall("lookup", {}), ScriptedCall("refund", {}), ScriptedCall("task_complete", {})))
    options = mocked("lookup=found", "refund=paid back")
    walk = walked(start_run(derive(SourceText(LIST)), journal, walker, options), journal)
    journal.close()
    assert walk.plan.completed
    calls = plan_to_json(walk.plan)["calls"]
    assert [(each["tool"], each["is_mock"]) for each in calls] == [("lookup", True), ("refund", True)]


# At the terminal


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sys.stdin", io.StringIO("mock Pay = 2\nmock\ncontinue\nunmock\nmock x\ncontinue\n"))
    (tmp_path / "pay.md").write_text("# Book\n## Main\n### Steps\n- $a = Pay()\n- $b = $a\n- Return $b\n", "utf-8")
    return Terminal(capsys)


def test_mocks_are_given_at_the_start(terminal: Terminal, tmp_path: Path) -> None:
    done = terminal.run("run", tmp_path / "pay.md", "--mock", 'Pay={"id": 7}', "--store", tmp_path / "store")
    assert done.code == 0 and json.dumps({"id": 7}) in done.out and "(mock, set by " in done.out
    wrong = terminal.run("run", tmp_path / "pay.md", "--mock", "Pay", "--store", tmp_path / "store")
    assert wrong.code == 2


def test_mocks_are_set_shown_and_taken_away_at_a_stop(terminal: Terminal, tmp_path: Path) -> None:
    stops = ("--step", "--break", "Main:02")
    done = terminal.run("run", tmp_path / "pay.md", *stops, "--store", tmp_path / "store")
    assert done.code == 0
    assert done.out.count("  Pay = 2\n") == 2
    assert "No tool is mocked." in done.out and "is no mock" in done.out
