"""What was done in the run of a procedure: when, by whom, what was found. All of it follows from the journal."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.fields import text_of
from workbench.engine.journal.choices import RunStatus, StepStatus
from workbench.engine.journal.debug_events import AnswerRecalled
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.instead import with_instead
from workbench.engine.journal.model_events import CommandWanted
from workbench.engine.journal.run_events import (
    BranchTaken,
    InputAsked,
    InputGiven,
    PlaybookEntered,
    PlaybookExited,
    RoundBegun,
    StepEntered,
    StepExited,
    StepFailure,
    ToolCalled,
    ToolError,
    ToolResult,
)
from workbench.engine.state.fold import fold
from workbench.engine.work import Afterwards, Went, afterwards, went
from workbench.i18n import _
from workbench.model.procedures.placeholders import filled_in
from workbench.model.program import Program


class Came(enum.Enum):
    """What became of a step. HELD: what stands below it was gone through."""

    DONE = "done"
    SKIPPED = "skipped"
    FAILED = "failed"
    HELD = "held"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class RanCommand:
    """A command that was run in a step, and what it printed."""

    command: str
    output: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class StepReport:
    """One visit to a step. *at_ns*: of the last answer. *holds*: of a condition. *tries*: how often it was tried.

    *depth*: how many steps are around it. *by*: who answered: a model, empty for who carried out the run.
    """

    address: str
    text: str
    came: Came
    at_ns: int
    depth: int = 0
    by: str = ""
    holds: bool | None = None
    tries: int = 0
    notes: tuple[str, ...] = ()
    commands: tuple[RanCommand, ...] = ()


@dataclass(frozen=True, slots=True)
class ChapterReport:
    """The steps of a chapter, in the order in which they were gone through."""

    title: str
    steps: tuple[StepReport, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What a run of a procedure came to. *values*: what was put in where the procedure leaves something open."""

    title: str
    path: str
    status: RunStatus
    error: str
    person: str
    is_scripted: bool
    started_ns: int
    ended_ns: int
    values: Mapping[str, Any]
    chapters: tuple[ChapterReport, ...]

    def count(self, came: Came) -> int:
        """How many steps came to that."""
        return sum(step.came is came for chapter in self.chapters for step in chapter.steps)


def has_report(events: Iterable[RunEvent]) -> bool:
    """Whether *events* are of the run of a procedure."""
    first = next(iter(events), None)
    return first is not None and bool(getattr(first.payload, "read_as", ""))


def report_of(events: tuple[RunEvent, ...], program: Program) -> Report:
    """The report of the run of *events*; *program*: what it carried out."""
    state = fold(events)
    origin = state.origin
    collected = _Collected(program, {name: str(value) for name, value in origin.arguments.items()})
    for event in events:
        collected.take(event)
    return Report(
        origin.playbook,
        origin.path,
        state.status,
        state.error,
        origin.person,
        bool(origin.script),
        events[0].at_ns,
        events[-1].at_ns,
        origin.arguments,
        tuple(ChapterReport(title, tuple(step.done() for step in steps)) for title, steps in collected.chapters),
    )


@dataclass(slots=True)
class _Visit:
    """A step while it is gone through."""

    address: str
    text: str
    at_ns: int
    depth: int
    came: Came = Came.OPEN
    by: str = ""
    holds: bool | None = None
    tries: int = 0
    notes: list[str] = field(default_factory=list)
    commands: list[RanCommand] = field(default_factory=list)
    command: str = ""

    def hear(self, at_ns: int, given: InputGiven) -> None:
        """An answer was given."""
        answer, how = given.answer, went(given.answer)
        self.at_ns, self.by = at_ns, given.judge
        self.tries += how is not None
        if "call" in answer:
            self.notes.append(f"→ {answer['call']}")
        note = str(answer.get("text") or "").strip()
        if note:
            self.notes.append(note)
        if given.instead is not None:
            self.notes.append(with_instead("", given.instead))
        if how is not None:
            self.came = _CAME[how]
        if afterwards(answer) is Afterwards.AGAIN:
            self.came = Came.OPEN
        if isinstance(answer.get("decision"), bool):
            self.holds = answer["decision"]
        values = answer.get("values")
        for name, value in values.items() if isinstance(values, Mapping) and how is None else ():
            if afterwards(answer) is None:
                self.notes.append(f"{name} = {text_of(value)}")

    def take_back(self) -> None:
        """The answer counts no longer: the step is gone through again, which is another visit."""
        self.came = Came.HELD
        self.notes.append(_("The answer was taken back, and the step was gone through again."))

    def leave(self, status: StepStatus) -> None:
        """It is over; one that asked nothing itself held what is below it."""
        if self.came is Came.OPEN and status is not StepStatus.FAILED:
            is_held = status is StepStatus.DONE or self.holds is False
            self.came = Came.HELD if is_held else Came.SKIPPED

    def done(self) -> StepReport:
        return StepReport(
            self.address,
            self.text,
            self.came,
            self.at_ns,
            self.depth,
            self.by,
            self.holds,
            self.tries,
            tuple(self.notes),
            tuple(self.commands),
        )


_CAME = {Went.DONE: Came.DONE, Went.SKIPPED: Came.SKIPPED, Went.FAILED: Came.FAILED}


class _Collected:
    """Puts chapters and their steps together from events."""

    def __init__(self, program: Program, values: Mapping[str, str]) -> None:
        self.chapters: list[tuple[str, list[_Visit]]] = []
        self._titles = {playbook.name: playbook.title for playbook in program.playbooks}
        self._values = values
        self._frames: list[tuple[str, int]] = []  # title, and how many steps were open when it began
        self._open: list[_Visit] = []

    def take(self, event: RunEvent) -> None:
        """Take *event* in."""
        visit = self._open[-1] if self._open else None
        match event.payload:
            case PlaybookEntered(playbook=name):
                self._frames.append((self._titles.get(name, name), len(self._open)))
                self.chapters.append((self._frames[-1][0], []))
            case PlaybookExited():
                self._frames.pop()
                if self._frames and self._open:  # what called it goes on
                    self.chapters.append((self._frames[-1][0], []))
            case StepEntered(text=text):
                self._enter(event, text)
            case StepExited(status=status) if visit is not None:
                visit.leave(status)
                self._open.pop()
            case StepFailure() if visit is not None:
                visit.came = Came.FAILED
            case AnswerRecalled() if self.chapters and self.chapters[-1][1]:
                self.chapters[-1][1][-1].take_back()
            case payload if visit is not None:
                _in_step(visit, event, payload)

    def _enter(self, event: RunEvent, text: str) -> None:
        visit = _Visit(event.step, filled_in(text, self._values), event.at_ns, len(self._open) - self._frames[-1][1])
        self._open.append(visit)
        self.chapters[-1][1].append(visit)


def _in_step(visit: _Visit, event: RunEvent, payload: object) -> None:
    match payload:
        case InputGiven():
            visit.hear(event.at_ns, payload)
        case BranchTaken(taken=taken) if visit.holds is None:
            visit.holds = taken
        case RoundBegun(round=number):
            visit.notes.append(f"{number}.")
        case CommandWanted(command=command):
            visit.command = command
        case ToolCalled(tool=tool) if not visit.command:
            visit.command = tool
        case ToolResult(value=value, instead=instead):
            visit.commands.append(RanCommand(visit.command, with_instead(text_of(value), instead)))
            visit.command = ""
        case ToolError(message=message, instead=instead):
            visit.commands.append(RanCommand(visit.command, with_instead(message, instead), is_error=True))
            visit.command = ""
        case InputAsked():
            pass
