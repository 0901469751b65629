"""The variables of a frame as a tree: name, value, type, value before. Rows are patched: what is open stays open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QBrush, QColor, QFont, QShowEvent
from PySide6.QtWidgets import QFrame, QSplitter, QStackedWidget, QTreeWidget, QTreeWidgetItem, QWidget

from workbench.engine.state.frames import Frame
from workbench.engine.state.run_state import RunState
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.retelling import RunView
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import current_theme
from workbench.gui.words.run_words import number_of
from workbench.gui.words.values import drawable_line, tip, value_text
from workbench.i18n import _, numeral

MOST_ENTRIES = 500
NAME, VALUE, TYPE, BEFORE = range(4)
DATA = Qt.ItemDataRole.UserRole
_NO_BRUSH = QBrush()
_MISSING = object()
ORIGIN = "variables"
REFRESH_MS = 80


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


class VariableTree(QTreeWidget):
    """One top row per group. What changed last is highlighted, with its value before."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._groups: dict[str, QTreeWidgetItem] = {}
        self._rows: dict[tuple[str, str], QTreeWidgetItem] = {}
        self._values: dict[tuple[str, str], Any] = {}
        self._mono = current_theme().mono_font()
        self._highlighted: list[QTreeWidgetItem] = []
        self.setColumnCount(4)
        self.setHeaderLabels([_("Name"), _("Value"), _("Type"), _("Previous")])
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setAccessibleName(_("Variables"))
        self.itemExpanded.connect(self._on_expanded)
        self.setProperty("role", "secondary")
        self._take_sizes()

    def take_theme(self) -> None:
        """Rows keep their own fonts and colours."""
        self._take_sizes()
        for item in self._rows.values():
            self._letter(item)
        for item in self._highlighted:
            self._paint_highlight(item)

    def _take_sizes(self) -> None:
        self._mono = current_theme().mono_font()
        for column, width_px in ((NAME, 190), (VALUE, 270), (TYPE, 90)):
            self.setColumnWidth(column, current_theme().px(width_px))

    def _letter(self, item: QTreeWidgetItem) -> None:
        """Names and values stand in the letters of source."""
        item.setFont(NAME, self._mono)
        item.setFont(VALUE, self._mono)

    def forget(self) -> None:
        """Another run: nothing is known, nothing has changed."""
        self.clear()
        self._groups, self._rows, self._values, self._highlighted = {}, {}, {}, []

    def row_of(self, name: str) -> QTreeWidgetItem | None:
        """The row of the variable *name* as it is shown, the innermost where there are several."""
        return next((item for (_group, shown), item in self._rows.items() if shown == name), None)

    def show_groups(self, groups: Sequence[VariableGroup]) -> None:
        """Show exactly *groups*; rows that did not change are left alone."""
        wanted = {(group.key, name): value for group in groups for name, value in group.values.items()}
        self._remove(wanted, {group.key for group in groups})
        changed = {key for key, value in wanted.items() if self._values.get(key, _MISSING) != value}
        if changed:
            self._unhighlight()
        for group in groups:
            self._add_group(group)
        for key, value in wanted.items():
            if key in changed:
                self._show_value(key, value)
        self._values = wanted

    def _remove(self, wanted: dict[tuple[str, str], Any], group_keys: set[str]) -> None:
        for key in [key for key in self._rows if key not in wanted]:
            item = self._rows.pop(key)
            self._highlighted = [other for other in self._highlighted if other is not item]
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
        item = self._rows.get(key)
        if item is None:
            item = self._rows[key] = QTreeWidgetItem(self._groups[key[0]], [drawable_line(key[1])])
            self._letter(item)
        before = self._values.get(key, _MISSING)
        item.setText(BEFORE, "" if before is _MISSING else drawable_line(value_text(before)))
        self._fill(item, value)
        self._highlight(item)

    def _fill(self, item: QTreeWidgetItem, value: Any) -> None:
        """Show *value*; what is inside it is listed when the row is opened."""
        words = value_text(value)
        item.setText(VALUE, drawable_line(words))
        item.setToolTip(VALUE, tip(words))
        item.setText(TYPE, type_words(value))
        item.setData(NAME, DATA, [value])  # in a list, so that Qt keeps it as it is
        policy = QTreeWidgetItem.ChildIndicatorPolicy
        shows_sign = has_entries(value)
        item.setChildIndicatorPolicy(policy.ShowIndicator if shows_sign else policy.DontShowIndicator)
        item.takeChildren()
        if item.isExpanded():
            self._on_expanded(item)

    def _highlight(self, item: QTreeWidgetItem) -> None:
        self._paint_highlight(item)
        self._highlighted.append(item)

    def _paint_highlight(self, item: QTreeWidgetItem) -> None:
        """Coloured and bold: a background would not show through the stylesheet of the rows."""
        for column in range(self.columnCount()):
            item.setForeground(column, QColor(current_theme().accent))
            item.setFont(column, _weighted(item.font(column), QFont.Weight.Bold))

    def _unhighlight(self) -> None:
        for item in self._highlighted:
            item.setText(BEFORE, "")
            for column in range(self.columnCount()):
                item.setForeground(column, _NO_BRUSH)
                item.setFont(column, _weighted(item.font(column), QFont.Weight.Normal))
        self._highlighted = []

    @Slot(QTreeWidgetItem)
    def _on_expanded(self, item: QTreeWidgetItem) -> None:
        held = item.data(NAME, DATA)
        if held and not item.childCount():
            for name, value in entries_of(held[0]):
                child = QTreeWidgetItem(item, [name])
                child.setFont(VALUE, self._mono)
                self._fill(child, value)


