"""Folding and unfolding steps on the canvas. It is how one looks at a program, and never in its text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from workbench.gui.canvas.content.canvas_state import CanvasState, all_open, is_long_text
from workbench.gui.canvas.view.camera import anchor_of, keep
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.background import BackgroundWork
from workbench.model.layout.folds import Focus
from workbench.model.layout.program import Layout, LayoutCache, layout_program
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot

# Folding many steps of a longer text takes more time than a frame has: it is laid out beside the window.
LONG = 60_000
_MANY = 100


class Folding(QObject):
    """Changes what is folded, with the step in question standing still."""

    folded_changed = Signal()

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._view = view
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_laid_out)

    @Slot(object)
    def toggle(self, step: StepId) -> None:
        """Fold *step*, or unfold it."""
        shown = self._view.state.snapshot.find(step)
        if shown is not None and (shown.children or step in self._view.state.folded or is_long_text(shown)):
            self._fold(self._view.state.toggled(step), (step,))

    def fold_all(self) -> None:
        """Fold every step that has steps inside."""
        self._fold(self._view.state.foldable(), tuple(self._view.look.selected))

    def unfold_all(self) -> None:
        """Show everything."""
        self._fold(all_open(self._view.state.snapshot), tuple(self._view.look.selected))

    def unhide(self, steps: tuple[StepId, ...]) -> None:
        """Unfold whatever hides *steps*."""
        hiding = frozenset().union(*(self._view.state.hides(step) for step in steps[:16]))
        if hiding:
            self._fold(self._view.state.folded - hiding, tuple(hiding))

    def _fold(self, folded: frozenset[StepId], anchors: tuple[StepId, ...]) -> None:
        state = self._view.state
        self._work.forget()
        if folded == state.folded:
            return
        if len(state.snapshot.text) > LONG and len(folded ^ state.folded) > _MANY:
            cache = LayoutCache(dict(state.cache.rows), state.cache.playbooks)
            self._work.ask(partial(_laid_out, Refolded(state.snapshot, state.focus, folded, anchors, cache)))
            return
        self._show(partial(state.fold, folded), anchors)

    def _show(self, change: Callable[[], object], anchors: tuple[StepId, ...]) -> None:
        """Do *change*, while the first of *anchors* stands still."""
        anchor = anchor_of(self._view, anchors)
        change()
        self._view.replace_layout()
        keep(self._view, anchor)
        self.folded_changed.emit()

    @Slot(object)
    def _on_laid_out(self, found: Refolded) -> None:
        """Show it, unless the text has become another meanwhile: then it is laid out once more."""
        state = self._view.state
        if found.snapshot is state.snapshot and found.focus == state.focus:
            self._show(partial(_take, state, found), found.anchors)
        else:
            self._fold(frozenset(filter(state.snapshot.has, found.folded)), found.anchors)


@dataclass(frozen=True, slots=True)
class Refolded:
    """A layout that is made beside the window, of a *snapshot* with its steps *folded*. *layout*: once it is there."""

    snapshot: Snapshot
    focus: Focus
    folded: frozenset[StepId]
    anchors: tuple[StepId, ...]
    cache: LayoutCache
    layout: Layout | None = None


def _laid_out(wanted: Refolded) -> Refolded:
    return replace(wanted, layout=layout_program(wanted.snapshot, wanted.folded, wanted.cache, wanted.focus))


def _take(state: CanvasState, found: Refolded) -> None:
    if found.layout is not None:
        state.folded, state.cache, state.layout = found.folded, found.cache, found.layout
