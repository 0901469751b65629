"""Only what plainly means a step of the own chapter is offered to be put right."""

from __future__ import annotations

import pytest

from tests.core.check import finder, snapshot_of
from workbench.editing.commands import MoveSteps, Place
from workbench.editing.edit_plan import EditPlan
from workbench.editing.undoable import plan
from workbench.syntax.change import TextChange

LIFT = "# Slow lift\n\n## Diagnosis\n\n1. Read the panel.\n2. Note the floor.\n3. {}\n"
OTHER = "\n## Resolution\n\n1. Switch it off.\n2. Call the caretaker.\n"


def swapped(text: str) -> str:
    """*text* once its first two steps have changed places, and all that is offered has been taken."""
    snapshot = snapshot_of(text)
    chapter = next(one for one in snapshot.program.playbooks if "Note the floor." in [step.text for step in one.steps])
    find = finder(snapshot)
    planned = plan(snapshot, MoveSteps((find("Read the panel"),), Place(chapter.name, None, find("Note the floor"))))
    assert isinstance(planned, EditPlan)
    return TextChange(planned.reference_fixes).apply(planned.change.apply(text))


OWN = [
    "If the floor from step 2 is the cellar, look for water.",
    "Compare it with step 2",
    "Look again (see **step 2**).",
    "It is dark. Step 2 fails then.",
    "Go back to step 2.",
    "If it is dark, continue with step 2.",
    "Repeat step 2.",
]


@pytest.mark.parametrize("words", OWN)
def test_a_number_that_only_the_own_list_has_is_put_right(words: str) -> None:
    assert words.replace("2", "1") in swapped(LIFT.format(words))


UNCLEAR = [
    "If the floor from Playbook step 2 is the cellar, wait.",
    "Take what Resolution step 4 and step 2 gave.",
    "As in the guide's step 2, wait.",
    "As in phase 3 step 2, wait.",
    "Do steps 2-5 again.",
    "Do step 2b again.",
    "Step 2: look at it.",
    "As said in step 2 of the guide.",
    "See step 2 results.",
]


@pytest.mark.parametrize("words", UNCLEAR)
def test_a_number_that_may_mean_something_else_is_left_alone(words: str) -> None:
    assert words in swapped(LIFT.format(words))


@pytest.mark.parametrize("words", OWN[:4])
def test_a_number_that_another_chapter_has_as_well_is_left_alone(words: str) -> None:
    assert words in swapped(LIFT.format(words) + OTHER)


@pytest.mark.parametrize("words", OWN[4:])
def test_a_way_to_go_leads_to_the_own_list_whatever_other_chapters_have(words: str) -> None:
    assert words.replace("2", "1") in swapped(LIFT.format(words) + OTHER)


@pytest.mark.parametrize("title", ["## Step 2: Rest", "**Step 2** Rest."])
def test_a_number_that_a_title_has_means_what_stands_below_the_title(title: str) -> None:
    assert "Go back to step 2." in swapped(LIFT.format("Go back to step 2.") + f"\n## More\n\n{title}\n\nSit.\n")


def test_a_mention_in_another_chapter_is_left_alone() -> None:
    text = LIFT.format("Wait.") + "\n## Resolution\n\n1. If the floor from step 2 is the cellar, look for water.\n"
    assert "from step 2 is" in swapped(text)


def test_bullets_have_no_numbers_that_a_text_could_mean() -> None:
    text = LIFT.format("See step 2.")
    for number in ("1.", "2.", "3."):
        text = text.replace(f"\n{number} ", "\n- ")
    assert "See step 2." in swapped(text)


def test_in_a_program_a_number_is_another_playbooks_only_where_that_is_named() -> None:
    text = "# A\n## Look\n### Steps\n1. Read the panel.\n2. Note the floor.\n3. See step 2, and Other step 2\n"
    assert "3. See step 1, and Other step 2\n" in swapped(text + "\n## Other\n### Steps\n1. $x = 1\n2. Wait\n")
