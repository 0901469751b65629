"""Asks a model, and tells what it says while it speaks."""

from __future__ import annotations

import time
from collections.abc import Callable

from workbench.providers.values import ModelClient, ModelReply, ModelRequest

_BEAT_S = 0.1


class Speech:
    """Pieces of an answer, told together: at most ten times a second."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._pieces: list[str] = []
        self._told_at = time.monotonic()

    def hear(self, piece: str) -> None:
        """Take *piece* in; tell what there is when it is time."""
        self._pieces.append(piece)
        if time.monotonic() - self._told_at >= _BEAT_S:
            self.tell_rest()

    def tell_rest(self) -> None:
        """Tell what has not been told."""
        text = "".join(self._pieces)
        self._pieces.clear()
        self._told_at = time.monotonic()
        if text:
            self._tell(text)


def consult(client: ModelClient, request: ModelRequest, tell: Callable[[str], None]) -> ModelReply:
    """The answer of *client*; *tell* hears what it says meanwhile. Raises ModelFailed and Cancelled."""
    speech = Speech(tell)
    return client.complete(request, speech.hear)
