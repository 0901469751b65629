"""Scripts: answers, results of tools, and the calls of a step list, written down beforehand in a YAML file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from workbench.disk.files import is_file, read_file
from workbench.engine.expressions.data import NotData, as_data
from workbench.engine.ports import Answer, InDoubtChoice, LeaveScope
from workbench.engine.work import AFTERWARDS, HOW, Afterwards, Went
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.links import SCRIPT_ENDING
from workbench.model.procedures.numbers import padded_number
from workbench.model.sentences.timing import wait_of
from workbench.syntax.data.nodes import DataNode, ExpansionRefused, NodeKind, ScalarType, merged_entries, plain_value
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.text import LineIndex, Span

_CHOICES = {"": None, **{choice.value: choice for choice in InDoubtChoice}}
_PARTS = frozenset({"answers", "tools", "failures", "calls", "approvals", "messages", "clock"})
_APPROVAL = ("tool", "args", "allow", "change", "scope", "reason")
_FAST = "fast-forward"
_MESSAGE = ("text", "after", "triggers")
_ANSWER = ("step", "values", "decision", "text", "choice", "run", "call", HOW, "then")
_CALL = ("tool", "args", "result", "error", "batch", "text")


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
    batch: str | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class ScriptedApproval:
    """What is said to the call of *tool* with exactly these *arguments*, each time it asks for leave.

    *changed*: the arguments with which it is to be made, None for the same.
    """

    tool: str
    arguments: Mapping[str, Any]
    is_allowed: bool = True
    changed: Mapping[str, Any] | None = None
    scope: LeaveScope = LeaveScope.CALL
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ScriptedMessage:
    """What is said to a run that waits for it, *after_s* after the message before; without *text*, time passes.

    *triggers*: those that it is meant for, as far as that is a judgement: their addresses, or their playbooks.
    """

    text: str
    after_s: float = 0.0
    triggers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Script:
    """What a script holds. *tools*: the results of each tool, used in turn, or one for every call.

    *failures*: by tool, and by the number of the call from 1: the message with which it fails.
    *approvals*: what is said to calls that ask for leave; each names exactly one call. *calls*: those of a step list;
    None where the script says nothing about a step list. *is_fast*: times are not waited for: the clock goes ahead to
    them.
    """

    answers: tuple[ScriptedAnswer, ...] = ()
    tools: Mapping[str, Any] = field(default_factory=dict)
    failures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    calls: tuple[ScriptedCall, ...] | None = None
    approvals: tuple[ScriptedApproval, ...] = ()
    messages: tuple[ScriptedMessage, ...] = ()
    is_fast: bool = False


def script_beside(playbook: Path) -> Path | None:
    """The script that answers the questions of *playbook*, where one stands beside it."""
    script = playbook.with_name(playbook.stem + SCRIPT_ENDING)
    return script if is_file(script) else None


def read_script(path: Path) -> str:
    """The text of the script *path*. Raises CannotRead, with the name of the file, where it is none."""
    try:
        text = read_file(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CannotRead(_("The script {path} cannot be read: {reason}.").format(path=path, reason=error)) from error
    parse_script(text, path)
    return text


def parse_calls(text: str) -> tuple[ScriptedCall, ...]:
    """The calls in the script *text*. Raises CannotRead where there are none."""
    calls = parse_script(text).calls
    if calls is None:
        raise CannotRead(_needs_calls())
    return calls


def parse_script(text: str, path: Path | None = None) -> Script:
    """The script written in *text*. Raises CannotRead with what is wrong, on which line, and in which file *path*."""
    reader = _Reader(text, path)
    parse = read_yaml(text)
    for found in parse.diagnostics:
        reader.refuse(found.span, found.message)
    if parse.root is None:
        return Script()
    root = reader.entries(parse.root, _("A script must be a mapping with “answers:” and “tools:”, or with “calls:”."))
    unknown = next((name for name in root if name not in _PARTS), None)
    if unknown is not None:
        message = _(
            "A script has “answers:”, “tools:”, “messages:” and “clock:”, or “calls:” for a step list; “{name}” is "
            "none of these."
        )
        reader.refuse(root[unknown].span, message.format(name=unknown))
    answers = reader.items(root.get("answers"), _("“answers:” must be a list."))
    return Script(
        tuple(_answer(reader, entry) for entry in answers),
        reader.values(root.get("tools"), "tools"),
        _failures(reader, root.get("failures")),
        _calls(reader, root["calls"]) if "calls" in root else None,
        tuple(
            _approval(reader, each) for each in reader.items(root.get("approvals"), _("“approvals:” must be a list."))
        ),
        tuple(_message(reader, entry) for entry in reader.items(root.get("messages"), _needs_messages())),
        _is_fast(reader, root.get("clock")),
    )


def _failures(reader: _Reader, node: DataNode | None) -> dict[str, dict[str, str]]:
    found = reader.values(node, "failures")
    for each in found.values():
        if node is not None and not (isinstance(each, dict) and all(isinstance(text, str) for text in each.values())):
            reader.refuse(node.span, _("failures must name tools, and the message by the number of the call."))
    return found


def _needs_messages() -> str:
    return _("“messages:” must be a list.")


def _is_fast(reader: _Reader, node: DataNode | None) -> bool:
    text = reader.text(node, "clock")
    if node is not None and text not in (None, _FAST):
        reader.refuse(node.span, _("clock can only be {word}.").format(word=_FAST))
    return text == _FAST


def _message(reader: _Reader, node: DataNode) -> ScriptedMessage:
    """A text alone, or with what belongs to it."""
    if node.resolved.kind is NodeKind.SCALAR:
        return ScriptedMessage(reader.text(node, "text") or "")
    message = _("A message must be a text, or a mapping of these fields: {names}.")
    entry = reader.entries(node, message.format(names=", ".join(_MESSAGE)))
    reader.known(entry, _MESSAGE)
    after = reader.text(entry.get("after"), "after")
    timing = wait_of(after) if after is not None else None
    if after is not None and (timing is None or not timing.delay_s):
        reader.refuse(entry["after"].span, _("after must be a length of time, such as 10 minutes."))
    triggers = [reader.text(each, "triggers") or "" for each in _several(entry.get("triggers"))]
    return ScriptedMessage(
        reader.text(entry.get("text"), "text") or "", timing.delay_s if timing is not None else 0.0, tuple(triggers)
    )


def _several(node: DataNode | None) -> list[DataNode]:
    """The entries of *node*, which may also be one alone."""
    if node is None:
        return []
    return node.resolved.items if node.resolved.kind is NodeKind.SEQUENCE else [node]


def _needs_calls() -> str:
    return _("The file needs a list named calls. Each entry has tool or text.")


class _Reader:
    """Reads the nodes of one script. What does not fit is refused with its line."""

    def __init__(self, text: str, path: Path | None) -> None:
        self._lines, self._path = LineIndex.of(text), path

    def refuse(self, span: Span, problem: str) -> NoReturn:
        """Raise CannotRead: *problem*, which is at *span*."""
        line = self._lines.line(span.start) + 1
        words = _("Line {line} of the script: {problem}")
        if self._path is not None:
            words = _("Line {line} of the script {path}: {problem}")
        raise CannotRead(words.format(line=line, path=self._path, problem=problem))

    def entries(self, node: DataNode, problem: str) -> dict[str, DataNode]:
        """The values of the mapping *node* by name."""
        if node.resolved.kind is not NodeKind.MAPPING:
            self.refuse(node.span, problem)
        return {name: value for name, value in merged_entries(node.resolved).items() if name != "<<"}

    def known(self, entry: Mapping[str, DataNode], names: tuple[str, ...]) -> None:
        """Refuse *entry* where something in it is none of *names*."""
        for name in sorted(entry.keys() - names):
            message = _("“{name}” is not one of the fields {names}.")
            self.refuse(entry[name].span, message.format(name=name, names=", ".join(names)))

    def items(self, node: DataNode | None, problem: str) -> list[DataNode]:
        """The entries of the list *node*; nothing has none."""
        if node is None or _is_nothing(node):
            return []
        if node.resolved.kind is not NodeKind.SEQUENCE:
            self.refuse(node.span, problem)
        return node.resolved.items

    def value(self, node: DataNode | None) -> Any:
        """*node* as data; dates, which YAML knows and JSON does not, are text."""
        if node is None:
            return None
        try:
            return as_data(plain_value(node))
        except (NotData, ExpansionRefused) as error:
            self.refuse(node.span, _("This value cannot be used in a run: {problem}.").format(problem=error))

    def text(self, node: DataNode | None, name: str) -> str | None:
        """The text of the scalar *node*, None where nothing is there."""
        if node is None or _is_nothing(node):
            return None
        if node.resolved.kind is not NodeKind.SCALAR:
            self.refuse(node.span, _("{name} must be a text.").format(name=name))
        return node.resolved.text

    def values(self, node: DataNode | None, name: str) -> dict[str, Any]:
        """The mapping *node* as data; nothing is an empty one."""
        if node is None or _is_nothing(node):
            return {}
        self.entries(node, _("{name} must be a mapping of names to values.").format(name=name))
        found = self.value(node)
        assert isinstance(found, dict)
        return found


def _is_nothing(node: DataNode) -> bool:
    found = node.resolved
    return found.kind is NodeKind.SCALAR and (found.type is ScalarType.NULL or (found.is_plain and not found.text))


def _answer(reader: _Reader, node: DataNode) -> ScriptedAnswer:
    message = _("An answer must be a mapping of these fields: {names}.")
    entry = reader.entries(node, message.format(names=", ".join(_ANSWER)))
    reader.known(entry, _ANSWER)
    step, choice = (reader.text(entry.get(name), name) or "" for name in ("step", "choice"))
    decision = reader.value(entry.get("decision"))
    if not isinstance(decision, bool | None):
        reader.refuse(entry["decision"].span, _("decision must be true or false."))
    if choice not in _CHOICES:
        reader.refuse(entry["choice"].span, _("choice must be one of done, again, skip."))
    values = reader.values(entry.get("values"), "values")
    plain = tuple((name.removeprefix("$"), value) for name, value in values.items())
    plain += tuple(_worked(reader, entry))
    text, run, call = (reader.text(entry.get(name), name) or "" for name in ("text", "run", "call"))
    return ScriptedAnswer(_padded(step), Answer(plain, decision, text, _CHOICES[choice], run=run, call=call))


def _worked(reader: _Reader, entry: Mapping[str, DataNode]) -> Iterator[tuple[str, str]]:
    """How a step of a procedure went, and what follows where it did not work."""
    for key, name, kind in ((HOW, HOW, Went), ("then", AFTERWARDS, Afterwards)):
        said = reader.text(entry.get(key), key)
        known = [each.value for each in kind]
        if said is not None and said not in known:
            message = _("{name} must be one of {choices}.")
            reader.refuse(entry[key].span, message.format(name=key, choices=", ".join(known)))
        if said is not None:
            yield name, said


def _approval(reader: _Reader, node: DataNode) -> ScriptedApproval:
    message = _("An approval must be a mapping of these fields: {names}.")
    entry = reader.entries(node, message.format(names=", ".join(_APPROVAL)))
    reader.known(entry, _APPROVAL)
    is_allowed = reader.value(entry.get("allow"))
    if not isinstance(is_allowed, bool | None):
        reader.refuse(entry["allow"].span, _("allow must be true or false."))
    scope = reader.text(entry.get("scope"), "scope") or LeaveScope.CALL.value
    if scope not in {each.value for each in LeaveScope}:
        reader.refuse(entry["scope"].span, _("scope must be call or run."))
    tool = reader.text(entry.get("tool"), "tool") or ""
    if not tool:
        reader.refuse(node.span, _("An approval needs a tool."))
    changed = reader.values(entry["change"], "change") if "change" in entry else None
    reason = reader.text(entry.get("reason"), "reason") or ""
    args = reader.values(entry.get("args"), "args")
    return ScriptedApproval(tool, args, is_allowed is not False, changed, LeaveScope(scope), reason)


def _padded(address: str) -> str:
    playbook, colon, number = address.rpartition(":")
    return f"{playbook}:{padded_number(number)}" if colon else address


def _calls(reader: _Reader, node: DataNode) -> tuple[ScriptedCall, ...]:
    if node.resolved.kind is not NodeKind.SEQUENCE:
        reader.refuse(node.span, _needs_calls())
    return tuple(_call(reader, entry) for entry in node.resolved.items)


def _call(reader: _Reader, node: DataNode) -> ScriptedCall:
    entry = reader.entries(node, _("A call must be a mapping with tool or text."))
    if not entry.keys() & {"tool", "text"}:
        reader.refuse(node.span, _("A call needs tool or text."))
    reader.known(entry, _CALL)
    return ScriptedCall(
        reader.text(entry.get("tool"), "tool") or "",
        reader.values(entry.get("args"), "args"),
        reader.value(entry.get("result")),
        reader.text(entry.get("error"), "error"),
        reader.text(entry.get("batch"), "batch"),
        reader.text(entry.get("text"), "text") or "",
    )
