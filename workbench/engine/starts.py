"""Everything that a run of one file may start, told before anything of it does: one value, and one decision."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.engine.permissions import names_in, policy_of_person
from workbench.engine.trust import allowed_text
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.program import Program
from workbench.project_file import project_file
from workbench.settings import Settings, content_digest
from workbench.tools.permissions import Permissions

if TYPE_CHECKING:
    from workbench.disk.places import Places
    from workbench.engine.options import RunOptions
    from workbench.tools.mcp.specs import ServerSpec


@dataclass(frozen=True, slots=True)
class WouldStart:
    """What may start. *python*: of the file, with the steps that call it. *modules*: Python of the project, by file.

    *servers*: of tools, that the file and its project name. *problems*: what is named and cannot be used.
    """

    python: str = ""
    modules: tuple[tuple[str, str], ...] = ()
    servers: tuple[ServerSpec, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def is_nothing(self) -> bool:
        """Whether there is nothing that somebody would have to allow."""
        return not (self.python or self.modules or self.servers)

    @property
    def text(self) -> str:
        """All of it, as a person reads it: servers first, for they are few."""
        servers = "".join(f"{line}\n" for line in self.reaches)
        modules = "".join(f"\n# {name}\n\n{text}" for name, text in self.modules)
        return "\n".join(filter(None, (servers, self.python, modules)))

    @property
    def reaches(self) -> tuple[str, ...]:
        """A sentence for each server: what is started or spoken to, and what it is given of the environment."""
        return tuple(_reach(server) for server in self.servers)

    @property
    def digest(self) -> str:
        """A name for it, other for every change of what would start; empty where there is nothing."""
        if self.is_nothing:
            return ""
        if not self.modules and not self.servers:  # as earlier versions name it
            return content_digest(self.python.encode("utf-8", "surrogatepass"))
        parts = [self.python, *(part for module in self.modules for part in module)]
        parts += [server.digest for server in self.servers]
        return content_digest("\0".join(parts).encode("utf-8", "surrogatepass"))

    def is_allowed(self, settings: Settings, file: Path | None) -> bool:
        """Whether the person has allowed just this for *file*, or all in a folder around it."""
        return settings.is_trusted(self.digest, file)


def _reach(server: ServerSpec) -> str:
    from workbench.tools.mcp.specs import Transport  # noqa: PLC0415 - where there is a server

    words = (
        _("The program of the server “{name}” ({origin}) is started: {target}")
        if server.transport is Transport.STDIO
        else _("The server “{name}” ({origin}) is reached at {target}")
    )
    told = words.format(name=server.name, origin=server.origin, target=server.target)
    if not server.variables:
        return told
    return told + "\n" + _("It is given the variables {names}.").format(names=", ".join(server.variables))


def would_start(program: Program, file: Path | None) -> WouldStart:
    """What a run of *program* in *file*, None where it is not saved, may start. Starts nothing."""
    python = allowed_text(program)
    if file is None:
        return WouldStart(python)
    from workbench.engine.backends.modules import module_texts  # noqa: PLC0415 - the engine loads with the first run
    from workbench.engine.servers import servers_named  # noqa: PLC0415

    named = servers_named(file.parent, program)
    problems = tuple(named.problems)
    modules: tuple[tuple[str, str], ...] = ()
    try:
        modules = tuple(module_texts(file.parent, names_in(project_file(file.parent).tools, "modules")).items())
    except RunFailed as error:
        problems = (*problems, str(error))
    return WouldStart(python, modules, tuple(named.specs), problems)


def _joined(said: Permissions, more: Permissions) -> Permissions:
    """What was *said* for the file, and then *more* for this run."""
    environment = (*said.environment, *more.environment)
    return replace(more, rules=(*said.rules, *more.rules), environment=environment)


def equipped(
    options: RunOptions, would: WouldStart, settings: Settings, where: Places, *, is_said: bool = False
) -> RunOptions:
    """*options* of a run that *would* start something, with what the person has said about that and about calls.

    *is_said*: the person allows with this very command whatever may start. What was allowed when a run began holds for
    the Python of its text, and not for what its project names by now. Raises CannotRead.
    """
    from workbench.engine.servers import server_boxes  # noqa: PLC0415 - the engine loads with the first run
    from workbench.tools.mcp.reading import NamedServers  # noqa: PLC0415

    file = Path(options.path) if options.path else None
    said = policy_of_person(where.permissions_file, file)
    is_python_alone = not would.modules and not would.servers
    is_trusted = is_said or would.is_allowed(settings, file) or (options.is_trusted and is_python_alone)

    def is_allowed(server: ServerSpec) -> bool:
        return is_trusted or settings.is_trusted(server.digest, file)

    return replace(
        options,
        is_trusted=is_trusted,
        policy=_joined(said, options.policy),
        toolboxes=server_boxes(NamedServers(would.servers), is_allowed, where),
    )
