"""Triggers that are about messages: whose messages they listen to, and to which."""

from __future__ import annotations

import re

from workbench.model.meaning import Hearing, Sender
from workbench.regex import regex

_USER = r"(?:user|human|person|customer|client|caller|visitor|guest|player|operator|somebody|someone|anyone)s?"
_OF_US = r"(?:(?:the|a|an|this|our|your|any)\s+)?"
_WHEN = r"(?:when|whenever|if|once|as\s+soon\s+as|after|upon|on|each\s+time|every\s+time)"
_SAYS = r"(?:says?|types?|writes?|enters?|sends?|answers?|replies|said)"
_HOLDS = r"(?:mentions?|contains?|includes?)"
_QUOTED = r"""(?:"[^"]{1,200}"|“[^”]{1,200}”|'[^']{1,200}')"""
_CHOICES = rf"(?P<words>{_QUOTED}(?:\s*(?:,|,?\s*or)\s*{_QUOTED}){{0,20}})"
_WORD = regex(_QUOTED)
_SUBJECT = rf"(?:{_OF_US}{_USER}|(?:the|a|an|any)\s+message)"
_EXACT = regex(rf"{_WHEN}\s+{_SUBJECT}\s+(?:(?P<says>{_SAYS})|{_HOLDS})\s+{_CHOICES}[.:]?", re.IGNORECASE)
_ANY_MESSAGE = r"(?:a|an|any|the|each|every|(?:a\s+)?new)?\s*(?:new\s+)?messages?"
_REST = regex(
    rf"{_WHEN}\s+(?:{_OF_US}{_USER}\s+(?:{_SAYS}|asks?(?:\s+for)?)\s+(?:something|anything|{_ANY_MESSAGE})(?:\s+else)?"
    rf"|{_ANY_MESSAGE}\s+(?:arrives?|comes?\s+in|is\s+received)(?:\s+from\s+{_OF_US}{_USER})?"
    rf"|receiving\s+{_ANY_MESSAGE}(?:\s+from\s+{_OF_US}{_USER})?"
    r"|(?:no|none\s+of\s+the)\s+(?:other\s+)?(?:\w+\s+)?(?:playbooks?|triggers?)\b.{0,80})[.:]?",
    re.IGNORECASE,
)
_ABOUT_USER = regex(rf"\b{_WHEN}\s+{_OF_US}{_USER}(?!['’\w])", re.IGNORECASE)
_MESSAGE = regex(
    r"\b(?:messages?\b.{0,40}\b(?:arrives?|comes?|received|sent)|(?:receiv\w+|gets?)\b.{0,40}\bmessages?)\b",
    re.IGNORECASE,
)
_FROM = regex(rf"\bfrom\s+(?P<user>{_OF_US}{_USER}\b)?", re.IGNORECASE)
_ASKED = regex(
    rf"\b{_WHEN}\s+(?:(?:you\s+are|it\s+is|being)\s+)?(?:asked|told|greeted|contacted|messaged)\b", re.IGNORECASE
)
_OF_AGENT = regex(
    rf"\b{_WHEN}\s+(?:(?:the|a|an|another|any)\s+)?(?:other\s+)?(?:\w+\s+){{0,3}}agents?\b", re.IGNORECASE
)
_LONGEST = 500


def hearing_of(words: str) -> Hearing | None:
    """What the trigger *words*, which nothing decides exactly, listens to; None where it is not about messages."""
    if len(words) > _LONGEST:
        return None
    if match := _EXACT.fullmatch(words):
        said = tuple(word[1:-1].strip() for word in _WORD.findall(match["words"]))
        return Hearing(Sender.USER, said, is_within=not match["says"])
    if _REST.fullmatch(words):
        return Hearing(Sender.ANYONE, is_rest=True)
    if _ABOUT_USER.search(words):
        return Hearing(Sender.USER)
    if _ASKED.search(words):
        return Hearing(Sender.ANYONE)
    if _MESSAGE.search(words):
        sender = _FROM.search(words)
        return Hearing(Sender.ANYONE if sender is None else Sender.USER if sender["user"] else Sender.AGENT)
    return Hearing(Sender.AGENT) if _OF_AGENT.search(words) else None


def normal(text: str) -> str:
    """*text* as exact words are compared: without letter case, outer blanks and the mark at its end."""
    return " ".join(text.split()).strip(" .!?").casefold()
