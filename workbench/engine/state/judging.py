"""How far a model has come with a question: turns, what it wants called, and what that gave; and what models have used.

Such a loop stands on its frame, with its question in it: a tool that the model wants called may call back into
playbooks, which ask questions of their own.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from workbench.engine.journal.model_events import ModelAnswered, ModelWish
from workbench.engine.ports import Request


@dataclass(frozen=True, slots=True)
class Used:
    """What models have used so far in a run. *unpriced*: how many answers there are whose price nobody knows."""

    requests: int = 0
    input: int = 0
    output: int = 0
    cached: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0

    @property
    def tokens(self) -> int:
        """Both ways."""
        return self.input + self.output

    def plus(self, answered: ModelAnswered) -> Used:
        """And one more answer, whose first request is counted already."""
        return Used(
            self.requests + max(0, answered.requests - 1),
            self.input + answered.input,
            self.output + answered.output,
            self.cached + answered.cached,
            self.cost_usd + (answered.cost_usd or 0.0),
            self.unpriced + (answered.cost_usd is None),
        )


class LoopStage(enum.Enum):
    """What a loop waits for.

    DUE: the model is asked next. ASKED: its answer. ANSWERED: what is done with that, down to its last wish.
    WITH_PERSON: a person's answer. CALLING: a call for that person.
    """

    DUE = "due"
    ASKED = "asked"
    ANSWERED = "answered"
    WITH_PERSON = "with person"
    CALLING = "calling"


@dataclass(frozen=True, slots=True)
class WishResult:
    """What became of a wish."""

    value: Any
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class ModelTurn:
    """One answer of a model. *results*: of its wishes, in order, as far as there are. *problem*: why it did not do.

    *command*: what a person wants run, whose turn it is then.
    """

    text: str
    data: Any
    wishes: tuple[ModelWish, ...]
    is_cut_off: bool = False
    is_filtered: bool = False
    results: tuple[WishResult, ...] = ()
    problem: str = ""
    command: str = ""

    @property
    def wish(self) -> ModelWish | None:
        """The first wish that nothing became of yet."""
        return self.wishes[len(self.results)] if len(self.results) < len(self.wishes) else None


@dataclass(frozen=True, slots=True)
class Judging:
    """The loop of one question. *span*, *line*: of the question. *context*: the digest of what was sent last.

    *model*: as it is asked for. *since_ns*, *at_ns*: when it was first asked, and answered last. *proposal*: what
    stands in the form. *reason*, *said*: why a person is asked, and what the model said.
    """

    request: Request
    span: str
    line: int = 0
    stage: LoopStage = LoopStage.ASKED
    turns: tuple[ModelTurn, ...] = ()
    context: str = ""
    model: str = ""
    since_ns: int = 0
    at_ns: int = 0
    cost_usd: float = 0.0
    proposal: Mapping[str, Any] | None = None
    reason: str = ""
    said: str = ""

    @property
    def is_with_model(self) -> bool:
        """Whether the answer of the model is waited for."""
        return self.stage is LoopStage.ASKED

    @property
    def repairs(self) -> int:
        """How often an answer did not do."""
        return sum(bool(turn.problem) for turn in self.turns)

    @property
    def seconds(self) -> float:
        """How long it has taken up to the last answer."""
        return max(0, self.at_ns - self.since_ns) / 1e9

    @property
    def wish(self) -> ModelWish | None:
        """The call that the model, or the person, wants made next."""
        return self.turns[-1].wish if self.stage in (LoopStage.ANSWERED, LoopStage.CALLING) else None

    def came_to(self, value: Any, *, is_error: bool = False) -> Judging:
        """The loop after its next wish came to *value*."""
        last = self.turns[-1]
        turn = replace(last, results=(*last.results, WishResult(value, is_error)))
        return replace(self, turns=(*self.turns[:-1], turn))
