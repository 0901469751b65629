"""What a step's words mean: total, deterministic, offline.

The first word decides which few readings are tried. A reading is exact only where nothing
in it is guessed; the rest is a judgement. Everything is cached by text, so that an edit
reads one step again and not the document.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial

from workbench.model.meaning import BranchForm, Judge, LoopForm, Meaning, TriggerEvent
from workbench.model.sentences.actions import MAX_LENGTH, action_of
from workbench.model.sentences.blocks import (
    branch_reader,
    conditional_loop_reader,
    read_for,
    read_only_with_children,
    read_otherwise,
    read_repeat,
    read_unless,
)
from workbench.model.sentences.conditions import condition_of
from workbench.model.sentences.marks import read_marked
from workbench.syntax.expressions import NAME

_CACHE_SIZE = 32_768
_SHORT = 120
_FIRST = re.compile(r"[^\W\d_]+(?!\w)")
_LONG_RUN = re.compile(r"\s{40}")
_Reader = Callable[[str, str, bool], Meaning | None]


@lru_cache(_CACHE_SIZE)
def classify(text: str, has_children: bool) -> Meaning:
    """What the step *text* means, given whether steps stand below it."""
    words = text.strip()
    if len(words) > _SHORT and (len(words) > MAX_LENGTH or _LONG_RUN.search(words)):
        return Judge(text)
    return read_marked(words, partial(_read, has_children))


def _read(has_children: bool, words: str) -> Meaning:  # noqa: FBT001 - as classify
    first = _FIRST.match(words)
    if first is not None:
        read = _READERS.get(first.group().lower())
        if read is not None:
            meaning = read(words, words[first.end() :].strip(), has_children)
            if meaning is not None:
                return meaning
    return action_of(words)


_READ_ELSE_IF = branch_reader(BranchForm.ELSE_IF)
_READ_COUNT = read_only_with_children
_READERS: dict[str, _Reader] = {
    "if": branch_reader(BranchForm.IF),
    "when": branch_reader(BranchForm.WHEN),
    "whenever": branch_reader(BranchForm.WHEN),
    "elif": _READ_ELSE_IF,
    "elseif": _READ_ELSE_IF,
    "else": read_otherwise,
    "otherwise": read_otherwise,
    "unless": read_unless,
    "while": conditional_loop_reader(LoopForm.WHILE),
    "until": conditional_loop_reader(LoopForm.UNTIL),
    "for": read_for,
    "foreach": read_for,
    "repeat": read_repeat,
    "loop": read_repeat,
    **dict.fromkeys(("up", "at", "try", "retry", "do"), _READ_COUNT),
}

_START = re.compile(
    r"(?:(?:when|once|as\s+soon\s+as|whenever)\s+(?:the\s+)?(?:program|application|playbook|conversation|session|agent)"
    r"\s+(?:is\s+)?(?:starts?|begins?|started|launched|launches|opens)"
    r"|(?:at|on|in|from)\s+(?:the\s+)?(?:very\s+)?(?:start|beginning|startup|start-up|launch)"
    r"(?:\s+of\s+the\s+(?:program|conversation|session))?)[.:]?",
    re.IGNORECASE,
)
_CODE = re.compile(r"(?:T\d+:)?(BGN|CND|EVT)\b:?\s*")
_CALLED = rf"`?(?P<name>{NAME}(?:\.{NAME})*)(?:\(\))?`?"
_AROUND_CALL = re.compile(
    rf"(?P<moment>after|before)\s+(?:calling|running|executing|(?:a|the|each|every)\s+call\s+(?:of|to))\s+{_CALLED}[.:]?",
    re.IGNORECASE,
)
_FAILING = re.compile(
    rf"(?:when|whenever|if|after|once)\s+{_CALLED}\s+(?:fails|failed|has\s+failed)[.:]?", re.IGNORECASE
)
_WHEN = re.compile(r"(?:when|whenever|if|once|as\s+soon\s+as|while)\b\s*", re.IGNORECASE)


@lru_cache(_CACHE_SIZE)
def classify_trigger(text: str) -> TriggerEvent:
    """When the playbook of the trigger *text* starts: at the beginning, on a condition, or by judgement.

    Without an exact condition, one that mentions a variable is kept as a judged condition;
    everything else is an event.
    """
    return read_marked(text, _read_trigger)


def _read_trigger(text: str) -> TriggerEvent:
    words = text.strip()
    code = _CODE.match(words)
    if code is not None:
        words = words[code.end() :]
    if _START.fullmatch(words[:_SHORT]) or (code is not None and code.group(1) == "BGN"):
        return TriggerEvent(text, is_start=True)
    if len(words) > MAX_LENGTH or _LONG_RUN.search(words):
        return TriggerEvent(text)
    around = _AROUND_CALL.fullmatch(words) or _FAILING.fullmatch(words)
    if around is not None:
        return TriggerEvent(text, moment=around.groupdict().get("moment", "fails").lower(), subject=around["name"])
    if code is not None and code.group(1) == "EVT":
        return TriggerEvent(text)
    when = _WHEN.match(words)
    condition = condition_of(words[when.end() :].rstrip(" .:") if when else words)
    is_condition = condition.test is not None or (code is not None) or (when is not None and "$" in words)
    return TriggerEvent(text, False, condition if is_condition else None)
