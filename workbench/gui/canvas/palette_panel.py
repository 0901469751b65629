"""The palette: kinds of steps to drag onto the flowchart; Enter or a double click inserts below the selection."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from workbench.assist.openings import insertable
from workbench.assist.values import Completion
from workbench.editing.commands import InsertStep
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.gui.control.context import WindowContext
from workbench.gui.control.step_mime import STEP_MIME, mime_of
from workbench.gui.look.icons import icon
from workbench.gui.look.layouts import in_column
from workbench.gui.look.row_filter import RowFilter
from workbench.gui.look.written_words import read_as_written
from workbench.gui.words.kinds import icon_of
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _

_ROLE = Qt.ItemDataRole.UserRole
_ICON_PX = 18


class PaletteList(QListWidget):
    """A list whose rows are dragged as new steps."""

    def mimeTypes(self) -> list[str]:
        """What a drag carries."""
        return [STEP_MIME, "text/plain"]

    def mimeData(self, items: list[QListWidgetItem]) -> QMimeData:  # type: ignore[override]
        """The words of the dragged row."""
        return mime_of(items[0].data(_ROLE).text)

    def supportedDropActions(self) -> Qt.DropAction:
        """A row stays where it is: what is dragged is a copy."""
        return Qt.DropAction.CopyAction

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is the keyboard's way of dropping."""
        item = self.currentItem()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and item is not None:
            self.itemActivated.emit(item)
        else:
            super().keyPressEvent(event)


class PalettePanel(QWidget):
    """Lists the kinds of steps, the playbooks and Python functions of the file, and snippets."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._verbs = Verbs(context.documents, context.selection)
        self._shown: tuple[Completion, ...] = ()
        self.list = PaletteList(self)
        read_as_written(self.list)
        self.list.setDragEnabled(True)
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.list.setIconSize(QSize(_ICON_PX, _ICON_PX))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(_("New steps"))
        self.list.itemActivated.connect(self._on_activated)
        self.filter = RowFilter(self.list, _("Filter the palette"), self)
        self.setFocusProxy(self.list)
        in_column(self, in_column(None, self.filter, margins=(8, 6, 8, 4)), (self.list, 1), margins=0, spacing=0)
        context.documents.document_opened.connect(self._on_document_seen)
        context.documents.document_changed.connect(self._on_document_seen)
        self._fill()

    @Slot(object)
    def _on_document_seen(self, _news: object) -> None:
        if self._wanted() != self._shown:
            self._fill()

    def _wanted(self) -> tuple[Completion, ...]:
        return insertable(self._context.documents.snapshot.program)

    def _fill(self) -> None:
        self._shown = self._wanted()
        self.list.clear()
        for each in self._shown:
            item = QListWidgetItem(icon(icon_of(each.step), each.step), drawable_line(each.label), self.list)
            item.setData(_ROLE, each)
            item.setToolTip(tip(f"{each.detail}: {each.text}\n{_('Drag onto the flowchart')}"))
        self.take_theme()

    def take_theme(self) -> None:
        """Larger letters need more room."""
        if not self._shown:
            return
        self.list.item(0).setSizeHint(QSize())
        height = self.list.sizeHintForRow(0)
        for row in range(self.list.count()):  # as wide as the pane: long names are elided instead of scrolled
            self.list.item(row).setSizeHint(QSize(1, height))

    @Slot(QListWidgetItem)
    def _on_activated(self, item: QListWidgetItem) -> None:
        """Insert below the selected step, or at the end; its words are written at once, as after a drop."""
        place = self._verbs.place_for_new()
        if place is not None and self._verbs.do(InsertStep(place, item.data(_ROLE).text)):
            self._context.actions.trigger("step.edit")
