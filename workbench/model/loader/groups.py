"""``step_groups``: flattened in order and kept as phases."""

from __future__ import annotations

from typing import Any

from workbench.i18n import _
from workbench.model.loader.findings import Findings
from workbench.model.loader.free_names import FreeNames
from workbench.model.loader.step_reading import STEP_FIELDS, step_fields
from workbench.model.loader.steplist import PlaybookStep, StepGroup
from workbench.syntax.data.nodes import DataNode, NodeKind

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
