"""The timeline: events per second through it, the worst gap of the GUI meanwhile, and a frame with a million bars."""

from __future__ import annotations

import gc
import random
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from PySide6.QtCore import QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QApplication

from benchmarks.measure import Figure, at_most, cpu_ms
from benchmarks.million_run import RUN, million_events
from workbench.disk.places import Places, places_under
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_list import RunSummary
from workbench.engine.options import RunOptions
from workbench.engine.ports import Request
from workbench.engine.running.run import Run
from workbench.engine.scripts import Script
from workbench.engine.starting import start_run
from workbench.engine.state.fold import fold
from workbench.gui.control.context import WindowContext, window_context
from workbench.gui.control.running.run_controller import RunController
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.control.running.shown_run import ShownRun
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.garbage import GuiGarbageCollector
from workbench.gui.timeline.bars.bar_colors import Heat
from workbench.gui.timeline.bars.bar_words import BarWords
from workbench.gui.timeline.bars.bars import OPEN_NS, Bar, BarKind, BarStatus, BarTable, Tint
from workbench.gui.timeline.bars.lane_groups import Lanes, laid_out
from workbench.gui.timeline.time_window import Mode
from workbench.gui.timeline.timeline_panel import TimelinePanel
from workbench.gui.timeline.timeline_view import TimelineView
from workbench.gui.variables.variables_panel import VariablesPanel
from workbench.model.meaning import StepKind
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

RATE = 10_000
ROUNDS = 3_000
MILLION = 1_000_000
FAR = 110_000
WIDTH_PX, HEIGHT_PX = 1400, 300
_STEPS = "- $n = 0\n- While $n < {rounds}\n  - $n = $n + 1\n  - If $n > 5\n    - $m = $n * 2\n"
_TEXT = "# A\n\n## Main\n\n### Steps\n\n" + _STEPS


def figures() -> Iterator[Figure]:
    """All figures of this part."""
    application = QApplication.instance() or QApplication(["bench", "-platform", "offscreen"])
    GuiGarbageCollector(application)
    with tempfile.TemporaryDirectory() as folder:
        snapshot, events = _recorded(Path(folder))
        free = _Replay(snapshot, events, 0).watched(Path(folder) / "free")
        yield Figure("events per second through the timeline", len(events) / free.seconds, "/s")
        paced = sorted((_paced(snapshot, events, Path(folder) / str(turn)) for turn in range(3)), key=_worst)[1]
        yield Figure("events per second while they come at 10,000/s", len(events) / paced.seconds, "/s")
        yield at_most("worst gap of the GUI at 10,000 events/s (median of 3 runs)", paced.worst_ms, 50)
        yield Figure("the same, with the time that other programs had the processor", paced.worst_wall_ms)
        yield Figure("CPU of the GUI's thread in its longest turn", paced.worst_cpu_ms)
        yield from _travelled(Path(folder) / "far")
    yield from _frames()
    gc.enable()


def _paced(snapshot: Snapshot, events: Sequence[RunEvent], home: Path) -> _Watched:
    return _Replay(snapshot, events, RATE).watched(home)


def _worst(watched: _Watched) -> float:
    return watched.worst_ms


@dataclass(frozen=True, slots=True)
class _Watched:
    """What was seen from the event loop while events came. Gaps are between two turns of the loop.

    *worst_ms*: less the time for which the thread could have run and other programs did.
    """

    seconds: float
    worst_ms: float
    worst_wall_ms: float
    worst_cpu_ms: float


def _recorded(folder: Path) -> tuple[Snapshot, tuple[RunEvent, ...]]:
    """The events of a real run."""
    snapshot = derive(SourceText(_TEXT.format(rounds=ROUNDS)))
    journal = Journal(folder / "runs.sqlite")
    run = start_run(snapshot, journal, ScriptBackend(Script((), {})), RunOptions())
    run.wait()
    events = journal.read(run.id)
    journal.close()
    return snapshot, events


