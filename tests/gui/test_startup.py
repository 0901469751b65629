"""What a window offers after the last one was cut off."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from workbench.disk.places import Places
from workbench.editing.commands import AddPlaybook
from workbench.editing.document import Document
from workbench.gui.app import main_window
from workbench.gui.banners.startup_offers import StartupOffers
from workbench.gui.control.pane_table import PANES
from workbench.gui.resume.resume_dialog import ResumeDialog
from workbench.gui.shell.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[2]
TEXT = "# Desk\n\n## Main\n\n### Steps\n\n- Ask user for $name\n- End program\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "desk.md"
    path.write_text(TEXT)
    return path


def offer(window: MainWindow) -> None:
    """Look for what was cut off, as at the start."""
    StartupOffers(window.context, window.banners).show_offers()


def cut_off_run(window: MainWindow, file: Path, qtbot: QtBot) -> None:
    """A run that waits for an answer while its window is closed."""
    window.files.open_path(file)
    window.context.runs.start()
    qtbot.waitUntil(lambda: window.context.runs.request is not None)
    window.close()


def test_a_run_whose_beginning_is_damaged_is_refused_in_words(
    window: MainWindow, another_window: MainWindow, file: Path, qtbot: QtBot
) -> None:
    cut_off_run(window, file, qtbot)
    offer(another_window)
    with sqlite3.connect(window.context.places.runs_file) as connection:
        connection.execute("DELETE FROM event WHERE seq=0")
    connection.close()
    another_window.banners.banners[0].buttons[0].click()
    assert "damaged after 0 of" in another_window.banners.banners[-1].notice.text


def test_nothing_is_offered_at_the_first_start(window: MainWindow) -> None:
    offer(window)
    assert window.banners.banners == ()


def test_a_run_that_was_cut_off_is_offered_and_goes_on(
    window: MainWindow, another_window: MainWindow, file: Path, qtbot: QtBot
) -> None:
    cut_off_run(window, file, qtbot)
    offer(another_window)
    banner = another_window.banners.banners[0]
    assert "desk.md" in banner.notice.text
    banner.buttons[0].click()
    another_window.findChildren(ResumeDialog)[0].resume_button.click()
    qtbot.waitUntil(lambda: another_window.context.runs.request is not None)
    assert another_window.context.documents.file_state.path == file
    assert another_window.banners.banners == ()


def test_a_run_that_was_stopped_is_not_offered(
    window: MainWindow, another_window: MainWindow, file: Path, qtbot: QtBot
) -> None:
    window.files.open_path(file)
    window.context.runs.start()
    qtbot.waitUntil(lambda: window.context.runs.request is not None)
    with qtbot.waitSignal(window.context.runs.run_finished):
        window.context.actions.action("run.stop").trigger()
    offer(another_window)
    assert another_window.banners.banners == ()


def test_timeline_and_form_come_forward_when_a_run_starts_and_asks(
    window: MainWindow, file: Path, qtbot: QtBot
) -> None:
    window.files.open_path(file)
    window.panes.dock("timeline").close()
    window.context.actions.action("run.start").trigger()
    qtbot.waitUntil(lambda: window.context.runs.request is not None)
    assert not window.panes.dock("timeline").isHidden()
    assert window.panes.panel("run").isVisible()
    assert window.status.waiting_button.isVisible()
    assert not window.context.actions.action("run.start").isEnabled()
    assert window.context.actions.action("run.stop").isEnabled()


def test_unsaved_changes_of_a_session_that_was_cut_off_come_back(
    window: MainWindow, file: Path, own_places: Places
) -> None:
    cut_off = Document.open(file, own_places.edits_dir)
    cut_off.execute(AddPlaybook("Other"))
    text = cut_off.snapshot.text
    del cut_off
    window.files.open_path(file)
    assert window.context.documents.snapshot.text == TEXT
    window.banners.banners[0].buttons[0].click()
    assert window.context.documents.snapshot.text == text
    assert window.context.documents.file_state.is_dirty


def test_unsaved_changes_in_one_window_are_not_offered_in_another(
    window: MainWindow, another_window: MainWindow, file: Path
) -> None:
    window.files.open_path(file)
    window.context.documents.execute(AddPlaybook("Other"))
    another_window.files.open_path(file)
    assert another_window.context.documents.document.recovery is None
    (told,) = another_window.banners.banners
    assert "another window" in told.notice.text


def test_reset_opens_the_window_as_it_was_at_first(window: MainWindow, file: Path) -> None:
    for spec in PANES:
        window.panes.dock(spec.id).close()
    window.close()
    fresh = main_window(["--reset", str(file)])
    assert not any(fresh.panes.dock(spec.id).isHidden() for spec in PANES)
    assert fresh.context.documents.file_state.path == file
    fresh.close()


def test_a_theme_for_one_start_is_not_remembered() -> None:
    fresh = main_window(["--theme", "dark"])
    assert fresh.context.theme.theme.is_dark
    assert fresh.context.settings.current.theme == "system"
    fresh.close()


def test_a_file_with_unsaved_changes_of_a_killed_program_is_offered_at_the_start(
    window: MainWindow, file: Path, own_places: Places
) -> None:
    killed = f"""
