"""What stands in the place of matches: words, the parts of an expression, and the letter case of what was there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from workbench.regex import regex
from workbench.search.matching import Match
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span, line_end

_ESCAPED = regex(
    r"\\(?:g<(?P<named>\d{1,2}|[^\W\d]\w{0,99})>|(?P<number>\d{1,2})|(?P<sign>.))|\$(?:(?P<dollar>\d{1,2})|(?P<whole>&))"
)
_SIGNS = {"n": "\n", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Replacement:
    """What is put in. *is_regex*: ``\\1`` or ``$1`` is a group, ``\\0`` or ``$&`` all, ``\\n`` a new line,
    ``\\t`` a tab.

    *keeps_case*: in small letters, in capitals, or with a capital first, as each match is. *expression*: what is looked
    for, where ``\\g<name>`` means a group by the name that it has there.
    """

    words: str
    keeps_case: bool = False
    is_regex: bool = False
    expression: str = ""

    def of(self, text: str, match: Match) -> str:
        """What *match* in *text* becomes, with line feeds for line ends."""
        if not self.is_regex:
            return in_case_of(match.span.of(text), self.words) if self.keeps_case else self.words
        names = _names_in(self.expression) if "g<" in self.words else {}
        words = _ESCAPED.sub(lambda part: _part(part, text, match, names), self.words)
        return in_case_of(match.span.of(text), words) if self.keeps_case else words


@lru_cache(8)
def _names_in(expression: str) -> Mapping[str, str]:
    """The numbers of the groups of *expression* that have a name; none of one that cannot be read."""
    try:
        found = re.compile(expression).groupindex
    except (re.error, RecursionError, OverflowError):
        return {}
    return {name: str(number) for name, number in found.items()}


def _part(part: re.Match[str], text: str, match: Match, names: Mapping[str, str]) -> str:
    named = part["named"]
    if named is not None and not named.isdecimal():
        named = names.get(named)
        if named is None:
            return part[0]
    number = named or part["number"] or part["dollar"] or ("0" if part["whole"] else None)
    if number is None:
        return _SIGNS.get(part["sign"], part["sign"])
    spans = (match.span, *match.groups)
    span = spans[int(number)] if int(number) < len(spans) else None
    if int(number) >= len(spans):
        return part[0]
    return span.of(text) if span is not None else ""


def in_case_of(found: str, words: str) -> str:
    """*words* in small letters, in capitals, or with a first letter, as *found* has them."""
    letters = [char for char in found if char.isupper() or char.islower()]
    if not letters or not words:
        return words
    if found.islower():
        return words.lower()
    if found.isupper() and len(letters) > 1:
        return words.upper()
    return (words[0].upper() if letters[0].isupper() else words[0].lower()) + words[1:]


def edits_of(text: str, matches: Iterable[Match], replacement: Replacement) -> tuple[TextEdit, ...]:
    """The edits of *text* that put *replacement* in the place of *matches*, which are in order.

    None changes nothing. New lines end as those of the text do.
    """
    end = line_end(text)
    found: list[TextEdit] = []
    for match in matches:
        if match.is_as_read:
            continue
        insert = replacement.of(text, match)
        insert = re.sub("\r\n|\r|\n", end, insert) if "\n" in insert or "\r" in insert else insert
        if insert == match.span.of(text):
            continue
        if found and found[-1].span.end == match.span.start:  # an empty match right behind another one
            found[-1] = TextEdit(Span(found[-1].span.start, match.span.end), found[-1].insert + insert)
        else:
            found.append(TextEdit(match.span, insert))
    return tuple(found)
