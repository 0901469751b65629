"""Playbooks without steps: a call is chosen, its result is seen, and so on until there is a result.

Calls that stand in expressions and placeholders are made like any other, and their results are the expression's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from workbench.engine.decider import CallTool, Decision, Draft, Drafts
from workbench.engine.expressions.data import NotData, as_data, canonical
from workbench.engine.expressions.unrolling import CallWanted, Reads, Unrolling
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.language_events import CallChosen, CallObserved
from workbench.engine.journal.payload import NOTHING, Giving
from workbench.engine.journal.run_events import (
    BranchTaken,
    CallResolved,
    InputAsked,
    InputGiven,
    PlaybookEntered,
    RunFailure,
    RunStarted,
    StepEntered,
    ToolCalled,
    ToolResult,
)
from workbench.engine.language import meetings, timers
from workbench.engine.language.actions import after_answer, carry_out, leads_to, next_round
from workbench.engine.language.calling import ask_for_call, begin_by_itself, begin_root, make_call, starts_of
from workbench.engine.language.descriptions import describe
from workbench.engine.language.leaving import exit_playbook, leave_everything, leave_step, return_from
from workbench.engine.language.meetings import is_home, turn_after_leaving
from workbench.engine.language.program.book import Book, type_of
from workbench.engine.language.program.code import Instruction, Op, Think
from workbench.engine.language.triggers import (
    after_failure,
    after_tool_failure,
    answering,
    between_playbooks,
    completed,
    failure_of,
    fire_next,
    judged,
    look,
)
from workbench.engine.language.turn import NeedsReading, Rules, StepFailed, Turn
from workbench.engine.language.wording import asking, shortened, with_context
from workbench.engine.outcomes import is_outcome
from workbench.engine.ports import ABOUT_TRIGGERS, Purpose, Request, RequestKind
from workbench.engine.state.fold import RunFold
from workbench.engine.state.frames import LiveFrame
from workbench.i18n import _, numeral
from workbench.model.meaning import Branch, BranchForm, Call, Variable

DONE = "done"
_MOST_TURNS = 100
ALWAYS = ("Say", "SaveArtifact", "LoadArtifact")
"""What can always be called."""


def think(turn: Turn) -> Decision:
    """The next question, call, or the end of the playbook at work."""
    answer = turn.frame.answer
    if not turn.frame.open:  # the step has been left on the way out
        assert answer is not None
        return (return_from(turn, answer["values"]["result"]),)
    step = turn.frame.open[-1]
    chosen = step.items[-1] if step.items else None
    if chosen is not None and not {"value", "error"} & chosen.keys():
        if answer is not None:
            return (turn.draft(CallObserved(answer["return"], pc=turn.frame.pc)),)
        return (_calling(turn, chosen),)
    if answer is None:
        return (_question(turn),)
    values = answer["values"]
    if values["action"] == DONE:
        return (return_from(turn, values["result"]),)
    if step.rounds >= _MOST_TURNS:
        raise StepFailed(_("it made {limit} calls without finishing.").format(limit=step.rounds))
    return (turn.draft(CallChosen(values["action"], values["arguments"], step.rounds + 1)),)


def _calling(turn: Turn, chosen: dict[str, Any]) -> Draft:
    try:
        made = make_call(turn, chosen["action"], [], dict(chosen["arguments"]))
    except StepFailed as error:  # something to be seen too
        return turn.draft(CallObserved(error=str(error), pc=turn.frame.pc))
    if made is None:
        raise StepFailed(_("there is nothing to call named {name}.").format(name=chosen["action"]))
    if isinstance(made.payload, InputAsked):
        raise StepFailed(_("only a playbook with steps can ask a person."))
    return made


def _question(turn: Turn) -> Draft:
    meaning = turn.at.meaning
    assert isinstance(meaning, Think)
    fields = (
        Variable("action", is_state=False, type="str"),
        Variable("arguments", is_state=False, type="dict"),
        Variable("result", is_state=False, type=meaning.result),
    )
    choices = (*tools_for(turn.book, turn.frame.agent, turn.frame.playbook), DONE)
    text = "\n".join([turn.frame.description or turn.at.text, *_history(turn)])
    request = Request(
        f"q{turn.state.next_seq}", RequestKind.JUDGE, turn.at.address, text, fields, choices, purpose=Purpose.REACT
    )
    return turn.opening(InputAsked.of(request))


def _history(turn: Turn) -> list[str]:
    """What was called before and what came of it, one line each."""
    lines = []
    for entry in turn.frame.open[-1].items or ():
        call = f"{entry['action']}({shortened(canonical(entry['arguments']))})"
        came = entry["error"] if "error" in entry else canonical(entry.get("value"))
        lines.append(f"{call} → {shortened(came)}")
    return lines


def tools_for(book: Book, agent: str, playbook: str) -> tuple[str, ...]:
    """What a playbook without steps may call: its agent's playbooks and Python, and what others offer; none hidden."""
    own = type_of(agent)
    names = []
    for each in book.program.agents:
        written = [name for owner, name in book.written if owner == each.name]
        settings = [(one.name, one.metadata) for one in each.playbooks]
        settings += [(one.name, one.metadata) for one in each.functions]
        hidden = {name for name, metadata in settings if dict(metadata).get("hidden") is True}
        named = [*(one.name for one in each.playbooks), *written, *(one.name for one in each.functions)]
        named = [name for name in named if name not in hidden]
        if each.name == own:
            names += [name for name in named if name != playbook]
        else:
            names += [f"{each.name}.{name}" for name in named if book.is_public(each.name, name)]
    return (*dict.fromkeys(names), *ALWAYS)


