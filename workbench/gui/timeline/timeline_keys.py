"""What the keys of the timeline do, and which bar they lead to."""

from __future__ import annotations

import enum

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from workbench.gui.timeline.bars.bars import Bar, BarTable
from workbench.gui.timeline.bars.lane_groups import LaneRows


class KeyAct(enum.Enum):
    """What a key does."""

    NEXT = enum.auto()
    PREVIOUS = enum.auto()
    OUTER = enum.auto()
    INNER = enum.auto()
    ZOOM_IN = enum.auto()
    ZOOM_OUT = enum.auto()
    PAN_LEFT = enum.auto()
    PAN_RIGHT = enum.auto()
    FIRST = enum.auto()
    LAST = enum.auto()
    FIT = enum.auto()
    FOLLOW = enum.auto()
    EVENT_ON = enum.auto()
    EVENT_BACK = enum.auto()
    STEP_ON = enum.auto()
    STEP_BACK = enum.auto()
    NOW = enum.auto()
    SEARCH = enum.auto()
    NEXT_FOUND = enum.auto()
    PREVIOUS_FOUND = enum.auto()
    HEAT = enum.auto()
    COST = enum.auto()
    FOLD = enum.auto()


_Key = Qt.Key
_PLAIN: dict[int, KeyAct] = {
    _Key.Key_Right: KeyAct.EVENT_ON,
    _Key.Key_Left: KeyAct.EVENT_BACK,
    _Key.Key_Escape: KeyAct.NOW,
    _Key.Key_Up: KeyAct.OUTER,
    _Key.Key_Down: KeyAct.INNER,
    _Key.Key_Plus: KeyAct.ZOOM_IN,
    _Key.Key_Equal: KeyAct.ZOOM_IN,
    _Key.Key_Minus: KeyAct.ZOOM_OUT,
    _Key.Key_Home: KeyAct.FIRST,
    _Key.Key_End: KeyAct.LAST,
    _Key.Key_F: KeyAct.FOLLOW,
    _Key.Key_W: KeyAct.ZOOM_IN,
    _Key.Key_S: KeyAct.ZOOM_OUT,
    _Key.Key_A: KeyAct.PAN_LEFT,
    _Key.Key_D: KeyAct.PAN_RIGHT,
    _Key.Key_Slash: KeyAct.SEARCH,
    _Key.Key_N: KeyAct.NEXT_FOUND,
    _Key.Key_P: KeyAct.PREVIOUS_FOUND,
    _Key.Key_H: KeyAct.HEAT,
    _Key.Key_C: KeyAct.FOLD,
}
_WITH_CONTROL: dict[int, KeyAct] = {
    _Key.Key_Right: KeyAct.STEP_ON,
    _Key.Key_Left: KeyAct.STEP_BACK,
    _Key.Key_Plus: KeyAct.ZOOM_IN,
    _Key.Key_Equal: KeyAct.ZOOM_IN,
    _Key.Key_Minus: KeyAct.ZOOM_OUT,
    _Key.Key_0: KeyAct.FIT,
}
_WITH_SHIFT = _PLAIN | {
    _Key.Key_Right: KeyAct.PAN_RIGHT,
    _Key.Key_Left: KeyAct.PAN_LEFT,
    _Key.Key_H: KeyAct.COST,
}
_WITH_ALT: dict[int, KeyAct] = {_Key.Key_Right: KeyAct.NEXT, _Key.Key_Left: KeyAct.PREVIOUS}
_Modifier = Qt.KeyboardModifier
_TABLES = {
    _Modifier.NoModifier: _PLAIN,
    _Modifier.ShiftModifier: _WITH_SHIFT,
    _Modifier.AltModifier: _WITH_ALT,
    _Modifier.ControlModifier: _WITH_CONTROL,
    _Modifier.ControlModifier | _Modifier.ShiftModifier: _WITH_CONTROL,
}
TRAVEL = {
    KeyAct.EVENT_ON: "run.forward",
    KeyAct.EVENT_BACK: "run.back",
    KeyAct.STEP_ON: "run.forward-step",
    KeyAct.STEP_BACK: "run.back-step",
    KeyAct.NOW: "run.now",
}
"""The actions that lead to other moments."""


def act_of(event: QKeyEvent) -> KeyAct | None:
    """What the key of *event* does in the timeline, or None."""
    keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return _TABLES.get(keys, {}).get(event.key())


def neighbour(table: BarTable, current: Bar | None, act: KeyAct, rows: LaneRows) -> Bar | None:
    """The bar that *act* leads to from *current* (None: from before the first); *rows*: which lanes lie below which."""
    if not table.lanes:
        return None
    if current is None:
        return table.bar(0, 0)
    lane = table.lanes[current.lane]
    match act:
        case KeyAct.NEXT:
            return table.bar(current.lane, min(current.index + 1, len(lane) - 1))
        case KeyAct.PREVIOUS:
            return table.bar(current.lane, max(current.index - 1, 0))
        case KeyAct.OUTER:
            above = (table.bar_at(lane, current.start_ns, 0) for lane in rows.above(current.lane))
            return next((bar for bar in above if bar is not None), None)
        case KeyAct.INNER:
            below = (_first_inside(table, lane, current) for lane in rows.below(current.lane))
            return next((bar for bar in below if bar is not None), None)
        case KeyAct.FIRST:
            return table.bar(current.lane, 0)
        case KeyAct.LAST:
            return table.bar(current.lane, len(lane) - 1)
        case _:
            return None


def _first_inside(table: BarTable, number: int, outer: Bar) -> Bar | None:
    lane = table.lanes[number]
    index = lane.first_ending_after(outer.start_ns)
    is_inside = index < len(lane) and (outer.is_open or lane.starts[index] < outer.end_ns)
    return table.bar(number, index) if is_inside else None
