"""The fonts of the canvas, and words in a box: wrapped to a few lines, then an ellipsis; dotted where judged."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption

from workbench.gui.look.theming import Theme
from workbench.model.layout.shapes import LINE_HEIGHT
from workbench.model.layout.tree import MAX_LINES

SMALL_PX = 11


def sized(font: QFont, size_px: int) -> QFont:
    """*font*, made *size_px* large."""
    font.setPixelSize(size_px)
    return font


def small_font(theme: Theme) -> QFont:
    """For numbers, badges and the words on edges."""
    return sized(theme.secondary_font(), SMALL_PX)


@dataclass(frozen=True, slots=True)
class TextFrame:
    """Where words go, in pixels at 100 %. *first_width*: of the first line, which shares its row with the number."""

    x: float
    y: float
    first_width: float
    width: float
    height: float

    @property
    def line_limit(self) -> int:
        """How many lines fit, at least one."""
        return max(1, min(MAX_LINES, int(self.height // LINE_HEIGHT)))


@dataclass(frozen=True, slots=True)
class WordInk:
    """How words look. *judged*: a stretch in code points."""

    font: QFont
    color: str
    underline: str
    judged: tuple[int, int] | None = None


def draw_text(painter: QPainter, text: str, frame: TextFrame, ink: WordInk) -> None:
    """Draw *text* inside *frame*, centred vertically."""
    laid = _laid_out(fitted(text, frame, ink.font), frame, ink)
    free = frame.height - laid.lineCount() * LINE_HEIGHT
    painter.setPen(QColor(ink.color))
    laid.draw(painter, QPointF(frame.x, frame.y + max(0.0, free / 2)))


def fitted(text: str, frame: TextFrame, font: QFont) -> str:
    """As much of *text* as *frame* holds; it ends in an ellipsis where something was left out."""
    laid = _laid_out(text, frame, WordInk(font, "#000000", "#000000"))
    if laid.lineCount() <= frame.line_limit:
        return text
    last = laid.lineAt(frame.line_limit - 1)
    start = code_points(text, last.textStart())
    width = frame.first_width if frame.line_limit == 1 else frame.width
    # no line holds more letters than this; eliding measures all that it is given
    elided = QFontMetricsF(font).elidedText(text[start : start + 120], Qt.TextElideMode.ElideRight, width - 2)
    return text[:start] + elided


def _laid_out(text: str, frame: TextFrame, ink: WordInk) -> QTextLayout:
    """The lines of *text*, at most one more than fits."""
    laid = QTextLayout(text, ink.font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    laid.setTextOption(option)
    if ink.judged is not None:
        laid.setFormats([_dotted(text, ink)])
    laid.beginLayout()
    for index in range(frame.line_limit + 1):
        line = laid.createLine()
        if not line.isValid():
            break
        line.setLineWidth(frame.first_width if index == 0 else frame.width)
        line.setPosition(QPointF(0, index * LINE_HEIGHT + (LINE_HEIGHT - line.height()) / 2))
    laid.endLayout()
    return laid


def _dotted(text: str, ink: WordInk) -> QTextLayout.FormatRange:
    """The underline below the judged stretch."""
    start, end = ink.judged or (0, 0)
    mark = QTextLayout.FormatRange()
    mark.start = utf16_length(text[:start])
    mark.length = utf16_length(text[start:end])
    look = QTextCharFormat()
    look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
    look.setUnderlineColor(QColor(ink.underline))
    mark.format = look
    return mark


def utf16_length(text: str) -> int:
    """How long *text* is in the units that Qt counts in."""
    return len(text) + sum(1 for each in text if ord(each) > 0xFFFF)


def code_points(text: str, units: int) -> int:
    """How many characters of *text* lie before *units* of Qt's counting."""
    if text.isascii():
        return units
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "replace"))
