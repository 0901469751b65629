"""The links of a block: what its menu offers, and what the project knows of the files that it leads to."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from workbench.gui.canvas.content.file_nodes import FileLabel, nothing_known
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import icon
from workbench.gui.words.file_kinds import FILE_KINDS
from workbench.gui.words.values import menu_text, tip
from workbench.i18n import _
from workbench.model.links import read_words
from workbench.model.program import StepId
from workbench.syntax.links import Link

_LONGEST = 80
_MOST = 12


class StepLinks(QObject):
    """Keeps the boxes of linked files in step with what the project knows, and opens what is clicked."""

    def __init__(self, view: CanvasView, context: WindowContext) -> None:
        super().__init__(view)
        self._view = view
        self._context = context
        self._offered: dict[QAction, Link] = {}
        view.state.label_of = self.label_of
        context.project.index_changed.connect(self._on_index_changed)

    def label_of(self, path: str) -> FileLabel:
        """What is known of the file that *path*, as links have it, leads to."""
        index, file = self._context.project.index, self._context.documents.document.path
        here = index.path_of(file) if file is not None and index.folders else ""
        if not here:
            return nothing_known(path)
        from workbench.project.index import joined_path  # noqa: PLC0415 - loaded with the first project

        target = joined_path(here, path)
        if not target:
            return nothing_known(path)
        entry = index.entries.get(target)
        if entry is None:
            return FileLabel(is_missing=target not in index.files)
        return FileLabel(entry.title, FILE_KINDS[entry.kind].icon if entry.kind is not None else "file")

    def add_to(self, menu: QMenu, step: StepId) -> None:
        """Offer to open each link of *step*; the whole address of a page is shown before anything is opened."""
        self._offered = {}
        for link in dict.fromkeys(self._context.links.links_at(step)):
            if len(self._offered) == _MOST:
                break
            action = menu.addAction(icon("window" if link.is_web else "link"), menu_text(_words(link)))
            action.setToolTip(tip(link.target))
            action.triggered.connect(partial(self._open, action))
            self._offered[action] = link
        if self._offered:
            menu.addSeparator()

    @Slot()
    def _open(self, action: QAction) -> None:
        self._context.links.open(self._offered[action])

    @Slot(str)
    def open_file(self, path: str) -> None:
        """Open the file whose box was clicked."""
        self._context.links.open_path(path)

    @Slot(object)
    def _on_index_changed(self, _index: object) -> None:
        if any(playbook.links for playbook in self._view.state.layout.playbooks):
            self._view.shown.outdate()
            self._view.refresh_items()


def _words(link: Link) -> str:
    """*Open the plan (plan.md)*; of a page all of its address."""
    if link.is_web:
        return _("Open {address}").format(address=link.target)
    words = read_words(link.words)[:_LONGEST]
    return _("Open {words} ({path})").format(words=words, path=link.target[:_LONGEST])
