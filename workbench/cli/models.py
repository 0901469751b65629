"""``workbench models``: which models there are, adding and removing endpoints, and trying what they can do."""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.cli.key_prompt import read_key, remember_asked_key
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, complain, show, show_json
from workbench.disk.files import absolute
from workbench.disk.places import places
from workbench.errors import ModelFailed
from workbench.i18n import _, numeral
from workbench.providers.endpoints import Endpoint, WireProtocol, endpoint_table, read_endpoint
from workbench.providers.keys import session_keys
from workbench.providers.known import Endpoints, known_endpoints, with_endpoint, without_endpoint
from workbench.settings import change_settings, load_settings

_KEYRING = "keyring"


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "models",
        _("list, add, test and remove model endpoints"),
        "models list",
        _("Exit code: 0 success, 1 refused, not found or not able, 2 the settings cannot be used."),
    )
    verbs = parser.add_subparsers(title=_("verbs"), metavar="VERB", required=True)
    listed = _verb(verbs, "list", _("list model endpoints"), "models list", _list)
    _add_project(listed)
    tested = _verb(verbs, "test", _("try what a model can do"), "models test work", _test)
    tested.add_argument("name", metavar="NAME", nargs="?", default="", help=_("endpoint (default: the default one)"))
    tested.add_argument("--model", default="", help=_("model (default: the one of the endpoint)"))
    _add_project(tested)
    removed = _verb(
        verbs, "remove", _("remove an endpoint, and its key from the keyring"), "models remove work", _remove
    )
    removed.add_argument("name", metavar="NAME")
    _add_adding(verbs)


def _verb(verbs: Commands, name: str, summary: str, example: str, execute: Any) -> argparse.ArgumentParser:
    parser = add_command(verbs, name, summary, example)
    parser.add_argument("--json", action="store_true", help=_("print JSON"))
    parser.set_defaults(execute=execute)
    return parser


def _add_project(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--project", type=Path, default=Path(), metavar="DIR", help=_("folder with workbench.toml (default: this one)")
    )


def _add_adding(verbs: Commands) -> None:
    example = "models add work --url https://models.example.org/v1 --key env:WORK_KEY --model large"
    added = _verb(verbs, "add", _("add or change a model endpoint"), example, _add)
    added.add_argument("name", metavar="NAME")
    added.add_argument("--url", default="", help=_("its address"))
    added.add_argument("--file", default="", metavar="FILE", help=_("a model in GGUF format on this machine"))
    protocols = [each.value for each in WireProtocol if each is not WireProtocol.LOCAL]
    added.add_argument("--protocol", choices=protocols, default=WireProtocol.OPENAI.value)
    key_help = _("where its key is: env:NAME, keyring (it is asked for now), or ask (each time)")
    added.add_argument("--key", default="", metavar="WHERE", help=key_help)
    added.add_argument("--model", default="", help=_("the model that is used where none is named"))
    added.add_argument("--per-minute", type=_count, default=0, metavar="N", help=_("requests per minute at most"))
    added.add_argument("--context", type=_count, default=0, metavar="TOKENS", help=_("how much the model can read"))
    for name in ("input", "output", "cached"):
        added.add_argument(f"--{name}-usd", type=_price, metavar="PRICE", help=_("dollars per million tokens"))
    added.add_argument("--default", action="store_true", help=_("use it where no endpoint is named"))


def _count(text: str) -> int:
    count = int(text)
    if count < 0:
        raise argparse.ArgumentTypeError(_("must not be negative"))
    return count


def _price(text: str) -> float:
    price = float(text)
    if not 0 <= price < math.inf:
        raise argparse.ArgumentTypeError(_("must not be negative"))
    return price


def _known(options: argparse.Namespace) -> Endpoints:
    known = known_endpoints(load_settings(places()), options.project)
    for problem in known.problems:
        complain(problem)
    return known


