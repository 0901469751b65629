"""The variables pane: what the run knows, at the moment that is shown, and its call stack.

A variable of a paused run gets another value where it is shown: by a double click, Enter or F2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QSplitter,
    QStackedWidget,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from workbench.engine.journal.choices import RunStatus, Scope
from workbench.engine.journal.events import RunEvent
from workbench.engine.state.frames import Frame
from workbench.engine.state.run_state import RunState
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.retelling import RunView
from workbench.gui.control.running.tracer import Traced, Tracer
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.layouts import in_column
from workbench.gui.look.written_words import WordsDelegate, follow_words, read_as_written
from workbench.gui.variables.origin_view import OriginView
from workbench.gui.variables.variable_tree import VALUE, VariableGroup, VariableTree, groups_of
from workbench.gui.words.run_words import number_of
from workbench.gui.words.values import drawable_line, read_form, written_form
from workbench.i18n import _

ORIGIN = "variables"
REFRESH_MS = 80


class CallStack(QTreeWidget):
    """A click or Enter on a frame selects its step and shows its variables."""

    frame_chosen = Signal(object)  # Frame

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        read_as_written(self)
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
        self._was_past = False
        self.stack = CallStack(self)
        self.stack.setProperty("role", "secondary")
        self.tree = VariableTree(self)
        self.origin = OriginView(self)
        self._tracer = Tracer(context.runs.host, context.shown, self)
        self._timer = QTimer(self, singleShot=True, interval=REFRESH_MS)
        self._lay_out()
        self._timer.timeout.connect(self._refresh)
        self.editing = ValueEditing(context, self.tree, VALUE, self._key_of)
        self.stack.frame_chosen.connect(self._on_frame_chosen)
        self.tree.origin_wanted.connect(self._on_origin_wanted)
        self._tracer.found.connect(self._on_traced)
        self._tracer.failed.connect(context.shown.failed)
        self.origin.closed.connect(self.stack.show)
        self.origin.tree.event_chosen.connect(self._on_event_chosen)
        context.shown.run_shown.connect(self._on_run_shown)
        context.shown.state_changed.connect(self._on_state_changed)
        context.shown.moment_changed.connect(self._on_moment_changed)

    def _lay_out(self) -> None:
        words = _("While a playbook runs, its variables, their previous values and the call stack appear here.")
        self._pages = QStackedWidget(self)
        splitter = QSplitter(Qt.Orientation.Horizontal, self._pages)
        splitter.addWidget(self.tree)
        splitter.addWidget(self.stack)
        splitter.addWidget(self.origin)
        for part, share in enumerate((3, 1, 3)):
            splitter.setStretchFactor(part, share)
        self._empty = EmptyState("variables", _("No variables yet"), words, self._pages)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(splitter)
        in_column(self, self._pages, margins=0)

    def _key_of(self, item: QTreeWidgetItem) -> tuple[str, str] | None:
        return next((key for key, row in self.tree.rows.items() if row is item), None)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while the pane was hidden."""
        super().showEvent(event)
        self._refresh()

    @Slot(object)
    def _on_run_shown(self, view: RunView | None) -> None:
        self._state = None
        self.tree.forget()
        self.origin.leave()
        self.stack.show_frames(())
        self._pages.setCurrentIndex(0 if view is None else 1)

    @Slot(object)
    def _on_state_changed(self, state: RunState) -> None:
        self._state = state
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    @Slot(object)
    def _on_moment_changed(self, _moment: object) -> None:
        """Whoever goes from event to event sees each of them."""
        self._timer.stop()
        self._state = self._context.shown.state
        if self.isVisible():
            self._refresh()

    @Slot()
    def _refresh(self) -> None:
        if self._state is None:
            return
        self.stack.show_frames(self._state.frames)
        frame = self.stack.chosen()
        groups = groups_of(self._state, frame)
        if self._context.shown.moment is not None:
            shown = self._context.shown
            self.tree.show_moment(_groups_then(shown.before, frame), groups, _groups_then(shown.latest, frame))
        elif self._was_past:
            self.tree.show_now(groups)
        else:
            self.tree.show_groups(groups)
        self._was_past = self._context.shown.moment is not None

    @Slot(object)
    def _on_origin_wanted(self, variable: tuple[str, str]) -> None:
        self._tracer.ask(*variable)

    @Slot(object)
    def _on_traced(self, traced: Traced) -> None:
        """Go to where the value was made, and show what it was made of."""
        if traced.origin is None:
            self._context.notices.tell(_("{name} has no value yet.").format(name=traced.name))
            return
        self.origin.show_origin(traced.name, traced.origin)
        self.stack.hide()  # there is no room for three
        self._on_event_chosen(traced.origin.event)

    @Slot(object)
    def _on_event_chosen(self, event: RunEvent) -> None:
        self._context.shown.moments.go_to(event.seq)
        step = self._context.shown.steps.at(event.seq).id_of(event.step)
        if step is not None:
            self._context.selection.reveal((step,), ORIGIN)

    @Slot(object)
    def _on_frame_chosen(self, frame: Frame) -> None:
        self._refresh()
        shown = self._context.shown
        step = shown.steps.at(shown.moments.seq).id_of(frame.step)
        if step is not None:
            self._context.selection.reveal((step,), ORIGIN)


def _groups_then(state: RunState | None, frame: Frame | None) -> tuple[VariableGroup, ...]:
    """What could be seen in *state* of what *frame* sees at another moment."""
    if state is None:
        return ()
    same = next((each for each in state.frames if frame is not None and each.span == frame.span), None)
    if frame is None or same is not None:
        return groups_of(state, same)
    kept = groups_of(state, frame)
    return tuple(group for group in kept if group.key == f"agent {frame.agent}")


AnyIndex = QModelIndex | QPersistentModelIndex
KeyOf = Callable[[QTreeWidgetItem], tuple[str, str] | None]
"""The key of the group and the name of the variable that a row shows; None for any other row."""


class _ValueDelegate(WordsDelegate):
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
        follow_words(line)
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
