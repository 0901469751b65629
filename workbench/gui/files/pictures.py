"""The flowchart as a PNG and as a PDF, painted as on the screen, a slice at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QRectF, QSizeF, Qt, QUuid
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen

from workbench.errors import CannotSave
from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.gui.canvas.content.shown_boxes import shown_boxes_in
from workbench.gui.canvas.painting.box_painter import paint_box
from workbench.gui.canvas.painting.route_painter import InkStore, paint_ground, paint_lanes
from workbench.gui.canvas.painting.text_layout import sized
from workbench.gui.look.theming import DARK, LIGHT, Theme
from workbench.i18n import _, numeral
from workbench.model.layout.program import PlaybookLayout
from workbench.model.layout.shapes import Rect
from workbench.pages.diagrams.forms import Form, Paper, Wish
from workbench.pages.diagrams.paging import crossings, cuts, holding, letters
from workbench.pages.diagrams.pdf_bytes import Bookmark, of_day, with_bookmarks
from workbench.pages.parts import Part, playbook_title, words

MOST_PIXELS = 120_000_000
LONGEST_SIDE_PX = 16_000
_SLICE = 10
# Qt packs a page when the next one begins: what is on it is handed over in pieces that take no longer than the rest.
_TURNS_OF_A_PIECE = 12
_TILE_PX = 1_200.0
_AROUND_PX = 24.0
_MARK_PX = 11.0
_DPI = 720
_POINT = _DPI / 72
_READABLE = 0.62
"""Points of paper for each pixel of the flowchart: its words are then as large as those of a newspaper."""
_LEAST = 0.4
_MARGIN_PT = 34.0
_HEAD_PT = 26.0
_LONGEST_PAGE_PT = 14_000.0
_PAPERS = {
    Paper.A4: QPageSize.PageSizeId.A4,
    Paper.A3: QPageSize.PageSizeId.A3,
    Paper.LETTER: QPageSize.PageSizeId.Letter,
}
Finish = Callable[[], bytes]
Slices = Generator[float, None, Finish]
"""Gives again and again how much is painted, from 0 to 1, and in the end what makes the data of it, on any thread."""


def draw(part: Part, wish: Wish) -> bytes:
    """*part* as PNG or PDF, in one go. Raises CannotSave where the picture would be too large."""
    slices = drawing(Picture(part, wish), wish)
    while True:
        try:
            next(slices)
        except StopIteration as end:
            finish: Finish = end.value
            return finish()


def draw_without_window(part: Part, wish: Wish) -> bytes:
    """The same for a program that shows no window, with or without a display."""
    has_display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not has_display:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication.instance() or QGuiApplication([])
    data = draw(part, wish)
    del application  # until here it has to be there
    return data


def drawing(picture: Picture, wish: Wish) -> Slices:
    """*picture* as PNG or PDF, slice by slice; closing it gives it up. Raises CannotSave as ``draw`` does."""
    if wish.form is Form.PNG:
        return (yield from _png(picture, wish.scale))
    return (yield from _pdf(picture))


class Picture:
    """A part of a document as it is painted; made on any thread, since it is laid out and nothing is painted yet.

    *page*, *sheets*: of a PDF, how its pages look, and what stands on each.
    """

    def __init__(self, part: Part, wish: Wish) -> None:
        theme = DARK if wish.is_dark else LIGHT
        # nobody wants to print a grey ground
        is_paper = wish.form is Form.PDF and not wish.is_dark
        self.theme = replace(theme, window=theme.surface) if is_paper else theme
        self.part = part
        self._state = CanvasState(part.snapshot)
        self._store = InkStore()
        self.layout = self._state.layout
        self.area = Rect(0.0, 0.0, max(self.layout.width, 1.0), max(self.layout.height, 1.0))
        self.page = _page_layout(self, wish)
        self.sheets = sheets_of(self, _room_on(self.page)) if wish.form is Form.PDF else []

    def painted(self, painter: QPainter, area: Rect) -> Iterator[float]:
        """Paint what is in *area*, tile by tile: ground, lanes, edges and frames of all, then the blocks."""
        tiles = list(_tiles(area))
        for at, tile in enumerate(tiles):
            self._paint_ground(painter, tile)
            yield at / len(tiles) / 2
        for at, tile in enumerate(tiles):
            for done in self._painted_blocks(painter, tile, area):
                yield 0.5 + (at + done) / len(tiles) / 2

    def _paint_ground(self, painter: QPainter, tile: Rect) -> None:
        painter.save()
        painter.setClipRect(QRectF(*tile), Qt.ClipOperation.IntersectClip)
        painter.fillRect(QRectF(*tile), QColor(self.theme.window))
        paint_lanes(painter, self.layout, tile, self.theme)
        paint_ground(painter, self.layout, tile, self._store, self.theme)
        painter.restore()

    def _painted_blocks(self, painter: QPainter, tile: Rect, area: Rect) -> Iterator[float]:
        """The blocks that begin in *tile*, so that each is painted once; what begins outside of *area*, at its edge."""
        boxes = list(shown_boxes_in(self.layout, tile, self._state.severities_of).values())
        own = (each for each in boxes if _begins_in(tile, max(each.x, area.x), max(each.y, area.y)))
        for at, box in enumerate(own):
            content = box.content
            if self.part.snapshot is not self.part.whole and box.step is not None and self.part.whole.has(box.step):
                content = replace(content, number=self.part.whole.number(box.step))
            painter.translate(box.x, box.y)
            paint_box(painter, content, self.theme)
            painter.translate(-box.x, -box.y)
            if at % _SLICE == _SLICE - 1:
                yield at / len(boxes)


def _tiles(area: Rect) -> Iterator[Rect]:
    """*area* in parts that take no longer than a glance; a wide flowchart has thousands of ways in one band."""
    for row in range(max(1, ceil(area.height / _TILE_PX))):
        top = area.y + row * _TILE_PX
        height = min(_TILE_PX, area.y + area.height - top)
        for column in range(max(1, ceil(area.width / _TILE_PX))):
            left = area.x + column * _TILE_PX
            yield Rect(left, top, min(_TILE_PX, area.x + area.width - left), height)


def _begins_in(tile: Rect, x: float, y: float) -> bool:
    return tile.x <= x < tile.x + tile.width and tile.y <= y < tile.y + tile.height


def _png(picture: Picture, scale: float) -> Slices:
    """A PNG with *scale* pixels for each of the flowchart."""
    width, height = ceil(picture.area.width * scale), ceil(picture.area.height * scale)
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE_PX:
        message = _(
            "The picture would be too large for most programs: {size} (in pixels). Choose a scale of {scale} or less, "
            "export one playbook, or choose SVG or PDF."
        )
        size = f"{numeral(width)} × {numeral(height)}"
        raise CannotSave(message.format(size=size, scale=numeral(_fitting(picture))))
    image = QImage(width, height, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    try:
        painter.scale(scale, scale)
        yield from picture.painted(painter, picture.area)
    finally:
        painter.end()
    return partial(_encoded, image)


def _encoded(image: QImage) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs want bytes, Qt a text
    return bytes(buffer.data().data())


def _fitting(picture: Picture) -> float:
    """The largest scale with one digit behind the point at which *picture* can be saved."""
    width, height = picture.area.width, picture.area.height
    most = min(LONGEST_SIDE_PX / max(width, height), (MOST_PIXELS / (width * height)) ** 0.5)
    return max(0.1, int(most * 10 - 0.01) / 10)


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where a way goes on on another sheet: the place at the edge, its name, and the other sheet (from 0)."""

    x: float
    y: float
    name: str
    sheet: int


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A page: what of the flowchart it shows, how large, what stands above, and the ways that go on elsewhere."""

    area: Rect
    scale: float
    title: str
    marks: tuple[_Mark, ...] = ()


def _pdf(picture: Picture) -> Slices:
    """A PDF: all of it on one sheet, and unless that can be read, each playbook on as many as it takes."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_DPI)
    writer.setTitle(words(picture.part.title))
    writer.setCreator("Playbook Workbench")
    writer.setDocumentId(QUuid.createUuidV5(QUuid(), words(picture.part.title).encode()))
    writer.setPageLayout(picture.page)
    pieces = [1] * len(picture.sheets)
    painter = QPainter(writer)
    try:
        yield from _painted_pages(painter, writer, picture, pieces)
    finally:
        painter.end()
    return partial(_finished, bytes(buffer.data().data()), picture, pieces)


