"""What the views of the shelf ask of it: on a thread beside the window, for another program may hold the file."""

from __future__ import annotations

import enum
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from workbench.disk.files import is_there
from workbench.engine.language.procedures.start import who
from workbench.errors import WorkbenchError
from workbench.gui.control.background import BackgroundWork, Job
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.i18n import _, ngettext, numeral
from workbench.model.layout.program import Layout, layout_program
from workbench.model.snapshot import Snapshot
from workbench.planning.checking import read_text
from workbench.planning.request import PlaybookFormat
from workbench.planning.shelf.entries import Effect, Entry, Kept, Note, NotOnShelf, RunOfIt, VersionOfIt
from workbench.planning.shelf.notes import Notes
from workbench.planning.shelf.reusing import Copy, copy_of
from workbench.planning.shelf.store import Shelf, stamp_of, versions_of
from workbench.syntax.text import SourceText

MOST_FOUND = 200
"""So many are shown of those that fit a goal: whoever needs more says more."""
_MOST_RUNS = 100


class Sort(enum.Enum):
    """In which order all that is kept is listed."""

    NEWEST = "newest"
    RATING = "rating"
    USED = "used"
    TITLE = "title"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be listed. *goal*: in words, empty for all. *tag*: empty for any."""

    goal: str = ""
    tag: str = ""
    sort: Sort = Sort.NEWEST


@dataclass(frozen=True, slots=True)
class Listing:
    """What a wish has found. *count*: of all that is kept. *tags*: of all of it, each with how many have it.

    *stamp*: of the shelf as it was looked at.
    """

    wish: Wish
    entries: tuple[Entry, ...] = ()
    tags: tuple[tuple[str, int], ...] = ()
    count: int = 0
    stamp: int = 0


@dataclass(frozen=True, slots=True)
class Whole:
    """All that is known of one entry, in one *version*. *notes*: those that were woven in, in words.

    *snapshot*, *layout*: of its text, ready to be drawn.
    """

    entry: Entry
    version: int
    kept: Kept
    versions: tuple[VersionOfIt, ...]
    runs: tuple[RunOfIt, ...]
    notes: tuple[str, ...]
    effects: tuple[Effect, ...]
    snapshot: Snapshot
    layout: Layout


@dataclass(frozen=True, slots=True)
class Noted:
    """The notes of the person, and what they have done; *titles*: of kept playbooks, by their ids."""

    notes: tuple[Note, ...] = ()
    effects: tuple[Effect, ...] = ()
    titles: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """A copy that is ready to be opened. *notes*: those of the person, as far as they may be used."""

    whole: Whole
    notes: tuple[Note, ...]
    copy: Copy


class ShelfDesk(QObject):
    """The shelf of one window. What is asked for comes as a signal, or to whoever asked; errors as values."""

    listed = Signal(object)  # Listing | WorkbenchError
    opened = Signal(object)  # Whole | WorkbenchError
    noted = Signal(object)  # Noted | WorkbenchError
    stale = Signal()  # somebody else has written to the shelf
    changed = Signal()  # this window has

    def __init__(self, context: WindowContext, parent: QObject) -> None:
        super().__init__(parent)
        self.context = context
        self._path = context.places.shelf_file
        self._opening = threading.Lock()
        self._shelf: Shelf | None = None
        self._stamp = 0
        # all that is kept, with its stamp: to read it takes longer than to search it
        self._every: tuple[int, tuple[Entry, ...]] | None = None
        self._works: dict[str, BackgroundWork] = {}
        for name, told in (("list", self.listed), ("open", self.opened), ("notes", self.noted)):
            self._works[name] = BackgroundWork(self)
            self._works[name].done.connect(told)
        self._looking = BackgroundWork(self)
        self._looking.done.connect(self._on_looked)
        self.listed.connect(self._on_listed)

    def store(self) -> Shelf:
        """The shelf itself, made where there is none yet; for other threads. Raises StoreFailed."""
        with self._opening:
            if self._shelf is None:
                self._shelf = Shelf(self._path, who())
            return self._shelf

    def list(self, wish: Wish) -> None:
        """Tell what *wish* finds."""
        self._works["list"].ask(partial(safely, partial(self._listing, wish)))

    def open(self, entry: str, version: int = 0) -> None:
        """Tell all of the entry with the id *entry*; *version* 0: the newest."""
        self._works["open"].ask(partial(safely, partial(self._whole, entry, version)))

    def look_at_notes(self) -> None:
        """Tell what is noted."""
        self._works["notes"].ask(partial(safely, self._noted))

    def look(self) -> None:
        """Look whether somebody else has written to the shelf."""
        self._looking.ask(partial(safely, self._stamp_now))

    def do(self, work: Callable[[Shelf], object], then: Callable[[object], None] | None = None) -> None:
        """Do *work*, which writes to the shelf or reads from it; *then* hears what came of it, errors are told."""
        _Errand(self, then).begin(lambda: work(self.store()))

    def prepare(self, entry: str, version: int, then: Callable[[object], None]) -> None:
        """Have *then* hear of a copy of the entry (``Prepared``), with the notes that the person wants used."""
        uses_notes = self.context.settings.current.uses_notes
        self.do(partial(_prepared, entry, version, uses_notes), then)

    def take(self, then: Callable[[object], None] | None, result: object) -> None:
        """Tell *then*, or all views, of what came of an errand, which may have changed what is kept."""
        self._every = None
        if isinstance(result, WorkbenchError):
            self.context.notices.report(result, Cause.OTHER_FILE)
            self.changed.emit()  # what is shown may be gone
        elif then is not None:
            then(result)
        else:
            self.changed.emit()

    @Slot(object)
    def _on_listed(self, found: Listing | WorkbenchError) -> None:
        self._stamp = found.stamp if isinstance(found, Listing) else -1

    @Slot(object)
    def _on_looked(self, stamp: int | WorkbenchError) -> None:
        if isinstance(stamp, int) and stamp != self._stamp:
            self._stamp = stamp
            self.stale.emit()

    def _stamp_now(self) -> int:
        return stamp_of(self.store()) if is_there(self._path) else 0

    def _listing(self, wish: Wish) -> Listing:
        if not is_there(self._path):  # looking makes none
            return Listing(wish)
        shelf = self.store()
        stamp = stamp_of(shelf)
        if self._every is None or self._every[0] != stamp:
            self._every = stamp, shelf.entries()
        every = self._every[1]
        if wish.goal.strip():
            found = tuple(each.entry for each in shelf.search(wish.goal, MOST_FOUND, wish.tag, is_typing=True))
        else:
            found = in_order([each for each in every if not wish.tag or wish.tag in each.tags], wish.sort)
        counted = Counter(tag for each in every for tag in each.tags)
        return Listing(wish, found, tuple(sorted(counted.items())), len(every), stamp)

    def _whole(self, prefix: str, version: int) -> Whole:
        if not is_there(self._path):
            raise NotOnShelf("")
        return whole_of(self.store(), prefix, version)

    def _noted(self) -> Noted:
        if not is_there(self._path):
            return Noted()
        shelf = self.store()
        notes = Notes(shelf)
        return Noted(notes.all(), notes.effects(), tuple((each.id, each.title) for each in shelf.entries()))


def _prepared(entry: str, version: int, uses_notes: bool, shelf: Shelf) -> Prepared:
    whole = whole_of(shelf, entry, version)
    notes = Notes(shelf).all() if uses_notes else ()
    return Prepared(whole, notes, copy_of(whole.kept, notes))


class _Errand(QObject):
    """Something that is done once, and who hears of it; goes when that is over."""

    def __init__(self, desk: ShelfDesk, then: Callable[[object], None] | None) -> None:
        super().__init__(desk)
        self._desk, self._then = desk, then

    def begin(self, work: Callable[[], object]) -> None:
        """Do *work* on another thread; it may change what is kept."""
        job = Job(partial(safely, work))
        job.outcome.done.connect(self._on_done)
        job.outcome.failed.connect(self._on_failed)
        job.start()

    @Slot(object)
    def _on_done(self, result: object) -> None:
        self._desk.take(self._then, result)
        self.deleteLater()

    @Slot(object)
    def _on_failed(self, mistake: Exception) -> None:
        """A mistake of ours: it is to be told on the window's thread."""
        self.deleteLater()
        raise mistake


