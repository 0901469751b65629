"""What all in a meeting see, as steps set it: ``meeting.state.n = 5``, ``self.current_meeting.shared_state.x = 1``."""

from __future__ import annotations

import re

from workbench.model.meaning import Argument, Call
from workbench.model.sentences.values import value_in
from workbench.regex import regex
from workbench.syntax.expressions import NAME, try_expression

_SHARED = regex(
    rf"(?P<place>(?:(?:self|agent)\.)?(?:current_)?meeting\.(?:shared_)?state)\.(?P<name>{NAME})\s*+"
    r"(?P<sign>(?:\*\*|//|[-+*/%])?=(?!=)|to\b)\s*+(?P<value>\S.*)",
    re.DOTALL,
)


def shared_of(text: str) -> Call | None:
    """The call that *text* stands for; None where it sets no part of what a meeting shares, or not exactly."""
    match = _SHARED.fullmatch(text)
    if match is None:
        return None
    written, sign = match["value"].strip(), match["sign"].removesuffix("=").removesuffix("to")
    value = value_in(written)
    if value is not None and sign:
        value = try_expression(f"{match['place']}.{match['name']} {sign} ({written})")
    return None if value is None else Call("SetMeetingState", (Argument(match["name"], value),))
