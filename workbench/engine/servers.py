"""The servers of tools that a playbook and its project name, as boxes for a run. Nothing is started here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.disk.places import Places
from workbench.model.program import Program
from workbench.project_file import project_file
from workbench.tools.mcp.agents import servers_of_agents
from workbench.tools.mcp.reading import NamedServers, joined, servers_of_project
from workbench.tools.mcp.specs import ServerSpec

if TYPE_CHECKING:
    from workbench.tools.mcp.toolbox import McpToolbox
    from workbench.tools.values import ToolSpec


def servers_named(folder: Path, program: Program | None = None) -> NamedServers:
    """The servers that the agents of *program* are, then those of the project in *folder*."""
    agents = servers_of_agents(folder, _remotes(program)) if program is not None else NamedServers()
    return joined(agents, servers_of_project(folder, project_file(folder)))


def server_boxes(
    named: NamedServers, is_allowed: Callable[[ServerSpec], bool], where: Places
) -> tuple[McpToolbox, ...]:
    """What *named* offer, for one run; a server starts when something is first wanted of it, if it *is_allowed*."""
    if not named.specs:
        return ()
    from workbench.tools.mcp.servers import ServerRules, Servers  # noqa: PLC0415 - asyncio, where there is a server
    from workbench.tools.mcp.toolbox import McpToolbox  # noqa: PLC0415 - as above

    rules = ServerRules(is_allowed, os.environ.get, where.servers_dir)
    return (McpToolbox(Servers(named.specs, rules)),)


def seen_tools_of(named: NamedServers, where: Places) -> tuple[ToolSpec, ...]:
    """The tools that the servers of *named* had when they were started last; nothing is started."""
    if not named.specs:
        return ()
    from workbench.tools.mcp.toolbox import seen_tools  # noqa: PLC0415 - asyncio, where there is a server

    return tuple(seen_tools(named.specs, where.servers_dir))


def _remotes(program: Program) -> Iterator[tuple[str, object]]:
    for agent in program.agents:
        for key, value in agent.metadata:
            if key == "remote":
                yield agent.name, value
