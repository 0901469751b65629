"""What stands in other programs' files, as it is listed beside their text."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

from tests.core.test_foreign_formats import NAMED, NAMED_JSON, UNNAMED
from workbench.model.foreign.outline import OutlineEntry, outline_of


def told(entries: Iterable[OutlineEntry], depth: int = 0) -> list[str]:
    """The names of *entries*, indented."""
    found = []
    for entry in entries:
        found += ["  " * depth + entry.text, *told(entry.children, depth + 1)]
    return found


def test_a_workflow_is_listed_with_its_jobs_and_steps() -> None:
    text = (
        "name: Garden\non: [push]\njobs:\n  water:\n    runs-on: bed\n    steps:\n"
        "      - name: Fill the can\n        run: fill\n"
        "      - uses: pour@v2\n      - run: |\n          name: no step\n"
    )
    assert told(outline_of(text)) == [
        *("name: Garden", "on", "jobs", "  water", "    steps", "      Fill the can", "      pour@v2", "      run"),
    ]


def test_tasks_and_rules_are_listed_by_their_names() -> None:
    tasks = "- hosts: beds\n  tasks:\n  - name: Fill\n    shell: fill\n  - command: pour\n"
    assert told(outline_of(tasks)) == ["beds", "  tasks", "    Fill", "    command: pour"]
    assert told(outline_of(NAMED["prometheus-rules"])) == ["groups", "  garden", "    rules", "      DrySoil"]


@pytest.mark.parametrize("indent", [None, 2])
def test_json_is_listed_in_the_same_way(indent: int | None) -> None:
    flow = {
        "name": "Garden",
        "nodes": [{"id": "a", "name": "Sun"}, {"id": "b"}],
        "size": 3,
        "way": {"x": {"name": "y"}},
    }
    assert told(outline_of(json.dumps(flow, indent=indent))) == [
        *("name: Garden", "nodes", "  Sun", "  b", "size: 3", "way", "  x: y"),
    ]


@pytest.mark.parametrize("text", NAMED.values(), ids=NAMED.keys())
def test_an_entry_leads_to_where_it_stands(text: str) -> None:
    for entry in outline_of(text):
        assert entry.text.partition(":")[0] in text[entry.span.start : entry.span.end]


@pytest.mark.parametrize("text", [*NAMED.values(), *map(json.dumps, NAMED_JSON.values()), *UNNAMED])
def test_half_of_a_file_has_an_outline_too(text: str) -> None:
    for end in range(len(text)):
        for entry in outline_of(text[:end]):
            assert 0 <= entry.span.start <= entry.span.end <= end


def test_what_is_no_data_has_no_outline() -> None:
    assert outline_of("# Tea\n\n- Boil\n") == outline_of("a: b\0") == ()


def test_a_very_long_file_is_listed_by_its_beginning() -> None:
    assert len(outline_of("".join(f"key_{number}: 1\n" for number in range(9_000)))) == 2_000


def test_lists_in_lists_take_no_longer_the_deeper_they_are() -> None:
    assert outline_of("[" * 200_000 + "]" * 200_000) == ()
