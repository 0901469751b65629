"""The window opens whatever is remembered, asked for, or left by an earlier session, and says what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from tests.core.hostile_paths import HOSTILE, Make, unreachable
from workbench.disk.places import Places
from workbench.gui.app import finish, main_window
from workbench.gui.banners.startup_offers import StartupOffers
from workbench.gui.files.project_panel import ProjectPanel
from workbench.gui.files.welcome_page import FileLink
from workbench.gui.shell.main_window import MainWindow
from workbench.settings import change_settings

each_hostile = pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)


class Starts:
    """Starts the program, so to say, and takes its windows away again."""

    def __init__(self) -> None:
        self.windows: list[MainWindow] = []

    def __call__(self, *arguments: str) -> MainWindow:
        """The window that *arguments* open, with all that it makes and offers after it is shown."""
        window = main_window(arguments)
        self.windows.append(window)
        window.panes.fill()
        StartupOffers(window.context, window.banners).show_offers()
        return window


@pytest.fixture
def start(qtbot: QtBot) -> Iterator[Starts]:
    """Starts the program."""
    starts = Starts()
    yield starts
    for window in starts.windows:
        window.context.documents.close()
        window.close()
        finish(window.context)
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@each_hostile
def test_whatever_is_asked_for_remembered_or_left(
    make: Make, start: Starts, tmp_path: Path, own_places: Places
) -> None:
    path = make(tmp_path)
    change_settings(own_places, lambda old: replace(old, recent_files=(str(path),), project_folder=str(path)))
    if is_link_possible(path):
        own_places.edits_dir.mkdir(parents=True)
        own_places.data_dir.mkdir(parents=True)
        journals = (own_places.edits_dir / name for name in ("a.edits", "b.unsaved", "c.pending-1"))
        for left in (own_places.runs_file, own_places.patterns_file, *journals):
            left.symlink_to(path)
    window = start(str(path))
    assert window.isVisible()
    assert len(window.findChildren(FileLink)) == (make.__name__ == "huge")
    assert window.banners.banners
    assert not window.context.documents.file_state.is_open


def is_link_possible(path: Path) -> bool:
    """True for what can be the target of a link."""
    return "\0" not in str(path) and len(str(path)) < 4000


@pytest.mark.parametrize("trouble", ["EACCES", "ENOTCONN"])
def test_whatever_cannot_be_reached(
    trouble: str, start: Starts, tmp_path: Path, own_places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    mount = tmp_path / "mount"
    (mount / "project").mkdir(parents=True)
    (mount / "project" / "a.md").write_text("# A\n")
    change_settings(
        own_places,
        lambda old: replace(old, recent_files=(f"{mount}/project/a.md",), project_folder=f"{mount}/project"),
    )
    with unreachable(mount, trouble, monkeypatch):
        window = start(f"{mount}/project/a.md")
        assert "Could not open “a.md”" in window.banners.banners[0].notice.text
        (panel,) = window.findChildren(ProjectPanel)
        assert panel.currentWidget() is not panel.tree
        assert window.findChildren(FileLink) == []
    assert window.context.settings.current.recent_files == (f"{mount}/project/a.md",)


@pytest.mark.expects_warnings
def test_even_a_mistake_of_ours(start: Starts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> None:
        raise KeyError("s5")

    (tmp_path / "a.md").write_text("# A\n")
    monkeypatch.setattr("workbench.gui.files.file_actions.open_file", broken)
    window = start(str(tmp_path / "a.md"))
    assert "Internal error" in window.banners.banners[0].notice.text


def test_without_a_current_folder(start: Starts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert "Could not open “a.md”" in start("a.md").banners.banners[0].notice.text


@pytest.mark.expects_warnings
def test_where_no_settings_can_be_saved(start: Starts, own_places: Places, tmp_path: Path) -> None:
    own_places.config_dir.parent.mkdir(parents=True)
    own_places.config_dir.write_text("a file, not a folder")
    assert start("--reset", str(tmp_path)).isVisible()
