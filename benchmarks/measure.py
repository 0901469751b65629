"""Medians of CPU time, and how they are printed."""

from __future__ import annotations

import gc
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure. *target*: the bound to reach, as it is printed; *is_met*: None where there is none."""

    name: str
    value: float
    unit: str = "ms"
    target: str = ""
    is_met: bool | None = None

    def __str__(self) -> str:
        mark = {None: "", True: "reached", False: "MISSED"}[self.is_met]
        amount = f"{self.value:,.2f}" if self.value < 100 else f"{self.value:,.0f}"
        return f"  {self.name:<66} {amount:>12} {self.unit:<9} {self.target:<16} {mark}".rstrip()


def at_most(name: str, value: float, limit: float, unit: str = "ms") -> Figure:
    """A figure that should not exceed *limit*."""
    return Figure(name, value, unit, f"< {limit:g} {unit}", value < limit)


def at_least(name: str, value: float, limit: float, unit: str = "x") -> Figure:
    """A figure that should reach *limit*."""
    return Figure(name, value, unit, f">= {limit:,g} {unit}", value >= limit)


def cpu_ms(
    work: Callable[[], object],
    repeats: int = 7,
    before: Callable[[], object] | None = None,
    clock: Callable[[], int] = time.process_time_ns,
) -> float:
    """Median CPU time of *work*, in milliseconds; garbage is collected between, not during, and so is *before* done.

    *clock*: of all threads, or with ``time.thread_time_ns`` of this one.
    """
    times: list[float] = []
    for _repeat in range(repeats):
        gc.collect()
        if before is not None:
            before()
        gc.disable()
        start = clock()
        work()
        times.append((clock() - start) / 1e6)
        gc.enable()
    return statistics.median(times)


def frame_ms(work: Callable[[], object], repeats: int) -> float:
    """Median CPU time of one of many frames that follow each other as in a gesture, in milliseconds."""
    times: list[float] = []
    gc.collect()
    for _repeat in range(repeats):
        start = time.process_time_ns()
        work()
        times.append((time.process_time_ns() - start) / 1e6)
    return statistics.median(times)


def peak_mib() -> float:
    """The most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def resident_mib() -> float:
    """The memory that this process has now, in MiB; garbage is collected first."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def child_cpu_ms(command: Sequence[str], repeats: int = 3, env: dict[str, str] | None = None) -> float:
    """Median CPU time of a child process, user and system, in milliseconds."""
    return statistics.median(_child_ms(command, env) for _repeat in range(repeats))


def child_ratio(command: Sequence[str], other: Path, repeats: int, env: dict[str, str]) -> float:
    """How many times the CPU time *command* takes here of what it takes in the folder *other*, run by turns."""
    pairs = [(_child_ms(command, env), _child_ms(command, env, other)) for _repeat in range(repeats)]
    here, there = (statistics.median(times) for times in zip(*pairs, strict=True))
    return here / there


def _child_ms(command: Sequence[str], env: dict[str, str] | None, folder: Path | None = None) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, check=True, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000