def decide(state: RunFold, book: Book, rules: Rules) -> Decision:
    """The next thing to do in a run that is not over; leaves *state* alone."""
    if state.failure:
        return after_failure(state, book)
    if state.status is RunStatus.CREATED:
        return (Draft(RunStarted()),)
    if state.watching.entering is not None or not state.frames:
        return _begin_or_end(state, book)
    turn = _turn(state, book, rules)
    if state.pending is not None:
        return with_context(turn, state.pending)
    if state.tool_failure:
        return after_tool_failure(turn)
    return _go_on(turn)


def _go_on(turn: Turn) -> Decision:
    """The next thing to do where nothing has failed and nothing is waited for: triggers first."""
    state = turn.state
    watching = state.watching
    if watching.answer is not None:
        return (judged(turn),)
    if watching.firing and _may_fire(turn):
        return (fire_next(turn),)
    intents = turn.frame.intents
    if intents:
        return CallTool(intents[-1])
    try:
        if watching.is_due and turn.book.watches.are_any and not state.is_ending:
            found = look(turn)
            if found is not None:
                return found
        return leave_everything(turn) if state.is_ending else _carried_out(turn)
    except NeedsReading as error:
        return (turn.opening(InputAsked.of(error.unlike.request(f"q{state.next_seq}", turn.at.address))),)
    except StepFailed as error:
        return (failure_of(state, turn.at, str(error)),)


def _turn(state: RunFold, book: Book, rules: Rules) -> Turn:
    """The turn at the instruction at hand."""
    turn = Turn(state, book, rules, instruction_at(state, book))
    if not turn.at.has_calls:
        return turn
    return replace(turn, unrolling=Unrolling(state.top.unrolled, turn.lookup, state.top.locals))


def _carried_out(turn: Turn) -> Decision:
    """The next thing that the instruction at hand does; first the call that a value of it depends on."""
    try:
        return _RULES[turn.at.op](turn)
    except CallWanted as wanted:
        return (begin_inner(turn, wanted),)


def _may_fire(turn: Turn) -> bool:
    """Whether the next trigger that fires has its turn.

    Of those of the clock, each lets the one before begin; of those with which an agent begins, each lets it end. While
    Python is at work, none has.
    """
    watching, watches = turn.state.watching, turn.book.watches
    watch = watches.by_key(watching.firing[0])
    if turn.frame.intents:
        return False
    if watch.moment == "start":
        others = {each.key_of(watching.firing[0].partition("@")[2]) for each in watches.around("start", watch.agent)}
        return not any(frame.trigger in others for frame in turn.state.frames)
    is_waiting = turn.frame.answer is not None and "until" in turn.frame.answer
    return watching.is_due or is_waiting or watch.timing is None


def instruction_at(state: RunFold, book: Book) -> Instruction:
    """The instruction that the frame at work has come to."""
    frame = state.top
    return book.code(frame.agent, frame.playbook).instructions[frame.pc]


def given(state: RunFold, book: Book, rules: Rules, request: Request, answer: dict[str, Any]) -> Drafts:
    """The events that *answer* was given to *request*."""
    if request.purpose in {Purpose.WORK, Purpose.AFTERWARDS}:
        pc = leads_to(_turn(state, book, rules), request, answer)
        return (_answered(state, book, request, answer, pc),)
    if request.purpose is not Purpose.READING:
        return (_answered(state, book, request, answer),)
    turn = _turn(state, book, rules)
    # the instruction is carried out once more: with the other value, or where the run is cut off before, to ask again
    taken = replace(
        _answered(state, book, request, answer), payload=InputGiven(request.id, request.kind, answer, pc=turn.frame.pc)
    )
    try:
        _RULES[turn.at.op](turn)
    except NeedsReading as error:
        chosen = error.unlike.chosen(answer["values"])
        follows = (
            failure_of(state, turn.at, str(error)) if chosen is None else turn.set_variable(*chosen, turn.frame.pc)
        )
        return taken, follows
    except (StepFailed, CallWanted):
        pass
    return (taken,)


