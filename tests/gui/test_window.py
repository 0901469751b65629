"""The window as a whole: what it shows, what it remembers, and that nothing is lost when it closes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Windows
from workbench.editing.commands import AddPlaybook, DeleteSteps, EditText, MoveSteps, Place
from workbench.gui.assembly.assembly_panel import AssemblyPanel
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.pane_table import PANES
from workbench.gui.files import file_dialogs
from workbench.gui.files.file_actions import suggested_name
from workbench.gui.problems.problems_panel import ProblemsPanel
from workbench.gui.shell.crash_handler import CrashHandler
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.shell.panes.pane_title import TitledPane
from workbench.gui.timeline.timeline_panel import TimelinePanel
from workbench.model.snapshot import derive
from workbench.resources import sample_playbooks, use_case_playbooks
from workbench.syntax.change import TextEdit
from workbench.syntax.text import SourceText, Span

TEXT = "# Desk\n\n## Main\n\n### Steps\n\n- Ask user for $name\n- Tell user their order status\n- End program\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "desk.md"
    path.write_text(TEXT)
    return path


def open_file(window: MainWindow, file: Path) -> None:
    """As a person does from the recent files."""
    window.files.open_path(file)


def change_text(window: MainWindow) -> None:
    """Leave something unsaved."""
    window.context.documents.execute(AddPlaybook("Other"))


def press(window: MainWindow, button: QMessageBox.StandardButton) -> None:
    """Answer the question about unsaved changes."""
    dialog = window.files.guard.dialog
    assert dialog is not None
    dialog.button(button).click()


def drop(window: MainWindow, path: Path) -> None:
    """Drop *path* on the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    action, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(10, 10), action, data, buttons, keys))


def test_the_empty_window_shows_the_samples(window: MainWindow) -> None:
    assert window.centre.currentWidget() is window.centre.welcome
    samples = (*sample_playbooks(), *use_case_playbooks())
    assert len(window.centre.welcome.cards) == len(samples) == 9


def test_a_click_on_a_sample_opens_a_copy_of_it(window: MainWindow) -> None:
    window.centre.welcome.cards[0].click()
    assert window.context.documents.snapshot.text == sample_playbooks()[0].read_text(encoding="utf-8")
    assert window.context.documents.file_state.path is None
    assert window.centre.currentWidget() is not window.centre.welcome


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# Disk full: what to do\n## Main\n### Steps\n- One\n", "disk-full-what-to-do.md"),
        ("id: x\nname: Nightly checks\nsteps: []\n", "nightly-checks.yaml"),
        ('{"id": "x", "name": "Prüfung", "steps": []}', "prüfung.json"),
        ("", "playbook.md"),
        ("# ../../etc\n", "etc.md"),
    ],
)
def test_a_document_is_offered_to_be_saved_under_its_title(text: str, name: str) -> None:
    assert suggested_name(derive(SourceText(text))) == name


@pytest.mark.parametrize("width", [320, 420, 700, 1200])
def test_the_welcome_page_fits_into_any_width(window: MainWindow, width: int) -> None:
    page = window.centre.welcome
    page.setParent(None)
    page.resize(width, 600)
    page.show()
    QApplication.processEvents()
    assert page.widget().width() <= page.viewport().width()
    page.deleteLater()


def test_the_welcome_page_leads_back_to_the_open_document(window: MainWindow, file: Path) -> None:
    assert not window.centre.welcome.back_button.isVisible()
    open_file(window, file)
    window.context.actions.action("help.welcome").trigger()
    assert "desk.md" in window.centre.welcome.back_button.text()
    change_text(window)
    assert window.centre.currentWidget() is window.centre.welcome
    window.centre.welcome.back_button.click()
    assert window.centre.canvas.isVisible()


