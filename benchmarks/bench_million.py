"""A run of a million events: written, kept, searched and shown, and pyqtgraph with the same bars."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from PySide6.QtCore import QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QApplication

from benchmarks.measure import Figure, at_least, at_most
from benchmarks.million_run import MILLION, RARE, RUN, million_events
from benchmarks.peers import peer_json
from workbench.disk.places import Places, places_under
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.storage.room import compact
from workbench.engine.journal.storage.words import find_text
from workbench.gui.control.context import window_context
from workbench.gui.timeline.bars.bars import BarTable
from workbench.gui.timeline.bars.lane_groups import Lanes
from workbench.gui.timeline.time_window import Mode
from workbench.gui.timeline.timeline_panel import TimelinePanel
from workbench.gui.timeline.timeline_view import TimelineView

_BATCH = 256
_FRAMES = 120
_PARTS = (1, 10, 100, 1_000, 100_000)
WIDTH_PX, HEIGHT_PX = 1400, 300


def figures() -> Iterator[Figure]:
    """All figures of this part."""
    application = QApplication.instance() or QApplication(["bench", "-platform", "offscreen"])
    with tempfile.TemporaryDirectory() as folder:
        places = places_under(Path(folder))
        yield from _written(places)
        yield from _searched(places)
        for lanes in reversed(tuple(Lanes)):
            table = yield from _opened(places, lanes)
            ours = yield from _moved(table, lanes)
        yield from _beside(table, ours, Path(folder))
    del application


def _written(places: Places) -> Iterator[Figure]:
    journal, events, spent = Journal(places.runs_file), million_events(), 0.0
    while batch := list(islice(events, _BATCH)):
        started = time.thread_time()
        journal.append(batch)
        spent += time.thread_time() - started
    yield at_least("events per second that are written, packed and indexed", MILLION / spent, 20_000, "/s")
    yield at_most("the last 1,000 events", _ms(lambda: journal.read(RUN, MILLION - 1_000, 1_000)), 50)
    yield at_most("size of the store while the run goes on", _mb(places.runs_file), 120, "MB")
    started = time.process_time()
    compact(journal, [RUN])
    yield Figure("runs compact", time.process_time() - started, "s")
    yield at_most("size of the store, packed whole", _mb(places.runs_file), 120, "MB")
    yield at_most("1,000 events out of packs", _ms(lambda: journal.read(RUN, MILLION // 2, 1_000)), 100)
    journal.close()


def _searched(places: Places) -> Iterator[Figure]:
    journal = Journal(places.runs_file)
    for words, what in (
        (RARE, "a rare word"),
        ("nowhere", "a word that is not there"),
        ("sent", "a word of many events"),
    ):
        found = _ms(lambda words=words: find_text(journal, words, limit=200))
        yield at_most(f"search in all bodies: {what}", found, 100)
    yield Figure("the same, all events with the word", _ms(lambda: find_text(journal, "sent"), 1))
    journal.close()


def _opened(places: Places, lanes: Lanes) -> Iterator[Figure]:
    """From the choice of the run to the first picture of bars, and to the picture of all of them."""
    owner = QObject()
    context = window_context(places, owner)
    context.settings.change(lambda settings: replace(settings, timeline_lanes=lanes.value))
    context.documents.open_text("# A\n\n## Main\n\n### Steps\n\n- $a = 1\n")
    panel = TimelinePanel(context)
    panel.resize(WIDTH_PX, HEIGHT_PX)
    panel.show()
    started, spent = time.perf_counter(), time.process_time()
    context.shown.show(RUN)
    _until(lambda: panel.board.view.table.count() > 1_000)
    panel.grab()
    first_ms = (time.process_time() - spent) * 1000
    yield at_most(f"open the run, lanes by {lanes.value}, to the first picture (CPU of all threads)", first_ms, 1_500)
    yield Figure("the same, with the time that other programs had", (time.perf_counter() - started) * 1000)
    _until(lambda: panel.board.run is not None and not panel.board.run.is_read_ahead)
    panel.grab()
    yield Figure("open the run, to the picture of all of it (CPU)", (time.process_time() - spent) * 1000)
    context.shown.retelling.stop()
    table = panel.board.view.table
    panel.deleteLater()
    owner.deleteLater()
    return table


def _moved(table: BarTable, lanes: Lanes) -> Iterator[Figure]:
    """Frames while panning and zooming; how long one takes by the part of the run that it shows."""
    view, ours = TimelineView(), dict[int, float]()
    view.resize(WIDTH_PX, HEIGHT_PX)
    view.show()
    view.show_table(table, view.words)
    every: list[float] = []
    for part in _PARTS:
        view.navigator.set_mode(Mode.FIT)
        view.navigator.zoom(part, WIDTH_PX / 2)
        times = [_frame(view, number) for number in range(_FRAMES)]
        ours[part] = statistics.median(times)
        every += times
    every.sort()
    yield Figure("bars that are shown", table.count(), "")
    name = f"lanes by {lanes.value}: frame while panning and zooming"
    yield at_most(f"{name}, median", statistics.median(every), 16)
    yield at_most(f"{name}, 99 of 100", every[int(len(every) * 0.99)], 33)
    view.deleteLater()
    return ours


def _frame(view: TimelineView, number: int) -> float:
    """CPU time of the next frame: a step of a pan, and now and then one of a zoom."""
    started = time.thread_time()
    if number % 10 == 9:
        view.zoom(1.05 if number % 20 == 9 else 1 / 1.05, WIDTH_PX / 3)
    else:
        view.pan(7)
    view.grab()
    return (time.thread_time() - started) * 1000


def _beside(table: BarTable, ours: dict[int, float], folder: Path) -> Iterator[Figure]:
    path = folder / "bars.bin"
    with path.open("wb") as file:
        for number, lane in enumerate(table.lanes):
            bars = array("q")
            for start_ns, end_ns, code in zip(lane.starts, lane.ends, lane.codes, strict=True):
                bars.extend((number, start_ns, max(end_ns, start_ns), code))
            bars.tofile(file)
    theirs = peer_json("peer_pyqtgraph.py", str(path))
    if theirs is None:
        print("  pyqtgraph could not be installed: no comparison with it")
        return
    yield Figure("pyqtgraph: the same bars, to the first picture", theirs["open"])
    for part, value in theirs["frames"].items():
        shown = "all of it" if part == "1" else f"1/{part} of it"
        yield Figure(f"pyqtgraph: frame, {shown}", value)
        yield at_least(f"frame, {shown}, times as fast as pyqtgraph", value / ours[int(part)], 20)


def _until(is_so: Callable[[], bool]) -> None:
    """Let the event loop run until *is_so*."""
    loop, timer = QEventLoop(), QTimer(interval=2)
    timer.timeout.connect(lambda: loop.quit() if is_so() else None)
    timer.start()
    loop.exec()


def _ms(work: Callable[[], object], repeats: int = 5) -> float:
    """Median CPU time of this thread."""
    times = []
    for _repeat in range(repeats):
        started = time.thread_time()
        work()
        times.append((time.thread_time() - started) * 1000)
    return statistics.median(times)


def _mb(file: Path) -> float:
    return sum(each.stat().st_size for each in file.parent.glob(f"{file.name}*")) / 1e6


def main() -> int:
    """Print the figures of this part alone."""
    for figure in figures():
        print(figure, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
