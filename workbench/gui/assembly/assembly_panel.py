"""The assembly pane: what the playbook compiles to, in step with the source."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDockWidget, QMenu, QStackedWidget, QWidget

from workbench.gui.assembly.compiling import AssemblyCompiler, CompiledRows
from workbench.gui.assembly.following import Following
from workbench.gui.assembly.rows_view import RowsView
from workbench.gui.assembly.saving import AssemblySaving, has_assembly
from workbench.gui.control.context import WindowContext
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.source.editor import MenuRequest
from workbench.i18n import _
from workbench.model.snapshot import Snapshot

_REST_MS = 100


class AssemblyPanel(QStackedWidget):
    """Read-only; compiled anew when typing rests, and only while somebody can see it."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.compiled: CompiledRows | None = None
        self._is_in_front = not isinstance(parent, QDockWidget)
        self._none = EmptyState(
            "assembly",
            _("No assembly yet"),
            _("What a playbook compiles to is shown here, line by line."),
            self,
        )
        self._other = EmptyState(
            "assembly", _("No assembly of this file"), _("Playbooks compile; step lists and other files do not."), self
        )
        self.view = RowsView(self)
        self.following = Following(context, self.view)
        self.saving = AssemblySaving(context, self)
        for page in (self._none, self._other, self.view.editor):
            self.addWidget(page)
        self.setFocusProxy(self.view.editor)
        self._compiler = AssemblyCompiler(self)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._connect()
        self._on_document_opened(context.documents.snapshot)

    def _connect(self) -> None:
        context = self._context
        context.documents.document_changed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._on_document_opened)
        self._rest.timeout.connect(self._on_rested)
        self._compiler.compiled.connect(self._on_compiled)
        self.view.completed.connect(self.following.take)
        self.view.editor.menu_requested.connect(self._on_menu_requested)

        parent = self.parent()
        if isinstance(parent, QDockWidget):  # behind another tab a pane counts as visible, and no event tells
            parent.visibilityChanged.connect(self._on_visibility_changed)

    @Slot(bool)
    def _on_visibility_changed(self, is_in_front: bool) -> None:  # noqa: FBT001 - Qt's own form
        self._is_in_front = is_in_front
        self._on_rested()

    def showEvent(self, event: QShowEvent) -> None:
        """Compile what changed while nobody looked."""
        super().showEvent(event)
        self._on_rested()

    @Slot(object)
    def _on_document_changed(self, _change: object) -> None:
        self._rest.start()

    @Slot(object)
    def _on_document_opened(self, _snapshot: Snapshot) -> None:
        """Show another text from its beginning."""
        self.compiled = None
        self.following.start_over()
        self._compiler.start_over()
        self.view.clear()
        self._on_rested()

    @Slot()
    def _on_rested(self) -> None:
        """Compile the text as it is now, unless its assembly is shown or nobody looks."""
        snapshot = self._context.documents.snapshot
        if not snapshot.program.playbooks and not snapshot.program.foreign:
            self.setCurrentWidget(self._none)
        elif not has_assembly(snapshot):
            self.setCurrentWidget(self._other)
        elif (
            self._is_in_front and self.isVisible() and (self.compiled is None or self.compiled.snapshot is not snapshot)
        ):
            self._compiler.compile(snapshot)
        else:
            self.setCurrentWidget(self.view.editor)

    @Slot(object)
    def _on_compiled(self, compiled: CompiledRows) -> None:
        self.compiled = compiled
        self.view.show_rows(compiled)
        self.setCurrentWidget(self.view.editor)

    @Slot(object)
    def _on_menu_requested(self, request: MenuRequest) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(request.point)

    def menu(self) -> QMenu:
        """Copy, select all, save."""
        editor = self.view.editor
        menu = QMenu(editor)
        copy = menu.addAction(_("Copy"))
        copy.triggered.connect(editor.copy)
        copy.setEnabled(editor.textCursor().hasSelection())
        menu.addAction(_("Select all")).triggered.connect(editor.selectAll)
        menu.addSeparator()
        menu.addAction(self._context.actions.action("file.save-assembly"))
        return menu
