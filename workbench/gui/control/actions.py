"""Everything a person can do, as one table; menus, toolbar, shortcuts, tooltips and palette come from it."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from workbench.errors import WorkbenchError
from workbench.gui.control.action_spec import ActionSpec, Need, ShortcutScope
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.notices import Cause, Notices
from workbench.gui.look.icons import icon
from workbench.settings import Settings

Handler = Callable[[], object]

_CONTEXTS = {
    ShortcutScope.WINDOW: Qt.ShortcutContext.WindowShortcut,
    ShortcutScope.SOURCE: Qt.ShortcutContext.WidgetShortcut,
    ShortcutScope.STEPS: Qt.ShortcutContext.WidgetWithChildrenShortcut,
    ShortcutScope.DOCUMENT: Qt.ShortcutContext.WidgetWithChildrenShortcut,
}


class Mark(enum.Enum):
    """Whether a switch is on."""

    ON = enum.auto()
    OFF = enum.auto()


class ActionBinding(QObject):
    """One QAction, and the handler that runs when it is triggered."""

    def __init__(self, spec: ActionSpec, notices: Notices, parent: QObject) -> None:
        super().__init__(parent)
        self.spec = spec
        self.handler: Handler | None = None
        self._notices = notices
        self.action = action = QAction(str(spec.text), self)
        action.setObjectName(spec.id)
        self.keys = spec.shortcuts
        # there are two hundred: nothing is said of one that is so anyway
        if spec.shortcuts:
            action.setShortcuts([QKeySequence(keys) for keys in spec.shortcuts])
        if spec.scope is not ShortcutScope.WINDOW:
            action.setShortcutContext(_CONTEXTS[spec.scope])
        action.setToolTip(tooltip_of(spec, spec.shortcuts))
        action.setEnabled(False)
        if spec.icon:
            action.setIcon(icon(spec.icon))
        # an icon would take the place of the tick
        if spec.is_switch:
            action.setCheckable(True)
            action.setIconVisibleInMenu(False)
        action.triggered.connect(self._on_triggered)

    def set_keys(self, keys: tuple[str, ...]) -> None:
        """Let *keys* do it from now on, and no others."""
        if keys != self.keys:
            self.keys = keys
            self.action.setShortcuts([QKeySequence(each) for each in keys])
            self.action.setToolTip(tooltip_of(self.spec, keys))

    @Slot()
    def _on_triggered(self) -> None:
        """Run the handler; a failing world is told in the window, a mistake of ours rises."""
        if self.handler is None:
            return
        try:
            self.handler()
        except WorkbenchError as error:
            self._notices.report(error, Cause.COMMAND, self.spec.id)
        else:
            self._notices.topic_settled.emit(self.spec.id)


def tooltip_of(spec: ActionSpec, keys: tuple[str, ...]) -> str:
    """What the action does, and the first of its *keys*."""
    return f"{spec.tooltip} ({native(keys[0])})" if keys else str(spec.tooltip)


def native(keys: str) -> str:
    """*keys* as the system writes them."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


class ActionRegistry(QObject):
    """The actions of a window, by id. Panes register what they can do; needs say what makes sense now."""

    keys_changed = Signal()

    def __init__(self, notices: Notices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bindings = {spec.id: ActionBinding(spec, notices, self) for spec in ACTIONS}
        self._met: frozenset[Need] = frozenset()
        self._taken: tuple[str, Mapping[str, tuple[str, ...]]] = ("own", {})

    def register(self, action_id: str, handler: Handler) -> None:
        """Let *handler* do *action_id* from now on; an id that is not in the table raises KeyError."""
        binding = self._bindings[action_id]
        binding.handler = handler
        self._refresh(binding)

    @Slot(object)
    def take_settings(self, settings: Settings) -> None:
        """Give every action the keys that *settings* says."""
        wanted = (settings.key_scheme, settings.keys)
        if wanted == self._taken:
            return
        from workbench.gui.control.keys.keymap import keymap  # noqa: PLC0415 - most people keep the keys of the table

        self._taken = wanted
        for action_id, keys in keymap(settings).items():
            self._bindings[action_id].set_keys(keys)
        self.keys_changed.emit()

    def keys(self, action_id: str) -> tuple[str, ...]:
        """The keys that do *action_id*, as ``QKeySequence`` writes them on every system."""
        return self._bindings[action_id].keys

    def action(self, action_id: str) -> QAction:
        """The action *action_id*; add it to a widget to make its shortcut work there."""
        return self._bindings[action_id].action

    @Slot(object)
    def trigger(self, action_id: str) -> None:
        """Do *action_id*, where it makes sense now."""
        self.action(action_id).trigger()

    def spec(self, action_id: str) -> ActionSpec:
        """The row of the table."""
        return self._bindings[action_id].spec

    def attach(self, widget: QWidget, scope: ShortcutScope) -> None:
        """Make the shortcuts of *scope* work while *widget* or a child of it has the focus."""
        for binding in self._bindings.values():
            if binding.spec.scope is scope:
                widget.addAction(binding.action)

    def rest(self, *, is_resting: bool) -> None:
        """Let the keys of the whole window mean what another registry has for them; false: mean these again."""
        for binding in self._bindings.values():
            if binding.spec.scope is ShortcutScope.WINDOW:
                context = Qt.ShortcutContext.WidgetShortcut if is_resting else Qt.ShortcutContext.WindowShortcut
                binding.action.setShortcutContext(context)

    def available(self) -> tuple[ActionSpec, ...]:
        """What can be done now, in the order of the table."""
        return tuple(each.spec for each in self._bindings.values() if each.action.isEnabled())

    def registered(self) -> frozenset[str]:
        """The ids that somebody handles."""
        return frozenset(key for key, each in self._bindings.items() if each.handler is not None)

    def set_met(self, met: frozenset[Need]) -> None:
        """Say which needs are met now: an action is enabled when all of its own are."""
        if met != self._met:
            self._met = met
            for binding in self._bindings.values():
                self._refresh(binding)

    def set_mark(self, action_id: str, mark: Mark) -> None:
        """Show the switch *action_id* as on or off."""
        self.action(action_id).setChecked(mark is Mark.ON)

    def set_text(self, action_id: str, text: str) -> None:
        """Show *text* in menus, for actions that say what they will do (*Undo move*)."""
        self.action(action_id).setText(text)

    def _refresh(self, binding: ActionBinding) -> None:
        is_enabled = binding.handler is not None and binding.spec.needs <= self._met
        if is_enabled != binding.action.isEnabled():
            binding.action.setEnabled(is_enabled)
