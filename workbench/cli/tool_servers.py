"""The verbs of ``workbench tools`` that are about servers: which there are, starting, approving, and their logs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.cli.reading import add_import_option, whole_program
from workbench.cli.running.servers import may_start
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, complain, read_line, show, show_json
from workbench.disk.files import is_folder, real_path
from workbench.disk.places import places
from workbench.engine.servers import server_boxes, servers_named
from workbench.errors import CannotRead, RunFailed
from workbench.i18n import _, ngettext, numeral
from workbench.tools.mcp.reading import NamedServers
from workbench.tools.mcp.specs import ServerSpec

if TYPE_CHECKING:
    from workbench.tools.mcp.servers import Offer, Servers


def add_server_verbs(verbs: Commands) -> None:
    """Add what can be done with servers to *verbs*."""
    listed = _verb(verbs, "servers", _("list the servers of tools"), "tools servers --start --trust", list_servers)
    listed.add_argument("--start", action="store_true", help=_("start each, and say whether it works"))
    listed.add_argument("--json", action="store_true", help=_("print JSON"))
    _named_verb(verbs, "restart", _("start a server anew, and list its tools"), restart)
    _named_verb(verbs, "log", _("print what a server has written last"), show_log)
    approved = _named_verb(verbs, "approve", _("approve the tools of a server as they are now"), approve)
    approved.add_argument("--yes", action="store_true", help=_("approve without asking"))


def _named_verb(verbs: Commands, name: str, summary: str, execute: Any) -> argparse.ArgumentParser:
    parser = add_command(verbs, name, summary, f"tools {name} time")
    parser.add_argument("name", metavar="NAME", help=_("the server"))
    return _with_project(parser, execute)


def _verb(verbs: Commands, name: str, summary: str, example: str, execute: Any) -> argparse.ArgumentParser:
    return _with_project(add_command(verbs, name, summary, example), execute)


def _with_project(parser: argparse.ArgumentParser, execute: Any) -> argparse.ArgumentParser:
    where = _("a playbook or a project folder (default: the current folder)")
    parser.add_argument("where", metavar="FILE", nargs="?", type=Path, default=Path(), help=where)
    parser.add_argument("--trust", action="store_true", help=_("allow its servers to start"))
    add_import_option(parser)
    parser.set_defaults(execute=execute)
    return parser


def list_servers(options: argparse.Namespace) -> int:
    """Print which servers there are; with ``--start`` how they work."""
    named = _named(options)
    offers: dict[str, Offer] = {}
    problems = list(named.problems)
    if options.start and named.specs:
        from workbench.tools.mcp.toolbox import problems_of  # noqa: PLC0415 - as in ``engine.servers``

        with _servers(options, named) as servers:
            offers = {offer.spec.name: offer for offer in servers.offers()}
        problems += [problem for offer in offers.values() for problem in problems_of(offer)]
    if options.json:
        show_json({"servers": [_as_json(spec, offers.get(spec.name)) for spec in named.specs]})
    else:
        for spec in named.specs:
            show(_as_text(spec, offers.get(spec.name)))
        if not named.specs:
            show(_("No servers are named here: neither in .mcp.json nor in workbench.toml."))
    for problem in problems:
        complain(problem)
    return FINDINGS if problems else FINE


def restart(options: argparse.Namespace) -> int:
    """Start the server, and print its tools. Raises NotTrusted."""
    named = _named(options)
    spec = _spec(named, options.name)
    with _servers(options, named) as servers:
        try:
            offer = servers.restart(spec.name)
        except RunFailed as error:
            complain(str(error))
            return FINDINGS
    show(_as_text(spec, offer))
    for tool in offer.tools:
        show(f"  {tool.name}  {' '.join(tool.description.split())[:100]}")
    if offer.problem:
        complain(offer.problem)
    return FINDINGS if offer.problem else FINE


def show_log(options: argparse.Namespace) -> int:
    """Print what the server has written when it ran last."""
    from workbench.tools.mcp.server_log import kept_log  # noqa: PLC0415 - as in ``engine.servers``

    text = kept_log(places().servers_dir, _spec(_named(options), options.name))
    show(text.rstrip("\n") if text else _("Nothing is known of this server yet: it has not run."))
    return FINE


def approve(options: argparse.Namespace) -> int:
    """Show what there is to approve, and approve it where the person wants that. Raises NotTrusted."""
    named = _named(options)
    spec = _spec(named, options.name)
    with _servers(options, named) as servers:
        offer = servers.offer(spec.name)
        difference = servers.difference(offer)
        show(difference or "\n".join(tool.text for tool in offer.tools))
        if not options.yes and not _is_wanted():
            show(_("Nothing was approved."))
            return FINDINGS
        servers.approve(spec.name)
    show(_("The tools of “{name}” are approved as they are now.").format(name=spec.name))
    return FINE


def _is_wanted() -> bool:
    try:
        return read_line(_("Approve these tools? [y/N] ")).strip().lower() in {"y", _("y")}
    except EOFError:
        return False


def _named(options: argparse.Namespace) -> NamedServers:
    """The servers that the file or folder of *options* names."""
    where = real_path(options.where)
    if is_folder(where):
        return servers_named(where)
    return servers_named(where.parent, whole_program([options.where], options.import_from).snapshot.program)


def _spec(named: NamedServers, name: str) -> ServerSpec:
    found = next((spec for spec in named.specs if spec.name == name), None)
    if found is None:
        known = ", ".join(spec.name for spec in named.specs) or _("none")
        raise CannotRead(
            _("There is no server called “{name}” here. There are: {known}.").format(name=name, known=known)
        )
    return found


@contextmanager
def _servers(options: argparse.Namespace, named: NamedServers) -> Iterator[Servers]:
    """The servers *named*, which have ended afterwards."""
    (box,) = server_boxes(named, may_start(options), places())
    try:
        yield box.servers
    finally:
        box.close()


def _as_text(spec: ServerSpec, offer: Offer | None) -> str:
    parts = [spec.name, spec.origin, spec.target]
    if spec.variables:
        parts.append(_("given: {variables}").format(variables=", ".join(spec.variables)))
    if offer is not None:
        count = len(offer.tools)
        tools = ngettext("{count} tool", "{count} tools", count).format(count=numeral(count))
        parts.append(_("does not work") if offer.problem else tools)
    return "  ".join(parts)


def _as_json(spec: ServerSpec, offer: Offer | None) -> dict[str, Any]:
    told = {
        "name": spec.name,
        "origin": spec.origin,
        "transport": spec.transport.value,
        "target": spec.target,
        "variables": list(spec.variables),
    }
    if offer is None:
        return told
    return {**told, "problem": offer.problem, "standing": offer.standing.value, "tools": [t.name for t in offer.tools]}
