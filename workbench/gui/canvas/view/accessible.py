"""The canvas for screen readers: one child per step, whose name says how it relates to the others.

A prompt and a function in Python have no steps that could be told: each is a child with its own name and words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QObject, QPoint, QPointF, QRect
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAccessibleStateChangeEvent, QWindow
from PySide6.QtWidgets import QAccessibleWidget

from workbench.gui.canvas.content.canvas_state import Hit, HitPart, leaves_out, steps_of
from workbench.gui.canvas.content.structure_walk import index_of, list_around
from workbench.gui.canvas.painting.outlines import area_of
from workbench.gui.canvas.view.camera import scene_point
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.canvas.view.minimap import Minimap
from workbench.gui.words.kinds import word_for
from workbench.gui.words.values import drawable_line
from workbench.i18n import _, ngettext
from workbench.model.layout.folds import Focus
from workbench.model.layout.prompts import is_one_box
from workbench.model.layout.shapes import Rect
from workbench.model.links import FileLink
from workbench.model.meaning import StepKind
from workbench.model.program import Playbook, Program, PythonFunction, Step, StepId, prompt_id
from workbench.model.showing.words import plain_text
from workbench.model.snapshot import Snapshot

# Qt's stubs promise an interface where Qt itself takes null for "none": hence the ignored overrides.
# Qt keeps plain pointers to interfaces: without these references Python would free them under its feet.
_ALIVE: dict[int, CanvasAccessible | MapAccessible] = {}
_FUNCTION = "def "


def install() -> None:
    """Let Qt ask us for the accessible side of canvases and their maps; doing so twice does no harm."""
    QAccessible.installFactory(_interface_of)


def _interface_of(_key: str, target: QObject | None) -> QAccessibleInterface | None:
    known = _ALIVE.get(id(target))
    if isinstance(target, Minimap) and (known is None or known.view is not target):
        known = _ALIVE[id(target)] = MapAccessible(target)
    elif isinstance(target, CanvasView) and (known is None or known.view is not target):
        known = _ALIVE[id(target)] = CanvasAccessible(target)
    elif not isinstance(target, Minimap | CanvasView):
        return None
    else:
        return known
    target.destroyed.connect(known.forget)
    return known


class MapAccessible(QAccessibleWidget):
    """The map beside the canvas: a picture whose value is what part of the whole is in view."""

    def __init__(self, view: Minimap) -> None:
        super().__init__(view, QAccessible.Role.Graphic, view.accessibleName())
        self.view = view
        self._key = id(view)

    def forget(self) -> None:
        """The map is gone."""
        _ALIVE.pop(self._key, None)

    def text(self, kind: QAccessible.Text) -> str:
        """Name, description and value."""
        return self.view.words() if kind is QAccessible.Text.Value else super().text(kind)


class CanvasAccessible(QAccessibleWidget):
    """The canvas itself: a tree whose children are the steps and prompts, in source order, and then the functions."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view, QAccessible.Role.Tree, _("Flowchart"))
        self.view = view
        self._key = id(view)
        self._known: tuple[int, Focus] | None = None
        self._order: tuple[StepId, ...] = ()
        self._places: dict[StepId, int] = {}
        self._children: dict[StepId, BoxAccessible] = {}

    def forget(self) -> None:
        """The view is gone."""
        _ALIVE.pop(self._key, None)

    def childCount(self) -> int:
        """How many boxes there are."""
        return len(self._steps())

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """The box at *index*."""
        steps = self._steps()
        return self.child_for(steps[index]) if 0 <= index < len(steps) else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Where *child* stands among the boxes, -1 where it does not."""
        self._steps()
        return self._places.get(child.step_id, -1) if isinstance(child, BoxAccessible) else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """The box at a point of the screen."""
        at = self.view.viewport().mapFromGlobal(QPoint(x, y))
        point = scene_point(self.view, QPointF(at))
        hit = self.view.state.hit(point.x(), point.y())
        box = _id_of(hit, self.view.state.snapshot.program) if hit is not None else None
        return self.child_for(box) if box is not None else None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """The selected step, while the canvas has the focus."""
        selected = next(iter(self.view.look.selected), None)
        return self.child_for(selected) if selected is not None and self.view.hasFocus() else None

    def child_for(self, step_id: StepId) -> BoxAccessible:
        """The accessible side of one box."""
        if step_id not in self._children:
            is_step = self.view.state.snapshot.has(step_id)
            self._children[step_id] = StepAccessible(self, step_id) if is_step else SourceAccessible(self, step_id)
        return self._children[step_id]

    def _steps(self) -> Sequence[StepId]:
        """The boxes that are shown or folded, in source order, found once per revision and focus."""
        state = self.view.state
        cause = (state.snapshot.revision, state.focus)
        if self._known != cause:
            self._known = cause
            found = dict.fromkeys(_ids_in(state.snapshot.program))
            self._order = tuple(step for step in found if not leaves_out(state, step))
            self._places = {step: index for index, step in enumerate(self._order)}
        return self._order


def _ids_in(program: Program) -> Iterator[StepId]:
    """What stands for each box of *program*."""
    for playbook in program.playbooks:
        if is_one_box(playbook):
            yield prompt_id(playbook)
        for step in steps_of(playbook):
            yield from (each.id for each in step.walk())
    yield from (StepId(f"{_FUNCTION}{function.name}") for function in program.functions)


def _id_of(hit: Hit, program: Program) -> StepId | None:
    """What stands for the box that *hit* lies in; None for a title."""
    if hit.part is not HitPart.SOURCE:
        return hit.step
    playbook = program.playbook(hit.playbook)
    return prompt_id(playbook) if playbook is not None else StepId(f"{_FUNCTION}{hit.playbook}")


class BoxAccessible(QAccessibleInterface):
    """One box."""

    def __init__(self, canvas: CanvasAccessible, step_id: StepId) -> None:
        super().__init__()
        self._canvas = canvas
        self.step_id = step_id

    def object(self) -> QObject | None:  # type: ignore[override]
        """Boxes are no objects of Qt."""
        return None

    def window(self) -> QWindow:
        """The window that the canvas is in."""
        return self._canvas.window()

    def parent(self) -> QAccessibleInterface:
        """The canvas."""
        return self._canvas

    def childCount(self) -> int:
        """Boxes are a flat list here: their names carry the relations."""
        return 0

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """None: see ``childCount``."""
        del index  # there are none
        return None

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """None: see ``childCount``."""
        del x, y  # there are none
        return None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """-1: see ``childCount``."""
        del child  # there are none
        return -1

    def role(self) -> QAccessible.Role:
        """An item of a tree."""
        return QAccessible.Role.TreeItem

    def rect(self) -> QRect:
        """Where the box is on the screen."""
        view = self._canvas.view
        place = self.place()
        if place is None:
            return QRect()
        area = view.mapFromScene(area_of(place)).boundingRect()
        return QRect(view.viewport().mapToGlobal(area.topLeft()), area.size())

    def place(self) -> Rect | None:
        """Where the box is on the canvas; None where it is not drawn."""
        return self._canvas.view.state.layout.place_of(self.step_id)

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Boxes are changed with the keys of the canvas and in the source, which work for everyone."""


