"""Carries out one run on a thread of its own: decide, journal, act, journal the answer, decide again.

What is done again after a crash. Events of the run's own making, from the last written one
on: they come out the same. Questions: an answer that was not written is asked for again. Tool
calls: never, once the function has begun. Whether it has is known from the child's ledger,
which outlives this process: a call that is not in it did not reach the function and is made;
one that has ended there is not made again, its result is taken from there; one that began
and did not end is *in doubt*, and is asked about. The child is sent a call only after it has
locked the ledger, and resuming waits until it is unlocked, so nothing can begin unseen.
"""

from __future__ import annotations

from workbench.engine import events as types
from workbench.engine.answers import checked
from workbench.engine.backends.call_ledger import Broke, Finished, Unknown
from workbench.engine.book import Book
from workbench.engine.controls import Controls, Left
from workbench.engine.machine import call_answered, decide, given, instruction_at, step_failed
from workbench.engine.ports import Answer, Cancelled, JudgementBackend, Request, RequestKind
from workbench.engine.recorder import Recorder
from workbench.engine.state import Intent, RunStatus
from workbench.engine.tools import RunTools
from workbench.engine.turn import AskJudgement, CallTool, Draft, Rules
from workbench.engine.wording import body_of
from workbench.errors import InputNeeded, NotTrusted, RunFailed, WorkbenchError
from workbench.i18n import _
from workbench.model.meaning import Call, Variable

_CHOICES = ("done", "again", "skip")


class Worker:
    """The thread side of a run."""

    def __init__(
        self, book: Book, recorder: Recorder, backend: JudgementBackend, tools: RunTools, controls: Controls
    ) -> None:
        self._book = book
        self._recorder = recorder
        self._backend = backend
        self._tools = tools
        self._controls = controls
        self._rules = Rules(tools.kind)
        self._begun: set[tuple[str, int]] = set()
        self._in_doubt = ""
        self.asked: Request | None = None
        self.halt: WorkbenchError | None = None

    def set_rules(self, max_depth: int, max_steps: int, in_doubt: str) -> None:
        """Say how deep calls may go, how many steps there may be, and what to do about calls in doubt (empty: ask)."""
        self._rules = Rules(self._tools.kind, max_depth, max_steps)
        self._in_doubt = in_doubt

    def carry_out(self) -> None:
        """Go on until the run is over, or cannot go on for now (``halt`` says why)."""
        try:
            self._go_on()
        except (Cancelled, Left):
            self._end_by_wish()
        except (InputNeeded, NotTrusted) as error:
            self.halt = error
            self._halt(str(error))
        finally:
            self._tools.close()

    def _go_on(self) -> None:
        fold = self._recorder.fold
        if fold.status in {RunStatus.PAUSED, RunStatus.CANCELLED}:
            self._record(types.RUN_RESUMED, {})
        while not fold.is_over:
            self._controls.raise_wish()
            decision = decide(fold, self._book, self._rules)
            match decision:
                case AskJudgement(request):
                    self._ask(request)
                case CallTool(intent):
                    self._call(intent)
                case drafts:
                    self._take(drafts)
        self._recorder.write()
        if fold.status is not RunStatus.CANCELLED:
            self._tools.close()
            self._tools.forget()

    def _take(self, drafts: tuple[Draft, ...]) -> None:
        first = drafts[0]
        if first.type == types.STEP_ENTERED:
            self._wait_for_leave_to_step()
        if first.type != types.TOOL_CALL:
            self._recorder.record(drafts)
            return
        self._tools.admit(first.body["agent"], first.body["tool"])
        self._recorder.record(drafts)
        self._recorder.write_synced()
        self._begun.add((first.body["key"], 1))

    def _wait_for_leave_to_step(self) -> None:
        if self._controls.is_holding:
            self._record(types.RUN_PAUSED, {})
            self._recorder.write()
            self._controls.wait()
            self._record(types.RUN_RESUMED, {})
        self._controls.use_step()

    def _record(self, type_: str, body: dict[str, object]) -> None:
        self._recorder.record((Draft(type_, body),))

    def _ask(self, request: Request) -> None:
        """Get an answer to *request* and journal it; the question is written before it is asked."""
        fold = self._recorder.fold
        self._recorder.write()
        self.asked = request
        try:
            answer = checked(request, self._judged(request))
        except RunFailed as error:
            self._recorder.record((step_failed(fold, self._book, str(error)),))
            return
        finally:
            self.asked = None
        if request.kind is RequestKind.IN_DOUBT:
            self._resolve(answer)
        else:
            self._recorder.record((given(fold, self._book, request, answer),))
        self._recorder.write_synced()

    def _judged(self, request: Request) -> Answer:
        if request.kind is RequestKind.IN_DOUBT and self._in_doubt:
            return Answer(choice=self._in_doubt)
        return self._backend.judge(request)

    def _call(self, intent: Intent) -> None:
        """Make the call, unless a process before this one has."""
        if (intent.key, intent.attempt) not in self._begun and self._is_settled(intent):
            return
        self._begun.add((intent.key, intent.attempt))
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

    def _resolve(self, answer: dict[str, object]) -> None:
        fold = self._recorder.fold
        body = {"how": answer["choice"], "value": answer["value"], "text": answer["text"]}
        if answer["choice"] == "again":
            at = instruction_at(fold, self._book)
            assert fold.intent is not None
            self._begun.add((fold.intent.key, fold.intent.attempt + 1))
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

    def _end_by_wish(self) -> None:
        """Cancelled is said only when every child is dead."""
        if self._controls.is_leaving:
            self._halt(_("The run was let go of, and can be resumed."))
            return
        self._record(types.RUN_CANCELLING, {})
        self._recorder.write()
        self._tools.close()
        self._record(types.RUN_CANCELLED, {})
        self._recorder.write()

    def _halt(self, reason: str) -> None:
        self._record(types.RUN_PAUSED, {"reason": reason})
        self._recorder.write()
