"""The menu of a folded block: what is wrong inside, step by step, each with its fixes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, QPointF, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from workbench.gui.canvas.content.canvas_state import MOST_SHOWN, BlockFinding, finding_line, findings_on
from workbench.gui.canvas.steps.verbs import choose
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.context import WindowContext
from workbench.gui.control.selection import outermost
from workbench.gui.fixes.fix_offers import FixAction, open_fixes
from workbench.gui.fixes.fix_preview import FixPreview
from workbench.gui.fixes.operations import offers_on
from workbench.gui.look.icons import icon
from workbench.gui.look.theming import severity_ink
from workbench.gui.words.values import menu_text, tip
from workbench.i18n import _, ngettext
from workbench.model.program import StepId

_LONGEST = 90


class FindingAction(QAction):
    """Leads to the step of one finding, and unfolds what hides it."""

    def __init__(self, context: WindowContext, found: BlockFinding, menu: QMenu) -> None:
        words = finding_line(context.documents.snapshot, found)
        severity = found.finding.severity.value
        super().__init__(icon(severity, severity_ink(severity)), _shortened(words), menu)
        self.setToolTip(tip(_("Unfold and go to this step: {words}").format(words=words)))
        self.found = found
        self._context = context
        self.triggered.connect(self._on_triggered)

    @Slot()
    def _on_triggered(self) -> None:
        if self._context.documents.snapshot.has(self.found.step):
            choose(self._context.selection, (self.found.step,))


def add_findings(menu: QMenu, context: WindowContext, findings: Sequence[BlockFinding]) -> None:
    """Add *findings* to *menu*, each with its fixes; the list of problems has those that are too many."""
    menu.setToolTipsVisible(True)
    for found in findings[:MOST_SHOWN]:
        menu.addAction(FindingAction(context, found, menu))
        menu.addActions([FixAction(context, fix, menu) for fix in found.finding.fixes])
        menu.addSeparator()
    if len(findings) > MOST_SHOWN:
        more = QAction(ngettext("{count} more problem…", "{count} more problems…", len(findings) - MOST_SHOWN), menu)
        more.triggered.connect(context.actions.action("pane.problems").trigger)
        menu.addAction(more)


def findings_menu(menu: QMenu, context: WindowContext, findings: Sequence[BlockFinding]) -> QMenu:
    """A menu inside *menu* with *findings*."""
    words = ngettext("{count} problem inside", "{count} problems inside", len(findings))
    inner = QMenu(words, menu, icon=icon("problems"))
    add_findings(inner, context, findings)
    return inner


def _shortened(words: str) -> str:
    """*words* in one line of a menu, where an ampersand is a letter."""
    line = " ".join(words.split())
    return menu_text(line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…")


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
        findings, offers = [each.finding for each in found], offers_on(self._chosen(step))
        return open_fixes(self._context, findings, self._view, self._below(step), offers)

    def _chosen(self, step: StepId) -> tuple[StepId, ...]:
        """The selected steps where *step* is one of them, else *step*."""
        selected = outermost(self._context.documents.snapshot, self._context.selection.selected)
        return selected if step in selected else (step,)

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
