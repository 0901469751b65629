"""What a model that walks a step list is offered: the tools of its steps, and what may be said of the plan."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.engine.enforcement.decisions import COMPLETE_STEP, SKIP_STEP, TASK_COMPLETE
from workbench.engine.schemas import object_schema
from workbench.model.loader.steplist import Playbook
from workbench.tools.values import CallSafety, ToolSpec

_TEXT = {"type": "string"}
_SAYINGS = (
    (COMPLETE_STEP, "Says that the current step is done.", object_schema({"result": _TEXT}, ("result",))),
    (SKIP_STEP, "Leaves the current step out, if it is optional.", object_schema({"reason": _TEXT}, ("reason",))),
    (TASK_COMPLETE, "Says that everything is done.", object_schema({}, ())),
)


def choices_for(playbook: Playbook, offered: Iterable[ToolSpec]) -> tuple[ToolSpec, ...]:
    """The tools that steps of *playbook* expect, the others of those *offered* where any may be called, and sayings.

    Always the same for one list: what the plan does not allow now is blocked, and the blocking says why. A tool of
    which nobody knows more than its name takes whatever it is given.
    """
    known = {spec.name: spec for spec in offered}
    takes_any = playbook.allow_extra_tools or any(step.any_tool for step in playbook.steps)
    names = dict.fromkeys((*playbook.steps_by_tool, *(known if takes_any else ())))
    sayings = (ToolSpec(*each, CallSafety.READ, "") for each in _SAYINGS if each[0] not in names)
    return (*(known.get(name) or _unknown(name) for name in names), *sayings)


def _unknown(name: str) -> ToolSpec:
    return ToolSpec(name, "", {"type": "object"}, CallSafety.UNSAFE, "")
