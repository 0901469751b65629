"""The tools of a run: answers of a script first, then the Python of the file in child processes, then all others.

``LoadFile`` reads files beside the playbook, and nowhere else; for the others see ``registry``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from workbench.disk.files import is_file, is_there, read_file, real_path
from workbench.engine.backends.file_python import FILE_READERS, FilePython
from workbench.engine.backends.limits import limits_in
from workbench.engine.backends.registry import Registry
from workbench.engine.decider import Permission, Recollection, Tools
from workbench.engine.journal.instead import NOWHERE, Noted
from workbench.engine.journal.run_events import NamedValue, ToolCalled, ToolResult
from workbench.engine.language.built_in import BUILT_IN
from workbench.engine.language.program.book import type_of
from workbench.engine.ports import Asked, CallToAllow, NeverBegun, Unknown
from workbench.engine.state.frames import Intent
from workbench.errors import CannotRead, NotTrusted, RunFailed
from workbench.i18n import _
from workbench.tools.values import CallSafety, ToolSpec

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

    *files*: the folder of the files which can be read, None for none. *artifact_threshold*: from which length on a file
    becomes an artifact.
    """

    is_trusted: bool
    files: Path | None = None
    artifact_threshold: int = 500


class PlaybookTools(Tools):
    """The tools of one run of a playbook: *python* of the file, and *others*."""

    def __init__(self, python: FilePython, rules: ToolRules, source: ToolSource | None, others: Registry) -> None:
        self._python = python
        self._book = python.book
        self._rules = rules
        self._source = source
        self._others = others
        self.mocking = others.mocking

    def safety(self, agent: str, name: str) -> CallSafety | None:
        """Whether the tool *name* may be called again; None where there is none. Python may do anything."""
        if self._is_scripted(name) or self.mocking.of(name) is not None:
            return CallSafety.READ
        if self._python.has(agent, name):
            return CallSafety.UNSAFE
        if name in FILE_READERS:
            return CallSafety.READ
        return self._others.safety(agent, name) if name not in BUILT_IN else None

    def offered(self, agent: str) -> tuple[ToolSpec, ...]:
        """The Python of *agent*, what other agents offer, and all other tools that may be used."""
        own = self._python.specs(type_of(agent))
        taken = {spec.name for spec in own}
        limited = self._others.policy.limited_to(*limits_in(self._book, agent, ""))
        return (*own, *(each.spec for each in self._others.all(limited) if each.spec.name not in taken))

    def permission(self, call: ToolCalled | Intent, playbook: str) -> Permission:
        """Whether the call, made in *playbook*, needs leave; what a script answers does nothing, so it needs none."""
        if self._is_scripted(call.tool) or self._is_reader(call):
            return Permission()
        if self._python.has(call.agent, call.tool):
            return self._python.permission(call, self._others.policy)
        limited = self._others.policy.limited_to(*limits_in(self._book, call.agent, playbook))
        return self._others.permission_under(limited, call)

    def described(self, intent: Intent) -> CallToAllow:
        """What a person is shown of the call. Raises RunFailed where it could not be made at all."""
        is_python = self._python.has(intent.agent, intent.tool)
        return self._python.described(intent) if is_python else self._others.described(intent)

    def admit(self, agent: str, name: str) -> None:
        """Raise NotTrusted where calling *name* would run Python that nobody has allowed to run."""
        if self._is_scripted(name) or self._rules.is_trusted:
            return
        if not self._python.has(agent, name):
            self._others.admit(agent, name)
            return
        message = _(
            "{name} is Python in this file and is not allowed to run yet. Read it, then allow it: "
            "--trust on the command line, or Run in the window. The run waits before this call."
        )
        raise NotTrusted(message.format(name=name))

    def call(self, intent: Intent, on_output: Callable[[str], None]) -> ToolResult | Asked:
        """What the tool gives, or what it asks for first. Raises RunFailed, and Cancelled after ``cancel``."""
        if self._source is not None and self._is_scripted(intent.tool):
            return ToolResult(self._source.tool_result(intent.tool))
        if self._python.has(intent.agent, intent.tool):
            return self._python.call(intent, on_output)
        if self._is_reader(intent):
            return _read_file(self._rules.files, intent, self._rules.artifact_threshold)
        return self._others.call(intent, on_output)

    def reply(self, agent: str, reply: Mapping[str, Any], on_output: Callable[[str], None]) -> ToolResult | Asked:
        """What the Python of *agent* gives, or asks for next, after it got *reply* to what it asked for."""
        return self._python.reply(agent, reply, on_output)

    def recall(self, intent: Intent) -> Recollection:
        """What became of a call that another process began; waits while that call is still going on.

        Raises StoreFailed where nothing can be noted down, and Cancelled after ``cancel``.
        """
        if self._is_scripted(intent.tool) or self._is_reader(intent):
            return NeverBegun()
        return self._python.recall(intent) if self._python.has(intent.agent, intent.tool) else Unknown()

    def noted(self, agent: str, name: str) -> Noted:
        """Where the beginning of a call of Python is noted; may wait for what another process has left behind."""
        if self._is_scripted(name) or not self._python.has(agent, name):
            return NOWHERE
        return self._python.noted(agent)

    def cancel(self) -> None:
        """Give up the call at hand; callable from any thread."""
        self._others.cancel()
        self._python.cancel()

    def close(self) -> None:
        """End all children, and leave their ledgers to whoever resumes the run."""
        self._others.close()
        self._python.close()

    def forget(self) -> None:
        """Delete what the children noted down: the journal knows it all."""
        self._python.forget()

    def _is_reader(self, call: ToolCalled | Intent) -> bool:
        return call.tool in FILE_READERS and not self._python.has(call.agent, call.tool)

    def _is_scripted(self, name: str) -> bool:
        return self._source is not None and self._source.has_tool(name)


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
