"""What the Help menu shows: the keys, and what this program is."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from workbench import __version__
from workbench.gui.control.action_spec import Scope
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.actions import ActionRegistry, native
from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.shell.command_palette import plain_name
from workbench.i18n import N_, _

_WHERE = {
    Scope.WINDOW: N_("everywhere"),
    Scope.STEPS: N_("in the flowchart"),
    Scope.SOURCE: N_("in the source"),
    Scope.DOCUMENT: N_("in the flowchart and the source"),
}


class ShortcutsDialog(QDialog):
    """Every action that has keys, and a way to change them."""

    def __init__(self, actions: ActionRegistry, parent: QWidget) -> None:
        super().__init__(parent)
        self._actions = actions
        self.setWindowTitle(_("Keyboard shortcuts"))
        self.table = QTreeWidget(self)
        self.table.setHeaderLabels([_("Action"), _("Shortcut"), _("Where")])
        self.table.setRootIsDecorated(False)
        self._change = QPushButton(_("Change keys…"), self, autoDefault=False)
        self._change.clicked.connect(self._on_change)
        _add_close(self, QVBoxLayout(self), self.table, self._change)
        self.resize(current_theme().px(620), current_theme().px(520))
        actions.keys_changed.connect(self.fill)
        self.fill()

    @Slot()
    def fill(self) -> None:
        """Show the keys as they are."""
        self.table.clear()
        for spec in ACTIONS:
            if keys := self._actions.keys(spec.id):
                told = ", ".join(native(each) for each in keys)
                QTreeWidgetItem(self.table, [plain_name(spec), told, str(_WHERE[spec.scope])])
        for column in range(3):
            self.table.resizeColumnToContents(column)

    @Slot()
    def _on_change(self) -> None:
        self.close()
        self._actions.trigger("edit.keys")


class AboutDialog(QDialog):
    """Name, version, one sentence, licence."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("About Playbook Workbench"))
        picture = Picture(icon("workbench", Ink.ACCENT), self, 64)
        title = Label(_("Playbook Workbench {version}").format(version=__version__), self, role="title")
        words = Label(
            _(
                "Write, see, run, check and grow agent playbooks. The text and its flowchart are the same thing.\n\n"
                "Works offline, without an account. MIT licence."
            ),
            self,
            wraps=True,
        )
        words.setMinimumWidth(current_theme().px(360))
        row = QHBoxLayout()
        row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        column = in_column(None, title, words)
        row.addLayout(column, 1)
        whole = QVBoxLayout(self)
        whole.addLayout(row)
        _add_close(self, whole)


def _add_close(dialog: QDialog, column: QVBoxLayout, *widgets: QWidget) -> None:
    """*widgets* and a button that closes *dialog*."""
    for widget in widgets:
        column.addWidget(widget, 1)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, dialog)
    buttons.rejected.connect(dialog.reject)
    column.addWidget(buttons)


class HelpActions(QObject):
    """Handles the Help menu; the dialogs are made when they are first wanted."""

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._actions = context.actions
        self._dialogs: dict[type[QDialog], QDialog] = {}
        context.actions.register("help.shortcuts", self.show_shortcuts)
        context.actions.register("help.about", self.show_about)

    def show_shortcuts(self) -> None:
        """List all keys."""
        if ShortcutsDialog not in self._dialogs:
            self._dialogs[ShortcutsDialog] = ShortcutsDialog(self._actions, self._window)
        self._dialogs[ShortcutsDialog].open()

    def show_about(self) -> None:
        """Say what this program is."""
        if AboutDialog not in self._dialogs:
            self._dialogs[AboutDialog] = AboutDialog(self._window)
        self._dialogs[AboutDialog].open()
