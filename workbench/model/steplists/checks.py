"""What is doubtful or wrong in a step list: all of it at once, also where some elements cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from workbench.i18n import _
from workbench.model.checks.characters import check_characters
from workbench.model.checks.nearest import Nearest
from workbench.model.loader.findings import Findings
from workbench.model.loader.loading import parse_data, read_steplist
from workbench.model.loader.step_reading import STEP_FIELDS, read_step
from workbench.model.queries import Queries
from workbench.syntax.blocks import BlockKind
from workbench.syntax.change import TextEdit
from workbench.syntax.data.nodes import DataNode, NodeKind
from workbench.syntax.diagnostics import Diagnostic, Fix, Severity
from workbench.syntax.steplists.scan import is_broken, read_data
from workbench.syntax.text import LineIndex, Span


def check_steplist(document: Queries) -> tuple[Diagnostic, ...]:
    """All findings in the step list *document*, in the order of the text."""
    form = document.program.format
    if form.is_graph:
        parse = parse_data(document.text)
        found = [*parse.diagnostics, *(_graph(parse.root, document.lines) if parse.root is not None else ())]
    else:
        found = list(read_steplist(document.text).diagnostics)
    if any(block.kind is BlockKind.DAMAGED for block in document.blocks):
        found = [*_damage(document), *_others(document)]
    for one in check_characters(document):
        # a step list with such bytes is not run
        found.append(replace(one, severity=Severity.ERROR) if one.code == "not-utf8" else one)
    return tuple(sorted(set(found), key=lambda one: (one.span.start, one.span.end, one.code)))


def _damage(document: Queries) -> Iterator[Diagnostic]:
    """What is wrong in each element that cannot be read."""
    is_json = document.program.format.is_json
    for index, block in enumerate(document.blocks):
        if block.kind is not BlockKind.DAMAGED:
            continue
        start = document.block_starts[index]
        text = block.text.rstrip().removesuffix(",") if is_json else block.text
        parse = read_data(text, is_json=is_json)
        if is_broken(parse):
            for one in parse.diagnostics:
                yield _shifted(one, start)
        else:
            message = _("This does not end where the list continues. Look for a missing quote, bracket or comma.")
            yield Diagnostic("data-syntax", Severity.ERROR, message, Span(start, start + len(block.text.rstrip())))


def _others(document: Queries) -> Iterator[Diagnostic]:
    """What is wrong in the elements that can be read, one by one."""
    for index, block in enumerate(document.blocks):
        node = block.element.node if block.element is not None else None
        if node is not None and block.list_key == "steps" and not document.program.format.is_graph:
            findings = Findings()
            read_step(node, findings, STEP_FIELDS)
            for one in findings.diagnostics:
                yield _shifted(one, document.block_starts[index])


def _shifted(one: Diagnostic, by: int) -> Diagnostic:
    fixes = tuple(
        Fix(fix.title, tuple(TextEdit(edit.span.shifted(by), edit.insert) for edit in fix.edits), fix.is_safe)
        for fix in one.fixes
    )
    return Diagnostic(one.code, one.severity, one.message, one.span.shifted(by), fixes)


def _graph(root: DataNode, lines: LineIndex) -> Iterator[Diagnostic]:
    """All findings in the graph *root*."""
    steps = list(_steps(root))
    ids: dict[str, DataNode] = {}
    for step in steps:
        yield from _identified(step, ids, lines)
    nearest = Nearest(ids)
    for step in steps:
        for reference in _references(step):
            if reference.text not in ids:
                yield _dangling(reference, nearest.to(reference.text))
    yield from _circles(ids)
    yield from _forbidden(root, steps)
    message = _("This is a graph (playbook.v2). It can be viewed and edited, but not run as a list of steps.")
    version = root.get("version")
    if version is not None:
        yield Diagnostic("graph", Severity.INFO, message, version.span)


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


def _steps(root: DataNode) -> Iterator[DataNode]:
    """All steps, those of groups and those at the top."""
    for group in _items(root, "step_groups"):
        yield from _items(group, "steps")
    yield from _items(root, "steps")


def _items(node: DataNode, key: str) -> Iterator[DataNode]:
    sequence = node.get(key) if node.kind is NodeKind.MAPPING else None
    for item in sequence.items if sequence is not None else ():
        if item.resolved.kind is NodeKind.MAPPING:
            yield item.resolved


def _references(step: DataNode) -> Iterator[DataNode]:
    """The ids that *step* names."""
    for key in ("after", "joins"):
        value = step.get(key)
        if value is not None and value.kind is NodeKind.SCALAR and value.text:
            yield value
        for item in value.items if value is not None else ():
            if item.resolved.kind is NodeKind.SCALAR:
                yield item.resolved
    for branch in _items(step, "branches"):
        target = branch.get("next_step_id")
        if target is not None and target.kind is NodeKind.SCALAR and target.text:
            yield target


def _dangling(reference: DataNode, near: str) -> Diagnostic:
    if not near:
        message = _("There is no step with the id “{id}”.").format(id=reference.text)
        return Diagnostic("dangling-reference", Severity.ERROR, message, reference.span)
    message = _("There is no step with the id “{id}”. Did you mean {near}?").format(id=reference.text, near=near)
    fix = Fix(_("Change to {near}").format(near=near), (TextEdit(reference.span, near),))
    return Diagnostic("dangling-reference", Severity.ERROR, message, reference.span, (fix,))


def _circles(ids: dict[str, DataNode]) -> Iterator[Diagnostic]:
    """Steps that wait for one another: none of them could ever begin."""
    waits = {name: {one for one in _after(step) if one in ids} for name, step in ids.items()}
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


def _after(step: DataNode) -> list[str]:
    value = step.get("after")
    if value is None:
        return []
    return [value.text] if value.kind is NodeKind.SCALAR else [item.resolved.text for item in value.items]


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
