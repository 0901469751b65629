"""The folder as a project tree."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QFile, QModelIndex, Qt
from pytestqt.qtbot import QtBot

from tests.conftest import PATIENCE_S
from workbench.disk.listing import ListedFile
from workbench.editing.commands import EditText
from workbench.gui.control.looking import project_check
from workbench.gui.control.looking.project_check import Plan, planned
from workbench.gui.files.arranging.project_rows import TITLE
from workbench.gui.files.project_panel import ProjectPanel
from workbench.gui.problems.problems_panel import ProblemsPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.model.kinds import FileKind
from workbench.project import index as index_module
from workbench.project.checked import Checked, Counts, Stamps
from workbench.project.index import FileEntry, indexed
from workbench.project.kept import keep
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

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
    assert not panel.tree.isVisibleTo(panel)


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
    assert not panel.tree.isVisibleTo(panel)


def titles(panel: ProjectPanel) -> dict[str, str]:
    """Names and titles at the top of the tree."""
    root, model = panel.tree.rootIndex(), panel.tree.model()
    rows = range(model.rowCount(root))
    return {str(model.index(row, 0, root).data()): str(model.index(row, TITLE, root).data()) for row in rows}


def whole(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until all files have been read."""
    project = window.context.project
    qtbot.waitUntil(lambda: project.index.is_whole and bool(project.index.folders) and not project.is_reading)


def test_a_file_shows_its_title_and_what_it_is(
    window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot
) -> None:
    (folder / "drain.md").write_text("# Drain the *desk*\n\n1. Close\n2. Wait\n")
    show(window, folder)
    whole(window, qtbot)
    assert titles(panel) == {"more": "", "desk.md": "Desk", "drain.md": "Drain the desk"}
    told = row(panel, "drain.md").data(Qt.ItemDataRole.ToolTipRole)
    assert told.splitlines() == ["drain.md", "Drain the desk", "Procedure", "2 steps"]


def test_what_is_none_of_ours_is_shown_by_choice(
    window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot
) -> None:
    (folder / "data.json").write_text('{"a": 1}')
    show(window, folder)
    whole(window, qtbot)
    assert names(panel) == {"desk.md", "more"}
    panel.others.click()
    assert names(panel) == {"desk.md", "more", "data.json", "desk.script.yaml", "notes.txt"}


def test_a_file_is_found_by_name_and_title_and_opened(
    window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot
) -> None:
    (folder / "more/other.md").write_text("# Empty the till\n")
    show(window, folder)
    whole(window, qtbot)
    qtbot.keyClicks(panel.search, "TILL more")
    qtbot.keyClick(panel.search, Qt.Key.Key_Return)
    assert names(panel) == {"more"}
    assert window.context.documents.file_state.path == folder / "more/other.md"


def test_what_changes_on_disk_is_taken_in(window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot) -> None:
    show(window, folder)
    whole(window, qtbot)
    (folder / "more/new.md").write_text("# New\n")
    qtbot.waitUntil(lambda: panel.model.index_of("more/new.md").isValid())
    (folder / "desk.md").unlink()
    qtbot.waitUntil(lambda: names(panel) == {"more"})


def test_what_was_just_saved_is_read_again(window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot) -> None:
    show(window, folder)
    whole(window, qtbot)
    documents = window.context.documents
    documents.open(folder / "desk.md")
    documents.execute(EditText((TextEdit(Span(2, 6), "Counter"),)))
    documents.save()
    qtbot.waitUntil(lambda: titles(panel).get("desk.md") == "Counter")


def test_rows_that_stay_are_the_same_while_others_come_and_go(
    window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot
) -> None:
    for name in ("a.md", "b.md", "c.md", "d.md"):
        (folder / "more" / name).write_text(f"# {name}\n")
    show(window, folder)
    whole(window, qtbot)
    panel.tree.expand(row(panel, "more"))
    panel.tree.setCurrentIndex(panel.model.index_of("more/c.md"))
    for name in ("b.md", "c1.md", "0.md"):
        (folder / "more" / name).write_text("# New\n")
    (folder / "more/d.md").unlink()
    qtbot.waitUntil(lambda: panel.model.index_of("more/0.md").isValid())
    qtbot.waitUntil(lambda: not panel.model.index_of("more/d.md").isValid())
    assert panel.tree.isExpanded(row(panel, "more"))
    assert panel.tree.currentIndex().data() == "c.md"
    shown = [panel.model.index(each, 0, row(panel, "more")).data() for each in range(5)]
    assert shown == ["0.md", "a.md", "b.md", "c.md", "c1.md"]


