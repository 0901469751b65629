"""What a procedure is given on the command line, or at the prompt: values for the places that it leaves open."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from workbench.cli.running.following import is_at_terminal
from workbench.cli.running.given import OptionsParser, add_flag, flags_of
from workbench.cli.terminal import read_line, show
from workbench.engine.language.procedures.start import as_parameters, left_open, title_of, why_unusable
from workbench.errors import CannotRead, RunFailed
from workbench.i18n import _
from workbench.model.procedures.placeholder_forms import canonical
from workbench.model.procedures.placeholders import Placeholder, is_usable
from workbench.model.snapshot import Snapshot


def values_of_procedure(snapshot: Snapshot, options: argparse.Namespace) -> dict[str, Any]:
    """What is put in where a procedure leaves something open; a person at the terminal is asked for what is not said.

    Raises CannotRead where what must have a value has none, and nobody can be asked.
    """
    asked = _left_open(snapshot, options)
    given = {canonical(each.name): each.written for each in options.settings}
    given |= flags_of(as_parameters(asked), options.flags)
    can_ask = is_at_terminal() and options.script is None and not options.json
    for each in asked if can_ask else ():
        if each.name not in given:
            given[each.name] = _asked(each)
    missing = next((each for each in asked if each.is_required and not each.default and each.name not in given), None)
    if missing is not None:
        message = _("{playbook} needs a value for {name}: --{name} VALUE. See workbench run FILE --help.")
        raise CannotRead(message.format(playbook=title_of(snapshot.program), name=missing.name))
    return given


def _left_open(snapshot: Snapshot, options: argparse.Namespace) -> tuple[Placeholder, ...]:
    try:
        return left_open(snapshot, options.chapters or list(filter(None, [options.playbook])))
    except RunFailed as error:
        raise CannotRead(str(error)) from error


def _asked(placeholder: Placeholder) -> str:
    """What a person says for *placeholder*; nothing leaves it as it is written, or takes the default."""
    words = f"{placeholder.title}: {placeholder.description}" if placeholder.description else placeholder.title
    label = _("{words} (Enter: {empty}): ").format(words=words, empty=placeholder.default or _("leave it open"))
    while True:
        said = read_line(label).strip() or placeholder.default
        if is_usable(said):
            return said
        show(why_unusable(placeholder.name))


def help_of_procedure(snapshot: Snapshot, file: Path) -> str:
    """What a procedure is about, and what can be put in."""
    parser = OptionsParser(
        prog=f"workbench run {file}",
        description=title_of(snapshot.program),
        epilog=_("Options of workbench itself, which go before or after FILE: workbench run --help"),
        add_help=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options = parser.add_argument_group(_("options of {playbook}").format(playbook=title_of(snapshot.program)))
    asked = left_open(snapshot)
    for each, parameter in zip(asked, as_parameters(asked), strict=True):
        default = _("(default: {value})").format(value=each.default) if each.default else ""
        words = " ".join(filter(None, (each.description, default)))
        extra: dict[str, Any] = {"required": parameter.default is None, "metavar": each.name.upper()}
        add_flag(options, parameter, help=words.replace("%", "%%"), **extra)
    return parser.format_help()
