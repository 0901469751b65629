"""Calls that stand in expressions and placeholders: made like any other, and their results are the expression's."""

from __future__ import annotations

from dataclasses import replace

from workbench.engine.decider import Draft
from workbench.engine.expressions.data import NotData, as_data
from workbench.engine.expressions.unrolling import CallWanted, Reads
from workbench.engine.journal.payload import NOTHING, Giving
from workbench.engine.journal.run_events import InputAsked, PlaybookEntered, ToolCalled
from workbench.engine.language import meetings
from workbench.engine.language.calling import ask_for_call, make_call
from workbench.engine.language.turn import StepFailed, Turn
from workbench.model.meaning import Call, Variable

_KEPT = Variable("result", is_state=False)


def begin_inner(turn: Turn, wanted: CallWanted) -> Draft:
    """The event by which the call begins that an expression at hand needs, or is done. Raises StepFailed."""
    assert turn.unrolling is not None, "else no expression could want a call"
    answer = turn.frame.answer
    inner = replace(turn, is_inner=True)
    if answer is not None and meetings.SPOKEN.name in answer.get("values", {}):
        made = meetings.spoken_by_person(inner, str(answer["values"][meetings.SPOKEN.name]))
        return _with_reads(made, turn.unrolling.fresh)
    try:
        positional, named = as_data(wanted.positional), as_data(wanted.named)
    except NotData as error:
        raise StepFailed(f"{error}.") from error
    made = make_call(inner, wanted.target, positional, named) or ask_for_call(
        inner, Call(wanted.target, (), _KEPT), positional, named
    )
    return _with_reads(made, turn.unrolling.fresh)


def _with_reads(made: Draft, reads: Reads) -> Draft:
    """*made*, with what was read before; unless something has to come before the call, as an invitation has."""
    payload = made.payload
    match payload:
        case InputAsked() if payload.fields == (meetings.SPOKEN,):
            return made
        case PlaybookEntered() | ToolCalled() | InputAsked():
            return replace(made, payload=replace(payload, reads=reads))
        case Giving() if payload.gives is not NOTHING:
            return replace(made, payload=replace(payload, reads=reads))
    return made