class SourceAccessible(BoxAccessible):
    """A prompt, or a function in Python, which is changed in its text alone."""

    def isValid(self) -> bool:
        """True while it is there."""
        return self._about() is not None

    def _about(self) -> Playbook | PythonFunction | None:
        program = self._canvas.view.state.snapshot.program
        if self.step_id.startswith(_FUNCTION):
            return program.function(self.step_id.removeprefix(_FUNCTION))
        return next((one for one in program.playbooks if is_one_box(one) and prompt_id(one) == self.step_id), None)

    def place(self) -> Rect | None:
        """Where the box is on the canvas; None where it is not drawn."""
        about = self._about()
        boxes = self._canvas.view.state.named_boxes() if about is not None else ()
        # the last of a function has its name, those above it are its triggers
        wanted = about.address if isinstance(about, Playbook) else about.name if about is not None else ""
        found = [box.rect for part, box, name in boxes if part is HitPart.SOURCE and name == wanted]
        return found[-1] if found else None

    def text(self, kind: QAccessible.Text) -> str:
        """Name and description."""
        about = self._about()
        if about is None:
            return ""
        word = _("Python function") if isinstance(about, PythonFunction) else _("prompt")
        if kind is QAccessible.Text.Name:
            return drawable_line(", ".join(part for part in (about.name, word, about.description.strip()) if part))
        return word if kind is QAccessible.Text.Description else ""

    def state(self) -> QAccessible.State:
        """It cannot be selected."""
        return QAccessible.State()


