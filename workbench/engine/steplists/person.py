"""A person in the place of a model: carries out the steps by hand, and enters what was done.

What is entered is a call like any other: the enforcer is asked first. Where the call is
blocked, the person reads why, and nothing counts as done. A person can also let the run make the call, where the run
has the tool.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.engine.enforcement.decisions import COMPLETE_STEP, SKIP_STEP
from workbench.engine.journal.steplist_events import CallWish
from workbench.engine.ports import Answer, Purpose, Request, RequestKind
from workbench.engine.steplists.places import WHOLE_LIST
from workbench.engine.steplists.turn_fold import foreseen_in
from workbench.engine.steplists.walking import DONE, FINISH, SKIP, CallOutcomeText, StepAtHand, Turn, TurnAnswer
from workbench.i18n import _
from workbench.model.loader.steplist import Playbook
from workbench.model.meaning import Variable

MAKE = "make"
"""The field of an entry that says: the run is to make the call, and nobody has."""
_FIELDS = (
    Variable("action", is_state=False, type="str"),
    Variable("arguments", is_state=False, type="dict"),
    Variable("result", is_state=False),
    Variable("failure", is_state=False, type="str"),
    Variable(MAKE, is_state=False, type="bool"),
)


def taken_by(entry: Mapping[str, Any], at: StepAtHand | None, playbook: Playbook) -> TurnAnswer:
    """What *entry*, for the step *at* hand of *playbook*, says was done, or is to be said of the step."""
    action, said = str(entry["action"]).strip(), str(entry["result"] or "")
    sayings = at.sayings if at is not None else (FINISH,)
    if action in sayings and action not in playbook.steps_by_tool:
        return _SAID[action](said)
    foreseen = () if entry.get(MAKE) else (foreseen_in(entry),)
    return TurnAnswer((CallWish(action, dict(entry["arguments"] or {})),), foreseen=foreseen)


def entry_of(answer: TurnAnswer, request: Request) -> Answer:
    """What a person would enter to take the turn of *request* so: its first call, for the run to make, or its words."""
    if not answer.calls:
        saying = FINISH if FINISH in request.choices else DONE
        return Answer((("action", saying), ("result", answer.text)))
    first = answer.calls[0]
    for tool, saying, key in ((COMPLETE_STEP, DONE, "result"), (SKIP_STEP, SKIP, "reason")):
        if first.tool == tool and saying in request.choices:
            return Answer((("action", saying), ("result", first.named.get(key, ""))))
    return Answer((("action", first.tool), ("arguments", dict(first.named)), (MAKE, True)))


def _finished(said: str) -> TurnAnswer:
    return TurnAnswer(text=said)


def _done(said: str) -> TurnAnswer:
    return TurnAnswer((CallWish(COMPLETE_STEP, {"result": said}),))


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
