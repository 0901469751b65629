"""Answers of models as events, and answers that were journaled as values again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.engine.expressions.data import NotData, as_data
from workbench.engine.journal.model_events import ModelAnswered, ModelWish
from workbench.engine.judging.names import Names
from workbench.engine.ports import Answer, Request, RequestKind
from workbench.providers.values import ModelReply, ToolWish


def answered(request: str, turn: int, reply: ModelReply, names: Names) -> ModelAnswered:
    """The event that *reply* was given to the question *request*. *names*: of the tools that it was offered."""
    usage = reply.usage
    return ModelAnswered(
        request,
        turn,
        reply.text,
        tuple(_wish(one, names) for one in reply.wishes),
        reply.finish,
        reply.model,
        usage.input,
        usage.output,
        usage.cached,
        usage.cost_usd,
        reply.requests,
        _data(reply.data),
    )


def _wish(wish: ToolWish, names: Names) -> ModelWish:
    arguments = _data(wish.arguments)
    given = arguments if isinstance(arguments, dict) else None
    return ModelWish(wish.id, names.real(wish.name), given, wish.written if given is None else "")


def _data(value: Any) -> Any:
    """*value* as data; None where the run cannot hold it."""
    try:
        return as_data(value)
    except NotData:
        return None


def as_answer(request: Request, answer: Mapping[str, Any]) -> Answer:
    """*answer*, which was journaled for *request*, as it could be given again."""
    text = str(answer.get("text") or "")
    if request.kind is RequestKind.DECIDE:
        return Answer(decision=bool(answer.get("decision")), text=text)
    return Answer(tuple(dict(answer.get("values") or {}).items()), text=text)
