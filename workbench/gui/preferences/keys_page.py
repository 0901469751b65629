"""The keys of every action: found by words or by keys, recorded by pressing them, and taken back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QIcon, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHeaderView, QLineEdit, QPushButton, QTreeWidget, QTreeWidgetItem, QWidget

from workbench.errors import CannotSave
from workbench.gui.control.action_spec import ActionSpec
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.context import WindowContext
from workbench.gui.control.keys.keymap import (
    PLACES,
    conflicts,
    keymap,
    meeting,
    name_of,
    native_keys,
    scheme_keys,
    taken_over,
    why_not,
    with_keys,
)
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import Ink
from workbench.i18n import _
from workbench.settings import Settings

_MODIFIERS = (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)
_MOST_KEYS = 2


class KeyRecorder(QLineEdit):
    """Takes whatever is pressed for keys. Enter ends it, Esc leaves it."""

    recorded = Signal(str)  # the keys, as QKeySequence writes them
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, readOnly=True, placeholderText=_("Press the keys, then Enter; Esc leaves it"))
        self.setAccessibleName(_("Press the keys, then Enter; Esc leaves it"))
        self._pressed: list[str] = []

    def begin(self) -> None:
        """Wait for keys."""
        self._pressed = []
        self.clear()
        self.setFocus()

    def event(self, event: QEvent) -> bool:
        """Keys that lead elsewhere, or mean something in the window, are recorded like all others."""
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            self.keyPressEvent(event)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Record it; Enter and Esc by themselves mean what they say."""
        event.accept()
        key, is_bare = event.key(), event.modifiers() in (Qt.KeyboardModifier.NoModifier, _KEYPAD)
        if key in _MODIFIERS or key in (0, Qt.Key.Key_unknown):
            return
        if is_bare and key == Qt.Key.Key_Escape:
            self.left.emit()
        elif is_bare and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._pressed:
                self.recorded.emit(", ".join(self._pressed))
        else:
            if len(self._pressed) == _MOST_KEYS:
                self._pressed = []
            self._pressed.append(QKeySequence(event.keyCombination()).toString())
            self.setText(native_keys((", ".join(self._pressed),)))


_KEYPAD = Qt.KeyboardModifier.KeypadModifier


