"""Whoever answers by a script: the questions of a playbook, the turns of a step list, and messages at their times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any

from workbench.engine.answers import AnswerRefused, checked
from workbench.engine.backends.person import PersonBackend
from workbench.engine.enforcement.decisions import CONTROL_TOOLS
from workbench.engine.journal.debug_events import AnswerRecalled
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.instead import How
from workbench.engine.journal.model_events import CommandWanted
from workbench.engine.journal.run_events import InputAsked, InputGiven, ToolCalled, ToolError, ToolResult
from workbench.engine.journal.steplist_events import CallWish, Foreseen, TurnTaken
from workbench.engine.journal.waiting_events import MessageHeard, WaitBegun
from workbench.engine.ports import ABOUT_TRIGGERS, Answer, Arrival, Leave, Purpose, Request, RequestKind
from workbench.engine.scripts import (
    Script,
    ScriptedAnswer,
    ScriptedApproval,
    ScriptedCall,
    ScriptedMessage,
    parse_calls,
    parse_script,
)
from workbench.engine.steplists.walking import Tool, Turn, TurnAnswer
from workbench.engine.work import AFTERWARDS
from workbench.errors import CannotRead, InputNeeded, RunFailed
from workbench.i18n import _, numeral
from workbench.model.format import TextFormat
from workbench.model.loader.steplist import Playbook as StepList


def scripted(script: str, format_: TextFormat, person: PersonBackend | None = None) -> ScriptBackend | ScriptedWalker:
    """Who answers by the text *script* for a playbook of *format_*; *person* gives leave for other calls.

    Raises CannotRead where it is not made for that.
    """
    if format_.is_steplist:
        return ScriptedWalker(parse_calls(script), parse_script(script).approvals, person)
    parsed = parse_script(script)
    if parsed.calls is not None:
        raise CannotRead(_("“calls:” is for step lists; a playbook is answered by “answers:” and “tools:”."))
    return ScriptBackend(parsed, person)


class _WithLeave:
    """Says to a call that asks for leave what a script says to exactly that; else *person* is asked, if there."""

    def __init__(self, approvals: tuple[ScriptedApproval, ...], person: PersonBackend | None) -> None:
        self._approvals = approvals
        self._person = person

    def asks(self, request: Request) -> bool:
        """Whether the person is to answer *request*."""
        return request.kind is RequestKind.APPROVE and self._person is not None and self._scripted(request) is None

    def answer(self, request_id: str, answer: Answer) -> bool:
        """Hand over the person's *answer*; False when this request is no longer waited for."""
        return self._person is not None and self._person.answer(request_id, answer)

    def cancel(self) -> None:
        """Wait for the person no longer."""
        if self._person is not None:
            self._person.cancel()

    def _leave(self, request: Request) -> Answer:
        """What is said to the call of *request*. Raises InputNeeded where nobody says anything."""
        call, found = request.call, self._scripted(request)
        assert call is not None
        if found is not None:
            return Answer(text=found.reason, leave=Leave(found.is_allowed, call.digest, found.changed, found.scope))
        if self._person is not None:
            return self._person.judge(request)
        message = _("{step} waits for leave to call {tool}, and nobody is there to give it: {summary}")
        raise InputNeeded(message.format(step=request.step, tool=call.tool, summary=call.preview.summary))

    def _scripted(self, request: Request) -> ScriptedApproval | None:
        call = request.call
        if call is None:
            return None
        about = (call.tool, dict(call.arguments))
        return next((each for each in self._approvals if (each.tool, dict(each.arguments)) == about), None)


