"""What is left out of the picture: the ways to and from a step, one branch, one playbook; and stubs for the rest."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.strategies import documents
from tests.core.test_layout import EVERYWHERE, drawn, overlaps
from tests.core.test_snapshot import changes
from workbench.model.incremental.advancing import advance
from workbench.model.layout.focusing import Way, called_from, focus_on
from workbench.model.layout.folds import EVERYTHING, Focus
from workbench.model.layout.program import Layout, LayoutCache, layout_program
from workbench.model.layout.shapes import Shape
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

TEXT = """# Desk

## Main
### Steps
- Begin
- If $x > 1
  - One
  - While $y
    - Deep
    - If it rains
      - Umbrella
    - Otherwise
      - Hat
- Otherwise
  - Two
  - Three
- Middle
- For each $a in $b
  - Inner
- Pay($x)

## Pay($x)
### Steps
- Return $x
"""


def step_of(snapshot: Snapshot, words: str) -> StepId:
    """The step with *words*."""
    roots = [root for playbook in snapshot.program.playbooks for root in playbook.steps]
    return next(step.id for root in roots for step in root.walk() if step.text == words)


def shown(layout: Layout) -> list[str]:
    """The words of all blocks; of a stub how many steps it stands for."""
    boxes = sorted(drawn(layout), key=lambda each: (each[0].y, each[0].x))
    return [str(box.hidden) if box.shape is Shape.CHIP else box.step.text for _rect, box in boxes if box.step]


def focused(words: str, way: Way) -> list[str]:
    snapshot = derive(SourceText(TEXT))
    return shown(layout_program(snapshot, focus=focus_on(snapshot, step_of(snapshot, words), way)))


def test_of_a_path_the_other_branches_are_left_out() -> None:
    words = focused("Umbrella", Way.PATH)
    assert {"Hat", "Two", "Three"}.isdisjoint(words)
    assert {"Begin", "One", "Deep", "Umbrella", "Middle", "Inner", "Pay($x)"} <= set(words)


def test_of_a_branch_only_its_inside_is_shown_and_stubs_count_the_rest() -> None:
    assert focused("Deep", Way.BRANCH) == [
        *("1", "If $x > 1", "Otherwise", "1", "While $y", "Deep", "If it rains", "Otherwise", "Umbrella", "Hat", "4"),
    ]


def test_only_one_playbook_and_a_stub_for_the_others() -> None:
    layout = layout_program(derive(SourceText(TEXT)), focus=Focus("Pay"))
    assert [each.playbook.name for each in layout.playbooks] == ["Pay"]
    assert layout.stub is not None
    assert layout.stub.hidden == 1


def test_numbers_count_what_is_left_out() -> None:
    snapshot = derive(SourceText(TEXT))
    layout = layout_program(snapshot, focus=focus_on(snapshot, step_of(snapshot, "Inner"), Way.BRANCH))
    numbers = {
        box.step.text: placed.number(box)
        for placed in layout.visible(EVERYWHERE)
        for box in placed.fragment.boxes
        if box.step is not None and box.shape is not Shape.CHIP
    }
    assert numbers == {"For each $a in $b": "05", "Inner": "05.01"}


def test_a_step_that_is_left_out_has_the_place_of_its_stub() -> None:
    snapshot = derive(SourceText(TEXT))
    layout = layout_program(snapshot, focus=focus_on(snapshot, step_of(snapshot, "Inner"), Way.BRANCH))
    found = layout.box_of(step_of(snapshot, "Hat"))
    assert found is not None
    assert (found[1].shape, found[1].hidden) == (Shape.CHIP, 13)


def test_what_a_step_calls() -> None:
    snapshot = derive(SourceText(TEXT))
    called = called_from(snapshot, step_of(snapshot, "Pay($x)"))
    assert called is snapshot.program.playbook("Pay")
    assert called_from(snapshot, step_of(snapshot, "Middle")) is None


GRAPH = """version: playbook.v2
id: g
name: G
steps:
  - id: a
    goal: A
  - id: b
    goal: B
    after: [a]
  - id: d
    goal: D
  - id: c
    goal: C
    after: [b, d]
"""


def test_of_a_graph_what_its_edges_lead_to_is_shown() -> None:
    snapshot = derive(SourceText(GRAPH))
    layout = layout_program(snapshot, focus=focus_on(snapshot, step_of(snapshot, "B"), Way.PATH))
    assert sorted(shown(layout)) == ["1", "A", "B", "C"]


def all_steps(snapshot: Snapshot) -> list[StepId]:
    playbooks = snapshot.program.playbooks
    return [step.id for playbook in playbooks for root in playbook.steps for step in root.walk()]


@settings(max_examples=examples(30))
@given(documents(), st.data())
def test_whatever_is_left_out_nothing_overlaps_and_the_cache_changes_nothing(text: str, data: st.DataObject) -> None:
    snapshot = derive(SourceText(text))
    steps = all_steps(snapshot)
    cache = LayoutCache()
    layout_program(snapshot, frozenset(), cache)
    if not steps:
        return
    focus = focus_on(snapshot, data.draw(st.sampled_from(steps)), data.draw(st.sampled_from(Way)))
    for look in (focus, EVERYTHING, focus):
        cached, fresh = layout_program(snapshot, frozenset(), cache, look), layout_program(snapshot, focus=look)
        assert drawn(cached) == drawn(fresh)
    after = advance(snapshot, data.draw(changes(text)))
    cached, fresh = layout_program(after, frozenset(), cache, focus), layout_program(after, focus=focus)
    assert drawn(cached) == drawn(fresh)
    blocks = [rect for rect, box in drawn(fresh) if box.shape not in (Shape.LOOP, Shape.GROUP)]
    assert not any(overlaps(one, other) for at, one in enumerate(blocks) for other in blocks[at + 1 :])


@pytest.mark.parametrize("way", Way)
def test_every_step_is_shown_in_its_own_focus(way: Way) -> None:
    snapshot = derive(SourceText(TEXT))
    for step in all_steps(snapshot):
        found = layout_program(snapshot, focus=focus_on(snapshot, step, way)).box_of(step)
        assert found is not None
        assert found[1].step is snapshot.step(step)
        assert found[1].shape is not Shape.CHIP