class _Replay:
    """A run that says again what another has said; *rate*: events per second, 0 for all at once."""

    halt = None
    pending: Request | None = None

    def __init__(self, snapshot: Snapshot, events: Sequence[RunEvent], rate: int) -> None:
        self.snapshot = snapshot
        self.id = RunId("replay")
        self.state = fold(events[:1])
        self._events = events
        self._rate = rate
        self._queue: deque[RunEvent] = deque()
        self._thread = threading.Thread(target=self._say, daemon=True)

    @property
    def is_finished(self) -> bool:
        """Whether everything was said."""
        return not self._thread.is_alive()

    def drain(self, limit: int = 10000) -> list[RunEvent]:
        """What was said since."""
        return [self._queue.popleft() for _event in range(min(limit, len(self._queue)))]

    def leave(self) -> None:
        """Nothing to let go of."""

    def wait(self, timeout_s: float | None = None) -> bool:
        """Whether it has ended."""
        self._thread.join(timeout_s)
        return self.is_finished

    def _say(self) -> None:
        start = time.perf_counter()
        for count, event in enumerate(self._events):
            if self._rate and count % 20 == 0:
                time.sleep(max(0.0, start + count / self._rate - time.perf_counter()))
            self._queue.append(replace(event, mono_ns=time.monotonic_ns(), at_ns=time.time_ns()))

    def watched(self, home: Path) -> _Watched:
        """Show the run in a timeline pane and watch the event loop until it has shown everything."""
        owner = QObject()
        context = _context(self, home, owner)
        panel = TimelinePanel(context)
        panel.resize(WIDTH_PX, HEIGHT_PX)
        panel.show()
        loop, probe = QEventLoop(), _Probe(owner)
        context.runs.run_finished.connect(loop.quit)
        start = time.perf_counter()
        self._thread.start()
        context.runs.start()
        loop.exec()
        watched = _Watched(time.perf_counter() - start, *probe.worst)
        panel.deleteLater()
        owner.deleteLater()
        return watched


class _Probe(QObject):
    """A timer that is due in every turn of the event loop, and keeps the longest time between two of them."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.worst = (0.0, 0.0, 0.0)  # net of others, wall, CPU: milliseconds
        self.cpu_ms: list[float] = []  # of each turn
        self._last: tuple[float, float, float] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(1)
        self._timer.timeout.connect(self._on_turn)
        self._timer.start()

    def stop(self) -> None:
        """Watch no more."""
        self._timer.stop()

    def _on_turn(self) -> None:
        now = (time.perf_counter() * 1000, _waited_ms(), time.thread_time() * 1000)
        if self._last is not None:
            wall_ms, waited_ms, cpu_ms = (after - before for after, before in zip(now, self._last, strict=True))
            turn = (wall_ms - waited_ms, wall_ms, cpu_ms)
            self.worst = tuple(map(max, self.worst, turn))  # type: ignore[assignment]
            self.cpu_ms.append(cpu_ms)
        self._last = now


def _waited_ms() -> float:
    """For how long this thread has been ready to run while others ran; 0 where the system does not say."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e6
    except (OSError, IndexError, ValueError):
        return 0.0


class _ReplayHost(RunHost):
    """Gives out one replay."""

    def __init__(self, replay: _Replay, places: Places) -> None:
        super().__init__(places)
        self._replay = replay

    def start(self, snapshot: Snapshot, options: RunOptions) -> Run:
        """The replay, in the place of a run."""
        return self._replay  # type: ignore[return-value]

    def runs(self) -> tuple[RunSummary, ...]:
        """None."""
        return ()


def _travelled(home: Path) -> Iterator[Figure]:
    """The longest turn of the GUI's thread while a long run is told, and while moments far apart are looked at."""
    places, owner = places_under(home), QObject()
    journal = Journal(places.runs_file)
    events = million_events(FAR)
    while batch := list(islice(events, 1_000)):
        journal.append(batch)
    journal.close()
    context = window_context(places, owner)
    context.documents.open_text("# A\n\n## Main\n\n### Steps\n\n- $a = 1\n")
    panes = [pane(context) for pane in (TimelinePanel, RunPanel, VariablesPanel)]
    for pane in panes:
        pane.resize(WIDTH_PX, HEIGHT_PX)
        pane.show()
    context.shown.show(RUN)
    _until(lambda: context.shown.moments.count > RATE)  # what is loaded with the first run is loaded by then
    told = _Probe(owner)
    _until(lambda: context.shown.is_settled)
    told.stop()
    longest = sorted(told.cpu_ms)[int(len(told.cpu_ms) * 0.99)]
    yield at_most(f"{FAR:,} events told: CPU of the GUI's thread in 99 of 100 turns", longest, 16)
    yield Figure("the same, in its longest turn", told.worst[2])
    yield at_most("the same run, to a moment far away (median of 30)", _far_ms(context, owner), 16)
    for pane in panes:
        pane.deleteLater()
    owner.deleteLater()


