"""``workbench screenshot``, as a person calls it where there is no display."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.conftest import PATIENCE_S
from workbench.gui import screenshot as module
from workbench.gui.look.theming import CONTRAST, DARK, LIGHT
from workbench.gui.screenshot import VIEWS, Photographer, ScreenshotOptions
from workbench.gui.shell.main_window import MainWindow
from workbench.resources import sample_playbooks

SAMPLE = next(path for path in sample_playbooks() if path.stem == "order-status")
TEXT = '# Desk\n\n## Main\n\n### Steps\n\n- Tell user "Hello"\n- End program\n'


SEVERAL = """
import json, sys
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from workbench.__main__ import main
for arguments in json.loads(sys.argv[1]):
    print(main(["screenshot", *arguments]))
    for window in QApplication.topLevelWidgets():
        window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
"""
"""Carries commands out one after another, and lets each begin without the windows of those before."""


def without_display(*words: str) -> subprocess.CompletedProcess[str]:
    """What Python says to *words*."""
    environment = {name: value for name, value in os.environ.items() if "DISPLAY" not in name and "QT_" not in name}
    command = [sys.executable, *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S)


def screenshot(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The finished command."""
    return without_display("-m", "workbench", "screenshot", *map(str, arguments))


def size_of(picture: Path) -> tuple[int, int]:
    """Width and height in pixels."""
    image = QImage(str(picture))
    return image.width(), image.height()


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """What one process has written, by the name of the view, of ``light``, and of a file without a script."""
    folder = tmp_path_factory.mktemp("pictures")
    (folder / "desk.md").write_text(TEXT)
    wanted: dict[str, tuple[str | Path, ...]] = {
        view: (SAMPLE, "--view", view, "--size", "900x700", "--theme", "dark") for view in VIEWS
    }
    wanted["light"] = (SAMPLE, "--theme", "light", "--size", "800x600")
    wanted["without a script"] = (folder / "desk.md", "--view", "timeline", "--theme", "contrast")
    files = {name: folder / f"{name}.png" for name in wanted}
    commands = [[*map(str, arguments), "-o", str(files[name])] for name, arguments in wanted.items()]
    done = without_display("-c", SEVERAL, json.dumps(commands))
    assert (done.stdout.split(), done.stderr) == (["0"] * len(wanted), "")
    return files


@pytest.mark.parametrize("view", ["window", "canvas", "source", "timeline", "patterns"])
def test_every_view_becomes_a_picture_of_the_size_that_was_asked_for(view: str, pictures: Mapping[str, Path]) -> None:
    assert size_of(pictures[view]) == (900, 700)


def test_the_command_writes_one_picture_and_says_nothing(tmp_path: Path) -> None:
    done = screenshot(SAMPLE, "-o", tmp_path / "out.png", "--size", "800x600", "--scale", "2")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert size_of(tmp_path / "out.png") == (1600, 1200)  # a scale of two has twice the pixels


def test_the_themes_differ(pictures: Mapping[str, Path]) -> None:
    shown = [pictures[name] for name in ("light", "window", "without a script")]
    colors = [QImage(str(each)).pixelColor(2, 2).name() for each in shown]
    assert colors == [theme.window.lower() for theme in (LIGHT, DARK, CONTRAST)]


def test_a_file_without_a_script_is_shown_without_a_run(pictures: Mapping[str, Path]) -> None:
    assert size_of(pictures["without a script"]) == (1600, 1000)


def test_the_picture_waits_for_the_findings(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_REST_MS", 1)
    files = tmp_path / "desk.md", tmp_path / "out.png"
    options = ScreenshotOptions(*files, "window", "light", 1.0, 900, 700, is_trusted=False)
    asked = Photographer(window, options, window)
    window.context.documents.open_text(TEXT)
    with qtbot.waitSignal(asked.ready):
        asked.begin()
    assert window.context.documents.snapshot.is_diagnosed


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    done = screenshot(tmp_path / "missing.md", "-o", tmp_path / "out.png")
    assert done.returncode == 2
    assert "missing.md" in done.stderr


def test_a_picture_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    done = screenshot(SAMPLE, "-o", tmp_path / "nowhere" / "out.png")
    assert done.returncode == 2
    assert "out.png" in done.stderr


@pytest.mark.parametrize("option", [("--size", "10x10"), ("--size", "big"), ("--scale", "9"), ("--view", "all")])
def test_options_that_make_no_sense_are_told(
    option: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        module.main([str(SAMPLE), "-o", str(tmp_path / "out.png"), *option])
    assert ended.value.code == 2
    assert option[0] in capsys.readouterr().err
