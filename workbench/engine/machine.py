"""What a run does next: a pure function of where it stands and of the program.

A decision is a row of events to journal, a question to ask, or a call to make. Events carry
everything that changes, so that a journal cut after any of them still says where to go on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.engine import events as types
from workbench.engine.actions import act
from workbench.engine.book import Book
from workbench.engine.calling import enter_playbook
from workbench.engine.code import Instruction, Op
from workbench.engine.leaving import exit_playbook, leave_everything, leave_step
from workbench.engine.loops import next_round
from workbench.engine.ports import Request, RequestKind
from workbench.engine.state import RunFold, RunStatus
from workbench.engine.turn import CallTool, Decision, Draft, Rules, StepFailed, Turn
from workbench.engine.wording import asking, body_of, with_context
from workbench.i18n import _
from workbench.model.meaning import Branch, BranchForm, Call


def decide(state: RunFold, book: Book, rules: Rules) -> Decision:
    """The next thing to do in a run that is not over; leaves *state* alone."""
    if state.failure:
        return (Draft(types.RUN_FAILED, {"message": state.failure}),)
    if state.status is RunStatus.CREATED:
        return (Draft(types.RUN_STARTED, {}),)
    if not state.frames:
        return _begin_or_end(state, book)
    turn = Turn(state, book, rules, instruction_at(state, book))
    if state.pending is not None:
        return with_context(turn, state.pending)
    if state.intent is not None:
        return CallTool(state.intent)
    try:
        return leave_everything(turn) if state.is_ending else _RULES[turn.at.op](turn)
    except StepFailed as error:
        return (_failed(turn, str(error)),)


def instruction_at(state: RunFold, book: Book) -> Instruction:
    """The instruction that the frame at work has come to."""
    frame = state.top
    return book.code(frame.agent, frame.playbook).instructions[frame.pc]


def given(state: RunFold, book: Book, request: Request, answer: dict[str, Any]) -> Draft:
    """The event that *answer* was given to *request*."""
    at = instruction_at(state, book)
    body: dict[str, Any] = {"request": request.id, "kind": request.kind.value, "answer": answer}
    if not request.fields and request.kind in {RequestKind.ASK, RequestKind.JUDGE}:
        body["pc"] = at.next
    return Draft(types.INPUT_GIVEN, body, at.address, at.line, f"s{state.spans}", state.open_span, "user")


def call_answered(state: RunFold, book: Book, type_: str, body: dict[str, Any]) -> Draft:
    """The event that the call at hand gave ``body["value"]``."""
    at = instruction_at(state, book)
    assert state.intent is not None
    if isinstance(at.meaning, Call) and at.meaning.result is None:
        body = {**body, "pc": at.next}
    return Draft(type_, body, at.address, at.line, state.intent.span, state.open_span, "tool")


def step_failed(state: RunFold, book: Book, message: str) -> Draft:
    """The event that the step at hand failed for *message*, a sentence."""
    at = instruction_at(state, book)
    return _failure(state, at, message)


def _failed(turn: Turn, message: str) -> Draft:
    return _failure(turn.state, turn.at, message)


def _failure(state: RunFold, at: Instruction, message: str) -> Draft:
    place = _("{step} (line {line})").format(step=at.address, line=at.line) if at.line else at.address
    text = _("{place} failed: {message}").format(place=place, message=message)
    return Draft(types.STEP_FAILED, {"message": text}, at.address, at.line, state.open_span)


def _begin_or_end(state: RunFold, book: Book) -> Decision:
    if state.spans:
        return (Draft(types.RUN_COMPLETED, {"return": None if state.is_ending else state.result}),)
    return (enter_playbook(state, book),)


def _enter(turn: Turn) -> Decision:
    if turn.state.steps >= turn.rules.max_steps:
        message = _("the run has carried out {count} steps, which is the limit; does a loop never end?")
        raise StepFailed(message.format(count=turn.state.steps))
    return (turn.opening(types.STEP_ENTERED, {"text": turn.at.text, "pc": turn.at.next}),)


def _test(turn: Turn) -> Decision:
    branch = turn.at.meaning
    assert isinstance(branch, Branch)
    condition = branch.condition
    if branch.form is BranchForm.OTHERWISE or condition is None:
        return (_taken(turn, is_taken=True),)
    if condition.test is not None:
        return (_taken(turn, is_taken=bool(turn.value(condition.test))),)
    if turn.frame.answer is not None:
        return (_taken(turn, is_taken=bool(turn.frame.answer["decision"])),)
    request = asking(turn, RequestKind.DECIDE, condition.text)
    return (turn.opening(types.INPUT_ASKED, body_of(request)),)


def _taken(turn: Turn, *, is_taken: bool) -> Draft:
    target = turn.at.next if is_taken else turn.at.otherwise
    return turn.draft(types.BRANCH_TAKEN, {"taken": is_taken, "pc": target})


def _leave(turn: Turn) -> Decision:
    return (leave_step(turn, status=turn.at.status, pc=turn.at.next),)


def _finish(turn: Turn) -> Decision:
    return (exit_playbook(turn, None),)


_RULES: dict[Op, Callable[[Turn], Decision]] = {
    Op.ENTER: _enter,
    Op.ACT: act,
    Op.TEST: _test,
    Op.ROUND: next_round,
    Op.LEAVE: _leave,
    Op.FINISH: _finish,
}
