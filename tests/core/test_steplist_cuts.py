"""Runs of step lists that are cut off after their events: nothing is lost, nothing twice, and all can end."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.conformance.enforcing import step, steplist
from tests.conftest import DATA
from tests.core.steplist_cutting import (
    Case,
    Desk,
    Doer,
    Model,
    World,
    cuts,
    ended,
    essence,
    open_call,
    resumed,
    script_for,
    whole,
)
from tests.core.steplist_driver import text_of
from workbench.engine.backends.person import NobodyBackend
from workbench.engine.backends.script import ScriptedWalker
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.steplist_events import CallCancelled
from workbench.engine.options import RunOptions
from workbench.engine.ports import InDoubtChoice
from workbench.engine.scripts import ScriptedCall as Call
from workbench.model.loader.loading import load_text
from workbench.model.loader.steplist import Playbook, RequiredProbe
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

SAMPLES = sorted((DATA / "enforce").glob("[!c]*.*"))
"""``make soak`` takes every list of the tests."""
STRICT = steplist(
    step("find", "lookup", "search"), step("check", "policy"), step("pay", "refund", "mail", "log", max_tool_calls=3)
)
CHECKED = steplist(step("find", "lookup"), step("check", "policy"))
ENDS_IN_WORDS = steplist(step("find", "lookup"), step("maybe", "gift", required=False), step("tell"))
ASKED_FOR = {"required_result_keywords": ["fine"], "match": "word"}
CAREFUL = steplist(
    step("look", "read", min_tool_calls=2, required_probes=(RequiredProbe("the log", "error.log"),)),
    step("test", "run", validation={"min_tool_calls": 2, "required_result_keywords": ["passed"]}),
    step("say", validation=ASKED_FOR),
)
LENIENT = steplist(step("a", "t", "u"), step("b", "v", "w"), step("c", "x", required=False), strict_sequence=False)
FREE = steplist(step("a", "t"), step("b", any_tool=True, min_tool_calls=2), step("c", "u"), allow_extra_tools=True)


def batch(*tools: str) -> tuple[Call, ...]:
    """Calls that are wanted together."""
    return tuple(Call(tool, {"for": tool}, f"{tool} passed", batch=tools[0]) for tool in tools)


SCRIPTS: dict[str, tuple[Playbook, tuple[Call, ...]]] = {
    "batches of two and three": (STRICT, (*batch("lookup", "search"), Call("policy"), *batch("refund", "mail", "log"))),
    "a batch over several steps": (STRICT, (*batch("lookup", "search", "policy"), *batch("refund", "mail", "log"))),
    "equal calls with other results": (
        steplist(step("a", "t", validation={"required_result_keywords": ["second"]})),
        (Call("t", result="first", batch="1"), Call("t", result="second", batch="1")),
    ),
    "blocked in a batch": (
        STRICT,
        (*batch("lookup", "refund", "search"), *batch("search", "policy"), *batch("refund", "mail", "log")),
    ),
    "failed in a batch": (
        STRICT,
        (Call("lookup", error="down", batch="0"), Call("search", batch="0"), *script_for(STRICT)),
    ),
    "an optional step left out by a call": (
        steplist(step("a", "t"), step("b", "u", required=False), step("c", "v", required=False), step("d", "w")),
        (Call("t"), Call("w")),
    ),
    "an optional step left out by words": (ENDS_IN_WORDS, (Call("lookup"), Call(text="Dear customer"))),
    "an optional step left out by a statement": (
        ENDS_IN_WORDS,
        (Call("lookup"), Call("skip_step", {"reason": "no"}), Call("complete_step", {"result": "told"})),
    ),
    "optional steps left out at the end": (
        steplist(step("a", "t"), step("b", "u", required=False), step("c", "v", required=False)),
        (Call("t"), Call(text="that is all")),
    ),
    "the end is said by a call": (
        steplist(step("a", "t"), step("b", "u", required=False)),
        (Call("task_complete"), Call("t"), Call("task_complete")),
    ),
    "evidence, a floor of calls, words to be said": (
        CAREFUL,
        (
            *(Call("read"), Call("run", result="1 passed"), Call("run", result="2 passed")),
            *(Call(text="not fine"), Call(text="all is fine")),
        ),
    ),
    "in any order": (LENIENT, (*batch("v", "t"), *batch("u", "w"), Call(text="enough"))),
    "extras and a step for any tool": (FREE, (Call("x"), Call("t"), *batch("y", "z"), Call("u"))),
    "a limit that is used up": (
        steplist(step("a", "t", "v", max_tool_calls=2, retry_limit=0), step("b", "u")),
        (*batch("t", "t"), Call("t")),
    ),
    "all turns used": (steplist(step("a", "t"), step("b", "u"), max_iterations=1), (Call("t"), Call("u"))),
    "given up twice": (STRICT, (Call("lookup"), Call(text="done"), Call(text="really"))),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_that_is_cut_off_anywhere_comes_to_the_same(name: str) -> None:
    playbook, calls = SCRIPTS[name]
    check_cuts(Case(text_of(playbook), lambda: ScriptedWalker(calls)))


def test_where_nothing_is_blocked_a_cut_changes_nothing_either() -> None:
    calls = (*batch("refund", "lookup", "search"), Call("policy"), *batch("refund", "mail", "log"))
    check_cuts(Case(text_of(STRICT), lambda: ScriptedWalker(calls), RunOptions(is_recording_only=True)))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_every_sample_that_is_cut_off_anywhere_comes_to_the_same(path: Path) -> None:
    snapshot = derive(SourceText.decode(path.read_bytes()))
    calls = script_for(load_text(snapshot.text))
    check_cuts(Case(snapshot, lambda: ScriptedWalker(calls)))


ENTRIES = (
    {"action": "policy", "result": "too early"},
    {"action": "lookup", "failure": "the register is down"},
    {"action": "lookup", "arguments": {"order": "A-17"}, "result": "120 EUR"},
    {"action": "policy", "result": "allowed"},
)
SAID = (
    {"action": "lookup", "result": "found"},
    {"action": "finish", "result": ""},
    {"action": "skip", "result": "not today"},
    {"action": "done", "result": "told by mail"},
)


@pytest.mark.parametrize(("playbook", "entries"), [(CHECKED, ENTRIES), (ENDS_IN_WORDS, SAID)])
def test_what_a_person_entered_is_neither_lost_nor_asked_for_again(
    playbook: Playbook, entries: tuple[dict[str, object], ...]
) -> None:
    check_cuts(Case(text_of(playbook), lambda: Desk(entries)))


def check_cuts(case: Case) -> None:
    """Hold that the run of *case*, cut off after any event, goes on without a question and tells the same once."""
    uncut = whole(case)
    for count in cuts(uncut.events):
        events = resumed(uncut, count, case.walker())
        assert essence(events) == essence(uncut.events), f"cut after {count}, {uncut.events[count - 1].name}"


def up_to(kind: str, events: tuple[RunEvent, ...]) -> int:
    """How many of *events* there are with the first of *kind*."""
    return [event.name for event in events].index(kind) + 1


def test_the_rest_of_a_batch_is_done_whoever_goes_on_with_the_run() -> None:
    playbook, calls = SCRIPTS["batches of two and three"]
    uncut = whole(Case(text_of(playbook), lambda: ScriptedWalker(calls)))
    events = resumed(uncut, up_to("effect.result", uncut.events), NobodyBackend())
    assert ended(events) == ["lookup(for=lookup)", "search(for=search)"]
    assert events[-1].name == "run.paused"


def test_what_another_wanted_and_nobody_here_can_make_is_told_as_not_made() -> None:
    playbook, calls = SCRIPTS["batches of two and three"]
    uncut = whole(Case(text_of(playbook), lambda: Doer(World(), calls)))
    events = resumed(uncut, up_to("llm.response", uncut.events), NobodyBackend())
    cancelled = [event.payload for event in events if isinstance(event.payload, CallCancelled)]
    assert [call.tool for call in cancelled] == ["lookup", "search"]
    assert "nobody is here" in cancelled[0].message
    assert ended(events) == []


@pytest.mark.parametrize("choice", [InDoubtChoice.AGAIN, InDoubtChoice.DONE])
def test_what_tools_do_is_done_once_as_a_person_says_of_the_call_in_doubt(choice: InDoubtChoice) -> None:
    playbook, calls = SCRIPTS["blocked in a batch"]
    world = World()
    uncut = whole(Case(text_of(playbook), lambda: Doer(world, calls)))
    blocked = names_of(uncut.events, "tool.blocked")
    for count in cuts(uncut.events):
        before = uncut.events[:count]
        then = World([*ended(before), *([open_call(before)] if choice is InDoubtChoice.DONE else [])])
        events = resumed(uncut, count, Doer(then, calls), RunOptions(in_doubt=choice))
        assert [made for made in then.done if made] == world.done, f"cut after {count}, {before[-1].name}"
        assert names_of(events, "tool.blocked") == blocked
        assert events[-1].name == "run.completed"


@pytest.mark.parametrize(
    ("playbook", "choice"), [*((STRICT, choice) for choice in InDoubtChoice), (LENIENT, InDoubtChoice.SKIP)]
)
def test_a_model_that_sees_what_was_done_does_the_rest_once(playbook: Playbook, choice: InDoubtChoice) -> None:
    world = World()
    uncut = whole(Case(text_of(playbook), lambda: Model(world)))
    for count in cuts(uncut.events):
        before = uncut.events[:count]
        then = World([*ended(before), *([open_call(before)] if choice is InDoubtChoice.DONE else [])])
        events = resumed(uncut, count, Model(then), RunOptions(in_doubt=choice))
        assert Counter(filter(None, then.done)) == Counter(world.done), f"cut after {count}, {before[-1].name}"
        assert events[-1].name == "run.completed"


def names_of(events: tuple[RunEvent, ...], kind: str) -> list[tuple[object, ...]]:
    """What the events of one *kind* say."""
    return [entry for entry in essence(events) if entry[0] == kind]
