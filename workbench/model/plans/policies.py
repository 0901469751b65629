"""What files and projects say about plans: those that runs make, and runs that are not as planned.

Both are one table of names and values: ``plans`` in the front matter of a file or in the project file, and
``deviation`` there and below the heading of a playbook. What can be used of it is used; the rest is told.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from workbench.i18n import N_, LazyText, _

DEVIATION = "deviation"
PLANS = "plans"
MOST_CHARACTERS = 20_000
"""How long the text of a playbook may be that a run makes."""


class DeviationKind(enum.Enum):
    """What differs. FAILED: a call, for good; MISSING: something that a step needs; VALIDATION: a check of the plan;
    SLOWER, DEARER: than in earlier runs; DRIFT: away from the goal.
    """

    FAILED = "failed"
    MISSING = "missing"
    VALIDATION = "validation"
    SLOWER = "slower"
    DEARER = "dearer"
    DRIFT = "drift"

    @property
    def is_end(self) -> bool:
        """Whether the step at hand did not get done."""
        return self in {DeviationKind.FAILED, DeviationKind.MISSING}


class Policy(enum.Enum):
    """What is done about a deviation. SEGMENT, REST: another text for what deviated, or all that is not done yet."""

    ASK = "ask"
    STOP = "stop"
    RETRY = "retry"
    SEGMENT = "segment"
    REST = "rest"
    GO_ON = "go-on"


USUAL_POLICIES: Mapping[DeviationKind, Policy] = {
    DeviationKind.FAILED: Policy.ASK,
    DeviationKind.MISSING: Policy.ASK,
    DeviationKind.VALIDATION: Policy.ASK,
    DeviationKind.DRIFT: Policy.ASK,
    DeviationKind.SLOWER: Policy.GO_ON,
    DeviationKind.DEARER: Policy.GO_ON,
}


class Approval(enum.Enum):
    """Who says that a playbook may be carried out that a run has made. RULES: nobody, where nothing is wrong in it."""

    NEVER = "never"
    ASK = "ask"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class PlanRules:
    """What a run may make. *approve*: None where nobody says it.

    *number*: of playbooks; *depth*: how deep those may make others; *steps*: in each; *usd*: what the models of the run
    may have cost before, 0 for any amount.
    """

    approve: Approval | None = None
    number: int = 10
    depth: int = 2
    steps: int = 60
    usd: float = 0.0


PLAN_RULES: Mapping[str, LazyText] = {
    "approve": N_("Who allows a playbook that the run makes: ask (a person), rules (where nothing is wrong), never."),
    "number": N_("How many playbooks a run may make."),
    "depth": N_("How deep playbooks that a run makes may make others."),
    "steps": N_("How many steps a playbook may have that a run makes."),
    "usd": N_("Once models have cost so many dollars in the run, it makes no more playbooks."),
}
"""What can be said after ``plans``."""
DEVIATION_RULES: Mapping[str, LazyText] = {
    "failed": N_("What is done where a call has failed for good."),
    "missing": N_("What is done where something is missing that a step needs."),
    "validation": N_("What is done where a check of the plan does not hold."),
    "slower": N_("What is done where a step takes far longer than in earlier runs."),
    "dearer": N_("What is done where a step costs far more than in earlier runs."),
    "drift": N_("What is done where the run goes away from its goal."),
}
"""What can be said after ``deviation``."""
POLICY_WORDS = tuple(each.value for each in Policy)
APPROVAL_WORDS = tuple(each.value for each in Approval)


def policies_in(said: object) -> dict[str, str]:
    """What *said*, the value of ``deviation``, says about each kind of deviation, as far as it can be used."""
    return {name: value for name, value in _entries(said) if name in DEVIATION_RULES and value in POLICY_WORDS}


def plan_rules(*said: object) -> PlanRules:
    """What may be made where all of *said*, values of ``plans``, hold: of each name, the strictest value."""
    known = [{name: value for name, value in _entries(each) if not _wrong(name, value)} for each in said]
    approved = [Approval(each["approve"]) for each in known if "approve" in each]
    costs = [_number(each["usd"]) for each in known if each.get("usd")]
    counts = {
        name: [int(_number(each[name])) for each in known if name in each] for name in ("number", "depth", "steps")
    }
    strictest = {name: min(values) for name, values in counts.items() if values}
    approve = min(approved, key=list(Approval).index, default=None)
    return replace(PlanRules(approve, usd=min(costs, default=0.0)), **strictest)  # type: ignore[arg-type]  # whole numbers


_COUNTS = ("number", "depth", "steps")


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def problems_of_policies(said: object, key: str) -> Iterator[tuple[str, str, str]]:
    """What is wrong in *said*, the value of *key*: what that is, in which words, and what is near to it."""
    rules = DEVIATION_RULES if key == DEVIATION else PLAN_RULES
    if not isinstance(said, Mapping):
        message = _("{key} needs names with values, as in {key}: {{{name}: {value}}}.")
        example = ("failed", "retry") if key == DEVIATION else ("number", "5")
        yield key, message.format(key=key, name=example[0], value=example[1]), ""
        return
    for name, value in _entries(said):
        if name not in rules:
            near = get_close_matches(name.lower(), rules, 1, 0.7)
            message = _("“{name}” is not one of what {key} can say: {names}.")
            yield name, message.format(name=name, key=key, names=", ".join(rules)), near[0] if near else ""
        elif key == DEVIATION and value not in POLICY_WORDS:
            yield _no_such(name, value, POLICY_WORDS)
        elif key == PLANS and _wrong(name, value):
            yield _no_such(name, value, APPROVAL_WORDS) if name == "approve" else (name, _no_number(name, value), "")


def _no_such(name: str, value: object, allowed: tuple[str, ...]) -> tuple[str, str, str]:
    near = get_close_matches(str(value).lower(), allowed, 1, 0.6)
    message = _("{key} cannot be “{value}”. Use {allowed}.")
    text = message.format(key=name, value=value, allowed=", ".join(allowed))
    return str(value), text, near[0] if near else ""


def _no_number(name: str, value: object) -> str:
    message = _("{key} must be a number of 0 or more, not “{value}”.")
    whole = _("{key} must be a whole number of 0 or more, not “{value}”.")
    return (message if name == "usd" else whole).format(key=name, value=value)


def _wrong(name: str, value: object) -> bool:
    """Whether *value* cannot be said for *name* of ``plans``."""
    if name == "approve":
        return value not in APPROVAL_WORDS
    if isinstance(value, bool) or not isinstance(value, int | float if name == "usd" else int):
        return True
    return name not in PLAN_RULES or not 0 <= value < 1_000_000


def _entries(said: object) -> Iterator[tuple[str, object]]:
    if isinstance(said, Mapping):
        yield from ((str(name), value) for name, value in said.items())
