"""What the Help menu shows: the keys, and what this program is."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from workbench import __version__
from workbench.gui.control.action_spec import Scope
from workbench.gui.control.action_table import ACTIONS
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
    """Every action that has keys."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Keyboard shortcuts"))
        self.table = QTreeWidget(self)
        self.table.setHeaderLabels([_("Action"), _("Shortcut"), _("Where")])
        self.table.setRootIsDecorated(False)
        for spec in ACTIONS:
            if spec.shortcuts:
                where = str(_WHERE[spec.scope])
                keys = ", ".join(_native(each) for each in spec.shortcuts)
                QTreeWidgetItem(self.table, [plain_name(spec), keys, where])
        for column in range(3):
            self.table.resizeColumnToContents(column)
        _add_close(self, QVBoxLayout(self), self.table)
        self.resize(current_theme().px(620), current_theme().px(520))


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


def _native(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


class HelpActions(QObject):
    """Handles the Help menu; the dialogs are made when they are first wanted."""

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._dialogs: dict[type[QDialog], QDialog] = {}
        context.actions.register("help.shortcuts", self.show_shortcuts)
        context.actions.register("help.about", self.show_about)

    def show_shortcuts(self) -> None:
        """List all keys."""
        self._show(ShortcutsDialog)

    def show_about(self) -> None:
        """Say what this program is."""
        self._show(AboutDialog)

    def _show(self, kind: type[ShortcutsDialog | AboutDialog]) -> None:
        if kind not in self._dialogs:
            self._dialogs[kind] = kind(self._window)
        self._dialogs[kind].open()
