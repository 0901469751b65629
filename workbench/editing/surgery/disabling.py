"""Steps that are kept as a comment in their place, and come back byte for byte.

The language has no word for a step that is not carried out, so it is one that markdown has: a comment. The lines of the
step stay as they are, between two lines of their own::

    <!-- disabled
    - Tell user "Hello"
    -->

Comments do not nest, so a ``-->`` inside is written ``--&gt;``, and what looks like that already gets one more
``amp;``. In YAML each line gets a ``#`` behind the indent that all lines share, between ``# region disabled`` and
``# endregion``, which editors can fold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from workbench.editing.commands import DisableSteps, EnableSteps, Refusal
from workbench.editing.edit_plan import Draft, EditPlan, Fragment
from workbench.editing.geometry.siblings import line_end_of, topmost, walk_ids
from workbench.editing.refusals import is_drawn, refuse_damage, refuse_steps
from workbench.editing.steplist_verbs.listing import listing_of
from workbench.i18n import _, ngettext
from workbench.model.meaning import StepKind
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.blocks import BlockKind
from workbench.syntax.text import Span, split_lines

DISABLED = "<!-- disabled"
"""What the comment of a disabled step begins with."""
_LINE_END = r"(?:\r\n|\r|\n)"
_START = r"(?:\A|(?<=[\r\n]))(?P<indent>[ \t]*)"
_AFTER = rf"[ \t]*(?P<after>{_LINE_END}|\Z)"
_COMMENTED = regex(
    rf"{_START}{DISABLED}[ \t]*{_LINE_END}(?P<inside>(?:(?!-->).)*?)(?P<last>{_LINE_END}?)[ \t]*-->{_AFTER}",
    re.DOTALL,
)
_HASHED = regex(
    rf"{_START}# region disabled[ \t]*{_LINE_END}"
    rf"(?P<inside>(?:[ \t]*#[^\r\n]*{_LINE_END})*?)(?P=indent)# endregion{_AFTER}"
)
_CLOSING = regex(r"--(&(?:amp;)*gt;|>)")
_HIDDEN = regex(r"--&((?:amp;)*)gt;")
_INDENT = regex(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Disabled:
    """What is disabled in the whole lines *span*. *source*: the lines of its steps, as they come back."""

    span: Span
    source: str


def disabled_in(snapshot: Snapshot) -> Iterator[Disabled]:
    """All that is disabled in the document, in source order."""
    text = snapshot.text
    if not snapshot.program.format.is_steplist:
        for match in _COMMENTED.finditer(text) if DISABLED in text else ():
            if not _is_code(snapshot, match.start()):
                yield Disabled(Span(*match.span()), _shown(match["inside"]) + (match["last"] if match["after"] else ""))
    elif not snapshot.program.format.is_json and "# region disabled" in text:
        for match in _HASHED.finditer(text):
            source = _uncommented(match["inside"], match["indent"])
            yield Disabled(Span(*match.span()), source if match["after"] else source.rstrip("\r\n"))


def comes_back(before: Snapshot, after: Snapshot, heads: Iterable[int]) -> bool:
    """True where what was disabled at *heads* of *after* gives back the text of *before*, byte for byte."""
    made, text = set(heads), after.text
    for one in reversed(tuple(disabled_in(after))):
        if one.span.start in made:
            text = text[: one.span.start] + one.source + text[one.span.end :]
    return text == before.text


def _is_code(snapshot: Snapshot, at: int) -> bool:
    """True where the comment at *at* stands in code, and so is none."""
    index = snapshot.block_index_at(at)
    block, inside = snapshot.blocks[index], at - snapshot.block_starts[index]
    if block.item is None:
        return block.kind not in (BlockKind.COMMENT, BlockKind.PARAGRAPH, BlockKind.BLANK)
    return any(fence.start <= inside < fence.end for item in block.item.walk() for fence in item.fences)


def refuse_disable(snapshot: Snapshot, command: DisableSteps) -> Refusal | None:
    """Why the steps cannot be disabled."""
    refusal = refuse_steps(snapshot, command.steps) or refuse_damage(snapshot, command.steps)
    if refusal is not None:
        return refusal
    steps = topmost(snapshot, command.steps)
    if snapshot.program.format.is_steplist:
        return _refuse_entries(snapshot, steps)
    if any(step.item is None or step.kind in (StepKind.TRIGGER, StepKind.NOTE) for step in steps):
        return Refusal("not-a-step", _("Only steps of a list can be disabled."))
    if any(not _begins_line(snapshot, step) for step in steps):
        return Refusal("shares-line", _("This step shares its line with another one. Put it on its own line first."))
    return None


def _refuse_entries(snapshot: Snapshot, steps: tuple[Step, ...]) -> Refusal | None:
    if snapshot.program.format.is_json:
        return Refusal(
            "no-comments", _("JSON has no comments, so steps cannot be kept in one. Delete the step instead.")
        )
    gone = {step.id for step in steps}
    if any(step.kind is StepKind.RAW for step in steps):
        return Refusal("damaged", _("This step cannot be read, so it cannot be brought back surely. Mend it first."))
    for step in steps:
        listing = listing_of(snapshot, step.id)
        if listing.is_flow:
            return Refusal("in-brackets", _("Steps in brackets cannot be disabled. Write the list line by line first."))
        if all(element.step in gone for element in listing.elements):
            return Refusal("last-step", _("A list needs at least one step, so not all of them can be disabled."))
    return None


def _begins_line(snapshot: Snapshot, step: Step) -> bool:
    start = snapshot.owned_span(step.id).start
    return start == 0 or snapshot.text[start - 1] in "\r\n"


def plan_disable(snapshot: Snapshot, command: DisableSteps) -> EditPlan:
    """The edits that put each of the steps into a comment of its own."""
    steps = topmost(snapshot, command.steps)
    draft = Draft(snapshot.text)
    for step in steps:
        if snapshot.program.format.is_steplist:
            listing = listing_of(snapshot, step.id)
            _hash(draft, listing.elements[listing.index(step.id)].owned)
        else:
            _comment(draft, snapshot, step)
    removed = frozenset(inner for step in steps for inner in walk_ids(snapshot, step))
    return draft.finish(ngettext("Disable step", "Disable {count} steps", len(steps)), removed)


def _comment(draft: Draft, snapshot: Snapshot, step: Step) -> None:
    """Add to *draft* the two lines around *step*, and what hides the ends of comments in it."""
    span, end = snapshot.owned_span(step.id), line_end_of(snapshot, snapshot.owned_span(step.id).start)
    assert step.item is not None
    indent = step.item.indent
    draft.replace(Span(span.start, span.start), Fragment(f"{indent}{DISABLED}{end}", heads=(0,)))
    for match in _CLOSING.finditer(draft.text, span.start, span.end):
        hidden = "--&gt;" if match[1] == ">" else f"--&amp;{match[1][1:]}"
        draft.replace(Span(*match.span()), hidden)
    is_open = draft.text[span.end - 1] not in "\r\n"
    draft.replace(Span(span.end, span.end), f"{end}{indent}-->" if is_open else f"{indent}-->{end}")


def _shown(inside: str) -> str:
    """What stood in a comment before it was put there."""
    return _HIDDEN.sub(lambda match: "-->" if not match[1] else f"--&{match[1][4:]}gt;", inside)


def _hash(draft: Draft, span: Span) -> None:
    """Add to *draft* a ``#`` for each line of *span*, and the two lines around it."""
    lines = split_lines(span.of(draft.text))
    ends = [line[len(line.rstrip("\r\n")) :] for line in lines]
    end = next((one for one in ends if one), "\n")
    indents = [_indent_of(line) for line in lines if line.strip()]
    indent = min(indents, key=len, default="")
    while not all(one.startswith(indent) for one in indents):
        indent = indent[:-1]
    draft.replace(Span(span.start, span.start), Fragment(f"{indent}# region disabled{end}", heads=(0,)))
    at = span.start
    for line in lines:
        place = at + len(indent) if line.startswith(indent) else at
        draft.replace(Span(place, place), "# " if line.rstrip("\r\n") != indent else "#")
        at += len(line)
    is_open = not ends[-1]
    draft.replace(Span(span.end, span.end), f"{end}{indent}# endregion" if is_open else f"{indent}# endregion{end}")


