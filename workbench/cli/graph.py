"""``workbench graph FILE``: the flow graph as networkx node-link JSON."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx

from workbench.cli.exit_codes import FINE
from workbench.cli.reading import read_snapshot
from workbench.cli.terminal import show_json
from workbench.i18n import _
from workbench.model.snapshot import Snapshot

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "graph",
        help=_("print the flow graph of a playbook file as JSON"),
        description=_("Prints node-link JSON, which networkx.node_link_graph reads."),
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help=_("as always: the graph is printed as JSON"))
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Print the graph of all playbooks in the file."""
    graph = whole_flow(read_snapshot(options.file))
    show_json(nx.node_link_data(graph, edges="edges"))
    return FINE


def whole_flow(snapshot: Snapshot) -> nx.DiGraph[Any]:
    """The flow graphs of all playbooks in one, joined where one calls another."""
    flows = [snapshot.flow(playbook.name) for playbook in snapshot.program.playbooks]
    whole: nx.DiGraph[Any] = nx.compose_all(flows) if flows else nx.DiGraph()
    return whole
