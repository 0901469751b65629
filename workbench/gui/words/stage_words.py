"""What is told of a cycle: how far each of its stages has come, and what came of it, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from workbench.engine.journal.choices import RunStatus
from workbench.engine.state.judging import Judging
from workbench.engine.state.run_state import RunState
from workbench.i18n import N_, _, ngettext, numeral
from workbench.model.plans.writing import sentence_of
from workbench.planning.plan import PlanStep
from workbench.planning.request import ROUNDS
from workbench.planning.shelf.entries import Entry
from workbench.planning.stages import CycleFold, Stage
from workbench.vocabulary import status_of_run

_STAGES = {
    Stage.PLAN: N_("Plan"),
    Stage.GENERATE: N_("Write"),
    Stage.CHECK: N_("Check"),
    Stage.REVIEW: N_("Review"),
    Stage.COMPILE: N_("Compile"),
    Stage.EXECUTE: N_("Carry out"),
    Stage.STORE: N_("Store"),
}
_WHO = {
    "form": N_("by you"),
    "person": N_("by you"),
    "rules": N_("by rule"),
    "policy": N_("by rule"),
    "script": N_("by a script"),
    "model": N_("by a model"),
    "shelf": N_("from the shelf"),
}
_DEVIATIONS = {
    "failed": N_("It failed"),
    "missing": N_("Something that it needs is missing"),
    "validation": N_("What must hold afterwards does not hold"),
    "slower": N_("It took far longer than usual"),
    "dearer": N_("It cost far more than usual"),
    "drift": N_("It leads away from the goal"),
}
_SEVERITIES = {"error": ("error", "failed"), "warning": ("warning", "blocked"), "info": ("info", "")}
_ICONS = {"done": "done", "now": "running", "asks": "person", "failed": "failed"} | {
    "stopped": "stop",
    "skipped": "skipped",
    "": "clock",
}
_STATES = {
    "done": N_("done"),
    "now": N_("going on"),
    "asks": N_("waits for you"),
    "failed": N_("failed"),
    "stopped": N_("stopped"),
    "skipped": N_("left out"),
    "": N_("not yet"),
}


@dataclass(frozen=True, slots=True)
class StageLine:
    """One stage. *state*: done, now, asks, failed, stopped, skipped; empty before its turn. *detail*: what came of it,
    or what it waits for.
    """

    stage: Stage
    state: str
    detail: str

    @property
    def icon(self) -> str:
        """The icon of its state."""
        return _ICONS[self.state]

    @property
    def status(self) -> str:
        """Its state as a status of runs, for whoever colours those."""
        return {"now": "running", "asks": "waiting"}.get(self.state, self.state)

    @property
    def words(self) -> str:
        """It in a few words: what came of it, or how far it is."""
        return " – ".join(filter(None, (stage_name(self.stage), self.detail or _waits(self.state))))

    @property
    def all_words(self) -> str:
        """How far it is and what came of it, for who does not see the icon."""
        return " – ".join(filter(None, (f"{stage_name(self.stage)}: {_STATES[self.state]}", self.detail)))


def _waits(state: str) -> str:
    """What has to be said of a stage in *state* of which nothing came yet."""
    return str(_STATES[state]) if state in {"asks", "now", "failed", "stopped", "skipped"} else ""


@dataclass(frozen=True, slots=True)
class StageRow:
    """Something that came of a stage. *status*: as of runs. *address*, *line*: which step or line of the text is meant.

    *version*: which of the texts is meant, from 1; 0 for none. *depth*: how far it stands in.
    """

    text: str
    icon: str = "step"
    status: str = ""
    address: str = ""
    line: int = 0
    version: int = 0
    depth: int = 0


def stage_name(stage: Stage) -> str:
    """*stage* in a word."""
    return str(_STAGES[stage])


def who_words(by: str) -> str:
    """Who *by* is, behind what was made."""
    return str(_WHO[by]) if by in _WHO else _("by {name}").format(name=by)


def stage_lines(at: CycleFold, state: RunState | None, *, asks: bool) -> tuple[StageLine, ...]:
    """All stages of the cycle *at*, whose run is in *state*. *asks*: it waits for the person."""
    is_over = state is not None and state.is_over
    lines = (StageLine(each, _state(at, each, asks=asks, is_over=is_over), _detail(at, each)) for each in Stage)
    return tuple(_at_hand(each, state) if each.stage is at.stage and state is not None else each for each in lines)


def _at_hand(line: StageLine, state: RunState) -> StageLine:
    """*line* of the stage at hand, with whom it waits for, or why it is over."""
    if line.state == "failed" and state.status is RunStatus.CANCELLED:
        return replace(line, state="stopped")
    if line.state == "failed" and state.error:
        return replace(line, detail=state.error)
    loop = judging_of(state)
    if line.state == "now" and loop is not None and loop.is_with_model:
        words = _("asking a model again since {time}") if loop.turns else _("asking a model since {time}")
        began = datetime.fromtimestamp((loop.at_ns or loop.since_ns) / 1e9, UTC).astimezone()
        return replace(line, detail=words.format(time=began.strftime("%H:%M:%S")))
    return line


def judging_of(state: RunState | None) -> Judging | None:
    """What a model is asked, or was before a person was; None where it is asked nothing."""
    return state.frames[-1].judging if state is not None and state.frames else None


def _state(at: CycleFold, stage: Stage, *, asks: bool, is_over: bool) -> str:
    stages = tuple(Stage)
    place = len(stages) if at.stage is None else stages.index(at.stage)
    if stages.index(stage) > place:
        return ""
    if stages.index(stage) == place:
        return "failed" if is_over else "asks" if asks else "now"
    if stage is Stage.EXECUTE and at.ended is not None and at.ended.status != RunStatus.COMPLETED.value:
        return "failed"
    is_left = (stage is Stage.EXECUTE and not at.begun) or (stage is Stage.STORE and at.stored is None)
    return "skipped" if is_left else "done"


def _detail(at: CycleFold, stage: Stage) -> str:
    match stage:
        case Stage.PLAN if at.plan is not None:
            count = len(list(at.plan.walk()))
            steps = ngettext("{count} step", "{count} steps", count).format(count=numeral(count))
            return f"{steps} {who_words(at.plan_by)}"
        case Stage.GENERATE if at.text:
            count = len(at.text.splitlines())
            lines = ngettext("{count} line", "{count} lines", count).format(count=numeral(count))
            return f"{lines} {who_words(at.text_by)}"
        case Stage.CHECK if at.is_checked:
            return _checked(at)
        case Stage.REVIEW if at.verdicts is not None:
            return _reviewed(at)
        case Stage.COMPILE if at.compiled is not None:
            count = at.compiled.lines
            return ngettext("{count} line", "{count} lines", count).format(count=numeral(count))
        case Stage.EXECUTE:
            return _carried(at)
        case Stage.STORE if at.stored is not None:
            return _("version {number}").format(number=numeral(at.stored.version))
        case _:
            return ""


def _checked(at: CycleFold) -> str:
    if not at.errors:
        count = len(at.problems)
        return ngettext("{count} remark", "{count} remarks", count).format(count=count) if count else _("nothing wrong")
    count = len(at.errors)
    errors = ngettext("{count} error", "{count} errors", count).format(count=numeral(count))
    if at.round > ROUNDS:
        return errors
    return _("{errors}, round {round} of {rounds}").format(
        errors=errors, round=numeral(at.round), rounds=numeral(ROUNDS)
    )


def _reviewed(at: CycleFold) -> str:
    if at.review is not None and at.review.is_accepted:
        return _("accepted {who}").format(who=who_words(at.review.by))
    if at.review is not None:
        return _("sent back: {reason}").format(reason=at.review.reason or "–")
    count = sum(not each.is_fine for each in at.verdicts or ())
    if not count:
        return _("no objections")
    return ngettext("{count} objection", "{count} objections", count).format(count=numeral(count))


def _carried(at: CycleFold) -> str:
    if at.ended is not None:
        return at.ended.error or str(status_of_run(RunStatus(at.ended.status), is_live=False))
    if at.deviation is not None:
        return _("not as planned")
    return _("going on") if at.begun else ""


def judging_rows(state: RunState | None) -> tuple[StageRow, ...]:
    """What a model has answered in the stage at hand that did not do, line by line."""
    loop = judging_of(state)
    turns = loop.turns if loop is not None else ()
    words = _("An answer of the model was not taken: {problem}")
    return tuple(StageRow(words.format(problem=each.problem), "warning", "blocked") for each in turns if each.problem)


def stage_rows(at: CycleFold, stage: Stage, texts: int, kept: Entry | None = None) -> tuple[StageRow, ...]:
    """What came of *stage*, line by line. *texts*: how many there were; *kept*: how it stands on the shelf."""
    match stage:
        case Stage.PLAN:
            return tuple(_of_plan(at))
        case Stage.GENERATE:
            return tuple(
                StageRow(_("Version {number}").format(number=numeral(number)), "history", version=number)
                for number in range(1, texts + 1)
            )
        case Stage.CHECK:
            return tuple(
                StageRow(f"{each.line}: {each.message}", *_SEVERITIES.get(each.severity, ("info", "")), line=each.line)
                for each in at.problems
            )
        case Stage.REVIEW:
            return tuple(_of_review(at))
        case Stage.EXECUTE:
            return tuple(_of_run(at))
        case Stage.STORE if kept is not None:
            return tuple(_of_shelf(kept))
        case _:
            return ()


def _of_plan(at: CycleFold) -> Iterator[StageRow]:
    for problem in at.sent_back if at.plan is None else ():
        yield StageRow(problem, "error", "failed")
    if at.plan is not None:
        changed = {each.after: each.before for each in at.effects}
        yield from _of_steps(at.plan.steps, changed, 0)
        for each in at.plan.reactions:
            yield StageRow(each.when, "trigger")
            yield from _of_steps(each.steps, changed, 1)
    for effect in at.effects:
        if not effect.after:
            yield StageRow(_("Left out, as a note says: {text}").format(text=effect.before), "note")


def _of_steps(steps: tuple[PlanStep, ...], changed: dict[str, str], depth: int) -> Iterator[StageRow]:
    for step in steps:
        words = " ".join(filter(None, (_when(step), sentence_of(step))))
        if step.intent in changed:
            words = _("{step} (a note changed “{before}”)").format(step=words, before=changed[step.intent])
        yield StageRow(words, "note" if step.intent in changed else "step", depth=depth)
        yield from _of_steps(step.steps, changed, depth + 1)
        if step.otherwise:
            yield StageRow(_("Otherwise"), "decision", depth=depth)
            yield from _of_steps(step.otherwise, changed, depth + 1)


def _when(step: PlanStep) -> str:
    parts = [_("If {condition}:").format(condition=step.condition)] if step.condition else []
    return " ".join([*parts, *([f"{step.loop}:"] if step.loop else [])])


def _of_review(at: CycleFold) -> Iterator[StageRow]:
    for each in at.verdicts or ():
        words = " ".join(filter(None, (each.step, each.reason or _("fine"))))
        icon, status = ("done", "done") if each.is_fine else ("blocked", "blocked")
        yield StageRow(words, icon, status, address=each.step)
    for reason in at.reasons:
        yield StageRow(_("Sent back: {reason}").format(reason=reason), "chat")


def _of_run(at: CycleFold) -> Iterator[StageRow]:
    for step, reason in at.detours:
        yield StageRow(_("Went on with another text after “{step}”: {reason}").format(step=step, reason=reason), "fork")
    if at.deviation is not None:
        told = at.deviation
        yield StageRow(f"{deviation_words(told.kind)}: {told.step} {told.text}", "warning", "blocked", told.step)
        if told.expected:
            yield StageRow(_("Expected: {text}").format(text=told.expected), "blank", depth=1)
        yield StageRow(_("What happened: {text}").format(text=told.actual), "blank", depth=1)
    if at.candidate is not None:
        for problem in at.candidate.problems:
            yield StageRow(problem, "error", "failed")
    if at.ended is not None:
        is_good = at.ended.status == RunStatus.COMPLETED.value
        words = _carried(at)
        yield StageRow(words, "done" if is_good else "failed", "done" if is_good else "failed")


def _of_shelf(kept: Entry) -> Iterator[StageRow]:
    yield StageRow(_("On the shelf as “{title}”").format(title=kept.title), "done", "done")
    yield StageRow(_("Owner: {owner}").format(owner=kept.owner or "–"), "person")
    yield StageRow(_("Tags: {tags}").format(tags=", ".join(kept.tags) or "–"), "filter")
    yield StageRow(kept.record, "history")


def deviation_words(kind: str) -> str:
    """What a deviation of *kind* is."""
    return str(_DEVIATIONS.get(kind, kind))
