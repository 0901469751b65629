"""What can be done with an entry of the shelf, and what is asked before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QMessageBox,
    QWidget,
)

from workbench.errors import CannotRead
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import KeptDocument
from workbench.gui.control.notices import Cause
from workbench.gui.control.versions.version_control import Version, Wanted
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, resize_on_screen
from workbench.gui.shelf.entry_view import EntryView
from workbench.gui.shelf.exchange import ShelfExportDialog
from workbench.gui.shelf.notes_view import EffectTable
from workbench.gui.shelf.shelf_desk import Prepared, ShelfDesk, Whole, text_of, whole_of
from workbench.gui.words.values import drawable, drawable_line, tip
from workbench.i18n import _, ngettext, numeral
from workbench.planning.checking import read_text
from workbench.planning.request import PlaybookFormat
from workbench.planning.shelf.bundle import bundle_of
from workbench.planning.shelf.entries import Note
from workbench.planning.shelf.promoting import promote
from workbench.planning.shelf.reusing import Copy, copy_of, take_copy
from workbench.planning.shelf.store import Shelf, describe
from workbench.secrets import marks_in, without_marks
from workbench.syntax.text import SourceText

_NOTE = Qt.ItemDataRole.UserRole


class ReuseDialog(QDialog):
    """What notes would change in a copy, each to be left out here; and what is to stand in the place of secrets."""

    confirmed = Signal(object, object)  # Prepared, Copy

    def __init__(self, desk: ShelfDesk, prepared: Prepared, marks: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._desk, self._prepared = desk, prepared
        title = prepared.whole.entry.title
        self.setWindowTitle(_("Reuse “{title}”").format(title=drawable_line(title[:60])))
        self.effects = EffectTable(_("What notes change"), (_("Personal note"), _("Step")), self)
        self.fields = {mark: QLineEdit(self) for mark in marks}
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.beside = self.buttons.addButton(_("Show changes…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.confirm = self.buttons.addButton(_("Open the copy"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.confirm.setDefault(True)
        self._arrange()
        self._show_effects()
        self.beside.clicked.connect(self.show_beside)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        resize_on_screen(self, 640, 400)

    @property
    def chosen(self) -> tuple[Note, ...]:
        """The notes that may change something."""
        rows = (self.effects.topLevelItem(row) for row in range(self.effects.topLevelItemCount()))
        left_out = {row.data(0, _NOTE) for row in rows if row and row.checkState(0) is not Qt.CheckState.Checked}
        return tuple(each for each in self._prepared.notes if each.id not in left_out)

    @property
    def copy(self) -> Copy:
        """The copy as it is chosen."""
        made = copy_of(self._prepared.whole.kept, self.chosen)
        given = {mark: field.text().strip() for mark, field in self.fields.items() if field.text().strip()}
        return Copy(without_marks(made.text, given), made.effects)

    def _arrange(self) -> None:
        words = _("These notes of yours change the copy. What you leave out here stays as it is on the shelf.")
        about = Label(words, self, wraps=True)
        about.setVisible(bool(self._prepared.copy.effects))
        self.effects.setVisible(bool(self._prepared.copy.effects))
        self.effects.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.effects.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        if self.fields:
            said = _("A secret was left out where this playbook was exported. What you write here stands in the copy.")
            form.addRow(Label(said, self, wraps=True))
        for number, (mark, field) in enumerate(self.fields.items(), 1):
            field.setToolTip(tip(mark))
            form.addRow(_("Instead of secret {number}").format(number=numeral(number)), field)
        self.beside.setVisible(bool(self._prepared.copy.effects))
        in_column(self, about, (self.effects, 1), form, self.buttons, margins=16, spacing=8)

    def _show_effects(self) -> None:
        known = {each.id: each.text for each in self._prepared.notes}
        for each in self._prepared.copy.effects:
            row = self.effects.add((known.get(each.note, each.note), each.place), each.before, each.after)
            row.setData(0, _NOTE, each.note)
            row.setCheckState(0, Qt.CheckState.Checked)

    @Slot()
    def show_beside(self) -> None:
        """Show the playbook as it is kept beside the copy, on the flowchart as well."""
        whole, made = self._prepared.whole, self.copy
        old = Version(_("on the shelf"), partial(SourceText, whole.kept.text))
        new = read_text(made.text, PlaybookFormat(whole.kept.format))
        self._desk.context.versions.compare(Wanted(old, new, _("copy with your notes")))

    @Slot()
    def _on_accepted(self) -> None:
        self.confirmed.emit(self._prepared, self.copy)
        self.accept()


class EntryDialog(QDialog):
    """Title, owner and tags of an entry."""

    confirmed = Signal(str, str, object)  # title, owner, tuple[str, ...]: the tags

    def __init__(self, whole: Whole, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Edit entry"))
        self.title = QLineEdit(whole.entry.title, self)
        self.owner = QLineEdit(whole.entry.owner, self)
        self.tags = QLineEdit(", ".join(whole.entry.tags), self, placeholderText=_("separated by commas"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.confirm = self.buttons.addButton(_("Save"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.confirm.setDefault(True)
        form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for name, field in ((_("Title"), self.title), (_("Owner"), self.owner), (_("Tags"), self.tags)):
            form.addRow(name, field)
        in_column(self, form, 1, self.buttons, margins=16, spacing=8)
        self.title.textChanged.connect(self._on_title_changed)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        resize_on_screen(self, 440, 180)

    @Slot()
    def _on_title_changed(self) -> None:
        self.confirm.setEnabled(bool(self.title.text().strip()))

    @Slot()
    def _on_accepted(self) -> None:
        tags = tuple(filter(None, (each.strip() for each in self.tags.text().split(","))))
        self.confirmed.emit(self.title.text(), self.owner.text(), tags)
        self.accept()


class EntryActions(QObject):
    """What can be done with the entry that is shown."""

    def __init__(self, desk: ShelfDesk, view: EntryView) -> None:
        super().__init__(view)
        self._desk, self._view = desk, view
        self.dialog: QDialog | None = None
        self.menu = QMenu(view)
        view.more.setMenu(self.menu)
        view.reuse.clicked.connect(self.reuse)
        view.compare.clicked.connect(self.compare_versions)
        self.promote = self._add(_("Promote into the project"), self._on_promote)
        self.export = self._add(_("Export…"), self._on_export)
        self.menu.addSeparator()
        self.edit = self._add(_("Edit title, owner and tags…"), self._on_edit)
        self.delete = self._add(_("Delete…"), self._on_delete)

    def _add(self, text: str, act: Callable[[], None]) -> QAction:
        """An entry of the menu, which is also that of the list: it may come up where no entry is shown."""
        action, view = QAction(text, self), self._view
        action.triggered.connect(lambda: act() if view.whole is not None and view.isVisible() else None)
        self.menu.addAction(action)
        return action

    def _show(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(self._on_finished)
        dialog.open()

    @Slot()
    def _on_finished(self) -> None:
        self.dialog = None

    @property
    def _whole(self) -> Whole:
        assert self._view.whole is not None
        return self._view.whole

    @Slot()
    def reuse(self) -> None:
        """Open a copy: at once where no note changes anything, else it is shown before what each would do."""
        whole = self._view.whole
        if whole is not None:
            self._desk.prepare(whole.entry.id, whole.version, self._on_prepared)

    def _on_prepared(self, prepared: object) -> None:
        assert isinstance(prepared, Prepared)
        marks = marks_in(prepared.whole.kept.text)
        if not prepared.copy.effects and not marks:
            self._open_copy(prepared, prepared.copy)
            return
        dialog = ReuseDialog(self._desk, prepared, marks, self._view)
        dialog.confirmed.connect(self._open_copy)
        self._show(dialog)

    @Slot(object, object)
    def _open_copy(self, prepared: Prepared, copy: Copy) -> None:
        """Show *copy* as a new document, and tell what is different in it."""
        context, whole = self._desk.context, prepared.whole
        context.tabs.open_document(KeptDocument(context.documents.beside(copy.text)))
        told = [_("This is a copy of “{title}”. Save it to keep it.").format(title=whole.entry.title)]
        if count := len(copy.effects):
            words = ngettext("Your notes changed {count} step.", "Your notes changed {count} steps.", count)
            told.append(words.format(count=numeral(count)))
        if whole.kept.imports:
            told.append(_("It imports other files: promote it to have them written as well."))
        context.notices.tell(" ".join(told))
        if copy.text != whole.kept.text:
            self._desk.do(partial(_taken, whole, copy))

    @Slot()
    def compare_versions(self) -> None:
        """Show the version that is chosen beside the newest; the newest beside the one before it."""
        whole = self._whole
        newest = whole.versions[0].number
        other = newest if whole.version != newest else whole.versions[1].number
        old, new = sorted((whole.version, other))
        self._desk.do(partial(whole_of, prefix=whole.entry.id, version=new), partial(self._on_text, old, new))

    def _on_text(self, old: int, new: int, snapshot: object) -> None:
        words, entry = _("version {number}"), self._whole.entry
        names = [f"{entry.title}, {words.format(number=numeral(number))}" for number in (old, new)]
        version = Version(names[0], partial(text_of, self._desk, entry.id, old))
        assert isinstance(snapshot, Whole)
        self._desk.context.versions.compare(Wanted(version, snapshot.snapshot, names[1]))

    @Slot()
    def _on_promote(self) -> None:
        """Into the folder that is open; where none is, into one that is asked for."""
        folder = self._desk.context.settings.current.project_folder
        folder = folder or QFileDialog.getExistingDirectory(self._view, _("Promote into the folder"))
        if folder:
            self._desk.do(partial(_promoted, self._whole, Path(folder)), partial(_show_promoted, self._desk.context))

    @Slot()
    def _on_export(self) -> None:
        self._desk.do(partial(_bundled, self._whole), self._on_bundled)

    def _on_bundled(self, found: object) -> None:
        assert isinstance(found, tuple)
        whole, data = found
        dialog = ShelfExportDialog(self._desk, whole, data, self._view)
        self._show(dialog)

    @Slot()
    def _on_edit(self) -> None:
        dialog = EntryDialog(self._whole, self._view)
        dialog.confirmed.connect(partial(_describe, self._desk, self._whole.entry.id))
        self._show(dialog)

    @Slot()
    def _on_delete(self) -> None:
        """Ask first: what is deleted is nowhere else."""
        entry = self._whole.entry
        question = _("Delete “{title}” with all its versions and what is known of its runs? This cannot be undone.")
        box = QMessageBox(
            QMessageBox.Icon.Question,
            _("Delete from the shelf"),
            drawable(question.format(title=entry.title)),
            QMessageBox.StandardButton.Cancel,
            self._view,
        )
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.addButton(_("Delete"), QMessageBox.ButtonRole.AcceptRole)
        box.accepted.connect(partial(self._desk.do, partial(Shelf.remove, prefix=entry.id)))
        self._show(box)


def _taken(whole: Whole, copy: Copy, shelf: Shelf) -> None:
    take_copy(shelf, whole.entry, whole.version, copy)


def _bundled(whole: Whole, _shelf: Shelf) -> tuple[Whole, bytes]:
    return whole, bundle_of(whole.entry, whole.kept)


def _describe(desk: ShelfDesk, entry: str, title: str, owner: str, tags: tuple[str, ...]) -> None:
    desk.do(partial(describe, prefix=entry, title=title, owner=owner, tags=tags))


def _show_promoted(context: WindowContext, paths: object) -> None:
    """Show the first of the files that were written."""
    assert isinstance(paths, tuple)
    if not paths:
        context.notices.tell(_("All of it is in the project already."))
        return
    count = len(paths)
    words = ngettext("Wrote {count} file into “{folder}”.", "Wrote {count} files into “{folder}”.", count)
    context.notices.tell(words.format(count=numeral(count), folder=paths[0].parent))
    try:
        context.tabs.open(paths[0])
    except CannotRead as error:
        context.notices.report(error, Cause.OPENING)


def _promoted(whole: Whole, folder: Path, _shelf: Shelf) -> tuple[Path, ...]:
    return promote(whole.kept, folder)
