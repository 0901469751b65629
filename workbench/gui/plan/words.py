"""What a plan says of one step, in a few words per column."""

from __future__ import annotations

from workbench.engine.enforcement.records import StepExecution, StepStatus
from workbench.engine.enforcement.satisfaction import lacks_of
from workbench.gui.plan.watch import PlanWatch
from workbench.gui.words.run_words import number_of
from workbench.i18n import _
from workbench.model.loader.steplist import PlaybookStep
from workbench.vocabulary import status_in_plan

STATUS_ICONS = {
    StepStatus.IN_PROGRESS: ("running", "running"),
    StepStatus.COMPLETED: ("done", "done"),
    StepStatus.SKIPPED: ("skipped", "skipped"),
    StepStatus.FAILED: ("failed", "failed"),
}
_SEEN = "✓ "


class PlanWords:
    """The cells of one plan, made when they are looked at: only those in view cost something."""

    def __init__(self, watch: PlanWatch) -> None:
        self._watch = watch
        self._plan = watch.plan

    def cells(self, step: PlaybookStep) -> tuple[str, ...]:
        """Step, status, expected tools, calls, successes, validation, time limit, violations."""
        execution = self._execution(step)
        number = number_of(self._watch.address_of(step.id))
        optional = "" if step.required else _(" (optional)")
        seen = execution.successes
        return (
            f"{number}  {step.description}{optional}",
            str(status_in_plan(self.status(step))),
            ", ".join(f"{_SEEN if tool in seen else ''}{tool}" for tool in step.expected_tools) or "–",
            _counted(execution.tool_call_count, step.max_tool_calls),
            _counted(execution.success_count, step.least_calls or None),
            self._validation(step, execution),
            self._time(step),
            str(self.violation_count(step) or "–"),
        )

    def status(self, step: PlaybookStep) -> StepStatus:
        """Where *step* stands; the one whose turn it is goes on, with or without a call."""
        status = self._plan.status(step.id)
        is_next = status is StepStatus.PENDING and self._watch.is_at(step.id)
        return StepStatus.IN_PROGRESS if is_next else status

    def violation_count(self, step: PlaybookStep) -> int:
        """How often something was not kept in *step*."""
        return sum(violation.times for violation in self._watch.violations_of(step.id))

    def tooltip(self, step: PlaybookStep) -> str:
        """All that there is to say of *step*: hints, what it lacks, its error, its violations."""
        execution = self._execution(step)
        lines = [step.description, *(_("Hint: {hint}").format(hint=hint) for hint in step.hints)]
        if self._plan.status(step.id) is not StepStatus.SKIPPED:
            lines += [lack.message for lack in lacks_of(self._plan.playbook, step, execution)]
        lines += [execution.error] if execution.error else []
        for violation in self._watch.violations_of(step.id):
            lines.append(f"{violation.violation_type} × {violation.times}: {violation.message}")
        return "\n".join(lines)

    def _time(self, step: PlaybookStep) -> str:
        if step.timeout_seconds is None:
            return "–"
        lasted = self._watch.lasted_s(step.id)
        if lasted is None:
            return _("{limit:g} s").format(limit=step.timeout_seconds)
        return _("{lasted:.0f} of {limit:g} s").format(lasted=lasted, limit=step.timeout_seconds)

    def is_late(self, step: PlaybookStep) -> bool:
        """Whether *step* has taken longer than it may."""
        lasted = self._watch.lasted_s(step.id) if step.timeout_seconds is not None else None
        return lasted is not None and step.timeout_seconds is not None and lasted > step.timeout_seconds

    def _validation(self, step: PlaybookStep, execution: StepExecution) -> str:
        wants = bool(step.least_calls or step.result_keywords or step.required_probes)
        if not wants:
            return "–"
        return _("open") if lacks_of(self._plan.playbook, step, execution) else _("met")

    def _execution(self, step: PlaybookStep) -> StepExecution:
        return self._plan.get_step_execution(step.id) or StepExecution(step.id)


def _counted(count: int, wanted: int | None) -> str:
    return str(count) if wanted is None else _("{count} of {wanted}").format(count=count, wanted=wanted)
