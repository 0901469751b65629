"""Fixes as entries of a menu, wherever a finding is shown; choosing one previews it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_preview import FixPreview, preview_fix
from workbench.gui.fixes.rule_dialog import show_rule
from workbench.gui.look.icons import icon
from workbench.gui.look.theming import Ink
from workbench.gui.words.values import menu_text
from workbench.i18n import _
from workbench.model.checks.rules import rule_page
from workbench.syntax.diagnostics import Diagnostic, Fix


class FixAction(QAction):
    """Previews one fix where its menu was."""

    def __init__(self, context: WindowContext, fix: Fix, menu: QMenu) -> None:
        super().__init__(icon("bulb"), menu_text(fix.title), menu)
        self._context = context
        self._fix = fix
        self._menu = menu
        self._revision = context.documents.snapshot.revision
        self.triggered.connect(self._on_triggered)

    @Slot()
    def _on_triggered(self) -> None:
        """Preview the fix, unless the text has changed since it was offered."""
        parent = self._menu.parentWidget()
        if parent is not None and self._context.documents.snapshot.revision == self._revision:
            preview_fix(self._context, self._fix, parent, self._menu.pos())


class WhyAction(QAction):
    """Opens the page of a rule."""

    def __init__(self, code: str, menu: QMenu) -> None:
        super().__init__(icon("info", Ink.MUTED), _("Why? ({code})").format(code=code), menu)
        self._code = code
        self._menu = menu
        self.triggered.connect(self._on_triggered)

    @Slot()
    def _on_triggered(self) -> None:
        parent = self._menu.parentWidget()
        if parent is not None:
            show_rule(self._code, parent)


def add_fixes(menu: QMenu, context: WindowContext, findings: Sequence[Diagnostic]) -> None:
    """Add the fixes of *findings* to *menu*, and below them why each is a finding."""
    menu.addActions([FixAction(context, fix, menu) for finding in findings for fix in finding.fixes])
    codes = dict.fromkeys(finding.code for finding in findings if rule_page(finding.code) is not None)
    menu.addActions([WhyAction(code, menu) for code in codes])


def open_fixes(
    context: WindowContext, findings: Sequence[Diagnostic], parent: QWidget, point: QPoint
) -> QMenu | FixPreview | None:
    """Offer the fixes of *findings* at *point* of the screen: a menu, or at once the preview of the only one."""
    fixes = [fix for finding in findings for fix in finding.fixes]
    if len(fixes) == 1:
        return preview_fix(context, fixes[0], parent, point)
    menu = QMenu(parent)
    add_fixes(menu, context, findings)
    if menu.isEmpty():
        menu.deleteLater()
        context.notices.tell(_("Nothing to fix here."))
        return None
    menu.aboutToHide.connect(menu.deleteLater)
    menu.popup(point)
    return menu
