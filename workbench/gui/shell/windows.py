"""Further windows of the same program: each has its own controllers, and documents go from one to the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget

from workbench.gui.control.context import WindowContext, window_context
from workbench.gui.control.document_controller import KeptDocument
from workbench.gui.control.tabs.open_tabs import OpenTabs, Tab

_APART_PX = 40
_OF_DOCUMENT = frozenset({"selection", "canvas", "source", "breakpoints"})


class NewWindows(QObject):
    """Makes windows beside *window*; *make* gives one for a context. *opened*: those that are still open."""

    def __init__(self, context: WindowContext, window: QWidget, make: Callable[[WindowContext], QWidget]) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._make = make
        self.opened: list[tuple[WindowContext, QWidget]] = []
        context.actions.register("window.new", self.open)
        context.actions.register("tab.new-window", self._move_shown)

    def open(self) -> WindowContext:
        """Show a new, empty window; the context of that."""
        owner = QObject(QApplication.instance())
        context = window_context(self._context.places, owner)
        context.documents.rooms = self._context.documents.rooms
        window = self._make(context)
        window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        window.destroyed.connect(owner.deleteLater)
        window.destroyed.connect(partial(self._forget, context))
        self.opened.append((context, window))
        window.resize(self._window.size())
        window.move(self._window.pos() + QPoint(_APART_PX, _APART_PX))
        window.show()
        return context

    def move_to_new(self, tab: Tab) -> None:
        """Show *tab* in a window of its own, with all that can be undone."""
        move_tab(tab, self._context.tabs, self.open().tabs)

    def _move_shown(self) -> None:
        if self._context.tabs.shown is not None:
            self.move_to_new(self._context.tabs.shown)

    def _forget(self, context: WindowContext, _window: object = None) -> None:
        self.opened = [each for each in self.opened if each[0] is not context]


def move_tab(tab: Tab, source: OpenTabs, target: OpenTabs) -> None:
    """Take *tab* from *source* to *target*, and show it there as it was looked at. Raises CannotRead."""
    if tab.path is not None and tab.kept is None and tab is not source.shown:
        target.open(tab.path)  # it was not read yet, and goes only where it can be
        source.take_out(tab)
        return
    views = source.views_of(tab)
    kept = source.take_out(tab)
    assert kept is not None, "it was read"
    views = {name: view for name, view in views.items() if name in _OF_DOCUMENT}
    target.open_document(KeptDocument(kept.document, kept.disk, views))
