"""Lets models judge what another decider asks: turn by turn, with tools, down to an answer that fits.

It stands around the other decider, and carries out the commands under a step that a person runs before answering. The
calls that a model wants are made like any other, or answered at once where they cannot be made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from workbench.engine.answers import checked
from workbench.engine.background import Background
from workbench.engine.decider import (
    AskJudgement,
    Consult,
    Decider,
    Decision,
    Draft,
    Drafts,
    Settled,
    Standing,
    Tell,
    Where,
    draft_at,
)
from workbench.engine.expressions.data import canonical
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.model_events import (
    AnswerProposed,
    CommandOver,
    CommandWanted,
    JudgementHandedOver,
    ModelSaid,
    ModelWish,
    WishAnswered,
)
from workbench.engine.journal.run_events import CallResolved, InputGiven, ToolCalled, ToolResult
from workbench.engine.judges import JudgeKind, subject_of
from workbench.engine.judging.asking import Asking
from workbench.engine.judging.choosing import Choice
from workbench.engine.judging.context import PIECE, THE_STEP, result_name
from workbench.engine.judging.loop import AskModel, AwaitModel, Give, GiveUp, MakeWish, Move, Propose, next_move
from workbench.engine.judging.replaying import ReplayJudge, none_left
from workbench.engine.judging.telling import as_answer
from workbench.engine.judging.wanted import LOAD
from workbench.engine.ports import CalledBack, CommandRun, InDoubtChoice, LookedUp, Purpose, Request, SetByTool
from workbench.engine.state.fold import RunFold
from workbench.engine.state.judging import Judging, LoopStage
from workbench.engine.state.judging_rules import is_loop_call
from workbench.engine.steplists.person import entry_of
from workbench.engine.steplists.turns import answer_in
from workbench.errors import InputNeeded, ModelFailed, RunFailed
from workbench.i18n import _, numeral
from workbench.tools.schemas import problem_in
from workbench.tools.values import ToolSpec


class Around:
    """What is the same with the *inner* one and without."""

    def __init__(self, inner: Decider) -> None:
        self.snapshot = inner.snapshot
        self.tools = inner.tools
        self.inner = inner

    def not_given(self, fold: RunFold, problem: RunFailed) -> Drafts:
        """The events that a question failed."""
        return self.inner.not_given(fold, problem)

    def background(self, fold: RunFold) -> Background:
        """What the inner decider knows."""
        return self.inner.background(fold)

    def place(self, fold: RunFold) -> Where:
        """Where the call at hand lies."""
        return self.inner.place(fold)

    def broke(self, fold: RunFold, message: str) -> Drafts:
        """The events that the call at hand failed."""
        return self.inner.broke(fold, message)

    def called_back(self, fold: RunFold, asked: CalledBack | SetByTool) -> Draft:
        """The event by which a call that a tool asks for begins."""
        return self.inner.called_back(fold, asked)

    def looked_up(self, fold: RunFold, asked: LookedUp) -> Any:
        """What a tool wants to know."""
        return self.inner.looked_up(fold, asked)

    def standing(self, fold: RunFold) -> Standing:
        """Where the run stands."""
        return self.inner.standing(fold)

    def doubt(self, fold: RunFold, said: InDoubtChoice | None) -> Request | Settled:
        """The question what became of the call at hand."""
        return self.inner.doubt(fold, said)


@runtime_checkable
class Hears(Protocol):
    """A decider that folds the events too."""

    def take(self, event: RunEvent) -> None:
        """Hear of *event*."""
        ...


@runtime_checkable
class TakesTurns(Protocol):
    """A decider in whose turns a model wants calls, and does not answer."""

    def taken(self, loop: Judging) -> Drafts:
        """The events that the turn is taken as the last answer in *loop* says."""
        ...


class JudgingDecider(Around):
    """A decider around another one: what that wants judged by a model is a loop of journaled turns.

    The model is asked (``ModelAsked``, with all that is sent), answers (``ModelAnswered``), and wants tools called,
    which are calls like any other (``ToolCalled``), with the same permissions and doubts. What they give goes back to
    it, until its answer fits the question; then that is given to the inner decider, or proposed to a person.

    How far a loop has come stands on its frame (``Judging``), so a run can be cut off between any two events. Kept here
    is only what follows from the events (``Memory``), and the request that has just been made from them.
    """

    def __init__(self, inner: Decider, asking: Asking, replay: ReplayJudge | None = None) -> None:
        super().__init__(inner)
        self._asking = asking
        self._replay = replay
        self._choice = Choice(inner.snapshot)

    def take(self, event: RunEvent) -> None:
        """Hear of *event*, which has happened."""
        if isinstance(self.inner, Hears):
            self.inner.take(event)
        self._asking.memory.take(event)

    def decide(self, fold: RunFold) -> Decision:
        """The next move of the loop at hand, else what the inner decider says."""
        loop = fold.top.judging
        if loop is None or loop.stage is LoopStage.WITH_PERSON or _is_inner_turn(fold):
            return self._judged(fold, loop, self.inner.decide(fold))
        if loop.stage is LoopStage.CALLING:
            return next_for_person(self.inner, fold, loop)
        if self._judge_of(loop.request) is not JudgeKind.MODEL:
            return _handing_over(loop, _("The run goes on without a model here."))
        return self._moved(fold, loop, next_move(loop, self._asking.judges, self._asking.limits))

    def _moved(self, fold: RunFold, loop: Judging, move: Move) -> Decision:
        match move:
            case AskModel(problem):
                return Consult(lambda _tell: self._asked(fold, loop.request, loop, problem))
            case AwaitModel():
                return Consult(lambda tell: self._consulted(loop, tell))
            case MakeWish():
                return Consult(lambda _tell: self._made(fold, loop))
            case Give(answer):
                return self._given(fold, loop, answer)
            case Propose(answer):
                return _proposing(loop, answer)
            case GiveUp(reason, said):
                if self._asking.judges.is_handing_over:
                    return _handing_over(loop, reason, said)
                return self.inner.not_given(fold, RunFailed(f"{reason} {said}".strip()))

    def _judged(self, fold: RunFold, loop: Judging | None, decision: Decision) -> Decision:
        """*decision*, with its question put to whoever judges it."""
        if not isinstance(decision, AskJudgement) or subject_of(decision.request) is None:
            return decision
        if fold.top.said is not None:  # it is answered already
            return decision
        request = decision.request
        if loop is not None and loop.stage is LoopStage.WITH_PERSON:
            proposal = None if loop.proposal is None else as_answer(request, loop.proposal)
            return AskJudgement(replace(request, proposal=proposal, reason=loop.reason, said=loop.said, ran=ran(loop)))
        judge = self._judge_of(request)
        if judge is JudgeKind.MODEL:
            return Consult(lambda _tell: self._asked(fold, request))
        return self._again(fold, decision) if judge is JudgeKind.REPLAY else decision

    def _asked(self, fold: RunFold, request: Request, loop: Judging | None = None, problem: str = "") -> Drafts:
        try:
            return self._asking.asked(fold, request, loop, problem)
        except RunFailed as error:  # what offers tools cannot be used
            return self.inner.not_given(fold, error)

    def _judge_of(self, request: Request) -> JudgeKind | None:
        subject = subject_of(request)
        return None if subject is None else self._choice.of(request.step, subject, self._asking.judges)

    def _again(self, fold: RunFold, decision: AskJudgement) -> Decision:
        """The answer of the earlier run; where it has none, a person's, if that is allowed."""
        request = decision.request
        answer = self._replay.answer_to(request) if self._replay is not None else None
        if answer is None and self._asking.judges.is_handing_over:
            return decision
        if answer is None:
            raise InputNeeded(none_left(request.step, request.text))
        try:
            drafts = self.inner.given(fold, request, checked(request, answer))
        except RunFailed as error:
            return self.inner.not_given(fold, error)
        return Consult(lambda _tell: tuple(_by("replay", draft) for draft in drafts))

    def _consulted(self, loop: Judging, tell: Tell) -> Drafts:
        """The answer of the model, journaled before anything is done with it."""
        where = _within_turn(loop)
        try:
            answer = self._asking.answer(loop, lambda text: tell((draft_at(where, ModelSaid(text), "agent"),)))
        except ModelFailed as error:
            if self._asking.judges.is_handing_over:
                return _handing_over(loop, str(error))
            raise InputNeeded(str(error)) from error
        return (draft_at(where, answer, "agent"),)

    def _made(self, fold: RunFold, loop: Judging) -> Drafts:
        """The call that is wanted next begins, or is answered without."""
        result = _wished(self.inner, fold, loop, self._asking.offered(fold, loop.request))
        return (_wish_drafted(loop, result),)

    def _given(self, fold: RunFold, loop: Judging, answer: dict[str, Any]) -> Drafts:
        if loop.request.purpose is Purpose.TURN and isinstance(self.inner, TakesTurns):
            return self.inner.taken(loop)
        drafts = self.inner.given(fold, loop.request, answer)
        return tuple(replace(_by(loop.model or "model", draft), span=loop.span) for draft in drafts)

    def given(self, fold: RunFold, request: Request, answer: dict[str, Any]) -> Drafts:
        """The events that a person has given *answer*, perhaps in the place of a model."""
        loop = fold.top.judging
        if "run" in answer:
            return (wanted(self._asking, loop, request, answer["run"]),)
        drafts = self.inner.given(fold, request, answer)
        if loop is None or request.purpose is Purpose.WAIT:
            return drafts
        return tuple(replace(draft, span=loop.span) for draft in drafts)

    def returned(self, fold: RunFold, result: ToolResult) -> Drafts:
        """The events that the call at hand came to *result*; one of a model leads nowhere."""
        loop = fold.top.judging
        if loop is None or not is_loop_call(fold):
            return self.inner.returned(fold, result)
        return (draft_at(replace(self.inner.place(fold), parent=loop.span), result, "tool"),)

    def resolved(self, fold: RunFold, settled: Settled) -> Drafts:
        """The events that the call at hand is made again, or is over."""
        drafts = self.inner.resolved(fold, settled)
        return tuple(map(_leading_nowhere, drafts)) if is_loop_call(fold) else drafts

    def cancel(self) -> None:
        """Give up what is waited for; callable from any thread."""
        self._asking.cancel()
        self.inner.cancel()


