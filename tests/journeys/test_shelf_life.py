"""The life of a kept playbook: found by its goal, used with a note, run, given away, and taken in by somebody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Windows
from tests.journeys import shelf as on_shelf
from tests.journeys.author import Author, Keys, Mouse
from workbench.disk.places import Places
from workbench.engine.language.procedures.start import who
from workbench.planning.shelf.entries import Kept, Note, NoteKind, NoteSource, Origin
from workbench.planning.shelf.notes import Notes
from workbench.planning.shelf.store import Shelf

GREETING = """# Greet people

## Main()

### Triggers

- At the beginning

### Steps

- $name = "Ada"
- Write a long report
- Tell user {"Hello, " + $name}
- Return $name
"""


@pytest.fixture
def person(qtbot: QtBot, own_places: Places, open_window: Windows) -> Author:
    """Somebody who uses keys alone, with one playbook on the shelf, and a note that says what is left out of such."""
    shelf = Shelf(own_places.shelf_file, who())
    shelf.put(Kept("Greet people", GREETING, "markdown", Origin("Say hello to a visitor", "form · rules")))
    words = "Leave out “Write a long report”."
    Notes(shelf).add(Note("", words, NoteSource.EDIT, NoteKind.LEAVE_OUT, "Write a long report"))
    shelf.close()
    return Keys(qtbot, open_window.in_front())


@pytest.fixture
def somebody_else(person: Author, tmp_path: Path) -> Iterator[Author]:
    """A person with settings and stores of their own, who uses the mouse."""
    windows = Windows(Places(*(tmp_path / name for name in ("config", "data", "state"))))
    yield Mouse(person.qtbot, windows.in_front())
    windows.take_away()


def test_a_kept_playbook_is_found_used_run_exported_and_imported(
    person: Author, somebody_else: Author, tmp_path: Path
) -> None:
    found = on_shelf.search(person, "say hello to visitors", "Greet people")
    assert found.record == "never run"
    text = on_shelf.reuse_with_notes(person)
    assert text == GREETING.replace("- Write a long report\n", "")
    with person.qtbot.waitSignal(person.context.recorder.rated):
        person.do("run.start")
    page = on_shelf.shelf_of(person).playbooks
    person.qtbot.waitUntil(lambda: page.detail.record.text() == "Went well in 1 of 1 run.")
    person.picture("shelf")
    on_shelf.write_note(person, "Amounts are in euros")
    on_shelf.export(person, tmp_path / "greet.json")

    taken = on_shelf.take_in(somebody_else, tmp_path / "greet.json", "Greet people")
    assert (taken.goal, taken.record) == ("Say hello to a visitor", "never run")
    assert on_shelf.reuse(somebody_else) == GREETING
