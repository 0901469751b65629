"""The tools of all servers as one box: each under the name of its server, as playbooks and models call it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.tools.mcp.approved_tools import ApprovedTools, Standing
from workbench.tools.mcp.server_tool import ServerTool, name_warnings, safe_names
from workbench.tools.mcp.servers import ServerOffer, Servers
from workbench.tools.mcp.specs import ServerSpec
from workbench.tools.values import CallSafety, Preview, ToolSpec
from workbench.visible import visible

# whatever is given to a tool of which nothing is known, so that it is not refused for that
_ANY = {"type": "object", "properties": {f"value{number}": {} for number in range(1, 21)}}


class McpToolbox:
    """A ``Toolbox`` over *servers*, which end with it. A tool is called ``server.tool``, or ``Agent.tool``."""

    def __init__(self, servers: Servers) -> None:
        self.servers = servers
        self.problems: tuple[str, ...] = ()
        self._prefixes = safe_names(spec.name for spec in servers.specs)
        self._specs_by_prefix = {self._prefixes[spec.name]: spec for spec in servers.specs}

    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools that may be called now; why others may not, and what to know of them, is in ``problems``."""
        offers = self.servers.offers()
        self.problems = tuple(problem for offer in offers for problem in problems_of(offer))
        return tuple(self._spec(offer, tool) for offer in offers if not offer.problem for tool in offer.tools)

    def offered_by(self, server: str) -> tuple[ServerOffer, tuple[ToolSpec, ...]]:
        """What *server* alone offers now, and its tools as they are called; starts it. Raises NotTrusted, RunFailed."""
        offer = self.servers.offer(server)
        return offer, tuple(self._spec(offer, tool) for tool in offer.tools)

    def find(self, name: str) -> ToolSpec | None:
        """The tool called *name*; starts nothing but the server of that name. Raises NotTrusted, and Cancelled.

        A server that does not work has every tool: whoever calls one hears why that cannot be done.
        """
        prefix, dot, wanted = name.rpartition(".")
        spec = self._specs_by_prefix.get(prefix) if dot else None
        if spec is None:
            return None
        try:
            offer = self._offer(spec)
            return self._spec(offer, _named(offer, wanted), name)
        except RunFailed:
            return ToolSpec(name, "", _ANY, CallSafety.UNSAFE, source_of(spec))

    def may_have(self, name: str) -> bool:
        """Whether *name* begins with that of a server."""
        return name.rpartition(".")[0] in self._specs_by_prefix

    def preview(self, name: str, arguments: Mapping[str, Any]) -> Preview:
        """What calling *name* would do: the arguments as they are sent. Raises NotTrusted, and RunFailed."""
        offer, tool = self._known(name)
        detail = json.dumps(dict(arguments), indent=2, ensure_ascii=False)
        summary = _("{tool} of {source}").format(tool=visible(tool.name), source=source_of(offer.spec))
        return Preview(summary, visible(detail) if arguments else "")

    def call(self, name: str, arguments: Mapping[str, Any], on_output: Callable[[str], None]) -> Any:
        """What *name* gives. Raises NotTrusted, RunFailed, and Cancelled after ``cancel``."""
        offer, tool = self._known(name)
        return self.servers.call(offer.spec.name, tool, arguments, on_output)

    def cancel(self) -> None:
        """Give up the call at hand; callable from any thread."""
        self.servers.cancel()

    def close(self) -> None:
        """End all servers."""
        self.servers.close()

    def _known(self, name: str) -> tuple[ServerOffer, ServerTool]:
        """The tool *name*, and the offer that it is part of. Raises NotTrusted, and RunFailed."""
        prefix, _dot, wanted = name.rpartition(".")
        spec = self._specs_by_prefix.get(prefix)
        if spec is None:
            raise RunFailed(_("There is no tool called {name}.").format(name=name))
        offer = self._offer(spec)
        return offer, _named(offer, wanted)

    def _offer(self, spec: ServerSpec) -> ServerOffer:
        offer = self.servers.offer(spec.name)
        if offer.problem:
            raise RunFailed(offer.problem)
        return offer

    def _spec(self, offer: ServerOffer, tool: ServerTool, name: str = "") -> ToolSpec:
        names = safe_names(each.name for each in offer.tools)
        is_approved = offer.standing is Standing.APPROVED
        return ToolSpec(
            name or f"{self._prefixes[offer.spec.name]}.{names[tool.name]}",
            visible(tool.description),
            tool.schema,
            tool.hinted if is_approved else CallSafety.UNSAFE,  # until then its word loosens nothing
            source_of(offer.spec),
        )


def seen_tools(specs: Sequence[ServerSpec], folder: Path) -> Iterator[ToolSpec]:
    """The tools that the servers *specs* had when they were started last, as is kept in *folder*; starts nothing."""
    approved, prefixes = ApprovedTools(folder), safe_names(spec.name for spec in specs)
    for spec in specs:
        tools = approved.seen(spec)
        names = safe_names(tool.name for tool in tools)
        for tool in tools:
            name = f"{prefixes[spec.name]}.{names[tool.name]}"
            yield ToolSpec(name, visible(tool.description), tool.schema, CallSafety.UNSAFE, source_of(spec))


def source_of(spec: ServerSpec) -> str:
    """Who offers the tools of *spec*, in words."""
    if spec.agent:
        return _("the agent {agent}").format(agent=spec.agent)
    return _("the server “{name}” of {origin}").format(name=visible(spec.name), origin=spec.origin)


def _named(offer: ServerOffer, wanted: str) -> ServerTool:
    """The tool that is called *wanted*. Raises RunFailed."""
    names = safe_names(tool.name for tool in offer.tools)
    for tool in offer.tools:
        if wanted == names[tool.name]:  # and no other name, for permissions speak of this one
            return tool
    message = _("The server “{name}” has no tool {tool}. It has: {tools}.")
    raise RunFailed(message.format(name=offer.spec.name, tool=wanted, tools=", ".join(map(visible, names.values()))))


def problems_of(offer: ServerOffer) -> Iterator[str]:
    """Why tools of *offer* cannot be called, and what a person should know of their names."""
    if offer.problem:
        yield offer.problem
    yield from name_warnings(tool.name for tool in offer.tools)
