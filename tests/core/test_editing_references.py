"""Prose that calls steps by number stays true when a command changes the numbers."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.check import Find, check_command, check_laws, finder, snapshot_of
from tests.core.editing_cases import renumbering, steps_of
from tests.core.strategies import documents
from workbench.editing.commands import (
    Command,
    DeleteSteps,
    DuplicateSteps,
    EditText,
    InsertLines,
    InsertStep,
    MoveSteps,
    Place,
    RenumbersSteps,
    SetStepText,
    UnwrapStep,
    WrapForm,
    WrapSteps,
)
from workbench.editing.edit_plan import EditPlan
from workbench.editing.references import references
from workbench.editing.undoable import plan
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import TextChange

BOOK = "## Book\n### Steps\n"
LIST = BOOK + "1. A\n2. If x\n   1. In\n3. C\n4. See steps 1, 2.1 and 3\n"


def insert(_find: Find) -> RenumbersSteps:
    """A new first step."""
    return InsertStep(Place("Book"), "New", updates_references=True)


def paste(_find: Find) -> RenumbersSteps:
    """Two new first steps."""
    return InsertLines(Place("Book"), "- N\n- See step 1\n", updates_references=True)


def delete(find: Find) -> RenumbersSteps:
    """Without the first step."""
    return DeleteSteps((find("A"),), updates_references=True)


def move(find: Find) -> RenumbersSteps:
    """The first step below the third one."""
    return MoveSteps((find("A"),), Place("Book", None, find("C")), updates_references=True)


def duplicate(find: Find) -> RenumbersSteps:
    """The first step twice."""
    return DuplicateSteps((find("A"),), updates_references=True)


def wrap(find: Find) -> RenumbersSteps:
    """The first two steps as one."""
    return WrapSteps((find("A"), find("If x")), WrapForm.WHILE, "y", updates_references=True)


def unwrap(find: Find) -> RenumbersSteps:
    """The second step replaced by its child."""
    return UnwrapStep(find("If x"), updates_references=True)


CASES = [
    (insert, "2, 3.1 and 4", 0),
    (paste, "3, 4.1 and 5", 0),
    (delete, "1, 1.1 and 2", 1),
    (move, "3, 1.1 and 2", 0),
    (duplicate, "1, 3.1 and 4", 0),
    (wrap, "1.1, 1.2.1 and 2", 0),
    (unwrap, "1, 2 and 3", 0),
]


@pytest.mark.parametrize(("make", "numbers", "lost"), CASES, ids=[case[0].__name__ for case in CASES])
def test_every_command_that_renumbers_updates_mentions_on_wish(make: object, numbers: str, lost: int) -> None:
    assert callable(make)
    snapshot = snapshot_of(LIST)
    change = check_laws(snapshot, make(finder(snapshot)))
    assert f"See steps {numbers}\n" in change.after.text
    assert (change.lost_references, change.reference_fixes) == (lost, ())


@pytest.mark.parametrize("make", [case[0] for case in CASES], ids=[case[0].__name__ for case in CASES])
def test_what_is_offered_is_what_updating_at_once_gives(make: object) -> None:
    assert callable(make)
    snapshot = snapshot_of(LIST)
    at_once: RenumbersSteps = make(finder(snapshot))
    values = {name: getattr(at_once, name) for name in at_once.__dataclass_fields__}
    alone = plan(snapshot, type(at_once)(**{**values, "updates_references": False}))
    updated = plan(snapshot, at_once)
    assert isinstance(alone, EditPlan)
    assert isinstance(updated, EditPlan)
    offered = TextChange(alone.reference_fixes).apply(alone.change.apply(snapshot.text))
    assert offered == updated.change.apply(snapshot.text)


def test_a_mention_of_a_deleted_step_stays_as_it_is_and_is_counted() -> None:
    change = check_command(
        BOOK + "1. A\n2. B\n3. See steps 1 and 2\n4. Then see step 3\n",
        lambda find: DeleteSteps((find("B"),), updates_references=True),
        BOOK + "1. A\n2. See steps 1 and 2\n3. Then see step 2\n",
    )
    assert change.lost_references == 1


def test_a_mention_of_a_step_that_is_unwrapped_is_counted() -> None:
    snapshot = snapshot_of(BOOK + "1. See step 2\n2. If x\n   - In\n")
    assert check_laws(snapshot, UnwrapStep(finder(snapshot)("If x"))).lost_references == 1


def test_a_mention_of_a_step_that_went_to_another_playbook_is_counted() -> None:
    snapshot = snapshot_of(BOOK + "1. See step 2\n2. B\n\n## Other\n### Steps\n1. O\n")
    command = MoveSteps((finder(snapshot)("B"),), Place("Other"), updates_references=True)
    change = check_laws(snapshot, command)
    assert "See step 2" in change.after.text
    assert change.lost_references == 1


def test_mentions_that_go_with_the_steps_that_are_deleted_are_not_counted() -> None:
    snapshot = snapshot_of(BOOK + "1. A\n2. See step 1\n")
    find = finder(snapshot)
    assert check_laws(snapshot, DeleteSteps((find("A"), find("See step 1")))).lost_references == 0


def test_a_copy_mentions_the_steps_that_its_original_mentions() -> None:
    check_command(
        BOOK + "1. See step 3\n2. B\n3. C\n",
        lambda find: DuplicateSteps((find("See step 3"),), updates_references=True),
        BOOK + "1. See step 4\n2. See step 4\n3. B\n4. C\n",
    )


def test_words_that_are_new_are_taken_at_their_word() -> None:
    check_command(
        BOOK + "1. A\n2. See step 1\n",
        lambda _find: InsertStep(Place("Book"), "See step 3", updates_references=True),
        BOOK + "1. See step 3\n2. A\n3. See step 2\n",
    )


def test_numbers_in_the_words_that_a_command_sets_are_not_put_right() -> None:
    snapshot = snapshot_of(BOOK + "1. A\n2. See step 1\n")
    change = check_laws(snapshot, SetStepText(finder(snapshot)("See step 1"), "See step 2"))
    assert change.reference_fixes == ()


def test_steps_of_something_else_are_no_mentions() -> None:
    check_command(
        BOOK + "1. A\n2. See step 12 of the guide, then step 1\n",
        lambda _find: InsertStep(Place("Book"), "New", updates_references=True),
        BOOK + "1. New\n2. A\n3. See step 12 of the guide, then step 2\n",
    )


def test_a_mention_longer_than_any_number_means_no_step() -> None:
    see = f"See step {'9' * 5000}"
    check_command(
        f"{BOOK}1. A\n2. {see}\n3. B\n",
        lambda find: DeleteSteps((find("A"),), updates_references=True),
        f"{BOOK}1. {see}\n2. B\n",
    )


def test_a_list_whose_numbers_are_all_one_counts_by_place() -> None:
    check_command(
        BOOK + "1. A\n1. B\n1. See step 2\n",
        lambda find: DeleteSteps((find("A"),), updates_references=True),
        BOOK + "1. B\n1. See step 1\n",
    )


def test_typing_offers_nothing() -> None:
    snapshot = snapshot_of(BOOK + "1. A\n2. See step 1\n")
    edits = plan(snapshot, InsertStep(Place("Book"), "New"))
    assert isinstance(edits, EditPlan)
    assert edits.reference_fixes
    assert check_laws(snapshot, EditText(edits.change.edits)).reference_fixes == ()


@given(documents(), st.data())
@settings(max_examples=examples(75))
def test_after_any_command_every_mention_means_the_same_step_or_that_step_is_gone(
    text: str, data: st.DataObject
) -> None:
    many = text.replace("Do it", "see steps 1, 2 and 1.1").replace("and more", "as in step 2").replace("\t", "    ")
    snapshot = snapshot_of(many)
    assume(steps_of(snapshot))
    command = data.draw(renumbering(snapshot).filter(lambda one: one.updates_references))
    check_meanings(snapshot, command)


def check_meanings(snapshot: Snapshot, command: Command) -> None:
    """Every mention means what it meant; where that is gone, its number is as it was and it is counted."""
    if not isinstance(plan(snapshot, command), EditPlan):
        return
    change = check_laws(snapshot, command)
    assert change.reference_fixes == ()
    earlier, later = meanings(snapshot), meanings(change.after)
    lost = 0
    for place, mentions in later.items():
        for (old_number, meant), (number, means) in zip(earlier.get(place, ()), mentions, strict=False):
            is_there = meant is not None and home(change.after, meant) == home(change.after, place)
            assert means == meant if is_there else number == old_number
            lost += meant is not None and not is_there
    copied = isinstance(command, DuplicateSteps)
    assert change.lost_references == lost or copied


def meanings(snapshot: Snapshot) -> dict[StepId, list[tuple[str, StepId | None]]]:
    """The mentions of every step: the number, and the step that it means."""
    found: dict[StepId, list[tuple[str, StepId | None]]] = {}
    for playbook in snapshot.program.playbooks:
        for mention in references(snapshot, playbook):
            place = snapshot.step_at(mention.span.start)
            if place is not None:
                found.setdefault(place, []).append((mention.number, mention.step))
    return found


def home(snapshot: Snapshot, step: StepId) -> str | None:
    """The playbook that *step* stands in."""
    return snapshot.playbook_of(step).name if snapshot.has(step) else None
