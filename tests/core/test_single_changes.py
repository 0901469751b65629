"""Each change of a version is one that can be taken back by itself, and all others stay."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.conftest import examples
from tests.core.test_versions import BOOK, LIST, compared, edited, snapshot
from workbench.model.versions.comparing import compare_versions
from workbench.model.versions.differences import Differences, Fate, HunkKind
from workbench.model.versions.single import SingleChange, single_changes


def singles(old: str, new: str) -> tuple[Differences, tuple[SingleChange, ...]]:
    found = compared(old, new)
    return found, single_changes(found)


@settings(max_examples=examples(10))
@given(edited())
def test_what_is_taken_back_by_itself_leaves_all_other_changes(texts: tuple[str, str]) -> None:
    old, new = texts
    found, changes = singles(old, new)
    every = [hunk for change in changes for hunk in change.hunks]
    assert found.accepting(every).apply(old) == new
    assert found.taking_back(every).apply(new) == old
    steps = [step for change in changes for step in change.steps]
    assert sorted(map(id, steps)) == sorted(map(id, found.steps))
    for change in changes:
        others = [hunk for hunk in every if hunk not in change.hunks]
        assert found.taking_back(change.hunks).apply(new) == found.accepting(others).apply(old)
        for hunk in change.hunks:
            assert (hunk.was, hunk.now) == (hunk.old.of(old), hunk.new.of(new))


def test_what_went_from_one_place_comes_back_in_its_order() -> None:
    old = "# B\n\n## M\n- One\n- Red bricks\n- Green water\n- End\n"
    new = "- Green water\n# B\n\n## M\n- One\n- End\n"
    found, changes = singles(old, new)
    assert found.taking_back([hunk for change in changes for hunk in change.hunks]).apply(new) == old


def told(changes: tuple[SingleChange, ...]) -> list[list[str]]:
    """The words of the steps of each change."""
    return [[step.standing.text for step in change.steps] for change in changes]


def test_neighbours_that_were_changed_are_two_changes() -> None:
    new = BOOK.replace("- Count the parcels\n- Weigh the", "- Count all parcels\n- Weigh all the")
    found, changes = singles(BOOK, new)
    assert len(found.hunks) == 1
    assert told(changes) == [["Count all parcels"], ["Weigh all the parcels"]]
    kept = found.taking_back(changes[0].hunks).apply(new)
    assert kept == BOOK.replace("- Weigh the", "- Weigh all the")


def test_a_step_that_has_moved_is_one_change_in_two_places() -> None:
    new = BOOK.replace("- Count the parcels\n", "").replace("down\n", "down\n- Count the parcels\n- New\n")
    found, changes = singles(BOOK, new)
    assert told(changes) == [["Count the parcels"], ["New"]]
    assert found.taking_back(changes[0].hunks).apply(new) == BOOK.replace("down\n", "down\n- New\n")


def test_two_steps_that_changed_places_are_one_change() -> None:
    new = BOOK.replace("- Weigh the parcels\n- Write it down\n", "- Write it down\n- Weigh the parcels\n")
    found, changes = singles(BOOK, new)
    assert len(found.hunks) == 2
    assert len(changes) == 1
    old = "# B\n\n## M\n\n- $a = 0\n- $b = false\n- End\n"
    new = "# B\n\n## M\n\n- $b = false\n- $a = 0\n- End\n"
    assert [[step.fates for step in change.steps] for change in singles(old, new)[1]] == [[{Fate.REORDERED}]]


def test_what_came_in_the_place_of_something_else_can_be_had_beside_it() -> None:
    old = "# B\n\n## M\n\n- If $a\n  - Ring the bell\n- Fetch water from the well\n- End\n"
    new = old.replace("- If $a\n  - Ring the bell\n", "- $count = 5 * 3\n<!-- why -->\n- Look around\n")
    found, changes = singles(old, new)
    assert [step.fates for step in changes[0].steps] == [{Fate.REMOVED}, {Fate.REMOVED}]
    assert told(changes)[1:] == [["$count = 5 * 3"], ["Look around"]]
    assert found.taking_back(changes[2].hunks).apply(new) == old.replace(
        "- If $a\n  - Ring the bell\n", "- $count = 5 * 3\n"
    )


def test_a_playbook_that_came_is_one_change_with_all_its_steps() -> None:
    new = BOOK.replace("- Write it down\n", "- Write all down\n\n## Third\n### Steps\n- One\n- Two\n")
    _found, changes = singles(BOOK, new)
    assert told(changes) == [["Write all down"], ["One", "Two"]]
    assert [part.fates for part in changes[1].parts] == [{Fate.ADDED}]


def test_entries_of_lists_are_changes_of_their_own() -> None:
    new = LIST.replace("Pack the", "Pack every").replace("max_tool_calls: 2", "max_tool_calls: 3")
    assert [len(change.steps) for change in singles(LIST, new)[1]] == [1, 1]
    old = '[{"id": "a", "description": "A"}]\n'
    new = '[{"id": "a", "description": "A"},\n {"id": "b", "description": "B"}]\n'
    assert len(singles(old, new)[1]) == 1  # the comma belongs to what came


@pytest.mark.parametrize(
    ("new", "kind"),
    [(BOOK.replace("\n", "\r\n", 3), HunkKind.LAYOUT), (BOOK.replace("The desk.", "A desk."), HunkKind.TEXT)],
)
def test_what_concerns_no_step_is_a_change_as_well(new: str, kind: HunkKind) -> None:
    assert [change.kind for change in singles(BOOK, new)[1]] == [kind]


def test_no_lines_are_joined_where_the_last_one_does_not_end() -> None:
    old, new = "# B\n\n## M\n- One\n- Two\n- Red bricks", "# B\n\n## M\n- One\n- Three times\n- Five"
    found = compare_versions(snapshot(old), snapshot(new))
    for change in single_changes(found):
        assert len(found.taking_back(change.hunks).apply(new).splitlines()) in {5, 6, 7}
        assert "bricks-" not in found.taking_back(change.hunks).apply(new)
