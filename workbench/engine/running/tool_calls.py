"""Tool calls that were journaled as intents: made once, whatever dies in between.

Whether a call has begun is known from the child's ledger, which outlives this process: a call
that is not in it did not reach the function and is made; one that has ended there is not made
again, its result is taken from there; one that began and did not end is *in doubt*, and is
asked about. The child is sent a call only after it has locked the ledger, and resuming waits
until it is unlocked, so nothing can begin unseen. So a run is parked only when the function
itself was cut off.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from workbench.engine.backends.call_ledger import Broke, Finished, Unknown
from workbench.engine.decider import Draft
from workbench.engine.journal.choices import CallSafety, InDoubtChoice
from workbench.engine.journal.run_events import (
    CallInDoubt,
    CallResolved,
    ToolCalled,
    ToolError,
    ToolPrinted,
    ToolResult,
)
from workbench.engine.language.book import Book
from workbench.engine.language.machine import call_answered, call_for_python, instruction_at
from workbench.engine.language.turn import Rules, StepFailed
from workbench.engine.ports import CalledBack, Request, RequestKind
from workbench.engine.running.files import facts_of
from workbench.engine.running.recorder import Recorder
from workbench.engine.running.tools import RunTools
from workbench.engine.state.frames import Intent
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.meaning import Call, Variable

_CHOICES = ("done", "again", "skip")


def _unheard(_text: str) -> None:
    """What is printed by Python that nobody waits for any more."""


class ToolCalls:
    """Makes the calls of one run, on its thread."""

    def __init__(self, book: Book, recorder: Recorder, tools: RunTools) -> None:
        self._book = book
        self._recorder = recorder
        self._tools = tools
        self._begun: set[tuple[str, int]] = set()
        self._talking: list[Intent] = []
        self.rules = Rules(tools.safety)

    def begin(self, drafts: tuple[Draft, ...]) -> None:
        """Journal *drafts*; the intent of a call, once it is allowed, down to the disk."""
        call = drafts[0].payload
        if not isinstance(call, ToolCalled):
            self._recorder.record(drafts)
            return
        self._tools.admit(call.agent, call.tool)
        self._recorder.record(drafts)
        self._recorder.write_synced()
        self.note(call.key, 1)

    def note(self, key: str, attempt: int) -> None:
        """Note that this process, and no other, makes the call."""
        self._begun.add((key, attempt))

    def make(self, intent: Intent) -> None:
        """Make the call, unless a process before this one has, or go on with one that has called back."""
        self._drop_lost()
        if self._talking and self._talking[-1].key == intent.key:
            answer = self._recorder.fold.top.answer
            self._reply(intent, {"value": answer["return"] if answer is not None else None})
            return
        if (intent.key, intent.attempt) not in self._begun and self._is_settled(intent):
            return
        self.note(intent.key, intent.attempt)
        self._tools.admit(intent.agent, intent.tool)
        try:
            outcome = self._tools.call(intent, self._on_output)
        except RunFailed as error:
            self._broke(str(error))
            return
        self._take(intent, outcome)

    def _reply(self, intent: Intent, reply: Mapping[str, Any]) -> None:
        """Let Python go on with *reply* to what it asked for."""
        self._talking.pop()
        try:
            outcome = self._tools.reply(intent.agent, reply, self._on_output)
        except RunFailed as error:
            self._broke(str(error))
            return
        self._take(intent, outcome)

    def _take(self, intent: Intent, outcome: object) -> None:
        """Journal what a call gave, or make the call that its Python asks for."""
        if isinstance(outcome, CalledBack):
            self._talking.append(intent)
            self._call_back(intent, outcome)
        elif self._tools.is_file(intent):
            threshold = self.rules.artifact_threshold
            self._answered(facts_of(str(outcome), intent.positional, intent.named, threshold))
        else:
            self._answered(ToolResult(outcome))

    def _call_back(self, intent: Intent, asked: CalledBack) -> None:
        try:
            draft = call_for_python(self._recorder.fold, self._book, self.rules, asked)
        except StepFailed as error:
            self._reply(intent, {"refused": f"{asked.name}: {error}"})
            return
        self.begin((draft,))

    def _drop_lost(self) -> None:
        """End the Python that waits for a playbook which was left because it failed."""
        frames = [
            *self._recorder.fold.frames,
            *(each for some in self._recorder.fold.world.parked.values() for each in some),
        ]
        going = {intent.key for frame in frames for intent in frame.intents}
        while self._talking and self._talking[-1].key not in going:
            intent = self._talking.pop()
            outcome: object = CalledBack("", (), ())
            with contextlib.suppress(RunFailed):
                while isinstance(outcome, CalledBack):
                    outcome = self._tools.reply(intent.agent, {"refused": _("the call has failed")}, _unheard)

    def _is_settled(self, intent: Intent) -> bool:
        """Whether there is nothing to call: what became of it is known, or nobody knows and it must be asked."""
        match self._tools.recall(intent):
            case Finished(value):
                self._answered(ToolResult(value, recovered=True))
            case Broke(message):
                self._broke(message)
            case Unknown() if intent.safety is CallSafety.UNSAFE:
                self._doubt(intent)
            case _:
                return False
        return True

    def _answered(self, result: ToolResult) -> None:
        self._recorder.record((call_answered(self._recorder.fold, self._book, result),))
        self._recorder.write_synced()

    def _broke(self, message: str) -> None:
        fold = self._recorder.fold
        at = instruction_at(fold, self._book)
        assert fold.intent is not None
        text = _("{tool} failed: {message}").format(tool=fold.intent.tool, message=message)
        error = Draft(ToolError(text), at.address, at.line, fold.intent.span, actor="tool")
        self._recorder.record((error,))
        self._recorder.write_synced()

    def _doubt(self, intent: Intent) -> None:
        """Park the call and ask about it."""
        fold = self._recorder.fold
        at = instruction_at(fold, self._book)
        values = [*map(repr, intent.positional), *(f"{name}={value!r}" for name, value in intent.named)]
        text = _("{call} was begun when the run was cut off, and nobody knows whether it was done.")
        is_dropped = isinstance(at.meaning, Call) and at.meaning.result is None and len(fold.top.intents) == 1
        request = Request(
            f"q{fold.next_seq}",
            RequestKind.IN_DOUBT,
            at.address,
            text.format(call=f"{intent.tool}({', '.join(values)})"),
            (Variable("result", is_state=False),) if not is_dropped else (),
            _CHOICES,
        )
        self._recorder.record((Draft(CallInDoubt.of(request, intent.key), at.address, at.line, intent.span),))
        self._recorder.write_synced()

    def resolve(self, answer: dict[str, object]) -> None:
        """Journal what a person said about the call in doubt."""
        fold = self._recorder.fold
        resolved = CallResolved(InDoubtChoice(answer["choice"]), answer["value"], str(answer["text"]))
        if answer["choice"] == "again":
            at = instruction_at(fold, self._book)
            assert fold.intent is not None
            self.note(fold.intent.key, fold.intent.attempt + 1)
            draft = Draft(resolved, at.address, at.line, fold.intent.span, actor="user")
        else:
            draft = call_answered(fold, self._book, resolved)
        self._recorder.record((draft,))

    def _on_output(self, text: str) -> None:
        fold = self._recorder.fold
        at = instruction_at(fold, self._book)
        assert fold.intent is not None
        draft = Draft(ToolPrinted(text), at.address, at.line, fold.intent.span, actor="tool")
        self._recorder.record((draft,))
