"""Rows, columns and forms of widgets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from workbench.gui.look.label import Label
from workbench.gui.look.theming import GRID_PX, current_theme

_WIDEST_LABEL_PX = 112
_NARROWEST_FIELD_PX = 80
_EDGE_PX = 32
_QUESTION_PX = 420
_ENDLESS_PX = 100_000
_BELOW, _BESIDE = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight

Part: TypeAlias = QWidget | QLayout | int | tuple[QWidget | QLayout, int]
"""What stands in one: a widget, or a row or column in it; with a number, how much of the room that is left it takes.

A number alone: that much room with nothing in it.
"""
Margins: TypeAlias = int | tuple[int, int, int, int]


def in_column(
    parent: QWidget | None,
    *parts: Part,
    margins: Margins | None = None,
    spacing: int | None = None,
) -> QVBoxLayout:
    """*parts* below each other in *parent*. *margins*, *spacing*: None for those of the style."""
    column = QVBoxLayout() if parent is None else QVBoxLayout(parent)
    _fill(column, parts, margins, spacing)
    return column


def in_row(
    parent: QWidget | None,
    *parts: Part,
    margins: Margins | None = None,
    spacing: int | None = None,
) -> QHBoxLayout:
    """*parts* beside each other in *parent*."""
    row = QHBoxLayout() if parent is None else QHBoxLayout(parent)
    _fill(row, parts, margins, spacing)
    return row


def _fill(box: QBoxLayout, parts: tuple[Part, ...], margins: Margins | None, spacing: int | None) -> None:
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        box.setSpacing(spacing)
    for part in parts:
        if isinstance(part, int):
            box.addStretch(part)
            continue
        item, share = part if isinstance(part, tuple) else (part, 0)
        if isinstance(item, QWidget):
            box.addWidget(item, share)
        else:
            box.addLayout(item, share)


class WrappedRow(QWidget):
    """Its children beside each other at the left, each as wide as it wants to be, in as many rows as that takes."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)  # noqa: FBT003 - an argument of Qt
        self.setSizePolicy(policy)

    def heightForWidth(self, width_px: int) -> int:
        """The height of all rows in *width_px*."""
        return max((place.bottom() + 1 for _each, place in self._placed(width_px)), default=0)

    def sizeHint(self) -> QSize:
        """One row."""
        return QSize(max((place.right() + 1 for _each, place in self._placed(_ENDLESS_PX)), default=0), self._row_px)

    def minimumSizeHint(self) -> QSize:
        """The widest of them, and the rows that there are."""
        widest = max((place.width() for _each, place in self._placed(0)), default=0)
        return QSize(widest, self.heightForWidth(max(self.width(), widest)))

    @property
    def _row_px(self) -> int:
        return max((place.height() for _each, place in self._placed(_ENDLESS_PX)), default=0)

    def event(self, event: QEvent) -> bool:
        """One of them has come, gone, or needs other room."""
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._place()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew."""
        super().resizeEvent(event)
        self.updateGeometry()
        self._place()

    def _place(self) -> None:
        for each, place in self._placed(self.width()):
            each.setGeometry(place)

    def _placed(self, width_px: int) -> Iterator[tuple[QWidget, QRect]]:
        x, y, high_px = 0, 0, 0
        for each in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if each.isHidden():
                continue
            hint = each.sizeHint()
            if x and x + hint.width() > width_px:
                x, y, high_px = 0, y + high_px + GRID_PX, 0
            yield each, QRect(QPoint(x, y), hint)
            x, high_px = x + hint.width() + GRID_PX, max(high_px, hint.height())


class TwoRows(QWidget):
    """Two rows of widgets: beside each other where there is room for both, else below each other."""

    def lay_out(self, first: QBoxLayout, second: QBoxLayout, margins: tuple[int, int, int, int], spare_px: int) -> None:
        """Take *first*, which gets the room that is left, and *second*. *spare_px*: to be free beside them."""
        self._rows, self._spare_px = (first, second), spare_px
        self._whole = in_row(self, (first, 1), second, margins=margins, spacing=first.spacing())
        self._whole.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)

    def minimumSizeHint(self) -> QSize:
        """Room for the wider of the two."""
        widest = max(row.minimumSize().width() for row in self._rows)
        return QSize(widest + self._edges_px, self._whole.minimumSize().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take one row or two."""
        super().resizeEvent(event)
        self.fold()

    def fold(self) -> None:
        """Take as many rows as there must be: to be called where what stands in them has changed."""
        wanted_px = sum(row.sizeHint().width() for row in self._rows) + self._edges_px + self._spare_px
        wanted = _BELOW if self.width() < wanted_px else _BESIDE
        if wanted is not self._whole.direction():
            self._whole.setDirection(wanted)
            self.updateGeometry()

    @property
    def _edges_px(self) -> int:
        margins = self._whole.contentsMargins()
        return margins.left() + margins.right() + self._whole.spacing()


