"""The context menu of the source: what any text field offers, and fixes for what is doubtful here."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from workbench.gui.context import WindowContext
from workbench.gui.fix_row import apply_fix
from workbench.gui.icons import icon
from workbench.gui.source.editor import SourceEditor
from workbench.i18n import _
from workbench.syntax.diagnostics import Diagnostic, Fix


class FixAction(QAction):
    """Applies one fix when it is chosen."""

    def __init__(self, context: WindowContext, fix: Fix, parent: QObject) -> None:
        super().__init__(fix.title, parent)
        self._context = context
        self._fix = fix
        self._revision = context.documents.snapshot.revision
        self.triggered.connect(self._on_triggered)

    @Slot()
    def _on_triggered(self) -> None:
        """Apply the fix, unless the text has changed since it was offered."""
        if self._context.documents.snapshot.revision == self._revision:
            apply_fix(self._context, self._fix)


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
        colour = self._context.theme.theme.text
        for fix in [fix for finding in findings for fix in finding.fixes]:
            action = FixAction(self._context, fix, menu)
            action.setIcon(icon("edit", colour))
            menu.addAction(action)
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
            action.setIcon(icon(name, self._context.theme.theme.text))
        action.setEnabled(is_enabled)
        action.triggered.connect(chosen)
        menu.addAction(action)
