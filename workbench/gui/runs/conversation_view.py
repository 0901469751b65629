"""The conversation as a picture of cards: how one looks, and only those in sight are painted, however long the run."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QWidget

from workbench.gui.look.context_actions import add_context_actions
from workbench.gui.look.frames import RingedArea
from workbench.gui.look.icons import pixmap
from workbench.gui.look.inline_look import laid_out
from workbench.gui.look.theming import CONTROL_RADIUS_PX, Theme, current_theme
from workbench.gui.runs.card import Card, CardKind, CardsChange
from workbench.gui.words.run_words import number_of
from workbench.gui.words.values import drawable
from workbench.i18n import N_, _
from workbench.model.meaning import StepKind
from workbench.syntax.inline import Stretch, has_marks, stretches_of_lines

GAP_PX = 6
PAD_PX = 7
ICON_PX = 16
WORDS_PX = 56
COLUMN_GAP_PX = 10
NUMBER_PX = 48
NARROWEST_PX = 60
MOST_KNOWN = 12_000
"""Of how many cards the heights are kept: whoever goes back and forth in a run sees the same ones again."""
WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft)
WRAP_ANYWHERE = int(Qt.TextFlag.TextWrapAnywhere | Qt.AlignmentFlag.AlignLeft)
CARD_WORDS = {
    CardKind.BEGUN: N_("Run"),
    CardKind.TOLD: N_("Says"),
    CardKind.ASKED: N_("Asks"),
    CardKind.TO_DO: N_("To do"),
    CardKind.DECIDE: N_("Decide"),
    CardKind.ANSWERED: N_("You"),
    CardKind.BRANCH: N_("Branch"),
    CardKind.CALLED: N_("Call"),
    CardKind.IN_DOUBT: N_("Outcome unknown"),
    CardKind.TRIGGERED: N_("Trigger"),
    CardKind.MESSAGE: N_("Message"),
    CardKind.SAVED: N_("Saved"),
    CardKind.FAILED: N_("Failed"),
    CardKind.BLOCKED: N_("Blocked"),
    CardKind.SAID: N_("Said"),
    CardKind.ENDED: N_("Run"),
    CardKind.STOPPED: N_("Run"),
    CardKind.WAITING: N_("Waits"),
    CardKind.MODEL: N_("Model"),
}
_ICONS = {
    CardKind.BEGUN: "run",
    CardKind.TOLD: "tell",
    CardKind.ASKED: "ask",
    CardKind.TO_DO: "person",
    CardKind.DECIDE: "decision",
    CardKind.ANSWERED: "chat",
    CardKind.BRANCH: "decision",
    CardKind.CALLED: "python",
    CardKind.IN_DOUBT: "blocked",
    CardKind.TRIGGERED: "trigger",
    CardKind.MESSAGE: "chat",
    CardKind.SAVED: "file",
    CardKind.FAILED: "failed",
    CardKind.BLOCKED: "shield",
    CardKind.SAID: "chat",
    CardKind.ENDED: "done",
    CardKind.STOPPED: "stop",
    CardKind.WAITING: "waiting",
    CardKind.MODEL: "workbench",
}
_STEP_COLORS = {
    CardKind.TOLD: StepKind.TELL,
    CardKind.DECIDE: StepKind.DECISION,
    CardKind.BRANCH: StepKind.DECISION,
    CardKind.CALLED: StepKind.CALL,
    CardKind.ASKED: StepKind.ASK,
    CardKind.TO_DO: StepKind.ASK,
    CardKind.TRIGGERED: StepKind.TRIGGER,
}


class CardPainter:
    """Measures and paints cards in one theme."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.current = theme.accent
        self._font = theme.body_font()
        self._small = theme.secondary_font()
        self._metrics = QFontMetrics(self._font)
        self._line_px = self._metrics.lineSpacing()
        self._wide_px = max(1, self._metrics.horizontalAdvance("W"))
        self._small_metrics = QFontMetrics(self._small)
        widest = max(self._small_metrics.horizontalAdvance(str(words)) for words in CARD_WORDS.values())
        self.words_px = max(widest, theme.px(WORDS_PX)) + COLUMN_GAP_PX
        self._known: dict[int, tuple[Card, int]] = {}
        self._known_px = -1

    def height(self, card: Card, width: int) -> int:
        """The height of *card* in a pane of *width*, the gap below included; measured once."""
        if width != self._known_px or len(self._known) > MOST_KNOWN:
            self._known, self._known_px = {}, width
        known = self._known.get(id(card))
        if known is None or known[0] is not card:
            known = self._known[id(card)] = card, self._measured(card, width)
        return known[1]

    def _measured(self, card: Card, width: int) -> int:
        room, words = self.text_px(card, width), _shown(card)
        if has_looks(card):
            return self._lines(card, room) * self._line_px + 2 * PAD_PX + GAP_PX
        # most cards are short: no need to lay out what fits on one line whatever its letters are
        if "\n" not in words and len(words) * self._wide_px <= room:
            text_px = self._line_px
        else:
            text_px = self._metrics.boundingRect(QRect(0, 0, room, 1_000_000), self._wrap(words, room), words).height()
        return text_px + 2 * PAD_PX + GAP_PX

    def paint(self, painter: QPainter, card: Card, area: QRectF, frame: str | None) -> None:
        """Paint *card* into *area*; *frame*: the colour of a ring around the current one."""
        theme = self.theme
        face = area.adjusted(8.5, GAP_PX - 0.5, -8.5, -0.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(frame or theme.border), 2 if frame else 1))
        painter.setBrush(QColor(self._ground(card)))
        painter.drawRoundedRect(face, CONTROL_RADIUS_PX, CONTROL_RADIUS_PX)
        color = self._color(card)
        icon_px = theme.px(ICON_PX)
        picture = pixmap(_ICONS[card.kind], color, icon_px, painter.device().devicePixelRatioF())
        top = face.top() + PAD_PX
        painter.drawPixmap(int(face.left()) + 10, int(top + (self._line_px - icon_px) / 2), picture)
        painter.setFont(self._small)
        painter.setPen(QColor(color))
        left = face.left() + 18 + icon_px
        line = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(left, top, self.words_px, self._line_px), line, str(CARD_WORDS[card.kind]))
        painter.setPen(QColor(theme.muted))
        number_px = self.number_px(card, int(area.width()))
        number = QRectF(face.right() - number_px - 8, top, number_px, self._line_px)
        painter.drawText(number, line | Qt.AlignmentFlag.AlignRight, number_of(card.step))
        painter.setFont(self._font)
        painter.setPen(QColor(theme.text))
        room, words = self.text_px(card, int(area.width())), _shown(card)
        if has_looks(card):
            laid_out(_styled(card), theme, self._font, room).draw(painter, QPointF(left + self.words_px, top))
            return
        text = QRectF(left + self.words_px, top, room, face.bottom() - top)
        painter.drawText(text, self._wrap(words, room), words)

    def _lines(self, card: Card, room: int) -> int:
        return max(1, laid_out(_styled(card), self.theme, self._font, room).lineCount())

    def _wrap(self, words: str, room: int) -> int:
        """Break between words, unless one is too long for a line (a path, a value)."""
        longest = max(words.split(), key=len, default="")
        is_too_long = len(longest) * self._wide_px > room and self._metrics.horizontalAdvance(longest) > room
        return WRAP_ANYWHERE if is_too_long else WRAP

    def text_px(self, card: Card, width: int) -> int:
        """The room between the word and the number."""
        number_px = self.number_px(card, width)
        return max(NARROWEST_PX, self._room_px(width) - (number_px + COLUMN_GAP_PX if number_px else 0))

    def number_px(self, card: Card, width: int) -> int:
        """The room of the number of the step; none in a pane too narrow for it and the text."""
        needed = self._small_metrics.horizontalAdvance(number_of(card.step))
        column_px = max(needed, self.theme.px(NUMBER_PX))
        return column_px if self._room_px(width) - column_px - COLUMN_GAP_PX >= NARROWEST_PX else 0

    def _room_px(self, width: int) -> int:
        """What the word leaves of a card in a pane of *width*."""
        return width - 17 - 18 - self.theme.px(ICON_PX) - self.words_px - 16

    def _color(self, card: Card) -> str:
        if card.kind in _STEP_COLORS:
            return self.theme.kind_color(_STEP_COLORS[card.kind])
        return {
            CardKind.FAILED: self.theme.failed,
            CardKind.IN_DOUBT: self.theme.blocked,
            CardKind.BLOCKED: self.theme.blocked,
            CardKind.SAID: self.theme.accent,
            CardKind.ANSWERED: self.theme.accent,
            CardKind.ENDED: self.theme.done,
        }.get(card.kind, self.theme.muted)

    def _ground(self, card: Card) -> str:
        return self.theme.selection if card.kind is CardKind.ANSWERED else self.theme.window


