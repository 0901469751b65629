"""A run that is not as planned: told by events alone, and gone on with so that nothing that is done is done again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.core.cycle_driver import LOAD, PAY, done, says, told
from tests.core.deviating import check_going_on
from tests.core.steplist_cutting import IN_MEMORY
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer
from workbench.engine.scripts import Script, ScriptedAnswer, parse_script
from workbench.engine.starting import start_run
from workbench.model.snapshot import derive
from workbench.planning.cycle import Means, NoHands, Seed, begin, cycle_of, resume
from workbench.planning.deviation.carrying import RunHands, baseline_for
from workbench.planning.deviation.watching import Usual, Watch
from workbench.planning.plan import plan_from_json
from workbench.planning.request import DeviationKind, PlanRequest, Review
from workbench.syntax.text import SourceText

_PLAN = plan_from_json(
    {
        "title": "Refund",
        "description": "",
        "steps": [
            {
                "intent": "a",
                "call": "LoadOrder",
                "arguments": {"id": "A-1"},
                "result": "found",
                "checks": ["$found > 1"],
            },
            {"intent": "b", "call": "PayBack", "arguments": {"id": "A-1"}, "result": "paid"},
            {"intent": 'Tell user "done"'},
        ],
        "returns": "$found",
    }
)
_TEXT = """---
tools: [LoadOrder, PayBack]
---

# Refund

## Main()

### Triggers

- At the beginning

### Steps

