"""What the triggers of a run depend on: which variables changed, what was called, what held when last looked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.engine.journal import events as types
from workbench.engine.journal.events import RunEvent


@dataclass(frozen=True, slots=True)
class Entering:
    """A playbook that is to begin next, and why: see ``Frame`` for *cause* and *trigger*.

    *message*: what failed, where it answers that. *is_told*: whether it was journaled that the trigger fired.
    """

    agent: str
    playbook: str
    cause: str
    trigger: str = ""
    meeting: int = 0
    message: str = ""
    is_told: bool = True


@dataclass(frozen=True, slots=True)
class Watching:
    """How far triggers have been looked at.

    *is_due*: a step has just ended. *changed*: (agent, name) of the variables set since the last
    look, *is_all*: look at every trigger. *called*: ``Agent.Name`` of the calls that came back.
    *has_news*: something happened that a judgement could depend on. *truths*: what held when last
    looked, by trigger. *firing*: triggers that fire next. *answer*: of the batched judgement.
    """

    is_due: bool = False
    changed: frozenset[tuple[str, str]] = frozenset()
    is_all: bool = False
    called: tuple[str, ...] = ()
    has_news: bool = False
    truths: Mapping[str, bool] = field(default_factory=dict)
    firing: tuple[str, ...] = ()
    entering: Entering | None = None
    answer: Mapping[str, Any] | None = None


class LiveWatching:
    """A ``Watching`` that changes in place."""

    __slots__ = ("answer", "called", "changed", "entering", "firing", "has_news", "is_all", "is_due", "truths")

    def __init__(self, watching: Watching) -> None:
        self.is_due, self.changed, self.is_all = watching.is_due, set(watching.changed), watching.is_all
        self.called, self.has_news = list(watching.called), watching.has_news
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
            dict(self.truths),
            tuple(self.firing),
            self.entering,
            self.answer,
        )

    def see(self, event: RunEvent) -> None:
        """Note what *event* changes. Whatever follows the end of a step says that nothing fired then."""
        if self.is_due and event.type not in _PASSING:
            self.is_due = False
            if event.type != types.TRIGGER_CHECKED and event.type != types.INPUT_ASKED:
                self._looked()
        if event.type == types.STEP_EXITED and "pc" in event.body:
            self.is_due = True
        elif event.type in _NEWS:
            self.has_news = True

    def _looked(self) -> None:
        self.changed.clear()
        self.called.clear()
        self.is_all = False

    def checked(self, event: RunEvent) -> None:
        """Take in the outcome of a look: after an exact one, the judged triggers are looked at next."""
        self._looked()
        body = event.body
        self.truths.update(body["holds"])
        self.firing += body["fire"]
        if body["is_judged"]:
            self.has_news, self.answer = False, None
        else:
            self.is_due = True

    def fired(self, event: RunEvent) -> None:
        """The first trigger that fires has its turn."""
        body = event.body
        if self.entering is not None:
            self.entering = replace(self.entering, is_told=True)
            return
        if self.firing and self.firing[0] == body["key"]:
            self.firing.pop(0)
        cause = "" if body["cause"] == "fails" else "interrupt"
        self.entering = Entering(body["agent"], body["playbook"], cause, body["key"])

    def explain(self, message: str) -> None:
        """Say to the playbook that is to begin what failed."""
        assert self.entering is not None
        self.entering = replace(self.entering, message=message)


_PASSING = frozenset({types.RUN_PAUSED, types.RUN_RESUMED, types.RUN_CANCELLING, types.RUN_STARTED, types.TOOL_OUTPUT})
_NEWS = frozenset({types.TOLD, types.TOOL_RESULT, types.MESSAGE_SENT, types.MESSAGE_RECEIVED, types.MEETING_STATE})
