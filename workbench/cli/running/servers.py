"""The servers of tools that a command may start, and what has to be told of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.cli.terminal import complain
from workbench.disk.places import places
from workbench.engine.servers import server_boxes, servers_named
from workbench.model.program import Program
from workbench.settings import load_settings
from workbench.tools.mcp.specs import ServerSpec

if TYPE_CHECKING:
    from workbench.tools.mcp.toolbox import McpToolbox


def boxes_for(options: argparse.Namespace, program: Program, path: str) -> tuple[McpToolbox, ...]:
    """The servers that *program*, in the file *path* (empty for none), and its project name; tells what is wrong."""
    if not path:
        return ()
    named = servers_named(Path(path).parent, program)
    for problem in named.problems:
        complain(problem)
    return server_boxes(named, may_start(options), places())


def may_start(options: argparse.Namespace) -> Callable[[ServerSpec], bool]:
    """Whether a server may start: the person says so with *options*, or has allowed this very command before."""
    settings = load_settings(places())
    return lambda spec: bool(options.trust) or settings.is_trusted(spec.digest, spec.folder / spec.origin)


def tell_problems(boxes: Iterable[McpToolbox]) -> None:
    """Say what kept tools of *boxes* from being used."""
    for problem in dict.fromkeys(problem for box in boxes for problem in box.problems):
        complain(problem)
