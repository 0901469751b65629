"""The picture of a whole document: playbooks side by side, each a column of fragments.

Very long playbooks go on in further columns, so that a picture of all of them still says something. Between two layouts
of one document only the fragments whose steps changed are made anew; where the others stand follows from sums.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, chain
from operator import attrgetter

from workbench.model.layout.folds import EVERYTHING, Focus, Folds
from workbench.model.layout.functions import FunctionLayout, layout_functions
from workbench.model.layout.pieces import HALF, STUB_HEIGHT, Stub
from workbench.model.layout.places import (
    MARGIN,
    PLAYBOOK_GAP,
    Ends,
    Placing,
    Stand,
    links_by_playbook,
    place_files,
    ways_between,
)
from workbench.model.layout.prompts import END_HEIGHT, end_box, prompt_boxes
from workbench.model.layout.rows import (
    Column,
    Row,
    RowKey,
    columns_of,
    notes_column,
    row_of_notes,
    row_of_steps,
    row_of_triggers,
    rows_not_shown,
    wraps_between,
)
from workbench.model.layout.shapes import BLOCK_WIDTH, GAP, Box, Fragment, Placed, Rect, Route, Shape, Slot, slot_at
from workbench.model.layout.steplists import edge_routes
from workbench.model.links import FileLink
from workbench.model.meaning import RouteKind, StepKind
from workbench.model.program import Agent, Playbook, PlaybookMode, PythonFunction, Step, StepId, prompt_id
from workbench.model.queries import Queries
from workbench.syntax.differences import part, windows_between

TITLE_HEIGHT = 56.0
_CHAPTER_TITLE = 320.0
_LANE_PADDING = 40.0
_HEIGHT = attrgetter("height")
_NUMBERED = attrgetter("numbered")
_ROWS = (("T", row_of_triggers), ("", row_of_steps), ("N", row_of_notes))


@dataclass(frozen=True, eq=False)
class PlaybookLayout:
    """Where one playbook stands. *boxes*, *routes* and *slots* are its own (title, prompt, end, entry), absolute.

    *tops*: for every fragment its top within its column. *foot*: where the way through it ends, if it goes on.
    *links*: to files, whose boxes are the last of its own.
    """

    playbook: Playbook
    rect: Rect
    boxes: tuple[Box, ...]
    routes: tuple[Route, ...]
    slots: tuple[Slot, ...]
    fragments: tuple[Fragment, ...]
    columns: tuple[Column, ...]
    tops: Sequence[float]
    numbers: Sequence[int]
    prefixes: Sequence[tuple[int, str]]
    stand: Stand
    foot: tuple[float, float] | None = None
    links: tuple[FileLink, ...] = ()

    @property
    def title(self) -> Box:
        """The box with the playbook's name."""
        return self.boxes[0]

    @property
    def placed(self) -> Iterator[Placed]:
        """All fragments with their places, in source order."""
        for column in self.columns:
            for index in range(column.first, column.last):
                yield self._at(column, index)

    def visible(self, rect: Rect) -> Iterator[Placed]:
        """The fragments that meet *rect*, in source order."""
        if not self.rect.meets(rect):
            return
        for column in self.columns:
            if column.left > rect.x + rect.width or column.left + column.width < rect.x:
                continue
            first = max(column.first, bisect_right(self.tops, rect.y, column.first, column.last) - 1)
            last = bisect_right(self.tops, rect.y + rect.height, column.first, column.last)
            for index in range(first, last):
                yield self._at(column, index)

    def fragment_with(self, root: Step) -> Placed | None:
        """The fragment that shows the top-level step *root*."""
        for column in self.columns:
            for index in self._near(root):
                if column.first <= index < column.last:
                    return self._at(column, index)
        return None

    def shown_box(self, lineage: Sequence[Step]) -> tuple[Placed, Box] | None:
        """The box of the innermost of *lineage* (from the top level down) that is drawn, and the fragment it is in."""
        placed = self.fragment_with(lineage[0])
        by_id = placed.fragment.box_of if placed else {}
        shown = next((by_id[step.id] for step in reversed(lineage) if step.id in by_id), None)
        if placed and shown is None and isinstance(placed.fragment.drawable, Stub):
            shown = placed.fragment.boxes[0]
        return (placed, shown) if placed and shown else None

    def _near(self, root: Step) -> tuple[int, ...]:
        steps = self._first_steps
        position = steps.get(root.id)
        return () if position is None else (position,)

    @cached_property
    def _first_steps(self) -> dict[StepId, int]:
        return {step.id: index for index, fragment in enumerate(self.fragments) for step in fragment.steps}

    def _at(self, column: Column, index: int) -> Placed:
        fragment = self.fragments[index]
        prefix_at = bisect_right(self.prefixes, (index, "\U0010ffff")) - 1
        base, prefix = self.prefixes[prefix_at]
        number = self.numbers[index] - self.numbers[base] + 1
        return Placed(fragment, column.spine - fragment.spine, self.tops[index], number, prefix)


