"""Random programs in which a step fails, and that go on with another text: what must hold of each."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.core.engine_driver import finished
from tests.core.forks import Agreeable, random_program
from tests.core.steplist_cutting import IN_MEMORY
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import StepEntered, StepExited
from workbench.engine.options import RunOptions
from workbench.engine.scripts import parse_script
from workbench.engine.starting import new_run_id, resume_run, start_run
from workbench.engine.state.fold import fold
from workbench.model.snapshot import derive
from workbench.planning.deviation.carrying import against, going_on, plan_going_on
from workbench.planning.deviation.watching import Watch
from workbench.syntax.text import SourceText

_OPTIONS = RunOptions(max_steps=3_000)


class Failing(Agreeable):
    """Agreeable, but that the call of the tool with the number *at* fails."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self._script = parse_script(f"tools: {{Weather: 3}}\nfailures: {{Weather: {{'{at}': no network}}}}")


def check_going_on(chance: random.Random) -> list[str] | None:
    """What is wrong where a random program goes on with a text in which the step that failed calls nothing any more.

    None where nothing failed in it.
    """
    snapshot, journal = random_program(chance, jumps=("", "", "continue", "break")), Journal(IN_MEMORY)
    whole = finished(start_run(snapshot, journal, Failing(chance.randint(1, 3)), _OPTIONS), journal)
    watch, found = Watch(snapshot), None
    for event in whole.events:
        found = watch.take(event) or found
    if found is None or "no network" not in found.actual:
        journal.close()
        return None
    lines = snapshot.text.split("\n")
    step = snapshot.at_address(found.step)
    assert step is not None
    at = snapshot.line(step.id) - 1
    lines[at] = lines[at].replace("Weather($a)", "3")
    text = derive(SourceText("\n".join(lines)))
    faults = [f"it is refused: {each}" for each in against(journal, whole.run.id, found.step, text)]
    if (
        faults and step.children
    ):  # two steps with the same words below a head that is another: nobody knows which is which
        journal.close()
        return None
    if not faults:
        name = new_run_id()
        run = going_on(journal, plan_going_on(journal, whole.run.id, found.step, text), name)
        begun = journal.read(run)
        again = finished(resume_run(run, journal, Agreeable()), journal)
        faults += _faults(whole.events, begun, again.events)
    journal.close()
    return [f"{snapshot.text!r} at {found.step}: {fault}" for fault in faults]


def _faults(before: Sequence[RunEvent], begun: Sequence[RunEvent], after: Sequence[RunEvent]) -> list[str]:
    """What of a step that had been finished was done again, and which of its variables are others."""
    cut = len(begun) - 1
    spans = {each.span for each in before[:cut] if isinstance(each.payload, StepExited)}
    again = [each.step for each in after[len(begun) :] if isinstance(each.payload, StepEntered) and each.span in spans]
    faults = [f"{step} is carried out again" for step in again]
    if fold(begun).agents != fold(before[:cut]).agents:
        faults.append("variables are others")
    if [each.payload for each in after[:cut]] != [each.payload for each in before[:cut]]:
        faults.append("what was done is told otherwise")
    return faults
