"""The agent loop: model ↔ tools, with the enforcer between them.

Every call is asked about before it is made; what is blocked is not made, and stands in the
journal as blocked. What a tool gives is data: it is shown to the model and counted as
evidence, and nothing in it can approve, complete or change a step.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.engine import events as types
from workbench.engine.data import NotData, as_data
from workbench.engine.enforcement.binding import check_tools
from workbench.engine.enforcement.conclusion import ConclusionKind, conclude, context_text, next_turn
from workbench.engine.enforcement.decisions import CONTROL_TOOLS
from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.enforcement.plan import PlaybookPlan
from workbench.engine.enforcement.plan_json import plan_to_json
from workbench.engine.enforcement.recording import FinishedCall
from workbench.engine.enforcement.values import EnforcementViolation
from workbench.engine.events import RunEvent, RunId
from workbench.engine.journal import Journal
from workbench.engine.listed.ports import AgentModel, CallOutcomeText, Tool, Turn, TurnAnswer, WantedCall
from workbench.engine.listed.record import (
    CALL_BLOCKED,
    PLAN_ADOPTED,
    PLAN_CONTROL,
    PLAN_VIOLATION,
    TURN_ASKED,
    TURN_TAKEN,
    EventClock,
    ListedRecord,
    fold_into,
    say,
)
from workbench.engine.runner import new_run_id
from workbench.errors import InputNeeded, RunFailed
from workbench.i18n import _
from workbench.model.steplists.values import Playbook, playbook_from_json, playbook_to_json


@dataclass(frozen=True, slots=True)
class ListedOptions:
    """How a step list is run. *block_violations* false: what is not kept is noted and nothing is blocked.

    *in_doubt*: ``done``, ``again`` or ``skip`` for a call that may have been made before the
    run was cut off; empty: the run does not go on by itself. *on_event*: told of each event
    once it is written.
    """

    block_violations: bool = True
    path: str = ""
    max_turns: int = 1_000
    in_doubt: str = ""
    on_event: Callable[[RunEvent], None] | None = None


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


def digest_of_playbook(playbook: Playbook) -> str:
    """SHA-256 of the canonical JSON of *playbook*: the version that a plan is bound to."""
    text = json.dumps(playbook_to_json(playbook), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def run_step_list(
    playbook: Playbook,
    model: AgentModel,
    tools: Mapping[str, Tool],
    journal: Journal,
    options: ListedOptions | None = None,
) -> ListedResult:
    """A new run of *playbook*, carried out to its end.

    Raises ToolsMissing, before anything is asked of the model, where a step expects a tool
    that is not there; InputNeeded where the model has nothing more to say.
    """
    check_tools(playbook, tools)
    chosen = options or ListedOptions()
    record = ListedRecord(new_run_id(), journal, on_event=chosen.on_event)
    clock = EventClock()
    plan = PlaybookPlan(playbook, record.run, digest_of_playbook(playbook), clock)
    record.write(types.RUN_CREATED, _origin(playbook, journal, chosen))
    record.write(types.RUN_STARTED, {})
    record.write(PLAN_ADOPTED, {"digest": plan.digest, "blocks": chosen.block_violations})
    return _Loop(plan, model, dict(tools), record, chosen).carry_out()


def resume_step_list(
    run: RunId, model: AgentModel, tools: Mapping[str, Tool], journal: Journal, options: ListedOptions | None = None
) -> ListedResult:
    """The run *run*, going on where it was: what is in its journal is not done again."""
    events = journal.check(run)
    origin = events[0].body
    chosen = options or ListedOptions(origin["blocks"], origin["path"])
    clock = EventClock()
    clock.stand_at(events[0].at_ns)
    playbook = playbook_from_json(json.loads(journal.kept(origin["pb_hash"])))
    plan = PlaybookPlan(playbook, run, digest_of_playbook(playbook), clock)
    record = ListedRecord(run, journal, len(events), chosen.on_event)
    loop = _Loop(plan, model, dict(tools), record, chosen)
    open_call = fold_into(loop.enforcer, events, clock)
    record.events[:0] = events
    record.write(types.RUN_RESUMED, {})
    if open_call is not None:
        loop.settle(open_call)
    return loop.carry_out()


def _origin(playbook: Playbook, journal: Journal, options: ListedOptions) -> dict[str, Any]:
    text = json.dumps(playbook_to_json(playbook), sort_keys=True, ensure_ascii=False)
    return {
        "playbook": playbook.name,
        "kind": "steplist",
        "path": options.path,
        "pb_hash": journal.keep(text.encode("utf-8", "surrogatepass")),
        "blocks": options.block_violations,
        "arguments": {},
    }


@dataclass
class _Loop:
    plan: PlaybookPlan
    model: AgentModel
    tools: dict[str, Tool]
    record: ListedRecord
    options: ListedOptions
    _outcomes: list[CallOutcomeText] = field(default_factory=list)
    _reminder: str = ""
    _reported: dict[tuple[str, str | None, str | None], int] = field(default_factory=dict)
    _entered: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.enforcer = PlaybookEnforcer(self.plan, block_violations=self.options.block_violations)

    def carry_out(self) -> ListedResult:
        """Turn after turn, until the plan is complete, has failed, or nothing more may be done."""
        while True:
            self._report_steps()
            if self.plan.failed:
                return self._end("step_failed")
            if self.plan.turns >= self.options.max_turns:
                return self._end("max_turns")
            if not self._may_go_on():
                return self._end("playbook_max_iterations")
            answer = self._ask()
            if answer.calls:
                self._make_all(answer.calls)
                if self.plan.completed:
                    return self._end("complete")
                continue
            conclusion = conclude(self.enforcer, answer.text)
            self._reminder = conclusion.message
            if conclusion.kind is ConclusionKind.ACCEPTED:
                return self._end("complete", answer.text)
            if conclusion.kind is ConclusionKind.INCOMPLETE:
                return self._end("playbook_incomplete", answer.text)

    def _may_go_on(self) -> bool:
        if not next_turn(self.enforcer):
            return False
        tools = tuple(sorted(self.tools))
        self.record.write(
            TURN_ASKED, {"turn": self.plan.turns, "context": context_text(self.enforcer), "tools": list(tools)}
        )
        return True

    def _ask(self) -> TurnAnswer:
        turn = Turn(
            self.plan.turns,
            context_text(self.enforcer),
            tuple(sorted(self.tools)),
            tuple(self._outcomes),
            self._reminder,
        )
        answer = self.model.take(turn)
        self._outcomes, self._reminder = [], ""
        calls = [{"tool": one.tool, "named": dict(one.arguments)} for one in answer.calls]
        self.record.write(TURN_TAKEN, {"calls": calls, "text": answer.text, "model": self.model.name}, actor="agent")
        return answer

    def _make_all(self, calls: tuple[WantedCall, ...]) -> None:
        """The calls of one turn, one after the other; after one that was not done the others are not made."""
        is_broken = False
        for wanted in calls:
            if is_broken:
                text = _("A call before it was not done, so this one was not made.")
                self.record.write(
                    "tool.cancelled", {"tool": wanted.tool, "named": dict(wanted.arguments), "message": text}
                )
                self._outcomes.append(CallOutcomeText(wanted.tool, text, is_error=True))
            else:
                is_broken = not self._make(wanted) and len(calls) > 1
            self._report_steps()

    def _make(self, wanted: WantedCall) -> bool:
        """Ask about one call, and make it where it is allowed; whether it was done."""
        arguments = dict(wanted.arguments)
        answer = self.enforcer.validate_tool_call(wanted.tool, arguments)
        step = answer.step.id if answer.step else ""
        body = {"tool": wanted.tool, "positional": [], "named": arguments, "step": step}
        if not answer.allowed:
            violation = answer.violation
            assert violation is not None
            self.record.write(
                CALL_BLOCKED, {**body, "violation": violation.violation_type, "message": violation.message}
            )
            self._outcomes.append(CallOutcomeText(wanted.tool, answer.refusal_text, is_error=True))
            return False
        self._report_steps()
        if wanted.tool in CONTROL_TOOLS and wanted.tool not in self.tools:
            return self._control(wanted.tool, arguments)
        self.record.write(types.TOOL_CALL, {**body, "class": "unsafe"}, self._address(step), "tool")
        return self._call(wanted.tool, arguments, step)

    def _control(self, tool: str, arguments: dict[str, Any]) -> bool:
        """A model says something about the plan itself: that its step is done, or that all is."""
        self.record.write(PLAN_CONTROL, {"tool": tool, "named": arguments}, actor="agent")
        is_taken = say(self.enforcer, tool, arguments)
        text = _("Noted.") if is_taken else _("Not yet: {context}").format(context=context_text(self.enforcer))
        self._outcomes.append(CallOutcomeText(tool, text, is_error=not is_taken))
        return is_taken

    def _call(self, tool: str, arguments: dict[str, Any], step: str) -> bool:
        body = {"tool": tool, "named": arguments, "step": step}
        try:
            result = as_data(self._tool(tool)(arguments))
        except NotData as error:
            self._failed(body, str(error))
        except Exception as error:  # noqa: BLE001 - whatever a tool raises is its failure, never ours
            self._failed(body, f"{type(error).__name__}: {error}" if not isinstance(error, RunFailed) else str(error))
        else:
            self.record.write(types.TOOL_RESULT, {**body, "value": result}, self._address(step), "tool")
            self.enforcer.record_tool_call(FinishedCall(tool, arguments, result))
            text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
            self._outcomes.append(CallOutcomeText(tool, text))
            return True
        return False

    def _tool(self, name: str) -> Tool:
        if name not in self.tools:
            raise RunFailed(_("There is no tool called {name}.").format(name=name))
        return self.tools[name]

    def _failed(self, body: Mapping[str, Any], error: str) -> None:
        self.record.write(types.TOOL_ERROR, {**body, "message": error}, self._address(str(body["step"])), "tool")
        self.enforcer.record_tool_call(FinishedCall(body["tool"], body["named"], error=error))
        self._outcomes.append(CallOutcomeText(body["tool"], error, is_error=True))

    def settle(self, open_call: RunEvent) -> None:
        """Decide about a call that was begun before the run was cut off, and whose end is not known."""
        body = open_call.body
        if self.options.in_doubt == "again":
            self._call(body["tool"], dict(body["named"]), body["step"])
        elif self.options.in_doubt in ("done", "skip"):
            self.record.write(types.RESOLVED, {"tool": body["tool"], "how": self.options.in_doubt}, actor="user")
            if self.options.in_doubt == "done":
                self.record.write(types.TOOL_RESULT, {**body, "value": None}, actor="user")
                self.enforcer.record_tool_call(FinishedCall(body["tool"], body["named"]))
            else:
                self._failed(dict(body), _("It was cut off and left out."))
        else:
            self.record.write(types.IN_DOUBT, {"tool": body["tool"], "text": body["tool"]})
            message = _(
                "The call of {tool} was begun before the run was cut off, and nobody knows whether it was done."
            )
            raise InputNeeded(message.format(tool=body["tool"]))

    def _address(self, step: str) -> str:
        index = self.plan.playbook.get_step_index(step) if step else None
        return "" if index is None else f"{self.plan.playbook.name}:{index + 1:02d}"

    def _report_steps(self) -> None:
        """Write down which steps began and ended, and what was not kept."""
        for execution in self.plan.executions:
            address = self._address(execution.step_id)
            if execution.step_id not in self._entered:
                self._entered.add(execution.step_id)
                step = self.plan.playbook.get_step(execution.step_id)
                text = step.description if step else ""
                self.record.write(types.STEP_ENTERED, {"id": execution.step_id, "text": text}, address)
            if execution.completed_at is not None and f"-{execution.step_id}" not in self._entered:
                self._entered.add(f"-{execution.step_id}")
                body = {"id": execution.step_id, "status": execution.status.value, "error": execution.error}
                self.record.write(types.STEP_EXITED, body, address)
        for violation in self.plan.violations:
            self._report(violation)

    def _report(self, violation: EnforcementViolation) -> None:
        key = (violation.violation_type, violation.step_id, violation.tool_name)
        if self._reported.get(key) != violation.times:
            self._reported[key] = violation.times
            body = {"type": violation.violation_type, "message": violation.message, "tool": violation.tool_name}
            address = self._address(violation.step_id or "")
            self.record.write(PLAN_VIOLATION, {**body, "blocked": violation.blocked, "count": violation.times}, address)

    def _end(self, reason: str, text: str = "") -> ListedResult:
        self._report_steps()
        plan = plan_to_json(self.plan)
        if reason == "complete":
            self.record.write(types.RUN_COMPLETED, {"return": text, "plan": plan})
        else:
            open_steps = ", ".join(self.plan.unresolved_required_steps)
            message = _("The playbook was not completed ({reason}). Open steps: {steps}.")
            self.record.write(
                types.RUN_FAILED, {"message": message.format(reason=reason, steps=open_steps), "plan": plan}
            )
        return ListedResult(self.record.run, reason, self.plan, tuple(self.record.events), text)
