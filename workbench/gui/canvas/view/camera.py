"""What the canvas looks at: zoom, fit, centre, and an anchor that keeps still while the layout changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF

from workbench.editing.change import DocumentChange
from workbench.gui.canvas.painting.outlines import area_of
from workbench.gui.canvas.painting.overlay import REACH_PX
from workbench.gui.canvas.view import zoom_levels
from workbench.gui.canvas.view.canvas_view import CanvasView, visible_rect
from workbench.model.layout.shapes import BLOCK_WIDTH, Rect
from workbench.model.program import StepId
from workbench.syntax.change import changed_window

_FIT_MARGIN_PX = 24.0
_REVEAL_MARGIN_PX = 48.0
# Of a step with children, what counts is where its words stand.
_HEAD_PX = 80.0
# An open file shows as a whole only where its words stay readable.
_READABLE = 0.625


@dataclass(frozen=True, slots=True)
class Anchor:
    """Steps and where each stands in the viewport, the one to keep still first."""

    places: tuple[tuple[StepId, QPointF], ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """What a view shows: zoom and scroll positions."""

    zoom: float
    across: int
    down: int


def spot_of(view: CanvasView) -> Spot:
    """What *view* shows now."""
    return Spot(view.zoom, view.horizontalScrollBar().value(), view.verticalScrollBar().value())


def show_spot(view: CanvasView, spot: Spot) -> None:
    """Let *view* show again what it showed at *spot*."""
    view.look_at(spot.zoom, QPointF(spot.across, spot.down) / spot.zoom, QPointF(0, 0))


def centre_point(view: CanvasView) -> QPointF:
    """The middle of the viewport, in its pixels."""
    return QPointF(view.viewport().width() / 2, view.viewport().height() / 2)


def scene_point(view: CanvasView, at: QPointF) -> QPointF:
    """The point of the canvas that is seen at *at* of the viewport."""
    corner = QPointF(view.horizontalScrollBar().value(), view.verticalScrollBar().value())
    return (corner + at) / view.zoom


def zoom_to(view: CanvasView, zoom: float, at: QPointF) -> None:
    """Zoom so that the point of the canvas at *at* of the viewport stays there."""
    view.look_at(zoom_levels.bounded(zoom), scene_point(view, at), at)


def zoom_in(view: CanvasView) -> None:
    """One step larger, around what is selected, or the middle."""
    _zoom_around(view, zoom_levels.next_larger(view.zoom))


def zoom_out(view: CanvasView) -> None:
    """One step smaller, around what is selected, or the middle."""
    _zoom_around(view, zoom_levels.next_smaller(view.zoom))


def actual_size(view: CanvasView) -> None:
    """100 %, around what is selected, or the middle."""
    _zoom_around(view, 1.0)


def zoom_to_selection(view: CanvasView) -> bool:
    """Show the selected steps, as large as they fit, at most at 100 %; False where none of them is drawn."""
    places = [place for step in view.look.selected if (place := view.state.layout.place_of(step)) is not None]
    if not places:
        return False
    left, top = min(place.x for place in places), min(place.y for place in places)
    wide = max(place.x + place.width for place in places) - left
    high = max(place.y + place.height for place in places) - top
    zoom = zoom_levels.fitting(min(_room(view.viewport().width()) / wide, _room(view.viewport().height()) / high))
    view.look_at(zoom, QPointF(left + wide / 2, top + high / 2), centre_point(view))
    return True


def _room(length_px: int) -> float:
    return max(1.0, length_px - 2 * _REVEAL_MARGIN_PX)


def _zoom_around(view: CanvasView, zoom: float) -> None:
    """Zoom around what is selected and in view, all of which stays in view; else around the middle."""
    step = _seen(view)
    zoom_to(view, zoom, _focus_point(view, step))
    place = view.state.layout.place_of(step) if step is not None else None
    if place is not None:
        reveal(view, place._replace(height=min(place.height, _HEAD_PX)))


def _seen(view: CanvasView) -> StepId | None:
    """The first selected step that is in view."""
    visible = visible_rect(view)
    places = ((step, view.state.layout.place_of(step)) for step in view.look.selected)
    return next((step for step, place in places if place is not None and place.meets(visible)), None)


def _focus_point(view: CanvasView, step: StepId | None) -> QPointF:
    """The middle of the head of *step*, in pixels of the viewport; that of the viewport where it is not drawn."""
    place = view.state.layout.place_of(step) if step is not None else None
    if place is None:
        return centre_point(view)
    visible = visible_rect(view)
    head = min(place.height, _HEAD_PX)
    return QPointF(place.x + place.width / 2 - visible.x, place.y + head / 2 - visible.y) * view.zoom


def room_size(view: CanvasView) -> tuple[int, int]:
    """How wide and how high the viewport is where there is no map beside it."""
    return view.whole_px or view.viewport().width(), view.viewport().height()


def fit_zoom(view: CanvasView) -> float:
    """The zoom at which everything fits."""
    layout, (wide, high) = view.state.layout, room_size(view)
    zoom_across = (wide - 2 * _FIT_MARGIN_PX) / max(1.0, layout.width)
    return zoom_levels.fitting(min(zoom_across, (high - 2 * _FIT_MARGIN_PX) / max(1.0, layout.height)))


def fit(view: CanvasView) -> None:
    """Show everything."""
    layout, (wide, high) = view.state.layout, room_size(view)
    view.look_at(fit_zoom(view), QPointF(layout.width / 2, layout.height / 2), QPointF(wide / 2, high / 2))


def show_start(view: CanvasView) -> None:
    """The first look at a file: all of it where words stay readable, else its beginning in the person's text size."""
    if fit_zoom(view) >= _READABLE * view.theme.scale:
        fit(view)
    else:
        zoom = _first_zoom(view)
        view.look_at(zoom, QPointF(_first_left(view, zoom), 0), QPointF(_FIT_MARGIN_PX, _FIT_MARGIN_PX))


