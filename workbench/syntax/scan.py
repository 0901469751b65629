"""Text → blocks, in one pass.

``"".join(block.text for block in scan(text)) == text`` for any text, and scanning never
raises. What has no end (a fence, a comment) is damage of one line, never of the whole rest:
CommonMark takes everything below for code, and the flowchart would empty itself while
somebody types three backticks.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind, Problem
from workbench.syntax.items import ItemScanner, read_item
from workbench.syntax.lines import COMMENT, LINE, PLAIN_ITEMS, UNDERLINE, Closers, Underlining, column
from workbench.syntax.tables.reading import DELIMITER, begins_table
from workbench.syntax.text import LINE_START, Span, split_lines

_FRONT_MATTER_END = regex(LINE_START + r"(?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|\Z)")
_METADATA_KEY = regex(r"[A-Za-z_][\w -]*:(?:[ \t\r\n]|\Z)")
_TRAILING_HASHES = regex(r"(?:^|[ \t]+)#+[ \t]*$")
_TURNING = regex(r"[ ]{0,3}[=|:-]")
"""How a line begins that can make something else of the paragraph above it."""
_MAX_HEADING_INDENT = 3


def scan(text: str, *, is_procedure: bool = False) -> tuple[Block, ...]:
    """The blocks of *text*. *is_procedure*: headings can be steps."""
    return tuple(Scanner(text, is_procedure=is_procedure).blocks_from(0))


class Scanner:
    """Scans one text; remembers what never ends so that the work stays linear."""

    def __init__(self, text: str, *, is_procedure: bool = False) -> None:
        self._text = text
        self._is_procedure = is_procedure
        self._closers = Closers(text)
        self._by_kind: dict[str | None, Callable[[re.Match[str]], Block]] = {
            "blank": self._blank,
            "rule": lambda line: Block(BlockKind.RULE, line[0]),
            "heading": self._heading,
            "fence": self._fence,
            "comment": self._comment,
            "indent": self._paragraph,
            "inclusion": self._inclusion,
        }

    @property
    def text(self) -> str:
        """What is scanned."""
        return self._text

    def blocks_from(self, position: int) -> list[Block]:
        """All blocks from *position* on."""
        text = self._text
        blocks: list[Block] = []
        at_start = position == 0
        while position < len(text):
            block = _plain_item(text, position) or self._other_block(position, at_start=at_start)
            at_start = at_start and block.kind is BlockKind.SHEBANG
            blocks.append(block)
            position += len(block.text)
        return blocks

    def block(self, position: int, *, at_start: bool) -> Block:
        """The block that begins at *position*."""
        return _plain_item(self._text, position) or self._other_block(position, at_start=at_start)

    def _other_block(self, position: int, *, at_start: bool) -> Block:
        line = self._line(position)
        if at_start:
            special = self._opening(line)
            if special is not None:
                return special
        if line.lastgroup == "marker":
            return ItemScanner(self._text, position, self._closers, is_procedure=self._is_procedure).scan(line)
        return self._by_kind[line.lastgroup](line)

    def _line(self, position: int) -> re.Match[str]:
        line = LINE.match(self._text, position)
        assert line is not None
        return line

    def _opening(self, line: re.Match[str]) -> Block | None:
        """A shebang or front matter, which only the start of a document can hold."""
        if line.start() == 0 and self._text.startswith("#!"):
            return Block(BlockKind.SHEBANG, line[0])
        if line[0].rstrip() != "---" or line["indent"]:
            return None
        close = _FRONT_MATTER_END.search(self._text, line.end())
        if close is None:
            problem = Problem("unclosed-front-matter", Span(0, len(line[0])), is_open=True)
            return Block(BlockKind.RULE, line[0], problems=(problem,))
        return Block(BlockKind.FRONT_MATTER, self._text[line.start() : close.end()])

    def _blank(self, line: re.Match[str]) -> Block:
        start = line.start()
        while line.end() < len(self._text):
            following = self._line(line.end())
            if following.lastgroup != "blank":
                break
            line = following
        return Block(BlockKind.BLANK, self._text[start : line.end()])

    def _inclusion(self, line: re.Match[str]) -> Block:
        """A line that stands for a file is a block of its own, whatever is around it."""
        return Block(BlockKind.PARAGRAPH, line[0])

    def _heading(self, line: re.Match[str]) -> Block:
        if column(line["indent"]) > _MAX_HEADING_INDENT:
            return self._paragraph(line)
        title = _uncommented(self._text[line.end("heading") : line.end()]).strip()
        title = _TRAILING_HASHES.sub("", title)
        return Block(BlockKind.HEADING, line[0], level=len(line["heading"]), title=title, is_step=self._is_procedure)

    def _fence(self, line: re.Match[str]) -> Block:
        info = self._text[line.end("fence") : line.end()].strip()
        close = self._closers.fence_end(line)
        if close is None:
            problem = Problem("unclosed-fence", Span(0, len(line[0])), is_open=True)
            return Block(BlockKind.FENCE, line[0], title=info, problems=(problem,))
        text = self._text[line.start() : close.end()]
        return Block(BlockKind.FENCE, text, title=info, problems=_inner_fences(line, text))

    def _comment(self, line: re.Match[str]) -> Block:
        """Comment lines up to something else; an item directly below takes them into its block."""
        start, end = line.start(), line.start()
        current = line
        while current.lastgroup == "comment":
            closed = self._closers.comment_end(current.start("comment"))
            if closed < 0:
                return self._open_comment(current, start, end)
            end = self._line(closed).end() if closed < len(self._text) else closed
            if end >= len(self._text):
                break
            current = self._line(end)
        if current.lastgroup == "marker" and current.start() == end:
            return ItemScanner(self._text, start, self._closers, is_procedure=self._is_procedure).scan(current)
        return Block(BlockKind.COMMENT, self._text[start:end])

    def _open_comment(self, line: re.Match[str], start: int, end: int) -> Block:
        if end > start:
            return Block(BlockKind.COMMENT, self._text[start:end], problems=(Problem("", Span(0, 0), is_open=True),))
        problem = Problem("unclosed-comment", Span(0, len(line[0])), is_open=True)
        return Block(BlockKind.COMMENT, line[0], problems=(problem,))

    def _paragraph(self, line: re.Match[str]) -> Block:
        start = line.start()
        is_code = column(line["indent"]) >= 4
        is_metadata = bool(_METADATA_KEY.match(line[0]))
        underlining: Underlining | None = None
        while line.end() < len(self._text):
            if not is_code and _TURNING.match(self._text, line.end()):
                underlining = underlining or Underlining(self._text, start)
                turned = self._turned(start, line, underlining)
                if turned is not None:
                    return turned
            following = self._line(line.end())
            if not _continues(following, is_metadata=is_metadata):
                break
            line = following
        return Block(BlockKind.CODE if is_code else BlockKind.PARAGRAPH, self._text[start : line.end()])

    def _turned(self, start: int, line: re.Match[str], underlining: Underlining) -> Block | None:
        """What the lines from *start* to *line* become by the line below: a heading, or text that a table ends."""
        underline = UNDERLINE.match(self._text, line.end())
        level = underlining.level(underline) if underline else 0
        if underline is not None and level:
            return _underlined(self._text, Span(start, underline.end()), level, is_step=self._is_procedure)
        if not _begins_table(line, self._line(line.end())):
            return None
        if line.start() == start:
            return _table(self._text, line, is_procedure=self._is_procedure)
        # a table begins with its names; what stands above them is running text
        return Block(BlockKind.PARAGRAPH, self._text[start : line.start()])


def _underlined(text: str, span: Span, level: int, *, is_step: bool) -> Block:
    """The heading at *span*, whose last line is the one that underlines it."""
    *above, _underline = split_lines(span.of(text))
    title = " ".join([line.strip() for line in split_lines(_uncommented("".join(above)))]).strip()
    return Block(BlockKind.HEADING, span.of(text), level=level, title=title, is_step=is_step)


def _table(text: str, line: re.Match[str], *, is_procedure: bool) -> Block:
    """The table whose names are *line*."""
    start, end = line.start(), line.end()
    while end < len(text):
        following = LINE.match(text, end)
        assert following is not None
        is_row = following.lastgroup == "indent" and not following[0].lstrip(" ").startswith(">")
        if not is_row:
            break
        end = following.end()
    found = text[start:end]
    if not is_procedure:
        return Block(BlockKind.TABLE, found)
    from workbench.syntax.tables.steps import read_step_table  # noqa: PLC0415 - no program needs it

    return Block(BlockKind.TABLE, found, item_source=read_step_table(found))


def _uncommented(words: str) -> str:
    """*words* without the comments in them; what opens behind the last close never ends, and is not searched."""
    closed = words.rfind("-->") + 3 if "<!--" in words else 0
    return COMMENT.sub("", words[:closed]) + words[closed:]


def _begins_table(line: re.Match[str], following: re.Match[str]) -> bool:
    """True where *line* has the names of a table, and *following* the dashes below them."""
    if line.lastgroup != "indent" or following.lastgroup != "indent":
        return False
    return DELIMITER.match(following.string, following.start()) is not None and begins_table(line[0], following[0])


def _plain_item(text: str, position: int) -> Block | None:
    """The list item at *position* if its extent can be seen at one glance, as that of most can."""
    plain = PLAIN_ITEMS.match(text, position)
    return Block(BlockKind.ITEM, plain[0], 0, "", read_item) if plain else None


def _continues(line: re.Match[str], *, is_metadata: bool) -> bool:
    """True when *line* goes on with the paragraph above it."""
    kind = line.lastgroup
    if kind == "indent":
        return True
    if kind == "marker":
        if is_metadata and line["indent"]:
            return True
        return line["marker"][0].isdigit() and int(line["marker"][:-1]) != 1
    return kind == "heading" and column(line["indent"]) > _MAX_HEADING_INDENT


def _inner_fences(opening: re.Match[str], text: str) -> tuple[Problem, ...]:
    """A warning where a fence of the same marks seems to open inside: it closed the outer one early."""
    mark = opening["fence"]
    inner = re.compile(rf"{LINE_START}[ \t]*{mark[0]}{{{len(mark)},}}[^\s{mark[0]}][^\r\n]*+")
    found = inner.search(text, len(opening[0]))
    if found is None:
        return ()
    return (Problem("nested-fence", Span(found.start(), found.end())),)
