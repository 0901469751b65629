"""What is selected and what the pointer is over, shared by every pane; and where new steps go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.editing.commands import Place
from workbench.editing.geometry.siblings import topmost
from workbench.model.meaning import StepKind
from workbench.model.program import Playbook, SectionKind, StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import Span

if TYPE_CHECKING:
    from workbench.gui.control.document_controller import DocumentController


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected steps in source order. *origin*: the pane that caused it, so that it can ignore its own echo."""

    steps: tuple[StepId, ...] = ()
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Hover:
    """The step under the pointer, if any, and the pane that the pointer is in."""

    step: StepId | None = None
    origin: str = ""


class SelectionController(QObject):
    """The one selection of a window. *caret*: the text that is selected in the source, empty where its caret is.

    *carets*: how many it has. *catch_up*: has the selection follow a change of the document that was just made.
    """

    selection_changed = Signal(object)  # Selection
    hover_changed = Signal(object)  # Hover
    reveal_requested = Signal(object)  # Selection: scroll to it, even where it is selected already
    show_requested = Signal(object)  # Selection: bring it into view where it is not, and leave the selection as it is
    caret_moved = Signal(object)  # int: the 1-based line of the source that its caret is on
    caret_changed = Signal()
    text_requested = Signal(object)  # Span: select this text in the source, and show it
    place_requested = Signal(object)  # Span: show this stretch of the source, whether a step is there or not

    def __init__(self, parent: QObject | None = None, catch_up: Callable[[], None] = lambda: None) -> None:
        super().__init__(parent)
        self._selection = Selection()
        self._hover = Hover()
        self.caret = Span(0, 0)
        self.carets = 1
        self.catch_up = catch_up

    @property
    def selected(self) -> tuple[StepId, ...]:
        """The selected steps."""
        self.catch_up()
        return self._selection.steps

    @property
    def hovered(self) -> StepId | None:
        """The step under the pointer, or None."""
        return self._hover.step

    def select(self, steps: tuple[StepId, ...], origin: str = "") -> None:
        """Select exactly *steps*."""
        self.catch_up()
        if steps != self._selection.steps:
            self._selection = Selection(steps, origin)
            self.selection_changed.emit(self._selection)

    def hover(self, step: StepId | None, origin: str = "") -> None:
        """Say that the pointer is over *step*."""
        if step != self._hover.step:
            self._hover = Hover(step, origin)
            self.hover_changed.emit(self._hover)

    def reveal(self, steps: tuple[StepId, ...], origin: str = "") -> None:
        """Select *steps* and ask every other pane to bring them into view."""
        self.select(steps, origin)
        self.reveal_requested.emit(Selection(steps, origin))

    def show(self, steps: tuple[StepId, ...], origin: str = "") -> None:
        """Ask every other pane to bring *steps* into view, without selecting them."""
        self.catch_up()
        self.show_requested.emit(Selection(steps, origin))

    def tell_caret(self, line: int) -> None:
        """Say that the caret of the source is on *line*, 1-based, whether a step is there or not."""
        self.caret_moved.emit(line)

    def tell_carets(self, count: int) -> None:
        """Say that the source has *count* carets."""
        if count != self.carets:
            self.carets = count
            self.caret_changed.emit()

    def set_caret(self, caret: Span) -> None:
        """Say what is selected in the source."""
        if caret != self.caret:
            self.caret = caret
            self.caret_changed.emit()

    def show_text(self, span: Span) -> None:
        """Ask the source pane to select *span* of the text and to bring it into view."""
        self.catch_up()
        self.text_requested.emit(span)
        self.set_caret(span)

    def show_place(self, span: Span) -> None:
        """Ask the source pane to bring *span* of the text into view."""
        self.catch_up()
        self.place_requested.emit(span)


class SelectedSteps:
    """What is selected in a document, kept while another one is shown."""

    def __init__(self, selection: SelectionController, documents: DocumentController) -> None:
        self._selection = selection
        self._documents = documents
        documents.views.add("selection", self)

    def put_away(self) -> tuple[StepId, ...]:
        """The selected steps."""
        return self._selection.selected

    def bring_back(self, view: tuple[StepId, ...]) -> None:
        """Select those that there still are."""
        self._selection.select(tuple(filter(self._documents.snapshot.has, view)), "tab")


def outermost(snapshot: Snapshot, steps: Sequence[StepId]) -> tuple[StepId, ...]:
    """*steps* that there are, in source order, without those that lie inside another one of them."""
    return tuple(step.id for step in topmost(snapshot, filter(snapshot.has, steps)))


_HOLDERS = frozenset({StepKind.DECISION, StepKind.LOOP})


def place_for_new(snapshot: Snapshot, selected: Sequence[StepId]) -> Place | None:
    """Below what is *selected*, else at the end of the first playbook; None where there is no playbook.

    The first step below a branch or loop that holds none yet goes into it.
    """
    steps = outermost(snapshot, selected)
    if steps:
        below, last = place_after(snapshot, steps[-1]), snapshot.step(steps[-1])
        is_empty = last.kind in _HOLDERS and not last.children and not snapshot.program.format.is_steplist
        return replace(below, parent=last.id, after=None) if is_empty else below
    playbook = next(iter(snapshot.program.playbooks), None)
    return place_at_end(playbook) if playbook is not None else None


def place_after(snapshot: Snapshot, step: StepId) -> Place:
    """Directly below *step*, in the same list."""
    parent = snapshot.parent(step)
    section = snapshot.section_of(step).kind
    return Place(snapshot.playbook_of(step).address, parent.id if parent else None, step, section)


def place_at_end(playbook: Playbook) -> Place:
    """Below the last step of *playbook*."""
    return Place(playbook.address, None, playbook.steps[-1].id if playbook.steps else None, SectionKind.STEPS)