def _is_inner_turn(fold: RunFold) -> bool:
    """Whether something is under way inside a loop, or above it, that the inner decider goes on with."""
    is_under_way = fold.pending is not None or bool(fold.top.intents) or bool(fold.failure or fold.tool_failure)
    return is_under_way or bool(fold.watching.firing) or fold.watching.entering is not None or fold.is_ending


def _proposing(loop: Judging, answer: dict[str, Any]) -> Drafts:
    """The event that *answer* is put before a person; of a turn, what that person would enter to take it so."""
    if loop.request.purpose is Purpose.TURN:
        answer = checked(loop.request, entry_of(answer_in(loop), loop.request))
    return (draft_at(_within_turn(loop), AnswerProposed(loop.request.id, answer, loop.model), "agent"),)


def _handing_over(loop: Judging, reason: str, said: str = "") -> Drafts:
    """The event that a person is asked in the place of the model."""
    handed = JudgementHandedOver(loop.request.id, reason, said, loop.model)
    return (draft_at(_within_turn(loop), handed),)


def _by(judge: str, draft: Draft) -> Draft:
    """*draft*, which says that *judge* gave the answer."""
    payload = draft.payload
    if isinstance(payload, InputGiven):
        payload = replace(payload, judge=judge)
    return replace(draft, payload=payload, actor="agent")


