"""``step_groups``: flattened in order, and kept as phases."""

from __future__ import annotations

from typing import Any

from workbench.i18n import _
from workbench.model.loader.findings import Findings
from workbench.model.loader.reading import STEP_FIELDS, step_fields
from workbench.model.loader.values import PlaybookStep, StepGroup
from workbench.syntax.data.nodes import DataNode, NodeKind

_GROUP_FIELDS = ("id", "title", "goal", "steps", "metadata", "guidance")
_STEP_FIELDS = (*STEP_FIELDS, "goal", "title", "guidance")


class GroupReader:
    """Reads the groups of one playbook; ids that collide are qualified by their group, then numbered."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._taken: set[str] = set()

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
        self._findings.unknown_keys(node, _STEP_FIELDS)
        before = len(self._findings.diagnostics)
        fields = step_fields(_with_description(node), self._findings)
        if any(one.severity.value == "error" for one in self._findings.diagnostics[before:]):
            return None
        fields["id"] = self._unique(fields["id"], group)
        if prefix:
            fields["description"] = f"{prefix}: {fields['description']}"
        fields["uses"] = fields.get("uses", ()) + self._skills(node)
        return PlaybookStep(**fields)

    def _skills(self, node: DataNode) -> tuple[str, ...]:
        guidance = node.get("guidance")
        if guidance is None or guidance.kind is not NodeKind.MAPPING:
            return ()
        return self._findings.texts(guidance.get("skill_refs"), "skill_refs")

    def _unique(self, wanted: str, group: str) -> str:
        found = wanted if wanted not in self._taken else f"{group}.{wanted}"
        count = 2
        while found in self._taken:
            found = f"{group}.{wanted}.{count}"
            count += 1
        self._taken.add(found)
        return found


def _with_description(node: DataNode) -> DataNode:
    """*node* with its goal or title as description, where it has none of its own."""
    other = node.get("goal") or node.get("title")
    if node.get("description") is not None or other is None:
        return node
    key = DataNode(NodeKind.SCALAR, other.span, "description")
    entries: list[Any] = [*node.entries, (key, other)]
    return DataNode(node.kind, node.span, entries=entries)
