"""How the cards of a conversation look, and how high they are."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from workbench.gui.look.icons import pixmap
from workbench.gui.look.inline_look import laid_out
from workbench.gui.look.theming import CONTROL_RADIUS_PX, Theme
from workbench.gui.runs.card import Card, CardKind
from workbench.gui.words.directions import ordered
from workbench.gui.words.run_words import number_of
from workbench.gui.words.values import drawable
from workbench.i18n import N_
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
        self._rooms_px: dict[str, int] = {}  # by step: what its cards have for their words

    def height(self, card: Card, width: int) -> int:
        """The height of *card* in a pane of *width*, the gap below included; measured once."""
        if width != self._known_px or len(self._known) > MOST_KNOWN:
            self._known, self._rooms_px, self._known_px = {}, {}, width
        known = self._known.get(id(card))
        if known is None or known[0] is not card:
            known = self._known[id(card)] = card, self._measured(card, width)
        return known[1]

    def guess(self, card: Card, width: int) -> int:
        """The same as far as it was measured before, else that of a single line."""
        known = self._known.get(id(card)) if width == self._known_px else None
        return known[1] if known is not None and known[0] is card else self._line_px + 2 * PAD_PX + GAP_PX

    def _measured(self, card: Card, width: int) -> int:
        room = self._rooms_px.get(card.step)
        if room is None:
            room = self._rooms_px[card.step] = self.text_px(card, width)
        frame_px = 2 * PAD_PX + GAP_PX
        # most cards are short: no need to lay out what fits on one line whatever its letters are
        if self._is_short(card, room):
            return self._line_px + frame_px
        if has_looks(card):
            return self._lines(card, room) * self._line_px + frame_px
        words = _shown(card)
        text_px = self._metrics.boundingRect(QRect(0, 0, room, 1_000_000), self._wrap(words, room), words).height()
        return max(self._line_px, text_px) + frame_px

    def _is_short(self, card: Card, room: int) -> bool:
        """Whether *card* is shown as it is written, and so few letters fit on a line in any case."""
        text, outcome = card.text, card.outcome
        if (len(text) + len(outcome) + 3) * self._wide_px > room:
            return False
        is_plain = text.isascii() and outcome.isascii() and text.isprintable() and outcome.isprintable()
        return is_plain and not (card.is_prose and has_marks(text))

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
        painter.drawText(text, self._wrap(words, room), ordered(words))

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