def _shown(card: Card) -> str:
    text = "".join([each.text for each in stretches_of_lines(card.text)]) if card.is_prose else card.text
    return drawable(f"{text} → {card.outcome}" if card.outcome else text)


def _styled(card: Card) -> tuple[Stretch, ...]:
    return (*stretches_of_lines(card.text), Stretch(f" → {card.outcome}" if card.outcome else ""))


def has_looks(card: Card) -> bool:
    """True where parts of what *card* says look otherwise than the rest."""
    is_marked = card.is_prose and has_marks(card.text)
    return is_marked and any(not each.is_plain for each in stretches_of_lines(card.text))


def card_words(card: Card) -> str:
    """The whole card as text, for the clipboard and for screen readers."""
    place = f" ({card.step})" if card.step else ""
    return f"{CARD_WORDS[card.kind]}{place}: {_shown(card)}"


class ConversationView(RingedArea):
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

    def show_cards(self, cards: Sequence[Card]) -> None:
        """Show exactly *cards*, the last one in sight; those before the first that differs stay as they are."""
        same = next((at for at, (old, new) in enumerate(zip(self.cards, cards, strict=False)) if old != new), -1)
        first = same if same >= 0 else min(len(self.cards), len(cards))
        self.current = min(self.current, len(cards) - 1)
        self.apply(CardsChange(first, tuple(cards[first:])))
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def take_theme(self) -> None:
        """Cards are as high as their letters make them."""
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
        """Heights follow the width; those before *first* are known."""
        del self.tops[first + 1 :]
        width = self._cards_px
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
