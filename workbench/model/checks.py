"""Everything that is doubtful or wrong in a document, with the edits that would mend it."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.i18n import _
from workbench.model.queries import Queries
from workbench.syntax.diagnostics import Diagnostic, Severity
from workbench.syntax.text import Span


def check(document: Queries) -> tuple[Diagnostic, ...]:
    """All findings in *document*, in the order of the text."""
    found = list(_damage(document))
    return tuple(sorted(found, key=lambda finding: (finding.span.start, finding.span.end, finding.code)))


def _damage(document: Queries) -> Iterator[Diagnostic]:
    messages = {
        "unclosed-fence": _("This code fence is never closed, so only its first line is read as code."),
        "unclosed-comment": _("This comment is never closed, so only this line is read as a comment."),
        "nested-fence": _("A fence of the same length opens inside this one, so the next closing line ends the outer one early."),
    }
    for block, start in zip(document.blocks, document.block_starts, strict=False):
        for problem in block.problems:
            if problem.code in messages:
                severity = Severity.WARNING if problem.code == "nested-fence" else Severity.ERROR
                span: Span = problem.span.shifted(start)
                yield Diagnostic(problem.code, severity, messages[problem.code], span)
