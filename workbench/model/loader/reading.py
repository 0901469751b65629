"""Nodes → the values of a step list: what stands around its steps, and the ``step_groups``, flattened in order."""

from __future__ import annotations

from typing import Any

from workbench.i18n import _
from workbench.model.loader.findings import Findings
from workbench.model.loader.free_names import FreeNames
from workbench.model.loader.step_reading import STEP_FIELDS, TOP_READERS, read_step, step_fields
from workbench.model.loader.steplist import Playbook, PlaybookStep, StepGroup
from workbench.syntax.data.nodes import DataNode, NodeKind
from workbench.syntax.diagnostics import Diagnostic, Severity
from workbench.syntax.text import LineIndex, Span

TOP_FIELDS = (
    "id", "name", "description", "version", "steps", "strict_sequence", "allow_extra_tools", "max_iterations",
    "metadata", "tags", "step_groups", "extras_may_run_ahead", "blocking_evidence", "locus_compat", "defaults",
)  # fmt: skip
GROUPED_FIELDS = (
    "title", "playbook_id", "summary", "completion", "decision_policy", "mode", "product", "service_type", "inputs",
)  # fmt: skip


def read_playbook(root: DataNode, findings: Findings) -> Playbook | None:
    """The playbook in the mapping *root*; what is wrong goes into *findings*."""
    grouped, own = root.get("step_groups"), root.get("steps")
    findings.unknown_keys(root, TOP_FIELDS + GROUPED_FIELDS if grouped is not None else TOP_FIELDS)
    phases: tuple[StepGroup, ...] = ()
    if grouped is None or (own is not None and own.items):
        _check_unused(root, grouped, findings)
        nodes, steps = _steps(root, findings)
        _check_ids(nodes, findings)
    else:
        steps, phases = read_groups(grouped, findings)
    fields = _top_fields(root, findings, is_grouped=grouped is not None)
    if any(one.severity.value == "error" for one in findings.diagnostics):
        return None
    return Playbook(steps=tuple(steps), groups=phases, **fields)


def _check_unused(root: DataNode, grouped: DataNode | None, findings: Findings) -> None:
    """Report groups that stand beside the list that is used."""
    if grouped is not None:
        key = next(key for key, _value in root.entries if key.text == "step_groups")
        message = _("These groups are not used, because the list also has steps of its own. Keep one of the two.")
        findings.diagnostics.append(Diagnostic("groups-not-used", Severity.WARNING, message, key.span))


def _top_fields(root: DataNode, findings: Findings, *, is_grouped: bool) -> dict[str, Any]:
    own_id = root.get("id") or (root.get("playbook_id") if is_grouped else None)
    names = ("name", "title", "playbook_id", "id") if is_grouped else ("name",)
    name = next((root.get(key) for key in names if root.get(key) is not None), None)
    for key, node in (("id", own_id), ("name", name)):
        if node is None:
            message = _("The field {key} is missing. A step list needs id, name and steps.").format(key=key)
            findings.error("missing-field", message, Span(root.span.start, root.span.start))
    summary = root.get("summary") if is_grouped else None
    nodes = {key: root.get(key) for key in TOP_READERS if key in TOP_FIELDS}
    nodes |= {"id": own_id, "name": name, "description": root.get("description") or summary}
    read = {key: TOP_READERS[key](findings, node, key) for key, node in nodes.items() if node is not None}
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


_NOTES = ("priority", "product", "service_type")
"""What a group or a step may say of itself; it is kept in the metadata of the steps."""
_GROUP_FIELDS = ("id", "title", "goal", "steps", "metadata", "guidance", *_NOTES)
_GROUPED_STEP_FIELDS = (*STEP_FIELDS, "goal", "title", "guidance", *_NOTES)
_DASH = " – "


