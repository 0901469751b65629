"""``workbench tools``: which tools there are, what one is, trying one; and the servers that offer some."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.cli.reading import add_import_option, whole_program
from workbench.cli.running.following import is_at_terminal
from workbench.cli.running.leave import allowed, ask_leave
from workbench.cli.running.servers import may_start, ready
from workbench.cli.terminal import (
    FINDINGS,
    FINE,
    INPUT_NEEDED,
    Commands,
    add_command,
    complain,
    read_line,
    show,
    show_json,
)
from workbench.disk.files import is_folder, real_path
from workbench.disk.places import places
from workbench.engine.backends.limits import tools_named
from workbench.engine.backends.registry import Found, Registry
from workbench.engine.backends.toolboxes import registry_for
from workbench.engine.fields import FieldKind, FieldType, NotThatType, value_of
from workbench.engine.options import RunOptions
from workbench.engine.permissions import say
from workbench.engine.servers import server_boxes, servers_named
from workbench.engine.state.frames import Intent
from workbench.errors import CannotRead, RunFailed
from workbench.i18n import _, ngettext, numeral
from workbench.settings import load_settings
from workbench.tools.mcp.reading import NamedServers
from workbench.tools.mcp.specs import ServerSpec
from workbench.tools.permissions import Permissions, rule_of
from workbench.tools.values import Asking
from workbench.vocabulary import asking_words, safety_words

if TYPE_CHECKING:
    from workbench.tools.mcp.servers import ServerOffer, Servers


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "tools",
        _("look at tools, try them, say when you are asked, and see to servers"),
        "tools list deploy.md",
        _("Exit code: 0 success, 1 not found or not working, 2 a file cannot be used, or a server is not allowed."),
    )
    verbs = parser.add_subparsers(title=_("verbs"), metavar="VERB", required=True)
    add_tool_verbs(verbs)
    add_server_verbs(verbs)


def add_tool_verbs(verbs: Commands) -> None:
    """Add what can be done with tools to *verbs*."""
    listed = _verb(verbs, "list", _("list the tools of a playbook"), "tools list deploy.md", list_tools)
    listed.add_argument("--json", action="store_true", help=_("print JSON"))
    shown = _named_verb(verbs, "show", _("print the schema and the permission of a tool"), "tools show FILE shell")
    shown.set_defaults(execute=show_tool)
    tried = _named_verb(verbs, "try", _("make one call, after the same question as in a run"), "tools try FILE clock")
    tried.add_argument("arguments", nargs="?", default="{}", metavar="ARGUMENTS", help=_('as JSON: {"path": "a.md"}'))
    tried.add_argument("--allow", action="append", default=[], type=allowed, metavar="TOOL[=PATTERN]")
    tried.set_defaults(execute=try_tool)
    said = add_command(
        verbs, "permit", _("keep when you are asked about a tool"), "tools permit deploy.md shell=ls never"
    )
    said.add_argument("where", metavar="FILE", type=Path, help=_("a playbook, or a folder for all in it"))
    said.add_argument("tool", metavar="TOOL[=PATTERN]")
    said.add_argument("asking", choices=[*(each.value for each in Asking), "usual"])
    said.set_defaults(execute=permit)


def _verb(verbs: Commands, name: str, summary: str, example: str, execute: Any = None) -> argparse.ArgumentParser:
    parser = add_command(verbs, name, summary, example)
    parser.add_argument("where", metavar="FILE", type=Path, help=_("the playbook"))
    parser.add_argument("--trust", action="store_true", help=_("allow its project's Python and servers to start"))
    add_import_option(parser)
    parser.set_defaults(execute=execute, allow=[])
    return parser


def _named_verb(verbs: Commands, name: str, summary: str, example: str) -> argparse.ArgumentParser:
    parser = _verb(verbs, name, summary, example)
    parser.add_argument("name", metavar="TOOL")
    return parser


def list_tools(options: argparse.Namespace) -> int:
    """Print every tool with where it comes from, and when the person is asked."""
    with _registry(options) as registry:
        found = registry.all(registry.policy)
        if options.json:
            show_json({"tools": [_as_json(registry, each) for each in found]})
            return FINE
        for each in found:
            spec, asking = each.spec, registry.policy.asking(each.spec, each.origin, {})
            words = (spec.name, safety_words(spec.safety), asking_words(asking), spec.source, spec.description)
            show("  ".join(filter(None, words))[:160])
    return FINE


def _as_json(registry: Registry, found: Found) -> dict[str, Any]:
    spec = found.spec
    return {
        "name": spec.name,
        "description": spec.description,
        "source": spec.source,
        "origin": found.origin.value,
        "safety": spec.safety.value,
        "ask": registry.policy.asking(spec, found.origin, {}).value,
        "schema": spec.schema,
    }


def show_tool(options: argparse.Namespace) -> int:
    """Print all that is known of one tool. Raises CannotRead where there is none."""
    with _registry(options) as registry:
        show_json(_as_json(registry, _known(registry, options.name)))
    return FINE


def try_tool(options: argparse.Namespace) -> int:
    """Make one call as a run would, and print what it gives. Raises CannotRead, and NotTrusted."""
    try:
        arguments = value_of(options.arguments, FieldType(FieldKind.OBJECT))
    except NotThatType as error:
        raise CannotRead(str(error)) from error
    with _registry(options) as registry:
        spec = _known(registry, options.name).spec
        registry.admit("", spec.name)
        intent = Intent("try", spec.name, "", spec.safety, "", (), tuple(arguments.items()))
        try:
            return _tried(registry, intent)
        except RunFailed as error:
            complain(str(error))
            return FINDINGS


def _tried(registry: Registry, intent: Intent) -> int:
    permission = registry.permission(intent, "")
    if permission.asking is Asking.FORBIDDEN:
        raise RunFailed(permission.reason)
    if permission.asking is not Asking.NEVER:
        call = registry.described(intent)
        if not is_at_terminal():
            message = _("{tool} needs your leave, and nobody is there to give it. Allow it with --allow {tool}.")
            complain(message.format(tool=intent.tool))
            return INPUT_NEEDED
        leave = ask_leave(call).leave
        if leave is None or not leave.is_given:
            complain(_("The call was not made."))
            return FINDINGS
        intent = replace(intent, named=tuple((leave.arguments or call.arguments).items()))
    value = registry.call(intent, lambda _text: None).value
    show(value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False))
    return FINE


def permit(options: argparse.Namespace) -> int:
    """Keep what the person says about calls of a tool in a file, or in all files of a folder."""
    rule = rule_of(options.tool)
    is_usual = options.asking == "usual"
    wanted = rule if is_usual else replace(rule, asking=Asking(options.asking))
    for each in say(places().permissions_file, real_path(options.where), wanted, is_usual=is_usual):
        show("  ".join(filter(None, (each.tool, each.pattern, asking_words(each.asking)))))
    return FINE


def _known(registry: Registry, name: str) -> Found:
    found = registry.found(name)
    if found is None or not registry.policy.is_offered(name):
        known = ", ".join(each.spec.name for each in registry.all(registry.policy))
        message = _("There is no tool called “{name}” here. There are: {known}.")
        raise CannotRead(message.format(name=name, known=known))
    return found


@contextmanager
def _registry(options: argparse.Namespace) -> Iterator[Registry]:
    """The tools of the file of *options* and its project, as a run would have them; ended afterwards."""
    program = whole_program([options.where], options.import_from).snapshot.program
    settings = load_settings(places())
    said = RunOptions(
        path=str(real_path(options.where)),
        python_timeout_s=settings.python_timeout_s,
        python_memory_mb=settings.python_memory_mb,
        policy=Permissions(tuple(options.allow)).limited_to(tools_named(program.front_matter)),
    )
    registry = registry_for(ready(options, said, program), places().state_dir / "tried-tools.jsonl")
    try:
        yield registry
    finally:
        registry.close()


def add_server_verbs(verbs: Commands) -> None:
    """Add what can be done with servers to *verbs*."""
    listed = _server_verb(
        verbs, "servers", _("list the servers of tools"), "tools servers --start --trust", list_servers
    )
    listed.add_argument("--start", action="store_true", help=_("start each, and say whether it works"))
    listed.add_argument("--json", action="store_true", help=_("print JSON"))
    _named_server_verb(verbs, "restart", _("start a server anew, and list its tools"), restart)
    _named_server_verb(verbs, "log", _("print what a server has written last"), show_log)
    approved = _named_server_verb(verbs, "approve", _("approve the tools of a server as they are now"), approve)
    approved.add_argument("--yes", action="store_true", help=_("approve without asking"))


def _named_server_verb(verbs: Commands, name: str, summary: str, execute: Any) -> argparse.ArgumentParser:
    parser = add_command(verbs, name, summary, f"tools {name} time")
    parser.add_argument("name", metavar="NAME", help=_("the server"))
    return _with_project(parser, execute)


def _server_verb(verbs: Commands, name: str, summary: str, example: str, execute: Any) -> argparse.ArgumentParser:
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
    offers: dict[str, ServerOffer] = {}
    problems = list(named.problems)
    if options.start and named.specs:
        from workbench.tools.mcp.toolbox import problems_of  # noqa: PLC0415 - as in ``engine.servers``

        with _servers(options, named) as servers:
            offers = {offer.spec.name: offer for offer in servers.offers()}
        problems += [problem for offer in offers.values() for problem in problems_of(offer)]
    if options.json:
        show_json({"servers": [_server_as_json(spec, offers.get(spec.name)) for spec in named.specs]})
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


def _as_text(spec: ServerSpec, offer: ServerOffer | None) -> str:
    parts = [spec.name, spec.origin, spec.target]
    if spec.variables:
        parts.append(_("given: {variables}").format(variables=", ".join(spec.variables)))
    if offer is not None:
        count = len(offer.tools)
        tools = ngettext("{count} tool", "{count} tools", count).format(count=numeral(count))
        parts.append(_("does not work") if offer.problem else tools)
    return "  ".join(parts)


def _server_as_json(spec: ServerSpec, offer: ServerOffer | None) -> dict[str, Any]:
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
