"""The revisions of a file in git, to choose one."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from workbench.disk.revisions import Revision, revisions_of
from workbench.errors import WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, resize_on_screen
from workbench.gui.look.row_filter import RowFilter
from workbench.gui.look.theming import current_theme
from workbench.gui.look.written_words import read_as_written
from workbench.gui.words.values import drawable_line, moment_text, tip
from workbench.i18n import _

_REVISION = Qt.ItemDataRole.UserRole
_SHORT = 10


def revisions_for(path: Path) -> tuple[Revision, ...] | WorkbenchError:
    """The revisions of the file *path*, or why there are none."""
    try:
        return revisions_of(path)
    except WorkbenchError as error:
        return error


class RevisionDialog(QDialog):
    """A row for each commit that changed the file, the newest first; Enter or a double click takes one."""

    chosen = Signal(object)  # Revision

    def __init__(self, path: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Compare with git revision"))
        self.list = QTreeWidget(self)
        read_as_written(self.list)
        self.said = ProblemLabel(self)
        self.words = Label(_("Asking git…"), self, role="muted")
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.confirm = self._buttons.addButton(_("Compare"), QDialogButtonBox.ButtonRole.AcceptRole)
        self._arrange()
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self.list.itemActivated.connect(self.accept)
        self.list.currentItemChanged.connect(self._on_current_changed)
        self.accepted.connect(self._on_accepted)
        self._asking = BackgroundWork(self)
        self._asking.done.connect(self._on_revisions)
        self._asking.ask(partial(revisions_for, path))

    def _arrange(self) -> None:
        self.list.setHeaderLabels([_("Time"), _("Author"), _("Subject"), _("Commit")])
        self.list.setAccessibleName(_("Revisions"))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAllColumnsShowFocus(True)
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self.filter = RowFilter(self.list, _("Filter revisions"), self)
        self.confirm.setEnabled(False)
        self.said.hide()
        in_column(self, self.filter, (self.list, 1), self.words, self.said, self._buttons, margins=16, spacing=8)
        theme = current_theme()
        for column, width in enumerate((150, 150)):
            self.list.setColumnWidth(column, theme.px(width))
        resize_on_screen(self, 760, 480)

    @Slot(object)
    def _on_revisions(self, found: tuple[Revision, ...] | WorkbenchError) -> None:
        self.words.setText("")
        if isinstance(found, WorkbenchError):
            self.said.setText(str(found))
            return
        if not found:
            self.said.setText(_("git has no commit with this file yet, so there is nothing to compare with."))
            return
        self.list.addTopLevelItems([_row(each) for each in found])
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        self.list.setFocus()

    @Slot()
    def _on_current_changed(self) -> None:
        self.confirm.setEnabled(self.list.currentItem() is not None)

    @Slot()
    def _on_accepted(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.chosen.emit(item.data(0, _REVISION)[0])


def _row(revision: Revision) -> QTreeWidgetItem:
    cells = (moment_text(revision.time_s), revision.author, revision.subject, revision.id[:_SHORT])
    row = QTreeWidgetItem([drawable_line(cell) for cell in cells])
    row.setData(0, _REVISION, [revision])  # in a list, so that Qt keeps it as it is
    row.setToolTip(2, tip(f"{revision.subject}\n{revision.name}\n{revision.id}"))
    return row
