"""The tools that come with the workbench.

Commands are started as a list of words, with no shell between, unless the tool is the shell itself. Files are those of
the project, and nothing outside of it.
"""

from __future__ import annotations

import datetime as dt
import difflib
import json
import os
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from workbench.disk.atomic import make_folder, replace_file
from workbench.disk.files import Kind, entries, look_at, read_file, real_path, why
from workbench.errors import CannotRead, RunFailed
from workbench.i18n import N_, _
from workbench.tools.builtin import web
from workbench.tools.builtin.rules import BuiltinRules
from workbench.tools.children.guarding import bare_environment
from workbench.tools.children.limited import Command, CommandRunner, Ended
from workbench.tools.command_lines import argv_of, look_alikes, shown
from workbench.tools.confinement import place_in
from workbench.tools.schemas import check_arguments
from workbench.tools.values import CallSafety, Preview, ToolSpec
from workbench.visible import visible

_FILE_BYTES = 1 << 20
_MOST_NAMES = 1000
Hear = Callable[[str], None]


def read(rules: BuiltinRules, arguments: Mapping[str, Any], _on_output: Hear) -> str:
    """The text of a file."""
    return _text_in(_file(rules.folder, arguments["path"]))


def write(rules: BuiltinRules, arguments: Mapping[str, Any], _on_output: Hear) -> str:
    """Write a file; the name of what was written."""
    path = place_in(rules.folder, arguments["path"])
    if look_at(path).kind not in {Kind.FILE, Kind.MISSING}:
        raise RunFailed(_("“{name}” is not a file.").format(name=visible(arguments["path"])))
    try:
        make_folder(path.parent)
        replace_file(path, arguments["text"].encode("utf-8", "surrogatepass"))
    except OSError as error:
        message = _("“{name}” could not be written: {reason}.")
        raise RunFailed(message.format(name=visible(arguments["path"]), reason=why(error))) from error
    return str(arguments["path"])


def show_write(rules: BuiltinRules, arguments: Mapping[str, Any]) -> Preview:
    """How the file would change, as a diff in which hidden characters can be seen."""
    path = place_in(rules.folder, arguments["path"])
    name, is_new = visible(arguments["path"]), look_at(path).kind is Kind.MISSING
    before = "" if is_new else _text_in(_file(rules.folder, arguments["path"]))
    lines = difflib.unified_diff(
        visible(before).splitlines(), visible(arguments["text"]).splitlines(), f"a/{name}", f"b/{name}", lineterm=""
    )
    summary = _("Write a new file {name}") if is_new else _("Change the file {name}")
    return Preview(summary.format(name=name), "\n".join(lines), is_difference=True)


def list_names(rules: BuiltinRules, arguments: Mapping[str, Any], _on_output: Hear) -> list[str]:
    """The names in a folder, those of folders with a slash; at most a thousand."""
    folder = place_in(rules.folder, arguments.get("path", "."))
    if look_at(folder).kind is not Kind.FOLDER:
        raise RunFailed(_("There is no folder “{name}”.").format(name=visible(arguments.get("path", "."))))
    pattern = arguments.get("pattern", "*")
    found = (path for path in entries(folder) if fnmatchcase(path.name, pattern))
    return [path.name + "/" * (look_at(path).kind is Kind.FOLDER) for path in found][:_MOST_NAMES]


def _file(folder: Path | None, written: str) -> Path:
    path = place_in(folder, written)
    kind = look_at(path).kind
    if kind is Kind.MISSING:
        raise RunFailed(_("There is no file “{name}” in the folder of the project.").format(name=visible(written)))
    if kind is not Kind.FILE or not real_path(path).is_relative_to(real_path(folder or path)):
        raise RunFailed(_("“{name}” is not a file.").format(name=visible(written)))
    return path


def _text_in(path: Path) -> str:
    try:
        return read_file(path, _FILE_BYTES).decode("utf-8-sig")
    except CannotRead as error:
        raise RunFailed(str(error)) from error
    except UnicodeDecodeError as error:
        raise RunFailed(_("“{name}” is not a text file.").format(name=path.name)) from error


_SHOWN = 2000


def run_command(rules: BuiltinRules, runner: CommandRunner, arguments: Mapping[str, Any], on_output: Hear) -> str:
    """What the command writes to its output. Raises RunFailed where it ends with another code than 0."""
    return _run(rules, runner, argv_of(arguments["command"]), on_output)


def run_script(rules: BuiltinRules, runner: CommandRunner, arguments: Mapping[str, Any], on_output: Hear) -> str:
    """The same for the script of a shell."""
    return _run(rules, runner, ("/bin/sh", "-c", arguments["script"]), on_output)


def show_command(_rules: BuiltinRules, arguments: Mapping[str, Any]) -> Preview:
    """The command line, and a warning where a word in it may be taken for another."""
    argv = argv_of(arguments["command"])
    warning = _("Mixes letters of several alphabets: {word}")
    return Preview(shown(argv), "\n".join(warning.format(word=visible(word)) for word in look_alikes(argv)))


def show_script(_rules: BuiltinRules, arguments: Mapping[str, Any]) -> Preview:
    """The script, which a shell will read."""
    return Preview(_("Run in a shell (/bin/sh)"), visible(arguments["script"]))


def _run(rules: BuiltinRules, runner: CommandRunner, argv: tuple[str, ...], on_output: Hear) -> str:
    command = Command(
        argv,
        place_in(rules.folder, "."),
        bare_environment({name: os.environ[name] for name in rules.environment if name in os.environ}),
        rules.time_limit_s,
        rules.output_limit,
        rules.memory_mb,
    )
    ended = runner.run(command, on_output)
    if ended.exit_code:
        raise RunFailed(_failure(argv, ended))
    return ended.output.removesuffix("\n")


def _failure(argv: tuple[str, ...], ended: Ended) -> str:
    said = (ended.errors.strip() or ended.output.strip())[-_SHOWN:]
    text = _("“{command}” ended with exit code {code}.").format(command=visible(argv[0]), code=ended.exit_code)
    return f"{text}\n{said}" if said else text


_Use = Callable[[Mapping[str, Any], Hear], Any]
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

    def call(self, name: str, arguments: Mapping[str, Any], on_output: Hear) -> Any:
        """What *name* gives. Raises RunFailed, and Cancelled after ``cancel``."""
        self._check(name, arguments)
        uses: dict[str, _Use] = {
            "shell": lambda given, heard: run_command(self._rules, self._runner, given, heard),
            "sh": lambda given, heard: run_script(self._rules, self._runner, given, heard),
            "read_file": lambda given, heard: read(self._rules, given, heard),
            "write_file": lambda given, heard: write(self._rules, given, heard),
            "list_files": lambda given, heard: list_names(self._rules, given, heard),
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
    "shell": show_command,
    "sh": show_script,
    "write_file": show_write,
    "http_get": web.show_get,
}


def _notified(arguments: Mapping[str, Any], on_output: Hear) -> bool:
    on_output(str(arguments["text"]) + "\n")
    return True


def _as_line(name: str, arguments: Mapping[str, Any]) -> str:
    return visible(f"{name}({', '.join(f'{key}={json.dumps(value)}' for key, value in arguments.items())})")