- $found = LoadOrder(id="A-1")
- $paid = PayBack(id="A-1")
- Tell user "done"
- Return $found
"""
_OTHER = _TEXT.replace('- $paid = PayBack(id="A-1")\n', '- Tell user "It is paid by hand."\n')
_REQUEST = PlanRequest("Refund", offers=(LOAD, PAY), review=Review.RULES, is_run=True)
_WORKS = "tools: {LoadOrder: 120, PayBack: 5}"
_FAILS = "tools: {LoadOrder: 120, PayBack: 5}\nfailures: {PayBack: {'1': the bank is closed}}"


def carried(
    journal: Journal,
    answers: Sequence[ScriptedAnswer],
    worlds: tuple[str, ...] = (_FAILS,),
    request: PlanRequest = _REQUEST,
) -> tuple[Any, tuple[RunEvent, ...]]:
    """A cycle whose playbook is carried out in the *world* of a script, with *answers* about deviations."""
    run = done(begin(request, journal, ScriptBackend(Script(tuple(answers))), means_in(journal, *worlds)))
    return run, journal.read(run.id)


def means_in(journal: Journal, *worlds: str) -> Means:
    """Carries out the first run in the first of *worlds*, and so on; all that follow in the last."""
    left = list(worlds)

    def backend(events: tuple[RunEvent, ...]) -> ScriptBackend:
        made = ScriptBackend(parse_script(left.pop(0) if len(left) > 1 else left[0]))
        made.catch_up(events)
        return made

    return Means(RunHands(journal, backend, NoHands()), seed=Seed(_PLAN))


def how(policy: str) -> ScriptedAnswer:
    """What is to be done."""
    return says(6, how=policy)


def taken(is_taken: bool, text: str = "") -> ScriptedAnswer:
    """Whether the other text is right."""
    return ScriptedAnswer("Cycle:06", Answer(decision=is_taken, text=text))


def test_a_call_that_fails_for_good_has_the_segment_regenerated_and_the_run_goes_on() -> None:
    journal = Journal(IN_MEMORY)
    answers = (
        how("segment"),
        says(6, text=_TEXT.replace('Tell user "done"', "Stop here")),
        says(6, text=_OTHER),
        taken(True),
    )
    run, events = carried(journal, answers)
    assert run.state.status.value == "completed" and run.result == _OTHER
    (deviated,) = told(events, "cycle.deviated")
    assert (deviated["kind"], deviated["step"]) == ("failed", "Main:02") and "the bank is closed" in deviated["actual"]
    refused, made = told(events, "cycle.regenerated")
    assert "is not part of what deviated" in refused["problems"][0] and made["problems"] == []
    first, second = told(events, "cycle.begun")
    assert (second["source"], second["step"]) == (first["run"], "Main:02")
    played = journal.check(second["run"])
    assert [each.payload.tool for each in played if each.name == "tool.call"] == ["LoadOrder"]  # type: ignore[attr-defined]
    assert told(events, "cycle.ended")[0]["result"] == 120


@pytest.mark.parametrize(
    ("answers", "status"),
    [
        ((how("retry"),), "completed"),
        ((how("stop"),), "failed"),
        ((how("rest"), says(6, text=_OTHER), taken(False)), "failed"),
        (
            (how("rest"), says(6, text=_OTHER), taken(False, "pay later"), says(6, text=_OTHER), taken(True)),
            "completed",
        ),
        ((how("rest"), *[says(6, text=_TEXT.replace("found = Load", "found = Lod"))] * 3), "failed"),
    ],
)
def test_somebody_says_what_is_done(answers: tuple[ScriptedAnswer, ...], status: str) -> None:
    journal = Journal(IN_MEMORY)
    run, events = carried(journal, answers, (_FAILS, _WORKS))
    assert run.state.status.value == status and cycle_of(journal, run.id).text in (_TEXT, _OTHER)
    assert told(events, "cycle.ended")[0]["status"] == status


def test_policies_act_without_asking_and_retries_come_to_an_end() -> None:
    always = (
        "tools: {LoadOrder: 120, PayBack: 5}\nfailures: {PayBack: {'1': closed, '2': closed, '3': closed, '4': closed}}"
    )
    journal, retrying = Journal(IN_MEMORY), replace(_REQUEST, policies={"failed": "retry"})
    run, events = carried(journal, (), (always,), retrying)
    assert run.state.status.value == "failed" and len(told(events, "cycle.begun")) == 3
    by_policy = replace(_REQUEST, policies={"failed": "rest"}, accepts_by_policy=True)
    other, events = carried(journal, (says(6, text=_OTHER),), (_FAILS,), by_policy)
    assert other.result == _OTHER and told(events, "cycle.accepted")[0]["by"] == "policy"


def test_a_call_that_is_tried_again_is_the_next_one_of_its_script() -> None:
    journal, retrying = Journal(IN_MEMORY), replace(_REQUEST, policies={"failed": "retry"})
    run, events = carried(
        journal, (), ("tools: {LoadOrder: 120, PayBack: 5}\nfailures: {PayBack: {1: a, 2: b}}",), retrying
    )
    assert run.state.status.value == "completed" and [
        each["actual"][-1] for each in told(events, "cycle.deviated")
    ] == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        _OTHER.replace("[LoadOrder, PayBack]", "[LoadOrder, PayBack, shell]"),
        _OTHER.replace("- Return", '- $x = shell("rm -rf /")\n- Return'),
        _OTHER.replace("- Return", '- Tell user "{shell(1)}"\n- Return'),
        _OTHER + "\n```python\n@playbook\ndef f():\n    return 1\n```\n",
    ],
)
def test_what_a_tool_says_brings_no_tool_into_the_other_text(text: str) -> None:
    journal = Journal(IN_MEMORY)
    run, events = carried(journal, (how("rest"), *[says(6, text=text)] * 3))
    assert run.state.status.value == "failed" and len(told(events, "cycle.begun")) == 1
    assert all(each["problems"] for each in told(events, "cycle.regenerated"))


def test_a_check_of_the_plan_that_does_not_hold_stops_the_run_before_the_next_step() -> None:
    journal = Journal(IN_MEMORY)
    run, events = carried(journal, (how("go-on"),), ("tools: {LoadOrder: 0, PayBack: 5}",))
    found = told(events, "cycle.deviated")
    assert [(each["kind"], each["step"], each["expected"]) for each in found] == [
        ("validation", "Main:01", "$found > 1")
    ]
    assert run.state.status.value == "completed"


_LONG = _TEXT.replace("- Return $found", "\n".join([*(f"- $n{at} = {at}" for at in range(12)), "- Return $found"]))
_BACK = _LONG.replace("- $n11 = 11", '- Tell user "back to the refund"')
_LOOKING = replace(_REQUEST, looks=2, policies={"drift": "rest"}, accepts_by_policy=True)


def looked(verdict: str) -> ScriptedAnswer:
    """What is said where a run is looked at."""
    return says(6, verdict=verdict)


@pytest.mark.parametrize("is_looking", [False, True])
def test_a_cycle_that_is_cut_off_while_its_run_deviates_goes_on_to_the_same_end(is_looking: bool) -> None:
    text, other, world = (_LONG, _BACK, _WORKS) if is_looking else (_TEXT, _OTHER, _FAILS)
    answers = (looked("OK."), looked("away")) if is_looking else (how("rest"),)
    answers = (*answers, says(6, text=other), *(() if is_looking else (taken(True),)))
    whole_journal = Journal(IN_MEMORY)
    means = replace(means_in(whole_journal, world), seed=Seed(_PLAN, text))
    begun_with = _LOOKING if is_looking else _REQUEST
    run = done(begin(begun_with, whole_journal, ScriptBackend(Script(answers)), means))
    whole = whole_journal.read(run.id)
    begun = [at for at, event in enumerate(whole) if event.name.startswith("cycle.")]
    for cut in [at + 1 for at in begun if whole[at].step == "Cycle:06"]:
        journal = Journal(IN_MEMORY)
        journal.keep(whole_journal.kept(whole[0].payload.pb_hash))  # type: ignore[attr-defined]
        journal.append(whole[:cut])
        runs = [event.payload.run for event in whole[:cut] if event.name == "cycle.begun"]  # type: ignore[attr-defined]
        for each in runs[: -1 if whole[cut - 1].name == "cycle.begun" else None]:
            for one in (text, other):
                journal.keep(one.encode())
            journal.append(whole_journal.read(each))
        backend = ScriptBackend(Script(answers))
        backend.catch_up(whole[:cut])
        again = done(resume(run.id, journal, backend, means_in(journal, world)))
        assert again.result == other, whole[cut - 1]
        calls = [event for each in runs for event in journal.read(each) if event.name == "tool.call"]
        assert sum(event.payload.tool == "LoadOrder" for event in calls) <= len(runs), whole[cut - 1]  # type: ignore[attr-defined]


def test_a_step_that_takes_far_longer_or_costs_far_more_than_before_is_told(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    for _time in range(3):
        done(start_run(derive(SourceText(_TEXT)), journal, ScriptBackend(parse_script(_WORKS)), RunOptions()))
    usual = baseline_for(journal, _TEXT)
    assert usual['$found = LoadOrder(id="A-1")'].runs == 3 and baseline_for(journal, _OTHER) == {}
    events = journal.read(journal.runs()[0].id)
    late = [replace(each, at_ns=each.at_ns + (60_000_000_000 if each.seq > 5 else 0)) for each in events]
    watch = Watch(derive(SourceText(_TEXT)), _PLAN, usual)
    found = [each for each in map(watch.take, late) if each is not None]
    assert [(each.kind, each.step) for each in found] == [(DeviationKind.SLOWER, "Main:01")]
    dear = Watch(derive(SourceText(_TEXT)), _PLAN, {'$found = LoadOrder(id="A-1")': Usual(1e9, -1.0, 3)})
    assert [each.kind for each in map(dear.take, events) if each is not None] == [DeviationKind.DEARER]
    assert encoded(events[0].payload) and watch.done[0].startswith("$found")


def test_a_call_that_the_plan_does_not_know_and_what_an_observer_says_are_drift() -> None:
    journal = Journal(IN_MEMORY)
    text = derive(SourceText(_TEXT))
    run = done(start_run(text, journal, ScriptBackend(parse_script("tools: {LoadOrder: 3, PayBack: 5}")), RunOptions()))
    events = journal.read(run.id)
    loading = replace(_PLAN, steps=_PLAN.steps[:1])
    found = [each for each in map(Watch(text, loading).take, events) if each is not None]
    assert [(each.kind, each.actual) for each in found] == [(DeviationKind.DRIFT, "PayBack")]


def test_whoever_judges_looks_at_a_run_now_and_then_and_what_drifts_gets_another_text() -> None:
    journal = Journal(IN_MEMORY)
    answers = (looked("OK."), looked("it only counts"), says(6, text=_BACK))
    means = replace(means_in(journal, _WORKS), seed=Seed(_PLAN, _LONG))
    run = done(begin(_LOOKING, journal, ScriptBackend(Script(answers)), means))
    events = journal.read(run.id)
    assert run.state.status.value == "completed" and run.result == _BACK
    assert [(each["step"], each["done"]) for each in told(events, "cycle.look_due")] == [
        ("Main:05", 5),
        ("Main:10", 10),
    ]
    assert told(events, "cycle.look_due")[1]["evidence"][0].startswith("Main:01 $found")
    assert [each["is_drifting"] for each in told(events, "cycle.looked")] == [False, True]
    (deviated,) = told(events, "cycle.deviated")
    assert (deviated["kind"], deviated["step"], deviated["actual"]) == ("drift", "Main:10", "it only counts")
    last = journal.read(told(events, "cycle.begun")[-1]["run"])
    assert [each.payload.tool for each in last if each.name == "tool.call"] == ["LoadOrder", "PayBack"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("request_", [replace(_LOOKING, looks=0), replace(_LOOKING, policies={"drift": "go-on"})])
def test_nobody_is_asked_where_nobody_wants_to_know(request_: PlanRequest) -> None:
    journal = Journal(IN_MEMORY)
    means = replace(means_in(journal, _WORKS), seed=Seed(_PLAN, _LONG))
    run = done(begin(request_, journal, ScriptBackend(Script(())), means))
    assert run.state.status.value == "completed" and told(journal.read(run.id), "cycle.look_due") == []


def test_what_is_done_is_said_by_the_request_the_playbook_its_file_and_the_project_in_this_order() -> None:
    of_file = "---\ndeviation: {failed: stop, missing: retry, drift: stop}\n---\n"
    of_playbook = (
        "# A\n\n## Main\ndeviation:\n  failed: rest\n\n### Steps\n- Return 1\n\n## Other\n### Steps\n- Return 2\n"
    )
    program = derive(SourceText(of_file + of_playbook)).program
    request = PlanRequest("a", policies={"drift": "go-on"}, project_policies={"failed": "ask", "slower": "ask"})
    found = {
        (kind.value, step): request.policy_for(kind, program, step).value
        for kind in DeviationKind
        for step in ("Main:01", "Other:01")
    }
    assert found == {
        ("failed", "Main:01"): "rest",
        ("failed", "Other:01"): "stop",
        **dict.fromkeys([("missing", "Main:01"), ("missing", "Other:01")], "retry"),
        **dict.fromkeys([("validation", "Main:01"), ("validation", "Other:01")], "ask"),
        **dict.fromkeys([("slower", "Main:01"), ("slower", "Other:01")], "ask"),
        **dict.fromkeys([(kind, step) for kind in ("dearer", "drift") for step in ("Main:01", "Other:01")], "go-on"),
    }
    assert request.policy_for(DeviationKind.FAILED).value == "ask"


@pytest.mark.parametrize("playbook", ["", "## Main()\ndeviation: {failed: retry}\n"])
def test_a_playbook_says_itself_what_is_done_and_another_text_cannot_change_that(playbook: str) -> None:
    of_file = _TEXT.replace("---\n\n#", "deviation: {failed: retry}\n---\n\n#")
    text = _TEXT.replace("## Main()\n", playbook) if playbook else of_file
    journal = Journal(IN_MEMORY)
    once = replace(means_in(journal, f"{_WORKS}\nfailures: {{PayBack: {{1: closed}}}}"), seed=Seed(_PLAN, text))
    run = done(begin(_REQUEST, journal, ScriptBackend(Script(())), once))
    assert run.state.status.value == "completed" and len(told(journal.read(run.id), "cycle.begun")) == 2
    softer = text.replace("failed: retry", "failed: retry, drift: go-on")
    always = replace(
        means_in(journal, f"{_WORKS}\nfailures: {{PayBack: {{1: a, 2: a, 3: a}}}}"), seed=Seed(_PLAN, text)
    )
    request = replace(_REQUEST, policies={"failed": "rest"})
    run = done(begin(request, journal, ScriptBackend(Script((says(6, text=softer),) * 3)), always))
    assert run.state.status.value == "failed"
    assert "must stay as it is" in told(journal.read(run.id), "cycle.regenerated")[0]["problems"][0]


def test_no_finished_step_is_done_again_and_no_variable_changes_where_random_programs_go_on() -> None:
    chance, faults, count = random.Random(5), list[str](), 0
    while count < 5:
        found = check_going_on(random.Random(chance.randrange(1 << 30)))
        count += found is not None
        faults += found or []
    assert faults == []