def _indent_of(line: str) -> str:
    match = _INDENT.match(line)
    return match[0] if match is not None else ""


def _uncommented(inside: str, indent: str) -> str:
    """The lines of *inside* without the signs that ``_hash`` put there."""
    found: list[str] = []
    for line in split_lines(inside):
        lead = indent if line.startswith(indent + "#") else ""
        rest = line[len(lead) :].removeprefix("#")
        found.append(lead + (rest[1:] if rest.startswith(" ") and line.startswith(lead + "# ") else rest))
    return "".join(found)


def refuse_enable(snapshot: Snapshot, command: EnableSteps) -> Refusal | None:
    """Why nothing can be enabled."""
    if not all(is_drawn(snapshot, step) for step in command.steps):
        return refuse_steps(snapshot, command.steps)
    if not _meant(snapshot, command):
        if command.line:
            return Refusal("not-disabled", _("There is no disabled step on this line."))
        return Refusal("not-disabled", _("Nothing is disabled in this step, above it or below it."))
    return None


def plan_enable(snapshot: Snapshot, command: EnableSteps) -> EditPlan:
    """The edits that take the steps out of their comments."""
    found = _meant(snapshot, command)
    draft = Draft(snapshot.text)
    for one in found:
        source = one.source
        if source[-1:] not in ("\r", "\n") and one.span.end < len(snapshot.text):
            source += line_end_of(snapshot, one.span.start)
        lead = len(source) - len(source.lstrip())
        draft.replace(one.span, Fragment(source, heads=(lead,)))
    return draft.finish(ngettext("Enable step", "Enable {count} steps", len(found)))


def _meant(snapshot: Snapshot, command: EnableSteps) -> tuple[Disabled, ...]:
    """What *command* is about."""
    found = tuple(disabled_in(snapshot)) if command.line or command.steps else ()
    owned = [_around(snapshot, snapshot.owned_span(step)) for step in command.steps]
    at = -1
    if 0 < command.line <= len(snapshot.lines.starts):
        at = snapshot.lines.starts[command.line - 1]
    return tuple(
        one
        for one in found
        if one.span.start <= at < one.span.end
        or any(one.span.start < part.end and part.start < one.span.end for part in owned)
    )


def _around(snapshot: Snapshot, span: Span) -> Span:
    """*span* of a step with the blank lines above and below, and the beginning of what stands behind those."""
    text = snapshot.text
    above = len(text[: span.start].rstrip())
    below = len(text) - len(text[span.end :].lstrip())
    return Span(max(0, above - 1), min(len(text), below + 1))
