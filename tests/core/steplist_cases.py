"""Step lists in every style, and twenty kinds of edit with what each is to make of the values."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.editing.commands import (
    Command,
    DeleteSteps,
    DuplicateSteps,
    InsertLines,
    InsertStep,
    MoveSteps,
    Place,
    RenamePlaybook,
    SetPlaybookField,
    SetStepField,
    SetStepText,
)
from workbench.model.loader.loading import parse_data
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.data.nodes import plain_value
from workbench.syntax.text import SourceText

DATA = Path(__file__).resolve().parents[1] / "data"
CORPUS = sorted((DATA / "steplist_corpus").iterdir())
GIVEN = sorted((DATA / "steplists").iterdir())
FILES = [*GIVEN, *CORPUS]
PASTED = "- id: pasted\n  description: pasted\n  expected_tools: [p, q]\n"

Values = dict[str, Any]
Apply = Callable[[Values, list[Any], int], None]
"""Changes the values of a document: its root, the list that the step stands in, and the index of the step."""


@dataclass(frozen=True)
class Edit:
    """One kind of edit of one step."""

    name: str
    command: Command
    apply: Apply


def opened(path: Path) -> Snapshot:
    """The document in the file at *path*."""
    return derive(SourceText.decode(path.read_bytes()))


def values_of(text: str) -> Any:
    """All that a text says, as plain values."""
    root = parse_data(text).root
    return plain_value(root) if root is not None else None


def steps_of(snapshot: Snapshot) -> list[Step]:
    """All steps and groups, in order."""
    return [step for root in snapshot.roots if root is not None for step in root.walk()]


def list_of(values: Values, snapshot: Snapshot, step: Step) -> tuple[list[Any], int]:
    """The list in *values* that *step* stands in, and where."""
    parent = snapshot.parent(step.id)
    tops = [root for root in snapshot.roots if root is not None and root.block.list_key == step.block.list_key]
    top = values[step.block.list_key]
    if parent is None:
        return top, tops.index(step)
    return top[tops.index(parent)]["steps"], parent.children.index(step)


def field_edits(step: Step) -> Iterator[Edit]:
    """Edits of what one step says."""
    fields: list[tuple[str, Any]] = [
        ("id", "quite-new"),
        ("description", "plain words"),
        ("description", "words: with # a colon"),
        ("description", "yes"),
        ("description", "two\nlines"),
        ("expected_tools", ["fresh"]),
        ("expected_tools", ["x", "fresh", "no"]),
        ("hints", ["look # here", "and: there"]),
        ("max_tool_calls", 7),
        ("timeout_seconds", 1.5),
        ("required", False),
        ("validation", {"min_tool_calls": 2, "required_result_keywords": ["a", "b c"]}),
        ("metadata", {"owner": "you", "deep": {"list": [1, "2"]}}),
    ]
    for name, value in fields:
        yield Edit(f"set {name} to {value!r}", SetStepField(step.id, name, value), _setting(name, value))
    for name in ("hints", "expected_tools", "metadata"):
        yield Edit(f"take out {name}", SetStepField(step.id, name, None), _taking_out(name))


def _setting(name: str, value: object) -> Apply:
    def apply(_root: Values, steps: list[Any], at: int) -> None:
        steps[at][name] = value

    return apply


def _taking_out(name: str) -> Apply:
    def apply(_root: Values, steps: list[Any], at: int) -> None:
        steps[at].pop(name, None)

    return apply


def structure_edits(snapshot: Snapshot, step: Step) -> Iterator[Edit]:
    """Edits of the list that *step* stands in."""
    name = snapshot.program.playbooks[0].name
    parent = snapshot.parent(step.id)
    inside = parent.id if parent else None
    siblings = [one for one in snapshot.siblings(step.id) if one.block.list_key == step.block.list_key]
    yield Edit("delete", DeleteSteps((step.id,)), lambda _root, steps, at: steps.pop(at))
    yield Edit("move to the front", MoveSteps((step.id,), Place(name, inside)), _to_front)
    yield Edit("move to the end", MoveSteps((step.id,), Place(name, inside, siblings[-1].id)), _to_end)
    if step.block.list_key == "steps" or parent is not None:
        words = "goal" if snapshot.program.format.is_graph else "description"
        yield Edit("insert", InsertStep(Place(name, inside, step.id), "Brand new: step"), _inserting(words))
        yield Edit("paste", InsertLines(Place(name, inside, step.id), PASTED), _pasting)
        yield Edit("duplicate", DuplicateSteps((step.id,)), _duplicating)


def _to_front(_root: Values, steps: list[Any], at: int) -> None:
    steps.insert(0, steps.pop(at))


def _to_end(_root: Values, steps: list[Any], at: int) -> None:
    steps.append(steps.pop(at))


def _inserting(_words: str) -> Apply:
    def apply(_root: Values, steps: list[Any], at: int) -> None:
        steps.insert(at + 1, {"id": re.compile("brand[-_]new[-_]step"), "words": "Brand new: step"})

    return apply


def _pasting(_root: Values, steps: list[Any], at: int) -> None:
    steps.insert(at + 1, {"id": "pasted", "words": "pasted", "expected_tools": ["p", "q"]})


def _duplicating(_root: Values, steps: list[Any], at: int) -> None:
    copied = copy.deepcopy(steps[at])
    if isinstance(copied, dict) and isinstance(copied.get("id"), bool | int):
        copied["id"] = re.compile(r".*[-_]\d+")
    elif isinstance(copied, dict) and "id" in copied:
        copied["id"] = re.compile(re.sub(r"[-_]\d+$", "", str(copied["id"])) + r"[-_]\d+")
    steps.insert(at + 1, copied)


def top_edits(snapshot: Snapshot) -> Iterator[Edit]:
    """Edits of the playbook's own fields."""
    name = snapshot.program.playbooks[0].name
    key = "title" if "title" in values_of(snapshot.text) and snapshot.program.format.is_graph else "name"
    yield Edit("rename", RenamePlaybook(name, "Quite: another"), _setting_top(key, "Quite: another"))
    for field, value in (
        ("strict_sequence", False),
        ("tags", ["a", "b"]),
        ("description", "All of it"),
        ("version", "3"),
    ):
        yield Edit(f"set {field}", SetPlaybookField(name, field, value), _setting_top(field, value))


def _setting_top(field: str, value: object) -> Apply:
    def apply(root: Values, _steps: list[Any], _at: int) -> None:
        root[field] = value

    return apply


def text_edits(step: Step) -> Iterator[Command]:
    """Edits of the words of a step."""
    for words in (
        "Quite other words",
        "with: a colon # and more",
        "'quoted' \"twice\" \\ slash",
        "- a dash",
        "12",
        "null",
    ):
        yield SetStepText(step.id, words)