@dataclass(frozen=True, slots=True)
class Lane:
    """The ground on which the playbooks of one agent stand. *kind*: ``AI``, ``Human`` or ``MCP``."""

    name: str
    kind: str
    rect: Rect


@dataclass(frozen=True, eq=False)
class Layout:
    """The whole picture. Coordinates are pixels at 100 %, from the top left. *functions*: beside the playbooks.

    *stub*: stands for the playbooks that are left out.
    """

    document: Queries
    folds: Folds
    playbooks: tuple[PlaybookLayout, ...]
    width: float
    height: float
    functions: tuple[FunctionLayout, ...] = ()
    stub: Box | None = None

    @cached_property
    def ways(self) -> tuple[Route, ...]:
        """From each chapter that is gone through to the next."""
        return tuple(ways_between([_ends(each) for each in self.playbooks if each.stand.leads_on or each.stand.number]))

    @cached_property
    def lanes(self) -> tuple[Lane, ...]:
        """One lane for each agent that has playbooks; none where the file has one agent only."""
        agents = self.document.program.agents
        places = {id(each.playbook): each.rect for each in self.playbooks} if len(agents) > 1 else {}
        found = [(agent, [places[id(one)] for one in agent.playbooks if id(one) in places]) for agent in agents]
        return tuple([self._lane(agent, rects) for agent, rects in found if rects])

    def _lane(self, agent: Agent, rects: Sequence[Rect]) -> Lane:
        first, last = rects[0], rects[-1]
        left, right = first.x - _LANE_PADDING, last.x + last.width + _LANE_PADDING
        top = MARGIN - _LANE_PADDING
        return Lane(agent.name, agent.kind, Rect(left, top, right - left, self.height - 2 * top))

    def visible(self, rect: Rect) -> Iterator[Placed]:
        """All fragments that meet *rect*."""
        for playbook in self.playbooks:
            yield from playbook.visible(rect)

    def box_of(self, step_id: StepId) -> tuple[Placed, Box] | None:
        """The box that shows *step_id* (or the folded one or the stub that hides it), and the fragment it is in."""
        if self.document.find(step_id) is None:
            return None
        lineage = self.document.lineage(step_id)
        return next(filter(None, (playbook.shown_box(lineage) for playbook in self.playbooks)), None)

    def place_of(self, step_id: StepId) -> Rect | None:
        """Where the box of *step_id* stands; None where it is not drawn."""
        found = self.box_of(step_id)
        return found[1].rect.moved(found[0].x, found[0].y) if found else None


@dataclass(slots=True)
class LayoutCache:
    """What the next layout of the same document can use again: fragments per playbook and list, and their places."""

    rows: dict[RowKey, Row] = field(default_factory=dict)
    playbooks: tuple[PlaybookLayout, ...] = ()


def layout_program(
    document: Queries,
    folded: frozenset[StepId] = frozenset(),
    cache: LayoutCache | None = None,
    focus: Focus = EVERYTHING,
) -> Layout:
    """The picture of *document*; with the *cache* of the layout before it, in time that grows with the change."""
    shown = [each for each in document.program.playbooks if focus.playbook in ("", each.address)]
    folds = Folds(folded, focus.left_out)
    layouts = _placed_playbooks(document, shown, folds, cache or LayoutCache())
    functions = () if focus.playbook else document.program.functions
    left_out = len(document.program.playbooks) - len(shown) + len(document.program.functions) - len(functions)
    return _whole(Layout(document, folds, layouts, 0.0, 0.0), functions, left_out)


