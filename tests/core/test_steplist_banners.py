"""Comments that are set apart in a step list announce what stands below them, and stay above it."""

from __future__ import annotations

import pytest

from tests.core.check import check_laws, finder, snapshot_of
from workbench.editing.commands import MoveSteps, Place

HEAD = "id: trip\nname: Trip\ndescription: By train.\nsteps:\n"
PACK, BOOK, GO = (f"  - id: {word.lower()}\n    description: {word}\n" for word in ("Pack", "Book", "Go"))
BANNER = "\n  # --- on the way ---\n\n"


def moved(text: str, what: str, after: str | None) -> str:
    """*text* once the step *what* stands after another one."""
    snapshot = snapshot_of(text)
    find = finder(snapshot)
    place = Place(snapshot.program.playbooks[0].name, None, find(after) if after else None)
    return check_laws(snapshot, MoveSteps((find(what),), place)).after.text


@pytest.mark.parametrize(
    ("before", "what", "after", "wanted"),
    [
        ((PACK, BANNER, BOOK, GO), "Pack", "Book", (BANNER[1:], BOOK, PACK, GO)),
        ((PACK, BANNER, BOOK, GO), "Go", "Pack", (PACK, GO, BANNER, BOOK)),
        ((PACK, BOOK, BANNER, GO), "Book", None, (BOOK, PACK, BANNER, GO)),
        ((PACK, BANNER, BOOK, GO), "Book", "Go", (PACK, BANNER, GO, BOOK)),
        ((PACK, "\n", BOOK, GO), "Pack", "Book", (BOOK, "\n", PACK, GO)),
    ],
)
def test_a_step_moves_past_a_comment_and_leaves_it_there(
    before: tuple[str, ...], what: str, after: str | None, wanted: tuple[str, ...]
) -> None:
    assert moved(HEAD + "".join(before), what, after) == HEAD + "".join(wanted)