def _leading_nowhere(draft: Draft) -> Draft:
    payload = draft.payload
    return replace(draft, payload=replace(payload, pc=None)) if isinstance(payload, CallResolved) else draft


def wanted(asking: Asking, loop: Judging | None, request: Request, text: str) -> Draft:
    """The event that the person who is asked *request* wants its command *text* run."""
    command = next(each for each in request.commands if each.text == text and each.tool)
    payload = CommandWanted(request.id, command.text, command.tool, command.arguments)
    turn = len(loop.turns) + 1 if loop is not None else 1
    return draft_at(asking.place(request, loop, turn), payload, "user")


def next_for_person(inner: Decider, fold: RunFold, loop: Judging) -> Decision:
    """The call for the command, and once that is over the question again."""
    wish = loop.wish
    if wish is None:
        return (draft_at(_within_turn(loop), CommandOver(loop.request.id)),)
    return Consult(lambda _tell: (_wish_drafted(loop, _wish_begun(inner, fold, loop, wish)),))


def ran(loop: Judging) -> tuple[CommandRun, ...]:
    """What came of the commands that the person had run."""
    ended = ((turn.command, turn.results[0]) for turn in loop.turns if turn.command and turn.results)
    return tuple(CommandRun(text, str(came.value), came.is_error) for text, came in ended)


