"""One line of markdown: what it begins with, and where the next one starts.

This is the only place that knows how a heading, a list marker, a fence or a rule looks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from workbench.regex import regex
from workbench.syntax.blocks import Block
from workbench.syntax.text import Span, split_lines

LINE = regex(
    r"""(?P<indent>[ \t]*+)
    (?:
      (?P<blank>(?=[\r\n]|\Z))
    | (?P<rule>(?:(?:-[ \t]*+){3,}+|(?:\*[ \t]*+){3,}+|(?:_[ \t]*+){3,}+)(?=[\r\n]|\Z))
    | (?P<marker>[-+*]|[0-9]{1,9}[.)])(?=[ \t\r\n]|\Z)
    | (?P<heading>\#{1,6})(?=[ \t\r\n]|\Z)
    | (?P<fence>`{3,}+(?=[^`\r\n]*+(?:[\r\n]|\Z))|~{3,}+)
    | (?P<comment><!--)
    | (?P<inclusion>!import(?=[ \t]+[^\s\#]))
    )?
    [^\r\n]*+(?:\r\n|\r|\n)?""",
    re.VERBOSE,
)
"""One line. ``lastgroup`` names what it begins with; ``"indent"`` where it is plain text."""
# a marker that begins no rule, and words in which no comment begins
_PLAIN_ITEM = r"""(?:[-+*]|[0-9]{1,9}[.)])[ ](?![ \t]*+(?:[-*_][ \t]*+)++(?:[\r\n]|\Z))
    (?:[^\r\n<]++|<(?!!--))*+(?>\r\n|\r|\n)
    """
PLAIN_ITEMS = regex(
    rf"""{_PLAIN_ITEM}
    (?:[ ]{{2,40}}+{_PLAIN_ITEM})*+
    (?=\Z
     | (?:[-+*]|[0-9]{{1,9}}[.)]|\#{{1,6}})[ \t\r\n]
     | (?:[ \t]*+(?:\r\n|\r|\n))++(?:\Z|[ ]?[^ \t\r\n])
    )""",
    re.VERBOSE,
)
"""A whole list item of nothing but lines with markers, up to what surely is not part of it.

Most items are like that; their extent is found without looking at each line in Python. What
is deeper indented than here may be nested too deep, and is left to the scanner of items.
"""
UNDERLINE = regex(r"[ ]{0,3}(?:(?P<first>=+)|-{2,})[ \t]*(?:\r\n|\r|\n|\Z)")
"""A line that makes a heading of the paragraph directly above: ``===`` of the first level, ``---`` of the second.

A single dash is a list item that is being typed.
"""
_NO_TITLE = regex(
    r"""[ ]{0,3}(?:[>|]|\[[^\]\r\n]+\]:|</?(?:address|article|aside|blockquote|center|dd|details|div|dl|dt|fieldset
    |figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|menu|nav|ol|p|section|summary|table|tbody|td|tfoot
    |th|thead|tr|ul)(?![\w-])|</?[A-Za-z][\w-]*(?:[ \t][^<>\r\n]*)?>[ \t]*(?=[\r\n]|\Z))""",
    re.VERBOSE | re.IGNORECASE,
)
"""What no line of a title begins with: a quotation, a row of a table, where a link leads, a tag by itself."""
_SENTENCE_END = regex(r"\.[)\"'*_”]*\s*\Z")
_LABEL = regex(r"[ \t]*[A-Za-z_][\w -]*:(?:[ \t\r\n]|\Z)")
_SETTING = regex(r"[ \t]*[a-z_][\w-]*:(?:[ \t\r\n]|\Z)")
FENCE = regex(r"`{3,}+(?=[^`\r\n]*+(?:[\r\n]|\Z))|~{3,}+")
"""What opens a fence behind the marker of an item."""
BOX = regex(r"\[[ xX]\](?:[ \t]+|(?=[\r\n]|\Z))")
"""What a person ticks in front of the words of an item, with the blanks behind it."""
TAB = 4
COMMENT = regex(r"<!--.*?-->", re.DOTALL)
_AROUND_COMMENT = regex(r"(?:(?<![ \t])[ \t]++)?<!--.*?-->[ \t]*+", re.DOTALL)
_BETWEEN_WORDS = r"(?:[ \t]*(?:\r\n|\r|\n)[ \t]*|[ ])"
_FENCE_ENDS: dict[tuple[str, int], re.Pattern[str]] = {}


def column(indent: str) -> int:
    """The column that *indent* (blanks and tabs) leads to; a tab goes to the next multiple of four."""
    if "\t" not in indent:
        return len(indent)
    at = 0
    for character in indent:
        at += TAB - at % TAB if character == "\t" else 1
    return at


def without_comments(text: str) -> str:
    """*text* with each comment, and the blanks around it, replaced by one blank."""
    end = text.rfind("-->") + 3
    if end < 3 or "<!--" not in text:
        return text
    while end < len(text) and text[end] in " \t":
        end += 1
    # what opens behind the last close never ends; to search from each such opening would take quadratic time
    return _AROUND_COMMENT.sub(" ", text[:end]) + text[end:]


def content_end(text: str, start: int, end: int) -> int:
    """*end* moved back over the line end and blanks, not before *start*."""
    while end > start and text[end - 1] in " \t\r\n":
        end -= 1
    return end


def closes_fence(line: re.Match[str], mark: str) -> bool:
    """True where *line* closes a fence that *mark* opened."""
    return line.lastgroup == "fence" and line["fence"].startswith(mark) and not line[0].strip().strip(mark[0])


@dataclass(slots=True)
class Closers:
    """Finds where comments and fences of one text end, and remembers what never ends.

    Remembering keeps scanning linear: many openings without an end would otherwise each
    search the whole rest of the text.
    """

    text: str
    _comment_open_from: int = -1
    _open_fences: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def comment_end(self, start: int) -> int:
        """The offset after ``-->`` of the comment that begins at *start*, or -1 where none comes."""
        if self._comment_open_from >= 0:
            return -1
        found = self.text.find("-->", start + 4)
        if found < 0:
            self._comment_open_from = start
            return -1
        return found + 3

    def fence_end(self, line: re.Match[str]) -> re.Match[str] | None:
        """The line that closes the fence opened by *line*, or None where none comes."""
        mark = line["fence"]
        character, length = mark[0], len(mark)
        limit = column(line["indent"]) + TAB
        # what did not close a shorter fence that may be closed further right closes this one neither
        if any(length >= least and limit <= most for least, most in self._open_fences.get(character, ())):
            return None
        for close in _fence_ends(character, length).finditer(self.text, line.end()):
            if column(close["indent"]) < limit:
                return close
        self._open_fences.setdefault(character, []).append((length, limit))
        return None


@dataclass(slots=True)
class Underlining:
    """Which heading the paragraph from *position* on is, if a line underlines it; looks at each of its lines once.

    Settings that a rule ends stay settings: those of a program (``execution_mode: raw``, ``---``), which all tools of
    the language read so, and any lines that are all labelled. A sentence over the shortest rule stays running text.
    Markdown has headings there, but no author means one. So has it for ``Step 1: Knead``, and there the author does.
    """

    text: str
    position: int
    _labels: int = 0
    _others: int = 0
    _is_setting: bool = False
    _is_barred: bool = False

    def level(self, underline: re.Match[str]) -> int:
        """The level that *underline* gives to the lines above it; 0 where they are no title."""
        fresh = self.text[self.position : underline.start()]
        for line in split_lines(fresh):
            self._look_at(line)
        self.position = underline.start()
        if self._is_barred or underline["first"]:
            return 0 if self._is_barred else 1
        is_settings = not self._others and (self._is_setting or self._labels > 1)
        is_sentence = underline[0].strip() == "---" and _SENTENCE_END.search(fresh) is not None
        return 0 if is_settings or is_sentence else 2

    def _look_at(self, line: str) -> None:
        self._is_barred = self._is_barred or _NO_TITLE.match(line) is not None
        if _LABEL.match(line):
            self._is_setting = self._is_setting or (not self._labels and _SETTING.match(line) is not None)
            self._labels += 1
        elif not self._labels or line[:1] not in (" ", "\t"):
            self._others += 1


def _fence_ends(character: str, length: int) -> re.Pattern[str]:
    """A pattern for whole lines that close a fence of *length* times *character*."""
    length = min(length, 1000)
    key = (character, length)
    if key not in _FENCE_ENDS:
        _FENCE_ENDS[key] = re.compile(
            rf"(?:(?<=[\r\n])|\A)(?P<indent>[ \t]*+){character}{{{length},}}[ \t]*+(?:\r\n|\r|\n|\Z)"
        )
    return _FENCE_ENDS[key]


def title_span(heading: Block) -> Span | None:
    """Where the title stands, counted from the start of *heading*; None where a comment splits it."""
    return span_in_title(heading, heading.title)


def span_in_title(heading: Block, words: str) -> Span | None:
    """Where *words* stand first outside of comments; None where they do not stand there in one piece."""
    # line ends in place of comments: no line of a title has any
    visible = COMMENT.sub(lambda comment: "\n" * len(comment[0]), heading.text)
    if not heading.is_underlined:
        start = visible.find(words, heading.level)
        return Span(start, start + len(words)) if start >= 0 else None
    found = re.search(re.escape(words).replace("\\ ", _BETWEEN_WORDS), visible)
    return Span(*found.span()) if found else None


def underline_span(heading: Block) -> Span:
    """The marks below the title of a *heading* that is underlined."""
    end = content_end(heading.text, 0, len(heading.text))
    start = end
    while heading.text[start - 1] in "=-":
        start -= 1
    return Span(start, end)
