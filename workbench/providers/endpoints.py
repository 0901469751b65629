"""Where models are reached: an address, how it is spoken to, which key it gets, and what it costs.

In the settings and in a project's file an endpoint is a table of the same fields::

    [models.work]
    protocol = "openai"                # or "anthropic"; "local" with file = "model.gguf" in the place of url
    url = "https://models.example.org/v1"
    key = "env:WORK_KEY"               # or "keyring:work", "ask"; never a key itself
    model = "large"                    # the one that is used where none is named
    requests_per_minute = 60
    [models.work.models.large]
    input_usd = 2.5                    # for a million tokens
    output_usd = 10
    context_tokens = 128000
"""

from __future__ import annotations

import enum
import ipaddress
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import urlsplit

from workbench.i18n import _
from workbench.providers.wire.collecting import TokenCounts
from workbench.regex import regex

NO_KEY, ASK = "", "ask"
_MILLION = 1_000_000
_REFERENCE = regex(r"(?:env:[A-Za-z_]\w*|keyring:[\w.@-]+|ask|none|)\Z", re.ASCII)
_NAME = regex(r"[\w.-]{1,60}\Z")
_TAILS = ("/chat/completions", "/messages")
_PORTS = {"http": 80, "https": 443}


class WireProtocol(enum.Enum):
    """How an endpoint is spoken to. LOCAL: a file on this machine, served by a child process."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    LOCAL = "local"


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of a model: dollars for a million tokens, None where unknown, and how much it can read.

    *cached_usd*, *stored_usd*: of input that is read from, and written to, the provider's cache; without them such
    input costs what other input costs.
    """

    name: str
    input_usd: float | None = None
    output_usd: float | None = None
    cached_usd: float | None = None
    stored_usd: float | None = None
    context_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where models are reached.

    *url*: as ``base_url`` gives it. *key*: where the key is, never the key: ``env:NAME``, ``keyring:NAME``, ``ask``
    (it is typed, and forgotten at the end of the program), or empty. *model*: the one that is used where none is
    named. *requests_per_minute*: 0 for no limit. *context_tokens*: how much its models can read, 0 where unknown.
    *origin*: the project file that names it, empty for the person's own settings.
    """

    name: str
    protocol: WireProtocol
    url: str = ""
    key: str = NO_KEY
    model: str = ""
    models: tuple[ModelFacts, ...] = ()
    requests_per_minute: int = 0
    context_tokens: int = 0
    file: str = ""
    origin: str = ""

    def facts(self, model: str) -> ModelFacts:
        """What is known of *model*."""
        return next((each for each in self.models if each.name == (model or self.model)), ModelFacts(model))

    def context_of(self, model: str) -> int:
        """How many tokens *model* can read, 0 where that is unknown."""
        return self.facts(model).context_tokens or self.context_tokens

    def cost_usd(self, model: str, counts: TokenCounts) -> float | None:
        """What *counts* cost with *model*, None where its prices are not known."""
        facts = self.facts(model)
        if facts.input_usd is None or facts.output_usd is None:
            return None
        cached_usd = facts.input_usd if facts.cached_usd is None else facts.cached_usd
        stored_usd = facts.input_usd if facts.stored_usd is None else facts.stored_usd
        rest = max(0, counts.input - counts.cached - counts.stored)
        paid = rest * facts.input_usd + counts.cached * cached_usd + counts.stored * stored_usd
        return (paid + counts.output * facts.output_usd) / _MILLION

    @property
    def warning(self) -> str:
        """What a person should know before this is used, empty for nothing."""
        parts = urlsplit(self.url)
        if parts.scheme != "http" or is_loopback(parts.hostname or ""):
            return ""
        message = _("“{name}” is reached without encryption: what you send, key included, can be read on the way.")
        return message.format(name=self.name)


def is_loopback(host: str) -> bool:
    """Whether *host* is this machine."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def base_url(text: str) -> str:
    """The address in *text*, written in one way. Raises ValueError with what is wrong; never repeats *text*."""
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise ValueError(_("The address is not one of the web, such as https://example.org/v1.")) from error
    if parts.scheme not in _PORTS or not host:
        raise ValueError(_("The address is not one of the web, such as https://example.org/v1."))
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError(_("The address must not hold a key, a user name or anything behind “?” or “#”."))
    shown = f"[{host}]" if ":" in host else host
    where = shown if port in {None, _PORTS[parts.scheme]} else f"{shown}:{port}"
    path = parts.path.rstrip("/")
    for tail in _TAILS:
        path = path.removesuffix(tail)
    return f"{parts.scheme}://{where}{path}"


