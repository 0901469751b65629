"""How bold, code and links look, wherever words are shown: as formats of Qt's texts, and as markup for labels."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import accumulate, pairwise

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextCharFormat, QTextLayout, QTextOption

from workbench.gui.look.theming import Theme
from workbench.gui.words.directions import Marked, islands
from workbench.gui.words.values import drawable
from workbench.syntax.inline import Stretch

# letters of one width look larger than others of their size
_CODE_SIZE = 0.92


def format_of(stretch: Stretch, theme: Theme, font: QFont) -> QTextCharFormat:
    """How *stretch* looks among words in *font*."""
    look = QTextCharFormat()
    if stretch.code:
        code = QFont(theme.mono_font())
        code.setPixelSize(round(font.pixelSize() * _CODE_SIZE))
        look.setFont(code)
        look.setBackground(QColor(theme.hover))
    if stretch.bold:
        look.setFontWeight(QFont.Weight.DemiBold)
    if stretch.italic:
        look.setFontItalic(True)
    if stretch.strike:
        look.setFontStrikeOut(True)
    if stretch.link:
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        look.setUnderlineColor(QColor(theme.accent))
        look.setForeground(QColor(theme.accent))
    return look


def laid_out(words: Iterable[Stretch], theme: Theme, font: QFont, width_px: float) -> QTextLayout:
    """*words* in lines of *width_px* at most; as high as its ``boundingRect``."""
    _places, shown = marked_words(each._replace(text=drawable(each.text).replace("\n", "\u2028")) for each in words)
    laid = QTextLayout("".join([each.text for each in shown]), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    laid.setTextOption(option)
    at, marks = 0, []
    for each in shown:
        mark = QTextLayout.FormatRange()
        mark.start, mark.length, mark.format = at, utf16_length(each.text), format_of(each, theme, font)
        marks.append(mark)
        at += mark.length
    laid.setFormats(marks)
    line_px = QFontMetricsF(font).lineSpacing()
    ascent = QFontMetricsF(font).ascent()
    laid.beginLayout()
    while (line := laid.createLine()).isValid():
        line.setLineWidth(width_px)
        line.setPosition(QPointF(0, (laid.lineCount() - 1) * line_px + ascent - line.ascent()))
    laid.endLayout()
    return laid


def marked_words(words: Iterable[Stretch]) -> tuple[Marked, tuple[Stretch, ...]]:
    """*words* with code and names set apart, where they run from right to left, and where their parts are then."""
    shown = tuple(words)
    text, places = "".join([each.text for each in shown]), [0, *accumulate(len(each.text) for each in shown)]
    codes = [part for part, each in zip(pairwise(places), shown, strict=True) if each.code]
    marked = Marked(text, islands(text, codes))
    if not marked.has_marks:
        return marked, shown
    pieces = [marked.piece(*part) for part in pairwise(places)]
    return marked, tuple(each._replace(text=piece) for each, piece in zip(shown, pieces, strict=True))


def utf16_length(text: str) -> int:
    """How long *text* is in the units that Qt counts in."""
    return len(text) + sum(1 for each in text if ord(each) > 0xFFFF)


def markup_of(words: Iterable[Stretch], theme: Theme) -> str:
    """*words* as markup that shows them and nothing else: all that stands in them is text."""
    _places, shown = marked_words(each._replace(text=drawable(each.text)) for each in words)
    marked = "".join([_marked(each, theme) for each in shown])
    return f'<span style="white-space: pre-wrap">{marked}</span>'


def _marked(stretch: Stretch, theme: Theme) -> str:
    text = escape(stretch.text).replace("\n", "<br>")
    if stretch.code:
        family = escape(theme.mono_font().family())
        text = f"<span style=\"font-family: '{family}'; background-color: {theme.hover}\">{text}</span>"
    for is_set, tag in ((stretch.bold, "b"), (stretch.italic, "i"), (stretch.strike, "s")):
        if is_set:
            text = f"<{tag}>{text}</{tag}>"
    return f'<span style="color: {theme.accent}; text-decoration: underline">{text}</span>' if stretch.link else text
