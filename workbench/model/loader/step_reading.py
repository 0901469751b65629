"""Steps of a step list, and what the fields of steps and lists can hold: nodes → values."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from workbench.i18n import _
from workbench.model.loader.findings import Findings
from workbench.model.loader.steplist import PlaybookStep, RequiredProbe
from workbench.syntax.data.json_reading import read_json
from workbench.syntax.data.nodes import DataNode, NodeKind, merged_entries
from workbench.syntax.diagnostics import Diagnostic, Severity
from workbench.syntax.text import Span

STEP_FIELDS = (
    "id", "description", "expected_tools", "hints", "required", "validation", "max_tool_calls", "min_tool_calls",
    "timeout_seconds", "metadata", "uses", "required_probes", "any_tool", "count_failures", "retry_limit", "on_failure",
)  # fmt: skip
RULES = ("min_tool_calls", "required_result_keywords", "match")
MATCHES = ("text", "word")
FAILURE_POLICIES = ("stop", "skip", "ask")


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
    _check_can_be_done(read, values.get("max_tool_calls"), findings)
    return {"id": "", "description": "", **read}


def _check_can_be_done(read: dict[str, Any], node: DataNode | None, findings: Findings) -> None:
    """Report a step that may make fewer calls, as the *node* of its limit says, than it needs."""
    limit = read.get("max_tool_calls")
    least = max(read.get("min_tool_calls") or 0, (read.get("validation") or {}).get("min_tool_calls", 0))
    needed = max(least, len(set(read.get("expected_tools", ()))))
    if node is not None and limit is not None and limit < needed:
        message = _("This step may make {limit} calls but needs {needed}, so it can only fail.")
        told = message.format(limit=limit, needed=needed)
        findings.diagnostics.append(Diagnostic("too-few-calls", Severity.WARNING, told, node.span))


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
    match = one_of(MATCHES, findings, node.get("match"), "match")
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


def one_of(known: tuple[str, ...], findings: Findings, node: DataNode | None, name: str) -> str:
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
    return one_of(FAILURE_POLICIES, findings, node, name)


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
TOP_READERS: dict[str, _Reader] = {
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
    reader = (TOP_READERS if is_top else {**_READERS, **_OTHER_READERS}).get(field)
    node = read_json(json.dumps(value)).root
    if reader is None or node is None:
        return ""
    findings = Findings()
    reader(findings, node, field)
    # a number where text belongs is only a note, but not what was meant
    wrong = (one for one in findings.diagnostics if one.severity is Severity.ERROR or one.code == "quote-it")
    return next((one.message for one in wrong), "")


def takes_text(field: str) -> bool:
    """True of a field that holds a text."""
    return _reader_of(field) in (_filled, _text, _policy)


def takes_texts(field: str) -> bool:
    """True of a field that holds a list of texts."""
    return _reader_of(field) is Findings.texts


def _reader_of(field: str) -> _Reader | None:
    return {**TOP_READERS, **_OTHER_READERS, **_READERS}.get(field)
