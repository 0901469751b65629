"""What a cycle tells: how a goal becomes a plan, the plan a playbook, and what becomes of that, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.journal.payload import EventPayload


@dataclass(frozen=True, slots=True)
class PlanMade(EventPayload):
    """There is a plan. *by*: who made it: person, script, model, form, or who changed it."""

    plan: Mapping[str, Any]
    by: str


@dataclass(frozen=True, slots=True)
class PlanSentBack(EventPayload):
    """What was given is no plan. *round*: how often that has happened, this one included."""

    problems: tuple[str, ...]
    round: int


@dataclass(frozen=True, slots=True)
class PlaybookReused(EventPayload):
    """Whether the kept playbook *id* is taken instead of a new one."""

    id: str
    version: int
    is_taken: bool
    by: str


@dataclass(frozen=True, slots=True)
class WovenNote:
    """What the note *note* has changed. *place*: the step of the plan (``steps[2]``); *after* empty: it is left out."""

    note: str
    place: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class NotesWoven(EventPayload):
    """Notes about the person have made another plan of the one that there was."""

    plan: Mapping[str, Any]
    effects: tuple[WovenNote, ...]


@dataclass(frozen=True, slots=True)
class PlaybookGenerated(EventPayload):
    """There is a text. *by*: ``rules`` where it follows from the plan."""

    text: str
    format: str
    by: str


@dataclass(frozen=True, slots=True)
class FoundProblem:
    """Something wrong or doubtful in the text. *line*, *column*: from 1. *severity*: error, warning or info."""

    line: int
    column: int
    code: str
    severity: str
    message: str


@dataclass(frozen=True, slots=True)
class PlaybookChecked(EventPayload):
    """The text was checked. *round*: how often that has gone wrong, this time included; 0 where it has not."""

    problems: tuple[FoundProblem, ...]
    round: int


@dataclass(frozen=True, slots=True)
class StepVerdict:
    """What is said about one step, by its address; empty for the whole. *reason*: why it is not fine, or may not be."""

    step: str
    is_fine: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlaybookObserved(EventPayload):
    """Somebody has looked at every step before anything is carried out. *by*: ``rules``, or who judges."""

    verdicts: tuple[StepVerdict, ...]
    by: str


@dataclass(frozen=True, slots=True)
class PlaybookReviewed(EventPayload):
    """The playbook may go on, or not, for a *reason*. *round*: how often it was sent back, this time included."""

    is_accepted: bool
    by: str
    reason: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True)
class PlaybookCompiled(EventPayload):
    """The text was compiled. *digest*: of what it came to; *lines*: how many that has."""

    digest: str
    lines: int


@dataclass(frozen=True, slots=True)
class PlaybookBegun(EventPayload):
    """The playbook is carried out from now on, as the run *run*.

    *source*: the run that it goes on from, before *step* where that is said; empty for one that begins.
    """

    run: str
    source: str = ""
    step: str = ""


@dataclass(frozen=True, slots=True)
class LookDue(EventPayload):
    """Whoever judges is asked whether the run *run* still leads to the goal. *step*: that it ended last, *text*: its
    words. *done*: how many steps have ended; *evidence*: the last of them, and what has come of them, a line each.
    """

    run: str
    step: str
    text: str
    done: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DriftJudged(EventPayload):
    """Whether the run goes away from the goal, for a *reason*."""

    is_drifting: bool
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DeviationNoted(EventPayload):
    """The run *run* is not as planned. *step*: its address, *text*: its words."""

    kind: str
    run: str
    step: str
    text: str
    expected: str
    actual: str


@dataclass(frozen=True, slots=True)
class DeviationAnswered(EventPayload):
    """What is done about it. *is_over*: nothing else: the run goes on as it is."""

    policy: str
    by: str
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class PlaybookRegenerated(EventPayload):
    """There is another text to go on with. *scope*: segment or rest. *problems*: why it cannot be, none: it can."""

    text: str
    scope: str
    by: str
    problems: tuple[str, ...]
    round: int


@dataclass(frozen=True, slots=True)
class RegenerationReviewed(EventPayload):
    """The other text is taken, or not, for a *reason*."""

    is_accepted: bool
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlaybookEnded(EventPayload):
    """The run *run* of the playbook is over. *text*: what was carried out in the end, where that is another."""

    run: str
    status: str
    result: Any = None
    error: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class PlaybookStored(EventPayload):
    """The playbook is kept. *place*: where, in words of whoever keeps it."""

    place: str
    version: int = 0
