"""The run that is debugged, as long as the adapter holds it: begun, looked at, changed, let go of or ended.

Its script answers it, and whoever sits at the console where that has no answer left.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, redirect_stderr
from dataclasses import replace
from io import StringIO
from typing import Any

from workbench.cli.debug_adapter.client import Refused
from workbench.cli.debug_adapter.launching import Launch
from workbench.cli.debug_adapter.places import Places
from workbench.cli.debug_adapter.stack import FrameKey, Told
from workbench.cli.debug_adapter.variables import Place, changed
from workbench.cli.running.following import add_to_library, exit_code, resuming, telling_spans, tick
from workbench.cli.running.run import backend_for
from workbench.cli.running.servers import tell_problems
from workbench.cli.running.store import journal_in
from workbench.engine.backends.person import PersonBackend
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.debugging.breakpoints import Breakpoints
from workbench.engine.expressions.data import as_data
from workbench.engine.expressions.limits import Lookup
from workbench.engine.journal.choices import Scope
from workbench.engine.journal.debug_events import StateEdited
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.payload import EventPayload
from workbench.engine.judges import Judges
from workbench.engine.ports import Answer, JudgementBackend, Purpose, Request
from workbench.engine.running.controls import EditVariable, Order
from workbench.engine.scripts import parse_script
from workbench.engine.state.fold import RunFold
from workbench.engine.state.run_state import RunState
from workbench.errors import InputNeeded, RunFailed
from workbench.i18n import _
from workbench.model.format import TextFormat


class ScriptThenPerson(ScriptBackend):
    """Answers from a script as long as it has an answer; a person answers the rest."""

    def __init__(self, script: str, person: PersonBackend) -> None:
        super().__init__(parse_script(script), person)
        self._one = person
        self._open: Request | None = None

    def judge(self, request: Request) -> Answer:
        """The script's answer, else the person's. Raises Cancelled."""
        try:
            return super().judge(request)
        except InputNeeded:
            pass
        except RunFailed:
            if request.purpose is not Purpose.READING:
                raise
        self._open = request
        return self._one.judge(request)

    def asks(self, request: Request) -> bool:
        """Whether the person is to answer *request*."""
        return request is self._open or super().asks(request)


def answering(script: str | None, format_: TextFormat, judges: Judges) -> JudgementBackend:
    """Who answers what none of *judges* does. Raises CannotRead where the *script* is not made for such a file."""
    person = PersonBackend()
    if script is not None and not format_.is_steplist and parse_script(script).calls is None:
        return ScriptThenPerson(script, person)
    return backend_for(script, format_, judges, person)


_SHORT_S, _ATTEMPTS = 0.002, 5000
HearEvent = Callable[[RunEvent], None]


class Debuggee:
    """A run under way. *hear*: takes each of its events, in their order. *past*: an earlier moment that is looked at.

    Life cycle: made, it goes on; ``take_events`` hands over what has happened; ``end`` is called once when nothing more
    will happen, and gives back the journal.
    """

    def __init__(self, launch: Launch, places: Places, breakpoints: Breakpoints, hear: HearEvent) -> None:
        beginning = launch.beginning
        self.live = Told(places)
        self.past: Told | None = None
        self._store = beginning.options.store
        self._toolboxes = beginning.chosen.toolboxes
        self._open = ExitStack()
        try:
            self._journal = journal_in(self._store)
            self._open.callback(self._journal.close)
            judged = beginning.judged(self._journal)
            backend = answering(beginning.script, beginning.snapshot.program.format, judged.judges)
            stopping = replace(judged, breakpoints=breakpoints, start_paused=launch.stops_on_entry)
            self.run = beginning.start(self._journal, stopping, backend)
            self._hear = self._open.enter_context(telling_spans(self._journal, hear))
        except BaseException:  # nobody else closes the journal
            self._open.close()
            raise

    @property
    def told(self) -> Told:
        """What is looked at: the run as it is now, or as it was at an earlier moment."""
        return self.past or self.live

    def take_events(self) -> list[RunEvent]:
        """What has happened since the last time, handed over one by one."""
        taken: list[RunEvent] = []
        while events := self.run.drain():
            for event in events:
                self.live.take(event)
                self._hear(event)
            taken += events
        return taken

    def names(self, key: FrameKey | None, state: RunState | None = None) -> Lookup:
        """What an expression reads in a frame. *state*: as it is, with its secrets; None: as the client knows it.

        Only to be called while the run is held or waits: its own thread asks the same decider.
        """
        known = self.told.fold.state() if state is None else state
        if key is not None:
            frames = known.frames if key.stack == known.world.stack else known.world.parked.get(key.stack, ())
            frames = frames[: key.index + 1]
            known = replace(known, frames=frames, agent=frames[-1].agent if frames else known.agent)
        return self.run.decider.standing(RunFold(known)).names

    def edit(self, place: Place, new: Any) -> None:
        """Give a variable, or an entry in one, another value; the run is held. Raises Refused."""
        state, value = self.run.state, as_data(new)
        if place.scope is Scope.LOCAL and all(each.span != place.frame for each in state.frames):
            raise Refused(_("Only what is at work has local variables that can be changed."))
        if place.path:
            value = changed(_root(state, place), place.path, value)
        self.order(EditVariable(place.name, place.scope, place.agent, place.frame, value), StateEdited)

    def order(self, order: Order, done: type[EventPayload]) -> None:
        """Have *order* carried out by the run, which is held, up to the event *done*. Raises Refused."""
        self.run.controls.order(order)
        for _attempt in range(_ATTEMPTS):
            is_over = self.run.wait(_SHORT_S)
            if any(isinstance(event.payload, done) for event in self.take_events()):
                return
            if is_over:
                break
        raise Refused(_("The run is not held, so nothing was changed."))

    def end(self) -> tuple[int, str]:
        """The exit code of the run, which goes on no more, and what is to be said about its end."""
        with redirect_stderr(StringIO()) as said:
            code = exit_code(self.run, resuming(self.run, self._store))
            if self.run.state.origin.ticks:
                tick(self.run, self._journal)
            add_to_library(self.run, self._journal, self._store)
            tell_problems(self._toolboxes)
            self._open.close()
        return code, said.getvalue().rstrip("\n")


def _root(state: RunState, place: Place) -> Any:
    """The whole value of the variable of *place*. Raises Refused."""
    frame = next((each for each in state.frames if each.span == place.frame), None)
    known = state.agents.get(place.agent, {}) if place.scope is Scope.STATE else frame.locals if frame else {}
    if place.name not in known:
        raise Refused(_("There is no such entry any more."))
    return known[place.name]
