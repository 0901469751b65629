"""The variables of a frame as a tree: name, value, type, value before. Rows are patched: what is open stays open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QBrush, QColor, QFont, QKeySequence
from PySide6.QtWidgets import QFrame, QTreeWidget, QTreeWidgetItem, QWidget

from workbench.engine.state.frames import Frame
from workbench.engine.state.run_state import RunState
from workbench.gui.look.context_actions import add_context_actions
from workbench.gui.look.theming import current_theme
from workbench.gui.look.written_words import read_as_written
from workbench.gui.words.values import drawable_line, tip, value_text
from workbench.i18n import _, numeral

MOST_ENTRIES = 500
COLUMNS = 5
NAME, VALUE, TYPE, BEFORE, NOW = range(COLUMNS)
DATA = Qt.ItemDataRole.UserRole
_NO_BRUSH = QBrush()
_MISSING = object()
NOT_YET = object()
"""Stands for the value of a variable that is set only later."""


@dataclass(frozen=True, slots=True)
class VariableGroup:
    """Variables that live together. *key*: stays the same while they do."""

    key: str
    title: str
    values: Mapping[str, Any]


def groups_of(state: RunState, frame: Frame | None) -> tuple[VariableGroup, ...]:
    """What *frame* can see (None: the agent that was last at work), the frame's own first."""
    groups = []
    agent = frame.agent if frame is not None else state.agent
    if frame is not None:
        title = _("Variables of {playbook}").format(playbook=frame.playbook)
        own = {f"${name}": value for name, value in frame.parameters.items()} | dict(frame.locals)
        groups.append(VariableGroup(f"frame {frame.span}", title, _shown(own)))
    kept = {f"${name}": value for name, value in state.agents.get(agent, {}).items()}
    title = _("{agent} variables").format(agent=agent) if agent else _("Agent variables")
    groups.append(VariableGroup(f"agent {agent}", title, _shown(kept)))
    return tuple(group for group in groups if group.values)


def with_later(groups: Sequence[VariableGroup], now: Sequence[VariableGroup]) -> tuple[VariableGroup, ...]:
    """*groups* with the variables that they have only *now*."""
    known = {group.key: group for group in groups}
    later = {group.key: group for group in now if group.key in known or group.key.startswith("agent")}
    merged = []
    for key, group in (known | {key: each for key, each in later.items() if key not in known}).items():
        values = dict(group.values) if key in known else {}
        missing = {name: NOT_YET for name in later[key].values if name not in values} if key in later else {}
        merged.append(VariableGroup(key, group.title, values | missing))
    return tuple(merged)


def _by_key(groups: Sequence[VariableGroup]) -> dict[tuple[str, str], Any]:
    return {(group.key, name): value for group in groups for name, value in group.values.items()}


def _shown(values: Mapping[str, Any]) -> dict[str, Any]:
    """Without what the runtime keeps for itself."""
    return {name: value for name, value in values.items() if not name.lstrip("$").startswith("_")}


