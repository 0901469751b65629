"""What is wrong with what one block stands for: the step itself, and while it is folded the steps that it hides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from workbench.i18n import ngettext
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Diagnostic, Severity

Severities = Mapping[StepId, tuple[Severity, ...]]
MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class BlockFinding:
    """*finding* lies in the words of *step*, which may be hidden."""

    step: StepId
    finding: Diagnostic


def findings_on(snapshot: Snapshot, step: StepId, folded: frozenset[StepId]) -> tuple[BlockFinding, ...]:
    """The findings that the block of *step* stands for, in the order of the text."""
    found = []
    for finding in snapshot.diagnostics:
        place = snapshot.step_at(finding.span.start)
        if place is not None and (place == step or (step in folded and is_inside(snapshot, place, step))):
            found.append(BlockFinding(place, finding))
    return tuple(found)


def severities_inside(snapshot: Snapshot, findings: Severities, folded: frozenset[StepId]) -> Severities:
    """How bad the findings are that each of *folded* hides."""
    found: dict[StepId, tuple[Severity, ...]] = {}
    for step, severities in findings.items() if folded else ():
        for outer in snapshot.lineage(step)[:-1] if snapshot.has(step) else ():
            if outer.id in folded:
                found[outer.id] = tuple(dict.fromkeys((*found.get(outer.id, ()), *severities)))
    return found


def is_inside(snapshot: Snapshot, step: StepId, outer: StepId) -> bool:
    """Whether *step* lies somewhere below *outer*."""
    return any(each.id == outer for each in snapshot.lineage(step)[:-1])


def finding_line(snapshot: Snapshot, found: BlockFinding) -> str:
    """*02.01  The message*: a hidden step is known by its number."""
    return f"{snapshot.number(found.step)}  {found.finding.message}".strip()


def findings_words(found: Iterable[BlockFinding], line: Callable[[BlockFinding], str]) -> str:
    """One *line* for each of the first, and how many more there are."""
    every = tuple(found)
    lines = [line(each) for each in every[:MOST_SHOWN]]
    if more := len(every) - len(lines):
        lines.append("… " + ngettext("and {count} more problem", "and {count} more problems", more))
    return "\n".join(lines)
