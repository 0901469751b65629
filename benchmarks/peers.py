"""What others need for the same work, in an environment of their own, measured in the same run.

The environments are made on first use (in ``.venv-peers``); where a peer cannot be installed, its
figures are left out and the report says so.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import bench_canvas
from benchmarks.bench_core import layout_ms, measured_layout_ms, reading_ms, scan_ms
from benchmarks.bench_engine import journaled_steps_per_second
from benchmarks.documents import playbook_text
from benchmarks.measure import Figure, at_least, at_most, child_cpu_ms
from workbench.model.flow import flow_of_program
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

_HERE = Path(__file__).resolve().parent
_VENVS = _HERE.parent / ".venv-peers"
_COUNTS = (500, 1_000)
_DURABLE_STEPS = 500
_FAR = ("call", "jump")
"""Edges across the whole picture, with which dot needs minutes."""
_SHARED = "shared"
_PACKAGES = {
    _SHARED: (
        "NodeGraphQt==0.6.44",
        "locus-sdk==3.0.1",
        "PyYAML>=6",
        "PySide6-Essentials>=6.8,<6.12",
        "markdown-it-py>=4,<5",
        "numpy>=2,<3",
        "pyqtgraph==0.13.7",
    ),
    "dbos": ("dbos>=3.4,<4",),
    "langgraph": ("langgraph>=1.2,<2", "langgraph-checkpoint-sqlite>=3.1,<4"),
}
"""Of each environment; those that would not agree on versions have one of their own."""


def peer_python(name: str = _SHARED) -> str | None:
    """The interpreter of the environment *name*, made where it is missing; None where that fails."""
    folder = _VENVS / name
    python, stamp = folder / "bin" / "python", folder / "packages.txt"
    wanted = "\n".join(_PACKAGES[name])
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return str(python)
    made = python.exists() or subprocess.run([sys.executable, "-m", "venv", str(folder)], check=False).returncode == 0
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *_PACKAGES[name]]
    if not made or subprocess.run(pip, check=False).returncode:
        return None
    stamp.write_text(wanted, encoding="utf-8")
    return str(python)


def _by_hand(name: str) -> str:
    """How to see why the environment *name* could not be made."""
    packages = " ".join(f"'{each}'" for each in _PACKAGES[name])
    return f"Try: {_VENVS / name}/bin/python -m pip install {packages}"


def figures() -> Iterator[Figure]:
    """All comparisons, each beside our own figure of the same minute."""
    python = peer_python()
    if python is None:
        print(f"  NodeGraphQt and markdown-it-py could not be installed: no comparison with them. {_by_hand(_SHARED)}")
    else:
        yield from _markdown_it(python)
        yield from _node_graph(python)
    yield from _dot()
    yield from _durable()


def _durable() -> Iterator[Figure]:
    """Steps whose state is kept in SQLite after each of them: ours, and those of two others that do so."""
    ours = 1000 / journaled_steps_per_second()
    yield at_most("one step, journaled with all its events", ours, 0.5)
    for name, words in (("dbos", "DBOS"), ("langgraph", "LangGraph's SQLite saver")):
        python = peer_python(name)
        if python is None:
            print(f"  {words} could not be installed: no comparison with it. {_by_hand(name)}")
            continue
        theirs: float = _json(python, f"peer_{name}.py", str(_DURABLE_STEPS))["step_ms"]
        yield Figure(f"{words}: one step", theirs)
        yield Figure(f"a step, times as fast as {words}", theirs / ours, "x")


def _markdown_it(python: str) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "playbook.md"
        path.write_text(playbook_text(1_000), encoding="utf-8")
        theirs: float = _json(python, "peer_markdown.py", str(path))["parse"]
    yield Figure("markdown-it-py: parse, 1,000 steps", theirs)
    yield at_least("scan, times as fast as markdown-it-py", theirs / scan_ms(1_000), 20)
    yield Figure("scan and read every item, times as fast as markdown-it-py", theirs / reading_ms(1_000), "x")


def _node_graph(python: str) -> Iterator[Figure]:
    canvas = bench_canvas.results(_COUNTS)
    targets = {"open": 10, "zoom at fit-all": 100, "pan at fit-all": 25}
    theirs = _json(python, "peer_nodegraph.py")
    for count in _COUNTS:
        for name, factor in targets.items():
            value = theirs[str(count)][name]
            yield Figure(f"NodeGraphQt: {name}, {count:,} nodes", value)
            yield at_least(f"{name}, {count:,} steps, times as fast", value / canvas[count][name], factor)
        value = theirs[str(count)]["pan"]
        yield Figure(f"NodeGraphQt: pan at 100 %, {count:,} nodes", value)
        yield Figure(f"pan at 100 %, {count:,} steps, times as fast", value / canvas[count]["pan"], "x")


def _json(python: str, script: str, *arguments: str) -> Any:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [python, str(_HERE / script), *arguments]
    done = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout.splitlines()[-1])


def peer_json(script: str, *arguments: str) -> Any:
    """What the benchmark *script* of a peer prints, or None where the peers cannot be installed."""
    python = peer_python()
    return _json(python, script, *arguments) if python is not None else None


def _dot() -> Iterator[Figure]:
    """Graphviz on the same flow graph: with the orthogonal edges that ours has, and with its own curves."""
    if shutil.which("dot") is None:
        print("  Graphviz is not installed: no comparison with dot. On Debian: sudo apt-get install graphviz")
        return
    alike, own = _dot_ms("splines=ortho", 1), _dot_ms("", 3)
    yield Figure("Graphviz dot: layout with orthogonal edges, 1,000 steps", alike)
    yield at_least("lay out and make every box and edge, times as fast as dot", alike / layout_ms(1_000), 100)
    yield Figure("Graphviz dot: layout with curves, 1,000 steps", own)
    yield Figure("lay out and make every box and edge, times as fast", own / layout_ms(1_000), "x")
    yield Figure("lay out as the window does, times as fast", own / measured_layout_ms(1_000), "x")


def _dot_ms(settings: str, repeats: int) -> float:
    graph = flow_of_program(derive(SourceText(playbook_text(1_000))))
    names = {node: f"n{index}" for index, node in enumerate(graph)}
    near = [edge for edge in graph.edges(data="kind") if edge[2] not in _FAR]
    edges = "\n".join(f"{names[first]} -> {names[second]}" for first, second, _kind in near)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "flow.dot"
        source.write_text(f"digraph {{ {settings} node [shape=box width=2.5]\n{edges}\n}}", encoding="utf-8")
        return child_cpu_ms(["dot", "-Tplain", str(source), "-o", os.devnull], repeats)
