"""Unsaved changes are never given up without asking."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.i18n import _


class LeaveGuard(QObject):
    """Asks what to do with unsaved changes, then does what was wanted. *save*: true once all is saved."""

    def __init__(self, context: WindowContext, save: Callable[[], bool], window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._save = save
        self._window = window
        self._next: Callable[[], object] | None = None
        self.dialog: QMessageBox | None = None

    def leave(self, then: Callable[[], object]) -> None:
        """Do *then*: at once where nothing is unsaved, else after the person has decided."""
        if self._context.documents.file_state.is_dirty:
            self._next = then
            self._ask()
        else:
            then()

    def _ask(self) -> None:
        path = self._context.documents.file_state.path
        name = path.name if path is not None else _("the new playbook")
        dialog = QMessageBox(self._window)
        dialog.setIcon(QMessageBox.Icon.NoIcon)
        dialog.setWindowTitle(_("Unsaved changes"))
        dialog.setText(_("Save the changes to “{name}”?").format(name=name))
        dialog.setInformativeText(_("What you changed since the last save is lost when you discard it."))
        buttons = QMessageBox.StandardButton
        dialog.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        dialog.setDefaultButton(buttons.Save)
        dialog.finished.connect(self._on_decided)
        self.dialog = dialog
        dialog.open()

    @Slot(int)
    def _on_decided(self, button: int) -> None:
        dialog, self.dialog = self.dialog, None
        wanted, self._next = self._next, None
        if dialog is not None:
            dialog.deleteLater()
        if wanted is None or button == QMessageBox.StandardButton.Cancel:
            return
        try:
            if button == QMessageBox.StandardButton.Discard or self._save():
                wanted()
        except WorkbenchError as error:
            self._context.notices.report(error)