def test_the_title_names_the_file_and_marks_changes(window: MainWindow, file: Path) -> None:
    open_file(window, file)
    assert window.windowTitle().startswith("desk.md")
    assert not window.isWindowModified()
    change_text(window)
    assert window.isWindowModified()


@pytest.mark.all_panes
def test_what_stands_behind_other_panes_is_made_when_the_window_has_been_shown(
    open_window: Windows, qtbot: QtBot
) -> None:
    fresh = open_window.fresh()
    empty = [spec.id for spec in PANES if not fresh.panes.dock(spec.id).is_filled]
    assert empty == [
        "project",
        "patterns",
        "assembly",
        "goal",
        "help",
        "timeline",
        "variables",
        "plan",
        "tools",
        "shelf",
        "search",
        "problems",
    ]
    qtbot.waitUntil(lambda: all(fresh.panes.dock(spec.id).is_filled for spec in PANES))


def test_a_pane_that_comes_to_the_front_is_made_at_once(open_window: Windows) -> None:
    fresh = open_window.fresh()
    fresh.panes.bring_forward("patterns")
    QApplication.processEvents()
    assert fresh.panes.dock("patterns").is_filled


def test_a_pane_made_after_a_file_was_opened_shows_that_file(open_window: Windows, qtbot: QtBot) -> None:
    fresh = open_window.fresh()
    fresh.context.documents.open_text("# A\n## Main\n### Steps\n- Nowhere()\n")
    problems, assembly = fresh.panes.panel("problems"), fresh.panes.panel("assembly")
    assert isinstance(problems, ProblemsPanel)
    assert isinstance(assembly, AssemblyPanel)
    fresh.panes.bring_forward("assembly")
    qtbot.waitUntil(lambda: problems.model.rowCount() > 0 and assembly.compiled is not None)


def test_every_panel_is_there_before_a_run_starts(open_window: Windows, qtbot: QtBot) -> None:
    fresh = open_window.fresh()
    fresh.context.documents.open_text("# A\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $x = 1\n")
    with qtbot.waitSignal(fresh.context.runs.run_started):
        fresh.context.runs.start()
    timeline = fresh.panes.panel("timeline")
    assert isinstance(timeline, TimelinePanel)
    assert timeline.board.run is not None
    qtbot.waitUntil(lambda: not fresh.context.runs.is_running)


@pytest.mark.all_panes
def test_every_action_does_something(window: MainWindow) -> None:
    assert {spec.id for spec in ACTIONS} - window.context.actions.registered() == set()


@pytest.mark.parametrize("pane", [spec.id for spec in PANES])
def test_each_pane_can_be_closed_and_brought_back(window: MainWindow, pane: str) -> None:
    dock = window.panes.dock(pane)
    dock.close()
    assert not dock.isVisible()
    dock.toggleViewAction().trigger()
    assert not dock.isHidden()


def test_the_command_palette_brings_a_pane_back(window: MainWindow, qtbot: QtBot) -> None:
    window.panes.dock("timeline").close()
    window.command_palette.open()
    qtbot.keyClicks(window.command_palette.field, "show timel")
    qtbot.keyClick(window.command_palette.field, Qt.Key.Key_Return)
    assert not window.panes.dock("timeline").isHidden()


def test_a_pane_can_be_opened_wide_and_put_back(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1600, 1000)
    window.panes.share_room()
    window.panes.bring_forward("patterns")
    dock = window.panes.dock("patterns")
    qtbot.waitUntil(lambda: dock.width() < 400)
    dock.more_room.click()
    qtbot.waitUntil(lambda: dock.width() > 600)
    dock.more_room.click()
    qtbot.waitUntil(lambda: dock.width() < 400)


def test_the_layout_is_remembered(window: MainWindow, another_window: MainWindow) -> None:
    window.panes.dock("inspector").close()
    window.close()
    another_window.restore()
    assert another_window.panes.dock("inspector").isHidden()
    assert not another_window.panes.dock("outline").isHidden()


