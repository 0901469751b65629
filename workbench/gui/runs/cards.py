"""The conversation of a run as cards: what was said, asked, answered, decided and called, and what it came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from workbench.engine.audit.report_markdown import counted
from workbench.engine.journal.approval_events import ApprovalAsked, ApprovalDenied, ApprovalExpired, ApprovalGranted
from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.debug_events import AnswerRecalled, PointLogged, StateEdited
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.instead import with_instead
from workbench.engine.journal.language_events import ArtifactSaved, MessageSent, TriggerFired
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import (
    BranchTaken,
    CallInDoubt,
    CallResolved,
    InputAsked,
    InputGiven,
    RunCancelled,
    RunCompleted,
    RunFailure,
    RunPaused,
    RunResumed,
    RunStarted,
    StepEntered,
    StepExited,
    StepFailure,
    Told,
    ToolCalled,
    ToolError,
    ToolResult,
)
from workbench.engine.journal.steplist_events import CallBlocked, CallCancelled, PlanSteered
from workbench.engine.journal.waiting_events import MessageHeard, TimerDue, WaitBegun
from workbench.engine.ports import ABOUT_TRIGGERS, InDoubtChoice, LeaveScope, Purpose, RequestKind
from workbench.engine.work import Went, went
from workbench.gui.control.running.run_folds import error_of, first_line
from workbench.gui.runs import model_cards
from workbench.gui.runs.card import Card, CardKind, CardsChange, answer_text, cut
from workbench.gui.words.values import value_text
from workbench.i18n import N_, _, numeral
from workbench.model.meaning import StepKind
from workbench.vocabulary import clock_text, missed_words

MOST_CARDS = 4000
SPARE_CARDS = 1000


_QUESTIONS = {
    RequestKind.ASK: CardKind.ASKED,
    RequestKind.JUDGE: CardKind.TO_DO,
    RequestKind.DECIDE: CardKind.DECIDE,
    RequestKind.IN_DOUBT: CardKind.IN_DOUBT,
    RequestKind.APPROVE: CardKind.ASKED,
}
StepWords = Callable[[str, int], tuple[StepKind, str]]


class CardFold:
    """Keeps the cards of one run up to date. *step_words*: kind and text of the step at an address, then."""

    def __init__(self, step_words: StepWords) -> None:
        self.cards: list[Card] = []
        self._step_words = step_words
        self._calls: dict[str, int] = {}  # open calls: span → index of the card
        self._silent: set[str] = set()
        self._turns: set[str] = set()
        self._step_of_turn = ""
        self._dropped = 0
        self._is_held = False
        self._failure = ""
        self._work = WorkCount()

    def take(self, batch: Sequence[RunEvent]) -> CardsChange | None:
        """What *batch* changes, or None."""
        first = len(self.cards)
        for event in batch:
            if isinstance(event.payload, ToolResult | ToolError):
                self._failure = error_of(event)
                first = min(first, self._end_call(event.span, event.payload))
            elif isinstance(event.payload, model_cards.GROWING):
                first = min(first, self._grow(event.payload))
            elif (card := self._card(event)) is not None:
                if isinstance(event.payload, ToolCalled):
                    self._calls[event.span] = len(self.cards)
                self.cards.append(_placed(card, event))
        if first >= len(self.cards):
            return None
        if len(self.cards) > MOST_CARDS + SPARE_CARDS:
            return self._shortened(first)
        return CardsChange(first, tuple(self.cards[first:]))

    def copied(self) -> CardFold:
        """Another one that has taken the same."""
        made = copy(self)
        made.cards, made._calls = list(self.cards), dict(self._calls)
        made._silent, made._turns = set(self._silent), set(self._turns)
        made._work = self._work.copied()
        return made

    def _shortened(self, first: int) -> CardsChange:
        """Give up the oldest cards: a loop that never ends would fill the memory, and nobody reads so far back."""
        removed = min(first, len(self.cards) - MOST_CARDS)  # what the view does not know yet stays
        if removed < 2:
            return CardsChange(first, tuple(self.cards[first:]))
        self._dropped += removed - (1 if self._dropped else 0)  # the card that says so is not one of them
        words = _("Earlier entries ({count}) are shown only on the timeline.").format(count=numeral(self._dropped))
        head = self.cards[0] = Card(CardKind.BEGUN, words)
        del self.cards[1:removed]
        self._calls = {span: index - removed + 1 for span, index in self._calls.items() if index >= removed}
        first -= removed - 1
        return CardsChange(first, tuple(self.cards[first:]), removed, head)

    def _end_call(self, span: str, end: ToolResult | ToolError) -> int:
        """Put what the call gave on its card; yields the card's index."""
        index = self._calls.pop(span, None)
        if index is None:
            return len(self.cards)
        if isinstance(end, ToolError):
            card = replace(
                self.cards[index], kind=CardKind.FAILED, outcome=with_instead(first_line(end.message), end.instead)
            )
        else:
            outcome = with_instead(value_text(end.value), end.instead)
            card = replace(self.cards[index], kind=CardKind.CALLED, outcome=outcome)
        self.cards[index] = card
        return index

    def _grow(self, payload: EventPayload) -> int:
        """Let the card of the model that was asked last say what it says; yields the card's index."""
        index = model_cards.last_model_card(self.cards)
        if index < 0:
            return len(self.cards)
        self.cards[index] = model_cards.grown(self.cards[index], payload)
        return index

    def _card(self, event: RunEvent) -> Card | None:
        self._work.take(event.payload)
        if self._is_about_triggers(event) or self._is_asked_again(event):
            return None
        if isinstance(event.payload, BranchTaken):
            return self._branch(event, is_taken=event.payload.taken)
        if self._is_after_pause(event):
            return None
        if isinstance(event.payload, RunCompleted) and self._work.words:
            return Card(CardKind.ENDED, _("Run completed"), outcome=self._work.words)
        rule = _RULES.get(type(event.payload))
        return self._once(event, None if rule is None else rule(event.step, event.payload))

    def _is_after_pause(self, event: RunEvent) -> bool:
        """A person who goes on from a pause, perhaps step by step, knows it; after an interruption it is told."""
        was_held, self._is_held = self._is_held, isinstance(event.payload, RunPaused) and not event.payload.reason
        return was_held and isinstance(event.payload, RunResumed)

    def _once(self, event: RunEvent, card: Card | None) -> Card | None:
        """A failure is told where it happened, and not again by all that fails because of it."""
        if isinstance(event.payload, StepEntered):
            self._failure = ""
        if card is None or card.kind is not CardKind.FAILED:
            return card
        message = error_of(event)
        if not self._failure or self._failure not in message:
            self._failure = message
            return card
        return replace(card, outcome="") if isinstance(event.payload, RunFailure) else None

    def _is_about_triggers(self, event: RunEvent) -> bool:
        """They are asked about after many steps, which would drown the rest; what comes of it is told."""
        if isinstance(event.payload, InputAsked) and event.payload.purpose in ABOUT_TRIGGERS:
            self._silent.add(event.span)
        is_about = event.span in self._silent and isinstance(event.payload, InputAsked | InputGiven)
        if isinstance(event.payload, InputGiven):
            self._silent.discard(event.span)
        return is_about

    def _is_asked_again(self, event: RunEvent) -> bool:
        """Whether *event* is a turn in the same step as before, or its answer, which the call itself tells."""
        if isinstance(event.payload, InputAsked) and event.payload.purpose is Purpose.TURN:
            is_again, self._step_of_turn = self._step_of_turn == event.step, event.step
            self._turns.add(event.span)
            return is_again
        is_answer = isinstance(event.payload, InputGiven) and event.span in self._turns
        if is_answer:
            self._turns.discard(event.span)
        return is_answer

    def _branch(self, event: RunEvent, *, is_taken: bool) -> Card | None:
        """An exact decision; what somebody judged is told by the answer already."""
        last, step = self.cards[-1] if self.cards else None, event.step
        if last is not None and last.kind is CardKind.ANSWERED and last.step == step:
            return None
        kind, text = self._step_words(step, event.seq)
        if kind is not StepKind.DECISION:
            return None
        return Card(CardKind.BRANCH, cut(text), step, _("yes") if is_taken else _("no"))


