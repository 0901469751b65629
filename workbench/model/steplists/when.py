"""Conditions of a graph (``when``): whether they can be read at all. Nothing is evaluated here."""

from __future__ import annotations

from workbench.i18n import _
from workbench.regex import regex

_MOST_CHARACTERS = 500
_MOST_DEPTH = 32
_TOKEN = regex(
    r"""\s*(?:(?P<text>"[^"]*"|'[^']*')|(?P<number>-?\d[\d_]*(?:\.\d+)?%?)|(?P<compare>==|!=|<=|>=|<|>)"""
    r"""|(?P<mark>[()])|(?P<name>[^\W\d][\w.\-]*(?:\[\d+\][\w.\-]*)*))"""
)
_JOINS = frozenset({"and", "or"})
_WORDS = frozenset({*_JOINS, "not", "contains", "equals", "is"})


def why_unreadable(text: str) -> str:
    """Why the condition *text* cannot be read, as the end of a sentence; empty where it can."""
    if len(text) > _MOST_CHARACTERS:
        return _("it is longer than {limit} characters").format(limit=_MOST_CHARACTERS)
    tokens: list[tuple[str, str]] = []
    at = 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None:
            return _("“{word}” is not expected here").format(word=text[at:].strip()[:20])
        kind = found.lastgroup or ""
        word = found[kind]
        tokens.append((word.lower(), "word") if word.lower() in _WORDS else (word, kind))
        at = found.end()
    try:
        _Reader(tokens).condition(0)
    except _Unreadable as problem:
        return str(problem)
    return ""


class _Unreadable(Exception):
    """The condition cannot be read, and why."""


class _Reader:
    """Reads a condition from left to right; raises _Unreadable."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = [*tokens, ("", "")]
        self._at = 0

    def condition(self, depth: int) -> None:
        """All of it, or what stands in parentheses."""
        self._term(depth)
        while self._word() in _JOINS:
            self._at += 1
            self._term(depth)
        if not depth and self._kind():
            raise self._unexpected()

    def _term(self, depth: int) -> None:
        if depth > _MOST_DEPTH:
            raise _Unreadable(_("it is nested too deeply"))
        if self._word() == "not":
            self._at += 1
            self._term(depth + 1)
        elif self._tokens[self._at][0] == "(":
            self._at += 1
            self.condition(depth + 1)
            if self._tokens[self._at][0] != ")":
                raise self._unexpected()
            self._at += 1
        else:
            self._value()
            self._comparison()

    def _comparison(self) -> None:
        word = self._word()
        if self._kind() == "compare" or word in ("contains", "equals"):
            self._at += 1
            self._value()
        elif word == "is":
            self._at += 1
            if self._word() == "not":
                self._at += 1
            self._value()

    def _value(self) -> None:
        kind = self._kind()
        if kind not in ("text", "number", "name"):
            raise self._unexpected()
        self._at += 1
        if kind == "number" and self._kind() == "name":
            self._at += 1  # a currency or a unit

    def _kind(self) -> str:
        return self._tokens[self._at][1]

    def _word(self) -> str:
        text, kind = self._tokens[self._at]
        return text if kind == "word" else ""

    def _unexpected(self) -> _Unreadable:
        text = self._tokens[self._at][0]
        if not text:
            return _Unreadable(_("it ends too early"))
        return _Unreadable(_("“{word}” is not expected here").format(word=text))
