"""What the canvas does for the actions of the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from workbench.gui.canvas.canvas_tools import CanvasTools
from workbench.gui.canvas.content.canvas_state import walk
from workbench.gui.canvas.steps.verbs import ORIGIN, Way, copy, cut, paste
from workbench.gui.canvas.view import camera
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.canvas.view.folding import Folding
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.actions import ActionRegistry
from workbench.gui.control.selection import SelectionController

Handler = Callable[[], object]


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
        "edit.cut": partial(cut, verbs),
        "edit.copy": partial(copy, verbs),
        "edit.paste": partial(paste, verbs),
    }
    for action_id, handler in handlers.items():
        actions.register(action_id, handler)


def register_looks(actions: ActionRegistry, view: CanvasView, folding: Folding, selection: SelectionController) -> None:
    """Let the canvas do what only changes how one looks at the document."""
    handlers: dict[str, Handler] = {
        "view.zoom-in": partial(camera.zoom_in, view),
        "view.zoom-out": partial(camera.zoom_out, view),
        "view.fit": partial(camera.fit, view),
        "view.actual-size": partial(camera.actual_size, view),
        "view.fold": partial(_fold_selected, folding, selection),
        "view.fold-all": folding.fold_all,
        "view.unfold-all": folding.unfold_all,
        "edit.select-all": partial(_select_all, view, selection),
    }
    for action_id, handler in handlers.items():
        actions.register(action_id, handler)


def _fold_selected(folding: Folding, selection: SelectionController) -> None:
    for step in selection.selected[:1]:
        folding.toggle(step)


def _select_all(view: CanvasView, selection: SelectionController) -> None:
    selection.select(tuple(step.id for step in walk(view.state.snapshot)), ORIGIN)
