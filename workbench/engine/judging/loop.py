"""What happens next in the loop of a judged step: a function of how far it has come, and of nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workbench.engine.journal.model_events import ModelWish
from workbench.engine.judges import Judges, Limits
from workbench.engine.judging.wanted import Refused, Unsure, Usable, is_act, verdict_on
from workbench.engine.state.judging import Judging, LoopStage, ModelTurn
from workbench.i18n import _, ngettext, numeral

_REPAIRS = 1
_SHORT_S = 10


@dataclass(frozen=True, slots=True)
class AskModel:
    """The model is asked, once more where *problem* says why its last answer did not do."""

    problem: str = ""


@dataclass(frozen=True, slots=True)
class AwaitModel:
    """The model has been asked, and its answer is waited for."""


@dataclass(frozen=True, slots=True)
class MakeWish:
    """A call that the model wants is made."""

    wish: ModelWish


@dataclass(frozen=True, slots=True)
class Give:
    """*answer* is the answer, and the loop is over."""

    answer: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Propose:
    """*answer* stands in the form of a person."""

    answer: dict[str, Any]


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The model has no answer, because of *reason*; *said*: what it said last."""

    reason: str
    said: str = ""


Move = AskModel | AwaitModel | MakeWish | Give | Propose | GiveUp


def next_move(loop: Judging, judges: Judges, limits: Limits) -> Move:
    """What happens next in *loop*, which no person has been asked about."""
    if loop.stage is LoopStage.ASKED:
        return AwaitModel()
    if loop.stage is LoopStage.DUE:
        return _asking(loop, limits)
    turn = loop.turns[-1]
    if turn.wishes and not is_act(loop.request):
        return MakeWish(turn.wish) if turn.wish is not None else _asking(loop, limits)
    verdict = verdict_on(loop.request, turn, may_hand_over=judges.is_handing_over)
    match verdict:
        case Usable(answer):
            return Propose(answer) if judges.is_proposing else Give(answer)
        case Unsure(reason):
            return GiveUp(_("The model does not know: {reason}").format(reason=reason), said_in(turn))
        case Refused(problem):
            if loop.repairs >= _REPAIRS:
                message = _("The model did not give an answer that can be used. {problem}")
                return GiveUp(message.format(problem=problem), said_in(turn))
            return _asking(loop, limits, problem)


def _asking(loop: Judging, limits: Limits, problem: str = "") -> Move:
    """The next turn, unless the step has used what it may use."""
    reason = _used_up(loop, limits)
    return GiveUp(reason, said_in(loop.turns[-1]) if loop.turns else "") if reason else AskModel(problem)


def _used_up(loop: Judging, limits: Limits) -> str:
    turns = len(loop.turns)
    if limits.turns and turns >= limits.turns:
        message = ngettext(
            "The model has taken {count} turn for this step, as many as it may.",
            "The model has taken {count} turns for this step, as many as it may.",
            turns,
        )
        return message.format(count=numeral(turns))
    if limits.seconds and loop.seconds >= limits.seconds:
        message = _("The model has used its time for this step: {seconds} s (limit {limit} s).")
        return message.format(seconds=_seconds(loop.seconds), limit=_seconds(limits.seconds))
    if limits.step_cost_usd and loop.cost_usd >= limits.step_cost_usd:
        message = _("This step has cost what it may: ${cost} (limit ${limit}).")
        return message.format(cost=numeral(loop.cost_usd, ".4f"), limit=numeral(limits.step_cost_usd, ".4f"))
    return ""


def _seconds(seconds: float) -> str:
    """A short time with its first decimal: a limit of 0.4 s is not 0."""
    return numeral(seconds, ".1f") if seconds < _SHORT_S else numeral(round(seconds))


def is_last_turn(loop: Judging | None, limits: Limits) -> bool:
    """Whether the model may be asked only once more, so that it has to answer."""
    turns = len(loop.turns) if loop is not None else 0
    return bool(limits.turns) and turns == limits.turns - 1 and turns > 0


def said_in(turn: ModelTurn) -> str:
    """What the model said in *turn*, as a text."""
    wishes = [f"{wish.tool}({wish.written or dict(wish.arguments or {})})" for wish in turn.wishes]
    return "\n".join(filter(None, [turn.text.strip(), *wishes]))
