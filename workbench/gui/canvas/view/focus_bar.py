"""The lines above the flowchart: what of the file it shows, with the ways back, and whose steps are in view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QToolTip, QWidget

from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.gui.canvas.view.canvas_view import CanvasView, visible_rect
from workbench.gui.canvas.view.diving import Diving
from workbench.gui.canvas.view.focusing import Focusing, Kept
from workbench.gui.look.icons import icon
from workbench.gui.look.label import ElidedLabel, Label
from workbench.gui.look.layouts import in_row
from workbench.gui.look.theming import Ink, Theme, current_theme
from workbench.gui.words.directions import ELLIPSIS, ordered
from workbench.gui.words.values import drawable_line, menu_text, tip
from workbench.i18n import _
from workbench.model.layout.focusing import Way
from workbench.model.layout.pinned import GAP, Pinned, fitted, pinned
from workbench.model.layout.shapes import Rect
from workbench.model.program import StepId
from workbench.model.showing.words import plain_text, title_of

_MOST = 5
_LONGEST = 28
_PINNED_PX = 22
_PAD_PX = 8.0
_LONGEST_PINNED = 120
_NARROWEST_PX = 40.0
_SIGN = " › "


class WayBack(QToolButton):
    """Leads out of the dive *at* a place in the row."""

    wanted = Signal(object)  # int

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.at = 0
        self.setProperty("role", "crumb")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIcon(icon("playbook", Ink.MUTED))
        self.setAccessibleName(_("Whole flowchart"))
        self.clicked.connect(self._on_clicked)

    def lead_to(self, at: int, words: str) -> None:
        """Lead out to the place *at*, which is called *words*."""
        self.at = at
        self.setText(menu_text(words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"))
        self.setAccessibleName(_("Back to {name}").format(name=drawable_line(words)))
        self.setToolTip(tip(words))

    @Slot()
    def _on_clicked(self) -> None:
        self.wanted.emit(self.at)


class FocusBar(QWidget):
    """Shown only where something is left out, or where a call leads back."""

    def __init__(self, state: CanvasState, focusing: Focusing, diving: Diving, parent: QWidget) -> None:
        super().__init__(parent)
        self._state = state
        self._focusing = focusing
        self._diving = diving
        self.ways = [WayBack(self) for _at in range(_MOST)]
        self._signs = [Label("›", self, role="secondary") for _at in range(_MOST)]
        self.words = ElidedLabel("", self)
        self.all = QToolButton(self)
        self.all.setText(_("Show everything"))
        self.all.setToolTip(_("Show all that is left out of the flowchart"))
        self.all.clicked.connect(self._on_all_wanted)
        row = in_row(self, margins=(8, 1, 4, 1), spacing=2)
        for way, sign in zip(self.ways, self._signs, strict=True):
            way.wanted.connect(self._on_way_wanted)
            row.addWidget(way)
            row.addWidget(sign)
        row.addWidget(self.words, 1)
        row.addWidget(self.all)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("What the flowchart shows"))
        focusing.changed.connect(self.refresh)
        diving.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Say what is shown now."""
        lookouts, focus = self._diving.lookouts, self._state.focus
        first = max(0, len(lookouts) - _MOST)
        here = self._diving.here
        for place, (way, sign) in enumerate(zip(self.ways, self._signs, strict=True)):
            is_shown = first + place < len(lookouts)
            way.setVisible(is_shown)
            sign.setVisible(is_shown)
            if is_shown:
                lookout = lookouts[first + place]
                file = lookout.path.name if lookout.path is not None and lookout.path != here else ""
                way.lead_to(first + place, ": ".join(filter(None, (file, lookout.words or _("Whole flowchart")))))
        self.words.setText(words_of(self._state, self._focusing.kept))
        self.all.setVisible(not focus.is_everything)
        self.setVisible(bool(lookouts) or not focus.is_everything)

    @Slot(object)
    def _on_way_wanted(self, at: int) -> None:
        self._diving.leave_to(at)

    @Slot()
    def _on_all_wanted(self) -> None:
        self._diving.show_all()


def words_of(state: CanvasState, kept: Kept | None) -> str:
    """What *state* shows, where that is not everything."""
    playbook = state.snapshot.program.playbook(state.focus.playbook) if state.focus.playbook else None
    title = playbook.title or playbook.name if playbook is not None else ""
    if kept is None or not kept.way or not state.focus.left_out:
        return title
    number = kept.address.rpartition(":")[2]
    step = f"{number} {kept.words}".strip()
    if kept.way == Way.PATH.value:
        return _("{playbook}: only the ways to and from “{step}”").format(playbook=title, step=step)
    return _("{playbook}: only the branch of “{step}”").format(playbook=title, step=step)


class Crumb(NamedTuple):
    """One of the names that are pinned: where it is drawn, its *words* there, and all of them.

    *target*: what a click leads to. *is_name*: of a playbook. *follows*: whether a sign stands before it.
    """

    area: QRectF
    words: str
    whole: str
    target: StepId | Rect | None
    is_name: bool
    follows: bool


