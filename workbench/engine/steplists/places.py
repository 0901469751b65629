"""Where the steps of a step list stand: their addresses, lines and spans, as the events of a run name them."""

from __future__ import annotations

from workbench.engine.decider import Where
from workbench.model.loader.steplist import Playbook
from workbench.model.meaning import StepListEntry
from workbench.model.snapshot import Snapshot

LIST_SPAN = "list"


WHOLE_LIST = Where(span=LIST_SPAN)


class StepListPlaces:
    """The places of all steps. Spans follow from the order of the steps, so that they are the same after a resume.

    *order*: the ids in that order, where it is not that of *playbook*: a fork may go on with another list.
    """

    def __init__(self, playbook: Playbook, snapshot: Snapshot, order: tuple[str, ...] = ()) -> None:
        self._playbook = playbook
        ids = order or tuple(step.id for step in playbook.steps)
        self._numbers = {step_id: number for number, step_id in enumerate(ids, 1)}
        self._found = _found_in(snapshot)
        in_text = snapshot.program.playbooks
        self.name = in_text[0].name if in_text else playbook.name

    def of(self, step_id: str | None) -> Where:
        """The place of a step; of the whole list where there is no such step."""
        index = self._playbook.get_step_index(step_id) if step_id else None
        if step_id is None or index is None:
            return WHOLE_LIST
        address, line = self._found.get(step_id, (f"{self.name}:{index + 1:02d}", 0))
        return Where(address, line, f"step{self._numbers[step_id]}", LIST_SPAN)


def _found_in(snapshot: Snapshot) -> dict[str, tuple[str, int]]:
    """Address and line of each step of the text, by the id that it has there."""
    roots = [root for playbook in snapshot.program.playbooks for part in playbook.sections for root in part.steps]
    found: dict[str, tuple[str, int]] = {}
    for step in (step for root in roots for step in root.walk()):
        if isinstance(step.meaning, StepListEntry) and step.meaning.step is not None:
            found.setdefault(step.meaning.step.id, (snapshot.address(step.id), snapshot.line(step.id)))
    return found
