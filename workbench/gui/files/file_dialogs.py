"""What is asked about files: which one, where to save, what a new one begins with, what to do with unsaved changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QWidget,
)

from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.control.tabs.open_tabs import Tab
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, resize_on_screen
from workbench.gui.look.theming import Ink
from workbench.gui.words.values import drawable_line
from workbench.i18n import N_, _
from workbench.resources import resource_text

TEMPLATES = (
    ("blank", N_("Empty playbook"), N_("A heading and one step")),
    ("runbook", N_("Runbook"), N_("Check, decide, act, confirm: for incidents and maintenance")),
    ("conversation", N_("Conversation"), N_("Ask for information, look something up, report the result")),
    ("checklist", N_("Checklist"), N_("Steps for a person to complete and tick off")),
)


def ask_file_to_open(parent: QWidget, folder: Path) -> Path | None:
    """The file that the person chose, or None."""
    filters = ";;".join(
        (
            _("Playbooks (*.md *.pb *.playbooks *.pbasm *.yaml *.yml *.json)"),
            _("All files (*)"),
        )
    )
    name, _filter = QFileDialog.getOpenFileName(parent, _("Open playbook"), str(folder), filters)
    return Path(name) if name else None


def ask_folder(parent: QWidget, folder: Path) -> Path | None:
    """The folder that the person chose, or None."""
    name = QFileDialog.getExistingDirectory(parent, _("Open folder as project"), str(folder))
    return Path(name) if name else None


def ask_where_to_save(parent: QWidget, suggestion: Path) -> Path | None:
    """The file to write, or None; ``.md`` where no ending was typed."""
    name, _filter = QFileDialog.getSaveFileName(
        parent, _("Save playbook"), str(suggestion), _("Playbooks (*.md);;All files (*)")
    )
    if not name:
        return None
    return Path(name) if Path(name).suffix else Path(f"{name}.md")


def ask_report_file(parent: QWidget, suggestion: Path, *, is_final: bool) -> Path | None:
    """The report to write, or None; markdown where no other ending was chosen."""
    title = _("Save report") if is_final else _("Save report so far")
    name, _chosen = QFileDialog.getSaveFileName(parent, title, str(suggestion), _("Markdown (*.md)"))
    if not name:
        return None
    return Path(name) if Path(name).suffix else Path(f"{name}.md")


def ask_audit_file(parent: QWidget, suggestion: Path) -> Path | None:
    """The audit to write, or None; a page where no other ending was chosen."""
    name, chosen = QFileDialog.getSaveFileName(
        parent, _("Export audit"), str(suggestion), _("HTML page (*.html);;JSON lines (*.jsonl)")
    )
    if not name:
        return None
    ending = ".jsonl" if "*.jsonl" in chosen else ".html"
    return Path(name) if Path(name).suffix else Path(f"{name}{ending}")


def ask_comparison_file(parent: QWidget, suggestion: Path) -> Path | None:
    """The page about two runs to write, or None."""
    name, _chosen = QFileDialog.getSaveFileName(parent, _("Save comparison"), str(suggestion), _("HTML page (*.html)"))
    if not name:
        return None
    return Path(name) if Path(name).suffix else Path(f"{name}.html")


def ask_file_to_compare(parent: QWidget, folder: Path) -> Path | None:
    """The file that the open one is compared with, or None."""
    filters = ";;".join((_("Playbooks (*.md *.pb *.playbooks *.pbasm *.yaml *.yml *.json)"), _("All files (*)")))
    name, _filter = QFileDialog.getOpenFileName(parent, _("Compare with other file"), str(folder), filters)
    return Path(name) if name else None


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
        in_column(self, Label(_("Start with"), self), (self.list, 1), self._buttons)
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
        resize_on_screen(self, 480, 320)
        super().open()

    @Slot()
    def _on_accepted(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.chosen.emit(resource_text(f"templates/{item.data(Qt.ItemDataRole.UserRole)}.md"))


class LeaveGuard(QObject):
    """Asks what to do with unsaved changes, then does what was wanted. *save*: true once the document is saved."""

    def __init__(self, context: WindowContext, save: Callable[[], bool], window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._save = save
        self._window = window
        self._next: Callable[[], object] = _nothing
        self._left: list[Tab] = []
        self.dialog: QMessageBox | None = None

    def leave(self, then: Callable[[], object], tabs: Sequence[Tab]) -> None:
        """Do *then*: at once where nothing in *tabs* is unsaved, else after the person has decided about each."""
        self._context.documents.fields.settle()
        self._next = then
        self._left = [tab for tab in tabs if tab.state.is_dirty]
        self._go_on()

    def _go_on(self) -> None:
        """Ask about the next one, with the document in view."""
        self._left = [tab for tab in self._left if tab.state.is_dirty and tab in self._context.tabs.tabs]
        if self._left:
            self._context.tabs.show(self._left[0])
            self._ask()
        else:
            wanted, self._next = self._next, _nothing
            wanted()

    def _ask(self) -> None:
        path = self._context.documents.file_state.path
        name = path.name if path is not None else _("the new playbook")
        dialog = QMessageBox(self._window)
        dialog.setIcon(QMessageBox.Icon.NoIcon)
        dialog.setWindowTitle(_("Unsaved changes"))
        dialog.setTextFormat(Qt.TextFormat.PlainText)
        dialog.setText(_("Save the changes to “{name}”?").format(name=drawable_line(name)))
        dialog.setInformativeText(_("If you discard them, your changes since the last save are lost."))
        buttons = QMessageBox.StandardButton
        dialog.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        if len(self._left) > 1:
            dialog.addButton(buttons.SaveAll)
        dialog.setDefaultButton(buttons.Save)
        dialog.finished.connect(self._on_decided)
        self.dialog = dialog
        dialog.open()

    @Slot(int)
    def _on_decided(self, button: int) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()
        buttons, asked = QMessageBox.StandardButton, tuple(self._left)
        if button not in {buttons.Save, buttons.SaveAll, buttons.Discard}:
            return
        try:
            saved = asked if button == buttons.SaveAll else asked[:1]
            if button == buttons.Discard or all(map(self._is_saved, saved)):
                self._left = [tab for tab in asked if tab not in saved]
                self._go_on()
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.OPENING)

    def _is_saved(self, tab: Tab) -> bool:
        self._context.tabs.show(tab)
        return self._save()


def _nothing() -> None:
    """Nobody waits."""
