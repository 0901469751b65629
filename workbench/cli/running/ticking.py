"""Ticks the boxes of a checklist for what a run has done: ``workbench run FILE --tick``."""

from __future__ import annotations

from pathlib import Path

from workbench.cli.reading import kind_of_file
from workbench.cli.terminal import complain
from workbench.editing.commands import Refusal, TickSteps
from workbench.editing.document import Document
from workbench.engine.journal.journal import Journal
from workbench.engine.running.run import Run
from workbench.errors import WorkbenchError
from workbench.i18n import _
from workbench.planning import boxes_done


def tick(run: Run, journal: Journal) -> None:
    """Tick the boxes in the file of *run* whose steps were done; say why where that cannot be."""
    path = Path(run.state.origin.path)
    try:
        document = Document.open(path, wanted=kind_of_file(path))
        steps = boxes_done(journal.read(run.id), run.snapshot, document.snapshot)
        outcome = document.execute(TickSteps(steps, True)) if steps else None
        if isinstance(outcome, Refusal):
            complain(outcome.message)
        elif document.is_dirty:
            document.save()
    except WorkbenchError as error:
        complain(_("The boxes were not ticked. {reason}").format(reason=error))
