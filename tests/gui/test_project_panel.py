"""The folder as a project tree."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from workbench.gui.files.project_panel import ProjectPanel
from workbench.gui.shell.main_window import MainWindow

TEXT = "# Desk\n\n## Main\n\n### Steps\n\n- End program\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "desk.md").write_text(TEXT)
    (tmp_path / "notes.txt").write_text("not a playbook")
    (tmp_path / "desk.script.yaml").write_text("answers: []")
    (tmp_path / "more").mkdir()
    return tmp_path


@pytest.fixture
def panel(window: MainWindow) -> ProjectPanel:
    panel = window.panes.panel("project")
    assert isinstance(panel, ProjectPanel)
    return panel


def show(window: MainWindow, folder: Path) -> None:
    """Open *folder* as a person does."""
    window.context.settings.change(partial(replace, project_folder=str(folder)))


def names(panel: ProjectPanel) -> set[str]:
    """What the tree shows at its top."""
    root, model = panel.tree.rootIndex(), panel.tree.model()
    return {str(model.index(row, 0, root).data()) for row in range(model.rowCount(root))}


def row(panel: ProjectPanel, name: str) -> QModelIndex:
    """The row of *name*."""
    root, model = panel.tree.rootIndex(), panel.tree.model()
    return next(index for each in range(model.rowCount(root)) if (index := model.index(each, 0, root)).data() == name)


def test_without_a_folder_the_pane_says_how_to_open_one(panel: ProjectPanel) -> None:
    assert panel.currentWidget() is not panel.tree


def test_a_folder_shows_its_playbooks_and_folders_only(
    window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot
) -> None:
    show(window, folder)
    qtbot.waitUntil(lambda: names(panel) == {"desk.md", "more"})


def test_a_double_click_opens_the_file(window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot) -> None:
    show(window, folder)
    qtbot.waitUntil(lambda: "desk.md" in names(panel))
    panel.tree.activated.emit(row(panel, "desk.md"))
    assert window.context.documents.file_state.path == folder / "desk.md"
    assert panel.tree.currentIndex().data(Qt.ItemDataRole.DisplayRole) == "desk.md"


def test_a_folder_that_is_gone_leaves_the_empty_state(window: MainWindow, panel: ProjectPanel, folder: Path) -> None:
    show(window, folder / "nowhere")
    assert panel.currentWidget() is not panel.tree