def _painted_pages(painter: QPainter, writer: QPdfWriter, picture: Picture, pieces: list[int]) -> Iterator[float]:
    """Paint all sheets; *pieces* takes how many pages of the *writer* each of them took."""
    page, room, sheets = picture.page.fullRect(QPageLayout.Unit.Point), _room_on(picture.page), picture.sheets
    for at, sheet in enumerate(sheets):
        if at:
            writer.newPage()
        painter.resetTransform()
        painter.scale(_POINT, _POINT)
        _paint_edges(painter, picture, page, (sheet, at, len(sheets)))
        yield at / len(sheets)
        for turn, done in enumerate(_painted_sheet(painter, picture, sheet, room), 1):
            yield (at + done) / len(sheets)
            if turn % _TURNS_OF_A_PIECE == 0:
                writer.newPage()
                pieces[at] += 1
        yield (at + 1) / len(sheets)


def _finished(data: bytes, picture: Picture, pieces: Sequence[int]) -> bytes:
    """*data* with its bookmarks, as many pages as there are sheets, and the day of the file."""
    return of_day(with_bookmarks(data, _bookmarks(picture.sheets), pieces), picture.part.date)


def _bookmarks(sheets: Sequence[_Sheet]) -> list[Bookmark]:
    """The overview, and each playbook and function at its first page."""
    titles = [None, *(sheet.title for sheet in sheets)]
    return [Bookmark(str(title), at) for at, title in enumerate(titles[1:]) if at < 2 or title != titles[at]]


