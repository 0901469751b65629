"""Everything that is doubtful or wrong in a document, with the edits that would mend it."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.i18n import _
from workbench.model.checks_steps import check_steps
from workbench.model.checks_structure import check_structure
from workbench.model.queries import Queries
from workbench.syntax.diagnostics import Diagnostic, Severity


def check(document: Queries) -> tuple[Diagnostic, ...]:
    """All findings in *document*, in the order of the text."""
    if document.program.foreign:
        return ()
    found = [*_damage(document), *check_structure(document), *check_steps(document)]
    return tuple(sorted(found, key=lambda finding: (finding.span.start, finding.span.end, finding.code)))


def _damage(document: Queries) -> Iterator[Diagnostic]:
    """What the scanner met: things that open and never end."""
    for index, block in enumerate(document.blocks):
        for problem in block.problems:
            message = _damage_message(problem.code)
            if message:
                severity = Severity.WARNING if problem.code == "nested-fence" else Severity.ERROR
                span = problem.span.shifted(document.block_starts[index])
                yield Diagnostic(problem.code, severity, message, span)


def _damage_message(code: str) -> str:
    return {
        "unclosed-fence": _(
            "This code fence is never closed. Only its first line is read as code; add a closing fence."
        ),
        "unclosed-comment": _("This comment is never closed. Only this line is read as a comment; add -->."),
        "nested-fence": _(
            "A fence of the same length opens inside this one, so the next closing line ends the outer fence early. "
            "Make the outer fence longer."
        ),
    }.get(code, "")
