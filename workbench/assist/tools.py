"""The tools that can be called and do not stand in a text: what a run of it would have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from workbench.disk.places import Places
    from workbench.model.program import Program
    from workbench.tools.values import ToolSpec


def tools_of(path: Path | None, program: Program, places: Places) -> tuple[ToolSpec, ...]:
    """The tools that a run of *program*, the file at *path*, has; nothing is started, so those of servers are as they
    were seen last. None where they cannot be read.
    """
    from workbench.engine.backends.toolboxes import registry_for  # noqa: PLC0415 - the engine loads when it is wanted
    from workbench.engine.options import RunOptions  # noqa: PLC0415
    from workbench.engine.servers import seen_tools_of, servers_named  # noqa: PLC0415

    try:
        registry = registry_for(RunOptions(path=str(path or "")), places.state_dir / "tried-tools.jsonl")
    except WorkbenchError:
        return ()
    try:
        own = tuple(each.spec for each in registry.all(registry.policy))
        named = servers_named(path.parent, program) if path is not None else None
        return (*own, *seen_tools_of(named, places)) if named is not None else own
    except WorkbenchError:
        return ()
    finally:
        registry.close()
