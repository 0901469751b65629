"""Marks along a scroll bar: none is lost, and those that would look like one are one."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from workbench.model.showing.marks_along import LEAST_PX, Mark, MarkKind, around, gathered, nearest

shares = st.floats(0, 1)
marks = st.lists(st.builds(Mark, st.sampled_from(MarkKind), shares, st.integers()), max_size=60)
lengths = st.floats(1, 2_000)


@given(marks, lengths)
def test_every_mark_is_in_one_cluster_of_its_kind(found: list[Mark], length_px: float) -> None:
    clusters = gathered(found, length_px)
    for kind in MarkKind:
        own = [each for each in clusters if each.kind is kind]
        assert sum(each.size for each in own) == sum(mark.kind is kind for mark in found)
        places = {int(each.at_px // LEAST_PX) for each in own}
        assert len(places) == len(own)
    assert [each.kind for each in clusters] == sorted(each.kind for each in clusters)
    assert all(0 <= each.at_px <= length_px for each in clusters)


@given(marks, lengths, st.randoms(use_true_random=False))
def test_where_marks_are_drawn_does_not_depend_on_their_order(
    found: list[Mark], length_px: float, random: object
) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    places = [[(each.kind, each.at_px, each.size) for each in gathered(each, length_px)] for each in (found, shuffled)]
    assert places[0] == places[1]


@given(marks, lengths)
def test_a_click_on_a_mark_means_it_or_one_as_near(found: list[Mark], length_px: float) -> None:
    clusters = gathered(found, length_px)
    for cluster in clusters:
        meant = nearest(clusters, cluster.at_px)
        assert meant is not None
        assert abs(meant.at_px - cluster.at_px) < 1
        assert meant.kind >= cluster.kind or abs(meant.at_px - cluster.at_px) == 0
        near = around(clusters, cluster.at_px)
        assert cluster in near
        assert all(one.kind >= other.kind for one, other in pairwise(near))


def test_nothing_is_meant_where_no_mark_is_near() -> None:
    clusters = gathered([Mark(MarkKind.ERROR, 0.5, "a")], 100.0)
    assert nearest(clusters, 50.0 + 2 * LEAST_PX) is None
    assert around(clusters, 20.0) == ()