class ScriptBackend(_WithLeave):
    """Answers from a script, each used once."""

    name = "script"
    ends_timers = True

    def __init__(self, script: Script, person: PersonBackend | None = None) -> None:
        super().__init__(script.approvals, person)
        self._script = script
        self._unused = list(script.answers)
        self._used: dict[str, int] = {}
        self.skips_time = script.is_fast
        self._messages = ScriptedMessages(script.messages)

    def judge(self, request: Request) -> Answer:
        """The first unused answer for the step, or for whatever comes. Raises InputNeeded where there is none."""
        if request.kind is RequestKind.APPROVE:
            return self._leave(request)
        if request.purpose is Purpose.MESSAGE and (meant := self._messages.meant(request)) is not None:
            return meant
        if request.purpose is Purpose.READING:
            return self._reading(request)
        is_doubt = request.kind is RequestKind.IN_DOUBT
        for entry in self._unused:
            is_meant = entry.step in _places(request) and _fits(entry, request)
            if is_meant and (entry.answer.choice is not None) is is_doubt:
                self._unused.remove(entry)
                return entry.answer
        if request.purpose is Purpose.WAIT and not request.target and (said := self._messages.next_said()) is not None:
            return Answer(text=said)
        if request.purpose in ABOUT_TRIGGERS:
            return Answer()  # a script that says nothing about triggers says that none of them is the case
        raise InputNeeded(_no_answer(request))

    def _reading(self, request: Request) -> Answer:
        """What the script says of exactly this step and this question. Raises RunFailed where it says nothing."""
        names = {field.name for field in request.fields}
        for entry in self._unused:
            if entry.step in _addresses(request.step) and {name for name, _value in entry.answer.values} == names:
                self._unused.remove(entry)
                return entry.answer
        raise RunFailed(request.text)

    def next_arrival(self, now_ns: int) -> Arrival | None:
        """The next of the script's messages."""
        return self._messages.next_arrival(now_ns)

    def take_arrival(self) -> None:
        """It has come."""
        self._messages.take()

    def has_tool(self, name: str) -> bool:
        """Whether the script answers for the tool *name*."""
        return name in self._script.tools or name in self._script.failures

    def tool_result(self, name: str) -> Any:
        """What the next call of *name* gives. Raises RunFailed where its list has come to its end."""
        results, used = self._script.tools.get(name), self._used.get(name, 0)
        failure = self._script.failures.get(name, {}).get(str(used + 1))
        if failure is not None or not isinstance(results, list):
            self._used[name] = used + 1
        if failure is not None:
            raise RunFailed(failure)
        if not isinstance(results, list):
            return results
        if used >= len(results):
            message = _("All results of the script for the tool {name} ({count}) have been used.")
            raise RunFailed(message.format(name=name, count=numeral(len(results))))
        self._used[name] = used + 1
        return results[used]

    def catch_up(self, events: Iterable[RunEvent]) -> None:
        """Leave out what a run that is gone on with has used before.

        A script that does not hold what was answered before holds only what comes after.
        """
        asked: dict[str, Request] = {}
        called: dict[str, str] = {}
        unused: list[ScriptedAnswer] | None = list(self._unused)
        results: dict[str, list[Any]] = {}
        for event in _as_asked(events):
            self._messages.pass_over(event)
            match event.payload:
                case InputAsked() as question:
                    asked[event.span] = question.request_at(event.step)
                case InputGiven(answer=answer) if unused is not None:
                    left = _without(unused, asked[event.span], answer)
                    is_message = left is None and asked[event.span].purpose is Purpose.WAIT
                    unused = unused if is_message and self._messages.pass_said(answer) else left
                case CommandWanted(command=command) if unused is not None:
                    unused = _without_run(unused, event.step, command)
                case ToolCalled(tool):
                    called[event.span] = tool
                case ToolResult() | ToolError() as end:
                    gave = _gave(end, is_failing=called[event.span] in self._script.failures)
                    results.setdefault(called[event.span], []).extend(gave)
        self._unused = self._unused if unused is None else unused
        for name, values in results.items():
            if self._has_given(name, values):
                self._used[name] = len(values)

    def _has_given(self, name: str, values: list[Any]) -> bool:
        """Whether *values*, and failures, are what this script says to the first calls of *name*."""
        results, failures = self._script.tools.get(name), self._script.failures.get(name, {})
        for at, value in enumerate(values):
            said = failures.get(str(at + 1))
            is_result = not isinstance(results, list) or results[at : at + 1] == [value]
            if not (is_result if said is None else isinstance(value, RunFailed) and str(value).endswith(said)):
                return False
        return isinstance(results, list) or bool(failures)


