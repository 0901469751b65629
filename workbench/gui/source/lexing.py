"""What stands on a line of source, for colouring: playbook text by our own lexer, fences by that of their language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from pygments.lexer import Lexer, RegexLexer, default, include
from pygments.lexer import bygroups as untyped_bygroups
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Literal, Name, Number, Operator, String, Text
from pygments.util import ClassNotFound

_CONTROL = (
    r"(?:if|else\s+if|elif|else|otherwise|when|unless|while|until|for\s+each|for|repeat|then|and|or|not|in|is"
    r"|break|continue|go\s+(?:back\s+)?to|return|end\s+program|exit\s+program)\b"
)
_MARK = r"^(\s*)([-*+]|\d+[.)])(\s+)"


bygroups: Callable[..., object] = untyped_bygroups


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
