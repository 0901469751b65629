"""Heads of blocks that say when, or how often, what stands below them is done, in other words than *If* and *While*.

*As long as $n < 3*, *In the planning phase*, *Check whether it is there: if so*, *If it is thin, up to 3 iterations*.
What stands below such words is not always done, so it is drawn and carried out as a branch or a loop, whose condition
is exact or judged. A head that only names what is below (*Depending on the mood*, *Choose one of these*) is judged
together with all of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from workbench.model.meaning import GOES_ON, Branch, BranchForm, Condition, Loop, LoopForm, Meaning
from workbench.model.sentences.actions import action_of
from workbench.model.sentences.blocks import (
    COUNT_WORDS,
    NUMBERS,
    UNLESS,
    conditional_loop_reader,
    count_of,
    head_of,
    negated,
    read_counted,
)
from workbench.model.sentences.conditions import condition_of
from workbench.regex import regex
from workbench.syntax.masking import top_level

Reader = Callable[[str, str, bool], Meaning | None]

_BOUND = regex(
    rf"(?:\s*[,;]\s*(?:but\s+)?(?:for\s+)?|\s+for\s+)(?:up\s+to|at\s+most|no\s+more\s+than|a\s+maximum\s+of)\s+"
    rf"{COUNT_WORDS}(?:\s*[,:]\s*(?P<action>\S.*))?$",
    re.IGNORECASE | re.DOTALL,
)
_BOUND_WORDS = ("up to", "at most", "no more than", "a maximum of")
_AS_LONG = regex(r"(?:as\s+)?long\s+as\s+(?=\S)", re.IGNORECASE)
_AS_NEEDED = regex(r"(?:needed|necessary|required|appropriate)$", re.IGNORECASE)
_PHASE = regex(
    r"(?:[\w\"'“”$.-]+\s+){0,6}(?:phase|mode|state|stage|round|situation)s?$|(?:this|that|any|either)\s+case$",
    re.IGNORECASE,
)
_CASE = regex(r"(?:case(?:\s+(?:of|that))?|the\s+(?:case|event)\s+(?:of|that))\s+(?=\S)", re.IGNORECASE)
_EVENT = regex(
    r"(?:(?:an?|any|the)\s+)?(?:\w+\s+){0,2}(?:errors?|failures?|success|timeout|exceptions?|rejection|approval"
    r"|cancell?ation|confirmation|refusal|mismatch)$",
    re.IGNORECASE,
)
_THAT = regex(r"(?:that\s+)?(?=\S)", re.IGNORECASE)
_CHECK = regex(
    r"(?:whether|if|that|for)?\s*(?P<condition>\S.*?)\s*[,:;.–—-]\s*(?:and\s+|then\s+)*(?:if|when)\s+"
    r"(?P<answer>so|yes|true|it\s+is|it\s+does|they\s+are|they\s+do|that\s+is\s+so|not|no|it\s+is\s+not"
    r"|it\s+isn't|they\s+are\s+not)(?:\s+then)?$",
    re.IGNORECASE | re.DOTALL,
)
_GOING_ON = regex(
    r"(?:on\s+|doing\s+this\s+|\w+ing\s+|like\s+this\s+|this\s+|as\s+above\s+)?(?P<form>until|while|as\s+long\s+as)\s+(?P<condition>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_ALL_BELOW = regex(
    r"(?:depending|throughout|either)\b|(?:every|each)\s+(?!of\b)\w+(?:\s+\w+){0,3}[:,]?$"
    r"|(?:do|choose|pick|select|use|take|try)\s+(?:any\s+|exactly\s+|only\s+)?one\s+of\s+(?:the\s+following|these|those)\b",
    re.IGNORECASE,
)


def judges_what_is_below(text: str) -> bool:
    """True for a head that says of what is below that only some of it is done, or not now."""
    if _ALL_BELOW.match(text):
        return True
    lowered = text.lower()
    return any(words in lowered for words in _BOUND_WORDS) and _BOUND.search(top_level(head_of(text))) is not None


def bounded(read: Reader, *, is_until: bool = False) -> Reader:
    """*read*, and before it the same with a limit: ``If it is thin, up to 3 iterations``."""

    def read_bounded(text: str, rest: str, has_children: bool) -> Meaning | None:
        lowered = rest.lower()
        if any(words in lowered for words in _BOUND_WORDS):
            loop = _counted(rest, has_children=has_children, is_until=is_until)
            if loop is not None:
                return loop
        return read(text, rest, has_children)

    return read_bounded


def _counted(rest: str, *, has_children: bool, is_until: bool) -> Loop | None:
    head = _without_brackets(head_of(rest))
    match = _BOUND.search(top_level(head))
    count = count_of(match) if match is not None else None
    if match is None or count is None or not match.start():
        return None
    action = action_of(head[match.start("action") :]) if match["action"] else None
    if action is None and not has_children:
        return None
    condition = condition_of(head[: match.start()])
    if not is_until:
        condition = Condition(f"{GOES_ON}{condition.text}", negated(condition.test) if condition.test else None)
    return Loop(LoopForm.REPEAT, head, condition, items=count, action=action)


def _without_brackets(head: str) -> str:
    """*head* with a comma in place of the brackets that it ends with: ``it is thin (up to 3 times)``."""
    place = head.rfind("(")
    return f"{head[:place].rstrip()}, {head[place + 1 : -1]}" if head.endswith(")") and place > 0 else head


_WHILE = conditional_loop_reader(LoopForm.WHILE)
_UNTIL = conditional_loop_reader(LoopForm.UNTIL)


def read_as(text: str, rest: str, has_children: bool) -> Meaning | None:
    """``As long as $n < 3``; ``As needed``, where something stands below."""
    long_as = _AS_LONG.match(rest)
    if long_as is not None:
        loop = bounded(_WHILE)(text, rest[long_as.end() :], has_children)
        is_empty = isinstance(loop, Loop) and loop.action is None and not has_children
        return None if is_empty else loop
    return _guard(text) if has_children and _AS_NEEDED.fullmatch(head_of(rest)) else None


def read_for_as_long(read: Reader) -> Reader:
    """*read* of ``For …``, but for ``For as long as …``."""

    def read_either(text: str, rest: str, has_children: bool) -> Meaning | None:
        return (read_as(text, rest[2:].strip(), has_children) if rest[:3].lower() == "as " else None) or read(
            text, rest, has_children
        )

    return read_either


def read_in(text: str, rest: str, has_children: bool) -> Meaning | None:
    """``In the planning phase``, ``In case $n > 3``, where something stands below; other places are no conditions."""
    if not has_children:
        return None
    head = head_of(rest)
    case = _CASE.match(head)
    if case is not None and not _PHASE.fullmatch(head):
        condition = condition_of(head[case.end() :])
        return Branch(BranchForm.IF, condition) if condition.test is not None else _guard(text)
    return _guard(text) if _PHASE.fullmatch(head) else None


def read_on(text: str, rest: str, has_children: bool) -> Meaning | None:
    """``On error``, ``Upon a timeout``, where something stands below."""
    return _guard(text) if has_children and _EVENT.fullmatch(head_of(rest)) else None


def read_supposed(text: str, rest: str, has_children: bool) -> Meaning | None:
    """``Provided that $n > 3``, ``Should the user agree``, ``Once it is done``, where something stands below."""
    if not has_children:
        return None
    that = _THAT.match(rest)
    condition = condition_of(head_of(rest[that.end() if that else 0 :]))
    return Branch(BranchForm.IF, condition) if condition.test is not None else _guard(text)


def read_given(text: str, rest: str, has_children: bool) -> Meaning | None:
    """``Given that $n > 3``; what only is given (*Given the order*) is no condition."""
    return read_supposed(text, rest, has_children) if rest[:5].lower() == "that " else None


def read_during(text: str, _rest: str, has_children: bool) -> Meaning | None:
    """``During the talk``, where something stands below."""
    return _guard(text) if has_children else None


def read_check(text: str, rest: str, has_children: bool) -> Meaning | None:
    """``Check whether $n > 3: if so``, where something stands below; ``if not`` likewise."""
    match = _CHECK.fullmatch(head_of(rest)) if has_children else None
    if match is None:
        return None
    condition = condition_of(match["condition"])
    if match["answer"].lower() not in _NEGATIVE:
        return Branch(BranchForm.IF, condition)
    test = negated(condition.test) if condition.test is not None else None
    return Branch(BranchForm.IF, Condition(f"{UNLESS}{condition.text}", test))


_NEGATIVE = frozenset({"not", "no", "it is not", "it isn't", "they are not"})


def read_going_on(text: str, rest: str, has_children: bool) -> Meaning | None:
    """``Keep asking until $n > 3``, ``Go on while the user agrees``, where something stands below."""
    match = _GOING_ON.fullmatch(rest) if has_children else None
    if match is None:
        return None
    is_until = match["form"].lower() == "until"
    return bounded(_UNTIL if is_until else _WHILE, is_until=is_until)(text, match["condition"], has_children)


def read_do(read: Reader) -> Reader:
    """*read* of ``Do …``, but for ``Do this until $n > 3``."""

    def read_either(text: str, rest: str, has_children: bool) -> Meaning | None:
        return read_going_on(text, rest, has_children) or read(text, rest, has_children)

    return read_either


def read_times(text: str, _rest: str, has_children: bool) -> Meaning | None:
    """``3 times``, ``Three times``, where something stands below."""
    loop = read_counted(text, text, has_children) if has_children else None
    return loop if isinstance(loop, Loop) else None


def _guard(text: str) -> Branch:
    """A branch whose condition is judged: the words themselves, *in the planning phase*."""
    head = head_of(text)
    return Branch(BranchForm.IF, Condition(head[:1].lower() + head[1:]))


GUARDS: dict[str, Reader] = {
    "as": read_as,
    "so": read_as,
    "in": read_in,
    **dict.fromkeys(("on", "upon"), read_on),
    "during": read_during,
    **dict.fromkeys(("should", "provided", "assuming", "supposing", "suppose", "once"), read_supposed),
    "given": read_given,
    **dict.fromkeys(("check", "see", "verify", "determine", "decide", "test"), read_check),
    **dict.fromkeys((*NUMBERS, "twice"), read_times),
    **dict.fromkeys(("keep", "continue", "carry", "go"), read_going_on),
}
"""By the first word of a head, in small letters."""