def _as_asked(events: Iterable[RunEvent]) -> Iterator[RunEvent]:
    """*events*, with the answers that were given when somebody was asked: a person may want others in their place."""
    is_recalled = False
    for event in events:
        payload = event.payload
        if isinstance(payload, AnswerRecalled):
            is_recalled = True
        elif isinstance(payload, InputGiven) and payload.instead is not None:
            if payload.instead.how is How.EDIT and not (payload.instead.run or is_recalled):
                yield replace(event, payload=replace(payload, answer=payload.instead.original))
            is_recalled = False
        else:
            yield event


def _gave(end: ToolResult | ToolError, *, is_failing: bool) -> list[Any]:
    """What a script has said to a call that came to *end*: nothing of one that was not made; how it failed."""
    if end.instead is not None:
        failed = [RunFailed(end.instead.failure)] if end.instead.failure else [end.instead.original]
        return failed if end.instead.how is How.EDIT else []
    if isinstance(end, ToolError):
        return [RunFailed(end.message)] if is_failing else []
    return [end.value]


def _fits(entry: ScriptedAnswer, request: Request) -> bool:
    """Whether *entry* says what follows a step that did not work exactly where that is asked, and no yes to work."""
    if request.purpose is Purpose.WORK and entry.answer.decision is not None:
        return False
    return any(name == AFTERWARDS for name, _value in entry.answer.values) is (request.purpose is Purpose.AFTERWARDS)


def _no_answer(request: Request) -> str:
    message = _("The script has no answer left for {step}: {text}")
    return message.format(step=request.step, text=request.text)


def _without(entries: list[ScriptedAnswer], request: Request, answer: Mapping[str, Any]) -> list[ScriptedAnswer] | None:
    """*entries* without the first that gave *answer* to *request*; None where none of them did."""
    is_about_triggers = request.purpose in ABOUT_TRIGGERS
    for index, entry in enumerate(entries):
        if entry.step in _places(request) and _gives(entry, request, answer):
            return entries[:index] + entries[index + 1 :]
    return entries if is_about_triggers else None  # for triggers, no entry means no


def _without_run(entries: list[ScriptedAnswer], step: str, command: str) -> list[ScriptedAnswer]:
    """*entries* without the first that has *command* run at *step*."""
    used = next((each for each in entries if each.step in {"", *_addresses(step)} and each.answer.run == command), None)
    return [each for each in entries if each is not used]


def _places(request: Request) -> set[str]:
    """Which steps an answer may name that is for *request*: triggers are only answered where they are meant."""
    own = _addresses(request.step)
    return own if request.purpose in ABOUT_TRIGGERS else {"", *own}


def _addresses(step: str) -> set[str]:
    """How a script can write the address *step*: ``Clerk.Main:02`` also without the agent, as it always could."""
    return {step, step.partition(".")[2] if "." in step.partition(":")[0] else step}


def _gives(entry: ScriptedAnswer, request: Request, answer: Mapping[str, Any]) -> bool:
    try:
        return checked(request, entry.answer) == answer
    except AnswerRefused:
        return False


