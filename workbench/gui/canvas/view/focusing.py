"""Looking at a part of a program: one path, one branch, or one playbook.

It is how one looks at a program, and never in its text. What is looked at is kept by file.
"""

from __future__ import annotations

import json
import logging
from dataclasses import astuple, dataclass, fields, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from workbench.disk.atomic import replace_private_file
from workbench.disk.files import is_there, read_file
from workbench.disk.private import make_private_folder
from workbench.errors import CannotRead
from workbench.gui.canvas.content.canvas_state import leaves_out
from workbench.gui.canvas.content.structure_walk import list_around
from workbench.gui.canvas.view import camera
from workbench.gui.canvas.view.canvas_view import CanvasView, visible_rect
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.i18n import _
from workbench.model.layout.focusing import Way, branch_of, focus_on, steps_in_stub
from workbench.model.layout.folds import EVERYTHING, Focus
from workbench.model.program import Playbook, StepId
from workbench.model.snapshot import Snapshot

log = logging.getLogger(__name__)
_MOST_FILES = 200
# In a longer text, the ways to and from a step take more time than a frame has: they are looked for beside the window.
_LONG = 60_000


def _looked_along(snapshot: Snapshot, step: StepId, way: Way) -> tuple[Snapshot, StepId, Way, Focus]:
    return snapshot, step, way, focus_on(snapshot, step, way)


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a focus: the name of the playbook, and the step with its words, where it is about one."""

    playbook: str
    way: str = ""
    address: str = ""
    words: str = ""


class Focusing(QObject):
    """Changes what is left out. *kept*: what is kept of that."""

    changed = Signal()

    def __init__(self, view: CanvasView, context: WindowContext) -> None:
        super().__init__(view)
        self._view = view
        self._context = context
        self.kept: Kept | None = None
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_looked)
        self._store = FocusStore(context.places.state_dir / "focus.json")
        context.documents.views.add("focus", self)

    def only_path(self) -> None:
        """Show only the ways to the selected step and from it."""
        for step in self._context.selection.selected[:1]:
            self._look_along(step, Way.PATH)

    def only_branch(self) -> None:
        """Show only the branch that the selected step stands in, or that is in it."""
        snapshot = self._view.state.snapshot
        for step in self._context.selection.selected[:1]:
            if branch_of(snapshot, step) is None:
                self._context.notices.tell(_("This step stands in no branch and no loop."))
            else:
                self._look_along(step, Way.BRANCH)

    def _look_along(self, step: StepId, way: Way) -> None:
        snapshot = self._view.state.snapshot
        work = partial(_looked_along, snapshot, step, way)
        if len(snapshot.text) > _LONG:
            self._work.ask(work)
        else:
            self._on_looked(work())

    @Slot(object)
    def _on_looked(self, found: tuple[Snapshot, StepId, Way, Focus]) -> None:
        """Show what there is along a step, unless the text has become another meanwhile."""
        snapshot, step, way, focus = found
        if snapshot is not self._view.state.snapshot:
            return
        words = snapshot.step(step).text
        self.kept = Kept(snapshot.playbook_of(step).address, way.value, snapshot.address(step), words)
        self._become(focus, (step,))
        if not focus.left_out and len(snapshot.program.playbooks) == 1:
            self._context.notices.tell(_("Nothing is left out: all steps stand on the ways to and from this one."))

    def only_playbook(self) -> None:
        """Show only the playbook of the selected step, else the one in the middle of the view."""
        playbook = current_playbook(self._view, self._context.selection.selected)
        if playbook is not None:
            self.kept = Kept(playbook.address)
            self._become(Focus(playbook.address), self._context.selection.selected[:1])

    def show_all(self) -> None:
        """Leave nothing out."""
        self.kept = None
        self._become(EVERYTHING, self._context.selection.selected[:1])

    @Slot(object)
    def open_stub(self, first: StepId | None) -> None:
        """Show what the stub stands for that begins with *first*; without one, all playbooks."""
        state = self._view.state
        if first is None:
            self.show_all()
            return
        inside = frozenset(steps_in_stub(list_around(state.snapshot, first), first, state.focus))
        self._become(replace(state.focus, left_out=state.focus.left_out - inside), (first,))

    def reach(self, steps: tuple[StepId, ...]) -> None:
        """Show *steps*, which a search or a run has come to, and say so where they were left out."""
        state = self._view.state
        hidden = [step for step in steps[:16] if leaves_out(state, step)]
        if not hidden:
            return
        names = {state.snapshot.playbook_of(step).address for step in hidden}
        focus = state.focus
        if focus.playbook and names != {focus.playbook}:
            self.kept = Kept(min(names)) if len(names) == 1 else None
            focus = Focus(min(names)) if len(names) == 1 else EVERYTHING
        above = {each.id for step in hidden for each in state.snapshot.lineage(step)}
        self._become(replace(focus, left_out=focus.left_out - above), tuple(hidden))
        number = state.snapshot.number(hidden[-1])
        self._context.notices.tell(_("Step {number} was left out of the view. It is shown now.").format(number=number))

    def _become(self, focus: Focus, anchors: tuple[StepId, ...]) -> None:
        """Look at *focus*, with the first of *anchors* standing still, and keep that for the file."""
        self._work.forget()
        anchor = camera.anchor_of(self._view, anchors)
        self._view.state.focus_on(focus)
        self._view.replace_layout()
        camera.keep(self._view, anchor)
        place = self._view.state.layout.place_of(anchors[0]) if anchors else None
        if place is not None:
            camera.reveal(self._view, place)
        elif not any(self._view.state.layout.visible(visible_rect(self._view))):
            camera.show_start(self._view)
        self.keep()

    def keep(self) -> None:
        """Keep for the file what is looked at now, and tell of it."""
        path = self._context.documents.file_state.path
        if path is not None:
            self._store.keep(path, self.kept if not self._view.state.focus.is_everything else None)
        self.changed.emit()

    def take_up(self, snapshot: Snapshot) -> None:
        """*snapshot* has just been opened: look at what was looked at of the file last time."""
        path = self._context.documents.document.path
        self._take(snapshot, self._store.of(path) if path is not None else None)

    def _take(self, snapshot: Snapshot, kept: Kept | None) -> None:
        focus = focus_of(snapshot, kept) if kept is not None else EVERYTHING
        self.kept = None if focus.is_everything else kept
        if focus != self._view.state.focus:
            self._view.state.focus_on(focus)
            self._view.replace_layout()
        self.changed.emit()

    def put_away(self) -> list[str]:
        """What is looked at, as it is kept."""
        return list(astuple(self.kept)) if self.kept is not None else []

    def bring_back(self, view: object) -> None:
        """Look at the same again."""
        self._take(self._view.state.snapshot, kept_in(view))


def current_playbook(view: CanvasView, selected: tuple[StepId, ...]) -> Playbook | None:
    """The playbook of what is *selected*, else the one in the middle of *view*."""
    state = view.state
    there = [step for step in selected if state.snapshot.has(step)]
    if there:
        return state.snapshot.playbook_of(there[0])
    middle = camera.scene_point(view, camera.centre_point(view))
    layouts = state.layout.playbooks
    near = min(layouts, key=lambda each: abs(each.rect.x + each.rect.width / 2 - middle.x()), default=None)
    return near.playbook if near is not None else None


def kept_in(found: object) -> Kept | None:
    """What *found*, which came from a file, says; None where it is something else."""
    if not isinstance(found, list) or len(found) != len(fields(Kept)):
        return None
    return Kept(*found) if all(isinstance(part, str) for part in found) else None


def focus_of(snapshot: Snapshot, kept: Kept) -> Focus:
    """What *kept* says, as far as the playbook and the step are still there."""
    if snapshot.program.playbook(kept.playbook) is None:
        return EVERYTHING
    step = snapshot.at_address(kept.address) if kept.address else None
    ways = {way.value: way for way in Way}
    if step is None or step.text != kept.words or kept.way not in ways:
        return Focus(kept.playbook)
    return focus_on(snapshot, step.id, ways[kept.way])


class FocusStore:
    """What is looked at of files, in one file. It is a comfort: what cannot be read or written is left."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def of(self, file: Path) -> Kept | None:
        """What is looked at of *file*."""
        return kept_in(self._all().get(str(file)))

    def keep(self, file: Path, kept: Kept | None) -> None:
        """Keep *kept* for *file*; files that were not touched for long are forgotten."""
        known = self._all()
        if kept is None and str(file) not in known:
            return
        others = {name: each for name, each in known.items() if name != str(file)}
        parts = {str(file): list(astuple(kept))} if kept is not None else {}
        recent = dict(list({**others, **parts}.items())[-_MOST_FILES:])
        try:
            make_private_folder(self._path.parent)
            replace_private_file(self._path, json.dumps(recent, ensure_ascii=False).encode("utf-8", "surrogatepass"))
        except OSError as error:
            log.info("Could not keep what is looked at: %s", error)

    def _all(self) -> dict[str, object]:
        try:
            found = json.loads(read_file(self._path)) if is_there(self._path) else {}
        except (CannotRead, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}
