"""From starting the process to the first painted window, in CPU time of the process.

``BEFORE=FOLDER make bench``, with an earlier checkout in FOLDER, also tells how many times of that it is.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Figure, at_most, child_cpu_ms, child_ratio
from workbench.resources import sample_playbooks


def figures() -> Iterator[Figure]:
    """All figures of this part."""
    with tempfile.TemporaryDirectory() as home:
        environment = _environment(home)
        leave = [sys.executable, "-m", "benchmarks.open_and_leave"]
        for compiling in ([sys.executable, "-m", "workbench", "--version"], leave):
            child_cpu_ms(compiling, 1, environment)
        command = child_cpu_ms([sys.executable, "-m", "workbench", "--version"], 5, environment)
        window = child_cpu_ms(leave, 5, environment)
        sample = child_cpu_ms([*leave, str(sample_playbooks()[0])], 5, environment)
        before = os.environ.get("BEFORE")
        ratios = _ratios(Path(before).resolve(), leave, environment) if before else []
    yield Figure("command line: workbench --version", command)
    yield at_most("process start to the first painted window", window, 800)
    yield Figure("the same with a sample open", sample)
    yield from ratios


def _ratios(earlier: Path, leave: list[str], environment: dict[str, str]) -> list[Figure]:
    """The same, and a check, beside those of the version in the folder *earlier*, by turns in one run."""
    check = [sys.executable, "-m", "workbench", "check", str(sample_playbooks()[0])]
    started, checked = (child_ratio(command, earlier, 21, environment) for command in (leave, check))
    return [
        at_most("start to the window, beside the version before", started, 1.03, "x"),
        at_most("workbench check, beside the version before", checked, 1.03, "x"),
    ]


def _environment(home: str) -> dict[str, str]:
    """No display, a home of its own, and compiled modules as after the first start."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    own = {"WORKBENCH_HOME": home, "QT_QPA_PLATFORM": "offscreen", "PYTHONPYCACHEPREFIX": f"{home}/compiled"}
    return {**inherited, **own}
