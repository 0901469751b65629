"""The Python of a file: called in child processes, one for each agent, which note down what they do."""

from __future__ import annotations

import builtins
import keyword
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.disk.atomic import remove_file
from workbench.engine.backends.functions import shown_call, spec_of
from workbench.engine.backends.python_host import PythonCall, PythonCode, PythonHost
from workbench.engine.decider import Permission, Recollection
from workbench.engine.journal.events import RunId
from workbench.engine.journal.instead import Noted
from workbench.engine.journal.run_events import ToolCalled, ToolResult
from workbench.engine.language.built_in import BUILT_IN
from workbench.engine.language.program.book import Book
from workbench.engine.language.python_calls import END
from workbench.engine.ports import Asked, CallToAllow
from workbench.engine.state.frames import Intent
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.program import Agent, Playbook, PythonFunction
from workbench.syntax.blocks import BlockKind
from workbench.tools.permissions import Origin, Permissions
from workbench.tools.schemas import bound
from workbench.tools.values import Asking, Preview, ToolSpec
from workbench.visible import visible

FILE_READERS = ("LoadFile", "Loadfile")


@dataclass(frozen=True, slots=True)
class PythonRules:
    """How Python is called in a run. *ledgers*: the folder for what children note down."""

    run: RunId
    ledgers: Path
    folder: Path
    time_limit_s: float
    memory_mb: int


class FilePython:
    """The functions of one program, in the run of *rules*."""

    def __init__(self, book: Book, rules: PythonRules) -> None:
        self.book = book
        self._rules = rules
        self._hosts: dict[str, PythonHost] = {}
        self._is_given_up = threading.Event()

    def has(self, agent: str, name: str) -> bool:
        """Whether *name* is Python of *agent*."""
        return self.book.function(agent, name) is not None

    def specs(self, agent: str) -> tuple[ToolSpec, ...]:
        """What a judged step of *agent* may call."""
        return tuple(spec_of(function, name, owner) for owner, name, function in _callable(self.book, agent))

    def permission(self, call: ToolCalled | Intent, policy: Permissions) -> Permission:
        """Whether *call* needs leave: the file was trusted as a whole, unless *policy* says more."""
        spec = self._spec(call)
        try:
            arguments = bound(spec.schema, call.positional, dict(call.named))
        except RunFailed:
            arguments = {}  # no pattern speaks of them
        asking = replace(policy, limits=()).asking(spec, Origin.PYTHON, arguments)
        reason = _("The permissions forbid this call.") if asking is Asking.FORBIDDEN else ""
        return Permission(asking, f"{call.agent}.{call.tool}", reason)

    def described(self, intent: Intent) -> CallToAllow:
        """What a person is shown of the call. Raises RunFailed."""
        spec = self._spec(intent)
        arguments = bound(spec.schema, intent.positional, dict(intent.named))
        preview = Preview(visible(shown_call(intent.tool, arguments)))
        return CallToAllow(intent.key, intent.tool, spec.source, arguments, spec.schema, "", preview)

    def _spec(self, call: ToolCalled | Intent) -> ToolSpec:
        function = self.book.function(call.agent, call.tool)
        assert function is not None
        return spec_of(function, call.tool, call.agent)

    def call(self, intent: Intent, on_output: Callable[[str], None]) -> ToolResult | Asked:
        """What the function gives, or what it asks for first. Raises RunFailed, and Cancelled after ``cancel``."""
        call = PythonCall(
            _ledger_key(intent), intent.tool, intent.positional, intent.named, intent.acting or intent.agent
        )
        return _outcome(self._host(intent.agent).call(call, on_output))

    def reply(self, agent: str, reply: Mapping[str, Any], on_output: Callable[[str], None]) -> ToolResult | Asked:
        """What the Python of *agent* gives, or asks for next, after it got *reply* to what it asked for."""
        return _outcome(self._host(agent).reply(reply, on_output))

    def recall(self, intent: Intent) -> Recollection:
        """What became of a call that another process began; waits while that call is still going on."""
        return self._host(intent.agent).ledger.recollect(_ledger_key(intent), intent.noted)

    def noted(self, agent: str) -> Noted:
        """Where the beginning of a call is noted; may wait for what another process has left behind."""
        return self._host(agent).ledger.noted()

    def cancel(self) -> None:
        """Give up the call at hand; callable from any thread."""
        self._is_given_up.set()
        for host in list(self._hosts.values()):
            host.cancel()

    def close(self) -> None:
        """End all children, and leave their ledgers to whoever resumes the run."""
        for host in self._hosts.values():
            host.close()
            host.ledger.let_go()

    def forget(self) -> None:
        """Delete what the children noted down: the journal knows it all."""
        for agent in self.book.program.agents:
            remove_file(self._ledger(agent.name))

    def _ledger(self, agent: str) -> Path:
        number = [each.name for each in self.book.program.agents].index(agent)
        return self._rules.ledgers / f"{self._rules.run}-{number}.jsonl"

    def _host(self, agent: str) -> PythonHost:
        if agent not in self._hosts:
            owner = next(each for each in self.book.program.agents if each.name == agent)
            host = PythonHost(
                PythonCode(
                    owner.python,
                    _first_lines(self.book, owner),
                    self._rules.folder,
                    self._ledger(agent),
                    self._rules.time_limit_s,
                    callables_for(self.book, agent),
                    self._rules.memory_mb,
                )
            )
            self._hosts[agent] = host
            if self._is_given_up.is_set():  # stopped while it was made
                host.cancel()
        return self._hosts[agent]


