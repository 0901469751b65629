"""Findings about headings: files without any, and sections that other tools do not recognise."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from workbench.i18n import _
from workbench.model.checks.context import Context, error, line_end, line_span, replacement, safe_replacement, warning
from workbench.model.markdown.structure import section_kind
from workbench.model.program import SectionKind
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.text import Span, split_lines

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


def _no_heading(context: Context) -> Diagnostic:
    """A file in which nothing has a name."""
    text = context.document.text
    if not text.strip():
        message = _("This file is empty. A playbook begins with a heading, such as # Help desk.")
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
    fix = safe_replacement(_("Write ### {name}").format(name=wanted), _words(block, start), f"### {wanted}")
    yield warning("section-heading", message, line_span(block, start), fix)


def _words(block: Block, start: int) -> Span:
    """The marks and the title of a heading; all of its words where a comment stands inside the title."""
    at = block.text.find(block.title)
    return Span(start, start + at + len(block.title)) if at >= 0 else line_span(block, start)


def _nearly_a_section(block: Block, start: int) -> Iterator[Diagnostic]:
    """``### Stpes``: a heading that begins no section and was probably meant to."""
    if block.kind is not BlockKind.HEADING or block.level != 3 or section_kind(block.title) is not SectionKind.OTHER:
        return
    near = get_close_matches(block.title.lower().rstrip(":"), ["triggers", "steps", "notes"], 1, 0.7)
    if near:
        name = near[0].capitalize()
        message = _("This heading begins no section, so what stands below it is ignored. Did you mean ### {name}?")
        fix = replacement(_("Write ### {name}").format(name=name), _words(block, start), f"### {name}")
        yield warning("unknown-section", message.format(name=name), line_span(block, start), fix)
