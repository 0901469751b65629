"""Ids stay unique when what was deleted comes back by undo, and equal words are written afterwards."""

from __future__ import annotations

from workbench.editing.commands import DeleteSteps, DuplicateSteps
from workbench.editing.document import Document


def test_a_copy_never_takes_the_id_of_a_step_that_undo_brought_back() -> None:
    document = Document.from_text("# A\n## M\n### Steps\n- a\n")
    step = document.snapshot.program.playbooks[0].steps[0].id
    document.execute(DeleteSteps((step,)))
    document.undo()
    document.execute(DuplicateSteps((step,)))
    ids = [each.id for each in document.snapshot.program.playbooks[0].steps]
    assert ids[0] == step
    assert len(set(ids)) == 2
