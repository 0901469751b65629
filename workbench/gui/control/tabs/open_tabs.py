"""All documents that are open in the window, one tab each; one of them is shown.

Those that are not shown are values without a widget: they keep history, journal and how they were looked at, and their
files are watched as well.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from workbench.disk.files import absolute, look_at, real_path
from workbench.editing.document import Document
from workbench.editing.keeping.storage import DiskState
from workbench.errors import CannotRead, WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.document_controller import DocumentController, FileState, KeptDocument, Views
from workbench.gui.control.file_watch import FileWatch
from workbench.i18n import _

log = logging.getLogger(__name__)
_MOST_CLOSED = 30
LONG_BYTES = 60_000
"""A file of this size takes more time than a frame has; it is read beside the window."""


@dataclass(eq=False, slots=True)
class Tab:
    """One open document.

    *kept*: None while it is shown, and until it is first shown in this session. *views*: how it is looked at then.
    *is_preview*: it gives its place to the next one that is only looked at.
    """

    state: FileState
    kept: KeptDocument | None = None
    views: Mapping[str, object] = field(default_factory=dict)
    is_preview: bool = False

    @property
    def path(self) -> Path | None:
        """Its file; None where it was never saved."""
        return self.state.path

    @property
    def name(self) -> str:
        """What it is called: the name of its file."""
        return self.path.name if self.path is not None else _("New playbook")


@dataclass(frozen=True, slots=True)
class ClosedTab:
    """What is needed to open it again: the file, how it was looked at, and its place among the tabs."""

    path: Path
    views: Mapping[str, object]
    place: int


Then = Callable[[WorkbenchError | None], object]
"""Is told that a file is shown, or why it cannot be."""


@dataclass(slots=True)
class _Wanted:
    """A long file that somebody wants to see; *then* is called once it is there."""

    path: Path
    is_preview: bool
    then: Then


class LongFiles(QObject):
    """Reads long files beside the window, and lays them out, one after the other; each is shown once it is ready."""

    def __init__(self, tabs: OpenTabs, documents: DocumentController) -> None:
        super().__init__(tabs)
        self._tabs = tabs
        self._documents = documents
        self._waiting: list[_Wanted] = []
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_read)
        self._work.failed.connect(self._next)

    def is_meant(self, path: Path) -> bool:
        """Whether *path* is a long file that is not open yet."""
        found = look_at(path)
        return found.size >= LONG_BYTES and self._tabs.find(path) is None

    def open(self, path: Path, then: Then, *, is_preview: bool) -> None:
        """Show *path* when it has been read, and call *then*; a second click wants to keep what the first looks at."""
        known = next((each for each in self._waiting if absolute(each.path) == absolute(path)), None)
        if known is not None:
            known.is_preview = known.is_preview and is_preview
            return
        self._waiting.append(_Wanted(path, is_preview, then))
        if len(self._waiting) == 1:
            self._begin()

    def _begin(self) -> None:
        read = self._documents.reader_of(self._waiting[0].path)
        self._work.ask(partial(_read_and_ready, read, self._documents.views))

    @Slot()
    def _next(self) -> _Wanted:
        """The file that was read, or could not be; the next one is begun."""
        wanted = self._waiting.pop(0)
        if self._waiting:
            self._begin()
        return wanted

    @Slot(object)
    def _on_read(self, found: KeptDocument | WorkbenchError) -> None:
        wanted = self._next()
        if isinstance(found, WorkbenchError):
            wanted.then(found)
            return
        if self._tabs.find(wanted.path) is None:
            self._tabs.open_document(found, is_preview=wanted.is_preview)
            log.info("Opened %s", wanted.path.name)
        else:  # somebody else has opened it meanwhile
            found.document.close()
            self._tabs.open(wanted.path, is_preview=wanted.is_preview)
        wanted.then(None)


def _read_and_ready(read: Callable[[], Document], views: Views) -> KeptDocument | WorkbenchError:
    """The document with all that is needed to show it; on any thread."""
    try:
        document = read()
    except WorkbenchError as error:
        return error
    return KeptDocument(document, ready=views.made_ready(document.snapshot))


class OpenTabs(QObject):
    """The tabs in their order. *shown*: the one in front, None where none is open. *used*: the last one shown first.

    *closed*: the last one closed last. *unshown*: what becomes of the files of all others. *long*: opens long files.
    """

    changed = Signal()  # a tab has come, gone, moved, or says something else

    def __init__(self, documents: DocumentController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents = documents
        self.tabs: list[Tab] = []
        self.used: list[Tab] = []
        self.closed: list[ClosedTab] = []
        self.shown: Tab | None = None
        self.unshown = UnshownFiles(self)
        self.long = LongFiles(self, documents)
        documents.unshown_changed.connect(self.unshown.refresh)
        documents.file_state_changed.connect(self._on_file_state_changed)

    @property
    def dirty(self) -> tuple[Tab, ...]:
        """Those with something that is in no file."""
        return tuple(tab for tab in self.tabs if tab.state.is_dirty)

    def find(self, path: Path) -> Tab | None:
        """The tab of the file at *path*, under whatever name that was opened."""
        wanted, own = absolute(path), real_path(path)
        placed = ((tab, tab.path) for tab in self.tabs if tab.path is not None)
        return next((tab for tab, each in placed if absolute(each) == wanted or real_path(each) == own), None)

    def open(self, path: Path, *, is_preview: bool = False) -> None:
        """Show the file at *path*: its tab where it has one, else a new one. Raises CannotRead."""
        tab = self.find(path)
        if tab is None:
            self.open_document(KeptDocument(self._documents.beside(path)), is_preview=is_preview)
            log.info("Opened %s", path.name)
            return
        if not is_preview:
            self.keep(tab)
        self.show(tab)

    def open_document(self, kept: KeptDocument, *, is_preview: bool = False) -> None:
        """Show *kept*, which was made beside the others or comes from another window, in a new tab."""
        tab = Tab(kept.state, kept, is_preview=is_preview)
        given_up = next((each for each in self.tabs if each.is_preview), None) if is_preview else None
        before = given_up or self.shown
        self.tabs.insert(self.tabs.index(before) + 1 if before is not None else len(self.tabs), tab)
        self.show(tab)
        if given_up is not None:
            self.close(given_up)

    def add(self, path: Path, views: Mapping[str, object]) -> Tab:
        """A tab for the file at *path*, which is read when the tab is first shown, and looked at as *views* say."""
        tab = Tab(FileState(is_open=True, path=path), views=views)
        self.tabs.append(tab)
        self.used.append(tab)
        self.changed.emit()
        return tab

    def show(self, tab: Tab) -> None:
        """Show *tab* as it was left. Raises CannotRead for one whose file cannot be read; then nothing changes."""
        if tab is self.shown:
            return
        kept, path = tab.kept, tab.path
        if kept is None:
            assert path is not None, "what has no file was shown before"
            kept = KeptDocument(self._documents.beside(path), views=tab.views)
        if self.shown is not None:
            self.shown.kept = self._documents.put_away()
            self.shown.state = self.shown.kept.state
        self.shown, tab.kept = tab, None
        self.used = [tab, *(each for each in self.used if each is not tab)]
        self._documents.bring_back(kept)

    def close(self, tab: Tab) -> None:
        """Close *tab*; unsaved changes are given up. Of the others, the one that was shown last is shown."""
        if tab.path is not None and not tab.is_preview:
            self.closed[: -_MOST_CLOSED + 1] = []
            self.closed.append(ClosedTab(tab.path, self.views_of(tab), self.tabs.index(tab)))
        kept = self.take_out(tab)
        if kept is not None:
            kept.document.close()

    def take_out(self, tab: Tab) -> KeptDocument | None:
        """Let *tab* go with all that is unsaved, for another window; None where its file was not read yet."""
        kept = tab.kept
        if tab is self.shown:
            self.shown, kept = None, self._documents.put_away()
        self.tabs.remove(tab)
        self.used = [each for each in self.used if each is not tab]
        if self.shown is None:
            self._show_last()
        self.changed.emit()
        return kept

    def _show_last(self) -> None:
        for each in tuple(self.used):
            with suppress(CannotRead):
                self.show(each)
                return
        self._documents.let_go()

    def reopen(self) -> bool:
        """Open the tab that was closed last, with the text at the same place; false where none is left. CannotRead."""
        if not self.closed:
            return False
        last = self.closed.pop()
        tab = self.find(last.path)
        if tab is None:
            kept = KeptDocument(self._documents.beside(last.path), views=last.views)
            tab = Tab(kept.state, kept)
            self.tabs.insert(last.place, tab)
        self.show(tab)
        return True

    def views_of(self, tab: Tab) -> Mapping[str, object]:
        """How *tab* is looked at."""
        if tab is self.shown:
            return self._documents.views.put_away()
        return tab.kept.views if tab.kept is not None else tab.views

    def keep(self, tab: Tab) -> None:
        """Let *tab* stay where others are only looked at."""
        if tab.is_preview:
            tab.is_preview = False
            self.changed.emit()

    def move(self, start: int, end: int) -> None:
        """Put the tab at the place *start* to the place *end*."""
        self.tabs.insert(end, self.tabs.pop(start))
        self.changed.emit()

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        """Whoever showed the document: it has a tab, and what was written in stays there."""
        if state.is_open and self.shown is None:
            self.shown = Tab(state)
            self.tabs.append(self.shown)
            self.used.insert(0, self.shown)
        elif not state.is_open and self.shown is not None:
            self.tabs.remove(self.shown)
            self.used.remove(self.shown)
            self.shown = None
        elif self.shown is not None:
            self.shown.state = state
            self.shown.is_preview = self.shown.is_preview and not state.is_dirty
        self.changed.emit()


class UnshownFiles(QObject):
    """Watches the files of the tabs that are not shown: what changed outside is taken, or told on the tab."""

    def __init__(self, tabs: OpenTabs) -> None:
        super().__init__(tabs)
        self._tabs = tabs
        self._watches: dict[Tab, FileWatch] = {}
        tabs.changed.connect(self._follow)

    @Slot()
    def _follow(self) -> None:
        wanted = {tab: tab.path for tab in self._tabs.tabs if tab.kept is not None and tab.path is not None}
        for tab in self._watches.keys() - wanted.keys():
            self._watches.pop(tab).deleteLater()
        for tab in wanted.keys() - self._watches.keys():
            self._watches[tab] = FileWatch(self)
            self._watches[tab].touched.connect(partial(self._look, tab))
            self._watches[tab].watch(wanted[tab])

    @Slot()
    def refresh(self) -> None:
        """One of the documents was edited."""
        for tab in self._tabs.tabs:
            if tab.kept is not None:
                tab.state = tab.kept.state
        self._tabs.changed.emit()

    def look(self) -> None:
        """Look again at all of them: no watch sees everything."""
        for watch in self._watches.values():
            watch.look()

    def leave(self) -> None:
        """Close the documents that are not shown; unsaved changes are given up."""
        for tab in self._tabs.tabs:
            if tab.kept is not None:
                tab.kept.document.close()

    def _look(self, tab: Tab) -> None:
        kept = tab.kept
        if kept is None:
            return
        kept.disk = _seen(kept.document)
        if kept.state != tab.state:
            tab.state = kept.state
            self._tabs.changed.emit()


def _seen(document: Document) -> DiskState:
    """How *document* stands to its file, after taking what changed there where nothing is unsaved here."""
    disk = document.check_disk()
    if disk is not DiskState.CHANGED or document.is_dirty:
        return disk
    try:
        document.take_from_disk()
    except CannotRead:
        return DiskState.UNREADABLE
    return document.check_disk()
