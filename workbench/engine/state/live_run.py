"""A run's state that changes in place, as the rules of ``fold`` find it."""

from __future__ import annotations

from workbench.engine.expressions.limits import UnknownName
from workbench.engine.state.frames import Intent, LiveFrame
from workbench.engine.state.run_state import OVER, RunState
from workbench.engine.state.waiting import LiveWaiting
from workbench.engine.state.watching import LiveWatching
from workbench.engine.state.world import LiveWorld


class LiveRun:
    """What attributes mean is said at ``RunState``."""

    def __init__(self, state: RunState) -> None:
        self.run, self.next_seq, self.status = state.run, state.next_seq, state.status
        self.frames = [LiveFrame(frame) for frame in state.frames]
        self.agents = {name: dict(values) for name, values in state.agents.items()}
        self.step_statuses = dict(state.step_statuses)
        self.pending = state.pending
        self.result, self.error, self.failure = state.result, state.error, state.failure
        self.tool_failure, self.is_ending = state.tool_failure, state.is_ending
        self.spans, self.steps, self.roots, self.idle = state.spans, state.steps, state.roots, state.idle
        self.origin, self.agent = state.origin, state.agent
        self.watching, self.world = LiveWatching(state.watching), LiveWorld(state.world)
        self.used = state.used
        self.allowed = state.allowed
        self.waiting, self.at_ns = LiveWaiting(state.waiting), state.at_ns
        self.closing = state.closing
        self._lobby = LiveFrame(state.lobby)

    @property
    def is_over(self) -> bool:
        """True when nothing more will be decided."""
        return self.status in OVER

    @property
    def top(self) -> LiveFrame:
        """The frame at work; between playbooks, what stands for it: a message may have to be judged there."""
        return self.frames[-1] if self.frames else self._lobby

    @property
    def intent(self) -> Intent | None:
        """The tool call that the frame at work waits for."""
        intents = self.frames[-1].intents if self.frames else None
        return intents[-1] if intents else None

    @property
    def acting(self) -> str:
        """The agent that acts: the one at work, or the one whose Python is under way."""
        intent = self.intent
        return (intent.acting if intent is not None else "") or self.top.agent

    def known(self, name: str, _is_state: bool) -> object:
        """The value of the variable *name* of the agent at work. Raises UnknownName."""
        values = self.agents.get(self.agent, {})
        if name not in values:
            raise UnknownName(name, tuple(values))
        return values[name]

    @property
    def open_span(self) -> str:
        """The innermost open span, empty before the first playbook."""
        intent = self.intent
        return self.step_span if intent is None else intent.span

    @property
    def step_span(self) -> str:
        """The span of the step at work, or of its playbook between steps."""
        if not self.frames:
            return ""
        return self.top.open[-1].span if self.top.open else self.top.span

    @property
    def span_around_call(self) -> str:
        """The span that the innermost tool call under way lies in."""
        intents = self.top.intents
        return intents[-2].span if len(intents) > 1 else self.step_span

    def state(self) -> RunState:
        """The state as a value that later events leave alone."""
        return RunState(
            run=self.run,
            next_seq=self.next_seq,
            status=self.status,
            frames=tuple(frame.frozen() for frame in self.frames),
            agents={name: dict(values) for name, values in self.agents.items()},
            step_statuses=dict(self.step_statuses),
            pending=self.pending,
            result=self.result,
            error=self.error,
            failure=self.failure,
            tool_failure=self.tool_failure,
            is_ending=self.is_ending,
            spans=self.spans,
            steps=self.steps,
            idle=self.idle,
            roots=self.roots,
            origin=self.origin,
            agent=self.agent,
            watching=self.watching.frozen(),
            world=self.world.frozen(),
            used=self.used,
            allowed=self.allowed,
            waiting=self.waiting.frozen(),
            at_ns=self.at_ns,
            closing=self.closing,
            lobby=self._lobby.frozen(),
        )
