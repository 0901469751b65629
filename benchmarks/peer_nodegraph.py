"""NodeGraphQt in an environment of its own: opening, panning and zooming graphs. Prints JSON."""

from __future__ import annotations

import itertools
import json
import math
import statistics
import sys
import time
from collections.abc import Callable

from NodeGraphQt import BaseNode, NodeGraph
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication


class StepNode(BaseNode):
    """A node with one way in and one way out."""

    __identifier__ = "bench"
    NODE_NAME = "step"

    def __init__(self) -> None:
        super().__init__()
        self.add_input("in")
        self.add_output("out")


def _cpu_ms(work: Callable[[], object], repeats: int) -> float:
    times = []
    for _repeat in range(repeats):
        start = time.process_time_ns()
        work()
        times.append((time.process_time_ns() - start) / 1e6)
    return statistics.median(times)


def _graph(count: int) -> NodeGraph:
    """A chain of nodes, in rows of a square so that all of them fit into a view."""
    graph = NodeGraph()
    graph.register_node(StepNode)
    row = math.isqrt(count)
    before = None
    for number in range(count):
        place = (number % row * 260, number // row * 160)
        node = graph.create_node("bench.StepNode", name=f"step {number}", pos=place, push_undo=False)
        if before is not None:
            before.set_output(0, node.input(0))
        before = node
    return graph


def _measure(count: int) -> dict[str, float]:
    start = time.process_time_ns()
    graph = _graph(count)
    viewer = graph.viewer()
    viewer.resize(1280, 800)
    viewer.show()
    frame = QImage(1280, 800, QImage.Format.Format_RGB32)
    viewer.viewport().render(frame)
    opening = (time.process_time_ns() - start) / 1e6

    def pan() -> None:
        viewer._set_viewer_pan(0, 40)  # noqa: SLF001 - what its own mouse handler calls
        QApplication.processEvents()

    panning = _cpu_ms(pan, 15)
    viewer.zoom_to_nodes(viewer.all_nodes())
    far_panning = _cpu_ms(pan, 9)
    ways = itertools.cycle((0.02, -0.02))

    def zoom() -> None:
        viewer._set_viewer_zoom(next(ways), 0.0)  # noqa: SLF001 - what its own wheel handler calls
        viewer.viewport().render(frame)

    return {"open": opening, "pan": panning, "pan at fit-all": far_panning, "zoom at fit-all": _cpu_ms(zoom, 7)}


if __name__ == "__main__":
    application = QApplication(sys.argv)
    print(json.dumps({count: _measure(count) for count in (500, 1_000)}))
