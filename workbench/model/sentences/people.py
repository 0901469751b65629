"""Who is asked or told: the user, or a person that the program names (``# Alice:Human``)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from workbench.model.meaning import Argument, Ask, Branch, Call, Judge, Loop, Meaning, Several, Tell
from workbench.model.sentences.actions import action_of
from workbench.model.sentences.clauses.telling import replied
from workbench.model.sentences.meetings import Party
from workbench.regex import regex
from workbench.syntax.expressions import parse_expression, try_expression
from workbench.syntax.signatures import normalise_name

_TALK = regex(
    r"(?P<verb>(?:ask|tell|inform|notify|remind|show|greet|thank|welcome)\s+|(?:say|get|collect|request)\b.*?"
    r"\b(?:to|from)\s+)(?P<who>[^\W\d]\w*)(?!['’\w])",
    re.IGNORECASE | re.DOTALL,
)


_SAYING = regex(
    r"(?:say|send)\s+(?P<said>\"[^\"]*\")\s+to\s+(?:the\s+)?(?P<to>[^\W\d][\w ]*?)[.!]?"
    r"|tell\s+(?:the\s+)?(?P<told>[^\W\d][\w ]*?)[:,]?\s+(?P<words>\"[^\"]*\")[.!]?",
    re.IGNORECASE,
)
_LONGEST = 500


def sent(sentence: Judge, parties: Sequence[Party]) -> Call | None:
    """The call that sends what *sentence* quotes to an agent among *parties*; None where it names none of them."""
    match = _SAYING.fullmatch(sentence.text) if '"' in sentence.text[:_LONGEST] else None
    if match is None or sentence.outputs or sentence.outcomes or len(sentence.text) > _LONGEST:
        return None
    who, words = match["to"] or match["told"], match["said"] or match["words"]
    said = try_expression(f"f{words}" if "{" in words else words)
    agents = (party.name for party in parties if not party.is_person)
    name = next((each for each in agents if each == normalise_name(who).name), "")
    if not name or said is None:
        return None
    return Call("Say", (Argument("", parse_expression(f'"{name}"')), Argument("", said)), is_resolved=True)


def answered(sentence: Judge, parties: Sequence[Party]) -> Tell | None:
    """What ``Reply "Hello"`` tells the user, where none of *parties* could be meant instead."""
    is_alone = len(parties) < 2 and not any(party.is_person for party in parties)
    return replied(sentence.text) if is_alone and not sentence.outputs else None


def addressed(meaning: Meaning, people: Sequence[str]) -> Meaning:
    """*meaning*, or what it is where one of *people* stands for the user in its sentence."""
    if not people:
        return meaning
    if isinstance(meaning, Branch | Loop) and meaning.action is not None:
        action = addressed(meaning.action, people)
        return replace(meaning, action=action)  # type: ignore[arg-type]  # an action stays an action
    if not isinstance(meaning, Judge | Ask | Tell):
        return meaning
    match = _TALK.match(meaning.text)
    who = match["who"] if match else ""
    name = next((each for each in people if each.lower() == who.lower()), "")
    if match is None or not name:
        return meaning
    said = f"{match['verb']}user{meaning.text[match.end() :]}"
    action = action_of(said)
    if isinstance(action, Ask | Tell):
        return replace(action, text=meaning.text, target=name)
    first = action.parts[0] if isinstance(action, Several) else None
    if isinstance(action, Several) and isinstance(first, Ask | Tell):
        own = match.group() + first.text[len(f"{match['verb']}user") :]
        return Several((replace(first, text=own, target=name), *action.parts[1:]))
    return meaning
