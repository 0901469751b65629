"""The servers that the agents of a playbook are: ``remote:`` with the type ``mcp`` in an agent's metadata."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from workbench.i18n import _
from workbench.project_file import is_reference
from workbench.tools.mcp.reading import NamedServers, Unusable, checked_address, referred
from workbench.tools.mcp.specs import CALL_TIMEOUT_S, Pairs, ServerSpec, Transport

_ADDRESSED = {"sse": Transport.SSE, "streamable-http": Transport.HTTP}
_SCHEME = "stdio://"
_INTERPRETERS = {".py": sys.executable, ".js": "node"}


def servers_of_agents(folder: Path, remotes: Iterable[tuple[str, object]]) -> NamedServers:
    """The servers of *remotes*: agents by name, each with what its metadata says under ``remote``."""
    specs, problems = [], []
    for agent, remote in remotes:
        try:
            specs.append(_spec(folder, agent, remote))
        except Unusable as error:
            message = _("The tools of the agent {agent} cannot be used: {reason}.")
            problems.append(message.format(agent=agent, reason=str(error).rstrip(".")))
    return NamedServers(tuple(specs), tuple(problems))


def _spec(folder: Path, agent: str, remote: object) -> ServerSpec:
    if not isinstance(remote, Mapping) or remote.get("type") != "mcp" or not isinstance(remote.get("url"), str):
        raise Unusable(_("remote needs the type mcp, and a url"))
    url, transport = str(remote["url"]), str(remote.get("transport", "sse"))
    origin = _("the agent {agent}").format(agent=agent)
    timeout_s = _timeout(remote)
    if url.startswith("memory://") or transport == "memory":
        raise Unusable(_("servers in memory are not supported; start the file as a command with the transport stdio"))
    if transport == "stdio" or url.startswith(_SCHEME):
        words = _words(url.removeprefix(_SCHEME))
        return ServerSpec(agent, origin, folder, words=words, timeout_s=timeout_s, agent=agent)
    if transport not in _ADDRESSED:
        message = _("it uses a transport that is not supported, “{transport}”; use sse, streamable-http or stdio")
        raise Unusable(message.format(transport=transport))
    headers, login = _credentials(remote.get("auth"))
    return ServerSpec(
        agent,
        origin,
        folder,
        _ADDRESSED[transport],
        url=checked_address(url, has_keys=bool(headers or login)),
        headers=headers,
        login=login,
        timeout_s=timeout_s,
        agent=agent,
    )


def _timeout(remote: Mapping[str, Any]) -> float:
    value = remote.get("timeout", CALL_TIMEOUT_S)
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise Unusable(_("timeout must be a number of seconds"))
    return float(value)


def _words(written: str) -> tuple[str, ...]:
    """The command line of a server that is *written* as one, or as the file that it is."""
    try:
        words = shlex.split(written)
    except ValueError:
        words = []
    if not words or "\0" in written:
        raise Unusable(_("its url is no command"))
    interpreter = _INTERPRETERS.get(Path(words[0]).suffix)
    return (interpreter, *words) if interpreter is not None else tuple(words)


def _credentials(auth: object) -> tuple[Pairs, tuple[str, str] | None]:
    """The headers, or the name and password, that prove who we are; keys stand in them by name. Raises Unusable."""
    if auth is None:
        return (), None
    if isinstance(auth, Mapping):
        match auth.get("type"):
            case "bearer":
                return (("Authorization", f"Bearer {_key(auth, 'token')}"),), None
            case "api_key":
                return (("X-API-Key", _key(auth, "key")),), None
            case "basic":
                return (), (str(auth.get("username", "")), _key(auth, "password"))
    raise Unusable(_("auth must have the type bearer, api_key or basic"))


def _key(auth: Mapping[str, Any], name: str) -> str:
    value = auth.get(name)
    if not isinstance(value, str) or not is_reference(value):
        raise Unusable(_("keys never stand in a playbook; write {name}: env:NAME").format(name=name))
    return referred(value)
