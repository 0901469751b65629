"""The names that are read from afar: none covers another, and the outer ones have the first choice."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from workbench.model.layout.far_names import FarName, Letters, Named, PlacedName, in_order, names_of, place_names
from workbench.model.layout.program import layout_program
from workbench.model.layout.shapes import Rect
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

LETTER_PX = 7.0


class Even(Letters):
    """Every letter is as wide as any other."""

    line = 18.0

    def width(self, words: str, named: Named) -> float:
        """Without a font."""
        del named
        return len(words) * LETTER_PX

    def shortened(self, words: str, room: float, named: Named) -> str:
        """The first letters, and an ellipsis."""
        del named
        return words[: max(int(room / LETTER_PX) - 1, 0)] + "…"


def placed(names: list[FarName], zoom: float, width: float = 5_000.0) -> tuple[PlacedName, ...]:
    """The *names* that are shown."""
    return place_names(in_order(names), zoom, Even(), width)


sides = st.floats(1, 4_000, width=32)
rects = st.builds(Rect, sides, sides, sides, sides)
names = st.builds(FarName, st.text("abc مرحبا", min_size=1, max_size=40), rects, st.sampled_from(Named))
zooms = st.floats(0.02, 0.6)


@given(st.lists(names, max_size=40), zooms)
def test_no_name_covers_another_and_each_is_whole_or_says_that_it_is_not(found: list[FarName], zoom: float) -> None:
    shown = placed(found, zoom)
    assert not any(_overlap(one.rect, other.rect) for one, other in combinations(shown, 2))
    assert all(each.rect.height == Even.line for each in shown)
    assert all(each.words == each.name.words or each.words.endswith("…") for each in shown)
    assert all(Even().width(each.words, each.name.named) <= each.rect.width for each in shown)


@given(st.lists(names, max_size=20), st.lists(names, max_size=20), zooms)
def test_what_is_outside_has_the_first_choice(found: list[FarName], others: list[FarName], zoom: float) -> None:
    outer = [each for each in found if each.named <= Named.PLAYBOOK]
    inner = [each for each in others if each.named > Named.PLAYBOOK]
    first = placed(outer, zoom)
    assert placed([*inner, *outer], zoom)[: len(first)] == first


@given(st.lists(names, max_size=20, unique=True), zooms, st.randoms(use_true_random=False))
def test_the_order_in_which_names_are_found_does_not_matter(found: list[FarName], zoom: float, random: object) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert placed(shuffled, zoom) == placed(found, zoom)


def test_of_fifty_playbooks_side_by_side_every_name_is_read_in_full() -> None:
    found = [FarName(f"Playbook number {at}", Rect(48 + at * 340, 48, 240, 600), Named.PLAYBOOK) for at in range(50)]
    shown = placed(found, 0.07, 48 + 50 * 340)
    assert [each.words for each in shown] == [each.words for each in found]
    assert all(each.rect.x + each.rect.width < (48 + 50 * 340) * 0.07 + 30 for each in shown)


def test_the_name_of_a_small_group_gives_way_to_its_steps() -> None:
    group = FarName("Prepare", Rect(48, 400, 272, 500), Named.GROUP)
    assert placed([group], 0.05) == ()
    assert [each.words for each in placed([group], 0.3)] == ["Prepare"]


def test_a_document_is_named_by_lanes_playbooks_and_columns() -> None:
    steps = "".join(f"- Step {number}\n" for number in range(400))
    layout = layout_program(derive(SourceText(f"# Agent\n## Main\n### Steps\n{steps}\n## Other\n### Steps\n- One\n")))
    found = names_of(layout)
    assert [each.words for each in found if each.named is Named.PLAYBOOK] == ["Main", "Other"]
    columns = [each.words for each in found if each.named is Named.COLUMN]
    assert columns[0] == "01"
    assert len(columns) == len(layout.playbooks[0].columns) > 1


def _overlap(one: Rect, other: Rect) -> bool:
    """Whether the two share more than an edge; sums of halves may differ by less than a pixel's thousandth."""
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return wide > 1e-3 and high > 1e-3
