"""Which variables a sentence produces: the outputs of a judged step, the fields of a question.

The rule, in this order: a mention with a type (``$x:int``) is produced; so is what stands
after *as*, *into* or an arrow, and what is set, recorded, stored or changed (``set $x to``,
``record the $ticket``, ``shorten $text``); and after a verb that makes or finds something
(extract, list, compute, choose, …) every variable up to the next preposition. What stands
in quotes or braces is only read.
"""

from __future__ import annotations

import re

from workbench.model.meaning import Variable
from workbench.syntax.expressions import NAME
from workbench.syntax.masking import without_quotes

TYPE = r"[A-Za-z]\w*(?:\[[\w\[\], ]*\])?"
MENTION = re.compile(rf"(?<![\w${{])\$(?P<name>{NAME})(?::(?P<type>{TYPE}))?(?![\w(])")

MAKERS = frozenset(
    "extract get find list compute calculate determine generate choose pick select identify fetch retrieve collect"
    " gather draft derive estimate suggest propose decide compose produce obtain guess infer define create write make"
    " prepare build figure work come count summarise summarize name give ask request prompt formulate invent".split()
)
_RECORDING = frozenset("set record note store save remember keep let assign put fill initialise initialize".split())
_CHANGING = frozenset(
    "shorten update increase decrease increment decrement improve revise refine rewrite correct extend trim sort"
    " reset adjust reduce double append".split()
)
_STOP = re.compile(
    r"\b(?:from|near|in|of|with|for|using|based|by|about|on|at|to|that|which|where|whether|if|when|than|between|per"
    r"|against|via|through|as|into|because|until|after|before)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\s*(?:[;,.]\s*(?:and\s+|then\s+)*|\band\s+(?:then\s+)?)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_TARGET = re.compile(r"(?:\bas|\binto|->|→)\s+(?:an?\s+|the\s+)?$", re.IGNORECASE)
_STORED = re.compile(
    r"\b(?:store|save|put|keep|record|remember|append|add)\b.*\b(?:in|to)\s+(?:the\s+)?$", re.IGNORECASE
)
_NEAR = 200
_NO_TARGET = frozenset({"treat", "use", "regard", "see", "count"})
_COLLECTION = re.compile(r"\b(?:list|set|array|table|dictionary)\s+of\s+(?:the\s+)?$", re.IGNORECASE)


def outputs_of(text: str) -> tuple[Variable, ...]:
    """The variables that *text* produces, each once, in order of mention."""
    if "$" not in text:
        return ()
    masked = without_quotes(text)
    found: dict[str, Variable] = {}
    for start, end in _clauses(masked):
        for match in _produced(masked, start, end):
            found.setdefault(match["name"], Variable(match["name"], True, match["type"] or ""))
    return tuple(found.values())


def _clauses(masked: str) -> list[tuple[int, int]]:
    """Stretches that begin with a verb of the table, or at the beginning; together they cover the text."""
    starts = [0]
    for joint in _CLAUSE.finditer(masked):
        word = _WORD.match(masked, joint.end())
        if word and word.group().lower() in _VERBS:
            starts.append(joint.end())
    return list(zip(starts, [*starts[1:], len(masked)], strict=True))


_VERBS = MAKERS | _RECORDING | _CHANGING


def _produced(masked: str, start: int, end: int) -> list[re.Match[str]]:
    """The mentions in one clause that are produced."""
    mentions = list(MENTION.finditer(masked, start, end))
    if not mentions:
        return []
    word = _WORD.search(masked, start, end)
    verb = word.group().lower() if word else ""
    after_verb = word.end() if word else start
    return [one for one in mentions if one["type"] or _is_produced(masked, start, one.start(), verb, after_verb)]


def _is_produced(masked: str, start: int, at: int, verb: str, after_verb: int) -> bool:
    before = masked[max(start, at - _NEAR) : at]
    if verb not in _NO_TARGET and _TARGET.search(before):
        return True
    if _STORED.search(before):
        return True
    if at - after_verb > _NEAR:
        return False
    if verb in _RECORDING:
        return _is_recorded(masked[after_verb:at])
    if verb in _CHANGING:
        return not masked[after_verb:at].strip(" \tthe")
    if verb not in MAKERS:
        return False
    stop = _STOP.search(masked, after_verb, at)
    return stop is None or _COLLECTION.search(before) is not None


def _is_recorded(between: str) -> bool:
    """True where only words like *the name of the* stand between the verb and the variable."""
    stop = _STOP.search(between)
    return stop is None or (stop.group().lower() == "of" and _STOP.search(between, stop.end()) is None)
