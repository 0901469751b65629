"""What models do in a run, as cards: what they say while they say it, what that took, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from workbench.engine.journal.model_events import (
    AnswerProposed,
    JudgementHandedOver,
    ModelAnswered,
    ModelAsked,
    ModelSaid,
    WishAnswered,
)
from workbench.engine.journal.payload import EventPayload
from workbench.gui.runs.card import Card, CardKind, answer_text, cut
from workbench.gui.words.values import value_text
from workbench.i18n import _, ngettext, numeral

GROWING = (ModelSaid, ModelAnswered)
"""Events that change the card of the model which was asked last."""


def _asked(step: str, asked: ModelAsked) -> Card:
    outcome = _("Asked again: {problem}").format(problem=asked.problem) if asked.problem else ""
    return Card(CardKind.MODEL, "…", step, cut(outcome))


def grown(card: Card, payload: EventPayload) -> Card:
    """*card* of a model that was asked, after *payload*."""
    if isinstance(payload, ModelSaid):
        said = "" if card.text == "…" else card.text
        return replace(card, text=cut(said + payload.text))
    assert isinstance(payload, ModelAnswered)
    return replace(card, text=cut(_said(payload)), outcome=used_text(payload))


def _said(answered: ModelAnswered) -> str:
    if answered.wishes:
        count = ngettext("Wants {count} call.", "Wants {count} calls.", len(answered.wishes))
        return "\n".join(filter(None, (answered.text.strip(), count)))
    if answered.data is not None:
        return value_text(answered.data)
    return answered.text.strip() or _("It said nothing.")


def used_text(answered: ModelAnswered) -> str:
    """What an answer took: the model, its tokens, its cost."""
    tokens = _("tokens: {input} + {output}").format(input=numeral(answered.input), output=numeral(answered.output))
    cost = "" if answered.cost_usd is None else f"${numeral(answered.cost_usd, '.4f')}"
    return " · ".join(filter(None, (answered.model, tokens, cost)))


def _proposed(step: str, proposed: AnswerProposed) -> Card:
    return Card(CardKind.MODEL, cut(_("Proposes: {answer}").format(answer=answer_text(proposed.answer))), step)


def _handed_over(step: str, handed: JudgementHandedOver) -> Card:
    words = _("Handed over to you: {reason}").format(reason=handed.reason)
    return Card(CardKind.MODEL, cut(words), step, cut(handed.said))


def _wish(step: str, answered: WishAnswered) -> Card | None:
    return Card(CardKind.FAILED, cut(answered.tool), step, cut(answered.text)) if answered.is_error else None


RULES: dict[type[EventPayload], Callable[[str, Any], Card | None]] = {
    ModelAsked: _asked,
    AnswerProposed: _proposed,
    JudgementHandedOver: _handed_over,
    WishAnswered: _wish,
}


def last_model_card(cards: Sequence[Card]) -> int:
    """The index of the card of the model that was asked last, -1 where there is none."""
    return next((at for at in range(len(cards) - 1, -1, -1) if cards[at].kind is CardKind.MODEL), -1)
