"""Where the chapters of a procedure stand: those that are gone through in order, text between them calm and stacked."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from tests.core.check import snapshot_of
from workbench.model.incremental.advancing import advance
from workbench.model.layout.program import Layout, LayoutCache, layout_program
from workbench.model.layout.shapes import Box, Rect, Shape
from workbench.model.meaning import RouteKind, StepKind
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import Span

_FOLDER = Path(__file__).parents[1] / "data" / "ordinary"
FILES = sorted(_FOLDER.glob("*.md"))
TEXT = """\
# Bread

## Meaning

There is none.

## Impact

Hunger.

## Diagnosis

1. Look into the box

## References

- [Bread](bread.md)

## Mitigation

1. Bake
2. Eat
"""


def layout_of(text: str) -> Layout:
    return layout_program(snapshot_of(text))


def boxes_of(layout: Layout) -> list[Rect]:
    """All boxes but containers, which hold others."""
    boxes: list[tuple[Box, float, float]] = [(box, 0.0, 0.0) for each in layout.playbooks for box in each.boxes]
    for playbook in layout.playbooks:
        boxes += [(box, placed.x, placed.y) for placed in playbook.placed for box in placed.fragment.boxes]
    return [box.rect.moved(x, y) for box, x, y in boxes if not box.header_height]


def overlap(one: Rect, other: Rect) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def test_chapters_that_are_gone_through_have_numbers() -> None:
    titles = [layout.title for layout in layout_of(TEXT).playbooks]
    assert [(box.text, box.path) for box in titles] == [
        ("Meaning", ()),
        ("Impact", ()),
        ("Diagnosis", (1,)),
        ("References", ()),
        ("Mitigation", (2,)),
    ]


def test_texts_that_follow_one_another_stand_in_one_column() -> None:
    meaning, impact, diagnosis, references, mitigation = (each.rect for each in layout_of(TEXT).playbooks)
    assert (meaning.x, impact.x) == (meaning.x, meaning.x)
    assert meaning.y + meaning.height < impact.y
    assert impact.x + impact.width < diagnosis.x < references.x < mitigation.x
    assert diagnosis.y == references.y == mitigation.y == meaning.y


def test_a_way_leads_from_the_end_of_a_chapter_to_the_next_that_is_gone_through() -> None:
    layout = layout_of(TEXT)
    (way,) = layout.ways
    look, bake = (layout.document.program.playbooks[at].steps[0].id for at in (2, 4))
    assert (way.source, way.target) == (look, bake)
    assert way.points[-1] == (layout.playbooks[4].columns[0].spine, layout.playbooks[4].title.rect.y)


def test_only_the_last_chapter_that_is_gone_through_has_an_end() -> None:
    ends = [
        layout.playbook.title
        for layout in layout_of(TEXT).playbooks
        for box in layout.boxes
        if box.kind is StepKind.END
    ]
    assert ends == ["Mitigation"]


def test_no_way_leads_into_a_text_or_out_of_it() -> None:
    texts = [each for each in layout_of(TEXT).playbooks if each.stand.is_text]
    assert len(texts) == 3
    for layout in texts:
        assert [route for route in layout.routes if route.kind is not RouteKind.LINK] == []
        assert all(not placed.fragment.routes for placed in layout.placed)


def test_the_only_chapter_of_a_file_needs_no_number() -> None:
    assert layout_of("# Bread\n\n## Steps\n\n1. Bake\n").playbooks[0].title.path == ()


def test_a_chapter_whose_last_step_ends_everything_leads_nowhere() -> None:
    assert layout_of("# Desk\n## Main\n### Steps\n- Return\n").ways == ()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_stands_over_anything_else(path: Path) -> None:
    rects = boxes_of(layout_of(path.read_text(encoding="utf-8")))
    assert [(one, other) for one, other in combinations(rects, 2) if overlap(one, other)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_text_and_step_has_a_box(path: Path) -> None:
    layout = layout_of(path.read_text(encoding="utf-8"))
    drawn = {box.step for each in layout.playbooks for placed in each.placed for box in placed.fragment.boxes}
    steps = {step for each in layout.document.program.playbooks for root in each.steps for step in root.walk()}
    assert steps <= drawn


def test_a_layout_made_from_the_one_before_is_the_same() -> None:
    cache = LayoutCache()
    layout_program(snapshot_of(TEXT), cache=cache)
    changed = TEXT.replace("## Impact", "## Steps").replace("Hunger.", "1. Hunger")
    again, anew = layout_program(snapshot_of(changed), cache=cache), layout_of(changed)
    assert [each.rect for each in again.playbooks] == [each.rect for each in anew.playbooks]
    assert [way.points for way in again.ways] == [way.points for way in anew.ways]
    assert boxes_of(again) == boxes_of(anew)


def test_titles_of_texts_are_drawn_as_text() -> None:
    kinds = [layout.title.kind for layout in layout_of(TEXT).playbooks]
    assert kinds == [StepKind.RAW, StepKind.RAW, StepKind.STEP, StepKind.RAW, StepKind.STEP]
    assert all(layout.title.shape is Shape.TITLE for layout in layout_of(TEXT).playbooks)


def test_a_chapter_that_an_edit_left_alone_keeps_its_picture() -> None:
    before, cache = snapshot_of(TEXT), LayoutCache()
    pictures = layout_program(before, cache=cache).playbooks
    at = before.text.index("Bake")
    after = advance(before, TextChange((TextEdit(Span(at, at), "Re-"),)))
    kept = [old is new for old, new in zip(pictures, layout_program(after, cache=cache).playbooks, strict=True)]
    assert kept == [True, True, True, True, False]
