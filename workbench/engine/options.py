"""How a run is carried out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.clock import WALL_CLOCK, Clock
from workbench.engine.debugging.breakpoints import Breakpoints
from workbench.engine.debugging.goals import Goal
from workbench.engine.debugging.mocks import Mocks
from workbench.engine.debugging.pins import Pins
from workbench.engine.journal.events import RunEvent
from workbench.engine.judges import Judges, Limits
from workbench.engine.ports import InDoubtChoice
from workbench.providers.values import ModelClient
from workbench.tools.permissions import Permissions
from workbench.tools.values import Toolbox


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run is carried out.

    *path*: of the file, empty for none. *script*: the text of the script that answers, kept with the run.
    *in_doubt*: what is done about calls that may have been made; None: ask. *gave*: what those gave that count as done,
    as the only item; empty: somebody has to tell. *policy*: what the person has said about calls; the project and the
    file may only add to that. *toolboxes*: of servers. *approval_limit_s*: after what time leave for a call must be
    asked for again.

    *run_id*: the name of a new run, which no other has; empty for any. *clock*: which time it is for the run.
    *breakpoints*: where it stops by itself. *goal*: up to where it goes
    before it stops for the first time; None: to a breakpoint, or its end. *mocks*: which calls are not made.
    *pins*: answers from runs before, which are given where they fit.
    *watches*: hears of each event on the run's thread, and says whether the run is to stop before its next step.

    Of playbooks in markdown: *playbook*: empty for where the program begins. *chapters*: of a procedure, by name or
    title; empty for all that are gone through. *ticks*: whether boxes in its file are ticked for what is done.
    *arguments*: parameters by name;
    other names become ``$`` variables. *is_trusted*: whether Python of the file may run. *python_memory_mb*: what
    each of its processes may have for itself. *artifact_threshold*: how long a result may be before it is kept as an
    artifact too. *once*: end where the run would wait for a message, or for nothing but its timers.
    *message*: the first that the run hears.

    *judges*, *limits*: who judges, and what models may use. *client*: makes who asks models, None where nobody can.

    Of step lists: *is_recording_only*: what is not kept is only noted, and nothing is blocked. *skills*: the tools of
    the skills that steps can use, by name.
    """

    playbook: str = ""
    chapters: tuple[str, ...] = ()
    ticks: bool = False
    arguments: Mapping[str, Any] = field(default_factory=dict)
    is_trusted: bool = False
    start_paused: bool = False
    python_timeout_s: float = 60.0
    python_memory_mb: int = 2048
    max_depth: int = 64
    max_steps: int = 1_000_000
    path: str = ""
    run_id: str = ""
    script: str = ""
    in_doubt: InDoubtChoice | None = None
    gave: tuple[Any, ...] = ()
    policy: Permissions = field(default_factory=Permissions)
    toolboxes: tuple[Toolbox, ...] = ()
    approval_limit_s: float = 86_400.0
    skills: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    artifact_threshold: int = 500
    is_recording_only: bool = False
    judges: Judges = field(default_factory=Judges)
    limits: Limits = field(default_factory=Limits)
    client: Callable[[], ModelClient] | None = None
    breakpoints: Breakpoints = ()
    mocks: Mocks = ()
    pins: Pins = ()
    watches: Callable[[RunEvent], bool] | None = None
    goal: Goal | None = None
    once: bool = False
    message: str = ""
    clock: Clock = WALL_CLOCK
