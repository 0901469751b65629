"""A plan as rows that can be moved: edits of the steps of a plan, each of which gives another row of steps.

A step is found by its path: in which list of its parent it stands (``steps`` or ``otherwise``), and where there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.i18n import _
from workbench.regex import regex

if TYPE_CHECKING:
    from workbench.planning.plan import PlanParameter, PlanStep

STEPS, OTHERWISE = "steps", "otherwise"
Path = tuple[tuple[str, int], ...]
Steps = tuple["PlanStep", ...]
_IS_PARAMETER = regex(r"\$?(?P<name>[^\W\d]\w*)\s*(?::\s*(?P<type>[^,]+))?")


def rows(steps: Steps) -> Iterator[tuple[Path, PlanStep]]:
    """All steps with their paths, in the order of the text."""
    yield from _rows(steps, (), STEPS)


def _rows(steps: Steps, above: Path, name: str) -> Iterator[tuple[Path, PlanStep]]:
    for index, step in enumerate(steps):
        path = (*above, (name, index))
        yield path, step
        yield from _rows(step.steps, path, STEPS)
        yield from _rows(step.otherwise, path, OTHERWISE)


def step_at(steps: Steps, path: Path) -> PlanStep | None:
    """The step at *path*; None where there is none."""
    return next((step for place, step in rows(steps) if place == path), None)


def replaced(steps: Steps, path: Path, step: PlanStep) -> Steps:
    """*steps* with *step* at *path*."""
    return _changed(steps, path, lambda row, at: (*row[:at], step, *row[at + 1 :]))


def removed(steps: Steps, path: Path) -> Steps:
    """*steps* without the step at *path* and what is in it."""
    return _changed(steps, path, lambda row, at: (*row[:at], *row[at + 1 :]))


def inserted(steps: Steps, path: Path, step: PlanStep) -> Steps:
    """*steps* with *step* at *path*, before whatever stands there."""
    return _changed(steps, path, lambda row, at: (*row[:at], step, *row[at:]))


def _changed(steps: Steps, path: Path, change: Callable[[Steps, int], Steps]) -> Steps:
    """*steps* in which the list that *path* ends in is another one."""
    (_name, at), *rest = path
    if not rest:
        return change(steps, at)
    step, inner = steps[at], rest[0][0]
    below: Steps = step.steps if inner == STEPS else step.otherwise
    new = _changed(below, tuple(rest), change)
    changed = replace(step, steps=new) if inner == STEPS else replace(step, otherwise=new)
    return (*steps[:at], changed, *steps[at + 1 :])


def after(path: Path) -> Path:
    """The place behind *path* in the same list."""
    *above, (name, at) = path
    return (*above, (name, at + 1))


def inside(steps: Steps, path: Path, name: str = STEPS) -> Path:
    """The place at the end of what is in the step at *path*."""
    step = step_at(steps, path)
    inner: Steps = () if step is None else step.steps if name == STEPS else step.otherwise
    return (*path, (name, len(inner)))


def moved(steps: Steps, path: Path, way: str) -> tuple[Steps, Path]:
    """*steps* with the step at *path* moved, and where it is then; as they were where it cannot be.

    *way*: up, down; in: into the step above; out: behind the step that it is in.
    """
    step = step_at(steps, path)
    *above, (name, at) = path
    target: Path | None = None
    if step is None:
        return steps, path
    if way == "up" and at > 0:
        target = (*above, (name, at - 1))
    elif way == "down" and step_at(steps, after(path)) is not None:
        target = after(path)
    elif way == "in" and at > 0:
        target = inside(steps, (*above, (name, at - 1)))
    elif way == "out" and above:
        target = after(tuple(above))
    return (steps, path) if target is None else (inserted(removed(steps, path), target, step), target)


def value_of(written: str) -> Any:
    """The value of an argument as it was *written*: JSON where it is that, an expression with ``$``, else a text."""
    words = written.strip()
    try:
        found = json.loads(words)
    except ValueError:
        return words
    return found


def written_of(value: Any) -> str:
    """How *value* is written, so that ``value_of`` gives it again."""
    if isinstance(value, str) and value == value.strip() and value_of(value) == value:
        return value
    return json.dumps(value, ensure_ascii=False)


def parameters_of(written: str) -> tuple[PlanParameter, ...]:
    """The parameters in *written*, like ``order: str, amount: number``. Raises ValueError with what is wrong."""
    from workbench.planning.plan import PlanParameter  # noqa: PLC0415 - loaded with the first goal

    found = []
    for part in filter(None, map(str.strip, written.split(","))):
        read = _IS_PARAMETER.fullmatch(part)
        if read is None:
            raise ValueError(_("“{text}” is not written like order or order: str.").format(text=part))
        found.append(PlanParameter(read["name"], (read["type"] or "").strip()))
    return tuple(found)


def written_parameters(parameters: tuple[PlanParameter, ...]) -> str:
    """*parameters* as ``parameters_of`` reads them."""
    return ", ".join(f"{each.name}: {each.type}" if each.type else each.name for each in parameters)


def argument_names(schema: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of arguments to ask for: those of *schema*, then others that are *given*."""
    return tuple(dict.fromkeys((*(schema.get("properties") or {}), *given)))
