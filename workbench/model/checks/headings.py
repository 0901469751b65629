"""Findings about headings that other tools do not know, and about what stands among the steps below them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches

from workbench.i18n import _
from workbench.model.checks.context import Context, error, line_span, note, replacement, safe_replacement, warning
from workbench.model.markdown.heads import section_kind
from workbench.model.meaning import StepKind
from workbench.model.program import Playbook, Section, SectionKind, Step
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.change import TextEdit
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.text import Span, line_end, line_stop, split_lines

_TITLES = {SectionKind.TRIGGERS: "Triggers", SectionKind.STEPS: "Steps", SectionKind.NOTES: "Notes"}


def check_headings(context: Context) -> Iterator[Diagnostic]:
    """All findings of this kind."""
    document = context.document
    if not context.headings:
        yield _no_heading(context)
    for index in context.headings.values():
        yield from _section_heading(document.blocks[index], document.block_starts[index])
        if context.is_language:
            yield from _nearly_a_section(document.blocks[index], document.block_starts[index])


def check_empty_file(context: Context) -> Iterator[Diagnostic]:
    """What is said of a file without any words."""
    if not context.document.text.strip():
        yield _no_heading(context)


def _no_heading(context: Context) -> Diagnostic:
    """A file in which nothing has a name."""
    text = context.document.text
    if not text.strip():
        message = _("This file is empty. A playbook starts with a heading, such as # Help desk.")
        return error("empty-file", message, Span(0, 0), _first_headings(text))
    message = _("This file has no heading, so nothing in it can be called or run by name. Add # and ## headings.")
    first = split_lines(text)[0].rstrip("\r\n")
    return error("no-heading", message, Span(0, len(first)), _first_headings(text))


def _first_headings(text: str) -> Fix:
    insert = line_end(text).join(["# Playbook", "", "## Main", "### Steps", ""])
    return replacement(_("Add headings"), Span(0, 0), insert)


def _section_heading(block: Block, start: int) -> Iterator[Diagnostic]:
    """Section headings that other tools do not recognise: singular, with a colon, one level too high."""
    kind = section_kind(block.title)
    if kind is SectionKind.OTHER or block.level > 3 or block.level < 2:
        return
    wanted = _TITLES[kind]
    if block.level == 3 and block.title.lower() == wanted.lower():
        return
    message = _("Other tools do not recognise this heading. It is read as ### {name}.").format(name=wanted)
    fix = safe_replacement(_("Change to ### {name}").format(name=wanted), _title_span(block, start), f"### {wanted}")
    yield warning("section-heading", message, line_span(block, start), fix)


def _title_span(block: Block, start: int) -> Span:
    """The marks and the title of a heading; all of it where it is underlined or a comment stands inside the title."""
    at = block.text.find(block.title) if not block.is_underlined else -1
    return Span(start, start + at + len(block.title)) if at >= 0 else line_span(block, start)


def _nearly_a_section(block: Block, start: int) -> Iterator[Diagnostic]:
    """``### Stpes``: a heading that begins no section and was probably meant to."""
    if block.kind is not BlockKind.HEADING or block.level != 3 or section_kind(block.title) is not SectionKind.OTHER:
        return
    near = get_close_matches(block.title.lower().rstrip(":"), ["triggers", "steps", "notes"], 1, 0.7)
    if near:
        name = near[0].capitalize()
        message = _(
            "This heading does not start a section, so everything below it is ignored. Did you mean ### {name}?"
        )
        fix = replacement(_("Change to ### {name}").format(name=name), _title_span(block, start), f"### {name}")
        yield warning("unknown-section", message.format(name=name), line_span(block, start), fix)


Check = Callable[[Context, Section], Iterator[Diagnostic]]


def check_sections(context: Context) -> Iterator[Diagnostic]:
    """All findings of this kind."""
    for playbook in context.program.playbooks:
        if context.is_language:
            yield from _bare_steps(context, playbook)
            yield from _list_in_text(context, playbook)
        for section in playbook.sections:
            if section.kind is SectionKind.STEPS:
                yield from _section_steps(context, section)
            elif section.kind is SectionKind.TRIGGERS:
                yield from _triggers_in_text(context, section)


def _section_steps(context: Context, section: Section) -> Iterator[Diagnostic]:
    if not section.steps:
        if section.heading is not None:
            message = _("This playbook has no steps yet. Running it does nothing.")
            yield note("no-steps", message, context.heading_span(section.heading))
        return
    if context.is_language:
        checks: Iterable[Check] = (_text_among_steps, _second_list)
        for one in checks:
            yield from one(context, section)


def _bare_steps(context: Context, playbook: Playbook) -> Iterator[Diagnostic]:
    """Steps directly under a playbook, which other tools do not execute."""
    section = next((one for one in playbook.sections if one.kind is SectionKind.STEPS), None)
    if section is None or section.heading is not None or not section.steps:
        return
    first = section.steps[0]
    start = context.start_of_step(first)
    insert = f"### Steps{line_end(context.document.text)}"
    # with text above, other tools may have read a prompt: what they read is for a person to change
    make = replacement if playbook.description else safe_replacement
    fix = make(_("Add ### Steps above"), Span(start, start), insert)
    message = _("These steps are directly under the playbook heading. Other tools need ### Steps above them.")
    yield warning("steps-without-heading", message, context.head(first), fix)


