"""What stands on a line of source, for colouring: playbook text by our own lexer, fences by that of their language.

Whoever shows them (the window, an editor elsewhere) goes from line to line, and keeps what each begins inside of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from pygments.lexer import Lexer, RegexLexer, default, include
from pygments.lexer import bygroups as untyped_bygroups
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Literal, Name, Number, Operator, String, Text
from pygments.util import ClassNotFound

from workbench.model.queries import Queries
from workbench.regex import regex

_CONTROL = (
    r"(?:if|else\s+if|elif|else|otherwise|when|unless|while|until|for\s+each|for|repeat|then|and|or|not|in|is"
    r"|break|continue|go\s+(?:back\s+)?to|return|end\s+program|exit\s+program)\b"
)
_MARK = r"^(\s*)([-*+]|\d+[.)])(\s+)"
bygroups: Callable[..., object] = untyped_bygroups
_DATA_LANGUAGES = frozenset({"yaml", "json"})
"""Languages without fences: every line is coloured by itself."""
_FENCE = regex(r"^\s*(?:(?:[-*+]|\d+[.)])\s+)?(`{3,}|~{3,})\s*([\w.+#-]*)")


class PlaybookLexer(RegexLexer):
    """One line of a playbook, as people write it or as assembly. Colours only what the language gives a meaning.

    *and*, *or*, *is* mean something in a condition, and nothing in a sentence.
    """

    name = "Playbook"
    flags = re.IGNORECASE
    tokens = {  # noqa: RUF012 - the form that Pygments asks for
        "root": [
            (r"(#{1,6})(\s.*)$", bygroups(Generic.Heading, Generic.Heading)),
            (rf"{_MARK}(ask|tell|say)\b", bygroups(Text, Operator, Text, Keyword.Pseudo), "words"),
            (
                r"^(\s*)(-)(\s+)(\d+(?:\.\d+)*|T\d+)(:)((?-i:[A-Z]{3}))\b",
                bygroups(Text, Operator, Text, Number, Operator, Keyword),
                "condition",
            ),
            (r"^(\s*)(-)(\s+)(N\d+)\b", bygroups(Text, Operator, Text, Number), "words"),
            (rf"{_MARK}({_CONTROL})", bygroups(Text, Operator, Text, Keyword), "condition"),
            (_MARK, bygroups(Text, Operator, Text), "words"),
            (r"^(\s*)(---|\*\*\*)\s*$", bygroups(Text, Operator)),
            (r"^\s{2,}", Text, "words"),
            default("prose"),
        ],
        "prose": [
            (r"<!--.*?(?:-->|$)", Comment),
            (r"\$[^\W\d]\w*(?::[A-Za-z]\w*)?", Name.Variable),
            (r"`[^`]*`", Name.Builtin),
            (r"\{[^{}]*\}", Name.Variable),
            (r"[^\W\d]\w*(?:\.\w+)*(?=\()", Name.Function),
            (r"[^\W\d]\w*|\s+|.", Text),
        ],
        "words": [
            (r"(;)(\s*)((?-i:YLD)|done when)\b", bygroups(Operator, Text, Keyword.Pseudo), "condition"),
            (r"(\$[^\W\d]\w*(?::[A-Za-z]\w*)?)(\s*)(=)", bygroups(Name.Variable, Text, Operator), "condition"),
            (r'"(?:[^"\\{$]|\\.)*', String, "double"),
            (r"\b(?:true|false|null|none)\b", Literal),
            (r"\b\d+(?:\.\d+)?\b", Number),
            (r"<!--.*?(?:-->|$)", Comment),
            (r"[-+*/=<>!%]+", Operator),
            include("prose"),
        ],
        "condition": [
            (r"(;)(\s*)((?-i:YLD)|done when)\b", bygroups(Operator, Text, Keyword.Pseudo)),
            (r"\b(?:and|or|not|in|is)\b", Keyword),
            include("words"),
        ],
        "double": [
            (r'"', String, "#pop"),
            (r"\{[^{}]*\}", Name.Variable),
            (r"\$[^\W\d]\w*", Name.Variable),
            (r'(?:[^"\\{$]|\\.)+', String),
            (r"[{$\\]", String),
        ],
    }


_PLAYBOOK = PlaybookLexer()
_MOST_COLOURED = 2_000


def tokens_of(text: str, language: str) -> Iterator[tuple[int, int, object]]:
    """Start, length and token type of each piece of *text*; nothing for an unknown *language*."""
    lexer = _PLAYBOOK if language == "playbook" else lexer_for(language)
    if lexer is None or len(text) > _MOST_COLOURED:
        return
    pieces: Iterable[tuple[int, object, str]] = lexer.get_tokens_unprocessed(text)
    for start, kind, value in pieces:
        if kind is not Text:
            yield start, len(value), kind


@lru_cache(64)
def lexer_for(language: str) -> Lexer | None:
    """The lexer of a fence's language, None where there is none."""
    try:
        return get_lexer_by_name(language) if language else None
    except ClassNotFound:
        return None


@dataclass(frozen=True, slots=True)
class Inside:
    """What a line begins inside of. *fence*: the marker that opened it, empty outside; *language*: of the fence."""

    fence: str = ""
    language: str = ""
    is_comment: bool = False
    is_front: bool = False


OUTSIDE = Inside()
_FRONT = Inside(is_front=True)
_COMMENT = Inside(is_comment=True)


def after_line(inside: Inside, text: str, *, is_first: bool) -> Inside:
    """What the line after *text* begins inside of."""
    stripped = text.strip()
    if inside.fence:
        closes = stripped.startswith(inside.fence) and not stripped.strip(inside.fence[0])
        return OUTSIDE if closes else inside
    if inside.is_front:
        return OUTSIDE if stripped in ("---", "...") else inside
    if inside.is_comment:
        return OUTSIDE if "-->" in text else inside
    if is_first and stripped == "---":
        return _FRONT
    if "`" in text or "~" in text:
        fence = _FENCE.match(text)
        if fence is not None and "`" not in text[fence.end() :]:
            return Inside(fence.group(1), fence.group(2).partition(".")[2] or fence.group(2))
    opened = text.rfind("<!--")
    return _COMMENT if opened >= 0 and text.find("-->", opened) < 0 else OUTSIDE


def language_of(document: Queries) -> str:
    """What the text of *document* is coloured as."""
    form = document.program.format
    if not form.is_steplist:
        return "playbook"
    return "json" if form.is_json else "yaml"


def next_inside(inside: Inside, text: str, language: str, *, is_first: bool) -> Inside:
    """The same in a text of *language*: data has neither fences nor comments over several lines."""
    return OUTSIDE if language in _DATA_LANGUAGES else after_line(inside, text, is_first=is_first)


def coloured(text: str, before: Inside, after: Inside, language: str) -> Iterator[tuple[int, int, object]]:
    """Start, length and token type of each piece of the line *text*, which stands between *before* and *after*."""
    if before.fence and after.fence:
        yield from tokens_of(text, before.language)
    elif before.fence or after.fence:
        yield 0, len(text), Operator
    elif before.is_front or after.is_front:
        yield from tokens_of(text, "yaml")
    elif before.is_comment:
        yield 0, len(text), Comment
    else:
        yield from tokens_of(text, language)
