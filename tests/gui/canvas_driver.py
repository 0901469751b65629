"""Drives a real canvas pane: the pointer and the keys of a person, by the words of steps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from workbench.disk.places import Places
from workbench.gui.canvas.canvas_panel import CanvasPanel
from workbench.gui.canvas.view.canvas_view import visible_rect
from workbench.gui.control.action_spec import Need
from workbench.gui.control.context import WindowContext, window_context
from workbench.gui.control.selection import outermost
from workbench.model.program import StepId

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier

FOUR = "# Agent\n## Main\n### Steps\n- Alpha\n- Beta\n- Gamma\n- Delta\n"
NESTED = "# Agent\n## Main\n### Steps\n- Alpha\n- If $x > 1\n  - Beta\n  - Gamma\n- Delta\n"


class CanvasDriver:
    """A shown canvas with *text* open in it."""

    def __init__(self, owner: QObject, places: Places, text: str, size: tuple[int, int] = (1000, 800)) -> None:
        self.owner = owner
        self.context: WindowContext = window_context(places, owner)
        self.context.actions.set_met(frozenset({Need.DOCUMENT, Need.STEP, Need.ONE_STEP}))
        self.panel = CanvasPanel(self.context)
        self.panel.resize(*size)
        self.panel.show()
        QTest.qWaitForWindowExposed(self.panel)
        self.context.documents.open_text(text)
        self.view = self.panel.view
        self.view.setFocus()

    def take_away(self) -> None:
        """Delete everything now, the pane before the controllers it listens to."""
        self.panel.close()
        self.panel.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        self.owner.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    @property
    def text(self) -> str:
        """The source as it is now."""
        return self.context.documents.snapshot.text

    @property
    def selected(self) -> list[str]:
        """The words of the selected steps, in source order."""
        snapshot = self.context.documents.snapshot
        return [snapshot.step(step).text for step in outermost(snapshot, self.context.selection.selected)]

    def step(self, words: str) -> StepId:
        """The step with *words*."""
        snapshot = self.context.documents.snapshot
        playbooks = snapshot.program.playbooks
        roots = (step for each in playbooks for section in each.sections for step in section.steps)
        return next(step.id for root in roots for step in root.walk() if step.text == words)

    def shows(self, words: str) -> bool:
        """True when a step is on the screen."""
        place = self.panel.state.layout.place_of(self.step(words))
        return place is not None and place.meets(visible_rect(self.view))

    def at(self, words: str) -> QPoint:
        """A point on the words of a step, in the viewport."""
        place = self.panel.state.layout.place_of(self.step(words))
        assert place is not None
        return self.view.mapFromScene(QPointF(place.x + 60, place.y + 20))

    def below(self, words: str) -> QPoint:
        """A point in the middle of the slot below a step."""
        place = self.panel.state.layout.place_of(self.step(words))
        assert place is not None
        return self.view.mapFromScene(QPointF(place.x + 120, place.y + place.height + 16))

    def above(self, words: str) -> QPoint:
        """A point in the middle of the slot above a step."""
        place = self.panel.state.layout.place_of(self.step(words))
        assert place is not None
        return self.view.mapFromScene(QPointF(place.x + 120, place.y - 16))

    def click(self, words: str, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Click on a step."""
        QTest.mouseClick(self.view.viewport(), LEFT, modifiers, self.at(words))

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Press a key on the canvas."""
        QTest.keyClick(self.view, key, modifiers)

    def do(self, action_id: str) -> None:
        """Trigger an action of the window."""
        self.context.actions.action(action_id).trigger()

    @contextmanager
    def dragging(self, start: QPoint, end: QPoint) -> Iterator[None]:
        """Hold a drag from *start* at *end*; it is released afterwards."""
        target: QWidget = self.view.viewport()
        QTest.mousePress(target, LEFT, NONE, start)
        for part in (0.1, 0.5, 1.0):
            QTest.mouseMove(target, start + (end - start) * part)
        yield
        QTest.mouseRelease(target, LEFT, NONE, end)

    def drag(self, start: QPoint, end: QPoint) -> None:
        """Drag from *start* to *end*."""
        with self.dragging(start, end):
            pass