def _placed_playbooks(
    document: Queries, shown: Sequence[Playbook], folds: Folds, cache: LayoutCache
) -> tuple[PlaybookLayout, ...]:
    """The playbooks *shown* with their places; *cache* takes what the next layout can use again."""
    known, links = cache.rows, links_by_playbook(document)
    places = {id(playbook): place for place, playbook in enumerate(document.program.playbooks)}
    rows = rows_not_shown(known, document.program.playbooks, {places[id(each)] for each in shown})
    layouts: list[PlaybookLayout] = []
    placing = Placing(shown)
    for index, playbook in enumerate(shown):
        lists = []
        for name, row_of in _ROWS:
            key = (places[id(playbook)], playbook.name, name)
            rows[key] = row_of(playbook, folds, known.get(key))
            lists.append((name, rows[key].fragments))
        before = cache.playbooks[index] if index < len(cache.playbooks) else None
        stand = placing.stand_of(playbook)
        linked = links.get(id(playbook), ())
        kept = _refilled(before, playbook, lists, stand) if before and before.links == linked else None
        layout = kept or _with_files(_playbook_layout(playbook, lists, stand), linked, document)
        layouts.append(layout)
        placing.take(stand, layout.rect)
    cache.rows = rows
    cache.playbooks = tuple(layouts)
    return cache.playbooks


def _whole(layout: Layout, functions: Sequence[PythonFunction], left_out: int) -> Layout:
    """*layout* with *functions* in Python beside its playbooks, or a stub for all that is *left_out*; and its size."""
    right = max((each.rect.x + each.rect.width for each in layout.playbooks), default=MARGIN - PLAYBOOK_GAP)
    beside = tuple(layout_functions(functions, right + PLAYBOOK_GAP, MARGIN))
    rects = [*(each.rect for each in layout.playbooks), *(each.rect for each in beside)]
    if left_out:
        rects.append(Rect(right + PLAYBOOK_GAP, MARGIN, BLOCK_WIDTH, STUB_HEIGHT))
    stub = Box(None, Shape.CHIP, StepKind.CALL, rects[-1], "", hidden=left_out) if left_out else None
    width = max((rect.x + rect.width for rect in rects), default=0.0)
    height = max((rect.y + rect.height for rect in rects), default=0.0)
    return replace(layout, width=width + MARGIN, height=height + MARGIN, functions=beside, stub=stub)


def _ends(layout: PlaybookLayout) -> Ends:
    """Where ways begin and end at the chapter of *layout*."""
    steps, title, rect = layout.playbook.steps, layout.title.rect, layout.rect
    first, last = (steps[0].id, steps[-1].id) if steps else (None, None)
    return Ends(layout.foot, last, (layout.columns[0].spine, title.y), first, rect.x + rect.width)


def _refilled(
    known: PlaybookLayout, playbook: Playbook, lists: list[tuple[str, tuple[Fragment, ...]]], stand: Stand
) -> PlaybookLayout | None:
    """*known* with the fragments of *lists*, where these take the same places; None where something has to move.

    Most edits change words and no sizes: then only what was typed in is another object.
    """
    fragments = tuple(chain.from_iterable([row for _name, row in lists]))
    if known.playbook is playbook and known.stand == stand and known.fragments == fragments:
        return known
    starts = accumulate([len(row) for _name, row in lists], initial=0)
    prefixes = [(start, name) for start, (name, _row) in zip(starts, lists, strict=False)]
    is_alike = known.stand == stand and len(fragments) == len(known.fragments) and known.prefixes == prefixes
    if not is_alike or _words(known.playbook) != _words(playbook) or not playbook.is_ordered:
        return None
    windows = windows_between(known.fragments, fragments)
    if any(_footprints(known.fragments, window.old) != _footprints(fragments, window.new) for window in windows):
        return None
    return replace(known, playbook=playbook, fragments=fragments)


def _words(playbook: Playbook) -> tuple[object, ...]:
    """What the own boxes of *playbook* say."""
    return playbook.title, playbook.mode, playbook.description if playbook.is_prompt else ""


def _low(box: Box) -> float:
    return box.rect.y + box.rect.height


def _footprints(fragments: tuple[Fragment, ...], places: range) -> list[tuple[object, ...]]:
    return [_footprint(fragment) for fragment in fragments[part(places)]]


def _footprint(fragment: Fragment) -> tuple[object, ...]:
    """What the places of all others, and the ways between columns, depend on."""
    ids = tuple([step.id for step in fragment.steps])
    return ids, fragment.height, fragment.spine, fragment.width, fragment.numbered, fragment.ends


