"""The fixes of a block, offered below it; of a folded one, what is wrong inside."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, QPointF, Slot
from PySide6.QtWidgets import QMenu

from workbench.gui.canvas.content.block_findings import BlockFinding, findings_on
from workbench.gui.canvas.steps.hidden_findings import add_findings
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_menu import open_fixes
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
            self._context.notices.tell(_("Select the step to fix."))
            return None
        return self.offer(selected[0])

    @Slot(object)
    def offer(self, step: StepId) -> QMenu | FixPreview | None:
        """Offer the fixes of *step* below its block, and with it those of the steps that it hides."""
        state = self._view.state
        if state.layout.place_of(step) is None:
            return None
        found = findings_on(state.snapshot, step, state.folded)
        if any(each.step != step for each in found):
            return self._list(found, self._below(step))
        return open_fixes(self._context, [each.finding for each in found], self._view, self._below(step))

    def _list(self, found: Sequence[BlockFinding], point: QPoint) -> QMenu:
        """A menu that says what is wrong inside a folded block.

        A person who clicks its sign asks what is wrong in there. That is told where they look, and
        nothing on the canvas moves; the step itself, unfolded, is one more click away.
        """
        menu = QMenu(self._view)
        add_findings(menu, self._context, found)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(point)
        menu.setActiveAction(menu.actions()[0])  # for whoever came by keyboard
        return menu

    def _below(self, step: StepId) -> QPoint:
        """The middle of the lower edge of the block of *step*, or what is visible nearest to it, on the screen."""
        place = self._view.state.layout.place_of(step)
        assert place is not None
        low = self._view.mapFromScene(QPointF(place.x + place.width / 2, place.y + place.height))
        inside = self._view.viewport().rect()
        low.setX(max(inside.left(), min(low.x(), inside.right())))
        low.setY(max(inside.top(), min(low.y(), inside.bottom())))
        return self._view.viewport().mapToGlobal(low)
