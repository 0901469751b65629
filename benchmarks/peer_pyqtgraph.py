"""pyqtgraph with the bars of a run: the time to its first picture, and of a frame while panning and zooming.

Called with a file of 64-bit numbers, four for each bar: lane, start, end, colour. Prints milliseconds as JSON.
"""

from __future__ import annotations

import json
import statistics
import sys
import time

import numpy as np
import pyqtgraph
from PySide6.QtWidgets import QApplication

WIDTH_PX, HEIGHT_PX = 1400, 300
_FRAMES = 6


def main() -> None:
    """Measure and print."""
    application = QApplication(["peer", "-platform", "offscreen"])
    started = time.process_time()
    bars = np.fromfile(sys.argv[1], dtype="int64").reshape(-1, 4)
    plot = pyqtgraph.PlotWidget()
    plot.resize(WIDTH_PX, HEIGHT_PX)
    for code in np.unique(bars[:, 3]):
        part, color = bars[bars[:, 3] == code], pyqtgraph.intColor(int(code))
        lanes = -part[:, 0].astype(float)
        # with an outline, for what is narrower than a pixel would not be seen without one
        item = pyqtgraph.BarGraphItem(
            x0=part[:, 1] / 1e9, x1=part[:, 2] / 1e9, y0=lanes, height=0.8, brush=color, pen=color
        )
        plot.addItem(item)
    plot.show()
    end = float(bars[:, 2].max()) / 1e9
    plot.setXRange(0, end, padding=0)
    plot.grab()
    first = (time.process_time() - started) * 1000
    frames = {part: statistics.median(_frames(plot, end, part)) for part in (1, 10, 100)}
    print(json.dumps({"open": first, "frames": frames}))
    del application


def _frames(plot: pyqtgraph.PlotWidget, end: float, part: int) -> list[float]:
    """CPU time of frames that show 1/*part* of the run, each a little further."""
    span, times = end / part, []
    for number in range(_FRAMES):
        left = (end - span) / 2 + number * span / 100
        started = time.process_time()
        plot.setXRange(left, left + span, padding=0)
        plot.grab()
        times.append((time.process_time() - started) * 1000)
    return times


if __name__ == "__main__":
    main()
