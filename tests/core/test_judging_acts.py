"""Questions that a model answers by an act or all at once: playbooks without steps, triggers, turns of step lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.enforcing import step, steplist
from tests.core.engine_driver import Played, book, scripted
from tests.core.model_driver import MODEL, FakeModel, data, judge, options, said, wants
from tests.core.steplist_driver import text_of
from workbench.engine.decider import Tools
from workbench.engine.journal.run_events import ToolResult
from workbench.engine.judges import JudgeKind, Subject
from workbench.engine.ports import CalledBack, Purpose
from workbench.engine.state.frames import Intent
from workbench.errors import RunFailed
from workbench.model.loader.steplist import Playbook
from workbench.tools.values import CallSafety, ToolSpec

_REACT = (
    "# B\n```python\n@playbook\ndef add(a: int, b: int = 1) -> int:\n    return a + b\n```\n"
    "## Main\n### Steps\n- $r = Solve('the sum')\n- Return $r\n"
    "## Solve($task) -> int\nFind {$task}.\n"
)
_RAW = (
    "# B\n## Main\n### Steps\n- $r = Poem('rain')\n- Return $r\n## Poem($of)\nexecution_mode: raw\nA poem of {$of}.\n"
)
_TRIGGERS = (
    "# B\n## Main\n### Steps\n- Water the plants\n- Return 1\n"
    "## Drown\n### Triggers\n- When the plants drown\n### Steps\n- $drowned = 1\n"
    "## Dry\n### Triggers\n- When the plants are dry\n### Steps\n- $dry = 1\n"
)


def test_a_playbook_without_steps_is_a_row_of_calls(tmp_path: Path) -> None:
    model = FakeModel([wants(("add", {"a": 3})), wants(("done", {"result": 4}))])
    played = judge(book("", _REACT), tmp_path, model)
    assert (played.run.result, [body["value"] for body in played.bodies("react.observed")]) == (4, [4])


def test_what_may_be_called_is_offered_with_its_parameters(tmp_path: Path) -> None:
    model = FakeModel([wants(("done", {"result": 4}))])
    judge(book("", _REACT), tmp_path, model)
    offers = {one.name: one.schema for one in model.sent[0].tools}
    assert offers["add"]["properties"] == {"a": {"type": "integer"}, "b": {"type": "integer"}}
    assert offers["done"]["properties"] == {"result": {"type": "integer"}}


def test_a_call_of_nothing_is_repaired(tmp_path: Path) -> None:
    model = FakeModel([wants(("subtract", {})), wants(("done", {"result": 4}))])
    played = judge(book("", _REACT), tmp_path, model)
    assert played.run.result == 4
    assert "nothing to call named subtract" in model.sent[1].messages[-1].text


def test_a_raw_playbook_is_one_request_whose_answer_is_the_result(tmp_path: Path) -> None:
    model = FakeModel([said("Rain, rain.")])
    played = judge(book("", _RAW), tmp_path, model)
    assert (played.run.result, len(model.sent)) == ("Rain, rain.", 1)


def test_all_judged_triggers_are_one_request(tmp_path: Path) -> None:
    def answer(purposes: list[str]) -> Any:
        return data(**{name: "dry" in name.lower() for name in purposes})

    class Watching(FakeModel):
        def complete(self, request: Any, on_delta: Callable[[str], None]) -> Any:
            self.sent.append(request)
            if request.schema is None:
                return said("Watered.")
            return answer(list(request.schema["properties"]))

    model = Watching()
    played = judge(book("", _TRIGGERS), tmp_path, model)
    assert played.state.error == ""
    asked = [body for body in played.bodies("input.asked") if body.get("purpose") == Purpose.TRIGGERS.value]
    assert [len(body["fields"]) for body in asked][:1] == [2]


class _Shop(Tools):
    """Tools of a run that write down what they do."""

    def __init__(self) -> None:
        self.done: list[tuple[str, Mapping[str, Any]]] = []

    def offered(self, _agent: str) -> tuple[ToolSpec, ...]:
        return tuple(ToolSpec(name, "", {"type": "object"}, CallSafety.UNSAFE, "") for name in ("lookup", "refund"))

    def safety(self, _agent: str, _name: str) -> CallSafety | None:
        return CallSafety.UNSAFE

    def call(self, intent: Intent, on_output: Callable[[str], None]) -> ToolResult | CalledBack:
        self.done.append((intent.tool, dict(intent.named)))
        if intent.tool == "refund" and not intent.named:
            raise RunFailed("no amount")
        return ToolResult(f"{intent.tool} passed")


_LIST = steplist(step("find", "lookup"), step("pay", "refund"), step("tell"))


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> _Shop:
    """The tools that lists are walked with."""
    made = _Shop()
    monkeypatch.setattr("workbench.engine.starting._others", lambda *_given: made)
    return made


def walk(tmp_path: Path, model: FakeModel, playbook: Playbook = _LIST, **more: Any) -> Played:
    """The run of a list that *model* walks."""
    return judge(text_of(playbook), tmp_path, model, options(model, **more))


def test_a_model_walks_a_list_with_tools_that_are_really_called(shop: _Shop, tmp_path: Path) -> None:
    calls = [wants(("lookup", {"order": 1})), wants(("refund", {"eur": 5})), said("Dear customer")]
    played = walk(tmp_path, FakeModel(calls))
    assert played.run.result == "Dear customer", played.state.error
    assert shop.done == [("lookup", {"order": 1}), ("refund", {"eur": 5})]


def test_several_calls_of_one_turn_are_all_made(shop: _Shop, tmp_path: Path) -> None:
    both = steplist(step("find", "lookup", "refund"), step("tell"))
    played = walk(tmp_path, FakeModel([wants(("lookup", {}), ("refund", {"eur": 5})), said("Done.")]), both)
    assert (played.run.result, [name for name, _named in shop.done]) == ("Done.", ["lookup", "refund"])


def test_what_the_plan_does_not_allow_is_not_made_and_the_model_is_told(shop: _Shop, tmp_path: Path) -> None:
    model = FakeModel(
        [wants(("refund", {"eur": 5})), wants(("lookup", {})), wants(("refund", {"eur": 5})), said("Done")]
    )
    played = walk(tmp_path, model)
    assert played.run.result == "Done"
    assert [name for name, _named in shop.done] == ["lookup", "refund"]
    assert "refund was not called" in model.sent[1].messages[0].text


def test_a_list_offers_its_tools_and_what_may_be_said(shop: _Shop, tmp_path: Path) -> None:
    model = FakeModel([wants(("lookup", {})), wants(("refund", {"eur": 5})), said("Done.")])
    walk(tmp_path, model)
    names = [one.name for one in model.sent[0].tools]
    assert names == ["lookup", "refund", "complete_step", "skip_step", "task_complete"]


def test_a_turn_that_a_model_hands_over_is_taken_by_hand(shop: _Shop, tmp_path: Path) -> None:
    model = FakeModel([wants(("hand_over", {"reason": "no access"})), wants(("refund", {"eur": 5})), said("Done.")])
    chosen = options(model, replace(MODEL, is_handing_over=True))
    by_hand = scripted("answers: [{values: {action: lookup, result: found by hand}}]")
    played = judge(text_of(_LIST), tmp_path, model, chosen, by_hand)
    assert played.run.result == "Done."
    assert [name for name, _named in shop.done] == ["refund"]


_ENTRIES = (
    "answers: [{values: {action: lookup, arguments: {order: 2}, make: true}},"
    " {values: {action: refund, arguments: {eur: 5}, make: true}}, {values: {action: finish, result: Dear Ann}}]"
)


def propose_turns(tmp_path: Path) -> Played:
    """A list that a person walks, to whom a model proposes each turn; the first is changed."""
    calls = [wants(("lookup", {"order": 1}), ("refund", {})), wants(("refund", {"eur": 5})), said("Dear customer")]
    model = FakeModel(calls)
    chosen = options(model, replace(MODEL, is_proposing=True))
    return judge(text_of(_LIST), tmp_path, model, chosen, scripted(_ENTRIES))


def test_the_turn_that_a_model_would_take_is_proposed_as_an_entry(shop: _Shop, tmp_path: Path) -> None:
    proposed = [body["answer"]["values"] for body in propose_turns(tmp_path).bodies("model.proposed")]
    assert [(one["action"], one["arguments"], one["make"]) for one in proposed[:2]] == [
        ("lookup", {"order": 1}, True),
        ("refund", {"eur": 5}, True),
    ]
    assert (proposed[2]["action"], proposed[2]["result"]) == ("finish", "Dear customer")


def test_what_a_person_accepts_or_changes_in_a_turn_is_what_is_called(shop: _Shop, tmp_path: Path) -> None:
    played = propose_turns(tmp_path)
    assert (played.run.result, shop.done) == ("Dear Ann", [("lookup", {"order": 2}), ("refund", {"eur": 5})])


def test_conditions_can_have_another_judge_than_steps(tmp_path: Path) -> None:
    model = FakeModel([said("Watered.")])
    chosen = options(model, MODEL.with_judge(Subject.CONDITIONS, JudgeKind.PERSON))
    by_hand = scripted("answers: [{decision: true}]")
    steps = '- Water the plants\n- If it rains\n  - Return "wet"\n'
    assert judge(steps, tmp_path, model, chosen, by_hand).run.result == "wet"
