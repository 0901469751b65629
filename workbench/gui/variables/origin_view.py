"""Where a value came from, as a tree: below each event what it took its own value from. A click goes there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QToolButton, QTreeWidget, QTreeWidgetItem, QWidget

from workbench.gui.look.icons import icon
from workbench.gui.look.label import ElidedLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.look.written_words import read_as_written
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _, numeral

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent
    from workbench.engine.provenance.tracing import Origin

_EVENT = Qt.ItemDataRole.UserRole
_ICONS = {
    "var.set": "assign",
    "state.edited": "edit",
    "playbook.entered": "call",
    "playbook.exited": "return",
    "input.given": "chat",
    "input.asked": "ask",
    "effect.result": "tool",
    "tool.call": "tool",
    "model.answered": "workbench",
    "run.created": "run",
}


class OriginTree(QTreeWidget):
    """All of it is open: it is short."""

    event_chosen = Signal(object)  # RunEvent
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        read_as_written(self)
        self.setHeaderLabels([_("Value, and what it was made of"), _("Step"), _("No.")])
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setProperty("role", "secondary")
        self.setAccessibleName(_("Where the value came from"))
        self.itemClicked.connect(self._on_chosen)
        self.itemActivated.connect(self._on_chosen)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, self.header().ResizeMode.Stretch)
        self.take_theme()

    def take_theme(self) -> None:
        """Larger letters need more room."""
        self.setColumnWidth(1, current_theme().px(96))
        self.setColumnWidth(2, current_theme().px(56))

    def show_origin(self, origin: Origin) -> None:
        """Show *origin* and all that it goes back to."""
        self.clear()
        top = _item(origin)
        self.addTopLevelItem(top)
        self.expandAll()
        self.setCurrentItem(top)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes it."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    @Slot(QTreeWidgetItem)
    def _on_chosen(self, item: QTreeWidgetItem) -> None:
        event: RunEvent = item.data(0, _EVENT)
        self.event_chosen.emit(event)


def _item(origin: Origin) -> QTreeWidgetItem:
    from workbench.event_words import made_words  # noqa: PLC0415 - it knows all events, which a start does not need

    event = origin.event
    words = made_words(event, origin.name) + (" …" if origin.is_cut else "")
    item = QTreeWidgetItem([drawable_line(words), drawable_line(event.step), numeral(event.seq)])
    item.setToolTip(0, tip(words))
    item.setToolTip(1, tip(event.step))
    item.setIcon(0, icon(_ICONS.get(event.name, "info"), Ink.MUTED))
    item.setData(0, _EVENT, event)
    item.addChildren([_item(source) for source in origin.sources])
    return item


class OriginView(QWidget):
    """Hidden until somebody asks; *closed* when it is hidden again."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = ElidedLabel("", self, role="secondary")
        self.tree = OriginTree(self)
        close = QToolButton(self)
        close.setIcon(icon("cross", Ink.MUTED))
        close.setToolTip(_("Close"))
        close.setAccessibleName(_("Close"))
        head = in_row(None, (self._title, 1), close, margins=(8, 2, 4, 2), spacing=4)
        in_column(self, head, (self.tree, 1), margins=0, spacing=0)
        close.clicked.connect(self.leave)
        self.tree.left.connect(self.leave)
        self.hide()

    @Slot()
    def leave(self) -> None:
        """Hide it."""
        self.hide()
        self.closed.emit()

    def show_origin(self, name: str, origin: Origin) -> None:
        """Show where the value of *name* came from."""
        self._title.setText(drawable_line(_("Where {name} came from").format(name=name)))
        self.tree.show_origin(origin)
        self.show()
