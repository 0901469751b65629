"""Quick fixes by key, and all safe ones at once."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QWidget

from workbench.editing.safe_fixes import all_safe_fixes
from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_preview import FixPreview, preview_fix
from workbench.gui.shell.centre import CentreView
from workbench.i18n import _
from workbench.syntax.diagnostics import Fix


class FixActions(QObject):
    """Handles *Quick fix…* where the focus is, and *Fix all safe problems…* for the whole file."""

    def __init__(self, context: WindowContext, centre: CentreView, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._centre = centre
        self._window = window
        context.actions.register("edit.quick-fix", self.offer)
        context.actions.register("edit.fix-all", self.offer_all)

    def offer(self) -> QMenu | FixPreview | None:
        """Offer the fixes of the line that the caret is on, else of the selected step."""
        if self._centre.source.editor.hasFocus():
            return self._centre.source.findings.offer_fixes()
        return self._centre.canvas.tools.fixes.offer_selected()

    def offer_all(self) -> FixPreview | None:
        """Preview everything that can be fixed without changing what the playbook means."""
        found = all_safe_fixes(self._context.documents.snapshot)
        if not found.edits:
            self._context.notices.tell(_("There is no problem that can be fixed safely."))
            return None
        title = (
            _("Fix 1 safe problem") if found.count == 1 else _("Fix {count} safe problems").format(count=found.count)
        )
        middle = self._window.mapToGlobal(self._window.rect().center())
        middle.setX(middle.x() - self._context.theme.theme.px(280))
        middle.setY(middle.y() - self._context.theme.theme.px(160))
        return preview_fix(self._context, Fix(title, found.edits, is_safe=True), self._window, middle)
