"""Which step of the document an address of a run means, and the other way round."""

from __future__ import annotations

from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot


class RunSteps:
    """The steps of one run, whose ids are those of *snapshot*; None: the document is no longer what ran."""

    def __init__(self, snapshot: Snapshot | None = None) -> None:
        self._snapshot = snapshot

    def id_of(self, address: str) -> StepId | None:
        """The step at *address*."""
        step = self._snapshot.at_address(address) if self._snapshot is not None and address else None
        return step.id if step is not None else None

    def address_of(self, step: StepId) -> str:
        """The address of *step* in the run, empty where it had none."""
        return self._snapshot.address(step) if self._snapshot is not None and self._snapshot.has(step) else ""


def steps_of_run(ran: Snapshot | None, document: Snapshot) -> RunSteps:
    """The steps of a run of the text *ran*, as far as they can be told in *document*.

    Ids live as long as a document is open; across that, equal texts have equal addresses.
    """
    is_same = ran is not None and ran.text == document.text
    return RunSteps(document if is_same else None)
