"""A model behind a real server that answers as the script of a sample says, whatever way it is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.model_replies import Answer as Served
from tests.model_replies import Asked, Call, Reply
from workbench.engine.ports import Answer
from workbench.engine.scripts import parse_script

_NOW = re.compile(r"^## Now: (\S+)", re.MULTILINE)


def answering(script: str) -> Callable[[Asked], Served]:
    """What the model says to each request: the next answer of *script* for the step that the request is about."""
    left = list(parse_script(script).answers)

    def answer(asked: Asked) -> Served:
        found = _NOW.search(asked.messages[0][1])
        assert found is not None, asked.messages
        step = found[1]
        entry = next((one for one in left if one.step == step), None)
        if entry is None:
            return Reply(data=_nothing(asked))
        left.remove(entry)
        return _reply(asked, entry.answer)

    return answer


def _reply(asked: Asked, answer: Answer) -> Reply:
    values = dict(answer.values)
    if answer.decision is not None:
        return Reply(data={"reason": "so it is", "decision": answer.decision})
    if "action" in values or "done" in asked.tools:
        action = str(values.get("action", "done"))
        arguments = {"result": values.get("result")} if action == "done" else values.get("arguments", {})
        return Reply(calls=[Call(re.sub(r"[^A-Za-z0-9_-]", "_", action), arguments)])
    if asked.schema is None:
        return Reply(answer.text or str(next(iter(values.values()), "done")))
    return Reply(data=values or dict.fromkeys(asked.schema["properties"], answer.text))


def _nothing(asked: Asked) -> Any:
    """Of triggers that a script says nothing about none is the case."""
    assert asked.schema is not None, asked.messages
    return dict.fromkeys(asked.schema["properties"], False)