def _placed(card: Card, event: RunEvent) -> Card:
    """*card*, which knows the call or the question that it is about."""
    match event.payload:
        case ToolCalled(tool=tool):
            return replace(card, tool=tool, seq=event.seq, told=event.seq)
        case InputAsked():
            return replace(card, seq=event.seq, told=event.seq)
        case InputGiven(request=request) if request[1:].isdecimal():  # it is named after the event that asked
            return replace(card, seq=int(request[1:]), told=event.seq)
    return replace(card, told=event.seq)


_HOW = {
    InDoubtChoice.DONE: N_("Marked as done"),
    InDoubtChoice.AGAIN: N_("Retried"),
    InDoubtChoice.SKIP: N_("Skipped"),
}


_BY = {"person": CardKind.ANSWERED}
"""Whose word about a call is told as that of the person who reads this."""


_SAID = {
    "complete_step": N_("Step reported as done."),
    "skip_step": N_("Step reported as skipped."),
    "task_complete": N_("All steps reported as done."),
}


def _given(step: str, given: InputGiven) -> Card | None:
    """The answer of a person, or of an earlier run; what a model answered is told by its own card."""
    words = cut(answer_text(given.answer))
    if given.instead is not None:
        return Card(CardKind.ANSWERED, words, step, with_instead("", given.instead))
    if given.judge == "replay":
        return Card(CardKind.ANSWERED, words, step, _("from an earlier run"))
    return Card(CardKind.ANSWERED, words, step) if not given.judge else None