class StepAccessible(BoxAccessible):
    """One step."""

    def isValid(self) -> bool:
        """True while the step is there."""
        return self._canvas.view.state.snapshot.has(self.step_id)

    def text(self, kind: QAccessible.Text) -> str:
        """Name and description."""
        step = self._canvas.view.state.snapshot.find(self.step_id)
        if step is None:
            return ""
        if kind is QAccessible.Text.Name:
            state = self._canvas.view.state
            links = (link for playbook in state.layout.playbooks for link in playbook.links)
            return drawable_line(name_of(state.snapshot, step, links))
        return word_for(step) if kind is QAccessible.Text.Description else ""

    def state(self) -> QAccessible.State:
        """Whether the step is selected, whether what is inside is shown, and whether its box is ticked."""
        view = self._canvas.view
        state = QAccessible.State()
        state.selectable = 1
        state.focusable = 1
        state.selected = int(self.step_id in view.look.selected)
        state.focused = int(self.step_id in view.look.selected and view.hasFocus())
        step = view.state.snapshot.find(self.step_id)
        state.expandable = int(step is not None and bool(step.children))
        state.expanded = int(bool(state.expandable) and self.step_id not in view.state.folded)
        state.checkable = int(step is not None and step.is_ticked is not None)
        state.checked = int(step is not None and bool(step.is_ticked))
        return state


def name_of(snapshot: Snapshot, step: Step, links: Iterable[FileLink]) -> str:
    """How a screen reader tells of *step*: ``Step 4 of 9, If tests fail, 2 steps inside, in Loop Retry``.

    *links*: those of all steps to files.
    """
    siblings = list_around(snapshot, step.id)
    place = _("{kind} {index} of {count}").format(
        kind=word_for(step), index=index_of(siblings, step.id) + 1, count=len(siblings)
    )
    parts = [place, plain_text(step), _inside(step), _leads_to(links, step)]
    parent = snapshot.parent(step.id)
    if parent is not None:
        parts.append(_("in {kind} {text}").format(kind=word_for(parent), text=plain_text(parent)))
    return ", ".join(part for part in parts if part)


def _leads_to(links: Iterable[FileLink], step: Step) -> str:
    """The files that *step* links to, whose boxes are no children of the canvas."""
    files = ", ".join(dict.fromkeys(link.path for link in links if link.step == step.id))
    return _("links to {names}").format(names=files) if files else ""


def _inside(step: Step) -> str:
    """How much is nested in *step*, and whether that is the way of *yes*."""
    count = len(step.children)
    if not count:
        return ""
    words = ngettext("{count} step inside", "{count} steps inside", count)
    return f"{words}, {_('else the next branch')}" if step.kind is StepKind.DECISION else words


def tell_current(view: CanvasView, step_id: StepId) -> None:
    """Tell screen readers, where one listens, that *step_id* is the current step."""
    canvas = QAccessible.queryAccessibleInterface(view) if QAccessible.isActive() else None
    if not isinstance(canvas, CanvasAccessible):
        return
    changed = QAccessible.State()
    changed.focused = 1
    changed.selected = 1
    event = QAccessibleStateChangeEvent(view, changed)
    event.setChild(canvas.indexOfChild(canvas.child_for(step_id)))
    QAccessible.updateAccessibility(event)
