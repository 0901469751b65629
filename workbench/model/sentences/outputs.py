"""Which variables a sentence produces: the outputs of a judged step.

The rule, in this order: a mention with a type (``$x:int``) is produced; so is what stands
after *as*, *into* or an arrow, and then nothing before it; what is set (``set $x to``) or changed
(``shorten $text``, ``add $x to $list``); what is recorded as something new (``record the $ticket``); and after a verb
that makes or finds something (extract, list, compute, choose, …) every variable up to the next preposition. What is
given, sent, saved or remembered is only read, and so is what stands in quotes or braces, what is calculated with,
and what says how many (``generate $n ideas``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from workbench.model.meaning import Variable
from workbench.regex import regex
from workbench.syntax.expressions import NAME
from workbench.syntax.masking import without_quotes

TYPE = r"[A-Za-z]\w*(?:\[[\w\[\], ]*\])?"
MENTION = regex(rf"(?<![\w${{])\$(?P<name>{NAME})(?::(?P<type>{TYPE}))?(?![\w(])")

MAKERS = frozenset(
    "extract get find list compute calculate determine generate choose pick select identify fetch retrieve collect"
    " gather draft derive estimate suggest propose decide compose produce obtain guess infer define create write make"
    " prepare build figure work come name ask request prompt formulate invent".split()
)
_SETTING = frozenset("set let assign fill initialise initialize".split())
_RECORDING = frozenset("record note store save remember keep put write".split())
_CHANGING = frozenset(
    "shorten update increase decrease increment decrement improve revise refine rewrite correct extend trim sort"
    " reverse reset adjust reduce double".split()
)
_VERBS = MAKERS | _SETTING | _RECORDING | _CHANGING
_NAMING = frozenset("compute calculate determine define set let estimate work figure".split())
"""Verbs whose *as* says what a variable is to be, rather than where something is kept."""
_WITH_A_PURPOSE = frozenset({"use", "try", "help", "let", "call", "query", "run"})
_FETCHING = frozenset({"load", "download", "import", "receive", "look"})
_WHENCE = regex(r"\s+(?:from|by|via|using)\b", re.IGNORECASE)
_OBJECT = (
    r"(?:(?:the|an?|their|his|her|its|my|your|our|this|that|these|those|it|them|him|us|everything|everyone|all|each"
    r"|every|any|some|one|users?)\b|[$\"“`']|(?-i:[A-Z]))"
)
NO_VERB = frozenset(
    "and or but nor not if whether unless until when while where why how what which who whom whose because"
    " since for although from with without of in on at by to into onto about as than between through over"
    " under after before during per via like both all either neither only even is are was were has have had"
    " be been do does did can could will would should may might must then also so the a an that this these"
    " those their his her its my your our it they he she we you i no yes any some each every else otherwise"
    " depending including according regarding".split()
)
_IN_ING = frozenset({"bring", "sing", "ring", "ping", "swing"})
_WITH_OBJECT = regex(rf"[^\W\d_]+(?:\s+(?:again|back|out|up))?\s+{_OBJECT}", re.IGNORECASE)
_ALWAYS_VERBS = frozenset(
    "apologise apologize announce calculate choose compute confirm create decide describe determine explain extract"
    " fetch generate introduce invite listen notify proceed provide recommend respond retrieve retry send suggest"
    " summarise summarize think try update validate verify wait write".split()
)
_STOP = regex(
    r"\b(?:from|near|in|of|with|for|using|based|by|about|on|at|to|that|which|where|whether|if|when|than|between|per"
    r"|against|via|through|as|into|because|until|after|before|sure|certain)\b",
    re.IGNORECASE,
)
_CLAUSE = regex(r"\s*(?:[;,.]\s*(?:and\s+|then\s+)*|\band\s+(?:then\s+)?|(?P<purpose>\bto\s+))", re.IGNORECASE)
_WORD = regex(r"[^\W\d_]+")
_TARGET = regex(
    r"(?:(?<!\blong)(?<!\bsoon)(?<!\bfar)(?<!\bwell)(?<!\bmuch)(?<!\bmany)(?<!\bsame)(?<!^)\s(?P<as>as)"
    r"|\binto|->|→)\s+(?:an?\s+|the\s+)?$",
    re.IGNORECASE,
)
_KEEPING = regex(r"\s(?:as|into|in|to|from)\s|->|→", re.IGNORECASE)
_STORED = regex(
    r"\b(?:store|save|put|keep|record|remember|append|add)\b.*\b(?:in|to)\s+(?:the\s+)?$"
    r"|\b(?:remove|delete|drop|pop)\b.*\bfrom\s+(?:the\s+)?$|\bassign\b[^$]*\bto\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_PLACE = regex(r"\s+(?:to|in|into|on|at|under|with|for)\b", re.IGNORECASE)
_NEW = regex(r"\b(?:the|an?|their|his|her|its|your|name\s+of|number\s+of|value\s+of)\s+$", re.IGNORECASE)
_NEAR = 200
_NO_TARGET = frozenset(
    "treat use regard see log login sign authenticate connect register act speak pose pretend mark tag label".split()
)
"""Verbs whose *as* says what something is taken for."""
_COLLECTION = regex(r"(?<!\$)\b(?:list|set|array|table|dictionary)\s+of\s+(?:the\s+)?$", re.IGNORECASE)
SOMEBODY = regex(rf"\${NAME}(?=\s+(?:to|for|about|whether|if|what|which|how|when|where|why|who)\b)", re.IGNORECASE)
"""Who is asked, in a variable: ``$helper to check it``."""
_TICKED = regex(rf"`(\${NAME}(?::{TYPE})?)`")


def outputs_of(text: str) -> tuple[Variable, ...]:
    """The variables that *text* produces, each once, in order of mention."""
    if "$" not in text:
        return ()
    masked = unquoted(text)
    clauses: list[list[re.Match[str]]] = []
    for start, end in _clauses(masked):
        if clauses and says_where(masked, start):
            clauses[-1] = [match for match in clauses[-1] if match["type"]]
        clauses.append(_produced(masked, start, end))
    found: dict[str, Variable] = {}
    for match in chain.from_iterable(clauses):
        found.setdefault(match["name"], Variable(match["name"], True, match["type"] or ""))
    return tuple(found.values())


def says_where(words: str, start: int = 0) -> bool:
    """True where *words* from *start* on say where to keep what the clause before gives: ``save it as $x``."""
    return _KEPT_AS.match(words, start) is not None


_KEPT_AS = regex(
    r"(?:store|save|keep|put|record|remember|call|name)\s+"
    r"(?:it|this|that|them|these|the\s+(?:result|answer|value|outcome|response|reply|output)s?)\s+"
    r"(?:(?:as|in|into|to|under)\s+)?(?:the\s+)?(?=\$)",
    re.IGNORECASE,
)


def unquoted(text: str) -> str:
    """*text*, of the same length, without what stands in quotes; a variable alone in back-ticks is one as well."""
    return without_quotes(_TICKED.sub(r" \1 ", text) if "`$" in text else text)


def _clauses(masked: str) -> list[tuple[int, int]]:
    """Stretches that begin with a verb of the tables, or at the beginning; together they cover the text."""
    starts = [0]
    first = _verb(masked, 0)
    for joint in _CLAUSE.finditer(masked):
        if joint["purpose"] and first not in _WITH_A_PURPOSE:
            continue
        verb = first_word(masked, joint.end())
        if verb and (verb in _VERBS or begins_with_verb(masked, joint.end())):
            starts.append(joint.end())
    return list(zip(starts, [*starts[1:], len(masked)], strict=True))


def _verb(masked: str, start: int) -> str:
    word = _WORD.search(masked, start)
    return word.group().lower() if word else ""


def _produced(masked: str, start: int, end: int) -> list[re.Match[str]]:
    """The mentions in one clause that are produced."""
    mentions = list(MENTION.finditer(masked, start, end))
    if not mentions:
        return []
    kept = _KEPT_AS.match(masked, start, end)
    if kept is not None:
        return in_row(masked, mentions, [one for one in mentions if one["type"] or one.start() == kept.end()])
    word = _WORD.search(masked, start, end)
    verb = word.group().lower() if word else ""
    if _KEEPING.search(masked, start, end):
        targets = [one for one in mentions if _is_target(masked, start, one.start(), verb, one is mentions[0])]
        if targets:
            return in_row(masked, mentions, [one for one in mentions if one["type"] or one in targets])
    after_verb = word.end() if word else start
    found = [one for one in mentions if one["type"] or _is_produced(masked, start, one, verb, after_verb)]
    return in_row(masked, mentions, found) if verb in _CHANGING | _RECORDING else found


def in_row(masked: str, mentions: Sequence[re.Match[str]], found: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """*found*, and those of *mentions* that stand in a row with one of them: ``into $first, $middle and $last``."""
    if len(found) == len(mentions) or not found or _JOINED.search(masked) is None:
        return list(found)
    row: list[re.Match[str]] = []
    known = {one.start() for one in found}
    for one in mentions:
        is_next = bool(row) and _IN_ROW.fullmatch(masked, row[-1].end(), one.start()) is not None
        if one.start() in known or (is_next and _OF_A_PAIR.match(masked, one.end()) is None):
            row.append(one)
    return row


_JOINED = regex(r",|\s(?:and|or)\s")


_OF_A_PAIR = regex(r"\s+(?:to|in|into|as|from|with|by|->|→)\s+(?:the\s+)?\$", re.IGNORECASE)
"""Behind the second of ``add $a to $list and $b to $other``, which is none of a row with what stands before it."""


_IN_ROW = regex(r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)(?:(?:the|an?|their|his|her|your)\s+)?", re.IGNORECASE)


def _is_target(masked: str, start: int, at: int, verb: str, is_first: bool) -> bool:
    """True where the clause says that something is kept in the mention at *at*."""
    before = masked[max(start, at - _NEAR) : at]
    found = _TARGET.search(before) if verb not in _NO_TARGET else None
    if found is None:
        return _STORED.search(before) is not None
    if verb == "translate" and found.group().lower().startswith("into"):
        return False  # that says which language
    return is_first or not found["as"] or verb not in _NAMING


def _is_produced(masked: str, start: int, mention: re.Match[str], verb: str, after_verb: int) -> bool:
    at = mention.start()
    if at - after_verb > _NEAR:
        return False
    between = masked[after_verb:at]
    if verb in _SETTING and _SET_AS_WELL.search(between) and _TO_VALUE.match(masked, mention.end()):
        return True
    if verb in _SETTING:
        return _is_named(between) and (verb != "assign" or not _PLACE.match(masked, mention.end()))
    if verb == "ask" and not between.strip() and SOMEBODY.match(masked, at):
        return False
    if verb in _RECORDING and (verb not in MAKERS or _PLACE.match(masked, mention.end())):
        return _NEW.search(between) is not None and _is_named(between) and not _PLACE.match(masked, mention.end())
    if verb in _CHANGING:
        return not between.strip(" \tthe")
    if verb in _FETCHING:
        return not between.strip(" \tupthe") and _WHENCE.match(masked, mention.end()) is not None
    if verb not in MAKERS or _is_only_read(masked, mention):
        return False
    return _STOP.search(between) is None or _COLLECTION.search(masked, max(start, at - _NEAR), at) is not None


_SET_AS_WELL = regex(r"(?:,|\band)\s+(?:the\s+)?$", re.IGNORECASE)
_TO_VALUE = regex(r"\s+(?:to|be|=)\s")


def _is_only_read(masked: str, mention: re.Match[str]) -> bool:
    """True for what says how many, as in ``$n ideas``, and what is calculated with: ``$a + 1``, ``$list average``."""
    if _BEHIND_SIGN.search(masked, max(0, mention.start() - _NEAR), mention.start()):
        return True
    is_part = _BEFORE_SIGN.match(masked, mention.end()) or _OF_ALL.match(masked, mention.end())
    return is_part is not None or bool(how_many(masked, mention))


def how_many(masked: str, mention: re.Match[str]) -> str:
    """The word for what there are *mention* of, as in ``$n ideas``; empty where it does not say how many."""
    noun = _NOUN.match(masked, mention.end()) if _AMOUNT.fullmatch(mention["name"]) and not mention["type"] else None
    return noun["noun"].lower() if noun is not None else ""


_AMOUNT = regex(
    r"[nkm]|(?:(?:max|min|num|n)_)?(?:count|number|num|amount|quantity|limit|max|min|how_many)|\w+_count|(?:max|min|num|n)_\w+"
)
_NOUN = regex(
    r"\s+(?P<noun>(?!does\b|has\b|was\b|is\b|its\b|this\b|times\b|plus\b|minus\b|always\b)[^\W\d_]{2,}(?<!s)s)(?![\w'’])",
    re.IGNORECASE,
)
_OF_ALL = regex(r"\s+(?:average|mean|median|sum|total|count|length|size)(?!\w)", re.IGNORECASE)
_SIGN = r"(?:\s*[+*%]\s*|\s+[-/]\s+)"  # in ``$title/$subtitle`` there is none
_BEFORE_SIGN = regex(rf"{_SIGN}[$\d(]")
_BEHIND_SIGN = regex(rf"[\w)\]]{_SIGN}$")


def _is_named(between: str) -> bool:
    """True where only words like *the name of the* stand between the verb and the variable."""
    stop = _STOP.search(between)
    return stop is None or (stop.group().lower() == "of" and _STOP.search(between, stop.end()) is None)


def begins_with_verb(words: str, at: int = 0) -> bool:
    """True where *words* from *at* on tell to do something: a verb with its object, or one that is nothing else."""
    verb = first_word(words, at)
    if verb in NO_VERB or (verb.endswith("ing") and verb not in _IN_ING):
        return False
    return verb in _ALWAYS_VERBS or _WITH_OBJECT.match(words, at) is not None


def first_word(words: str, at: int = 0) -> str:
    """The word that *words* have at *at*, in small letters; empty where there is none."""
    word = _WORD.match(words, at)
    return word.group().lower() if word else ""
