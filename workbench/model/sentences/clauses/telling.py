"""What is told, and in which words: ``Tell user "Hello"``, ``Say hello to them``, ``Send "It is ready" to her``."""

from __future__ import annotations

import re

from workbench.model.meaning import Tell
from workbench.model.sentences.values import told_value_in
from workbench.regex import regex
from workbench.syntax.expressions import Template, parse_template

PERSON = (
    r"(?:the\s+|this\s+|our\s+|your\s+)?"
    r"(?:user|human|person|customer|client|caller|visitor|guest|player|operator|them|him|her)"
)
WHO = regex(rf"{PERSON}(?!['’\w])", re.IGNORECASE)
# within braces, quotes belong to the placeholder; all is atomic, so that there is one way to read a text
_QUOTE = r'"(?P<double>(?>[^"\\{]+|\\.|\{[^{}]*\}|\{)*+)"|“(?P<curly>[^”]*)”|\'(?P<single>(?:[^\'\\]|\\.)*)\''
_QUOTED = regex(rf"(?:that\s+)?[:,]?\s*(?:{_QUOTE})[.!]?", re.IGNORECASE | re.DOTALL)
_SAID = regex(rf"[:,]?\s*(?:{_QUOTE})\s+to\s+{PERSON}[.!]?", re.IGNORECASE | re.DOTALL)
_TO = regex(rf"\s+to\s+{PERSON}[.!]?$", re.IGNORECASE)
_TO_SOMEBODY = regex(
    rf"(?:{_QUOTE})\s+to\s+(?!{PERSON}(?!['’\w])).*|.*\sto\s+(?:the\s+)?(?-i:[A-Z])\w*[.!]?", re.IGNORECASE | re.DOTALL
)
_QUOTES = ('"', "“", "'")
_REPLY_TO = regex(rf"to\s+{PERSON}(?!['’\w])\s*(?:with|saying)?\s*[:,]?\s*", re.IGNORECASE)
_REPLY = regex(r"reply(?:\s+with)?\s*:?\s*", re.IGNORECASE)
_TURNS = regex(r"\bturns?\b", re.IGNORECASE)
_ESCAPES = {"\\n": "\n", "\\t": "\t", '\\"': '"', "\\'": "'", "\\\\": "\\"}


def tell(text: str, rest: str) -> Tell | None:
    """``Tell user "Hello"`` and its like; None where somebody else is told."""
    if text[:4].lower() == "tell" and rest[:1] in _QUOTES:
        return Tell(text, template_of(rest))
    exact = _to_person(rest)
    if exact is not None:
        return Tell(text, exact)
    who = WHO.match(rest)
    if who is None or _TURNS.search(rest):
        return None
    return Tell(text, template_of(rest[who.end() :].strip()))


def _to_person(rest: str) -> Template | None:
    """The wording in ``$x to the user``."""
    to = _TO.search(rest)
    return template_of(rest[: to.start()]) if to is not None else None


def give(text: str, rest: str) -> Tell | None:
    """``Give $n to the user``: a person has nothing of it but the words."""
    exact = _to_person(rest)
    return None if exact is None else Tell(text, exact)


def send(text: str, rest: str) -> Tell | None:
    """``Send "It is ready" to the user``; what is sent without quotes may be a thing."""
    return give(text, rest) if rest[:1] in _QUOTES else None


def reply(text: str, rest: str) -> Tell | None:
    """``Reply to the user with "Hello"``; whom ``Reply "Hello"`` answers is known from the whole program alone."""
    to = _REPLY_TO.match(rest)
    return send(text, rest) if to is None else _quoted(text, rest[to.end() :])


def replied(text: str) -> Tell | None:
    """``Reply "Hello"`` and ``Reply with "Hello"``, where nobody but the user can be meant."""
    alone = _REPLY.match(text)
    return _quoted(text, text[alone.end() :]) if alone is not None else None


def _quoted(text: str, words: str) -> Tell | None:
    return Tell(text, template_of(words)) if words[:1] in _QUOTES and template_of(words) is not None else None


def say(text: str, rest: str) -> Tell | None:
    """``Say "Hello"``, ``Say hello to the user``."""
    said = _SAID.fullmatch(rest)
    if said is not None:
        return Tell(text, parse_template(_content(said)))
    if not rest or _TURNS.search(rest) or _TO_SOMEBODY.fullmatch(rest):
        return None
    exact = _to_person(rest)
    if exact is not None:
        return Tell(text, exact)
    rest = re.sub(rf"^to\s+{PERSON}(?!['’\w])\s*", "", rest, flags=re.IGNORECASE)
    who = WHO.match(rest)
    return Tell(text, template_of(rest[who.end() :].strip() if who else rest))


def template_of(words: str) -> Template | None:
    """The exact wording in *words*: one quoted text or one expression; None where it is a judgement."""
    quoted = _QUOTED.fullmatch(words)
    if quoted is not None:
        return parse_template(_content(quoted))
    expression = told_value_in(words)
    if expression is None and words[:1] == "$" and words[-1:] == ".":  # the end of a sentence
        words = words[:-1]
        expression = told_value_in(words)
    return None if expression is None else Template(words, (expression,))


def _content(match: re.Match[str]) -> str:
    """What stands between the quotes, escapes undone."""
    if match["curly"] is not None:
        return match["curly"]
    content = match["double"] if match["double"] is not None else match["single"]
    return re.sub(r"\\.", lambda found: _ESCAPES.get(found.group(), found.group()), content, flags=re.DOTALL)
