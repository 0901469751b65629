"""What stands on the shelf, as values: playbooks with where they come from, and notes about the person."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from workbench.errors import WorkbenchError
from workbench.i18n import _, ngettext, numeral
from workbench.library.entries import lower_bound

MOST_TOLD = 10
"""How many of those that could be meant are named in a refusal."""


class NotOnShelf(WorkbenchError):
    """Nothing on the shelf is meant, or more than one thing."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a playbook comes from. *by*: who made plan and text; *cycle*: the run that made it, empty where none did.

    *patterns*: what had worked before, as it was shown; *notes*: the ids of notes that were woven in.
    """

    goal: str
    by: str = ""
    cycle: str = ""
    patterns: str = ""
    notes: tuple[str, ...] = ()
    context: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A playbook as it is put on the shelf. *plan*: as JSON, empty where it has none.

    *imports*: the texts of files that it imports, by the path that it names; *tools*: what it may call, as JSON.
    """

    title: str
    text: str
    format: str
    origin: Origin
    description: str = ""
    plan: Mapping[str, Any] = field(default_factory=dict)
    imports: Mapping[str, str] = field(default_factory=dict)
    tools: tuple[Mapping[str, Any], ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A playbook on the shelf, in its newest *version*. *successes*, *failures*: of its runs, all versions together.

    *made_at*, *used_at*: ISO 8601 in UTC; *used_at* empty where it never ran. *by*: who made its newest version.
    """

    id: str
    title: str
    goal: str
    description: str
    format: str
    owner: str
    tags: tuple[str, ...]
    version: int
    made_at: str
    used_at: str = ""
    successes: int = 0
    failures: int = 0
    by: str = ""

    @property
    def rating(self) -> float:
        """From 0 to 1: the share of runs that went well, as far as it can be counted on."""
        return lower_bound(self.successes, self.successes + self.failures)

    @property
    def record(self) -> str:
        """Its runs in words."""
        count = self.successes + self.failures
        if not count:
            return _("never run")
        words = ngettext("went well in {successes} of {count} run", "went well in {successes} of {count} runs", count)
        return words.format(successes=numeral(self.successes), count=numeral(count))

    @property
    def made(self) -> str:
        """When and by whom, on the clock of the person: what tells entries of one title apart."""
        try:
            at = datetime.fromisoformat(self.made_at).astimezone().strftime("%Y-%m-%d %H:%M")
        except (ValueError, OverflowError):
            at = self.made_at
        return f"{at}, {self.by}" if self.by else at


def chosen(name: str, entries: Iterable[Entry]) -> Entry:
    """The one of *entries* that *name* means: the beginning of its id, or its title. Raises NotOnShelf, with all that
    could be meant.
    """
    wanted = " ".join(name.split()).casefold()
    found = [each for each in entries if name and (each.id.startswith(name) or each.title.casefold() == wanted)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotOnShelf(_("Nothing on the shelf has the title “{name}”, or an id that begins so.").format(name=name))
    told = [f"  {each.id}  {each.title}  {each.made}" for each in found[:MOST_TOLD]]
    message = _("“{name}” can be each of these playbooks on the shelf. Give more of an id:")
    more = ["  …"] if found[MOST_TOLD:] else []
    raise NotOnShelf("\n".join((message.format(name=name), *told, *more)))


@dataclass(frozen=True, slots=True)
class Found:
    """Something that a search found. *fit*: from 0 to 1, the share of the goal's words that it has."""

    entry: Entry
    fit: float


@dataclass(frozen=True, slots=True)
class RunOfIt:
    """One run of a kept playbook. *outcome*: as runs end."""

    run: str
    version: int
    at: str
    is_success: bool
    error: str = ""
    duration_ms: int = 0


@dataclass(frozen=True, slots=True)
class VersionOfIt:
    """One version of a kept playbook. *at*: ISO 8601 in UTC. *by*: who made it."""

    number: int
    at: str
    by: str


class NoteSource(enum.Enum):
    """What a note was learned from; PERSON: nothing, it was written down."""

    PERSON = "person"
    EDIT = "edit"
    ANSWER = "answer"
    DEVIATION = "deviation"


class NoteKind(enum.Enum):
    """What a note does. WORDS: it is told to whoever plans; REPLACE and LEAVE_OUT change plans by rule as well."""

    WORDS = "words"
    REPLACE = "replace"
    LEAVE_OUT = "leave_out"


@dataclass(frozen=True, slots=True)
class Note:
    """Something learned from the person. *old*, *new*: the words of a step that is said otherwise, or left out.

    *about*: the goal it was learned with. *is_on*: whether it is woven in.
    """

    id: str
    text: str
    source: NoteSource = NoteSource.PERSON
    kind: NoteKind = NoteKind.WORDS
    old: str = ""
    new: str = ""
    about: str = ""
    is_on: bool = True
    made_at: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a note has done. *place*: the step of the plan, or empty where it was only told; *cycle*: in which run."""

    note: str
    cycle: str
    place: str
    before: str
    after: str
    at: str = ""
