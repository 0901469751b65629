"""What the canvas does for the actions of the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.editing.change import DocumentChange
from workbench.gui.canvas.content.canvas_state import CanvasState, findings_by_step, laid_out_whole, leaves_out, walk
from workbench.gui.canvas.gestures.drops import DropInput
from workbench.gui.canvas.gestures.gesture import CancelReason
from workbench.gui.canvas.gestures.hover import HoverWatch
from workbench.gui.canvas.gestures.key_input import KeyInput
from workbench.gui.canvas.gestures.pointer_input import PointerInput
from workbench.gui.canvas.gestures.zoom_input import ZoomInput
from workbench.gui.canvas.steps.step_fixes import StepFixes
from workbench.gui.canvas.steps.step_links import StepLinks
from workbench.gui.canvas.steps.step_menu import StepMenu
from workbench.gui.canvas.steps.verbs import ORIGIN, Verbs, Way, copy, cut, paste
from workbench.gui.canvas.view import accessible, camera, zoom_levels
from workbench.gui.canvas.view.bar_marks import BarMarks
from workbench.gui.canvas.view.canvas_pages import CanvasPages, FrameUse
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.canvas.view.diving import Diving
from workbench.gui.canvas.view.focus_bar import FocusBar
from workbench.gui.canvas.view.focusing import Focusing
from workbench.gui.canvas.view.folding import Folding
from workbench.gui.canvas.view.in_view import InView
from workbench.gui.canvas.view.run_lights import FoundSigns, RunLights, StopSigns
from workbench.gui.canvas.writing.inserting import Inserting
from workbench.gui.canvas.writing.writing import Naming, Writing
from workbench.gui.control.action_spec import ShortcutScope
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.actions import ActionRegistry, Mark
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import numbers_in
from workbench.gui.control.explaining.help_controller import Told
from workbench.gui.control.selection import Selection, SelectionController
from workbench.gui.look.layouts import in_column
from workbench.model.snapshot import Snapshot

Handler = Callable[[], object]
_ZOOM_PARTS = 1000


def register_edits(actions: ActionRegistry, tools: CanvasTools) -> None:
    """Let the canvas do what changes the document: the commands of the table, and what asks for more than one."""
    verbs, writing, naming = tools.verbs, tools.writing, tools.naming
    for spec in ACTIONS:
        if spec.command is not None:
            do = writing.do_and_write if spec.is_written else verbs.do_to_selected
            actions.register(spec.id, partial(do, spec.command))
    handlers: dict[str, Handler] = {
        "step.insert": tools.inserting.insert_below,
        "step.edit": writing.edit_selected,
        "step.move-up": partial(verbs.move, Way.UP),
        "step.move-down": partial(verbs.move, Way.DOWN),
        "step.move-in": partial(verbs.move, Way.IN),
        "step.move-out": partial(verbs.move, Way.OUT),
        "step.add-trigger": writing.add_trigger,
        "step.add-note": writing.add_note,
        "step.add-playbook": naming.add_playbook,
        "step.rename-playbook": naming.rename_current,
        "operation.extract": naming.extract,
        "edit.cut": partial(cut, verbs),
        "edit.copy": partial(copy, verbs),
        "edit.paste": partial(paste, verbs),
    }
    for action_id, handler in handlers.items():
        actions.register(action_id, handler)


def register_looks(tools: CanvasTools, view: CanvasView, context: WindowContext) -> None:
    """Let the canvas do what only changes how one looks at the document."""
    folding, focusing, selection = tools.folding, tools.focusing, context.selection
    handlers: dict[str, Handler] = {
        "view.zoom-in": partial(camera.zoom_in, view),
        "view.zoom-out": partial(camera.zoom_out, view),
        "view.fit": partial(camera.fit, view),
        "view.actual-size": partial(camera.actual_size, view),
        "view.zoom-selection": partial(camera.zoom_to_selection, view),
        "view.only-path": focusing.only_path,
        "view.only-branch": focusing.only_branch,
        "view.only-playbook": focusing.only_playbook,
        "view.show-all": tools.diving.show_all,
        "view.leave-call": tools.diving.leave,
        "step.open-link": tools.diving.dive,
        "view.fold": partial(_fold_selected, folding, selection),
        "view.fold-all": folding.fold_all,
        "view.unfold-all": folding.unfold_all,
        "edit.select-all": partial(_select_all, view, selection),
    }
    for action_id, handler in handlers.items():
        context.actions.register(action_id, handler)


def _fold_selected(folding: Folding, selection: SelectionController) -> None:
    for step in selection.selected[:1]:
        folding.toggle(step)


def _select_all(view: CanvasView, selection: SelectionController) -> None:
    """All that is shown: nobody can tell what becomes of steps that are left out of the picture."""
    steps = (step.id for step in walk(view.state.snapshot))
    selection.select(tuple(step for step in steps if not leaves_out(view.state, step)), ORIGIN)


@dataclass(frozen=True, slots=True)
class Zoom:
    """How large the canvas is shown; 1.0 = 100 %."""

    scale: float


class CanvasPanel(QWidget):
    """The flowchart of the open document."""

    zoom_changed = Signal(object)  # Zoom

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        accessible.install()
        self._context = context
        self._zoom = 0.0
        self._start: camera.Spot | None = None
        self.state = CanvasState(context.documents.snapshot)
        self.pages = CanvasPages(self.state, self)
        self.view = self.pages.frame.view
        self.tools = tools_for(self.view, context)
        self._bar_marks = BarMarks(self.pages.frame, context)
        context.selection.show_requested.connect(self._on_show_requested)  # before somebody looks for the place
        self._in_view = InView(self.view, context.selection, ORIGIN)
        self.bar = FocusBar(self.state, self.tools.focusing, self.tools.diving, self)
        in_column(self, self.bar, (self.pages, 1), margins=0, spacing=0)
        self.setFocusProxy(self.view)
        register_edits(context.actions, self.tools)
        register_looks(self.tools, self.view, context)
        context.actions.register("view.run-ways", self.toggle_ways)
        context.actions.set_mark("view.run-ways", Mark.ON)
        context.actions.attach(self, ShortcutScope.STEPS)
        context.actions.attach(self, ShortcutScope.DOCUMENT)
        context.documents.views.add("canvas", self)
        context.documents.views.make_ready_with("canvas", laid_out_whole)
        self._connect()
        self.frame_use = FrameUse(self.pages, context, ORIGIN)
        self._on_document_opened(context.documents.snapshot)

    def _connect(self) -> None:
        context = self._context
        context.documents.document_changed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._on_document_opened)
        context.selection.selection_changed.connect(self._on_selection_changed)
        context.selection.reveal_requested.connect(self._on_reveal_requested)
        self.tools.folding.folded_changed.connect(self.pages.minimap.layout_replaced)
        self.tools.focusing.changed.connect(self.pages.minimap.layout_replaced)
        self.pages.first_step.first_step_requested.connect(self.tools.inserting.add_first)
        self.pages.foreign.choose_requested.connect(context.actions.action("file.kind").trigger)
        self.view.view_moved.connect(self._on_view_moved)
        context.diagnosis.ready.connect(self._on_findings_ready)

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        """Patch what changed; what a person looks at stays where it is."""
        self.tools.pointer.cancel(CancelReason.DOCUMENT_CHANGED)
        anchor = camera.steady_anchor(change, camera.anchor_of(self.view))
        self.state.show(change.after)
        self.view.replace_layout()
        camera.keep(self.view, anchor)
        if change.numbered:
            self._in_view.select(change.selection)
        self._follow(change.after)

    @Slot(object)
    def _on_document_opened(self, snapshot: Snapshot) -> None:
        """Show another file from its beginning."""
        self.tools.pointer.cancel(CancelReason.DOCUMENT_CHANGED)
        self.tools.writing.editor.take_back()
        self.tools.inserting.popup.close_popup()
        ready = self._context.documents.views.ready.get("canvas")
        self.state.reset(snapshot, *(ready if isinstance(ready, tuple) else ()))
        self.tools.diving.arrive()
        self.tools.focusing.take_up(snapshot)
        self.view.look.marks = {}
        self.view.replace_layout()
        self._show_start()
        self._follow(snapshot)

    def told_here(self) -> Told | None:
        """What the pointer would be told of the selected step."""
        return self.tools.hover.told_here()

    def put_away(self) -> dict[str, list[int]]:
        """What is folded, by where the words of it begin, and what can be seen."""
        snapshot, spot = self.state.snapshot, camera.spot_of(self.view)
        folded = [snapshot.head_span(step).start for step in self.state.folded if snapshot.has(step)]
        place = [round(spot.zoom * _ZOOM_PARTS), spot.across, spot.down]
        return {"folded": sorted(folded), "place": [] if spot == self._start else place}

    def bring_back(self, view: object) -> None:
        """Show the same of the same document; where nobody has moved the canvas, its beginning."""
        snapshot = self.state.snapshot
        found = (snapshot.step_at(start) for start in numbers_in(view, "folded") if start < len(snapshot.text))
        folded = frozenset(step for step in found if step is not None)
        if folded:
            self.state.fold(folded)
            self.view.replace_layout()
            self._follow(snapshot)
        place = numbers_in(view, "place", 3)
        if place:
            zoom = zoom_levels.bounded(place[0] / _ZOOM_PARTS)
            camera.show_spot(self.view, camera.Spot(zoom, place[1], place[2]))

    def _follow(self, snapshot: Snapshot) -> None:
        """What may come a little later than the picture."""
        self.pages.show_page(snapshot)
        self.pages.minimap.layout_replaced()
        self.tools.hover.relink()

    def _show_start(self) -> None:
        camera.show_start(self.view)
        self._start = camera.spot_of(self.view)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As long as nobody has moved the canvas, it shows the file as it was opened, in whatever room there is."""
        is_untouched = self._start == camera.spot_of(self.view)
        super().resizeEvent(event)
        if is_untouched:
            self._show_start()
        self._in_view.keep()

    def showEvent(self, event: QShowEvent) -> None:
        """The layout of the window is known only now."""
        super().showEvent(event)
        if self._start == camera.spot_of(self.view):
            self._show_start()

    def toggle_ways(self) -> None:
        """Show which ways a run has taken, or do not."""
        is_wanted = self.tools.lights.ways.toggle()
        self._context.actions.set_mark("view.run-ways", Mark.ON if is_wanted else Mark.OFF)

    @Slot(object)
    def _on_selection_changed(self, selection: Selection) -> None:
        before, self.view.look.selected = self.view.look.selected, frozenset(selection.steps)
        self.view.refresh_steps(before ^ self.view.look.selected)
        self.tools.hover.relink()
        if selection.steps:
            accessible.tell_current(self.view, selection.steps[-1])

    @Slot(object)
    def _on_reveal_requested(self, selection: Selection) -> None:
        """Bring the selection into view, unfolded; a click on the canvas moves nothing."""
        if selection.origin == ORIGIN and self.tools.pointer.is_choosing:
            return
        self.tools.focusing.reach(selection.steps)
        self.tools.folding.unhide(selection.steps)
        place = self.state.layout.place_of(selection.steps[-1]) if selection.steps else None
        if place is not None:
            camera.reveal(self.view, place)

    @Slot(object)
    def _on_show_requested(self, selection: Selection) -> None:
        """A run has come to a step: it is shown, also where it was left out."""
        self.tools.focusing.reach(selection.steps)

    @Slot()
    def _on_view_moved(self) -> None:
        if self.view.zoom != self._zoom:
            self._zoom = self.view.zoom
            self.zoom_changed.emit(Zoom(self._zoom))

    @Slot(object)
    def _on_findings_ready(self, snapshot: Snapshot) -> None:
        found = findings_by_step(snapshot)
        if found != self.state.findings:
            self.state.findings = found
            self.view.replace_layout()


