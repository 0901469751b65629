"""The plan of a run of a step list as the window knows it: a fold over the run's events, like every other view."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.engine.enforcement.records import EnforcementViolation, utc_now
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import FINAL
from workbench.engine.running.run import Run
from workbench.engine.steplists.decider import StepListDecider
from workbench.engine.steplists.places import StepListPlaces
from workbench.engine.steplists.plan_fold import PlanFold
from workbench.model.loader.steplist import Playbook


class PlanWatch:
    """Keeps the plan of one run up to date."""

    def __init__(self, run: Run, playbook: Playbook) -> None:
        start = run.state.origin.steplist
        self.blocks = start is None or start.blocks
        self._fold = PlanFold(playbook, run.id, blocks=self.blocks)
        self.plan = self._fold.plan
        self._places = StepListPlaces(playbook, run.snapshot)
        self._has_begun = False
        self._is_over = False
        self._violations: dict[str, list[EnforcementViolation]] = {}

    def take(self, batch: Sequence[RunEvent]) -> None:
        """Add what *batch* tells."""
        self._has_begun = self._has_begun or bool(batch)
        self._is_over = any(type(event.payload) in FINAL for event in batch)
        self._fold.take(batch)
        self._violations = {}
        for violation in self.plan.violations:
            self._violations.setdefault(violation.step_id or "", []).append(violation)

    def is_at(self, step_id: str) -> bool:
        """Whether it is the turn of a step."""
        current = self.plan.current_step
        return self._has_begun and not self._is_over and current is not None and current.id == step_id

    @property
    def is_timed(self) -> bool:
        """Whether a step with a time limit is going on."""
        step = self.plan.current_step
        return step is not None and step.timeout_seconds is not None and self.is_at(step.id)

    def lasted_s(self, step_id: str) -> float | None:
        """How long a step took, or has been going on; None before its turn."""
        execution = self.plan.get_step_execution(step_id)
        if execution is not None and execution.completed_at is not None and execution.started_at is not None:
            return (execution.completed_at - execution.started_at).total_seconds()
        return (utc_now() - self.plan.entered_at).total_seconds() if self.is_at(step_id) else None

    def violations_of(self, step_id: str) -> Sequence[EnforcementViolation]:
        """What was not kept in a step."""
        return self._violations.get(step_id, ())

    def address_of(self, step_id: str) -> str:
        """Where a step stands in the text that runs."""
        return self._places.of(step_id).step


def watch_of(run: Run) -> PlanWatch | None:
    """The plan of *run*, None where it has none."""
    return PlanWatch(run, run.decider.playbook) if isinstance(run.decider, StepListDecider) else None
