"""Why a sentence is left to judgement although it looks as if the program could carry it out.

Looked at is what a meaning leaves open: an action, a condition, what a loop goes through, what is returned. Where a
sentence has nothing of code in it, there is no reason: it is meant to be judged.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from workbench.i18n import _
from workbench.model.checks.judged.values import (
    CALL_FORM,
    Kind,
    Reason,
    looks_like_code,
    why_no_value,
    why_refused,
)
from workbench.model.meaning import Branch, Condition, Judge, Loop, LoopForm, Meaning, Return, Several
from workbench.model.sentences.clauses.changing import NUMBER_WORDS
from workbench.model.sentences.conditions import exact_condition
from workbench.model.sentences.outputs import first_word
from workbench.regex import regex
from workbench.syntax.expressions import NAME, try_expression
from workbench.syntax.masking import top_level, without_quotes

_TYPE = r"(?:\s?:\s?[A-Za-z][\w\[\], |]{0,40}?)?"
_ASSIGNED = regex(
    rf"`?\s*\${NAME}(?:\.{NAME}|\[[^\]]*\])*{_TYPE}\s*(?P<sign>[-+*/]?=(?!=)|:=|<-)\s*(?P<value>.*)", re.DOTALL
)
_LOCAL = regex(rf"`?\s*{NAME}\s*(?P<sign>[-+*/]?=(?!=)|:=)\s*(?P<value>.*)", re.DOTALL)
_COUNTED = regex(rf"`?(?P<name>\$?{NAME})(?P<sign>\+\+|--)`?[.;]?")
_SIGNS = ("=", "<-", "++", "--")
_COMPARED = regex(rf"`?\s*\${NAME}\s*(?P<sign>===?)\s*(?P<value>\S.*)", re.DOTALL)
_GIVEN = regex(
    rf"(?:set|let|make|assign|initiali[sz]e|store|put)\s+\${NAME}{_TYPE}\s+(?:to|be|as|=)\s+(?P<value>.+)",
    re.IGNORECASE | re.DOTALL,
)
_CHANGED = regex(
    rf"(?:increment|decrement|increase|decrease|raise|reduce|multiply|divide)\s+\${NAME}\s+by\s+(?P<value>.+)"
    rf"|(?:add|append|subtract)\s+(?P<added>.+?)\s+(?:to|from)\s+\${NAME}[.;]?$",
    re.IGNORECASE | re.DOTALL,
)
_GIVING = frozenset("set let make assign initialize initialise store put".split())
_CHANGING = frozenset("increment decrement increase decrease raise reduce multiply divide add append subtract".split())
_LEFT = regex(r"(?:end|exit|stop|quit|terminate)\s+(?:(?:the|this)\s+)?(?P<word>[^\W\d_]+)[.!]?", re.IGNORECASE)
_TARGETS = ("program", "playbook", "loop")
_GONE_TO = regex(r"(?:go|jump)\s+(?:back\s+)?to\s+(?:the\s+)?step\s+(?P<word>[^\W\d_]+)[.!]?", re.IGNORECASE)
_ROUNDS = regex(
    r"(?:repeat|loop|do\s+this)\s+(?:this\s+|it\s+|the\s+following\s+)?(?P<word>[^\W\d_]+)\s+times\b", re.IGNORECASE
)
_ROUNDS_BETWEEN = regex(rf"(?:repeat|loop)\s+\${NAME}\s+(?P<words>[^\W\d_]+(?:\s+[^\W\d_]+)?)\s+times\b", re.IGNORECASE)
_THROUGH = regex(
    rf"for\s*each\s+(?P<each>\$?{NAME})\s+(?:in|of)\s+(?P<before>(?:[^\W\d_]+\s+){{1,3}})?(?P<list>\${NAME})(?P<after>\s+\S.*)?$",
    re.IGNORECASE | re.DOTALL,
)
_ORDERED = regex(
    rf"\${NAME}\s+(?:is\s+)?(?:not\s+)?(?:(?:greater|more|larger|higher|bigger|less|lower|smaller|fewer)\s+than"
    rf"(?:\s+or\s+equal\s+to)?|at\s+least|at\s+most|above|below|over|under|exceeds?|equals?(?:\s+to)?)\s+(?P<value>[^,]+)",
    re.IGNORECASE,
)
_SIGNED = regex(r"(?<![<>=!])(?:<=|>=|[=!]==?|<|>|=|≥|≤|≠|&&|\|\|)(?!=)")
_JOINED = regex(r"\s*,?\s+(?:and|or)\s+", re.IGNORECASE)


def reasons_in(meaning: Meaning, words: str) -> Iterator[Reason]:
    """Why parts of *meaning*, which *words* have, are judged; the places count from the beginning of *words*."""
    match meaning:
        case Judge(text=text):
            yield from _at(words, text, _of_action(text))
        case Return(value=None, text=text) if text:
            yield from _at(words, text, _of_return(text))
        case Branch(condition=condition, action=action):
            yield from _of_condition(words, condition)
            if action is not None:
                yield from reasons_in(action, words)
        case Loop():
            yield from _of_loop(words, meaning)
        case Several(parts=parts):
            for part in parts:
                yield from reasons_in(part, words)


def _at(words: str, text: str, reason: Reason | None) -> Iterator[Reason]:
    """*reason*, which counts from the beginning of *text*, for *words* that end with that."""
    at = words.rfind(text) if reason is not None else -1
    if reason is not None and at >= 0:
        yield reason.shifted(at)


def _of_action(text: str) -> Reason | None:
    """Why *text*, which tells to do something, is not carried out as it stands."""
    return (
        _of_assignment(text)
        or _of_change(text)
        or _of_call(text)
        or _of_end(text)
        or _number_word(_GONE_TO, text)
        or _of_rounds(text)
    )


def _of_assignment(text: str) -> Reason | None:
    if not any(sign in text for sign in _SIGNS):
        return None
    counted = _COUNTED.fullmatch(text)
    if counted is not None:
        return Reason(Kind.SIGN, counted.start("sign"), counted.end("sign"), insert=f" {counted['sign'][0]}= 1")
    compared = _COMPARED.match(text)
    if compared is not None and try_expression(compared["value"].rstrip("` .")) is not None:
        return Reason(Kind.SIGN, compared.start("sign"), compared.end("sign"), insert="=")
    assigned = _ASSIGNED.match(text) or _LOCAL.match(text)
    if assigned is None:
        return None
    if assigned["sign"] in (":=", "<-"):
        is_value = try_expression(assigned["value"].rstrip("` .")) is not None
        return Reason(Kind.SIGN, assigned.start("sign"), assigned.end("sign"), insert="=" if is_value else None)
    value = assigned["value"].rstrip("` ")
    return _value(assigned.start("value"), value)


def _of_change(text: str) -> Reason | None:
    """Why a verb that sets or changes a variable is not carried out."""
    verb = first_word(text)
    given = _GIVEN.match(text) if verb in _GIVING else _CHANGED.match(text) if verb in _CHANGING else None
    if given is None:
        return None
    group = "value" if given["value"] is not None else "added"
    return _value(given.start(group), given[group])


def _value(start: int, value: str) -> Reason | None:
    found = _of_call(value) if not _is_listed(value) else None
    found = found or why_no_value(value)
    return None if found is None else found.shifted(start)


def _is_listed(value: str) -> bool:
    return value[:1] in "[{("


def _of_call(text: str) -> Reason | None:
    """A call with words around it, or one whose arguments cannot be read."""
    if "(" not in text:
        return None
    masked = without_quotes(text)
    match = CALL_FORM.search(masked)
    if match is None:
        return None
    end = _closing(masked, match.end())
    if end < 0:
        return None
    inside = text[match.end() : end - 1]
    refused = _of_arguments(inside)
    if refused is not None:
        return refused.shifted(match.end())
    if not _is_code_inside(match["name"], inside):
        return None
    before, after = text[: match.start()].strip(" `"), text[end:].strip(" `.;")
    if not before and not after:
        is_prose = bool(inside.strip()) and try_expression(inside) is None
        if not is_prose:
            return None
        return _not_read(text, match.start(), end) or Reason(Kind.PROSE, match.end(), end - 1)
    place = (0, len(text[: match.start()].rstrip())) if before else (end, len(text.rstrip(" .;")))
    return Reason(Kind.AROUND, *_trimmed(text, *place), call=text[match.start() : end])


def _not_read(text: str, start: int, end: int) -> Reason | None:
    """What the parser says of the call between *start* and *end*, where it names what it gives."""
    refused = why_refused(text[start:end]) if "=" in text[start:end] else None
    return Reason(Kind.REFUSED, start, end, refused.problem) if refused and refused.problem else None


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end


def _is_code_inside(name: str, inside: str) -> bool:
    """Whether *name* with *inside* in brackets is a call rather than a remark behind a word."""
    return not inside.strip() or (name[0].isupper() and inside[:1] != " ") or bool(re.match(r"\$|\d|[\"'\[{]", inside))


def _closing(masked: str, at: int) -> int:
    """Where the bracket closes that was opened before *at*; -1: nowhere."""
    depth = 1
    for index in range(at, len(masked)):
        depth += (masked[index] in "([{") - (masked[index] in ")]}")
        if depth == 0:
            return index + 1
    return -1


def _of_arguments(inside: str) -> Reason | None:
    """The first argument that cannot be read."""
    at, masked = 0, top_level(inside)
    for part in masked.split(",") if inside.strip() else ():
        written = inside[at : at + len(part)]
        named = re.match(rf"\s*{NAME}\s*=(?!=)\s*", written)
        lead = len(written) - len(written.lstrip())
        if named and not written[named.end() :].strip(" .`;"):
            return Reason(Kind.REFUSED, at + lead, at + len(written.rstrip()), _("An expression is missing here."))
        start = named.end() if named else lead
        if written.strip() and try_expression(written[start:]) is None and looks_like_argument(written[start:]):
            found = _of_call(written[start:]) or why_refused(written[start:])
            return None if found is None else found.shifted(at + start)
        at += len(part) + 1
    return None


def looks_like_argument(words: str) -> bool:
    """Whether *words* have anything of a value in them: a variable, a sign, a text."""
    return "$" in words or looks_like_code(words) or words[:1] in "\"'"


def _of_return(text: str) -> Reason | None:
    """Why what is returned is judged: it has a variable or more code in it, and words."""
    found = _of_call(text) or why_no_value(text)
    if found is not None or "$" not in text:
        return found
    variable = re.search(rf"\${NAME}(?:\.{NAME}|\[\w+\])*", text)
    words = text.rstrip(" .")
    if variable is None or len(words.split()) > _MOST_WORDS:
        return None
    before, after = words[: variable.start()].strip(), words[variable.end() :].strip()
    is_article = before.lower() in ("the", "the value of", "the value") and not after
    if not is_article:
        return None
    return Reason(Kind.AROUND, 0, len(words[: variable.start()].rstrip()), insert="")


_MOST_WORDS = 5


def _of_end(text: str) -> Reason | None:
    """*End programm*."""
    match = _LEFT.fullmatch(text)
    if match is None or match["word"].lower() in _TARGETS:
        return None
    near = difflib.get_close_matches(match["word"].lower(), _TARGETS, 1, 0.8)
    return Reason(Kind.WORDED, match.start("word"), match.end("word"), insert=near[0]) if near else None


def _number_word(pattern: re.Pattern[str], text: str) -> Reason | None:
    match = pattern.match(text)
    number = NUMBER_WORDS.get(match["word"].lower()) if match is not None else None
    if match is None or number is None:
        return None
    return Reason(Kind.WORDED, match.start("word"), match.end("word"), insert=number)


def _of_loop(words: str, loop: Loop) -> Iterator[Reason]:
    yield from _of_condition(words, loop.condition)
    if loop.form in (LoopForm.FOR_EACH, LoopForm.REPEAT) and loop.items is None and loop.condition is None:
        reason = _of_rounds(words) if loop.form is LoopForm.REPEAT else _of_items(words)
        if reason is not None:
            yield reason
    if loop.action is not None:
        yield from reasons_in(loop.action, words)


def _of_rounds(words: str) -> Reason | None:
    between = _ROUNDS_BETWEEN.match(words)
    if between is not None:
        return Reason(Kind.AROUND, between.start("words"), between.end("words"), insert="")
    return _number_word(_ROUNDS, words)


def _of_items(words: str) -> Reason | None:
    through = _THROUGH.match(words.rstrip(" .:,"))
    if through is None or not (through["before"] or through["after"]):
        return None
    if through["after"]:
        return Reason(Kind.AROUND, *_trimmed(words, through.start("after"), through.end("after")))
    start, end = through.span("before")
    return Reason(Kind.AROUND, start, start + len(words[start:end].rstrip()), insert="")


def _of_condition(words: str, condition: Condition | None) -> Iterator[Reason]:
    if condition is None or condition.test is not None:
        return
    yield from _at(words, condition.text, _why_no_condition(condition.text))


def _why_no_condition(text: str) -> Reason | None:
    """Why *text* is judged: a clause of it, or what something is compared with."""
    masked = top_level(text)
    cuts = [(0, 0), *(joint.span() for joint in _JOINED.finditer(masked)), (len(text), len(text))]
    stretches = [(before[1], after[0]) for before, after in zip(cuts, cuts[1:], strict=False)]
    open_ones = [(start, end) for start, end in stretches if exact_condition(text[start:end].strip()) is None]
    for start, end in open_ones:
        found = _why_no_claim(text[start:end])
        if found is not None:
            return found.shifted(start)
    if len(open_ones) < len(stretches) and open_ones:
        start, end = open_ones[0]
        return Reason(Kind.CLAUSE, *_trimmed(text, start, len(text[:end].rstrip())))
    return None


def _why_no_claim(text: str) -> Reason | None:
    """Why one clause is judged although it compares."""
    masked = without_quotes(text)
    ordered = _ORDERED.search(masked) if "$" in masked else None
    if ordered is not None:
        return _compared_with(ordered.start("value"), text[ordered.start("value") : ordered.end("value")])
    if _SIGNED.search(masked) is not None and looks_like_code(text):
        return why_no_value(text)
    return _of_call(text)


def _compared_with(start: int, value: str) -> Reason | None:
    found = why_no_value(value)
    if found is None and try_expression(value.strip()) is None:
        words = value.rstrip(" .:")
        found = Reason(Kind.PROSE, *_trimmed(words, 0, len(words)))
    return None if found is None else found.shifted(start)
