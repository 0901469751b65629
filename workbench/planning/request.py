"""What is wanted of a cycle: the goal, what can be called, what is known, and how it is gone about."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from workbench.engine.schemas import object_schema
from workbench.model.plans.policies import DEVIATION, USUAL_POLICIES, DeviationKind, Policy, policies_in
from workbench.model.program import Program
from workbench.tools.values import CallSafety

__all__ = [
    "ROUNDS",
    "USUAL_POLICIES",
    "DeviationKind",
    "KnownPlaybook",
    "Offer",
    "PersonalNote",
    "PlanRequest",
    "PlaybookFormat",
    "Policy",
    "Review",
    "offer_from_json",
    "request_from_json",
    "request_to_json",
]
ROUNDS = 3
"""How often something is sent back before a cycle gives up, with all that it has."""


class PlaybookFormat(enum.Enum):
    """How the playbook is written."""

    MARKDOWN = "markdown"
    STEPLIST = "steplist"


class Review(enum.Enum):
    """Who says that the playbook may go on. PERSON: whoever judges; RULES: nobody, unless a rule has an objection."""

    PERSON = "person"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class Offer:
    """A playbook or tool that can be called. *schema*: of its arguments, an object. *source*: who offers it."""

    name: str
    description: str = ""
    schema: Mapping[str, Any] = field(default_factory=lambda: object_schema({}, ()))
    safety: CallSafety = CallSafety.UNSAFE
    source: str = ""

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its arguments."""
        return tuple(self.schema.get("properties") or {})

    @property
    def needed(self) -> frozenset[str]:
        """Those that must be given."""
        return frozenset(self.schema.get("required") or ())

    @property
    def line(self) -> str:
        """It in one line, as whoever plans reads it."""
        words = ", ".join(name if name in self.needed else f"{name}?" for name in self.parameters)
        return f"{self.name}({words})" + (f": {self.description}" if self.description else "")


@dataclass(frozen=True, slots=True)
class PersonalNote:
    """Something that was learned from the person, which is woven in. *id*: of the note; *text*: in one line.

    *old*: the words of a step that is left out, or said in the words *new*, where the note works by rule.
    """

    id: str
    text: str
    old: str = ""
    new: str = ""


@dataclass(frozen=True, slots=True)
class KnownPlaybook:
    """A playbook that is kept and may do what is wanted. *record*: how its runs went, in words."""

    id: str
    version: int
    title: str
    record: str
    text: str
    plan: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """A goal in words, and what there is to reach it. *context*: what else should be known.

    *offers*: all that may be called, and nothing else. *imports*: the files that are imported for that. *patterns*:
    what has worked before, as text. *notes*: of the person. *known*: a kept playbook that may do, offered first.
    *is_free*: the text is written by whoever judges, and not from the plan alone. *has_observer*: whoever judges also
    says step by step whether the text does what is wanted. *is_run*: the playbook is carried out.
    *policies*: what is done about deviations, by kind, whatever the playbook says; *project_policies*: where that says
    nothing. *accepts_by_policy*: another text is taken without asking where nothing speaks against it. *looks*: how
    often at most whoever judges is asked, while it is carried out, whether that still leads to the goal; 0: never.
    """

    goal: str
    context: str = ""
    format: PlaybookFormat = PlaybookFormat.MARKDOWN
    offers: tuple[Offer, ...] = ()
    imports: tuple[str, ...] = ()
    patterns: str = ""
    notes: tuple[PersonalNote, ...] = ()
    known: KnownPlaybook | None = None
    is_free: bool = False
    review: Review = Review.PERSON
    has_observer: bool = False
    is_run: bool = False
    policies: Mapping[str, str] = field(default_factory=dict)
    accepts_by_policy: bool = False
    project_policies: Mapping[str, str] = field(default_factory=dict)
    looks: int = 0

    def policy_for(self, kind: DeviationKind, program: Program | None = None, step: str = "") -> Policy:
        """What is done about a deviation of *kind* at the address *step* of *program*.

        Said by the request, the playbook of that step, its file, or the project, in this order; else it is as usual.
        """
        said: list[Mapping[str, str]] = [self.policies]
        if program is not None:
            playbook = program.playbook(step.partition(":")[0])
            settings = (playbook.metadata if playbook is not None else (), program.front_matter)
            said += [policies_in(dict(each).get(DEVIATION)) for each in settings]
        said.append(self.project_policies)
        found = next((each[kind.value] for each in said if kind.value in each), None)
        return USUAL_POLICIES[kind] if found is None else Policy(found)

    def offer(self, name: str) -> Offer | None:
        """What is called *name*."""
        return next((each for each in self.offers if each.name == name), None)


def request_to_json(request: PlanRequest) -> dict[str, Any]:
    """*request* as JSON values."""
    found = asdict(request)
    found["format"], found["review"] = request.format.value, request.review.value
    found["offers"] = [
        # JSON keeps no order of names, and values without a name go by it
        {**asdict(each), "schema": dict(each.schema), "safety": each.safety.value, "order": list(each.parameters)}
        for each in request.offers
    ]
    found["known"] = asdict(request.known) if request.known is not None else None
    found["notes"] = [asdict(each) for each in request.notes]
    return found


def request_from_json(data: Mapping[str, Any]) -> PlanRequest:
    """The request that ``request_to_json`` has written."""
    offers = tuple(map(offer_from_json, data["offers"]))
    notes = tuple(PersonalNote(**each) for each in data["notes"])
    known = KnownPlaybook(**data["known"]) if data.get("known") else None
    ways = {"known": known, "format": PlaybookFormat(data["format"]), "review": Review(data["review"])}
    return PlanRequest(**{**data, **ways, "offers": offers, "imports": tuple(data["imports"]), "notes": notes})


def offer_from_json(data: Mapping[str, Any]) -> Offer:
    """The offer that ``request_to_json`` has written. Raises KeyError, TypeError or ValueError for anything else."""
    schema = dict(data["schema"])
    if data["order"]:
        schema["properties"] = {name: schema["properties"][name] for name in data["order"]}
    return Offer(data["name"], data["description"], schema, CallSafety(data["safety"]), data["source"])
