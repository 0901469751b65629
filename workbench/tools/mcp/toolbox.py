"""The tools of all servers as one box: each under the name of its server, as playbooks and models call it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.tools.mcp.approved_tools import Standing
from workbench.tools.mcp.server_tool import ServerTool, name_warnings, safe_names
from workbench.tools.mcp.servers import Offer, Servers
from workbench.tools.mcp.specs import ServerSpec
from workbench.tools.values import CallSafety, Preview, ToolSpec
from workbench.visible import visible


class McpToolbox:
    """A ``Toolbox`` over *servers*, which end with it. A tool is called ``server.tool``."""

    def __init__(self, servers: Servers) -> None:
        self.servers = servers
        self._prefixes = safe_names(spec.name for spec in servers.specs)
        self._by_prefix = {prefix: name for name, prefix in self._prefixes.items()}
        self.problems: tuple[str, ...] = ()

    def offers_for(self, name: str) -> bool:
        """Whether *name* would be a tool of one of the servers; starts none."""
        return name.partition(".")[0] in self._by_prefix and "." in name

    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools that may be called now; why others may not, and what to know of them, is in ``problems``."""
        offers = self.servers.offers()
        self.problems = tuple(problem for offer in offers for problem in _problems(offer))
        return tuple(spec for offer in offers if not offer.problem for spec in self._specs(offer))

    def preview(self, name: str, arguments: Mapping[str, Any]) -> Preview:
        """What calling *name* would do: the arguments as they are sent."""
        server, _dot, tool = name.partition(".")
        known = self._by_prefix.get(server, server)
        detail = json.dumps(dict(arguments), indent=2, ensure_ascii=False)
        summary = _("{tool} of the server “{name}”").format(tool=visible(tool), name=visible(known))
        return Preview(summary, visible(detail) if arguments else "")

    def call(self, name: str, arguments: Mapping[str, Any], on_output: Callable[[str], None]) -> Any:
        """What *name* gives. Raises NotTrusted, RunFailed, and Cancelled after ``cancel``."""
        prefix, _dot, wanted = name.partition(".")
        server = self._by_prefix.get(prefix)
        if server is None:
            raise RunFailed(_("There is no tool called {name}.").format(name=name))
        offer = self.servers.offer(server)
        if offer.problem:
            raise RunFailed(offer.problem)
        return self.servers.call(server, _named(offer, wanted), arguments, on_output)

    def cancel(self) -> None:
        """Give up the call at hand; callable from any thread."""
        self.servers.cancel()

    def close(self) -> None:
        """End all servers."""
        self.servers.close()

    def _specs(self, offer: Offer) -> Iterator[ToolSpec]:
        names = safe_names(tool.name for tool in offer.tools)
        for tool in offer.tools:
            is_approved = offer.standing is Standing.APPROVED
            yield ToolSpec(
                f"{self._prefixes[offer.spec.name]}.{names[tool.name]}",
                visible(tool.description),
                tool.schema,
                tool.hinted if is_approved else CallSafety.UNSAFE,  # until then its word loosens nothing
                source_of(offer.spec),
            )


def source_of(spec: ServerSpec) -> str:
    """Who offers the tools of *spec*, in words."""
    if spec.agent:
        return _("the agent {agent}").format(agent=spec.agent)
    return _("the server “{name}” of {origin}").format(name=visible(spec.name), origin=spec.origin)


def _named(offer: Offer, wanted: str) -> ServerTool:
    """The tool that is called *wanted*. Raises RunFailed."""
    names = safe_names(tool.name for tool in offer.tools)
    for tool in offer.tools:
        if wanted in {names[tool.name], tool.name}:
            return tool
    message = _("The server “{name}” has no tool {tool}. It has: {tools}.")
    raise RunFailed(message.format(name=offer.spec.name, tool=wanted, tools=", ".join(map(visible, names.values()))))


def _problems(offer: Offer) -> Iterator[str]:
    if offer.problem:
        yield offer.problem
    yield from name_warnings(tool.name for tool in offer.tools)
