"""A proven pattern as a playbook: in markdown, or as a step list whose order is enforced."""

from __future__ import annotations

import re

import yaml

from workbench.library.entries import PatternEntry, Variant, worked
from workbench.library.skills.skill_text import (
    GENERATOR,
    best_variant,
    code_span,
    one_line,
    skill_description,
    skill_name,
)

_NAME_LIMIT = 32
_HINTS_LIMIT = 20
_HINT_LIMIT = 500


def file_stem(entry: PatternEntry, version: int = 1) -> str:
    """The name of the file, without its ending: that of the skill of the same pattern."""
    return skill_name(entry, version)


def playbook_text(entry: PatternEntry, variants: tuple[Variant, ...]) -> str:
    """A markdown playbook with one step per tool of the best-proven variant."""
    best = best_variant(entry, variants)
    title = one_line(entry.title)[:200] or "Proven sequence"
    front = _yaml({"title": title, "pattern-id": entry.pattern_id, "generator": GENERATOR})
    steps = tuple(f"- {_step_words(tool, count)}" for tool, count in _steps(best))
    return (
        "\n".join(
            (
                *("---", front.rstrip("\n"), "---", ""),
                *(f"# {camel_name(entry)}", "", _plain(skill_description(entry, best)), ""),
                *("## Main", "", "### Triggers", "", "- At the beginning", "", "### Steps", ""),
                *(steps or ("- Return",)),
                *("", "### Notes", "", *_notes(entry, best)),
            )
        )
        + "\n"
    )


def step_list_text(entry: PatternEntry, variants: tuple[Variant, ...]) -> str:
    """A step list in YAML: one step per tool, with the hints of the record; the limits leave room for one retry."""
    best = best_variant(entry, variants)
    hints = _hint_lines(entry.prompt_template)
    steps = [
        {
            "id": f"step-{number}",
            "description": _step_words(tool, count),
            "expected_tools": [tool],
            **({"hints": hints} if hints and number == 1 else {}),
            "max_tool_calls": count + 1,
        }
        for number, (tool, count) in enumerate(_steps(best), start=1)
    ]
    return _yaml(
        {
            "id": file_stem(entry),
            "name": one_line(entry.title)[:200] or "Proven sequence",
            "description": skill_description(entry, best),
            "version": "1.0.0",
            "strict_sequence": True,
            "steps": steps,
            "tags": [tag for tag in [one_line(entry.task_type)] if tag],
            "metadata": _provenance(entry, best),
        }
    )


def _provenance(entry: PatternEntry, best: Variant) -> dict[str, object]:
    """Where a step list comes from, and how far it is proven."""
    return {
        "pattern_id": entry.pattern_id,
        "successes": best.success_count,
        "failures": best.failure_count,
        "generator": GENERATOR,
    }


def steps_text(entry: PatternEntry, variants: tuple[Variant, ...]) -> str:
    """Only the steps of the best-proven variant, as markdown bullets, to be put into a playbook that is open."""
    return "".join(f"- {_step_words(tool, count)}\n" for tool, count in _steps(best_variant(entry, variants)))


def camel_name(entry: PatternEntry) -> str:
    """A name that the playbook language accepts for an agent: a capital first, then letters and digits."""
    name = ""
    for word in re.findall(r"[a-z]+|\d+", skill_name(entry).rpartition("-")[0]):
        if len(name) + len(word) > _NAME_LIMIT:
            break
        name += word.capitalize()
    return name if name[:1].isalpha() else f"Pattern{name}"


def _steps(best: Variant) -> tuple[tuple[str, int], ...]:
    counts = best.repeats if len(best.repeats) == len(best.tools) else (1,) * len(best.tools)
    return tuple(zip(best.tools, counts, strict=True))


def _step_words(tool: str, count: int) -> str:
    again = "" if count == 1 else f", as often as needed ({count} times in the record)"
    return f"Use the tool {code_span(tool)}{again}"


def _notes(entry: PatternEntry, best: Variant) -> tuple[str, ...]:
    tried = worked(best.success_count, best.success_count + best.failure_count)
    hints = (f"- Hint: {_plain(line)}" for line in _hint_lines(entry.prompt_template))
    return (f"- This order {tried}, last seen {one_line(entry.last_seen or entry.created_at)[:10]}.", *hints)


def _hint_lines(hint: str) -> list[str]:
    lines = (one_line(line)[:_HINT_LIMIT] for line in hint.splitlines())
    return [line for line in lines if line][:_HINTS_LIMIT]


def _plain(text: str) -> str:
    """*text* that cannot be taken for a heading, a list, a fence, a comment or a directive of the language."""
    return re.sub(r"^(?=[#\-*+>`~!|\d=])|^(?=[\w ]+:)", "\u2060", text) if text else text


class _ExactDumper(yaml.SafeDumper):
    """Writes text with invisible characters in double quotes, where they are escaped: all else would be folded."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, None if text.isprintable() else '"')


_ExactDumper.add_representer(str, _represent_text)


def _yaml(value: object) -> str:
    return str(yaml.dump(value, Dumper=_ExactDumper, sort_keys=False, allow_unicode=True, width=1 << 20))
