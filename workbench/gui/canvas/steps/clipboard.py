"""Steps on the clipboard: as source text, so that they can be pasted into any file or program."""

from __future__ import annotations

import textwrap

from PySide6.QtGui import QGuiApplication

from workbench.editing.commands import InsertLines
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot


def copy(verbs: Verbs) -> None:
    """Put the source of the selected steps on the clipboard."""
    if steps := verbs.steps:
        QGuiApplication.clipboard().setText(source_of(verbs.documents.snapshot, steps))


def cut(verbs: Verbs) -> None:
    """Copy the selected steps, then delete them."""
    copy(verbs)
    verbs.delete()


def paste(verbs: Verbs) -> None:
    """Insert the steps on the clipboard below the selection."""
    source = QGuiApplication.clipboard().text()
    place = verbs.place_for_new()
    if source.strip() and place is not None:
        verbs.do(InsertLines(place, source))


def source_of(snapshot: Snapshot, steps: tuple[StepId, ...]) -> str:
    """The source lines of *steps*, each without the indentation that its lines share."""
    pieces = [snapshot.owned_span(step).of(snapshot.text) for step in steps]
    return "".join(textwrap.dedent(piece if piece.endswith("\n") else piece + "\n") for piece in pieces)
