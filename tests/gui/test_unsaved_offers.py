"""What a window does about playbooks that were never saved when the program was cut off."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from workbench.disk.places import Places
from workbench.editing.commands import AddPlaybook, EditText
from workbench.editing.document import Document
from workbench.gui.banners.banner_stack import Banner
from workbench.gui.banners.startup_offers import StartupOffers
from workbench.gui.shell.main_window import MainWindow
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

TEXT = "\n# Desk\n\n## Main\n\n### Steps\n\n- End program\n"


def cut_off(places: Places, playbook: str, text: str = TEXT) -> str:
    """The text of a new document to which *playbook* was added before the program was cut off."""
    document = Document.from_text(text, places.edits_dir)
    document.execute(AddPlaybook(playbook))
    return document.snapshot.text


def offers(window: MainWindow) -> tuple[Banner, ...]:
    """Look for what was cut off, as at the start; the lines that show."""
    StartupOffers(window.context, window.banners).show_offers()
    return window.banners.banners


def journals(places: Places) -> list[Path]:
    return list(places.edits_dir.glob("*"))


def answer(window: MainWindow, button: QMessageBox.StandardButton) -> None:
    """Press *button* where the window asks about unsaved changes."""
    dialog = window.files.guard.dialog
    assert dialog is not None
    dialog.button(button).click()


def test_restore_opens_it_as_an_unsaved_document_with_its_history(window: MainWindow, own_places: Places) -> None:
    text = cut_off(own_places, "Other")
    (banner,) = offers(window)
    assert "An unsaved playbook from 20" in banner.notice.text
    assert "“Desk”" in banner.notice.text
    banner.buttons[0].click()
    documents = window.context.documents
    assert documents.snapshot.text == text
    assert documents.file_state.path is None
    assert documents.file_state.is_dirty
    assert window.banners.banners == ()
    documents.undo()
    assert documents.snapshot.text == TEXT


def test_discard_gives_it_up(window: MainWindow, own_places: Places) -> None:
    cut_off(own_places, "Other")
    (banner,) = offers(window)
    banner.buttons[1].click()
    assert journals(own_places) == []
    assert offers(window) == ()
    assert not window.context.documents.file_state.is_open


def test_closing_the_line_keeps_it_for_the_next_start(window: MainWindow, own_places: Places) -> None:
    cut_off(own_places, "Other")
    (banner,) = offers(window)
    window.banners.close_banner(banner.topic)
    assert len(offers(window)) == 1


def test_one_without_words_is_offered_all_the_same(window: MainWindow, own_places: Places) -> None:
    document = Document.from_text(TEXT, own_places.edits_dir)
    document.execute(AddPlaybook("Other"))
    document.execute(EditText((TextEdit(Span(0, len(document.snapshot.text)), "\n#\n"),)))
    del document
    (banner,) = offers(window)
    assert banner.notice.text.endswith("can be restored.")


def test_each_has_a_line_of_its_own(window: MainWindow, own_places: Places) -> None:
    texts = {cut_off(own_places, name) for name in ("One", "Two")}
    restored = set()
    for banner in offers(window):
        banner.buttons[0].click()
        restored.add(window.context.documents.snapshot.text)
    assert restored == texts
    assert len(window.context.tabs.dirty) == len(journals(own_places)) == 2


def test_restoring_leaves_what_is_unsaved_in_the_window_in_its_tab(window: MainWindow, own_places: Places) -> None:
    cut_off(own_places, "Other")
    window.context.documents.open_text("# Mine\n")
    window.context.documents.execute(AddPlaybook("Mine"))
    mine = window.context.documents.snapshot.text
    (banner,) = offers(window)
    banner.buttons[0].click()
    assert window.context.documents.snapshot.text != mine
    window.context.actions.trigger("tab.previous")
    assert window.context.documents.snapshot.text == mine
    assert offers(window) == ()


def test_what_is_open_in_another_window_is_not_offered(window: MainWindow, another_window: MainWindow) -> None:
    window.context.documents.open_text(TEXT)
    window.context.documents.execute(AddPlaybook("Other"))
    assert offers(another_window) == ()


def test_what_another_window_has_restored_since_is_said_to_be_gone(
    window: MainWindow, another_window: MainWindow, own_places: Places
) -> None:
    text = cut_off(own_places, "Other")
    (mine,), (theirs,) = offers(window), offers(another_window)
    theirs.buttons[0].click()
    mine.buttons[0].click()
    assert any("another window" in banner.notice.text for banner in window.banners.banners)
    assert not window.context.documents.file_state.is_open
    assert another_window.context.documents.snapshot.text == text


@pytest.mark.parametrize("leaving", ["file.close", "file.quit"])
def test_leaving_without_saving_gives_it_up(window: MainWindow, own_places: Places, leaving: str) -> None:
    window.context.documents.open_text(TEXT)
    window.context.documents.execute(AddPlaybook("Other"))
    assert len(journals(own_places)) == 1
    window.context.actions.action(leaving).trigger()
    assert len(journals(own_places)) == 1
    answer(window, QMessageBox.StandardButton.Discard)
    assert journals(own_places) == []


def test_saving_under_a_name_makes_it_the_journal_of_the_file(
    window: MainWindow, own_places: Places, tmp_path: Path
) -> None:
    window.context.documents.open_text(TEXT)
    window.context.documents.execute(AddPlaybook("Other"))
    window.context.documents.save(tmp_path / "desk.md")
    assert [file.suffix for file in journals(own_places)] == [".edits"]


def test_what_is_made_where_nothing_was_open_is_kept_too(window: MainWindow, own_places: Places) -> None:
    window.context.documents.execute(AddPlaybook("First"))
    assert len(journals(own_places)) == 1
