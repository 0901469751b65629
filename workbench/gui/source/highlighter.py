"""Colours the source: what stands on a line is told by ``model/showing/colours.py``, how it looks by the theme."""

from __future__ import annotations

from pygments.token import Comment, Generic, Keyword, Literal, Name, Number, Operator, String
from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextBlock, QTextCharFormat, QTextDocument

from workbench.gui.look.theming import Theme, current_theme
from workbench.model.meaning import StepKind
from workbench.model.showing.colours import OUTSIDE, Inside, coloured, next_inside

LAZY_LINES = 500
_MARGIN_LINES = 60
_SLICE_LINES = 500
_SLICE_PAUSE_MS = 4
_LONG = 1_500
_ALL = 1 << 30


class SourceHighlighter(QSyntaxHighlighter):
    """Highlights a document; one with more than *lazy_from* lines only where it is looked at.

    *language*: of what is neither fence nor front matter.

    The state of a block is an index into what lines can be inside of, times two, plus one
    when the block has its colours. Of a long text that is loaded, only the first lines get
    theirs at once, and the rest in slices of time: until then Qt keeps their state below 0.
    """

    def __init__(self, document: QTextDocument, language: str = "playbook", *, lazy_from: int = LAZY_LINES) -> None:
        self._language = language
        self._lazy_from = lazy_from
        self._insides: list[Inside] = [OUTSIDE]
        self._indices: dict[Inside, int] = {OUTSIDE: 0}
        self._visible = (0, 200)
        self._formats = formats_of(current_theme())
        self._end = _ALL
        self._count = 0
        self._left = _ALL
        super().__init__(document)
        self._slices = QTimer(self, interval=_SLICE_PAUSE_MS, singleShot=True)
        self._slices.timeout.connect(self._go_on)

    def expect_lines(self, count: int) -> None:
        """Look only at the first lines of the text that is about to be loaded, and has *count*; then at the rest."""
        self._slices.stop()
        self._left = _SLICE_LINES if count >= _LONG else _ALL
        self._end = _ALL if count < _LONG else _SLICE_LINES
        self._count = count
        if count >= _LONG:
            self._slices.start()

    def loaded(self) -> None:
        """The text is there."""
        self._left = _ALL

    @Slot()
    def _go_on(self) -> None:
        """Look at some more lines: Qt goes on from one to the next for as long as the state of a line changes."""
        count = self.document().blockCount()
        start = min(self._end, self._end + count - self._count)  # some of the lines may be gone
        block = self.document().findBlockByNumber(max(0, start - 1))
        self._count, self._end = count, start + _SLICE_LINES if start + _SLICE_LINES < count else _ALL
        while block.isValid() and block.blockNumber() < self._end and block.blockNumber() <= start + _SLICE_LINES:
            if block.userState() < 0 or block.blockNumber() == max(0, start - 1):
                self.rehighlightBlock(block)
            block = block.next()
        if self._end != _ALL:
            self._slices.start()

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

    def look_at(self, first: QTextBlock, count: int) -> None:
        """Colour the lines from *first* on, *count* of those that are not folded, where they have no colours yet."""
        block = first
        while self._end <= first.blockNumber() + count and self._left >= 0:  # somebody looks there already
            self._go_on()
        self._visible = (first.blockNumber() - _MARGIN_LINES, first.blockNumber() + count + _MARGIN_LINES)
        while block.isValid() and count > 0:
            if block.isVisible():
                count -= 1
                if block.userState() >= 0 and not block.userState() & 1:
                    self._visible = (self._visible[0], max(self._visible[1], block.blockNumber() + _MARGIN_LINES))
                    self.rehighlightBlock(block)
            block = block.next()

    def highlightBlock(self, text: str) -> None:
        """Colour one line and remember what the next begins inside of."""
        self._left -= 1  # Qt loads line by line from the first on, and to ask for a number takes longer than all this
        if self._left < 0:
            return
        number = self.currentBlock().blockNumber()
        if number >= self._end:
            return
        before = self._insides[max(self.previousBlockState(), 0) >> 1]
        after = next_inside(before, text, self._language, is_first=number == 0)
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
        is_narrow = text.isascii() or max(text) <= "\uffff"
        for start, length, kind in coloured(text, before, after, self._language):
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
