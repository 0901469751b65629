"""Triggers of a moment that the runtime knows by itself: the start, the end, an invitation, a call."""

from __future__ import annotations

import re

from workbench.model.meaning import TriggerEvent
from workbench.regex import regex
from workbench.syntax.expressions import NAME
from workbench.syntax.signatures import normalise_name

_LONGEST = 120
_PROGRAM = r"(?:program|application|app|playbook|conversation|session|run|agent)"
_END = r"\s*[.:]?"
_START = regex(
    rf"(?:(?:when|once|as\s+soon\s+as|whenever)\s+(?:(?:the|this)\s+)?{_PROGRAM}"
    r"\s+(?:is\s+)?(?:starts?|begins?|started|launched|launches|opens)(?:\s+(?:running|up))?"
    r"|(?:at|on|in|from)\s+(?:the\s+)?(?:very\s+)?(?:start|beginning|startup|start-up|launch)"
    rf"(?:\s+of\s+the\s+(?:program|conversation|session))?){_END}",
    re.IGNORECASE,
)
_ENDS = (
    r"(?:ends?|exits?|stops?|finishes|terminates|closes|quits|shuts\s+down|is\s+over|is\s+(?:about\s+to\s+end|ending))"
)
_LAST = regex(
    rf"(?:(?:at|before)\s+(?:the\s+)?(?:very\s+)?end(?:\s+of\s+(?:the|this)\s+{_PROGRAM})?"
    rf"|before\s+(?:ending|exiting|leaving|quitting|closing|stopping|finishing|terminating)\s+(?:(?:the|this)\s+)?{_PROGRAM}"
    rf"|(?:before|when|once|as\s+soon\s+as)\s+(?:(?:the|this)\s+)?{_PROGRAM}\s+{_ENDS}){_END}",
    re.IGNORECASE,
)
_INVITED = regex(
    r"(?:(?:when|whenever|once|if|as\s+soon\s+as)\s+(?:(?:you|i|it|(?:the|this)\s+agent)\s+(?:are|am|is|gets?)\s+)?"
    r"|(?:on|upon|when|after)\s+(?:being|getting)\s+)invited"
    rf"(?:\s+to\s+(?:an?|the|any)\s+(?P<what>[^\W\d]\w*(?:\s\w+){{0,4}}\s+)?meeting)?{_END}",
    re.IGNORECASE,
)
_INVITATION = regex(
    r"(?:on|upon|(?:on|upon|when|after)\s+(?:receiving|getting))\s+(?:an?|the|any)\s+"
    rf"(?:meeting\s+invitation|invitation\s+to\s+(?:an?|the|any)\s+meeting){_END}",
    re.IGNORECASE,
)
_CALLED = rf"`?(?P<name>{NAME}(?:\.{NAME})*)(?:\(\))?`?"
_AROUND_CALL = regex(
    rf"(?P<moment>after|before)\s+(?:calling|running|executing|(?:a|the|each|every)\s+call\s+(?:of|to))\s+{_CALLED}[.:]?",
    re.IGNORECASE,
)
_FAILING = regex(rf"(?:when|whenever|if|after|once)\s+{_CALLED}\s+(?:fails|failed|has\s+failed)[.:]?", re.IGNORECASE)


def is_start(words: str) -> bool:
    """Whether a trigger of *words* is the start of the program."""
    return _START.fullmatch(words[:_LONGEST]) is not None


def moment_of(text: str, words: str) -> TriggerEvent | None:
    """What the trigger *text* waits for, whose *words* name a moment; None where they do not."""
    around = _AROUND_CALL.fullmatch(words) or _FAILING.fullmatch(words)
    if around is not None:
        return TriggerEvent(text, moment=around.groupdict().get("moment", "fails").lower(), subject=around["name"])
    if len(words) > _LONGEST:
        return None
    if _LAST.fullmatch(words):
        return TriggerEvent(text, moment="end")
    invited = _INVITED.fullmatch(words)
    if invited is not None and invited["what"]:
        return TriggerEvent(text, moment="invited", subject=normalise_name(invited["what"]).name)
    return TriggerEvent(text, moment="invited") if invited or _INVITATION.fullmatch(words) else None
