"""Scripts: answers, results of tools, and the calls of a step list, written down beforehand in a YAML file."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from workbench.disk.files import is_file, read_file
from workbench.engine.expressions.data import NotData, as_data
from workbench.engine.language.code import padded_number
from workbench.engine.ports import Answer, InDoubtChoice
from workbench.errors import CannotRead
from workbench.i18n import _

_CHOICES = {"": None, **{choice.value: choice for choice in InDoubtChoice}}
_ANSWER = frozenset({"step", "values", "decision", "text", "choice"})
_CALL = frozenset({"tool", "args", "result", "error", "batch", "text"})


@dataclass(frozen=True, slots=True)
class ScriptedAnswer:
    """One answer; *step*: the address it is for, empty for whatever is asked next."""

    step: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """One call, or (with *text*) one answer in words. Calls with the same *batch* were asked for together."""

    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    result: Any = None
    error: str | None = None
    batch: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Script:
    """What a script holds. *tools*: the results of each tool, used in turn, or one for every call.

    *calls*: those of a step list; None where the script says nothing about a step list.
    """

    answers: tuple[ScriptedAnswer, ...] = ()
    tools: Mapping[str, Any] = field(default_factory=dict)
    calls: tuple[ScriptedCall, ...] | None = None


def script_beside(playbook: Path) -> Path | None:
    """The script that answers the questions of *playbook*, where one stands beside it."""
    script = playbook.with_name(f"{playbook.stem}.script.yaml")
    return script if is_file(script) else None


def read_script(path: Path) -> str:
    """The text of the script *path*. Raises CannotRead."""
    try:
        return read_file(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CannotRead(_("The script {path} cannot be read: {reason}.").format(path=path, reason=error)) from error


def parse_calls(text: str) -> tuple[ScriptedCall, ...]:
    """The calls in the script *text*. Raises CannotRead where there are none."""
    calls = parse_script(text).calls
    return _calls(calls) if calls is None else calls


def parse_script(text: str) -> Script:
    """The script written in *text*. Raises CannotRead with what is wrong and where."""
    try:
        loaded = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise CannotRead(_("The script is not YAML: {problem}").format(problem=error)) from error
    if loaded is None:
        loaded = {}
    if not isinstance(loaded, dict):
        raise CannotRead(_("A script is a mapping with “answers:” and “tools:”, or with “calls:”."))
    unknown = sorted(str(name) for name in loaded if name not in {"answers", "tools", "calls"})
    if unknown:
        message = _("A script has “answers:” and “tools:”, or “calls:” for a step list; “{name}” is neither.")
        raise CannotRead(message.format(name=unknown[0]))
    answers, tools = loaded.get("answers") or [], loaded.get("tools") or {}
    if not isinstance(answers, list) or not isinstance(tools, dict):
        raise CannotRead(_("In a script, “answers:” is a list and “tools:” a mapping of tool names to results."))
    return Script(
        tuple(_answer(number, entry) for number, entry in enumerate(answers, 1)),
        {str(name): _plain(result) for name, result in tools.items()},
        _calls(loaded["calls"]) if "calls" in loaded else None,
    )


def _answer(number: int, entry: Any) -> ScriptedAnswer:
    if not isinstance(entry, dict) or not entry.keys() <= _ANSWER:
        message = _("Answer {number} of the script must be a mapping with step, values, decision, text, choice.")
        raise CannotRead(message.format(number=number))
    values, decision = entry.get("values") or {}, entry.get("decision")
    if not isinstance(values, dict) or not isinstance(decision, bool | None):
        message = _("In answer {number} of the script, values must be a mapping and decision true or false.")
        raise CannotRead(message.format(number=number))
    choice = str(entry.get("choice") or "")
    if choice not in _CHOICES:
        message = _("The answer to {step} must be one of done, again, skip.")
        raise CannotRead(message.format(step=entry.get("step") or number))
    plain = tuple((str(name).removeprefix("$"), _plain(value)) for name, value in values.items())
    answer = Answer(plain, decision, str(entry.get("text") or ""), _CHOICES[choice])
    return ScriptedAnswer(_padded(str(entry.get("step") or "")), answer)


def _padded(address: str) -> str:
    playbook, colon, number = address.partition(":")
    return f"{playbook}:{padded_number(number)}" if colon else address


def _calls(entries: Any) -> tuple[ScriptedCall, ...]:
    if not isinstance(entries, list):
        raise CannotRead(_("The file needs a list named calls. Each entry has tool or text."))
    return tuple(_call(number, entry) for number, entry in enumerate(entries, 1))


def _call(number: int, entry: Any) -> ScriptedCall:
    if not isinstance(entry, dict) or not ("tool" in entry or "text" in entry):
        raise CannotRead(_("Call {number} has neither tool nor text.").format(number=number))
    unknown = sorted(set(map(str, entry)) - _CALL)
    if unknown:
        message = _("Call {number} has unknown fields: {names}.")
        raise CannotRead(message.format(number=number, names=", ".join(unknown)))
    arguments, error = entry.get("args") or {}, entry.get("error")
    if not isinstance(arguments, dict):
        raise CannotRead(_("In call {number}, args is a mapping of names to values.").format(number=number))
    return ScriptedCall(
        str(entry.get("tool", "")),
        _plain(arguments),
        _plain(entry.get("result")),
        None if error is None else str(error),
        entry.get("batch"),
        str(entry.get("text", "")),
    )


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
        raise CannotRead(
            _("The script contains a value that a run cannot use: {problem}.").format(problem=error)
        ) from error
