"""LangGraph with its SQLite saver, in an environment of its own: a graph whose one node is gone through many times.

Prints JSON.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 500


class Counted(TypedDict):
    """The state of the graph."""

    number: int


def one_more(state: Counted) -> dict[str, int]:
    """A step."""
    return {"number": state["number"] + 1}


def saver_in(folder: Path) -> AbstractContextManager[SqliteSaver]:
    """What keeps the state of runs in *folder*."""
    return SqliteSaver.from_conn_string(str(folder / "runs.sqlite"))


def graph_of(steps: int, saver: SqliteSaver) -> Any:
    """A graph that goes through its node *steps* times."""
    builder = StateGraph(Counted)
    builder.add_node("one_more", one_more)
    builder.add_edge(START, "one_more")
    builder.add_conditional_edges("one_more", lambda state: "one_more" if state["number"] < steps else END)
    return builder.compile(checkpointer=saver)


def ran_ms(steps: int, saver: SqliteSaver) -> float:
    """How long a run of *steps* steps takes."""
    start = time.perf_counter()
    config = {"configurable": {"thread_id": f"counting {steps}"}, "recursion_limit": steps + 10}
    if graph_of(steps, saver).invoke({"number": 0}, config)["number"] != steps:
        raise RuntimeError("the graph came to something else")
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, saver_in(Path(folder)) as kept:
        ran_ms(20, kept)
        print(json.dumps({"step_ms": ran_ms(STEPS, kept) / STEPS}))
