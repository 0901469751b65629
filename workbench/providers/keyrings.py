"""Keys in the keyring of the system: only in one that protects them, and without waiting for it for ever."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from workbench.providers.wire.collecting import text_part
from workbench.providers.wire.json_text import strict_json

T = TypeVar("T")
SERVICE = "playbook-workbench"
PATIENCE_S = 60.0
"""A locked keyring asks the person first."""
_SAFE = frozenset(f"keyring.backends.{name}" for name in ("SecretService", "libsecret", "kwallet", "macOS", "Windows"))
"""Where keys are encrypted. Others write plain text, lose what they get, or fail."""


class KeyringFailed(Exception):
    """The keyring did not do what it was asked for."""


def in_thread(call: Callable[[], T]) -> Future[T]:
    """What *call* gives, on a thread that keeps nobody from ending the program."""
    future: Future[T] = Future()

    def run() -> None:
        if future.set_running_or_notify_cancel():
            try:
                result = call()
            except BaseException as error:  # noqa: BLE001 - handed to whoever waits
                future.set_exception(error)
            else:
                future.set_result(result)

    threading.Thread(target=run, name="keyring", daemon=True).start()
    return future


class SystemKeyring:
    """The keyring of the system. Every method may block for *patience_s* and raise KeyringFailed."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s

    def is_safe(self) -> bool:
        """Whether there is a keyring that keys may be put into."""
        return self._asked(safe_backend) is not None

    def read(self, name: str) -> tuple[str, str] | None:
        """The address and the key that are kept under *name*, None where there are none."""
        kept = self._asked(lambda: _backend().get_password(SERVICE, name))
        if not kept:
            return None
        try:
            loaded = strict_json(kept)
        except ValueError:
            return None
        return text_part(loaded, "url"), text_part(loaded, "key")

    def write(self, name: str, url: str, key: str) -> None:
        """Keep *key*, which is for *url*, under *name*."""
        kept = json.dumps({"url": url, "key": key})
        self._asked(lambda: _backend().set_password(SERVICE, name, kept))

    def remove(self, name: str) -> None:
        """Forget what is kept under *name*."""
        if self.read(name) is not None:
            self._asked(lambda: _backend().delete_password(SERVICE, name))

    def _asked(self, question: Callable[[], T]) -> T:
        try:
            return in_thread(question).result(self._patience_s)
        except Exception as error:  # noqa: BLE001 - backends raise whatever their library does
            # not told: what a backend says may hold what it was given
            raise KeyringFailed(type(error).__name__) from None


def safe_backend() -> Any:
    """The keyring that is in use if it protects what it is given, also as one of several; else None."""
    import keyring  # noqa: PLC0415 - it looks for plug-ins; only who has a key in it needs that

    chosen = keyring.get_keyring()
    several = getattr(chosen, "backends", None) or (chosen,)
    return next((each for each in several if type(each).__module__ in _SAFE), None)


def _backend() -> Any:
    backend = safe_backend()
    if backend is None:
        raise KeyringFailed
    return backend
