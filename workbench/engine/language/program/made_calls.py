"""Calls that are made for actions which are none themselves: what a Return calls, and a wait for messages."""

from __future__ import annotations

import json

from workbench.model.meaning import Argument, Call, Meaning, Return, Variable, Yield
from workbench.model.sentences.calls import call_of
from workbench.syntax.expressions import try_expression

RETURNED = Variable("result", is_state=False)


def called_for(action: Meaning) -> Call | None:
    """The call whose result is returned: ``Return Check($order)``."""
    if not isinstance(action, Return):
        return None
    words = action.text.strip(" .`") if action.value is None else action.value.source
    return call_of(words, RETURNED) if words.endswith(")") else None


def waiting_for(action: Yield) -> Call | None:
    """The wait for messages that a line of assembly asks for."""
    if not action.target.startswith(("meeting", "agent")):
        return None
    said = try_expression(json.dumps(action.target.strip(), ensure_ascii=False))
    return Call("WaitForMessage", (Argument("", said),)) if said else None
