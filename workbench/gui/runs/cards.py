"""The conversation of a run as cards: what was said, asked, answered, decided and called, in order."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbench.engine.journal import events as types
from workbench.engine.journal.events import RunEvent
from workbench.engine.ports import Purpose
from workbench.gui.control.running.run_marks import error_of
from workbench.gui.words.values import value_text
from workbench.i18n import _
from workbench.model.meaning import StepKind

LONGEST_TEXT = 2000
MOST_CARDS = 4000
SPARE_CARDS = 1000


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


@dataclass(frozen=True, slots=True)
class Card:
    """One entry. *step*: an address, or empty. *outcome*: what a call gave, as far as it is known."""

    kind: CardKind
    text: str
    step: str = ""
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class CardsChange:
    """First the oldest *removed* become the one card *head*; then *cards* replace everything from index *first* on."""

    first: int
    cards: tuple[Card, ...]
    removed: int = 0
    head: Card | None = None


_QUESTIONS = {"ask": CardKind.ASKED, "judge": CardKind.TO_DO, "decide": CardKind.DECIDE, "in_doubt": CardKind.IN_DOUBT}
StepWords = Callable[[str], tuple[StepKind, str]]


class CardFold:
    """Keeps the cards of one run up to date. *step_words*: kind and text of the step at an address."""

    def __init__(self, step_words: StepWords) -> None:
        self.cards: list[Card] = []
        self._step_words = step_words
        self._calls: dict[str, int] = {}  # open calls: span → index of the card
        self._silent: set[str] = set()
        self._turns: set[str] = set()
        self._step_of_turn = ""
        self._dropped = 0
        self._began_ns = 0
        self.lasted_s = 0.0

    def take(self, batch: Sequence[RunEvent]) -> CardsChange | None:
        """What *batch* changes, or None."""
        first = len(self.cards)
        if batch:
            self._began_ns = self._began_ns or batch[0].at_ns
            self.lasted_s = (batch[-1].at_ns - self._began_ns) / 1e9
        for event in batch:
            if event.type in {types.TOOL_RESULT, types.TOOL_ERROR}:
                first = min(first, self._end_call(event))
            elif (card := self._card(event)) is not None:
                if event.type == types.TOOL_CALL:
                    self._calls[event.span] = len(self.cards)
                self.cards.append(card)
        if first >= len(self.cards):
            return None
        if len(self.cards) > MOST_CARDS + SPARE_CARDS:
            return self._shortened(first)
        return CardsChange(first, tuple(self.cards[first:]))

    def _shortened(self, first: int) -> CardsChange:
        """Give up the oldest cards: a loop that never ends would fill the memory, and nobody reads so far back."""
        removed = min(first, len(self.cards) - MOST_CARDS)  # what the view does not know yet stays
        if removed < 2:
            return CardsChange(first, tuple(self.cards[first:]))
        self._dropped += removed - (1 if self._dropped else 0)  # the card that says so is not one of them
        words = _("{count} earlier entries are on the timeline only.").format(count=f"{self._dropped:,}")
        head = self.cards[0] = Card(CardKind.BEGUN, words)
        del self.cards[1:removed]
        self._calls = {span: index - removed + 1 for span, index in self._calls.items() if index >= removed}
        first -= removed - 1
        return CardsChange(first, tuple(self.cards[first:]), removed, head)

    def _end_call(self, event: RunEvent) -> int:
        """Put what the call gave on its card; yields the card's index."""
        index = self._calls.pop(event.span, None)
        if index is None:
            return len(self.cards)
        outcome = error_of(event) if event.type == types.TOOL_ERROR else value_text(event.body.get("value"))
        kind = CardKind.FAILED if event.type == types.TOOL_ERROR else CardKind.CALLED
        self.cards[index] = replace(self.cards[index], kind=kind, outcome=outcome)
        return index

    def _card(self, event: RunEvent) -> Card | None:
        body = event.body
        if self._is_about_triggers(event) or self._is_asked_again(event):
            return None
        match event.type:
            case types.INPUT_ASKED:
                kind = _QUESTIONS.get(str(body.get("kind")), CardKind.TO_DO)
                return Card(kind, _cut(str(body.get("text", ""))), event.step)
            case types.INPUT_GIVEN:
                return Card(CardKind.ANSWERED, _cut(answer_text(body.get("answer"))), event.step)
            case types.BRANCH_TAKEN:
                return self._branch(event)
            case types.TOOL_CALL:
                return Card(CardKind.CALLED, _cut(call_text(body)), event.step)
            case types.IN_DOUBT:
                return Card(CardKind.IN_DOUBT, _cut(str(body.get("text", ""))), event.step)
            case types.RESOLVED:
                how = _HOW.get(str(body.get("how")), str(body.get("how")))
                return Card(CardKind.ANSWERED, how, event.step)
            case types.STEP_FAILED:
                return Card(CardKind.FAILED, _cut(error_of(event)), event.step)
            case _:
                return listed_card(event) or _happening(event) or _ending(event)

    def _is_about_triggers(self, event: RunEvent) -> bool:
        """They are asked about after many steps, which would drown the rest; what comes of it is told."""
        if event.type == types.INPUT_ASKED and event.body.get("purpose") == Purpose.TRIGGERS.value:
            self._silent.add(event.span)
        return event.span in self._silent and event.type in {types.INPUT_ASKED, types.INPUT_GIVEN}

    def _is_asked_again(self, event: RunEvent) -> bool:
        """Whether *event* is a turn in the same step as before, or its answer, which the call itself tells."""
        if event.type == types.INPUT_ASKED and event.body.get("purpose") == Purpose.TURN.value:
            is_again, self._step_of_turn = self._step_of_turn == event.step, event.step
            self._turns.add(event.span)
            return is_again
        return event.type == types.INPUT_GIVEN and event.span in self._turns

    def _branch(self, event: RunEvent) -> Card | None:
        """An exact decision; what somebody judged is told by the answer already."""
        last = self.cards[-1] if self.cards else None
        if last is not None and last.kind is CardKind.ANSWERED and last.step == event.step:
            return None
        kind, text = self._step_words(event.step)
        if kind is not StepKind.DECISION:
            return None
        return Card(CardKind.BRANCH, _cut(text), event.step, _("yes") if event.body.get("taken") else _("no"))


