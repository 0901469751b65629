"""Another name for a variable, a playbook, a function or a tool, wherever it stands in the project."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from workbench.editing.commands import Refusal, RenamePlaybook
from workbench.editing.undoable import plan
from workbench.i18n import _
from workbench.model.links import anchor_span, is_named_as_ours, loose_anchor, moved_anchors, targets_of
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot, derive
from workbench.model.step_facts import own_facts
from workbench.project.index import joined_path, wiki_name
from workbench.regex import regex
from workbench.search.across import FileUsages, Meanings, Project
from workbench.search.files import FileEdits
from workbench.search.symbols import Symbol, SymbolKind, usages_of
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.expressions import NAME
from workbench.syntax.links import WIKIS
from workbench.syntax.signatures import normalise_name
from workbench.syntax.text import Span

_NAME = regex(NAME)


def rename_symbol(project: Project, path: str, symbol: Symbol, new: str) -> tuple[FileEdits, ...] | Refusal:
    """What changes in which file when *symbol* of the file *path* is called *new*."""
    path, symbol = project.meant(path, symbol)
    written = new.strip()
    is_state = symbol.kind is SymbolKind.VARIABLE and not symbol.playbook
    name = written.removeprefix("$") if is_state else written
    found = project.usages(path, symbol)
    programs = project.meanings(path, symbol)
    refusal = _refusal(found, programs, symbol, name)
    if refusal is not None:
        return refusal
    edits = _edits(project, found, (path, symbol), name)
    if isinstance(edits, Refusal):
        return edits
    changed = _first_changed(project, programs, (path, symbol), edits, name) if symbol.playbook else None
    if changed is not None:
        words = _("With another name, this step would mean something else: “{step}”. Change it in the source.")
        return Refusal("other-meaning", words.format(step=changed.text))
    if symbol.kind is not SymbolKind.TOOL:
        edits = _with_links(project, edits)
    return tuple(FileEdits(project.files[each], edits[each]) for each in edits if edits[each])


Edits = dict[str, tuple[TextEdit, ...]]
"""By the path of a file."""


def _edits(project: Project, found: Sequence[FileUsages], meant: tuple[str, Symbol], name: str) -> Edits | Refusal:
    path, symbol = meant
    called = normalise_name(name).name if symbol.kind is SymbolKind.PLAYBOOK else name
    edits = {each.file.path: {usage.span: TextEdit(usage.span, called) for usage in each.usages} for each in found}
    if symbol.kind is not SymbolKind.PLAYBOOK:
        return {at: tuple(each.values()) for at, each in edits.items()}
    planned = _planned(project.snapshot(path), symbol, name)
    if isinstance(planned, Refusal):
        return planned
    edits[path] = {each.span: each for each in planned}
    for program, joined in project.meanings(path, symbol):
        planned = _planned(program.snapshot, joined, name)
        if isinstance(planned, Refusal):
            return planned
        for edit in planned:
            origin = program.origin(edit.span)
            if origin is not None:  # what is said to a playbook of another file is known only where both are
                at, span = origin
                others = {each: known for each, known in edits.get(at, {}).items() if not _overlap(each, span)}
                edits[at] = others | {span: TextEdit(span, edit.insert)}
    return {at: tuple(sorted(each.values(), key=lambda one: one.span)) for at, each in edits.items()}


def _with_links(project: Project, edits: Edits) -> Edits:
    """*edits*, and what follows in links to headings that are written anew."""
    found = dict(edits)
    for path in [each for each in edits if is_named_as_ours(each) and edits[each]]:
        before, source = project.snapshot(path), project.files[path].source
        after = derive(source.with_text(TextChange(edits[path]).apply(source.text)))
        moved = moved_anchors(before.blocks, after.blocks)
        for other, file in project.files.items() if moved else ():
            if is_named_as_ours(other) and any(f"#{anchor}" in file.text.lower() for anchor in moved):
                links = tuple(_in_links(project, other, path, moved))
                found[other] = tuple(sorted((*found.get(other, ()), *links), key=lambda each: each.span))
    return found


def _in_links(project: Project, path: str, goal: str, moved: Mapping[str, str]) -> Iterator[TextEdit]:
    """What changes in the links of the file *path* to headings of *goal*. *moved*: by the old anchor, the new one."""
    snapshot = project.snapshot(path)
    for link in targets_of(snapshot):
        anchor = moved.get(loose_anchor(link.anchor)) if link.anchor else None
        target = joined_path(path, link.path) if link.path else path
        if link.path and link.form in WIKIS:
            target = goal if wiki_name(f"{link.path}.md") == wiki_name(goal) else ""
        span = anchor_span(link, snapshot.text)
        if anchor is not None and target == goal and len(span):
            yield TextEdit(span, anchor)


def _overlap(one: Span, other: Span) -> bool:
    return one == other or (one.start < other.end and other.start < one.end)


def _planned(snapshot: Snapshot, symbol: Symbol, name: str) -> Sequence[TextEdit] | Refusal:
    owners = (agent for agent in snapshot.program.agents if agent.name == symbol.agent)
    meant = next(filter(None, (agent.playbook(symbol.name) for agent in owners)), None)
    planned = plan(snapshot, RenamePlaybook(meant.address if meant is not None else symbol.name, name))
    return planned if isinstance(planned, Refusal) else planned.change.edits


def _first_changed(
    project: Project, programs: Meanings, meant: tuple[str, Symbol], edits: Edits, name: str
) -> Step | None:
    """The first step that would not set and read the same but for the *name*: words without ``$`` can mean anything."""
    path, symbol = meant
    source = project.files[path].source
    alone = source.with_text(TextChange(edits.get(path, ())).apply(source.text))
    both = [(project.snapshot(path), derive(alone), symbol)]
    both += [(program.snapshot, program.after(edits), joined) for program, joined in programs]
    for before, after, known in both:
        for (owner, step), (_owner, other) in zip(_steps(before), _steps(after), strict=False):
            names = {known.name: name} if owner == (known.agent, known.playbook) else {}
            if _said(step, names) != _said(other, {}):
                return step
    return None


def _steps(snapshot: Snapshot) -> Iterator[tuple[tuple[str, str], Step]]:
    for agent in snapshot.program.agents:
        for playbook in agent.playbooks:
            for section in playbook.sections:
                yield from (((agent.name, playbook.name), step) for root in section.steps for step in root.walk())


def _said(step: Step, names: Mapping[str, str]) -> tuple[object, ...]:
    facts = own_facts(step)
    both = (facts.sets, facts.read_names, frozenset(call.target for _step, call in facts.calls))
    return step.kind, *(frozenset(names.get(each, each) for each in one) for one in both)


def _refusal(found: Sequence[FileUsages], programs: Meanings, symbol: Symbol, name: str) -> Refusal | None:
    if not found:
        return Refusal("unknown", _("There is nothing called “{name}” here.").format(name=symbol.written))
    if name == symbol.name:
        return Refusal("same-name", _("It is called so already."))
    is_defined = any(usage.is_definition for each in found for usage in each.usages)
    if symbol.kind is SymbolKind.TOOL and not is_defined:
        words = _("“{name}” is not defined in this project, so it cannot get another name here.")
        return Refusal("defined-elsewhere", words.format(name=symbol.name))
    if symbol.kind is SymbolKind.PLAYBOOK:
        return None
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        return Refusal("no-name", _("A name is one word of letters, digits and “_”, and does not begin with a digit."))
    is_tool = symbol.kind is SymbolKind.TOOL
    known = [(each.snapshot, symbol) for each in (found if is_tool else found[:1]) if each.snapshot is not None]
    known += [(program.snapshot, joined) for program, joined in programs]
    if any(_is_taken(snapshot, meant, name) for snapshot, meant in known):
        return Refusal("name-taken", _("“{name}” already exists. Choose another name.").format(name=name))
    return None


def _is_taken(snapshot: Snapshot, symbol: Symbol, name: str) -> bool:
    if symbol.playbook:
        of_playbook = (one.parameters for one in snapshot.program.playbooks if one.name == symbol.playbook)
        is_parameter = any(each.name == name for parameters in of_playbook for each in parameters)
        return is_parameter or bool(usages_of(snapshot, replace(symbol, name=name)))
    if symbol.kind is SymbolKind.VARIABLE:  # that of another agent is another one
        return bool(usages_of(snapshot, replace(symbol, name=name)))
    program = snapshot.program
    return program.playbook(name) is not None or program.function(name) is not None
