"""``workbench lsp``: an editor gets what the window knows, over the input and output of this process."""

from __future__ import annotations

import argparse

from workbench.cli.terminal import Commands, add_command, taken_wires
from workbench.errors import WorkbenchError
from workbench.i18n import _

_NEEDED = frozenset({"pygls", "lsprotocol", "cattrs", "attrs"})


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "lsp",
        _("help an editor with playbooks as a language server"),
        "lsp",
        _("Speaks the Language Server Protocol over its input and output. The README says how editors start it."),
    )
    # many clients say in which way they speak to a server, and there is only this one
    parser.add_argument(
        "--stdio", action="store_true", help=_("the input and output of the process; there is no other way")
    )
    parser.set_defaults(execute=execute)


def execute(_options: argparse.Namespace) -> int:
    """Serve one client, until it goes. Raises WorkbenchError where what speaks the protocol is not installed."""
    try:
        from workbench.cli.language_server.server import serve  # noqa: PLC0415 - no other command needs the protocol
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        message = _("The language server needs the package “{name}”. Install it with: pip install pygls")
        raise WorkbenchError(message.format(name=error.name)) from error
    return serve(*taken_wires())
