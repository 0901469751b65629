"""Opening and saving, with the questions that belong to them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from workbench.disk.files import absolute, home_folder, is_folder, is_there, read_file
from workbench.errors import CannotSave, WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import KeptDocument
from workbench.gui.control.notices import Cause
from workbench.gui.files import file_dialogs
from workbench.gui.files.file_dialogs import LeaveGuard, TemplateDialog
from workbench.gui.words.values import drawable_line
from workbench.i18n import _
from workbench.model.format import Notation
from workbench.model.snapshot import Snapshot
from workbench.settings import Settings

if TYPE_CHECKING:
    from workbench.gui.control.planning.cycles import GoalWish
    from workbench.gui.files.exporting import Exporting
    from workbench.gui.files.file_renaming import FileRenaming
    from workbench.gui.planning.goal_dialog import GoalDialog

_LONGEST_NAME = 60


class FileActions(QObject):
    """What the File menu does."""

    folder_shown = Signal()

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self.guard = LeaveGuard(context, self.save, window)
        self.templates: TemplateDialog | None = None
        self.goals = GoalForm(context, window)
        handlers: dict[str, Callable[[], object]] = {
            "file.new": self.new,
            "file.open": self.open,
            "file.open-folder": self.open_folder,
            "file.save": self.save,
            "file.save-as": self.save_as,
            "file.export": lambda: self.exporting.ask(),  # noqa: PLW0108 - it loads what it asks
            "edit.copy-picture": lambda: self.exporting.copy_picture(),  # noqa: PLW0108
            "edit.copy-mermaid": lambda: self.exporting.copy_mermaid(),  # noqa: PLW0108
            "file.rename": lambda: self.renaming.ask_shown(),  # noqa: PLW0108 - it loads what it asks
            "window.close": window.close,
        }
        for action_id, handler in handlers.items():
            context.actions.register(action_id, handler)
        context.documents.open_requested.connect(self.open_path)
        context.documents.open_now_requested.connect(self._on_now_requested)
        context.documents.copy_requested.connect(self.open_copy)
        context.documents.restore_requested.connect(self.restore)

    @cached_property
    def renaming(self) -> FileRenaming:
        """What asks for another name, and offers to change the links."""
        from workbench.gui.files.file_renaming import FileRenaming  # noqa: PLC0415 - no start needs it

        return FileRenaming(self._context, self._window)

    @cached_property
    def exporting(self) -> Exporting:
        """What asks how to export, and exports."""
        from workbench.gui.files.exporting import Exporting  # noqa: PLC0415 - no start needs it

        return Exporting(self._context, self._window)

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
        self._context.settings.change(partial(replace, project_folder=str(absolute(folder))))
        self.folder_shown.emit()

    @Slot(object)
    def open_path(self, path: Path) -> None:
        """Show *path*: a file as the document, a folder as the project."""
        if is_folder(path):
            self.show_folder(path)
        else:
            open_file(self._context, path)

    @Slot(object)
    def _on_now_requested(self, path: Path) -> None:
        open_file(self._context, path, is_now=True)

    @Slot(object)
    def open_copy(self, path: Path) -> None:
        """Show a new document with the text of the sample at *path*, so that nobody changes the sample itself."""
        show_copy(self._context, path)

    @Slot(object)
    def restore(self, journal: Path) -> None:
        """Show the document that was never saved and that *journal* has kept."""
        restore_unsaved(self._context, journal)

    def save(self) -> bool:
        """True once the document is on disk; asks for a name where it has none."""
        if self._context.documents.document.path is None:
            return self.save_as()
        return save_document(self._context)

    def save_as(self) -> bool:
        """Ask for a name and save there."""
        current = self._context.documents.document.path
        suggestion = current or self._folder() / suggested_name(self._context.documents.snapshot)
        path = file_dialogs.ask_where_to_save(self._window, suggestion)
        if path is None or not save_document(self._context, path):
            return False
        self._context.settings.change(partial(Settings.with_recent, path=path))
        if current is not None:
            self.renaming.offer_links(current, path)
        return True

    def _folder(self) -> Path:
        """Where a file dialog begins: beside the open file, else in the project."""
        path = self._context.documents.document.path
        if path is not None:
            return path.parent
        return Path(self._context.settings.current.project_folder or home_folder())

    @Slot(object)
    def _on_template_chosen(self, text: str) -> None:
        self._context.tabs.open_document(KeptDocument(self._context.documents.beside(text)))


class GoalForm(QObject):
    """Has a goal described, from which a playbook is made."""

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        context.actions.register("file.new-goal", self.ask)
        context.goals.form_wanted.connect(self.ask)

    @cached_property
    def dialog(self) -> GoalDialog:
        """The form; what was written in it stays."""
        from workbench.gui.planning.goal_dialog import GoalDialog  # noqa: PLC0415 - it loads the engine

        return GoalDialog(self._context, self._window)

    @Slot(object)
    def ask(self, wish: GoalWish | None = None) -> None:
        """Show the form; *wish*: with this goal, which is to be changed."""
        self.dialog.ask(wish)


def suggested_name(snapshot: Snapshot) -> str:
    """A name for the file of a document that has none: its title, and the ending of its format."""
    program = snapshot.program
    whole = program.playbooks if program.format.is_steplist else program.agents
    titles = (*(each.title for each in whole), *(each.name for each in program.playbooks))
    words = re.findall(r"[^\W_]+", next(filter(None, titles), "").lower())
    ending = {Notation.YAML: ".yaml", Notation.JSON: ".json"}.get(program.format.notation, ".md")
    return ("-".join(words)[:_LONGEST_NAME] or _("playbook")) + ending


def show_copy(context: WindowContext, path: Path) -> None:
    """Show the text of *path*, a file of ours, as a new document."""
    context.tabs.open_document(KeptDocument(context.documents.beside(read_file(path).decode("utf-8"))))
    context.notices.tell(_("This is your copy of the sample “{name}”. Save it to keep it.").format(name=path.stem))


def open_file(context: WindowContext, path: Path, *, is_preview: bool = False, is_now: bool = False) -> None:
    """Show the file at *path* and remember it; tells in the window why it cannot be shown.

    *is_preview*: in the tab of what is only looked at. *is_now*: when this returns; else a long file comes when it has
    been read.
    """
    then = partial(_after_opening, context, path)
    if not is_now and context.tabs.long.is_meant(path):
        context.notices.tell(_("Opening “{name}”…").format(name=drawable_line(path.name)))
        context.tabs.long.open(path, then, is_preview=is_preview)
        return
    try:
        context.tabs.open(path, is_preview=is_preview)
    except WorkbenchError as error:
        then(error)
    else:
        then(None)


def _after_opening(context: WindowContext, path: Path, error: WorkbenchError | None) -> None:
    """Remember what was opened, or tell why it could not be."""
    if error is None:
        context.settings.change(partial(Settings.with_recent, path=path))
        return
    context.notices.report(error, Cause.OPENING)
    if not is_there(path):
        context.settings.change(partial(Settings.without_recent, path=path))


def save_document(context: WindowContext, path: Path | None = None) -> bool:
    """True once the document is in *path*, or where it came from; else the window says why not until it is."""
    try:
        context.documents.save(path)
    except CannotSave as error:
        context.notices.report(error, Cause.SAVING)
        return False
    context.notices.settle(Cause.SAVING)
    return True


def restore_unsaved(context: WindowContext, journal: Path) -> None:
    """Show the document that *journal* has kept; tells in the window why it cannot be shown."""
    try:
        context.tabs.open_document(KeptDocument(context.documents.restored(journal)))
    except WorkbenchError as error:
        context.notices.report(error, Cause.OPENING)
