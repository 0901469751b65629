"""A person changes what a step was answered, before it is used and directly behind it; that is journaled."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PATIENCE_S
from tests.core.cli_driver import Terminal
from tests.core.engine_driver import Played, begin, finished, scripted
from tests.core.model_driver import FakeModel, data, options
from tests.core.test_debugging import Session, watched
from tests.core.test_replaying import check_played
from workbench.engine.answers import AnswerRefused, checked, written_answer
from workbench.engine.audit.report import Came, report_of
from workbench.engine.backends.person import NobodyBackend
from workbench.engine.debugging.breakpoints import Breakpoint, StopKind, parse_breakpoint
from workbench.engine.debugging.goals import Going
from workbench.engine.journal.journal import Journal
from workbench.engine.ports import Answer, Request, RequestKind
from workbench.engine.replaying.scripting import script_of
from workbench.engine.running.controls import EditAnswer
from workbench.engine.starting import resume_run
from workbench.engine.state.answering import answer_at_hand
from workbench.model.meaning import Variable
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

STOP = "answer:Main:02"
NAME = """- $before = 1
- Ask the user for $name:str
- $greeting = "Hello {$name}"
- Return $greeting
"""
ADA, EVE = "answers:\n  - {values: {name: Ada}}\n", Answer((("name", "Eve"),))
CHOICE = """- If the letter is friendly
  - $done = "thanked"
- Otherwise
  - $done = "filed"
