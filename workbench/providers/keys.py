"""The keys of endpoints: where they are looked for, and that none is sent to an address that it is not for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

from workbench.errors import ModelFailed
from workbench.i18n import _
from workbench.providers.endpoints import Endpoint
from workbench.providers.keyrings import KeyringFailed, SystemKeyring

_SHORTEST = 4


class Secret:
    """A key that no text shows."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return "‹key›"

    def revealed(self) -> str:
        """The key itself, for the one header that carries it."""
        return self._text


def checked_key(text: str) -> str:
    """The key that was typed as *text*. Raises ValueError where it can be none; never repeats it."""
    key = text.strip()
    if len(key) < _SHORTEST or not (key.isascii() and key.isprintable()) or " " in key:
        raise ValueError(_("This is not a key: it is too short, or has blanks or letters that no key has."))
    return key


class Keys:
    """Finds keys in the environment, in the keyring, and among those that were typed since the program started.

    The last are kept by the address that they were typed for. Every method may be called from any thread.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ, keyring: SystemKeyring | None = None) -> None:
        self._environment = environment
        self._keyring = SystemKeyring() if keyring is None else keyring
        self._typed: dict[str, Secret] = {}

    def remember(self, url: str, key: str) -> None:
        """Have *key* for *url* until the program ends. Raises ValueError where it can be none."""
        self._typed[url] = Secret(checked_key(key))

    def has_typed(self, endpoint: Endpoint) -> bool:
        """Whether a key was typed for the address of *endpoint*."""
        return endpoint.url in self._typed

    def forget(self, endpoint: Endpoint) -> None:
        """Have the key of *endpoint* no longer, neither here nor in the keyring."""
        self._typed.pop(endpoint.url, None)
        place, _colon, name = endpoint.key.partition(":")
        if place == "keyring":
            try:
                self._keyring.remove(name)
            except KeyringFailed as error:
                message = _("The key “{key}” could not be removed from the keyring. Remove it there yourself.")
                raise ModelFailed(message.format(key=endpoint.key)) from error

    def save(self, endpoint: Endpoint, key: str) -> bool:
        """Keep *key* where *endpoint* names it; False where that is only until the program ends.

        Raises ValueError where it can be no key.
        """
        self.remember(endpoint.url, key)
        place, _colon, name = endpoint.key.partition(":")
        if place != "keyring":
            return False
        try:
            if not self._keyring.is_safe():
                return False
            self._keyring.write(name, endpoint.url, key.strip())
        except KeyringFailed:
            return False
        return True

    def find(self, endpoint: Endpoint) -> Secret | None:
        """The key of *endpoint*, None where it needs none. May block. Raises ModelFailed where it is not found."""
        place, _colon, name = endpoint.key.partition(":")
        if not place:
            return None
        if place == "env":
            found = self._in_environment(name)
        else:
            found = self._in_keyring(endpoint, name) if place == "keyring" else None
        found = found or self._typed.get(endpoint.url)
        if found is None:
            raise ModelFailed(_missing(endpoint))
        return found

    def _in_environment(self, name: str) -> Secret | None:
        try:
            return Secret(checked_key(self._environment[name]))
        except (KeyError, ValueError):
            return None

    def _in_keyring(self, endpoint: Endpoint, name: str) -> Secret | None:
        try:
            kept = self._keyring.read(name)
            url, key = kept or ("", "")
            key = checked_key(key)
        except (KeyringFailed, ValueError):
            return None
        if url != endpoint.url:
            message = _("The key “{key}” was saved for another address, so it is not sent to “{name}”. Enter it again.")
            raise ModelFailed(message.format(key=endpoint.key, name=endpoint.name))
        return Secret(key)


def _missing(endpoint: Endpoint) -> str:
    place, _colon, name = endpoint.key.partition(":")
    if place == "env":
        message = _("“{endpoint}” needs its key in the environment variable {name}, which is not set or holds no key.")
        return message.format(endpoint=endpoint.name, name=name)
    if place == "keyring":
        message = _("The key “{name}” of “{endpoint}” is not in the keyring, or the keyring is locked. Enter it again.")
        return message.format(endpoint=endpoint.name, name=name)
    return _("“{endpoint}” asks for its key each time, and nobody has entered it yet.").format(endpoint=endpoint.name)


@cache
def session_keys() -> Keys:
    """The keys of this process."""
    return Keys()
