"""The Python files of a project that hold tools: read as text for what they offer, run in a child for a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.disk.files import read_file
from workbench.engine.backends.functions import shown_call, spec_of
from workbench.engine.backends.python_host import PythonCall, PythonCode, PythonHost
from workbench.engine.ports import Asked
from workbench.errors import CannotRead, RunFailed
from workbench.i18n import _
from workbench.syntax.python_functions import python_functions
from workbench.tools.confinement import place_in
from workbench.tools.values import Preview, ToolSpec
from workbench.visible import visible


@dataclass(frozen=True, slots=True)
class ModuleRules:
    """*files*: as the project names them, from *folder* on. *ledger*: the file for what the child notes down."""

    folder: Path
    files: tuple[str, ...]
    ledger: Path
    time_limit_s: float
    memory_mb: int


def module_texts(folder: Path, files: tuple[str, ...]) -> Mapping[str, str]:
    """The text of each of *files* of the project in *folder*. Raises RunFailed for one that is not there."""
    found = {}
    for name in files:
        try:
            found[name] = read_file(place_in(folder, name)).decode("utf-8-sig")
        except (CannotRead, UnicodeDecodeError) as error:
            reason = error if isinstance(error, CannotRead) else _("it is not a text")
            message = _("The tools of the project in {name} cannot be used: {reason}")
            raise RunFailed(message.format(name=visible(name), reason=reason)) from error
    return found


class ModuleTools:
    """The toolbox of the functions marked ``@playbook`` in them. Their child starts with the first call."""

    def __init__(self, rules: ModuleRules) -> None:
        self._rules = rules
        self._texts: Mapping[str, str] | None = None
        self._host: PythonHost | None = None
        self._count = 0
        self._is_cancelled = False

    def specs(self) -> tuple[ToolSpec, ...]:
        """What the files offer. Nothing of them is run for that."""
        return tuple(
            spec_of(function, function.name, name)
            for name, text in self._read().items()
            for function in python_functions(text)
        )

    def find(self, name: str) -> ToolSpec | None:
        """The tool *name*."""
        return next((each for each in self.specs() if each.name == name), None)

    def may_have(self, name: str) -> bool:
        """Whether there is such a tool."""
        return self.find(name) is not None

    def preview(self, name: str, arguments: Mapping[str, Any]) -> Preview:
        """The call."""
        return Preview(visible(shown_call(name, arguments)))

    def call(self, name: str, arguments: Mapping[str, Any], on_output: Callable[[str], None]) -> Any:
        """What the function returns. Raises RunFailed, and Cancelled after ``cancel``."""
        self._count += 1
        host = self._started()
        given = host.call(PythonCall(str(self._count), name, (), tuple(arguments.items())), on_output)
        while isinstance(given, Asked):
            given = host.reply({"refused": _("tools of the project cannot call playbooks")}, on_output)
        return given

    def cancel(self) -> None:
        """Give up the call at hand; callable from any thread."""
        self._is_cancelled = True
        if self._host is not None:
            self._host.cancel()

    def close(self) -> None:
        """End the child. What it has noted down is of no use to anybody else."""
        if self._host is not None:
            self._host.close()
            with suppress(OSError):
                self._host.ledger.forget()
            self._host = None

    def _read(self) -> Mapping[str, str]:
        if self._texts is None:
            self._texts = module_texts(self._rules.folder, self._rules.files)
        return self._texts

    def _started(self) -> PythonHost:
        if self._host is None:
            texts, rules = tuple(self._read().values()), self._rules
            lines = (1,) * len(texts)
            code = PythonCode(texts, lines, rules.folder, rules.ledger, rules.time_limit_s, (), rules.memory_mb)
            self._host = PythonHost(code)
            if self._is_cancelled:  # stopped while it was made
                self._host.cancel()
        return self._host