def safely(work: Callable[[], object]) -> object:
    """What *work* gives, or why the world does not let it happen."""
    try:
        return work()
    except WorkbenchError as error:
        return error


def whole_of(shelf: Shelf, prefix: str, version: int) -> Whole:
    """All that is known of an entry. Raises StoreFailed, NotOnShelf."""
    entry, kept, notes = shelf.entry(prefix), shelf.kept(prefix, version), Notes(shelf)
    known = {each.id: each.text for each in notes.all()}
    cycle = kept.origin.cycle
    snapshot = read_text(kept.text, PlaybookFormat(kept.format))
    return Whole(
        entry,
        version or entry.version,
        kept,
        versions_of(shelf, entry.id),
        shelf.runs(entry.id)[:_MOST_RUNS],
        tuple(known.get(each, each) for each in kept.origin.notes),
        notes.effects(cycle=cycle) if cycle else (),
        snapshot,
        layout_program(snapshot),
    )


def text_of(desk: ShelfDesk, entry: str, version: int) -> SourceText:
    """The text of one version, on another thread. Raises StoreFailed, NotOnShelf."""
    return SourceText(desk.store().kept(entry, version).text)


def in_order(entries: list[Entry], sort: Sort) -> tuple[Entry, ...]:
    """*entries*, which come the newest first, as they are wanted."""
    if sort is Sort.TITLE:
        return tuple(sorted(entries, key=lambda each: each.title.casefold()))
    if sort is Sort.RATING:
        return tuple(sorted(entries, key=lambda each: each.rating, reverse=True))
    if sort is Sort.USED:
        return tuple(sorted(entries, key=lambda each: each.used_at, reverse=True))
    return tuple(entries)


def said_of(found: Listing) -> str:
    """What is listed, where that is not plain from the list itself."""
    if found.count and not found.entries:
        return _("Nothing fits. Say the goal in other words, or choose any tag.")
    if found.wish.goal.strip() or found.wish.tag:
        count = len(found.entries)
        words = ngettext("{count} of {all} fits", "{count} of {all} fit", count)
        return words.format(count=numeral(count), all=numeral(found.count))
    return ""


def suggested_name(title: str, ending: str) -> Path:
    """A name for a file with what is called *title*."""
    stem = "-".join("".join(each if each.isalnum() else " " for each in title.lower()).split())[:60]
    return Path(f"{stem or 'playbook'}{ending}")