from pathlib import Path
from workbench.editing.commands import AddPlaybook
from workbench.editing.document import Document
import os
import sqlite3
document = Document.open(Path({str(file)!r}), Path({str(own_places.edits_dir)!r}))
document.execute(AddPlaybook("Other"))
os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", killed], check=False, cwd=ROOT)
    offer(window)
    window.banners.banners[0].buttons[0].click()
    assert window.context.documents.file_state.path == file
    recovery = next(banner for banner in window.banners.banners if banner.topic == "recovery")
    recovery.buttons[0].click()
    assert "Other" in window.context.documents.snapshot.text


def test_step_begins_a_paused_run_and_then_goes_step_by_step(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "count.md"
    path.write_text("# Count\n\n## Main\n\n### Steps\n\n- $a = 1\n- $b = 2\n- Return $a + $b\n")
    window.files.open_path(path)
    actions, runs = window.context.actions, window.context.runs
    actions.action("run.step").trigger()
    qtbot.waitUntil(actions.action("run.go-on").isVisible)
    assert not actions.action("run.pause").isVisible()
    for count in (1, 2):
        actions.action("run.step").trigger()
        qtbot.waitUntil(lambda: runs.state is not None and len(runs.state.variables) == count)  # noqa: B023
    with qtbot.waitSignal(runs.run_finished):
        actions.action("run.go-on").trigger()
    assert actions.action("run.start").isEnabled()
    assert actions.action("run.pause").isVisible()


def test_a_window_collects_its_garbage_itself_and_loads_nothing_that_talks_to_servers(own_places: Places) -> None:
    script = """
import gc, sys
from PySide6.QtCore import QTimer
from workbench.gui.app import application_for_window, main
from workbench.gui.shell.garbage import GuiGarbageCollector
application = application_for_window()
QTimer.singleShot(300, application.quit)
code = main([])
print(code, gc.isenabled(), application.findChild(GuiGarbageCollector) is not None)
print(*{"asyncio", "httpx2", "ssl", "mcp", "pydantic", "keyring", "xllamacpp"} & sys.modules.keys())
"""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "WORKBENCH_HOME": str(own_places.state_dir.parent)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["0", "False", "True"]


LATER = (
    *("engine.journal.run_events", "model.checks.families", "model.number_types", "model.foreign.outline"),
    *("gui.inspector.front_matter_page", "gui.outline.foreign_outline", "gui.files.file_renaming", "project.renaming"),
    *("model.procedures.placeholders", "model.procedures.matter", "syntax.imports", "model.loader.loading"),
    *("model.layout.far_names", "model.layout.ways_taken", "gui.canvas.painting.names_painter"),
    *("model.procedures.assembling", "model.step_names", "project.index", "project.kept", "project.around"),
)
"""Modules that no window needs before something is opened, selected or run."""


def test_a_window_is_there_before_what_only_work_needs_is_loaded(own_places: Places) -> None:
    script = """
import os, sys
from workbench.gui.app import main_window
window = main_window([])
print(*sorted(name for name in sys.modules if name.startswith("workbench.")), flush=True)
os._exit(0)
"""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "WORKBENCH_HOME": str(own_places.state_dir.parent)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert "workbench.gui.shell.main_window" in loaded
    assert not {f"workbench.{name}" for name in LATER} & set(loaded)
