"""The guide beside the document: pages with back and forward, a search over all of them, and one in the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDockWidget,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from workbench.gui.control.action_spec import ActionSpec, Menu, Scope
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.context import WindowContext
from workbench.gui.help.page_view import PageView
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import Ink
from workbench.help.pages import CONTENTS
from workbench.help.searching import Hit, search
from workbench.help.topics import Topic, shown_page, topic_of
from workbench.i18n import N_, _, ngettext

if TYPE_CHECKING:  # few print
    from PySide6.QtPrintSupport import QPrinter

_REST_MS = 120
_FOUND = 40
_KEYS = "keys"
_HIT = Qt.ItemDataRole.UserRole
_WHERE = {
    Scope.WINDOW: N_("everywhere"),
    Scope.STEPS: N_("in the flowchart"),
    Scope.SOURCE: N_("in the source"),
    Scope.DOCUMENT: N_("in the flowchart and the source"),
}


@dataclass(slots=True)
class _Visit:
    """A page that was shown, and how far it was scrolled when it was left; None: from its section on."""

    topic: Topic
    place: int | None = None


class FindRow(QWidget):
    """A field for words in the page, hidden until it is asked for."""

    closed = Signal()

    def __init__(self, view: PageView, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view
        self.field = QLineEdit(self, placeholderText=_("Find in this page"))
        self.field.setAccessibleName(_("Find in this page"))
        self.told = Label("", self, role="secondary")
        back = _button(self, "up", _("Previous match"), self.find_back)
        forward = _button(self, "down", _("Next match"), self.find_next)
        close = _button(self, "cross", _("Close"), self.close_row)
        in_row(self, (self.field, 1), self.told, back, forward, close, margins=(8, 0, 8, 4), spacing=4)
        self.field.textEdited.connect(self.find_next)
        self.field.returnPressed.connect(self.find_next)
        self.hide()

    def open_row(self) -> None:
        """Ask for words."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    @Slot()
    def find_next(self) -> None:
        """Go to the next match."""
        self._tell(self._view.find_words(self.field.text()))

    @Slot()
    def find_back(self) -> None:
        """Go to the match before."""
        self._tell(self._view.find_words(self.field.text(), is_backward=True))

    @Slot()
    def close_row(self) -> None:
        """Mark nothing any more."""
        self._view.find_words("")
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes it."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_row()
        else:
            super().keyPressEvent(event)

    def _tell(self, count: int) -> None:
        words = ngettext("{count} match", "{count} matches", count)
        self.told.setText(words if self.field.text() else "")


