"""Step lists: loading, checks per second, and the summary of a plan; beside locus-sdk in the same run."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Figure, at_least, cpu_ms, frame_ms
from benchmarks.peers import peer_json
from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.model.loader.loading import load_playbook

_SIZES = (10, 100, 1_000, 10_000)
_STEP = """- id: step-{n}
  description: Does what step {n} of this list is for
  expected_tools: [read, write]
  hints:
    - Look before you write
    - Say what you did
  max_tool_calls: 30000
  validation: {{min_tool_calls: 1}}
"""


def figures() -> Iterator[Figure]:
    """All figures of this part."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for size in _SIZES:
            (folder / f"{size}.yaml").write_text(_text(size), encoding="utf-8")
        ours = {size: cpu_ms(lambda size=size: load_playbook(folder / f"{size}.yaml"), 3) for size in _SIZES}
        for size, value in ours.items():
            yield Figure(f"load YAML, {size:,} steps", value)
        allowed, blocked = _checks(folder, "read", 9_000), _checks(folder, "nothing", 5_000)
        yield Figure("checks per second, allowed", allowed, "/s")
        yield Figure("checks per second, blocked", blocked, "/s")
        small, large = _summary_us(folder, 100), _summary_us(folder, 10_000)
        yield Figure("plan summary, 10,000 steps", large, "µs")
        yield Figure("plan summary, 10,000 steps, times as long as for 100", large / small, "x")
        theirs = peer_json("peer_locus.py", str(folder))
        if theirs is None:
            print("  locus-sdk could not be installed: no comparison with it")
            return
        for size in (10, 100, 1_000):
            yield Figure(f"locus-sdk: load YAML, {size:,} steps", theirs[f"load {size}"])
        yield at_least("load YAML, 1,000 steps, times as fast as locus-sdk", theirs["load 1000"] / ours[1_000], 5)
        yield at_least("checks, allowed, times as fast as locus-sdk", allowed / theirs["allowed"], 1)
        yield at_least("checks, blocked, times as fast as locus-sdk", blocked / theirs["blocked"], 1)


def _text(size: int) -> str:
    steps = "".join(_STEP.format(n=number) for number in range(size))
    return f"id: list\nname: List\nsteps:\n{steps}"


def _checks(folder: Path, tool: str, count: int) -> float:
    """Checks per second, measured as ``peer_locus`` does; fewer in all than the list allows."""
    enforcer = PlaybookEnforcer(PlaybookPlan(load_playbook(folder / "1000.yaml")))

    def ask() -> None:
        for _round in range(count):
            enforcer.validate_tool_call(tool)

    return count / frame_ms(ask, 3) * 1000


def _summary_us(folder: Path, size: int) -> float:
    plan = PlaybookPlan(load_playbook(folder / f"{size}.yaml"))
    return cpu_ms(lambda: [plan.summary() for _round in range(100)], 5) * 10
