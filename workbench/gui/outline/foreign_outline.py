"""What stands in the file of another program, as a tree: to be read, and to find the place of a thing in the text."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QFrame, QTreeWidget, QTreeWidgetItem, QWidget

from workbench.gui.control.selection import SelectionController
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _
from workbench.model.foreign.outline import OutlineEntry, outline_of
from workbench.syntax.text import Span

_REST_MS = 200
_MOST_OPEN = 200
_ROLE = Qt.ItemDataRole.UserRole


class ForeignOutline(QTreeWidget):
    """Keys and named things; a click shows where one stands. Read again when typing rests."""

    def __init__(self, selection: SelectionController, parent: QWidget) -> None:
        super().__init__(parent)
        self._selection = selection
        self._text = ""
        self._shown: tuple[OutlineEntry, ...] = ()
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._on_rested)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(_("Outline"))
        self.itemActivated.connect(self._on_activated)
        self.itemClicked.connect(self._on_activated)

    def show_text(self, text: str) -> None:
        """Show what stands in *text*; where something is shown already, in a moment."""
        if text == self._text:
            return
        is_first = not self._text
        self._text = text
        if is_first:
            self._on_rested()
        else:
            self._rest.start()

    def forget(self) -> None:
        """Show nothing: another document comes."""
        self._rest.stop()
        self._text, self._shown = "", ()
        self.clear()

    @Slot()
    def _on_rested(self) -> None:
        entries = outline_of(self._text)
        if entries == self._shown:
            return
        self._shown = entries
        self.clear()
        self.addTopLevelItems(list(map(_item, entries)))
        if sum(1 for _entry in _walk(entries)) <= _MOST_OPEN:
            self.expandAll()

    @Slot(QTreeWidgetItem)
    def _on_activated(self, item: QTreeWidgetItem) -> None:
        """Show the place in the text, which may have grown shorter since."""
        span: Span = item.data(0, _ROLE)
        if span.end <= len(self._text):
            self._selection.show_place(span)


def _walk(entries: Iterable[OutlineEntry]) -> Iterable[OutlineEntry]:
    for entry in entries:
        yield entry
        yield from _walk(entry.children)


def _item(entry: OutlineEntry) -> QTreeWidgetItem:
    item = QTreeWidgetItem([drawable_line(entry.text)])
    item.setToolTip(0, tip(entry.text))
    item.setData(0, _ROLE, entry.span)
    item.addChildren(list(map(_item, entry.children)))
    return item
