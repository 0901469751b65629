"""Notes about what the person wants: learned from what they change and say, shown, changed, switched off, woven in.

Each note is one line. Some are told to whoever plans, and some change a plan by rule as well; what each of them has
done, and where, is kept.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from workbench.engine.journal.cycle_events import WovenNote
from workbench.i18n import _
from workbench.library.entries import now_text
from workbench.model.plans.writing import one_line
from workbench.model.snapshot import Snapshot
from workbench.model.versions.comparing import compare_versions
from workbench.planning.request import PersonalNote
from workbench.planning.shelf.entries import MOST_TOLD, Effect, Note, NoteKind, NoteSource, NotOnShelf
from workbench.planning.shelf.store import Shelf

MOST_TEXT = 300
MOST_WOVEN = 20
"""So many notes are told to whoever plans; the newest ones."""
_COLUMNS = "id, text, source, kind, old, new, about, is_on, made_at"


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes of the person whose *shelf* it is."""

    shelf: Shelf

    def all(self) -> tuple[Note, ...]:
        """All of them, the newest first."""
        query = f"SELECT {_COLUMNS} FROM note WHERE owner=? ORDER BY made_at DESC, row DESC"
        with self.shelf.reading() as connection:
            return tuple(map(_as_note, connection.execute(query, (self.shelf.owner,))))

    def woven(self) -> tuple[Note, ...]:
        """Those that are switched on, at most so many as are woven in."""
        return tuple(each for each in self.all() if each.is_on)[:MOST_WOVEN]

    def add(self, note: Note) -> Note:
        """*note* as it is kept; what is noted already is not noted twice. Raises NotOnShelf for one without words."""
        text = one_line(note.text)[:MOST_TEXT]
        if not text:
            raise NotOnShelf(_("A note needs a few words."))
        name = hashlib.sha256(f"{self.shelf.owner}\0{text}".encode("utf-8", "replace")).hexdigest()[:8]
        kept = (name, self.shelf.owner, text, note.source.value, note.kind.value, note.old, note.new, note.about)
        with self.shelf.writing() as connection:
            connection.execute(
                """INSERT OR IGNORE INTO note (id, owner, text, source, kind, old, new, about, is_on, made_at)
                VALUES (?,?,?,?,?,?,?,?,?,?)""",
                (*kept, note.is_on, now_text()),
            )
        return self.named(name)

    def named(self, prefix: str) -> Note:
        """The note whose id begins with *prefix*. Raises NotOnShelf."""
        found = [each for each in self.all() if prefix and each.id.startswith(prefix)]
        if not found:
            raise NotOnShelf(_("There is no note whose id begins with “{id}”.").format(id=prefix))
        if found[1:]:
            told = "\n".join(f"  {each.id}  {each.text}" for each in found[:MOST_TOLD])
            message = _("“{id}” can be each of these notes. Give more of an id:")
            raise NotOnShelf(message.format(id=prefix) + "\n" + told)
        return found[0]

    def change(self, prefix: str, text: str) -> Note:
        """The note with other words, which are only told from then on. Raises NotOnShelf."""
        note, words = self.named(prefix), one_line(text)[:MOST_TEXT]
        if not words:
            raise NotOnShelf(_("A note needs a few words."))
        self._set(note, "text=?, kind=?, old='', new=''", words, NoteKind.WORDS.value)
        return self.named(note.id)

    def switch(self, prefix: str, *, is_on: bool) -> Note:
        """The note, woven in from now on or not. Raises NotOnShelf."""
        self._set(note := self.named(prefix), "is_on=?", is_on)
        return self.named(note.id)

    def forget(self, prefix: str) -> None:
        """Take a note away, with what is known of its effects. Raises NotOnShelf."""
        note = self.named(prefix)
        with self.shelf.writing() as connection:
            connection.execute("DELETE FROM effect WHERE note=?", (note.id,))
            connection.execute("DELETE FROM note WHERE id=?", (note.id,))

    def _set(self, note: Note, what: str, *values: object) -> None:
        with self.shelf.writing() as connection:
            try:
                connection.execute(f"UPDATE note SET {what} WHERE id=?", (*values, note.id))
            except sqlite3.IntegrityError as error:
                raise NotOnShelf(_("There is such a note already.")) from error

    def note_effects(self, cycle: str, effects: Iterable[WovenNote]) -> None:
        """Keep what notes have done in the cycle *cycle*."""
        at = now_text()
        rows = [(each.note, cycle, each.place, each.before, each.after, at) for each in effects]
        with self.shelf.writing() as connection:
            connection.executemany("INSERT OR IGNORE INTO effect VALUES (?,?,?,?,?,?)", rows)

    def effects(self, note: str = "", cycle: str = "") -> tuple[Effect, ...]:
        """What *note*, or all of them, have done, in *cycle* or anywhere; the newest first."""
        query = """SELECT note, cycle, place, before, after, at FROM effect
            WHERE (?1 = '' OR note = ?1) AND (?2 = '' OR cycle = ?2) ORDER BY at DESC, rowid DESC"""
        with self.shelf.reading() as connection:
            return tuple(Effect(*row) for row in connection.execute(query, (note, cycle)))


def told(notes: Iterable[Note]) -> tuple[PersonalNote, ...]:
    """*notes* as they go into a request."""
    return tuple(PersonalNote(each.id, each.text, each.old, each.new) for each in notes)


def from_edit(before: Snapshot, after: Snapshot, goal: str) -> tuple[Note, ...]:
    """What can be learned from *before* having become *after* by a person's hand: steps said otherwise, or left out."""
    found: list[Note] = []
    for step in compare_versions(before, after).steps:
        old, new = (each.text if each is not None else "" for each in (step.old, step.new))
        if old and new and old != new:
            words = _("Say “{new}” rather than “{old}”.").format(new=new, old=old)
            found.append(Note("", words, NoteSource.EDIT, NoteKind.REPLACE, old, new, goal))
        elif old and not new:
            found.append(
                Note("", _("Leave out “{old}”.").format(old=old), NoteSource.EDIT, NoteKind.LEAVE_OUT, old, "", goal)
            )
        elif new and not old:
            found.append(Note("", _("Include “{new}”.").format(new=new), NoteSource.EDIT, about=goal))
    return tuple(found)


def from_answer(reason: str, goal: str) -> tuple[Note, ...]:
    """What can be learned from the *reason* for which a person did not accept a playbook."""
    words = one_line(reason)
    return (Note("", words, NoteSource.ANSWER, about=goal),) if words else ()


def from_detour(step: str, reason: str, goal: str) -> Note:
    """What can be learned from *step* having deviated for *reason*, so that the run went on with another text."""
    words = _("“{step}” did not work once ({reason}); have another way for it.")
    return Note(
        "", words.format(step=one_line(step)[:100], reason=one_line(reason)[:120]), NoteSource.DEVIATION, about=goal
    )


def _as_note(row: tuple[object, ...]) -> Note:
    id_, text, source, kind, old, new, about, is_on, made_at = row
    ways = NoteSource(str(source)), NoteKind(str(kind))
    return Note(str(id_), str(text), *ways, str(old), str(new), str(about), bool(is_on), str(made_at))
