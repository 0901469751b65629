"""Words on the canvas: its fonts, words in a box, and texts among steps.

Words are wrapped to a few lines, then comes an ellipsis; what is judged is dotted. Texts among steps are drawn as what
they are: paragraphs, lists, code with its language, tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)

from workbench.gui.canvas.content.box_content import COPY_PX, TEXT_X, BoxContent, drawable_words, right_margin
from workbench.gui.look.icons import pixmap
from workbench.gui.look.inline_look import format_of, marked_words, utf16_length
from workbench.gui.look.theming import Theme
from workbench.gui.words.directions import closed, ordered, runs_left
from workbench.gui.words.values import drawable_line
from workbench.model.layout.lines import MAX_LINES
from workbench.model.layout.shapes import LINE_HEIGHT
from workbench.model.layout.texts import placed_parts
from workbench.model.showing.texts import Part, PartKind, more_words
from workbench.syntax.inline import Stretch

SMALL_PX = 11
_ELLIPSIS = "…"
_LONGEST_LINE = 120
_ENDLESS_PX = 100_000.0
_DIFFERENCE_TINT = 0.22
_WORDS_PX = 13
_CODE_PX = 12
_CELL_PX = 12
_DEEPER_PX = 14.0
_SIGN_PX = 16.0
_COLUMN_GAP = 12.0
_CODE_RADIUS = 4.0
_LONGEST = 400


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
    text, ink = set_apart(text, ink)
    laid = _laid_out(fitted(text, frame, ink), frame, ink)
    free = frame.height - laid.lineCount() * LINE_HEIGHT if frame.is_centred else 0.0
    painter.setPen(QColor(ink.color))
    laid.draw(painter, QPointF(frame.x, frame.y + max(0.0, free / 2)))


def set_apart(text: str, ink: WordInk) -> tuple[str, WordInk]:
    """*text* and its looks with names and code set apart, where it runs from right to left: see ``directions``."""
    if not runs_left(text):
        return text, ink
    marked, words = marked_words(ink.words or (Stretch(text),))
    judged = marked.span(ink.judged) if ink.judged is not None else None
    differing = tuple(map(marked.span, ink.differing))
    looks = replace(ink, judged=judged, words=words if ink.words else (), differing=differing)
    return "".join([each.text for each in words]), looks


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
    if runs_left(rest):
        shown = QFontMetricsF(ink.font).elidedText(rest, Qt.TextElideMode.ElideRight, width - 2)
        return closed(text[:start] + (shown if shown != rest else f"{rest}{_ELLIPSIS}"))
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


def paint_text(painter: QPainter, content: BoxContent, theme: Theme) -> None:
    """Paint the parts of *content*, a text, with its top left at the origin."""
    width = content.width - TEXT_X - right_margin(content)
    for part, top, height in placed_parts(content.shown_text):
        area = QRectF(TEXT_X, top, width, height)
        if part.kind is PartKind.CODE:
            _paint_code(painter, part, area, theme)
        elif part.kind is PartKind.TABLE:
            _paint_table(painter, part, area, theme)
        elif part.kind is PartKind.MORE:
            _paint_line(painter, more_words(part), area, small_font(theme), theme.muted)
        else:
            _paint_words(painter, part, area, theme)


def _paint_words(painter: QPainter, part: Part, area: QRectF, theme: Theme) -> None:
    """A paragraph, a heading, or an item behind its sign."""
    font = sized(theme.body_font(), _WORDS_PX)
    left = area.left()
    if part.sign:
        left += part.depth * _DEEPER_PX
        sign = QRectF(left, area.top(), _SIGN_PX * 2, LINE_HEIGHT)
        _paint_line(painter, part.sign, sign, font, theme.muted)
        left += max(_SIGN_PX, QFontMetricsF(font).horizontalAdvance(part.sign) + 6)
    words = drawable_words(part.words)
    width = area.right() - left
    frame = TextFrame(left, area.top(), width, width, area.height(), most=part.lines, is_centred=False)
    text = "".join([each.text for each in words])
    draw_text(painter, text, frame, WordInk(font, theme, theme.text, None, words))


def _paint_code(painter: QPainter, part: Part, area: QRectF, theme: Theme) -> None:
    """Lines that do not break, on a ground of their own; the language and the sign that copies at the top right."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.hover))
    painter.drawRoundedRect(area.adjusted(-6, -4, 4, 4), _CODE_RADIUS, _CODE_RADIUS)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    scale = painter.transform().m11()
    sign = QPointF(area.right() - COPY_PX, area.top() + (LINE_HEIGHT - COPY_PX) / 2)
    painter.drawPixmap(sign, pixmap("copy", theme.muted, COPY_PX, scale))
    taken = COPY_PX + 6.0
    if part.language:
        small = small_font(theme)
        taken += QFontMetricsF(small).horizontalAdvance(part.language) + 6
        label = QRectF(area.right() - taken + 6, area.top(), taken, LINE_HEIGHT)
        _paint_line(painter, part.language, label, small, theme.muted)
    font = sized(theme.mono_font(), _CODE_PX)
    for index, (line,) in enumerate(part.rows):
        room = area.width() - (taken if index == 0 else 0)
        place = QRectF(area.left(), area.top() + index * LINE_HEIGHT, room, LINE_HEIGHT)
        _paint_line(painter, line, place, font, theme.text)


def _paint_table(painter: QPainter, part: Part, area: QRectF, theme: Theme) -> None:
    """Rows on even lines, the head above a hairline."""
    font = sized(theme.body_font(), _CELL_PX)
    head = QFont(font)
    head.setWeight(QFont.Weight.DemiBold)
    widths = column_widths(part.rows, area.width(), QFontMetricsF(head))
    for index, row in enumerate(part.rows):
        left, top = area.left(), area.top() + index * LINE_HEIGHT
        for cell, width in zip(row, widths, strict=False):
            place = QRectF(left, top, width - _COLUMN_GAP, LINE_HEIGHT)
            _paint_line(painter, cell, place, font if index else head, theme.text)
            left += width
        painter.setPen(QPen(QColor(theme.border), 1))
        if index == 0 or index + 1 < len(part.rows):
            painter.drawLine(
                QPointF(area.left(), top + LINE_HEIGHT - 0.5), QPointF(area.right(), top + LINE_HEIGHT - 0.5)
            )


def column_widths(rows: Sequence[Sequence[str]], room_px: float, metrics: QFontMetricsF) -> list[float]:
    """How wide each column is: as wide as its words, or its share of what there is room for."""
    count = max((len(row) for row in rows), default=0)
    wanted = [
        max(metrics.horizontalAdvance(row[column][:60]) for row in rows if column < len(row)) + _COLUMN_GAP
        for column in range(count)
    ]
    shares: list[float] = []
    for column, each in enumerate(wanted):
        rest = room_px - sum(shares)
        fair = rest / (count - column)
        later = sum(wanted[column + 1 :])
        shares.append(min(each, max(fair, rest - later)))
    return shares


def _paint_line(painter: QPainter, text: str, area: QRectF, font: QFont, color: str) -> None:
    """*text* on one line, the end left out where there is no room."""
    painter.setFont(font)
    painter.setPen(QColor(color))
    shown = QFontMetricsF(font).elidedText(drawable_line(text[:_LONGEST]), Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, ordered(shown))
