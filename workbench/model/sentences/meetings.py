"""Sentences about the agents of a program: *Have a price meeting with the Guest to agree on terms*, *Create a Tax*."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.model.meaning import Argument, Call, Judge, Variable
from workbench.model.sentences.actions import FIRST_WORDS
from workbench.model.sentences.outputs import MAKERS, TYPE
from workbench.regex import regex
from workbench.syntax.expressions import NAME, Expression, try_expression
from workbench.syntax.signatures import normalise_name

_LONGEST = 2_000
_STORED = regex(rf"\$?{NAME}(?:\s?:\s?{TYPE})?\s*=\s*")
_LEAD = r"(?:(?:then|now|next|finally|first|afterwards|also)[,:]?\s++)*+"
_HEAD = regex(
    rf"{_LEAD}(?:start|open|hold|begin|convene|have|run|conduct|call)(?:\s++and\s++(?:run|hold|lead|conduct))?+"
    r"\s++(?:(?:an?|the|another)\s++)?+(?P<what>[^\W\d][\w ]*+)?+",
    re.IGNORECASE,
)
_PURPOSE = regex(r"\s(?:about|regarding|concerning|on|(?P<to>to))\s+", re.IGNORECASE)
_GIVEN = regex(rf'"[^"]*"|\${NAME}')
_BETWEEN = regex(r"(?<!\s)(?:\s*+,\s++(?:and\s++)?|\s++and\s++)")
_ATTENDEE = regex(r"[^\W\d][\w ]*")
_NUMBERED = regex(r"agent\s+\d{1,9}", re.IGNORECASE)
_ARTICLE = regex(r"(?:the|an?|our|your|my|his|her|their)\s+", re.IGNORECASE)
_LITTLE = frozenset(
    "after as at because before by for from if in into of per than that though through till to unless until up via when"
    " where which while who with without".split()
)
"""Words that stand in no name: a row of names with one of them says more than whom to invite."""
_NOBODY = frozenset("user users human everyone everybody all them him her someone somebody anyone others".split())
_FURTHER = regex(r"(?:,|\band\b|\bthen\b)\s+(?:then\s+)?(?P<verb>\w+)", re.IGNORECASE)
_CREATED = regex(
    rf"{_LEAD}(?:create|spawn|instantiate)\s++(?:(?:an?|the|another|one)\s++)?+(?:new\s++)?+(?P<what>[^\W\d][\w ]*+)"
    rf"(?P<kept>\${NAME}(?::{TYPE})?)?[.]?",
    re.IGNORECASE,
)
_KEPT = regex(r"(?:\s+and\s+(?:store|save|keep|put)\s+(?:it|this|that))?\s+(?:as|in|into)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Party:
    """An agent of the program, or a person in it. *meetings*: the names of its playbooks for meetings."""

    name: str
    is_person: bool = False
    meetings: tuple[str, ...] = ()


def party_call(sentence: Judge, parties: Sequence[Party]) -> Call | None:
    """The call that *sentence* stands for where it opens a meeting or makes an agent; None where it does neither."""
    text = sentence.text
    if len(text) > _LONGEST or len(sentence.outputs) > 1 or sentence.outcomes or not parties:
        return None
    stored = _STORED.match(text) if sentence.outputs else None
    rest, result = text[stored.end() if stored else 0 :], sentence.outputs[0] if stored else None
    if "meeting with " in rest:
        return _meeting(rest, result, parties)
    return _created(rest, result or next(iter(sentence.outputs), None), parties)


def _meeting(text: str, result: Variable | None, parties: Sequence[Party]) -> Call | None:
    before, _with, after = text.partition("meeting with ")
    head = _HEAD.fullmatch(before)
    if head is None or not any(party.meetings for party in parties):
        return None
    after = after.strip().removesuffix(".")
    purpose = _PURPOSE.search(after)
    who = after[: purpose.start()] if purpose else after
    topic = _topic(after[purpose.end() :], is_free=bool(purpose["to"])) if purpose else None
    invited = [_attendee(each, parties) for each in _BETWEEN.split(who)]
    name = _meeting_meant((head["what"] or "").strip(), [each for each in invited if each], parties)
    if not name or not all(invited) or (purpose is not None and topic is None):
        return None
    row = ", ".join(each if each.startswith("$") else json.dumps(each, ensure_ascii=False) for each in invited)
    people = try_expression(f"[{row}]")
    if people is None:  # a name with bytes that are no text
        return None
    attendees = Argument("attendees", people)
    return Call(name, (Argument("topic", topic), attendees) if topic else (attendees,), result, is_resolved=True)


def _topic(words: str, *, is_free: bool) -> Expression | None:
    """What a meeting is about: a text, a variable, or plain words; None where they may tell to do something else."""
    if not is_free and _GIVEN.fullmatch(words):
        return try_expression(words)
    if not words or any(mark in words for mark in '$"“”{}`;:.?!()'):
        return None
    if any(match["verb"].lower() in FIRST_WORDS | MAKERS for match in _FURTHER.finditer(words)):
        return None
    return try_expression(json.dumps(words, ensure_ascii=False))


def _attendee(words: str, parties: Sequence[Party]) -> str:
    """Who is meant by *words*, as calls write it; empty where they are no name."""
    if words.startswith("$"):
        return words if re.fullmatch(rf"\${NAME}", words) else ""
    words = words.strip() if words[:1] != " " else ""
    if _NUMBERED.fullmatch(words):
        return words
    article = _ARTICLE.match(words)
    bare = words[article.end() :] if article else words
    if not _ATTENDEE.fullmatch(bare) or not _LITTLE.isdisjoint(bare.lower().split()):
        return ""
    known = _party(bare, parties) or (_party(words, parties) if article else None)
    if known is None and bare.lower() in _NOBODY:
        return ""
    return known.name if known else normalise_name(bare).name


def _party(words: str, parties: Sequence[Party]) -> Party | None:
    """The agent or person that *words* name, with or without the word *agent* behind them."""
    for name in (words, words[:-6].rstrip() if words[-6:].lower() == " agent" else ""):
        wanted = normalise_name(name).name.lower() if name else ""
        found = next((party for party in parties if party.name.lower() == wanted), None)
        if found is not None:
            return found
    return None


def _meeting_meant(what: str, invited: Sequence[str], parties: Sequence[Party]) -> str:
    """The playbook for meetings that is called *what*; without a name the only one of those who are not invited."""
    meetings = [party.meetings for party in parties if not party.is_person and party.name not in invited]
    known = {name for names in meetings for name in names}
    if not what:  # who speaks has one of these: it must not matter which
        return known.pop() if len(known) == 1 and all(meetings) else ""
    names = (normalise_name(what).name, normalise_name(f"{what} meeting").name)
    found = [name for name in names if name in known]
    return found[0] if len(found) == 1 else ""


def _created(text: str, result: Variable | None, parties: Sequence[Party]) -> Call | None:
    """``Create a Clerk``, ``Create an agent Clerk as $clerk``: only for an agent that there is."""
    match = _CREATED.fullmatch(text) if "reate" in text or "pawn" in text or "nstantiate" in text else None
    if match is None:
        return None
    what = match["what"].strip()
    if match["kept"]:
        kept = next((each for each in _KEPT.finditer(what) if each.end() == len(what)), None)
        if kept is None or result is None:
            return None
        what = what[: kept.start()]
    party = _party(what[6:].lstrip() if what[:6].lower() == "agent " else what, parties)
    if party is None or party.is_person:
        return None
    kind = try_expression(json.dumps(party.name, ensure_ascii=False))
    return Call("CreateAgent", (Argument("", kind),), result, is_resolved=True) if kind else None
