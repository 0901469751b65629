"""A launch configuration, as ``workbench run`` would have it on its command line."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.cli.debug_adapter.client import Body, Refused, all_of, may
from workbench.cli.main import parsed
from workbench.cli.reading import ReadProgram, files_named, whole_program
from workbench.cli.running import run
from workbench.cli.running.debugging import breakpoints_in
from workbench.cli.running.given import OptionsParser, Setting
from workbench.cli.running.run import Beginning, beginning_of
from workbench.disk.files import absolute
from workbench.engine.debugging.breakpoints import Breakpoints
from workbench.i18n import _

_TEXTS: Mapping[str, str] = {
    "playbook": "--playbook",
    "message": "--message",
    "script": "--script",
    "store": "--store",
    "model": "--model",
    "kind": "--kind",
}
_TRUTHS: Mapping[str, str] = {
    "trust": "--trust",
    "tick": "--tick",
    "once": "--once",
    "propose": "--propose",
    "handOver": "--hand-over",
    "recordOnly": "--record-only",
}
_LISTS: Mapping[str, str] = {
    "judges": "--judge",
    "chapters": "--chapter",
    "allow": "--allow",
    "env": "--env",
    "importFrom": "--import-from",
}
_PATHS = frozenset({"script", "store", "importFrom"})


@dataclass(frozen=True, slots=True)
class Launch:
    """A run that is to be debugged. *stops*: besides the breakpoints of the client.

    *is_watched*: whether any of them count (``noDebug`` says no).
    """

    program: ReadProgram
    beginning: Beginning
    stops: Breakpoints
    stops_on_entry: bool
    is_watched: bool


def launch_of(arguments: Body) -> Launch:
    """What the client wants run. Raises Refused and whatever else says that it cannot be."""
    options = options_of(arguments)
    program = whole_program(options.files, options.import_from, options.kind)
    beginning = beginning_of(options, program.snapshot)
    stops = breakpoints_in(options, program.snapshot)
    is_watched = not may(arguments, "noDebug", bool)
    pauses = is_watched and (bool(may(arguments, "stopOnEntry", bool)) or options.step)
    return Launch(program, beginning, stops, pauses, is_watched)


def options_of(arguments: Body) -> argparse.Namespace:
    """The options of ``workbench run`` that *arguments* stand for. Raises Refused and CannotRead."""
    parser: argparse.ArgumentParser = OptionsParser(prog="workbench")
    run.register(parser.add_subparsers())
    options = parsed(parser, ["run", *_written(arguments)])
    if options.wants_help:
        raise Refused(_("“--help” starts no run; see workbench run FILE --help."))
    options.settings += [Setting(name, value, _text(value)) for name, value in _values(arguments).items()]
    options.files = files_named(options.files)
    options.file = options.files[0]
    return options


def _values(arguments: Body) -> Body:
    given = may(arguments, "arguments", dict) or {}
    return {name.removeprefix("$"): value for name, value in given.items()}


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _written(arguments: Body) -> Iterator[str]:
    """The words of the command line, files first: so none can be taken for an option."""
    program = arguments.get("program")
    files = all_of(arguments, "program", str) if isinstance(program, list) else [may(arguments, "program", str)]
    if not all(files) or not files:
        raise Refused(_("The launch configuration names no playbook: “program” is missing."))
    folder = Path(may(arguments, "cwd", str) or ".")
    yield from (str(absolute(folder / each)) for each in files)
    for name, option in _TEXTS.items():
        if (text := may(arguments, name, str)) is not None:
            yield f"{option}={_placed(name, text, folder)}"
    for name, option in _TRUTHS.items():
        if may(arguments, name, bool):
            yield option
    for name, option in _LISTS.items():
        yield from (f"{option}={_placed(name, each, folder)}" for each in _entries(arguments, name))
    yield from _further(arguments)


def _placed(name: str, text: str, folder: Path) -> str:
    return str(absolute(folder / text)) if name in _PATHS else text


def _entries(arguments: Body, name: str) -> list[str]:
    """The entries of a list; ``{"steps": "model"}`` stands for ``steps=model``, and one text for a list of it."""
    found = arguments.get(name)
    if isinstance(found, dict):
        return [f"{key}={each}" for key, each in found.items()]
    return [found] if isinstance(found, str) else all_of(arguments, name, str)


def _further(arguments: Body) -> list[str]:
    """What else stands on the command line: a list of words, or a line as in a shell."""
    found = arguments.get("args")
    if not isinstance(found, str):
        return all_of(arguments, "args", str)
    try:
        return shlex.split(found)
    except ValueError as error:
        raise Refused(_("“args” cannot be read: {problem}").format(problem=error)) from error