def read_groups(node: DataNode, findings: Findings) -> tuple[list[PlaybookStep], tuple[StepGroup, ...]]:
    """All steps in order, and the phases; ids that collide are qualified by their group, then numbered."""
    steps: list[PlaybookStep] = []
    phases: list[StepGroup] = []
    if node.kind is not NodeKind.SEQUENCE:
        findings.error("not-a-list", _("step_groups must be a list of groups."), node.span)
        return steps, ()
    names = FreeNames()
    for number, group in enumerate((one.resolved for one in node.items), 1):
        if group.kind is not NodeKind.MAPPING:
            findings.error("not-a-mapping", _("A group must be a mapping with steps."), group.span)
            continue
        phase, found = _GroupReader(findings, names, group, number).read()
        phases.append(phase)
        steps += found
    return steps, tuple(phases)


class _GroupReader:
    """Reads one group."""

    def __init__(self, findings: Findings, names: FreeNames, group: DataNode, number: int) -> None:
        self._findings = findings
        self._names = names
        self._group = group
        findings.unknown_keys(group, _GROUP_FIELDS)
        own_id = findings.text(group.get("id"), "id")
        self._id = own_id or f"group{number}"
        told = (findings.text(group.get(key), key) or "" for key in ("title", "goal"))
        self._words = _DASH.join(dict.fromkeys(filter(None, told))) or own_id or ""

    def read(self) -> tuple[StepGroup, list[PlaybookStep]]:
        """The phase and its steps, the first of which says what the phase is for."""
        nodes = self._group.get("steps")
        if nodes is not None and nodes.kind is not NodeKind.SEQUENCE:
            self._findings.error("not-a-list", _("steps must be a list of steps."), nodes.span)
            nodes = None
        steps: list[PlaybookStep] = []
        for node in nodes.items if nodes else []:
            step = self._step(node.resolved, self._words if not steps else "")
            if step is not None:
                steps.append(step)
        title = self._findings.text(self._group.get("title") or self._group.get("goal"), "title")
        return StepGroup(self._id, title or self._id, tuple(step.id for step in steps)), steps

    def _step(self, node: DataNode, prefix: str) -> PlaybookStep | None:
        if node.kind is not NodeKind.MAPPING:
            self._findings.error("not-a-mapping", _("A step must be a mapping with id and description."), node.span)
            return None
        self._findings.unknown_keys(node, _GROUPED_STEP_FIELDS)
        before = len(self._findings.diagnostics)
        fields = step_fields(_described(node), self._findings)
        if any(one.severity.value == "error" for one in self._findings.diagnostics[before:]):
            return None
        fields["id"] = self._names.take(fields["id"], f"{self._id}.{fields['id']}", joint=".")
        if prefix:
            fields["description"] = f"{prefix}: {fields['description']}"
        skills = (*fields.get("uses", ()), *self._skills(self._group), *self._skills(node))
        fields["uses"] = tuple(dict.fromkeys(skills))
        fields["metadata"] = {**self._notes(self._group), **self._notes(node), **fields.get("metadata", {})}
        return PlaybookStep(**fields)

    def _notes(self, node: DataNode) -> dict[str, Any]:
        found = ((key, node.get(key)) for key in _NOTES)
        return {key: self._findings.value(value) for key, value in found if value is not None}

    def _skills(self, node: DataNode) -> tuple[str, ...]:
        guidance = node.get("guidance")
        if guidance is None or guidance.kind is not NodeKind.MAPPING:
            return ()
        return self._findings.texts(guidance.get("skill_refs"), "skill_refs")


def _described(node: DataNode) -> DataNode:
    """*node* with its goal as well in its description, or with its title where it has neither."""
    own, goal = node.get("description"), node.get("goal")
    other = goal or node.get("title")
    if own is None:
        return node if other is None else _with(node, other)
    if goal is None or {own.kind, goal.kind} != {NodeKind.SCALAR} or goal.text == own.text:
        return node
    return _with(node, DataNode(NodeKind.SCALAR, own.span, f"{own.text}{_DASH}{goal.text}"))


def _with(node: DataNode, description: DataNode) -> DataNode:
    key = DataNode(NodeKind.SCALAR, description.span, "description")
    rest = [entry for entry in node.entries if entry[0].text != "description"]
    return DataNode(node.kind, node.span, entries=[*rest, (key, description)])
