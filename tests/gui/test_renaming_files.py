"""Renaming a file from the project pane: preview, links of all others, and the open document."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from workbench.editing.commands import EditText
from workbench.errors import CannotSave
from workbench.gui.files import file_dialogs
from workbench.gui.files.file_renaming import RenameDialog
from workbench.gui.files.project_panel import ProjectPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.model.kinds import FileKind
from workbench.project.renaming import Renaming
from workbench.settings import Settings
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

RESTART = "# Restart\n\n1. See [drain](how/drain.md)\n2. Wait\n"
DRAIN = "# Drain\n\n1. Back to [restart](../restart.md)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with two files that link to each other, and a third."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "how").mkdir()
    (tmp_path / "restart.md").write_text(RESTART)
    (tmp_path / "third.md").write_text("[a](how/drain.md)\n")
    (tmp_path / "how/drain.md").write_text(DRAIN)
    return tmp_path


@pytest.fixture
def panel(window: MainWindow, project: Path, qtbot: QtBot) -> ProjectPanel:
    """The pane with that project."""
    panel = window.panes.panel("project")
    assert isinstance(panel, ProjectPanel)
    window.context.settings.change(partial(replace, project_folder=str(project)))
    qtbot.waitUntil(lambda: window.context.project.index.is_whole and panel.model.rowCount() > 0)
    return panel


def asked(panel: ProjectPanel, path: str) -> RenameDialog:
    """The dialog for the file *path*, as F2 opens it."""
    panel.tree.setCurrentIndex(panel.model.index_of(path))
    panel.rename_current()
    dialog = panel.renaming.dialog
    assert dialog is not None
    return dialog


def rename(panel: ProjectPanel, path: str, new: str, qtbot: QtBot) -> None:
    """Type *new* and confirm."""
    dialog = asked(panel, path)
    dialog.name.selectAll()
    qtbot.keyClicks(dialog.name, new)
    qtbot.waitUntil(lambda: dialog.told.text() != "" or dialog.preview.toPlainText() != "")
    dialog.accept()


def test_what_changes_is_shown_before_anything_does(panel: ProjectPanel, project: Path, qtbot: QtBot) -> None:
    dialog = asked(panel, "how/drain.md")
    assert dialog.name.selectedText() == "drain"
    qtbot.keyClicks(dialog.name, "empty")
    qtbot.waitUntil(lambda: "third.md" in dialog.preview.toPlainText())
    assert dialog.told.text() == "2 links change in 2 files."
    assert [line.rsplit("  ", 1)[-1] for line in dialog.preview.toPlainText().splitlines()] == [
        "restart.md", "1. See [drain](how/drain.md)", "1. See [drain](how/empty.md)",
        "third.md", "[a](how/drain.md)", "[a](how/empty.md)",
    ]  # fmt: skip
    dialog.reject()
    assert (project / "how/drain.md").is_file()


def test_a_file_and_the_links_to_it_are_renamed(panel: ProjectPanel, project: Path, qtbot: QtBot) -> None:
    rename(panel, "how/drain.md", "empty it.md", qtbot)
    assert (project / "empty it.md").read_text() == DRAIN.replace("../restart", "restart")
    assert (project / "restart.md").read_text() == RESTART.replace("how/drain", "empty%20it")
    qtbot.waitUntil(lambda: panel.model.index_of("empty it.md").isValid())


def test_links_stay_where_that_is_wished(panel: ProjectPanel, project: Path, qtbot: QtBot) -> None:
    dialog = asked(panel, "how/drain.md")
    dialog.updates.setChecked(False)
    dialog.reject()
    dialog = asked(panel, "how/drain.md")
    qtbot.keyClicks(dialog.name, "empty")
    qtbot.waitUntil(lambda: dialog.updates.isEnabled() and bool(dialog.told.text()))
    dialog.updates.setChecked(False)
    dialog.accept()
    assert (project / "restart.md").read_text() == RESTART
    assert (project / "how/empty.md").read_text() == DRAIN


def test_a_name_that_cannot_be_is_told_at_once(panel: ProjectPanel, qtbot: QtBot) -> None:
    dialog = asked(panel, "third.md")
    dialog.name.selectAll()
    qtbot.keyClicks(dialog.name, "restart.md")
    qtbot.waitUntil(lambda: "already" in dialog.told.text())
    dialog.accept()
    assert dialog.isVisible()
    dialog.reject()


def test_what_was_said_of_the_chapters_of_a_file_goes_along(
    window: MainWindow, panel: ProjectPanel, project: Path, qtbot: QtBot
) -> None:
    settings = window.context.settings
    settings.change(partial(Settings.with_chapters, file=project / "how/drain.md", chapters={"Drain": False}))
    rename(panel, "how/drain.md", "empty.md", qtbot)
    assert settings.current.chapters_of(project / "empty.md") == {"Drain": False}
    assert not settings.current.chapters_of(project / "how/drain.md")


def test_the_open_document_stays_what_the_person_has_said_that_it_is(
    window: MainWindow, panel: ProjectPanel, project: Path, qtbot: QtBot
) -> None:
    settings, documents = window.context.settings, window.context.documents
    settings.change(partial(Settings.with_kind, file=project / "how/drain.md", kind="program"))
    documents.open(project / "how/drain.md")
    step = documents.snapshot.program.playbooks[0].steps[0].id
    rename(panel, "how/drain.md", "empty.md", qtbot)
    assert documents.snapshot.program.kind is FileKind.PROGRAM
    assert documents.snapshot.has(step)
    assert settings.current.kinds == {str(project / "empty.md"): "program"}


def test_the_open_document_goes_along_and_can_be_undone(
    window: MainWindow, panel: ProjectPanel, project: Path, qtbot: QtBot
) -> None:
    documents = window.context.documents
    documents.open(project / "how/drain.md")
    rename(panel, "how/drain.md", "empty.md", qtbot)
    assert documents.file_state.path == project / "empty.md"
    assert not documents.file_state.is_dirty
    assert (project / "empty.md").read_text() == DRAIN.replace("../restart", "restart")
    assert not (project / "how/drain.md").exists()
    documents.undo()
    assert documents.snapshot.text == DRAIN


def test_unsaved_changes_of_the_open_document_stay_unsaved(
    window: MainWindow, panel: ProjectPanel, project: Path, qtbot: QtBot
) -> None:
    documents = window.context.documents
    documents.open(project / "restart.md")
    documents.execute(EditText((TextEdit(Span(2, 9), "Begin"),)))
    rename(panel, "how/drain.md", "how/empty.md", qtbot)
    assert documents.snapshot.text == RESTART.replace("Restart", "Begin").replace("drain.md", "empty.md")
    assert (project / "restart.md").read_text() == RESTART
    assert documents.file_state.is_dirty


def test_a_file_with_unsaved_changes_is_not_renamed(
    window: MainWindow, panel: ProjectPanel, project: Path, qtbot: QtBot
) -> None:
    documents = window.context.documents
    documents.open(project / "how/drain.md")
    documents.execute(EditText((TextEdit(Span(2, 3), "T"),)))
    rename(panel, "how/drain.md", "empty.md", qtbot)
    assert window.banners.banners[0].notice.text == "Save this file before you rename it."
    assert (project / "how/drain.md").read_text() == DRAIN


def test_what_changed_meanwhile_keeps_everything_as_it_is(
    window: MainWindow, panel: ProjectPanel, project: Path, qtbot: QtBot
) -> None:
    dialog = asked(panel, "how/drain.md")
    qtbot.keyClicks(dialog.name, "empty")
    qtbot.waitUntil(lambda: "third.md" in dialog.preview.toPlainText())
    (project / "third.md").write_text("[a](how/drain.md) and more\n")
    dialog.accept()
    assert "“third.md” has changed meanwhile" in window.banners.banners[0].notice.text
    assert (project / "how/drain.md").is_file()
    assert (project / "restart.md").read_text() == RESTART


def test_links_are_brought_up_to_date_where_nothing_can_be_remembered(
    window: MainWindow, panel: ProjectPanel, project: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_change: object) -> None:
        raise CannotSave("The settings cannot be written.")

    monkeypatch.setattr(window.context.settings, "change", refuse)
    rename(panel, "how/drain.md", "how/empty.md", qtbot)
    assert window.banners.banners[0].notice.text == "The settings cannot be written."
    assert (project / "third.md").read_text() == "[a](how/empty.md)\n"


def test_f2_and_the_menu_of_the_tree_offer_it(panel: ProjectPanel) -> None:
    offered = {action.text(): action.shortcut().toString() for action in panel.tree.actions()}
    assert offered.items() >= {"Open": "", "Rename…": "F2"}.items()
    assert panel.tree.contextMenuPolicy() is Qt.ContextMenuPolicy.ActionsContextMenu


def saved_as(window: MainWindow, old: Path, new: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Open *old* and save it as *new*."""
    window.context.documents.open(old)
    monkeypatch.setattr(file_dialogs, "ask_where_to_save", lambda *_asked: new)
    window.context.actions.action("file.save-as").trigger()


