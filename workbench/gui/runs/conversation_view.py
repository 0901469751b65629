"""The conversation as a picture of cards: only those in sight are painted, however long the run."""

from __future__ import annotations

from bisect import bisect_right

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from workbench.gui.look.context_actions import add_context_actions
from workbench.gui.look.theme import current_theme, is_theme_change
from workbench.gui.runs.card_painter import CardPainter, card_words
from workbench.gui.runs.cards import Card, CardsChange
from workbench.i18n import _


class ConversationView(QAbstractScrollArea):
    """Newest below; stays at the end while nobody scrolls away from it. Arrows walk, Enter shows the step."""

    step_chosen = Signal(object)  # str: an address

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._painter = CardPainter(current_theme())
        self.cards: list[Card] = []
        self.tops: list[int] = [0]  # of each card, and the end of the last one
        self.current = -1
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName(_("Conversation of the run"))
        self._add_actions()

    def clear(self) -> None:
        """Another run."""
        self.cards, self.tops, self.current = [], [0], -1
        self._update_range()

    def apply(self, change: CardsChange) -> None:
        """Show what has changed."""
        if change.head is not None:
            self._give_up(change.removed, change.head)
        self.cards[change.first :] = change.cards
        self._measure_from(change.first)

    def customEvent(self, event: QEvent) -> None:
        """Cards are as high as their letters make them."""
        if is_theme_change(event):
            self._painter = CardPainter(current_theme())
            self._measure_from(0)

    def go_to(self, index: int) -> None:
        """Make the card at *index* the current one and bring it into sight."""
        if not 0 <= index < len(self.cards):
            return
        self.current = index
        bar, height = self.verticalScrollBar(), self.viewport().height()
        bar.setValue(min(bar.value(), self.tops[index]))
        bar.setValue(max(bar.value(), self.tops[index + 1] - height))
        self.setAccessibleDescription(card_words(self.cards[index]))
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cards in sight."""
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), QColor(self._painter.theme.surface))
        top, height = self.verticalScrollBar().value(), self.viewport().height()
        index = max(0, bisect_right(self.tops, top) - 1)
        while index < len(self.cards) and self.tops[index] < top + height:
            card_top = self.tops[index] - top
            area = QRectF(0, card_top, self.viewport().width(), self.tops[index + 1] - self.tops[index])
            is_current = index == self.current and self.hasFocus()
            self._painter.paint(painter, self.cards[index], area, self._painter.current if is_current else None)
            index += 1
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._painter.theme.accent), 2))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the words anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._measure_from(0)
        else:
            self._update_range()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click makes a card current, and on its number shows the step."""
        index = self._index_at(event.position())
        self.go_to(index)
        if 0 <= index < len(self.cards) and self.cards[index].step:
            self.step_chosen.emit(self.cards[index].step)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home and End walk; Enter shows the step."""
        steps = {Qt.Key.Key_Up: self.current - 1, Qt.Key.Key_Down: self.current + 1, Qt.Key.Key_Home: 0}
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.current >= 0:
            self.step_chosen.emit(self.cards[self.current].step)
        elif event.key() == Qt.Key.Key_End:
            self.go_to(len(self.cards) - 1)
        elif event.key() in steps:
            self.go_to(max(0, steps[Qt.Key(event.key())]))
        else:
            super().keyPressEvent(event)

    @Slot()
    def copy_current(self) -> None:
        """Put the current card on the clipboard."""
        if self.current >= 0:
            QGuiApplication.clipboard().setText(card_words(self.cards[self.current]))

    @Slot()
    def copy_all(self) -> None:
        """Put the whole conversation on the clipboard, one line per card."""
        QGuiApplication.clipboard().setText("\n".join(card_words(card) for card in self.cards))

    def _add_actions(self) -> None:
        """What the context menu offers; the keys work while the conversation has the focus."""
        entries = (
            (_("&Copy this entry"), QKeySequence(QKeySequence.StandardKey.Copy), self.copy_current),
            (_("Copy &all"), QKeySequence("Ctrl+Shift+C"), self.copy_all),
        )
        add_context_actions(self, entries)

    def _give_up(self, removed: int, head: Card) -> None:
        """Put *head* in the place of the oldest cards; the heights of the others are known."""
        self.cards[:removed] = [head]
        top = self._painter.height(head, self.viewport().width())
        moved = self.tops[removed] - top
        self.tops[: removed + 1] = [0, self.tops[removed]]
        self.tops[1:] = [at - moved for at in self.tops[1:]]
        self.current = max(-1, self.current - removed + 1)
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() - moved)

    def _index_at(self, position: QPointF) -> int:
        return bisect_right(self.tops, int(position.y()) + self.verticalScrollBar().value()) - 1

    def _measure_from(self, first: int) -> None:
        """Heights follow the width; those before *first* are known."""
        del self.tops[first + 1 :]
        width = self.viewport().width()
        top = self.tops[first]
        for card in self.cards[first:]:
            top += self._painter.height(card, width)
            self.tops.append(top)
        self._update_range()

    def _update_range(self) -> None:
        bar = self.verticalScrollBar()
        was_at_end = bar.value() >= bar.maximum() - 2
        bar.setRange(0, max(0, self.tops[-1] - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(24)
        if was_at_end:
            bar.setValue(bar.maximum())
        self.viewport().update()