def _room_on(layout: QPageLayout) -> Rect:
    """Where on a page the flowchart can stand, in points."""
    page = layout.fullRect(QPageLayout.Unit.Point)
    height = page.height() - 2 * (_MARGIN_PT + _HEAD_PT)
    return Rect(_MARGIN_PT, _MARGIN_PT + _HEAD_PT, page.width() - 2 * _MARGIN_PT, height)


def _page_layout(picture: Picture, wish: Wish) -> QPageLayout:
    if wish.paper is Paper.AS_LARGE:
        width = picture.area.width * _READABLE + 2 * _MARGIN_PT
        height = picture.area.height * _READABLE + 2 * (_MARGIN_PT + _HEAD_PT)
        size = QPageSize(
            QSizeF(min(width, _LONGEST_PAGE_PT), min(height, _LONGEST_PAGE_PT)), QPageSize.Unit.Point, "",
            QPageSize.SizeMatchPolicy.ExactMatch,
        )  # fmt: skip
        return QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF())
    upright, level = QPageLayout.Orientation.Portrait, QPageLayout.Orientation.Landscape
    return QPageLayout(QPageSize(_PAPERS[wish.paper]), upright if wish.is_upright else level, QMarginsF())


def sheets_of(picture: Picture, room: Rect) -> list[_Sheet]:
    """The pages: an overview, and each playbook as large as it can be read, cut between its blocks."""
    title = words(picture.part.title)
    whole = min(room.width / picture.area.width, room.height / picture.area.height)
    sheets = [_Sheet(picture.area, min(whole, _READABLE), title)]
    if whole >= _LEAST:
        return sheets
    for layout in picture.layout.playbooks:
        sheets += _sheets_of_playbook(layout, room, len(sheets))
    for function in picture.layout.functions:
        area = _wider(function.rect)
        scale = min(_READABLE, room.width / area.width, room.height / area.height)
        sheets.append(_Sheet(area, scale, words(function.function.name)))
    return sheets


def _wider(rect: Rect) -> Rect:
    around = _AROUND_PX
    return Rect(rect.x - around, rect.y - around, rect.width + 2 * around, rect.height + 2 * around)