def _list_in_text(context: Context, playbook: Playbook) -> Iterator[Diagnostic]:
    """A list in a playbook without ``### Steps`` that is read as part of its text."""
    has_mode = "execution_mode" in dict(playbook.metadata)
    has_steps = any(one.kind is SectionKind.STEPS and one.heading is not None for one in playbook.sections)
    if playbook.heading is None or playbook.is_implied or has_mode or has_steps:
        return
    document = context.document
    index = context.headings[id(playbook.heading)] + 1
    index = next((at for at in range(index, len(document.blocks)) if _ends_text(document.blocks[at])), -1)
    if index < 0 or document.blocks[index].item is None or document.roots[index] is not None:
        return
    start = document.block_starts[index]
    first = line_span(document.blocks[index], start)
    span = Span(start, min(first.end, line_stop(document.text, start)))
    end = line_end(document.text)
    message = _(
        "This list is read as part of the prompt, for it stands in a tag, or under a label with text after it."
        " Nothing in it is carried out as a step. Put ### Steps above it if it is meant to be."
    )
    below = context.start_of(playbook.heading) + len(playbook.heading.text)
    says = replacement(_("Say that it is a prompt"), Span(below, below), f"execution_mode: react{end}{end}")
    steps = replacement(_("Add ### Steps above"), Span(start, start), f"### Steps{end}")
    yield note("list-in-prompt", message, Span(span.start, span.end), says, steps)


def _ends_text(block: Block) -> bool:
    return block.kind is BlockKind.ITEM or (block.kind is BlockKind.HEADING and block.level <= 3)


def _text_among_steps(context: Context, section: Section) -> Iterator[Diagnostic]:
    """Paragraphs and indented code in a list of steps, which other tools drop together with what follows."""
    for step in section.steps:
        if step.kind is StepKind.RAW and not step.block.text.lstrip().startswith("!import "):
            if step.block.kind in (BlockKind.PARAGRAPH, BlockKind.TABLE):
                yield _text_finding(context, step)
            elif step.block.kind is BlockKind.CODE:
                yield _code_finding(context, step.block, context.start_of_step(step))


def _text_finding(context: Context, step: Step) -> Diagnostic:
    span = line_span(step.block, context.start_of_step(step))
    message = _("This text is between the steps. It is shown and kept but not carried out; other tools drop it.")
    words = " ".join(step.text.split())
    return note("text-among-steps", message, span, replacement(_("Make it a step"), span, f"- {words}"))


def _triggers_in_text(context: Context, section: Section) -> Iterator[Diagnostic]:
    """Triggers written as paragraphs, which other tools do not see."""
    for step in section.steps:
        if step.item is None:
            start = context.start_of_step(step)
            span = line_span(step.block, start)
            edits = [TextEdit(Span(at, at), "- ") for at in _line_starts(step.block.text.rstrip(), start)]
            message = _("Triggers must be a list. This text is read as a trigger; other tools drop it.")
            yield warning("trigger-not-in-list", message, span, Fix(_("Make it a list"), tuple(edits)))


def _line_starts(text: str, start: int) -> Iterator[int]:
    for line in split_lines(text):
        yield start + len(line) - len(line.lstrip(" \t"))
        start += len(line)


def _code_finding(context: Context, block: Block, start: int) -> Diagnostic:
    span = line_span(block, start)
    end = line_end(context.document.text)
    lines = [line.rstrip("\r\n") for line in split_lines(block.text.rstrip())]
    inside = end.join(line.removeprefix("\t") if line.startswith("\t") else line.removeprefix("    ") for line in lines)
    message = _("This is code only because it is indented. Other tools lose it. Put it in a fence.")
    fix = replacement(_("Put it in a fence"), span, f"```{end}{inside}{end}```")
    return note("indented-code", message, span, fix)


def _second_list(context: Context, section: Section) -> Iterator[Diagnostic]:
    """Steps with other marks than the first one, which other tools take for a second list and drop."""
    first = next((step for step in section.steps if step.item is not None), None)
    if first is None or first.item is None:
        return
    sign = first.item.sign
    others = [step for step in section.steps if step.item is not None and step.item.sign != sign]
    if not others:
        return
    edits = tuple(TextEdit(_marker_span(context, step), _marker_like(context, first, step)) for step in others)
    message = _("List marker differs from the first step; other tools read it as a second list and drop it.")
    fix = Fix(_("Use the same marker for all steps"), edits, is_safe=True)
    yield note("second-list", message, _marker_span(context, others[0]), fix)


def _marker_span(context: Context, step: Step) -> Span:
    assert step.item is not None
    return step.item.marker_span.shifted(context.start_of_step(step))


def _marker_like(context: Context, first: Step, step: Step) -> str:
    """The marker of *step* as the list began: the same bullet, or its own number with the same end."""
    assert first.item is not None and step.item is not None
    if not first.item.is_ordered:
        return first.item.sign
    return (context.document.marker(step)[:-1] if step.item.is_ordered else "1") + first.item.sign


def check_anchors(context: Context) -> Iterator[Diagnostic]:
    """Links to headings of the same file that it does not have; most files have no links to their own headings."""
    if "(#" in context.document.text or ": #" in context.document.text:
        from workbench.model.checks.links import check_own_anchors  # noqa: PLC0415 - few need it

        yield from check_own_anchors(context)
