"""What is doubtful in a document, and what can be done about it, and to its steps: findings, fixes, operations.

The findings are those of ``workbench check``. Where a file imports others, the whole program is looked at, and what is
found in this file is told of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from workbench.cli.language_server.documents import OpenDocument, View
from workbench.cli.reading import ReadProgram, read_source
from workbench.disk.files import real_path
from workbench.editing.commands import (
    AddOtherwise,
    ChangeLoop,
    Command,
    ConvertBranch,
    DisableSteps,
    EnableSteps,
    ExtractPlaybook,
    InlineCall,
    InvertCondition,
    JoinSteps,
    MakeExact,
    Refusal,
    RenumbersSteps,
    SortSteps,
    SplitStep,
    SwapBranches,
    UnwrapStep,
    WrapForm,
    WrapSteps,
)
from workbench.editing.geometry.siblings import topmost
from workbench.editing.safe_fixes import safe_fixes_by_round
from workbench.editing.undoable import plan, refusal_of
from workbench.i18n import N_, LazyText, _
from workbench.model.checks.rules import rule_codes
from workbench.model.meaning import BranchForm, LoopForm
from workbench.model.program import StepId
from workbench.model.snapshot import derive
from workbench.resources import resource_path
from workbench.syntax.change import TextEdit
from workbench.syntax.diagnostics import Diagnostic, Fix, Severity
from workbench.syntax.imports import has_imports, import_line, join_program
from workbench.syntax.text import SourceText, Span, split_lines

SOURCE = "workbench"
FIX_ALL = f"{lsp.CodeActionKind.SourceFixAll.value}.{SOURCE}"
_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}
_GREYED = frozenset({"unreachable-step", "unused-variable"})
"""What can be left out, and so is shown faintly."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding in one file; its spans count there. *related*: a place in another file that it is about, with words."""

    diagnostic: Diagnostic
    related: tuple[Path, int, str] | None = None


def findings_of(view: View, document: OpenDocument) -> tuple[Finding, ...]:
    """All findings of *document*, as ``workbench check`` has them of the texts that are open."""
    found = document.__dict__["_findings"] = _found(view, document)
    return found


def last_findings(view: View, document: OpenDocument) -> tuple[Finding, ...]:
    """The same as when somebody looked last: for each move of a caret nothing is looked for again."""
    found: tuple[Finding, ...] | None = document.__dict__.get("_findings")
    return found if found is not None else findings_of(view, document)


def _found(view: View, document: OpenDocument) -> tuple[Finding, ...]:
    snapshot, path = document.snapshot, document.path
    if not document.is_ours:
        return ()
    if path is None:
        return tuple(map(Finding, snapshot.diagnostics))
    if snapshot.deriver.is_procedure or not has_imports(snapshot.text):
        return tuple(map(Finding, ReadProgram(path, snapshot).diagnostics))
    joined = join_program([(path, snapshot.text)], partial(_text_at, view))
    whole = derive(SourceText(joined.text), wanted=snapshot.deriver.wanted)
    program = ReadProgram(path, whole, joined.origins, joined.diagnostics)
    return tuple(_Parting(program, document).findings())


def _text_at(view: View, place: Path) -> str:
    """The text of an imported file, as it is where it is open."""
    document = view.by_path.get(real_path(place))
    return document.snapshot.text if document is not None else read_source(place).text


@dataclass(frozen=True)
class _Parting:
    """Leads from the text of a *program* of several files back to *document*, its first."""

    program: ReadProgram
    document: OpenDocument

    def findings(self) -> Iterator[Finding]:
        """What was found in the document itself, and why files that it imports could not be read."""
        problems = set(map(id, self.program.findings))
        for each in self.program.diagnostics:
            span = self._span(each.span)
            if span is not None:
                yield Finding(replace(each, span=span, fixes=tuple(self._fixes(each))))
            elif id(each) in problems:
                path, line, _column = self.program.place(each.span.start)
                yield Finding(replace(each, span=self._import_of(path), fixes=()), (path, line - 1, each.message))

    def _offset(self, offset: int) -> int | None:
        """Where *offset* of the program is in the document; None where it is in another file."""
        path, line, column = self.program.place(offset)
        return self.document.snapshot.lines.offset(line - 1, column - 1) if path == self.document.path else None

    def _span(self, span: Span) -> Span | None:
        start, end = self._offset(span.start), self._offset(span.end)
        if start is None:
            return None
        return Span(start, max(start, end) if end is not None else start)

    def _fixes(self, finding: Diagnostic) -> Iterator[Fix]:
        """Those that change nothing in another file."""
        for fix in finding.fixes:
            edits = [(self._span(edit.span), edit.insert) for edit in fix.edits]
            own = tuple(TextEdit(span, insert) for span, insert in edits if span is not None)
            if len(own) == len(edits):
                yield replace(fix, edits=own)

    def _import_of(self, path: Path) -> Span:
        """The line of the document that stands for the file *path*, or for the one that leads to it."""
        at, found = 0, []
        for line in split_lines(self.document.snapshot.text):
            written = import_line(line)
            if written is not None:
                found.append((written.path, Span(at, at + len(line.rstrip()))))
            at += len(line)
        named = (span for name, span in found if name.rpartition("/")[2] == path.name)
        return next(named, found[0][1] if found else Span(0, 0))


