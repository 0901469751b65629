"""A debug session: what the client has said so far, and the run that it looks at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.cli.debug_adapter.breakpoints import BreakpointTable
from workbench.cli.debug_adapter.client import Client, Refused
from workbench.cli.debug_adapter.console import Answered, Conversation, Posted, Shown
from workbench.cli.debug_adapter.debuggee import Debuggee
from workbench.cli.debug_adapter.following import Following, Stop
from workbench.cli.debug_adapter.launching import Launch
from workbench.cli.debug_adapter.places import Generated, Places
from workbench.cli.debug_adapter.stack import Numbers
from workbench.cli.debug_adapter.wire import Request
from workbench.disk.files import real_path
from workbench.engine.debugging.breakpoints import Breakpoints
from workbench.engine.journal.events import RunEvent
from workbench.i18n import _
from workbench.visible import visible


@dataclass(frozen=True, slots=True)
class Manner:
    """How the client counts and what it can show. *line*, *column*: the number of the first one."""

    line: int = 1
    column: int = 1
    shows_types: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run that begins when the client has set its breakpoints. *request*: what is answered then."""

    launch: Launch
    places: Places
    request: Request

    def stops(self, table: BreakpointTable) -> Breakpoints:
        """Where the run stops."""
        return (*self.launch.stops, *table.own) if self.launch.is_watched else ()


