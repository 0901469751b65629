"""A folder of 2,000 runbooks as the project: how soon its names are shown, and all is known of them."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from benchmarks.measure import Figure, at_most, peak_mib
from workbench.disk.places import places_under
from workbench.gui.control.context import window_context
from workbench.gui.files.project_panel import ProjectPanel
from workbench.gui.shell.garbage import GuiGarbageCollector
from workbench.gui.shell.main_window import MainWindow

FILES = 2_000
_FOLDERS = 50
_TICK_MS = 2
_LONGEST_S = 120


def write_project(folder: Path) -> None:
    """Runbooks as people write them, each with links to others."""
    for number in range(FILES):
        place = folder / f"team-{number % _FOLDERS:02d}" / f"alarm-{number:04d}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(runbook(number), "utf-8")


def runbook(number: int) -> str:
    """About 2 KB of headings, prose, lists, commands and links."""
    chapters = "".join(
        f"## {title}\n\nWhat is said here is read by whoever is woken by it. " + "It goes on for a while. " * 6 + "\n\n"
        "1. Open the board of **alarm {number}** and look at the last hour\n"
        f"2. If it is red, go on with [the next one](../team-{(number + 1) % _FOLDERS:02d}/alarm-{number + 1:04d}.md)\n"
        "   - Note who was told\n   - Note when\n"
        "3. Run this, and wait\n\n   ```sh\n   kubectl -n shop get pods --selector app=till\n   ```\n\n"
        f"4. See [the notes](#notes) and [the runbook](alarm-{(number * 7) % FILES:04d}.md#meaning)\n\n"
        for title in ("Diagnosis", "Mitigation", "Afterwards")
    )
    return (
        f"# Alarm {number}\n\n## Meaning\n\nThe till of shop {number} is closed.\n\n{chapters}## Notes\n\n- None yet\n"
    )


class Bench:
    """A window with the project pane in front, and a clock that ticks as long as nothing holds the window up.

    All times are those that the processor worked, so that another program on the machine does not count.
    """

    def __init__(self, home: Path) -> None:
        self.context = window_context(places_under(home))
        self.window = MainWindow(self.context)
        self.window.show()
        self.window.panes.fill()
        self.window.panes.bring_forward("project")
        QApplication.processEvents()
        self.longest_ms = 0.0
        self._last = time.thread_time()
        self._clock = QTimer()
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._on_tick)
        self._clock.start()

    @property
    def panel(self) -> ProjectPanel:
        """The project pane."""
        panel = self.window.panes.panel("project")
        assert isinstance(panel, ProjectPanel)
        return panel

    def open(self, folder: Path) -> tuple[float, float]:
        """After how many milliseconds the names are painted, and all is known."""
        start = time.process_time()
        self.context.settings.change(partial(replace, project_folder=str(folder)))
        self._wait(self._has_names)
        self.panel.tree.viewport().repaint()
        named = time.process_time()
        self.longest_ms, self._last = 0.0, time.thread_time()
        self._wait(self._is_whole)
        return 1000 * (named - start), 1000 * (time.process_time() - start)

    def _has_names(self) -> bool:
        return self.panel.model.rowCount() > 0

    def _is_whole(self) -> bool:
        return self.context.project.index.is_whole and not self.context.project.is_reading

    def _wait(self, is_over: object) -> None:
        assert callable(is_over)
        end = time.perf_counter() + _LONGEST_S
        while not is_over() and time.perf_counter() < end:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    def _on_tick(self) -> None:
        now = time.thread_time()
        self.longest_ms, self._last = max(self.longest_ms, 1000 * (now - self._last)), now

    def close(self) -> None:
        """Leave as a person does."""
        self._clock.stop()
        self.window.close()


def figures() -> Iterator[Figure]:
    """The first time, and again when it is known what was read."""
    collector = GuiGarbageCollector(QApplication.instance() or QApplication([]))
    with tempfile.TemporaryDirectory() as place:
        folder, home = Path(place, "project"), Path(place, "home")
        write_project(folder)
        for which in ("for the first time", "again"):
            bench = Bench(home)
            bench.context.settings.change(partial(replace, project_folder=""))
            named_ms, whole_ms = bench.open(folder)
            yield at_most(f"Names of {FILES:,} files, opened {which}", named_ms, 300)
            yield at_most(f"Kinds, titles and links of {FILES:,} files, {which}", whole_ms / 1000, 10, "s")
            yield at_most("  longest time that the window was busy meanwhile", bench.longest_ms, 150)
            bench.close()
    collector.deleteLater()
    yield at_most("Memory of the window with such a project", peak_mib(), 300, "MiB")