def _playbook_layout(playbook: Playbook, lists: list[tuple[str, tuple[Fragment, ...]]], stand: Stand) -> PlaybookLayout:
    fragments = tuple(chain.from_iterable([row for _name, row in lists]))
    heights = list(map(_HEIGHT, fragments))
    starts = list(accumulate((len(row) for _name, row in lists), initial=0))
    prefixes = [(start, name) for start, (name, _row) in zip(starts, lists, strict=False)]
    top = stand.y + TITLE_HEIGHT + (0 if stand.is_text else GAP)
    columns, tops = columns_of(fragments[: starts[2]], heights, stand.x, top)
    boxes, routes, slots = _frame(playbook, fragments[starts[1] : starts[2]], columns, stand)
    foot = tops[starts[2] - 1] + heights[starts[2] - 1] if starts[2] else top
    own, ways = prompt_boxes(playbook, columns[-1].spine, foot)
    end = None if stand.is_text else _foot(fragments, starts, columns, tops, heights)
    below = own or ((end_box(*end),) if end is not None and not stand.leads_on else ())
    routes += [*wraps_between(columns, tops, heights, fragments), *ways]
    low = max((tops[column.last - 1] + heights[column.last - 1] for column in columns if column.last), default=top)
    low = max(low, _low(own[0]) if own else top)
    if starts[3] > starts[2]:
        start = _low(below[-1]) + GAP if below else foot
        columns.append(notes_column(fragments[starts[2] :], starts[2], columns[-1]))
        tops += [start + above for above in accumulate(heights[starts[2] : -1], initial=0.0)]
        low = max(low, tops[-1] + heights[-1])
    right = max((column.left + column.width for column in columns), default=stand.x + 2 * HALF)
    rect = Rect(stand.x, stand.y, right - stand.x, low - stand.y + (0.0 if stand.is_text else GAP + END_HEIGHT))
    numbers = list(accumulate(map(_NUMBERED, fragments), initial=0))
    layout = PlaybookLayout(
        *(playbook, rect, (*boxes, *below), tuple(routes), tuple(slots), fragments, tuple(columns), tops),
        *(numbers, prefixes, stand, end),
    )
    return layout if playbook.is_ordered else _with_edges(layout)


def _with_edges(layout: PlaybookLayout) -> PlaybookLayout:
    """*layout* with the edges that its steps name themselves."""
    places = {
        box.step.id: box.rect.moved(placed.x, placed.y)
        for placed in layout.placed
        for box in placed.fragment.boxes
        if box.step is not None
    }
    rect = layout.rect
    routes, right = edge_routes(layout.playbook, places, rect.x + rect.width)
    return replace(layout, routes=layout.routes + tuple(routes), rect=rect._replace(width=right - rect.x))


def _with_files(layout: PlaybookLayout, links: tuple[FileLink, ...], document: Queries) -> PlaybookLayout:
    """*layout* with the files that its steps link to."""
    if not links:
        return layout
    shown = {link.step: layout.shown_box(document.lineage(link.step)) for link in links}
    places = {step: found[0].words_rect(found[1]) for step, found in shown.items() if found}
    placed = place_files(links, places, layout.rect)
    boxes, routes = layout.boxes + placed.boxes, layout.routes + placed.routes
    return replace(layout, boxes=boxes, routes=routes, rect=placed.rect, links=links)


def _frame(
    playbook: Playbook, steps: tuple[Fragment, ...], columns: list[Column], stand: Stand
) -> tuple[list[Box], list[Route], list[Slot]]:
    """The title of a playbook, the way to its first step unless triggers lead there, and the slot below it."""
    spine = columns[0].spine
    path = (stand.number,) if stand.number else ()
    if stand.is_text:
        rect = Rect(columns[0].left, stand.y, max(2 * HALF, columns[0].width), TITLE_HEIGHT)
        return [Box(None, Shape.TITLE, StepKind.RAW, rect, playbook.title, path)], [], []
    width = _CHAPTER_TITLE if playbook.is_chapter else 2 * HALF
    rect = Rect(spine - HALF, stand.y, width, TITLE_HEIGHT)
    title = Box(None, Shape.TITLE, StepKind.STEP, rect, playbook.title, path)
    low = stand.y + TITLE_HEIGHT
    # what is one request has no steps, whatever is written into it
    slots = [] if playbook.mode is PlaybookMode.RAW else [slot_at(None, None, spine, low + GAP / 2)]
    if playbook.triggers or not playbook.is_ordered:  # the ways in are theirs, or there is no first step
        return [title], [], slots
    target = steps[0].steps[0].id if steps else prompt_id(playbook) if playbook.is_prompt else None
    route = Route(RouteKind.NEXT, ((spine, low), (spine, low + GAP)), None, target)
    return [title], [route], slots


def _foot(
    fragments: tuple[Fragment, ...],
    starts: list[int],
    columns: list[Column],
    tops: list[float],
    heights: list[float],
) -> tuple[float, float] | None:
    """Where the implied end stands below the last step; None where the flow does not reach it."""
    last = starts[2] - 1
    if last < starts[1] or fragments[last].ends:
        return None
    column = next(column for column in columns if column.first <= last < column.last)
    return column.spine, tops[last] + heights[last]
