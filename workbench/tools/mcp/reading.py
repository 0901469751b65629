"""The servers of tools that a project names: in ``.mcp.json``, as coding agents do, and in ``workbench.toml``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from workbench.disk.files import PROJECT_FILE, Kind, from_home, look_at, read_file
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.project_file import ProjectFile
from workbench.tools.mcp.server_tool import name_warnings
from workbench.tools.mcp.specs import CALL_TIMEOUT_S, START_TIMEOUT_S, Pairs, ServerSpec, Transport

SERVERS_FILE = ".mcp.json"
_LIMIT = 1024 * 1024
_LONGEST_S = 86_400
_TRANSPORTS = {
    "stdio": Transport.STDIO,
    "http": Transport.HTTP,
    "streamable-http": Transport.HTTP,
    "streamablehttp": Transport.HTTP,
    "sse": Transport.SSE,
}
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_REFERENCE = "env:"


class Unusable(Exception):
    """An entry that names no server that could be started; the text says why."""


@dataclass(frozen=True, slots=True)
class NamedServers:
    """The servers that are named, each name once, and what is wrong with the others, in sentences."""

    specs: tuple[ServerSpec, ...] = ()
    problems: tuple[str, ...] = ()


def servers_of_project(folder: Path, said: ProjectFile) -> NamedServers:
    """The servers of the project in *folder*: of two with one name that of ``workbench.toml`` counts."""
    foreign = _servers_file(folder)
    own = _named(PROJECT_FILE, folder, said.mcp)
    return joined(own, foreign)


def joined(*found: NamedServers) -> NamedServers:
    """All of them; of several with one name the first."""
    specs: dict[str, ServerSpec] = {}
    problems = [problem for each in found for problem in each.problems]
    for spec in (spec for each in found for spec in each.specs):
        first = specs.setdefault(spec.name, spec)
        if first is not spec:
            message = _("The server “{name}” is named in {first} and in {second}; that of {first} is used.")
            problems.append(message.format(name=spec.name, first=first.origin, second=spec.origin))
    return NamedServers(tuple(specs.values()), tuple(dict.fromkeys((*problems, *name_warnings(specs)))))


def checked_address(url: str, has_keys: bool) -> str:  # noqa: FBT001 - who sends keys is told by the caller
    """*url*, where a server can be reached under it, safely *has_keys*. Raises Unusable."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        host = None
    if host is None or parts.scheme not in {"http", "https"}:
        raise Unusable(_("“{url}” is no address that begins with http:// or https://").format(url=url))
    if has_keys and parts.scheme == "http" and host not in _LOOPBACK:
        raise Unusable(_("its keys would be sent unencrypted; use https://"))
    return url


def _servers_file(folder: Path) -> NamedServers:
    path = folder / SERVERS_FILE
    if look_at(path).kind is Kind.MISSING:
        return NamedServers()
    try:
        loaded = json.loads(read_file(path, _LIMIT))
    except CannotRead as error:
        return NamedServers(problems=(str(error),))
    except (ValueError, RecursionError):
        message = _("“{name}” of the project is not JSON, so none of its servers are used.")
        return NamedServers(problems=(message.format(name=SERVERS_FILE),))
    servers = loaded.get("mcpServers", {}) if isinstance(loaded, dict) else None
    if not isinstance(servers, dict):
        message = _("“{name}” of the project has no mapping “mcpServers”, so none of its servers are used.")
        return NamedServers(problems=(message.format(name=SERVERS_FILE),))
    return _named(SERVERS_FILE, folder, servers)


def _named(origin: str, folder: Path, entries: Mapping[str, Any]) -> NamedServers:
    specs, problems = [], []
    for name, entry in entries.items():
        try:
            spec = _spec(ServerSpec(name, origin, folder), entry)
        except (Unusable, CannotRead) as error:
            message = _("The server “{name}” cannot be used: {reason}. It stands in {origin}.")
            problems.append(message.format(name=name, origin=origin, reason=str(error).rstrip(".")))
        else:
            specs += [spec] if spec is not None else []
    return NamedServers(tuple(specs), tuple(problems))


def _spec(empty: ServerSpec, entry: object) -> ServerSpec | None:
    """What *entry* says; None where it is switched off. Raises Unusable."""
    if not isinstance(entry, Mapping):
        raise Unusable(_("it is not a table"))
    if entry.get("disabled") is True or entry.get("enabled") is False:
        return None
    spec = replace(
        empty,
        start_timeout_s=_seconds(entry, "start_timeout_s", START_TIMEOUT_S),
        timeout_s=_seconds(entry, "timeout_s", CALL_TIMEOUT_S),
    )
    transport = _transport(entry)
    if transport is not Transport.STDIO:
        headers = _pairs(entry, "headers")
        url = checked_address(_text(entry, "url"), has_keys=bool(headers))
        return replace(spec, transport=transport, url=url, headers=headers)
    cwd = empty.folder / from_home(_text(entry, "cwd")) if "cwd" in entry else None
    return replace(spec, words=_words(entry), env=_pairs(entry, "env"), cwd=cwd)


def _transport(entry: Mapping[str, Any]) -> Transport:
    kind = entry.get("type", entry.get("transport", "stdio" if "command" in entry else "http"))
    known = _TRANSPORTS.get(str(kind).lower())
    if known is None:
        raise Unusable(_("its kind “{kind}” is unknown; use stdio, http or sse").format(kind=kind))
    return known


def _words(entry: Mapping[str, Any]) -> tuple[str, ...]:
    command = entry.get("command", "")
    words = [*(command if isinstance(command, list | tuple) else [command]), *_list(entry, "args")]
    if not all(isinstance(word, str) for word in words) or not words[0] or any("\0" in word for word in words):
        raise Unusable(_("command must be a text, and args a list of texts"))
    return tuple(map(referred, words))


def _list(entry: Mapping[str, Any], key: str) -> Iterable[Any]:
    value = entry.get(key, ())
    if not isinstance(value, list | tuple):
        raise Unusable(_("{key} must be a list").format(key=key))
    return value


def _pairs(entry: Mapping[str, Any], key: str) -> Pairs:
    value = entry.get(key, {})
    if not isinstance(value, Mapping) or not all(isinstance(each, str | int | float) for each in value.values()):
        raise Unusable(_("{key} must be a table of texts").format(key=key))
    if any("\0" in f"{name}{each}" or "\n" in f"{name}{each}" or not name for name, each in value.items()):
        raise Unusable(_("{key} must be a table of texts").format(key=key))
    return tuple((name, referred(str(each))) for name, each in value.items())


def _text(entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value:
        raise Unusable(_("it needs a {key}").format(key=key))
    return value


def _seconds(entry: Mapping[str, Any], key: str, default: float) -> float:
    value = entry.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= _LONGEST_S:
        raise Unusable(_("{key} must be a number of seconds").format(key=key))
    return float(value)


def referred(text: str) -> str:
    """*text*; one that names a key (``env:NAME``) as the variable that it is. Raises Unusable for another place."""
    if text.startswith("keyring:"):
        raise Unusable(_("the keys of servers are found in the environment only; write env:NAME"))
    name = text.removeprefix(_REFERENCE)
    return f"${{{name}}}" if name != text and name.isidentifier() else text
