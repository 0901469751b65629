"""Putting steps into a condition or a loop, and taking the steps out of one."""

from __future__ import annotations

from workbench.editing.commands import CONDITION, ITEMS, Refusal, UnwrapStep, WrapForm, WrapSteps
from workbench.editing.edit_plan import Draft, EditPlan, Fragment
from workbench.editing.geometry.heading_steps import is_heading
from workbench.editing.geometry.indentation import shift_lines
from workbench.editing.geometry.numbering import is_ordered, renumbered
from workbench.editing.geometry.siblings import Siblings, children_of, grouped, siblings_of, topmost
from workbench.editing.geometry.style import ItemStyle, indent_unit, line_end, style_of
from workbench.editing.refusals import raw_inside, refuse_damage, refuse_steps
from workbench.editing.verbs.step_text import refuse_words
from workbench.i18n import _, ngettext
from workbench.model.program import SectionKind, Step
from workbench.model.snapshot import Snapshot
from workbench.syntax.lines import COMMENT
from workbench.syntax.text import Span

_OPENINGS = {
    WrapForm.IF: ("If", CONDITION),
    WrapForm.FOR_EACH: ("For each", ITEMS),
    WrapForm.WHILE: ("While", CONDITION),
}


def refuse_wrap(snapshot: Snapshot, command: WrapSteps) -> Refusal | None:
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
    if any(is_heading(step) for step in steps):
        return Refusal(
            "heading", _("A heading cannot be part of a condition or loop. Wrap the steps below it instead.")
        )
    return raw_inside() if any(step.item is None for step in steps) else None


def plan_wrap(snapshot: Snapshot, command: WrapSteps) -> EditPlan:
    """The edits that add the opening line and indent everything below it."""
    steps = topmost(snapshot, command.steps)
    group = grouped(snapshot, steps)[0]
    siblings, first, last = group.siblings, min(group.indices), max(group.indices)
    draft = Draft(snapshot.text)
    outer = style_of(snapshot, steps[0])
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
        siblings.write_marker(draft, index, marker)


def refuse_unwrap(snapshot: Snapshot, command: UnwrapStep) -> Refusal | None:
    """Why the step cannot be replaced by its children."""
    refusal = refuse_steps(snapshot, (command.step,)) or refuse_damage(snapshot, (command.step,))
    if refusal:
        return refusal
    step = snapshot.step(command.step)
    if is_heading(step):
        return Refusal("heading", _("Steps need the heading above them. To free them, move them or edit the source."))
    if not step.children:
        return Refusal("no-children", _("There is nothing inside this step."))
    if step.item and (step.item.fences or step.item.tails):
        return Refusal("holds-text", _("This step has code or text of its own, which would be lost. Move it first."))
    return None


def plan_unwrap(snapshot: Snapshot, command: UnwrapStep) -> EditPlan | Refusal:
    """The edits that delete the words of the step and let its children take its place."""
    step = snapshot.step(command.step)
    inner, outer = children_of(snapshot, command.step), siblings_of(snapshot, command.step)
    if inner is None or step.item is None:
        return Refusal("no-children", _("There is nothing inside this step."))
    draft = Draft(snapshot.text)
    start = snapshot.block_start(step.id) + step.item.lines.start
    first = inner.core(0).start
    draft.replace(Span(start, first), _comments(snapshot, step, Span(start, first), outer))
    _outdent(draft, inner, step)
    _renumber(draft, inner, outer, outer.index(step.id))
    return draft.finish(_("Unwrap step"), frozenset({step.id}))


def _comments(snapshot: Snapshot, step: Step, span: Span, outer: Siblings) -> str:
    """The comments of the words that go, each on lines of its own."""
    assert step.item is not None
    end = line_end(outer)
    found = COMMENT.findall(span.of(snapshot.text))
    return "".join(step.item.indent + comment + end for comment in found)


def _outdent(draft: Draft, inner: Siblings, step: Step) -> None:
    assert step.item is not None
    done = inner.core(0).start
    indent = style_of(inner.snapshot, inner.steps[0]).indent
    for index, child in enumerate(inner.steps):
        core = inner.core(index)
        shift_lines(draft, Span(_next_line(draft.text, done), core.start), indent, step.item.indent)
        indent = style_of(inner.snapshot, child).indent
        shift_lines(draft, core, indent, step.item.indent)
        done = core.end
    end = inner.snapshot.block_start(step.id) + step.item.owned.end
    shift_lines(draft, Span(min(_next_line(draft.text, done), end), end), indent, step.item.indent)


def _next_line(text: str, at: int) -> int:
    if text.startswith("\r\n", at):
        return at + 2
    return at + 1 if text[at : at + 1] in ("\n", "\r") else at


def _renumber(draft: Draft, inner: Siblings, outer: Siblings, place: int) -> None:
    """Mark the children like the list that they come into, and number it anew."""
    count = len(inner.steps)
    before, after = list(range(place)), list(range(place + 1, len(outer.steps)))
    like = outer.marker(place)
    # The first child takes the place of its parent in the count.
    markers = renumbered(outer.markers, [*before, place, *[like] * (count - 1), *after])
    for index in range(count):
        inner.write_marker(draft, index, markers[place + index])
    for index, marker in zip(after, markers[place + count :], strict=True):
        outer.write_marker(draft, index, marker)
