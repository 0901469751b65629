"""A person at the real window: looks, clicks, drags, types, answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from workbench.engine.journal.events import RunEvent
from workbench.engine.ports import RequestKind
from workbench.gui.forms.field import RunField
from workbench.gui.runs.asked_before import TrustDialog
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.timeline.timeline_panel import TimelinePanel
from workbench.model.program import StepId

_LEFT = Qt.MouseButton.LeftButton
_NONE = Qt.KeyboardModifier.NoModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier


class Person:
    """Drives one window by its pointer and keys."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot = qtbot
        self.window = window
        self.context = window.context
        window.resize(1600, 1100)

    def open(self, path: Path) -> None:
        """Open a file as the window's own action does."""
        self.window.files.open_path(path)
        self.qtbot.waitUntil(lambda: self.context.documents.file_state.path == path)

    @property
    def source(self) -> list[str]:
        """The lines that the source pane shows."""
        return self.window.centre.source.editor.toPlainText().split("\n")

    @property
    def blocks(self) -> list[str]:
        """The words of the top-level steps, as the flowchart shows them."""
        layout = self.window.centre.canvas.state.layout
        main = layout.playbooks[0]
        return [box.text for placed in main.placed for box in placed.fragment.boxes if box.step and box.depth == 0]

    def step(self, words: str) -> StepId:
        """The step that is, or begins with, *words*."""
        roots = (root for root in self.context.documents.snapshot.roots if root)
        return next(step.id for root in roots for step in root.walk() if step.text.startswith(words))

    def point(self, words: str, dx: float, dy: float) -> QPoint:
        """A point at *dx*, *dy* from the top left of a block, in the canvas' viewport."""
        canvas = self.window.centre.canvas
        place = canvas.state.layout.place_of(self.step(words))
        assert place is not None
        return canvas.view.mapFromScene(QPointF(place.x + dx, place.y + dy))

    def drag_above(self, words: str, target: str) -> None:
        """Drag a block into the slot above another one."""
        viewport = self.window.centre.canvas.view.viewport()
        start, end = self.point(words, 60, 20), self.point(target, 120, -16)
        QTest.mousePress(viewport, _LEFT, _NONE, start)
        for part in (0.1, 0.5, 1.0):
            QTest.mouseMove(viewport, start + (end - start) * part)
        QTest.mouseRelease(viewport, _LEFT, _NONE, end)

    def type_behind(self, words: str, text: str) -> None:
        """Put the cursor behind *words* in the source and type."""
        editor = self.window.centre.source.editor
        found = editor.document().find(words)
        assert not found.isNull()
        cursor = QTextCursor(editor.document())
        cursor.setPosition(found.selectionEnd())
        editor.setTextCursor(cursor)
        editor.setFocus()
        QTest.keyClicks(editor, text)

    def undo(self) -> None:
        """Ctrl+Z, in the source pane."""
        QTest.keyClick(self.window.centre.source.editor, Qt.Key.Key_Z, _CONTROL)

    def run(self, answers: Sequence[str]) -> tuple[RunEvent, ...]:
        """Press Run, allow its Python when asked, answer each question, and wait; the events in the journal."""
        self.context.actions.action("run.start").trigger()
        self._allow()
        for answer in answers:
            self.qtbot.waitUntil(lambda: self._form() is not None)
            self._answer(answer)
        self.qtbot.waitUntil(lambda: not self.context.runs.is_running)
        run = self.context.runs.run
        assert run is not None
        return tuple(self.context.runs.host.events(run.id))

    def _allow(self) -> None:
        """Press *Allow and run* where the window asks for it."""
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, TrustDialog) and widget.isVisible():
                widget.allow_button.click()

    def _form(self) -> object | None:
        panel = self.window.panes.panel("run")
        assert isinstance(panel, RunPanel)
        return panel.form

    def _answer(self, text: str) -> None:
        """Type *text* into the first field (or press the button so called) and send the form."""
        panel = self.window.panes.panel("run")
        assert isinstance(panel, RunPanel)
        form = panel.form
        assert form is not None
        if form.request.kind is RequestKind.DECIDE:
            QTest.keyClick(form.buttons[text], Qt.Key.Key_Space)
        elif form.fields:
            _fill(form.fields[0], text)
        else:
            next(iter(form.buttons.values())).click()
        self.qtbot.waitUntil(lambda: panel.form is not form)

    def events_on_timeline(self) -> int:
        """How many events the timeline's list holds."""
        panel = self.window.panes.panel("timeline")
        assert isinstance(panel, TimelinePanel)
        return panel.board.events.table.model().rowCount()


def _fill(field: RunField, text: str) -> None:
    editor = field.editor
    if isinstance(editor, QLineEdit | QPlainTextEdit):
        QTest.keyClicks(editor, text)
        QTest.keyClick(editor, Qt.Key.Key_Return, _CONTROL if isinstance(editor, QPlainTextEdit) else _NONE)
    else:
        QTest.keyClick(editor, text)
        QTest.keyClick(editor, Qt.Key.Key_Return)
