"""The document of the window: told once, never lost, true to the disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench.disk.places import Places
from workbench.editing.commands import AddPlaybook, DeleteSteps, EditText, RenamePlaybook
from workbench.editing.keeping.storage import DiskState
from workbench.errors import CannotRead, ChangedOnDisk
from workbench.gui.control.document_controller import DocumentController
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

TEXT = "# Desk\n\n## Main\n\n### Steps\n\n- Ask user for $name\n- Tell user their order status\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "desk.md"
    path.write_text(TEXT)
    return path


@pytest.fixture
def documents(qapp: QApplication, own_places: Places, file: Path) -> DocumentController:
    controller = DocumentController(own_places.edits_dir, qapp)
    controller.open(file)
    return controller


def insert(documents: DocumentController, text: str, at: int = 0) -> None:
    """Type *text*."""
    documents.execute(EditText((TextEdit(Span(at, at), text),)))


def write_beside(path: Path, text: str) -> None:
    """Replace the file as careful editors do."""
    other = path.with_name("other")
    other.write_text(text)
    other.replace(path)


def test_opening_tells_every_view_once(qapp: QApplication, file: Path) -> None:
    controller = DocumentController(parent=qapp)
    opened, stated = QSignalSpy(controller.document_opened), QSignalSpy(controller.file_state_changed)
    controller.open(file)
    assert opened.count() == stated.count() == 1
    assert opened.at(0)[0].text == TEXT
    assert controller.file_state.is_open
    assert not controller.file_state.is_dirty


@pytest.mark.parametrize(
    "show", [lambda it, file: it.open(file), lambda it, _file: it.open_text(TEXT)], ids=["another file", "a new text"]
)
def test_no_step_has_an_id_that_a_step_of_the_document_before_had(
    documents: DocumentController, file: Path, show: Callable[[DocumentController, Path], None]
) -> None:
    before = set(documents.snapshot.where)
    insert(documents, "- One more\n", len(TEXT))
    before |= set(documents.snapshot.where)
    documents.close()
    show(documents, file)
    assert documents.snapshot.where
    assert before.isdisjoint(documents.snapshot.where)


def test_opening_the_same_file_again_leaves_what_was_saved_to_be_undone(
    documents: DocumentController, file: Path
) -> None:
    insert(documents, "Kept.\n")
    documents.save()
    documents.open(file)
    documents.undo()
    assert documents.snapshot.text == TEXT


def test_opening_the_same_file_again_does_not_offer_what_was_given_up(
    documents: DocumentController, file: Path
) -> None:
    insert(documents, "Given up.\n")
    documents.open(file)
    assert documents.document.recovery is None
    assert documents.snapshot.text == TEXT


def test_what_is_open_stays_when_another_file_cannot_be_read(documents: DocumentController, tmp_path: Path) -> None:
    with pytest.raises(CannotRead):
        documents.open(tmp_path)
    assert documents.snapshot.text == TEXT


def test_a_command_is_told_once(documents: DocumentController) -> None:
    changed = QSignalSpy(documents.document_changed)
    documents.execute(AddPlaybook("Other"))
    assert changed.count() == 1
    assert documents.file_state.is_dirty


def test_a_refusal_is_told_and_changes_nothing(documents: DocumentController) -> None:
    refused = QSignalSpy(documents.refused)
    documents.execute(RenamePlaybook("Nowhere", "Somewhere"))
    assert refused.count() == 1
    assert documents.snapshot.text == TEXT


def test_undo_and_redo_go_through_the_same_signal(documents: DocumentController) -> None:
    step = documents.snapshot.program.playbooks[0].steps[0]
    documents.execute(DeleteSteps((step.id,)))
    changed = QSignalSpy(documents.document_changed)
    documents.undo()
    assert documents.snapshot.text == TEXT
    documents.redo()
    assert changed.count() == 2


def test_nothing_to_undo_tells_nothing(documents: DocumentController) -> None:
    changed = QSignalSpy(documents.document_changed)
    documents.undo()
    assert changed.count() == 0


def test_saving_makes_the_document_clean(documents: DocumentController, file: Path) -> None:
    insert(documents, "<!-- new -->\n")
    documents.save()
    assert file.read_text() == f"<!-- new -->\n{TEXT}"
    assert not documents.file_state.is_dirty


def test_a_clean_document_follows_the_file(documents: DocumentController, file: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(documents.document_changed):
        file.write_text(TEXT.replace("status", "state"))
    assert "state" in documents.snapshot.text


def test_the_file_is_followed_through_atomic_replaces(documents: DocumentController, file: Path, qtbot: QtBot) -> None:
    for word in ("first", "second", "third"):
        with qtbot.waitSignal(documents.document_changed):
            write_beside(file, TEXT.replace("status", word))
        assert word in documents.snapshot.text


def test_steps_that_an_outside_change_left_alone_keep_their_ids(documents: DocumentController, file: Path) -> None:
    before = documents.snapshot.program.playbooks[0].steps[1].id
    file.write_text(TEXT.replace("$name", "$name and $email"))
    documents.check_disk()
    assert documents.snapshot.program.playbooks[0].steps[1].id == before


def test_a_change_on_both_sides_is_told_and_nothing_is_lost(documents: DocumentController, file: Path) -> None:
    insert(documents, "<!-- mine -->\n")
    file.write_text(TEXT.replace("status", "state"))
    documents.check_disk()
    assert documents.file_state.disk is DiskState.CHANGED
    assert documents.snapshot.text.startswith("<!-- mine -->")
    with pytest.raises(ChangedOnDisk):
        documents.save()
    assert "state" in file.read_text()


def test_both_sides_can_be_merged(documents: DocumentController, file: Path) -> None:
    insert(documents, "<!-- mine -->\n")
    file.write_text(TEXT.replace("status", "state"))
    documents.check_disk()
    documents.take_from_disk()
    assert documents.file_state.disk is DiskState.SAME
    assert documents.snapshot.text == f"<!-- mine -->\n{TEXT}".replace("status", "state")


def test_a_file_that_vanished_is_told_and_can_be_written_again(documents: DocumentController, file: Path) -> None:
    file.unlink()
    documents.check_disk()
    assert documents.file_state.disk is DiskState.MISSING
    documents.save()
    assert file.read_text() == TEXT
    assert documents.file_state.disk is DiskState.SAME


def test_closing_leaves_an_empty_document(documents: DocumentController) -> None:
    opened = QSignalSpy(documents.document_opened)
    documents.close()
    assert opened.count() == 1
    assert documents.snapshot.text == ""
    assert not documents.file_state.is_open


@pytest.mark.parametrize("spoil", [Path.unlink, Path.mkdir], ids=["missing", "folder"])
def test_checking_without_a_file_does_no_harm(
    documents: DocumentController, file: Path, spoil: Callable[[Path], None]
) -> None:
    file.unlink()
    if spoil is Path.mkdir:
        spoil(file)
    documents.check_disk()
    assert documents.snapshot.text == TEXT