def _first_zoom(view: CanvasView) -> float:
    """The text size of the person, a little smaller where a block would not fit into the width."""
    wanted, smallest = zoom_levels.picture_scale(view.theme.scale), _READABLE * view.theme.scale
    return max(smallest, min(wanted, (view.viewport().width() - 2 * _FIT_MARGIN_PX) / BLOCK_WIDTH))


def _first_left(view: CanvasView, zoom: float) -> float:
    """What of the canvas stands at the left at first: its edge, or further right where the first column were cut."""
    playbooks = view.state.layout.playbooks
    if not playbooks:
        return 0.0
    title, room = playbooks[0].title.rect, view.viewport().width() / zoom
    if title.x + title.width + _FIT_MARGIN_PX / zoom <= room:
        return 0.0
    left = max(0.0, title.x + title.width / 2 - room / 2) + _FIT_MARGIN_PX / zoom
    column = playbooks[0].columns[0]
    return min(left, column.left) if column.width <= room else left


def reveal(view: CanvasView, rect: Rect) -> None:
    """Scroll as little as is needed to show *rect*."""
    visible = visible_rect(view)
    margin = _REVEAL_MARGIN_PX / view.zoom
    x = _pulled(visible.x, visible.width, rect.x - margin, rect.width + 2 * margin)
    # of a step that is taller than half of the viewport, the beginning is what a person wants to see
    y = _pulled(visible.y, visible.height, rect.y - margin, min(rect.height, visible.height / 2) + 2 * margin)
    if (x, y) != (visible.x, visible.y):
        view.look_at(view.zoom, QPointF(x, y), QPointF(0, 0))