def resize_on_screen(window: QWidget, width_px: int, height_px: int) -> None:
    """Give *window* a size that grows with the text, and never more than there is of the screen."""
    theme, room = current_theme(), window.screen().availableSize()
    wanted = QSize(theme.px(width_px), theme.px(height_px))
    window.resize(wanted.boundedTo(QSize(room.width() - _EDGE_PX, room.height() - 2 * _EDGE_PX)))


def high_on_screen(window: QWidget, height_px: int) -> None:
    """Give *window* a height in pixels as they are, but never more than there is of the screen."""
    window.resize(window.width(), min(height_px, window.screen().availableSize().height() - 2 * _EDGE_PX))


def in_rows_on_screen(window: QWidget, *parts: QWidget) -> QVBoxLayout:
    """*parts* beside each other, in as many rows as the screen needs; the last one at the right."""
    room_px = window.screen().availableSize().width() - 2 * _EDGE_PX
    rows: list[list[QWidget]] = [[]]
    left_px = room_px
    for part in parts:
        wide_px = part.sizeHint().width() + GRID_PX
        if wide_px > left_px and rows[-1]:
            rows.append([])
            left_px = room_px
        rows[-1].append(part)
        left_px -= wide_px
    *above, last = rows
    lines = [in_row(None, *row, 1, spacing=GRID_PX) for row in above]
    return in_column(None, *lines, in_row(None, *last[:-1], 1, last[-1], spacing=GRID_PX), spacing=GRID_PX)


def scrolled(inside: QWidget, parent: QWidget) -> QScrollArea:
    """*inside*, which scrolls up and down where there is too little room for it, in *parent*."""
    area = QScrollArea(parent)
    area.setWidget(inside)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setMinimumWidth(inside.minimumSizeHint().width() + area.verticalScrollBar().sizeHint().width())
    return area


def make_room(window: QWidget, area: QScrollArea) -> None:
    """Make *window* as high as what scrolls in *area* needs, as far as the screen allows; never lower than it is."""
    layout, inside = window.layout(), area.widget()
    assert inside is not None, "what scrolls is there"
    if layout is not None:
        layout.activate()
    needed_px = max(inside.heightForWidth(area.viewport().width()), inside.minimumSizeHint().height())
    high_on_screen(window, max(window.height(), window.height() - area.viewport().height() + needed_px))


def open_on_screen(dialog: QInputDialog) -> None:
    """Open *dialog*, with its words on several lines where they are long."""
    for label in dialog.findChildren(QLabel):
        label.setWordWrap(True)
    resize_on_screen(dialog, _QUESTION_PX, 0)
    layout = dialog.layout()
    if layout is not None:
        dialog.resize(dialog.width(), layout.totalHeightForWidth(dialog.width()))
    dialog.open()


class PaneForm(QFormLayout):
    """Rows of a label and a field in a pane: a long label is wrapped, so that the fields keep room in any language."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setContentsMargins(12, 2, 12, 8)
        self.setHorizontalSpacing(12)
        self.setVerticalSpacing(4)
        self.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)

    def add(self, text: str, field: QWidget, role: str | None = None) -> None:
        """Add a row at the end."""
        label = Label(text, self.parentWidget(), role=role)
        label.setBuddy(field)
        label.ensurePolished()
        field.setMinimumWidth(current_theme().px(_NARROWEST_FIELD_PX))  # else it is put below its label
        widest = current_theme().px(_WIDEST_LABEL_PX)
        if label.sizeHint().width() > widest:
            label.setWordWrap(True)
            label.setFixedWidth(widest)
        self.addRow(label, field)
