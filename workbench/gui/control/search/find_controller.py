"""What is looked for in the open document: where it stands, the next one, and what is put in its place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from workbench.editing.change import DocumentChange
from workbench.editing.commands import EditText, Refusal
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.document_controller import DocumentController
from workbench.gui.control.notices import Notices
from workbench.gui.control.selection import SelectionController
from workbench.i18n import _, ngettext
from workbench.model.snapshot import Snapshot
from workbench.search.document import StepMatches, found_in
from workbench.search.matching import Finder, Found, Match, Query
from workbench.search.replacing import Replacement, edits_of
from workbench.syntax.change import Side, TextEdit
from workbench.syntax.text import Span

ORIGIN = "find"


@dataclass(frozen=True, slots=True)
class _Answer:
    """What was found of *query* in *snapshot*."""

    query: Query
    snapshot: Snapshot
    found: Found


class FindController(QObject):
    """Looks again whenever the text changes, until ``stop``. *replacing*: what puts something else there.

    *found*: what stands in *snapshot*; *steps*: how much of it in each step. *within*: only this part is looked at.
    Words are looked for at once; an expression beside the window, since it may take a second.
    """

    changed = Signal()  # something else was found, or another part is looked at
    moved = Signal()  # another match is the current one

    def __init__(
        self, documents: DocumentController, selection: SelectionController, notices: Notices, parent: QObject | None
    ) -> None:
        super().__init__(parent)
        self._documents = documents
        self._selection = selection
        self._finder = Finder()
        self._background = BackgroundWork(self)
        self._background.done.connect(self._on_answered)
        self._next_from: int | None = None
        self.query = Query("")
        self.within: Span | None = None
        self._known: tuple[Query, Span | None] = self.query, self.within
        self.snapshot = documents.snapshot
        self.found = Found()
        self.steps = StepMatches(self.snapshot, self.found)
        self.replacing = ReplaceController(self, documents, notices)
        documents.change_shown.connect(self._on_document_changed)
        documents.document_opened.connect(self._on_document_opened)
        selection.caret_changed.connect(self.moved)

    @property
    def is_searching(self) -> bool:
        """Whether what was found last does not fit the text, or what is looked for now."""
        return self.snapshot is not self._documents.snapshot or self._known != (self.query, self.within)

    @property
    def current(self) -> int | None:
        """Which of the matches is selected in the source."""
        caret, matches = self._selection.caret, self.found.matches
        at = _first_at(matches, caret.start)
        is_there = at < len(matches) and matches[at].span == caret
        return at if is_there and not self.is_searching else None

    def look(self, query: Query, within: Span | None = None) -> None:
        """Look for *query*, and show the first match from the caret on."""
        self.query, self.within = query, within
        self._next_from = self._selection.caret.start
        self._search()

    def stop(self) -> None:
        """Nothing is looked for any more."""
        self.query, self.within, self._next_from = Query(""), None, None
        self._background.forget()
        self._finder.close()
        self._take(Found())

    def go_on(self) -> None:
        """Show the next match, behind the last one the first."""
        matches, caret, at = self.found.matches, self._selection.caret, self.current
        if matches and not self.is_searching:
            self._show(matches[(_first_at(matches, caret.end) if at is None else at + 1) % len(matches)])

    def go_back(self) -> None:
        """Show the match before, before the first one the last."""
        matches, caret, at = self.found.matches, self._selection.caret, self.current
        if matches and not self.is_searching:
            self._show(matches[(_first_at(matches, caret.start) if at is None else at) - 1])

    def go_from(self, offset: int) -> None:
        """Show the first match from *offset* of the text on, once it is known."""
        self._selection.show_text(Span(offset, offset))
        self._next_from = offset
        self._show_first()

    def _search(self) -> None:
        snapshot, query = self._documents.snapshot, self.query
        if query.is_regex and query.words:
            self._background.ask(partial(_answer, self._finder, query, snapshot, self.within))
        else:
            self._background.forget()
            self._on_answered(_answer(self._finder, query, snapshot, self.within))

    @Slot(object)
    def _on_answered(self, answer: _Answer) -> None:
        if answer.snapshot is self._documents.snapshot and answer.query == self.query:
            self._take(answer.found)
            self._show_first()

    def _take(self, found: Found) -> None:
        self.snapshot, self.found = self._documents.snapshot, found
        self._known = self.query, self.within
        self.steps = StepMatches(self.snapshot, found)
        self.changed.emit()

    def _show_first(self) -> None:
        """Show the first match from where it is wanted, once all of them are known."""
        if self._next_from is not None and not self.is_searching:
            matches, start, self._next_from = self.found.matches, self._next_from, None
            if matches:
                self._show(matches[_first_at(matches, start) % len(matches)])

    def _show(self, match: Match) -> None:
        step = self.snapshot.step_at(match.span.start)
        if step is not None:
            self._selection.reveal((step,), ORIGIN)
        self._selection.show_text(match.span)

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        if self.query.is_empty:
            return
        if self.within is not None:
            ends = (self.within.start, Side.BEFORE), (self.within.end, Side.AFTER)
            self.within = Span(*(change.change.map_position(*end) for end in ends))
        self._search()

    @Slot(object)
    def _on_document_opened(self, _snapshot: Snapshot) -> None:
        self.within = self._next_from = None
        self._search()


class ReplaceController(QObject):
    """Puts something in the place of what *find* has found."""

    def __init__(self, find: FindController, documents: DocumentController, notices: Notices) -> None:
        super().__init__(find)
        self._find = find
        self._documents = documents
        self._notices = notices

    def replace_one(self, replacement: Replacement) -> None:
        """Replace the match that is selected, and show the next one; where none is selected, only show it."""
        find, at = self._find, self._find.current
        edits = edits_of(find.snapshot.text, () if at is None else (find.found.matches[at],), replacement)
        if self._edit(edits, _("Replace")):
            find.go_from(edits[0].span.start + len(edits[0].insert))
        else:
            find.go_on()

    def replace_all(self, replacement: Replacement) -> None:
        """Replace all matches, as one change that can be taken back."""
        found = self._find.found
        if self._edit(edits_of(self._find.snapshot.text, found.matches, replacement), _("Replace all")):
            count = sum(not match.is_as_read for match in found.matches)
            self._notices.tell(ngettext("Replaced {count} match", "Replaced {count} matches", count))
            if found.is_cut:
                self._notices.tell(_("There is more to replace. Choose “Replace all” again."))

    def _edit(self, edits: tuple[TextEdit, ...], label: str) -> bool:
        """Whether *edits* were made: not while what was found does not fit the text any more."""
        if not edits or self._find.is_searching:
            return False
        return not isinstance(self._documents.execute(EditText(edits, label)), Refusal)


def _answer(finder: Finder, query: Query, snapshot: Snapshot, within: Span | None) -> _Answer:
    return _Answer(query, snapshot, found_in(finder, query, snapshot, within))


def _first_at(matches: Sequence[Match], start: int) -> int:
    """The first of *matches* that begins at *start* or behind it."""
    return bisect_left(matches, start, key=lambda match: match.span.start)
