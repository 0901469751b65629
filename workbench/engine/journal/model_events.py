"""What models are asked and answer, turn by turn, and what becomes of that; commands that a person has run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.journal.payload import EventPayload
from workbench.providers.values import Finish


@dataclass(frozen=True, slots=True)
class ModelWish:
    """A call that a model wants made. *tool*: by the name that the run has for it; empty *id*: it has no number.

    *arguments* None: what it wrote, *written*, is not a JSON object.
    """

    id: str
    tool: str
    arguments: Mapping[str, Any] | None
    written: str = ""


@dataclass(frozen=True, slots=True)
class ModelAsked(EventPayload):
    """A model is asked about the question *request*, for the time *turn*, from 1.

    *context*: the digest under which the journal keeps all that is sent. *tokens*: of each part of it, estimated.
    *problem*: why its last answer was not taken.
    """

    request: str
    turn: int
    endpoint: str
    model: str
    context: str
    tokens: Mapping[str, Any]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ModelSaid(EventPayload):
    """A piece of the answer, while it comes."""

    text: str


@dataclass(frozen=True, slots=True)
class ModelAnswered(EventPayload):
    """The whole answer. *data*: as JSON, where that was wanted. *input*, *output*, *cached*: tokens.

    *model*: as the provider names it. *cost_usd* None: no price is known. *requests*: all that were sent for it.
    """

    request: str
    turn: int
    text: str
    wishes: tuple[ModelWish, ...]
    finish: Finish
    model: str
    input: int
    output: int
    cached: int = 0
    cost_usd: float | None = None
    requests: int = 1
    data: Any = None


@dataclass(frozen=True, slots=True)
class WishAnswered(EventPayload):
    """A wish of a model was answered without a call: it could not be made, or it is part of the loop itself."""

    wish: str
    tool: str
    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class AnswerProposed(EventPayload):
    """What a model answers stands in the form; a person accepts or changes it. *answer*: as in ``InputGiven``."""

    request: str
    answer: Mapping[str, Any]
    model: str = ""


@dataclass(frozen=True, slots=True)
class JudgementHandedOver(EventPayload):
    """A person is asked in the place of the model, because of *reason*. *said*: what the model said last."""

    request: str
    reason: str
    said: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class CommandWanted(EventPayload):
    """A person who is asked wants *command*, which stands under the step, run by *tool* first."""

    request: str
    command: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CommandOver(EventPayload):
    """The call for the command is over, and the question is open again."""

    request: str
