"""Plans, as whoever plans with this package has them. Runs make playbooks of them too, so they stand in the model."""

from workbench.model.plans.plan import (
    MOST_DEPTH,
    MOST_STEPS,
    Plan,
    PlanParameter,
    PlanRefused,
    PlanStep,
    Reaction,
    plan_from_json,
    plan_to_json,
)

__all__ = [
    "MOST_DEPTH",
    "MOST_STEPS",
    "Plan",
    "PlanParameter",
    "PlanRefused",
    "PlanStep",
    "Reaction",
    "plan_from_json",
    "plan_to_json",
]
