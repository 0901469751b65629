"""Plan → playbook, by rule: the same plan always gives the same text, and no model is needed for it.

Before that, notes about the person that say exactly what is said otherwise, or left out, change the plan.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbench.engine.journal.cycle_events import WovenNote
from workbench.i18n import _
from workbench.model.plans.plan import Plan, PlanStep
from workbench.model.plans.writing import if_head, loop_head, one_line, playbook_lines, reaction_lines
from workbench.planning.request import PersonalNote, PlaybookFormat
from workbench.regex import regex
from workbench.syntax.data.yaml_writing import dump_yaml
from workbench.syntax.imports import import_line

MAIN = "Main"
_SLUG = regex(r"[^a-z0-9]+")
_WIDTH = 100


def playbook_text(plan: Plan, format_: PlaybookFormat) -> str:
    """*plan* as a playbook in *format_*."""
    return markdown_of(plan) if format_ is PlaybookFormat.MARKDOWN else step_list_of(plan)


def with_imports(text: str, imports: Sequence[str]) -> str:
    """*text*, in markdown, which imports the files *imports* at its end."""
    there = {line.path for each in text.splitlines() if (line := import_line(each)) is not None}
    missing = [f"!import {path}" for path in imports if path not in there]
    return "\n".join([text.rstrip("\n"), "", *missing, ""]) if missing else text


def markdown_of(plan: Plan) -> str:
    """*plan* in the language: a playbook that begins by itself, and one for each reaction."""
    description = one_line(plan.description)
    # nothing else can be called in it, whatever a judged step is told by what it reads
    lines = ["---", f"tools: [{', '.join(map(one_line, sorted(plan.calls)))}]", "---", ""]
    lines += [f"# {one_line(plan.title) or MAIN}", ""]
    lines += [description, ""] if description else []
    lines += playbook_lines(MAIN, plan, "" if plan.parameters else "At the beginning")
    for _name, written in reaction_lines(plan):
        lines += ["", *written]
    return "\n".join(lines) + "\n"


def woven_into(plan: Plan, notes: Sequence[PersonalNote]) -> tuple[Plan, tuple[WovenNote, ...]]:
    """*plan* as the *notes* that work by rule want it, and what each of them has changed, by the step's place."""
    effects: list[WovenNote] = []
    steps = tuple(_woven(plan.steps, notes, "steps", effects))
    reactions = tuple(
        replace(each, steps=tuple(_woven(each.steps, notes, f"reactions[{number}].steps", effects)))
        for number, each in enumerate(plan.reactions, 1)
    )
    if not steps:  # a plan of which nothing would be left stays as it is
        return plan, ()
    return replace(plan, steps=steps, reactions=reactions), tuple(effects)


def _woven(
    steps: Sequence[PlanStep], notes: Sequence[PersonalNote], at: str, effects: list[WovenNote]
) -> Iterator[PlanStep]:
    for number, step in enumerate(steps, 1):
        place = f"{at}[{number}]"
        said = next((each for each in notes if each.old and _same(each.old, step.intent) and not step.call), None)
        if said is not None:
            effects.append(WovenNote(said.id, place, step.intent, said.new))
        if said is not None and not said.new:
            continue
        changed = step if said is None else replace(step, intent=said.new)
        inner = tuple(_woven(changed.steps, notes, f"{place}.steps", effects))
        others = tuple(_woven(changed.otherwise, notes, f"{place}.otherwise", effects))
        yield replace(changed, steps=inner, otherwise=others)


def _same(one: str, other: str) -> bool:
    return one_line(one).casefold().rstrip(".") == one_line(other).casefold().rstrip(".")


@dataclass(slots=True)
class _Ids:
    """Names of steps, each given once."""

    count: int = 0

    def of(self, text: str) -> str:
        """The next one, which says what the step is."""
        self.count += 1
        slug = _SLUG.sub("-", text.lower()).strip("-")[:40].strip("-")
        return f"{self.count:02d}-{slug}" if slug else f"step-{self.count:02d}"


def step_list_of(plan: Plan) -> str:
    """*plan* as a step list in YAML: its steps in a row; what depends on something need not be done."""
    ids = _Ids()
    stem = _SLUG.sub("-", plan.title.lower()).strip("-")[:60] or "playbook"
    steps = [entry for step in plan.steps for entry in _entries(step, ids, "")]
    whole = {
        "id": stem,
        "name": one_line(plan.title) or stem,
        "description": one_line(plan.description),
        "version": "1.0.0",
        "strict_sequence": True,
        "steps": steps,
    }
    return dump_yaml(whole, _WIDTH)


def _entries(step: PlanStep, ids: _Ids, under: str) -> Iterator[dict[str, Any]]:
    """The entries for *step* and what is in it. *under*: the conditions and loops that hold it."""
    held = ", ".join(filter(None, (under, if_head(step.condition), loop_head(step.loop))))
    if not (held and step.steps and not step.call):
        yield _entry(step, ids, held)
    for each in step.steps:
        yield from _entries(each, ids, held)
    otherwise = ", ".join(filter(None, (under, _("unless {condition}").format(condition=one_line(step.condition)))))
    for each in step.otherwise:
        yield from _entries(each, ids, otherwise)


def _entry(step: PlanStep, ids: _Ids, held: str) -> dict[str, Any]:
    words = one_line(step.intent) or one_line(step.call)
    hints = [
        f"{name}: {value if isinstance(value, str) else json.dumps(value)}" for name, value in step.arguments.items()
    ]
    hints += [_("Expected: {text}").format(text=one_line(step.expected))] if step.expected else []
    hints += [_("Must hold: {text}").format(text=one_line(each)) for each in step.checks]
    entry: dict[str, Any] = {"id": ids.of(words), "description": f"{held}: {words}" if held else words}
    if step.call:
        entry["expected_tools"] = [step.call]
    if hints:
        entry["hints"] = hints
    if held:
        entry["required"] = False
    return entry
