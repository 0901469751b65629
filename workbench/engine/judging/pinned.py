"""Answers from runs before, around what decides: where one is kept for a question, nobody is asked it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from workbench.engine.answers import AnswerRefused, checked
from workbench.engine.debugging.pins import Pin, Pins
from workbench.engine.decider import AskJudgement, Consult, Decider, Decision, Draft, Drafts, Settled
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.instead import How, Instead
from workbench.engine.journal.run_events import InputGiven, ToolResult
from workbench.engine.judging.decider import Around, Hears
from workbench.engine.judging.telling import as_answer
from workbench.engine.ports import Request
from workbench.engine.state.fold import RunFold


def with_pins(inner: Decider, pins: Pins) -> Decider:
    """*inner*, asking nobody what *pins* answer; the turns of a step list are none of that."""
    return PinnedDecider(inner, pins) if pins and not inner.snapshot.program.format.is_steplist else inner


class PinnedDecider(Around):
    """A decider around another one. *pins*: those that are given once are used in their order.

    Kept here is only which of these was taken for which question, so that deciding anew takes no other.
    """

    def __init__(self, inner: Decider, pins: Pins) -> None:
        super().__init__(inner)
        self._left = list(pins)
        self._taken: dict[str, Pin] = {}

    def take(self, event: RunEvent) -> None:
        """Hear of *event*, which has happened."""
        if isinstance(self.inner, Hears):
            self.inner.take(event)

    def decide(self, fold: RunFold) -> Decision:
        """What the inner decider says; a question that was answered before gets that answer."""
        decision = self.inner.decide(fold)
        if not isinstance(decision, AskJudgement) or fold.top.said is not None:
            return decision
        request = decision.request
        pin = self._pin_for(request)
        answer = None if pin is None else _answer_of(request, pin)
        if pin is None or answer is None:
            return decision
        return Consult(lambda _tell: self._given(fold, request, pin, answer))

    def _pin_for(self, request: Request) -> Pin | None:
        if request.id in self._taken:
            return self._taken[request.id]
        pin = next((each for each in self._left if each.is_for(request)), None)
        if pin is not None:
            self._taken[request.id] = pin
            self._left = [each for each in self._left if each is not pin or not pin.is_once]
        return pin

    def _given(self, fold: RunFold, request: Request, pin: Pin, answer: dict[str, Any]) -> Drafts:
        instead = Instead(How.PIN, pin.by, run=pin.run)
        return tuple(_said(draft, instead) for draft in self.inner.given(fold, request, answer))

    def given(self, fold: RunFold, request: Request, answer: dict[str, Any]) -> Drafts:
        """The events that *answer* was given."""
        return self.inner.given(fold, request, answer)

    def returned(self, fold: RunFold, result: ToolResult) -> Drafts:
        """The events that the call at hand came to *result*."""
        return self.inner.returned(fold, result)

    def resolved(self, fold: RunFold, settled: Settled) -> Drafts:
        """The events that the call at hand is made again, or is over."""
        return self.inner.resolved(fold, settled)

    def cancel(self) -> None:
        """Give up what is waited for; callable from any thread."""
        self.inner.cancel()


def _answer_of(request: Request, pin: Pin) -> dict[str, Any] | None:
    """The answer of *pin*, where it fits *request*."""
    try:
        return checked(request, as_answer(request, pin.answer))
    except AnswerRefused:
        return None


def _said(draft: Draft, instead: Instead) -> Draft:
    payload = draft.payload
    return replace(draft, payload=replace(payload, instead=instead)) if isinstance(payload, InputGiven) else draft