def _list(options: argparse.Namespace) -> int:
    known = _known(options)
    if options.json:
        show_json([_as_json(each, known) for each in known.known])
        return FINE
    if not known.known:
        show(_("No model is set up yet. Add one: workbench models add, or in the settings."))
    rows = [_row(each, known) for each in known.known]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        show("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
    return FINE


def _row(endpoint: Endpoint, known: Endpoints) -> tuple[str, ...]:
    notes = [_("default")] if endpoint.name == known.default else []
    notes += [_("from {path}").format(path=endpoint.origin)] if endpoint.origin else []
    where = endpoint.url or endpoint.file
    return (
        endpoint.name,
        endpoint.protocol.value,
        where,
        endpoint.model or "–",
        endpoint.key or _("no key"),
        ", ".join(notes),
    )


def _as_json(endpoint: Endpoint, known: Endpoints) -> dict[str, Any]:
    about = {"name": endpoint.name, "default": endpoint.name == known.default, "origin": endpoint.origin}
    return about | endpoint_table(endpoint)


def _add(options: argparse.Namespace) -> int:
    try:
        endpoint = _described(options)
    except ValueError as error:
        complain(str(error))
        return FINDINGS
    if endpoint.key.startswith(f"{_KEYRING}:") and not _is_key_saved(endpoint):
        return FINDINGS
    _before, after = change_settings(places(), lambda settings: with_endpoint(settings, endpoint))
    if options.default:
        _before, after = change_settings(places(), lambda settings: replace(settings, default_endpoint=endpoint.name))
    if endpoint.warning:
        complain(endpoint.warning)
    if options.json:
        show_json(_as_json(endpoint, known_endpoints(after)))
    else:
        show(_("Saved. Try it: workbench models test {name}").format(name=endpoint.name))
    return FINE


def _described(options: argparse.Namespace) -> Endpoint:
    """The endpoint that the options describe. Raises ValueError."""
    protocol = WireProtocol.LOCAL.value if options.file else options.protocol
    prices = {f"{name}_usd": getattr(options, f"{name}_usd") for name in ("input", "output", "cached")}
    facts = {name: price for name, price in prices.items() if price is not None}
    file = Path(options.file) if options.file else None
    model = options.model or (file.stem if file else "")
    if facts and not model:
        raise ValueError(_("Prices are those of a model: name it with --model."))
    table = {
        "protocol": protocol,
        "url": options.url,
        "key": f"{_KEYRING}:{options.name}" if options.key == _KEYRING else options.key,
        "model": model,
        "models": {model: facts} if facts else {},
        "requests_per_minute": options.per_minute,
        "context_tokens": options.context,
        "file": str(absolute(file)) if file else "",
    }
    return read_endpoint(options.name, table)


def _is_key_saved(endpoint: Endpoint) -> bool:
    try:
        if session_keys().save(endpoint, read_key(endpoint)):
            return True
    except ValueError as error:
        complain(str(error))
        return False
    complain(
        _(
            "This system has no keyring that protects keys, or it is locked, so the key was not kept. "
            "Name an environment variable with --key env:NAME, or have it asked for each time with --key ask."
        )
    )
    return False


def _test(options: argparse.Namespace) -> int:
    from workbench.providers.client import EndpointClient  # noqa: PLC0415 - it loads what talks to the network
    from workbench.providers.probing import ABILITIES, probe  # noqa: PLC0415

    known = _known(options)
    found = known.named(options.name)
    endpoint = replace(found, model=options.model or found.model)
    if endpoint.warning:
        complain(endpoint.warning)
    remember_asked_key(endpoint)
    others = tuple(each for each in known.known if each.name != endpoint.name)
    client = EndpointClient(lambda: Endpoints((endpoint, *others), endpoint.name))
    results = []
    for tried in probe(client, endpoint):
        results.append(tried)
        if not options.json:
            answer = _("yes") if tried.is_fine else _("no")
            took = _("{seconds} s").format(seconds=numeral(tried.seconds, ".1f")) if tried.seconds else ""
            notes = " – ".join(filter(None, (answer, tried.why, took)))
            show(f"{ABILITIES[tried.name]}: {notes}")
    if options.json:
        show_json([{"name": t.name, "works": t.is_fine, "why": t.why, "seconds": round(t.seconds, 3)} for t in results])
    return FINE if all(tried.is_fine for tried in results) else FINDINGS


def _remove(options: argparse.Namespace) -> int:
    known = known_endpoints(load_settings(places()))
    found = next((each for each in known.known if each.name == options.name), None)
    if found is None and options.name not in load_settings(places()).endpoints:
        complain(_("Your settings have no model endpoint “{name}”.").format(name=options.name))
        return FINDINGS
    _before, after = change_settings(places(), lambda settings: without_endpoint(settings, options.name))
    if found and not any(each.key == found.key for each in known_endpoints(after).known):
        try:
            session_keys().forget(found)
        except ModelFailed as error:
            complain(str(error))
    if options.json:
        show_json({"removed": options.name})
    else:
        show(_("Removed “{name}”.").format(name=options.name))
    return FINE
