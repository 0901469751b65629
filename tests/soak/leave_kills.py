"""Runs at a terminal are killed while leave is asked for: the question is journaled, and nobody has answered yet.

The question is asked again, once it is answered the call is made once, and every run comes to its end.
"""

from __future__ import annotations

import contextlib
import os
import pty
import random
import select
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.soak.list_kills import ROOT
from tests.soak.written import events_in
from workbench.disk.places import HOME_VARIABLE
from workbench.engine.journal.events import RunEvent
from workbench.engine.ports import RequestKind
from workbench.engine.state.fold import fold

_DEEDS = ("one", "two", "three")
_BOOK = "# Book\n## Main\n### Steps\n" + "".join(f"- shell(\"sh -c 'echo {deed} >> effects'\")\n" for deed in _DEEDS)
_EACH = ("approval.asked", "approval.granted", "approval.used", "tool.call", "effect.result")
_PROMPT = b"y = allow"
_PATIENCE_S = 120


def asked(number: int, folder: Path) -> Iterator[str]:
    """What is wrong after *number* kills."""
    chance = random.Random(f"asked{number}")
    left, count = number, 0
    while left > 0:
        bench = Bench(folder / str(count), chance)
        left -= bench.kill_until_it_ends(left)
        yield from (f"{count}: {fault}" for fault in bench.faults())
        count += 1


class _Screen:
    """A program at a terminal of its own, which somebody reads and types at."""

    def __init__(self, folder: Path, *command: str) -> None:
        self._desk, at_program = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "workbench", *command, "--store", "store"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), HOME_VARIABLE: str(folder / "home")},
            stdin=at_program,
            stdout=at_program,
            stderr=at_program,
        )
        os.close(at_program)
        self._read = b""

    def is_over(self, wait_s: float) -> bool:
        """Whether the program has ended; reads what it has written meanwhile."""
        if select.select([self._desk], [], [], wait_s)[0]:
            with contextlib.suppress(OSError):  # nobody holds the other end any more
                self._read += os.read(self._desk, 65_536)
        return self._process.poll() is not None

    def is_asking(self) -> bool:
        """Whether the question is on the screen, and was not answered."""
        return _PROMPT in self._read

    def allow(self) -> None:
        """Answer the question."""
        self._read = b""
        os.write(self._desk, b"y\n")

    def kill(self) -> None:
        """End the program where it is."""
        self._process.kill()
        self._process.wait(_PATIENCE_S)
        os.close(self._desk)


@dataclass
class Bench:
    """One run in *folder*."""

    folder: Path
    chance: random.Random
    killed: int = 0

    def kill_until_it_ends(self, most: int) -> int:
        """Kill the run while it asks, at least once and *most* times at most, and then let it end; how often."""
        self.folder.mkdir(parents=True)
        (self.folder / "book.md").write_text(_BOOK, "utf-8")
        screen = _Screen(self.folder, "run", "book.md")
        known, deadline = 0, time.monotonic() + _PATIENCE_S
        while not screen.is_over(0.01) and time.monotonic() < deadline:
            if not known and not screen.is_asking():
                continue  # a store that is just being made is not looked into
            events = self._events()
            if len(events) == known or not _is_asked(events):
                continue
            if self.killed < most and (not self.killed or self.chance.random() < 0.6):
                time.sleep(self.chance.choice((0, 0, 0.02, 0.1)))
                screen.kill()
                self.killed += 1
                known = len(self._events())
                screen = _Screen(self.folder, "resume", events[0].run)
            elif screen.is_asking():
                known = len(events)
                screen.allow()
        screen.kill()
        return max(1, self.killed)

    def faults(self) -> Iterator[str]:
        """What happened that should not have, or did not that should have."""
        events = self._events()
        if not events or events[-1].name != "run.completed":
            yield f"it cannot end: {events[-1].name if events else 'nothing was written'}"
        path = self.folder / "effects"
        done = path.read_text("utf-8").splitlines() if path.exists() else []
        if done != list(_DEEDS):
            yield f"it has done {done}"
        names = Counter(event.name for event in events)
        yield from (f"{name}: {names[name]} times" for name in _EACH if names[name] != len(_DEEDS))
        if names["run.resumed"] != self.killed:
            yield f"it was killed {self.killed} times, and went on {names['run.resumed']} times"

    def _events(self) -> tuple[RunEvent, ...]:
        return events_in(self.folder / "store")


def _is_asked(events: tuple[RunEvent, ...]) -> bool:
    pending = fold(events).pending if events else None
    return pending is not None and pending.kind is RequestKind.APPROVE
