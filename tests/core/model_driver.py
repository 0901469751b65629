"""Models for tests of the engine: what they answer is written down, or worked out from what they are sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.core.engine_driver import Played, book, finished
from workbench.engine.backends.person import NobodyBackend
from workbench.engine.journal.journal import Journal
from workbench.engine.judges import JudgeKind, Judges, Limits
from workbench.engine.options import RunOptions
from workbench.engine.ports import JudgementBackend
from workbench.engine.starting import start_run
from workbench.errors import ModelFailed
from workbench.model.snapshot import Snapshot
from workbench.providers.values import ModelReply, ModelRequest, ToolWish, Usage

MODEL = Judges(JudgeKind.MODEL, endpoint="test", model="small")
USAGE = Usage(100, 10, 40, 0.001)


class FakeModel:
    """A client that says one of *replies* after the other, or fails; *sent*: what it was asked."""

    def __init__(self, replies: Sequence[ModelReply | Exception] = ()) -> None:
        self.replies = list(replies)
        self.sent: list[ModelRequest] = []

    def complete(self, request: ModelRequest, on_delta: Callable[[str], None]) -> ModelReply:
        """The next reply."""
        self.sent.append(request)
        if not self.replies:
            raise ModelFailed("the model has nothing left to say")
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        on_delta(reply.text)
        return reply

    def cancel(self) -> None:
        """Nothing ever waits here."""


def said(text: str) -> ModelReply:
    """An answer in words."""
    return ModelReply(text, usage=USAGE, model="small-1")


def data(**values: Any) -> ModelReply:
    """An answer as JSON."""
    return ModelReply(str(values), values, usage=USAGE, model="small-1")


def wants(*calls: tuple[str, Mapping[str, Any]], text: str = "") -> ModelReply:
    """Calls that are wanted."""
    wishes = tuple(ToolWish(f"c{number}", name, arguments) for number, (name, arguments) in enumerate(calls))
    return ModelReply(text, wishes=wishes, usage=USAGE, model="small-1")


def options(model: FakeModel, judges: Judges = MODEL, limits: Limits | None = None, **more: Any) -> RunOptions:
    """A run that *model* judges."""
    return RunOptions(is_trusted=True, judges=judges, limits=limits or Limits(), client=lambda: model, **more)


def judge(
    snapshot: Snapshot | str,
    folder: Path,
    model: FakeModel,
    chosen: RunOptions | None = None,
    backend: JudgementBackend | None = None,
) -> Played:
    """A run of *snapshot* (or of steps) that *model* judges, carried out to its end."""
    made = book(snapshot) if isinstance(snapshot, str) else snapshot
    journal = Journal(folder / "runs.sqlite")
    run = start_run(made, journal, backend or NobodyBackend(), chosen or options(model))
    played = finished(run, journal)
    journal.close()
    return played
