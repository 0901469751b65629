"""The way to a model: what it is sent is made, counted and kept within the limits; then it is asked.

A run stops before the next request that its budget does not hold, never after it. What the model says is told while it
speaks.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from workbench.engine.background import Background
from workbench.engine.decider import Decider, Drafts, Where, draft_at
from workbench.engine.journal.journal import Keeps
from workbench.engine.journal.model_events import ModelAnswered, ModelAsked
from workbench.engine.judges import Judges, Limits
from workbench.engine.judging.context import Scene, compose
from workbench.engine.judging.loop import is_last_turn
from workbench.engine.judging.memory import Memory
from workbench.engine.judging.names import Names
from workbench.engine.judging.sent import keep_request, kept_request
from workbench.engine.judging.telling import answered
from workbench.engine.judging.wanted import may_call_tools
from workbench.engine.ports import Request
from workbench.engine.state.fold import RunFold
from workbench.engine.state.judging import Judging, Used
from workbench.errors import InputNeeded, StoreFailed
from workbench.i18n import _, numeral
from workbench.providers.values import ModelClient, ModelReply, ModelRequest
from workbench.tools.values import ToolSpec

MakeClient = Callable[[], ModelClient]
Recalled = Callable[[str], str]
"""What has worked before for a task, as short text; empty where nothing is known. Raises StoreFailed."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Bench:
    """Who there is to judge. *client*: makes who asks models; None where no model can be asked here.

    *recalled*: what has worked before; None where nobody knows.
    """

    judges: Judges
    limits: Limits
    client: MakeClient | None = None
    recalled: Recalled | None = None


@dataclass(frozen=True, slots=True)
class _Ready:
    """A request that is journaled as *context* and not answered yet."""

    context: str
    request: ModelRequest
    names: Names


class Asking:
    """Asks the models of one run, on its thread."""

    def __init__(self, inner: Decider, journal: Keeps, bench: Bench) -> None:
        self.judges, self.limits = bench.judges, bench.limits
        self.memory = Memory()
        self._inner = inner
        self._journal = journal
        self._make_client = bench.client
        self._recalled = bench.recalled
        self._worked: dict[str, str] = {}
        self._client: ModelClient | None = None
        self._is_given_up = False
        self._ready: _Ready | None = None
        self._offered: dict[str, tuple[ToolSpec, ...]] = {}

    def offered(self, fold: RunFold, request: Request) -> tuple[ToolSpec, ...]:
        """What whoever answers *request* may call; the same as long as the question is open. Raises RunFailed."""
        if not may_call_tools(request):
            return ()
        if request.id not in self._offered:
            self._offered = {request.id: self._inner.tools.offered(fold.top.agent)}
        return self._offered[request.id]

    def asked(self, fold: RunFold, request: Request, loop: Judging | None, problem: str) -> Drafts:
        """The event that a model is asked about *request*, for the first time where there is no *loop* yet.

        Raises BudgetReached where the run may not, InputNeeded where no model is there, RunFailed where tools fail.
        """
        if self._make_client is None:
            message = _("{step} is to be judged by a model, and none can be asked here: {text}")
            raise InputNeeded(message.format(step=request.step, text=request.text))
        sent = compose(self._scene(fold, request, loop, problem), self.judges)
        check_budget(self.limits, fold.used, sum(sent.tokens.values()))
        context = keep_request(self._journal, sent.request)
        self._ready = _Ready(context, kept_request(self._journal, context), sent.names)
        turn = len(loop.turns) + 1 if loop is not None else 1
        asked = ModelAsked(
            request.id, turn, self.judges.endpoint, self.judges.model, context, dict(sent.tokens), problem
        )
        return (draft_at(self.place(request, loop, turn), asked),)

    def _scene(self, fold: RunFold, request: Request, loop: Judging | None, problem: str) -> Scene:
        *below, here = (self.memory.frame(frame.span) for frame in fold.frames or [fold.top])
        return Scene(
            request,
            self._with_worked(self._inner.background(fold)),
            here,
            tuple(below),
            loop,
            self.offered(fold, request),
            is_last_turn(loop, self.limits),
            problem,
        )

    def _with_worked(self, background: Background) -> Background:
        """*background* with what has worked before, looked up once: a stable part must not change within a run."""
        task = background.task
        if not task or self._recalled is None:
            return background
        if task not in self._worked:
            try:
                self._worked[task] = self._recalled(task)
            except StoreFailed as error:  # a library that cannot be read holds up no run
                log.info("Recalled nothing for %s: %s", task, error)
                self._worked[task] = ""
        return replace(background, worked=self._worked[task])

    def place(self, request: Request, loop: Judging | None, turn: int) -> Where:
        """Where the *turn* of whoever answers *request* lies."""
        question = self.memory.question
        span, line = (loop.span, loop.line) if loop is not None else ("", 0)
        if loop is None and question is not None:
            span, line = question.span, question.line
        return Where(request.step, line, f"{span}.m{turn}", span)

    def answer(self, loop: Judging, tell: Callable[[str], None]) -> ModelAnswered:
        """The answer to what was asked last in *loop*; *tell* hears it while it comes.

        Raises ModelFailed, and Cancelled after ``cancel``.
        """
        ready = self._ready
        assert ready is not None and ready.context == loop.context, "what was asked in another process is asked again"
        reply = consult(self._asked_client(), ready.request, tell)
        self._ready = None
        return answered(loop.request.id, len(loop.turns) + 1, reply, ready.names)

    def _asked_client(self) -> ModelClient:
        if self._client is None:
            assert self._make_client is not None
            self._client = self._make_client()
            if self._is_given_up:  # stopped while it was made
                self._client.cancel()
        return self._client

    def cancel(self) -> None:
        """Give up the answer that is waited for; callable from any thread."""
        self._is_given_up = True
        if self._client is not None:
            self._client.cancel()


class BudgetReached(InputNeeded):
    """The models of a run have used what they may; it goes on when they are given more."""


def check_budget(limits: Limits, used: Used, next_tokens: int) -> None:
    """Raises BudgetReached where the next request, of about *next_tokens*, would go beyond *limits* of the run."""
    reason = _reason(limits, used, next_tokens)
    if reason:
        message = _("{reason} The run waits. Resume it with a higher limit to go on.")
        raise BudgetReached(message.format(reason=reason))


def _reason(limits: Limits, used: Used, next_tokens: int) -> str:
    if limits.requests and used.requests >= limits.requests:
        message = _("The models have been asked as often as they may: {used} (limit {limit}).")
        return message.format(used=numeral(used.requests), limit=numeral(limits.requests))
    if limits.tokens and used.tokens + next_tokens > limits.tokens:
        message = _(
            "The tokens of the models are used up: {used} (limit {limit}); the next request would need about {next}."
        )
        return message.format(used=numeral(used.tokens), limit=numeral(limits.tokens), next=numeral(next_tokens))
    if limits.cost_usd and used.cost_usd >= limits.cost_usd:
        message = _("The models have cost what they may: ${used} (limit ${limit}).")
        return message.format(used=numeral(used.cost_usd, ".4f"), limit=numeral(limits.cost_usd, ".4f"))
    if limits.cost_usd and used.unpriced:
        return _("A limit on cost is set, but the price of an answer is not known. Enter the model's prices.")
    return ""


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
