"""DBOS with its SQLite database, in an environment of its own: one workflow of many small steps. Prints JSON."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from dbos import DBOS

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 500


@DBOS.step()
def one_more(number: int) -> int:
    """A step."""
    return number + 1


@DBOS.workflow()
def counting(steps: int) -> int:
    """A workflow of *steps* steps."""
    number = 0
    for _step in range(steps):
        number = one_more(number)
    return number


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        DBOS(config={"name": "counting", "system_database_url": f"sqlite:///{Path(folder) / 'runs.sqlite'}"})
        DBOS.launch()
        counting(20)
        start = time.perf_counter()
        if counting(STEPS) != STEPS:
            raise RuntimeError("the workflow came to something else")
        print(json.dumps({"step_ms": (time.perf_counter() - start) * 1000 / STEPS}))
        DBOS.destroy()
