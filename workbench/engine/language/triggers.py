"""Triggers as interrupts: looked at when a step has ended, and each fires once when it becomes true."""

from __future__ import annotations

from typing import Any

from workbench.engine.decider import Decision, Draft
from workbench.engine.expressions.evaluation import EvaluationFailed, UnknownName, evaluate
from workbench.engine.journal.choices import FiringCause
from workbench.engine.journal.language_events import TriggerFired, TriggersChecked
from workbench.engine.journal.run_events import InputAsked
from workbench.engine.language.book import type_of
from workbench.engine.language.turn import Turn
from workbench.engine.language.watches import Watch
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.engine.state.fold import RunFold
from workbench.i18n import _
from workbench.model.meaning import Variable


def look(turn: Turn) -> Decision | None:
    """What a look at the triggers comes to, after a step; None where nothing is to be noted or asked."""
    return _exact(turn) or _judgement(turn)


def is_running(state: RunFold, key: str) -> bool:
    """Whether the playbook of the trigger *key* is being carried out because it fired."""
    return any(frame.trigger == key for frame in state.frames)


def fire(turn: Turn, watch: Watch, cause: FiringCause, key: str = "") -> Draft:
    """The event that *watch* fires."""
    key = key or watch.key
    fired = TriggerFired(watch.address, key, _agent_for(turn, watch, key), watch.playbook, cause)
    return Draft(fired, watch.address, watch.line, "", turn.state.open_span)


def fire_next(turn: Turn) -> Draft:
    """The event that the first of the triggers that fire has its turn."""
    key = turn.state.watching.firing[0]
    return fire(turn, turn.book.watches.by_key(key.partition("@")[0]), FiringCause.INTERRUPT, key)


def _agent_for(turn: Turn, watch: Watch, key: str) -> str:
    """Who carries the playbook out: the agent whose variables made it true, else the one at work, else the first."""
    named = key.partition("@")[2]
    here = turn.frame.agent
    return named or (here if type_of(here) == watch.agent and watch.test is None else watch.agent)


def _exact(turn: Turn) -> Decision | None:
    watching = turn.state.watching
    holds: dict[str, bool] = {}
    for watch in turn.book.watches.exact:
        for agent, values in turn.state.agents.items():
            if type_of(agent) != watch.agent or not _is_touched(turn, watch, agent):
                continue
            key = watch.key if agent == watch.agent else f"{watch.key}@{agent}"
            if is_running(turn.state, key):
                continue
            now = _holds(watch, values)
            if now != watching.truths.get(key, False):
                holds[key] = now
    called = set(watching.called)
    after = [each.key for each in turn.book.watches.calls if each.moment == "after" and each.subject in called]
    firing = [key for key, now in holds.items() if now]
    firing += [key for key in after if not is_running(turn.state, key)]
    if not holds and not firing:
        return None
    return (_checked(turn, holds, firing, is_judged=False),)


def _is_touched(turn: Turn, watch: Watch, agent: str) -> bool:
    watching = turn.state.watching
    return watching.is_all or any((agent, name) in watching.changed for name in watch.names)


def _holds(watch: Watch, values: dict[str, Any]) -> bool:
    """Whether the condition is true; unknown, or not to be worked out, is not true."""

    def lookup(name: str, is_state: bool) -> object:  # noqa: FBT001 - a scope is called like this
        if name in values:
            return values[name]
        raise UnknownName(name)

    assert watch.test is not None
    try:
        return bool(evaluate(watch.test, lookup))
    except EvaluationFailed:
        return False


def _checked(turn: Turn, holds: dict[str, bool], firing: list[str], *, is_judged: bool) -> Draft:
    return turn.draft(TriggersChecked(holds, tuple(firing), is_judged))


def _judgement(turn: Turn) -> Decision | None:
    """One question about all triggers that are a judgement, where something happened that could matter."""
    if not turn.state.watching.has_news:
        return None
    asked = [each for each in turn.book.watches.judged if not is_running(turn.state, each.key)]
    if not asked:
        return None
    lines = [_("Which of these is the case now?"), *(f"{each.address}  {each.text}" for each in asked)]
    fields = tuple(Variable(each.field, is_state=False, type="bool") for each in asked)
    first = turn.book.watches.judged[0]  # always the same, so that a script can say which question it answers
    number = f"q{turn.state.next_seq}"
    text = "\n".join(lines)
    request = Request(number, RequestKind.JUDGE, first.address, text, fields, purpose=Purpose.TRIGGERS)
    span = f"s{turn.state.spans + 1}"
    return (Draft(InputAsked.of(request), first.address, first.line, span, turn.state.open_span),)


def judged(turn: Turn) -> Draft:
    """The event that the answer about the judged triggers is taken in."""
    watching = turn.state.watching
    assert watching.answer is not None
    values = watching.answer["values"]
    holds: dict[str, bool] = {}
    for watch in turn.book.watches.judged:
        now = bool(values.get(watch.field, watching.truths.get(watch.key, False)))
        if now != watching.truths.get(watch.key, False):
            holds[watch.key] = now
    return _checked(turn, holds, [key for key, now in holds.items() if now], is_judged=True)
