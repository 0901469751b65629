"""What the pane of tools asks of the engine: which there are, what servers offer, and making one call.

All of it may take its time, so it is done in the background, one thing after the other. Whatever is started for it has
ended when it returns: nothing of a project goes on because somebody looks at its tools.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.disk.places import Places
from workbench.errors import Cancelled, RunFailed, WorkbenchError
from workbench.i18n import _
from workbench.model.program import Program
from workbench.settings import Settings

if TYPE_CHECKING:
    from workbench.engine.backends.registry import Registry
    from workbench.engine.ports import CallToAllow
    from workbench.engine.state.frames import Intent
    from workbench.tools.mcp.specs import ServerSpec
    from workbench.tools.mcp.toolbox import McpToolbox
    from workbench.tools.permissions import Origin, Permissions
    from workbench.tools.values import Asking, ToolSpec


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One tool. *asking*: when the person is asked; *said*: what they have said about it for this file, if anything."""

    spec: ToolSpec
    origin: Origin
    asking: Asking
    said: Asking | None = None


@dataclass(frozen=True, slots=True)
class ServerRow:
    """A server that is named. *is_allowed*: whether it may start. *log*: what it wrote when it ran last."""

    spec: ServerSpec
    is_allowed: bool
    log: str


@dataclass(frozen=True, slots=True)
class Listing:
    """What is known without starting anything. *reports*: what is known already, with the permissions that hold now."""

    tools: tuple[ToolRow, ...]
    servers: tuple[ServerRow, ...]
    problems: tuple[str, ...]
    reports: tuple[ServerReport, ...] = ()


@dataclass(frozen=True, slots=True)
class ServerReport:
    """How a server works. *problem*: why none of its tools can be called. *difference*: how they have changed."""

    name: str
    tools: tuple[ToolRow, ...] = ()
    problem: str = ""
    difference: str = ""
    log: str = ""


@dataclass(frozen=True, slots=True)
class Described:
    """A call before it is made. *reason*: why it is forbidden."""

    call: CallToAllow
    asking: Asking
    reason: str = ""


