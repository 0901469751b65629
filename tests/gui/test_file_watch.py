"""The watch sees whatever becomes of a file, takes nothing over half written, and waits for nothing."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.core.hostile_paths import unreachable
from workbench.disk.places import Places
from workbench.editing.commands import EditText
from workbench.editing.keeping.storage import DiskState
from workbench.gui.banners import document_banners
from workbench.gui.control.document_controller import DocumentController
from workbench.gui.files.project_panel import ProjectPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

NEVER_MS = 3_600_000


def text(word: str) -> str:
    return f"# Desk\n\n## Main\n\n### Steps\n\n- Say {word}\n"


@pytest.fixture
def documents(qapp: QApplication, own_places: Places) -> DocumentController:
    return DocumentController(own_places.edits_dir, qapp)


def write(path: Path, word: str) -> Path:
    """Make the folders of *path*, and write a playbook with *word* there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(word))
    return path


def write_beside(path: Path, word: str) -> None:
    """Replace the file as careful editors do."""
    write(path.with_name("new"), word).replace(path)


def is_seen(documents: DocumentController, word: str) -> Callable[[], bool]:
    return lambda: word in documents.snapshot.text and documents.file_state.disk is DiskState.SAME


def is_in(documents: DocumentController, state: DiskState) -> Callable[[], bool]:
    return lambda: documents.file_state.disk is state


def test_a_folder_that_was_removed_and_made_again(documents: DocumentController, tmp_path: Path, qtbot: QtBot) -> None:
    file = write(tmp_path / "a" / "b" / "desk.md", "first")
    documents.open(file)
    for number in range(2):
        shutil.rmtree(tmp_path / "a")
        qtbot.waitUntil(is_in(documents, DiskState.MISSING))
        write(file, f"again{number}")
        qtbot.waitUntil(is_seen(documents, f"again{number}"))
        write(file, f"later{number}")
        qtbot.waitUntil(is_seen(documents, f"later{number}"))


def test_a_folder_above_that_was_exchanged(documents: DocumentController, tmp_path: Path, qtbot: QtBot) -> None:
    file = write(tmp_path / "a" / "b" / "c" / "desk.md", "first")
    write(tmp_path / "other" / "b" / "c" / "desk.md", "second")
    documents.open(file)
    (tmp_path / "a").rename(tmp_path / "away")
    (tmp_path / "other").rename(tmp_path / "a")
    qtbot.waitUntil(is_seen(documents, "second"))
    write_beside(file, "third")
    qtbot.waitUntil(is_seen(documents, "third"))
    write(tmp_path / "away" / "b" / "c" / "desk.md", "elsewhere")
    write(file, "fourth")
    qtbot.waitUntil(is_seen(documents, "fourth"))


def test_a_target_that_is_replaced_piece_by_piece(documents: DocumentController, tmp_path: Path, qtbot: QtBot) -> None:
    real, link = write(tmp_path / "real" / "desk.md", "first"), tmp_path / "links" / "desk.md"
    link.parent.mkdir()
    link.symlink_to(real)
    documents.open(link)
    for word in ("second", "third"):
        real.unlink()
        qtbot.waitUntil(is_in(documents, DiskState.MISSING))
        write_beside(real, word)
        qtbot.waitUntil(is_seen(documents, word))


def test_a_link_that_is_pointed_elsewhere(documents: DocumentController, tmp_path: Path, qtbot: QtBot) -> None:
    for name in ("1", "2", "3"):
        write(tmp_path / "versions" / name / "desk.md", f"version{name}")
    current = tmp_path / "current"
    current.symlink_to("versions/1")
    documents.open(current / "desk.md")
    for name in ("2", "3"):
        (tmp_path / "next").symlink_to(f"versions/{name}")
        (tmp_path / "next").replace(current)
        qtbot.waitUntil(is_seen(documents, f"version{name}"))
    write(tmp_path / "versions" / "3" / "desk.md", "written")
    qtbot.waitUntil(is_seen(documents, "written"))


def test_what_is_being_written_is_one_change_when_it_has_come_to_rest(
    documents: DocumentController, tmp_path: Path, qtbot: QtBot
) -> None:
    file = write(tmp_path / "desk.md", "first")
    documents.open(file)
    changed = QSignalSpy(documents.document_changed)
    documents.watch.rest_ms = NEVER_MS
    documents.watch.watch(file)
    file.write_text("")
    for piece in ("# Desk\n\n", "## Main\n\n", "### Steps\n\n", "- Say second\n"):
        qtbot.wait(20)
        with file.open("a") as stream:
            stream.write(piece)
    qtbot.wait(20)
    assert changed.count() == 0
    documents.watch.rest_ms = 1
    documents.watch.watch(file)
    qtbot.waitUntil(is_seen(documents, "second"))
    assert changed.count() == 1
    documents.undo()
    assert documents.snapshot.text == text("first")


def test_a_file_that_has_just_been_emptied_is_given_more_time(
    documents: DocumentController, tmp_path: Path, qtbot: QtBot
) -> None:
    file = write(tmp_path / "desk.md", "first")
    documents.open(file)
    documents.watch.rest_ms = 1
    with qtbot.waitSignal(documents.watch.touched):
        documents.watch.watch(file)
    file.write_text("")
    documents.watch.look()
    assert documents.watch.findChildren(type(documents.watch._rest))[0].remainingTime() > 500


