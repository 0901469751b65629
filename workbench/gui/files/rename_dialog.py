"""Asks for the new name of a file, and shows which links change with it before anything is written."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from workbench.errors import WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.fixes.fix_preview import LineSign, fix_lines, row_text
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import current_theme
from workbench.gui.look.tinted_lines import tint_lines
from workbench.gui.words.values import drawable_line
from workbench.i18n import _, ngettext, numeral
from workbench.project.renaming import Renaming, renaming_of
from workbench.syntax.diagnostics import Fix

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
        self.resize(*map(current_theme().px, _SIZE_PX))


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
        self.resize(*map(current_theme().px, _SIZE_PX))
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
