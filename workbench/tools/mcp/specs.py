"""How a server of tools is reached, as a project or a playbook names it; nothing here starts anything."""

from __future__ import annotations

import enum
import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.project_file import is_key_name
from workbench.regex import regex
from workbench.secrets import Redactor, known_secrets
from workbench.settings import content_digest

START_TIMEOUT_S = 60.0
CALL_TIMEOUT_S = 60.0
_SHORTEST = 8
_HIDDEN = "‹key›"
_VARIABLE = regex(r"\$\{(?P<name>[^\s{}:]+)(?P<default>:-[^{}]*)?\}")

LookUp = Callable[[str], str | None]
"""The value of a variable of the environment; None where there is none."""
Pairs = tuple[tuple[str, str], ...]


class Transport(enum.Enum):
    """How messages get to a server and back."""

    STDIO = "stdio"
    HTTP = "streamable-http"
    SSE = "sse"


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """One server. Texts may hold ``${NAME}``, for which a value is put in only when the server starts.

    *origin*: where it is named: a file in *folder*, or the agent of the playbook that it is. *words*: the command line,
    for STDIO. *cwd*: where that is started, None for *folder*.
    *agent*: the agent of the playbook whose tools these are, empty for the others.
    """

    name: str
    origin: str
    folder: Path
    transport: Transport = Transport.STDIO
    words: tuple[str, ...] = ()
    cwd: Path | None = None
    env: Pairs = ()
    url: str = ""
    headers: Pairs = ()
    login: tuple[str, str] | None = None
    start_timeout_s: float = START_TIMEOUT_S
    timeout_s: float = CALL_TIMEOUT_S
    agent: str = ""

    @property
    def target(self) -> str:
        """What would be started or reached, as a person reads it before it is allowed; without secrets."""
        target = shlex.join(self.words) if self.transport is Transport.STDIO else self.url
        return str(Redactor(os.urandom(16), known_secrets()).redacted(target))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of the environment whose values it is given."""
        texts = (*self.words, self.url, *(self.login or ()), *(value for _name, value in (*self.env, *self.headers)))
        return tuple(sorted({found["name"] for text in texts for found in _VARIABLE.finditer(text)}))

    @property
    def digest(self) -> str:
        """A name for what would be started, other for every change of it."""
        named = map("=".join, (*self.env, *self.headers, self.login or ()))
        parts = (self.name, self.transport.value, *self.words, self.url, str(self.folder), str(self.cwd), *named)
        return content_digest("\0".join(parts).encode("utf-8", "surrogatepass"))


def filled(text: str, look_up: LookUp) -> str:
    """*text* with a value for each ``${NAME}`` and ``${NAME:-default}``. Raises RunFailed where one has none."""

    def value(found: re.Match[str]) -> str:
        known, default = look_up(found["name"]), found["default"]
        if known is None and default is None:
            message = _("It needs {name}, which is not set. Set it, then start the server again.")
            raise RunFailed(message.format(name=found["name"]))
        return known if known is not None else default[2:]

    return _VARIABLE.sub(value, text)


def secrets_of(spec: ServerSpec, look_up: LookUp) -> tuple[str, ...]:
    """The keys that *spec* is given, longest first: all in what is sent, and elsewhere what is called so."""
    texts = [value for _name, value in spec.headers] + list(spec.login or ())
    texts += [value for name, value in spec.env if is_key_name(name)]
    names = {found["name"] for text in texts for found in _VARIABLE.finditer(text)}
    names |= {name for name in spec.variables if is_key_name(name)}
    written = {word for text in texts for word in _VARIABLE.sub(" ", text).split()}
    values = {value for value in (*map(look_up, names), *written) if value and len(value) >= _SHORTEST}
    return tuple(sorted(values, key=len, reverse=True))


def hidden_in(value: Any, secrets: Iterable[str]) -> Any:
    """*value*, which is data, with signs in the place of *secrets*."""
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, _HIDDEN)
        return value
    if isinstance(value, Mapping):
        return {key: hidden_in(each, secrets) for key, each in value.items()}
    return [hidden_in(each, secrets) for each in value] if isinstance(value, list | tuple) else value