def _far_ms(context: WindowContext, owner: QObject) -> float:
    """CPU of the GUI's thread in its longest turn, as a rule, while a moment far away is gone to."""
    turns, chance = list[float](), random.Random(7)
    for _turn in range(30):
        probe, seq = _Probe(owner), chance.randrange(FAR - 1)
        context.shown.moments.go_to(seq)
        _until(lambda seq=seq: context.shown.moment is not None and context.shown.moment.seq == seq)
        _rest()
        turns.append(probe.worst[2])
        probe.stop()
    return sorted(turns)[len(turns) // 2]


def _until(is_so: Callable[[], bool]) -> None:
    """Let the event loop run until *is_so*."""
    loop, timer = QEventLoop(), QTimer(interval=2)
    timer.timeout.connect(lambda: loop.quit() if is_so() else None)
    timer.start()
    loop.exec()


def _rest() -> None:
    """Let everything be painted that waits for that."""
    loop = QEventLoop()
    QTimer.singleShot(100, loop.quit)
    loop.exec()


def _context(replay: _Replay, home: Path, owner: QObject) -> WindowContext:
    context = window_context(places_under(home), owner)
    context.documents.open_text(replay.snapshot.text)
    runs = RunController(context.documents, context.settings, _ReplayHost(replay, context.places), owner)
    return replace(context, runs=runs, shown=ShownRun(runs, context.documents, owner))


def _frames() -> Iterator[Figure]:
    """CPU time of one frame of a million bars, at several zooms."""
    view = TimelineView()
    view.resize(WIDTH_PX, HEIGHT_PX)
    view.show()
    table = _million_bars()
    view.show_table(table, BarWords())
    for part in (1, 10, 100, 1000, 100_000):
        view.navigator.set_mode(Mode.FIT)
        view.navigator.zoom(part, WIDTH_PX / 2)
        name = f"frame of 1,000,000 bars, {'all of it' if part == 1 else f'1/{part:,} of it'}"
        yield at_most(name, cpu_ms(lambda: _painted(view)), 16)
    view.show_heat(Heat.TIME)
    yield at_most("the same, coloured by time, 1/100 of it", _part_ms(view, 100), 16)
    view.take_table(laid_out(Lanes.TOOL, table))
    yield at_most("the same, coloured by time, in lanes by tool", _part_ms(view, 100), 16)
    view.deleteLater()


def _part_ms(view: TimelineView, part: int) -> float:
    view.navigator.set_mode(Mode.FIT)
    view.navigator.zoom(part, WIDTH_PX / 2)
    return cpu_ms(lambda: _painted(view))


def _painted(view: TimelineView) -> None:
    """One frame that finds nothing of the last one."""
    view.table.revision += 1
    view.grab()


def _million_bars() -> BarTable:
    """Nested bars as of a run of half an hour, with a failure now and then."""
    table = BarTable()
    kinds = tuple(StepKind)
    for index in range(MILLION // 4):
        start_ns = index * 7_000_000
        for lane in range(4):
            tint = Tint(BarKind.STEP, BarStatus.RUNNING, kinds[(index + lane) % len(kinds)])
            begin_ns = start_ns + lane * 500_000
            table.open(str(lane), Bar(lane, 0, tint, begin_ns, OPEN_NS, "Main:01", "Main:01", index))
        for lane in reversed(range(4)):
            status = BarStatus.FAILED if index % 10_000 == 0 else BarStatus.DONE
            table.close(str(lane), start_ns + 6_500_000 - lane * 500_000, status)
    return table


def main() -> int:
    """Print the figures of the timeline alone."""
    for figure in figures():
        print(figure, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
