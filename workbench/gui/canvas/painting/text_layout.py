"""The fonts of the canvas, and words in a box: wrapped to a few lines, then an ellipsis; dotted where judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from workbench.gui.look.inline_look import format_of, utf16_length
from workbench.gui.look.theming import Theme
from workbench.model.layout.lines import MAX_LINES
from workbench.model.layout.shapes import LINE_HEIGHT
from workbench.syntax.inline import Stretch

SMALL_PX = 11
_ELLIPSIS = "…"
_LONGEST_LINE = 120
_ENDLESS_PX = 100_000.0
_DIFFERENCE_TINT = 0.22


def sized(font: QFont, size_px: int) -> QFont:
    """*font*, made *size_px* large."""
    font.setPixelSize(size_px)
    return font


def small_font(theme: Theme) -> QFont:
    """For numbers, badges and the words on edges."""
    return sized(theme.secondary_font(), SMALL_PX)


@dataclass(frozen=True, slots=True)
class TextFrame:
    """Where words go, in pixels at 100 %. *first_width*: of the first line, which shares its row with the number.

    *most*: how many lines there may be at all. *is_centred*: between the top and the bottom.
    """

    x: float
    y: float
    first_width: float
    width: float
    height: float
    most: int = MAX_LINES
    is_centred: bool = True

    @property
    def line_limit(self) -> int:
        """How many lines fit, at least one."""
        return max(1, min(self.most, int(self.height // LINE_HEIGHT)))


@dataclass(frozen=True, slots=True)
class WordInk:
    """How words look. *judged*: a part of the text, in code points. *words*: its stretches, where they differ.

    *differing*: parts of the text that another version does not have, struck out where that is the newer one
    (*is_former*), else underlined.
    """

    font: QFont
    theme: Theme
    color: str
    judged: tuple[int, int] | None = None
    words: tuple[Stretch, ...] = ()
    differing: tuple[tuple[int, int], ...] = ()
    is_former: bool = False


def draw_text(painter: QPainter, text: str, frame: TextFrame, ink: WordInk) -> None:
    """Draw *text* inside *frame*."""
    laid = _laid_out(fitted(text, frame, ink), frame, ink)
    free = frame.height - laid.lineCount() * LINE_HEIGHT if frame.is_centred else 0.0
    painter.setPen(QColor(ink.color))
    laid.draw(painter, QPointF(frame.x, frame.y + max(0.0, free / 2)))


def fitted(text: str, frame: TextFrame, ink: WordInk) -> str:
    """As much of *text* as *frame* holds; it ends in an ellipsis where something was left out."""
    laid = _laid_out(text, frame, ink)
    if laid.lineCount() <= frame.line_limit:
        return text
    last = laid.lineAt(frame.line_limit - 1)
    start = code_points(text, last.textStart())
    width = frame.first_width if frame.line_limit == 1 else frame.width
    # no line holds more letters than this; eliding measures all that it is given
    rest = text[start : start + _LONGEST_LINE].partition("\u2028")[0]
    room = width - 2 - QFontMetricsF(ink.font).horizontalAdvance(_ELLIPSIS)
    whole = _formatted(rest, ink, start)
    whole.beginLayout()
    line = whole.createLine()
    line.setLineWidth(_ENDLESS_PX)
    whole.endLayout()
    if line.naturalTextWidth() <= room:
        return text[:start] + rest + _ELLIPSIS
    kept = line.xToCursor(room, QTextLine.CursorPosition.CursorOnCharacter)
    return text[:start] + rest[: code_points(rest, kept)].rstrip() + _ELLIPSIS


def _formatted(text: str, ink: WordInk, start: int = 0) -> QTextLayout:
    """*text*, which begins at *start* of the words, with the looks of its parts; not broken into lines yet."""
    laid = QTextLayout(text, ink.font)
    marks = [*([_dotted(text, ink)] if ink.judged is not None else ()), *_looks(text, ink, start)]
    marks += _differing(text, ink, start) if ink.differing else ()
    if marks:
        laid.setFormats(marks)
    return laid


def _looks(text: str, ink: WordInk, start: int) -> Iterator[QTextLayout.FormatRange]:
    """How the stretches look that lie in *text*; the ellipsis at its end looks like what it stands for."""
    at = -start
    for stretch in ink.words:
        first, at = max(at, 0), at + len(stretch.text)
        if at > 0 and first < len(text) and not stretch.is_plain:
            yield _range(text, (first, at), format_of(stretch, ink.theme, ink.font))


def _differing(text: str, ink: WordInk, start: int) -> Iterator[QTextLayout.FormatRange]:
    """How the parts look that another version does not have."""
    look = QTextCharFormat()
    look.setBackground(difference_tint(ink.theme, is_former=ink.is_former))
    if ink.is_former:
        look.setFontStrikeOut(True)
    else:
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        look.setUnderlineColor(QColor(ink.theme.done))
    for first, last in ink.differing:
        low, high = max(first - start, 0), min(last - start, len(text))
        if low < high:
            yield _range(text, (low, high), look)


def difference_tint(theme: Theme, *, is_former: bool) -> QColor:
    """The ground of words that went, or came."""
    tint = QColor(theme.failed if is_former else theme.done)
    tint.setAlphaF(_DIFFERENCE_TINT)
    return tint


def _range(text: str, part: tuple[int, int], look: QTextCharFormat) -> QTextLayout.FormatRange:
    mark = QTextLayout.FormatRange()
    mark.start = utf16_length(text[: part[0]])
    mark.length = utf16_length(text[part[0] : part[1]])
    mark.format = look
    return mark


def _laid_out(text: str, frame: TextFrame, ink: WordInk) -> QTextLayout:
    """The lines of *text*, at most one more than fits; they stand on even lines, whatever fonts they are in."""
    laid = _formatted(text, ink)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    laid.setTextOption(option)
    metrics = QFontMetricsF(ink.font)
    base = (LINE_HEIGHT - metrics.height()) / 2 + metrics.ascent()
    laid.beginLayout()
    for index in range(frame.line_limit + 1):
        line = laid.createLine()
        if not line.isValid():
            break
        line.setLineWidth(frame.first_width if index == 0 else frame.width)
        line.setPosition(QPointF(0, index * LINE_HEIGHT + base - line.ascent()))
    laid.endLayout()
    return laid


def _dotted(text: str, ink: WordInk) -> QTextLayout.FormatRange:
    """The underline below the judged stretch."""
    look = QTextCharFormat()
    look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
    look.setUnderlineColor(QColor(ink.theme.muted))
    return _range(text, ink.judged or (0, 0), look)


def code_points(text: str, units: int) -> int:
    """How many characters of *text* lie before *units* of Qt's counting."""
    if text.isascii():
        return units
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "replace"))
