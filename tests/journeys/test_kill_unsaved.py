"""Typed into a new playbook, killed, started again: everything is there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from workbench.disk.places import Places
from workbench.gui.banners.startup_offers import StartupOffers
from workbench.gui.shell.main_window import MainWindow

_ROOT = Path(__file__).resolve().parents[2]

_TYPING = """
import sys
from PySide6.QtCore import QTimer, Slot
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from workbench.gui import app
from workbench.gui.shell.main_window import MainWindow

@Slot()
def type_it():
    window = next(each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow))
    window.context.actions.action("file.new").trigger()
    window.files.templates.accept()
    editor = window.centre.source.editor
    cursor = editor.textCursor()
    cursor.movePosition(cursor.MoveOperation.End)
    editor.setTextCursor(cursor)
    QTest.keyClicks(editor, "- Ask user for $name")
    sys.stdout.buffer.write(window.context.documents.snapshot.text.encode() + b"\\0")
    sys.stdout.buffer.flush()

app.application_for_window()
timer = QTimer()
timer.setSingleShot(True)
timer.timeout.connect(type_it)
timer.start(200)
app.main([])
"""


def _killed_while_typing() -> str:
    """What a real program held when it was killed: a new playbook, typed into and never saved."""
    process = subprocess.Popen([sys.executable, "-c", _TYPING], cwd=_ROOT, stdout=subprocess.PIPE)
    assert process.stdout is not None
    typed = bytearray()
    while not typed.endswith(b"\0"):
        key = process.stdout.read(1)
        assert key, "the program ended before anything was typed"
        typed += key
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    return typed[:-1].decode()


def test_a_new_playbook_survives_a_killed_program(
    own_places: Places, open_window: Callable[[], MainWindow], qtbot: QtBot
) -> None:
    text = _killed_while_typing()
    assert text.endswith("- Ask user for $name")
    window = open_window()
    StartupOffers(window.context, window.banners).show_soon()
    qtbot.waitUntil(lambda: bool(window.banners.banners))
    (banner,) = window.banners.banners
    banner.buttons[0].click()
    assert window.context.documents.snapshot.text == text
    assert window.centre.source.editor.toPlainText() == text
    assert window.isWindowModified()
