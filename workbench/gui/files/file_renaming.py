"""Gives files of the project other names, with the open document and the links of all others.

The new name is asked for, and which links change with it is shown before anything is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from workbench.disk.atomic import remove_file
from workbench.disk.files import real_path, why
from workbench.editing.commands import EditText
from workbench.editing.keeping.renaming_files import check_unchanged, rename_file, update_links
from workbench.errors import CannotSave, WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.fixes.fix_preview import LineSign, fix_lines, row_text
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, resize_on_screen
from workbench.gui.look.theming import current_theme
from workbench.gui.look.tinted_lines import tint_lines
from workbench.gui.words.values import drawable_line
from workbench.i18n import _, ngettext, numeral
from workbench.project.renaming import Renaming, relinking_of, renaming_of
from workbench.project.targets import project_of
from workbench.settings import with_renamed
from workbench.syntax.diagnostics import Fix


class FileRenaming(QObject):
    """Asks for the name, and then does all of it, or says what could not be done."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._window = parent
        self.dialog: RenameDialog | None = None
        self.offer: LinksDialog | None = None
        self._offered: Renaming | None = None
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_relinking_found)

    def ask(self, place: Path) -> None:
        """Ask how the file at *place* is to be called."""
        place = real_path(place)
        root = project_of(place, self._context.project.folder)
        self.dialog = RenameDialog(root, place.relative_to(root).as_posix(), self._window)
        self.dialog.chosen.connect(self._on_chosen)
        self.dialog.open()

    def ask_shown(self) -> None:
        """Ask how the file of the open document is to be called."""
        path = self._context.documents.document.path
        if path is None:
            self._context.notices.tell(_("This document has no file yet. Save it under the name that it is to have."))
        else:
            self.ask(path)

    def offer_links(self, old: Path, new: Path) -> None:
        """Where files link to *old*, offer to let them link to *new*, which the document was saved as."""
        old, new = real_path(old), real_path(new)
        root = project_of(old, self._context.project.folder)
        if old != new and new.is_relative_to(root):
            names = (place.relative_to(root).as_posix() for place in (old, new))
            self._work.ask(partial(relinking_of, root, *names))

    @Slot(object)
    def _on_relinking_found(self, found: Renaming) -> None:
        if found.count:
            self._offered = found
            self.offer = LinksDialog(found, self._window)
            self.offer.accepted.connect(self._on_links_wanted)
            self.offer.open()

    @Slot()
    def _on_links_wanted(self) -> None:
        offered, self._offered = self._offered, None
        if offered is not None:
            self._try(partial(self._relink, offered), _("Updated the links to {name}").format(name=offered.new))

    def _relink(self, renaming: Renaming) -> None:
        shown = self._shown_in(renaming)
        check_unchanged(renaming, (shown,))
        self._edit_shown(renaming, shown)
        update_links(renaming, (shown,))

    @Slot(object, bool)
    def _on_chosen(self, renaming: Renaming, is_updated: bool) -> None:  # noqa: FBT001 - the signal has it
        wanted = renaming if is_updated else replace(renaming, changes=())
        words = _("Renamed {name} to {new}").format(name=renaming.old, new=renaming.new)
        self._try(partial(self.rename, wanted), words)

    def _try(self, work: Callable[[], None], words: str) -> None:
        """Do *work*, and say so in *words*, or why it could not be done."""
        try:
            work()
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.OTHER_FILE)
        else:
            self._context.notices.settle(Cause.OTHER_FILE)
            self._context.notices.tell(words)
        self._context.project.look()

    def rename(self, renaming: Renaming) -> None:
        """Do what *renaming* says. Raises CannotSave; until the file has its new name, nothing has changed."""
        from workbench.engine.permissions import move_said  # noqa: PLC0415 - no start needs it

        documents = self._context.documents
        documents.fields.settle()
        open_one = self._context.tabs.find(renaming.root / renaming.old)
        if open_one is not None:  # its document goes along, with all that can be undone
            self._context.tabs.show(open_one)
        shown = self._shown_in(renaming)
        check_unchanged(renaming, (shown,))
        if shown == renaming.old:
            self._rename_shown(renaming)
        else:
            rename_file(renaming)
        self._edit_shown(renaming, shown)
        old, new = renaming.root / renaming.old, renaming.root / renaming.new
        try:
            update_links(renaming, (shown,))
        finally:
            self._context.settings.change(partial(with_renamed, old=old, new=new))
            move_said(self._context.places.permissions_file, old, new)

    def _shown_in(self, renaming: Renaming) -> str:
        """The path of the open document in the project; empty where it is not in it."""
        path = self._context.documents.document.path
        place = real_path(path) if path is not None else None
        is_in = place is not None and place.is_relative_to(renaming.root)
        return place.relative_to(renaming.root).as_posix() if place is not None and is_in else ""

    def _rename_shown(self, renaming: Renaming) -> None:
        """The open document goes to its new file, with all that can be undone."""
        documents, old = self._context.documents, self._context.documents.document.path
        if documents.file_state.is_dirty or old is None:
            raise CannotSave(_("Save this file before you rename it."))
        documents.save(renaming.root / renaming.new)
        try:
            remove_file(old)
        except OSError as error:
            message = _("The file has its new name, but the old one could not be removed: {reason}.")
            raise CannotSave(message.format(reason=why(error))) from error

    def _edit_shown(self, renaming: Renaming, shown: str) -> None:
        """The links of the open document change like any edit; it is saved where nothing else was unsaved."""
        documents = self._context.documents
        is_changed = any(change.path == shown for change in renaming.changes)
        edits = renaming.edits_in(shown, documents.snapshot.text) if is_changed else ()
        if not edits:
            return
        is_clean = not documents.file_state.is_dirty
        documents.execute(EditText(edits, _("Update links")), self._context.selection.selected)
        if is_clean:
            documents.save()


