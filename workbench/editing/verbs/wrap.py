"""Putting steps under a new branch or loop."""

from __future__ import annotations

from workbench.editing.commands import CONDITION, ITEMS, Refusal, WrapForm, WrapSteps
from workbench.editing.edit_plan import Draft, EditPlan, Fragment
from workbench.editing.geometry.indentation import shift_lines
from workbench.editing.geometry.numbering import is_ordered, renumbered
from workbench.editing.geometry.siblings import Siblings, grouped, topmost
from workbench.editing.geometry.style import ItemStyle, indent_unit, line_end, style_of
from workbench.editing.refusals import raw_inside, refuse_damage, refuse_steps
from workbench.editing.verbs.step_text import refuse_words
from workbench.i18n import _, ngettext
from workbench.model.program import SectionKind
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import Span

_OPENINGS = {
    WrapForm.IF: ("If", CONDITION),
    WrapForm.FOR_EACH: ("For each", ITEMS),
    WrapForm.WHILE: ("While", CONDITION),
}


def refuse(snapshot: Snapshot, command: WrapSteps) -> Refusal | None:
    """Why the steps cannot be wrapped."""
    refusal = refuse_steps(snapshot, command.steps) or refuse_damage(snapshot, command.steps)
    if refusal or (refusal := refuse_words(command.text)):
        return refusal
    steps = topmost(snapshot, command.steps)
    groups = grouped(snapshot, steps)
    indices = groups[0].indices
    if len(groups) > 1 or max(indices) - min(indices) + 1 != len(indices):
        return Refusal("not-neighbours", _("Only adjacent steps can be wrapped together."))
    if snapshot.section_of(steps[0].id).kind in (SectionKind.TRIGGERS, SectionKind.NOTES):
        return Refusal("not-a-step", _("Only steps can be wrapped."))
    return raw_inside() if any(step.item is None for step in steps) else None


def plan(snapshot: Snapshot, command: WrapSteps) -> EditPlan:
    """The edits that add the opening line and indent everything below it."""
    steps = topmost(snapshot, command.steps)
    group = grouped(snapshot, steps)[0]
    siblings, first, last = group.siblings, min(group.indices), max(group.indices)
    draft = Draft(snapshot.text)
    outer = style_of(steps[0])
    unit = indent_unit(siblings, steps[0])
    at = siblings.core(first).start
    words = _words(command)
    head = Fragment(outer.start, heads=(len(outer.start),)) + Fragment(words + line_end(siblings))
    draft.replace(Span(at, at), head)
    for index in range(first, last + 1):
        _nest(draft, siblings, index, unit)
        if index < last:
            shift_lines(draft, _gap_lines(siblings, index), outer.indent, outer.indent + unit)
    _number(draft, siblings, first, last, outer)
    return draft.finish(ngettext("Wrap step", "Wrap {count} steps", len(steps)))


def _words(command: WrapSteps) -> str:
    opening, placeholder = _OPENINGS[command.form]
    text = " ".join(command.text.split())
    if text.lower().startswith(opening.lower()):
        return text
    return f"{opening} {text or placeholder}"


def _nest(draft: Draft, siblings: Siblings, index: int, unit: str) -> None:
    item = siblings.steps[index].item
    assert item is not None
    shift_lines(draft, siblings.core(index), item.indent, item.indent + unit)


def _gap_lines(siblings: Siblings, index: int) -> Span:
    """The whole lines between two items."""
    gap = siblings.gap(index)
    text = siblings.snapshot.text
    start = gap.start + (2 if text.startswith("\r\n", gap.start) else 1)
    return Span(start, gap.end)


def _number(draft: Draft, siblings: Siblings, first: int, last: int, outer: ItemStyle) -> None:
    """Number the inner list from one, and the outer list on."""
    markers = siblings.markers
    inner = renumbered(markers, list(range(first, last + 1)))
    if len(inner) > 1 and markers[first] != markers[last] and is_ordered(outer.marker):
        by = int(inner[0][:-1]) - 1 if is_ordered(inner[0]) else 0
        inner = tuple(f"{int(mark[:-1]) - by}{mark[-1]}" if is_ordered(mark) else mark for mark in inner)
    elif is_ordered(outer.marker) and len(inner) == 1:
        inner = ("1" + outer.marker[-1],)
    after = list(range(last + 1, len(markers)))
    kept = renumbered(markers, [*range(first), first, *after])[first + 1 :]
    for index, marker in [*enumerate(inner, first), *zip(after, kept, strict=True)]:
        if markers[index] != marker:
            draft.replace(siblings.marker_span(index), marker)
