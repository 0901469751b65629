"""A folder of 2,000 files as the project: how soon its names are shown, and all is known and found of them."""

from __future__ import annotations

import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from benchmarks.measure import Figure, at_most, peak_mib
from workbench.disk.places import places_under
from workbench.gui.control.context import window_context
from workbench.gui.files.project_panel import ProjectPanel
from workbench.gui.shell.garbage import GuiGarbageCollector
from workbench.gui.shell.main_window import MainWindow
from workbench.project.checked import Stamps

FILES = 2_000
_FOLDERS = 50
_TICK_MS = 5
_KEY_MS = 60
_REST_S = 2
_LONGEST_S = 1_800
_CHANGED = 500


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


_THINGS = ("the till", "the queue", "the disk", "the board", "the last deploy", "the invoice", "the account", "the log")
_DONE = ("Check", "Open", "Restart", "Note", "Compare", "Ask the team about", "Collect", "Review")


def write_mixed_project(folder: Path) -> None:
    """Programs, runbooks, step lists, pages that are none and files of other programs, with 5 to 60 steps each."""
    chance = random.Random(1)
    kinds = (("desk", "md", _program),) * 4 + (("alarm", "md", _procedure),) * 3
    kinds += (("list", "yaml", _steplist), ("README", "md", _page), ("compose", "yaml", _foreign))
    for number in range(FILES):
        name, ending, text_of = kinds[number % len(kinds)]
        place = folder / f"team-{number % _FOLDERS:02d}" / f"{name}-{number:04d}.{ending}"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text_of(chance, number, chance.randrange(5, 61)), "utf-8")


def _deed(chance: random.Random) -> str:
    return f"{chance.choice(_DONE)} {chance.choice(_THINGS)}"


def _program(chance: random.Random, number: int, steps: int) -> str:
    lines = [f"# Desk {number}", "", "Looks after a shop. " * chance.randrange(1, 5), "", "## Main", "### Triggers"]
    lines += ["- When program starts", "### Steps", "- $count = 0", "- Ask user for $answer:str"]
    for place in range(2, steps):
        match chance.randrange(12):
            case 0:
                lines.append("- $count = $count + 1")
            case 1:
                lines.append(f'- Tell user "It is {{$answer}} in round {place}"')
            case 2:
                lines += [f"- If $count > {place}", f"  - {_deed(chance)}", "  - $count = 0"]
            case 3:
                lines += [
                    f"- $found = Look($answer, limit={place})",
                    "- If $found is empty",
                    "  - Ask user for $answer",
                ]
            case 4:
                lines += [f"- While $count < {place}", f"  - {_deed(chance)}", "  - $count = $count + 1"]
            case _:
                lines.append(f"- {_deed(chance)} <!-- since {place} -->" if place % 7 == 0 else f"- {_deed(chance)}")
    lines += ["### Notes", "- Be brief", "", "## Look($what, limit: int = 3) -> str", "### Steps"]
    return "\n".join([*lines, "- Look for the $what in the last {limit} reports", "- Return $what", ""])


