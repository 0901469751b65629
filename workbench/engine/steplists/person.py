"""A person in the place of a model: carries out the steps by hand, and enters what was done.

What is entered is a call like any other: the enforcer is asked first. Where the call is
blocked, the person reads why, and nothing counts as done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.engine.enforcement.decisions import CONTROL_TOOLS
from workbench.engine.journal.steplist_events import CallWish
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.engine.steplists.places import WHOLE_LIST
from workbench.engine.steplists.plan_fold import SKIP_STEP
from workbench.engine.steplists.walking import (
    DONE,
    FINISH,
    SKIP,
    CallOutcomeText,
    StepAtHand,
    Tool,
    Turn,
    TurnAnswer,
)
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.loader.steplist import Playbook
from workbench.model.meaning import Variable

_FIELDS = (
    Variable("action", is_state=False, type="str"),
    Variable("arguments", is_state=False, type="dict"),
    Variable("result", is_state=False),
    Variable("failure", is_state=False, type="str"),
)


class PersonTools(Mapping[str, Tool]):
    """The tools of a person, who is the one who uses them: every tool is there, those of *playbook* by name."""

    def __init__(self, playbook: Playbook) -> None:
        self._known = dict.fromkeys(tool for step in playbook.steps for tool in step.expected_tools)
        self._entry: Mapping[str, Any] = {}

    def taken(self, turn: Turn, entry: Mapping[str, Any]) -> TurnAnswer:
        """What *entry* in *turn* says was done, or is to be said of the step."""
        action, said = str(entry["action"]).strip(), str(entry["result"] or "")
        sayings = turn.at.sayings if turn.at is not None else (FINISH,)
        if action in sayings and action not in self._known:
            return _SAID[action](said)
        self._entry = entry
        return TurnAnswer((CallWish(action, dict(entry["arguments"] or {})),))

    def __getitem__(self, name: str) -> Tool:
        if name in CONTROL_TOOLS and name not in self._known:
            raise KeyError(name)
        return self._use

    def __contains__(self, name: object) -> bool:
        return name in self._known or (name not in CONTROL_TOOLS and name != SKIP_STEP)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def _use(self, _arguments: Mapping[str, Any]) -> Any:
        """What the person says the tool gave, or that it failed."""
        failure = str(self._entry.get("failure") or "").strip()
        if failure:
            raise RunFailed(failure)
        return self._entry.get("result")


def _finished(said: str) -> TurnAnswer:
    return TurnAnswer(text=said)


def _done(said: str) -> TurnAnswer:
    return TurnAnswer((CallWish("complete_step", {"result": said}),))


def _skipped(said: str) -> TurnAnswer:
    return TurnAnswer((CallWish(SKIP_STEP, {"reason": said}),))


_SAID = {FINISH: _finished, DONE: _done, SKIP: _skipped}


def request_of(turn: Turn) -> Request:
    """The question of *turn*. *context* holds what was refused, the hints, and what is left."""
    at = turn.at or StepAtHand(WHOLE_LIST, _("All steps are done."), (), (), (), (FINISH,))
    refused = [_refusal(one) for one in turn.outcomes if one.is_error] + ([turn.reminder] if turn.reminder else [])
    context = (("refused", refused), ("hints", list(at.hints)), ("left", list(at.left)), ("tools", list(at.tools)))
    return Request(
        f"turn{turn.number}",
        RequestKind.JUDGE,
        at.where.step,
        at.description,
        _FIELDS,
        (*at.tools, *(saying for saying in at.sayings if saying not in at.tools)),
        tuple((name, value) for name, value in context if value),
        purpose=Purpose.TURN,
    )


def _refusal(outcome: CallOutcomeText) -> str:
    if not outcome.reason:
        return outcome.text
    return _("{tool} was blocked and does not count as done: {reason}").format(tool=outcome.tool, reason=outcome.reason)
