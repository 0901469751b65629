"""The pages of the canvas: the flowchart, or where there is none, what to do first, or why it is so."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QStackedWidget, QWidget

from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.gui.canvas.view.camera import anchor_of, reveal
from workbench.gui.canvas.view.canvas_frame import CanvasFrame
from workbench.gui.control.actions import Mark
from workbench.gui.control.context import WindowContext
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.i18n import _
from workbench.model.layout.shapes import Rect
from workbench.model.program import StepId
from workbench.model.showing.heat import Measure
from workbench.model.snapshot import Snapshot

if TYPE_CHECKING:  # loaded when somebody wants it
    from workbench.gui.canvas.view.heat import HeatUse

CARD_WIDTH_PX = 340
# An empty playbook shows its title in the middle.
_BELOW_TITLE_PX = 48


class FirstStepCard(QFrame):
    """Lies over a canvas without steps."""

    first_step_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.setFixedWidth(CARD_WIDTH_PX)
        title = Label(_("No steps yet"), self, role="title")
        hint = _("Add the first step, or drag one here from the palette. The source follows.")
        words = Label(hint, self, role="muted", wraps=True)
        self.button = QPushButton(_("Add first step"), self)
        self.button.setProperty("primary", "true")
        self.button.clicked.connect(self._on_clicked)
        column = in_column(self, margins=(24, 20, 24, 20), spacing=10)
        for widget in (title, words):
            widget.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(widget)
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignCenter)

    @Slot()
    def _on_clicked(self) -> None:
        self.first_step_requested.emit()


class ForeignPage(QWidget):
    """Says why a file has no flowchart."""

    choose_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._reason = ""
        self._state = EmptyState("file", "", "", self)
        self.button = QPushButton(_("Read it as something else…"), self)
        self.button.clicked.connect(self._on_clicked)
        self._state.add_button(self.button)
        in_column(self, self._state, margins=0)

    def explain(self, snapshot: Snapshot) -> None:
        """Say why, and what can be done with the file of *snapshot* here."""
        reason = snapshot.program.foreign
        if reason != self._reason:
            from workbench.model.foreign.outline import has_outline  # noqa: PLC0415 - no playbook needs it

            self._reason = reason
            parts = _("Its parts are listed in the outline.") if has_outline(snapshot.text) else ""
            hint = _("To change it, edit its text in the source.")
            words = "\n\n".join((reason, " ".join(filter(None, (parts, hint)))))
            self._state.tell("file", _("This file has no flowchart"), words)

    @Slot()
    def _on_clicked(self) -> None:
        self.choose_requested.emit()


class CanvasPages(QStackedWidget):
    """The canvas of *state* in its frame, or the page that says why there is none."""

    def __init__(self, state: CanvasState, parent: QWidget) -> None:
        super().__init__(parent)
        self.frame = CanvasFrame(state, self)
        self.minimap = self.frame.minimap
        self.first_step = FirstStepCard(self)
        self.foreign = ForeignPage(self)
        self.addWidget(self.frame)
        self.addWidget(self.foreign)

    def show_page(self, snapshot: Snapshot) -> None:
        """Show what fits *snapshot*."""
        reason = snapshot.program.foreign
        if reason:
            self.foreign.explain(snapshot)
        self.setCurrentWidget(self.foreign if reason else self.frame)
        self.frame.is_drawn = not reason and has_steps(snapshot)
        self.first_step.setVisible(not reason and not self.frame.is_drawn)
        self.frame.follow()
        self.first_step.raise_()  # the stack puts the page it changes to in front of all

    def toggle_minimap(self) -> bool:
        """Show the map, or hide it; whether it is wanted now."""
        self.frame.wants_map = not self.frame.wants_map
        self.frame.follow()
        return self.frame.wants_map

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the card in the middle."""
        super().resizeEvent(event)
        self.first_step.adjustSize()
        self.first_step.move((self.width() - CARD_WIDTH_PX) // 2, self.height() // 2 + _BELOW_TITLE_PX)


class FrameUse(QObject):
    """Shows and hides the map of *pages*, leads the keys there and back, and to what is pinned above the flowchart.

    *origin*: what the canvas says itself.
    """

    def __init__(self, pages: CanvasPages, context: WindowContext, origin: str) -> None:
        super().__init__(pages)
        self._pages = pages
        self._context = context
        self._origin = origin
        context.actions.register("view.minimap", self.toggle)
        context.actions.register("view.go-to-map", self.go_there)
        context.actions.register("view.heat-count", self._on_counts_wanted)
        context.actions.register("view.heat-time", self._on_times_wanted)
        pages.minimap.left.connect(self._on_left)
        pages.frame.pinned.chosen.connect(self._on_pinned_chosen)
        self.toggle()

    @cached_property
    def heat(self) -> HeatUse:
        """How often steps were carried out, or for how long, on the blocks and below them."""
        from workbench.gui.canvas.view.heat import HeatUse  # noqa: PLC0415 - no start needs it

        made = HeatUse(self._pages.frame.view, self._context.shown, self._context.actions, self._pages.frame)
        self._pages.frame.add_below(made.bar)
        return made

    @Slot()
    def _on_counts_wanted(self) -> None:
        self.heat.switch(Measure.COUNT)

    @Slot()
    def _on_times_wanted(self) -> None:
        self.heat.switch(Measure.TIME)

    def toggle(self) -> None:
        """Show the map, or hide it."""
        is_wanted = self._pages.toggle_minimap()
        self._context.actions.set_mark("view.minimap", Mark.ON if is_wanted else Mark.OFF)

    def go_there(self) -> None:
        """Give the keys to the map, where there is one."""
        if not self._pages.frame.wants_map:
            self.toggle()
        if self._pages.minimap.isVisible():
            self._pages.minimap.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self._context.notices.tell(self._pages.frame.why_no_map())

    @Slot(object)
    def _on_left(self, is_going_on: bool) -> None:  # noqa: FBT001 - a signal says it
        """The keys go back to the flowchart, and on with the step that is nearest to the middle of it."""
        view = self._pages.frame.view
        near = next(iter(anchor_of(view).places), None)
        if is_going_on and near is not None:
            self._context.selection.reveal((near[0],), self._origin)
        view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot(object)
    def _on_pinned_chosen(self, target: StepId | Rect) -> None:
        """Show the head of the step, or the title of the playbook."""
        if isinstance(target, Rect):
            reveal(self._pages.frame.view, target)
        elif self._pages.frame.view.state.snapshot.has(target):
            self._context.selection.reveal((target,), self._origin)


def has_steps(snapshot: Snapshot) -> bool:
    """True when there is at least one block to draw."""
    playbooks = snapshot.program.playbooks
    if not playbooks:
        return bool(snapshot.program.functions)
    return any(playbook.is_prompt or any(section.steps for section in playbook.sections) for playbook in playbooks)
