"""How one card of the conversation looks: icon, word, text, step number."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from workbench.gui.look.icons import pixmap
from workbench.gui.look.theme import CONTROL_RADIUS_PX, Theme
from workbench.gui.runs.cards import Card, CardKind
from workbench.gui.words.run_words import number_of
from workbench.i18n import _
from workbench.model.meaning import StepKind

GAP_PX = 6
PAD_PX = 7
ICON_PX = 16
WORDS_PX = 56
COLUMN_GAP_PX = 10
NUMBER_PX = 48
NARROWEST_PX = 60
WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft)
WRAP_ANYWHERE = int(Qt.TextFlag.TextWrapAnywhere | Qt.AlignmentFlag.AlignLeft)

CARD_WORDS = {
    CardKind.BEGUN: _("Run"),
    CardKind.TOLD: _("Says"),
    CardKind.ASKED: _("Asks"),
    CardKind.TO_DO: _("To do"),
    CardKind.DECIDE: _("Decide"),
    CardKind.ANSWERED: _("You"),
    CardKind.BRANCH: _("Branch"),
    CardKind.CALLED: _("Call"),
    CardKind.IN_DOUBT: _("In doubt"),
    CardKind.TRIGGERED: _("Trigger"),
    CardKind.MESSAGE: _("Message"),
    CardKind.SAVED: _("Saved"),
    CardKind.FAILED: _("Failed"),
    CardKind.BLOCKED: _("Blocked"),
    CardKind.SAID: _("Said"),
    CardKind.ENDED: _("Run"),
    CardKind.STOPPED: _("Run"),
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
        widest = max(self._small_metrics.horizontalAdvance(words) for words in CARD_WORDS.values())
        self.words_px = max(widest, theme.px(WORDS_PX)) + COLUMN_GAP_PX

    def height(self, card: Card, width: int) -> int:
        """The height of *card* in a pane of *width*, the gap below included."""
        room, words = self.text_px(card, width), _shown(card)
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
        painter.drawText(QRectF(left, top, self.words_px, self._line_px), line, CARD_WORDS[card.kind])
        painter.setPen(QColor(theme.muted))
        number_px = self.number_px(card, int(area.width()))
        number = QRectF(face.right() - number_px - 8, top, number_px, self._line_px)
        painter.drawText(number, line | Qt.AlignmentFlag.AlignRight, number_of(card.step))
        painter.setFont(self._font)
        painter.setPen(QColor(theme.text))
        room, words = self.text_px(card, int(area.width())), _shown(card)
        text = QRectF(left + self.words_px, top, room, face.bottom() - top)
        painter.drawText(text, self._wrap(words, room), words)

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
    return f"{card.text} → {card.outcome}" if card.outcome else card.text


def card_words(card: Card) -> str:
    """The whole card as text, for the clipboard and for screen readers."""
    place = f" ({card.step})" if card.step else ""
    return f"{CARD_WORDS[card.kind]}{place}: {_shown(card)}"
