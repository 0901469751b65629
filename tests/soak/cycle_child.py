"""One cycle in a process of its own, which others kill: ``python -m tests.soak.cycle_child FOLDER [RUN]``.

It is judged by a script, carries its playbook out, which is looked at once and whose tool fails at first, and writes
down each call of a tool.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tests.core.cycle_driver import LOAD, PAY, decides, says
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.ports import Answer
from workbench.engine.scripts import Script, ScriptedAnswer, parse_script
from workbench.errors import RunFailed
from workbench.planning.cycle import Means, begin, resume
from workbench.planning.deviation.carrying import RunHands
from workbench.planning.request import PlanRequest
from workbench.planning.shelf.keeping import ShelfHands

PLAN = {
    "title": "Refund",
    "description": "",
    "steps": [
        {"intent": "a", "call": "LoadOrder", "arguments": {"id": "A-1"}, "result": "found"},
        {"intent": "b", "call": "PayBack", "arguments": {"id": "A-1"}},
    ],
    "returns": "$found",
}
_COUNTED = "".join(f"- $n{at} = {at}\n" for at in range(4))  # so many that somebody looks at the run
_HEAD = f'# Refund\n\n## Main()\n\n### Steps\n\n- $found = LoadOrder(id="A-1")\n{_COUNTED}'
OTHER = f'{_HEAD}- Tell user "by hand"\n- Return $found\n'


class World(ScriptBackend):
    """Tools of which each call is written down before it gives anything."""

    def __init__(self, folder: Path) -> None:
        super().__init__(parse_script("tools: {LoadOrder: 120, PayBack: 5}"))
        self._deeds = folder / "deeds.txt"

    def tool_result(self, name: str) -> Any:
        """What *name* gives; paying fails."""
        with self._deeds.open("a", encoding="utf-8") as deeds:
            deeds.write(f"{name}\n")
        if name == "PayBack":
            raise RunFailed("the bank is closed")
        return super().tool_result(name)


def answers() -> tuple[ScriptedAnswer, ...]:
    """All that the script says."""
    text = says(2, text=OTHER.replace('Tell user "by hand"', 'PayBack(id="A-1")'))
    wrong = says(2, text=str(dict(text.answer.values)["text"]).replace("LoadOrder", "LodOrder"))
    right = ScriptedAnswer("Cycle:03", text.answer)
    looked = says(6, verdict="ok")
    yes = ScriptedAnswer("Cycle:06", Answer(decision=True))
    return (says(1, plan=PLAN), wrong, right, decides(True), looked, says(6, how="rest"), says(6, text=OTHER), yes)


def main(folder: Path, name: str) -> None:
    """Begin a cycle, or go on with the one called *name*."""
    journal = Journal(folder / "runs.sqlite")
    means = Means(RunHands(journal, lambda _events: World(folder), ShelfHands(folder / "shelf.sqlite", "ada", folder)))
    backend = ScriptBackend(Script(answers()))
    if name:
        events: tuple[RunEvent, ...] = journal.check(RunId(name))
        backend.catch_up(events)
        run = resume(RunId(name), journal, backend, means)
    else:
        request = PlanRequest("Refund", offers=(LOAD, PAY), is_free=True, is_run=True, looks=1)
        run = begin(request, journal, backend, means)
    run.wait()
    if run.halt is not None:
        print(run.halt)
    journal.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
