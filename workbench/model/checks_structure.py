"""Findings about headings, sections and names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from workbench.i18n import _
from workbench.model.meaning import StepKind
from workbench.model.program import Playbook, Section, SectionKind, Step
from workbench.model.queries import Queries
from workbench.model.structure import PlacedPlaybook, section_kind
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.diagnostics import Diagnostic, Fix, Severity
from workbench.syntax.signatures import normalise_name, parse_signature
from workbench.syntax.text import Span, TextEdit

_TITLES = {SectionKind.TRIGGERS: "Triggers", SectionKind.STEPS: "Steps", SectionKind.NOTES: "Notes"}


def check_structure(document: Queries) -> Iterator[Diagnostic]:
    """All findings of this kind."""
    yield from _no_heading(document)
    headings = [
        (block, document.block_starts[index])
        for index, block in enumerate(document.blocks)
        if block.kind is BlockKind.HEADING
    ]
    for block, start in headings:
        yield from _section_heading(block, start)
    yield from _agent_names(document, {id(block): start for block, start in headings})
    is_language = any(
        section.heading is not None and section.kind is not SectionKind.OTHER
        for playbook in document.program.playbooks
        for section in playbook.sections
    )
    yield from _playbook_names(document)
    for placed in document.structure.placed:
        yield from _sections(document, placed, is_language=is_language)


def _no_heading(document: Queries) -> Iterator[Diagnostic]:
    """A file in which nothing has a name."""
    if any(block.kind is BlockKind.HEADING for block in document.blocks):
        return
    if not document.text.strip():
        message = _("This file is empty. A playbook begins with a heading, such as # Help desk.")
        yield Diagnostic("empty-file", Severity.ERROR, message, Span(0, 0), (_first_headings(document),))
        return
    message = _("This file has no heading, so nothing in it can be called or run by name. Add # and ## headings.")
    yield Diagnostic(
        "no-heading", Severity.ERROR, message, Span(0, len(_first_line(document.text))), (_first_headings(document),)
    )


def _first_headings(document: Queries) -> Fix:
    end = line_end(document.text)
    insert = end.join(["# Playbook", "", "## Main", "### Steps", ""])
    return Fix(_("Add headings"), (TextEdit(Span(0, 0), insert),))


def _first_line(text: str) -> str:
    lines = text.splitlines()
    return lines[0] if lines else ""


def line_end(text: str) -> str:
    """The line end that *text* uses first."""
    at = text.find("\n")
    if at < 0:
        return "\r" if "\r" in text else "\n"
    return "\r\n" if text[at - 1 : at] == "\r" else "\n"


def _section_heading(block: Block, start: int) -> Iterator[Diagnostic]:
    """Section headings that other tools do not recognise: singular, with a colon, one level too high."""
    kind = section_kind(block.title)
    if kind is SectionKind.OTHER or block.level > 3 or block.level < 2:
        return
    wanted = _TITLES[kind]
    if block.level == 3 and block.title.lower() == wanted.lower():
        return
    at = block.text.index(block.title)
    edits = (TextEdit(Span(start, start + at + len(block.title)), f"### {wanted}"),)
    message = _("Other tools do not recognise this heading. It is read as ### {name}.").format(name=wanted)
    fix = Fix(_("Write ### {name}").format(name=wanted), edits, is_safe=True)
    yield Diagnostic("section-heading", Severity.WARNING, message, _line_span(block, start), (fix,))


def _line_span(block: Block, start: int) -> Span:
    return Span(start, start + len(block.text.rstrip()))


def _agent_names(document: Queries, starts: dict[int, int]) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for agent in document.program.agents:
        if agent.heading is None:
            continue
        span = _line_span(agent.heading, starts[id(agent.heading)])
        problem = normalise_name(agent.title).problem
        if problem:
            yield Diagnostic(problem, Severity.INFO, _name_message(problem, agent.name), span)
        if agent.name in seen:
            message = _("There is already an agent called {name}. Calls go to the first one.").format(name=agent.name)
            yield Diagnostic("duplicate-agent", Severity.ERROR, message, span)
        seen.add(agent.name)


def _name_message(problem: str, name: str) -> str:
    return {
        "name-empty": _("This heading has no letters to make a name from. Calls use {name}."),
        "name-characters": _("Some characters of this heading cannot stand in a name. Calls use {name}."),
        "name-starts-with-digit": _("A name cannot begin with a digit in other tools. Calls use {name}."),
    }.get(problem, _("Calls use the name {name}.")).format(name=name)


def _playbook_names(document: Queries) -> Iterator[Diagnostic]:
    for agent in document.program.agents:
        seen: set[str] = set()
        for playbook in agent.playbooks:
            placed = next(one for one in document.structure.placed if one.playbook is playbook)
            if playbook.heading is None or playbook.is_implied:
                continue
            span = _line_span(playbook.heading, document.block_starts[placed.start])
            for problem in parse_signature(playbook.title).problems:
                yield Diagnostic(problem, Severity.INFO, _name_message(problem, playbook.name), span)
            if playbook.name in seen:
                message = _("There is already a playbook called {name} here. Calls and runs use the first one.")
                yield Diagnostic("duplicate-playbook", Severity.ERROR, message.format(name=playbook.name), span)
            seen.add(playbook.name)


def _sections(document: Queries, placed: PlacedPlaybook, *, is_language: bool) -> Iterator[Diagnostic]:
    playbook = placed.playbook
    checks: Iterable[Callable[[Queries, Playbook], Iterator[Diagnostic]]] = (_bare_steps, _text_among_steps)
    if is_language:
        for one in checks:
            yield from one(document, playbook)
    for section in playbook.sections:
        if section.kind is SectionKind.STEPS and section.heading is not None and not section.steps:
            span = _heading_span(document, placed, section)
            message = _("This playbook has no steps yet. Running it does nothing.")
            yield Diagnostic("no-steps", Severity.INFO, message, span)


def _heading_span(document: Queries, placed: PlacedPlaybook, section: Section) -> Span:
    index = next(i for i in range(placed.start, placed.stop) if document.blocks[i] is section.heading)
    return _line_span(document.blocks[index], document.block_starts[index])


def _bare_steps(document: Queries, playbook: Playbook) -> Iterator[Diagnostic]:
    """Steps directly under a playbook, which other tools do not execute."""
    section = next((one for one in playbook.sections if one.kind is SectionKind.STEPS), None)
    if section is None or section.heading is not None or not section.steps:
        return
    first = section.steps[0]
    start = document.block_start(first.id)
    insert = f"### Steps{line_end(document.text)}"
    fix = Fix(_("Add ### Steps above"), (TextEdit(Span(start, start), insert),), is_safe=True)
    message = _("These steps stand directly under the playbook. Other tools need ### Steps above them.")
    yield Diagnostic("steps-without-heading", Severity.WARNING, message, document.head_span(first.id), (fix,))


def _text_among_steps(document: Queries, playbook: Playbook) -> Iterator[Diagnostic]:
    """Paragraphs in a list of steps, which other tools drop together with what follows."""
    for section in playbook.sections:
        if section.kind is not SectionKind.STEPS:
            continue
        for step in section.steps:
            if step.kind is StepKind.RAW and step.block.kind is BlockKind.PARAGRAPH:
                yield _text_finding(document, section, step)


def _text_finding(document: Queries, section: Section, step: Step) -> Diagnostic:
    start = document.block_start(step.id)
    span = _line_span(step.block, start)
    message = _("This text stands among the steps. It is shown and kept, but not carried out; other tools drop it.")
    words = " ".join(step.text.split())
    edits = (TextEdit(span, f"- {words}"),)
    return Diagnostic("text-among-steps", Severity.INFO, message, span, (Fix(_("Make it a step"), edits),))
