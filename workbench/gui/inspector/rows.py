"""What the inspector says about a step beyond its meaning."""

from __future__ import annotations

import re

from workbench.gui.control.running.run_marks import StepMark
from workbench.gui.inspector.meaning_words import Row
from workbench.gui.words.durations import duration_words
from workbench.i18n import _
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.syntax.lines import COMMENT
from workbench.vocabulary import Status

LINE_END = re.compile(r"\r\n|\r|\n")


def source_rows(step: Step, snapshot: Snapshot) -> tuple[Row, ...]:
    """Which lines the step owns, and what stands inside it."""
    span = snapshot.owned_span(step.id)
    first = snapshot.lines.line(span.start) + 1
    last = snapshot.lines.line(max(span.start, span.end - 1)) + 1
    lines = f"{first:,}" if first == last else f"{first:,}–{last:,}"
    rows = [(_("Lines"), lines), (_("Address"), snapshot.address(step.id))]
    if step.children:
        rows.append((_("Steps inside"), f"{sum(1 for _inner in step.walk()) - 1:,}"))
    if step.item is not None and step.item.fences:
        rows.append((_("Code blocks"), f"{len(step.item.fences):,}"))
    return tuple(rows)


def comment_rows(step: Step) -> tuple[Row, ...]:
    """The comments that the step owns: directly above it, and among its own words."""
    item = step.item
    if item is None:
        return ()
    text = step.block.text
    own = text[item.owned.start : item.lines.start] + text[item.text.start : _end_of_line(text, item.text.end)]
    words = [_plain(match.group()) for match in COMMENT.finditer(own)]
    return tuple((_("Says"), each) for each in words if each)


def _end_of_line(text: str, offset: int) -> int:
    """Where the line that holds *offset* ends: a comment may stand behind the words."""
    end = LINE_END.search(text, offset)
    return end.start() if end else len(text)


def _plain(comment: str) -> str:
    """The words of an HTML comment."""
    words = comment.strip().removeprefix("<!--").removesuffix("-->")
    return " ".join(words.split())


def run_rows(mark: StepMark | None) -> tuple[Row, ...]:
    """How the step did in the last run; nothing where it was not reached."""
    if mark is None:
        return ()
    rows = [(_("Status"), str(Status[mark.status.name])), (_("Took"), duration_words(mark.elapsed_ms))]
    if mark.visits > 1:
        rows.append((_("Entered"), _("{count:,} times").format(count=mark.visits)))
    if mark.iterations:
        rows.append((_("Rounds"), f"{mark.iterations:,}"))
    if mark.detail:
        rows.append((_("Says"), mark.detail))
    return tuple(rows)
