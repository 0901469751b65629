"""The menu of a folded block: what is wrong inside, step by step, each with its fixes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from workbench.gui.canvas.content.block_findings import MOST_SHOWN, BlockFinding, finding_line
from workbench.gui.canvas.steps.choosing import choose
from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_menu import FixAction
from workbench.gui.look.icons import icon
from workbench.gui.look.theming import severity_ink
from workbench.gui.words.values import menu_text, tip
from workbench.i18n import _

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
        more = QAction(_("{count} more…").format(count=f"{len(findings) - MOST_SHOWN:,}"), menu)
        more.triggered.connect(context.actions.action("pane.problems").trigger)
        menu.addAction(more)


def findings_menu(menu: QMenu, context: WindowContext, findings: Sequence[BlockFinding]) -> QMenu:
    """A menu inside *menu* with *findings*."""
    count = len(findings)
    words = _("1 problem inside") if count == 1 else _("{count} problems inside").format(count=f"{count:,}")
    inner = QMenu(words, menu)
    inner.setIcon(icon("problems"))
    add_findings(inner, context, findings)
    return inner


def _shortened(words: str) -> str:
    """*words* in one line of a menu, where an ampersand is a letter."""
    line = " ".join(words.split())
    return menu_text(line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…")
