"""A step that says that a plan is needed: it is asked for, checked, allowed, carried out; and limits on all of that."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import DATA
from tests.core.cli_driver import Terminal
from tests.core.cutting import Whole, check_cut, run_whole, some_cuts
from tests.core.engine_driver import Played, book, finished, play
from tests.core.model_client import talk
from tests.core.model_driver import FakeModel, data, judge
from tests.core.steplist_cutting import IN_MEMORY
from tests.model_replies import Reply
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.journal.journal import Journal
from workbench.engine.judges import JudgeKind, Judges
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer
from workbench.engine.replaying.replay import replay
from workbench.engine.scripts import Script, ScriptedAnswer
from workbench.engine.starting import start_run
from workbench.model.meaning import Call, Judge
from workbench.model.snapshot import Snapshot, derive
from workbench.providers.endpoints import WireProtocol
from workbench.syntax.text import SourceText

COUNT = {"title": "Count", "description": "", "steps": [{"intent": "$n = Own(2)"}], "returns": "$n"}
_OWN = "\n## Own($n)\n### Steps\n- Return $n * 2\n"


def desk(steps: str = "- $r = Plan how to count, then do it\n- Return $r\n", front: str = "") -> Snapshot:
    """A program that plans, and has a playbook that a plan can call."""
    return derive(SourceText(f"{front}# B\n## Main\n### Steps\n{steps}{_OWN}"))


def said(**values: Any) -> ScriptedAnswer:
    """What is answered next."""
    return ScriptedAnswer("", Answer(tuple(values.items())))


def planned(snapshot: Snapshot, *answers: ScriptedAnswer, options: RunOptions | None = None) -> Played:
    """The run of *snapshot* with *answers*, at its end."""
    journal = Journal(IN_MEMORY)
    backend = ScriptBackend(Script(answers))
    return finished(start_run(snapshot, journal, backend, options or RunOptions(is_trusted=True)), journal)


YES = said(accepted=True)


@pytest.mark.parametrize(
    ("words", "goal", "result"),
    [
        ("Plan how to refund $order, then do it", '"refund {$order}"', ""),
        ("plan how to refund {$order} and then carry it out.", '"refund {$order}"', ""),
        ("$r = Work out a plan for how to ship, then follow the plan", '"ship"', "r"),
        ("Make a plan to count the files and execute it as $n", '"count the files"', "n"),
        ("Then plan how to clean up; do that", '"clean up"', ""),
    ],
)
def test_a_sentence_says_that_a_plan_is_needed_and_what_for(words: str, goal: str, result: str) -> None:
    (step,) = book(f"- {words}\n").program.playbooks[0].steps
    call = step.meaning
    assert isinstance(call, Call)
    assert [each.value.source for each in call.arguments] == [goal]
    assert (call.result.name if call.result is not None else "") == result


@pytest.mark.parametrize("words", ["Plan how to do it", "Plan the day, then do it", "Do it, then plan how to go on"])
def test_what_says_less_is_a_judgement(words: str) -> None:
    assert isinstance(book(f"- {words}\n").program.playbooks[0].steps[0].meaning, Judge)


def test_a_procedure_for_people_stays_words() -> None:
    text = "# Move\n\n## Prepare\n\n1. Plan how to move the data, then do it.\n2. Tell the team.\n"
    steps = derive(SourceText(text)).program.playbooks[0].steps
    assert all(isinstance(each.meaning, Judge) for each in steps)


def test_a_plan_is_made_allowed_written_and_carried_out() -> None:
    played = planned(desk(), said(plan=COUNT), YES)
    assert played.run.result == 4, played.state.error
    names = [each.name for each in played.events if each.name.split(".")[0] in ("input", "cycle", "playbook")]
    assert names == [
        "playbook.entered",
        *("input.asked", "input.given", "cycle.planned", "input.asked", "input.given", "cycle.reviewed"),
        *("playbook.written", "playbook.entered", "playbook.entered", "playbook.exited", "playbook.exited"),
        "playbook.exited",
    ]
    asked = played.bodies("input.asked")
    assert "count" in asked[0]["text"] and "- $n = Own(2)" in asked[1]["text"] and asked[1]["kind"] == "ask"


WRONG = [
    ({**COUNT, "steps": []}, "The plan has no steps."),
    ({**COUNT, "steps": [{"intent": "x", "call": "Nobody"}]}, "There is no playbook, function or tool called Nobody"),
    ({**COUNT, "steps": [{"intent": "x"}] * 61}, "Count has too many steps (plans: steps): 62 instead of at most 60."),
    ({**COUNT, "parameters": [{"name": "gone"}]}, "parameters: $gone has no value here."),
    ({**COUNT, "steps": [{"intent": "$n = Own(1, 2)"}]}, "Own is given too many arguments"),
    ({**COUNT, "title": 7}, "title: must be a text."),
]


@pytest.mark.parametrize(("plan", "problem"), WRONG)
def test_a_plan_that_cannot_be_used_is_sent_back_with_what_is_wrong(plan: dict[str, Any], problem: str) -> None:
    played = planned(desk(), said(plan=plan), said(plan=COUNT), YES)
    (sent,) = played.bodies("cycle.sent_back")
    assert any(problem in each for each in sent["problems"]) and played.run.result == 4, played.state.error
    assert problem in played.bodies("input.asked")[1]["text"]


def test_after_three_plans_the_step_fails_and_nothing_is_made() -> None:
    played = planned(desk(), *[said(plan=WRONG[1][0])] * 3)
    assert "no plan that can be used came of it" in played.state.error and "Nobody" in played.state.error
    assert len(played.bodies("cycle.sent_back")) == 3 and played.state.world.written == {}


def test_whoever_is_asked_may_say_no_and_why() -> None:
    no = ScriptedAnswer("", Answer((("accepted", False),)))
    assert "was not accepted" in planned(desk(), said(plan=COUNT), no).state.error
    why = ScriptedAnswer("", Answer((("accepted", False),), text="count twice"))
    played = planned(desk(), said(plan=COUNT), why, said(plan=COUNT), YES)
    assert played.run.result == 4 and "count twice" in played.bodies("input.asked")[2]["text"]
    assert [each["is_accepted"] for each in played.bodies("cycle.reviewed")] == [False, True]


def _twice(count: int = 2) -> str:
    return "".join(f"- $r{at} = Plan how to count, then do it\n" for at in range(count)) + "- Return 1\n"


LIMITS: list[tuple[str, str, Sequence[ScriptedAnswer], str]] = [
    ("plans: {approve: never}", _twice(), (), "no playbooks may be made here"),
    ("plans: {number: 1, approve: rules}", _twice(), (said(plan=COUNT),), "this run has made 1 playbook, which is"),
    (
        "plans: {depth: 1, approve: rules}",
        _twice(),
        (said(plan={**COUNT, "steps": [{"intent": "Plan how to count, then do it"}]}),),
        "stand too deep here for another (plans: depth): 1.",
    ),
    ("plans: {number: 0}", "- CreatePlaybook('P', '- Return 1')\n", (), "this run has made 0 playbooks"),
    ("plans: {approve: never}", "- CreatePlaybook('P', '- Return 1')\n", (), "no playbooks may be made here"),
    (
        "plans: {steps: 1}",
        "- CreatePlaybook('P', '- $a = 1\\n- Return $a')\n",
        (),
        "P has too many steps",
    ),
    ("plans: {approve: ask}", "- CreatePlaybook('P', '- Return 1')\n", (said(accepted=False),), "was not accepted"),
]


@pytest.mark.parametrize(("said_in", "steps", "answers", "problem"), LIMITS)
def test_a_file_limits_what_its_runs_make(
    said_in: str, steps: str, answers: Sequence[ScriptedAnswer], problem: str
) -> None:
    played = planned(desk(steps, f"---\n{said_in}\n---\n"), *answers)
    assert problem in played.state.error


def test_a_project_limits_what_its_files_allow(tmp_path: Path) -> None:
    (tmp_path / "workbench.toml").write_text('[plans]\napprove = "ask"\nnumber = 1\n', "utf-8")
    options = RunOptions(path=str(tmp_path / "a.md"))
    front = "---\nplans: {approve: rules, number: 5}\n---\n"
    played = planned(desk(_twice(), front), said(plan=COUNT), YES, options=options)
    assert "this run has made 1 playbook" in played.state.error and len(played.bodies("input.asked")) == 2
    assert planned(desk(_twice(), front), said(plan=COUNT), said(plan=COUNT)).run.result == 1


def test_a_plan_within_a_plan_is_carried_out_as_deep_as_is_said() -> None:
    outer = {**COUNT, "title": "Outer", "steps": [{"intent": "$n = Plan how to count, then do it"}]}
    played = planned(desk(front="---\nplans: {approve: rules}\n---\n"), said(plan=outer), said(plan=COUNT))
    assert played.run.result == 4, played.state.error
    assert [each["name"] for each in played.bodies("playbook.written")] == ["Outer", "Count"]


def test_a_playbook_is_created_of_a_plan_with_its_reactions() -> None:
    plan = {
        **COUNT,
        "reactions": [{"name": "Large", "when": "When $n > 3", "steps": [{"intent": 'Tell user "large"'}]}],
    }
    steps = '- Ask user for $plan:dict\n- CreatePlaybook("Mine", $plan)\n- $r = Mine()\n- Return $r\n'
    played = planned(desk(steps), said(plan=plan))
    assert (played.run.result, played.told()) == (4, ["large"]), played.state.error
    asking = planned(desk(steps, "---\nplans: {approve: ask}\n---\n"), said(plan=plan), YES)
    assert (asking.run.result, asking.told()) == (4, ["large"]), asking.state.error
    assert "the plan cannot be used: " in planned(desk(steps), said(plan={"title": "x"})).state.error


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("## P\n### Steps\n- Return 1\n\n```python\n@playbook\ndef f():\n    return 1\n```\n", "may not bring Python"),
        ("- Return 1\n\n!import other.md\n", "may not import other files"),
    ],
)
def test_what_is_made_brings_neither_python_nor_other_files(text: str, problem: str) -> None:
    played = planned(desk('- Ask user for $text\n- CreatePlaybook("P", $text)\n- P()\n'), said(text=text))
    assert problem in played.state.error and played.state.world.written == {}


def test_what_is_made_has_no_tools_beyond_those_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("secret", "utf-8")
    plan = {**COUNT, "steps": [{"intent": "x", "call": "read_file", "arguments": {"path": "a.txt"}, "result": "n"}]}
    front = "---\ntools: [list_files]\nplans: {approve: rules}\n---\n"
    played = planned(desk(front=front), said(plan=plan), options=RunOptions(path=str(tmp_path / "b.md")))
    assert "read_file" in played.state.error and played.run.result is None
    assert played.bodies("effect.result") == []


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """A run that plans twice, is sent back once, and leaves traces."""
    return run_whole(DATA / "language" / "planned.md", tmp_path_factory.mktemp("planned") / "whole")


def test_a_run_that_plans_goes_on_wherever_it_is_cut_off_and_does_nothing_twice(whole: Whole, tmp_path: Path) -> None:
    assert (whole.played.run.result, whole.played.told()) == (3, ["enough"]), whole.played.state.error
    for count, cut in enumerate(some_cuts(whole, 6)):
        check_cut(whole, cut, tmp_path / str(count))


def test_what_a_run_has_made_is_replayed_and_printed_and_its_assembly_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal(capsys)
    played = play(
        desk(front="---\nplans: {approve: rules}\n---\n"), tmp_path, f"answers: [{{values: {{plan: {COUNT}}}}}]"
    )
    assert played.run.result == 4, played.state.error
    journal = Journal(tmp_path / "runs.sqlite")
    assert replay(journal, played.run.id).divergence is None
    journal.close()
    text = terminal.run("runs", "made", played.run.id, "--store", tmp_path)
    assert "Made at Main:01:" in text.out and "- $n = Own(2)" in text.out
    assembly = terminal.run("runs", "made", played.run.id, "--assembly", "--store", tmp_path)
    assert "- 01:QUE $n = Own(2); YLD for call" in assembly.out


def test_a_model_plans_and_a_person_allows_what_comes_of_it() -> None:
    with talk([Reply(data={"plan": COUNT})], WireProtocol.OPENAI) as there:
        options = RunOptions(judges=Judges(JudgeKind.MODEL), client=lambda: there.client, is_trusted=True)
        played = planned(desk(), YES, options=options)
        assert played.run.result == 4, played.state.error
        assert ["judge" in each for each in played.bodies("input.given")] == [True, False]
        sent = str(there.asked().messages)
        assert "- Own(n)" in sent and "`plan` is an object of this form" in sent


def test_once_models_have_cost_too_much_nothing_more_is_made(tmp_path: Path) -> None:
    model = FakeModel([data(plan=COUNT), data(plan=COUNT)])
    played = judge(desk(_twice(), "---\nplans: {usd: 0.000001, approve: rules}\n---\n"), tmp_path, model)
    assert (
        len(model.sent) == 1
        and "models have cost too much in this run for more to be made (plans: usd)" in played.state.error
    )
