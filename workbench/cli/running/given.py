"""What a program is given on the command line: its parameters, a message, the input; and its own ``--help``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from workbench.engine.expressions.data import as_data
from workbench.engine.fields import FieldKind, NotThatType, field_type, typed, value_of
from workbench.engine.language.program.book import Book, PlaybookTarget, entry_of, stands_for, waits_at_once
from workbench.errors import CannotRead
from workbench.i18n import N_, _
from workbench.model.format import TextFormat
from workbench.model.meaning import Variable
from workbench.model.program import Parameter, Playbook
from workbench.model.snapshot import Snapshot

_STARTUP = "startup_message"
_KINDS = {
    FieldKind.TEXT: N_("text"),
    FieldKind.LONG_TEXT: N_("text"),
    FieldKind.WHOLE_NUMBER: N_("whole number"),
    FieldKind.NUMBER: N_("number"),
    FieldKind.YES_NO: N_("yes or no"),
    FieldKind.LIST: N_("list: a, b"),
    FieldKind.OBJECT: N_("object: name = value, or JSON"),
    FieldKind.DATA: N_("JSON"),
    FieldKind.ANY: N_("text or JSON"),
}


class Setting(NamedTuple):
    """``NAME=VALUE``. *written*: the value as it was typed."""

    name: str
    value: Any
    written: str


def setting(text: str) -> Setting:
    """``name=value``; what is JSON is read as JSON, so that numbers are numbers, and everything else is text."""
    name, equals, value = text.partition("=")
    name = name.strip().removeprefix("$")
    if not equals or not name:
        raise argparse.ArgumentTypeError(_("“{text}” is not NAME=VALUE").format(text=text))
    return Setting(name, json_or_text(value)[0], value)


def json_or_text(text: str) -> tuple[Any]:
    """What *text* says as JSON, so that numbers are numbers; everything else is text. Always as the only item."""
    try:
        return (json.loads(text),)
    except (ValueError, RecursionError):
        return (text,)


def arguments_of(snapshot: Snapshot, options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of a run: what *options* say, and what stands in the input where it is used.

    Raises CannotRead for what does not fit, and where a value is missing.
    """
    book = Book(snapshot)
    target = entry_of(book, options.playbook)
    playbook = target.playbook if target is not None else None
    parameters = playbook.parameters if playbook is not None else ()
    arguments = {one.name: one.value for one in options.settings} | flags_of(parameters, options.flags)
    if options.message:
        arguments.setdefault(_STARTUP, options.message)
    if playbook is None:
        return arguments
    if _STARTUP not in arguments and _uses_input(snapshot, playbook):
        arguments[_STARTUP] = sys.stdin.read().rstrip("\r\n")
    _check(playbook, arguments, is_begun=not waits_at_once(book, options.playbook))
    return arguments


def _check(playbook: Playbook, arguments: dict[str, Any], *, is_begun: bool) -> None:
    """Raises CannotRead where a parameter of *playbook*, which *is_begun*, has no value or one of another type."""
    for each in playbook.parameters:
        if each.name not in arguments:
            if is_begun and each.default is None:
                message = _("{playbook} needs a value for {name}: --{name} VALUE. See workbench run FILE --help.")
                raise CannotRead(message.format(playbook=playbook.name, name=each.name))
            continue
        try:
            typed(Variable(each.name, type=each.type), as_data(arguments[each.name]))
        except ValueError as error:
            message = _("The value of {name} does not fit: {problem}.")
            raise CannotRead(message.format(name=each.name, problem=str(error).removesuffix("."))) from error


def _uses_input(snapshot: Snapshot, playbook: Playbook) -> bool:
    """Whether *playbook* mentions the input, and the input is not a person's keyboard."""
    is_used = _STARTUP in _text_of(snapshot, playbook)
    return is_used and sys.stdin is not None and not sys.stdin.isatty()