def test_the_layout_can_be_reset(window: MainWindow) -> None:
    for spec in PANES:
        window.panes.dock(spec.id).close()
    window.context.actions.action("view.reset-layout").trigger()
    assert not any(window.panes.dock(spec.id).isHidden() for spec in PANES)


def test_a_double_click_on_a_title_gives_the_pane_all_the_room(window: MainWindow, file: Path, qtbot: QtBot) -> None:
    open_file(window, file)
    panes = window.centre.findChildren(TitledPane)
    title = next(pane for pane in panes if pane.isAncestorOf(window.centre.source)).title
    qtbot.mouseDClick(title, Qt.MouseButton.LeftButton)
    assert window.centre.source.isVisible()
    assert not window.centre.canvas.isVisible()
    qtbot.mouseDClick(title, Qt.MouseButton.LeftButton)
    assert window.centre.source.isVisible()
    assert window.centre.canvas.isVisible()


def test_a_dropped_file_is_opened(window: MainWindow, file: Path) -> None:
    drop(window, file)
    assert window.context.documents.file_state.path == file


@pytest.mark.parametrize("where", ["canvas", "source", "outline", "palette"])
def test_a_file_can_be_dropped_on_any_pane(window: MainWindow, file: Path, tmp_path: Path, where: str) -> None:
    open_file(window, file)
    other = tmp_path / "other.md"
    other.write_text(TEXT)
    target = {
        "canvas": window.centre.canvas.view.viewport(),
        "source": window.centre.source.editor.viewport(),
        "outline": window.panes.panel("outline"),
        "palette": window.panes.panel("palette"),
    }[where]
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(other))])
    action, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(QPoint(10, 10), action, data, buttons, keys)
    QApplication.sendEvent(target, entered)
    assert entered.isAccepted()
    QApplication.sendEvent(target, QDropEvent(QPointF(10, 10), action, data, buttons, keys))
    assert window.context.documents.file_state.path == other
    assert file.read_text() == TEXT


def test_a_dropped_folder_becomes_the_project(window: MainWindow, tmp_path: Path) -> None:
    drop(window, tmp_path)
    assert window.context.settings.current.project_folder == str(tmp_path)
    assert not window.panes.panel("project").visibleRegion().isEmpty()


def test_a_file_that_cannot_be_read_is_told_in_a_banner(window: MainWindow, tmp_path: Path) -> None:
    open_file(window, tmp_path / "missing.md")
    assert "missing.md" in window.banners.banners[0].notice.text


def test_opened_files_are_recent_and_missing_ones_are_forgotten(window: MainWindow, file: Path) -> None:
    open_file(window, file)
    assert window.context.settings.current.recent_files == (str(file),)
    window.context.actions.action("file.close").trigger()
    file.unlink()
    open_file(window, file)
    assert window.context.settings.current.recent_files == ()


def test_closing_with_unsaved_changes_asks_and_cancel_stays(window: MainWindow, file: Path) -> None:
    open_file(window, file)
    change_text(window)
    window.close()
    assert window.isVisible()
    press(window, QMessageBox.StandardButton.Cancel)
    assert window.isVisible()
    assert window.context.documents.file_state.is_dirty


def test_discard_closes_and_leaves_the_file_alone(window: MainWindow, file: Path) -> None:
    open_file(window, file)
    change_text(window)
    window.close()
    press(window, QMessageBox.StandardButton.Discard)
    assert not window.isVisible()
    assert file.read_text() == TEXT


def test_save_writes_and_closes(window: MainWindow, file: Path) -> None:
    open_file(window, file)
    change_text(window)
    window.close()
    press(window, QMessageBox.StandardButton.Save)
    assert not window.isVisible()
    assert "Other" in file.read_text()