_BEGUN = {types.RUN_STARTED: _("The run has begun."), types.RUN_RESUMED: _("The run goes on.")}

_HOW = {"done": _("It happened."), "again": _("Call it again."), "skip": _("Skip it.")}


def _happening(event: RunEvent) -> Card | None:
    """What is said, and what agents do beside the steps."""
    body = event.body
    match event.type:
        case types.RUN_STARTED | types.RUN_RESUMED:
            return Card(CardKind.BEGUN, _BEGUN[event.type])
        case types.TOLD:
            target = _("to {person}: ").format(person=body["target"]) if body.get("target") else ""
            return Card(CardKind.TOLD, _cut(target + str(body.get("text", ""))), event.step)
        case types.TRIGGER_FIRED:
            words = _("{playbook} begins.").format(playbook=body.get("playbook", ""))
            return Card(CardKind.TRIGGERED, words, event.step)
        case types.MESSAGE_SENT:
            to = body.get("to") or ()
            names = ", ".join(map(str, to)) if isinstance(to, list | tuple) else str(to)
            words = _("{sender} to {names}: {text}").format(sender=body.get("from"), names=names, text=body.get("text"))
            return Card(CardKind.MESSAGE, _cut(words), event.step)
        case types.ARTIFACT_SAVED:
            words = f"{body.get('name', '')} · {body.get('summary', '')}".rstrip(" ·")
            return Card(CardKind.SAVED, _cut(words), event.step)
        case _:
            return None


def listed_card(event: RunEvent) -> Card | None:
    """What happens in step lists only: calls that were not made, what was said of a step, steps that failed."""
    body = event.body
    match event.type:
        case types.CALL_BLOCKED:
            reasons = [str(body.get("message", "")), *map(str, body.get("hints") or ())]
            return Card(CardKind.BLOCKED, _cut(call_text(body)), event.step, _cut("\n".join(reasons)))
        case types.CALL_CANCELLED:
            return Card(CardKind.BLOCKED, _cut(call_text(body)), event.step, str(body.get("message", "")))
        case types.PLAN_CONTROL:
            said = [str(value) for value in dict(body.get("named") or {}).values() if value]
            words = _SAID.get(str(body.get("tool")), str(body.get("tool")))
            return Card(CardKind.SAID, _cut(" ".join([words, *said])), event.step)
        case types.STEP_EXITED if body.get("is_failed"):
            return Card(CardKind.FAILED, _cut(error_of(event)), event.step)
        case _:
            return None


_SAID = {
    "complete_step": _("It is said that the step is done."),
    "skip_step": _("It is said that the step is left out."),
    "task_complete": _("It is said that everything is done."),
}


def _ending(event: RunEvent) -> Card | None:
    match event.type:
        case types.RUN_COMPLETED:
            returned = event.body.get("return")
            outcome = "" if returned is None else value_text(returned)
            return Card(CardKind.ENDED, _("The run is complete."), outcome=outcome)
        case types.RUN_CANCELLED:
            return Card(CardKind.STOPPED, _("The run was stopped. It can be resumed."))
        case types.RUN_FAILED:
            return Card(CardKind.FAILED, _("The run has failed."), outcome=_cut(error_of(event)))
        case _:
            return None


def call_text(body: Any) -> str:
    """``lookup_order("A-17", full=true)``."""
    positional = [value_text(value) for value in body.get("positional", ())]
    named = [f"{name}={value_text(value)}" for name, value in dict(body.get("named", {})).items()]
    return f"{body.get('tool', '')}({', '.join([*positional, *named])})"


def answer_text(answer: Any) -> str:
    """What was answered, in a few words."""
    given = answer if isinstance(answer, dict) else {}
    if isinstance(given.get("decision"), bool):
        words = [_("Yes") if given["decision"] else _("No")]
    elif given.get("choice"):
        words = [str(given["choice"])]
    else:
        words = [f"{name} = {value_text(value)}" for name, value in dict(given.get("values") or {}).items()]
    note = str(given.get("text") or "")
    return " · ".join([*words, note] if note else words) or _("Done")


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
