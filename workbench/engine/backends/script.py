"""Answers and tool results written down beforehand, in a YAML file."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from workbench.engine.answers import AnswerRefused, checked
from workbench.engine.expressions.data import NotData, as_data
from workbench.engine.journal import events as types
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import InputAsked
from workbench.engine.language.code import padded_number
from workbench.engine.ports import Answer, Purpose, Request, RequestKind
from workbench.errors import CannotRead, InputNeeded, RunFailed
from workbench.i18n import _

_KNOWN = frozenset({"step", "values", "decision", "text", "choice"})


@dataclass(frozen=True, slots=True)
class ScriptedAnswer:
    """One answer; *step*: the address it is for, empty for whatever is asked next."""

    step: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Script:
    """What a file of answers holds. *tools*: the results of each tool, used in turn, or one for every call."""

    answers: tuple[ScriptedAnswer, ...]
    tools: Mapping[str, Any]


class ScriptBackend:
    """Answers from a script, each used once."""

    name = "script"

    def __init__(self, script: Script) -> None:
        self._script = script
        self._unused = list(script.answers)
        self._used: dict[str, int] = {}

    @classmethod
    def from_file(cls, path: Path) -> ScriptBackend:
        """The answers in the file *path*. Raises CannotRead."""
        return cls(parse_script(read_script(path)))

    def judge(self, request: Request) -> Answer:
        """The first unused answer for the step, or for whatever comes. Raises InputNeeded where there is none."""
        is_doubt = request.kind is RequestKind.IN_DOUBT
        for entry in self._unused:
            if entry.step in _places(request) and bool(entry.answer.choice) is is_doubt:
                self._unused.remove(entry)
                return entry.answer
        if request.purpose is Purpose.TRIGGERS:
            return Answer()  # a script that says nothing about triggers says that none of them is the case
        message = _("The script has no answer left for {step}: {text}")
        raise InputNeeded(message.format(step=request.step, text=request.text))

    def cancel(self) -> None:
        """Nothing ever waits here."""

    def has_tool(self, name: str) -> bool:
        """Whether the script answers for the tool *name*."""
        return name in self._script.tools

    def tool_result(self, name: str) -> Any:
        """What the next call of *name* gives. Raises RunFailed where its list has come to its end."""
        results = self._script.tools[name]
        if not isinstance(results, list):
            return results
        used = self._used.get(name, 0)
        if used >= len(results):
            message = _("The script has {count} results for the tool {name}, and it was called once more.")
            raise RunFailed(message.format(count=len(results), name=name))
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
        for event in events:
            if isinstance(event.payload, InputAsked):
                asked[event.span] = event.payload.request_at(event.step)
            elif event.type == types.INPUT_GIVEN and unused is not None:
                unused = _without(unused, asked[event.span], event.body["answer"])
            elif event.type == types.TOOL_CALL:
                called[event.span] = event.body["tool"]
            elif event.type == types.TOOL_RESULT:
                results.setdefault(called[event.span], []).append(event.body["value"])
        self._unused = self._unused if unused is None else unused
        for name, values in results.items():
            scripted = self._script.tools.get(name)
            if isinstance(scripted, list) and scripted[: len(values)] == values:
                self._used[name] = len(values)


def _without(entries: list[ScriptedAnswer], request: Request, answer: Mapping[str, Any]) -> list[ScriptedAnswer] | None:
    """*entries* without the first that gave *answer* to *request*; None where none of them did."""
    is_about_triggers = request.purpose is Purpose.TRIGGERS
    for index, entry in enumerate(entries):
        if entry.step in _places(request) and _gives(entry, request, answer):
            return entries[:index] + entries[index + 1 :]
    return entries if is_about_triggers else None  # for triggers, no entry means no


def _places(request: Request) -> set[str]:
    """Which steps an answer may name that is for *request*: triggers are only answered where they are meant."""
    return {request.step} if request.purpose is Purpose.TRIGGERS else {"", request.step}


def _gives(entry: ScriptedAnswer, request: Request, answer: Mapping[str, Any]) -> bool:
    try:
        return checked(request, entry.answer) == answer
    except AnswerRefused:
        return False


def read_script(path: Path) -> str:
    """The text of the script *path*. Raises CannotRead."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CannotRead(_("The script {path} cannot be read: {reason}.").format(path=path, reason=reason)) from error


def parse_script(text: str) -> Script:
    """The script written in *text*. Raises CannotRead with what is wrong and where."""
    try:
        loaded = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise CannotRead(_("The script is not YAML: {problem}").format(problem=error)) from error
    if loaded is None:
        loaded = {}
    if not isinstance(loaded, dict):
        raise CannotRead(_("A script is a mapping with “answers:” and “tools:”."))
    unknown = sorted(str(name) for name in loaded if name not in {"answers", "tools"})
    if unknown:
        message = _("A script has “answers:” and “tools:”; “{name}” is neither.")
        raise CannotRead(message.format(name=unknown[0]))
    answers, tools = loaded.get("answers") or [], loaded.get("tools") or {}
    if not isinstance(answers, list) or not isinstance(tools, dict):
        raise CannotRead(_("In a script, “answers:” is a list and “tools:” a mapping of tool names to results."))
    return Script(
        tuple(_answer(number, entry) for number, entry in enumerate(answers, 1)),
        {str(name): _plain(result) for name, result in tools.items()},
    )


def _answer(number: int, entry: Any) -> ScriptedAnswer:
    if not isinstance(entry, dict) or not entry.keys() <= _KNOWN:
        message = _("Answer {number} of the script must be a mapping of step, values, decision, text, choice.")
        raise CannotRead(message.format(number=number))
    values, decision = entry.get("values") or {}, entry.get("decision")
    if not isinstance(values, dict) or not isinstance(decision, bool | None):
        message = _("In answer {number} of the script, values is a mapping and decision is true or false.")
        raise CannotRead(message.format(number=number))
    plain = tuple((str(name).removeprefix("$"), _plain(value)) for name, value in values.items())
    answer = Answer(plain, decision, str(entry.get("text") or ""), str(entry.get("choice") or ""))
    return ScriptedAnswer(_padded(str(entry.get("step") or "")), answer)


def _padded(address: str) -> str:
    playbook, colon, number = address.partition(":")
    return f"{playbook}:{padded_number(number)}" if colon else address


def _plain(value: Any) -> Any:
    """*value* as JSON data; dates, which YAML knows and JSON does not, become text."""
    if isinstance(value, dt.date | dt.datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    try:
        return as_data(value)
    except NotData as error:
        raise CannotRead(_("The script holds a value that no run can use: {problem}.").format(problem=error)) from error
