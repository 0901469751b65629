"""A person in the place of a model: carries out the steps by hand, and enters what was done.

What is entered is a call like any other: the enforcer is asked first. Where the call is
blocked, the person reads why, and nothing counts as done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.engine.answers import checked
from workbench.engine.enforcement.decisions import CONTROL_TOOLS
from workbench.engine.journal import events as types
from workbench.engine.journal.events import RunEvent
from workbench.engine.ports import JudgementBackend, Purpose, Request, RequestKind
from workbench.engine.steplists.places import WHOLE_LIST, Where
from workbench.engine.steplists.ports import CallOutcomeText, StepAtHand, Tool, Turn, TurnAnswer, WantedCall
from workbench.engine.steplists.record import SKIP_STEP, ListedRecord
from workbench.engine.steplists.turns import DONE, FINISH, SKIP
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.loader.steplist import Playbook
from workbench.model.meaning import Variable

_FIELDS = (
    Variable("action", is_state=False, type="str"),
    Variable("arguments", is_state=False, type="dict"),
    Variable("result", is_state=False),
    Variable("failure", is_state=False, type="str"),
)


class Questions:
    """Asks the person: each question and each answer is an event. *asked*: the question that is waited for."""

    def __init__(self, record: ListedRecord, backend: JudgementBackend) -> None:
        self._record = record
        self._backend = backend
        self.asked: Request | None = None

    def ask(self, request: Request, where: Where) -> dict[str, Any]:
        """The answer to *request*, as it is journaled. Raises Cancelled, InputNeeded."""
        body = {
            "request": request.id,
            "kind": request.kind.value,
            "text": request.text,
            "target": "",
            "fields": [_field(field) for field in request.fields],
            "choices": list(request.choices),
            "purpose": request.purpose.value,
            "key": request.id,
        }
        is_doubt = request.kind is RequestKind.IN_DOUBT
        self._record.write(types.IN_DOUBT if is_doubt else types.INPUT_ASKED, body, where)
        self.asked = request
        try:
            answer = checked(request, self._backend.judge(request))
        finally:
            self.asked = None
        if not is_doubt:
            given = {"request": request.id, "kind": request.kind.value, "answer": answer}
            self._record.write(types.INPUT_GIVEN, given, where, "user")
        return answer

    def settle(self, call: RunEvent) -> str:
        """What the person says of a *call* that may have been made before the run was cut off."""
        where = Where(call.step, call.line, call.span, call.parent)
        text = _("The call of {tool} was begun before the run was cut off. Was it done?")
        told = text.format(tool=call.body["tool"])
        request = Request(f"doubt{call.seq}", RequestKind.IN_DOUBT, call.step, told, (), ("done", "again", "skip"))
        return str(self.ask(request, where)["choice"])


def _field(variable: Variable) -> dict[str, Any]:
    return {"name": variable.name, "is_state": variable.is_state, "type": variable.type}


class PersonModel(Mapping[str, Tool]):
    """Each turn is a question. As a mapping it offers every tool, since the person is the one who uses them.

    *playbook*: whose tools are offered by name.
    """

    name = "person"

    def __init__(self, questions: Questions, playbook: Playbook) -> None:
        self._questions = questions
        self._known = dict.fromkeys(tool for step in playbook.steps for tool in step.expected_tools)
        self._entry: Mapping[str, Any] = {}

    def take(self, turn: Turn) -> TurnAnswer:
        """What the person says was done, or is to be said of the step."""
        where = (turn.at.where if turn.at is not None else WHOLE_LIST).inside(f"turn{turn.number}")
        entry = self._questions.ask(request_of(turn), where)["values"]
        action, said = str(entry["action"]).strip(), str(entry["result"] or "")
        sayings = turn.at.sayings if turn.at is not None else (FINISH,)
        if action in sayings and action not in self._known:
            return _SAID[action](said)
        self._entry = entry
        return TurnAnswer((WantedCall(action, dict(entry["arguments"] or {})),))

    def __getitem__(self, name: str) -> Tool:
        if name in CONTROL_TOOLS and name not in self._known:
            raise KeyError(name)
        return self._use

    def __contains__(self, name: object) -> bool:
        return name in self._known or (name not in CONTROL_TOOLS and name != SKIP_STEP)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def _use(self, _arguments: Mapping[str, Any]) -> Any:
        """What the person says the tool gave, or that it failed."""
        failure = str(self._entry.get("failure") or "").strip()
        if failure:
            raise RunFailed(failure)
        return self._entry.get("result")


def _finished(said: str) -> TurnAnswer:
    return TurnAnswer(text=said)


def _done(said: str) -> TurnAnswer:
    return TurnAnswer((WantedCall("complete_step", {"result": said}),))


def _skipped(said: str) -> TurnAnswer:
    return TurnAnswer((WantedCall(SKIP_STEP, {"reason": said}),))


_SAID = {FINISH: _finished, DONE: _done, SKIP: _skipped}


def request_of(turn: Turn) -> Request:
    """The question of *turn*. *context* holds what was refused, the hints, and what is left."""
    at = turn.at or StepAtHand(WHOLE_LIST, _("All steps are done."), (), (), (), (FINISH,))
    refused = [_refusal(one) for one in turn.outcomes if one.is_error] + ([turn.reminder] if turn.reminder else [])
    context = (("refused", refused), ("hints", list(at.hints)), ("left", list(at.left)), ("tools", list(at.tools)))
    return Request(
        f"turn{turn.number}",
        RequestKind.JUDGE,
        at.where.step,
        at.description,
        _FIELDS,
        (*at.tools, *(saying for saying in at.sayings if saying not in at.tools)),
        tuple((name, value) for name, value in context if value),
        purpose=Purpose.TURN,
    )


def _refusal(outcome: CallOutcomeText) -> str:
    if not outcome.reason:
        return outcome.text
    return _("{tool} was blocked, and does not count as done: {reason}").format(
        tool=outcome.tool, reason=outcome.reason
    )
