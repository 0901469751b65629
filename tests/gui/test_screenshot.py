"""``workbench screenshot``, as a person calls it where there is no display."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.conftest import PATIENCE_S
from workbench.gui import screenshot as module
from workbench.gui.screenshot import Photographer, ScreenshotOptions
from workbench.gui.shell.main_window import MainWindow
from workbench.resources import sample_playbooks

SAMPLE = next(path for path in sample_playbooks() if path.stem == "order-status")
TEXT = '# Desk\n\n## Main\n\n### Steps\n\n- Tell user "Hello"\n- End program\n'


def screenshot(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The finished command."""
    environment = {name: value for name, value in os.environ.items() if "DISPLAY" not in name and "QT_" not in name}
    command = [sys.executable, "-m", "workbench", "screenshot", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S)


def size_of(picture: Path) -> tuple[int, int]:
    """Width and height in pixels."""
    image = QImage(str(picture))
    return image.width(), image.height()


@pytest.mark.parametrize("view", ["window", "canvas", "source", "timeline", "patterns"])
def test_every_view_becomes_a_picture_of_the_size_that_was_asked_for(view: str, tmp_path: Path) -> None:
    done = screenshot(SAMPLE, "-o", tmp_path / "out.png", "--view", view, "--size", "900x700", "--theme", "dark")
    assert (done.returncode, done.stderr) == (0, "")
    assert size_of(tmp_path / "out.png") == (900, 700)


def test_a_scale_of_two_has_twice_the_pixels(tmp_path: Path) -> None:
    screenshot(SAMPLE, "-o", tmp_path / "out.png", "--size", "800x600", "--scale", "2")
    assert size_of(tmp_path / "out.png") == (1600, 1200)


def test_the_themes_differ(tmp_path: Path) -> None:
    colors = set()
    for theme in ("light", "dark"):
        screenshot(SAMPLE, "-o", tmp_path / f"{theme}.png", "--theme", theme, "--size", "800x600")
        colors.add(QImage(str(tmp_path / f"{theme}.png")).pixelColor(2, 2).name())
    assert colors == {"#f6f7f9", "#15181d"}


def test_a_file_without_a_script_is_shown_without_a_run(tmp_path: Path) -> None:
    (tmp_path / "desk.md").write_text(TEXT)
    done = screenshot(tmp_path / "desk.md", "-o", tmp_path / "out.png", "--view", "timeline")
    assert done.returncode == 0


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
def test_options_that_make_no_sense_are_told(option: tuple[str, str], tmp_path: Path) -> None:
    done = screenshot(SAMPLE, "-o", tmp_path / "out.png", *option)
    assert done.returncode == 2
    assert option[0] in done.stderr
