"""What is doubtful or wrong in a step list: all of it at once, also where some elements cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from workbench.i18n import _
from workbench.model.checks.characters import check_characters
from workbench.model.loader.findings import Findings
from workbench.model.loader.loading import parse_data, read_steplist
from workbench.model.loader.step_reading import STEP_FIELDS, read_step
from workbench.model.plans.policies import DEVIATION, problems_of_policies
from workbench.model.queries import Queries
from workbench.model.steplists.graph_checks import check_graph
from workbench.model.steplists.program import deviations_in, words_in
from workbench.syntax.blocks import BlockKind
from workbench.syntax.change import TextEdit
from workbench.syntax.data.nodes import NodeKind
from workbench.syntax.diagnostics import Diagnostic, Fix, Severity
from workbench.syntax.steplists.scan import is_broken, read_data
from workbench.syntax.text import Span


def check_steplist(document: Queries) -> tuple[Diagnostic, ...]:
    """All findings in the step list *document*, in the order of the text."""
    form = document.program.format
    if form.is_graph:
        parse = parse_data(document.text)
        found = [*parse.diagnostics, *(check_graph(parse.root, document.lines) if parse.root is not None else ())]
    else:
        found = list(read_steplist(document.text).diagnostics)
    if any(block.kind is BlockKind.DAMAGED for block in document.blocks):
        found = [*_damage(document), *_others(document)]
    found += _deviations(document)
    for one in check_characters(document):
        # a step list with such bytes is not run
        found.append(replace(one, severity=Severity.ERROR) if one.code == "not-utf8" else one)
    return tuple(sorted(dict.fromkeys(found), key=lambda one: (one.span.start, one.span.end, one.code, one.message)))


def _deviations(document: Queries) -> Iterator[Diagnostic]:
    """What is said of deviations that means nothing here. Other programs leave it alone, so these are warnings."""
    if DEVIATION not in document.text:
        return
    root = parse_data(document.text).root
    said = deviations_in(root.resolved) if root is not None and root.resolved.kind is NodeKind.MAPPING else None
    if said is None:
        return
    problems = {word: (message, near) for word, message, near in problems_of_policies(words_in(said), DEVIATION)}
    for node in (node for entry in said.entries for node in entry):
        if node.text in problems:
            message, near = problems.pop(node.text)
            change = (TextEdit(node.span, near),)
            fixes = (Fix(_("Change to {value}").format(value=near), change),) if near and node.is_plain else ()
            yield Diagnostic("metadata-value", Severity.WARNING, message, node.span, fixes)


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
