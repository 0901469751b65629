"""Which step the view holds on to in an edit, so that nothing jumps that the edit did not move."""

from __future__ import annotations

from workbench.editing.change import DocumentChange
from workbench.gui.canvas.view.camera import Anchor
from workbench.model.program import StepId
from workbench.syntax.change import changed_window


def standing(change: DocumentChange, anchor: Anchor) -> Anchor:
    """The places of *anchor*, those first that *change* leaves where they are.

    What lies above a change in the source stands still, nearest to it first: a new step
    pushes what is below it down. Where nothing above is on the screen, what lies below the
    change stands still. What lies between two edits, as when a step moves, comes last.
    """
    window, _new = changed_window(change.change)
    snapshot = change.before
    ranked: list[tuple[int, int, StepId]] = []
    for index, (step, _at) in enumerate(anchor.places):
        if not snapshot.has(step):
            continue
        head = snapshot.head_span(step).start
        if head < window.start:
            ranked.append((0, window.start - head, step))
        else:
            ranked.append((1 if head >= window.end else 2, index, step))
    places = dict(anchor.places)
    return Anchor(tuple((step, places[step]) for _rank, _near, step in sorted(ranked)))
