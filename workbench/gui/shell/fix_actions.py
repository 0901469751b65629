"""Quick fixes by key, and all safe ones at once."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMenu, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_preview import FixPreview, preview_fix
from workbench.gui.fixes.safe_fix_search import FoundFixes, SafeFixSearch, SearchProgress
from workbench.gui.look.theming import current_theme
from workbench.gui.shell.panes.centre import CentreView
from workbench.i18n import _, ngettext
from workbench.syntax.diagnostics import Fix


class FixActions(QObject):
    """Handles *Quick fix…* where the focus is, and *Fix all safe problems…* for the whole file."""

    def __init__(self, context: WindowContext, centre: CentreView, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._centre = centre
        self._window = window
        self.search = SafeFixSearch(self)
        self.progress = SearchProgress(window)
        self.search.progressed.connect(self._on_progressed)
        self.search.found.connect(self._on_found)
        self.search.failed.connect(self.progress.finish)
        self.progress.cancelled.connect(self.search.cancel)
        context.documents.document_changed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._on_document_changed)
        context.actions.register("edit.quick-fix", self.offer)
        context.actions.register("edit.fix-all", self.offer_all)

    def offer(self) -> QMenu | FixPreview | None:
        """Offer the fixes of the line that the caret is on, else of the selected step."""
        if self._centre.source.editor.hasFocus():
            return self._centre.source.findings.offer_fixes()
        return self._centre.canvas.tools.fixes.offer_selected()

    def offer_all(self) -> None:
        """Look for everything that can be fixed without changing what the playbook means, to preview it."""
        self.search.look(self._context.documents.snapshot)
        self.progress.begin()

    def give_up(self) -> None:
        """Nobody waits for what is being looked for: the window closes."""
        self.search.cancel()
        self.progress.finish()

    @Slot(object)
    def _on_progressed(self, found: FoundFixes) -> None:
        self.progress.show_count(found.fixes.count)

    @Slot(object)
    def _on_found(self, found: FoundFixes) -> None:
        self.progress.finish()
        count = found.fixes.count
        if not found.fixes.edits:
            self._context.notices.tell(_("There are no problems with a safe fix."))
            return
        title = ngettext("Apply {count} safe fix", "Apply {count} safe fixes", count)
        middle = self._window.mapToGlobal(self._window.rect().center())
        middle.setX(middle.x() - current_theme().px(280))
        middle.setY(middle.y() - current_theme().px(160))
        preview_fix(self._context, Fix(title, found.fixes.edits, is_safe=True), self._window, middle)

    @Slot(object)
    def _on_document_changed(self, _cause: object) -> None:
        """What is being looked for would fit another text."""
        if self.search.is_looking:
            self.give_up()
            told = _("The text changed during the search, so no fix was applied. Choose “Apply all safe fixes” again.")
            self._context.notices.tell(told)