def bring(view: CanvasView, rect: Rect) -> None:
    """Show *rect*: nothing moves where its beginning is in view already, else it comes to the upper third."""
    visible = visible_rect(view)
    height = min(rect.height + REACH_PX, visible.height / 2)
    is_seen_across = visible.x <= rect.x and rect.x + rect.width <= visible.x + visible.width
    is_seen_down = visible.y <= rect.y and rect.y + height <= visible.y + visible.height
    if is_seen_across and is_seen_down:
        return
    margin = _FIT_MARGIN_PX / view.zoom
    x = _pulled(visible.x, visible.width, rect.x - margin, rect.width + 2 * margin)
    y = visible.y if is_seen_down else rect.y - (visible.height - height) / 3
    view.look_at(view.zoom, QPointF(x, y), QPointF(0, 0))


def _pulled(start: float, length: float, goal: float, size: float) -> float:
    """The new start of a window of *length* that shows *goal* … *goal* + *size* after the smallest move."""
    if goal < start or size > length:
        return goal
    return max(start, goal + size - length)


def anchor_of(view: CanvasView, preferred: tuple[StepId, ...] = ()) -> Anchor:
    """The *preferred* steps where they are visible, then the others from the middle outwards."""
    visible = visible_rect(view)
    chosen = [(step, rect) for step in preferred[:8] if (rect := view.state.layout.place_of(step)) is not None]
    chosen = [(step, rect) for step, rect in chosen if rect.meets(visible)]
    middle = QPointF(visible.x + visible.width / 2, visible.y + visible.height / 2)
    others = sorted(_nearby(view, visible), key=lambda each: _distance(each[1], middle))
    corner = QPointF(visible.x, visible.y)
    zoom = view.zoom
    return Anchor(tuple((step, (QPointF(rect.x, rect.y) - corner) * zoom) for step, rect in [*chosen, *others]))


def steady_anchor(change: DocumentChange, anchor: Anchor) -> Anchor:
    """The steps of *anchor*, those first that *change* leaves where they are: nothing jumps that it did not move.

    What lies above a change in the source stands still, nearest to it first: a new step
    pushes what is below it down. Where nothing above is on the screen, what lies below the
    change stands still. What lies between two edits, as when a step moves, comes last.
    """
    window, _new = changed_window(change.change)
    snapshot = change.before
    ranked: list[tuple[int, int, StepId]] = []
    for index, (step, _at) in enumerate(anchor.places):
        if not snapshot.has(step):
            continue
        head = snapshot.head_span(step).start
        if head < window.start:
            ranked.append((0, window.start - head, step))
        else:
            ranked.append((1 if head >= window.end else 2, index, step))
    places = dict(anchor.places)
    return Anchor(tuple((step, places[step]) for _rank, _near, step in sorted(ranked)))


def keep(view: CanvasView, anchor: Anchor) -> None:
    """Put the first step of *anchor* that is still there back to where it was on the screen."""
    # most often the step is still on the screen, where it is found without asking the whole layout
    near = {box.step: box.rect for box in view.shown.boxes.values()}
    for step, at in anchor.places:
        rect = near.get(step) or view.state.layout.place_of(step)
        if rect is not None:
            # scroll bars count whole pixels: to put right less than one would make the picture tremble
            if (QPointF(rect.x, rect.y) - scene_point(view, at)).manhattanLength() * view.zoom >= 1:
                view.look_at(view.zoom, QPointF(rect.x, rect.y), at)
            return


def _nearby(view: CanvasView, visible: Rect) -> Iterator[tuple[StepId, Rect]]:
    """Steps around the middle of the viewport, with their places."""
    if not view.is_far:
        for box in view.shown.boxes.values():
            if box.step is not None and box.rect.meets(visible):
                yield box.step, box.rect
        return
    # from afar thousands of steps are visible: those in a box of a fifth by a tenth around the middle will do
    x, y = visible.x + visible.width * 0.4, visible.y + visible.height * 0.45
    part = Rect(x, y, visible.width / 5, visible.height / 10)
    for placed in view.state.layout.visible(part):
        for step in placed.fragment.steps[:1]:
            yield step.id, Rect(placed.x, placed.y, placed.fragment.width, placed.fragment.height)


def _distance(rect: Rect, point: QPointF) -> float:
    return (area_of(rect).center() - point).manhattanLength()