_REST_MS = 250
_MOST_LINES = 400
_SIZE_PX = (640, 420)


def looked_up(root: Path, old: str, new: str) -> Renaming | WorkbenchError:
    """What the new name changes, or why the file cannot have it."""
    try:
        return renaming_of(root, old, new)
    except WorkbenchError as error:
        return error


def count_words(renaming: Renaming) -> str:
    """How many links change, and in how many files; empty where none does."""
    count = len(renaming.changes)
    files = ngettext("in {count} file", "in {count} files", count).format(count=numeral(count))
    words = ngettext("{count} link changes {files}.", "{count} links change {files}.", renaming.count)
    return words.format(count=numeral(renaming.count), files=files) if renaming.count else ""


class LinkPreview(QPlainTextEdit):
    """Every line that changes, as it is and as it will be, file by file."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setAccessibleName(_("Lines before and after"))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(current_theme().mono_font())

    def show_changes(self, renaming: Renaming | None) -> None:
        """Show what *renaming* changes."""
        rows: list[str] = []
        tints: list[tuple[int, str]] = []
        colors = {LineSign.GOES: current_theme().failed, LineSign.COMES: current_theme().done}
        for change in renaming.changes if renaming is not None else ():
            rows.append(drawable_line(change.path))
            for line in fix_lines(Fix("", change.edits), change.source.text):
                if line.sign in colors and len(rows) < _MOST_LINES:
                    tints.append((len(rows), colors[line.sign]))
                    rows.append(drawable_line(row_text(line)))
        self.setPlainText("\n".join(rows))
        tint_lines(self, tints)


class LinksDialog(QDialog):
    """Offers to let links lead to the file that a document was saved as."""

    def __init__(self, renaming: Renaming, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Update links"))
        words = _("Other files link to “{name}”. Let them link to “{file}” from now on?")
        told = words.format(name=drawable_line(renaming.old), file=drawable_line(renaming.new))
        self.preview = LinkPreview(self)
        self.preview.show_changes(renaming)
        buttons = QDialogButtonBox(self)
        buttons.addButton(_("Update links"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(_("Leave them"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        labels = (Label(told, self, wraps=True), Label(count_words(renaming), self, wraps=True))
        in_column(self, *labels, (self.preview, 1), buttons)
        resize_on_screen(self, *_SIZE_PX)


class RenameDialog(QDialog):
    """A field with the path from the project on, and a preview of every line that changes."""

    chosen = Signal(object, bool)  # Renaming, whether links are to be updated

    def __init__(self, root: Path, old: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Rename file"))
        self._root, self._old = root, old
        self._renaming: Renaming | None = None
        self.name = QLineEdit(old, self)
        self.name.setAccessibleName(_("New name"))
        self.updates = QCheckBox(_("Update the links that change with it"), self)
        self.updates.setChecked(True)
        self.told = Label("", self, wraps=True)
        self.preview = LinkPreview(self)
        self._rename = QPushButton(_("Rename"), self, default=True)
        in_column(self, self.name, self.updates, self.told, (self.preview, 1), self._buttons())
        resize_on_screen(self, *_SIZE_PX)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._ask)
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_looked_up)
        self.name.textEdited.connect(self._on_edited)
        self._choose_stem()
        self._show(None, "")

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        buttons.addButton(self._rename, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        return buttons

    def _choose_stem(self) -> None:
        """What a person mostly changes is chosen: the name without folder and ending."""
        start = self._old.rfind("/") + 1
        stop = self._old.rfind(".")
        self.name.setSelection(start, (stop if stop > start else len(self._old)) - start)

    @Slot()
    def _on_edited(self) -> None:
        self._show(None, "")
        self._rest.start()

    @Slot()
    def _ask(self) -> None:
        if self.name.text() != self._old:
            self._work.ask(partial(looked_up, self._root, self._old, self.name.text()))

    @Slot(object)
    def _on_looked_up(self, found: Renaming | WorkbenchError) -> None:
        if self._rest.isActive():
            return
        if isinstance(found, WorkbenchError):
            self._show(None, str(found))
            return
        self._show(found, count_words(found))

    def _show(self, renaming: Renaming | None, words: str) -> None:
        self._renaming = renaming
        self.told.setText(drawable_line(words))
        self.told.setVisible(bool(words))
        self._rename.setEnabled(renaming is not None)
        self.updates.setEnabled(renaming is not None and bool(renaming.count))
        self.preview.show_changes(renaming)

    def accept(self) -> None:
        """Only what has been shown is done."""
        if self._renaming is not None:
            self.chosen.emit(self._renaming, self.updates.isChecked())
            super().accept()