class KeysPage(QWidget):
    """The list of actions, and what can be done to the keys of one of them."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._query = ""
        self._wanted = ""
        self.table = QTreeWidget(self)
        self.table.setAccessibleName(_("Actions and their keys"))
        self.table.setHeaderLabels([_("Action"), _("Keys"), _("Where")])
        self.table.setRootIsDecorated(False)
        self.table.setUniformRowHeights(True)
        self.said = Label(parent=self, role="secondary", wraps=True)
        self.problem = ProblemLabel(self)
        self.recorder = KeyRecorder(self)
        self.add_button = QPushButton(_("&Add…"), self)
        self.remove_button = QPushButton(_("Remo&ve"), self)
        self.reset_button = QPushButton(_("&Reset"), self)
        self.take_button = QPushButton(_("&Take over"), self)
        self._items = {spec.id: _item(self.table, spec) for spec in ACTIONS}
        self._lay_out()
        self._connect()
        self.refresh(context.settings.current)
        self.show_found("")

    def _lay_out(self) -> None:
        header = self.table.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        for button in (self.add_button, self.remove_button, self.reset_button, self.take_button):
            button.setAutoDefault(False)
        buttons = in_row(None, self.add_button, self.remove_button, self.reset_button, 1)
        given = in_row(None, (self.recorder, 1), self.take_button)
        in_column(self, (self.table, 1), self.said, given, self.problem, buttons, margins=0)

    def _connect(self) -> None:
        self.table.currentItemChanged.connect(self._end)
        self.table.itemActivated.connect(self.record)
        self.add_button.clicked.connect(self.record)
        self.remove_button.clicked.connect(self.remove)
        self.reset_button.clicked.connect(self.reset)
        self.take_button.clicked.connect(self.take_over)
        self.recorder.recorded.connect(self._on_recorded)
        self.recorder.left.connect(self._on_left)
        self._context.settings.settings_changed.connect(self.refresh)

    @property
    def chosen(self) -> ActionSpec | None:
        """The action that is chosen."""
        item = self.table.currentItem()
        wanted = item.data(0, Qt.ItemDataRole.UserRole) if item is not None and not item.isHidden() else ""
        return next((each for each in ACTIONS if each.id == wanted), None)

    @Slot(object)
    def refresh(self, settings: Settings) -> None:
        """Show the keys as *settings* has them."""
        known = keymap(settings)
        for spec in ACTIONS:
            item, keys = self._items[spec.id], native_keys(known[spec.id])
            is_changed = known[spec.id] != scheme_keys(settings.key_scheme, spec)
            words = _("{keys} (changed)").format(keys=keys or "–") if is_changed else keys
            met = dict.fromkeys(other for others in conflicts(known, spec).values() for other in others)
            if met:
                words = _("{keys} – also: {actions}").format(keys=words, actions=", ".join(map(name_of, met)))
            if item.text(1) != words:
                item.setText(1, words)
                item.setIcon(1, icon("warning", Ink.BLOCKED) if met else QIcon())
        self._offer(settings)

    def show_found(self, query: str) -> int:
        """Show the actions that have the words of *query*, or such keys; how many they are."""
        words = query.casefold().split()
        count = 0
        for item in self._items.values():
            text = " ".join((*(item.text(column) for column in range(3)), item.toolTip(0))).casefold()
            is_shown = all(word in text for word in words)
            item.setHidden(not is_shown)
            count += is_shown
        current = self.table.currentItem()
        if count and (current is None or current.isHidden()):
            with QSignalBlocker(self.table):
                self.table.setCurrentItem(next(item for item in self._items.values() if not item.isHidden()))
        self._end()
        return count

    @Slot()
    def record(self) -> None:
        """Wait for the keys that shall be added."""
        spec = self.chosen
        if spec is None:
            return
        self._end()
        self.said.show()
        self.said.setText(_("Keys for “{action}”, {where}:").format(action=name_of(spec), where=PLACES[spec.scope]))
        self.recorder.show()
        self.recorder.begin()

    @Slot()
    def remove(self) -> None:
        """Let no keys do it."""
        if (spec := self.chosen) is not None:
            self._change(partial(with_keys, action_id=spec.id, keys=()))

    @Slot()
    def reset(self) -> None:
        """Take the keys of the scheme."""
        spec = self.chosen
        if spec is not None:
            self._change(lambda settings: with_keys(settings, spec.id, scheme_keys(settings.key_scheme, spec)))

    @Slot()
    def take_over(self) -> None:
        """Give the recorded keys to the chosen action, and take them from all that they would reach as well."""
        if (spec := self.chosen) is not None:
            self._change(partial(taken_over, action_id=spec.id, keys=self._wanted))

    @Slot(str)
    def _on_recorded(self, keys: str) -> None:
        spec = self.chosen
        if spec is None:
            return
        refused = why_not(spec, keys)
        if refused:
            self.problem.setText(refused)
            self.recorder.begin()
            return
        others = [name_of(other) for other in meeting(keymap(self._context.settings.current), spec.id, keys)]
        if not others:
            self._change(partial(taken_over, action_id=spec.id, keys=keys))
            return
        told = _("These keys ({keys}) do already: {actions}. Choose other ones, or take them over.")
        self._wanted = keys
        self.problem.setText(told.format(keys=native_keys((keys,)), actions=", ".join(others)))
        self.take_button.show()
        self.take_button.setFocus()

    @Slot()
    def _on_left(self) -> None:
        self._end()
        self.table.setFocus()

    def _change(self, change: Callable[[Settings], Settings]) -> None:
        try:
            self._context.settings.change(change)
        except CannotSave as error:
            self._end()
            self.problem.setText(str(error))
        else:
            self._on_left()

    @Slot()
    def _end(self) -> None:
        """Nothing is being recorded."""
        self._wanted = ""
        self.said.setText("")
        self.problem.setText("")
        self.recorder.hide()
        self.take_button.hide()
        self.said.hide()
        self._offer(self._context.settings.current)

    def _offer(self, settings: Settings) -> None:
        spec = self.chosen
        known = keymap(settings)[spec.id] if spec is not None else ()
        self.add_button.setEnabled(spec is not None)
        self.remove_button.setEnabled(bool(known))
        self.reset_button.setEnabled(spec is not None and known != scheme_keys(settings.key_scheme, spec))


def _item(table: QTreeWidget, spec: ActionSpec) -> QTreeWidgetItem:
    item = QTreeWidgetItem(table, [name_of(spec), "", str(PLACES[spec.scope])])
    item.setData(0, Qt.ItemDataRole.UserRole, spec.id)
    item.setToolTip(0, str(spec.tooltip))
    return item
