"""Where a run stands, as a value: the fold of its events, and of nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.journal import language_events as language
from workbench.engine.journal import run_events as told
from workbench.engine.journal import waiting_events as waiting
from workbench.engine.journal.choices import RunStatus, StepStatus
from workbench.engine.journal.payload import EventPayload
from workbench.engine.ports import Request
from workbench.engine.state.frames import Frame, Intent
from workbench.engine.state.judging import Used
from workbench.engine.state.waiting import Waiting
from workbench.engine.state.watching import Watching
from workbench.engine.state.world import World


@dataclass(frozen=True, slots=True)
class RunState:
    """Everything that the next decision depends on, and what views show.

    *agents*: the ``$`` variables of each agent. *spans*: how many spans have begun. *steps*:
    how many steps have begun. *failure*: what a step failed with, before the run has failed;
    *tool_failure*: what a tool call failed with, before its step has. *is_ending*: the program is
    being ended from inside. *roots*: how many playbooks have begun that nothing called. *idle*: how
    many steps and rounds have begun since anything last changed. *origin*: how it was started. *used*: by models.
    *allowed*: calls that need no leave any more, by the names that the permissions have for them. *at_ns*: when the
    last event happened. *closing*: the triggers for the end that have fired. *lobby*: stands for the frame at work
    while there is none.
    """

    run: str = ""
    next_seq: int = 0
    status: RunStatus = RunStatus.CREATED
    frames: tuple[Frame, ...] = ()
    agents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    step_statuses: Mapping[str, StepStatus] = field(default_factory=dict)
    pending: Request | None = None
    result: Any = None
    error: str = ""
    failure: str = ""
    tool_failure: str = ""
    is_ending: bool = False
    spans: int = 0
    steps: int = 0
    idle: int = 0
    roots: int = 0
    origin: told.RunCreated = field(default=told.RunCreated("", "", "", "", {}))
    agent: str = ""
    watching: Watching = field(default_factory=Watching)
    world: World = field(default_factory=World)
    used: Used = field(default_factory=Used)
    allowed: frozenset[str] = frozenset()
    waiting: Waiting = field(default_factory=Waiting)
    at_ns: int = 0
    closing: tuple[str, ...] = ()
    lobby: Frame = field(default_factory=lambda: Frame("", "", "", 0, (), {}, {}))

    @property
    def intent(self) -> Intent | None:
        """The tool call under way, the innermost where Python has called back."""
        return next((frame.intents[-1] for frame in reversed(self.frames) if frame.intents), None)

    @property
    def variables(self) -> Mapping[str, Any]:
        """The ``$`` variables of the agent that is at work, or was last."""
        return self.agents.get(self.agent, {})

    @property
    def is_over(self) -> bool:
        """True when nothing more will be decided."""
        return self.status in OVER


NEWS: frozenset[type[EventPayload]] = frozenset(
    {
        told.InputGiven,
        told.Told,
        told.ToolCalled,
        told.ToolResult,
        told.CallResolved,
        language.AgentCreated,
        language.ArtifactSaved,
        language.PlaybookWritten,
        language.MessageSent,
        language.CallChosen,
        language.MeetingOpened,
        language.MeetingInvited,
        language.MeetingStateSet,
        language.MeetingEnded,
        waiting.MessageHeard,
        waiting.TimerDue,
        waiting.WaitOver,
    }
)
"""Events after which a run is not where it was, besides those that give a variable another value."""

OVER = frozenset({RunStatus.CANCELLED, RunStatus.COMPLETED, RunStatus.FAILED})