- Return $done
"""
YES = "answers:\n  - {decision: true}\n"


def _played(session: Session) -> Played:
    assert session.run.wait(PATIENCE_S)
    session.events += session.run.drain()
    return Played(session.run, tuple(session.events))


def _instead(body: Mapping[str, Any]) -> Mapping[str, Any]:
    instead = dict(body["instead"])
    assert instead.pop("by") and instead.pop("how") == "edit"
    return instead


def test_a_stop_at_an_answer_is_read_as_it_is_written() -> None:
    assert parse_breakpoint("answer:Main:02 if $answer == 3") == Breakpoint(StopKind.ANSWER, "Main:02", "$answer == 3")


def test_a_run_stops_before_an_answer_is_used(tmp_path: Path) -> None:
    with watched(NAME, tmp_path, f"{STOP} if $answer == 'Ada'", script=ADA) as session:
        assert session.stop() == "Main:02"
        assert len(session.bodies("answer.held")) == 1 and session.bodies("input.given") == []
        assert session.go() == "" and session.run.result == "Hello Ada"
        assert "instead" not in session.bodies("input.given")[0]


def test_a_changed_answer_is_used_and_the_first_is_kept_beside_it(tmp_path: Path) -> None:
    with watched(NAME, tmp_path, STOP, script=ADA) as session:
        session.stop()
        session.run.controls.order(EditAnswer(Answer((("name", "Bob"),))))
        session.run.controls.order(EditAnswer(EVE))
        session.go()
        assert session.run.result == "Hello Eve"
        (given,) = session.bodies("input.given")
        assert _instead(given) == {"original": {"text": "", "values": {"name": "Ada"}}}
        played = _played(session)
    assert "Eve" in script_of(played.events) and "Ada" not in script_of(played.events)
    check_played(played, tmp_path)


def test_behind_a_step_its_answer_is_changed_and_the_step_is_carried_out_again(tmp_path: Path) -> None:
    with watched(NAME, tmp_path, "Main:03", script=ADA) as session:
        assert session.stop() == "Main:03"
        session.run.controls.order(EditAnswer(EVE))
        assert session.stop() == "Main:03"
        assert session.run.state.variables["name"] == "Eve"
        session.go()
        assert session.run.result == "Hello Eve"
        assert [each["answer"]["values"]["name"] for each in session.bodies("input.given")] == ["Ada", "Eve"]  # type: ignore[index]
        assert len(session.bodies("answer.recalled")) == 1
        played = _played(session)
    assert "Eve" in script_of(played.events) and "Ada" not in script_of(played.events)
    check_played(played, tmp_path)


def test_behind_a_condition_the_other_branch_is_taken(tmp_path: Path) -> None:
    with watched(CHOICE, tmp_path, "Main:01.01", script=YES) as session:
        assert session.stop() == "Main:01.01"
        session.run.controls.order(EditAnswer(Answer(decision=False)))
        assert session.stop() == "Main:02"
        session.go()
        assert session.run.result == "filed"
        played = _played(session)
    check_played(played, tmp_path)


def test_what_the_first_answer_has_set_is_as_it_was_before(tmp_path: Path) -> None:
    steps = '- $name = "nobody"\n' + "- Ask the user for $name:str\n- Return $name\n"
    with watched(steps, tmp_path, "Main:03", script=ADA) as session:
        session.stop()
        session.run.controls.breakpoints = (parse_breakpoint("Main:03"), parse_breakpoint(STOP))
        session.run.controls.order(EditAnswer(EVE))
        assert session.stop() == "Main:02"
        assert session.run.state.variables["name"] == "nobody"


@pytest.mark.parametrize("stop", ["Main:02", "Main:04"])
def test_elsewhere_no_answer_can_be_changed(tmp_path: Path, stop: str) -> None:
    with watched(NAME, tmp_path, stop, script=ADA) as session:
        session.stop()
        assert answer_at_hand(session.run.state) is None
        session.run.controls.order(EditAnswer(EVE))
        session.go()
        assert session.run.result == "Hello Ada" and session.bodies("bp.logged")[0]["problem"]


def test_an_answer_that_was_held_is_not_lost_when_the_run_is_let_go_of(tmp_path: Path) -> None:
    with watched(NAME, tmp_path, STOP, script=ADA) as session:
        session.stop()
        session.run.controls.order(EditAnswer(EVE))
        while len(session.bodies("answer.held")) < 2:
            session.events += session.run.drain()
        session.run.leave()
        assert session.run.wait(PATIENCE_S)
    journal = Journal(tmp_path / "runs.sqlite")
    played = finished(resume_run(session.run.id, journal, scripted("answers: []\n")), journal)
    journal.close()
    assert played.run.result == "Hello Eve"
    assert "instead" in played.bodies("input.given")[0]


def test_the_answer_of_a_model_is_changed_before_it_is_used_and_behind_that(tmp_path: Path) -> None:
    model = FakeModel([data(city="Oslo")])
    steps = "- Extract $city:str from the letter\n- Return $city\n"
    journal = Journal(tmp_path / "runs.sqlite")
    stops = tuple(map(parse_breakpoint, ("answer:Main:01", "Main:02")))
    session = Session(begin(steps, journal, NobodyBackend(), options(model, breakpoints=stops)))
    assert session.stop() == "Main:01"
    session.run.controls.order(EditAnswer(Answer((("city", "Rome"),))))
    assert session.go() == "Main:02"
    session.run.controls.breakpoints = ()
    session.run.controls.order(EditAnswer(Answer((("city", "Bern"),))))
    assert session.stop() == "Main:02"
    session.go(Going.FREELY)
    played = _played(session)
    journal.close()
    assert played.run.result == "Bern" and len(model.sent) == 1
    first, second = played.bodies("input.given")
    assert first["judge"] == second["judge"] == "small-1"
    assert _instead(first) == _instead(second) == {"original": {"text": "", "values": {"city": "Oslo"}}}
    check_played(played, tmp_path)


def test_the_report_of_a_procedure_tells_what_was_taken_back(tmp_path: Path) -> None:
    procedure = derive(SourceText("# Plants\n\n## Watering\n\n1. Fill the can.\n2. Water the plants.\n"))
    done = "answers:\n  - {values: {how: done}}\n  - {values: {how: done}}\n"
    with watched(procedure, tmp_path, "Watering:02", script=done) as session:
        session.stop()
        session.run.controls.order(EditAnswer(Answer((("how", "skip"),), text="It is full.")))
        assert session.stop() == "Watering:02"
        session.go()
        played = _played(session)
    report = report_of(played.events, procedure.program)
    assert (report.count(Came.DONE), report.count(Came.SKIPPED)) == (1, 1)
    first, again, _last = report.chapters[0].steps
    assert "taken back" in first.notes[-1] and again.notes[0] == "It is full." and 'it was "done"' in again.notes[1]
    check_played(played, tmp_path)


ONE = Request("q1", RequestKind.ASK, "Main:01", "?", (Variable("n", type="int"),))
TWO = Request("q1", RequestKind.ASK, "Main:01", "?", (Variable("n", type="int"), Variable("who", type="str")))


@pytest.mark.parametrize(
    ("request_", "text", "values"),
    [
        (ONE, "7", {"n": 7}),
        (ONE, "$n = 8", {"n": 8}),
        (TWO, "n=8", {"n": 8, "who": "Ada"}),
        (TWO, '{"n": 9, "who": "Eve"}', {"n": 9, "who": "Eve"}),
    ],
)
def test_an_answer_is_written_as_a_value_or_by_name(request_: Request, text: str, values: Mapping[str, Any]) -> None:
    before = {"values": {"n": 1, "who": "Ada"}, "text": ""}
    assert checked(request_, written_answer(request_, before, text))["values"] == values


def test_what_is_no_answer_is_refused() -> None:
    for request_, text in ((ONE, "many"), (TWO, "7"), (Request("q", RequestKind.DECIDE, "Main:01", "?"), "perhaps")):
        with pytest.raises(AnswerRefused):
            written_answer(request_, {"values": {}}, text)


def test_an_answer_is_shown_and_changed_at_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    typed = "answer = Bob\nanswer\nanswer = Eve\ncontinue\nanswer\nanswer = Zoe\ncontinue\n"
    (tmp_path / "ask.md").write_text(f"# Book\n## Main\n### Steps\n{NAME}", "utf-8")
    (tmp_path / "ask.yaml").write_text(ADA, "utf-8")
    stops = ("--break", STOP, "--break", "Main:03", "--break", "Main:02")
    where = ("--store", tmp_path / "store", "--script", tmp_path / "ask.yaml")
    monkeypatch.setattr("sys.stdin", io.StringIO("answer\ncontinue\n" + typed + "continue\n"))
    done = Terminal(capsys).run("run", tmp_path / "ask.md", *stops, *where)
    assert done.code == 0, done.err
    assert "not stopped at an answer" in done.out and "run.completed     Hello Zoe" in done.out
    assert "→ Bob" in done.out and "→ Eve" in done.out and 'it was "Ada")' in done.out
