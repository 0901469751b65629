"""What is wanted of a fork, and what would come of it: a value that can be shown before anything happens."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.debug_events import StateEdited
from workbench.engine.journal.envelope import pack
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.fork_events import OtherText, RunForked
from workbench.engine.running.controls import EditVariable
from workbench.errors import WorkbenchError
from workbench.i18n import _
from workbench.model.snapshot import Snapshot

FINISHED = frozenset({StepStatus.DONE, StepStatus.SKIPPED, StepStatus.FAILED})


class CannotFork(WorkbenchError):
    """A run cannot go on from where that is wanted; the message says why."""


@dataclass(frozen=True, slots=True)
class ForkWish:
    """From where a fork goes on, and what is changed in it.

    *seq*: the last event that it takes over. *step*: an address; the fork goes on directly before that step was entered
    last. Neither: as late as possible (see ``points``). *edits*: variables that get other values; *values*: the same by
    name alone, as the playbook at work sees it. *text*: carried out from there, None for the text of the run; *path*:
    of its file. *skills*: as at ``RunOptions``.
    """

    source: RunId
    seq: int | None = None
    step: str = ""
    edits: tuple[EditVariable, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    text: Snapshot | None = None
    path: str = ""
    skills: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call that is under way at the event, so that it is in doubt in the fork.

    *gave*: as the only item what it gave in the run that is forked, where that knows.
    """

    tool: str
    arguments: Mapping[str, Any]
    gave: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class LaterCall:
    """A call that the run has made after the event, and that may not simply be made again. The fork may make it too."""

    step: str
    tool: str


class Lost(enum.Enum):
    """Why what is known of a step does not hold in the other text."""

    GONE = "gone"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class LostStep:
    """A step that was finished, or *is_open*, and is not as it was in the other text."""

    step: str
    text: str
    why: Lost
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Changeover:
    """What comes of another text. *text*: None where it cannot be gone on with at all. *lost*, *refusals*: as at
    ``ForkPlan``. *contents*: what is to be kept in the journal, the text first.
    """

    text: OtherText | None
    lost: tuple[LostStep, ...]
    refusals: tuple[str, ...]
    contents: tuple[bytes, ...]

    @property
    def digest(self) -> str:
        """The name of the text in the journal."""
        return pack(self.contents[0])[0]


def another_kind() -> str:
    """Why a file of another kind is no other text of a run."""
    return _("The other text is a file of another kind than the one that is carried out.")


@dataclass(frozen=True, slots=True)
class ForkPlan:
    """What comes of a fork.

    *events*: those that it takes over, as the run *source* tells them; *seq*: the last of them. *forked*, *edited*:
    what the fork tells itself then. *next_step*, *next_text*: with what it goes on, where that is a step. *kept*: the
    steps that are finished and stay so; *lost*: those that do not. *contents*: the texts that belong to it and
    are not kept yet. *refusals*: why it cannot be done; none: it can.
    """

    source: RunId
    events: tuple[RunEvent, ...]
    forked: RunForked
    edited: tuple[StateEdited, ...] = ()
    next_step: str = ""
    next_text: str = ""
    kept: tuple[str, ...] = ()
    lost: tuple[LostStep, ...] = ()
    open_calls: tuple[OpenCall, ...] = ()
    later_calls: tuple[LaterCall, ...] = ()
    contents: tuple[bytes, ...] = ()
    refusals: tuple[str, ...] = ()

    @property
    def seq(self) -> int:
        """The last event that the fork takes over."""
        return self.events[-1].seq

    @property
    def is_possible(self) -> bool:
        """Whether the run can go on so."""
        return not self.refusals
