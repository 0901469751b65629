"""Tool calls that were journaled as intents: made once, whatever dies in between.

Whether a call has begun is known from the child's ledger, which outlives this process: a call
that is not in it did not reach the function and is made; one that has ended there is not made
again, its result is taken from there; one that began and did not end is *in doubt*, and is
asked about. The child is sent a call only after it has locked the ledger, and resuming waits
until it is unlocked, so nothing can begin unseen. So a run is parked only when the function
itself was cut off.
"""

from __future__ import annotations

from workbench.engine import events as types
from workbench.engine.backends.call_ledger import Broke, Finished, Unknown
from workbench.engine.book import Book
from workbench.engine.frames import Intent
from workbench.engine.machine import call_answered, instruction_at, step_failed
from workbench.engine.ports import Request, RequestKind
from workbench.engine.recorder import Recorder
from workbench.engine.tools import RunTools
from workbench.engine.turn import Draft
from workbench.engine.wording import body_of
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.meaning import Call, Variable

_CHOICES = ("done", "again", "skip")


class ToolCalls:
    """Makes the calls of one run, on its thread."""

    def __init__(self, book: Book, recorder: Recorder, tools: RunTools) -> None:
        self._book = book
        self._recorder = recorder
        self._tools = tools
        self._begun: set[tuple[str, int]] = set()

    def note(self, key: str, attempt: int) -> None:
        """Note that this process, and no other, makes the call."""
        self._begun.add((key, attempt))

    def make(self, intent: Intent) -> None:
        """Make the call, unless a process before this one has."""
        if (intent.key, intent.attempt) not in self._begun and self._is_settled(intent):
            return
        self.note(intent.key, intent.attempt)
        self._tools.admit(intent.agent, intent.tool)
        try:
            value = self._tools.call(intent, self._on_output)
        except RunFailed as error:
            self._broke(str(error))
            return
        self._answered({"value": value})

    def _is_settled(self, intent: Intent) -> bool:
        """Whether there is nothing to call: what became of it is known, or nobody knows and it must be asked."""
        match self._tools.recall(intent):
            case Finished(value):
                self._answered({"value": value, "recovered": True})
            case Broke(message):
                self._broke(message)
            case Unknown() if intent.kind == "unsafe":
                self._doubt(intent)
            case _:
                return False
        return True

    def _answered(self, body: dict[str, object]) -> None:
        self._recorder.record((call_answered(self._recorder.fold, self._book, types.TOOL_RESULT, body),))
        self._recorder.write_synced()

    def _broke(self, message: str) -> None:
        fold = self._recorder.fold
        at = instruction_at(fold, self._book)
        assert fold.intent is not None
        text = _("{tool} failed: {message}").format(tool=fold.intent.tool, message=message)
        failed = step_failed(fold, self._book, text)
        error = Draft(types.TOOL_ERROR, {"message": text}, at.address, at.line, fold.intent.span, actor="tool")
        self._recorder.record((error, failed))
        self._recorder.write_synced()

    def _doubt(self, intent: Intent) -> None:
        """Park the call and ask about it."""
        fold = self._recorder.fold
        at = instruction_at(fold, self._book)
        values = [*map(repr, intent.positional), *(f"{name}={value!r}" for name, value in intent.named)]
        text = _("{call} was begun when the run was cut off, and nobody knows whether it was done.")
        has_result = isinstance(at.meaning, Call) and at.meaning.result is not None
        request = Request(
            f"q{fold.next_seq}",
            RequestKind.IN_DOUBT,
            at.address,
            text.format(call=f"{intent.tool}({', '.join(values)})"),
            (Variable("result", is_state=False),) if has_result else (),
            _CHOICES,
        )
        body = {**body_of(request), "key": intent.key}
        self._recorder.record((Draft(types.IN_DOUBT, body, at.address, at.line, intent.span),))
        self._recorder.write_synced()

    def resolve(self, answer: dict[str, object]) -> None:
        """Journal what a person said about the call in doubt."""
        fold = self._recorder.fold
        body = {"how": answer["choice"], "value": answer["value"], "text": answer["text"]}
        if answer["choice"] == "again":
            at = instruction_at(fold, self._book)
            assert fold.intent is not None
            self.note(fold.intent.key, fold.intent.attempt + 1)
            draft = Draft(types.RESOLVED, body, at.address, at.line, fold.intent.span, actor="user")
        else:
            draft = call_answered(fold, self._book, types.RESOLVED, body)
        self._recorder.record((draft,))

    def _on_output(self, text: str) -> None:
        fold = self._recorder.fold
        at = instruction_at(fold, self._book)
        assert fold.intent is not None
        draft = Draft(types.TOOL_OUTPUT, {"text": text}, at.address, at.line, fold.intent.span, actor="tool")
        self._recorder.record((draft,))
