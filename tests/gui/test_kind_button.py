"""The word for what the open file is: it follows the text, says why, and lets the person say something else."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAction

from tests.gui.conftest import Windows
from workbench.disk.places import Places
from workbench.editing.commands import EditText
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.shell.status_bar import KindButton
from workbench.model.kinds import FileKind
from workbench.settings import load_settings
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

PROCEDURE = "# Tea\n\n## Boil\n\n1. Boil the water.\n"
WORKFLOW = "on: [push]\njobs:\n  water:\n    runs-on: bed\n"


def choices(button: KindButton) -> dict[str, QAction]:
    """What the menu of *button* offers."""
    button.menu().aboutToShow.emit()
    return {action.text(): action for action in button.menu().actions() if action.text()}


@pytest.mark.parametrize(
    ("text", "word"),
    [(PROCEDURE, "Procedure"), ("# D\n\n## Main\n\n- A\n", "Playbook program"), (WORKFLOW, "A GitHub workflow")],
)
def test_the_status_bar_says_what_the_file_is(text: str, word: str, window: MainWindow) -> None:
    window.context.documents.open_text(text)
    assert window.status.kind_button.text() == word


def test_the_word_follows_what_is_typed(window: MainWindow) -> None:
    window.context.documents.open_text(PROCEDURE)
    end = len(PROCEDURE)
    window.context.documents.execute(EditText((TextEdit(Span(end, end), "2. Pour $cups cups.\n"),)))
    assert window.status.kind_button.text() == "Playbook program"
    assert "“$cups”" in window.status.kind_button.toolTip()


def test_what_was_chosen_is_remembered_for_the_file_and_not_in_it(
    tmp_path: Path, open_window: Windows, own_places: Places
) -> None:
    path = tmp_path / "tea.md"
    path.write_text(PROCEDURE, "utf-8")
    window = open_window()
    window.context.documents.open(path)
    choices(window.status.kind_button)["Skill"].trigger()
    assert window.context.documents.snapshot.program.kind is FileKind.SKILL
    assert load_settings(own_places).kind_of(path) == "skill"
    assert path.read_text("utf-8") == PROCEDURE
    window.context.documents.open(path)
    assert window.status.kind_button.text() == "Skill"


def test_the_content_decides_again_where_the_person_says_so(
    tmp_path: Path, window: MainWindow, own_places: Places
) -> None:
    path = tmp_path / "tea.md"
    path.write_text(PROCEDURE, "utf-8")
    window.context.documents.open(path)
    choices(window.status.kind_button)["Skill"].trigger()
    choices(window.status.kind_button)["As its content says: procedure"].trigger()
    assert window.status.kind_button.text() == "Procedure"
    assert load_settings(own_places).kinds == {}


def test_what_was_chosen_for_a_new_document_goes_with_it_to_its_file(
    tmp_path: Path, window: MainWindow, own_places: Places
) -> None:
    window.context.documents.open_text(PROCEDURE)
    choices(window.status.kind_button)["Playbook program"].trigger()
    window.context.documents.save(tmp_path / "tea.md")
    assert load_settings(own_places).kind_of(tmp_path / "tea.md") == "program"


def test_what_was_done_before_can_be_undone_after_another_kind_was_chosen(window: MainWindow) -> None:
    documents = window.context.documents
    documents.open_text(PROCEDURE)
    documents.execute(EditText((TextEdit(Span(0, 0), "\n"),)))
    window.context.kinds.choose(FileKind.PROGRAM)
    documents.undo()
    assert documents.snapshot.text == PROCEDURE
    assert documents.snapshot.program.kind is FileKind.PROGRAM
