"""The turns of who walks a step list: what is shown, who is asked, and what is wanted."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from workbench.engine.decider import AskJudgement, Consult, Drafts, Where, draft_at
from workbench.engine.enforcement.conclusion import ConclusionKind, conclude, context_text
from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.journal.run_events import InputAsked, InputGiven
from workbench.engine.journal.steplist_events import CallWish, TurnAsked, TurnTaken
from workbench.engine.ports import Request
from workbench.engine.steplists.person import PersonTools, request_of
from workbench.engine.steplists.places import WHOLE_LIST, StepListPlaces
from workbench.engine.steplists.walking import (
    DONE,
    FINISH,
    SKIP,
    CallOutcomeText,
    StepAtHand,
    Tool,
    Turn,
    TurnAnswer,
    Walker,
)
from workbench.i18n import ngettext
from workbench.model.snapshot import Snapshot

_MOST_LEFT = 4


class Turns:
    """The turn at hand. *walker* None: the person is asked. *knowledge*: shown below the current step.

    Life cycle of a turn: ``begin`` shows it; ``waiting`` says who is to take it; once it is taken, ``next_wanted``
    gives what is wanted, one after the other, and ``note`` collects what came of that for the next turn. Where words
    were the answer, ``conclusion`` says whether the run ends by them.
    """

    def __init__(self, enforcer: PlaybookEnforcer, snapshot: Snapshot, walker: Walker | None, knowledge: str) -> None:
        playbook = enforcer.plan.playbook
        self._enforcer = enforcer
        self._walker = walker
        self._person = PersonTools(playbook)
        self._knowledge = knowledge
        self.places = StepListPlaces(playbook, snapshot)
        self.offered: Mapping[str, Tool] = walker.tools_for(playbook) if walker is not None else self._person
        self.speaker, self.caller = ("agent", "tool") if walker is not None else ("user", "user")
        self.is_person = walker is None
        self._name = walker.name if walker is not None else "person"
        self._turn: Turn | None = None
        self._calls: deque[CallWish] = deque()
        self._outcomes: list[CallOutcomeText] = []
        self._reminder = ""
        self.is_broken = False
        self.conclusion = ""
        self.last_words = ""

    def begin(self) -> Drafts:
        """The events that the next turn begins, which the plan has counted."""
        plan = self._enforcer.plan
        context = "\n\n".join(filter(None, (context_text(self._enforcer), self._knowledge)))
        at = step_at_hand(self._enforcer, self.places)
        turn = Turn(plan.turns, context, tuple(sorted(self.offered)), tuple(self._outcomes), self._reminder, at)
        self._turn = turn
        asked = draft_at(_place(turn), TurnAsked(turn.number, context, self._name))
        if self._walker is not None:
            return (asked,)
        request = request_of(turn)
        return asked, draft_at(_place(turn), InputAsked.of(request, request.id))

    @property
    def waiting(self) -> AskJudgement | Consult | None:
        """Who is to take the turn that has begun; None where none has."""
        if self._turn is None:
            return None
        return AskJudgement(request_of(self._turn)) if self._walker is None else Consult(self._walked)

    def _walked(self) -> Drafts:
        assert self._turn is not None and self._walker is not None
        return self._taken(self._turn, self._walker.take(self._turn))

    def answered(self, request: Request, answer: dict[str, Any]) -> Drafts:
        """The events that the person has taken the turn by *answer*."""
        turn = self._turn
        assert turn is not None
        given = draft_at(_place(turn), InputGiven(request.id, request.kind, answer), "user")
        return given, *self._taken(turn, self._person.taken(turn, answer["values"]))

    def _taken(self, turn: Turn, answer: TurnAnswer) -> Drafts:
        self._turn, self._outcomes, self._reminder = None, [], ""
        self._calls, self.is_broken = deque(answer.calls), False
        if not answer.calls:
            conclusion = conclude(self._enforcer, answer.text)
            self._reminder = conclusion.message
            if conclusion.kind in (ConclusionKind.ACCEPTED, ConclusionKind.INCOMPLETE):
                self.conclusion, self.last_words = conclusion.kind.value, answer.text
        taken = TurnTaken(answer.calls, answer.text, self._name)
        return (draft_at(_place(turn), taken, self.speaker),)

    def next_wanted(self) -> CallWish | None:
        """The next call that is wanted in this turn, None where there is none."""
        return self._calls.popleft() if self._calls else None

    def note(self, outcome: CallOutcomeText) -> None:
        """Keep what came of a call: it is shown in the next turn, and breaks off this one where it was not done."""
        self._outcomes.append(outcome)
        self.is_broken = self.is_broken or outcome.is_error


def _place(turn: Turn) -> Where:
    """Where the events of *turn* lie."""
    return (turn.at.where if turn.at is not None else WHOLE_LIST).inside(f"turn{turn.number}")


def step_at_hand(enforcer: PlaybookEnforcer, places: StepListPlaces) -> StepAtHand | None:
    """The current step, and what may be said of it; None where there is none."""
    plan = enforcer.plan
    step = plan.current_step
    if step is None or plan.completed:
        return None
    is_by_words = not step.expected_tools and not step.least_calls
    claims = ((DONE, is_by_words), (SKIP, not step.required), (FINISH, not is_by_words))
    left, more = plan.outline(_MOST_LEFT)
    words = [one.description for one in left]
    if more:
        words.append(ngettext("and {count} more step", "and {count} more steps", more))
    return StepAtHand(
        places.of(step.id),
        step.description,
        step.expected_tools,
        step.hints,
        tuple(words),
        tuple(name for name, may_be_said in claims if may_be_said),
    )