class ToolDesk:
    """The tools of *program* in *file*, as a run would have them. ``cancel`` ends what is being done, on any thread."""

    def __init__(self, program: Program, file: Path | None, settings: Settings, places: Places) -> None:
        self._program = program
        self.file = file
        self._settings = settings
        self._places = places
        self._give_up: Callable[[], None] | None = None

    def cancel(self) -> None:
        """Give up what is being done."""
        if self._give_up is not None:
            self._give_up()

    def listing(self, reports: tuple[ServerReport, ...] = ()) -> Listing:
        """What there is, besides what *reports* tell already. Raises CannotRead."""
        from workbench.engine.starts import would_start  # noqa: PLC0415 - the engine loads when it is wanted
        from workbench.tools.mcp.server_log import kept_log  # noqa: PLC0415

        would = would_start(self._program, self.file)
        with self._registry(with_servers=False) as registry:
            found = registry.all(replace(registry.policy, rules=(), limits=(), project=()))
            tools = tuple(self._row(registry.policy, each.spec, each.origin) for each in found)
            known = tuple(replace(each, tools=self._again(registry.policy, each.tools)) for each in reports)
        servers = tuple(
            ServerRow(spec, self._is_allowed(spec), kept_log(self._places.servers_dir, spec)) for spec in would.servers
        )
        return Listing(tools, servers, would.problems, known)

    def report(self, server: ServerSpec, *, approves: bool = False) -> ServerReport:
        """How *server* works now, started for that; *approves*: its tools are approved as they are."""
        from workbench.tools.permissions import Origin  # noqa: PLC0415

        with self._registry(with_servers=False) as registry, self._box(server) as box:
            try:
                if approves:
                    box.servers.approve(server.name)
                offer, specs = box.offered_by(server.name)
            except RunFailed as error:
                return ServerReport(server.name, problem=str(error), log=box.servers.log(server.name))
            difference = box.servers.difference(offer) if offer.problem else ""
            rows = tuple(self._row(registry.policy, spec, Origin.SERVER) for spec in specs)
            shown = () if offer.problem else rows
            return ServerReport(server.name, shown, offer.problem, difference, box.servers.log(server.name))

    def described(self, tool: str, arguments: Mapping[str, Any]) -> Described:
        """What calling *tool* would do. Raises RunFailed, NotTrusted, and Cancelled."""
        with self._registry(with_servers=True) as registry:
            intent = _intent(tool, arguments)
            registry.admit("", tool)
            permission = registry.permission(intent, "")
            return Described(registry.described(intent), permission.asking, permission.reason)

    def called(self, shown: CallToAllow) -> str:
        """What the call gives that was *shown*, and is still the same. Raises RunFailed, NotTrusted, and Cancelled."""
        with self._registry(with_servers=True) as registry:
            intent = _intent(shown.tool, shown.arguments)
            registry.admit("", shown.tool)
            if registry.described(intent) != shown:
                raise RunFailed(_("What would happen is not what was shown."))
            value = registry.call(intent, lambda _text: None).value
        return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)

    def _again(self, policy: Permissions, rows: tuple[ToolRow, ...]) -> tuple[ToolRow, ...]:
        return tuple(self._row(policy, row.spec, row.origin) for row in rows)

    def _row(self, policy: Permissions, spec: ToolSpec, origin: Origin) -> ToolRow:
        from workbench.engine.permissions import said_for  # noqa: PLC0415

        rules = said_for(self._places.permissions_file, self.file).rules if self.file is not None else ()
        said = next((rule.asking for rule in rules if rule.tool == spec.name and not rule.pattern), None)
        return ToolRow(spec, origin, policy.asking(spec, origin, {}), said)

    def _is_allowed(self, server: ServerSpec) -> bool:
        from workbench.engine.starts import would_start  # noqa: PLC0415

        is_said = self._settings.is_trusted(server.digest, self.file)
        return is_said or would_start(self._program, self.file).is_allowed(self._settings, self.file)

    @contextmanager
    def _registry(self, *, with_servers: bool) -> Iterator[Registry]:
        """The tools, which have ended afterwards."""
        from workbench.engine.backends.toolboxes import registry_for  # noqa: PLC0415
        from workbench.engine.options import RunOptions  # noqa: PLC0415
        from workbench.engine.starts import equipped, would_start  # noqa: PLC0415

        settings = self._settings
        said = RunOptions(
            path=str(self.file) if self.file is not None else "",
            python_timeout_s=settings.python_timeout_s,
            python_memory_mb=settings.python_memory_mb,
        )
        options = equipped(said, would_start(self._program, self.file), settings, self._places)
        known = options if with_servers else replace(options, toolboxes=())
        registry = registry_for(known, self._places.state_dir / "tried-tools.jsonl")
        self._give_up = registry.cancel
        try:
            yield registry
        finally:
            self._give_up = None
            registry.close()

    @contextmanager
    def _box(self, server: ServerSpec) -> Iterator[McpToolbox]:
        """All servers, of which only *server* is started; ended afterwards."""
        from workbench.engine.servers import server_boxes, servers_named  # noqa: PLC0415

        folder = server.folder if self.file is None else self.file.parent
        (box,) = server_boxes(servers_named(folder, self._program), self._is_allowed, self._places)
        self._give_up = box.cancel
        try:
            yield box
        finally:
            box.close()


def _intent(tool: str, arguments: Mapping[str, Any]) -> Intent:
    from workbench.engine.state.frames import Intent  # noqa: PLC0415
    from workbench.tools.values import CallSafety  # noqa: PLC0415

    return Intent("try", tool, "", CallSafety.UNSAFE, "", (), tuple(arguments.items()))


def safely(work: Callable[[], object]) -> object:
    """What *work* gives; where the world failed, the sentence that says so; None where it was given up."""
    try:
        return work()
    except Cancelled:
        return None
    except WorkbenchError as error:
        return str(error)
