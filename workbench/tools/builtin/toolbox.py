"""The tools that come with the workbench."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping
from typing import Any

from workbench.errors import RunFailed
from workbench.i18n import N_, _
from workbench.tools.builtin import commands, files, web
from workbench.tools.builtin.rules import BuiltinRules
from workbench.tools.children.limited import CommandRunner
from workbench.tools.schemas import check_arguments
from workbench.tools.values import CallSafety, Preview, ToolSpec
from workbench.visible import visible

_Use = Callable[[Mapping[str, Any], Callable[[str], None]], Any]
_Show = Callable[[BuiltinRules, Mapping[str, Any]], Preview]
_TEXT = {"type": "string"}
_SOURCE = N_("Playbook Workbench")


def _arguments(needed: int, **properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema whose first *needed* properties must be given."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties)[:needed],
        "additionalProperties": False,
    }


_PATH = {**_TEXT, "description": "From the folder of the project on, such as notes/today.md"}
_SPECS: tuple[tuple[str, str, Mapping[str, Any], CallSafety], ...] = (
    (
        "shell",
        "Runs one command in the project folder and gives what it prints; no shell: no pipes, wildcards, variables.",
        _arguments(
            1, command={"type": ["array", "string"], "items": _TEXT, "description": "The program and its arguments"}
        ),
        CallSafety.UNSAFE,
    ),
    ("sh", "Runs a script with /bin/sh in the folder of the project.", _arguments(1, script=_TEXT), CallSafety.UNSAFE),
    ("read_file", "Gives the text of a file of the project.", _arguments(1, path=_PATH), CallSafety.READ),
    (
        "write_file",
        "Writes a file of the project: the whole text, in place of what is there.",
        _arguments(2, path=_PATH, text=_TEXT),
        CallSafety.UNSAFE,
    ),
    (
        "list_files",
        "Gives the names in a folder of the project; those of folders end with a slash.",
        _arguments(0, path=_PATH, pattern={**_TEXT, "description": "Such as *.md"}),
        CallSafety.READ,
    ),
    ("http_get", "Gives the text behind an address of the web.", _arguments(1, url=_TEXT), CallSafety.READ),
    ("clock", "Gives the date and the time, with the offset from UTC.", _arguments(0), CallSafety.READ),
    (
        "notify",
        "Tells the person who follows the run something, without waiting for an answer.",
        _arguments(1, text=_TEXT),
        CallSafety.IDEMPOTENT,
    ),
)


def builtin_specs() -> tuple[ToolSpec, ...]:
    """All tools that come with the workbench."""
    return tuple(ToolSpec(*each, str(_SOURCE)) for each in _SPECS)


class BuiltinTools:
    """The toolbox of them, for one run. Nothing goes on between two calls."""

    def __init__(self, rules: BuiltinRules) -> None:
        self._rules = rules
        self._runner = CommandRunner()
        self._fetcher = web.Fetcher()

    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools."""
        return builtin_specs()

    def find(self, name: str) -> ToolSpec | None:
        """The tool *name*."""
        return next((each for each in self.specs() if each.name == name), None)

    def may_have(self, name: str) -> bool:
        """Whether there is such a tool."""
        return self.find(name) is not None

    def preview(self, name: str, arguments: Mapping[str, Any]) -> Preview:
        """What calling *name* would do. Raises RunFailed where it could not be done at all."""
        self._check(name, arguments)
        show = _PREVIEWS.get(name)
        return Preview(_as_line(name, arguments)) if show is None else show(self._rules, arguments)

    def call(self, name: str, arguments: Mapping[str, Any], on_output: Callable[[str], None]) -> Any:
        """What *name* gives. Raises RunFailed, and Cancelled after ``cancel``."""
        self._check(name, arguments)
        uses: dict[str, _Use] = {
            "shell": lambda given, heard: commands.run_command(self._rules, self._runner, given, heard),
            "sh": lambda given, heard: commands.run_script(self._rules, self._runner, given, heard),
            "read_file": lambda given, heard: files.read(self._rules, given, heard),
            "write_file": lambda given, heard: files.write(self._rules, given, heard),
            "list_files": lambda given, heard: files.list_names(self._rules, given, heard),
            "http_get": lambda given, heard: self._fetcher.get(self._rules, given, heard),
            "clock": lambda _given, _heard: dt.datetime.now().astimezone().isoformat(timespec="seconds"),
            "notify": _notified,
        }
        return uses[name](arguments, on_output)

    def cancel(self) -> None:
        """Give up the call at hand; callable from any thread."""
        self._runner.cancel()
        self._fetcher.cancel()

    def close(self) -> None:
        """Nothing goes on between calls."""

    def _check(self, name: str, arguments: Mapping[str, Any]) -> None:
        spec = self.find(name)
        if spec is None:
            raise RunFailed(_("There is no tool called {name}.").format(name=name))
        check_arguments(spec.schema, arguments)


_PREVIEWS: dict[str, _Show] = {
    "shell": commands.show_command,
    "sh": commands.show_script,
    "write_file": files.show_write,
    "http_get": web.show_get,
}


def _notified(arguments: Mapping[str, Any], on_output: Callable[[str], None]) -> bool:
    on_output(str(arguments["text"]) + "\n")
    return True


def _as_line(name: str, arguments: Mapping[str, Any]) -> str:
    return visible(f"{name}({', '.join(f'{key}={json.dumps(value)}' for key, value in arguments.items())})")
