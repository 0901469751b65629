"""The whole window: a letter typed into the source until the flowchart is painted, and steps dropped elsewhere."""

from __future__ import annotations

import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from benchmarks.bench_core import FAR_DROPS_MS
from benchmarks.documents import numbered_text, playbook_text
from benchmarks.measure import Figure, at_most, cpu_ms, resident_mib
from workbench.disk.places import places_under
from workbench.editing.commands import MoveSteps, Place
from workbench.gui.canvas.view.canvas_view import visible_rect
from workbench.gui.control.context import window_context
from workbench.gui.control.versions.known_versions import other_file
from workbench.gui.control.versions.version_control import Wanted
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.source.source_panel import SourcePanel
from workbench.model.program import Step

SIZES = (1_000, 10_000)
FRAME_MS = 16.0
_KEY = Qt.Key.Key_X
_NO_KEYS = Qt.KeyboardModifier.NoModifier
_DISTANCE = 3
_REST_MS = 1000
_FOLLOWS_S = 1.5
_TABS, _TAB_STEPS = 9, 100


class Bench:
    """One window with a text, source beside flowchart."""

    def __init__(self, text: str, folder: Path, owner: QObject) -> None:
        self.context = window_context(places_under(folder), owner)
        self.window = MainWindow(self.context)
        self.window.show()
        self.window.panes.fill()
        self.context.documents.open_text(text)
        self._settle()
        self._turns = itertools.count()

    def _settle(self) -> None:
        """Draw what has to be drawn."""
        QCoreApplication.sendPostedEvents()
        QApplication.processEvents()

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the first playbook as they are now."""
        return self.context.documents.snapshot.program.playbooks[0].steps

    def look_at(self, index: int) -> None:
        """Select a step, in all panes, and put the caret at its end."""
        step = self.steps[index].id
        self.context.selection.reveal((step,), "benchmark")
        self._settle()
        source = self.source
        head = self.context.documents.snapshot.head_span(step)
        source.editor.place_caret(source.sync.positions.position(head.end))
        self._settle()

    @property
    def source(self) -> SourcePanel:
        """The source pane."""
        return self.window.centre.source

    def type_letter(self) -> None:
        """Press one key, and let everything that shows it be painted."""
        press = QKeyEvent(QEvent.Type.KeyPress, _KEY, _NO_KEYS, "x")
        QApplication.sendEvent(self.source.editor, press)
        self._settle()

    def drop_near(self) -> None:
        """Put a step that is in view a few places further up."""
        steps, at = self.steps, len(self.steps) // 2 + next(self._turns) % _DISTANCE
        self._drop(steps[at], steps[at - _DISTANCE])

    def drop_far(self) -> None:
        """Put a step from the beginning at the end."""
        steps = self.steps
        self._drop(steps[20 + 7 * next(self._turns)], steps[-5])

    def _drop(self, step: Step, after: Step) -> None:
        self.context.documents.execute(MoveSteps((step.id,), Place("Main", None, after.id)))
        self._until_shown()

    def _until_shown(self) -> None:
        """Wait until the flowchart has painted all that is in view; panes beside it may follow later."""
        view = self.window.centre.canvas.view
        QCoreApplication.sendPostedEvents()
        while any(box.rect.meets(visible_rect(view)) for box in view.shown.missing()):
            QApplication.processEvents()

    def rest(self) -> None:
        """Wait until all is done that waits for changes to rest: findings, rows, and the mark on what was touched."""
        loop = QEventLoop()
        QTimer.singleShot(_REST_MS, loop.quit)
        loop.exec()

    def stills(self) -> list[float]:
        """How long the window stands still each time, in milliseconds, until all has followed the latest change."""
        found: list[float] = []
        end = time.perf_counter() + _FOLLOWS_S
        while time.perf_counter() < end:
            begun = time.thread_time()
            QApplication.processEvents()
            found.append(1000 * (time.thread_time() - begun))
            time.sleep(0.001)
        return found

    def open(self, path: Path) -> None:
        """Open a file in a tab, and let it be painted."""
        self.window.files.open_path(path)
        self._settle()

    def next_tab(self) -> None:
        """Show the next tab."""
        self.context.actions.trigger("tab.next")
        self._settle()

    def undo(self) -> None:
        """Take back the last change."""
        self.context.documents.undo()
        self._until_shown()


def figures() -> Iterator[Figure]:
    """All figures of this part."""
    application = QApplication.instance() or QApplication(sys.argv)
    for size in SIZES:
        yield from _measured(f"{size:,} steps", playbook_text(size))
    for size in SIZES:
        yield from _measured(f"{size:,} numbered steps", numbered_text(size), FAR_DROPS_MS[size])
        yield from _follows(f"{size:,} numbered steps", numbered_text(size))
    yield from _tabs()
    yield from _compared(SIZES[0])
    application.processEvents()


def _tabs() -> Iterator[Figure]:
    """What further open files cost over one, each looked at once."""
    with tempfile.TemporaryDirectory() as folder:
        owner = QObject()
        bench = Bench(playbook_text(_TAB_STEPS), Path(folder), owner)
        bench.rest()
        paths = [Path(folder) / f"{number}.md" for number in range(_TABS)]
        for path in paths:
            path.write_text(playbook_text(_TAB_STEPS), encoding="utf-8")
        before_mib, start = resident_mib(), time.process_time_ns()
        for path in paths:
            bench.open(path)
        spent_ms = (time.process_time_ns() - start) / 1e6
        bench.rest()
        name = f"{_TABS} more tabs of {_TAB_STEPS} steps"
        yield at_most(f"{name}: to open them", spent_ms, 1000)
        yield at_most(f"{name}: memory", resident_mib() - before_mib, 200, "MiB")
        yield at_most(f"{name}: to show the next one", cpu_ms(bench.next_tab), 100)
        bench.window.close()
        bench.window.deleteLater()
        QApplication.processEvents()
        owner.deleteLater()


def _compared(size: int) -> Iterator[Figure]:
    """A file beside another version of it: until all of it is shown, and the longest that the window stands still."""
    from workbench.gui.versions.version_dialog import VersionDialog  # noqa: PLC0415 - the window loads it likewise

    with tempfile.TemporaryDirectory() as folder:
        owner = QObject()
        text = playbook_text(size)
        other = Path(folder) / "other.md"
        other.write_text(text.replace("Part ", "Piece ").replace("$limit", "$most"), "utf-8")
        bench = Bench(text, Path(folder), owner)
        stills: list[float] = []

        def look() -> None:
            bench.context.versions.compare(Wanted(other_file(other)))
            dialog = bench.window.findChildren(VersionDialog)[-1]
            while dialog.view.compared is None:
                begun = time.thread_time()
                QApplication.processEvents()
                stills.append(1000 * (time.thread_time() - begun))
            dialog.close()
            dialog.deleteLater()

        yield at_most(f"two versions of {size:,} steps until they are shown", cpu_ms(look, 5, bench.rest), 600)
        yield at_most(f"the longest that the window stands still for them, {size:,} steps", max(stills), 33)
        bench.window.close()
        bench.window.deleteLater()
        QApplication.processEvents()
        owner.deleteLater()


def _follows(name: str, text: str) -> Iterator[Figure]:
    """What comes when changes rest: rows of the outline, numbers out of sight, findings."""
    with tempfile.TemporaryDirectory() as folder:
        owner = QObject()
        bench = Bench(text, Path(folder), owner)
        bench.look_at(len(bench.steps) // 2)
        bench.stills()
        longest: list[float] = []
        for _turn in range(3):
            bench.drop_far()
            longest.append(max(bench.stills()))
        yield Figure(f"the longest that the window stands still afterwards, {name}", statistics.median(longest))
        bench.window.close()
        bench.window.deleteLater()
        QApplication.processEvents()
        owner.deleteLater()


def _measured(name: str, text: str, far_ms: float = FRAME_MS) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        owner = QObject()
        bench = Bench(text, Path(folder), owner)
        bench.look_at(len(bench.steps) // 2)
        gestures: tuple[tuple[str, Callable[[], None]], ...] = (
            ("one letter in the source until the flowchart is painted", bench.type_letter),
            ("drop near", bench.drop_near),
            ("drop far away", bench.drop_far),
            ("undo of a drop far away", bench.undo),
        )
        for title, work in gestures:
            limit_ms = far_ms if "far" in title else FRAME_MS
            # of this thread: meanwhile another one may look for findings of the change before
            yield at_most(f"{title}, {name}", cpu_ms(work, 9, bench.rest, time.thread_time_ns), limit_ms)
        bench.window.close()
        bench.window.deleteLater()
        QApplication.processEvents()
        owner.deleteLater()
