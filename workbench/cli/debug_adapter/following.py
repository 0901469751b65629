"""What happens in a run, as events of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.cli.debug_adapter.breakpoints import BreakpointTable
from workbench.cli.debug_adapter.client import Client
from workbench.engine.debugging.breakpoints import NoBreakpoint, StopKind, parse_breakpoint
from workbench.engine.journal import debug_events as debug
from workbench.engine.journal import model_events as model
from workbench.engine.journal import run_events as run
from workbench.engine.journal import steplist_events as steplist
from workbench.engine.journal.events import RunEvent
from workbench.event_words import described
from workbench.i18n import N_, LazyText, _
from workbench.visible import visible

_REASONS: Mapping[str, LazyText] = {
    "entry": N_("Stopped before the first step"),
    "step": N_("Stopped before the next step"),
    "pause": N_("Paused"),
    "breakpoint": N_("Stopped at a breakpoint"),
    "function breakpoint": N_("Stopped at a breakpoint"),
    "exception": N_("Stopped before a failure"),
    "goto": N_("The steps before are left out"),
}
Where = Callable[[RunEvent], Mapping[str, Any]]
_FAILURES = frozenset({StopKind.ERROR, StopKind.VIOLATION})
_ERRORS = (
    run.StepFailure,
    run.RunFailure,
    run.ToolError,
    steplist.CallBlocked,
    steplist.PlanViolated,
    model.JudgementHandedOver,
)


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a run is held. *problem*: what would fail; *is_asking*: it waits for an answer meanwhile.

    *at*: the number of the event before which the run is looked at; 0: as it is now.
    """

    reason: str
    problem: str = ""
    breakpoint: str = ""
    is_asking: bool = False
    at: int = 0


class Following:
    """Turns events of a run into events for the client.

    *where*: the source and line of an event, for its output. *thread*: the number of whoever is at work.

    *expects*: why the run will stop next, unless a breakpoint is hit before. *stop*: why it is held, None while it
    goes on. *is_quiet*: the client is told of stops later.
    """

    def __init__(self, client: Client, table: BreakpointTable, where: Where, thread: Callable[[], int]) -> None:
        self._client = client
        self._table = table
        self._where = where
        self._thread = thread
        self._hit: debug.BreakpointHit | None = None
        self.expects = "pause"
        self.stop: Stop | None = None
        self.is_quiet = False

    def hear(self, event: RunEvent) -> None:
        """Tell the client what it must know of *event*."""
        payload = event.payload
        if self.stop is not None and self.stop.is_asking:  # nothing happens before the answer has come
            self.go_on(is_asked=False)
        match payload:
            case debug.BreakpointHit():
                self._hit = payload
            case run.RunPaused(reason=""):
                self._stopped()
            case run.RunResumed():
                self.go_on(is_asked=False)
            case debug.PointLogged():
                self._logged(event, payload)
            case run.Told(text=text, target=target):
                self._say(event, _("To {name}: {text}").format(name=target, text=text) if target else text, "stdout")
            case run.ToolPrinted(text=text):
                self._say(event, text.rstrip("\n"), "stdout")
            case run.InputGiven():
                self._say(event, f"{event.step} → {described(event)}")
            case _ if isinstance(payload, _ERRORS):
                self._say(event, f"{event.step} {described(event)}".strip(), "stderr")

    def _say(self, event: RunEvent, text: str, category: str = "console") -> None:
        self._client.output(visible(text), category, **self._where(event))

    def _logged(self, event: RunEvent, logged: debug.PointLogged) -> None:
        if not logged.problem:
            self._say(event, logged.text)
            return
        self._say(event, described(event), "stderr")
        for told in self._table.complain(logged.breakpoint, logged.problem):
            self._client.tell("breakpoint", {"reason": "changed", "breakpoint": told})

    def _stopped(self) -> None:
        hit, self._hit = self._hit, None
        if hit is None:
            self.hold(Stop(self.expects))
            return
        reason = "function breakpoint" if self._table.is_by_name(hit.breakpoint) else "breakpoint"
        self.hold(Stop("exception" if _is_failure(hit.breakpoint) else reason, hit.problem, hit.breakpoint))

    def hold(self, stop: Stop) -> None:
        """Tell the client that the run is held."""
        self.stop, self.expects = stop, "pause"
        if self.is_quiet:
            return
        words = str(_REASONS[stop.reason])
        if stop.is_asking:
            words = _("Paused while it waits for an answer")
        elif stop.at:
            words = _("As it was at event {number}: nothing is undone").format(number=stop.at)
        elif stop.breakpoint:
            words = f"{words}: {stop.breakpoint}"
        about: dict[str, Any] = {"reason": stop.reason, "description": words, "allThreadsStopped": True}
        about["threadId"] = self._thread()
        if stop.problem:
            about["text"] = stop.problem
        if ids := self._table.ids_of(stop.breakpoint) if stop.breakpoint else []:
            about["hitBreakpointIds"] = ids
        self._client.tell("stopped", about)

    def go_on(self, *, is_asked: bool) -> None:
        """The run goes on; the client knows that already where it *is_asked* for by a request of its own."""
        if self.stop is not None and not (is_asked or self.is_quiet):
            self._client.tell("continued", {"threadId": self._thread(), "allThreadsContinued": True})
        self.stop = None


def _is_failure(written: str) -> bool:
    try:
        return parse_breakpoint(written).kind in _FAILURES
    except NoBreakpoint:  # a playbook without steps is a place that nobody can write
        return False
