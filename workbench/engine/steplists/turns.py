"""The turns of who walks a step list: what is shown, who is asked, what may be said and called, and what is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from workbench.engine.background import Background
from workbench.engine.decider import AskJudgement, Consult, Drafts, Tell, Tools, Where, draft_at
from workbench.engine.enforcement.conclusion import context_text
from workbench.engine.enforcement.decisions import COMPLETE_STEP, CONTROL_TOOLS, SKIP_STEP, TASK_COMPLETE
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.satisfaction import calls_missing
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import InputAsked
from workbench.engine.journal.steplist_events import CallWish, TurnAsked, TurnTaken
from workbench.engine.schemas import object_schema
from workbench.engine.state.judging import Judging
from workbench.engine.steplists.person import request_of, taken_by
from workbench.engine.steplists.places import WHOLE_LIST, StepListPlaces
from workbench.engine.steplists.plan_fold import PlanFold
from workbench.engine.steplists.walking import DONE, FINISH, SKIP, StepAtHand, Tool, Turn, TurnAnswer, Walker
from workbench.i18n import ngettext
from workbench.model.loader.steplist import Playbook
from workbench.model.snapshot import Snapshot
from workbench.tools.values import CallSafety, ToolSpec

_MOST_LEFT = 4


class Turns:
    """Who takes the turns. *walker*: by itself; tools: a model is asked, who calls those; None: the person is asked.

    *knowledge*: shown below the current step.

    Life cycle of a turn: ``begin`` shows it; ``waiting`` says who is to take it; a person's entry is journaled first,
    and ``entered`` takes the turn by it. What was taken is in the fold (``TurnFold``), as far as its calls have come;
    only the turn that is being asked about is kept here, and asked about again after a cut.
    """

    def __init__(self, plan: PlanFold, snapshot: Snapshot, walker: Walker | Tools | None, knowledge: str) -> None:
        self.model = walker if isinstance(walker, Tools) else None
        walker = None if isinstance(walker, Tools) else walker
        self._playbook = plan.plan.playbook
        self._plan = plan
        self._walker = walker
        self._knowledge = knowledge
        self.places = StepListPlaces(self._playbook, snapshot, plan.order)
        self.tools: Mapping[str, Tool] = walker.tools_for(self._playbook) if walker is not None else {}
        self.names = tuple(sorted(self.tools if walker is not None else self._playbook.steps_by_tool))
        self.is_person = walker is None and self.model is None
        self.is_asked = walker is None
        self.speaker, self.caller = ("user", "user") if self.is_person else ("agent", "tool")
        self._name = walker.name if walker is not None else "person" if self.model is None else "model"
        self._next: Turn | None = None
        self._turn: Turn | None = None

    def know(self, event: RunEvent) -> None:
        """A turn has begun with the event that says so, and not before: the run may stop in between."""
        if isinstance(event.payload, TurnAsked):
            self._turn = self._next

    @property
    def background(self) -> Background:
        """What whoever takes the turn at hand should know."""
        told = [f"{one.tool}: {one.text}" for one in self._plan.turn.outcomes]
        known = "\n\n".join(filter(None, (self._context(), *told, self._plan.turn.reminder)))
        choices = choices_for(self._playbook, self.model.offered("")) if self.model is not None else ()
        return Background("", self._playbook.name, self._playbook.description, choices=choices, knowledge=known)

    def _context(self) -> str:
        return "\n\n".join(filter(None, (context_text(self._plan.enforcer), self._knowledge)))

    def offers(self, tool: str) -> bool:
        """Whether *tool* can be called. A person can use any, but not say that the plan is steered by one."""
        return tool in self.names or (self.is_person and tool not in CONTROL_TOOLS)

    def begin(self) -> Drafts:
        """The events that the next turn begins."""
        fold, number = self._plan.turn, self._plan.plan.turns + 1
        context = self._context()
        turn = Turn(number, context, self.names, tuple(fold.outcomes), fold.reminder, self._at)
        self._next = turn
        asked = draft_at(self.place, TurnAsked(number, context, self._name))
        if self._walker is not None:
            return (asked,)
        request = request_of(turn)
        return asked, draft_at(self.place, InputAsked.of(request, request.id))

    @property
    def _at(self) -> StepAtHand | None:
        return step_at_hand(self._plan.plan, self.places)

    @property
    def place(self) -> Where:
        """Where the events of the next turn lie."""
        return (self._at.where if self._at is not None else WHOLE_LIST).inside(f"turn{self._plan.plan.turns + 1}")

    @property
    def waiting(self) -> AskJudgement | Consult | None:
        """Who is to take the turn that has begun; None where none has."""
        if self._turn is None:
            return None
        return AskJudgement(request_of(self._turn)) if self._walker is None else Consult(self._walked)

    def _walked(self, _tell: Tell) -> Drafts:
        assert self._turn is not None and self._walker is not None
        return self._taken(self._walker.take(self._turn), self._name, self.speaker)

    def entered(self) -> Drafts:
        """The event that the turn is taken by what a person has entered."""
        entry = self._plan.turn.entry
        assert entry is not None
        return self._taken(taken_by(entry, self._at, self._playbook), "person", "user")

    def wanted(self, loop: Judging) -> Drafts:
        """The event that the turn is taken by what a model said last."""
        return self._taken(answer_in(loop), loop.model or self._name, self.speaker)

    def _taken(self, answer: TurnAnswer, name: str, speaker: str) -> Drafts:
        self._turn = None
        return (draft_at(self.place, TurnTaken(answer.calls, answer.text, name, answer.foreseen), speaker),)


def answer_in(loop: Judging) -> TurnAnswer:
    """What a model said last in *loop*, as a turn."""
    last = loop.turns[-1]
    calls = tuple(CallWish(wish.tool, dict(wish.arguments or {})) for wish in last.wishes)
    return TurnAnswer(calls, "" if calls else last.text)


def step_at_hand(plan: PlaybookPlan, places: StepListPlaces) -> StepAtHand | None:
    """The current step, and what may be said of it; None where there is none."""
    step = plan.current_step
    if step is None or plan.completed:
        return None
    is_open = calls_missing(plan.playbook, step, plan.get_step_execution(step.id))
    left, more = plan.outline(_MOST_LEFT)
    words = [one.description for one in left]
    if more:
        words.append(ngettext("and {count} more step", "and {count} more steps", more))
    # of the last step the words are what the list comes to, with tools or without
    claims = ((DONE, not is_open), (SKIP, not step.required), (FINISH, is_open or not words))
    return StepAtHand(
        places.of(step.id),
        step.description,
        step.expected_tools,
        step.hints,
        tuple(words),
        tuple(name for name, may_be_said in claims if may_be_said),
    )


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
