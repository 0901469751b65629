"""New, copied and deleted files of the project: asked for, done, and told. Tabs of what is deleted are closed."""

from __future__ import annotations

import enum
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QFile, QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence
from PySide6.QtWidgets import QInputDialog, QMessageBox, QWidget

from workbench.disk.files import is_folder
from workbench.editing.keeping.new_files import create_file, create_folder, delete_file, duplicate_file
from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.control.tabs.open_tabs import Tab
from workbench.gui.look.layouts import open_on_screen
from workbench.gui.words.values import drawable_line
from workbench.i18n import N_, LazyText, _, ngettext
from workbench.project.rows import FileRow
from workbench.resources import resource_text

Entry = tuple[str, QKeySequence, Callable[[], None]]


class New(enum.Enum):
    """What can be made anew."""

    PLAYBOOK = enum.auto()
    STEP_LIST = enum.auto()
    FOLDER = enum.auto()


_TITLES: dict[New, LazyText] = {
    New.PLAYBOOK: N_("New playbook"),
    New.STEP_LIST: N_("New step list"),
    New.FOLDER: N_("New folder"),
}
_NAMES: dict[New, LazyText] = {
    New.PLAYBOOK: N_("new-playbook.md"),
    New.STEP_LIST: N_("new-steps.yaml"),
    New.FOLDER: N_("new-folder"),
}
_TEMPLATES = {New.PLAYBOOK: "templates/blank.md", New.STEP_LIST: "templates/steplist.yaml"}