def _answered(state: RunFold, book: Book, request: Request, answer: dict[str, Any], pc: int | None = None) -> Draft:
    if request.purpose is Purpose.MESSAGE:
        return Draft(InputGiven(request.id, request.kind, answer), request.step, 0, f"s{state.spans}", "", "user")
    at = instruction_at(state, book)
    leads_on = all(map(is_outcome, request.fields)) and request.kind in {RequestKind.ASK, RequestKind.JUDGE}
    payload = InputGiven(request.id, request.kind, answer, pc=after_answer(at, answer) if leads_on else pc)
    address = request.step if request.purpose in ABOUT_TRIGGERS else at.address
    return Draft(payload, address, at.line, f"s{state.spans}", state.open_span, "user")


def call_answered(state: RunFold, book: Book, payload: ToolResult | CallResolved) -> Draft:
    """The event that the call at hand gave the value of *payload*; leads on where nothing waits for that."""
    at = instruction_at(state, book)
    assert state.intent is not None
    if is_dropped(at, state.top):
        payload = replace(payload, pc=at.next)
    return Draft(payload, at.address, at.line, state.intent.span, state.span_around_call, "tool")


def is_dropped(at: Instruction, frame: LiveFrame) -> bool:
    """Whether nothing waits for what the tool call at hand gives."""
    is_plain = isinstance(at.meaning, Call) and at.meaning.result is None
    return is_plain and len(frame.intents) == 1 and not frame.unrolled.is_open


def step_failed(state: RunFold, book: Book, message: str) -> Draft:
    """The event that the step at hand failed for *message*, a sentence; between playbooks, the run."""
    if not state.frames:
        return Draft(RunFailure(message))
    return failure_of(state, instruction_at(state, book), message)


def _begin_or_end(state: RunFold, book: Book) -> Decision:
    """The next playbook that nothing calls, or the end of the run."""
    entering = state.watching.entering
    try:
        if entering is not None and not entering.is_told:
            return (answering(state, book, entering),)
        if entering is not None:
            return (begin_by_itself(state, book, entering),)
        if state.is_ending or state.closing:
            return completed(state, book)
        if not is_home(state):
            return (turn_after_leaving(state, book),)
        if timers_set := timers.unset(state, book):
            return timers_set
        if state.roots < len(starts_of(state.origin)):
            return (begin_root(state, book),)
        if timers.goes_on(state, book):
            return between_playbooks(state, book)
    except StepFailed as error:
        return (Draft(RunFailure(str(error))),)
    return completed(state, book)


def _enter(turn: Turn) -> Decision:
    turn.check_idle()
    if turn.state.steps >= turn.rules.max_steps:
        message = _("the limit on the steps of a run ({limit}) was reached. Does a loop never end?")
        raise StepFailed(message.format(limit=numeral(turn.state.steps)))
    return (turn.opening(StepEntered(turn.at.text, pc=turn.at.next)),)


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
    return (turn.opening(InputAsked.of(request)),)


def _taken(turn: Turn, *, is_taken: bool) -> Draft:
    target = turn.at.next if is_taken else turn.at.otherwise
    return turn.draft(BranchTaken(is_taken, pc=target))


def _leave(turn: Turn) -> Decision:
    return (leave_step(turn, status=turn.at.status, pc=turn.at.next),)


def _finish(turn: Turn) -> Decision:
    return (exit_playbook(turn, None),)


_RULES: dict[Op, Callable[[Turn], Decision]] = {
    Op.DESCRIBE: describe,
    Op.ENTER: _enter,
    Op.ACT: carry_out,
    Op.TEST: _test,
    Op.ROUND: next_round,
    Op.THINK: think,
    Op.LEAVE: _leave,
    Op.FINISH: _finish,
}


_KEPT = Variable("result", is_state=False)


def begin_inner(turn: Turn, wanted: CallWanted) -> Draft:
    """The event by which the call begins that an expression at hand needs, or is done. Raises StepFailed."""
    assert turn.unrolling is not None, "else no expression could want a call"
    answer = turn.frame.answer
    inner = replace(turn, is_inner=True)
    if answer is not None and meetings.SPOKEN.name in answer.get("values", {}):
        made = meetings.spoken_by_person(inner, str(answer["values"][meetings.SPOKEN.name]))
        return _with_reads(made, turn.unrolling.fresh)
    try:
        positional, named = as_data(wanted.positional), as_data(wanted.named)
    except NotData as error:
        raise StepFailed(f"{error}.") from error
    made = make_call(inner, wanted.target, positional, named) or ask_for_call(
        inner, Call(wanted.target, (), _KEPT), positional, named
    )
    return _with_reads(made, turn.unrolling.fresh)


def _with_reads(made: Draft, reads: Reads) -> Draft:
    """*made*, with what was read before; unless something has to come before the call, as an invitation has."""
    payload = made.payload
    match payload:
        case InputAsked() if payload.fields == (meetings.SPOKEN,):
            return made
        case PlaybookEntered() | ToolCalled() | InputAsked():
            return replace(made, payload=replace(payload, reads=reads))
        case Giving() if payload.gives is not NOTHING:
            return replace(made, payload=replace(payload, reads=reads))
    return made
