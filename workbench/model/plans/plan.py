"""Plans: how a goal is to be reached, as values. A plan says all that a playbook needs to be written from it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.errors import WorkbenchError
from workbench.i18n import _
from workbench.regex import regex
from workbench.syntax.expressions import NAME

MOST_STEPS = 400
MOST_DEPTH = 8
_MOST_TEXT = 2_000
_IS_NAME = regex(NAME)


class PlanRefused(WorkbenchError):
    """What was given is no plan. *problems*: each in a sentence, with its place."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step. *intent*: what is done, in words.

    *call*: the playbook or tool that does it, *arguments* by name: a text with ``$`` that can be read as an expression
    is one, anything else is a value. *result*: the variable for what comes of it, without its sign. *condition*: it is
    done only where this holds, else *otherwise*. *loop*: how often, in the words of the language (*For each $x in
    $xs*). *steps*: what it consists of. *expected*: what should have come of it, in words; *checks*: conditions that
    hold afterwards.
    """

    intent: str
    call: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    result: str = ""
    condition: str = ""
    loop: str = ""
    steps: tuple[PlanStep, ...] = ()
    otherwise: tuple[PlanStep, ...] = ()
    expected: str = ""
    checks: tuple[str, ...] = ()

    def walk(self) -> Iterator[PlanStep]:
        """This step and all that is in it, in the order of the text."""
        yield self
        for each in (*self.steps, *self.otherwise):
            yield from each.walk()


@dataclass(frozen=True, slots=True)
class PlanParameter:
    """A value that the playbook is given. *type*: as the language writes it, empty for any."""

    name: str
    type: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Reaction:
    """What is done whenever something is the case. *when*: as a trigger says it."""

    name: str
    when: str
    steps: tuple[PlanStep, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a goal is to be reached. *returns*: what the playbook gives, as an expression or in words."""

    title: str
    description: str
    steps: tuple[PlanStep, ...]
    parameters: tuple[PlanParameter, ...] = ()
    reactions: tuple[Reaction, ...] = ()
    returns: str = ""
    expected: str = ""

    def walk(self) -> Iterator[PlanStep]:
        """All steps, in the order of the text."""
        for each in (*self.steps, *(step for reaction in self.reactions for step in reaction.steps)):
            yield from each.walk()

    @property
    def calls(self) -> frozenset[str]:
        """The names of all that it wants called."""
        return frozenset(step.call for step in self.walk() if step.call)


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """*plan* as JSON values, without what is empty; ``plan_from_json`` gives an equal one back."""
    found: dict[str, Any] = {"title": plan.title, "description": plan.description}
    if plan.parameters:
        found["parameters"] = [
            _without_empty(name=p.name, type=p.type, description=p.description) for p in plan.parameters
        ]
    found["steps"] = [_step_to_json(step) for step in plan.steps]
    if plan.reactions:
        found["reactions"] = [
            {"name": one.name, "when": one.when, "steps": [_step_to_json(step) for step in one.steps]}
            for one in plan.reactions
        ]
    return {**found, **_without_empty(returns=plan.returns, expected=plan.expected)}


def _without_empty(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}


def _step_to_json(step: PlanStep) -> dict[str, Any]:
    return {
        "intent": step.intent,
        **_without_empty(
            call=step.call,
            arguments=dict(step.arguments),
            result=step.result,
            condition=step.condition,
            loop=step.loop,
            steps=[_step_to_json(one) for one in step.steps],
            otherwise=[_step_to_json(one) for one in step.otherwise],
            expected=step.expected,
            checks=list(step.checks),
        ),
    }


def plan_from_json(data: object) -> Plan:
    """The plan in *data*, JSON values, or a text that holds them. Raises PlanRefused with all that is wrong."""
    if isinstance(data, str):
        try:
            data = json.loads(data)
        except ValueError as error:
            raise PlanRefused((_("The plan is not JSON: {reason}.").format(reason=error),)) from error
    reader = _Reader()
    plan = reader.plan(data)
    if reader.problems:
        raise PlanRefused(reader.problems)
    return plan