def _told(step: str, told: Told) -> Card:
    target = _("to {person}: ").format(person=told.target) if told.target else ""
    return Card(CardKind.TOLD, cut(target + told.text), step)


def _message(step: str, sent: MessageSent) -> Card:
    names = ", ".join(sent.to)
    words = _("{sender} to {names}: {text}").format(sender=sent.sender, names=names, text=sent.text)
    return Card(CardKind.MESSAGE, cut(words), step)


def _heard(step: str, heard: MessageHeard) -> Card:
    """What the person says stands there like an answer."""
    if not heard.sender:
        return Card(CardKind.ANSWERED, cut(heard.text), step)
    words = _("{sender} to {names}: {text}").format(sender=heard.sender, names=heard.to, text=heard.text)
    return Card(CardKind.MESSAGE, cut(words), step)


def _waiting(step: str, begun: WaitBegun) -> Card | None:
    """That a step waits; what is between playbooks is told by the header, again and again."""
    return Card(CardKind.WAITING, _("until {time}").format(time=clock_text(begun.until_ns)), step) if step else None


def _due(step: str, due: TimerDue) -> Card | None:
    return Card(CardKind.TRIGGERED, missed_words(due.due_ns, due.missed), step) if due.missed else None


def _blocked(step: str, call: CallBlocked) -> Card:
    words = cut(call_text(call.tool, call.positional, call.named))
    return Card(CardKind.BLOCKED, words, step, cut("\n".join([call.message, *call.hints])))


def _said(step: str, said: PlanSteered) -> Card:
    values = [str(value) for value in said.named.values() if value]
    if said.refused:
        return Card(CardKind.BLOCKED, cut(call_text(said.tool, (), said.named)), step, cut(said.refused))
    return Card(CardKind.SAID, cut(" ".join([str(_SAID.get(said.tool, said.tool)), *values])), step)


def _exited(step: str, exited: StepExited) -> Card | None:
    """Steps of a list fail by ending so; the others have an event for it."""
    is_of_list = exited.id is not None
    return _failed(step, exited.error or "") if is_of_list and exited.status is StepStatus.FAILED else None


def _failed(step: str, message: str) -> Card:
    return Card(CardKind.FAILED, cut(first_line(message)), step)


def _granted(step: str, granted: ApprovalGranted) -> Card:
    """Who allowed the call, how far, and with which changes."""
    if granted.by == "policy":
        return Card(CardKind.SAID, _("Allowed by the permissions"), step)
    words = _("Allowed for this run") if granted.scope is LeaveScope.RUN else _("Allowed")
    if granted.arguments is None:
        return Card(_BY.get(granted.by, CardKind.SAID), words, step)
    given = ", ".join(f"{name}={value_text(value)}" for name, value in granted.arguments.items())
    return Card(
        _BY.get(granted.by, CardKind.SAID), words, step, cut(_("with changes: {arguments}").format(arguments=given))
    )


def _denied(step: str, denied: ApprovalDenied) -> Card:
    words = _("Refused") if denied.by in _BY else _("Not allowed")
    return Card(CardKind.BLOCKED, words, step, cut(denied.reason))


