"""What a run is given on the command line: ``--arg``, the flags of a playbook made for it, and standard input."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from workbench.engine.fields import NotThatType, field_type, value_of
from workbench.engine.language.book import Book
from workbench.engine.language.calling import entry_of
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.model.program import Parameter, Playbook
from workbench.model.snapshot import Snapshot

_STARTUP = "startup_message"


def setting(text: str) -> tuple[str, Any]:
    """``name=value``; what is JSON is read as JSON, so that numbers are numbers, and everything else is text."""
    name, equals, value = text.partition("=")
    name = name.strip().removeprefix("$")
    if not equals or not name:
        raise argparse.ArgumentTypeError(_("“{text}” is not NAME=VALUE").format(text=text))
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def arguments_of(
    snapshot: Snapshot, chosen: str, settings: Sequence[tuple[str, Any]], rest: Sequence[str]
) -> dict[str, Any]:
    """The arguments of a run: *settings*, *rest* as flags, and what stands in the input where it is used.

    *chosen*: the playbook to begin with, empty for the entry. Raises CannotRead for flags that do not fit.
    """
    target = entry_of(Book(snapshot), chosen)
    playbook = target.playbook if target is not None else None
    arguments = {**dict(settings), **_flags(playbook, rest)}
    if playbook is not None and _STARTUP not in arguments and _uses_input(snapshot, playbook):
        arguments[_STARTUP] = sys.stdin.read().rstrip("\r\n")
    return arguments


def _uses_input(snapshot: Snapshot, playbook: Playbook) -> bool:
    """Whether *playbook* mentions the input, and the input is not a person's keyboard."""
    is_used = _STARTUP in _text_of(snapshot, playbook)
    return is_used and sys.stdin is not None and not sys.stdin.isatty()


def _text_of(snapshot: Snapshot, playbook: Playbook) -> str:
    """What is written of *playbook*; all of the file for one that stands for Python."""
    if playbook not in snapshot.program.playbooks:
        return snapshot.text
    span = snapshot.playbook_span(playbook.name)
    return snapshot.text[span.start : span.end]


def _flags(playbook: Playbook | None, rest: Sequence[str]) -> dict[str, Any]:
    """*rest* as values of the parameters of *playbook*, where it is made for the command line."""
    if not rest:
        return {}
    parameters = playbook.parameters if playbook and dict(playbook.metadata).get("cli_entry") is True else ()
    parser = _Parser(prog="workbench run FILE", add_help=False, allow_abbrev=False)
    for parameter in parameters:
        _add_flag(parser, parameter)
    found, unknown = parser.parse_known_args(list(rest))
    if unknown:
        known = ", ".join(f"--{parameter.name}" for parameter in parameters) or _("none")
        message = _("Unknown option “{word}”. Options of the playbook: {known}.")
        raise CannotRead(message.format(word=unknown[0], known=known))
    return vars(found)


class _Parser(argparse.ArgumentParser):
    """A parser that says what is wrong by an exception of ours."""

    def error(self, message: str) -> Any:
        """Raise CannotRead."""
        raise CannotRead(message)


def _add_flag(parser: argparse.ArgumentParser, parameter: Parameter) -> None:
    """Let *parser* take ``--name VALUE``; without a value, a truth is true."""
    names = dict.fromkeys((f"--{parameter.name}", f"--{parameter.name.replace('_', '-')}"))
    is_truth = parameter.type.strip().lower() in ("bool", "boolean")

    def read(text: str) -> Any:
        try:
            return value_of(text, field_type(Variable(parameter.name, type=parameter.type)))
        except NotThatType as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    extra: dict[str, Any] = {"nargs": "?", "const": True} if is_truth else {}
    parser.add_argument(*names, dest=parameter.name, type=read, default=argparse.SUPPRESS, **extra)
