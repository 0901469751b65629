"""What a failure leads to: the playbook that waits for it, or the end of the run."""

from __future__ import annotations

from workbench.engine.decider import Decision, Draft
from workbench.engine.journal.choices import FiringCause
from workbench.engine.journal.language_events import TriggerFired
from workbench.engine.journal.run_events import Handler, PlaybookExited, RunFailure, StepFailure
from workbench.engine.language.book import Book, type_of
from workbench.engine.language.code import Instruction, Think
from workbench.engine.language.react import failed_call
from workbench.engine.language.triggers import fire, is_running
from workbench.engine.language.turn import Turn
from workbench.engine.language.watches import Watch
from workbench.engine.state.fold import RunFold
from workbench.engine.state.watching import Entering
from workbench.i18n import _


def after_failure(state: RunFold, book: Book) -> Decision:
    """A step has failed: playbooks are left up to the one whose failing is waited for; else the run fails."""
    found = _awaited(state, book)
    if found is None:
        return (Draft(RunFailure(state.failure)),)
    depth, watch = found
    frame = state.top
    handler = None
    if len(state.frames) - 1 == depth:
        agent = frame.agent if type_of(frame.agent) == watch.agent else watch.agent
        handler = Handler(agent, watch.playbook, watch.key)
    exited = PlaybookExited(frame.playbook, None, is_failed=True, handler=handler)
    return (Draft(exited, span=frame.span),)


def _awaited(state: RunFold, book: Book) -> tuple[int, Watch] | None:
    """The innermost playbook whose failing a trigger waits for, and that trigger."""
    if not book.watches.calls:
        return None
    for depth in range(len(state.frames) - 1, -1, -1):
        frame = state.frames[depth]
        for watch in book.watches.around("fails", f"{type_of(frame.agent)}.{frame.playbook}"):
            if not is_running(state, watch.key):
                return depth, watch
    return None


def answering(state: RunFold, book: Book, entering: Entering) -> Draft:
    """The event that the trigger fired whose playbook answers a failure, once what failed has been left."""
    watch = book.watches.by_key(entering.trigger)
    fired = TriggerFired(watch.address, watch.key, entering.agent, entering.playbook, FiringCause.FAILURE)
    return Draft(fired, watch.address, watch.line, "", state.open_span)


def after_tool_failure(turn: Turn) -> Decision:
    """A tool call has failed: the trigger that waits for it, a thought about it, or the failure of the step."""
    state = turn.state
    intent = state.intent
    assert intent is not None
    for watch in turn.book.watches.around("fails", f"{intent.agent}.{intent.tool}"):
        if not is_running(state, watch.key):
            return (fire(turn, watch, FiringCause.FAILS),)
    if isinstance(turn.at.meaning, Think) and len(turn.frame.intents) == 1:
        return (failed_call(turn),)
    return (failure_of(state, turn.at, state.tool_failure),)


def failure_of(state: RunFold, at: Instruction, message: str) -> Draft:
    """The event that the step at hand failed for *message*, a sentence."""
    place = _("{step} (line {line})").format(step=at.address, line=at.line) if at.line else at.address
    text = _("{place} failed: {message}").format(place=place, message=message)
    return Draft(StepFailure(text), at.address, at.line, state.step_span)