def _sheets_of_playbook(layout: PlaybookLayout, room: Rect, first: int) -> Iterator[_Sheet]:
    """The pages of one playbook, from the page *first* on: column by column, from top to bottom."""
    area = _wider(layout.rect)
    scale = max(_LEAST, min(_READABLE, room.width / area.width))
    blocks = [placed.words_rect(box) for placed in layout.placed for box in placed.fragment.boxes]
    across = cuts([(r.x, r.x + r.width) for r in blocks], area.x, area.x + area.width, room.width / scale)
    down = cuts([(r.y, r.y + r.height) for r in blocks], area.y, area.y + area.height, room.height / scale)
    spots = [
        Rect(left, top, right - left, low - top)
        for left, right in zip(across, across[1:], strict=False)
        for top, low in zip(down, down[1:], strict=False)
    ]
    spots = [spot for spot in spots if any(block.meets(spot) for block in blocks) or len(spots) == 1]
    marks: list[list[_Mark]] = [[] for _spot in spots]
    names = letters()
    for x, y, is_level in crossings(layout, across[1:-1], down[1:-1]):
        before = holding(spots, x - 1 if is_level else x, y if is_level else y - 1)
        after = holding(spots, x + 1 if is_level else x, y if is_level else y + 1)
        if before is not None and after is not None:
            name = next(names)
            marks[before].append(_Mark(x, y, name, first + after))
            marks[after].append(_Mark(x, y, name, first + before))
    for spot, found in zip(spots, marks, strict=True):
        yield _Sheet(spot, scale, playbook_title(layout.playbook), tuple(found))


def _painted_sheet(painter: QPainter, picture: Picture, sheet: _Sheet, room: Rect) -> Iterator[float]:
    """Paint the part of the flowchart that belongs to *sheet*, and the marks at its edges."""
    painter.save()
    try:
        painter.translate(room.x, room.y)
        painter.scale(sheet.scale, sheet.scale)
        painter.translate(-sheet.area.x, -sheet.area.y)
        painter.setClipRect(QRectF(*sheet.area))
        yield from picture.painted(painter, sheet.area)
        painter.setClipping(False)  # marks stand around it
        painter.setFont(sized(picture.theme.secondary_font(), 10))
        for mark in sheet.marks:
            _paint_mark(painter, mark, sheet, picture.theme)
    finally:
        painter.restore()


def _paint_mark(painter: QPainter, mark: _Mark, sheet: _Sheet, theme: Theme) -> None:
    """A small circle with the name of the way that goes on, and the page where it does, just beside the sheet."""
    area = sheet.area
    x = mark.x + _beside(mark.x, area.x, area.x + area.width)
    y = mark.y + _beside(mark.y, area.y, area.y + area.height)
    painter.setPen(QPen(QColor(theme.accent), 1.2))
    painter.setBrush(QColor(theme.surface))
    painter.drawEllipse(QPointF(x, y), 9, 9)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawText(QRectF(x - 9, y - 9, 18, 18), Qt.AlignmentFlag.AlignCenter, mark.name)
    told = _("page {number}").format(number=numeral(mark.sheet + 1))
    painter.drawText(QRectF(x + 13, y - 9, 90, 18), Qt.AlignmentFlag.AlignVCenter, told)


def _beside(place: float, start: float, end: float) -> float:
    """How far a mark at *place* is moved, so that it stands outside of what goes from *start* to *end*."""
    if abs(place - start) < 1:
        return -_MARK_PX
    return _MARK_PX if abs(place - end) < 1 else 0.0


def _paint_edges(painter: QPainter, picture: Picture, page: QRectF, about: tuple[_Sheet, int, int]) -> None:
    """The ground of the page, its title above, and the file and the number of the page below."""
    (sheet, at, count), theme = about, picture.theme
    painter.fillRect(page, QColor(theme.window))
    left, width = _MARGIN_PT, page.width() - 2 * _MARGIN_PT
    head = QRectF(left, _MARGIN_PT - 8, width, _HEAD_PT)
    foot = QRectF(left, page.height() - _MARGIN_PT - _HEAD_PT + 8, width, _HEAD_PT)
    painter.setPen(QColor(theme.text))
    painter.setFont(sized(theme.title_font(), 13 if at == 0 else 11))
    painter.drawText(head, Qt.AlignmentFlag.AlignLeft, sheet.title[:90])
    painter.setPen(QColor(theme.muted))
    painter.setFont(sized(theme.secondary_font(), 9))
    number = _("Page {number} of {count}").format(number=numeral(at + 1), count=numeral(count))
    painter.drawText(foot, Qt.AlignmentFlag.AlignRight, number)
    about_file = " · ".join(filter(None, (words(picture.part.name)[:80], picture.part.date)))
    painter.drawText(foot, Qt.AlignmentFlag.AlignLeft, about_file)