def _logged(step: str, logged: PointLogged) -> Card:
    """What a log point tells, or why it cannot."""
    kind, words = (CardKind.FAILED, logged.problem) if logged.problem else (CardKind.SAID, logged.text)
    return Card(kind, cut(words), step)


def _completed(_step: str, completed: RunCompleted) -> Card:
    outcome = "" if completed.returned is None else value_text(completed.returned)
    return Card(CardKind.ENDED, _("Run completed"), outcome=outcome)


def _run_failed(_step: str, failure: RunFailure) -> Card:
    return Card(CardKind.FAILED, _("Run failed"), outcome=cut(first_line(failure.message)))


_RULES: dict[type[EventPayload], Callable[[str, Any], Card | None]] = {
    RunStarted: lambda _step, _payload: Card(CardKind.BEGUN, _("Run started")),
    RunResumed: lambda _step, _payload: Card(CardKind.BEGUN, _("Run resumed")),
    RunCompleted: _completed,
    RunCancelled: lambda _step, _payload: Card(CardKind.STOPPED, _("Run stopped. You can resume it.")),
    RunFailure: _run_failed,
    StepExited: _exited,
    StepFailure: lambda step, failure: _failed(step, failure.message),
    InputAsked: lambda step, asked: Card(_QUESTIONS[asked.kind], cut(asked.text), step),
    InputGiven: _given,
    Told: _told,
    ToolCalled: lambda step, call: Card(CardKind.CALLED, cut(call_text(call.tool, call.positional, call.named)), step),
    CallInDoubt: lambda step, asked: Card(CardKind.IN_DOUBT, cut(asked.text), step),
    ApprovalAsked: lambda step, asked: Card(CardKind.ASKED, cut(asked.text), step),
    ApprovalGranted: _granted,
    ApprovalDenied: _denied,
    ApprovalExpired: lambda step, expired: Card(CardKind.BLOCKED, _("Permission expired"), step, cut(expired.reason)),
    CallResolved: lambda step, resolved: Card(CardKind.ANSWERED, str(_HOW[resolved.how]), step),
    TriggerFired: lambda step, fired: Card(
        CardKind.TRIGGERED, _("{playbook} started").format(playbook=fired.playbook), step
    ),
    MessageSent: _message,
    MessageHeard: _heard,
    WaitBegun: _waiting,
    TimerDue: _due,
    ArtifactSaved: lambda step, saved: Card(CardKind.SAVED, cut(f"{saved.name} · {saved.summary}".rstrip(" ·")), step),
    CallBlocked: _blocked,
    CallCancelled: lambda step, call: Card(
        CardKind.BLOCKED, cut(call_text(call.tool, (), call.named)), step, call.message
    ),
    PlanSteered: _said,
    PointLogged: _logged,
    StateEdited: lambda step, edited: Card(
        CardKind.ANSWERED, cut(f"{edited.name} = {value_text(edited.new)}"), step, _("changed by hand")
    ),
    **model_cards.RULES,
}


def call_text(tool: str, positional: Sequence[Any], named: Mapping[str, Any]) -> str:
    """``lookup_order("A-17", full=true)``."""
    values = [*map(value_text, positional), *(f"{name}={value_text(value)}" for name, value in named.items())]
    return f"{tool}({', '.join(values)})"


class WorkCount:
    """How many steps of a run were done, skipped, or did not work."""

    def __init__(self) -> None:
        self._came = dict.fromkeys(Went, 0)
        self._last: Went | None = None
        self._counted: Went | None = None

    def copied(self) -> WorkCount:
        """Another one that has counted the same."""
        made = copy(self)
        made._came = dict(self._came)
        return made

    def take(self, payload: EventPayload) -> None:
        """Take one event in: what counts is how a step went when it was left."""
        if isinstance(payload, InputGiven):
            self._last = went(payload.answer) or self._last
        elif isinstance(payload, StepExited) and self._last is not None:
            self._came[self._last] += 1
            self._counted, self._last = self._last, None
        elif isinstance(payload, AnswerRecalled) and self._counted is not None:
            self._came[self._counted] -= 1  # the step is carried out again
            self._counted = None

    @property
    def words(self) -> str:
        """The counts; empty where there was no such step."""
        return ", ".join(counted(*self._came.values())) if any(self._came.values()) else ""
