"""Nodes → the values of a step list, field by field; ``step_groups`` are flattened in order and kept as phases."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from workbench.i18n import _
from workbench.model.loader.findings import Findings
from workbench.model.loader.free_names import FreeNames
from workbench.model.loader.steplist import Playbook, PlaybookStep, RequiredProbe, StepGroup
from workbench.syntax.data.json_reading import read_json
from workbench.syntax.data.nodes import DataNode, NodeKind, merged_entries
from workbench.syntax.diagnostics import Severity
from workbench.syntax.text import LineIndex, Span

TOP_FIELDS = (
    "id", "name", "description", "version", "steps", "strict_sequence", "allow_extra_tools", "max_iterations",
    "metadata", "tags", "step_groups", "extras_may_run_ahead", "blocking_evidence", "locus_compat", "defaults",
)  # fmt: skip
GROUPED_FIELDS = (
    "title", "playbook_id", "summary", "completion", "decision_policy", "mode", "product", "service_type", "inputs",
)  # fmt: skip
STEP_FIELDS = (
    "id", "description", "expected_tools", "hints", "required", "validation", "max_tool_calls", "min_tool_calls",
    "timeout_seconds", "metadata", "uses", "required_probes", "any_tool", "count_failures", "retry_limit", "on_failure",
)  # fmt: skip
RULES = ("min_tool_calls", "required_result_keywords", "match")
MATCHES = ("text", "word")
FAILURE_POLICIES = ("stop", "skip", "ask")


def read_playbook(root: DataNode, findings: Findings) -> Playbook | None:
    """The playbook in the mapping *root*; what is wrong goes into *findings*."""
    grouped = root.get("step_groups")
    findings.unknown_keys(root, TOP_FIELDS + GROUPED_FIELDS if grouped is not None else TOP_FIELDS)
    phases: list[StepGroup] = []
    if grouped is not None:
        nodes, steps, phases = _GroupReader(findings).read(grouped)
    else:
        nodes, steps = _steps(root, findings)
    _check_ids(nodes, findings)
    fields = _top_fields(root, findings, is_grouped=grouped is not None)
    if any(one.severity.value == "error" for one in findings.diagnostics):
        return None
    return Playbook(steps=tuple(steps), groups=tuple(phases), **fields)


def _top_fields(root: DataNode, findings: Findings, *, is_grouped: bool) -> dict[str, Any]:
    name = root.get("name") or (root.get("title") if is_grouped else None)
    own_id = root.get("id") or (root.get("playbook_id") if is_grouped else None)
    for key, node in (("id", own_id), ("name", name)):
        if node is None:
            message = _("The field {key} is missing. A step list needs id, name and steps.").format(key=key)
            findings.error("missing-field", message, Span(root.span.start, root.span.start))
    summary = root.get("summary") if is_grouped else None
    nodes = {key: root.get(key) for key in _TOP_READERS if key in TOP_FIELDS}
    nodes |= {"id": own_id, "name": name, "description": root.get("description") or summary}
    read = {key: _TOP_READERS[key](findings, node, key) for key, node in nodes.items() if node is not None}
    if is_grouped:
        metadata = dict(read.get("metadata", {}))
        for field, value in root.entries:
            if field.text in GROUPED_FIELDS and field.text not in ("title", "playbook_id", "summary"):
                metadata.setdefault(field.text, findings.value(value))
        read["metadata"] = metadata
    return {"id": "", "name": "", **read}


def _steps(root: DataNode, findings: Findings) -> tuple[list[DataNode], list[PlaybookStep]]:
    node = root.get("steps")
    if node is None:
        return [], []
    if node.kind is not NodeKind.SEQUENCE:
        findings.error("not-a-list", _("steps must be a list of steps."), node.span)
        return [], []
    nodes = [item.resolved for item in node.items]
    return nodes, [step for item in nodes if (step := read_step(item, findings, STEP_FIELDS)) is not None]


def read_step(node: DataNode, findings: Findings, known: tuple[str, ...]) -> PlaybookStep | None:
    """One step; None where something in it is wrong."""
    if node.kind is not NodeKind.MAPPING:
        findings.error("not-a-mapping", _("A step must be a mapping with id and description."), node.span)
        return None
    before = len(findings.diagnostics)
    findings.unknown_keys(node, known)
    fields = step_fields(node, findings)
    has_errors = any(one.severity.value == "error" for one in findings.diagnostics[before:])
    return None if has_errors else PlaybookStep(**fields)


def step_fields(node: DataNode, findings: Findings) -> dict[str, Any]:
    """The fields that stand in one step, and id and description in any case."""
    values = merged_entries(node)
    for key in ("id", "description"):
        if key not in values:
            message = _("This step has no {key}. Steps need id and description.").format(key=key)
            findings.error("missing-field", message, Span(node.span.start, min(node.span.end, node.span.start + 1)))
    read = {key: _READERS[key](findings, value, key) for key, value in values.items() if key in _READERS}
    return {"id": "", "description": "", **read}


def _validation(node: DataNode | None, findings: Findings) -> Mapping[str, Any]:
    mapping = findings.mapping(node, "validation")
    if node is None or not mapping:
        return {}
    findings.unknown_keys(node, RULES)
    found: dict[str, Any] = {}
    least = findings.count(node.get("min_tool_calls"), "min_tool_calls", 0)
    keywords = findings.texts(node.get("required_result_keywords"), "required_result_keywords")
    if least is not None:
        found["min_tool_calls"] = least
    if keywords:
        found["required_result_keywords"] = keywords
    match = _one_of(MATCHES, findings, node.get("match"), "match")
    if match:
        found["match"] = match
    return found


def _probes(node: DataNode | None, findings: Findings) -> tuple[RequiredProbe, ...]:
    if node is None:
        return ()
    if node.kind is not NodeKind.SEQUENCE:
        findings.error("not-a-list", _("required_probes must be a list."), node.span)
        return ()
    probes = []
    for item in (one.resolved for one in node.items):
        if item.kind is not NodeKind.MAPPING:
            findings.error("not-a-mapping", _("A probe must be a mapping with name and match."), item.span)
            continue
        findings.unknown_keys(item, ("name", "match", "description"))
        name, match = findings.filled(item.get("name"), "name"), findings.filled(item.get("match"), "match")
        if name is None or match is None:
            findings.error("missing-field", _("A probe needs name and match."), item.span)
            continue
        probes.append(RequiredProbe(name, match, findings.text(item.get("description"), "description") or ""))
    return tuple(probes)


def _one_of(known: tuple[str, ...], findings: Findings, node: DataNode | None, name: str) -> str:
    """The text of *node*, which is one of *known*; empty where there is none."""
    text = findings.text(node, name)
    if text is None or node is None or text in known:
        return text or ""
    message = _("{name} must be one of {known}.").format(name=name, known=", ".join(known))
    findings.error("unknown-policy", message, node.span)
    return ""


def _filled(findings: Findings, node: DataNode, name: str) -> str:
    return findings.filled(node, name) or ""


def _text(findings: Findings, node: DataNode, name: str) -> str:
    return findings.text(node, name) or ""


def _no(findings: Findings, node: DataNode, name: str) -> bool:
    return findings.flag(node, name, False)


def _count(findings: Findings, node: DataNode, name: str) -> int | None:
    return findings.count(node, name, 0)


def _yes(findings: Findings, node: DataNode, name: str) -> bool:
    return findings.flag(node, name, True)


def _policy(findings: Findings, node: DataNode, name: str) -> str:
    return _one_of(FAILURE_POLICIES, findings, node, name)


_Reader = Callable[[Findings, DataNode, str], Any]
_READERS: dict[str, _Reader] = {
    "id": _filled,
    "description": _text,
    "expected_tools": Findings.texts,
    "hints": Findings.texts,
    "required": _yes,
    "validation": lambda findings, node, _name: _validation(node, findings),
    "max_tool_calls": _count,
    "min_tool_calls": _count,
    "timeout_seconds": Findings.seconds,
    "metadata": Findings.mapping,
    "uses": Findings.texts,
    "required_probes": lambda findings, node, _name: _probes(node, findings),
    "any_tool": _no,
    "count_failures": _no,
    "retry_limit": _count,
    "on_failure": _policy,
}
_OTHER_READERS: dict[str, _Reader] = {
    **dict.fromkeys(("title", "goal", "kind"), _text),
    **dict.fromkeys(("allowed_tools", "after"), Findings.texts),
}
"""Of the fields of groups and of graphs."""
_TOP_READERS: dict[str, _Reader] = {
    **dict.fromkeys(("id", "name", "playbook_id", "title"), _filled),
    **dict.fromkeys(("description", "summary", "version"), _text),
    "strict_sequence": _yes,
    **dict.fromkeys(("allow_extra_tools", "extras_may_run_ahead", "blocking_evidence", "locus_compat"), _no),
    "max_iterations": lambda findings, node, name: findings.count(node, name, 1),
    "metadata": Findings.mapping,
    "tags": Findings.texts,
}


def complaint(field: str, value: object, *, is_top: bool) -> str:
    """Why *value* cannot be what *field* of a step list, or of one of its steps, holds; empty where it can."""
    reader = (_TOP_READERS if is_top else {**_READERS, **_OTHER_READERS}).get(field)
    node = read_json(json.dumps(value)).root
    if reader is None or node is None:
        return ""
    findings = Findings()
    reader(findings, node, field)
    errors = (one.message for one in findings.diagnostics if one.severity is Severity.ERROR)
    return next(errors, "")


def takes_text(field: str) -> bool:
    """True of a field that holds a text."""
    return _reader_of(field) in (_filled, _text, _policy)


def takes_texts(field: str) -> bool:
    """True of a field that holds a list of texts."""
    return _reader_of(field) is Findings.texts


def _reader_of(field: str) -> _Reader | None:
    return {**_TOP_READERS, **_OTHER_READERS, **_READERS}.get(field)


def _check_ids(nodes: list[DataNode], findings: Findings) -> None:
    """Report ids that stand twice."""
    seen: dict[str, DataNode] = {}
    twice: list[DataNode] = []
    for node in nodes:
        own = node.get("id")
        if own is None:
            continue
        if own.text in seen:
            twice.append(own)
        seen.setdefault(own.text, own)
    lines = LineIndex.of(findings.text_read if twice else "")
    for own in twice:
        message = _(
            "Two steps have the id “{id}”, on lines {first} and {second}. Calls and evidence could not be told apart."
        )
        first, second = (lines.line(each.span.start) + 1 for each in (seen[own.text], own))
        findings.error("duplicate-id", message.format(id=own.text, first=first, second=second), own.span)


_GROUP_FIELDS = ("id", "title", "goal", "steps", "metadata", "guidance")
_GROUPED_STEP_FIELDS = (*STEP_FIELDS, "goal", "title", "guidance")


class _GroupReader:
    """Reads the groups of one playbook; ids that collide are qualified by their group, then numbered."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._names = FreeNames()

    def read(self, node: DataNode) -> tuple[list[DataNode], list[PlaybookStep], list[StepGroup]]:
        """No nodes to check for equal ids (they are made unique), all steps in order, and the phases."""
        steps: list[PlaybookStep] = []
        phases: list[StepGroup] = []
        if node.kind is not NodeKind.SEQUENCE:
            self._findings.error("not-a-list", _("step_groups must be a list of groups."), node.span)
            return [], steps, phases
        for number, group in enumerate((one.resolved for one in node.items), 1):
            if group.kind is not NodeKind.MAPPING:
                self._findings.error("not-a-mapping", _("A group must be a mapping with steps."), group.span)
                continue
            found = self._group(group, number)
            steps += found[1]
            phases.append(found[0])
        return [], steps, phases

    def _group(self, group: DataNode, number: int) -> tuple[StepGroup, list[PlaybookStep]]:
        self._findings.unknown_keys(group, _GROUP_FIELDS)
        own_id = self._findings.text(group.get("id"), "id") or f"group{number}"
        title = self._findings.text(group.get("title") or group.get("goal"), "title") or own_id
        nodes = group.get("steps")
        steps: list[PlaybookStep] = []
        if nodes is not None and nodes.kind is not NodeKind.SEQUENCE:
            self._findings.error("not-a-list", _("steps must be a list of steps."), nodes.span)
            nodes = None
        for node in nodes.items if nodes else []:
            step = self._step(node.resolved, own_id, title if not steps else "")
            if step is not None:
                steps.append(step)
        return StepGroup(own_id, title, tuple(step.id for step in steps)), steps

    def _step(self, node: DataNode, group: str, prefix: str) -> PlaybookStep | None:
        if node.kind is not NodeKind.MAPPING:
            self._findings.error("not-a-mapping", _("A step must be a mapping with id and description."), node.span)
            return None
        self._findings.unknown_keys(node, _GROUPED_STEP_FIELDS)
        before = len(self._findings.diagnostics)
        fields = step_fields(_with_description(node), self._findings)
        if any(one.severity.value == "error" for one in self._findings.diagnostics[before:]):
            return None
        fields["id"] = self._names.take(fields["id"], f"{group}.{fields['id']}", joint=".")
        if prefix:
            fields["description"] = f"{prefix}: {fields['description']}"
        fields["uses"] = fields.get("uses", ()) + self._skills(node)
        return PlaybookStep(**fields)

    def _skills(self, node: DataNode) -> tuple[str, ...]:
        guidance = node.get("guidance")
        if guidance is None or guidance.kind is not NodeKind.MAPPING:
            return ()
        return self._findings.texts(guidance.get("skill_refs"), "skill_refs")


def _with_description(node: DataNode) -> DataNode:
    """*node* with its goal or title as description, where it has none of its own."""
    other = node.get("goal") or node.get("title")
    if node.get("description") is not None or other is None:
        return node
    key = DataNode(NodeKind.SCALAR, other.span, "description")
    entries: list[Any] = [*node.entries, (key, other)]
    return DataNode(node.kind, node.span, entries=entries)
