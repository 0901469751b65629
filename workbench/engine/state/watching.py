"""What the triggers of a run depend on: which variables changed, what was called, what held when last looked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.engine.journal.choices import EntryCause, FiringCause
from workbench.engine.journal.debug_events import AnswerHeld, BreakpointHit, PointLogged, ResultHeld, StateEdited
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.journal.language_events import TriggerFired, TriggersChecked
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import (
    InputAsked,
    RunCancelling,
    RunPaused,
    RunResumed,
    RunStarted,
    ToolPrinted,
)
from workbench.engine.journal.waiting_events import TimerDue


@dataclass(frozen=True, slots=True)
class Entering:
    """A playbook that is to begin next, and why: see ``Frame`` for *cause* and *trigger*.

    *message*: what failed, where it answers that, or what was said. *is_told*: whether it was journaled that the
    trigger fired.
    """

    agent: str
    playbook: str
    cause: EntryCause
    trigger: str = ""
    meeting: int = 0
    message: str = ""
    is_told: bool = True


@dataclass(frozen=True, slots=True)
class Watching:
    """How far triggers have been looked at.

    *is_due*: a step has just ended. *changed*: (agent, name) of the variables set since the last
    look, *is_all*: look at every trigger. *called*: ``Agent.Name`` of the calls that came back.
    *has_news*: something happened that a judgement could depend on, *has_words*: somebody has said something. *noted*:
    like *changed*, since the last judgement.
    *truths*: what held when last looked, by trigger. *firing*: triggers that fire next. *answer*: of the batched
    judgement.
    """

    is_due: bool = False
    changed: frozenset[tuple[str, str]] = frozenset()
    is_all: bool = False
    called: tuple[str, ...] = ()
    has_news: bool = False
    has_words: bool = False
    noted: frozenset[tuple[str, str]] = frozenset()
    truths: Mapping[str, bool] = field(default_factory=dict)
    firing: tuple[str, ...] = ()
    entering: Entering | None = None
    answer: Mapping[str, Any] | None = None


class LiveWatching:
    """A ``Watching`` that changes in place."""

    __slots__ = (
        "answer",
        "called",
        "changed",
        "entering",
        "firing",
        "has_news",
        "has_words",
        "is_all",
        "is_due",
        "noted",
        "truths",
    )

    def __init__(self, watching: Watching) -> None:
        self.is_due, self.changed, self.is_all = watching.is_due, set(watching.changed), watching.is_all
        self.called, self.has_news = list(watching.called), watching.has_news
        self.has_words, self.noted = watching.has_words, set(watching.noted)
        self.truths = dict(watching.truths)
        self.firing, self.entering, self.answer = list(watching.firing), watching.entering, watching.answer

    def frozen(self) -> Watching:
        """This as a value."""
        return Watching(
            self.is_due,
            frozenset(self.changed),
            self.is_all,
            tuple(self.called),
            self.has_news,
            self.has_words,
            frozenset(self.noted),
            dict(self.truths),
            tuple(self.firing),
            self.entering,
            self.answer,
        )

    def go_past(self, payload: EventPayload) -> None:
        """A step has just ended and *payload* follows: unless it asks about triggers, nothing fired then."""
        if type(payload) in _PASSING:
            return
        self.is_due = False
        if not isinstance(payload, TriggersChecked | InputAsked):
            self._looked()

    def _looked(self) -> None:
        self.changed.clear()
        self.called.clear()
        self.is_all = False

    def change(self, agent: str, name: str) -> None:
        """The variable *name* of *agent* was set."""
        self.changed.add((agent, name))
        self.noted.add((agent, name))

    def checked(self, found: TriggersChecked) -> None:
        """Take in the outcome of a look: after an exact one, the judged triggers are looked at next."""
        self._looked()
        self.truths.update(found.holds)
        self.firing += found.fire
        if found.is_judged:
            self.has_news, self.has_words, self.answer = False, False, None
            self.noted.clear()
        else:
            self.is_due = True

    def fired(self, trigger: TriggerFired) -> None:
        """The first trigger that fires has its turn."""
        if self.entering is not None:
            self.entering = replace(self.entering, is_told=True)
            return
        if self.firing and self.firing[0] == trigger.key:
            self.firing.pop(0)
        cause = EntryCause.CALL if trigger.cause is FiringCause.FAILS else EntryCause.INTERRUPT
        self.entering = Entering(trigger.agent, trigger.playbook, cause, trigger.key, trigger.meeting)

    def explain(self, message: str) -> None:
        """Say to the playbook that is to begin what failed."""
        assert self.entering is not None
        self.entering = replace(self.entering, message=message)


_PASSING = frozenset(
    {
        RunPaused,
        RunResumed,
        RunCancelling,
        RunStarted,
        ToolPrinted,
        TimerDue,
        BreakpointHit,
        PointLogged,
        ResultHeld,
        AnswerHeld,
        StateEdited,
        RunForked,
    }
)
