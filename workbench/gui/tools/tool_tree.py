"""The tools by who offers them, as a tree: those of a server stand below it, once it was asked."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem, QTreeWidgetItemIterator, QWidget

from workbench.gui.look.icons import icon
from workbench.gui.look.theming import Ink
from workbench.gui.tools.tool_desk import Listing, ServerReport, ServerRow, ToolRow
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _
from workbench.vocabulary import asking_words

_INDENT_PX = 14
_KEY = Qt.ItemDataRole.UserRole


class ToolTree(QTreeWidget):
    """*chosen* carries the name of the tool, or of the server with a ``/`` in front of it, that is selected."""

    chosen = Signal(object)  # str

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setColumnCount(2)
        self.setHeaderHidden(True)  # noqa: FBT003 - Qt's own form
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setAccessibleName(_("Tools"))
        self.setIndentation(_INDENT_PX)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.header().setStretchLastSection(False)
        self.currentItemChanged.connect(self._on_current_changed)
        self.itemActivated.connect(self._on_activated)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names and permissions share the room: each is cut where there is too little, and none is pushed out."""
        super().resizeEvent(event)
        self.setColumnWidth(0, self.viewport().width() // 2)

    def show_tools(self, listing: Listing, reports: dict[str, ServerReport], words: str) -> None:
        """Show those of *listing* and *reports* in which *words* occur; what is selected stays so."""
        chosen = self.key
        self.blockSignals(True)  # noqa: FBT003 - Qt's own form
        self.clear()
        groups: dict[str, list[ToolRow]] = {}
        for row in listing.tools:
            groups.setdefault(row.spec.source, []).append(row)
        for source, rows in groups.items():
            self._add_group(source, "", _fitting(rows, words), "", is_kept=not words)
        for server in listing.servers:
            report = reports.get(server.spec.name)
            rows = list(report.tools) if report is not None else []
            is_kept = words.casefold() in server.spec.name.casefold()
            self._add_group(
                server.spec.name, f"/{server.spec.name}", _fitting(rows, words), _state(server, report), is_kept=is_kept
            )
        self.choose(chosen)  # which is shown already
        self.blockSignals(False)  # noqa: FBT003 - Qt's own form

    @property
    def key(self) -> str:
        """What is selected; empty for nothing."""
        item = self.currentItem()
        return str(item.data(0, _KEY) or "") if item is not None else ""

    def choose(self, key: str) -> None:
        """Select what is called *key*, where it is there."""
        items = QTreeWidgetItemIterator(self)
        while key and (item := items.value()) is not None:
            if item.data(0, _KEY) == key:
                self.setCurrentItem(item)
                return
            items += 1

    def _add_group(self, title: str, key: str, rows: Iterable[ToolRow], state: str, *, is_kept: bool) -> None:
        found = list(rows)
        if not found and not is_kept:
            return
        group = QTreeWidgetItem(self, [drawable_line(title), state])
        group.setData(0, _KEY, key)
        group.setIcon(0, icon("link" if key else "workbench", Ink.MUTED))
        group.setToolTip(0, tip(title))
        group.setFirstColumnSpanned(not state)
        for row in found:
            item = QTreeWidgetItem(group, [drawable_line(row.spec.name), asking_words(row.asking)])
            item.setData(0, _KEY, row.spec.name)
            item.setIcon(0, icon("tool", Ink.MUTED))
            item.setToolTip(0, tip(row.spec.description))
            item.setToolTip(1, tip(asking_words(row.asking)))
        group.setExpanded(True)

    @Slot()
    def _on_current_changed(self) -> None:
        self.chosen.emit(self.key)

    @Slot()
    def _on_activated(self) -> None:
        self.chosen.emit(self.key)


def _fitting(rows: Iterable[ToolRow], words: str) -> Iterable[ToolRow]:
    wanted = words.casefold().split()
    texts = ((row, f"{row.spec.name} {row.spec.description} {row.spec.source}".casefold()) for row in rows)
    return (row for row, text in texts if all(word in text for word in wanted))


def _state(server: ServerRow, report: ServerReport | None) -> str:
    """How the server is, in a word or two."""
    if report is None:
        return _("not started") if server.is_allowed else _("not allowed yet")
    if report.difference:
        return _("tools have changed")
    return _("does not work") if report.problem else _("works")
