"""Files that steps link to: edges of the flow graph, and boxes at the side of the flowchart."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.test_layout import drawn, overlaps
from tests.core.test_scan import FILES
from workbench.model.flow import flow_of_program
from workbench.model.incremental.advancing import advance
from workbench.model.layout.program import Layout, LayoutCache, layout_program
from workbench.model.layout.shapes import Box, Shape
from workbench.model.links import file_links
from workbench.model.meaning import RouteKind
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import SourceText, Span

TEXT = (
    "# Desk\n\n## Restart\n1. Drain it, see [drain](how/drain.md#now)\n2. Wait\n   - Read [this](./how/../notes.md)\n"
    "3. Go on with [drain](how/drain.md) or ask [them](https://x.example/a.md), ![a](b.md)\n\n"
    "## Stop\n1. Read [notes][n]\n\n[n]: <notes.md>\n"
)


def read(text: str) -> Snapshot:
    """What *text* means."""
    return derive(SourceText(text))


def files(layout: Layout) -> list[tuple[str, Box]]:
    """The boxes of files, each with the name of its playbook."""
    return [(each.playbook.name, box) for each in layout.playbooks for box in each.boxes if box.shape is Shape.FILE]


def test_a_step_that_links_to_a_playbook_leads_to_its_file() -> None:
    snapshot = read(TEXT)
    found = [(snapshot.step(link.step).text.split()[0], link.path) for _block, link in file_links(snapshot)]
    assert found == [("Drain", "how/drain.md"), ("Read", "notes.md"), ("Go", "how/drain.md"), ("Read", "notes.md")]


def test_the_flow_graph_has_one_node_for_each_file() -> None:
    graph = flow_of_program(read(TEXT))
    edges = [
        (graph.nodes[one]["label"].split()[0], other) for one, other, kind in graph.edges(data="kind") if kind == "link"
    ]
    assert sorted(edges) == [
        ("Drain", "file:how/drain.md"), ("Go", "file:how/drain.md"),
        ("Read", "file:notes.md"), ("Read", "file:notes.md"),
    ]  # fmt: skip
    assert graph.nodes["file:notes.md"] == {
        "kind": "file", "label": "notes.md", "line": 0, "step": "", "playbook": "",
    }  # fmt: skip


def test_each_playbook_has_a_box_for_each_file_beside_the_first_step_that_leads_there() -> None:
    snapshot = read(TEXT)
    layout = layout_program(snapshot)
    assert [(name, box.text) for name, box in files(layout)] == [
        ("Restart", "how/drain.md"), ("Restart", "notes.md"), ("Stop", "notes.md"),
    ]  # fmt: skip
    first = layout.place_of(next(link.step for _block, link in file_links(snapshot)))
    box = files(layout)[0][1]
    assert first is not None
    assert box.rect.y < first.y + first.height
    assert box.rect.y + box.rect.height > first.y
    assert box.rect.x > first.x + first.width


def test_ways_lead_from_steps_to_the_boxes_of_files() -> None:
    layout = layout_program(read(TEXT))
    ways = [route for each in layout.playbooks for route in each.routes if route.kind is RouteKind.LINK]
    lefts = [(box.rect.x, box.rect.y + box.rect.height / 2) for _name, box in files(layout)]
    assert [lefts.index(way.points[-1]) for way in ways] == [0, 0, 1, 2]


def test_a_folded_step_leads_where_what_it_hides_does() -> None:
    snapshot = read("# D\n1. If $x\n   - [a](a.md)\n   - [b](a.md)\n2. End\n")
    outer = snapshot.program.playbooks[0].steps[0]
    layout = layout_program(snapshot, frozenset({outer.id}))
    ways = [route for each in layout.playbooks for route in each.routes if route.kind is RouteKind.LINK]
    place = layout.place_of(outer.id)
    assert place is not None
    assert {place.x < way.points[0][0] < place.x + place.width for way in ways} == {True}
    assert len(ways) == 1


def test_nothing_overlaps_and_all_of_it_is_in_the_picture() -> None:
    lines = "".join(f"{n}. Do it [a](a{n % 7}.md) and [b](b{n}.md)\n" for n in range(1, 40))
    layout = layout_program(read(f"# A\n## B\n{lines}## C\n{lines}"))
    boxes = [box.rect for _name, box in files(layout)] + [rect for rect, _box in drawn(layout)]
    assert not [pair for pair in combinations(boxes, 2) if overlaps(*pair)]
    assert all(rect.x + rect.width <= layout.width and rect.y + rect.height <= layout.height for rect in boxes)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_picture_without_such_links_has_no_files(path: object) -> None:
    snapshot = derive(SourceText.decode(path.read_bytes()))  # type: ignore[attr-defined]
    layout = layout_program(snapshot)
    assert bool(files(layout)) == bool(list(file_links(snapshot)))


PIECES = st.sampled_from(
    ["- Do it\n", "- [a](a.md)\n", "- [b](b.md) [a](a.md)\n", "  - [c](c.pb)\n", "## X\n", "[r]: a.md\n", "- [r]\n"]
)


@settings(max_examples=examples(60))
@given(st.lists(PIECES, max_size=8), st.sampled_from(["x", "- [n](n.md)\n", "", "[a](b.md)", "\n"]), st.integers(0, 80))
def test_a_picture_after_an_edit_is_the_one_of_the_new_text(pieces: list[str], typed: str, at: int) -> None:
    before = read("# A\n" + "".join(pieces))
    cache = LayoutCache()
    layout_program(before, cache=cache)
    place = min(at, len(before.text))
    after = advance(before, TextChange((TextEdit(Span(place, place), typed),)))
    kept, fresh = layout_program(after, cache=cache), layout_program(after)
    assert [(name, box) for name, box in files(kept)] == [(name, box) for name, box in files(fresh)]
    assert [each.rect for each in kept.playbooks] == [each.rect for each in fresh.playbooks]
