"""What keys do with panes: go from one to the next, pass over those that nobody sees, and what the mouse does too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QGridLayout,
    QMainWindow,
    QWidget,
)

from workbench.gui.control.context import WindowContext
from workbench.gui.control.pane_table import PANES
from workbench.gui.shell.panes.centre import CentreView
from workbench.gui.shell.panes.pane_title import TitledPane
from workbench.gui.shell.panes.panes import PaneDock, Panes
from workbench.i18n import _

# what these are made of takes no Tab of its own
_WHOLE = (QAbstractItemView, QAbstractSpinBox, QComboBox)
_SIDES = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
)


class PaneCycle(QObject):
    """Gives the focus to the next pane that can be seen: the document first, then the panes around it."""

    def __init__(self, context: WindowContext, centre: CentreView, panes: Panes, parent: QObject) -> None:
        super().__init__(parent)
        self._centre = centre
        self._panes = panes
        context.actions.register("view.next-pane", self.go_on)
        context.actions.register("view.previous-pane", self.go_back)
        self._notices = context.notices
        context.actions.register("view.enlarge-pane", self.enlarge)
        for name, act in (("float", self._float), ("move", self._move), ("close", QDockWidget.close)):
            context.actions.register(f"view.{name}-pane", partial(self._with_dock, act))

    def go_on(self) -> None:
        """To the next pane."""
        self._go(1)

    def go_back(self) -> None:
        """To the one before."""
        self._go(-1)

    def _go(self, by: int) -> None:
        """Panes in which nothing takes keys are passed over."""
        seen = self._seen()
        at = next((index for index, pane in enumerate(seen) if _has_focus(pane)), -1 if by > 0 else 0)
        for distance in range(1, len(seen) + 1):
            target = key_taker(seen[(at + by * distance) % len(seen)])
            if target is not None:
                target.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def _seen(self) -> list[QWidget]:
        candidates = [self._centre.welcome, self._centre.canvas, self._centre.source]
        candidates += [self._panes.panel(spec.id) for spec in PANES]
        return [pane for pane in candidates if _is_in_view(pane)]

    def enlarge(self) -> None:
        """Give the pane with the focus much room, or the usual where it has much already."""
        pane = _around(QApplication.focusWidget(), (PaneDock, TitledPane))
        if isinstance(pane, PaneDock):
            pane.more_room_requested.emit(pane)
        elif isinstance(pane, TitledPane):
            pane.maximise_requested.emit(pane)
        else:
            self._notices.tell(_("Go to a pane first: the keys are in none."))

    def _with_dock(self, act: Callable[[PaneDock], object]) -> None:
        dock = _dock_of(QApplication.focusWidget())
        if dock is None:
            self._notices.tell(_("Flowchart and source stay where they are: go to another pane first."))
        else:
            act(dock)

    def _float(self, dock: PaneDock) -> None:
        _keeping_focus(dock, lambda: dock.setFloating(not dock.isFloating()))

    def _move(self, dock: PaneDock) -> None:
        _keeping_focus(dock, lambda: _move_on(dock))


def _move_on(dock: PaneDock) -> None:
    """Put *dock* to the next side of the window: left, below, right; in front of the panes that are there."""
    window = dock.parentWidget()
    assert isinstance(window, QMainWindow), "docks are children of their window, also as windows of their own"
    side = _SIDES[(_SIDES.index(window.dockWidgetArea(dock)) + 1) % len(_SIDES)]
    dock.setFloating(False)
    there = [each for each in window.findChildren(PaneDock) if window.dockWidgetArea(each) is side]
    window.addDockWidget(side, dock)
    if there:
        window.tabifyDockWidget(there[0], dock)
    dock.show()


def _keeping_focus(dock: PaneDock, act: Callable[[], object]) -> None:
    """Have the keys go on in *dock*, wherever *act* puts it."""
    act()
    dock.raise_()
    dock.activateWindow()
    panel = dock.filled()
    target = panel if panel.focusProxy() is not None else key_taker(panel)
    if target is not None:
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _dock_of(widget: QWidget | None) -> PaneDock | None:
    """The pane around the document that *widget* stands in."""
    found = _around(widget, (PaneDock,))
    return found if isinstance(found, PaneDock) else None


def _around(widget: QWidget | None, kinds: tuple[type[QWidget], ...]) -> QWidget | None:
    """What *widget* stands in that is of one of *kinds*."""
    above = widget
    while above is not None and not isinstance(above, kinds):
        above = above.parentWidget()
    return above


def go_by_tab(window: QWidget, *, is_forward: bool) -> bool:
    """Give the focus to the next part of *window* that takes Tab and can be seen; whether there is one.

    Parts follow each other as they are read. Qt itself would go in the order in which they were made, through the
    panes behind the tabs as well, and would stop in what stands for a hidden part. Its chain cannot be followed from
    here either: PySide lets each widget of the chain own the one behind it (``nextInFocusChain``), so that the next
    label that is deleted takes half the window with it.
    """
    parts = list(_in_reading_order(window))
    at = _place_of(window.focusWidget(), parts)
    behind, before = parts[at + 1 :], parts[: max(at, 0)]
    for part in behind + before if is_forward else before[::-1] + behind[::-1]:
        if part.focusProxy() is None and _takes_tab(part):
            part.setFocus(Qt.FocusReason.TabFocusReason if is_forward else Qt.FocusReason.BacktabFocusReason)
            return True
    return False


def _place_of(focused: QWidget | None, parts: list[QWidget]) -> int:
    """Where among *parts* is what has the focus, or what it stands in; -1: nowhere."""
    above = focused
    while above is not None and above not in parts:
        above = above.parentWidget()
    return parts.index(above) if above is not None else -1


def _in_reading_order(widget: QWidget) -> Iterator[QWidget]:
    """All that can be seen in *widget*, line by line; in a grid as it was made, whose columns belong together."""
    if isinstance(widget, _WHOLE):
        return
    inner = widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    seen = [each for each in inner if each.isVisible() and not each.isWindow() and not _is_behind(each)]
    if not isinstance(widget.layout(), QGridLayout):
        seen = list(_line_by_line(seen, is_from_right=widget.isRightToLeft()))
    for part in seen:
        yield part
        yield from _in_reading_order(part)


def _line_by_line(parts: Iterable[QWidget], *, is_from_right: bool) -> Iterator[QWidget]:
    """*parts* of one widget: those whose middle is beside the first of a line belong to that line."""
    lines: list[list[QWidget]] = []
    for part in sorted(parts, key=QWidget.y):
        if lines and part.geometry().center().y() <= lines[-1][0].geometry().bottom():
            lines[-1].append(part)
        else:
            lines.append([part])
    for line in lines:
        yield from sorted(line, key=QWidget.x, reverse=is_from_right)


def _is_behind(widget: QWidget) -> bool:
    """Whether *widget* is a pane that stands behind the tab of another one."""
    return isinstance(widget, QDockWidget) and not widget.isFloating() and not _is_in_view(widget)


def _has_focus(pane: QWidget) -> bool:
    focused = QApplication.focusWidget()
    return focused is not None and (focused is pane or pane.isAncestorOf(focused))


def key_taker(pane: QWidget) -> QWidget | None:
    """What takes the keys in *pane*: the pane itself or the first part of it that Tab would reach."""
    for widget in (pane.focusProxy(), pane, *_in_reading_order(pane)):
        if widget is not None and _takes_keys(widget):
            return widget
    return None


def _takes_keys(widget: QWidget) -> bool:
    return _takes_tab(widget) and _is_in_view(widget)


def _takes_tab(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isEnabled() and widget.isVisible()


def _is_in_view(widget: QWidget) -> bool:
    """Qt keeps the panes behind another tab visible, but far outside of the window."""
    window = widget.window()
    place = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
    return widget.isVisible() and window.rect().intersects(place)
