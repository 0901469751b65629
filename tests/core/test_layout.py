"""Layout: nothing overlaps, numbers agree, the spine is straight, and a cached layout equals a fresh one."""

from __future__ import annotations

from itertools import accumulate, combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.strategies import documents
from tests.core.test_scan import FILES
from tests.core.test_snapshot import book, changes, named
from workbench.model.flow import flow_of_program
from workbench.model.incremental.advancing import advance
from workbench.model.layout.program import Layout, LayoutCache, layout_program
from workbench.model.layout.shapes import Box, Rect, Route, Shape
from workbench.model.meaning import RouteKind, StepKind
from workbench.model.snapshot import derive
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import SourceText, Span

EVERYWHERE = Rect(-1e9, -1e9, 2e9, 2e9)
CONTAINERS = (Shape.LOOP, Shape.GROUP)


def drawn(layout: Layout) -> list[tuple[Rect, Box]]:
    """All boxes with their absolute rectangles."""
    return [
        (box.rect.moved(placed.x, placed.y), box)
        for placed in layout.visible(EVERYWHERE)
        for box in placed.fragment.boxes
    ]


def overlaps(first: Rect, second: Rect) -> bool:
    """True when the rectangles share an area."""
    return (
        first.x < second.x + second.width
        and second.x < first.x + first.width
        and first.y < second.y + second.height
        and second.y < first.y + first.height
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_two_blocks_overlap(path: object) -> None:
    layout = layout_program(derive(SourceText.decode(path.read_bytes())))  # type: ignore[attr-defined]
    blocks = [rect for rect, box in drawn(layout) if box.shape not in CONTAINERS]
    assert not [pair for pair in combinations(blocks, 2) if overlaps(*pair)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_step_is_drawn_once_with_its_number(path: object) -> None:
    snapshot = derive(SourceText.decode(path.read_bytes()))  # type: ignore[attr-defined]
    layout = layout_program(snapshot)
    numbers = {
        box.step.id: placed.number(box)
        for placed in layout.visible(EVERYWHERE)
        for box in placed.fragment.boxes
        if box.step
    }
    steps = [
        step
        for playbook in snapshot.program.playbooks
        for root in playbook.triggers + playbook.steps + playbook.notes
        for step in root.walk()
    ]
    assert numbers == {step.id: snapshot.number(step.id) for step in steps}


def test_the_spine_does_not_move_when_a_branch_grows_wider() -> None:
    narrow = layout_program(book("# A\n## M\n### Steps\n- a\n- If x\n  - b\n- c\n"))
    wide = layout_program(book("# A\n## M\n### Steps\n- a\n- If x\n  - If y\n    - b\n  - Otherwise\n    - d\n- c\n"))
    assert {rect.x for rect, box in drawn(narrow) if box.text in "ac"} == {
        rect.x for rect, box in drawn(wide) if box.text in "ac"
    }


def test_otherwise_stands_to_the_right_of_its_if() -> None:
    layout = layout_program(book("# A\n## M\n### Steps\n- If x\n  - a\n- Otherwise\n  - b\n"))
    rects = {box.text: rect for rect, box in drawn(layout)}
    assert rects["Otherwise"].x > rects["If x"].x + rects["If x"].width
    assert rects["Otherwise"].y == rects["If x"].y


def test_a_loop_holds_its_steps() -> None:
    layout = layout_program(book("# A\n## M\n### Steps\n- While $x < 3\n  - a\n  - b\n"))
    rects = {box.text: rect for rect, box in drawn(layout)}
    outer, inner = rects["While $x < 3"], rects["b"]
    assert outer.x < inner.x
    assert inner.y + inner.height < outer.y + outer.height


def test_folding_hides_the_children_and_says_how_many() -> None:
    snapshot = book("# A\n## M\n### Steps\n- While $x < 3\n  - a\n  - b\n")
    folded = frozenset({named(snapshot, "While $x < 3")})
    boxes = [box for _rect, box in drawn(layout_program(snapshot, folded))]
    assert [(box.text, box.hidden) for box in boxes] == [("While $x < 3", 2)]


def test_a_hidden_step_is_found_at_the_box_that_hides_it() -> None:
    snapshot = book("# A\n## M\n### Steps\n- While $x < 3\n  - a\n")
    loop = named(snapshot, "While $x < 3")
    layout = layout_program(snapshot, frozenset({loop}))
    assert layout.place_of(named(snapshot, "a")) == layout.place_of(loop)


def test_a_very_long_playbook_goes_on_in_further_columns() -> None:
    steps = "".join(f"- step {number}\n" for number in range(1000))
    layout = layout_program(book(f"# A\n## M\n### Steps\n{steps}"))
    assert len(layout.playbooks[0].columns) > 3
    assert layout.height < 20_000


def test_only_fragments_in_view_are_made() -> None:
    steps = "".join(f"- step {number}\n" for number in range(1000))
    layout = layout_program(book(f"# A\n## M\n### Steps\n{steps}"))
    assert 0 < len(list(layout.visible(Rect(0, 500, 300, 800)))) < 15


def comparable(layout: Layout) -> list[object]:
    """Everything that is drawn, without object identity."""
    places: list[object] = [(rect, box.text, box.shape, box.path, box.hidden) for rect, box in drawn(layout)]
    return [*places, layout.width, layout.height, [one.routes for one in layout.playbooks]]


@given(st.data(), documents())
def test_a_layout_with_its_cache_equals_a_fresh_one(data: st.DataObject, text: str) -> None:
    snapshot = derive(SourceText(text))
    cache = LayoutCache()
    layout_program(snapshot, frozenset(), cache)
    for _round in range(3):
        snapshot = advance(snapshot, data.draw(changes(snapshot.text)))
        folded = frozenset(data.draw(st.sets(st.sampled_from(sorted(snapshot.where) or ["s0"]), max_size=2)))
        assert comparable(layout_program(snapshot, folded, cache)) == comparable(layout_program(snapshot, folded))


ARMS = ["- If $x\n  - a\n", "- Else if $y\n  - b\n", "- Otherwise\n  - c\n", "- When $z\n  - d\n", "- e\n"]


@given(st.lists(st.sampled_from(ARMS), min_size=2, max_size=6), st.data())
@settings(max_examples=examples(300))
def test_decisions_whose_arms_come_and_go_in_several_places_are_laid_out_like_fresh_ones(
    arms: list[str], data: st.DataObject
) -> None:
    head = "# A\n## M\n### Steps\n"
    snapshot, cache = book(head + "".join(arms)), LayoutCache()
    layout_program(snapshot, frozenset(), cache)
    starts = list(accumulate(map(len, arms), initial=len(head)))
    spans = [Span(*each) for each in pairwise(starts)]
    chosen = data.draw(st.sets(st.sampled_from(range(len(arms))), min_size=1, max_size=4))
    new = st.sampled_from(["", "", *ARMS])
    edits = tuple(TextEdit(spans[at], data.draw(new)) for at in sorted(chosen))
    after = advance(snapshot, TextChange(edits))
    assert comparable(layout_program(after, frozenset(), cache)) == comparable(layout_program(after))


def routes(layout: Layout) -> list[Route]:
    """All routes in absolute coordinates."""
    own = [route for playbook in layout.playbooks for route in playbook.routes]
    return own + [
        route._replace(points=tuple((x + placed.x, y + placed.y) for x, y in route.points))
        for placed in layout.visible(EVERYWHERE)
        for route in placed.fragment.routes
    ]


TRIGGERS = "### Triggers\n- When program starts\n- When $x changes\n- When asked\n"
NOTES = "### Notes\n- Be kind\n- Be brief\n"


@pytest.mark.parametrize(
    ("step", "kinds"),
    [
        ("If $x, return", {RouteKind.NO}),
        ('If $x, tell user "no" and end the program', {RouteKind.NO}),
        ('If $x, tell user "no"', {RouteKind.NO, RouteKind.YES}),
    ],
)
def test_what_leaves_on_the_line_of_a_condition_leads_to_no_step_below(step: str, kinds: set[RouteKind]) -> None:
    snapshot = book(f"# A\n## M\n### Steps\n- {step}\n- b\n")
    (decision,) = [each.id for each in snapshot.program.playbooks[0].steps if each.kind is StepKind.DECISION]
    found = {route.kind for route in routes(layout_program(snapshot)) if route.source == decision}
    assert found - {RouteKind.NEXT} == kinds  # what comes out of all arms together goes on below


def test_an_otherwise_without_an_if_is_a_question_with_two_ways_out() -> None:
    text = "# A\n## Main\n### Steps\n- Otherwise\n  - Return 4\n- Go on\n"
    snapshot = derive(SourceText(text))
    first = snapshot.program.playbooks[0].steps[0].id
    kinds = {route.kind for route in routes(layout_program(snapshot)) if route.source == first}
    assert kinds >= {RouteKind.YES, RouteKind.NO}
    edges = {kind for _start, _end, kind in flow_of_program(snapshot).edges(data="kind")}
    assert {RouteKind.YES.value, RouteKind.NO.value} <= edges
    assert "unreachable-step" not in {each.code for each in snapshot.diagnostics}


def test_no_way_leads_to_a_note_or_from_one() -> None:
    layout = layout_program(book(f"# A\n## M\n### Steps\n- a\n{NOTES}"))
    first_note = next(rect for rect, box in drawn(layout) if box.text == "Be kind")
    assert all(y < first_note.y for route in routes(layout) for _x, y in route.points)


def test_the_end_stands_between_the_last_step_and_the_notes() -> None:
    layout = layout_program(book(f"# A\n## M\n### Steps\n- a\n{NOTES}"))
    rects = {box.text: rect for rect, box in drawn(layout)}
    (end,) = (box.rect for box in layout.playbooks[0].boxes if box.text == "End")
    assert rects["a"].y + rects["a"].height < end.y < end.y + end.height < rects["Be kind"].y


def test_every_trigger_has_its_own_way_to_the_first_step() -> None:
    snapshot = book(f"# A\n## M\n{TRIGGERS}### Steps\n- a\n")
    ways = {route.source: route for route in routes(layout_program(snapshot)) if route.source}
    triggers = [step.id for step in snapshot.program.playbooks[0].triggers]
    assert [ways[trigger].target for trigger in triggers[:2]] == [named(snapshot, "a")] * 2
    assert triggers[2] in ways


def test_no_way_leads_from_one_trigger_into_another() -> None:
    layout = layout_program(book(f"# A\n## M\n{TRIGGERS}### Steps\n- a\n"))
    pills = [rect for rect, box in drawn(layout) if box.shape is Shape.PILL]
    ends = [route.points[-1] for route in routes(layout)]
    assert len(pills) == 3
    assert not [(x, y) for x, y in ends for pill in pills if pill.meets(Rect(x, y, 0, 0)) and y == pill.y]


def test_triggers_of_a_playbook_without_steps_lead_nowhere() -> None:
    assert routes(layout_program(book(f"# A\n## M\n{TRIGGERS}### Steps\n"))) == []


PROMPT = "# A\n## M\n{mode}Find out what is wanted.\n{triggers}### Notes\n- Be kind\n"


@pytest.mark.parametrize("mode", ["", "execution_mode: react\n\n"])
@pytest.mark.parametrize("triggers", ["", TRIGGERS])
def test_a_prompt_is_one_box_between_its_title_and_the_end(mode: str, triggers: str) -> None:
    layout = layout_program(book(PROMPT.format(mode=mode, triggers=triggers)))
    own = layout.playbooks[0].boxes
    assert [(box.text, box.kind) for box in own] == [
        ("M", StepKind.STEP),
        ("Find out what is wanted.", StepKind.STEP),
        ("End", StepKind.END),
    ]
    (note,) = (rect for rect, box in drawn(layout) if box.text == "Be kind")
    rects = [own[0].rect, *(rect for rect, box in drawn(layout) if box.shape is Shape.PILL)]
    assert not [pair for pair in pairwise([*rects, own[1].rect, own[2].rect, note]) if low(pair[0]) >= pair[1].y]
    ways = {(route.source, route.target) for route in routes(layout)}
    assert ("prompt:M", None) in ways and "prompt:M" in {target for _source, target in ways}


def low(rect: Rect) -> float:
    """Where *rect* ends."""
    return rect.y + rect.height


def test_a_single_request_is_one_box_into_which_nothing_can_be_put() -> None:
    (playbook,) = layout_program(book("# A\n## M\nexecution_mode: raw\n\nAnswer.\n")).playbooks
    assert [box.text for box in playbook.boxes] == ["M", "Answer.", "End"]
    assert playbook.slots == ()


def test_the_box_of_a_prompt_follows_its_words() -> None:
    cache = LayoutCache()
    texts = []
    for words in ("Answer.", "Answer at length, " * 9):
        layout = layout_program(book(f"# A\n## M\nexecution_mode: raw\n\n{words}\n"), cache=cache)
        texts.append((layout.playbooks[0].boxes[1].text, layout.playbooks[0].boxes[1].lines))
    assert texts == [("Answer.", 1), (("Answer at length, " * 9).strip(), 3)]


def test_a_step_that_is_judged_with_its_list_shows_the_list() -> None:
    snapshot = book("# A\n## M\n### Steps\n- Depending on the mood\n  - Greet\n  - Wait\n")
    ((_rect, box),) = drawn(layout_program(snapshot))
    assert (box.text, box.lines, box.shape) == ("Depending on the mood\n- Greet\n- Wait", 2, Shape.BLOCK)


def test_the_playbooks_of_each_agent_stand_in_its_lane() -> None:
    layout = layout_program(book("# A\n## M\n### Steps\n- a\n## N\n### Steps\n- b\n# B:Human\n## O\n### Steps\n- c\n"))
    assert [(lane.name, lane.kind) for lane in layout.lanes] == [("A", "AI"), ("B", "Human")]
    assert not overlaps(layout.lanes[0].rect, layout.lanes[1].rect)
    assert [sum(overlaps(lane.rect, each.rect) for each in layout.playbooks) for lane in layout.lanes] == [2, 1]


def test_a_file_with_one_agent_has_no_lanes() -> None:
    assert layout_program(book("# A\n## M\n### Steps\n- a\n")).lanes == ()


PYTHON = """# A
```python
@playbook(triggers=["At the beginning", "When it rains"])
async def Begin():
    pass


@playbook
async def Greet(name, words):
    pass
```
"""


def test_a_function_stands_below_its_triggers() -> None:
    layout = layout_program(book(PYTHON))
    shown = [[(box.text, box.kind) for box in each.boxes] for each in layout.functions]
    assert shown == [
        [("At the beginning", StepKind.TRIGGER), ("When it rains", StepKind.TRIGGER), ("Begin()", StepKind.CALL)],
        [("Greet(name, words)", StepKind.CALL)],
    ]
    begin = layout.functions[0].boxes[2].rect
    assert [route.points[-1] for route in layout.functions[0].routes] == [
        (begin.x + begin.width / 2, begin.y - 16),
        (begin.x + begin.width / 2, begin.y),
    ]


@pytest.mark.parametrize("playbooks", ["", "## M\n### Steps\n- a\n# B\n## N\n### Steps\n- b\n"])
def test_functions_stand_beside_everything_else_and_within_the_picture(playbooks: str) -> None:
    many = "".join(f"\n@playbook\ndef F{number}():\n    pass\n" for number in range(40))
    layout = layout_program(book(f"# A\n```python{many}```\n{playbooks}"))
    rects = [each.rect for each in layout.functions]
    around = [each.rect for each in layout.playbooks] + [lane.rect for lane in layout.lanes]
    assert len(rects) == 40 and len({rect.x for rect in rects}) == 3
    assert not [pair for pair in combinations(rects, 2) if overlaps(*pair)]
    assert not [rect for rect in rects for other in around if overlaps(rect, other)]
    assert max(rect.x + rect.width for rect in rects) < layout.width
    assert max(rect.y + rect.height for rect in rects) < layout.height