def read_endpoint(name: str, table: Any, origin: str = "") -> Endpoint:
    """The endpoint that *table* describes. Raises ValueError with what is wrong with it."""
    if not isinstance(table, Mapping):
        raise ValueError(_("It is not a table of fields."))  # noqa: TRY004 - a fault of the file
    if not _NAME.match(name):
        raise ValueError(_("Its name may have letters, digits, “-”, “_” and “.” only."))
    unknown = sorted(table.keys() - {field.name for field in fields(Endpoint)} | table.keys() & {"name", "origin"})
    if unknown:
        raise ValueError(_("It has no field “{field}”.").format(field=unknown[0]))
    protocol = _protocol(table)
    is_local = protocol is WireProtocol.LOCAL
    return Endpoint(
        name,
        protocol,
        "" if is_local else base_url(_text(table, "url")),
        _key(table),
        _text(table, "model"),
        _models(table.get("models", {})),
        _count(table, "requests_per_minute"),
        _count(table, "context_tokens"),
        _file(table) if is_local else "",
        origin,
    )


def endpoint_table(endpoint: Endpoint) -> dict[str, Any]:
    """*endpoint* as it stands in the settings; defaults are left out."""
    usual = Endpoint("", endpoint.protocol)
    values = {field.name: getattr(endpoint, field.name) for field in fields(Endpoint)}
    kept = {name: value for name, value in values.items() if value != getattr(usual, name)}
    kept |= {"protocol": endpoint.protocol.value, "models": {each.name: _facts_table(each) for each in endpoint.models}}
    return {name: value for name, value in kept.items() if name not in {"name", "origin"} and value}


def _facts_table(facts: ModelFacts) -> dict[str, Any]:
    values = {field.name: getattr(facts, field.name) for field in fields(ModelFacts) if field.name != "name"}
    # a price of nothing is a price
    return {name: value for name, value in values.items() if value or (value is not None and name != "context_tokens")}


def _protocol(table: Mapping[str, Any]) -> WireProtocol:
    try:
        return WireProtocol(table.get("protocol", WireProtocol.OPENAI.value))
    except ValueError as error:
        known = ", ".join(each.value for each in WireProtocol)
        raise ValueError(_("Its protocol is none of {known}.").format(known=known)) from error


def _key(table: Mapping[str, Any]) -> str:
    reference = _text(table, "key")
    if not _REFERENCE.match(reference):
        # not repeated: it may be a key
        raise ValueError(_("Its key is not named as env:NAME, keyring:NAME or ask. A key itself never stands there."))
    return NO_KEY if reference == "none" else reference


def _file(table: Mapping[str, Any]) -> str:
    file = _text(table, "file")
    if not file:
        raise ValueError(_("It names no file; “local” needs one in GGUF format."))
    return file


def _models(tables: Any) -> tuple[ModelFacts, ...]:
    if not isinstance(tables, Mapping):
        raise ValueError(_("“{field}” is not a table.").format(field="models"))  # noqa: TRY004 - a fault of the file
    return tuple(_facts(str(name), table) for name, table in tables.items())


def _facts(name: str, table: Any) -> ModelFacts:
    known = {field.name for field in fields(ModelFacts)} - {"name"}
    if not isinstance(table, Mapping) or table.keys() - known:
        message = _("Of a model it can name {fields} only.")
        raise ValueError(message.format(fields=", ".join(sorted(known))))
    prices = {field: _price(table, field) for field in known if field != "context_tokens"}
    return ModelFacts(name, context_tokens=_count(table, "context_tokens"), **prices)


def _text(table: Mapping[str, Any], field: str) -> str:
    value = table.get(field, "")
    if not isinstance(value, str):
        raise ValueError(_("“{field}” is not a text.").format(field=field))  # noqa: TRY004 - a fault of the file
    return value


def _count(table: Mapping[str, Any], field: str) -> int:
    value = table.get(field, 0)
    if type(value) is not int or value < 0:
        raise ValueError(_("“{field}” is not a whole number.").format(field=field))
    return value


def _price(table: Mapping[str, Any], field: str) -> float | None:
    value = table.get(field)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError(_("“{field}” is not a price in dollars.").format(field=field))
    return float(value)
