"""What a command may start, and what has to be told of that."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

from workbench.cli.terminal import complain
from workbench.disk.places import places
from workbench.engine.options import RunOptions
from workbench.engine.starts import equipped, would_start
from workbench.model.program import Program
from workbench.settings import load_settings
from workbench.tools.mcp.specs import ServerSpec
from workbench.tools.values import Toolbox


def ready(options: argparse.Namespace, said: RunOptions, program: Program) -> RunOptions:
    """*said*, with what may start for *program*; tells what is named and cannot be used. Raises CannotRead."""
    would = would_start(program, Path(said.path) if said.path else None)
    for problem in would.problems:
        complain(problem)
    return equipped(said, would, load_settings(places()), places(), is_said=options.trust)


def may_start(options: argparse.Namespace) -> Callable[[ServerSpec], bool]:
    """Whether a server may start: the person says so with *options*, or has allowed this very command before."""
    settings = load_settings(places())
    return lambda spec: bool(options.trust) or settings.is_trusted(spec.digest, spec.folder / spec.origin)


def tell_problems(boxes: Iterable[Toolbox]) -> None:
    """Say what kept tools of *boxes* from being used."""
    for problem in dict.fromkeys(problem for box in boxes for problem in getattr(box, "problems", ())):
        complain(problem)
