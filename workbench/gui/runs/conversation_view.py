"""The conversation as a picture of cards: only those in sight are painted, however long the run."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QWidget

from workbench.gui.look.context_actions import add_context_actions
from workbench.gui.look.frames import RingedArea
from workbench.gui.look.theming import current_theme
from workbench.gui.runs.card import Card, CardsChange
from workbench.gui.runs.card_painter import CardPainter, card_words
from workbench.i18n import _

AT_ONCE = 400
"""So many cards are measured in one turn of the window."""


class ConversationView(RingedArea):
    """Newest below; stays at the end while nobody scrolls away from it. Arrows walk, Enter shows the step."""

    step_chosen = Signal(object)  # str: an address

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._painter = CardPainter(current_theme())
        self.cards: list[Card] = []
        self.tops: list[int] = [0]  # of each card, and the end of the last one
        self.current = -1
        self._guessed = 0  # the heights of the cards before this one are still to be measured
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._measure_on)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName(_("Conversation of the run"))
        self._add_actions()

    def clear(self) -> None:
        """Another run."""
        self.cards, self.tops, self.current, self._guessed = [], [0], -1, 0
        self._update_range()

    def apply(self, change: CardsChange) -> None:
        """Show what has changed."""
        if change.head is not None:
            self._give_up(change.removed, change.head)
        self.cards[change.first :] = change.cards
        self._measure_from(change.first)

    def show_cards(self, cards: Sequence[Card]) -> None:
        """Show exactly *cards*, the last one in sight; those before the first that differs stay as they are."""
        pairs = enumerate(zip(self.cards, cards, strict=False))
        same = next((at for at, (old, new) in pairs if old is not new and old != new), -1)
        first = same if same >= 0 else min(len(self.cards), len(cards))
        self.current = min(self.current, len(cards) - 1)
        self.apply(CardsChange(first, tuple(cards[first:])))
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def take_theme(self) -> None:
        """Cards are as high as their letters make them."""
        self._painter = CardPainter(current_theme())
        self._measure_from(0)
        while self._guessed:
            self._measure_on()

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
            area = QRectF(0, card_top, self._cards_px, self.tops[index + 1] - self.tops[index])
            is_current = index == self.current and self.hasFocus()
            self._painter.paint(painter, self.cards[index], area, self._painter.current if is_current else None)
            index += 1
        self.paint_ring(painter)

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
        top = self._painter.height(head, self._cards_px)
        moved = self.tops[removed] - top
        self.tops[: removed + 1] = [0, self.tops[removed]]
        self.tops[1:] = [at - moved for at in self.tops[1:]]
        self.current = max(-1, self.current - removed + 1)
        self._guessed = max(0, self._guessed - removed + 1)
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() - moved)

    @property
    def _cards_px(self) -> int:
        """How wide cards are: there is always room for the bar.

        Where there were more without it, what wraps otherwise could need it only while it is not there, and it would
        come and go for ever.
        """
        return max(0, self.contentsRect().width() - self.verticalScrollBar().sizeHint().width())

    def _index_at(self, position: QPointF) -> int:
        return bisect_right(self.tops, int(position.y()) + self.verticalScrollBar().value()) - 1

    def _measure_from(self, first: int) -> None:
        """Heights follow the width; those before *first* stay. Of very many the last are measured now."""
        is_much = len(self.cards) - first > AT_ONCE
        self._guessed = len(self.cards) - AT_ONCE if is_much else min(self._guessed, first)
        painter, width, top = self._painter, self._cards_px, self.tops[first]
        del self.tops[first + 1 :]
        for at in range(first, len(self.cards)):
            top += (painter.height if at >= self._guessed else painter.guess)(self.cards[at], width)
            self.tops.append(top)
        self._update_range()
        if self._guessed:
            self._later.start()

    @Slot()
    def _measure_on(self) -> None:
        """Measure some more, the newest first; what is in sight stays there."""
        last, bar = self._guessed, self.verticalScrollBar()
        self._guessed = first = max(0, last - AT_ONCE)
        at, was = self.tops[first], self.tops[last]
        height, width = self._painter.height, self._cards_px
        tops = [at := at + height(card, width) for card in self.cards[first:last]]
        moved, seen = at - was, bar.value()
        self.tops[first + 1 :] = [*tops, *(top + moved for top in self.tops[last + 1 :])]
        self._update_range()
        if seen >= was:
            bar.setValue(seen + moved)
        if first:
            self._later.start()

    def _update_range(self) -> None:
        bar = self.verticalScrollBar()
        was_at_end = bar.value() >= bar.maximum() - 2
        bar.setRange(0, max(0, self.tops[-1] - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(24)
        if was_at_end:
            bar.setValue(bar.maximum())
        self.viewport().update()
