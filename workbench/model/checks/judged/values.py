"""Why the words of a value are no value that the program works out: which word, which sign, which name.

The parser of expressions says where it stops; nothing is parsed a second time here. Only what looks like an expression
is looked at: *the name of the customer* is what it is.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from workbench.model.sentences.clauses.changing import NUMBER_WORDS
from workbench.model.sentences.conditions import could_be_expression
from workbench.regex import regex
from workbench.syntax.expressions import NAME, ExpressionRefused, parse_expression, try_expression
from workbench.syntax.expressions_grammar import is_spelled_as_name
from workbench.syntax.masking import without_quotes


class Kind(enum.Enum):
    """What keeps words from being exact.

    REFUSED: the parser does, as *problem* says. PROSE: words of a sentence stand there. BARE: a word that is neither a
    variable nor a text. WORDED: a number or a sign is written as a word. AROUND: words stand around what is exact.
    CLAUSE: another part of the condition is a judgement. SIGN: a sign that means nothing here, or something else.
    """

    REFUSED = enum.auto()
    PROSE = enum.auto()
    BARE = enum.auto()
    WORDED = enum.auto()
    AROUND = enum.auto()
    CLAUSE = enum.auto()
    SIGN = enum.auto()


@dataclass(frozen=True, slots=True)
class Reason:
    """Why words are left to judgement: because of what stands at *start* to *end* of them.

    *problem*: for REFUSED, a sentence. *insert*: what to write there instead, where that is sure. *call*: for AROUND
    the call that the words stand around, as it is written.
    """

    kind: Kind
    start: int
    end: int
    problem: str = ""
    insert: str | None = None
    call: str = ""

    def shifted(self, by: int) -> Reason:
        """The same in words that begin *by* characters earlier."""
        return Reason(self.kind, self.start + by, self.end + by, self.problem, self.insert, self.call)


_VALUE = rf"(?:\${NAME}|(?<![\w$.])\d+|[)\]\x01])"
_NEXT = rf"(?:\${NAME}|\d|[(\[\x01]|{NAME}\()"
_SIGN = r"(?:\*\*|//|[=!]==?|<=|>=|&&|\|\||<>|[*/<>≥≤≠+]|%(?!\s+of\b)|-(?=\s))"
_CODE = regex(
    rf"{_VALUE}\s*{_SIGN}\s*(?:{_NEXT}|[^\W\d_]|$)|(?<=\w)\s*{_SIGN}\s*\${NAME}|^\s*[\[{{]|^\s*-?\d+(?:,\d+)+(?:\.\d+)?[\s.]*$"
)
CALL_FORM = regex(rf"(?<![\w$.])(?P<name>{NAME}(?:\.{NAME})*)\((?!(?:s|es|en|n|e|r|in|innen)\))")
_WORDS = regex(r"\S+")
_TRAILING = " \t.,;:!"
_SIGNS = {
    "times": "*",
    "plus": "+",
    "minus": "-",
    "multiplied by": "*",
    "divided by": "/",
}
_WORDED_SIGN = regex(
    rf"(?<=\s)(?P<sign>times|plus|minus|multiplied\s+by|divided\s+by)(?=\s+(?:\$|\d|{NAME}\())", re.IGNORECASE
)


def looks_like_code(words: str) -> bool:
    """Whether *words* have what a sentence seldom has: a sign between values, a list, a call."""
    masked = without_quotes(words)
    return _CODE.search(masked) is not None or CALL_FORM.search(masked) is not None


def why_no_value(words: str) -> Reason | None:
    """Why *words*, which stand where a value does, are none; None where they are one, or do not look like one."""
    number = NUMBER_WORDS.get(words.strip(_TRAILING).lower())
    if number is not None:
        start = len(words) - len(words.lstrip())
        return Reason(Kind.WORDED, start, start + len(words.strip(_TRAILING)), insert=number)
    sign = _worded_sign(words) or _foreign_sign(words)
    if sign is not None:
        return sign
    if not looks_like_code(words):
        return None
    return why_refused(words)


def _worded_sign(words: str) -> Reason | None:
    """*times*, *plus* and their like between values."""
    match = _WORDED_SIGN.search(without_quotes(words))
    if match is None:
        return None
    insert = _SIGNS[" ".join(match["sign"].lower().split())]
    written = words[: match.start()] + insert + words[match.end() :]
    if try_expression(written.strip(_TRAILING)) is None:
        return None
    return Reason(Kind.WORDED, match.start(), match.end(), insert=insert)


def _foreign_sign(words: str) -> Reason | None:
    """A sign that other languages have for what is a word or another sign here."""
    match = _FOREIGN_SIGN.search(without_quotes(words))
    if match is None:
        return None
    written = _FOREIGN_SIGN.sub(lambda found: f" {_FOREIGN[found.group()]} ", words).rstrip(_TRAILING)
    insert = f" {_FOREIGN[match.group()]} " if try_expression(written) is not None else None
    blanks = (words[match.start() - 1 : match.start()] == " ", words[match.end() : match.end() + 1] == " ")
    insert = insert and insert[blanks[0] : len(insert) - blanks[1]]
    return Reason(Kind.SIGN, match.start(), match.end(), insert=insert)


_FOREIGN = {"&&": "and", "||": "or", "===": "==", "!==": "!=", "<>": "!="}
_FOREIGN_SIGN = regex(r"&&|\|\||!==|===|<>")


def why_refused(words: str) -> Reason | None:
    """Which word or sign of *words* the parser does not take, or which of them is no name."""
    text = words.rstrip(_TRAILING)
    try:
        expression = parse_expression(text)
    except ExpressionRefused as problem:
        return _refused(text, problem)
    if could_be_expression(text) or '"' in text:
        for name, is_state in expression.names:
            at = re.search(rf"(?<![\w$.]){re.escape(name)}(?!\w)", text)
            if not is_state and not is_spelled_as_name(name) and at is not None:
                return Reason(Kind.BARE, at.start(), at.end())
    return None


def _refused(text: str, problem: ExpressionRefused) -> Reason:
    """The word of *text* that the parser came to, with those of the sentence that it stands in."""
    at = min(problem.position, max(len(text) - 1, 0))
    words = list(_WORDS.finditer(text))
    if not words:
        return Reason(Kind.REFUSED, 0, len(text), str(problem))
    here = next((index for index, word in enumerate(words) if word.end() > at), len(words) - 1)
    if not _is_prose(words[here].group()):
        start = at if at < words[here].end() else words[here].start()
        return Reason(Kind.REFUSED, start, words[here].end(), str(problem))
    first = last = here
    while first and _is_prose(words[first - 1].group()):
        first -= 1
    while last + 1 < len(words) and _is_prose(words[last + 1].group()):
        last += 1
    return Reason(Kind.PROSE, words[first].start(), words[last].end())


def _is_prose(word: str) -> bool:
    return word.isalpha() and word not in _LITTLE


_LITTLE = frozenset("and or not in is if else for".split())
