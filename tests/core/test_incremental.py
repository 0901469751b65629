"""The incremental way gives what the plain way gives, and leaves alone what an edit left alone.

``derive`` is the truth here: whatever ``advance`` keeps, splices or scans again, the snapshot
must be that of the new text, except that steps keep their ids.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.core.test_scan import TEXTS
from tests.core.test_snapshot import BOOK, book, changes, meaning_of, named
from workbench.model.incremental.advancing import advance
from workbench.model.incremental.draft import exchanged
from workbench.model.incremental.identity import Carried
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.differences import Window, windows_between
from workbench.syntax.text import Span

_LONG = BOOK + "- four\n- five\n- six\n\n## Other\n### Steps\n- first\n- second\n- third\n"


def test_a_playbook_that_begins_with_its_first_step_begins_there_after_an_edit_too() -> None:
    before = book("<!-- open\n- a\n --># A\n- a\n")
    after = advance(before, TextChange((TextEdit(Span(0, 9), ""),)))
    assert _without_ids(after) == _without_ids(derive(after.source))


@given(st.data(), TEXTS)
def test_advancing_gives_what_deriving_the_new_text_gives_except_for_ids(data: st.DataObject, text: str) -> None:
    snapshot = book(text)
    for _round in range(3):
        snapshot = advance(snapshot, data.draw(changes(snapshot.text)))
        plain = derive(snapshot.source)
        assert meaning_of(snapshot) == meaning_of(plain)
        assert snapshot.diagnostics == plain.diagnostics
        assert [block.text for block in snapshot.blocks] == [block.text for block in plain.blocks]
        assert _without_ids(snapshot) == _without_ids(plain)


def _without_ids(snapshot: Snapshot) -> list[object]:
    """Where everything stands: blocks, playbooks, and the steps by their number within the text."""
    return [
        snapshot.block_starts,
        [len(ids) for ids in snapshot.block_ids],
        sorted(snapshot.where.values()),
        [root is not None for root in snapshot.roots],
        [(placed.start, placed.stop, placed.playbook.name) for placed in snapshot.structure.placed],
        snapshot.structure.callables,
        snapshot.deriver,
    ]


@given(st.data())
def test_outside_of_the_windows_everything_is_kept_and_in_order(data: st.DataObject) -> None:
    old = [("old", number) for number in range(12)]
    new: list[tuple[str, int]] = list(old)
    windows: tuple[Window, ...] = ()
    for turn in range(data.draw(st.integers(1, 6))):
        first = data.draw(st.integers(0, len(new)))
        last = data.draw(st.integers(first, len(new)))
        fresh = data.draw(st.integers(0, 4))
        windows = exchanged(windows, first, last, fresh)
        new[first:last] = [(f"turn {turn}", number) for number in range(fresh)]
    assert all(above.new.stop < below.new.start for above, below in zip(windows, windows[1:], strict=False))
    assert _with_windows(old, new, windows) == new


def _with_windows(
    old: list[tuple[str, int]], new: list[tuple[str, int]], windows: tuple[Window, ...]
) -> list[tuple[str, int]]:
    """*old* with the windows, and nothing else, taken over from *new*."""
    made = list(old)
    for window in reversed(windows):
        made[window.old.start : window.old.stop] = new[window.new.start : window.new.stop]
    return made


def _moved(snapshot: Snapshot, words: str, before: str) -> Snapshot:
    """The next snapshot, with the step *words* cut out and put in above *before*, under its id."""
    step = named(snapshot, words)
    span = snapshot.owned_span(step)
    at = snapshot.owned_span(named(snapshot, before)).start
    change = TextChange((TextEdit(span, ""), TextEdit(Span(at, at), span.of(snapshot.text))))
    return advance(snapshot, change, (Carried(change.map_position(at) - len(span), (step,)),))


def test_a_step_that_goes_far_leaves_all_others_the_same_objects() -> None:
    before = book(_LONG)
    after = _moved(before, "one", "six")
    assert after.address(named(before, "one")) == "Main:05"
    assert meaning_of(after) == meaning_of(derive(after.source))
    assert after.step(named(after, "three")) is before.step(named(before, "three"))


def test_a_step_that_goes_to_another_playbook_keeps_its_id() -> None:
    before = book(_LONG)
    after = _moved(before, "three", "second")
    assert after.address(named(before, "three")) == "Other:02"
    assert meaning_of(after) == meaning_of(derive(after.source))


@given(st.data())
def test_positions_follow_any_edits_of_a_list(data: st.DataObject) -> None:
    before = book(_LONG)
    after = advance(before, data.draw(changes(before.text)))
    fresh = derive(after.source)
    assert after.block_starts == fresh.block_starts
    assert {after.where[step] for step in after.where} == {fresh.where[step] for step in fresh.where}
    assert [after.address(root.id) for root in after.roots if root] == [
        fresh.address(root.id) for root in fresh.roots if root
    ]


@given(st.lists(st.integers(0, 9), max_size=30), st.lists(st.integers(0, 9), max_size=30))
def test_windows_between_two_rows_hold_all_that_differs(old: list[int], new: list[int]) -> None:
    made = list(old)
    for window in reversed(windows_between(old, new)):
        made[window.old.start : window.old.stop] = new[window.new.start : window.new.stop]
    assert made == new


def test_what_moved_far_makes_two_small_windows() -> None:
    old = list(range(100))
    new = [*old[:10], *old[11:90], 10, *old[90:]]
    assert windows_between(old, new) == (
        Window(range(10, 11), range(10, 10)),
        Window(range(90, 90), range(89, 90)),
    )


def test_between_many_edits_all_other_steps_stay_the_same_objects() -> None:
    before = book(BOOK + "".join(f"- mend {number}\n- leave {number}\n" for number in range(20)))
    starts = [at for at in range(len(before.text)) if before.text.startswith("mend", at)]
    after = advance(before, TextChange(tuple(TextEdit(Span(at, at), "now ") for at in starts)))
    assert meaning_of(after) == meaning_of(derive(after.source))
    for number in range(20):
        left = named(before, f"leave {number}")
        assert after.step(left) is before.step(left)
        assert after.step(named(before, f"mend {number}")).text == f"now mend {number}"
