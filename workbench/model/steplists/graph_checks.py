"""What is wrong in a graph (``playbook.v2``): what its steps name, what their fields hold, and its conditions.

Of a condition (``when``) only this is asked: whether it can be read at all. Nothing is evaluated here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from workbench.i18n import _
from workbench.model.checks.nearest import Nearest
from workbench.model.loader.findings import Findings
from workbench.model.loader.step_reading import one_of
from workbench.regex import regex
from workbench.syntax.change import TextEdit
from workbench.syntax.data.nodes import DataNode, NodeKind, ScalarType
from workbench.syntax.diagnostics import Diagnostic, Fix, Severity
from workbench.syntax.text import LineIndex, Span

_OF_ALL = ("id", "title", "description", "metadata", "guidance", "priority", "product", "service_type")
GRAPH_TOP = (
    *_OF_ALL, "version", "playbook_id", "name", "summary", "mode", "tags", "inputs", "decision_policy",
    "forbidden_actions", "completion", "notify", "step_groups", "steps", "defaults",
)  # fmt: skip
_GROUP = (*_OF_ALL, "goal", "steps")
GRAPH_STEP = (
    *_OF_ALL, "goal", "kind", "required", "after", "parallel_group", "joins", "branches", "skill_refs",
    "allowed_tools", "min_tool_calls", "max_tool_calls", "expected_outputs", "outputs", "required_from_user", "rules",
    "facts", "approval", "form", "assignee", "hints", "notify", "uses", "required_probes",
)  # fmt: skip
_BRANCH = ("id", "label", "description", "when", "next_step_id")
_FORBIDDEN = ("tool", "label", "reason")
_ENFORCEMENT = ("block", "record")
_NO_APPROVERS = frozenset({"when", "reason", "id", "label", "description", "due", "escalate_to", "show", "count"})


def check_graph(root: DataNode, lines: LineIndex) -> Iterator[Diagnostic]:
    """All findings in the graph *root*."""
    findings = Findings()
    steps = list(_steps(root, findings))
    if not steps:
        at = Span(root.span.start, min(root.span.start + 1, root.span.end))
        findings.error("graph-without-steps", _("This graph has no steps, so there is nothing to do."), at)
    _check_fields(root, steps, findings)
    yield from (_loose(one) for one in findings.diagnostics)
    ids: dict[str, DataNode] = {}
    for step in steps:
        yield from _identified(step, ids, lines)
    yield from _dangling(steps, ids)
    yield from _circles(ids)
    yield from _forbidden(root, steps)
    message = _("This is a graph (playbook.v2). It can be viewed and edited, but not run as a list of steps.")
    version = root.get("version")
    if version is not None:
        yield Diagnostic("graph", Severity.INFO, message, version.span)


def _loose(one: Diagnostic) -> Diagnostic:
    """*one*, only a warning where it is a field that nothing here comes near: later versions have more of them."""
    is_far = one.code == "unknown-key" and not one.fixes
    return replace(one, severity=Severity.WARNING) if is_far else one


def _check_fields(root: DataNode, steps: list[DataNode], findings: Findings) -> None:
    findings.unknown_keys(root, GRAPH_TOP)
    for group in _items(root, "step_groups"):
        findings.unknown_keys(group, _GROUP)
    for action in _items(root, "forbidden_actions"):
        findings.unknown_keys(action, _FORBIDDEN)
    metadata = root.get("metadata")
    enforcement = metadata.get("enforcement") if metadata is not None else None
    if enforcement is not None:
        one_of(_ENFORCEMENT, findings, enforcement, "enforcement")
    for step in steps:
        _check_step(step, findings)


def _check_step(step: DataNode, findings: Findings) -> None:
    findings.unknown_keys(step, GRAPH_STEP)
    findings.flag(step.get("required"), "required", True)
    allowed = step.get("allowed_tools")
    if allowed is not None and allowed.type is not ScalarType.NULL:
        findings.texts(allowed, "allowed_tools")
    least, most = (findings.count(step.get(key), key, 0) for key in ("min_tool_calls", "max_tool_calls"))
    limit = step.get("max_tool_calls")
    if least is not None and most is not None and least > most and limit is not None:
        message = _("This step may make {limit} calls but needs {needed}, so it can only fail.")
        findings.error("too-few-calls", message.format(limit=most, needed=least), limit.span)
    for branch in _items(step, "branches"):
        findings.unknown_keys(branch, _BRANCH)
        _check_condition(branch.get("when"), findings)
    _check_approval(step.get("approval"), findings)


def _check_condition(node: DataNode | None, findings: Findings) -> None:
    if node is None or node.type in (ScalarType.NULL, ScalarType.BOOLEAN):
        return
    text = findings.text(node, "when")
    why = why_unreadable(text) if text else ""
    if why:
        message = _("This condition cannot be read: {reason}.").format(reason=why)
        findings.error("unreadable-condition", message, node.span)


def _check_approval(node: DataNode | None, findings: Findings) -> None:
    """Report an approval, and each rule of it, that asks nobody."""
    if node is None or node.type is ScalarType.NULL or _is_no(node):
        return
    rules = node.get("rules") if node.kind is NodeKind.MAPPING else None
    for one in rules.items if rules is not None and rules.items else [node]:
        if not _asks_somebody(one.resolved):
            message = _("Nobody is named who could approve this, so the step could never go on.")
            findings.error("nobody-approves", message, one.span)


def _is_no(node: DataNode) -> bool:
    return node.type is ScalarType.BOOLEAN and node.text.lower() in ("false", "no", "off")


def _asks_somebody(node: DataNode) -> bool:
    if node.kind is NodeKind.MAPPING:
        return any(_asks_somebody(value.resolved) for key, value in node.entries if key.text not in _NO_APPROVERS)
    if node.kind is NodeKind.SEQUENCE:
        return any(_asks_somebody(item.resolved) for item in node.items)
    return node.type is ScalarType.TEXT and bool(node.text.strip())


def _identified(step: DataNode, ids: dict[str, DataNode], lines: LineIndex) -> Iterator[Diagnostic]:
    """Enters *step* into *ids*; a finding where it has no id of its own."""
    own = step.get("id")
    if own is None or own.kind is not NodeKind.SCALAR or not own.text:
        at = Span(step.span.start, min(step.span.start + 1, step.span.end))
        yield Diagnostic("missing-field", Severity.ERROR, _("A step of a graph needs an id."), at)
    elif (first := ids.setdefault(own.text, step)) is not step:
        message = _("Two steps have the id “{id}”, on lines {first} and {second}, so a link to it is ambiguous.")
        numbers = [lines.line((one.get("id") or one).span.start) + 1 for one in (first, step)]
        text = message.format(id=own.text, first=numbers[0], second=numbers[1])
        yield Diagnostic("duplicate-id", Severity.ERROR, text, own.span)


def _steps(root: DataNode, findings: Findings) -> Iterator[DataNode]:
    """All steps, those of groups and those at the top; what is none is reported."""
    for holder in (*_items(root, "step_groups"), root):
        nodes = holder.get("steps")
        for item in nodes.items if nodes is not None else ():
            if item.resolved.kind is NodeKind.MAPPING:
                yield item.resolved
            else:
                findings.error("not-a-mapping", _("A step of a graph must be a mapping with an id."), item.span)


def _items(node: DataNode, key: str) -> Iterator[DataNode]:
    sequence = node.get(key) if node.kind is NodeKind.MAPPING else None
    for item in sequence.items if sequence is not None else ():
        if item.resolved.kind is NodeKind.MAPPING:
            yield item.resolved


def named(node: DataNode | None) -> Iterator[DataNode]:
    """The names in a field that holds one of them, or a list."""
    for item in [node, *node.items] if node is not None else ():
        one = item.resolved
        if one.kind is NodeKind.SCALAR and one.text and one.type is not ScalarType.NULL:
            yield one


def _targets(step: DataNode) -> Iterator[DataNode]:
    """The ids of steps that *step* names."""
    yield from named(step.get("after"))
    for branch in _items(step, "branches"):
        yield from named(branch.get("next_step_id"))


def _dangling(steps: list[DataNode], ids: dict[str, DataNode]) -> Iterator[Diagnostic]:
    """Names of steps and of parallel groups that there are not."""
    groups = {one.text: one for step in steps for one in named(step.get("parallel_group"))}
    for known, references, words in (
        (ids, _targets, _("There is no step with the id “{id}”.")),
        (groups, lambda step: named(step.get("joins")), _("There is no parallel group “{id}”.")),
    ):
        nearest = Nearest(known)
        for step in steps:
            for one in references(step):
                if one.text not in known:
                    yield _lost(one, words.format(id=one.text), nearest.to(one.text))


def _lost(reference: DataNode, message: str, near: str) -> Diagnostic:
    if not near:
        return Diagnostic("dangling-reference", Severity.ERROR, message, reference.span)
    message = message + " " + _("Did you mean {near}?").format(near=near)
    fix = Fix(_("Change to {near}").format(near=near), (TextEdit(reference.span, near),))
    return Diagnostic("dangling-reference", Severity.ERROR, message, reference.span, (fix,))


def _circles(ids: dict[str, DataNode]) -> Iterator[Diagnostic]:
    """Steps that wait for one another: none of them could ever begin."""
    members: dict[str, set[str]] = {}
    for name, step in ids.items():
        for group in named(step.get("parallel_group")):
            members.setdefault(group.text, set()).add(name)
    waits = {name: _waits_for(step, ids, members) for name, step in ids.items()}
    order = TopologicalSorter(waits)
    stuck = set(waits)
    with suppress(CycleError):
        order.prepare()
    while ready := order.get_ready():
        stuck.difference_update(ready)
        order.done(*ready)
    for name in waits:
        if name in stuck:
            message = _("“{id}” waits for steps that wait for it, so none of them can start.").format(id=name)
            node = ids[name].get("id")
            if node is not None:
                yield Diagnostic("circular-order", Severity.ERROR, message, node.span)


def _waits_for(step: DataNode, ids: dict[str, DataNode], members: dict[str, set[str]]) -> set[str]:
    joined = (members.get(one.text, set()) for one in named(step.get("joins")))
    return {one.text for one in named(step.get("after")) if one.text in ids}.union(*joined)


def _forbidden(root: DataNode, steps: list[DataNode]) -> Iterator[Diagnostic]:
    """Tools that a step allows and the playbook forbids."""
    actions = list(_items(root, "forbidden_actions"))
    tools = {tool.text for action in actions if (tool := action.get("tool")) is not None}
    for step in steps:
        allowed = step.get("allowed_tools")
        for item in allowed.items if allowed is not None else ():
            if item.resolved.text in tools:
                message = _("“{tool}” is allowed here but forbidden for the whole playbook.")
                text = message.format(tool=item.resolved.text)
                yield Diagnostic("forbidden-tool", Severity.ERROR, text, item.span)


_MOST_CHARACTERS = 500
_MOST_DEPTH = 32
_TOKEN = regex(
    r"""\s*(?:(?P<text>"[^"]*"|'[^']*')|(?P<number>-?\d[\d_]*(?:\.\d+)?%?)|(?P<compare>==|!=|<=|>=|<|>)"""
    r"""|(?P<mark>[()])|(?P<name>[^\W\d][\w.\-]*(?:\[\d+\][\w.\-]*)*))"""
)
_JOINS = frozenset({"and", "or"})
_WORDS = frozenset({*_JOINS, "not", "contains", "equals", "is"})


