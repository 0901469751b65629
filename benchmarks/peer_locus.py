"""locus-sdk in an environment of its own: loading step lists and checking calls. Prints JSON."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from locus.playbooks import PlaybookEnforcer, PlaybookPlan, load_playbook


def _cpu_s(work: Callable[[], object], repeats: int) -> float:
    times = []
    for _repeat in range(repeats):
        start = time.process_time_ns()
        work()
        times.append((time.process_time_ns() - start) / 1e9)
    return statistics.median(times)


def _per_second(enforcer: PlaybookEnforcer, tool: str, count: int = 9_000) -> float:
    def ask() -> None:
        for _round in range(count):
            enforcer.validate_tool_call(tool)

    return count / _cpu_s(ask, 3)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    figures: dict[str, float] = {}
    for size in (10, 100, 1_000):
        path = folder / f"{size}.yaml"
        figures[f"load {size}"] = _cpu_s(lambda path=path: load_playbook(path), 3) * 1000
    playbook = load_playbook(folder / "1000.yaml")
    figures["allowed"] = _per_second(PlaybookEnforcer(plan=PlaybookPlan(playbook=playbook)), "read")
    # violations pile up without a limit there, so fewer are asked for
    figures["blocked"] = _per_second(PlaybookEnforcer(plan=PlaybookPlan(playbook=playbook)), "nothing", 5_000)
    enforcer = PlaybookEnforcer(plan=PlaybookPlan(playbook=playbook))
    figures["summary"] = _cpu_s(enforcer.get_step_summary, 20) * 1000
    print(json.dumps(figures))
