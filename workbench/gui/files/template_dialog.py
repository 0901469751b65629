"""What a new playbook begins with."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from workbench.gui.look.icons import icon
from workbench.gui.look.theme import Ink, current_theme
from workbench.i18n import _
from workbench.resources import resource_text

TEMPLATES = (
    ("blank", _("Empty playbook"), _("A heading and one step")),
    ("runbook", _("Runbook"), _("Check, decide, act, confirm: for incidents and maintenance")),
    ("conversation", _("Conversation"), _("Ask for what is needed, look it up, tell the result")),
    ("checklist", _("Checklist"), _("Steps that somebody carries out and ticks off")),
)


class TemplateDialog(QDialog):
    """A short list; Enter or a double click takes one."""

    chosen = Signal(object)  # str: the text to begin with

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("New playbook"))
        self.list = QListWidget(self)
        self.list.setAccessibleName(_("Templates"))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        create = self._buttons.addButton(_("Create"), QDialogButtonBox.ButtonRole.AcceptRole)
        create.setDefault(True)
        column = QVBoxLayout(self)
        column.addWidget(QLabel(_("Begin with"), self))
        column.addWidget(self.list, 1)
        column.addWidget(self._buttons)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self.list.itemActivated.connect(self.accept)
        self.accepted.connect(self._on_accepted)

    def open(self) -> None:
        """Show the templates, the empty one first."""
        self.list.clear()
        for name, title, words in TEMPLATES:
            item = QListWidgetItem(icon("playbook", Ink.ACCENT), f"{title}\n{words}", self.list)
            item.setData(Qt.ItemDataRole.UserRole, name)
        self.list.setCurrentRow(0)
        self.resize(current_theme().px(480), current_theme().px(320))
        super().open()

    @Slot()
    def _on_accepted(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.chosen.emit(resource_text(f"templates/{item.data(Qt.ItemDataRole.UserRole)}.md"))