def test_opening_another_file_leaves_unsaved_changes_where_they_are(window: MainWindow, file: Path) -> None:
    open_file(window, file)
    change_text(window)
    changed = window.context.documents.snapshot.text
    open_file(window, sample_playbooks()[0])
    assert window.files.guard.dialog is None
    assert window.context.documents.file_state.path == sample_playbooks()[0]
    open_file(window, file)
    assert window.context.documents.snapshot.text == changed


def test_a_new_playbook_comes_from_a_template_and_is_saved_where_one_says(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.context.actions.action("file.new").trigger()
    templates = window.files.templates
    assert templates is not None
    templates.accept()
    assert window.context.documents.snapshot.program.playbooks[0].name == "Main"
    monkeypatch.setattr(file_dialogs, "ask_where_to_save", lambda *_: tmp_path / "new.md")
    window.context.actions.action("file.save").trigger()
    assert (tmp_path / "new.md").read_text() == window.context.documents.snapshot.text


def test_a_change_on_disk_is_told_in_a_banner_that_merges(window: MainWindow, file: Path) -> None:
    open_file(window, file)
    change_text(window)
    file.write_text(TEXT.replace("status", "state"))
    window.context.documents.check_disk()
    window.banners.banners[0].buttons[0].click()
    assert "state" in window.context.documents.snapshot.text
    assert "Other" in window.context.documents.snapshot.text
    assert window.banners.banners == ()


RUNBOOK = Path(__file__).parents[1] / "data" / "markdown" / "runbook.md"


def move_step_two_below_four(window: MainWindow) -> None:
    """In the runbook, whose prose mentions steps by their numbers."""
    window.context.documents.open_text(RUNBOOK.read_text(encoding="utf-8"))
    playbook = window.context.documents.snapshot.program.playbooks[0]
    second, fourth = playbook.steps[1], playbook.steps[3]
    window.context.documents.execute(MoveSteps((second.id,), Place(playbook.name, None, fourth.id)))


def test_a_move_that_makes_mentions_of_steps_wrong_offers_to_update_them(window: MainWindow) -> None:
    move_step_two_below_four(window)
    assert [banner.topic for banner in window.banners.banners] == ["references"]
    assert "point to step numbers" in window.banners.banners[0].notice.text


def test_mentions_of_steps_are_updated_from_the_banner_and_that_is_undone_alone(window: MainWindow) -> None:
    move_step_two_below_four(window)
    moved = window.context.documents.snapshot.text
    window.banners.banners[0].buttons[0].click()
    assert "Go back to step 4 once." in window.context.documents.snapshot.text
    assert "Move the folders from step 4 to cold storage." in window.context.documents.snapshot.text
    assert window.banners.banners == ()
    window.context.documents.undo()
    assert window.context.documents.snapshot.text == moved


def test_the_offer_to_update_mentions_goes_with_the_next_change(window: MainWindow) -> None:
    move_step_two_below_four(window)
    window.context.documents.undo()
    assert window.banners.banners == ()


def test_places_that_changed_on_both_sides_are_told_after_a_merge(window: MainWindow, file: Path) -> None:
    open_file(window, file)
    at = TEXT.index("their order status")
    window.context.documents.execute(EditText((TextEdit(Span(at, at + 5), "MINE"),)))
    file.write_text(TEXT.replace("their order", "THEIRS order"))
    window.context.documents.check_disk()
    window.banners.banners[0].buttons[0].click()
    assert [banner.topic for banner in window.banners.banners] == ["conflicts"]
    assert "One place was changed here and on disk" in window.banners.banners[0].notice.text
    assert "MINE" in window.context.documents.snapshot.text
    assert "THEIRS" in window.context.documents.snapshot.text


def test_find_goes_from_step_to_step(window: MainWindow, file: Path, qtbot: QtBot) -> None:
    open_file(window, file)
    window.context.actions.action("edit.find").trigger()
    qtbot.keyClicks(window.find_bar.field, "user")
    steps = window.context.documents.snapshot.program.playbooks[0].steps
    assert window.context.selection.selected == (steps[0].id,)
    qtbot.keyClick(window.find_bar.field, Qt.Key.Key_Return)
    assert window.context.selection.selected == (steps[1].id,)
    assert window.find_bar.count.text() == "2 of 2"


def test_the_selection_goes_with_the_steps(window: MainWindow, file: Path) -> None:
    open_file(window, file)
    first, second, _end = window.context.documents.snapshot.program.playbooks[0].steps
    window.context.selection.select((first.id,))
    window.context.documents.execute(DeleteSteps((first.id,)))
    assert first.id not in window.context.selection.selected
    window.context.documents.undo()
    assert window.context.documents.snapshot.has(first.id)
    assert window.context.documents.snapshot.has(second.id)


def test_the_theme_is_switched_and_remembered(window: MainWindow, qapp: QApplication) -> None:
    window.context.actions.action("view.theme-dark").trigger()
    assert window.context.theme.theme.is_dark
    assert window.context.settings.current.theme == "dark"
    assert window.context.actions.action("view.theme-dark").isChecked()
    assert not window.context.actions.action("view.theme-light").isChecked()


def test_no_button_is_cut_off_at_twice_the_text_size(window: MainWindow, file: Path, qapp: QApplication) -> None:
    open_file(window, file)
    window.context.theme.set_scale(2.0)
    window.resize(1600, 1000)
    window.panes.share_room()
    qapp.processEvents()
    cut = [
        button.text()
        for button in window.findChildren(QAbstractButton)
        if button.text() and not button.visibleRegion().isEmpty() and button.width() < button.minimumSizeHint().width()
    ]
    assert cut == []


def test_the_source_grows_with_the_text(window: MainWindow, file: Path) -> None:
    open_file(window, file)
    for scale in (2.0, 1.0):
        window.context.theme.set_scale(scale)
        assert window.centre.source.editor.font().pixelSize() == round(13 * scale)


@pytest.mark.expects_warnings
def test_an_unexpected_error_is_told_and_reported(window: MainWindow) -> None:
    border = CrashHandler(window.context.notices, window.context.places.state_dir, window)
    border.take(ZeroDivisionError, ZeroDivisionError("mistake"), None)
    assert "Your document is safe" in window.banners.banners[0].notice.text
    assert "ZeroDivisionError" in next(window.context.places.state_dir.glob("crash-*.txt")).read_text()


@pytest.mark.expects_warnings
def test_an_error_about_what_is_no_text_is_reported_too(window: MainWindow) -> None:
    border = CrashHandler(window.context.notices, window.context.places.state_dir, window)
    border.take(ValueError, ValueError("caf\udce9 \ud800"), None)
    assert r"caf\udce9 \ud800" in next(window.context.places.state_dir.glob("crash-*.txt")).read_text()


@pytest.mark.expects_warnings
def test_two_reports_of_one_moment_are_two_private_files(window: MainWindow) -> None:
    border = CrashHandler(window.context.notices, window.context.places.state_dir, window)
    border.take(ValueError, ValueError("one"), None)
    border.take(ValueError, ValueError("other"), None)
    assert [path.stat().st_mode & 0o777 for path in window.context.places.state_dir.glob("crash-*.txt")] == [0o600] * 2


def test_a_pane_that_was_in_front_the_last_time_is_made_when_the_window_is_shown(
    open_window: Windows, qtbot: QtBot
) -> None:
    earlier = open_window()
    for pane in ("timeline", "patterns"):
        earlier.panes.bring_forward(pane)
    earlier.panes.dock("assembly").setFloating(True)
    QApplication.processEvents()
    earlier.close()
    fresh = open_window.fresh()
    fresh.restore()
    QApplication.processEvents()
    assert [pane for pane in ("timeline", "patterns", "assembly") if not fresh.panes.dock(pane).is_filled] == []
    assert fresh.panes.panel("timeline").isVisible()