def _weighted(font: QFont, weight: QFont.Weight) -> QFont:
    found = QFont(font)
    found.setWeight(weight)
    return found


class CallStack(QTreeWidget):
    """A click or Enter on a frame selects its step and shows its variables."""

    frame_chosen = Signal(object)  # Frame

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._frames: tuple[Frame, ...] = ()
        self.setHeaderLabels([_("Playbook"), _("Step")])
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setAccessibleName(_("Call stack"))
        self.itemClicked.connect(self._on_chosen)
        self.itemActivated.connect(self._on_chosen)

    def chosen(self) -> Frame | None:
        """The frame that is looked at: the one that was chosen, else the innermost."""
        row = self.currentIndex().row()
        if 0 <= row < len(self._frames):
            return self._frames[row]
        return self._frames[0] if self._frames else None

    def show_frames(self, frames: Sequence[Frame]) -> None:
        """Show *frames*, given outermost first; the innermost is looked at again when the depth changes."""
        shown = tuple(reversed(frames))
        if len(shown) != len(self._frames):
            self.clear()
            self.addTopLevelItems([QTreeWidgetItem() for _frame in shown])
            self.setCurrentIndex(self.model().index(0, 0))
        self._frames = shown
        for row, frame in enumerate(shown):
            item = self.topLevelItem(row)
            if item is not None:
                item.setText(0, drawable_line(frame.playbook))
                item.setText(1, number_of(frame.step))

    @Slot()
    def _on_chosen(self) -> None:
        frame = self.chosen()
        if frame is not None:
            self.frame_chosen.emit(frame)


class VariablesPanel(QWidget):
    """Shows the latest state a few times per second, and only while it can be seen."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._state: RunState | None = None
        self.stack = CallStack(self)
        self.stack.setProperty("role", "secondary")
        self.tree = VariableTree(self)
        self._timer = QTimer(self, singleShot=True, interval=REFRESH_MS)
        self._lay_out()
        self._timer.timeout.connect(self._refresh)
        self.stack.frame_chosen.connect(self._on_frame_chosen)
        context.shown.run_shown.connect(self._on_run_shown)
        context.shown.state_changed.connect(self._on_state_changed)

    def _lay_out(self) -> None:
        words = _("While a playbook runs, its variables, their previous values and the call stack appear here.")
        self._empty = EmptyState("variables", _("No variables yet"), words, self)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.addWidget(self.tree)
        splitter.addWidget(self.stack)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 1)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(splitter)
        in_column(self, self._pages, margins=0)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while the pane was hidden."""
        super().showEvent(event)
        self._refresh()

    @Slot(object)
    def _on_run_shown(self, view: RunView | None) -> None:
        self._state = None
        self.tree.forget()
        self.stack.show_frames(())
        self._pages.setCurrentIndex(0 if view is None else 1)

    @Slot(object)
    def _on_state_changed(self, state: RunState) -> None:
        self._state = state
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _refresh(self) -> None:
        if self._state is not None:
            self.stack.show_frames(self._state.frames)
            self.tree.show_groups(groups_of(self._state, self.stack.chosen()))

    @Slot(object)
    def _on_frame_chosen(self, frame: Frame) -> None:
        self._refresh()
        step = self._context.shown.steps.id_of(frame.step)
        if step is not None:
            self._context.selection.reveal((step,), ORIGIN)
