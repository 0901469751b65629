"""Where the elements of a process stand: the places of our own flowchart, stretched so that gateways have room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from workbench.model.layout.program import PlaybookLayout
from workbench.model.layout.shapes import BLOCK_WIDTH, Rect, Shape
from workbench.model.program import Step, StepId
from workbench.pages.bpmn.elements import (
    CONVERGING,
    GATEWAY,
    JOIN_PX,
    Exit,
    Flow,
    Kind,
    Node,
    Point,
    Process,
    Remark,
    around,
    centred,
)
from workbench.pages.parts import Part, step_words

STRETCH = 1.6
_TURN = 14.0
_MARGIN = 30.0
_BELOW = 70.0
_SMALL = 60.0


class Places:
    """The places of one playbook in the diagram. *frames*: of a step with all that stands in it."""

    def __init__(self, layout: PlaybookLayout) -> None:
        self._layout = layout
        self._words: dict[StepId, Rect] = {}
        self._frames: dict[StepId, Rect] = {}
        for placed in layout.placed:
            for box in placed.fragment.boxes:
                if box.step is not None:
                    self._words.setdefault(box.step.id, moved(placed.words_rect(box)))
                    self._frames.setdefault(box.step.id, stretched(box.rect.moved(placed.x, placed.y)))

    @property
    def start(self) -> Rect:
        """The place of what the playbook begins with when it is called: below its title."""
        title = self._layout.title.rect
        return around(self._layout.columns[0].spine, (title.y + title.height) * STRETCH - 10, 32.0)

    def own(self, shape: Shape) -> Rect | None:
        """The place of the box of the playbook itself with *shape*, if it has one."""
        return next((moved(box.rect) for box in self._layout.boxes if box.shape is shape), None)

    def end(self, last: Rect) -> Rect:
        """The place of the implied end: where the flowchart has it, else below *last*."""
        return self.own(Shape.PILL) or around(last.x + last.width / 2, last.y + last.height + _BELOW, 32.0)

    def of(self, step: Step) -> Rect:
        """Where the words of *step* stand; of what is around others, the part above them on their way."""
        own = self._words.get(step.id) or self.start._replace(width=240.0, height=46.0)
        if not step.children or own.width <= BLOCK_WIDTH:
            return own
        first = self.of(step.children[0])
        return own._replace(x=first.x + first.width / 2 - BLOCK_WIDTH / 2, width=BLOCK_WIDTH)

    def frame(self, step: Step) -> Rect:
        """The place of *step* with all that stands in it."""
        return self._frames.get(step.id) or self.of(step)

    def right_of(self, steps: Iterable[Step]) -> float:
        """A lane at the right of all of *steps* with what stands in them."""
        return max(self.frame(one).x + self.frame(one).width for step in steps for one in step.walk()) + 8.0


class Sheet:
    """Takes the elements of one process with their places."""

    def __init__(self, part: Part, process: Process, names: Mapping[StepId, str], places: Places) -> None:
        self.part = part
        self.process = process
        self.places = places
        self.rects: dict[str, Rect] = {}
        self._names = names

    def name(self, step: Step) -> str:
        """What the element of *step* is called."""
        return self._names[step.id]

    def node(self, name: str, kind: Kind, title: str, rect: Rect, documentation: str = "") -> str:
        """Add an element in *rect*, small ones in the middle of a large one; gives its name."""
        own = rect if rect.width < _SMALL else centred(rect, kind.tag)
        self.rects[name] = own
        self.process.nodes.append(Node(name, kind, title, own, documentation))
        return name

    def step(self, step: Step, kind: Kind, rect: Rect | None = None) -> str:
        """Add the element of *step* where the flowchart has it, or in *rect*."""
        return self.node(self.name(step), kind, step_words(step), rect or self.places.of(step), self.source(step))

    def remark(self, step: Step, *, is_frame: bool = False) -> None:
        """Add the text of *step*, for which nothing is done, or a frame around its steps."""
        rect = self.places.frame(step) if is_frame else self.places.of(step)
        text = step_words(step) if is_frame else self.source(step) or step_words(step)
        self.process.remarks.append(Remark(self.name(step), text, rect, is_frame))

    def connect(self, exits: Iterable[Exit], target: str) -> None:
        """Ways from all *exits* to *target*."""
        flows = self.process.flows
        for each in exits:
            points = line(self.rects[each.node], self.rects[target], each.lane, each.back)
            name = f"{self.process.id}_flow{len(flows) + 1}"
            flows.append(Flow(name, each.node, target, points, each.name, each.condition, each.is_default))

    def joined(self, exits: list[Exit], name: str, x: float, y: float) -> list[Exit]:
        """*exits*, brought together at *x*, *y* by a gateway where they are several."""
        if len(exits) < 2:
            return exits
        self.connect(exits, self.node(name, Kind(GATEWAY, "", CONVERGING), "", around(x, y, JOIN_PX)))
        return [Exit(name)]

    def low(self, step: Step) -> float:
        """How far down *step* reaches, with what was put below it."""
        own, name = self.places.of(step), self.name(step)
        below = (self.rects.get(f"{name}_{end}") for end in ("do", "out", "join"))
        return max(each.y + each.height for each in (own, *filter(None, below)))

    def source(self, step: Step) -> str:
        """The lines of the text that are those of *step* alone."""
        whole = self.part.whole
        own = whole.owned_span(step.id)
        end = whole.owned_span(step.children[0].id).start if step.children else own.end
        return whole.text[own.start : max(own.start, end)].strip("\r\n")


def moved(rect: Rect) -> Rect:
    """*rect* where the stretched picture has its middle, as large as it is."""
    return rect._replace(y=(rect.y + rect.height / 2) * STRETCH - rect.height / 2)


def stretched(rect: Rect) -> Rect:
    """*rect*, stretched itself."""
    return rect._replace(y=rect.y * STRETCH, height=rect.height * STRETCH)


def bounds(rects: Iterable[Rect], points: Iterable[Point] = ()) -> Rect:
    """What holds all *rects* and *points*, with a margin."""
    corners = [*points]
    for rect in rects:
        corners += [(rect.x, rect.y), (rect.x + rect.width, rect.y + rect.height)]
    left, top = min(x for x, _y in corners) - _MARGIN, min(y for _x, y in corners) - _MARGIN
    right, low = max(x for x, _y in corners) + _MARGIN, max(y for _x, y in corners) + _MARGIN
    return Rect(left, top, right - left, low - top)


def line(source: Rect, target: Rect, lane: float | None = None, back: Point | None = None) -> tuple[Point, ...]:
    """The way from *source* to *target*, level and upright; for *lane* and *back* see ``Exit``."""
    (from_x, from_y), (to_x, to_y) = _middle(source), _middle(target)
    low, top = source.y + source.height, target.y
    if back is not None and lane is not None:
        aside, turn = back
        out = ((source.x + source.width, from_y), (lane, from_y), (lane, turn))
        return (*out, (aside, turn), (aside, to_y), (target.x, to_y))
    if back is not None:
        lane = back[0]
    if lane is not None and lane < source.x:  # back, at the left
        return (from_x, low), (from_x, low + _TURN), (lane, low + _TURN), (lane, to_y), (target.x, to_y)
    if lane is not None:
        right = source.x + source.width
        return (right, from_y), (lane, from_y), (lane, top - _TURN), (to_x, top - _TURN), (to_x, top)
    if top >= low:
        if from_x == to_x:
            return (from_x, low), (to_x, top)
        turn = top - min(_TURN, (top - low) / 2)
        return (from_x, low), (from_x, turn), (to_x, turn), (to_x, top)
    if target.x > source.x + source.width:
        if abs(from_y - to_y) < max(source.height, target.height):
            middle = min(max(from_y, target.y), target.y + target.height)
            return (source.x + source.width, from_y), (target.x, middle if middle == from_y else from_y)
        aside = target.x - _TURN
        return (from_x, low), (from_x, low + _TURN), (aside, low + _TURN), (aside, to_y), (target.x, to_y)
    aside = source.x + source.width + 2 * _TURN
    return (source.x + source.width, from_y), (aside, from_y), (aside, top - _TURN), (to_x, top - _TURN), (to_x, top)


def _middle(rect: Rect) -> Point:
    return rect.x + rect.width / 2, rect.y + rect.height / 2