class HelpPanel(QWidget):
    """Shows the contents when it is first seen; reads no page before that."""

    left = Signal()

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._past: list[_Visit] = []
        self._future: list[_Visit] = []
        self._now: _Visit | None = None
        self._paper: QPrinter | None = None
        self.field = QLineEdit(self, placeholderText=_("Search the guide"))
        self.view = PageView(self._told, self)
        self.results = QListWidget(self)
        self.pages = QStackedWidget(self)
        self.find_row = FindRow(self.view, self)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self.search)
        self._lay_out()
        self._connect()
        self._refresh()

    def _lay_out(self) -> None:
        self.back = _button(self, "left", _("Back (Alt+Left)"), self.go_back)
        self.forward = _button(self, "right", _("Forward (Alt+Right)"), self.go_forward)
        self.home = _button(self, "home", _("Contents of the guide"), self.show_contents)
        self.finder = _button(self, "search", _("Find in this page"), self.find_row.open_row)
        self.printer = _button(self, "print", _("Print this page…"), self.print_page)
        self.field.setAccessibleName(_("Search the guide"))
        self.field.setClearButtonEnabled(True)
        self.results.setAccessibleName(_("Found in the guide"))
        self.results.setFrameShape(QFrame.Shape.NoFrame)
        self.results.setWordWrap(True)
        self.results.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.pages.addWidget(self.view)
        self.pages.addWidget(self.results)
        buttons = (self.back, self.forward, self.home)
        row = in_row(None, *buttons, (self.field, 1), self.finder, self.printer, margins=(8, 6, 8, 4), spacing=4)
        in_column(self, row, self.find_row, (self.pages, 1), margins=0, spacing=0)

    def _connect(self) -> None:
        self.view.topic_wanted.connect(self.explain)
        self.view.example_wanted.connect(self._on_example_wanted)
        self.view.moved.connect(self._on_moved)
        self.view.find_wanted.connect(self.find_row.open_row)
        self.view.left.connect(self.left)
        self.find_row.closed.connect(self.view.setFocus)
        self.field.textChanged.connect(self._rest.start)
        self.field.returnPressed.connect(self._on_return_pressed)
        self.results.itemActivated.connect(self._on_hit_chosen)
        self.results.itemClicked.connect(self._on_hit_chosen)
        dock = self.parentWidget()
        if isinstance(dock, QDockWidget):
            dock.visibilityChanged.connect(self._on_seen)

    @Slot(bool)
    def _on_seen(self, is_in_front: bool) -> None:  # noqa: FBT001 - Qt's own form
        """Whoever opens the pane by hand begins with the contents. A pane behind others is “shown” by Qt as well."""
        if is_in_front and self._now is None:
            self.show_contents()

    @Slot()
    def show_contents(self) -> None:
        """Show what chapters there are."""
        self.explain(CONTENTS)

    @Slot(object)
    def explain(self, word: str) -> None:
        """Show where *word* is explained, if anything is said of it."""
        topic = topic_of(word)
        if topic is not None:
            self.show_topic(topic)

    def show_topic(self, topic: Topic) -> None:
        """Show the page of *topic* from its section on."""
        if self._now is not None and self._now.topic != topic:
            self._now.place = self.view.place
            self._past.append(self._now)
            self._future.clear()
        self._show(_Visit(topic))

    @property
    def topic(self) -> Topic | None:
        """What is shown."""
        return self._now.topic if self._now is not None else None

    @Slot()
    def go_back(self) -> None:
        """The page that was shown before."""
        self._turn(self._past, self._future)

    @Slot()
    def go_forward(self) -> None:
        """The page that *Back* has left."""
        self._turn(self._future, self._past)

    def _turn(self, taken: list[_Visit], kept: list[_Visit]) -> None:
        if taken and self._now is not None:
            self._now.place = self.view.place
            kept.append(self._now)
            self._show(taken.pop())

    def _show(self, visit: _Visit) -> None:
        self._now = visit
        page = shown_page(visit.topic)
        self.view.show_page(page, visit.topic.section, self._all_keys() if page.name == _KEYS else "")
        if visit.place is not None:
            self.view.go_to_place(visit.place)
        self.pages.setCurrentWidget(self.view)
        self._refresh()

    def _refresh(self) -> None:
        self.back.setEnabled(bool(self._past))
        self.forward.setEnabled(bool(self._future))

    @Slot()
    def search(self) -> None:
        """List where the words in the field stand; without any, show the page again."""
        self._rest.stop()
        words = self.field.text().strip()
        self.pages.setCurrentWidget(self.results if words else self.view)
        self.results.clear()
        hits = search(words, _FOUND)
        for hit in hits:
            item = QListWidgetItem(_words_of(hit), self.results)
            item.setData(_HIT, hit.topic)
        if words and not hits:
            QListWidgetItem(_("Nothing was found."), self.results).setFlags(Qt.ItemFlag.NoItemFlags)
        if hits:
            self.results.setCurrentRow(0)

    @Slot()
    def _on_return_pressed(self) -> None:
        """Enter goes to the list, and to the first of it where it is there already."""
        if self._rest.isActive():
            self.search()
        chosen = self.results.currentItem()
        if chosen is not None:
            self._on_hit_chosen(chosen)

    @Slot(QListWidgetItem)
    def _on_hit_chosen(self, item: QListWidgetItem) -> None:
        topic = item.data(_HIT)
        if isinstance(topic, Topic):
            self.show_topic(topic)
            self.view.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrow down leads from the field into the list, Esc back to the page, and from there out of the pane."""
        if event.key() == Qt.Key.Key_Down and self.field.hasFocus():
            self.results.setFocus()
        elif event.key() == Qt.Key.Key_Escape and self.pages.currentWidget() is self.results:
            self.field.clear()
            self.search()
            self.view.setFocus()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    @Slot(object)
    def _on_example_wanted(self, path: Path) -> None:
        """A new document with the text of the example: nobody changes what was shipped."""
        self._context.documents.copy_requested.emit(path)

    @Slot(object)
    def _on_moved(self, is_back: object) -> None:
        self.go_back() if is_back else self.go_forward()

    @Slot()
    def print_page(self) -> None:
        """Ask for a printer or a file, and print the page."""
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter  # noqa: PLC0415 - few print

        self._paper = QPrinter(QPrinter.PrinterMode.HighResolution)
        if self.view.page is not None:
            self._paper.setDocName(self.view.page.title)
        dialog = QPrintDialog(self._paper, self)
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.finished.connect(self._on_print_answered)
        dialog.finished.connect(dialog.deleteLater)
        dialog.show()

    @Slot(int)
    def _on_print_answered(self, answer: int) -> None:
        if answer == QDialog.DialogCode.Accepted and self._paper is not None:
            self.view.print_(self._paper)
        self._paper = None

    def _told(self, kind: str, action_id: str) -> str:
        """What an action is called, or its keys as they are set now."""
        action = self._context.actions.action(action_id)
        if kind == "name":
            return f"*{action.text().replace('&', '')}*"
        keys = [_native(each) for each in action.shortcuts()]
        return f"**{keys[0]}**" if keys else f"*{action.text().replace('&', '')}*"

    def _all_keys(self) -> str:
        """A table for each menu of the actions that have keys."""
        parts: list[str] = []
        for menu in Menu:
            rows = [self._row(spec) for spec in ACTIONS if spec.menu is menu and self._keys_of(spec)]
            if rows:
                head = f"| {_('Action')} | {_('Shortcut')} | {_('Where')} |\n|---|---|---|\n"
                parts.append(head + "\n".join(rows))
        return "\n\n".join(parts)

    def _row(self, spec: ActionSpec) -> str:
        name = str(spec.text).replace("&", "").rstrip("…").replace("|", "\\|")
        keys = ", ".join(_native(each).replace("|", "\\|").replace("`", "\\`") for each in self._keys_of(spec))
        return f"| {name} | {keys} | {_WHERE[spec.scope]} |"

    def _keys_of(self, spec: ActionSpec) -> list[QKeySequence]:
        return self._context.actions.action(spec.id).shortcuts()


def _words_of(hit: Hit) -> str:
    head = hit.title if hit.title == hit.page_title else f"{hit.page_title} › {hit.title}"
    return f"{head}\n{hit.excerpt}"


def _native(keys: QKeySequence) -> str:
    return keys.toString(QKeySequence.SequenceFormat.NativeText)


def _button(parent: QWidget, icon_name: str, tooltip: str, pressed: Callable[[], None]) -> QToolButton:
    button = QToolButton(parent)
    button.setProperty("role", "tool")
    button.setIcon(icon(icon_name, Ink.MUTED))
    button.setToolTip(tooltip)
    button.setAccessibleName(tooltip)
    button.clicked.connect(pressed)
    return button
