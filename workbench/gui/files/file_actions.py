"""Opening, saving and closing, with the questions that belong to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from workbench.editing.document import Document
from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.files import file_dialogs
from workbench.gui.files.file_dialogs import LeaveGuard, TemplateDialog
from workbench.gui.files.picture_export import export_picture
from workbench.gui.look.theme import current_theme
from workbench.i18n import _
from workbench.settings import Settings


class FileActions(QObject):
    """What the File menu does."""

    folder_shown = Signal()

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self.guard = LeaveGuard(context, self.save, window)
        self.templates: TemplateDialog | None = None
        handlers: dict[str, Callable[[], object]] = {
            "file.new": self.new,
            "file.open": self.open,
            "file.open-folder": self.open_folder,
            "file.save": self.save,
            "file.save-as": self.save_as,
            "file.export-picture": self.export,
            "file.close": self.close,
            "file.quit": window.close,
        }
        for action_id, handler in handlers.items():
            context.actions.register(action_id, handler)
        context.documents.open_requested.connect(self.open_path)
        context.documents.restore_requested.connect(self.restore)

    def new(self) -> None:
        """Ask for a template and start a playbook from it."""
        if self.templates is None:
            self.templates = TemplateDialog(self._window)
            self.templates.chosen.connect(self._on_template_chosen)
        self.templates.open()

    def open(self) -> None:
        """Ask for a file and show it."""
        path = file_dialogs.ask_file_to_open(self._window, self._folder())
        if path is not None:
            self.open_path(path)

    def open_folder(self) -> None:
        """Ask for a folder and show it as the project."""
        folder = file_dialogs.ask_folder(self._window, self._folder())
        if folder is not None:
            self.show_folder(folder)

    def show_folder(self, folder: Path) -> None:
        """Show *folder* as the project."""
        self._context.settings.change(partial(replace, project_folder=str(folder.absolute())))
        self.folder_shown.emit()

    @Slot(object)
    def open_path(self, path: Path) -> None:
        """Show *path*: a file as the document, a folder as the project."""
        if path.is_dir():
            self.show_folder(path)
        else:
            self.guard.leave(partial(open_file, self._context, path))

    @Slot(object)
    def restore(self, journal: Path) -> None:
        """Show the document that was never saved and that *journal* has kept."""
        self.guard.leave(partial(restore_unsaved, self._context, journal))

    def save(self) -> bool:
        """True once the document is on disk; asks for a name where it has none."""
        if self._context.documents.document.path is None:
            return self.save_as()
        self._context.documents.save()
        return True

    def save_as(self) -> bool:
        """Ask for a name and save there."""
        current = self._context.documents.document.path
        suggestion = current or self._folder() / _("playbook.md")
        path = file_dialogs.ask_where_to_save(self._window, suggestion)
        if path is None:
            return False
        self._context.documents.save(path)
        self._context.settings.change(partial(Settings.with_recent, path=path))
        return True

    def export(self) -> None:
        """Ask for a name and write the flowchart there as a picture."""
        documents = self._context.documents
        current = documents.document.path or self._folder() / _("playbook.md")
        path = file_dialogs.ask_picture_file(self._window, current.with_suffix(".png"))
        if path is not None:
            export_picture(documents.snapshot, current_theme(), path)
            self._context.notices.tell(_("Saved the picture “{name}”.").format(name=path.name))

    def close(self) -> None:
        """Close the document and show the welcome page."""
        self.guard.leave(self._context.documents.close)

    def _folder(self) -> Path:
        """Where a file dialog begins: beside the open file, else in the project."""
        path = self._context.documents.document.path
        if path is not None:
            return path.parent
        return Path(self._context.settings.current.project_folder or Path.home())

    @Slot(object)
    def _on_template_chosen(self, text: str) -> None:
        self.guard.leave(partial(self._context.documents.open_text, text))


def open_file(context: WindowContext, path: Path) -> None:
    """Show the file at *path* and remember it; tells in the window why it cannot be shown."""
    try:
        context.documents.open(path)
    except WorkbenchError as error:
        context.notices.report(error)
        if not path.exists():
            context.settings.change(partial(Settings.without_recent, path=path))
        return
    context.settings.change(partial(Settings.with_recent, path=path))


def restore_unsaved(context: WindowContext, journal: Path) -> None:
    """Show the document that *journal* has kept; tells in the window why it cannot be shown."""
    try:
        context.documents.show(Document.restore(journal))
    except WorkbenchError as error:
        context.notices.report(error)
