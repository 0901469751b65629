"""Calls: of playbooks, whose parameters are bound here, and of tools, which are journaled as intents first."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from workbench.engine.decider import Decision, Draft
from workbench.engine.expressions.data import MAX_VALUE, NotData, as_data, is_larger
from workbench.engine.expressions.evaluation import EvaluationFailed, UnknownName, evaluate, format_value
from workbench.engine.journal.choices import EntryCause, FiringCause
from workbench.engine.journal.run_events import InputAsked, PlaybookEntered, RunCreated, ToolCalled
from workbench.engine.language import meetings
from workbench.engine.language.built_in import BUILT_IN, BY_NAME, SAY, say
from workbench.engine.language.descriptions import described
from workbench.engine.language.given import Begun
from workbench.engine.language.making import is_allowing, plan_and_do
from workbench.engine.language.program.book import Book, PlaybookTarget, ToolTarget, name_of, type_of
from workbench.engine.language.program.people import agent_meant
from workbench.engine.language.program.watches import Watch
from workbench.engine.language.said_calls import RESULT, is_judged, left_open, question_about, result_field
from workbench.engine.language.timers import is_running
from workbench.engine.language.triggers import fire
from workbench.engine.language.turn import StepFailed, Turn
from workbench.engine.language.wording import asking, written_values
from workbench.engine.ports import RequestKind
from workbench.engine.state.fold import RunFold
from workbench.engine.state.watching import Entering
from workbench.errors import RunFailed
from workbench.i18n import _, numeral
from workbench.model.meaning import Argument, Call
from workbench.model.program import Parameter, Playbook
from workbench.model.sentences.calls import PLAN_AND_DO
from workbench.syntax.expressions import ExpressionRefused, parse_expression
from workbench.tools.values import CallSafety


def begin_root(state: RunFold, book: Book) -> Draft:
    """The event that begins the next of the playbooks that the run was created for."""
    origin = state.origin
    agent, name = starts_of(origin)[state.roots]
    target = book.playbook(agent, name)
    assert target is not None, "checked when the run was created"
    named = dict(origin.arguments) if state.roots == 0 else {}
    own = {name: value for name, value in named.items() if _has(target, name)}
    bound = bind(target.playbook, (), own)
    states = {name: value for name, value in named.items() if not _has(target, name)}
    known = {**state.agents.get(target.agent, {}), **states}
    entered = _Begins(state, book, target, target.agent).entered({**states, **bound}, known)
    payload = replace(entered, state=tuple(sorted({*entered.state, *states})))
    return Draft(payload, span=f"s{state.spans + 1}")


def starts_of(origin: RunCreated) -> tuple[tuple[str, str], ...]:
    """The playbooks that a run begins by itself, one after the other, with their agents."""
    start = origin.program
    if start is None:
        return (("", origin.playbook),)
    if origin.goes_on:
        return start.starts
    return start.starts or ((start.agent, origin.playbook),)


def begin_by_itself(state: RunFold, book: Book, entering: Entering) -> Draft:
    """The event that begins a playbook that no step called: parameters take the variables of their names."""
    target = book.playbook(type_of(entering.agent), entering.playbook)
    assert target is not None, "triggers and meetings name playbooks of the file"
    known = dict(state.agents.get(entering.agent, {}))
    said = entering.message
    extra: dict[str, Any] = {"message": said, "error": said, **_meeting_arguments(state, entering.meeting)}
    if state.waiting.heard is not None and not state.frames:
        extra["messages"] = [{"from": state.waiting.heard.sender or "user", "text": said}]
        known = {name: value for name, value in known.items() if name not in extra}
    named = {
        each.name: known.get(each.name, extra.get(each.name))
        for each in target.playbook.parameters
        if each.name in known or extra.get(each.name) is not None
    }
    entered = _Begins(state, book, target, entering.agent).entered(bind(target.playbook, (), named), known)
    entered = replace(entered, cause=entering.cause, trigger=entering.trigger, meeting=entering.meeting)
    if "messages" in extra:
        entered = _with_given(entered, {"message": said})
    if entering.meeting and entering.cause in (EntryCause.HOST, EntryCause.MEETING):
        entered = _with_given(entered, _meeting_arguments(state, entering.meeting))
    address, line = "", 0
    if entering.trigger:
        watch = book.watches.by_key(entering.trigger)
        address, line = watch.address, watch.line
    around = state.open_span or _host_span(state, entering.meeting)
    return Draft(entered, address, line, f"s{state.spans + 1}", around)


def _host_span(state: RunFold, number: int) -> str:
    """The span of the playbook that hosts the meeting *number*, whose turn it is not."""
    waiting = (frame for frames in state.world.parked.values() for frame in frames)
    return next((frame.span for frame in waiting if frame.meeting == number and frame.cause is EntryCause.HOST), "")


def _meeting_arguments(state: RunFold, number: int) -> dict[str, Any]:
    meeting = state.world.meetings.get(number)
    return {} if meeting is None else {"topic": meeting.topic, "attendees": list(meeting.joined)}


def _with_given(entered: PlaybookEntered, given: Mapping[str, Any]) -> PlaybookEntered:
    """*entered* with what every playbook of its kind is given, whatever its heading says."""
    arguments = {**given, **entered.arguments}
    return replace(entered, arguments=arguments, state=tuple(sorted({*entered.state, *given})))


def _has(target: PlaybookTarget, name: str) -> bool:
    return any(parameter.name == name for parameter in target.playbook.parameters)


def call(turn: Turn, action: Call) -> Decision:
    """The beginning of a call, or what happens with its answer."""
    answer = turn.frame.answer
    if action.target == PLAN_AND_DO and not (answer is not None and "return" in answer):
        goal = format_value(turn.value(action.arguments[0].value)) if action.arguments else ""
        ready = plan_and_do(turn, goal)
        return (ready if isinstance(ready, Draft) else _call_playbook(turn, ready.target, "", ([], ready.arguments)),)
    if answer is not None and meetings.SPOKEN.name in answer.get("values", {}):
        return (meetings.spoken_by_person(turn, str(answer["values"][meetings.SPOKEN.name])),)
    if answer is None and is_judged(turn, action):
        return (question_about(turn, action, result_field(action)),)
    is_over = answer is not None and ("return" in answer or not action.text or is_judged(turn, action))
    if is_over and not is_allowing(answer):
        return (_keep_result(turn, action),)
    missing = left_open(turn, action)
    if missing and answer is None:
        return (question_about(turn, action, missing),)
    said = answer["values"] if answer is not None else {}
    positional = [_value(turn, action, argument, said) for argument in action.arguments if not argument.name]
    named = {argument.name: _value(turn, action, argument, said) for argument in action.arguments if argument.name}
    named |= {each.name: said[each.name] for each in action.asked}
    made = make_call(turn, action.target, positional, named)
    return (made if made is not None else ask_for_call(turn, action, positional, named),)


def _value(turn: Turn, action: Call, argument: Argument, said: Mapping[str, Any]) -> Any:
    """The value of *argument*; that of its variable where whoever judges *said* one.

    For what is built in, a name that is no variable stands for itself: ``Say(Alice, …)``.
    """
    tree = argument.value.tree
    if isinstance(tree, ast.Name) and argument.value.names[0][0] in said:
        return said[argument.value.names[0][0]]
    if action.target in BUILT_IN and isinstance(tree, ast.Name) and not argument.value.names[0][1]:
        try:
            return turn.names(tree.id, False)
        except UnknownName:
            return tree.id
    is_first = argument is action.arguments[0] and not argument.name
    is_name = action.target in BY_NAME and (is_first or argument.name in ("name", "artifact_name"))
    if is_name and isinstance(tree, ast.Constant):
        return tree.value  # "$report" is the name of what is kept, and not what that is
    return turn.value(argument.value)


def make_call(turn: Turn, written: str, positional: list[Any], named: dict[str, Any]) -> Draft | None:
    """The event by which the call of *written* begins, or is done; None where nothing here can make it.

    Raises StepFailed for values that are too large together, and where nobody may make this call.
    """
    if is_larger([*positional, named], MAX_VALUE):
        message = _("the values for {name} have more than {limit} characters together.")
        raise StepFailed(message.format(name=written, limit=numeral(MAX_VALUE)))
    callee = callee_of(turn, written)
    target = turn.book.resolve(type_of(turn.agent), callee.name)
    if target is None and "attendees" in named:
        target = turn.book.resolve(type_of(turn.agent), f"{callee.name}Meeting")
    if target is not None:
        _check_public(turn, target)
        before = _before(turn, target)
        if before is not None:
            return before
    if isinstance(target, PlaybookTarget):
        return _call_playbook(turn, target, callee.agent, (positional, named))
    if target is None and written == SAY:
        return say(turn, positional, named)
    tool = target or ToolTarget(type_of(turn.agent), callee.name)
    safety = _safety(turn, tool)
    if safety is not None:
        before = _before(turn, tool) if target is None else None
        return before or _call_tool(turn, tool, safety, (positional, named), callee.agent)
    built_in = BUILT_IN.get(written)
    return None if built_in is None else built_in(turn, positional, named)


def _safety(turn: Turn, tool: ToolTarget) -> CallSafety | None:
    """Whether *tool* may be called again; None where nobody offers it. Raises StepFailed where nobody can say."""
    try:
        return turn.rules.tool_safety(tool.agent, tool.name)
    except RunFailed as error:
        raise StepFailed(str(error)) from error


@dataclass(frozen=True, slots=True)
class Callee:
    """Who is called. *agent*: the one that is meant, empty for whoever has it. *name*: as ``Book.resolve`` reads it."""

    agent: str
    name: str


def callee_of(turn: Turn, written: str) -> Callee:
    """Who ``Tax.Check``, ``Tax:1003.Check`` or ``$helper.Check`` means; raises StepFailed for an unknown number."""
    owner, _dot, name = written.rpartition(".")
    if not owner.startswith("$") and ":" not in owner:
        return Callee("", written)
    word = owner
    if owner.startswith("$"):
        try:
            word = str(turn.lookup(owner[1:], True))
        except UnknownName as error:
            raise StepFailed(_("{name} has no value.").format(name=owner)) from error
    agent = agent_meant(turn.state, turn.book, word)
    if not agent:
        raise StepFailed(_("there is no agent “{name}”.").format(name=word))
    return Callee(agent, f"{type_of(agent)}.{name}")


def _check_public(turn: Turn, target: PlaybookTarget | ToolTarget) -> None:
    """Raise StepFailed where *target* belongs to another agent that does not offer it."""
    name = name_of(target)
    if target.agent == type_of(turn.agent) or turn.book.is_public(target.agent, name):
        return
    message = _("{name} of {agent} is not public, so {caller} cannot call it. Mark it “public: true”.")
    raise StepFailed(message.format(name=name, agent=target.agent, caller=type_of(turn.agent)))


def _before(turn: Turn, target: PlaybookTarget | ToolTarget) -> Draft | None:
    """The next trigger that fires before the call, where Python is not calling."""
    watches = _befores(turn, target)
    done = turn.frame.done
    return fire(turn, watches[done], FiringCause.BEFORE) if done < len(watches) else None


def _befores(turn: Turn, target: PlaybookTarget | ToolTarget) -> list[Watch]:
    if not turn.book.watches.calls or turn.frame.intents:
        return []
    name = name_of(target)
    found = turn.book.watches.around("before", f"{target.agent}.{name}")
    return [each for each in found if not is_running(turn.state, each.key)]


def _call_tool(
    turn: Turn, tool: ToolTarget, safety: CallSafety, values: tuple[list[Any], dict[str, Any]], agent: str
) -> Draft:
    """The intent of a call of *tool*; *agent*: the one that is meant, empty for whoever has it."""
    if len(turn.frame.intents) >= turn.rules.max_depth:
        raise StepFailed(
            _("Python calls Python {limit} levels deep, which is the limit.").format(limit=turn.rules.max_depth)
        )
    key = f"{turn.state.run}:{turn.state.next_seq}"
    acting = agent or (turn.agent if type_of(turn.agent) == tool.agent else tool.agent)
    acting = "" if acting == turn.frame.agent else acting
    return turn.opening(ToolCalled(tool.name, tool.agent, safety, key, tuple(values[0]), values[1], acting=acting))


def _keep_result(turn: Turn, action: Call) -> Draft:
    answer = turn.frame.answer
    assert answer is not None
    assert action.result is not None, "without one, the answer itself leads on"
    value = answer["return"] if "return" in answer else answer["values"][RESULT]
    return turn.set_last(action.result, value)


def _call_playbook(turn: Turn, target: PlaybookTarget, agent: str, values: tuple[list[Any], dict[str, Any]]) -> Draft:
    if len(turn.state.frames) >= turn.rules.max_depth:
        message = _("call depth limit ({depth}) reached; {playbook} may call itself endlessly.")
        raise StepFailed(message.format(depth=len(turn.state.frames), playbook=target.playbook.name))
    positional, named = values
    caller = turn.agent
    chosen = agent or (caller if type_of(caller) == target.agent else target.agent)
    if meetings.is_meeting(target):
        return _call_meeting(turn, target, chosen, values)
    bound = bind(target.playbook, tuple(positional), named)
    entered = _Begins(turn.state, turn.book, target, chosen).entered(bound, turn.state.agents.get(chosen, {}))
    return turn.opening(replace(entered, meeting=turn.frame.meeting))


def _call_meeting(turn: Turn, target: PlaybookTarget, agent: str, values: tuple[list[Any], dict[str, Any]]) -> Draft:
    """The meeting is opened, everyone is invited, then the host's playbook begins."""
    positional, named = values
    invited = meetings.prepare(turn, target, named, len(_befores(turn, target)))
    if invited is not None:
        return invited
    number = meetings.opened_here(turn)
    own = {name: value for name, value in named.items() if _has(target, name) or name not in ("topic", "attendees")}
    bound = bind(target.playbook, tuple(positional), own)
    entered = _Begins(turn.state, turn.book, target, agent).entered(bound, turn.state.agents.get(agent, {}))
    entered = replace(entered, cause=EntryCause.HOST, meeting=number)
    return turn.opening(_with_given(entered, _meeting_arguments(turn.state, number)))


