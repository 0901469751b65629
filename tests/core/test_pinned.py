"""What is pinned above the flowchart: whose steps are in view, and what lies around the topmost of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.model.layout.pinned import GAP, TITLE_NAME_PX, fitted, pinned
from workbench.model.layout.program import Layout, layout_program
from workbench.model.layout.shapes import Rect
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

INNER = "".join(f"    - Count {number}\n" for number in range(40))
TEXT = f"""# Clerk
## Main
### Steps
- Begin
- While $n < 3
  - If $n > 1
{INNER}  - Otherwise
    - Leave it
- End it

## Other
### Steps
- Wait
"""


def layout_of(text: str) -> Layout:
    """The picture of *text*."""
    return layout_program(derive(SourceText(text)))


def at_top(layout: Layout, words: str, height: float = 600.0) -> Rect:
    """The part of the canvas at whose upper edge the step with *words* stands."""
    root = next(root for root in layout.document.roots if root and any(each.text == words for each in root.walk()))
    place = layout.place_of(next(each.id for each in root.walk() if each.text == words))
    assert place is not None
    return Rect(0.0, place.y + 1, 1_000.0, height)


def told(layout: Layout, seen: Rect, zoom: float = 1.0) -> list[list[str]]:
    """The words that are pinned, from the outside in."""
    found = pinned(layout, seen, zoom)
    return [
        [*filter(None, (each.agent,)), each.playbook.playbook.name, *(step.text for step in each.around)]
        for each in found
    ]


def test_a_name_is_pinned_with_what_lies_around_the_topmost_step_once_these_have_scrolled_away() -> None:
    layout = layout_of(TEXT)
    assert told(layout, Rect(0.0, 0.0, 1_000.0, 600.0)) == []
    assert told(layout, at_top(layout, "Begin")) == [["Main"], ["Other"]]
    # the other playbook has ended above
    assert told(layout, at_top(layout, "Count 20")) == [["Main", "While $n < 3", "If $n > 1"]]
    beside = at_top(layout, "Leave it")._replace(x=400.0)  # where only the other branch is in view
    assert told(layout, beside) == [["Main", "While $n < 3", "Otherwise"]]
    assert told(layout, at_top(layout, "End it")) == [["Main"]]


def test_a_name_is_pinned_once_it_cannot_be_read_whatever_stands_below_it() -> None:
    layout = layout_of(TEXT)
    title = layout.playbooks[0].title.rect
    assert told(layout, Rect(0.0, title.y + TITLE_NAME_PX - 1, 200.0, 600.0)) == []
    assert told(layout, Rect(0.0, title.y + TITLE_NAME_PX, 200.0, 600.0)) == [["Main"]]


def test_agents_are_named_where_there_are_several_and_folded_steps_hide_what_is_in_them() -> None:
    layout = layout_of(f"{TEXT}\n# Boss\n## Watch\n### Steps\n{INNER.replace('    -', '-')}")
    assert told(layout, at_top(layout, "Count 20")._replace(width=layout.width))[0][:2] == ["Clerk", "Main"]
    loop = next(step for root in layout.document.roots if root for step in root.walk() if step.text == "While $n < 3")
    folded = layout_program(layout.document, frozenset({loop.id}))
    assert told(folded, at_top(folded, "End it")._replace(width=500.0)) == [["Clerk", "Main"]]


def test_each_column_has_its_own_and_from_afar_all_have_one() -> None:
    layout = layout_of("# A\n## Main\n### Steps\n" + "".join(f"- Step {number}\n" for number in range(1_000)))
    assert len(layout.playbooks[0].columns) > 2
    seen = Rect(0.0, 5_000.0, layout.width, 600.0)
    near = pinned(layout, seen, 1.0)
    assert [each.left for each in near] == [column.left for column in layout.playbooks[0].columns]
    (far,) = pinned(layout, seen, 0.2)
    assert (far.left, far.right) == (layout.playbooks[0].rect.x, near[-1].right)


@given(st.floats(-500, 20_000), st.floats(-500, 4_000), st.floats(0.05, 4))
def test_what_is_pinned_lies_above_the_view_and_beside_the_rest(top: float, left: float, zoom: float) -> None:
    layout = layout_of(TEXT)
    seen = Rect(left, top, 900 / zoom, 700 / zoom)
    found = sorted(pinned(layout, seen, zoom))
    assert all(one.right <= other.left for one, other in zip(found, found[1:], strict=False))
    for each in found:
        assert each.playbook.title.rect.y < top
        assert all(layout.place_of(step.id).y < top for step in each.around)  # type: ignore[union-attr]


@given(st.lists(st.floats(1, 400), min_size=1, max_size=8), st.integers(0, 1), st.floats(10, 900))
def test_names_take_no_more_room_than_there_is_and_that_of_the_playbook_stays(
    widths: list[float], name: int, room: float
) -> None:
    name = min(name, len(widths) - 1)
    found = fitted(widths, name, room, 10.0)
    kept = [each for each, _width in found]
    assert kept == [name] or {name, len(widths) - 1} <= set(kept)
    assert [each for each in kept if each != GAP] == sorted({*kept} - {GAP})
    assert all(width <= widths[each] for each, width in found if each != GAP)
    taken = sum(width for _each, width in found) + 10.0 * (len(found) - 1)
    assert taken <= room + 1e-6
    if sum(min(width, 220.0) for width in widths) + 10.0 * (len(widths) - 1) <= room:
        assert kept == list(range(len(widths)))
