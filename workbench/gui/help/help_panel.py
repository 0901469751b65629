"""The guide beside the document: pages with back and forward, a search over all of them, and one in the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from workbench.gui.control.actions import ActionRegistry, native
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import KeptDocument
from workbench.gui.control.keys.keymap import key_rows
from workbench.gui.help.page_view import PagePrinter, PageView
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.row_filter import add_clear_button
from workbench.gui.look.theming import Ink
from workbench.help.pages import CONTENTS
from workbench.help.searching import Hit, search
from workbench.help.topics import Topic, shown_page, topic_of
from workbench.i18n import _, ngettext

_REST_MS = 120
_FOUND = 40
_KEYS = "keys"
_HIT = Qt.ItemDataRole.UserRole


@dataclass(slots=True)
class Visit:
    """A page that was shown, and how far it was scrolled when it was left; None: from its section on."""

    topic: Topic
    place: int | None = None


class History:
    """The pages that were shown, those before *now* and those that going back has left."""

    def __init__(self) -> None:
        self.past: list[Visit] = []
        self.future: list[Visit] = []
        self.now: Visit | None = None

    def visit(self, topic: Topic, place: int) -> Visit:
        """Go to *topic*, from a page that is scrolled to *place*."""
        if self.now is not None and self.now.topic != topic:
            self.now.place = place
            self.past.append(self.now)
            self.future.clear()
        self.now = Visit(topic)
        return self.now

    def back(self, place: int) -> Visit | None:
        """Go to the page before; None where there is none."""
        return self._turned(self.past, self.future, place)

    def forward(self, place: int) -> Visit | None:
        """Go to the page that was left by going back; None where there is none."""
        return self._turned(self.future, self.past, place)

    def _turned(self, taken: list[Visit], kept: list[Visit], place: int) -> Visit | None:
        if not taken or self.now is None:
            return None
        self.now.place = place
        kept.append(self.now)
        self.now = taken.pop()
        return self.now


class ActionWords:
    """What actions are called and which keys they have, as they are set now."""

    def __init__(self, actions: ActionRegistry) -> None:
        self._actions = actions

    def told(self, kind: str, action_id: str) -> str:
        """The name of an action, or its first keys; the name as well where it has none."""
        keys = self._actions.keys(action_id) if kind == "key" else ()
        return f"**{native(keys[0])}**" if keys else f"*{str(self._actions.spec(action_id).text).replace('&', '')}*"

    def all_keys(self) -> str:
        """A table for each menu of the actions that have keys."""
        head = f"| {_('Action')} | {_('Shortcut')} | {_('Where')} |\n|---|---|---|\n"
        tables = key_rows(self._actions.keys)
        return "\n\n".join(head + "\n".join(f"| {' | '.join(map(_escaped, row))} |" for row in rows) for rows in tables)


def _escaped(text: str) -> str:
    """*text* for a cell of a table."""
    return "".join(f"\\{sign}" if sign in "\\`*_|[]<" else sign for sign in text)


def open_text(context: WindowContext, text: str) -> None:
    """Show *text*, an example of a rule, as a new document."""
    context.tabs.open_document(KeptDocument(context.documents.beside(text)))
    context.notices.tell(_("This is your copy of the example. Save it to keep it."))


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


class ResultList(QListWidget):
    """The sections that have some words, the best first."""

    chosen = Signal(object)  # Topic

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Found in the guide"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemActivated.connect(self._on_item_chosen)
        self.itemClicked.connect(self._on_item_chosen)

    def show_found(self, words: str) -> None:
        """List where *words* stand."""
        self.clear()
        for hit in search(words, _FOUND):
            QListWidgetItem(_words_of(hit), self).setData(_HIT, hit.topic)
        if self.count():
            self.setCurrentRow(0)
        elif words:
            QListWidgetItem(_("Nothing was found."), self).setFlags(Qt.ItemFlag.NoItemFlags)

    def choose(self) -> None:
        """Choose the current one."""
        if self.currentItem() is not None:
            self._on_item_chosen(self.currentItem())

    @Slot(QListWidgetItem)
    def _on_item_chosen(self, item: QListWidgetItem) -> None:
        topic = item.data(_HIT)
        if isinstance(topic, Topic):
            self.chosen.emit(topic)


class HelpPanel(QWidget):
    """Shows the contents when it is first seen; reads no page before that."""

    left = Signal()

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ActionWords(context.actions)
        self._history = History()
        self.field = QLineEdit(self, placeholderText=_("Search the guide"))
        self.view = PageView(self._words.told, self)
        self.results = ResultList(self)
        self.pages = QStackedWidget(self)
        self.find_row = FindRow(self.view, self)
        self.printer = PagePrinter(self.view)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self.search)
        self._lay_out()
        self._connect()
        # a new document with the text of the example: nobody changes what was shipped
        self.view.example_wanted.connect(context.documents.copy_requested)
        self.view.text_wanted.connect(partial(open_text, context))
        context.actions.keys_changed.connect(self.view.show_again)
        self._refresh()

    def _lay_out(self) -> None:
        self.back = _button(self, "left", _("Back (Alt+Left)"), self.go_back)
        self.forward = _button(self, "right", _("Forward (Alt+Right)"), self.go_forward)
        self.home = _button(self, "home", _("Contents of the guide"), self.show_contents)
        finder = _button(self, "search", _("Find in this page"), self.find_row.open_row)
        self.print_button = _button(self, "print", _("Print this page…"), self.printer.ask)
        self.field.setAccessibleName(_("Search the guide"))
        add_clear_button(self.field)
        self.pages.addWidget(self.view)
        self.pages.addWidget(self.results)
        buttons = (self.back, self.forward, self.home)
        row = in_row(None, *buttons, 1, finder, self.print_button, margins=(8, 6, 8, 0), spacing=4)
        search = in_row(None, (self.field, 1), margins=(8, 2, 8, 4))  # below: beside the buttons large text has no room
        in_column(self, row, search, self.find_row, (self.pages, 1), margins=0, spacing=0)

    def _connect(self) -> None:
        self.view.topic_wanted.connect(self.explain)
        self.view.back_wanted.connect(self.go_back)
        self.view.forward_wanted.connect(self.go_forward)
        self.view.find_wanted.connect(self.find_row.open_row)
        self.view.left.connect(self.left)
        self.find_row.closed.connect(self.view.setFocus)
        self.field.textChanged.connect(self._rest.start)
        self.field.returnPressed.connect(self._on_return_pressed)
        self.results.chosen.connect(self._on_chosen)
        # whoever opens the pane by hand begins with the contents
        self.view.seen_empty.connect(self._on_seen_empty, Qt.ConnectionType.QueuedConnection)

    @Slot()
    def _on_seen_empty(self) -> None:
        if self.topic is None:
            self.show_contents()

    @property
    def topic(self) -> Topic | None:
        """What is shown."""
        return self._history.now.topic if self._history.now is not None else None

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
        self._show(self._history.visit(topic, self.view.place))

    @Slot()
    def go_back(self) -> None:
        """The page that was shown before."""
        self._show(self._history.back(self.view.place))

    @Slot()
    def go_forward(self) -> None:
        """The page that *Back* has left."""
        self._show(self._history.forward(self.view.place))

    def _show(self, visit: Visit | None) -> None:
        if visit is None:
            return
        page = shown_page(visit.topic)
        self.view.show_page(page, visit.topic.section, self._words.all_keys if page.name == _KEYS else str)
        if visit.place is not None:
            self.view.go_to_place(visit.place)
        self.pages.setCurrentWidget(self.view)
        self._refresh()

    def _refresh(self) -> None:
        self.back.setEnabled(bool(self._history.past))
        self.forward.setEnabled(bool(self._history.future))

    @Slot()
    def search(self) -> None:
        """List where the words in the field stand; without any, show the page again."""
        self._rest.stop()
        words = self.field.text().strip()
        self.pages.setCurrentWidget(self.results if words else self.view)
        self.results.show_found(words)

    @Slot()
    def _on_return_pressed(self) -> None:
        """Enter chooses the first that was found."""
        if self._rest.isActive():
            self.search()
        self.results.choose()

    @Slot(object)
    def _on_chosen(self, topic: Topic) -> None:
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


def _words_of(hit: Hit) -> str:
    head = hit.title if hit.title == hit.page_title else f"{hit.page_title} › {hit.title}"
    return f"{head}\n{hit.excerpt}"


def _button(parent: QWidget, icon_name: str, tooltip: str, pressed: Callable[[], None]) -> QToolButton:
    button = QToolButton(parent)
    button.setProperty("role", "tool")
    button.setIcon(icon(icon_name, Ink.MUTED))
    button.setToolTip(tooltip)
    button.setAccessibleName(tooltip)
    button.clicked.connect(pressed)
    return button