def test_reading_can_be_stopped_and_goes_on(
    window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_read = threading.Event()
    real = index_module.read_entry

    def read(root: Path, path: str, file: ListedFile, wanted: FileKind | None) -> FileEntry:
        may_read.wait(PATIENCE_S)
        return real(root, path, file, wanted)

    monkeypatch.setattr(index_module, "read_entry", read)
    show(window, folder)
    qtbot.waitUntil(lambda: "desk.md" in names(panel))
    assert panel.reading.words.text() == "Reading 0 of 1 file"
    panel.reading.button.click()
    assert panel.reading.words.text() == "Read 0 of 1 file"
    may_read.set()
    panel.reading.button.click()
    whole(window, qtbot)
    assert not panel.reading.isVisibleTo(panel)


def test_what_was_known_at_the_last_time_is_not_read_again(
    window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    *_growing, index = indexed(folder, {})
    keep(window.context.places, index)
    monkeypatch.setattr(index_module, "read_entry", None)
    show(window, folder)
    whole(window, qtbot)
    assert titles(panel)["desk.md"] == "Desk"


def test_what_a_person_says_that_a_file_is_counts(
    window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot
) -> None:
    show(window, folder)
    whole(window, qtbot)
    assert "Playbook program" in row(panel, "desk.md").data(Qt.ItemDataRole.ToolTipRole)
    window.context.documents.open(folder / "desk.md")
    window.context.kinds.choose(FileKind.PROCEDURE)
    qtbot.waitUntil(lambda: "Procedure" in row(panel, "desk.md").data(Qt.ItemDataRole.ToolTipRole))


def choose(panel: ProjectPanel, name: str, words: str) -> None:
    """Choose *words* in the menu of the row *name*; empty for the ground below all rows."""
    panel.tree.setCurrentIndex(row(panel, name) if name else QModelIndex())
    next(action for action in panel.tree.actions() if action.text() == words).trigger()


def test_new_files_and_folders_are_made_where_one_is(
    window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot
) -> None:
    show(window, folder)
    qtbot.waitUntil(lambda: "desk.md" in names(panel))
    for words, name, made in (
        ("New playbook…", "first", "more/first.md"),
        ("New step list…", "second.yaml", "more/second.yaml"),
        ("New folder…", "third", "more/third"),
    ):
        choose(panel, "more", words)
        dialog = panel.arranging.naming
        assert dialog is not None
        assert dialog.textValue().startswith("more/new-")
        dialog.setTextValue(f"more/{name}")
        dialog.accept()
        assert (folder / made).exists()
    assert window.context.documents.file_state.path == folder / "more" / "second.yaml"
    assert window.context.documents.snapshot.program.format.is_steplist
    assert not window.context.documents.snapshot.diagnostics
    choose(panel, "", "New playbook…")
    dialog = panel.arranging.naming
    assert dialog is not None
    assert dialog.textValue() == "new-playbook.md"
    dialog.setTextValue("../outside.md")
    dialog.accept()
    assert "is not a name for a file of this project" in window.banners.banners[-1].notice.text
    assert not (folder.parent / "outside.md").exists()


def test_a_copy_stands_beside_its_file(window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot) -> None:
    show(window, folder)
    qtbot.waitUntil(lambda: "desk.md" in names(panel))
    choose(panel, "desk.md", "Duplicate")
    assert (folder / "desk-2.md").read_text() == TEXT
    assert window.context.documents.file_state.path == folder / "desk-2.md"
    qtbot.waitUntil(lambda: "desk-2.md" in names(panel))


def test_deleting_asks_and_goes_to_the_trash_where_there_is_one(
    window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "other.md").write_text(TEXT + "\nSee [the desk](desk.md).\n")
    show(window, folder)
    qtbot.waitUntil(lambda: window.context.project.index.links_in.get("desk.md") == ("other.md",))
    window.files.open_path(folder / "desk.md")
    window.context.documents.execute(EditText((TextEdit(Span(0, 0), "x"),)))
    window.files.open_path(folder / "other.md")
    trash: list[str] = []
    choose(panel, "desk.md", "Delete…")
    asked = panel.arranging.deleting.question
    assert asked is not None
    assert asked.informativeText() == "1 file links to it. Its unsaved changes are lost."
    asked.reject()
    assert (folder / "desk.md").exists()
    monkeypatch.setattr(QFile, "moveToTrash", trash.append)
    choose(panel, "desk.md", "Delete…")
    asked = panel.arranging.deleting.question
    assert asked is not None
    asked.accept()
    assert trash == [str(folder / "desk.md")]
    without_trash = panel.arranging.deleting.question
    assert without_trash is not None
    assert "Delete it for good?" in without_trash.text()
    without_trash.accept()
    assert not (folder / "desk.md").exists()
    assert [tab.name for tab in window.context.tabs.tabs] == ["other.md"]


def test_a_click_only_shows_a_file_and_a_double_click_keeps_it(
    window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot
) -> None:
    (folder / "other.md").write_text(TEXT)
    show(window, folder)
    qtbot.waitUntil(lambda: {"desk.md", "other.md"} <= names(panel))
    window.panes.bring_forward("project")
    for name in ("desk.md", "other.md"):
        panel.tree.setCurrentIndex(row(panel, name))
        panel.tree.clicked.emit(row(panel, name))
    assert [(tab.name, tab.is_preview) for tab in window.context.tabs.tabs] == [("other.md", True)]
    assert panel.tree.hasFocus()
    panel.tree.activated.emit(row(panel, "other.md"))
    assert [(tab.name, tab.is_preview) for tab in window.context.tabs.tabs] == [("other.md", False)]


def test_a_file_that_is_open_says_beside_its_name_how_many_problems_it_has(
    window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot
) -> None:
    (folder / "bad.md").write_text("# A\n## Main\n### Steps\n- Nowhere()\n- Nowhere2()\n")
    show(window, folder)
    qtbot.waitUntil(lambda: "bad.md" in names(panel))
    window.files.open_path(folder / "bad.md")
    qtbot.waitUntil(lambda: panel.model.problems == {"bad.md": Counts(errors=2)})
    window.context.actions.trigger("file.close")
    assert panel.model.problems == {}


@pytest.fixture
def checks_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole projects are checked."""
    monkeypatch.setattr(project_check, "REST_MS", 10)
    monkeypatch.setattr(project_check, "FIRST_MS", 10)


@pytest.mark.usefixtures("checks_soon")
def test_all_files_of_the_project_are_checked_and_again_when_they_change(
    window: MainWindow, panel: ProjectPanel, folder: Path, qtbot: QtBot
) -> None:
    bad = "# A\n## Main\n### Steps\n- Nowhere()\n- Tell user $never\n"
    for name in ("bad.md", "more/deep/worse.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(bad)
    show(window, folder)
    both = Counts(errors=1, warnings=1)
    qtbot.waitUntil(lambda: set(panel.model.problems) == {"bad.md", "more/deep/worse.md", "more/deep", "more"})
    assert set(panel.model.problems.values()) == {both}
    index = panel.model.index_of("more")
    assert "1 error, 1 warning" in str(panel.model.data(index, Qt.ItemDataRole.AccessibleTextRole))
    (folder / "bad.md").write_text(TEXT)
    window.context.project.look()  # as when the window comes to the front
    qtbot.waitUntil(lambda: "bad.md" not in panel.model.problems)
    problems = window.panes.panel("problems")
    assert isinstance(problems, ProblemsPanel)
    problems.other.click()
    found = [problems.model.row_at(row) for row in range(problems.model.rowCount())]
    assert [(one.path, one.line, one.code) for one in found if one] == [
        ("more/deep/worse.md", 4, "unknown-call"),
        ("more/deep/worse.md", 5, "unset-variable"),
    ]
    problems.list.activated.emit(problems.model.index(1, 0))
    assert window.context.documents.file_state.path == folder / "more/deep/worse.md"
    assert window.centre.source.sync.caret == bad.index("$never")
    qtbot.waitUntil(lambda: problems.model.finding(0) is not None)
    window.context.settings.change(partial(replace, checks_project=False))
    assert set(window.context.checks.found) == set()


def test_what_was_found_in_files_as_they_are_again_still_holds(window: MainWindow, folder: Path) -> None:
    def plan(known: dict[str, Checked] | None, before: Plan | None) -> Plan:
        *_growing, index = indexed(folder, {})
        earlier = before.earlier if before is not None else {}
        return planned(window.context.places, Stamps(index, {}), known, {}, earlier)

    text = (folder / "desk.md").read_text()
    first = plan({}, None)
    known = {path: Checked(first.stamps.of(path)) for path in first.wanted}
    (folder / "desk.md").write_text("# Other\n")
    second = plan(known, first)
    assert second.wanted == ("desk.md",)
    (folder / "desk.md").write_text(text)
    third = plan({**second.known, "desk.md": Checked(second.stamps.of("desk.md"))}, second)
    assert third.wanted == () and third.known["desk.md"] == known["desk.md"]
