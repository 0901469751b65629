"""The rounds of a loop. Its list, or its number of rounds, is settled once, when it begins."""

from __future__ import annotations

from typing import Any

from workbench.engine.decider import Decision
from workbench.engine.journal.run_events import InputAsked, RoundBegun
from workbench.engine.language.leaving import leave_step
from workbench.engine.language.turn import StepFailed, Turn
from workbench.engine.language.wording import asking
from workbench.engine.ports import RequestKind
from workbench.i18n import _
from workbench.model.meaning import Condition, Loop, LoopForm, Variable

_ITEMS = Variable("items", is_state=False, type="list")


def next_round(turn: Turn) -> Decision:
    """The beginning of the next round, the question whether there is one, or the end of the loop."""
    loop = turn.at.meaning
    assert isinstance(loop, Loop)
    rounds = turn.frame.open[-1].rounds
    if rounds >= turn.rules.max_steps:
        raise StepFailed(_("the loop has gone {count} rounds, which is the limit.").format(count=rounds))
    if loop.form is LoopForm.FOR_EACH:
        return _next_item(turn, loop)
    if loop.form is LoopForm.REPEAT and loop.items is not None:
        return _next_repetition(turn, loop)
    condition = loop.condition or Condition(loop.text)
    return _when_it_holds(turn, condition, is_sought=loop.form is LoopForm.UNTIL)


def _next_item(turn: Turn, loop: Loop) -> Decision:
    step = turn.frame.open[-1]
    if turn.frame.done:  # the round has been journaled, its variable has not
        assert loop.variable is not None
        return (turn.set_last(loop.variable, step.items[step.rounds - 1]),)
    items = step.items
    if items is None:
        if loop.items is None and turn.frame.answer is None:
            return (turn.opening(InputAsked.of(asking(turn, RequestKind.JUDGE, turn.at.text, (_ITEMS,)))),)
        items = _items(turn, loop)
    if step.rounds >= len(items):
        return _end(turn)
    told = items if step.items is None else None
    pc = turn.at.next if loop.variable is None else None
    return (turn.draft(RoundBegun(step.rounds + 1, len(items), told, pc=pc)),)


def _items(turn: Turn, loop: Loop) -> list[Any]:
    if loop.items is not None:
        found = turn.value(loop.items)
    else:
        assert turn.frame.answer is not None
        found = turn.frame.answer["values"][_ITEMS.name]
    if isinstance(found, dict):
        return list(found)
    if isinstance(found, list):
        return found
    message = _("a list is needed to go through, and “{value}” is none.")
    raise StepFailed(message.format(value=str(found)[:80]))


def _next_repetition(turn: Turn, loop: Loop) -> Decision:
    step = turn.frame.open[-1]
    assert loop.items is not None
    total = turn.value(loop.items) if step.items is None else step.items
    if isinstance(total, bool) or not isinstance(total, int):
        message = _("a whole number of rounds is needed, and “{value}” is none.")
        raise StepFailed(message.format(value=str(total)[:80]))
    if step.rounds >= total:
        return _end(turn)
    if loop.condition is not None:
        return _when_it_holds(turn, loop.condition, is_sought=True)
    return (turn.draft(RoundBegun(step.rounds + 1, total, total, pc=turn.at.next)),)


def _when_it_holds(turn: Turn, condition: Condition, *, is_sought: bool) -> Decision:
    """Another round, unless *condition* says stop: by being false, or where it *is_sought*, by being true."""
    if condition.test is not None:
        holds = bool(turn.value(condition.test))
    elif turn.frame.answer is not None:
        holds = bool(turn.frame.answer["decision"])
    else:
        return (turn.opening(InputAsked.of(asking(turn, RequestKind.DECIDE, condition.text))),)
    if holds is is_sought:
        return _end(turn)
    return (turn.draft(RoundBegun(turn.frame.open[-1].rounds + 1, pc=turn.at.next)),)


def _end(turn: Turn) -> Decision:
    code = turn.book.code(turn.frame.agent, turn.frame.playbook)
    return (leave_step(turn, pc=code.instructions[turn.at.otherwise].next),)