def test_a_file_that_stays_empty_is_taken_over(documents: DocumentController, tmp_path: Path, qtbot: QtBot) -> None:
    file = write(tmp_path / "desk.md", "first")
    documents.open(file)
    file.write_text("")
    qtbot.waitUntil(lambda: documents.snapshot.text == "")


@pytest.mark.parametrize("put", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), Path.mkdir])
def test_what_takes_the_place_of_a_file_and_cannot_be_read_is_told_and_waited_for_by_nobody(
    put: Callable[[Path], None], window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    documents = window.context.documents
    file = write(tmp_path / "desk.md", "first")
    documents.open(file)
    file.unlink()
    put(file)
    qtbot.waitUntil(is_in(documents, DiskState.UNREADABLE))
    assert "cannot be read at the moment" in window.banners.banners[0].notice.text
    window.context.actions.action("file.save").trigger()
    assert "Could not save" in window.banners.banners[-1].notice.text
    if file.is_dir():
        file.rmdir()
    else:
        file.unlink()
    write(file, "again")
    qtbot.waitUntil(is_seen(documents, "again"))
    window.context.actions.action("file.save").trigger()
    assert window.banners.banners == ()


def test_a_folder_that_may_not_be_entered_any_more_does_no_harm(
    documents: DocumentController, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path / "desk" / "desk.md", "first")
    documents.open(file)
    with unreachable(file.parent, "EACCES", monkeypatch):
        documents.watch.look()
        qtbot.waitUntil(is_in(documents, DiskState.UNREADABLE))
    documents.watch.look()
    qtbot.waitUntil(is_seen(documents, "first"))
    write(file, "second")
    qtbot.waitUntil(is_seen(documents, "second"))


def test_caret_and_scroll_stay_where_they_are(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    file = tmp_path / "long.md"
    lines = ["# Desk", "", "## Main", "### Steps", *(f"- Step {number}" for number in range(200))]
    file.write_text("\n".join(lines))
    window.context.documents.open(file)
    editor = window.centre.source.editor
    cursor = editor.textCursor()
    cursor.setPosition(editor.document().findBlockByNumber(120).position() + 3)
    editor.setTextCursor(cursor)
    top = editor.firstVisibleBlock().text()
    lines[10] = "- Changed outside"
    file.write_text("\n".join(lines))
    qtbot.waitUntil(is_seen(window.context.documents, "Changed outside"))
    assert editor.textCursor().block().text() == "- Step 116"
    assert editor.textCursor().positionInBlock() == 3
    assert editor.firstVisibleBlock().text() == top


def test_the_project_shows_a_folder_that_was_made_again(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    folder = tmp_path / "project"
    write(folder / "a.md", "a")
    window.files.open_path(folder)
    (panel,) = window.findChildren(ProjectPanel)
    qtbot.waitUntil(lambda: names_in(panel) == ["a.md"])
    shutil.rmtree(folder)
    qtbot.waitUntil(lambda: not panel.tree.isVisibleTo(panel))
    write(folder / "b.md", "b")
    qtbot.waitUntil(lambda: panel.tree.isVisibleTo(panel) and names_in(panel) == ["b.md"])
    write(folder / "c.md", "c")
    qtbot.waitUntil(lambda: names_in(panel) == ["b.md", "c.md"])


def names_in(panel: ProjectPanel) -> list[str]:
    """The files that *panel* lists."""
    root, model = panel.tree.rootIndex(), panel.tree.model()
    return sorted(model.index(row, 0, root).data() for row in range(model.rowCount(root)))


def insert(documents: DocumentController, word: str) -> None:
    documents.execute(EditText((TextEdit(Span(0, 0), word),)))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_could_not_save_ends_when_a_save_works(
    number: int, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, save = window.context.documents, window.context.actions.action("file.save")
    documents.open(write(tmp_path / "desk.md", "first"))
    insert(documents, "x")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda _handle: fail(number))
        save.trigger()
        save.trigger()
    assert [banner.topic for banner in window.banners.banners] == ["saving"]
    save.trigger()
    assert window.banners.banners == ()


def fail(number: int) -> None:
    raise OSError(number, os.strerror(number))


@pytest.mark.expects_warnings
def test_the_window_says_while_no_recovery_file_can_be_written_and_takes_it_up_again(
    open_window: Callable[[], MainWindow],
    tmp_path: Path,
    own_places: Places,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(document_banners, "AGAIN_MS", 50)
    window = open_window()
    documents = window.context.documents
    documents.open(write(tmp_path / "desk.md", "first"))
    own_places.state_dir.mkdir(parents=True, exist_ok=True)
    own_places.edits_dir.write_text("a file, not a folder")
    insert(documents, "x")
    (banner,) = window.banners.banners
    assert "would not survive a crash" in banner.notice.text
    insert(documents, "y")
    assert window.banners.banners == (banner,)
    own_places.edits_dir.unlink()
    qtbot.waitUntil(lambda: window.banners.banners == ())
    (journal,) = own_places.edits_dir.iterdir()
    assert journal.read_text().count("\n") == 3
