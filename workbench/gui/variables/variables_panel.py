"""The variables pane: what the run knows, at the moment that is shown, and its call stack."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QSplitter, QStackedWidget, QTreeWidget, QTreeWidgetItem, QWidget

from workbench.engine.journal.events import RunEvent
from workbench.engine.state.frames import Frame
from workbench.engine.state.run_state import RunState
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.retelling import RunView
from workbench.gui.control.running.tracer import Traced, Tracer
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.layouts import in_column
from workbench.gui.variables.origin_view import OriginView
from workbench.gui.variables.value_editing import ValueEditing
from workbench.gui.variables.variable_tree import VALUE, VariableGroup, VariableTree, groups_of
from workbench.gui.words.run_words import number_of
from workbench.gui.words.values import drawable_line
from workbench.i18n import _

ORIGIN = "variables"
REFRESH_MS = 80


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
        self._empty = EmptyState("variables", _("No variables yet"), words, self)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.addWidget(self.tree)
        splitter.addWidget(self.stack)
        splitter.addWidget(self.origin)
        for part, share in enumerate((3, 1, 3)):
            splitter.setStretchFactor(part, share)
        self._pages = QStackedWidget(self)
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
        step = self._context.shown.steps.id_of(event.step)
        if step is not None:
            self._context.selection.reveal((step,), ORIGIN)

    @Slot(object)
    def _on_frame_chosen(self, frame: Frame) -> None:
        self._refresh()
        step = self._context.shown.steps.id_of(frame.step)
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
