"""The context menu of the source: what any text field offers, and fixes for what is doubtful here."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_menu import add_fixes
from workbench.gui.look.icons import icon
from workbench.gui.source.editor import SourceEditor
from workbench.i18n import _
from workbench.syntax.diagnostics import Diagnostic


class SourceMenu(QObject):
    """Opens the menu of one editor."""

    def __init__(self, context: WindowContext, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._context = context
        self._editor = editor

    def open(self, point: QPoint, findings: Sequence[Diagnostic]) -> None:
        """Show the menu at *point*, with the fixes of *findings* first."""
        menu = self.build(findings)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(point)

    def build(self, findings: Sequence[Diagnostic]) -> QMenu:
        """The menu."""
        menu = QMenu(self._editor)
        add_fixes(menu, self._context, findings)
        menu.addSeparator()
        menu.addAction(self._context.actions.action("edit.undo"))
        menu.addAction(self._context.actions.action("edit.redo"))
        menu.addSeparator()
        has_selection = self._editor.textCursor().hasSelection()
        self._add(menu, "cut", _("Cut"), self._editor.cut, is_enabled=has_selection)
        self._add(menu, "copy", _("Copy"), self._editor.copy, is_enabled=has_selection)
        self._add(menu, "paste", _("Paste"), self._editor.paste, is_enabled=self._editor.canPaste())
        menu.addSeparator()
        self._add(menu, "", _("Select all"), self._editor.selectAll, is_enabled=True)
        return menu

    def _add(self, menu: QMenu, name: str, text: str, chosen: object, *, is_enabled: bool) -> None:
        action = QAction(text, menu)
        if name:
            action.setIcon(icon(name))
        action.setEnabled(is_enabled)
        action.triggered.connect(chosen)
        menu.addAction(action)
