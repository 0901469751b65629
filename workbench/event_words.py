"""What an event of a run says, in one line of words: the same at the terminal and in the window."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from workbench.engine.journal import approval_events as approval
from workbench.engine.journal import cycle_events as cycle
from workbench.engine.journal import debug_events as debug
from workbench.engine.journal import fork_events as fork
from workbench.engine.journal import language_events as language
from workbench.engine.journal import model_events as model
from workbench.engine.journal import run_events as run
from workbench.engine.journal import steplist_events as steplist
from workbench.engine.journal import waiting_events as waiting
from workbench.engine.journal.choices import Scope, StepStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.instead import with_instead
from workbench.engine.journal.payload import NOTHING, EventPayload
from workbench.engine.judges import Judges
from workbench.engine.ports import InDoubtChoice
from workbench.engine.work import Went, went
from workbench.i18n import N_, _, ngettext, numeral
from workbench.vocabulary import Status, clock_text, missed_words, waiting_words

_STEP = {
    StepStatus.DONE: Status.DONE,
    StepStatus.RUNNING: Status.RUNNING,
    StepStatus.WAITING: Status.WAITING,
    StepStatus.SKIPPED: Status.SKIPPED,
    StepStatus.FAILED: Status.FAILED,
}
_SETTLED = {
    InDoubtChoice.DONE: N_("it was done"),
    InDoubtChoice.AGAIN: N_("it is made again"),
    InDoubtChoice.SKIP: N_("it is left out"),
}


_WENT = {Went.DONE: N_("done"), Went.SKIPPED: N_("skipped"), Went.FAILED: N_("did not work")}


def described(event: RunEvent) -> str:
    """What *event* says, in one line."""
    rule = _RULES.get(type(event.payload))
    return "" if rule is None else " ".join(rule(event.payload).split())


def made_words(event: RunEvent, name: str = "") -> str:
    """How *event* has made a value, that of the variable *name* where it has set one."""
    match event.payload:
        case debug.StateEdited(new=value, by=by):
            words = _("{name} = {value}, changed by {person}")
            return words.format(name=name, value=_value(value), person=by or _("a person"))
        case run.PlaybookEntered(playbook=playbook, arguments=arguments):
            value = _value(arguments.get(name.removeprefix("$")))
            return _("{name} = {value}, given to {playbook}").format(name=name, value=value, playbook=playbook)
        case run.RunCreated():
            return _("given when the run was started")
        case run.InputGiven(judge=judge):
            words = _("answer of {judge}: {answer}") if judge else _("answer: {answer}")
            return words.format(judge=judge, answer=described(event))
        case run.InputAsked():
            return _("question: {text}").format(text=described(event))
        case run.ToolResult() | run.CallResolved():
            return _("result: {value}").format(value=described(event))
        case run.ToolCalled():
            return _("call: {call}").format(call=described(event))
        case model.ModelAnswered():
            return _("model: {text}").format(text=described(event))
        case _:
            return described(event)


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _given(given: run.InputGiven | model.AnswerProposed | debug.AnswerHeld | debug.AnswerRecalled) -> str:
    answer = given.answer
    if "decision" in answer:
        return _("yes") if answer["decision"] else _("no")
    how = went(answer)
    if how is not None:
        return " · ".join(filter(None, (str(_WENT[how]), str(answer.get("text", "")))))
    if "call" in answer:
        return f"→ {answer['call']}"
    values = answer.get("values")
    named = values.items() if isinstance(values, dict) else ()
    return ", ".join(f"{name} = {_value(value)}" for name, value in named) or str(answer.get("text", ""))


def _called(call: run.ToolCalled) -> str:
    values = [*map(_value, call.positional), *(f"{name}={_value(each)}" for name, each in call.named.items())]
    return f"{call.tool}({', '.join(values)})"


def _entered(entered: run.PlaybookEntered) -> str:
    arguments = ", ".join(f"{name}={_value(value)}" for name, value in entered.arguments.items())
    return f"{entered.playbook}({arguments})"


def _checked(found: language.TriggersChecked) -> str:
    """Which conditions became true, and which ceased to be; of a message, which triggers it fits."""
    if found.fire and not found.holds:
        return ", ".join(found.fire)
    return ", ".join(f"{key}: {_('yes') if holds else _('no')}" for key, holds in found.holds.items())


def _chosen(chosen: run.JudgesChosen) -> str:
    judges: Judges | None = chosen.judges  # what was written by another version may have none
    return judges.usual.value if judges is not None else ""


def _observed(seen: language.CallObserved) -> str:
    if seen.error is not None:
        return seen.error
    return _value(seen.value) if seen.value is not NOTHING else ""


def _set(one: run.VariableSet | debug.StateEdited) -> str:
    return f"{'$' if one.scope is Scope.STATE else ''}{one.name} = {_value(one.new)}"


def _held(held: debug.ResultHeld) -> str:
    return with_instead(_value(held.value) if held.failure is None else held.failure, held.instead)


def _logged(logged: debug.PointLogged) -> str:
    if logged.problem and not logged.breakpoint:
        return logged.problem
    if logged.problem:
        words = _("“{breakpoint}” cannot be worked out: {problem}")
        return words.format(breakpoint=logged.breakpoint, problem=logged.problem)
    return logged.text


def _found(checked: cycle.PlaybookChecked) -> str:
    """How many errors were found, and the first of them."""
    errors = [each for each in checked.problems if each.severity == "error"]
    if not errors:
        return _("no errors")
    count = ngettext("{count} error", "{count} errors", len(errors)).format(count=numeral(len(errors)))
    return f"{count}: {errors[0].line}:{errors[0].column} {errors[0].message}"


def _observed_steps(observed: cycle.PlaybookObserved) -> str:
    """What is not fine of the steps."""
    against = [f"{each.step} {each.reason}" for each in observed.verdicts if not each.is_fine]
    return "; ".join(against) if against else _("no objections")


def _forked(forked: fork.RunForked) -> str:
    if not forked.source:
        return _("begins at a step")
    return _("goes on from event {seq} of run {run}").format(seq=numeral(forked.seq), run=forked.source)


_RULES: dict[type[EventPayload], Callable[[Any], str]] = {
    run.RunCreated: lambda created: f"{created.playbook} {created.path}",
    run.RunPaused: lambda paused: paused.reason,
    run.RunCompleted: lambda completed: "" if completed.returned is None else _value(completed.returned),
    run.RunFailure: lambda failure: failure.message,
    run.PlaybookEntered: _entered,
    run.PlaybookExited: lambda exited: f"{exited.playbook} → {_value(exited.returned)}",
    run.StepEntered: lambda entered: entered.text,
    run.StepExited: lambda exited: str(_STEP[exited.status]),
    run.StepFailure: lambda failure: failure.message,
    run.BranchTaken: lambda branch: _("yes") if branch.taken else _("no"),
    run.RoundBegun: lambda begun: str(begun.round) if begun.of is None else f"{begun.round}/{begun.of}",
    run.VariableSet: _set,
    run.InputAsked: lambda asked: asked.text,
    run.InputGiven: lambda given: with_instead(_given(given), given.instead),
    run.Told: lambda told: f"{told.target}: {told.text}" if told.target else told.text,
    run.ToolCalled: _called,
    run.ToolPrinted: lambda printed: printed.text,
    run.ToolResult: lambda result: with_instead(_value(result.value), result.instead),
    run.ToolError: lambda error: with_instead(error.message, error.instead),
    run.CallInDoubt: lambda asked: asked.text,
    run.CallResolved: lambda resolved: str(_SETTLED[resolved.how]),
    run.JudgesChosen: _chosen,
    model.ModelAsked: lambda asked: f"{asked.endpoint}/{asked.model} {asked.turn} {asked.problem}",
    model.ModelSaid: lambda said: said.text,
    model.ModelAnswered: lambda answered: ", ".join(wish.tool for wish in answered.wishes) or answered.text,
    model.WishAnswered: lambda answered: f"{answered.tool}: {answered.text}",
    model.AnswerProposed: _given,
    model.JudgementHandedOver: lambda handed: handed.reason,
    model.CommandWanted: lambda wanted: wanted.command,
    approval.ApprovalAsked: lambda asked: asked.text,
    approval.ApprovalGranted: lambda one: f"{one.by} {'' if one.arguments is None else _value(one.arguments)}",
    approval.ApprovalDenied: lambda denied: f"{denied.by} {denied.reason}",
    approval.ApprovalExpired: lambda expired: expired.reason,
    language.AgentCreated: lambda created: created.agent,
    language.MessageSent: lambda sent: f"{sent.sender} → {', '.join(sent.to)}: {sent.text}",
    language.MessagesReceived: lambda received: f"{received.agent} ← {received.source}: {len(received.messages)}",
    language.ArtifactSaved: lambda saved: f"{saved.name} {saved.summary}",
    language.ArtifactLoaded: lambda loaded: loaded.name,
    language.PlaybookWritten: lambda playbook: f"{playbook.agent}.{playbook.name}",
    language.TriggersChecked: _checked,
    language.TriggerFired: lambda fired: f"{fired.trigger} → {fired.agent}.{fired.playbook}",
    language.CallChosen: lambda chosen: f"{chosen.action}({_value(chosen.arguments)})",
    language.CallObserved: _observed,
    language.DescriptionFilled: lambda filled: filled.text,
    language.MeetingOpened: lambda opened: f"{opened.meeting} {opened.playbook} {opened.topic}",
    language.MeetingInvited: lambda one: f"{one.agent} {_('gives') if one.is_accepted else one.reason}",
    language.MeetingTurn: lambda turn: f"{turn.meeting} {turn.agent}",
    language.MeetingStateSet: lambda shared: f"{shared.meeting} {_value(shared.values)}",
    language.MeetingEnded: lambda ended: str(ended.meeting),
    steplist.TurnAsked: lambda asked: str(asked.turn),
    steplist.TurnTaken: lambda taken: ", ".join(call.tool for call in taken.calls) or taken.text,
    steplist.CallBlocked: lambda call: f"{call.tool}: {call.message}",
    steplist.CallCancelled: lambda call: f"{call.tool}: {call.message}",
    steplist.PlanViolated: lambda violation: f"{violation.type}: {violation.message}",
    debug.BreakpointHit: lambda hit: ": ".join(filter(None, (hit.breakpoint, hit.problem))),
    fork.RunForked: _forked,
    debug.PointLogged: _logged,
    debug.ResultHeld: _held,
    debug.AnswerHeld: lambda held: with_instead(_given(held), held.instead),
    debug.AnswerRecalled: lambda recalled: with_instead(_given(recalled), recalled.instead),
    debug.StateEdited: lambda one: f"{_set(one)} ({one.by})",
    waiting.TimerSet: lambda timer: _("due {time}").format(time=clock_text(timer.due_ns)),
    waiting.TimerDue: lambda due: missed_words(due.due_ns, due.missed) if due.missed else clock_text(due.due_ns),
    waiting.WaitBegun: lambda begun: waiting_words(begun.until_ns, is_open=begun.is_open),
    waiting.MessageHeard: lambda heard: f"{heard.sender} → {heard.to}: {heard.text}" if heard.to else heard.text,
    cycle.PlanMade: lambda made: str(made.plan.get("title", "")),
    cycle.PlanSentBack: lambda sent: "; ".join(sent.problems),
    cycle.PlaybookReused: lambda one: f"{one.id} {_('yes') if one.is_taken else _('no')} ({one.by})",
    cycle.NotesWoven: lambda woven: "; ".join(f"{each.before} → {each.after or '–'}" for each in woven.effects),
    cycle.PlaybookGenerated: lambda generated: f"{generated.format}, {generated.by}",
    cycle.PlaybookChecked: _found,
    cycle.PlaybookObserved: _observed_steps,
    cycle.PlaybookReviewed: lambda one: f"{_('yes') if one.is_accepted else _('no')} {one.reason} ({one.by})",
    cycle.PlaybookCompiled: lambda compiled: compiled.digest[:12],
    cycle.PlaybookBegun: lambda begun: begun.run,
    cycle.LookDue: lambda due: f"{due.step} {due.text}",
    cycle.DriftJudged: lambda one: f"{_('no') if one.is_drifting else _('yes')} {one.reason} ({one.by})",
    cycle.DeviationNoted: lambda one: f"{one.step} {one.kind}: {one.expected} → {one.actual}",
    cycle.DeviationAnswered: lambda one: f"{one.policy} ({one.by})",
    cycle.PlaybookRegenerated: lambda one: f"{one.scope} ({one.by}) {'; '.join(one.problems)}",
    cycle.RegenerationReviewed: lambda one: f"{_('yes') if one.is_accepted else _('no')} {one.reason} ({one.by})",
    cycle.PlaybookEnded: lambda ended: f"{ended.run} {ended.status} {ended.error}",
    cycle.PlaybookStored: lambda stored: stored.place,
    steplist.PlanSteered: lambda said: f"{said.tool}: {said.refused}" if said.refused else said.tool,
}
