"""``workbench tools``: what tools there are, and the servers that offer some."""

from __future__ import annotations

from workbench.cli.terminal import Commands, add_command
from workbench.cli.tool_servers import add_server_verbs
from workbench.cli.tool_verbs import add_tool_verbs
from workbench.i18n import _


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "tools",
        _("look at tools, try them, say when you are asked, and see to servers"),
        "tools list deploy.md",
        _("Exit code: 0 success, 1 not found or not working, 2 a file cannot be used, or a server is not allowed."),
    )
    verbs = parser.add_subparsers(title=_("verbs"), metavar="VERB", required=True)
    add_tool_verbs(verbs)
    add_server_verbs(verbs)