class ScriptedWalker(_WithLeave):
    """Wants the calls of a script in their order, those of one batch together, and says what they give."""

    name = "script"

    def __init__(
        self,
        calls: tuple[ScriptedCall, ...],
        approvals: tuple[ScriptedApproval, ...] = (),
        person: PersonBackend | None = None,
    ) -> None:
        super().__init__(approvals, person)
        self._calls = calls
        self._at = 0

    def judge(self, request: Request) -> Answer:
        """What is said to a call that asks for leave; else InputNeeded: a script of calls knows no other answers."""
        if request.kind is RequestKind.APPROVE:
            return self._leave(request)
        raise InputNeeded(_no_answer(request))

    def catch_up(self, events: Iterable[RunEvent]) -> None:
        """Pass over what the turns in *events* have taken from the script."""
        for event in events:
            if isinstance(event.payload, TurnTaken):
                self._at += max(1, len(event.payload.calls))

    @property
    def left(self) -> tuple[ScriptedCall, ...]:
        """The entries that no turn has taken yet."""
        return self._calls[self._at :]

    def take(self, turn: Turn) -> TurnAnswer:
        """The next call, batch or answer. Raises InputNeeded at the end of the script."""
        if not self.left:
            message = _("All entries of the script ({count}) have been used, but the playbook is not complete: {todo}")
            raise InputNeeded(message.format(count=numeral(len(self._calls)), todo=turn.reminder or turn.context))
        first = self.left[0]
        rest = takewhile(lambda one: one.batch is not None and one.batch == first.batch and one.tool, self.left[1:])
        wanted = (first, *rest) if first.tool else ()
        self._at += max(1, len(wanted))
        calls = tuple(CallWish(one.tool, one.arguments) for one in wanted)
        return TurnAnswer(calls, first.text if not wanted else "", tuple(_foreseen(one) for one in wanted))

    def tools_for(self, playbook: StepList) -> Mapping[str, Tool]:
        """A tool for every name in the script and in *playbook*."""
        names = [call.tool for call in self._calls if call.tool and call.tool not in CONTROL_TOOLS]
        names += [tool for step in playbook.steps for tool in step.expected_tools]
        return {name: partial(self._use, name) for name in dict.fromkeys(names)}

    def _use(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """What the entry last taken for this call says: earlier versions did not note that down with the turn.

        Raises InputNeeded where there is none: a call that nobody has written down is not made.
        """
        taken = reversed(self._calls[: self._at])
        entry = next((one for one in taken if one.tool == name and one.arguments == arguments), None)
        if entry is None:
            message = _("The script has no entry for the call of {tool} that was begun before the interruption.")
            raise InputNeeded(message.format(tool=name))
        if entry.error is not None:
            raise RunFailed(entry.error)
        return entry.result


def _foreseen(entry: ScriptedCall) -> Foreseen:
    return Foreseen(None if entry.error is not None else entry.result, entry.error)


class ScriptedMessages:
    """Each is used once. *since_ns*: from when on the time until the next one counts, 0 while nothing waits for it."""

    def __init__(self, messages: tuple[ScriptedMessage, ...]) -> None:
        self._left = list(messages)
        self._meant: ScriptedMessage | None = None
        self._since_ns = 0

    def next_arrival(self, now_ns: int) -> Arrival | None:
        """The next message, which comes as long after the one before as the script says."""
        self._since_ns = self._since_ns or now_ns
        return Arrival(self._left[0].text, self._since_ns + _length_ns(self._left[0])) if self._left else None

    def take(self) -> None:
        """Go on to the message after."""
        self._meant = self._left.pop(0)
        self._since_ns = 0 if self._meant.text else self._since_ns + _length_ns(self._meant)

    def next_said(self) -> str | None:
        """The text of the next message, which a step waits for; None where there is none."""
        while self._left:
            self.take()
            if self._meant is not None and self._meant.text:
                return self._meant.text
        return None

    def meant(self, request: Request) -> Answer | None:
        """Which triggers the last message is for, where the script says so beside it."""
        if self._meant is None or not self._meant.triggers:
            return None
        return Answer(tuple((field.name, _is_meant(self._meant, field.name)) for field in request.fields))

    def pass_over(self, event: RunEvent) -> None:
        """Leave out what a run that is gone on with has heard in *event*."""
        match event.payload:
            case MessageHeard(text, sender=""):
                self._pass(text)
            case WaitBegun() if not event.step:
                self._since_ns = self._since_ns or event.at_ns

    def pass_said(self, answer: Mapping[str, Any]) -> bool:
        """Leave out the message that *answer* was, to a step that waited for one; False where it was none of these."""
        return self._pass(next(iter(answer["values"].values()), answer["text"]))

    def _pass(self, text: str) -> bool:
        index = next((index for index, one in enumerate(self._left) if one.text == text), None)
        if index is None:
            return False
        self._meant, self._left, self._since_ns = self._left[index], self._left[index + 1 :], 0
        return True


def _length_ns(message: ScriptedMessage) -> int:
    return round(message.after_s * 1e9)


def _is_meant(message: ScriptedMessage, field: str) -> bool:
    """Whether *message* is for the trigger of *field* (``Refund_T1``)."""
    return any(field == name.replace(":", "_") or field.startswith(f"{name}_T") for name in message.triggers)
