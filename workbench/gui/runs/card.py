"""One entry of the conversation of a run."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any

from workbench.gui.runs.work_words import work_told
from workbench.gui.words.values import value_text
from workbench.i18n import _

LONGEST_TEXT = 2000


class CardKind(enum.Enum):
    """What a card tells."""

    BEGUN = "begun"
    TOLD = "told"
    ASKED = "asked"
    TO_DO = "to do"
    DECIDE = "decide"
    ANSWERED = "answered"
    BRANCH = "branch"
    CALLED = "called"
    IN_DOUBT = "in doubt"
    TRIGGERED = "triggered"
    MESSAGE = "message"
    SAVED = "saved"
    FAILED = "failed"
    BLOCKED = "blocked"
    SAID = "said"
    ENDED = "ended"
    STOPPED = "stopped"
    WAITING = "waiting"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Card:
    """One entry. *step*: an address, or empty. *outcome*: what a call gave, as far as it is known.

    *tool*: of a call. *seq*: the event with which the call or the question begins; -1 for any other entry. *told*: the
    event that it was made of.
    """

    kind: CardKind
    text: str
    step: str = ""
    outcome: str = ""
    tool: str = field(default="", compare=False)
    seq: int = field(default=-1, compare=False)
    told: int = field(default=-1, compare=False)

    @property
    def is_prose(self) -> bool:
        """True for what is said in words; what shall be allowed is shown as it is."""
        return self.kind in _PROSE


_PROSE = frozenset({CardKind.TOLD, CardKind.TO_DO, CardKind.DECIDE, CardKind.MESSAGE, CardKind.MODEL})


@dataclass(frozen=True, slots=True)
class CardsChange:
    """First the oldest *removed* become the one card *head*; then *cards* replace everything from index *first* on."""

    first: int
    cards: tuple[Card, ...]
    removed: int = 0
    head: Card | None = None


def answer_text(answer: Any) -> str:
    """What was answered, in a few words."""
    given = answer if isinstance(answer, dict) else {}
    if isinstance(given.get("decision"), bool):
        words = [_("Yes") if given["decision"] else _("No")]
    elif "call" in given:
        words = [f"→ {given['call']}"]
    elif told := work_told(given):
        words = [told]
    else:
        words = [f"{name} = {value_text(value)}" for name, value in dict(given.get("values") or {}).items()]
    note = str(given.get("text") or "")
    return " · ".join([*words, note] if note else words) or _("Done")


def cut(text: str) -> str:
    """*text*, its end left out where it is long."""
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