def told(view: View, document: OpenDocument, finding: Finding) -> lsp.Diagnostic:
    """*finding* as the client shows it."""
    one = finding.diagnostic
    related = None
    if finding.related is not None:
        path, line, words = finding.related
        place = lsp.Location(view.uri_at(path), lsp.Range(lsp.Position(line, 0), lsp.Position(line, 0)))
        related = [lsp.DiagnosticRelatedInformation(place, words)]
    return lsp.Diagnostic(
        document.positions.range(one.span),
        one.message,
        _SEVERITIES[one.severity],
        one.code,
        lsp.CodeDescription(page) if (page := _page_of(one.code)) else None,
        SOURCE,
        [lsp.DiagnosticTag.Unnecessary] if one.code in _GREYED else None,
        related,
    )


def _page_of(code: str) -> str:
    """The address of the page that explains *code*."""
    return resource_path(f"help/rules/{code}.md").as_uri() if code in rule_codes() else ""


def report(view: View, document: OpenDocument, params: lsp.DocumentDiagnosticParams) -> lsp.DocumentDiagnosticReport:
    """All findings, for a client that asks; only that they are the same where it has them already."""
    items = [told(view, document, each) for each in findings_of(view, document)]
    number = hashlib.sha256(repr(items).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    if number == params.previous_result_id:
        return lsp.RelatedUnchangedDocumentDiagnosticReport(number)
    return lsp.RelatedFullDocumentDiagnosticReport(items, result_id=number)


@dataclass(frozen=True, slots=True)
class _Operation:
    """Something that can be done to steps. *is_for_one*: only to a single one."""

    title: LazyText
    kind: str
    command: Callable[[tuple[StepId, ...]], Command]
    is_for_one: bool = True


def _first(make: Callable[..., Command], **how: object) -> Callable[[tuple[StepId, ...]], Command]:
    return lambda steps: make(steps[0], **how)


def _all(make: Callable[..., Command], **how: object) -> Callable[[tuple[StepId, ...]], Command]:
    return lambda steps: make(steps, **how)


_REWRITE = lsp.CodeActionKind.RefactorRewrite.value
_SURROUND = f"{_REWRITE}.surround"
OPERATIONS: Mapping[str, _Operation] = {
    "disable": _Operation(N_("Disable step"), _REWRITE, _all(DisableSteps), is_for_one=False),
    "enable": _Operation(N_("Enable disabled steps"), _REWRITE, _all(EnableSteps), is_for_one=False),
    "split": _Operation(N_("Split step"), _REWRITE, _first(SplitStep)),
    "join": _Operation(N_("Join steps"), _REWRITE, _all(JoinSteps), is_for_one=False),
    "sort": _Operation(N_("Sort steps"), _REWRITE, _all(SortSteps), is_for_one=False),
    "exact": _Operation(N_("Write exactly"), _REWRITE, _first(MakeExact)),
    "invert": _Operation(N_("Invert condition"), _REWRITE, _first(InvertCondition)),
    "swap": _Operation(N_("Swap branches"), _REWRITE, _first(SwapBranches)),
    "add-otherwise": _Operation(N_("Add Otherwise"), _REWRITE, _first(AddOtherwise)),
    "to-if": _Operation(N_("Change to If"), _REWRITE, _first(ConvertBranch, form=BranchForm.IF)),
    "to-else-if": _Operation(N_("Change to Else if"), _REWRITE, _first(ConvertBranch, form=BranchForm.ELSE_IF)),
    "to-otherwise": _Operation(N_("Change to Otherwise"), _REWRITE, _first(ConvertBranch, form=BranchForm.OTHERWISE)),
    "to-for-each": _Operation(N_("Change to For each"), _REWRITE, _first(ChangeLoop, form=LoopForm.FOR_EACH)),
    "to-while": _Operation(N_("Change to While"), _REWRITE, _first(ChangeLoop, form=LoopForm.WHILE)),
    "to-until": _Operation(N_("Change to Until"), _REWRITE, _first(ChangeLoop, form=LoopForm.UNTIL)),
    "to-repeat": _Operation(N_("Change to Repeat"), _REWRITE, _first(ChangeLoop, form=LoopForm.REPEAT)),
    "wrap-if": _Operation(N_("Surround with If"), _SURROUND, _all(WrapSteps, form=WrapForm.IF), is_for_one=False),
    "wrap-for-each": _Operation(
        N_("Surround with For each"), _SURROUND, _all(WrapSteps, form=WrapForm.FOR_EACH), is_for_one=False
    ),
    "unwrap": _Operation(N_("Replace the step by those in it"), _REWRITE, _first(UnwrapStep)),
    "extract": _Operation(
        N_("Extract playbook"), lsp.CodeActionKind.RefactorExtract.value, _all(ExtractPlaybook), is_for_one=False
    ),
    "inline": _Operation(N_("Inline call"), lsp.CodeActionKind.RefactorInline.value, _first(InlineCall)),
}
"""What is offered for steps, by the name that stands for it until somebody chooses it."""


def code_actions(view: View, document: OpenDocument, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """What can be done at a place: fixes of its findings, operations on its steps, and all safe fixes at once."""
    if not document.is_ours:
        return []
    wanted = [str(getattr(each, "value", each)) for each in params.context.only or ()]
    found: list[lsp.CodeAction] = []
    span = document.positions.span(params.range)
    if _is_wanted(lsp.CodeActionKind.QuickFix.value, wanted):
        found += _fixes_at(view, document, span)
    if wanted and _is_wanted(FIX_ALL, wanted):
        found += _all_fixes(view, document)
    if any(_is_wanted(each.kind, wanted) for each in OPERATIONS.values()):
        found += _operations_on(view, document, span, wanted)
    return found


def _is_wanted(kind: str, wanted: Sequence[str]) -> bool:
    return not wanted or any(kind == each or kind.startswith(f"{each}.") or not each for each in wanted)


def _fixes_at(view: View, document: OpenDocument, span: Span) -> Iterator[lsp.CodeAction]:
    for finding in last_findings(view, document):
        one = finding.diagnostic
        if one.span.start > span.end or one.span.end < span.start:
            continue
        for index, fix in enumerate(one.fixes):
            yield lsp.CodeAction(
                fix.title,
                lsp.CodeActionKind.QuickFix,
                [told(view, document, finding)],
                is_preferred=index == 0,
                edit=_edit(view, document, fix.edits),
            )


def _all_fixes(view: View, document: OpenDocument) -> Iterator[lsp.CodeAction]:
    rounds = list(safe_fixes_by_round(document.snapshot))
    if rounds:
        yield lsp.CodeAction(_("Apply all safe fixes"), FIX_ALL, edit=_edit(view, document, rounds[-1].edits))


def _operations_on(view: View, document: OpenDocument, span: Span, wanted: Sequence[str]) -> Iterator[lsp.CodeAction]:
    """The operations on the steps at *span*; where the client asks for the edit of one later, without it."""
    snapshot = document.snapshot
    steps = _steps_at(document, span)
    is_later = "edit" in view.client.listed("text_document.code_action.resolve_support.properties")
    for name, one in OPERATIONS.items():
        if not steps or (one.is_for_one and len(steps) > 1) or not _is_wanted(one.kind, wanted):
            continue
        command = _command(document, name, steps, snapshot.lines.line(span.start) + 1)
        if refusal_of(snapshot, command) is not None:
            continue
        action = lsp.CodeAction(str(one.title), one.kind)
        if is_later:
            place = {"uri": document.uri, "version": document.version}
            line = snapshot.lines.line(span.start) + 1
            action.data = {**place, "operation": name, "steps": list(steps), "line": line}
            yield action
        else:
            planned = plan(snapshot, command)
            if not isinstance(planned, Refusal) and not planned.is_empty:
                action.edit = _edit(view, document, planned.change.edits)
                yield action


def _steps_at(document: OpenDocument, span: Span) -> tuple[StepId, ...]:
    """The step at a caret, or those whose words begin in a selection, without those inside of another."""
    snapshot = document.snapshot
    if not span:
        step = snapshot.step_at(span.start)
        return (step,) if step is not None and snapshot.has(step) else ()
    first = snapshot.lines.starts[snapshot.lines.line(span.start)]
    found = [each for each in snapshot.steps_within(Span(first, span.end)) if snapshot.has(each)]
    return tuple(step.id for step in topmost(snapshot, found))


def _command(document: OpenDocument, name: str, steps: tuple[StepId, ...], line: int) -> Command:
    """The command that the operation *name* is; what prose says of the numbers of steps stays true."""
    command = EnableSteps(steps, line) if name == "enable" else OPERATIONS[name].command(steps)
    return replace(command, updates_references=True) if isinstance(command, RenumbersSteps) else command


def _edit(view: View, document: OpenDocument, edits: Sequence[TextEdit]) -> lsp.WorkspaceEdit:
    return view.edit({document.uri: document.positions.edits(edits)})


def resolved(view: View, action: lsp.CodeAction) -> lsp.CodeAction | Refusal:
    """*action* with its edit, or why it cannot be done."""
    data: Any = action.data
    if not isinstance(data, dict) or data.get("operation") not in OPERATIONS:
        return action
    document = view.documents.get(str(data.get("uri")))
    steps = tuple(StepId(str(each)) for each in data.get("steps", ()))
    is_current = document is not None and document.version == data.get("version")
    if document is None or not is_current or not all(map(document.snapshot.has, steps)):
        return Refusal("changed", _("The text has changed since this was offered."))
    planned = plan(document.snapshot, _command(document, data["operation"], steps, int(data.get("line", 0))))
    if isinstance(planned, Refusal):
        return planned
    action.edit = _edit(view, document, planned.change.edits)
    return action