@dataclass(frozen=True, slots=True)
class CanvasTools:
    """Everything that acts on one canvas. Those that are objects of Qt belong to its view."""

    verbs: Verbs
    writing: Writing
    inserting: Inserting
    naming: Naming
    folding: Folding
    focusing: Focusing
    diving: Diving
    hover: HoverWatch
    pointer: PointerInput
    drops: DropInput
    keys: KeyInput
    zooming: ZoomInput
    menu: StepMenu
    fixes: StepFixes
    links: StepLinks
    lights: RunLights
    signs: StopSigns
    found: FoundSigns


def tools_for(view: CanvasView, context: WindowContext) -> CanvasTools:
    """The tools of *view*, connected with each other."""
    selection = context.selection
    verbs = Verbs(context.documents, selection)
    writing = Writing(view, verbs, context)
    hover = HoverWatch(view, selection)
    pointer = PointerInput(view, verbs, selection, hover)
    links, focusing = StepLinks(view, context), Focusing(view, context)
    tools = CanvasTools(
        verbs=verbs,
        writing=writing,
        inserting=Inserting(view, verbs, writing),
        naming=Naming(view, verbs, writing),
        folding=Folding(view),
        focusing=focusing,
        diving=Diving(view, focusing, context),
        hover=hover,
        pointer=pointer,
        drops=DropInput(view, verbs, pointer.preview),
        keys=KeyInput(view, pointer, selection),
        zooming=ZoomInput(view),
        menu=StepMenu(view, verbs, links, context),
        fixes=StepFixes(view, context),
        links=links,
        lights=RunLights(view, context.shown),
        signs=StopSigns(view, context.breakpoints),
        found=FoundSigns(view, context.find),
    )
    _connect(tools)
    return tools


def _connect(tools: CanvasTools) -> None:
    tools.pointer.edit_requested.connect(tools.writing.on_edit_requested)
    tools.pointer.edit_requested.connect(tools.naming.on_edit_requested)
    tools.pointer.fold_requested.connect(tools.folding.toggle)
    tools.pointer.insert_requested.connect(tools.inserting.on_insert_requested)
    tools.pointer.menu_requested.connect(tools.menu.open_at)
    tools.pointer.code_wanted.connect(tools.menu.copy_code)
    tools.pointer.file_requested.connect(tools.links.open_file)
    tools.pointer.stub_requested.connect(tools.focusing.open_stub)
    tools.pointer.fixes_requested.connect(tools.fixes.offer)
    tools.keys.edit_requested.connect(tools.writing.edit)
    tools.keys.fold_requested.connect(tools.folding.toggle)
    tools.drops.step_dropped.connect(tools.writing.edit)