def entries_of(value: Any) -> Iterator[tuple[str, Any]]:
    """What is inside *value*: name and value of each entry, up to a limit."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for count, (name, entry) in enumerate(pairs):
        if count >= MOST_ENTRIES:
            return
        yield (f"[{name}]" if isinstance(value, list) else str(name)), entry


def has_entries(value: Any) -> bool:
    """Whether there is something inside *value*."""
    return isinstance(value, dict | list) and bool(value)


def type_words(value: Any) -> str:
    """The type of *value* in plain words."""
    if value is None:
        return _("empty")
    if isinstance(value, bool):
        return _("yes/no")
    if isinstance(value, str):
        return _("text")
    if isinstance(value, int | float):
        return _("number")
    if isinstance(value, list):
        return _("list ({count})").format(count=numeral(len(value)))
    return _("object ({count})").format(count=numeral(len(value))) if isinstance(value, dict) else type(value).__name__


class _Highlights:
    """The rows of what changed last: coloured and bold, since a background would not show through the stylesheet."""

    def __init__(self) -> None:
        self.items: list[QTreeWidgetItem] = []

    def add(self, item: QTreeWidgetItem) -> None:
        """Highlight *item* too."""
        self.items.append(item)
        _highlight(item)

    def paint(self) -> None:
        """In the colour of the theme as it is now."""
        for item in self.items:
            _highlight(item)

    def end(self) -> None:
        """Nothing is highlighted any more."""
        for item in self.items:
            item.setText(BEFORE, "")
            for column in range(COLUMNS):
                item.setForeground(column, _NO_BRUSH)
                item.setFont(column, _weighted(item.font(column), QFont.Weight.Normal))
        self.items = []


class VariableTree(QTreeWidget):
    """One top row per group. What changed last is highlighted, with its value before.

    *rows*: of each variable, by the key of its group and its name.
    """

    origin_wanted = Signal(object)  # tuple[str, str]: home and name of a variable

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        read_as_written(self)
        self._groups: dict[str, QTreeWidgetItem] = {}
        self.rows: dict[tuple[str, str], QTreeWidgetItem] = {}
        self._values: dict[tuple[str, str], Any] = {}
        self._mono = current_theme().mono_font()
        self._highlights = _Highlights()
        self.setHeaderLabels([_("Name"), _("Value"), _("Type"), _("Previous"), _("Now")])
        self.setColumnHidden(NOW, True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setAccessibleName(_("Variables"))
        self.itemExpanded.connect(self._on_expanded)
        self.setProperty("role", "secondary")
        self._take_sizes()
        entries = ((_("&Where did this value come from?"), QKeySequence("F12"), self.ask_origin),)
        add_context_actions(self, entries)

    @Slot()
    def ask_origin(self) -> None:
        """Ask where the value of the current row came from; what is inside of a value came with it."""
        item: QTreeWidgetItem | None = self.currentItem()
        while item is not None:
            key = next((key for key, row in self.rows.items() if row is item), None)
            if key is not None:
                self.origin_wanted.emit(key)
                return
            item = item.parent()

    def take_theme(self) -> None:
        """Rows keep their own fonts and colours."""
        self._take_sizes()
        for item in self.rows.values():
            self._letter(item)
        self._highlights.paint()

    def _take_sizes(self) -> None:
        self._mono = current_theme().mono_font()
        value_px = 270 if self.isColumnHidden(NOW) else 150
        for column, width_px in ((NAME, 190), (VALUE, value_px), (TYPE, 90), (BEFORE, 90)):
            self.setColumnWidth(column, current_theme().px(width_px))

    def _letter(self, item: QTreeWidgetItem) -> None:
        """Names and values stand in the letters of source."""
        item.setFont(NAME, self._mono)
        item.setFont(VALUE, self._mono)

    def forget(self) -> None:
        """Another run: nothing is known, nothing has changed."""
        self.clear()
        self._groups, self.rows, self._values, self._highlights = {}, {}, {}, _Highlights()

    def row_of(self, name: str) -> QTreeWidgetItem | None:
        """The row of the variable *name* as it is shown, the innermost where there are several."""
        return next((item for (_group, shown), item in self.rows.items() if shown == name), None)

    def show_moment(
        self, before: Sequence[VariableGroup], groups: Sequence[VariableGroup], now: Sequence[VariableGroup]
    ) -> None:
        """Show *groups* of an earlier moment. *before*: one event earlier; *now*: what has become of them since."""
        if self.isColumnHidden(NOW):
            _exchange(self, NOW, instead_of=TYPE)
            self._take_sizes()
        self.show_groups(with_later(before, now))
        self._highlights.end()
        self.show_groups(with_later(groups, now))
        known = _by_key(now)
        for key, item in self.rows.items():
            is_same = self._values[key] == known.get(key, _MISSING)
            words = _("is gone") if key not in known else "" if is_same else value_text(known[key])
            item.setText(NOW, drawable_line(words))
            item.setToolTip(NOW, tip(words))

    def show_now(self, groups: Sequence[VariableGroup]) -> None:
        """Show *groups* as they are now, after an earlier moment was shown: nothing has changed meanwhile."""
        _exchange(self, TYPE, instead_of=NOW)
        self._take_sizes()
        self.show_groups(groups)
        self._highlights.end()

    def show_groups(self, groups: Sequence[VariableGroup]) -> None:
        """Show exactly *groups*; rows that did not change are left alone."""
        wanted = _by_key(groups)
        self._remove(wanted, {group.key for group in groups})
        changed = {key for key, value in wanted.items() if self._values.get(key, _MISSING) != value}
        if changed:
            self._highlights.end()
        for group in groups:
            self._add_group(group)
        for key, value in wanted.items():
            if key in changed:
                self._show_value(key, value)
        self._values = wanted

    def _remove(self, wanted: dict[tuple[str, str], Any], group_keys: set[str]) -> None:
        for key in [key for key in self.rows if key not in wanted]:
            item = self.rows.pop(key)
            self._highlights.items = [other for other in self._highlights.items if other is not item]
            self._groups[key[0]].removeChild(item)
        for group_key in [key for key in self._groups if key not in group_keys]:
            self.takeTopLevelItem(self.indexOfTopLevelItem(self._groups.pop(group_key)))

    def _add_group(self, group: VariableGroup) -> None:
        if group.key not in self._groups:
            top = self._groups[group.key] = QTreeWidgetItem([drawable_line(group.title)])
            self.insertTopLevelItem(0 if group.key.startswith("frame") else self.topLevelItemCount(), top)
            top.setFirstColumnSpanned(True)  # Qt forgets it for a row that no tree has yet
            top.setExpanded(True)

    def _show_value(self, key: tuple[str, str], value: Any) -> None:
        item = self.rows.get(key)
        if item is None:
            item = self.rows[key] = QTreeWidgetItem(self._groups[key[0]], [drawable_line(key[1])])
            self._letter(item)
        before = self._values.get(key, _MISSING)
        item.setText(BEFORE, "" if before is _MISSING or before is NOT_YET else drawable_line(value_text(before)))
        self._fill(item, value)
        self._highlights.add(item)

    def _fill(self, item: QTreeWidgetItem, value: Any) -> None:
        """Show *value*; what is inside it is listed when the row is opened."""
        words = _("not set yet") if value is NOT_YET else value_text(value)
        item.setText(VALUE, drawable_line(words))
        item.setToolTip(VALUE, tip(words))
        item.setText(TYPE, "" if value is NOT_YET else type_words(value))
        item.setData(NAME, DATA, [value])  # in a list, so that Qt keeps it as it is
        policy = QTreeWidgetItem.ChildIndicatorPolicy
        shows_sign = has_entries(value)
        item.setChildIndicatorPolicy(policy.ShowIndicator if shows_sign else policy.DontShowIndicator)
        item.takeChildren()
        if item.isExpanded():
            self._on_expanded(item)

    @Slot(QTreeWidgetItem)
    def _on_expanded(self, item: QTreeWidgetItem) -> None:
        held = item.data(NAME, DATA)
        if held and not item.childCount():
            for name, value in entries_of(held[0]):
                child = QTreeWidgetItem(item, [name])
                child.setFont(VALUE, self._mono)
                self._fill(child, value)


def _exchange(tree: QTreeWidget, column: int, *, instead_of: int) -> None:
    """Show *column*: more than four of them do not fit beside the call stack."""
    tree.setColumnHidden(instead_of, True)
    tree.setColumnHidden(column, False)


def _highlight(item: QTreeWidgetItem) -> None:
    for column in range(COLUMNS):
        item.setForeground(column, QColor(current_theme().accent))
        item.setFont(column, _weighted(item.font(column), QFont.Weight.Bold))


def _weighted(font: QFont, weight: QFont.Weight) -> QFont:
    found = QFont(font)
    found.setWeight(weight)
    return found
