"""The agent loop: model ↔ tools, with the enforcer between them.

Every call is asked about before it is made; what is blocked is not made, and stands in the
journal as blocked. What a tool gives is data: it is shown to the model and counted as
evidence, and nothing in it can approve, complete or change a step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.enforcement.binding import check_tools
from workbench.engine.enforcement.conclusion import ConclusionKind, conclude, context_text, next_turn
from workbench.engine.enforcement.decisions import CONTROL_TOOLS
from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.enforcement.plan import PlaybookPlan
from workbench.engine.enforcement.plan_json import plan_to_json
from workbench.engine.enforcement.recording import FinishedCall
from workbench.engine.enforcement.values import EnforcementResult, digest_of
from workbench.engine.journal import events as types
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.running.runner import new_run_id
from workbench.engine.steplists.making import CallMaker
from workbench.engine.steplists.origin import digest_of_playbook, origin_of, playbook_of
from workbench.engine.steplists.places import LIST_SPAN, WHOLE_LIST, ListedPlaces, Where
from workbench.engine.steplists.ports import AgentModel, CallOutcomeText, Tools, Turn, TurnAnswer, WantedCall
from workbench.engine.steplists.record import SKIP_STEP, EventClock, ListedRecord, fold_into, say
from workbench.engine.steplists.telling import StepTeller
from workbench.engine.steplists.turns import step_at_hand
from workbench.errors import InputNeeded
from workbench.i18n import _
from workbench.model.loader.steplist import Playbook
from workbench.model.snapshot import Snapshot

_SAYINGS = CONTROL_TOOLS | {SKIP_STEP}


@dataclass(frozen=True, slots=True)
class ListedOptions:
    """How a step list is run. *block_violations* false: what is not kept is noted and nothing is blocked.

    *in_doubt*: ``done``, ``again`` or ``skip`` for a call that may have been made before the
    run was cut off; empty: *settle* is asked, and without it the run does not go on by itself.
    *on_event*: told of each event once it is written. *before_turn*: may hold the run up.
    *snapshot*: the text that the list was read from. *script*: the text of the script that walks it.
    *knowledge*: what has worked before, shown to the model below its current step.
    """

    block_violations: bool = True
    path: str = ""
    max_turns: int = 1_000
    in_doubt: str = ""
    on_event: Callable[[RunEvent], None] | None = None
    snapshot: Snapshot | None = None
    script: str = ""
    knowledge: str = ""
    before_turn: Callable[[], None] | None = None
    settle: Callable[[RunEvent], str] | None = None


@dataclass(frozen=True, slots=True)
class ListedResult:
    """How a run of a step list ended. *stop_reason*: ``complete``, or why it is not."""

    run: RunId
    stop_reason: str
    playbook_plan: PlaybookPlan
    events: tuple[RunEvent, ...]
    text: str = ""

    @property
    def is_complete(self) -> bool:
        """True when every required step was done."""
        return self.stop_reason == "complete"


def run_step_list(
    playbook: Playbook,
    model: AgentModel,
    tools: Tools,
    journal: Journal,
    options: ListedOptions | None = None,
) -> ListedResult:
    """A new run of *playbook*, carried out to its end.

    Raises ToolsMissing, before anything is asked of the model, where a step expects a tool
    that is not there; InputNeeded where the model has nothing more to say.
    """
    chosen = options or ListedOptions()
    check_tools(playbook, tools)
    record = ListedRecord(new_run_id(), journal, on_event=chosen.on_event)
    write_origin(playbook, record, journal, chosen)
    return new_loop(playbook, (model, tools), record, chosen).carry_out()


def write_origin(playbook: Playbook, record: ListedRecord, journal: Journal, options: ListedOptions) -> None:
    """Write down what the run of *record* is: its first event."""
    name = ListedPlaces(playbook, options.snapshot).name
    origin = {
        "playbook": name,
        "path": options.path,
        "blocks": options.block_violations,
        "script": options.script,
        **origin_of(playbook, options.snapshot, journal),
    }
    record.write(types.RUN_CREATED, origin)


def new_loop(
    playbook: Playbook, who: tuple[AgentModel, Tools], record: ListedRecord, options: ListedOptions
) -> ListedLoop:
    """The loop of a run that has not begun: *who* walks it, with which tools."""
    plan = PlaybookPlan(playbook, record.run, digest_of_playbook(playbook), EventClock())
    return ListedLoop(plan, *who, record, options)


def resume_step_list(
    run: RunId, model: AgentModel, tools: Tools, journal: Journal, options: ListedOptions | None = None
) -> ListedResult:
    """The run *run*, going on where it was: what is in its journal is not done again."""
    events = journal.check(run)
    chosen = options or ListedOptions(events[0].body["blocks"], events[0].body["path"])
    record = ListedRecord(run, journal, len(events), chosen.on_event)
    return resumed_loop(playbook_of(events[0], journal), (model, tools), record, chosen, events).carry_out()


def resumed_loop(
    playbook: Playbook,
    who: tuple[AgentModel, Tools],
    record: ListedRecord,
    options: ListedOptions,
    events: tuple[RunEvent, ...],
) -> ListedLoop:
    """The loop of a run whose *events* are in the journal."""
    clock = EventClock()
    clock.stand_at(events[0].at_ns)
    plan = PlaybookPlan(playbook, record.run, digest_of_playbook(playbook), clock)
    loop = ListedLoop(plan, *who, record, options)
    loop.open_call = fold_into(loop.enforcer, events, clock)
    loop.has_begun = any(event.type == types.PLAYBOOK_ENTERED for event in events)
    loop.teller.know(events)
    record.events[:0] = events
    return loop


@dataclass
class ListedLoop:
    """One run, turn by turn. *open_call*: begun before the run was cut off, and nobody knows whether it was done."""

    plan: PlaybookPlan
    model: AgentModel
    tools: Tools
    record: ListedRecord
    options: ListedOptions
    open_call: RunEvent | None = None
    has_begun: bool = False
    _outcomes: list[CallOutcomeText] = field(default_factory=list)
    _reminder: str = ""

    def __post_init__(self) -> None:
        self.enforcer = PlaybookEnforcer(self.plan, block_violations=self.options.block_violations)
        self.places = ListedPlaces(self.plan.playbook, self.options.snapshot)
        self.teller = StepTeller(self.plan, self.record, self.places)
        self._caller = "user" if self.model.name == "person" else "tool"
        self._maker = CallMaker(self.tools, self.enforcer, self.record, self._caller)
        self._speaker = "user" if self.model.name == "person" else "agent"

    def carry_out(self) -> ListedResult:
        """Turn after turn, until the plan is complete, has failed, or nothing more may be done."""
        self._begin()
        while True:
            self.teller.tell()
            reason = self._reason_to_stop()
            if reason:
                return self._end(reason)
            answer = self._ask()
            if answer.calls:
                self._make_all(answer.calls)
                continue
            conclusion = conclude(self.enforcer, answer.text)
            self._reminder = conclusion.message
            if conclusion.kind in (ConclusionKind.ACCEPTED, ConclusionKind.INCOMPLETE):
                return self._end(conclusion.kind.value, answer.text)

    def _begin(self) -> None:
        if self.has_begun:
            self.record.write(types.RUN_RESUMED, {})
        else:
            self.record.write(types.RUN_STARTED, {})
            adopted = {"digest": self.plan.digest, "blocks": self.options.block_violations, "tools": sorted(self.tools)}
            self.record.write(types.PLAN_ADOPTED, adopted)
            body = {"playbook": self.places.name, "agent": "", "arguments": {}, "state": []}
            self.record.write(types.PLAYBOOK_ENTERED, body, WHOLE_LIST)
        if self.open_call is not None:
            self._settle(self.open_call)

    def _reason_to_stop(self) -> str:
        """Why no further turn is had, empty where one is: it has then begun."""
        if self.plan.failed:
            return "step_failed"
        if self.plan.turns and self.plan.completed:
            return "complete"
        if self.plan.turns >= self.options.max_turns:
            return "max_turns"
        if self.options.before_turn is not None:
            self.options.before_turn()
        return "" if next_turn(self.enforcer) else "playbook_max_iterations"

    def _ask(self) -> TurnAnswer:
        tools = tuple(sorted(self.tools))
        context = "\n\n".join(filter(None, (context_text(self.enforcer), self.options.knowledge)))
        at = step_at_hand(self.enforcer, self.places)
        step = self.plan.current_step
        if at is not None and step is not None:
            self.teller.enter(step.id)
        where = (at.where if at is not None else WHOLE_LIST).inside(f"turn{self.plan.turns}")
        said = {"turn": self.plan.turns, "context": context, "model": self.model.name}
        self.record.write(types.TURN_ASKED, said, where)
        answer = self.model.take(Turn(self.plan.turns, context, tools, tuple(self._outcomes), self._reminder, at))
        self._outcomes, self._reminder = [], ""
        calls = [{"tool": one.tool, "named": dict(one.arguments)} for one in answer.calls]
        body = {"calls": calls, "text": answer.text, "model": self.model.name}
        self.record.write(types.TURN_TAKEN, body, where, self._speaker)
        return answer

    def _make_all(self, calls: tuple[WantedCall, ...]) -> None:
        """The calls of one turn, one after the other; after one that was not done the others are not made."""
        is_broken = False
        for wanted in calls:
            if is_broken:
                text = _("A call before it was not done, so this one was not made.")
                body = {"tool": wanted.tool, "named": dict(wanted.arguments), "message": text}
                self.record.write(types.CALL_CANCELLED, body, WHOLE_LIST)
                self._outcomes.append(CallOutcomeText(wanted.tool, text, is_error=True))
            else:
                is_broken = not self._make(wanted) and len(calls) > 1
            self.teller.tell()

    def _make(self, wanted: WantedCall) -> bool:
        """Ask about one call, and make it where it is allowed; whether it was done."""
        arguments = dict(wanted.arguments)
        if wanted.tool == SKIP_STEP and SKIP_STEP not in self.tools:
            return self._said(wanted.tool, arguments)
        answer = self.enforcer.validate_tool_call(wanted.tool, arguments)
        if not answer.allowed:
            self._blocked(wanted.tool, arguments, answer)
            return False
        self.teller.tell()
        if wanted.tool in _SAYINGS and wanted.tool not in self.tools:
            return self._said(wanted.tool, arguments)
        step = answer.step.id if answer.step else ""
        body = {
            "tool": wanted.tool,
            "agent": "",
            "class": "unsafe",
            "key": f"call{self.plan.total_tool_calls + 1}",
            "positional": [],
            "named": arguments,
            "digest": digest_of(arguments),
            "step": step,
        }
        place = self.places.of(step)
        where = place.inside(f"turn{self.plan.turns}.{body['key']}")
        self.record.write(types.TOOL_CALL, body, where, self._caller)
        return self._call(wanted.tool, arguments, where)

    def _blocked(self, tool: str, arguments: dict[str, Any], answer: EnforcementResult) -> None:
        violation = answer.violation
        assert violation is not None
        body = {
            "tool": tool,
            "positional": [],
            "named": arguments,
            "digest": digest_of(arguments),
            "violation": violation.violation_type,
            "message": violation.message,
            "hints": list(answer.hints),
        }
        self.record.write(types.CALL_BLOCKED, body, self.places.of(violation.step_id), self._speaker)
        self._outcomes.append(CallOutcomeText(tool, answer.refusal_text, is_error=True, reason=violation.message))

    def _said(self, tool: str, arguments: dict[str, Any]) -> bool:
        """A model says something about the plan itself: that its step is done or left out, or that all is done."""
        step = self.plan.current_step
        where = self.places.of(step.id if step is not None else None)
        self.record.write(types.PLAN_CONTROL, {"tool": tool, "named": arguments}, where, self._speaker)
        is_taken = say(self.enforcer, tool, arguments)
        text = _("Noted.") if is_taken else _("Not yet: {context}").format(context=context_text(self.enforcer))
        self._outcomes.append(CallOutcomeText(tool, text, is_error=not is_taken))
        return is_taken

    def _call(self, tool: str, arguments: dict[str, Any], where: Where) -> bool:
        outcome = self._maker.make(tool, arguments, where)
        self._outcomes.append(outcome)
        return not outcome.is_error

    def _settle(self, call: RunEvent) -> None:
        """Decide about a call that was begun before the run was cut off, and whose end is not known."""
        body, where = call.body, Where(call.step, call.line, call.span, call.parent)
        how = self.options.in_doubt
        if not how and self.options.settle is not None:
            how = self.options.settle(call)
        if how not in ("done", "again", "skip"):
            message = _("The call of {tool} was begun before the run was cut off, and nobody knows if it was done.")
            raise InputNeeded(message.format(tool=body["tool"]))
        said = {"tool": body["tool"], "named": body["named"], "how": how, "value": None}
        error = _("It was cut off and left out.") if how == "skip" else None
        self.record.write(types.RESOLVED, said if error is None else {**said, "message": error}, where, "user")
        self.open_call = None
        if how == "again":
            self._call(body["tool"], dict(body["named"]), where)
        else:
            self.enforcer.record_tool_call(FinishedCall(body["tool"], body["named"], error=error))

    def _end(self, reason: str, text: str = "") -> ListedResult:
        self.teller.tell()
        plan = plan_to_json(self.plan)
        if reason == "complete":
            body = {"playbook": self.places.name, "return": text}
            self.record.write(types.PLAYBOOK_EXITED, body, Where(span=LIST_SPAN))
            self.record.write(types.RUN_COMPLETED, {"return": text, "plan": plan})
        else:
            open_steps = ", ".join(self.plan.unresolved_required_steps)
            message = _("The playbook was not completed ({reason}). Open steps: {steps}.")
            told = message.format(reason=reason, steps=open_steps)
            self.record.write(types.RUN_FAILED, {"message": told, "plan": plan})
        return ListedResult(self.record.run, reason, self.plan, tuple(self.record.events), text)
