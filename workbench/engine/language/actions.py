"""What each action of a step does, and each loop, as the next event or question.

A step of a procedure is done by somebody who says how it went; what did not work is tried again or passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from workbench.engine.decider import Decision, Draft
from workbench.engine.expressions.limits import Mixed, Trouble, UnknownName
from workbench.engine.expressions.places import with_part
from workbench.engine.fields import ITEMS
from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.run_events import InputAsked, PlaybookEntered, RoundBegun, Told
from workbench.engine.language.calling import call
from workbench.engine.language.leaving import jump, leave_everything, leave_step, return_from
from workbench.engine.language.procedures.matter import is_in_chapter
from workbench.engine.language.program.book import type_of
from workbench.engine.language.program.code import Instruction, Op
from workbench.engine.language.timers import wait
from workbench.engine.language.turn import StepFailed, Turn
from workbench.engine.language.wording import asking, filled, rendered, typed_question
from workbench.engine.outcomes import chosen, is_outcome, outcome_field
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.engine.work import FOLLOWS, WENT, Afterwards, Went, afterwards, is_work, went
from workbench.i18n import _, numeral
from workbench.model.bare_words import is_word
from workbench.model.meaning import (
    Ask,
    Assign,
    Call,
    Condition,
    End,
    Judge,
    Jump,
    Loop,
    LoopForm,
    Return,
    Tell,
    Variable,
    Wait,
)
from workbench.model.sentences.values import names_in_word
from workbench.syntax.expressions import Expression


def carry_out(turn: Turn) -> Decision:
    """What happens next in the action at hand; in a procedure, whoever does a step says how it went."""
    judge = turn.at.meaning
    if isinstance(judge, Judge) and is_in_chapter(turn.state, turn.book):
        found = _work(turn, judge)
        if found is not None:
            return found
    return act(turn)


def act(turn: Turn) -> Decision:
    """The next event, question or call of the action at hand."""
    match turn.at.meaning:
        case Assign() as assign:
            return (turn.set_last(assign.target, _assigned(turn, assign)),)
        case Judge(text, outputs, outcomes):
            fields = (*outputs, outcome_field(outcomes)) if outcomes else outputs
            return _judged(turn, RequestKind.JUDGE, text, fields)
        case Ask(text, variables, target):
            return _judged(turn, RequestKind.ASK, text, variables, target)
        case Tell() as tell:
            return _tell(turn, tell)
        case Call() as action:
            return call(turn, action)
        case Return() as returning:
            return _return(turn, returning)
        case End():
            return leave_everything(turn)
        case Jump():
            return jump(turn)
        case Wait() as waiting:
            return wait(turn, waiting)
        case other:
            raise AssertionError(f"no action: {other}")


def _whole(turn: Turn, target: Variable, place: Expression, given: Any) -> object:
    """The variable *target* with *given* in its *place*. Raises StepFailed."""
    keys = turn.value(place)
    try:
        return with_part(turn.lookup(target.name, target.is_state), keys, given)
    except UnknownName as error:
        raise StepFailed(_("{name} has not been set.").format(name=f"${target.name}")) from error
    except Trouble as error:
        raise StepFailed(f"{error} ({place.source})") from error


def _judged(turn: Turn, kind: RequestKind, text: str, fields: tuple[Variable, ...], target: str = "") -> Decision:
    """The question, and after its answer the variables, one event each; the last leads to what follows."""
    answer = turn.frame.answer
    if answer is None:
        words = "" if _is_raw(turn) else text  # what stands there is filled in already
        return (turn.opening(InputAsked.of(_question(turn, typed_question(turn, kind, words, fields, target)))),)
    outputs = [field for field in fields if not is_outcome(field)]
    variable = outputs[turn.frame.done]
    value = answer["values"][variable.name]
    is_last = turn.frame.done == len(outputs) - 1
    return (turn.set_variable(variable, value, after_answer(turn.at, answer) if is_last else None),)


def after_answer(at: Instruction, answer: Mapping[str, Any]) -> int:
    """The instruction that *answer* to the question of *at* leads to, once its variables are set."""
    index = chosen(at.meaning.outcomes, answer) if isinstance(at.meaning, Judge) else None
    return at.next if index is None else at.ways[index]


def _question(turn: Turn, request: Request) -> Request:
    """*request*, with the whole description where that is all that the playbook is."""
    if not _is_raw(turn):
        return request
    return replace(request, text=turn.frame.description or turn.at.text, purpose=Purpose.RAW)


def _is_raw(turn: Turn) -> bool:
    target = turn.book.playbook(type_of(turn.frame.agent), turn.frame.playbook)
    return target is not None and turn.at.address == target.playbook.address


def _tell(turn: Turn, tell: Tell) -> Decision:
    text = filled(turn, tell.text) if tell.template is None else rendered(turn, tell.template)
    return (turn.draft(Told(text, tell.target, pc=turn.at.next)),)


def _return(turn: Turn, returning: Return) -> Decision:
    if returning.value is not None:
        return (return_from(turn, _word_or_value(turn, returning.value)),)
    if not returning.text:
        return (return_from(turn, None),)
    answer = turn.frame.answer
    if answer is None:
        field = Variable("result", is_state=False)
        return (turn.opening(InputAsked.of(asking(turn, RequestKind.JUDGE, returning.text, (field,)))),)
    return (return_from(turn, answer["values"]["result"]),)


def _assigned(turn: Turn, assign: Assign) -> Any:
    """What the target of *assign* becomes."""
    given = _word_or_value(turn, assign.value) if assign.words else turn.value(assign.value)
    return given if assign.place is None else _whole(turn, assign.target, assign.place, given)


def _word_or_value(turn: Turn, value: Expression) -> Any:
    """What *value* gives; a word of which nothing makes a variable is itself."""
    names, frame = names_in_word(value), turn.frame
    agent, target = turn.book.agent(type_of(frame.agent)), turn.book.playbook(type_of(frame.agent), frame.playbook)
    if names and agent and target:
        playbook = target.playbook
        if all(is_word(name, agent, playbook) and not turn.has(name) for name in names):
            return value.source
    return turn.value(value)


def next_round(turn: Turn) -> Decision:
    """The beginning of the next round, the question whether there is one, or the end of the loop."""
    turn.check_idle()
    loop = turn.at.meaning
    assert isinstance(loop, Loop)
    rounds = turn.frame.open[-1].rounds
    if rounds >= turn.rules.max_steps:
        raise StepFailed(_("the limit on the rounds of a loop ({limit}) was reached.").format(limit=numeral(rounds)))
    if loop.form is LoopForm.FOR_EACH:
        return _next_item(turn, loop)
    if loop.form is LoopForm.REPEAT and loop.items is not None:
        return _next_repetition(turn, loop)
    condition = loop.condition or Condition(loop.text)
    return _when_it_holds(turn, condition, is_sought=loop.form is LoopForm.UNTIL)


def _next_item(turn: Turn, loop: Loop) -> Decision:
    step = turn.frame.open[-1]
    if turn.frame.done:  # the round has been journaled, its variable has not
        assert loop.variable is not None
        return (turn.set_last(loop.variable, step.items[step.rounds - 1]),)
    items = step.items
    if items is None:
        if loop.items is None and turn.frame.answer is None:
            return (turn.opening(InputAsked.of(asking(turn, RequestKind.JUDGE, turn.at.text, (ITEMS,)))),)
        items = _items(turn, loop)
    if step.rounds >= len(items):
        return _end(turn)
    told = items if step.items is None else None
    pc = turn.at.next if loop.variable is None else None
    return (turn.draft(RoundBegun(step.rounds + 1, len(items), told, pc=pc)),)


def _items(turn: Turn, loop: Loop) -> list[Any]:
    if loop.items is not None:
        found = turn.value(loop.items)
    else:
        assert turn.frame.answer is not None
        found = turn.frame.answer["values"][ITEMS.name]
    if isinstance(found, dict):
        return list(found)
    if isinstance(found, list):
        return found
    message = _("“{value}” is not a list, so it cannot be looped over.")
    raise StepFailed(message.format(value=str(found)[:80]))


def _next_repetition(turn: Turn, loop: Loop) -> Decision:
    step = turn.frame.open[-1]
    assert loop.items is not None
    total = turn.value(loop.items) if step.items is None else step.items
    if isinstance(total, bool) or not isinstance(total, int):
        message = _("“{value}” is not a whole number of rounds.").format(value=str(total)[:80])
        raise turn.failure(Mixed(message, total, 0), loop.items.source, (loop.items,), message)
    if step.rounds >= total:
        return _end(turn)
    if loop.condition is not None:
        return _when_it_holds(turn, loop.condition, is_sought=True)
    return (turn.draft(RoundBegun(step.rounds + 1, total, total, pc=turn.at.next)),)


def _when_it_holds(turn: Turn, condition: Condition, *, is_sought: bool) -> Decision:
    """Another round, unless *condition* says stop: by being false, or where it *is_sought*, by being true."""
    if condition.test is not None:
        holds = bool(turn.value(condition.test))
    elif turn.frame.answer is not None:
        holds = bool(turn.frame.answer["decision"])
    else:
        return (turn.opening(InputAsked.of(asking(turn, RequestKind.DECIDE, condition.text))),)
    if holds is is_sought:
        return _end(turn)
    return (turn.draft(RoundBegun(turn.frame.open[-1].rounds + 1, pc=turn.at.next)),)


def _end(turn: Turn) -> Decision:
    code = turn.book.code(turn.frame.agent, turn.frame.playbook)
    return (leave_step(turn, pc=code.instructions[turn.at.otherwise].next),)


def _work(turn: Turn, judge: Judge) -> Decision | None:
    """What happens next in a step; None where it is done, and what it has found out is to be kept."""
    answer = turn.frame.answer
    if answer is not None and "call" in answer:
        return (_linked(turn, answer["call"]),)
    if answer is None or "return" in answer:  # asked, or asked again after what is linked
        outcomes = (outcome_field(judge.outcomes),) if judge.outcomes else ()
        fields = (*judge.outputs, *outcomes, WENT)
        return _work_question(turn, RequestKind.JUDGE, judge.text, fields, Purpose.WORK)
    how, follows = went(answer), afterwards(answer)
    if how is Went.FAILED:
        return _work_question(turn, RequestKind.ASK, judge.text, (FOLLOWS,), Purpose.AFTERWARDS)
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


def _work_question(turn: Turn, kind: RequestKind, text: str, fields: tuple[Any, ...], purpose: Purpose) -> Decision:
    request = replace(asking(turn, kind, text, fields), purpose=purpose)
    return (turn.opening(InputAsked.of(request)),)


def _behind(turn: Turn) -> int:
    """Where the end of the step at hand leads."""
    code = turn.book.code(turn.frame.agent, turn.frame.playbook)
    return next(each.next for each in code.instructions[turn.frame.pc :] if _ends(each, turn.at))


def _ends(instruction: Instruction, at: Instruction) -> bool:
    return instruction.op is Op.LEAVE and instruction.address == at.address and instruction.status is StepStatus.DONE
