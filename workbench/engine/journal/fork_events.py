"""What a run says that goes on from an event of another one, or that begins in the middle of a playbook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.journal.payload import EventPayload


@dataclass(frozen=True, slots=True)
class MovedFrame:
    """Where a playbook that is under way goes on in another text. *span*: its own; *pc*: the next instruction."""

    span: str
    pc: int


@dataclass(frozen=True, slots=True)
class OtherText:
    """The text that is carried out from now on. *path*, *read_as*, *chapters*, *linked*: as at ``RunCreated``.

    *starts*: as at ``ProgramStart``; *goes_on*: as at ``RunCreated``. *plan_hash*: of a step list. *steps*: by the
    address that each moved step had, the address that it has and its line; null where it is gone. *triggers*: the
    same for the keys of triggers, of which only the key is told. *moved*: the frames.
    """

    path: str = ""
    read_as: str = ""
    chapters: Mapping[str, Any] | None = None
    linked: Mapping[str, Any] | None = None
    starts: tuple[tuple[str, str], ...] = ()
    goes_on: bool = False
    plan_hash: str = ""
    steps: Mapping[str, Any] | None = None
    triggers: Mapping[str, Any] | None = None
    moved: tuple[MovedFrame, ...] = ()


@dataclass(frozen=True, slots=True)
class RunForked(EventPayload):
    """What stands before it was told by the run *source*, up to its event *seq*; this run goes on from there.

    *old*, *new*: the digests of the text before and after. *by*: who did it. *edited*: the variables that are given
    other values directly behind it. *text*: where it is another. *source* is empty for a run that begins at a step
    with typed values: what stands before it was not carried out.
    """

    source: str
    seq: int
    old: str
    new: str
    by: str = ""
    edited: tuple[str, ...] = ()
    text: OtherText | None = None
