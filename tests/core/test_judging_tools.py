"""Steps that a model judges with tools: its calls are calls like any other, and what they give goes back to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.core.engine_driver import book
from tests.core.model_driver import FakeModel, data, judge, options, said, wants
from workbench.engine.backends.tools import PlaybookTools
from workbench.engine.judges import Limits
from workbench.tools.values import CallSafety, ToolSpec

_PYTHON = '''# Book
```python
@playbook
def used(disk: str) -> int:
    """How full a disk is."""
    if disk == "none":
        raise ValueError("no such disk")
    return 91

@playbook
async def both(disk: str) -> str:
    """Asks a playbook."""
    return await Look(disk)

@playbook
def long() -> str:
    """Gives much."""
    return "x" * 5000 + "END"
```
## Main
### Steps
{steps}

## Look($disk)
### Steps
- Look at {{$disk}} closely
- Return $disk
'''
_TEXT = {"type": "string"}


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python of the file is offered to models."""
    disk = {"type": "object", "properties": {"disk": _TEXT}, "required": ["disk"], "additionalProperties": False}
    nothing: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    specs = tuple(
        ToolSpec(name, "", schema, CallSafety.UNSAFE, "file")
        for name, schema in (("used", disk), ("both", disk), ("long", nothing))
    )
    monkeypatch.setattr(PlaybookTools, "offered", lambda _self, _agent: specs)


def played(tmp_path: Path, model: FakeModel, steps: str = "- Find out $full:int\n- Return $full", **more: Any) -> Any:
    """A run of *steps* with Python."""
    made = book("", _PYTHON.format(steps=steps))
    return judge(made, tmp_path, model, options(model, **more))


def test_what_a_tool_gives_goes_back_to_the_model(tmp_path: Path) -> None:
    model = FakeModel([wants(("used", {"disk": "sda"})), data(full=91)])
    run = played(tmp_path, model)
    assert run.run.result == 91
    assert (model.sent[1].messages[-1].text, model.sent[1].messages[-1].answers) == ("91", "c0")


def test_a_call_of_a_model_is_journaled_with_its_arguments_in_the_question(tmp_path: Path) -> None:
    run = played(tmp_path, FakeModel([wants(("used", {"disk": "sda"})), data(full=91)]))
    (call,) = [event for event in run.events if event.name == "tool.call"]
    question = next(event.span for event in run.events if event.name == "input.asked")
    assert (run.bodies("tool.call")[0]["named"], call.parent) == ({"disk": "sda"}, question)


def test_several_calls_are_made_one_after_the_other(tmp_path: Path) -> None:
    model = FakeModel([wants(("used", {"disk": "a"}), ("used", {"disk": "b"})), data(full=1)])
    run = played(tmp_path, model)
    assert [body["named"]["disk"] for body in run.bodies("tool.call")] == ["a", "b"]


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        (("format", {}), "There is no tool called format"),
        (("used", {}), "disk"),
        (("used", {"disk": "sda", "now": True}), "now"),
        (("used", {"disk": "none"}), "no such disk"),
    ],
)
def test_what_cannot_be_called_or_fails_is_told_to_the_model(
    wish: tuple[str, dict[str, Any]], told: str, tmp_path: Path
) -> None:
    model = FakeModel([wants(wish), data(full=0)])
    run = played(tmp_path, model)
    last = model.sent[1].messages[-1]
    assert (run.run.result, last.is_error) == (0, True)
    assert told in last.text


def test_a_tool_may_call_a_playbook_whose_steps_a_model_judges(tmp_path: Path) -> None:
    model = FakeModel([wants(("both", {"disk": "sda"})), said("Looked."), data(full=91)])
    run = played(tmp_path, model)
    assert run.run.result == 91
    assert model.sent[2].messages[-1].text == "sda"


def test_a_call_whose_result_no_step_keeps_leads_nowhere(tmp_path: Path) -> None:
    model = FakeModel([wants(("used", {"disk": "sda"})), said("Cleaned."), data(full=3)])
    run = played(tmp_path, model, '- CleanUp("sda")\n- Find out $full:int\n- Return $full')
    assert run.run.result == 3


def test_a_model_that_only_calls_comes_to_its_end(tmp_path: Path) -> None:
    model = FakeModel([wants(("used", {"disk": "sda"}))] * 5)
    run = played(tmp_path, model, limits=Limits(turns=3))
    assert "has taken 3 turns" in run.state.error
    assert [len(one.tools) > 0 for one in model.sent] == [True, True, False]


def test_a_long_result_is_shown_by_its_beginning_and_loaded_when_asked(tmp_path: Path) -> None:
    loading = wants(("load_artifact", {"name": "long#1.1", "start": 4000}))
    model = FakeModel([wants(("long", {})), loading, data(full=1)])
    played(tmp_path, model)
    assert len(model.sent[1].messages[-1].text) < 700
    assert model.sent[2].messages[-1].text.endswith("END")
