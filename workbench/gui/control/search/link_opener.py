"""Follows links: to a file of the project and back, to a heading, and to the web when a person asks for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from workbench.disk.files import is_file
from workbench.errors import CannotRead
from workbench.gui.control.document_controller import DocumentController, FileState
from workbench.gui.control.notices import Cause, Notices
from workbench.gui.control.project_controller import ProjectController
from workbench.gui.control.search.trail import Stop, Trail
from workbench.gui.control.selection import SelectionController
from workbench.gui.words.values import drawable_line
from workbench.i18n import _
from workbench.model.links import anchor_place, links_by_step, links_of
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.project.targets import linked_file, place_of, project_of
from workbench.syntax.links import WIKIS, Link, LinkForm
from workbench.syntax.text import Span

_SCHEMES = frozenset({"http", "https", "mailto"})
ORIGIN = "link"


class LinkOpener(QObject):
    """What is open, and where it was left, is remembered in the *trail*, so that one can go back."""

    def __init__(
        self,
        documents: DocumentController,
        selection: SelectionController,
        project: ProjectController,
        notices: Notices,
        trail: Trail,
    ) -> None:
        super().__init__(trail)
        self._trail = trail
        self._documents = documents
        self._selection = selection
        self._project = project
        self._notices = notices
        self._left: Stop | None = None
        self._wanted: tuple[Path, str] | None = None
        self._is_there = False
        documents.document_opened.connect(self._on_document_opened)
        documents.file_state_changed.connect(self._on_file_state_changed)

    def links_at(self, step: StepId) -> tuple[Link, ...]:
        """The links in the words of *step* that lead somewhere."""
        found = links_by_step(self._documents.snapshot).get(step, ())
        return tuple(link for link in found if link.target and (not link.is_image or link.form in WIKIS))

    def link_at(self, offset: int) -> Link | None:
        """The link whose text covers *offset*."""
        found = links_of(self._documents.snapshot)
        return next((link for link in found if link.span.start <= offset < link.span.end), None)

    def place_of(self, path: str) -> Path | None:
        """The file of the project that *path*, as links have it, leads to; None where that is not in the project."""
        file = self._documents.file_state.path
        return place_of(project_of(file, self._project.folder), file, path) if file is not None else None

    def open(self, link: Link) -> None:
        """Go where *link* leads."""
        if link.is_web:
            self._open_address(link.target)
        elif link.form in WIKIS:
            found = self._project.index.path_named(link.path)
            self._open_place(self._project.index.root / found if found else None, link.path, link.anchor)
        elif link.path:
            self.open_path(link.path, link.anchor)
        else:
            self._show_anchor(self._documents.snapshot, link.anchor)

    @Slot(object)
    def open_target(self, target: str) -> None:
        """Open what a link leads to that is not known by its place in the text: it may be the name of a wiki link."""
        nowhere = Span(0, 0)
        link = Link(LinkForm.INLINE, nowhere, target, nowhere, target, nowhere)
        place = self.place_of(link.path) if link.path else None
        is_page = bool(self._project.index.path_named(link.path)) and (place is None or not is_file(place))
        self.open(replace(link, form=LinkForm.WIKI) if is_page else link)

    def open_path(self, path: str, anchor: str = "") -> None:
        """Open the file that *path*, as links have it, leads to; tells in the window why it cannot be opened."""
        file = self._documents.file_state.path
        if file is None:
            self._notices.tell(_("Save this file first: its links count from the folder that it is in."))
            return
        try:
            place = linked_file(project_of(file, self._project.folder), file, path)
        except CannotRead as error:
            self._notices.report(error, Cause.OPENING)
            return
        self._open_place(place, path, anchor)

    def open_selected(self) -> None:
        """Open the first file that the selected step links to."""
        links = [link for step in self._selection.selected[:1] for link in self.links_at(step) if not link.is_web]
        if links:
            self.open(links[0])
        else:
            self._notices.tell(_("This step links to no file."))

    def _open_place(self, place: Path | None, path: str, anchor: str) -> None:
        if place is None or not is_file(place):
            words = _("There is no file “{name}”, which a link leads to.").format(name=drawable_line(path))
            self._notices.report(CannotRead(words), Cause.OPENING)
            return
        file = self._documents.file_state.path
        if file is not None:
            steps = [step for step in self._selection.selected[:1] if self._documents.snapshot.has(step)]
            start = self._documents.snapshot.head_span(steps[0]).start if steps else 0
            self._left = Stop(file, Span(start, start))
        self._wanted = place, anchor
        self._documents.open_requested.emit(place)

    def _open_address(self, address: str) -> None:
        url = QUrl(address if not address.startswith("//") else f"https:{address}")
        if url.scheme().lower() not in _SCHEMES:
            words = _("“{address}” is no page of the web, so it is not opened.")
            self._notices.tell(words.format(address=drawable_line(address)))
        elif QDesktopServices.openUrl(url):
            self._notices.tell(_("Opened {address} in the browser").format(address=drawable_line(address)))

    @Slot(object)
    def _on_document_opened(self, _snapshot: Snapshot) -> None:
        """Where another file was opened meanwhile, nobody waits for this one any more."""
        self._is_there = self._wanted is not None and self._wanted[0] == self._documents.document.path
        if not self._is_there:
            self._wanted = self._left = None

    @Slot(object)
    def _on_file_state_changed(self, _state: FileState) -> None:
        """All panes show the file: remember where it came from, and show the place that the link names."""
        wanted, left = self._wanted, self._left
        if not self._is_there or wanted is None:
            return
        self._is_there, self._wanted, self._left = False, None, None
        if left is not None:
            self._trail.leave(left)
        if wanted[1]:
            self._show_anchor(self._documents.snapshot, wanted[1])

    def _show_anchor(self, snapshot: Snapshot, anchor: str) -> None:
        place = anchor_place(snapshot, anchor)
        if place is not None:
            self._show(snapshot, place)

    def _show(self, snapshot: Snapshot, place: Span) -> None:
        step = snapshot.step_at(min(place.start, max(len(snapshot.text) - 1, 0)))
        if step is not None:
            self._selection.reveal((step,), ORIGIN)
        self._selection.show_place(place)
