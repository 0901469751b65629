"""``python -m tests.soak.doing CHOICE``: begins or resumes the run in this folder, with tools that leave traces.

*CHOICE*: what is said of a call in doubt. Each event is told by a line.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.core.steplist_cutting import Model, World, deed, ended
from tests.soak.list_kills import told
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import CallResolved, ToolCalled
from workbench.engine.options import RunOptions
from workbench.engine.ports import InDoubtChoice
from workbench.engine.starting import resume_run, start_run
from workbench.engine.steplists.walking import Tool
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText


class TracedWorld(World):
    """A world in which every deed leaves a line in a file."""

    def tool(self, name: str) -> Tool:
        """A tool that leaves a trace."""
        use = super().tool(name)

        def traced(arguments: Mapping[str, Any]) -> Any:
            with Path("effects").open("a", encoding="utf-8") as file:
                file.write(f"{deed(name, arguments)}\n")
            return use(arguments)

        return traced


def main() -> None:
    """Carry out the run."""
    choice = InDoubtChoice(sys.argv[1])
    journal = Journal(Path("store") / "runs.sqlite")
    before = journal.runs()
    if before:
        events = journal.check(before[-1].id)
        world = TracedWorld([*ended(events), *_said_to_be_done(events)])
        if choice is InDoubtChoice.DONE:
            world.done += _open(events)
        run = resume_run(before[-1].id, journal, Model(world), RunOptions(in_doubt=choice))
    else:
        text = SourceText.decode(Path("list.yaml").read_bytes())
        run = start_run(derive(text), journal, Model(TracedWorld()), RunOptions())
    is_over = False
    while not is_over:
        is_over = run.wait(0.005)
        for event in run.drain():
            print(told(event), flush=True)
    journal.close()


def _said_to_be_done(events: tuple[RunEvent, ...]) -> list[str]:
    calls = {event.span: event.payload for event in events if isinstance(event.payload, ToolCalled)}
    return [
        deed(calls[event.span].tool, {})
        for event in events
        if isinstance(event.payload, CallResolved) and event.payload.how is InDoubtChoice.DONE
    ]


def _open(events: tuple[RunEvent, ...]) -> list[str]:
    """The deed of the call that is in doubt."""
    calls = {event.span: event.payload for event in events if isinstance(event.payload, ToolCalled)}
    over = {
        event.span
        for event in events
        if event.name in ("effect.result", "effect.error")
        or (isinstance(event.payload, CallResolved) and event.payload.how is not InDoubtChoice.AGAIN)
    }
    return [deed(call.tool, {}) for span, call in calls.items() if span not in over]


if __name__ == "__main__":
    main()
