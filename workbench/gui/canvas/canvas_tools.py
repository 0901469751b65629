"""The parts that act on one canvas: verbs, fields, gestures, keys, menu, run marks; made and connected."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.gui.canvas.gestures.drops import DropInput
from workbench.gui.canvas.gestures.hover import HoverWatch
from workbench.gui.canvas.gestures.key_input import KeyInput
from workbench.gui.canvas.gestures.pointer_input import PointerInput
from workbench.gui.canvas.gestures.zoom_input import ZoomInput
from workbench.gui.canvas.steps.step_fixes import StepFixes
from workbench.gui.canvas.steps.step_links import StepLinks
from workbench.gui.canvas.steps.step_menu import StepMenu
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.canvas.view.folding import Folding
from workbench.gui.canvas.view.run_lights import RunLights
from workbench.gui.canvas.writing.inserting import Inserting
from workbench.gui.canvas.writing.writing import Naming, Writing
from workbench.gui.control.context import WindowContext


@dataclass(frozen=True, slots=True)
class CanvasTools:
    """Everything that acts on one canvas. Those that are objects of Qt belong to its view."""

    verbs: Verbs
    writing: Writing
    inserting: Inserting
    naming: Naming
    folding: Folding
    hover: HoverWatch
    pointer: PointerInput
    drops: DropInput
    keys: KeyInput
    zooming: ZoomInput
    menu: StepMenu
    fixes: StepFixes
    links: StepLinks
    lights: RunLights


def tools_for(view: CanvasView, context: WindowContext) -> CanvasTools:
    """The tools of *view*, connected with each other."""
    selection = context.selection
    verbs = Verbs(context.documents, selection)
    writing = Writing(view, verbs)
    hover = HoverWatch(view, selection)
    pointer = PointerInput(view, verbs, selection, hover)
    links = StepLinks(view, context)
    tools = CanvasTools(
        verbs=verbs,
        writing=writing,
        inserting=Inserting(view, verbs, writing),
        naming=Naming(view, verbs, writing),
        folding=Folding(view),
        hover=hover,
        pointer=pointer,
        drops=DropInput(view, verbs, pointer.preview),
        keys=KeyInput(view, pointer, selection),
        zooming=ZoomInput(view),
        menu=StepMenu(view, verbs, links, context),
        fixes=StepFixes(view, context),
        links=links,
        lights=RunLights(view, context.shown),
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
    tools.pointer.fixes_requested.connect(tools.fixes.offer)
    tools.keys.edit_requested.connect(tools.writing.edit)
    tools.keys.fold_requested.connect(tools.folding.toggle)
    tools.drops.step_dropped.connect(tools.writing.edit)
