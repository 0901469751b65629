"""Cycles in tests: a goal with a script or a model in, the events and the playbook out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.conftest import PATIENCE_S
from tests.core.steplist_cutting import IN_MEMORY
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.ports import Answer
from workbench.engine.running.run import Run
from workbench.engine.schemas import object_schema
from workbench.engine.scripts import Script, ScriptedAnswer
from workbench.planning.cycle import Means, begin
from workbench.planning.request import Offer, PlanRequest
from workbench.tools.values import CallSafety

LOAD = Offer("LoadOrder", "loads an order", object_schema({"id": {"type": "string"}}, ("id",)), CallSafety.READ)
PAY = Offer("PayBack", "pays", object_schema({"id": {}, "amount": {"type": "number"}}, ("id",)))
REFUND = PlanRequest("Refund an order", offers=(LOAD, PAY))
PLAN: Mapping[str, Any] = {
    "title": "Refund an order",
    "description": "Gives money back where that is right.",
    "parameters": [{"name": "order", "type": "str"}],
    "steps": [
        {"intent": "load it", "call": "LoadOrder", "arguments": {"id": "$order"}, "result": "found"},
        {
            "intent": "is it paid?",
            "condition": "$found > 100",
            "steps": [{"intent": "pay back", "call": "PayBack", "arguments": {"id": "$order", "amount": 5}}],
            "otherwise": [{"intent": "Tell the user why there is no refund"}],
        },
    ],
    "returns": "$found",
}
RIGHT = "# Refund\n\n## Main($order: str)\n\n### Steps\n\n- $found = LoadOrder(id=$order)\n- PayBack(id=$order)\n"
WRONG = RIGHT.replace("LoadOrder", "LodOrder").replace("PayBack(id", "PayBack(ids")


def says(step: int, **values: Any) -> ScriptedAnswer:
    """What a script answers in the stage *step*, from 1."""
    return ScriptedAnswer(f"Cycle:{step:02d}", Answer(tuple(values.items())))


def decides(is_yes: bool, text: str = "") -> ScriptedAnswer:
    """What a script says to the review."""
    return ScriptedAnswer("Cycle:04", Answer(decision=is_yes, text=text))


def scripted(*answers: ScriptedAnswer) -> ScriptBackend:
    """Whoever gives *answers*."""
    return ScriptBackend(Script(answers))


def done(run: Run) -> Run:
    """*run*, which goes on no more."""
    assert run.wait(PATIENCE_S), f"still going on: {run.state}"
    return run


def cycled(
    request: PlanRequest, answers: Sequence[ScriptedAnswer], journal: Journal | None = None, means: Means | None = None
) -> tuple[Run, tuple[RunEvent, ...]]:
    """A cycle for *request* that is answered by *answers*, at its end, and its events."""
    kept = journal or Journal(IN_MEMORY)
    run = done(begin(request, kept, scripted(*answers), means))
    return run, kept.read(run.id)


def told(events: Sequence[RunEvent], name: str) -> list[dict[str, Any]]:
    """The bodies of all events called *name*."""
    return [dict(encoded(event.payload)) for event in events if event.name == name]


def journal_in(folder: Path) -> Journal:
    """A journal on the disk."""
    return Journal(folder / "runs.sqlite")