@dataclass(frozen=True, slots=True)
class _Begins:
    """A playbook that is about to begin in a run; *agent* carries it out."""

    state: RunFold
    book: Book
    target: PlaybookTarget
    agent: str

    def entered(self, bound: dict[str, Any], known: Mapping[str, Any]) -> PlaybookEntered:
        """The event; *known*: the variables of the agent, for the description."""
        playbook = self.target.playbook
        states = tuple(parameter.name for parameter in playbook.parameters if parameter.is_state)
        begun = Begun(self.agent, playbook.name, bound)
        description = described(self.state, self.book, self.target, begun, {**known, **bound})
        return PlaybookEntered(playbook.name, self.agent, bound, states, description=description)


def ask_for_call(turn: Turn, action: Call, positional: list[Any], named: dict[str, Any]) -> Draft:
    """Nothing here can make this call: whoever judges is asked to, and to say what it gave."""
    text = f"{action.target}({written_values(positional, named)})"
    request = asking(turn, RequestKind.JUDGE, "", result_field(action))
    return turn.opening(InputAsked.of(replace(request, text=text)))


def bind(playbook: Playbook, positional: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """The value of each parameter; raises StepFailed where one is missing or too many are given."""
    parameters = playbook.parameters
    if len(positional) > len(parameters):
        message = _("{playbook} is given too many values: {given} instead of {most}.")
        raise StepFailed(message.format(playbook=playbook.name, given=len(positional), most=len(parameters)))
    bound = dict(zip((parameter.name for parameter in parameters), positional, strict=False))
    known = {parameter.name for parameter in parameters}
    for name, value in named.items():
        if name not in known or name in bound:
            message = _("{playbook} has no free parameter {name}.")
            raise StepFailed(message.format(playbook=playbook.name, name=name))
        bound[name] = value
    for parameter in parameters:
        if parameter.name not in bound:
            bound[parameter.name] = default_of(playbook, parameter)
    return bound


def default_of(playbook: Playbook, parameter: Parameter) -> Any:
    """The default of *parameter*; raises StepFailed where there is none that can be used."""
    if parameter.default is None:
        message = _("{playbook} needs a value for {name}.")
        raise StepFailed(message.format(playbook=playbook.name, name=parameter.name))
    try:
        return as_data(evaluate(parse_expression(parameter.default), _no_variable))
    except (ExpressionRefused, EvaluationFailed, NotData) as error:
        message = _("the default of {name} in {playbook} cannot be used: {problem}.")
        problem = str(error).rstrip(".")
        raise StepFailed(message.format(playbook=playbook.name, name=parameter.name, problem=problem)) from error


def _no_variable(name: str, is_state: bool) -> object:
    raise UnknownName(name)
