"""How fast the canvas is: opening, first paint, pan, zoom from afar, dragging, and a keystroke to a patched canvas.

Prints medians in milliseconds of CPU time of this process, for several numbers of steps.
Run it with ``QT_QPA_PLATFORM=offscreen``.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from workbench.editing.commands import EditText
from workbench.gui.canvas import camera
from workbench.gui.canvas.canvas_panel import CanvasPanel
from workbench.gui.canvas.drag_gestures import DragStepsGesture
from workbench.gui.canvas.gestures import CancelReason, pointer_at
from workbench.gui.context import WindowContext, window_context
from workbench.settings import places_under
from workbench.syntax.text import Span, TextEdit

SIZES = (1_000, 2_000, 10_000)
VIEW = (1280, 800)
_KINDS = (
    "Ask user for $name{n}",
    "$total{n} = $price * {n}",
    "Check that order {n} is complete and that nothing in it is missing",
    'Tell user "Order {n} is on its way"',
    'If $total{n} > 100\n  - Tell user "A large order"\n  - Note the reason for {n}',
    "For each $item in $items\n  - Pack $item",
)


def playbook_text(steps: int) -> str:
    """A playbook with about *steps* steps of mixed kinds."""
    lines: list[str] = []
    count = 0
    while count < steps:
        text = "- " + _KINDS[count % len(_KINDS)].format(n=count)
        lines.append(text)
        count += text.count("- ")
    return "# Agent\n## Main\n### Steps\n" + "\n".join(lines) + "\n"


class Bench:
    """One shown canvas with a text of a certain length."""

    def __init__(self, context: WindowContext, steps: int) -> None:
        self.context = context
        self.panel = CanvasPanel(context)
        self.panel.resize(*VIEW)
        self.panel.show()
        self.text = playbook_text(steps)
        self.image = QImage(*VIEW, QImage.Format.Format_RGB32)

    @property
    def view(self) -> camera.CanvasView:
        """The canvas."""
        return self.panel.view

    def open(self) -> None:
        """Open the text: parse, lay out, and make the items of what is visible."""
        self.context.documents.open_text(self.text)

    def paint(self) -> None:
        """Paint the whole viewport."""
        self.view.viewport().render(self.image)

    def pan(self) -> None:
        """Scroll by 40 pixels and paint what came into view."""
        bar = self.view.verticalScrollBar()
        bar.setValue(bar.value() + 40)
        QApplication.processEvents()

    def zoom_far(self) -> None:
        """One notch of the wheel with everything in view."""
        factor = 1.02 if self.view.zoom < camera.fit_zoom(self.view) * 1.01 else 1 / 1.02
        camera.zoom_to(self.view, self.view.zoom * factor, camera.centre_point(self.view))
        self.paint()

    def keystroke(self) -> None:
        """Type one letter into a step that is on the screen, and paint the change."""
        snapshot = self.context.documents.snapshot
        step = next(sight.step for sight in self.view.shown.sights.values() if sight.step is not None)
        end = snapshot.head_span(step).end
        self.context.documents.execute(EditText((TextEdit(Span(end, end), "x"),)))
        QApplication.processEvents()

    def drag(self) -> DragStepsGesture:
        """A drag of a visible step that has begun."""
        step = next(sight.step for sight in self.view.shown.sights.values() if sight.step is not None)
        tools = self.panel.tools
        gesture = DragStepsGesture(self.view, tools.verbs, tools.pointer.preview, (step,))
        gesture.start(pointer_at(self.view, QPointF(300, 300), Qt.KeyboardModifier.NoModifier))
        return gesture


def median_ms(work: Callable[[], object], times: int) -> float:
    """The median CPU time of *work*, in milliseconds."""
    spent = []
    for _round in range(times):
        start = time.process_time()
        work()
        spent.append((time.process_time() - start) * 1000)
    return statistics.median(spent)


def measure(bench: Bench) -> dict[str, float]:
    """All medians of one canvas."""
    found = {"open": median_ms(bench.open, 3)}
    QApplication.processEvents()
    bench.view.look_at(1.0, QPointF(0, 4000), QPointF(0, 0))
    found["first paint"] = median_ms(bench.paint, 1)
    bench.view.shown.finish()
    found["paint at 100 %"] = median_ms(bench.paint, 15)
    found["pan"] = median_ms(bench.pan, 40)
    found["keystroke to patched canvas"] = median_ms(bench.keystroke, 30)
    found["drag, per move"] = _drag_moves(bench)
    camera.fit(bench.view)
    bench.paint()
    found["zoom at fit-all"] = median_ms(bench.zoom_far, 20)
    found["drag at fit-all, per move"] = _far_drag_moves(bench)
    return found


def _drag_moves(bench: Bench) -> float:
    gesture = bench.drag()
    points = iter(range(1, 1000))

    def move() -> None:
        at = QPointF(200 + next(points) * 3 % 400, 100 + next(points) * 7 % 600)
        gesture.move(pointer_at(bench.view, at, Qt.KeyboardModifier.NoModifier))
        QApplication.processEvents()

    spent = median_ms(move, 60)
    gesture.cancel(CancelReason.ESCAPE)
    return spent


def _far_drag_moves(bench: Bench) -> float:
    tools = bench.panel.tools
    step = bench.context.documents.snapshot.program.playbooks[0].steps[3].id
    gesture = DragStepsGesture(bench.view, tools.verbs, tools.pointer.preview, (step,))
    gesture.start(pointer_at(bench.view, QPointF(300, 300), Qt.KeyboardModifier.NoModifier))
    points = iter(range(1, 1000))

    def move() -> None:
        at = QPointF(200 + next(points) * 5 % 800, 100 + next(points) * 7 % 600)
        gesture.move(pointer_at(bench.view, at, Qt.KeyboardModifier.NoModifier))
        QApplication.processEvents()

    spent = median_ms(move, 40)
    gesture.cancel(CancelReason.ESCAPE)
    return spent


def main() -> None:
    """Print the medians as a table."""
    application = QApplication.instance() or QApplication([])
    results: dict[int, dict[str, float]] = {}
    for steps in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            owner = QObject()
            bench = Bench(window_context(places_under(Path(folder)), owner), steps)
            results[steps] = measure(bench)
            bench.panel.close()
            bench.panel.deleteLater()
            owner.deleteLater()
            application.processEvents()
    print("canvas, ms CPU (median)".ljust(32) + "".join(f"{steps:>10,}" for steps in SIZES))
    for name in results[SIZES[0]]:
        print(name.ljust(32) + "".join(f"{results[steps][name]:>10.2f}" for steps in SIZES))


if __name__ == "__main__":
    main()
