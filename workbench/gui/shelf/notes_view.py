"""What is noted about the person: shown, written, changed, switched off and deleted, with what each note has done."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QCheckBox,
    QHeaderView,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from workbench.errors import WorkbenchError
from workbench.gui.control.notices import Cause
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import GRID_PX
from workbench.gui.look.written_words import read_as_written
from workbench.gui.shelf.entry_view import local_moment
from workbench.gui.shelf.shelf_desk import Noted, ShelfDesk
from workbench.gui.words.values import drawable, drawable_line, tip
from workbench.i18n import N_, _, ngettext, numeral
from workbench.planning.shelf.entries import Effect, Note, NoteKind, NoteSource
from workbench.planning.shelf.notes import Notes
from workbench.planning.shelf.reusing import COPIED
from workbench.planning.shelf.store import Shelf
from workbench.settings import Settings

_WIDE_PX = 640
_ID = Qt.ItemDataRole.UserRole
_SOURCES = {
    NoteSource.PERSON: N_("you wrote it"),
    NoteSource.EDIT: N_("a change of yours"),
    NoteSource.ANSWER: N_("a reason of yours"),
    NoteSource.DEVIATION: N_("what did not work"),
}
_NOTE, _SOURCE, _COUNT = range(3)


class EffectTable(QTreeWidget):
    """A row for each step that a note changes: two cells that say which, and its words before and after."""

    def __init__(self, name: str, titles: tuple[str, str], parent: QWidget) -> None:
        super().__init__(parent)
        read_as_written(self)
        self.setAccessibleName(name)
        self.setHeaderLabels([*titles, _("Before"), _("After")])
        self.setRootIsDecorated(False)
        self.setAllColumnsShowFocus(True)

    def add(self, cells: tuple[str, str], before: str, after: str) -> QTreeWidgetItem:
        """A row at the end."""
        every = (*cells, before, after or _("(left out)"))
        row = QTreeWidgetItem(self, [drawable_line(cell) for cell in every])
        for column, cell in enumerate(every):
            row.setToolTip(column, tip(cell))
        return row


class NotesView(QWidget):
    """A row for each note, with a box that says whether it is used; what the chosen one has done stands below."""

    def __init__(self, desk: ShelfDesk, parent: QWidget) -> None:
        super().__init__(parent)
        self._desk = desk
        self._noted = Noted()
        self._chosen = ""
        self.confirmation: QMessageBox | None = None
        self.use = QCheckBox(_("Weave notes into playbooks that are generated or reused"), self)
        self.new = QLineEdit(self, placeholderText=_("What should always be heeded"))
        self.new.setAccessibleName(_("New note"))
        self.add = QPushButton(_("Add note"), self)
        self.add.setEnabled(False)
        self.list = QTreeWidget(self)
        read_as_written(self.list)
        self.about = Label("", self, role="muted", wraps=True)
        self.effects = EffectTable(_("What the note has done"), (_("When"), _("Where")), self)
        self.edit = QPushButton(_("Edit"), self)
        self.delete = QPushButton(_("Delete"), self)
        self._arrange()
        self._connect()
        self._on_settings_changed(desk.context.settings.current)

    def _arrange(self) -> None:
        self.list.setAccessibleName(_("Notes"))
        self.list.setHeaderLabels([_("Personal note"), _("Learned from"), _("Effects")])
        self.list.setRootIsDecorated(False)
        self.list.setAllColumnsShowFocus(True)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(_NOTE, QHeaderView.ResizeMode.Stretch)
        triggers = QAbstractItemView.EditTrigger
        self.list.setEditTriggers(triggers.EditKeyPressed | triggers.DoubleClicked)
        low = QWidget(self)
        buttons = in_row(None, self.edit, self.delete, 1, spacing=GRID_PX)
        in_column(low, self.about, (self.effects, 100), 1, buttons, margins=0, spacing=4)
        self._both = QSplitter(Qt.Orientation.Vertical, self, childrenCollapsible=False)
        self._both.addWidget(self.list)
        self._both.addWidget(low)
        self._both.setMinimumHeight(1)
        row = in_row(None, (self.new, 1), self.add, spacing=GRID_PX // 2)
        self._top = in_column(None, self.use, (row, 1), spacing=6)
        in_column(self, self._top, (self._both, 1), margins=GRID_PX, spacing=6)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What a note has done stands beside the notes where there is room."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= _WIDE_PX
        self._both.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)
        self._top.setDirection(QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom)

    def _connect(self) -> None:
        self.use.toggled.connect(self._on_use_toggled)
        self.new.textChanged.connect(self._on_new_changed)
        self.new.returnPressed.connect(self.write)
        self.add.clicked.connect(self.write)
        self.list.itemChanged.connect(self._on_item_changed)
        self.list.currentItemChanged.connect(self._show_chosen)
        self.edit.clicked.connect(self._on_edit)
        self.delete.clicked.connect(self._on_delete)
        self._desk.noted.connect(self._on_noted)
        self._desk.changed.connect(self.refresh)
        self._desk.stale.connect(self.refresh)
        self._desk.context.settings.settings_changed.connect(self._on_settings_changed)

    @property
    def chosen(self) -> Note | None:
        """The note that is chosen."""
        return next((each for each in self._noted.notes if each.id == self._chosen), None)

    @Slot()
    def refresh(self) -> None:
        """Show the notes as they are now."""
        if self.isVisible():
            self._desk.look_at_notes()

    def showEvent(self, event: QShowEvent) -> None:
        """Look at them when somebody does."""
        super().showEvent(event)
        self.refresh()

    @Slot(object)
    def _on_noted(self, noted: Noted | WorkbenchError) -> None:
        if isinstance(noted, WorkbenchError):
            self.about.setText(str(noted))
            return
        self._noted = noted
        counted = Counter(each.note for each in noted.effects)
        chosen = self._chosen
        with QSignalBlocker(self.list):
            self.list.clear()
            for note in noted.notes:
                row = _row(self.list, note, counted[note.id])
                if note.id == chosen or self.list.currentItem() is None:
                    self.list.setCurrentItem(row)
        for column in (_SOURCE, _COUNT):
            self.list.resizeColumnToContents(column)
        self._show_chosen()

    @Slot()
    def _show_chosen(self) -> None:
        item = self.list.currentItem()
        self._chosen = item.data(_NOTE, _ID) if item is not None else ""
        note = self.chosen
        for button in (self.edit, self.delete):
            button.setEnabled(note is not None)
        effects = [each for each in self._noted.effects if each.note == self._chosen]
        self.about.setText(about(note, len(effects)))
        self.effects.setVisible(bool(effects))
        self.effects.clear()
        titles = dict(self._noted.titles)
        for each in effects:
            self.effects.add((local_moment(each.at), where(each, titles)), each.before, each.after)

    @Slot()
    def _on_new_changed(self) -> None:
        self.add.setEnabled(bool(self.new.text().strip()))

    @Slot()
    def write(self) -> None:
        """Note what is written in the field."""
        text = self.new.text().strip()
        if text:
            self.new.clear()
            self._desk.do(lambda shelf: _done(Notes(shelf).add(Note("", text))))

    @Slot(QTreeWidgetItem, int)
    def _on_item_changed(self, item: QTreeWidgetItem, column: int) -> None:
        """A box was ticked, or other words were written."""
        name = item.data(_NOTE, _ID)
        note = next((each for each in self._noted.notes if each.id == name), None)
        if note is None or column != _NOTE:
            return
        is_on, text = item.checkState(_NOTE) is Qt.CheckState.Checked, item.text(_NOTE)
        if is_on != note.is_on:
            self._desk.do(lambda shelf: _done(Notes(shelf).switch(note.id, is_on=is_on)))
        elif text != drawable_line(note.text):
            self._desk.do(lambda shelf: _done(Notes(shelf).change(note.id, text)))

    @Slot()
    def _on_edit(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.list.setFocus()
            self.list.editItem(item, _NOTE)

    @Slot()
    def _on_delete(self) -> None:
        """Ask first: what it has changed is known nowhere else."""
        note = self.chosen
        if note is None:
            return
        question = _("Delete the note “{text}” and what is known of its effects? This cannot be undone.")
        self.confirmation = QMessageBox(
            QMessageBox.Icon.Question,
            _("Delete note"),
            drawable(question.format(text=note.text)),
            QMessageBox.StandardButton.Cancel,
            self,
        )
        self.confirmation.setTextFormat(Qt.TextFormat.PlainText)
        self.confirmation.addButton(_("Delete"), QMessageBox.ButtonRole.AcceptRole)
        self.confirmation.accepted.connect(partial(self._desk.do, partial(_forget, note.id)))
        self.confirmation.open()

    @Slot(bool)
    def _on_use_toggled(self, is_on: bool) -> None:
        settings = self._desk.context.settings
        try:
            settings.change(partial(replace, uses_notes=is_on))
        except WorkbenchError as error:
            self._desk.context.notices.report(error, Cause.SETTINGS)
            self._on_settings_changed(settings.current)

    @Slot(object)
    def _on_settings_changed(self, settings: Settings) -> None:
        with QSignalBlocker(self.use):
            self.use.setChecked(settings.uses_notes)


def _row(tree: QTreeWidget, note: Note, count: int) -> QTreeWidgetItem:
    row = QTreeWidgetItem(tree, [drawable_line(note.text), str(_SOURCES[note.source]), numeral(count)])
    row.setData(_NOTE, _ID, note.id)
    row.setFlags(row.flags() | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable)
    row.setCheckState(_NOTE, Qt.CheckState.Checked if note.is_on else Qt.CheckState.Unchecked)
    row.setIcon(_NOTE, icon("note"))
    row.setToolTip(_NOTE, tip(note.text))
    return row


def _done(_note: Note) -> None:
    """All views look again when something was done."""


def _forget(name: str, shelf: Shelf) -> None:
    Notes(shelf).forget(name)


def about(note: Note | None, count: int) -> str:
    """What *note* does, and how much it has done."""
    if note is None:
        return _(
            "No notes yet. What you change in a generated playbook, why you do not accept one, and what you write here "
            "is kept as a note on this computer."
        )
    does = {
        NoteKind.WORDS: _("It is told to whoever plans; it changes no finished text."),
        NoteKind.REPLACE: _("Steps that say “{old}” say “{new}” instead. With other words it is only told."),
        NoteKind.LEAVE_OUT: _("Steps that say “{old}” are left out. With other words it is only told."),
    }[note.kind].format(old=note.old, new=note.new)
    where_from = _("Learned with the goal “{goal}”.").format(goal=note.about) if note.about else ""
    words = ngettext("It has changed {count} step.", "It has changed {count} steps.", count)
    done = words.format(count=numeral(count)) if count else _("It has changed nothing yet.")
    return " ".join(filter(None, (does, where_from, done)))


def where(effect: Effect, titles: dict[str, str]) -> str:
    """In which playbook *effect* was seen, and at which step."""
    if effect.cycle.startswith(COPIED):
        name = titles.get(effect.cycle.removeprefix(COPIED), "")
        told = _("a copy of “{title}”").format(title=name) if name else _("a copy")
    else:
        told = _("run {run}").format(run=effect.cycle[:8])
    return f"{told}, {effect.place}"
