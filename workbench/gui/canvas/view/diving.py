"""Looking into what a step calls, and back out again, also from file to file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from workbench.gui.canvas.content.structure_walk import first_step
from workbench.gui.canvas.view import camera
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.canvas.view.focusing import Focusing, Kept
from workbench.gui.control.context import WindowContext
from workbench.gui.control.selection import Selection
from workbench.i18n import _
from workbench.model.inner_calls import calls_in
from workbench.model.layout.focusing import called_from
from workbench.model.layout.folds import EVERYTHING, Focus
from workbench.model.program import Playbook, StepId
from workbench.syntax.python_functions import line_of_function
from workbench.syntax.text import Span

ORIGIN = "dive"
_DEEPEST = 50


@dataclass(frozen=True, slots=True)
class Lookout:
    """How a file was looked at: what of it, how near, with what selected. *words*: what the way back says."""

    path: Path | None
    focus: Focus
    spot: camera.Spot
    steps: tuple[StepId, ...]
    place: Span
    words: str


class Diving(QObject):
    """Knows how one looked before each dive. *lookouts*: the first one first. *is_led*: a dive has led into the
    document, or back into it.
    """

    changed = Signal()

    def __init__(self, view: CanvasView, focusing: Focusing, context: WindowContext) -> None:
        super().__init__(view)
        self._view = view
        self._focusing = focusing
        self._context = context
        self.lookouts: tuple[Lookout, ...] = ()
        self._going: Lookout | None = None
        self._returning: Lookout | None = None
        self._called = ""
        self.is_led = False
        context.documents.views.add("dive", WaysOfTab(self))
        context.documents.file_state_changed.connect(self._on_file_state_changed)
        context.selection.selection_changed.connect(self._on_selection_changed)

    def dive(self) -> None:
        """Show only what the selected step calls; or go to where that is defined, or to the file that it links to."""
        state = self._view.state
        for step in self._context.selection.selected[:1]:
            called = called_from(state.snapshot, step)
            if isinstance(called, Playbook):
                self._enter(called)
            elif called is not None:
                self._context.trail.go_to(line_of_function(state.snapshot.text, called.name))
            elif self._context.links.links_at(step):
                self._going, self._called = self._lookout(), ""
                self._context.links.open_selected()
            else:
                self._look_for_call(step)

    def _enter(self, playbook: Playbook) -> None:
        self.remember((*self.lookouts, self._lookout()))
        self._show_only(playbook)

    def _show_only(self, playbook: Playbook) -> None:
        self._view.state.focus_on(Focus(playbook.address))
        self._focusing.kept = Kept(playbook.address)
        self._view.replace_layout()
        camera.show_start(self._view)
        first = first_step(self._view.state)
        if first is not None:
            self._context.selection.reveal((first,), ORIGIN)
        self._focusing.keep()

    def _look_for_call(self, step: StepId) -> None:
        """Go to the definition of what *step* calls, in another file of the project."""
        snapshot = self._view.state.snapshot
        words = snapshot.text_span(step)
        names = [call.target for call in calls_in(snapshot.step(step))]
        places = [snapshot.text.find(name, words.start, words.end) for name in names if name]
        from workbench.search.symbols import symbol_at  # noqa: PLC0415 - no start needs it

        symbols = [symbol_at(snapshot, place) for place in places if place >= 0]
        symbol = next((each for each in symbols if each is not None), None)
        if symbol is None:
            self._context.notices.tell(_("This step calls no playbook and links to no file."))
        else:
            self._going, self._called = self._lookout(), symbol.name
            self._context.names.show_definition(symbol)

    def _lookout(self) -> Lookout:
        documents, state = self._context.documents, self._view.state
        selected = self._context.selection.selected
        playbook = state.snapshot.playbook_of(selected[0]) if selected else None
        place = state.snapshot.head_span(selected[0]) if selected else Span(0, 0)
        words = (playbook.title or playbook.name) if playbook is not None else ""
        return Lookout(
            documents.document.path, state.focus, camera.spot_of(self._view), selected, Span(place.start, place.start),
            words,
        )  # fmt: skip

    def leave(self) -> None:
        """Go back out of what was dived into last."""
        if self.lookouts:
            self.leave_to(len(self.lookouts) - 1)
        else:
            self._context.notices.tell(_("There is no call to go back out of."))

    def leave_to(self, index: int) -> None:
        """Look again as before the dive *index*."""
        lookout = self.lookouts[index]
        self.remember(self.lookouts[:index])
        if lookout.path == self._context.documents.document.path:
            self._look_again(lookout)
        else:
            self._returning = lookout
            self._context.trail.go_to(lookout.place, lookout.path)

    def _look_again(self, lookout: Lookout) -> None:
        state = self._view.state
        focus = lookout.focus
        if focus.playbook and state.snapshot.program.playbook(focus.playbook) is None:
            focus = EVERYTHING
        self._focusing.kept = Kept(focus.playbook) if focus.playbook else None
        state.focus_on(focus)
        self._view.replace_layout()
        there = tuple(step for step in lookout.steps if state.snapshot.has(step))
        if there:
            self._context.selection.reveal(there, ORIGIN)
        camera.show_spot(self._view, lookout.spot)
        self._focusing.keep()

    @property
    def here(self) -> Path | None:
        """The file that is open."""
        return self._context.documents.document.path

    def show_all(self) -> None:
        """Leave nothing out, and forget how one came here."""
        self.remember(())
        self._focusing.show_all()

    def remember(self, lookouts: tuple[Lookout, ...]) -> None:
        """Have *lookouts* as the ways back."""
        self.lookouts = lookouts[-_DEEPEST:]
        self.changed.emit()

    def arrive(self) -> None:
        """A file has just been opened: by a dive, on the way back, or otherwise."""
        path, going, self._going = self._context.documents.document.path, self._going, None
        is_there = going is not None and going.path != path
        if not is_there:
            self._called = ""
        self.is_led = is_there or self._returning is not None
        if going is not None and is_there:
            self.remember((*self.lookouts, going))
        elif self._returning is None:
            self.remember(())

    @Slot(object)
    def _on_file_state_changed(self, _state: object) -> None:
        """Back in the file that was left: look at it as before. In the one of a call: show what was called."""
        called, self._called = self._called, self._called if self._going is not None else ""
        playbook = self._view.state.snapshot.program.playbook(called) if called and self._going is None else None
        if playbook is not None:
            self._show_only(playbook)
        returning = self._returning
        if returning is not None and returning.path == self._context.documents.document.path:
            self._returning = None
            self._look_again(returning)

    @Slot(object)
    def _on_selection_changed(self, selection: Selection) -> None:
        """Whoever turns to another step meanwhile does not dive any more."""
        if self._going is not None and selection.steps and selection.steps != self._going.steps:
            self._going = None


class WaysOfTab:
    """The ways back out of a document while another one is shown."""

    def __init__(self, diving: Diving) -> None:
        self._diving = diving

    def put_away(self) -> tuple[Lookout, ...]:
        """All of them."""
        return self._diving.lookouts

    def bring_back(self, view: tuple[Lookout, ...]) -> None:
        """The document is shown again: not by a dive into it or out of another, which know better how one came here."""
        if not self._diving.is_led:
            self._diving.remember(view)
