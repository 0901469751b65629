"""``workbench serve FILE…``: others call playbooks as tools, over the standard streams or HTTP on this machine."""

from __future__ import annotations

import argparse
import hmac
import json
import os
import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.cli.reading import add_import_option, add_kind_option, files_named, whole_program
from workbench.cli.running.following import add_to_library, resuming
from workbench.cli.running.judging import add_judging, judged_options
from workbench.cli.running.leave import allowed
from workbench.cli.running.run import backend_for
from workbench.cli.running.servers import ready
from workbench.cli.running.store import add_store, journal_in, patterns_file_in
from workbench.cli.terminal import FINE, Commands, add_command, complain
from workbench.disk.files import real_path
from workbench.engine.backends.person import PersonBackend
from workbench.engine.options import RunOptions
from workbench.engine.scripts import read_script
from workbench.engine.starting import start_run
from workbench.errors import CannotRead
from workbench.i18n import _, ngettext
from workbench.planning.lessons import KnownPatterns, skills_of
from workbench.serving.offers import ServedTool, offers_in
from workbench.tools.permissions import Permissions

if TYPE_CHECKING:
    from workbench.serving.calls import ServedRun
    from workbench.serving.server import PlaybookServer

_HOST = "127.0.0.1"
_TOKEN = "WORKBENCH_SERVE_TOKEN"  # noqa: S105 - the name of a variable
_SHORTEST_TOKEN = 16
_END_S = 5
HttpScope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[HttpScope, Receive, Send], Awaitable[None]]


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "serve",
        _("let other programs call playbooks as tools (Model Context Protocol)"),
        "serve playbooks/order-status.md --http 8765",
        _("Exit code: 0 until it is ended, 2 a file cannot be used or offers nothing, 130 interrupted."),
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help=_("each is a program of its own"))
    _add_carrying(parser)
    parser.add_argument("--script", type=Path, metavar="FILE", help=_("a YAML file with answers and tool results"))
    parser.add_argument("--trust", action="store_true", help=_("allow Python of file and project, and servers, to run"))
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        type=allowed,
        metavar="TOOL[=PATTERN]",
        help=_('do not ask before these calls in this run, such as shell="git status" or write_file="notes/*"'),
    )
    add_judging(parser)
    add_import_option(parser)
    add_kind_option(parser)
    add_store(parser)
    parser.set_defaults(execute=execute)


def _add_carrying(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take what carries the messages, and who may send some."""
    parser.add_argument(
        "--http",
        type=_port,
        metavar="PORT",
        help=_(
            "over HTTP on this machine only, at http://127.0.0.1:PORT/mcp (0: any free port); "
            "default: over standard input and output"
        ),
    )
    words = _("the variable of the environment that holds the token which callers must send (default: {name})")
    parser.add_argument("--token-env", default=_TOKEN, metavar="NAME", help=words.format(name=_TOKEN))


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(_("“{text}” is no port: a number up to 65535").format(text=text))
    return int(text)


def execute(options: argparse.Namespace) -> int:
    """Serve until the client goes away or somebody ends it."""
    token = _token(options) if options.http is not None else ""
    server = server_for(options)
    import asyncio  # noqa: PLC0415 - only who serves needs it

    asyncio.run(_over_streams(server) if options.http is None else _over_http(server, options.http, token))
    return FINE


def server_for(options: argparse.Namespace) -> PlaybookServer:
    """The server of the files of *options*, whatever will carry its messages. Raises CannotRead."""
    files = files_named(options.files)
    offers = offers_in((path, whole_program([path], options.import_from, options.kind).snapshot) for path in files)
    script = read_script(options.script) if options.script is not None else None
    from workbench.serving.server import PlaybookServer  # noqa: PLC0415 - loads the protocol, which takes a second

    return PlaybookServer(offers, partial(_begin, options, script))


def _token(options: argparse.Namespace) -> str:
    """What callers must send. Raises CannotRead for one that is too short to keep anybody out."""
    given = os.environ.get(options.token_env, "")
    if given and len(given) < _SHORTEST_TOKEN:
        words = ngettext(
            "The token in {name} is too short. It needs at least {count} character.",
            "The token in {name} is too short. It needs at least {count} characters.",
            _SHORTEST_TOKEN,
        )
        raise CannotRead(words.format(name=options.token_env))
    if given:
        return given
    made = secrets.token_urlsafe(24)
    complain(_("Callers must send this token: {token}").format(token=made))
    return made


def _begin(
    options: argparse.Namespace, script: str | None, offer: ServedTool, arguments: Mapping[str, Any]
) -> ServedRun:
    """The run of a call of *offer* with *arguments*. Raises WorkbenchError."""
    from workbench.serving.calls import ServedRun  # noqa: PLC0415 - loads asyncio

    path, program = str(real_path(offer.path)), offer.snapshot.program
    policy = Permissions(tuple(options.allow))
    said = (
        RunOptions(path=path, script=script or "", skills=skills_of(offer.snapshot, path), policy=policy)
        if program.format.is_steplist
        else RunOptions(
            playbook=offer.playbook, arguments=arguments, path=path, script=script or "", once=True, policy=policy
        )
    )
    chosen = ready(options, said, program)
    journal = journal_in(options.store)
    try:
        judged = judged_options(options, chosen, journal)
        backend = backend_for(script, program.format, judged.judges, PersonBackend())
        run = start_run(offer.snapshot, journal, backend, judged, KnownPatterns(patterns_file_in(options.store)))
    except BaseException:  # Ctrl+C too: nobody else closes the journal
        journal.close()
        raise
    return ServedRun(run, journal, resuming(run, options.store), partial(add_to_library, store=options.store))


async def _over_streams(server: PlaybookServer) -> None:
    """Serve whoever has started us, until they close our input."""
    from mcp.server.stdio import stdio_server  # noqa: PLC0415 - as above

    try:
        async with stdio_server() as (read, write):
            await server.protocol.run(read, write, server.protocol.create_initialization_options())
    finally:
        await server.close()


async def _over_http(server: PlaybookServer, port: int, token: str) -> None:
    """Serve programs of this machine that know *token*."""
    import uvicorn  # noqa: PLC0415 - as above

    app = guarded(server.protocol.streamable_http_app(host=_HOST), token)
    config = uvicorn.Config(
        app, host=_HOST, port=port, log_level="critical", lifespan="on", timeout_graceful_shutdown=5
    )
    http = uvicorn.Server(config)
    listening = config.bind_socket()
    try:
        address = f"http://{_HOST}:{listening.getsockname()[1]}/mcp"
        complain(_("Serving at {address}. Press Ctrl+C to end it.").format(address=address))
        await http.serve(sockets=[listening])
    finally:
        await server.close()


def guarded(app: App, token: str) -> App:
    """*app*, which hears only of requests with *token*."""

    async def check(scope: HttpScope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _is_allowed(scope, token):
            await app(scope, receive, send)
            return
        words = json.dumps({"error": _("The token is missing or wrong.")}).encode()
        headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": words})

    return check


def _is_allowed(scope: HttpScope, token: str) -> bool:
    given = dict(scope["headers"]).get(b"authorization", b"")
    return hmac.compare_digest(given, b"Bearer " + token.encode())
