"""``workbench graph FILE``: the flow graph as networkx node-link JSON."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.reading import add_import_option, read_snapshot
from workbench.cli.terminal import FINE, Commands, add_command, show_json
from workbench.i18n import _


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "graph",
        _("print the flow graph of a playbook file as JSON"),
        "graph playbooks/refund.md",
        _("Prints node-link JSON, as read by networkx.node_link_graph."),
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help=_("accepted for consistency; output is always JSON"))
    add_import_option(parser)
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Print the graph of all playbooks in the file, joined where one calls another."""
    # networkx takes a fifth of a second to load, and no other command needs it
    from networkx import node_link_data  # noqa: PLC0415

    from workbench.model.flow import flow_of_program  # noqa: PLC0415

    show_json(node_link_data(flow_of_program(read_snapshot(options.file, options.import_from)), edges="edges"))
    return FINE
