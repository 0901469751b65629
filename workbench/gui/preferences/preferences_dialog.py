"""All settings: found by their words, changed at once, and each with a way back."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from workbench.disk.files import is_there
from workbench.errors import CannotSave
from workbench.gui.control.context import WindowContext
from workbench.gui.control.file_watch import FileWatch
from workbench.gui.control.keys.keymap import key_problems
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, in_row, resize_on_screen
from workbench.gui.look.row_filter import add_clear_button
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.preferences.keys_page import KeysPage
from workbench.gui.preferences.permissions_page import PermissionsPage
from workbench.gui.preferences.setting_row import SettingRow
from workbench.i18n import _, ngettext
from workbench.preferences import PERMISSIONS, SETTINGS, Group, found, problems_of
from workbench.settings import Settings, save_settings

_GROUPS_PX = 140


class PreferencesDialog(QDialog):
    """Stands beside the window, so that what a setting does can be seen. *rows*: all of them, by key."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.setWindowTitle(_("Preferences"))
        self.field = QLineEdit(self, placeholderText=_("Search settings"))
        self.field.setAccessibleName(_("Search settings"))
        add_clear_button(self.field)
        self.field.addAction(icon("search", Ink.MUTED), QLineEdit.ActionPosition.LeadingPosition)
        self.count = Label(parent=self, role="secondary")
        self.groups = QListWidget(self)
        self.groups.setAccessibleName(_("Groups of settings"))
        self.groups.addItems([_("All"), *map(str, Group)])
        self.groups.setFixedWidth(current_theme().px(_GROUPS_PX))
        self.groups.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.problems = ProblemLabel(self)
        self._area = QScrollArea(self, widgetResizable=True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._page = QWidget(self._area)
        self._heads: dict[Group, Label] = {}
        self.rows: dict[str, SettingRow] = {}
        self._watch = FileWatch(self)
        self._fill()
        self.keys = KeysPage(context, self)
        self.permissions = PermissionsPage(context, self)
        self._lay_out()
        self._connect()
        self.groups.setCurrentRow(0)

    def _fill(self) -> None:
        column = QVBoxLayout(self._page)
        column.setSpacing(6)
        for group in Group:
            self._heads[group] = Label(str(group), self._page, role="title")
            column.addWidget(self._heads[group])
            for setting in (each for each in SETTINGS if each.group is group):
                row = self.rows[setting.key] = SettingRow(self._context, setting, self._page)
                column.addWidget(row)
        self.nothing = Label(_("No setting has these words."), self._page, role="muted", wraps=True)
        column.addWidget(self.nothing)
        column.addStretch(1)
        self._area.setWidget(self._page)

    def _lay_out(self) -> None:
        self.file_button = QPushButton(_("Open settings &file"), self)
        self.file_button.setToolTip(_("Show the settings as JSON, to edit them by hand"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        for button in (self.file_button, *buttons.findChildren(QPushButton)):
            button.setAutoDefault(False)
        right = in_column(None, (self._area, 1), (self.keys, 4), (self.permissions, 2))
        middle = in_row(None, self.groups, (right, 1), spacing=8)
        below = in_row(None, self.file_button, 1, buttons)
        in_column(self, in_row(None, (self.field, 1), self.count), self.problems, (middle, 1), below, margins=12)
        resize_on_screen(self, 780, 620)

    def _connect(self) -> None:
        self.field.textChanged.connect(self._choose)
        self.groups.currentRowChanged.connect(self._choose)
        self.file_button.clicked.connect(self.open_file)
        self._context.settings.settings_changed.connect(self._on_settings_changed)
        self._watch.touched.connect(self._context.settings.look)

    def present(self, query: str = "") -> None:
        """Show the settings that *query* finds, and let the person search on."""
        self.field.setText(query)
        self.show()
        self.raise_()
        self.activateWindow()
        self.field.setFocus()
        self.field.selectAll()

    def show_keys(self) -> None:
        """Show which keys do what."""
        self.field.clear()
        self.groups.setCurrentRow(1 + list(Group).index(Group.KEYS))
        self.keys.table.setFocus()

    def open_file(self) -> None:
        """Show the file of the settings as a document; what is saved there counts at once."""
        path = self._context.places.settings_file
        try:
            if not is_there(path):
                save_settings(self._context.places, self._context.settings.current)
        except CannotSave as error:
            self.problems.setText(str(error))
            return
        self.close()
        self._context.documents.open_requested.emit(path)

    def showEvent(self, event: QShowEvent) -> None:
        """While it is shown, a change of the file is seen at once."""
        super().showEvent(event)
        self._watch.watch(self._context.places.settings_file)
        self._context.settings.look()
        self._on_settings_changed(self._context.settings.current)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks any more."""
        super().hideEvent(event)
        self._watch.watch(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down leads from the search into the list; Enter closes nothing."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
        elif event.key() == Qt.Key.Key_Down and self.field.hasFocus():
            self.focusNextChild()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _choose(self) -> None:
        """Show the rows that are searched for: a search looks in all groups, and at the keys only among them."""
        query, row = self.field.text(), self.groups.currentRow()
        chosen = list(Group)[row - 1] if row > 0 else None
        self.keys.setVisible(chosen is Group.KEYS)
        self.permissions.hide()
        if chosen is Group.KEYS:
            self._choose_keys(query)
            return
        self._area.show()
        keys = {each.key for each in found(query)}
        chosen = None if query.strip() else chosen
        shown = set()
        for key, each in self.rows.items():
            is_shown = key in keys and chosen in (None, each.setting.group)
            each.setVisible(is_shown)
            shown |= {each.setting.group} if is_shown else set()
        for group, head in self._heads.items():
            head.setVisible(group in shown)
        count = sum(not each.isHidden() for each in self.rows.values())
        said = self._choose_permissions(query, chosen, is_named=bool(query.strip()) and PERMISSIONS in keys)
        self.nothing.setVisible(not count and not said)
        # what is found there needs the room
        self._area.setVisible(bool(count) or not said)
        self.count.setText(ngettext("{count} setting", "{count} settings", count + said))

    def _choose_permissions(self, query: str, chosen: Group | None, *, is_named: bool) -> int:
        """Show the permissions of tools that are searched for, or all where trust is chosen; how many were found."""
        if not query.strip():
            self.permissions.setVisible(chosen is Group.TRUST)
            self.permissions.show_found("")
            return 0
        count = self.permissions.show_found("" if is_named else query)
        self.permissions.setVisible(is_named or count > 0)
        return count

    def _choose_keys(self, query: str) -> None:
        for key, each in self.rows.items():
            each.setVisible(key == "key_scheme")
        for group, head in self._heads.items():
            head.setVisible(group is Group.KEYS)
        self.nothing.hide()
        self._area.setVisible(not query.strip())
        count = self.keys.show_found(query)
        self.count.setText(ngettext("{count} action", "{count} actions", count))

    @Slot(object)
    def _on_settings_changed(self, settings: Settings) -> None:
        project = self._context.settings.project
        for row in self.rows.values():
            row.refresh(settings)
        self.permissions.refresh()
        of_project = project.problems if project is not None else ()
        told = (*problems_of(settings), *key_problems(settings), *of_project)
        self.problems.setText("\n".join(told))

    def changeEvent(self, event: QEvent) -> None:
        """Another program may have changed the file."""
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow():
            self._context.settings.look()
        super().changeEvent(event)
