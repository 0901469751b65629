"""The tools of a run: answers of a script first, then the Python of the file in child processes, then files.

Files are read beside the playbook, and nowhere else.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from workbench.disk.atomic import remove_file
from workbench.disk.files import is_file, is_there, read_file, real_path
from workbench.engine.backends.python_host import PythonCall, PythonCode, PythonHost
from workbench.engine.decider import Recollection, Tools
from workbench.engine.journal.events import RunId
from workbench.engine.journal.run_events import NOWHERE, NamedValue, Noted, ToolResult
from workbench.engine.language.book import Book
from workbench.engine.language.built_in import BUILT_IN
from workbench.engine.ports import CalledBack, NeverBegun
from workbench.engine.state.frames import Intent
from workbench.errors import CannotRead, NotTrusted, RunFailed
from workbench.i18n import _
from workbench.model.program import Agent
from workbench.syntax.blocks import BlockKind
from workbench.tools.values import CallSafety

FILE_READERS = ("LoadFile", "Loadfile")
_FILE_ARGUMENTS = ("file_path", "inline", "silent")
_FILE_BYTES = 1 << 20


@runtime_checkable
class ToolSource(Protocol):
    """A backend that also says what tools give."""

    def has_tool(self, name: str) -> bool:
        """Whether it answers for the tool *name*."""
        ...

    def tool_result(self, name: str) -> Any:
        """What the next call of *name* gives; raises RunFailed where nothing is left."""
        ...


@dataclass(frozen=True, slots=True)
class ToolRules:
    """How tools are called in a run.

    *ledgers*: the folder for what children note down. *files*: that of the files which can be read, None for none.
    *artifact_threshold*: from which length on a file becomes an artifact.
    """

    run: RunId
    ledgers: Path
    folder: Path
    is_trusted: bool
    time_limit_s: float
    memory_mb: int
    files: Path | None = None
    artifact_threshold: int = 500


class PlaybookTools(Tools):
    """The tools of one run of a playbook."""

    def __init__(self, book: Book, rules: ToolRules, source: ToolSource | None) -> None:
        self._book = book
        self._rules = rules
        self._source = source
        self._hosts: dict[str, PythonHost] = {}
        self._is_given_up = threading.Event()

    def safety(self, agent: str, name: str) -> CallSafety | None:
        """Whether the tool *name* may be called again; None where there is none. Python may do anything."""
        if self._is_scripted(name):
            return CallSafety.READ
        if self._book.function(agent, name) is not None:
            return CallSafety.UNSAFE
        return CallSafety.READ if name in FILE_READERS else None

    def admit(self, agent: str, name: str) -> None:
        """Raise NotTrusted where calling *name* would run Python that nobody has allowed to run."""
        if self._is_scripted(name) or self._rules.is_trusted or self._is_reader(name):
            return
        message = _(
            "{name} is Python in this file and is not allowed to run yet. Read it, then allow it: "
            "--trust on the command line, or Run in the window. The run waits before this call."
        )
        raise NotTrusted(message.format(name=name))

    def call(self, intent: Intent, on_output: Callable[[str], None]) -> ToolResult | CalledBack:
        """What the tool gives, or what it asks for first. Raises RunFailed, and Cancelled after ``cancel``."""
        if self._source is not None and self._is_scripted(intent.tool):
            return ToolResult(self._source.tool_result(intent.tool))
        if self._is_file(intent):
            return _read_file(self._rules.files, intent, self._rules.artifact_threshold)
        call = PythonCall(_ledger_key(intent), intent.tool, intent.positional, intent.named)
        return _outcome(self._host(intent.agent).call(call, on_output))

    def reply(self, agent: str, reply: Mapping[str, Any], on_output: Callable[[str], None]) -> ToolResult | CalledBack:
        """What the Python of *agent* gives, or asks for next, after it got *reply* to what it asked for."""
        return _outcome(self._host(agent).reply(reply, on_output))

    def _is_file(self, intent: Intent) -> bool:
        is_python = self._book.function(intent.agent, intent.tool) is not None
        return not is_python and not self._is_scripted(intent.tool)

    def recall(self, intent: Intent) -> Recollection:
        """What became of a call that another process began; waits while that call is still going on.

        Raises StoreFailed where nothing can be noted down, and Cancelled after ``cancel``.
        """
        if self._is_scripted(intent.tool) or self._is_file(intent):
            return NeverBegun()
        return self._host(intent.agent).ledger.recollect(_ledger_key(intent), intent.noted)

    def noted(self, agent: str, name: str) -> Noted:
        """Where the beginning of a call of Python is noted; may wait for what another process has left behind."""
        if self._book.function(agent, name) is None or self._is_scripted(name):
            return NOWHERE
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
        for agent in self._book.program.agents:
            remove_file(self._ledger(agent.name))

    def _is_reader(self, name: str) -> bool:
        return name in FILE_READERS and all(each.name != name for each in self._book.program.functions)

    def _is_scripted(self, name: str) -> bool:
        return self._source is not None and self._source.has_tool(name)

    def _ledger(self, agent: str) -> Path:
        number = [each.name for each in self._book.program.agents].index(agent)
        return self._rules.ledgers / f"{self._rules.run}-{number}.jsonl"

    def _host(self, agent: str) -> PythonHost:
        if agent not in self._hosts:
            owner = next(each for each in self._book.program.agents if each.name == agent)
            host = PythonHost(
                PythonCode(
                    owner.python,
                    _first_lines(self._book, owner),
                    self._rules.folder,
                    self._ledger(agent),
                    self._rules.time_limit_s,
                    callables_for(self._book, agent),
                    self._rules.memory_mb,
                )
            )
            self._hosts[agent] = host
            if self._is_given_up.is_set():  # stopped while it was made
                host.cancel()
        return self._hosts[agent]


def _outcome(given: object) -> ToolResult | CalledBack:
    return given if isinstance(given, CalledBack) else ToolResult(given)


def callables_for(book: Book, agent: str) -> tuple[str, ...]:
    """What the Python of *agent* can await: its playbooks, what others offer, and what is built in."""
    names = [*BUILT_IN, *FILE_READERS]
    for each in book.program.agents:
        if each.name == agent:
            names += [playbook.name for playbook in each.playbooks]
            continue
        offered = [*(one.name for one in each.playbooks), *(one.name for one in each.functions)]
        names += [f"{each.name}.{name}" for name in offered if book.is_public(each.name, name)]
    return tuple(dict.fromkeys(names))


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


def _read_file(folder: Path | None, intent: Intent, threshold: int) -> ToolResult:
    """The text of the file that *intent* names, in or below *folder*. Raises RunFailed.

    One longer than *threshold* becomes an artifact too, unless it is wanted ``inline``; a ``silent`` one is nothing
    else.
    """
    given = dict(zip(_FILE_ARGUMENTS, intent.positional, strict=False)) | dict(intent.named)
    text = _text_in(_place_of(folder, str(given.get("file_path", ""))))
    is_silent, is_inline = given.get("silent") is True, given.get("inline") is True
    is_kept = is_silent or (len(text) > threshold and not is_inline)
    return ToolResult(
        "" if is_silent else text,
        hash=hashlib.sha256(text.encode("utf-8")).hexdigest(),
        artifact=NamedValue(Path(str(given["file_path"])).name, text) if is_kept else None,
    )


def _place_of(folder: Path | None, written: str) -> Path:
    """Where *written* lies. Raises RunFailed where that is not in *folder*."""
    if folder is None:
        raise RunFailed(_("the playbook is not saved, so there is no folder to read files from."))
    path = real_path(folder / written)
    if not is_there(path):
        raise RunFailed(_("there is no file “{name}” in the folder of the playbook.").format(name=written))
    if not path.is_relative_to(real_path(folder)) or not is_file(path):
        raise RunFailed(_("“{name}” is not a file in the folder of the playbook.").format(name=written))
    return path


def _text_in(path: Path) -> str:
    try:
        return read_file(path, _FILE_BYTES).decode("utf-8-sig")
    except CannotRead as error:
        raise RunFailed(str(error)) from error
    except UnicodeDecodeError as error:
        raise RunFailed(_("“{name}” is not a text file.").format(name=path.name)) from error