def _outcome(given: object) -> ToolResult | Asked:
    return given if isinstance(given, Asked) else ToolResult(given)


def _callable(book: Book, agent: str) -> Iterator[tuple[str, str, PythonFunction]]:
    """What a judged step of *agent* may call: whose it is, its name there, and the function."""
    for each in book.program.agents:
        for function in each.functions:
            if each.name == agent:
                yield each.name, function.name, function
            elif book.is_public(each.name, function.name):
                yield each.name, f"{each.name}.{function.name}", function


def callables_for(book: Book, agent: str) -> tuple[str, ...]:
    """What the Python of *agent* can await: its playbooks, what others offer, and what is built in."""
    names = [*BUILT_IN, *FILE_READERS, END]
    for each in book.program.agents:
        if each.name == agent:
            names += _spellings(each.playbooks)
            continue
        public = [one for one in each.playbooks if book.is_public(each.name, one.name)]
        functions = [one.name for one in each.functions if book.is_public(each.name, one.name)]
        names += [f"{each.name}.{name}" for name in (*_spellings(public), *functions)]
    return tuple(dict.fromkeys(names))


def _spellings(playbooks: Iterable[Playbook]) -> list[str]:
    """The names of *playbooks*, and after them those that their headings are written with and Python has none for."""
    known = list(playbooks)
    written = [one.written for one in known if one.written.isidentifier() and not _is_pythons(one.written)]
    return [*(one.name for one in known), *written]


def _is_pythons(name: str) -> bool:
    return keyword.iskeyword(name) or hasattr(builtins, name)


def _ledger_key(intent: Intent) -> str:
    return f"{intent.key}#{intent.attempt}"


def _first_lines(book: Book, agent: Agent) -> tuple[int, ...]:
    """The line of the file on which the code of each Python fence of *agent* begins; 0 where it is not found."""
    snapshot = book.snapshot
    fences = [
        (start, block)
        for start, block in zip(snapshot.block_starts, snapshot.blocks, strict=False)  # the last start is the end
        if block.kind is BlockKind.FENCE
    ]
    found = []
    for code in agent.python:
        starts = [start + block.text.find(code) for start, block in fences if code and code in block.text]
        found.append(snapshot.lines.line(starts[0]) + 1 if starts else 0)
    return tuple(found)
