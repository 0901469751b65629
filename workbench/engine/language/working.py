"""A step of a procedure: somebody does it and says how it went; what did not work is tried again or passed over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from workbench.engine.decider import Decision, Draft
from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.run_events import InputAsked, PlaybookEntered
from workbench.engine.language.actions import act, after_answer
from workbench.engine.language.leaving import leave_step
from workbench.engine.language.procedures.matter import is_in_chapter
from workbench.engine.language.program.code import Instruction, Op
from workbench.engine.language.turn import StepFailed, Turn
from workbench.engine.language.wording import asking
from workbench.engine.outcomes import is_outcome, outcome_field
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.engine.work import FOLLOWS, WENT, Afterwards, Went, afterwards, is_work, went
from workbench.i18n import _
from workbench.model.meaning import Judge


def carry_out(turn: Turn) -> Decision:
    """What happens next in the action at hand; in a procedure, whoever does a step says how it went."""
    judge = turn.at.meaning
    if isinstance(judge, Judge) and is_in_chapter(turn.state, turn.book):
        found = _work(turn, judge)
        if found is not None:
            return found
    return act(turn)


def _work(turn: Turn, judge: Judge) -> Decision | None:
    """What happens next in a step; None where it is done, and what it has found out is to be kept."""
    answer = turn.frame.answer
    if answer is not None and "call" in answer:
        return (_linked(turn, answer["call"]),)
    if answer is None or "return" in answer:  # asked, or asked again after what is linked
        outcomes = (outcome_field(judge.outcomes),) if judge.outcomes else ()
        fields = (*judge.outputs, *outcomes, WENT)
        return _question(turn, RequestKind.JUDGE, judge.text, fields, Purpose.WORK)
    how, follows = went(answer), afterwards(answer)
    if how is Went.FAILED:
        return _question(turn, RequestKind.ASK, judge.text, (FOLLOWS,), Purpose.AFTERWARDS)
    if follows is Afterwards.STOP:
        raise StepFailed(_("it did not work, and the run was stopped."))
    if how is Went.SKIPPED or follows is Afterwards.GO_ON:
        status = StepStatus.SKIPPED if how is Went.SKIPPED else StepStatus.FAILED
        return (leave_step(turn, status=status, pc=_behind(turn)),)
    return None


def _linked(turn: Turn, path: str) -> Draft:
    """The beginning of the procedure at *path*, which the step links to; the step is asked about again after it."""
    target = turn.book.playbook(path, "")
    assert target is not None, "only what was read with the run can be chosen"
    return turn.opening(PlaybookEntered(target.playbook.name, path, {}, ()))


def leads_to(turn: Turn, request: Request, answer: Mapping[str, Any]) -> int | None:
    """The instruction that *answer* to *request* leads to by itself; None where more is to be done about it."""
    is_loop = turn.at.address in turn.book.code(turn.frame.agent, turn.frame.playbook).loops
    if afterwards(answer) is Afterwards.AGAIN:
        return turn.frame.pc
    if is_loop and (went(answer) is Went.SKIPPED or afterwards(answer) is Afterwards.GO_ON):
        return turn.at.next  # of this round
    is_all = all(is_outcome(field) or is_work(field) for field in request.fields)
    return after_answer(turn.at, answer) if went(answer) is Went.DONE and is_all else None


def _question(turn: Turn, kind: RequestKind, text: str, fields: tuple[Any, ...], purpose: Purpose) -> Decision:
    request = replace(asking(turn, kind, text, fields), purpose=purpose)
    return (turn.opening(InputAsked.of(request)),)


def _behind(turn: Turn) -> int:
    """Where the end of the step at hand leads."""
    code = turn.book.code(turn.frame.agent, turn.frame.playbook)
    return next(each.next for each in code.instructions[turn.frame.pc :] if _ends(each, turn.at))


def _ends(instruction: Instruction, at: Instruction) -> bool:
    return instruction.op is Op.LEAVE and instruction.address == at.address and instruction.status is StepStatus.DONE
