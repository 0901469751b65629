"""A step list as values, in the words of its field: ``Playbook`` and ``PlaybookStep``.

Both are immutable all the way down. They come from a file (``loading.load_playbook``) or
are built in Python; either way what cannot hold is refused at once with ValueError.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any


def _nothing() -> Mapping[str, Any]:
    return MappingProxyType({})


def frozen(value: Any) -> Any:
    """*value* with tuples for lists and read-only mappings for dictionaries."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: frozen(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(frozen(item) for item in value)
    return value


def thawed(value: Any) -> Any:
    """*value* as lists and dictionaries, for JSON."""
    if isinstance(value, Mapping):
        return {key: thawed(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [thawed(item) for item in value]
    return value


@dataclass(frozen=True, slots=True)
class RequiredProbe:
    """Evidence that a step must leave: *match* occurs, in any letter case, in the name or arguments of a call.

    Asking is what a step is responsible for; what comes back is partly luck.
    """

    name: str
    match: str
    description: str = ""


@dataclass(frozen=True)
class PlaybookStep:
    """One step of a step list.

    *expected_tools*: the tools that belong to it. *max_tool_calls*: how many calls it may
    take (0: none). *min_tool_calls*: how many successful ones it should have. *timeout_seconds*:
    counted from when it becomes the current step. *any_tool*: a step without expected tools
    that lets every tool through. *uses*: names of skills whose tools it may use.
    """

    id: str
    description: str
    expected_tools: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    required: bool = True
    validation: Mapping[str, Any] = field(default_factory=_nothing)
    max_tool_calls: int | None = None
    min_tool_calls: int | None = None
    timeout_seconds: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=_nothing)
    uses: tuple[str, ...] = ()
    required_probes: tuple[RequiredProbe, ...] = ()
    any_tool: bool = False
    count_failures: bool = False
    retry_limit: int | None = None
    on_failure: str = ""

    def __post_init__(self) -> None:
        for name in ("expected_tools", "hints", "uses", "required_probes"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        for name in ("validation", "metadata"):
            object.__setattr__(self, name, frozen(getattr(self, name)))
        _check_step(self)

    @cached_property
    def tools(self) -> frozenset[str]:
        """The expected tools, for look-up."""
        return frozenset(self.expected_tools)

    @property
    def least_calls(self) -> int:
        """How many successful calls it needs at the least, from both places where that can stand."""
        return max(self.min_tool_calls or 0, int(self.validation.get("min_tool_calls") or 0))

    @property
    def matches_words(self) -> bool:
        """Whether its keywords must occur as whole words that nothing denies, not only as letters."""
        return self.validation.get("match") == "word"

    @property
    def result_keywords(self) -> tuple[str, ...]:
        """What must occur in the joined results of its calls."""
        return tuple(self.validation.get("required_result_keywords") or ())


def _check_step(step: PlaybookStep) -> None:
    """Raise ValueError where *step* could not be kept."""
    if not step.id.strip():
        raise ValueError("a step needs an id")
    if step.max_tool_calls is not None and step.max_tool_calls < 0:
        raise ValueError(f"step {step.id}: max_tool_calls is below zero")
    if step.min_tool_calls is not None and step.min_tool_calls < 0:
        raise ValueError(f"step {step.id}: min_tool_calls is below zero")
    limit = step.timeout_seconds
    if limit is not None and not (limit > 0 and math.isfinite(limit)):
        raise ValueError(f"step {step.id}: timeout_seconds must be a finite number above zero")
    if any(not tool.strip() for tool in step.expected_tools):
        raise ValueError(f"step {step.id}: an expected tool has no name")


@dataclass(frozen=True)
class StepGroup:
    """A phase: a stretch of steps that belong together, by their ids."""

    id: str
    title: str
    steps: tuple[str, ...]


@dataclass(frozen=True)
class Playbook:
    """A list of steps and how strictly it is kept.

    *strict_sequence*: the steps are done in their order. *allow_extra_tools*: tools that no
    step expects may be called too. *extras_may_run_ahead*: tools of later steps count as
    extra ones and may be called early. *blocking_evidence*: too little effort or evidence
    keeps a step from being completed instead of only being recorded. *locus_compat*: a step
    without expected tools lets every tool through. *max_iterations*: turns of the model.
    *skills*: what the skills allow that its steps use and that are known, see ``with_skills``.
    """

    id: str
    name: str
    description: str = ""
    version: str = "1.0.0"
    steps: tuple[PlaybookStep, ...] = ()
    strict_sequence: bool = True
    allow_extra_tools: bool = False
    max_iterations: int | None = None
    metadata: Mapping[str, Any] = field(default_factory=_nothing)
    tags: tuple[str, ...] = ()
    groups: tuple[StepGroup, ...] = ()
    extras_may_run_ahead: bool = False
    blocking_evidence: bool = False
    locus_compat: bool = False
    skills: Mapping[str, tuple[str, ...]] = field(default_factory=_nothing)

    def __post_init__(self) -> None:
        for name in ("steps", "tags", "groups"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        for name in ("metadata", "skills"):
            object.__setattr__(self, name, frozen(getattr(self, name)))
        if self.max_iterations is not None and self.max_iterations < 1:
            raise ValueError("max_iterations must be at least 1")
        seen: set[str] = set()
        for step in self.steps:
            if step.id in seen:
                raise ValueError(f"two steps have the id {step.id}")
            seen.add(step.id)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {step.id: index for index, step in enumerate(self.steps)}

    def get_step(self, step_id: str) -> PlaybookStep | None:
        """The step with *step_id*, or None; in constant time."""
        index = self._index.get(step_id)
        return None if index is None else self.steps[index]

    def get_step_index(self, step_id: str) -> int | None:
        """Where the step with *step_id* stands, or None; in constant time."""
        return self._index.get(step_id)

    @cached_property
    def steps_by_tool(self) -> Mapping[str, tuple[int, ...]]:
        """For each expected tool the indices of the steps that expect it."""
        found: dict[str, list[int]] = {}
        for index, step in enumerate(self.steps):
            for tool in step.tools:
                found.setdefault(tool, []).append(index)
        return {tool: tuple(indices) for tool, indices in found.items()}


def with_skills(playbook: Playbook, known: Mapping[str, Sequence[str]]) -> Playbook:
    """*playbook* bound to those of the *known* skills that its steps use, each with the tools that it allows.

    A step that expects no tools lets through what its skills allow; a skill that is not known constrains nothing.
    """
    used = {name: tuple(known[name]) for step in playbook.steps for name in step.uses if name in known}
    steps = [replace(step, any_tool=True) if step.uses and not step.expected_tools else step for step in playbook.steps]
    return replace(playbook, steps=tuple(steps), skills=used)


def playbook_to_json(playbook: Playbook) -> dict[str, Any]:
    """*playbook* as JSON values; ``playbook_from_json`` gives an equal one back."""
    names = [name for name in Playbook.__dataclass_fields__ if name not in ("steps", "groups", "skills")]
    return {
        **{name: thawed(getattr(playbook, name)) for name in names},
        **({"skills": thawed(playbook.skills)} if playbook.skills else {}),
        "steps": [_step_to_json(step) for step in playbook.steps],
        "groups": [{"id": one.id, "title": one.title, "steps": list(one.steps)} for one in playbook.groups],
    }


def _step_to_json(step: PlaybookStep) -> dict[str, Any]:
    names = [name for name in PlaybookStep.__dataclass_fields__ if name != "required_probes"]
    probes = [{"name": one.name, "match": one.match, "description": one.description} for one in step.required_probes]
    return {**{name: thawed(getattr(step, name)) for name in names}, "required_probes": probes}


def playbook_from_json(data: Mapping[str, Any]) -> Playbook:
    """The playbook in *data*, as ``playbook_to_json`` writes it."""
    steps = tuple(_step_from_json(step) for step in data["steps"])
    groups = tuple(StepGroup(one["id"], one["title"], tuple(one["steps"])) for one in data.get("groups", ()))
    rest = {key: value for key, value in data.items() if key not in ("steps", "groups")}
    return Playbook(steps=steps, groups=groups, **rest)


def _step_from_json(data: Mapping[str, Any]) -> PlaybookStep:
    probes: Sequence[Mapping[str, Any]] = data.get("required_probes", ())
    rest = {key: value for key, value in data.items() if key != "required_probes"}
    return PlaybookStep(required_probes=tuple(RequiredProbe(**probe) for probe in probes), **rest)
