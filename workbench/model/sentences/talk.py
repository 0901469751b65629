"""Asking and telling a person."""

from __future__ import annotations

import re

from workbench.model.meaning import Action, Ask, Judge, Tell, Variable
from workbench.model.sentences.outputs import MENTION
from workbench.syntax.expressions import Template, parse_template, try_expression
from workbench.syntax.masking import without_quotes

_PERSON = (
    r"(?:the\s+|this\s+|our\s+|your\s+)?"
    r"(?:user|human|person|customer|client|caller|visitor|guest|player|operator|them|him|her)"
)
_WHO = re.compile(rf"{_PERSON}(?!['’\w])", re.IGNORECASE)
_FROM = re.compile(rf"\bfrom\s+{_PERSON}(?!['’\w])", re.IGNORECASE)
_QUESTION = re.compile(r"for|what|which|whether|if|how|when|where|who|why|again", re.IGNORECASE)
_READ = re.compile(
    r"\b(?:if|whether|about|that|because|regarding|of|in|near|with|than|between|by|at|on|before|after)\s+"
    r"(?:(?:the|an?|their|his|her|one\s+of|all\s+of|any\s+of)\s+)*$",
    re.IGNORECASE,
)
_CLAIM = re.compile(r"\b(?:if|whether|about|that|because|regarding|to\s+confirm)\b", re.IGNORECASE)
_KEPT = re.compile(r"(?:\bas|\binto|\bin|->|→)\s+(?:an?\s+|the\s+)?$", re.IGNORECASE)
_STORE = re.compile(r"\b(?:store|save|put|keep|record|note|remember)\b|\bas\s+\$|->|→", re.IGNORECASE)
_QUOTE = r'"(?P<double>(?:[^"\\]|\\.)*)"|“(?P<curly>[^”]*)”|\'(?P<single>(?:[^\'\\]|\\.)*)\''
_QUOTED = re.compile(rf"(?:that\s+)?[:,]?\s*(?:{_QUOTE})[.!]?", re.IGNORECASE | re.DOTALL)
_SAID = re.compile(rf"[:,]?\s*(?:{_QUOTE})\s+to\s+{_PERSON}[.!]?", re.IGNORECASE | re.DOTALL)
_NEAR = 200
_TURNS = re.compile(r"\bturns?\b", re.IGNORECASE)
_ESCAPES = {"\\n": "\n", "\\t": "\t", '\\"': '"', "\\'": "'", "\\\\": "\\"}


def ask(text: str, rest: str) -> Action | None:
    """``Ask user for $name and $email``; a judgement where somebody else is asked."""
    if _WHO.match(rest) or _QUESTION.match(rest) or rest[:1] in ('"', "$"):
        return Ask(text, _fields(text))
    return Judge(text, _fields(text))


def ask_from(text: str) -> Action | None:
    """``Get $name from the user``; None where it is got from anywhere else."""
    if _FROM.search(text) is None and text[:6].lower() != "prompt":
        return None
    return Ask(text, _fields(text))


def _fields(text: str) -> tuple[Variable, ...]:
    """The variables that the answer fills.

    Where the sentence says where to keep the answer (``… as $x``), that and what has a
    type; otherwise every mention outside quotes that is not part of what is asked about
    (``if $x is right``, ``which of $cities``).
    """
    masked = without_quotes(text)
    mentions = list(MENTION.finditer(masked))
    is_kept = _STORE.search(masked) is not None
    claim = _CLAIM.search(masked)
    asked_until = claim.start() if claim else len(masked)
    found: dict[str, Variable] = {}
    for match in mentions:
        before = masked[max(0, match.start() - _NEAR) : match.start()]
        is_wanted = match.start() < asked_until and _READ.search(before) is None
        is_field = bool(_KEPT.search(before)) if is_kept else is_wanted
        if match["type"] or is_field:
            found.setdefault(match["name"], Variable(match["name"], True, match["type"] or ""))
    return tuple(found.values())


def tell(text: str, rest: str) -> Action | None:
    """``Tell user "Hello"`` and its like; None where somebody else is told."""
    if text[:4].lower() == "tell" and rest[:1] in ('"', "“", "'"):
        return Tell(text, _template(rest))
    who = _WHO.match(rest)
    if who is None or _TURNS.search(rest):
        return None
    return Tell(text, _template(rest[who.end() :].strip()))


def say(text: str, rest: str) -> Action | None:
    """``Say "Hello"``, ``Say hello to the user``."""
    said = _SAID.fullmatch(rest)
    if said is not None:
        return Tell(text, parse_template(_content(said)))
    if not rest or _TURNS.search(rest):
        return None
    rest = re.sub(rf"^to\s+{_PERSON}(?!['’\w])\s*", "", rest, flags=re.IGNORECASE)
    who = _WHO.match(rest)
    return Tell(text, _template(rest[who.end() :].strip() if who else rest))


def _template(words: str) -> Template | None:
    """The exact wording in *words*: one quoted text or one expression; None where it is a judgement."""
    quoted = _QUOTED.fullmatch(words)
    if quoted is not None:
        return parse_template(_content(quoted))
    if "$" not in words or words[0] not in "$\"'(":
        return None
    expression = try_expression(words)
    return None if expression is None else Template(words, (expression,))


def _content(match: re.Match[str]) -> str:
    """What stands between the quotes, escapes undone."""
    if match["curly"] is not None:
        return match["curly"]
    content = match["double"] if match["double"] is not None else match["single"]
    return re.sub(r"\\.", lambda found: _ESCAPES.get(found.group(), found.group()), content, flags=re.DOTALL)
