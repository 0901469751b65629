"""Nodes → the values of a step list: what stands around its steps."""

from __future__ import annotations

from typing import Any

from workbench.i18n import _
from workbench.model.loader.findings import Findings
from workbench.model.loader.groups import read_groups
from workbench.model.loader.step_reading import STEP_FIELDS, TOP_READERS, read_step
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