def _procedure(chance: random.Random, number: int, steps: int) -> str:
    lines = [f"# Alarm {number}", "", "## Meaning", "", f"The till of shop {number} is closed.", ""]
    for title in ("Diagnosis", "Mitigation", "Afterwards"):
        lines += [f"## {title}", "", "It is read by whoever is woken by it. " * chance.randrange(2, 9), ""]
        for place in range(1, max(2, steps // 3) + 1):
            match chance.randrange(6):
                case 0:
                    lines.append(
                        f"{place}. If it is red, go on with [the next one](alarm-{(number + 50) % FILES:04d}.md)"
                    )
                    lines.append("   - Note who was told")
                case 1:
                    lines += [
                        f"{place}. Run this, and wait",
                        "",
                        "   ```sh",
                        f"   kubectl get pods -l app=till-{place}",
                    ]
                    lines += ["   ```", ""]
                case 2:
                    lines.append(f"{place}. See [the notes](#notes)")
                case _:
                    lines.append(f"{place}. {_deed(chance)} of **{number}**")
        lines.append("")
    return "\n".join([*lines, "## Notes", "", "- None yet", ""])


def _steplist(chance: random.Random, number: int, steps: int) -> str:
    entries = (
        f"- id: s{place}\n  description: {_deed(chance)}\n  expected_tools: [tool_{place % 7}, look]\n"
        for place in range(steps)
    )
    return f"id: list-{number}\nname: Deploy {number}\nsteps:\n{''.join(entries)}"


def _page(chance: random.Random, number: int, steps: int) -> str:
    part = "This part says how it is built and who looks after it. "
    chapters = (
        f"## Part {place}\n\n{part * chance.randrange(2, 12)}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "```python\ndef main():\n    return 1\n```\n\n"
        for place in range(steps // 4 + 2)
    )
    return f"# Service {number}\n\n{''.join(chapters)}"


def _foreign(_chance: random.Random, _number: int, steps: int) -> str:
    services = (f"  web{place}:\n    image: nginx\n    ports: [{8000 + place}]\n" for place in range(steps))
    return f"version: 3\nservices:\n{''.join(services)}"


class Bench:
    """A window with the project pane in front, and a clock that ticks as long as nothing holds the window up.

    Times are those that the processor worked, here and in programs that were started from here, so that another program
    on the machine does not count.
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
        self.keys_ms: list[float] = []
        self._has_news = False
        self.context.checks.changed.connect(self._on_news)

    def _on_news(self) -> None:
        self._has_news = True

    @property
    def panel(self) -> ProjectPanel:
        """The project pane."""
        panel = self.window.panes.panel("project")
        assert isinstance(panel, ProjectPanel)
        return panel

    def open(self, folder: Path) -> tuple[float, float]:
        """After how many milliseconds the names are painted, and all is known."""
        start = _worked_s()
        self.choose(folder)()
        self._wait(self._has_names)
        self.panel.tree.viewport().repaint()
        named = _worked_s()
        self.longest_ms, self._last = 0.0, time.thread_time()
        self._wait(self._is_whole)
        return 1000 * (named - start), 1000 * (_worked_s() - start)

    def check(self, change: Callable[[], object], *, is_typed: bool = False) -> float:
        """How many seconds all programs worked until all is known and found again after *change*.

        *is_typed*: somebody types meanwhile, and *keys_ms* is how long each key took, on the clock.
        """
        start, index = _worked_s(), self.context.project.index
        self.longest_ms, self._last = 0.0, time.thread_time()
        self._has_news = False
        change()
        keys = QTimer(interval=_KEY_MS)
        keys.timeout.connect(self._type)
        if is_typed:
            keys.start()
        self._wait(lambda: self.context.project.index is not index and self._is_checked())
        keys.stop()
        return _worked_s() - start

    def rest(self, *, is_typed: bool = False) -> None:
        """Let all that follows the opening of a file, or an edit, come to its end."""
        end = time.perf_counter() + _REST_S
        keys = QTimer(interval=_KEY_MS)
        keys.timeout.connect(self._type)
        if is_typed:
            keys.start()
        self._wait(lambda: time.perf_counter() > end)
        keys.stop()

    def _type(self) -> None:
        start = time.perf_counter()
        QTest.keyClick(self.window.centre.source.editor, Qt.Key.Key_X)
        self.keys_ms.append(1000 * (time.perf_counter() - start))

    def _is_checked(self) -> bool:
        if not self._has_news or not self._is_whole() or self.context.checks.is_checking:
            return False
        self._has_news = False
        index, found = self.context.project.index, self.context.checks.found
        stamps = Stamps(index, {})
        ours = (path for path, entry in index.entries.items() if entry.is_ours)
        is_all = all(path in found and stamps.of(path) == found[path].stamp for path in ours)
        self._last = time.thread_time()  # this turn was the measurement's own
        return is_all

    def choose(self, folder: Path) -> Callable[[], object]:
        """What opens *folder* as the project."""
        return partial(self.context.settings.change, partial(replace, project_folder=str(folder)))

    def _has_names(self) -> bool:
        return self.panel.model.rowCount() > 0

    def _is_whole(self) -> bool:
        return self.context.project.index.is_whole and not self.context.project.is_reading

    def _wait(self, is_over: object) -> None:
        assert callable(is_over)
        end = time.perf_counter() + _LONGEST_S
        while not is_over() and time.perf_counter() < end:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        if time.perf_counter() >= end:
            raise TimeoutError("what was waited for has not come: figures would be wrong")

    def _on_tick(self) -> None:
        now = time.thread_time()
        self.longest_ms, self._last = max(self.longest_ms, 1000 * (now - self._last)), now

    def close(self) -> None:
        """Leave as a person does."""
        self._clock.stop()
        self.window.close()


def _worked_s() -> float:
    """How long the processor has worked for this program, and for those that it has started and that have ended."""
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + others.ru_utime + others.ru_stime


def figures() -> Iterator[Figure]:
    """The first time, and again when it is known what was read; and what is found in all files."""
    yield from _opened()
    yield from _checked()


def _checked() -> Iterator[Figure]:
    """Findings: at first, again, and after changes, with the longest turn of the event loop of each."""
    collector = GuiGarbageCollector(QApplication.instance() or QApplication([]))
    with tempfile.TemporaryDirectory() as place:
        folder, home = Path(place, "project"), Path(place, "home")
        write_mixed_project(folder)
        for which, limit_s in (("for the first time", 25), ("again", 1.5)):
            bench = Bench(home)
            bench.context.settings.change(partial(replace, project_folder=""))
            bench.rest()
            worked_s = bench.check(bench.choose(folder))
            yield at_most(f"Kinds, links and findings of {FILES:,} mixed files, {which}", worked_s, limit_s, "s")
            yield at_most("  longest turn of the window meanwhile", bench.longest_ms, 16)
            if which == "again":
                yield from _changed(bench, folder)
            bench.close()
        yield from _typed(Path(place, "another"), folder)
    collector.deleteLater()
    yield at_most("Memory of the window with such a project", peak_mib(), 350, "MiB")


def _typed(home: Path, folder: Path) -> Iterator[Figure]:
    """How long a key takes on the clock while all files are read, beside one in quiet."""
    bench = Bench(home)
    bench.window.files.open_path(folder / "team-00" / "desk-0000.md")
    bench.context.settings.change(partial(replace, project_folder=""))
    bench.rest()
    bench.rest(is_typed=True)
    quiet_ms, bench.keys_ms = statistics.median(bench.keys_ms), []
    bench.check(bench.choose(folder), is_typed=True)
    yield at_most(
        "A key while all files are read, beside one in quiet", statistics.median(bench.keys_ms) / quiet_ms, 2, "x"
    )
    bench.close()


def _changed(bench: Bench, folder: Path) -> Iterator[Figure]:
    files = sorted(folder.rglob("*.md"))
    texts = {path: path.read_text("utf-8") for path in files[:_CHANGED]}
    others = {path: text.replace("the till", "the shop") + "\n" for path, text in texts.items()}
    one = files[_CHANGED]
    changes = (
        ("One file changes", {one: one.read_text("utf-8") + "\n"}, 2),
        (f"{_CHANGED} files change, as by another branch", others, 10),
        (f"{_CHANGED} files are as they were", texts, 1.5),
    )
    for words, written, limit_s in changes:
        bench.rest()
        for path, text in written.items():  # not in the turns that are measured
            path.write_text(text, "utf-8")
        yield at_most(words, bench.check(bench.context.project.look), limit_s, "s")
        yield at_most("  longest turn of the window meanwhile", bench.longest_ms, 16)


def _opened() -> Iterator[Figure]:
    collector = GuiGarbageCollector(QApplication.instance() or QApplication([]))
    with tempfile.TemporaryDirectory() as place:
        folder, home = Path(place, "project"), Path(place, "home")
        write_project(folder)
        for which in ("for the first time", "again"):
            bench = Bench(home)
            bench.context.settings.change(partial(replace, project_folder=""))
            bench.rest()
            named_ms, whole_ms = bench.open(folder)
            yield at_most(f"Names of {FILES:,} files, opened {which}", named_ms, 300)
            yield at_most(f"Kinds, links and findings of {FILES:,} runbooks, {which}", whole_ms / 1000, 20, "s")
            yield at_most("  longest turn of the window meanwhile", bench.longest_ms, 16)
            bench.close()
    collector.deleteLater()
    yield at_most("Memory of the window with such a project", peak_mib(), 300, "MiB")
