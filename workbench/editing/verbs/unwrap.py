"""Replacing a step by its children."""

from __future__ import annotations

from workbench.editing.commands import Refusal, UnwrapStep
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.geometry.indentation import shift_lines
from workbench.editing.geometry.numbering import renumbered
from workbench.editing.geometry.siblings import Siblings, children_of, siblings_of
from workbench.editing.geometry.style import line_end, style_of
from workbench.editing.refusals import refuse_damage, refuse_steps
from workbench.i18n import _
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.syntax.lines import COMMENT
from workbench.syntax.text import Span


def refuse(snapshot: Snapshot, command: UnwrapStep) -> Refusal | None:
    """Why the step cannot be replaced by its children."""
    refusal = refuse_steps(snapshot, (command.step,)) or refuse_damage(snapshot, (command.step,))
    if refusal:
        return refusal
    step = snapshot.step(command.step)
    if not step.children:
        return Refusal("no-children", _("There is nothing inside this step."))
    if step.item and (step.item.fences or step.item.tails):
        return Refusal("holds-text", _("This step has code or text of its own, which would be lost. Move it first."))
    return None


def plan(snapshot: Snapshot, command: UnwrapStep) -> EditPlan | Refusal:
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
    _number(draft, inner, outer, outer.index(step.id))
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
    indent = style_of(inner.steps[0]).indent
    for index, child in enumerate(inner.steps):
        core = inner.core(index)
        shift_lines(draft, Span(_next_line(draft.text, done), core.start), indent, step.item.indent)
        indent = style_of(child).indent
        shift_lines(draft, core, indent, step.item.indent)
        done = core.end
    end = inner.snapshot.block_start(step.id) + step.item.owned.end
    shift_lines(draft, Span(min(_next_line(draft.text, done), end), end), indent, step.item.indent)


def _next_line(text: str, at: int) -> int:
    if text.startswith("\r\n", at):
        return at + 2
    return at + 1 if text[at : at + 1] in ("\n", "\r") else at


def _number(draft: Draft, inner: Siblings, outer: Siblings, place: int) -> None:
    """Mark the children like the list that they come into, and number it anew."""
    count = len(inner.steps)
    before, after = list(range(place)), list(range(place + 1, len(outer.steps)))
    like = outer.marker(place)
    # The first child takes the place of its parent in the count.
    markers = renumbered(outer.markers, [*before, place, *[like] * (count - 1), *after])
    for index in range(count):
        if inner.marker(index) != markers[place + index]:
            draft.replace(inner.marker_span(index), markers[place + index])
    for index, marker in zip(after, markers[place + count :], strict=True):
        if outer.marker(index) != marker:
            draft.replace(outer.marker_span(index), marker)