def _text_of(snapshot: Snapshot, playbook: Playbook) -> str:
    """What is written of *playbook*; all of the file for one that stands for Python."""
    if playbook not in snapshot.program.playbooks:
        return snapshot.text
    span = snapshot.playbook_span(playbook.address)
    return snapshot.text[span.start : span.end]


def flags_of(parameters: Sequence[Parameter], rest: Sequence[str]) -> dict[str, Any]:
    """*rest* as values of *parameters*. Raises CannotRead."""
    if not rest:
        return {}
    parser = OptionsParser(prog="workbench run FILE", add_help=False, allow_abbrev=False)
    for parameter in parameters:
        add_flag(parser, parameter)
    found, unknown = parser.parse_known_args(list(rest))
    if unknown:
        known = ", ".join(f"--{parameter.name}" for parameter in parameters) or _("none")
        message = _("Unknown option “{word}”. Options of the playbook: {known}.")
        raise CannotRead(message.format(word=unknown[0], known=known))
    return vars(found)


class OptionsParser(argparse.ArgumentParser):
    """A parser that says what is wrong by an exception of ours."""

    def error(self, message: str) -> Any:
        """Raise CannotRead."""
        raise CannotRead(message)


def add_flag(parser: argparse._ActionsContainer, parameter: Parameter, **extra: Any) -> None:
    """Let *parser* take ``--name VALUE``; without a value, a truth is true."""
    names = tuple(dict.fromkeys((f"--{parameter.name.replace('_', '-')}", f"--{parameter.name}")))
    kind = field_type(Variable(parameter.name, type=parameter.type))

    def read(text: str) -> Any:
        try:
            return value_of(text, kind)
        except NotThatType as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    if kind.kind is FieldKind.YES_NO:
        extra |= {"nargs": "?", "const": True}
    if "help" in extra:  # one spelling is enough to read
        names = names[:1]
    parser.add_argument(*names, dest=parameter.name, type=read, default=argparse.SUPPRESS, **extra)


def help_of(snapshot: Snapshot, chosen: str, file: Path) -> str:
    """What the program of *snapshot* in *file* is for, and its options. *chosen*: the playbook that is to begin.

    Raises CannotRead where there is none.
    """
    book = Book(snapshot)
    target = None if snapshot.program.format is not TextFormat.MARKDOWN else entry_of(book, chosen)
    if target is None:
        raise CannotRead(_("“{name}” has no playbook that takes options.").format(name=file.name))
    parser = OptionsParser(
        prog=f"workbench run {file}",
        description=_about(book, target, is_chosen=bool(chosen)),
        epilog=_("Options of workbench itself, which go before or after FILE: workbench run --help"),
        add_help=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options = parser.add_argument_group(_("options of {playbook}").format(playbook=_name(book, target)))
    for each in target.playbook.parameters:
        extra: dict[str, Any] = {"required": each.default is None, "metavar": each.name.upper()}
        add_flag(options, each, help=_described(each).replace("%", "%%"), **extra)
    return parser.format_help()


def _name(book: Book, target: PlaybookTarget) -> str:
    function = stands_for(book, target)
    return target.playbook.name if function is None else function.name


def _about(book: Book, target: PlaybookTarget, *, is_chosen: bool) -> str:
    """What the program says of itself: in its front matter, of its playbook (which comes first where it *is_chosen*),
    or of the agent.
    """
    function, agent = stands_for(book, target), book.agent(target.agent)
    own = target.playbook.description if function is None else function.description
    said = dict(book.program.front_matter).get("description")
    whole = said if isinstance(said, str) else ""
    texts = (own if is_chosen else whole, own, whole, agent.description if agent is not None else "")
    return next((text.strip() for text in texts if text.strip()), "")


def _described(parameter: Parameter) -> str:
    """The type and the default of *parameter*."""
    kind = field_type(Variable(parameter.name, type=parameter.type))
    words = ", ".join(kind.choices) or str(_KINDS[kind.kind])
    if parameter.default is None:
        return _("{type}; required").format(type=words)
    return _("{type}; default: {value}").format(type=words, value=parameter.default)