class PinnedBar(QWidget):
    """Names the playbooks whose titles have scrolled away, each above its own steps, with the steps around these.

    It has a place of its own, so that it never lies over a block; where there is nothing to say, it is plain ground.
    """

    chosen = Signal(object)  # StepId | Rect: a step, or the title of a playbook

    def __init__(self, view: CanvasView, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view
        self._shown: tuple[object, ...] = ()
        self._pointed: Crumb | None = None
        self.crumbs: tuple[Crumb, ...] = ()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setAccessibleName(_("What is at the top of the flowchart"))
        self.take_theme()

    def take_theme(self) -> None:
        """It is as high as the text is large."""
        self.setFixedHeight(current_theme().px(_PINNED_PX))
        self._shown = ()
        self.update()

    @Slot()
    def refresh(self) -> None:
        """Name what is in view now."""
        seen, zoom = visible_rect(self._view), self._view.zoom
        found = pinned(self._view.state.layout, seen, zoom)
        shown = (found, *((seen.x, zoom, self.width()) if found else ()))
        if shown == self._shown:
            return
        self._shown, self._pointed = shown, None
        self.crumbs = tuple(crumb for each in found for crumb in self._crumbs_of(each, seen, zoom))
        words = "; ".join(_SIGN.join(_names_of(each)) for each in found)
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)
        self.update()

    def _crumbs_of(self, each: Pinned, seen: Rect, zoom: float) -> Iterator[Crumb]:
        """The names of *each*, from the left end of its stretch on, as far as there is room."""
        left = max(0.0, (each.left - seen.x) * zoom) + _PAD_PX
        room = min(float(self.width()), (each.right - seen.x) * zoom) - left
        if room < _NARROWEST_PX:
            return
        title, name = each.playbook.title.rect, int(bool(each.agent))
        targets: list[StepId | Rect] = [*[title] * (name + 1), *(step.id for step in each.around)]
        plain, strong = (QFontMetricsF(_font(current_theme(), is_name=is_name)) for is_name in (False, True))
        letters = [strong if at == name else plain for at in range(len(targets))]
        names, sign = _names_of(each), plain.horizontalAdvance(_SIGN)
        widths = [one.horizontalAdvance(words) + 1 for one, words in zip(letters, names, strict=True)]
        start = left
        for at, width in fitted(widths, name, room, sign):
            area = QRectF(left, 0.0, width, self.height() - 1)
            whole = names[at] if at != GAP else ""
            words = letters[at].elidedText(whole, Qt.TextElideMode.ElideRight, width) if whole else ELLIPSIS
            yield Crumb(area, ordered(words), whole, targets[at] if whole else None, at == name, left > start)
            left += width + sign

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground, and what is pinned, above a line that ends it."""
        del event  # the bar is small: all of it
        theme = current_theme()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.window))
        for crumb in self.crumbs:
            self._paint(painter, crumb, theme)
        if self.crumbs:
            painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(theme.border))
        painter.end()

    def _paint(self, painter: QPainter, crumb: Crumb, theme: Theme) -> None:
        font = _font(theme, is_name=crumb.is_name)
        font.setUnderline(crumb is self._pointed)
        if crumb.follows:
            painter.setFont(_font(theme, is_name=False))
            painter.setPen(QColor(theme.muted))
            before = QRectF(crumb.area.x() - 40, 0, 40, crumb.area.height())
            painter.drawText(before, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, _SIGN)
        painter.setFont(font)
        painter.setPen(QColor(theme.text if crumb.whole else theme.muted))
        painter.drawText(crumb.area, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, crumb.words)

    def crumb_at(self, at: QPointF) -> Crumb | None:
        """The name at a point that leads somewhere."""
        return next((each for each in self.crumbs if each.whole and each.area.contains(at)), None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """What a click would lead to is underlined."""
        self._point_at(self.crumb_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is pointed at."""
        super().leaveEvent(event)
        self._point_at(None)

    def _point_at(self, crumb: Crumb | None) -> None:
        if crumb is not self._pointed:
            self._pointed = crumb
            self.setCursor(Qt.CursorShape.ArrowCursor if crumb is None else Qt.CursorShape.PointingHandCursor)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to what is named there."""
        crumb = self.crumb_at(event.position()) if event.button() is Qt.MouseButton.LeftButton else None
        if crumb is not None:
            self.chosen.emit(crumb.target)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The flowchart below is meant."""
        is_down = abs(event.angleDelta().y()) >= abs(event.angleDelta().x())
        QCoreApplication.sendEvent(
            self._view.verticalScrollBar() if is_down else self._view.horizontalScrollBar(), event
        )

    def event(self, event: QEvent) -> bool:
        """A name that was shortened is told whole."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            crumb = self.crumb_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tip(crumb.whole) if crumb is not None else "", self)
            return True
        return super().event(event)


def _names_of(each: Pinned) -> list[str]:
    """The agent, where there are several, the playbook, and the steps around, from the outside in."""
    playbook = title_of(each.playbook.playbook)
    words = [*filter(None, (each.agent,)), playbook, *(plain_text(step) for step in each.around)]
    return [drawable_line(one)[:_LONGEST_PINNED] for one in words]


def _font(theme: Theme, *, is_name: bool) -> QFont:
    font = theme.secondary_font()
    if is_name:
        font.setWeight(QFont.Weight.DemiBold)
    return font
