"""How fast the canvas is: opening, pan, zoom from afar, dragging, and a keystroke to a patched canvas."""

from __future__ import annotations

import itertools
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from benchmarks.documents import playbook_text
from benchmarks.measure import Figure, at_most, cpu_ms, frame_ms
from workbench.disk.places import places_under
from workbench.editing.commands import EditText, MoveSteps, Place
from workbench.gui.canvas.canvas_panel import CanvasPanel
from workbench.gui.canvas.content.canvas_state import walk
from workbench.gui.canvas.gestures.gesture import CancelReason, pointer_at
from workbench.gui.canvas.gestures.pointer_input import DragStepsGesture
from workbench.gui.canvas.view import camera
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.context import WindowContext, window_context
from workbench.model.program import StepId
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

SIZES = (500, 1_000, 2_000, 10_000)
VIEW = (1280, 800)
FRAME_MS = 16.0
_NO_KEYS = Qt.KeyboardModifier.NoModifier
# Every figure that a person feels while the pointer or a key is down.
_GESTURES = ("pan", "pan at fit-all", "zoom at fit-all", "drag", "drag at fit-all", "drop", "keystroke")


class Bench:
    """One shown canvas with a text of a certain length."""

    def __init__(self, context: WindowContext, steps: int) -> None:
        self.context = context
        self.text = playbook_text(steps)
        self.panel = CanvasPanel(context)
        self.panel.resize(*VIEW)
        self.panel.show()
        self.frame = QImage(*VIEW, QImage.Format.Format_RGB32)

    @property
    def view(self) -> CanvasView:
        """The canvas."""
        return self.panel.view

    def paint(self) -> None:
        """Paint the whole viewport."""
        self.view.viewport().render(self.frame)

    def open(self) -> None:
        """Parse, lay out, make the items of what is visible, and paint it."""
        self.context.documents.open_text(self.text)
        self.paint()

    def pan(self) -> None:
        """Push the canvas by 40 pixels, and paint what came into view."""
        bar = self.view.verticalScrollBar()
        bar.setValue(bar.value() + 40)
        QApplication.processEvents()

    def keystroke(self) -> None:
        """Type one letter into a step that is on the screen, and paint the change."""
        snapshot = self.context.documents.snapshot
        end = snapshot.head_span(self.visible_step()).end
        self.context.documents.execute(EditText((TextEdit(Span(end, end), "x"),)))
        QApplication.processEvents()

    def drop(self) -> None:
        """Put a step of the screen below its neighbour, and paint the change."""
        snapshot = self.context.documents.snapshot
        step = snapshot.root(self.visible_step())
        steps = snapshot.program.playbooks[0].steps
        after = steps[steps.index(step) + 1]
        self.context.documents.execute(MoveSteps((step.id,), Place("Main", None, after.id)))
        QApplication.processEvents()

    def visible_step(self) -> StepId:
        """A step that is on the screen, or the first one of the file."""
        shown = (box.step for box in self.view.shown.boxes.values() if box.step is not None)
        return next(shown, next(walk(self.context.documents.snapshot)).id)


def measure(bench: Bench) -> dict[str, float]:
    """Medians of one canvas, in milliseconds."""
    view = bench.view
    found = {"open": cpu_ms(bench.open, 3)}
    view.look_at(1.0, QPointF(0, 4000), QPointF(0, 0))
    view.shown.finish()
    QApplication.processEvents()
    found["paint at 100 %"] = frame_ms(bench.paint, 9)
    found["pan"] = frame_ms(bench.pan, 25)
    found["keystroke"] = frame_ms(bench.keystroke, 15)
    found["drop"] = frame_ms(bench.drop, 15)
    found["drag"] = _drag_ms(bench)
    camera.fit(view)
    bench.paint()
    QApplication.processEvents()
    found["pan at fit-all"] = frame_ms(bench.pan, 9)
    found["zoom at fit-all"] = frame_ms(_zoom_of(bench), 101)
    found["drag at fit-all"] = _drag_ms(bench)
    return found


def _zoom_of(bench: Bench) -> Callable[[], None]:
    """A notch of the wheel, in and out in turn, and the frame after it."""
    ways = itertools.cycle((1.02, 1 / 1.02))

    def zoom() -> None:
        camera.zoom_to(bench.view, bench.view.zoom * next(ways), camera.centre_point(bench.view))
        bench.paint()

    return zoom


def _drag_ms(bench: Bench) -> float:
    """One move of a drag: slot, question whether it may go there, ghost, and the repainted parts."""
    tools = bench.panel.tools
    gesture = DragStepsGesture(bench.view, tools.verbs, tools.pointer.preview, (bench.visible_step(),))
    gesture.start(pointer_at(bench.view, QPointF(300, 300), _NO_KEYS))
    places = ((200 + step * 37 % 600, 100 + step * 53 % 600) for step in itertools.count())

    def move() -> None:
        gesture.move(pointer_at(bench.view, QPointF(*next(places)), _NO_KEYS))
        QApplication.processEvents()

    spent = frame_ms(move, 25)
    gesture.cancel(CancelReason.ESCAPE)
    return spent


def results(sizes: Sequence[int] = SIZES) -> dict[int, dict[str, float]]:
    """The medians by number of steps."""
    application = QApplication.instance() or QApplication(sys.argv)
    found: dict[int, dict[str, float]] = {}
    for steps in sizes:
        with tempfile.TemporaryDirectory() as folder:
            owner = QObject()
            bench = Bench(window_context(places_under(Path(folder)), owner), steps)
            found[steps] = measure(bench)
            bench.panel.close()
            bench.panel.deleteLater()
            application.processEvents()
            owner.deleteLater()
    return found


def figures() -> Iterator[Figure]:
    """The medians of each canvas; a gesture must not take longer than a frame."""
    for steps, medians in results().items():
        for name, value in medians.items():
            title = f"{name}, {steps:,} steps"
            yield at_most(title, value, FRAME_MS) if name in _GESTURES else Figure(title, value)
