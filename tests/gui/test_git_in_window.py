"""What git knows is seen in the window: beside lines that differ from the last commit, and beside names of files."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from workbench.editing.commands import EditText
from workbench.gui.control.versions import git_states
from workbench.gui.files.arranging.project_rows import NAME
from workbench.gui.files.project_panel import ProjectPanel
from workbench.gui.fixes.fix_preview import FixPreview
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.source.gutter import LineChange
from workbench.gui.source.gutter_signs import differences_from
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="there is no git"),
]
BOOK = "# Shop\n\n## Main\n\n- Pack the parcel\n- Weigh the parcel\n- Call the van\n"


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here git is asked, and at once."""
    monkeypatch.setattr(git_states, "REST_MS", 10)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Ada", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with one commit of one playbook."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "shop.md").write_bytes(BOOK.encode())
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Begin")
    return folder


def write(window: MainWindow, text: str) -> None:
    documents = window.context.documents
    documents.execute(EditText((TextEdit(Span(0, len(documents.snapshot.text)), text),), "Write"))


def marks(window: MainWindow) -> dict[int, LineChange]:
    gutter = window.centre.source.editor.gutter
    lines = range(window.centre.source.editor.blockCount())
    return {line: change for line in lines if (change := gutter.change_of(line)) is not None}


def test_lines_that_differ_from_the_last_commit_are_marked_and_taken_back(
    qtbot: QtBot, window: MainWindow, project: Path
) -> None:
    window.context.documents.open(project / "shop.md")
    qtbot.waitUntil(lambda: window.context.git.base == BOOK)
    assert marks(window) == {}
    write(window, BOOK.replace("# Shop\n\n", "# Shop\n").replace("Weigh the", "Weigh every") + "- Close\n")
    expected = {1: LineChange.DELETED, 4: LineChange.CHANGED, 6: LineChange.ADDED}
    qtbot.waitUntil(lambda: marks(window) == expected)
    editor = window.centre.source.editor
    assert not editor.gutter.grab().isNull()
    rect = next(rect for block, rect in editor.visible_blocks() if block.blockNumber() == 4)
    at = QPoint(editor.gutter.width() - 3, rect.center().y())
    QTest.mouseClick(editor.gutter, Qt.MouseButton.LeftButton, pos=at)
    preview = window.findChild(FixPreview)
    assert [line.text for line in preview.lines if line.sign.value in "−+"] == [
        "- Weigh every parcel",
        "- Weigh the parcel",
    ]
    preview.apply()
    qtbot.waitUntil(lambda: 4 not in marks(window))
    assert "Weigh the parcel" in window.context.documents.snapshot.text
    cursor = editor.textCursor()
    cursor.setPosition(0)
    editor.setTextCursor(cursor)
    told: list[str] = []
    window.context.notices.noticed.connect(lambda notice: told.append(notice.text))
    window.context.actions.trigger("version.line")
    assert told == ["This line is what it was in the last commit."]


def test_marks_and_names_follow_git(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    context = window.context
    context.settings.change(partial(replace, project_folder=str(project)))
    context.documents.open(project / "shop.md")
    panel = window.panes.panel("project")
    assert isinstance(panel, ProjectPanel)
    (project / "new.md").write_bytes(b"# New\n\n- Step\n")
    (project / "noise.log").write_bytes(b"noise")
    write(window, BOOK + "- Close\n")
    context.documents.save()

    def names() -> list[str]:
        model = panel.model
        return [str(model.index(row, NAME).data()) for row in range(model.rowCount())]

    qtbot.waitUntil(lambda: names() == ["new.md  U", "shop.md  M"])
    index = panel.model.index(1, NAME)
    assert "changed since the last commit" in str(index.data(Qt.ItemDataRole.AccessibleTextRole))
    qtbot.waitUntil(lambda: marks(window) == {7: LineChange.ADDED})
    git(project, "add", ".")
    git(project, "commit", "-qm", "More")
    qtbot.waitUntil(lambda: names() == ["new.md", "shop.md"])
    qtbot.waitUntil(lambda: marks(window) == {})


def test_where_git_knows_nothing_nothing_is_marked(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    other = project / "other.md"
    other.write_bytes(BOOK.encode())
    context = window.context
    context.documents.open(other)
    qtbot.waitUntil(lambda: other in context.git.states)
    assert (context.git.base, marks(window)) == (None, {})
    outside = project.parent / "outside.md"
    outside.write_bytes(BOOK.encode())
    context.documents.open(outside)
    qtbot.waitUntil(lambda: not context.git.states)
    assert context.git.base is None


def test_what_went_from_the_end_of_a_text_is_marked_on_a_line_that_is_there() -> None:
    _text, found = differences_from("a\nb\nc\n", "a\nb\n")
    assert [(each.first, each.last, each.back.insert) for each in found] == [(2, 2, "c\n")]
