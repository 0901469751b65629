"""What stands on a line of source, for colouring: playbook text by our own lexer, fences by that of their language."""

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
from PySide6.QtCore import Slot
from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextBlock, QTextCharFormat, QTextDocument

from workbench.gui.look.theming import Theme, current_theme
from workbench.model.meaning import StepKind
from workbench.regex import regex

_CONTROL = (
    r"(?:if|else\s+if|elif|else|otherwise|when|unless|while|until|for\s+each|for|repeat|then|and|or|not|in|is"
    r"|break|continue|go\s+(?:back\s+)?to|return|end\s+program|exit\s+program)\b"
)
_MARK = r"^(\s*)([-*+]|\d+[.)])(\s+)"
bygroups: Callable[..., object] = untyped_bygroups
LAZY_LINES = 5_000
_MARGIN_LINES = 60
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


class SourceHighlighter(QSyntaxHighlighter):
    """Highlights a document; one with more than *lazy_from* lines only where it is looked at.

    *language*: of what is neither fence nor front matter.

    The state of a block is an index into what lines can be inside of, times two, plus one
    when the block has its colours.
    """

    def __init__(self, document: QTextDocument, language: str = "playbook", *, lazy_from: int = LAZY_LINES) -> None:
        self._language = language
        self._lazy_from = lazy_from
        self._insides: list[Inside] = [OUTSIDE]
        self._indices: dict[Inside, int] = {OUTSIDE: 0}
        self._visible = (0, 200)
        self._formats = formats_of(current_theme())
        super().__init__(document)

    @Slot()
    def recolour(self) -> None:
        """Take the colours of the theme that shows now."""
        self._formats = formats_of(current_theme())
        self.rehighlight()

    def show_language(self, language: str) -> None:
        """Take the text to be in *language*; ``playbook`` is markdown with fences."""
        if language != self._language:
            self._language = language
            self.rehighlight()

    def expect_language(self, language: str) -> None:
        """Take the text that is about to be loaded, and coloured by that, to be in *language*."""
        self._language = language

    def look_at(self, first: QTextBlock, last: int) -> None:
        """Colour the lines from *first* to number *last* where they have no colours yet."""
        self._visible = (first.blockNumber() - _MARGIN_LINES, last + _MARGIN_LINES)
        block = first
        while block.isValid() and block.blockNumber() <= last:
            if block.userState() >= 0 and not block.userState() & 1:
                self.rehighlightBlock(block)
            block = block.next()

    def highlightBlock(self, text: str) -> None:
        """Colour one line and remember what the next begins inside of."""
        before = self._insides[max(self.previousBlockState(), 0) >> 1]
        number = self.currentBlock().blockNumber()
        is_data = self._language in _DATA_LANGUAGES
        after = OUTSIDE if is_data else after_line(before, text, is_first=number == 0)
        is_wanted = self._is_wanted(number)
        self.setCurrentBlockState(self._index(after) * 2 + is_wanted)
        if is_wanted and text:
            self._colour(text, before, after)

    def _is_wanted(self, number: int) -> bool:
        if self.document().blockCount() <= self._lazy_from:
            return True
        return self._visible[0] <= number <= self._visible[1]

    def _index(self, inside: Inside) -> int:
        index = self._indices.get(inside)
        if index is None:
            index = self._indices[inside] = len(self._insides)
            self._insides.append(inside)
        return index

    def _colour(self, text: str, before: Inside, after: Inside) -> None:
        if before.fence and after.fence:
            self._colour_tokens(text, before.language)
        elif before.fence or after.fence:
            self.setFormat(0, len(text), self._formats[Operator])
        elif before.is_front or after.is_front:
            self._colour_tokens(text, "yaml")
        elif before.is_comment:
            self.setFormat(0, len(text), self._formats[Comment])
        else:
            self._colour_tokens(text, self._language)

    def _colour_tokens(self, text: str, language: str) -> None:
        is_narrow = text.isascii() or max(text) <= "\uffff"
        for start, length, kind in tokens_of(text, language):
            found = self._format(kind)
            if found is None:
                continue
            if not is_narrow:
                start, length = _in_units(text, start, length)  # noqa: PLW2901 - the same place in other units
            self.setFormat(start, length, found)

    def _format(self, kind: object) -> QTextCharFormat | None:
        """The format of a token type, or of the nearest type above it."""
        while kind is not None:
            found = self._formats.get(kind)
            if found is not None:
                return found
            kind = getattr(kind, "parent", None)
        return None


def _in_units(text: str, start: int, length: int) -> tuple[int, int]:
    """The same stretch, counted in UTF-16 units."""
    before = len(text[:start].encode("utf-16-le", "surrogatepass")) // 2
    return before, len(text[start : start + length].encode("utf-16-le", "surrogatepass")) // 2


def formats_of(theme: Theme) -> dict[object, QTextCharFormat]:
    """How each token type looks in *theme*."""
    colours: tuple[tuple[object, str], ...] = (
        (Comment, theme.muted),
        (Keyword, theme.kind_color(StepKind.DECISION)),
        (Keyword.Pseudo, theme.kind_color(StepKind.ASK)),
        (Name.Variable, theme.kind_color(StepKind.ASSIGN)),
        (Name.Function, theme.kind_color(StepKind.CALL)),
        (Name.Decorator, theme.kind_color(StepKind.CALL)),
        (Name.Builtin, theme.kind_color(StepKind.CALL)),
        (Name.Tag, theme.kind_color(StepKind.ASSIGN)),
        (String, theme.kind_color(StepKind.TELL)),
        (Literal, theme.kind_color(StepKind.LOOP)),
        (Number, theme.kind_color(StepKind.LOOP)),
        (Operator, theme.muted),
        (Operator.Word, theme.kind_color(StepKind.DECISION)),
        (Generic.Heading, theme.text),
    )
    formats: dict[object, QTextCharFormat] = {}
    for kind, colour in colours:
        form = QTextCharFormat()
        form.setForeground(QColor(colour))
        formats[kind] = form
    formats[Generic.Heading].setFontWeight(QFont.Weight.Bold)
    formats[Comment].setFontItalic(True)
    return formats
