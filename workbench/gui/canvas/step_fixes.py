"""The fixes of a block, offered below it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, Slot
from PySide6.QtWidgets import QMenu

from workbench.gui.canvas.canvas_view import CanvasView
from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_menu import findings_of, open_fixes
from workbench.gui.fixes.fix_preview import FixPreview
from workbench.i18n import _
from workbench.model.program import StepId


class StepFixes(QObject):
    """Opens the menu, or the preview of the only fix."""

    def __init__(self, view: CanvasView, context: WindowContext) -> None:
        super().__init__(view)
        self._view = view
        self._context = context

    def offer_selected(self) -> QMenu | FixPreview | None:
        """Offer the fixes of the selected step."""
        selected = self._context.selection.selected
        if not selected:
            self._context.notices.tell(_("Select the step that is to be fixed."))
            return None
        return self.offer(selected[0])

    @Slot(object)
    def offer(self, step: StepId) -> QMenu | FixPreview | None:
        """Offer the fixes of *step* below its block."""
        state = self._view.state
        place = state.layout.place_of(step)
        if place is None:
            return None
        low = self._view.mapFromScene(QPointF(place.x + place.width / 2, place.y + place.height))
        inside = self._view.viewport().rect()
        low.setX(max(inside.left(), min(low.x(), inside.right())))
        low.setY(max(inside.top(), min(low.y(), inside.bottom())))
        point = self._view.viewport().mapToGlobal(low)
        return open_fixes(self._context, findings_of(state.snapshot, step), self._view, point)