class ProjectFiles(QObject):
    """What the menu of the project pane does besides opening and renaming. Paths count from the project on."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._window = parent
        self.naming: QInputDialog | None = None
        self.deleting = DeletingFiles(context, parent)

    def entries(self, row_of: Callable[[], FileRow]) -> tuple[Entry, ...]:
        """What a menu offers for the row that *row_of* says: words, keys, and what is done."""
        return (
            (_("Duplicate"), QKeySequence("Ctrl+D"), lambda: self._with_file(row_of(), self.duplicate)),
            (_("Delete…"), QKeySequence(Qt.Key.Key_Delete), lambda: self._with_some(row_of(), self.deleting.ask)),
            (_("New playbook…"), QKeySequence("Ctrl+Alt+N"), lambda: self._ask_beside(New.PLAYBOOK, row_of())),
            (_("New step list…"), QKeySequence(), lambda: self._ask_beside(New.STEP_LIST, row_of())),
            (_("New folder…"), QKeySequence(), lambda: self._ask_beside(New.FOLDER, row_of())),
            (_("Show in folder"), QKeySequence(), lambda: self.reveal(row_of().path)),
        )

    def _with_file(self, row: FileRow, do: Callable[[str], None]) -> None:
        if not row.is_folder:
            self._with_some(row, do)

    def _with_some(self, row: FileRow, do: Callable[[str], None]) -> None:
        if row.path:
            do(row.path)

    def _ask_beside(self, kind: New, row: FileRow) -> None:
        """In the folder that is chosen, or that the chosen file is in."""
        self.ask_new(kind, row.path if row.is_folder else row.path.rpartition("/")[0])

    @property
    def _root(self) -> Path:
        return self._context.project.index.root

    def ask_new(self, kind: New, folder: str) -> None:
        """Ask what the new one in *folder* is to be called, and make it."""
        dialog = self.naming = QInputDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(str(_TITLES[kind]))
        dialog.setLabelText(_("Name, with its folder in the project:"))
        dialog.setTextValue(f"{folder}/{_NAMES[kind]}" if folder else str(_NAMES[kind]))
        dialog.textValueSelected.connect(partial(self._make, kind))
        open_on_screen(dialog)

    def _make(self, kind: New, written: str) -> None:
        self._try(partial(self._made, kind, written.strip()))

    def _made(self, kind: New, written: str) -> str:
        if kind is New.FOLDER:
            place = create_folder(self._root, written)
        else:
            ending = {New.PLAYBOOK: ".md", New.STEP_LIST: ".yaml"}[kind]
            name = written if Path(written).suffix else f"{written}{ending}"
            place = create_file(self._root, name, resource_text(_TEMPLATES[kind]).encode())
            self._context.documents.open_requested.emit(place)
        return _("Created {name}").format(name=drawable_line(place.name))

    def duplicate(self, path: str) -> None:
        """Copy the file *path*, as it is on disk, and open the copy."""
        self._try(partial(self._duplicated, path))

    def _duplicated(self, path: str) -> str:
        copy = duplicate_file(self._root, path)
        self._context.documents.open_requested.emit(copy)
        return _("Created {name}").format(name=drawable_line(copy.name))

    def reveal(self, path: str) -> None:
        """Open the folder of *path* in the file manager of the system, or *path* where that is a folder."""
        place = self._root / path
        folder = place if is_folder(place) else place.parent
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            words = _("The system has no program that shows the folder {path}.")
            self._context.notices.tell(words.format(path=drawable_line(str(folder))))

    def _try(self, work: Callable[[], str]) -> None:
        """Do *work*, and say what it says, or why it could not be done."""
        try:
            words = work()
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.OTHER_FILE)
        else:
            self._context.notices.settle(Cause.OTHER_FILE)
            self._context.notices.tell(words)
        self._context.project.look()


class DeletingFiles(QObject):
    """Asks whether a file or a folder shall go, to the trash where the system has one, and closes its tabs."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._window = parent
        self.question: QMessageBox | None = None

    @property
    def _root(self) -> Path:
        return self._context.project.index.root

    def ask(self, path: str) -> None:
        """Ask whether *path* shall go to the trash, with what that means for links and unsaved changes."""
        name = drawable_line(path)
        count = len(self._context.project.index.links_in.get(path, ()))
        links = ngettext("{count} file links to it.", "{count} files link to it.", count)
        unsaved = _("Its unsaved changes are lost.") if any(t.state.is_dirty for t in self._tabs_of(path)) else ""
        words = " ".join(filter(None, (links if count else "", unsaved)))
        head = _("Move “{name}” to the trash?").format(name=name)
        self._ask(head, words, (_("Move to &trash"), partial(self._to_trash, path)))

    def _to_trash(self, path: str) -> None:
        if _is_in_trash(self._root / path):
            self._is_gone(path, _("Moved {name} to the trash"))
        elif is_folder(self._root / path):
            words = _("“{name}” cannot be moved to the trash, so it stays. Delete the folder in the file manager.")
            self._context.notices.tell(words.format(name=drawable_line(path)))
        else:
            head = _("“{name}” cannot be moved to the trash. Delete it for good?").format(name=drawable_line(path))
            self._ask(head, _("This cannot be undone."), (_("&Delete"), partial(self._delete, path)))

    def _delete(self, path: str) -> None:
        try:
            delete_file(self._root, path)
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.OTHER_FILE)
        else:
            self._is_gone(path, _("Deleted {name}"))

    def _is_gone(self, path: str, words: str) -> None:
        for tab in self._tabs_of(path):
            self._context.tabs.close(tab)
        self._context.notices.settle(Cause.OTHER_FILE)
        self._context.notices.tell(words.format(name=drawable_line(path)))
        self._context.project.look()

    def _tabs_of(self, path: str) -> list[Tab]:
        """The tabs of the file *path*, or of all that is in the folder."""
        place = self._root / path
        placed = ((tab, tab.path) for tab in self._context.tabs.tabs if tab.path is not None)
        return [tab for tab, each in placed if each.is_relative_to(place)]

    def _ask(self, head: str, words: str, doing: tuple[str, Callable[[], None]]) -> None:
        question = self.question = QMessageBox(
            QMessageBox.Icon.Question, _("Playbook Workbench"), head, parent=self._window
        )
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.setTextFormat(Qt.TextFormat.PlainText)
        question.setInformativeText(words)
        yes = question.addButton(doing[0], QMessageBox.ButtonRole.AcceptRole)
        question.addButton(_("Cancel"), QMessageBox.ButtonRole.RejectRole)
        question.setDefaultButton(yes)
        question.accepted.connect(doing[1])
        question.open()


def _is_in_trash(place: Path) -> bool:
    """Move *place* to the trash of the system; false where it has none for this place, and then it stays."""
    # Qt says whether, and in some versions where to as well
    found: object = QFile.moveToTrash(str(place))
    return bool(found[0]) if isinstance(found, tuple) else bool(found)