class Session:
    """Everything that lives as long as the client is there; used on one thread alone.

    *post*: takes, on any thread, what that thread is to hear. *manner*: None before ``initialize``; *prepared*: None
    before ``launch``; *debuggee*: None before ``configurationDone`` (*has_begun*), and again when the run has ended.
    *is_over*: the client has gone, or is about to. *due*: a stop that the client is told of when it has been answered.
    *targets*: the numbers of steps that can be gone to.
    """

    def __init__(self, client: Client, post: Callable[[Posted], None]) -> None:
        self.client = client
        self.table = BreakpointTable()
        self.manner: Manner | None = None
        self.prepared: Prepared | None = None
        self.debuggee: Debuggee | None = None
        self.following = Following(client, self.table, self.place_of, self.thread_at_work)
        self.frames, self.variables, self.threads, self.sources = Numbers(), Numbers(), Numbers(), Numbers()
        self.targets = Numbers()
        self.due: Stop | None = None
        self.post = post
        self.conversation = Conversation(post)
        self.has_begun = False
        self.is_over = False
        self.stacks: Mapping[str, str] = {}

    @property
    def places(self) -> Places:
        """The steps of the program. Raises Refused before it is launched."""
        if self.prepared is None:
            raise Refused(_("No playbook has been launched."))
        return self.prepared.places

    @property
    def running(self) -> Debuggee:
        """The run. Raises Refused where there is none."""
        if self.debuggee is None:
            raise Refused(_("No run is going on."))
        return self.debuggee

    @property
    def held(self) -> Debuggee:
        """The run, which is held. Raises Refused where it is not."""
        debuggee = self.running
        if self.following.stop is None:
            raise Refused(_("The run is going on. Pause it first."))
        return debuggee

    def source_of(self, place: Path | Generated) -> Mapping[str, Any]:
        """A file, or what the run has made, as the client knows it."""
        if isinstance(place, Path):
            return {"name": place.name, "path": str(place)}
        name = _("{playbook} (made by the run)").format(playbook=place.name)
        return {"name": name, "sourceReference": self.sources.of(place)}

    def place_of(self, event: RunEvent) -> Mapping[str, Any]:
        """The source and line of *event*, as far as it has any."""
        if not event.line or self.manner is None:
            return {}
        path, line = self.places.place(event.line)
        return {"source": self.source_of(path), "line": line - 1 + self.manner.line}

    def thread_at_work(self) -> int:
        """The number of whoever is at work."""
        return self.threads.of(self.running.told.fold.world.stack)

    def go_on(self, expects: str = "pause") -> None:
        """The client wants the run to go on. *expects*: why it will stop next."""
        self.following.go_on(is_asked=True)
        self.following.expects = expects
        self.conversation.prompt_again()
        self.forget()

    def forget(self) -> None:
        """What was shown is not there any more."""
        self.frames.clear()
        self.variables.clear()

    def begin(self) -> None:
        """Let the run go. Raises whatever says that it cannot."""
        assert self.prepared is not None
        launch, places = self.prepared.launch, self.prepared.places
        self.following.expects = "entry" if launch.stops_on_entry else "pause"
        self.debuggee = Debuggee(launch, places, self.prepared.stops(self.table), self.following.hear)
        name = str(launch.beginning.options.file)
        self.client.tell("process", {"name": name, "startMethod": "launch", "isLocalProcess": True})

    def poll(self) -> None:
        """Tell what has happened in the run, and ask what it asks."""
        if self.debuggee is None:
            return
        if self.due is not None:
            self.following.hold(self.due)
            self.due = None
        run = self.debuggee.run
        is_over = run.wait(0)
        stop = self.following.stop
        if self.debuggee.take_events():
            self._tell_threads()
        if self.following.stop is not stop:
            self.forget()
        if is_over:
            self.finish()
            return
        self.conversation.follow(self.debuggee)

    def take(self, posted: Posted) -> None:
        """Hear of what the console shows or has answered."""
        match posted:
            case Shown(text):
                self.client.output(visible(text))
            case Answered(request):
                self.conversation.end(request)

    def _tell_threads(self) -> None:
        now = self.running.told.stacks
        for reason, stacks in (("started", now.keys() - self.stacks), ("exited", self.stacks.keys() - now)):
            for stack in sorted(stacks):
                self.client.tell("thread", {"reason": reason, "threadId": self.threads.of(stack)})
        self.stacks = now

    def finish(self) -> None:
        """The run goes on no more: say so, and give back what it held."""
        debuggee = self.running
        debuggee.take_events()
        self.following.stop = None
        self.conversation.give_up()
        code, said = debuggee.end()
        self.debuggee = None
        if said:
            self.client.output(visible(said), "stderr")
        self.client.tell("exited", {"exitCode": code})
        self.client.tell("terminated")

    def leave(self, *, ends_run: bool) -> None:
        """The client goes: the run is let go of, so that it can be resumed, or ended."""
        self.is_over = True
        if self.debuggee is None:
            return
        run = self.debuggee.run
        if ends_run:
            run.stop()
        else:
            run.leave()
        run.wait()
        self.finish()


def source_that_ran(session: Session, place: Path | Generated) -> Mapping[str, Any]:
    """*place* as the client knows it; of a file that is another by now, the text that is carried out."""
    if isinstance(place, Generated) or not session.places.has_changed(place):
        return session.source_of(place)
    name = _("{file} (as it is carried out)").format(file=place.name)
    text = Generated(name, session.places.texts[real_path(place)])
    return {"name": name, "path": str(place), "sourceReference": session.sources.of(text)}


def restart(session: Session, launch: Launch, request: Request) -> None:
    """End the run of *session*, and begin that of *launch* in its place. Raises whatever says that it cannot."""
    if session.debuggee is not None:
        session.debuggee.run.stop()
        session.debuggee.run.wait()
        session.following.is_quiet = True
        session.debuggee.take_events()
        session.following.is_quiet, session.following.stop = False, None
        session.conversation.give_up()
        session.debuggee.end()
        session.debuggee = None
    session.conversation, session.stacks = Conversation(session.post), {}
    session.forget()
    session.prepared = Prepared(launch, Places(launch.program), request)
    first_line = session.manner.line if session.manner is not None else 1
    for told in session.table.again(session.places, first_line):
        session.client.tell("breakpoint", {"reason": "changed", "breakpoint": told})
    session.begin()
