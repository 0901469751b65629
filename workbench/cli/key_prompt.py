"""Keys that are typed at the terminal: never shown, and never given as an argument, which others could read."""

from __future__ import annotations

import contextlib
import getpass
import sys
from pathlib import Path

from workbench.disk.places import places
from workbench.errors import InputNeeded, ModelFailed
from workbench.i18n import _
from workbench.providers.endpoints import ASK, Endpoint
from workbench.providers.keys import session_keys
from workbench.providers.known import known_endpoints
from workbench.settings import load_settings
from workbench.visible import visible


def read_key(endpoint: Endpoint) -> str:
    """The key that a person types for *endpoint*, or that a pipe brings. Raises InputNeeded where nothing comes."""
    question = _("Key of “{name}”: ").format(name=endpoint.name)
    try:
        text = getpass.getpass(visible(question)) if sys.stdin.isatty() else sys.stdin.readline()
    except EOFError:
        text = ""
    if not text.strip():
        raise InputNeeded(_("No key was given for “{name}”.").format(name=endpoint.name))
    return text


def remember_asked_key(endpoint: Endpoint) -> None:
    """Ask for the key of *endpoint* where it is asked for each time. Raises InputNeeded."""
    if endpoint.key == ASK and not session_keys().has_typed(endpoint):
        try:
            session_keys().remember(endpoint.url, read_key(endpoint))
        except ValueError as error:
            raise InputNeeded(str(error)) from error


def ask_for_key(name: str, folder: Path | None) -> None:
    """Ask for the key of the endpoint *name*, empty for the default one, where it is asked for each time.

    Only a person is asked: what a pipe brings is for the run. What is wrong with the endpoint is told by the run.
    """
    if sys.stdin.isatty():
        with contextlib.suppress(ModelFailed):
            remember_asked_key(known_endpoints(load_settings(places()), folder).named(name))
