"""Runs of playbooks whose Python leaves traces are killed, resumed, killed again, and gone on with to their end.

Nothing may happen twice but what was said to be done again, nothing may be lost but what was said to be done or
skipped, and every run must come to its end.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import DATA
from tests.core.cutting import Whole, all_cuts, check_cut, faults_of, run_whole
from tests.loaded import Program, start
from workbench.disk.places import HOME_VARIABLE
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.state.fold import fold
from workbench.resources import sample_playbooks

_LANGUAGE = DATA / "language"
_CHOICES = ("done", "again", "skip")
_MOST_RESUMES = 40
_PATIENCE_S = 120


def plain(number: int, folder: Path) -> Iterator[str]:
    """What is wrong after *number* kills of runs whose calls follow each other."""
    return _killed(number, folder, _LANGUAGE / "plain.md")


def nested(number: int, folder: Path) -> Iterator[str]:
    """What is wrong after *number* kills of runs whose Python calls back."""
    return _killed(number, folder, _LANGUAGE / "nested.md")


def leave(number: int, folder: Path) -> Iterator[str]:
    """What is wrong after *number* kills of runs whose calls ask for leave."""
    return _killed(number, folder, _LANGUAGE / "leave.md")


def planned(number: int, folder: Path) -> Iterator[str]:
    """What is wrong after *number* kills of runs that have plans made and carry them out."""
    return _killed(number, folder, _LANGUAGE / "planned.md")


def cuts(number: int, folder: Path) -> Iterator[str]:
    """What is wrong where runs are cut off between any two events, at most *number* times each."""
    names = ("market-stall.md", "nested.md", "counter.md", "plain.md", "leave.md", "help-desk.md")
    for file in (*sample_playbooks(), *(_LANGUAGE / name for name in names)):
        whole = run_whole(file, folder / file.stem / "whole")
        for count, cut in enumerate(all_cuts(whole)[:number]):
            try:
                check_cut(whole, cut, folder / file.stem / str(count))
            except AssertionError as problem:
                yield f"{file.name}: {problem}"


def machines(number: int, folder: Path) -> Iterator[str]:
    """What is wrong after *number* kills of runs that two machines with one store take over from each other."""
    for shared in ("yes", "no"):
        for name in ("plain.md", "nested.md"):
            whole = run_whole(_LANGUAGE / name, folder / f"{shared}-{name}" / "whole")
            poses = [("tests.soak.as_machine", machine, shared) for machine in ("one", "two")]
            yield from _kill(max(1, number // 4), folder / f"{shared}-{name}", whole, poses)


def _killed(number: int, folder: Path, file: Path) -> Iterator[str]:
    return _kill(number, folder, run_whole(file, folder / "whole"), [("workbench",)])


def _kill(number: int, folder: Path, whole: Whole, poses: list[tuple[str, ...]]) -> Iterator[str]:
    """Kill *number* times; *poses*: the programs that take turns."""
    left = number
    for count in range(number):
        if left > 0:
            bench = Bench(folder / str(count), whole, poses, random.Random(f"{folder.name}{count}"))
            left -= bench.kill(left)
            yield from (f"{bench.folder.name}: {fault}" for fault in bench.faults())


@dataclass(frozen=True, slots=True)
class Bench:
    """One run, in *folder*."""

    folder: Path
    whole: Whole
    poses: list[tuple[str, ...]]
    chance: random.Random

    def kill(self, most: int) -> int:
        """Kill the run and what goes on with it, until it is over; how often that was, *most* at most."""
        self.folder.mkdir(parents=True)
        (self.folder / "book.md").write_bytes(self.whole.snapshot.source.encode())
        started: tuple[str, ...] = ("run", "book.md", "--trust", "--json", "--store", "store")
        if self.whole.script:
            (self.folder / "answers.yaml").write_text(self.whole.script, "utf-8")
            started = (*started, "--script", "answers.yaml")
        killed = self._kill_in_the_middle(self._program(0, *started))
        for turn in range(1, _MOST_RESUMES):
            state = self._state()
            if state is None:
                self._finish(self._program(turn, *started))
                break
            if state in {RunStatus.COMPLETED, RunStatus.FAILED}:
                break
            resumed = self._program(turn, *self._resume(len(self.poses) > 1))
            is_killed = killed < most and self.chance.random() < 0.4
            killed += self._kill_in_the_middle(resumed) if is_killed else self._finish(resumed)
        return killed

    def faults(self) -> list[str]:
        """What happened that should not have, or did not that should have."""
        state = fold(self._events())
        if not state.is_over:
            return [f"it cannot end: {state.status.value}"]
        return faults_of(self.whole, self._events(), self.folder)

    def _resume(self, is_careful: bool) -> tuple[str, ...]:  # noqa: FBT001 - of two machines nobody says “again”
        choice = self.chance.choice(_CHOICES[::2] if is_careful else _CHOICES)
        value = ("--value", "null") if choice == "done" else ()
        return "resume", self._run(), "--trust", "--json", "--store", "store", "--in-doubt", choice, *value

    def _program(self, turn: int, *arguments: str) -> Program:
        pose = self.poses[turn % len(self.poses)]
        environment = {**os.environ, HOME_VARIABLE: str(self.folder / "home")}
        return start((*pose, *arguments), self.folder, environment)

    def _kill_in_the_middle(self, program: Program) -> int:
        """Kill *program* a moment after one of its events, every other time with its Python."""
        for _event in range(self.chance.randint(1, len(self.whole.events))):
            if not program.stdout.readline():
                break
        time.sleep(self.chance.uniform(0, 0.03))
        python = _descendants(program.pid) if self.chance.random() < 0.5 else []
        for process in (program.pid, *python):
            _kill_process(process)
        program.communicate()
        return 1

    def _finish(self, program: Program) -> int:
        program.communicate(timeout=_PATIENCE_S)
        return 0

    def _run(self) -> str:
        journal = Journal(self.folder / "store" / "runs.sqlite")
        try:
            return journal.runs()[-1].id
        finally:
            journal.close()

    def _state(self) -> RunStatus | None:
        """How far the run is, None where it was killed before it was written down."""
        events = self._events()
        return fold(events).status if events else None

    def _events(self) -> tuple[RunEvent, ...]:
        if not (self.folder / "store" / "runs.sqlite").exists():
            return ()
        journal = Journal(self.folder / "store" / "runs.sqlite")
        try:
            found = journal.runs()
            return journal.read(found[-1].id) if found else ()
        finally:
            journal.close()


def _kill_process(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
        os.kill(pid, signal.SIGKILL)


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(child) for child in task.read_text("ascii").split()]
        except OSError:
            continue  # the thread has ended
        for child in children:
            found += [child, *_descendants(child)]
    return found