def why_unreadable(text: str) -> str:
    """Why the condition *text* cannot be read, as the end of a sentence; empty where it can."""
    if len(text) > _MOST_CHARACTERS:
        return _("it is longer than {limit} characters").format(limit=_MOST_CHARACTERS)
    tokens: list[tuple[str, str]] = []
    at = 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None:
            return _("“{word}” is not expected here").format(word=text[at:].strip()[:20])
        kind = found.lastgroup or ""
        word = found[kind]
        tokens.append((word.lower(), "word") if word.lower() in _WORDS else (word, kind))
        at = found.end()
    try:
        _Reader(tokens).condition(0)
    except _Unreadable as problem:
        return str(problem)
    return ""


class _Unreadable(Exception):
    """The condition cannot be read, and why."""


class _Reader:
    """Reads a condition from left to right; raises _Unreadable."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = [*tokens, ("", "")]
        self._at = 0

    def condition(self, depth: int) -> None:
        """All of it, or what stands in parentheses."""
        self._term(depth)
        while self._word() in _JOINS:
            self._at += 1
            self._term(depth)
        if not depth and self._kind():
            raise self._unexpected()

    def _term(self, depth: int) -> None:
        if depth > _MOST_DEPTH:
            raise _Unreadable(_("it is nested too deeply"))
        if self._word() == "not":
            self._at += 1
            self._term(depth + 1)
        elif self._tokens[self._at][0] == "(":
            self._at += 1
            self.condition(depth + 1)
            if self._tokens[self._at][0] != ")":
                raise self._unexpected()
            self._at += 1
        else:
            self._value()
            self._comparison()

    def _comparison(self) -> None:
        word = self._word()
        if self._kind() == "compare" or word in ("contains", "equals"):
            self._at += 1
            self._value()
        elif word == "is":
            self._at += 1
            if self._word() == "not":
                self._at += 1
            self._value()

    def _value(self) -> None:
        kind = self._kind()
        if kind not in ("text", "number", "name"):
            raise self._unexpected()
        self._at += 1
        if kind == "number" and self._kind() == "name":
            self._at += 1  # a currency or a unit

    def _kind(self) -> str:
        return self._tokens[self._at][1]

    def _word(self) -> str:
        text, kind = self._tokens[self._at]
        return text if kind == "word" else ""

    def _unexpected(self) -> _Unreadable:
        text = self._tokens[self._at][0]
        if not text:
            return _Unreadable(_("it ends too early"))
        return _Unreadable(_("“{word}” is not expected here").format(word=text))