def _wished(inner: Decider, fold: RunFold, loop: Judging, offered: Sequence[ToolSpec]) -> Draft | WishAnswered:
    """The event by which the next wish in *loop* is called, or what is answered without a call."""
    wish = loop.wish
    assert wish is not None
    if wish.arguments is None:
        return _refused(wish, _("The arguments are not a JSON object."))
    spec = next((one for one in offered if one.name == wish.tool), None)
    if spec is None and wish.tool == LOAD:
        return _loaded(wish, inner.background(fold), loop)
    if spec is None:
        names = ", ".join(one.name for one in offered) or _("none")
        return _refused(wish, _("There is no tool called {name}. Known: {names}.").format(name=wish.tool, names=names))
    problem = problem_in(spec.schema, dict(wish.arguments), "")
    if problem:
        return _refused(wish, _("The call was not made. {problem}").format(problem=problem))
    return _wish_begun(inner, fold, loop, wish)


def _wish_begun(inner: Decider, fold: RunFold, loop: Judging, wish: ModelWish) -> Draft | WishAnswered:
    """The event by which the call of *wish* begins, or why it was not made."""
    try:
        draft = inner.called_back(fold, CalledBack(wish.tool, (), tuple((wish.arguments or {}).items())))
    except RunFailed as error:
        return _refused(wish, _("The call was not made: {problem}").format(problem=error))
    return replace(draft, parent=loop.span) if isinstance(draft.payload, ToolCalled) else draft


def _wish_drafted(loop: Judging, result: Draft | WishAnswered) -> Draft:
    """The event of *result*."""
    return draft_at(_within_turn(loop), result) if isinstance(result, WishAnswered) else result


def _within_turn(loop: Judging) -> Where:
    """Where the events of the turn at hand lie."""
    turn = len(loop.turns) + (loop.stage in (LoopStage.DUE, LoopStage.ASKED))
    return Where(loop.request.step, loop.line, f"{loop.span}.m{turn}", loop.span)


def _refused(wish: ModelWish, message: str) -> WishAnswered:
    return WishAnswered(wish.id, wish.tool, message, is_error=True)


def _loaded(wish: ModelWish, background: Background, loop: Judging) -> WishAnswered:
    """A piece of what the model has seen only the beginning of."""
    arguments = wish.arguments or {}
    name, start = str(arguments.get("name", "")), arguments.get("start", 0)
    kept = _kept(background, loop)
    if name not in kept:
        return _refused(wish, _("Nothing is called “{name}” here.").format(name=name))
    value = kept[name]
    text = value if isinstance(value, str) else canonical(value)
    first = max(0, start) if isinstance(start, int) else 0
    piece = text[first : first + PIECE]
    rest = len(text) - first - len(piece)
    if rest > 0:
        piece += f"\n… ({numeral(rest)} more characters; start={first + PIECE} gives the next)"
    return WishAnswered(wish.id, wish.tool, piece)


def _kept(background: Background, loop: Judging) -> Mapping[str, Any]:
    """What can be loaded: variables with and without their sign, artifacts, and what calls in *loop* gave."""
    found: dict[str, Any] = {name.lstrip("$"): value for name, value in background.variables}
    found |= dict(background.variables) | dict(background.artifacts) | {THE_STEP: loop.request.text}
    for number, turn in enumerate(loop.turns, 1):
        for index, (wish, result) in enumerate(zip(turn.wishes, turn.results, strict=False), 1):
            found[result_name(wish.tool, number, index)] = result.value
    return found
