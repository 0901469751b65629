"""The signature of the call that is being written, above the line; the parameter that is written stands out."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from workbench.assist.values import SignatureHelp
from workbench.gui.look.theming import GRID_PX, current_theme
from workbench.gui.words.values import drawable_line

_PAD_PX = 6


class SignatureTip(QWidget):
    """Shows one signature at a time; never has the focus."""

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        self._field = field
        self.shown: SignatureHelp | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def tell(self, found: SignatureHelp | None, caret: QRect) -> None:
        """Show *found* above *caret*, a place on the screen; None: nothing."""
        self.shown = found
        if found is None:
            self.hide()
            return
        self.setParent(self._field.window())
        self.setAccessibleName(drawable_line(f"{found.label}. {found.words}"))
        window = self._field.window()
        self.resize(self.sizeHint().boundedTo(QSize(window.width() - 2 * GRID_PX, window.height())))
        at = window.mapFromGlobal(caret.topLeft()) - QPoint(0, self.height() + 2)
        if at.y() < 0:
            at.setY(window.mapFromGlobal(caret.bottomLeft()).y() + 2)
        self.move(max(GRID_PX, min(at.x(), window.width() - self.width() - GRID_PX)), at.y())
        self.show()
        self.raise_()
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as the longer line."""
        if self.shown is None:
            return QSize(0, 0)
        first, second = QFontMetrics(_letters(is_bold=True)), QFontMetrics(current_theme().secondary_font())
        width = max(
            first.horizontalAdvance(self.shown.label), second.horizontalAdvance(drawable_line(self.shown.words))
        )
        height = first.height() + (second.height() if self.shown.words else 0)
        return QSize(width + 2 * _PAD_PX, height + 2 * _PAD_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The signature, and what the call does."""
        if self.shown is None:
            return
        theme, painter = current_theme(), QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.surface))
        painter.setPen(QColor(theme.border))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        x, base = float(_PAD_PX), _PAD_PX + QFontMetrics(_letters(is_bold=True)).ascent()
        for text, is_active in self._pieces():
            painter.setFont(_letters(is_bold=is_active))
            painter.setPen(QColor(theme.accent if is_active else theme.text))
            painter.drawText(round(x), base, text)
            x += painter.fontMetrics().horizontalAdvance(text)
        painter.setFont(theme.secondary_font())
        painter.setPen(QColor(theme.muted))
        below = base + painter.fontMetrics().height()
        room = self.width() - 2 * _PAD_PX
        words = drawable_line(self.shown.words)
        painter.drawText(_PAD_PX, below, painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room))
        painter.end()

    def _pieces(self) -> tuple[tuple[str, bool], ...]:
        """The signature, with the parameter that is being written apart."""
        assert self.shown is not None, "nothing is painted of nothing"
        label, active = self.shown.label, self.shown.active
        if active < 0:
            return ((drawable_line(label), False),)
        span = self.shown.parameters[active]
        parts = ((label[: span.start], False), (span.of(label), True), (label[span.end :], False))
        return tuple((drawable_line(text), is_active) for text, is_active in parts)


def _letters(*, is_bold: bool) -> QFont:
    font = QFont(current_theme().mono_font())
    font.setBold(is_bold)
    return font