class _Reader:
    """Reads plans, and notes down all that is wrong in them."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self._steps = 0

    def plan(self, data: object) -> Plan:
        """The plan in *data*, as far as there is one."""
        given = self._mapping(data, _("The plan"), "title description parameters steps reactions returns expected")
        steps = self._list_of_steps(given.get("steps"), "steps", 1)
        if not steps and not self.problems:
            self.problems.append(_("The plan has no steps."))
        return Plan(
            self._text(given, "title", is_needed=True),
            self._text(given, "description"),
            steps,
            tuple(self._parameter(each, at) for each, at in self._entries(given.get("parameters"), "parameters")),
            tuple(self._reaction(each, at) for each, at in self._entries(given.get("reactions"), "reactions")),
            self._text(given, "returns"),
            self._text(given, "expected"),
        )

    def _parameter(self, data: object, at: str) -> PlanParameter:
        given = self._mapping(data, at, "name type description")
        return PlanParameter(
            self._name(given, "name", at), self._text(given, "type", at), self._text(given, "description", at)
        )

    def _reaction(self, data: object, at: str) -> Reaction:
        given = self._mapping(data, at, "name when steps")
        name, when = self._text(given, "name", at, is_needed=True), self._text(given, "when", at, is_needed=True)
        return Reaction(name, when, self._list_of_steps(given.get("steps"), f"{at}.steps", 1))

    def _list_of_steps(self, data: object, at: str, depth: int) -> tuple[PlanStep, ...]:
        if depth > MOST_DEPTH:
            self._refuse(at, _("is nested too deeply (limit: {limit})").format(limit=MOST_DEPTH))
            return ()
        return tuple(self._step(each, place, depth) for each, place in self._entries(data, at))

    def _step(self, data: object, at: str, depth: int) -> PlanStep:
        self._steps += 1
        if self._steps == MOST_STEPS + 1:
            self._refuse(at, _("is one step too many (limit: {limit})").format(limit=MOST_STEPS))
        if self._steps > MOST_STEPS:
            return PlanStep("")
        names = "intent call arguments result condition loop steps otherwise expected checks"
        given = self._mapping(data, at, names)
        if given.get("otherwise") and not given.get("condition"):
            self._refuse(at, _("has “otherwise” without a condition"))
        # in an order that does not depend on who wrote it down: a journal keeps none
        arguments = dict(sorted(self._mapping(given.get("arguments") or {}, f"{at}.arguments", None).items()))
        for name in arguments:
            if not _IS_NAME.fullmatch(name):
                self._refuse(f"{at}.arguments", _("has “{name}”, which is no name").format(name=name))
        return PlanStep(
            self._text(given, "intent", at, is_needed=not given.get("call")),
            self._text(given, "call", at),
            arguments,
            self._name(given, "result", at) if given.get("result") else "",
            self._text(given, "condition", at),
            self._text(given, "loop", at),
            self._list_of_steps(given.get("steps"), f"{at}.steps", depth + 1),
            self._list_of_steps(given.get("otherwise"), f"{at}.otherwise", depth + 1),
            self._text(given, "expected", at),
            tuple(
                self._text({"check": each}, "check", place)
                for each, place in self._entries(given.get("checks"), f"{at}.checks")
            ),
        )

    def _entries(self, data: object, at: str) -> list[tuple[object, str]]:
        if data is None:
            return []
        if not isinstance(data, list):
            self._refuse(at, _("must be a list"))
            return []
        return [(each, f"{at}[{number}]") for number, each in enumerate(data, 1)]

    def _mapping(self, data: object, at: str, names: str | None) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            self._refuse(at, _("must be an object"))
            return {}
        unknown = [str(name) for name in data if names is not None and name not in names.split()]
        if unknown:
            self._refuse(at, _("has “{name}”, which is not one of: {names}").format(name=unknown[0], names=names))
        return {str(name): value for name, value in data.items()}

    def _text(self, given: Mapping[str, Any], name: str, at: str = "", *, is_needed: bool = False) -> str:
        value, place = given.get(name), ".".join(filter(None, (at, name)))
        if value is None:
            value = ""
        if not isinstance(value, str):
            self._refuse(place, _("must be a text"))
            return ""
        if is_needed and not value.strip():
            self._refuse(place, _("is missing"))
        if len(value) > _MOST_TEXT:
            self._refuse(place, _("is too long (limit in characters: {limit})").format(limit=_MOST_TEXT))
        return value.strip()

    def _name(self, given: Mapping[str, Any], name: str, at: str) -> str:
        written = self._text(given, name, at, is_needed=True).removeprefix("$")
        if written and not _IS_NAME.fullmatch(written):
            self._refuse(f"{at}.{name}", _("“{name}” is no name of a variable").format(name=written))
        return written

    def _refuse(self, at: str, problem: str) -> None:
        self.problems.append(f"{at}: {problem}.")
