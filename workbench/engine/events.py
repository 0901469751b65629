"""What happened in a run, as frozen values. A run is nothing but its events.

Every event is journaled before it is acted on; timeline, audit, resume and replay are
folds over the same events. Names follow the run design's list: ``run.created``,
``step.entered``, ``tool.call``, ``input.asked``, …
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NewType

RunId = NewType("RunId", str)

VERSION = 1


@dataclass(frozen=True, slots=True)
class RunEvent:
    """One event. *seq* counts from 0 without gaps within a run.

    *span*/*parent*: the open interval that this event begins, ends or lies in (``s12``;
    empty: the run itself). *step*: the address ``Main:02.01``, empty where none. *line*:
    1-based line of the step in the text that the run executes, 0 where none. *at_ns*: UTC
    wall clock, ns since 1970; *mono_ns*: monotonic, for durations within one process.
    *body*: JSON values only.
    """

    run: RunId
    seq: int
    type: str
    at_ns: int
    mono_ns: int
    span: str = ""
    parent: str = ""
    step: str = ""
    line: int = 0
    attempt: int = 1
    actor: str = "engine"
    body: Mapping[str, Any] = field(default_factory=dict)


RUN_CREATED = "run.created"
RUN_STARTED = "run.started"
RUN_PAUSED = "run.paused"
RUN_RESUMED = "run.resumed"
RUN_CANCELLING = "run.cancelling"
RUN_CANCELLED = "run.cancelled"
RUN_COMPLETED = "run.completed"
RUN_FAILED = "run.failed"
PLAYBOOK_ENTERED = "playbook.entered"
PLAYBOOK_EXITED = "playbook.exited"
STEP_ENTERED = "step.entered"
STEP_EXITED = "step.exited"
STEP_FAILED = "step.failed"
BRANCH_TAKEN = "branch.taken"
LOOP_ITERATION = "loop.iter"
VARIABLE_SET = "var.set"
INPUT_ASKED = "input.asked"
INPUT_GIVEN = "input.given"
TOLD = "say.told"
TOOL_CALL = "tool.call"
TOOL_OUTPUT = "tool.output"
TOOL_RESULT = "effect.result"
TOOL_ERROR = "effect.error"
IN_DOUBT = "effect.in_doubt"
RESOLVED = "effect.resolved"

FINAL = frozenset({RUN_CANCELLED, RUN_COMPLETED, RUN_FAILED})
