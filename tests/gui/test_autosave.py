"""What the window does by itself where the person wants it: saving, and removing old runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from workbench.editing.commands import EditText
from workbench.editing.keeping.storage import DiskState
from workbench.gui.control.context import WindowContext
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.shell.recorded_runs import RunRetention
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

TEXT = "# A\n\n## Main\n\n- Ask user for $name\n"


@pytest.fixture
def path(window: MainWindow, tmp_path: Path) -> Path:
    """The file that the window shows."""
    path = tmp_path / "a.md"
    path.write_text(TEXT, encoding="utf-8")
    window.context.documents.open(path)
    return path


def write(context: WindowContext, words: str) -> None:
    """Write *words* at the beginning of the document."""
    context.documents.execute(EditText((TextEdit(Span(0, 0), words),), ""))


def choose(context: WindowContext, mode: str) -> None:
    """Save by itself as *mode* says, after hardly any pause."""
    context.settings.change(lambda settings: replace(settings, autosave=mode, autosave_pause_s=0.2))


def test_a_pause_saves_and_without_the_wish_nothing_does(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    context = window.context
    write(context, "x")
    assert context.documents.file_state.is_dirty
    choose(context, "pause")
    qtbot.waitUntil(lambda: path.read_text("utf-8") == f"x{TEXT}")
    assert not context.documents.file_state.is_dirty


def test_going_elsewhere_saves_and_going_to_the_flowchart_does_not(
    window: MainWindow, path: Path, qtbot: QtBot
) -> None:
    context = window.context
    with qtbot.waitActive(window):
        window.activateWindow()
    choose(context, "focus")
    window.centre.source.editor.setFocus()
    write(context, "x")
    window.centre.canvas.view.setFocus()
    assert path.read_text("utf-8") == TEXT
    window.panes.panel("outline").setFocus()
    assert path.read_text("utf-8") == f"x{TEXT}"


def test_nothing_that_another_program_wrote_is_written_over(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    context = window.context
    choose(context, "focus")
    write(context, "x")
    path.write_text(f"{TEXT}- End program\n", encoding="utf-8")
    window.panes.panel("outline").setFocus()
    window.autosave.save()
    assert path.read_text("utf-8") == f"{TEXT}- End program\n"
    assert context.documents.file_state.disk is DiskState.CHANGED
    context.documents.take_from_disk()
    window.autosave.save()
    assert path.read_text("utf-8") == f"x{TEXT}- End program\n"


def test_a_text_with_conflicts_is_not_saved_unasked(window: MainWindow, path: Path) -> None:
    write(window.context, "<<<<<<< yours\nx\n=======\ny\n>>>>>>> on disk\n")
    window.autosave.save()
    assert path.read_text("utf-8") == TEXT


def test_what_the_project_says_goes_before_what_the_person_chose(window: MainWindow, path: Path) -> None:
    context = window.context
    (path.parent / "workbench.toml").write_text('[settings]\nautosave = "focus"\nwraps_source = false\n', "utf-8")
    context.settings.look()
    assert context.settings.effective.autosave == "focus"
    assert not context.actions.action("source.wrap").isChecked()
    context.actions.action("source.wrap").trigger()
    assert (context.settings.current.wraps_source, context.settings.effective.wraps_source) == (True, False)
    assert not context.actions.action("source.wrap").isChecked()
    context.documents.close()
    assert context.settings.effective.autosave == "off"


def test_old_runs_go_as_the_person_has_said(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    context = window.context
    context.documents.open_text("# A\n\n## Main\n\n- $n = 1\n")
    for _time in range(3):
        with qtbot.waitSignal(context.runs.run_ended):
            context.actions.action("run.start").trigger()
    (retention,) = window.findChildren(RunRetention)
    retention.look()
    assert len(context.runs.host.runs()) == 3
    context.settings.change(lambda settings: replace(settings, keep_runs=1))
    retention.look()
    qtbot.waitUntil(lambda: len(context.runs.host.runs()) == 1)


def test_what_was_written_is_saved_before_another_tab_comes(window: MainWindow, path: Path, tmp_path: Path) -> None:
    choose(window.context, "focus")
    write(window.context, "x")
    other = tmp_path / "b.md"
    other.write_text(TEXT, encoding="utf-8")
    window.files.open_path(other)
    assert path.read_text("utf-8") == f"x{TEXT}"
    assert other.read_text("utf-8") == TEXT
