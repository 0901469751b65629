"""Real servers of tools for tests: where they are, and boxes around them that end with the test."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from workbench.tools.mcp.servers import ServerRules, Servers
from workbench.tools.mcp.specs import ServerSpec
from workbench.tools.mcp.toolbox import McpToolbox

DATA = Path(__file__).parents[1] / "data" / "mcp"
TOOLS_SERVER = (sys.executable, str(DATA / "tools_server.py"))
PLAIN_SERVER = (sys.executable, "-S", str(DATA / "plain_server.py"))


def tools_server(folder: Path) -> ServerSpec:
    """The server that is made with the official package."""
    return ServerSpec("tools", ".mcp.json", folder, words=TOOLS_SERVER)


def plain_server(folder: Path, timeout_s: float = 30.0) -> ServerSpec:
    """The server that starts at once, and does what the file ``do`` in *folder* says."""
    return ServerSpec("plain", ".mcp.json", folder, words=(*PLAIN_SERVER, str(folder)), timeout_s=timeout_s)


def rules_in(folder: Path, is_allowed: Callable[[ServerSpec], bool] = lambda _spec: True) -> ServerRules:
    """Everything is allowed, and what was approved is kept in *folder*."""
    return ServerRules(is_allowed, os.environ.get, folder / "approved")


def box_of(folder: Path, *specs: ServerSpec) -> McpToolbox:
    """A box around *specs*, whose approvals are kept in *folder*; to be closed."""
    return McpToolbox(Servers(specs, rules_in(folder)))


def unheard(_text: str) -> None:
    """Hear nothing of what a tool says meanwhile."""
