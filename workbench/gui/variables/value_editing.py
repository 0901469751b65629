"""A variable of a paused run gets another value where it is shown: by a double click, Enter or F2."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from workbench.engine.journal.choices import RunStatus, Scope
from workbench.engine.state.frames import Frame
from workbench.gui.control.context import WindowContext
from workbench.gui.words.values import read_form, written_form
from workbench.i18n import _

AnyIndex = QModelIndex | QPersistentModelIndex
KeyOf = Callable[[QTreeWidgetItem], tuple[str, str] | None]
"""The key of the group and the name of the variable that a row shows; None for any other row."""


class _ValueDelegate(QStyledItemDelegate):
    """Lets the value of one variable be typed. *changed*: is handed the row and what was typed."""

    def __init__(self, tree: QTreeWidget, column: int, changed: Callable[[QTreeWidgetItem, str], None]) -> None:
        super().__init__(tree)
        self._tree = tree
        self._column = column
        self._changed = changed

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> QWidget:
        """A line for the value."""
        del option, index
        line = QLineEdit(parent)
        line.setFrame(False)
        line.setAccessibleName(_("New value"))
        return line

    def setEditorData(self, editor: QWidget, index: AnyIndex) -> None:
        """Show the value as it is typed."""
        held = index.sibling(index.row(), 0).data(Qt.ItemDataRole.UserRole)
        if isinstance(editor, QLineEdit) and held:
            editor.setText(written_form(held[0]))
            editor.selectAll()

    def setModelData(self, editor: QWidget, _model: QAbstractItemModel, index: AnyIndex) -> None:
        """Hand over what was typed; what is shown follows from the run."""
        item = self._tree.itemFromIndex(index)
        if isinstance(editor, QLineEdit):
            self._changed(item, editor.text())


class ValueEditing(QObject):
    """Lets the variables of the run that is held be changed. *frame*: the one that is looked at."""

    def __init__(self, context: WindowContext, tree: QTreeWidget, column: int, key_of: KeyOf) -> None:
        super().__init__(tree)
        self._context = context
        self._tree = tree
        self._column = column
        self._key_of = key_of
        tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        tree.setItemDelegateForColumn(column, _ValueDelegate(tree, column, self._change))
        tree.itemDoubleClicked.connect(self._on_wanted)
        shortcut = QShortcut(QKeySequence("F2"), tree, context=Qt.ShortcutContext.WidgetShortcut)
        shortcut.activated.connect(self.edit_current)

    @property
    def can_edit(self) -> bool:
        """Whether the run that is shown goes on here, as it is now, and is paused."""
        state, shown = self._context.runs.state, self._context.shown
        return shown.is_live and shown.moment is None and state is not None and state.status is RunStatus.PAUSED

    @Slot()
    def edit_current(self) -> None:
        """Let the value of the row at hand be typed."""
        item = self._tree.currentItem()
        if item is not None:
            self._on_wanted(item)

    @Slot(QTreeWidgetItem)
    def _on_wanted(self, item: QTreeWidgetItem) -> None:
        if self._key_of(item) is None:
            return
        if not self.can_edit:
            is_past = self._context.shown.moment is not None
            now = _("A past moment is shown. Go back to now to change a variable.")
            self._context.notices.tell(now if is_past else _("Pause the run to change a variable."))
            return
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
        self._tree.editItem(item, self._column)

    def _change(self, item: QTreeWidgetItem, text: str) -> None:
        key = self._key_of(item)
        if key is None or not self.can_edit:
            return
        from workbench.engine.running.controls import EditVariable  # noqa: PLC0415 - loaded with the run

        group, shown = key
        owner, name = group.partition(" ")[2], shown.removeprefix("$")
        scope = Scope.STATE if shown.startswith("$") else Scope.LOCAL
        frame = self._frame(owner) if group.startswith("frame ") else None
        agent = frame.agent if frame is not None else owner
        value = read_form(text)
        self._context.runs.order(EditVariable(name, scope, agent, frame.span if frame is not None else "", value))
        self._context.notices.tell(_("{name} was changed; the run keeps a note of it.").format(name=shown))

    def _frame(self, span: str) -> Frame | None:
        state = self._context.runs.state
        return next((each for each in state.frames if each.span == span), None) if state is not None else None
