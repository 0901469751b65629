"""What a step's words mean, and the triggers of moments: total, deterministic, offline.

The first word decides which few readings are tried. A reading is exact only where nothing in it is guessed; the rest is
a judgement. Everything is cached by text, so that an edit reads one step again and not the document.

Marks stand around words of prose, and are never taken out of what is code: ``**If** $n > 2`` is a condition all the
same; ``2**10``, ``"__init__.py"`` and ``mcp__github__list_issues()`` are what they are. So a step is read as it is
written, and once more without the marks around its words. That counts if it says all the code that was found before,
and if each piece of code stands in the source as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import TypeVar

from workbench.model.meaning import BranchForm, Call, Condition, Judge, LoopForm, Meaning, TriggerEvent, Variable
from workbench.model.sentences.actions import FIRST_WORDS, MAX_LENGTH, action_of
from workbench.model.sentences.blocks import (
    branch_reader,
    conditional_loop_reader,
    read_for,
    read_only_with_children,
    read_otherwise,
    read_repeat,
    read_unless,
    unless,
)
from workbench.model.sentences.clauses.trailing import is_perhaps_trailing, with_trailing_condition
from workbench.model.sentences.conditions import condition_of
from workbench.model.sentences.guards import GUARDS, bounded, read_do, read_for_as_long, read_times
from workbench.model.sentences.listening import hearing_of
from workbench.model.sentences.timing import timing_of
from workbench.regex import regex
from workbench.syntax.expressions import NAME, Expression, Template
from workbench.syntax.masking import top_level
from workbench.syntax.signatures import normalise_name

_MARKED = regex(
    r"(?<![^\s(])(?:\*\*(?=[^\s*]).+?(?<=[^\s*])\*\*|__(?=[^\s_])(?P<strong>(?:[^_]|_(?!_)|(?<=\w)__(?=\w))+?)(?<=[^\s_])__)"
    r"(?![^\s,.:;!?)]|\.\w)",
    re.DOTALL,
)
_NAME = regex(r"\w+")
_M = TypeVar("_M", bound=Meaning)
_CACHE_SIZE = 32_768
_SHORT = 120
_FIRST = regex(r"[^\W\d_]+(?!\w)")
_LONG_RUN = regex(r"\s{40}")
_Reader = Callable[[str, str, bool], Meaning | None]


def read_marked(text: str, read: Callable[[str], _M]) -> _M:
    """What *read* makes of *text*: as it is written, or without the marks around its words."""
    meaning = read(text)
    if "**" not in text and "__" not in text:
        return meaning
    bare = without_marks(text)
    if bare == text:
        return meaning
    other = read(bare)
    code = set(code_in(other))
    is_whole = all(piece in text for piece in code if piece in bare)
    return other if is_whole and code.issuperset(code_in(meaning)) else meaning


def code_in(part: object) -> Iterator[str]:
    """Every piece of code that a meaning carries: expressions, told texts, names, what is called."""
    match part:
        case Expression(source=source) | Template(source=source):
            yield source
            # of "$n += 1" only the 1 is written so
            yield source.split(" ", 2)[-1].removeprefix("(").removesuffix(")")
        case Variable(name=name):
            yield name
        case tuple():
            for one in part:
                yield from code_in(one)
        case str() | None:
            return
        case _ if hasattr(part, "__slots__"):
            if isinstance(part, Call):
                yield part.target
            for name in part.__slots__:
                yield from code_in(getattr(part, name))


def without_marks(text: str) -> str:
    """*text* without the marks around its words; those in quotes and brackets stay, and those of names."""
    parts: list[str] = []
    done = 0
    for match in _MARKED.finditer(top_level(text)):
        if not _is_perhaps_name(match):
            start, end = match.span()
            parts += (text[done:start], text[start + 2 : end - 2])
            done = end
    return "".join([*parts, text[done:]])


def _is_perhaps_name(match: re.Match[str]) -> bool:
    """True for ``__init__``; but a step that begins with ``__If__`` has a marked word."""
    strong = match["strong"]
    return strong is not None and bool(_NAME.fullmatch(strong)) and (match.start() > 0 or strong[0].islower())


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
        word = first.group().lower()
        read = _READERS.get(word) or GUARDS.get(word)
        if read is not None:
            meaning = read(words, words[first.end() :].strip(), has_children)
            if meaning is not None:
                return meaning
    elif has_children and words[:1].isdigit():
        return read_times(words, "", has_children) or action_of(words)
    if not has_children and is_perhaps_trailing(words):
        return with_trailing_condition(words, action_of, unless) or action_of(words)
    return action_of(words)


_READ_ELSE_IF = branch_reader(BranchForm.ELSE_IF)
_READ_COUNT = read_only_with_children
_READERS: dict[str, _Reader] = {
    "if": bounded(branch_reader(BranchForm.IF)),
    "when": branch_reader(BranchForm.WHEN),
    "whenever": branch_reader(BranchForm.WHEN),
    "elif": _READ_ELSE_IF,
    "elseif": _READ_ELSE_IF,
    "else": read_otherwise,
    "otherwise": read_otherwise,
    "unless": read_unless,
    "while": bounded(conditional_loop_reader(LoopForm.WHILE)),
    "until": bounded(conditional_loop_reader(LoopForm.UNTIL), is_until=True),
    "for": read_for_as_long(read_for),
    "foreach": read_for,
    "repeat": read_repeat,
    "loop": read_repeat,
    **dict.fromkeys(("up", "at", "try", "retry"), _READ_COUNT),
    "do": read_do(_READ_COUNT),
}
KEYWORDS = FIRST_WORDS.union(_READERS)
"""The words that a step can begin with to be more than prose, in small letters."""

_CODE = regex(r"(?:T\d+:)?(BGN|CND|EVT)\b:?\s*")
_WHEN = regex(r"(?:when|whenever|if|once|as\s+soon\s+as|while)\b\s*", re.IGNORECASE)


@lru_cache(_CACHE_SIZE)
def classify_trigger(text: str) -> TriggerEvent:
    """When the playbook of the trigger *text* starts: at the beginning, on a condition, or by judgement.

    Without an exact condition, one that mentions a variable is kept as a judged condition;
    everything else is an event: of the clock, of messages, or whatever is judged to have happened.
    """
    return read_marked(text, _read_trigger)


def _read_trigger(text: str) -> TriggerEvent:
    words = text.strip()
    code = _CODE.match(words)
    if code is not None:
        words = words[code.end() :]
    if is_start(words) or (code is not None and code.group(1) == "BGN"):
        return TriggerEvent(text, is_start=True)
    if len(words) > MAX_LENGTH or _LONG_RUN.search(words):
        return TriggerEvent(text)
    timing = timing_of(words)
    if timing is not None:
        return TriggerEvent(text, timing=timing)
    moment = moment_of(text, words)
    if moment is not None:
        return moment
    if code is not None and code.group(1) == "EVT":
        return TriggerEvent(text, hearing=hearing_of(words))
    when = _WHEN.match(words)
    condition = condition_of(words[when.end() :].rstrip(" .:") if when else words)
    if condition.test is not None and condition.test.calls:
        condition = Condition(condition.text)  # nothing is called to find out whether a trigger fires
    is_condition = condition.test is not None or (code is not None) or (when is not None and "$" in words)
    hearing = hearing_of(words) if condition.test is None else None
    return TriggerEvent(text, False, condition if is_condition else None, hearing=hearing)


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
