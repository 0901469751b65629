"""A client for models: the door to this package for whoever asks one.

Nothing that talks to the network is loaded before a client is asked for.
"""

from __future__ import annotations

from pathlib import Path

from workbench.disk.places import Places
from workbench.providers.known import known_endpoints
from workbench.providers.values import ModelClient
from workbench.settings import load_settings


def client_for(where: Places, folder: Path | None = None) -> ModelClient:
    """A client for one run; *folder*: of the project whose endpoints it may use besides those of the settings."""
    from workbench.providers.client import EndpointClient  # noqa: PLC0415 - it loads what talks to the network

    return EndpointClient(lambda: known_endpoints(load_settings(where), folder))
