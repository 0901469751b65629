"""Meetings that a sentence opens: *Start a review meeting with Legal and Tax about "prices"*."""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from workbench.model.meaning import Argument, Call, Judge
from workbench.model.sentences.outputs import TYPE
from workbench.syntax.expressions import NAME, parse_expression, try_expression
from workbench.syntax.signatures import normalise_name

_STORED = re.compile(rf"\$?{NAME}(?:\s?:\s?{TYPE})?\s*=\s*")
_MEETING = re.compile(
    r"(?:(?i:then|now|next|finally|first|afterwards|also)[,:]?\s+)*(?i:start|open|hold|begin|convene)\s+"
    # atomic, and blanks only as a whole: there must not be many ways to read what is no meeting after all
    r"(?:an?\s+|the\s+)?(?>(?P<what>[^\W\d][\w ]*?)(?<!\s)\s++meeting\s++with\s++)"
    rf"(?P<who>[^\W\d][\w\s,]*?)(?:(?<!\s)\s++about\s++(?P<topic>\"[^\"]*\"|\$?{NAME}))?[.]?"
)
_BETWEEN = re.compile(r"(?<!\s)(?:\s*+,\s++(?:and\s++)?|\s++and\s++)")
_NAME = re.compile(r"[^\W\d][\w ]*")


def opened_meeting(sentence: Judge, meetings: Collection[str]) -> Call | None:
    """The call of one of the playbooks *meetings* that *sentence* stands for; None where it names none of them."""
    if not meetings or "meeting" not in sentence.text:
        return None
    stored = _STORED.match(sentence.text) if sentence.outputs else None
    match = _MEETING.fullmatch(sentence.text, stored.end() if stored else 0)
    name = normalise_name(match["what"]).name if match else ""
    if match is None or name not in meetings:
        return None
    names = _BETWEEN.split(match["who"])
    if not all(map(_NAME.fullmatch, names)):
        return None
    people = [normalise_name(each).name for each in names]
    arguments = [Argument("attendees", parse_expression(json.dumps(people, ensure_ascii=False)))]
    topic = try_expression(match["topic"]) if match["topic"] else None
    if topic is not None:
        arguments.insert(0, Argument("topic", topic))
    return Call(name, tuple(arguments), sentence.outputs[0] if stored else None, is_resolved=True)
