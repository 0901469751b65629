"""How control leaves steps, loops and playbooks: innermost first, one event for each."""

from __future__ import annotations

import hashlib
from typing import Any

from workbench.engine.decider import Decision, Draft, Drafts
from workbench.engine.expressions.data import canonical
from workbench.engine.journal.choices import EntryCause, StepStatus
from workbench.engine.journal.run_events import BranchTaken, PlaybookExited, StepEntered, StepExited
from workbench.engine.language.meetings import close_meeting
from workbench.engine.language.program.code import Code, Op, Think
from workbench.engine.language.turn import StepFailed, Turn
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.meaning import Call, Meaning
from workbench.syntax.differences import common_length


def leave_step(turn: Turn, *, status: StepStatus = StepStatus.DONE, pc: int | None = None) -> Draft:
    """The end of the innermost open step; *pc*: where that leads, None where more is to be left first."""
    frame = turn.frame
    step = frame.open[-1]
    parent = frame.open[-2].span if len(frame.open) > 1 else frame.span
    return Draft(StepExited(status, step.rounds, pc=pc), step.step, step.line, step.span, parent)


def passed_over(turn: Turn | None) -> Drafts:
    """The events by which the step that is about to begin is left out; a branch is not taken. Raises RunFailed."""
    if turn is None or turn.at.op is not Op.ENTER:
        raise RunFailed(_("There is no step here that could be skipped."))
    entered = turn.opening(StepEntered(turn.at.text, pc=turn.at.next))
    code = turn.book.code(turn.frame.agent, turn.frame.playbook)
    exited = StepExited(StepStatus.SKIPPED, pc=behind_all(code, turn.frame.pc))
    return entered, Draft(exited, turn.at.address, turn.at.line, entered.span, entered.parent)


def behind_all(code: Code, pc: int) -> int:
    """Where the step that begins at *pc* of *code* leads when nothing of it is carried out."""
    address, ends = code.instructions[pc].address, []
    for each in code.instructions[pc + 1 :]:
        if each.address == address and each.op is Op.ENTER:
            break  # from here on it is carried out once more
        if each.address == address and each.op is Op.LEAVE:
            ends.append(each)
    return next((each.next for each in ends if each.status is StepStatus.SKIPPED), ends[0].next)


def return_from(turn: Turn, value: Any) -> Draft:
    """The next event on the way out of the playbook, which returns *value*."""
    if turn.frame.open and _is_hosting(turn):
        return close_meeting(turn)  # while what is returned can still be worked out
    return leave_step(turn) if turn.frame.open else exit_playbook(turn, value)


def _is_hosting(turn: Turn) -> bool:
    frame = turn.frame
    return frame.cause is EntryCause.HOST and turn.state.world.meetings[frame.meeting].is_open


def leave_everything(turn: Turn) -> Decision:
    """The next event on the way out of the program."""
    if turn.frame.open:
        return (leave_step(turn),)
    frame = turn.frame
    return (Draft(PlaybookExited(frame.playbook, None, is_ending=True), span=frame.span),)


def exit_playbook(turn: Turn, value: Any) -> Draft:
    """The end of the playbook at work; goes on after the call where its result is not kept."""
    frames = turn.state.frames
    frame = frames[-1]
    if _is_hosting(turn):
        return close_meeting(turn)
    if len(frames) == 1 or frame.cause is EntryCause.INTERRUPT:
        return Draft(PlaybookExited(frame.playbook, value), span=frame.span)
    caller = frames[-2]
    calling = turn.book.code(caller.agent, caller.playbook).instructions[caller.pc]
    meaning = calling.meaning
    is_inner = caller.unrolled.is_open
    artifact = _artifact_name(value, turn.rules.artifact_threshold, None if is_inner else meaning)
    leads_on = isinstance(meaning, Call) and meaning.result is None and not (caller.intents or is_inner)
    exited = PlaybookExited(frame.playbook, value, artifact=artifact, pc=calling.next if leads_on else None)
    parent = caller.open[-1].span if caller.open else caller.span
    return Draft(exited, calling.address, calling.line, frame.span, parent)


def _artifact_name(value: Any, threshold: int, meaning: Meaning | Think | None) -> str:
    """The artifact that *value*, the result of a call, is kept as; empty where it is short enough.

    The name of the variable that takes it, else ``a_`` and eight digits of its hash.
    """
    if not isinstance(value, str | list | dict):
        return ""
    text = value if isinstance(value, str) else canonical(value)
    if len(text) <= threshold:
        return ""
    if isinstance(meaning, Call) and meaning.result is not None:
        return meaning.result.name
    return "a_" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def jump(turn: Turn) -> Decision:
    """The next event on the way to the instruction that the jump at hand leads to.

    Leaves what is open here and not there, then enters what is open there and not here.
    """
    if turn.at.next < 0:
        raise StepFailed(_("“{text}” has no target: there is no such step or loop here.").format(text=turn.at.text))
    code = turn.book.code(turn.frame.agent, turn.frame.playbook)
    goal = code.instructions[turn.at.next].within
    here = tuple(step.step for step in turn.frame.open)
    common = common_length(here, goal)
    if len(here) > common:
        is_there = len(here) - 1 == common == len(goal)
        return (leave_step(turn, pc=turn.at.next if is_there else None),)
    if len(goal) > common:
        return (_enter_on_the_way(turn, code, goal, common),)
    return (turn.draft(BranchTaken(True, pc=turn.at.next)),)


def _enter_on_the_way(turn: Turn, code: Code, goal: tuple[str, ...], depth: int) -> Draft:
    address = goal[depth]
    if address in code.loops:
        message = _("“{text}” jumps into the loop {loop}, which has not started; jump to the loop itself.")
        raise StepFailed(message.format(text=turn.at.text, loop=address))
    entered = StepEntered(turn.at.text, pc=turn.at.next if depth + 1 == len(goal) else None)
    span = f"s{turn.state.spans + 1}"
    return Draft(entered, address, code.lines[address], span, turn.state.open_span)
