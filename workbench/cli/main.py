"""What ``argparse`` itself says, such as “usage:” and “the following arguments are required”, in the person's language.

argparse looks its texts up by the names ``_`` and ``ngettext`` of its own module, in the catalogue of the program
that the environment names. Giving it our two functions puts its texts into our catalogue and under our setting.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from workbench import __version__
from workbench.cli.terminal import INTERRUPTED, UNUSABLE, complain
from workbench.disk.files import is_there
from workbench.errors import WorkbenchError
from workbench.i18n import N_, _, ngettext
from workbench.logs import log_to_terminal
from workbench.visible import visible

TEXTS = (
    N_("usage: "),
    N_("options"),
    N_("positional arguments"),
    N_("show this help message and exit"),
    N_("show program's version number and exit"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("one of the arguments %s is required"),
    N_("not allowed with argument %s"),
    N_("ignored explicit argument %r"),
    N_("expected one argument"),
    N_("expected at least one argument"),
    N_("expected at most one argument"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("invalid %(type)s value: %(value)r"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("unknown parser %(parser_name)r (choices: %(choices)s)"),
    N_("%(prog)s: error: %(message)s\n"),
)
"""Those that our commands can show, for the catalogues."""
Entry = Callable[[Sequence[str]], int]
"""What carries out the arguments that follow, and gives the exit code."""
COMMANDS = {
    "check": "checking.check",
    "compile": "compiling",
    "convert": "converting",
    "graph": "graph",
    "edit": "edit",
    "help": "guide",
    "rename": "renaming",
    "search": "searching",
    "enforce": "enforce",
    "generate": "planning.generate",
    "shelf": "planning.shelf",
    "run": "running.run",
    "breakpoints": "running.debugging",
    "runs": "running.runs",
    "resume": "running.runs",
    "serve": "running.serving",
    "fork": "running.forks",
    "debug-adapter": "debug_adapter.command",
    "lsp": "language_server.command",
    "compare": "comparing",
    "diff": "versions.diffing",
    "history": "versions.history",
    "replay": "running.replaying",
    "test": "running.testing",
    "export": "exporting",
    "audit": "exporting",
    "models": "models",
    "patterns": "patterns.patterns",
    "tools": "tools",
    "settings": "setting_up.settings",
    "screenshot": "screenshot",
}
"""Each command, and the module of this package that registers it.

Only the module of the command that is wanted is loaded: all of them take a quarter of a
second, which neither the window nor ``workbench --version`` should have to wait for.
"""
KeyTables = list[list[tuple[str, str, str]]]
"""Menu by menu, actions with their keys and where these count."""
_SCREENSHOT = "screenshot"
_OWN = "--"


def translate_argparse() -> None:
    """Let argparse say what it says through our catalogue."""
    for name, function in (("_", _), ("ngettext", ngettext)):
        setattr(argparse, name, function)


class Parser(argparse.ArgumentParser):
    """A parser that repeats what was typed only with signs for hidden characters; commands added to it do so too."""

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message(visible(message), file)


def run_command_line(
    arguments: Sequence[str],
    open_window: Entry,
    take_screenshot: Entry,
    draw: Callable[..., bytes] | None = None,
    list_keys: Callable[[], KeyTables] | None = None,
) -> int:
    """The exit code of *arguments*; what needs Qt is handed to *open_window* or *take_screenshot*, or given by others.

    *draw* is a ``Draw`` of ``pages.diagrams.forms``, which is not loaded for it; *list_keys* gives those of the window.
    """
    translate_argparse()
    first = arguments[0] if arguments else ""
    if first == _SCREENSHOT:
        return take_screenshot(arguments[1:])
    modules: Iterable[str]
    if first in COMMANDS:
        modules = (COMMANDS[first],)
    elif first in {"-h", "--help"}:
        modules = dict.fromkeys(COMMANDS.values())
    elif first == "--version":
        modules = ()
    else:
        return _open(arguments, open_window)
    options = parsed(parser_for(modules), arguments)
    options.draw, options.list_keys = draw, list_keys
    return _execute(options)


def parser_for(modules: Iterable[str]) -> argparse.ArgumentParser:
    """The parser for the commands of *modules*."""
    parser = Parser(
        prog="workbench",
        usage=_("workbench [FILE] [--reset]\n       workbench COMMAND …"),
        description=_("Without a command, workbench opens its window and, if given, FILE."),
    )
    parser.add_argument("--version", action="version", version=f"Playbook Workbench {__version__}")
    commands = parser.add_subparsers(title=_("commands"), metavar="COMMAND", required=True, prog="workbench")
    for module in modules:
        import_module(f"{__package__}.{module}").register(commands)
    return parser


def parsed(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> argparse.Namespace:
    """*arguments*, read; what no option takes is left over as ``flags`` where the command knows what to do with it."""
    given, own = _parted(arguments)
    options, flags = parser.parse_known_args(given)
    flags += own
    if flags and not getattr(options, "takes_flags", False):
        parser.error(_("unrecognized arguments: {words}").format(words=" ".join(flags)))
    options.flags = flags
    return options


def _parted(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """*arguments* of ours, and those behind ``--`` after the file of a program, which are its own."""
    at = list(arguments).index(_OWN) if _OWN in arguments else len(arguments)
    is_of_program = arguments[:1] == ["run"] and at > 1
    return (arguments[:at], arguments[at + 1 :]) if is_of_program else (arguments, [])


def _execute(options: argparse.Namespace) -> int:
    """Carry out the command of *options*; the one border where a failing world becomes a message."""
    log_to_terminal()
    try:
        return int(options.execute(options))
    except WorkbenchError as error:
        complain(str(error))
        return UNUSABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # the reader (``head``, a pager) went away: nothing more to say, and nothing to say it to
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERRUPTED


def _open(arguments: Sequence[str], open_window: Entry) -> int:
    """Open the window, unless the first word is a command misspelt, or there is no display."""
    word = next((argument for argument in arguments if not argument.startswith("-")), "")
    is_word = word.isidentifier() or word.replace("-", "").isidentifier()
    if word and is_word and not is_there(Path(word)):
        known = ", ".join(sorted(COMMANDS))
        message = _("There is no file and no command called “{word}”. Commands: {known}.")
        complain(message.format(word=word, known=known))
        return UNUSABLE
    if not has_display():
        complain(
            _(
                "There is no display to open a window on. Commands such as check and run work without "
                "one; see workbench --help."
            )
        )
        return UNUSABLE
    return open_window(arguments)


def has_display() -> bool:
    """True when a window could be shown."""
    if sys.platform in {"darwin", "win32"}:
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
