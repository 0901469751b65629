"""Plan → playbook, by rule: the same plan always gives the same text, and no model is needed for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.i18n import _
from workbench.model.plans.plan import Plan, PlanParameter, PlanStep
from workbench.regex import regex
from workbench.syntax.data.yaml_writing import dump_yaml
from workbench.syntax.expressions import try_expression
from workbench.syntax.imports import import_line
from workbench.syntax.signatures import normalise_name

MAIN = "Main"
_SLUG = regex(r"[^a-z0-9]+")
_WIDTH = 100
_LEAD = regex(r"(?:[-*+#>|=`~\s]|\d{1,9}[.)]\s|\[[ xX]?\]\s)+")
_LOOPS = ("for ", "while ", "until ", "repeat ")


def one_line(text: str) -> str:
    """*text* as words of one step: in one line, and nothing in it that would begin a block, a fence or a comment."""
    words = " ".join(text.split()).replace("<!--", "<!-").replace("```", "'''").replace("~~~", "---")
    return words[lead.end() :] if (lead := _LEAD.match(words)) else words


def same_words(one: str, other: str) -> bool:
    """Whether both say the same step, whatever their letter case and their last full stop are."""
    return one_line(one).casefold().rstrip(".") == one_line(other).casefold().rstrip(".")


def playbook_lines(name: str, plan: Plan, trigger: str = "") -> Iterator[str]:
    """*plan* as the playbook *name*, which begins by *trigger* where that is said."""
    about = [f"{one.name}: {one_line(one.description)}." for one in plan.parameters if one.description]
    yield from (f"## {name}({', '.join(map(_parameter, plan.parameters))})", "")
    yield from (" ".join(about), "") if about else ()
    yield from ("### Triggers", "", f"- {trigger}", "") if trigger else ()
    yield from ("### Steps", "", *steps_of(plan.steps))
    if plan.returns:
        yield f"- Return {one_line(plan.returns)}"
    if plan.expected:
        yield from ("", "### Notes", "", "- " + _("Expected: {text}").format(text=one_line(plan.expected)))


def reaction_lines(plan: Plan) -> Iterator[tuple[str, list[str]]]:
    """The names and the lines of the playbooks for the reactions of *plan*."""
    for each in plan.reactions:
        name = normalise_name(one_line(each.name)).name
        head = [f"## {name}()", "", "### Triggers", "", f"- {one_line(each.when)}", "", "### Steps", ""]
        yield name, [*head, *steps_of(each.steps)]


def playbooks_of(plan: Plan, name: str, is_taken: Callable[[str], bool]) -> tuple[tuple[str, str], ...]:
    """*plan* as playbooks that a run takes in: names and texts, the one that carries it out first.

    *name*: of that, empty: as the plan is called. What *is_taken* gets a number.
    """
    wanted = name or normalise_name(one_line(plan.title)).name or _PLANNED
    first = wanted if name else _free(wanted, is_taken)
    described = one_line(plan.description)
    head, *lines = playbook_lines(first, plan)
    found = [(first, "\n".join([head, "", described, *lines] if described else [head, *lines]))]
    for own, written in reaction_lines(plan):
        free = _free(own, lambda each: is_taken(each) or each in dict(found))
        found.append((free, "\n".join([written[0].replace(f"## {own}(", f"## {free}(", 1), *written[1:]])))
    return tuple(found)


_PLANNED = "Planned"


def _free(name: str, is_taken: Callable[[str], bool]) -> str:
    """*name*, or with the first number at which it is free."""
    number = 1
    while is_taken(name if number == 1 else f"{name}{number}"):
        number += 1
    return name if number == 1 else f"{name}{number}"


def _parameter(parameter: PlanParameter) -> str:
    return f"${parameter.name}: {parameter.type}" if parameter.type else f"${parameter.name}"


def steps_of(steps: Sequence[PlanStep], indent: str = "") -> Iterator[str]:
    """The lines of *steps*."""
    for step in steps:
        yield from _step(step, indent)


def _step(step: PlanStep, indent: str) -> Iterator[str]:
    """The lines of *step*: what holds it comes first, then itself, then what it consists of."""
    if step.expected:
        yield f"{indent}<!-- {_comment(step.expected)} -->"
    inner = indent
    for head in filter(None, (if_head(step.condition), loop_head(step.loop))):
        yield f"{inner}- {head}"
        inner += "  "
    is_head = inner != indent
    if not (is_head and step.steps and not step.call):
        yield f"{inner}- {sentence_of(step)}"
        inner += "" if is_head else "  "
    yield from steps_of(step.steps, inner)
    if step.condition and step.otherwise:
        yield f"{indent}- Otherwise"
        yield from steps_of(step.otherwise, f"{indent}  ")


def if_head(condition: str) -> str:
    """How a step begins that is done only where *condition* holds; empty for none."""
    words = one_line(condition).rstrip(":")
    return words if not words or words.lower().startswith("if ") else f"If {words}"


def loop_head(loop: str) -> str:
    """How a step begins that is done as often as *loop* says; empty for once."""
    words = one_line(loop).rstrip(":")
    return words if not words or words.lower().startswith(_LOOPS) else f"Repeat {words}"


def _comment(text: str) -> str:
    return _("expected: {text}").format(text=one_line(text).replace("--", "- -").replace(">", "›"))


def sentence_of(step: PlanStep) -> str:
    """What *step* itself says, without what holds it and what is in it."""
    words, result = one_line(step.intent), f"${step.result}" if step.result else ""
    if step.call:
        call = f"{one_line(step.call)}({', '.join(_argument(*each) for each in step.arguments.items())})"
        return f"{result} = {call}" if result else call
    return words if not result or result in words else f"{result} = {words}"


def _argument(name: str, value: Any) -> str:
    return f"{name}={written_value(value)}"


def written_value(value: Any) -> str:
    """*value* as an expression: a text with a variable in it that can be read as one, as it is; else a literal."""
    if isinstance(value, str) and "$" in value and "\n" not in value and try_expression(value) is not None:
        return value
    if isinstance(value, str):
        # a literal says itself, whatever is in it: braces would be filled in
        return json.dumps(value, ensure_ascii=True).replace("{", "\\u007b").replace("}", "\\u007d")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(name))}: {written_value(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(written_value, value))}]"
    return (
        {True: "true", False: "false", None: "null"}[value] if value is None or isinstance(value, bool) else repr(value)
    )


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


def with_imports(text: str, imports: Sequence[str]) -> str:
    """*text*, in markdown, which imports the files *imports* at its end."""
    there = {line.path for each in text.splitlines() if (line := import_line(each)) is not None}
    missing = [f"!import {path}" for path in imports if path not in there]
    return "\n".join([text.rstrip("\n"), "", *missing, ""]) if missing else text


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