def test_links_may_follow_a_file_that_is_saved_under_another_name(
    window: MainWindow, panel: ProjectPanel, project: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved_as(window, project / "how/drain.md", project / "how/empty.md", monkeypatch)
    qtbot.waitUntil(lambda: window.files.renaming.offer is not None)
    offer = window.files.renaming.offer
    assert offer is not None
    assert "third.md" in offer.preview.toPlainText()
    assert (project / "third.md").read_text() == "[a](how/drain.md)\n"
    offer.accept()
    assert (project / "third.md").read_text() == "[a](how/empty.md)\n"
    assert (project / "how/drain.md").read_text() == DRAIN


def test_nothing_is_offered_where_nothing_links_there(
    window: MainWindow, panel: ProjectPanel, project: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Renaming] = []
    window.files.renaming._work.done.connect(found.append)
    saved_as(window, project / "third.md", project / "fourth.md", monkeypatch)
    qtbot.waitUntil(lambda: bool(found))
    assert window.files.renaming.offer is None


def test_the_open_file_can_be_renamed_from_the_menu(window: MainWindow, project: Path) -> None:
    window.context.documents.open(project / "third.md")
    window.context.actions.action("file.rename").trigger()
    dialog = window.files.renaming.dialog
    assert dialog is not None
    assert (dialog.name.text(), dialog.name.selectedText()) == ("third.md", "third")
    dialog.reject()
