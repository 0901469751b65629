"""Drives calls that ask for leave in tests: a person who is told what to say, and a project to do it in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.core.engine_driver import Played, book, finished
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer, CallToAllow, Leave, LeaveScope, Request, RequestKind
from workbench.engine.starting import start_run
from workbench.errors import InputNeeded
from workbench.tools.permissions import Permissions, Rule

Word = Callable[[CallToAllow], Answer]


class Asked:
    """A person who answers questions about calls by *word*, all others with a note, and keeps what was asked."""

    name = "person"

    def __init__(self, *words: Word) -> None:
        self._words = list(words)
        self.requests: list[Request] = []

    @property
    def calls(self) -> list[CallToAllow]:
        """What was shown of the calls."""
        return [request.call for request in self.requests if request.call is not None]

    def judge(self, request: Request) -> Answer:
        """The next word; the last one stays."""
        if request.kind is not RequestKind.APPROVE:
            return Answer(text="all is allowed")
        assert request.call is not None
        self.requests.append(request)
        if not self._words:
            raise InputNeeded("nobody is there")
        word = self._words[0] if len(self._words) == 1 else self._words.pop(0)
        return word(request.call)

    def cancel(self) -> None:
        """Nothing ever waits here."""


def allow(call: CallToAllow) -> Answer:
    """Leave for this call."""
    return Answer(leave=Leave(True, call.digest))


def allow_in_run(call: CallToAllow) -> Answer:
    """Leave for this call and those like it."""
    return Answer(leave=Leave(True, call.digest, scope=LeaveScope.RUN))


def refuse(call: CallToAllow) -> Answer:
    """No leave."""
    return Answer(text="Not on a Friday.", leave=Leave(False, call.digest))


def change(**arguments: object) -> Word:
    """Leave for the call with other *arguments*."""
    return lambda call: Answer(leave=Leave(True, call.digest, arguments))


def options_in(folder: Path, *rules: Rule, **more: object) -> RunOptions:
    """How a run in the project *folder* is carried out."""
    return RunOptions(path=str(folder / "book.md"), policy=Permissions(rules), **more)  # type: ignore[arg-type]


def run_asked(steps: str, folder: Path, person: Asked, options: RunOptions | None = None, before: str = "") -> Played:
    """A run of *steps* in the project *folder*, with *person*."""
    journal = Journal(folder / "runs.sqlite")
    snapshot = book(steps, before) if before else book(steps)
    return finished(start_run(snapshot, journal, person, options or options_in(folder)), journal)


def names_of(played: Played, prefix: str) -> list[str]:
    """The names of the events that begin with *prefix*."""
    return [event.name for event in played.events if event.name.startswith(prefix)]
