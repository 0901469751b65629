"""Another name for a variable, a playbook, a function or a tool, wherever it stands in the project."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from workbench.editing.commands import Refusal, RenamePlaybook
from workbench.editing.undoable import plan
from workbench.i18n import _
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot, derive
from workbench.model.step_facts import own_facts
from workbench.regex import regex
from workbench.search.across import FileUsages, Project
from workbench.search.files import FileEdits
from workbench.search.symbols import Symbol, SymbolKind, Usage, usages_of
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.expressions import NAME
from workbench.syntax.signatures import normalise_name

_NAME = regex(NAME)


def rename_symbol(project: Project, path: str, symbol: Symbol, new: str) -> tuple[FileEdits, ...] | Refusal:
    """What changes in which file when *symbol* of the file *path* is called *new*."""
    path, symbol = project.meant(path, symbol)
    written = new.strip()
    is_state = symbol.kind is SymbolKind.VARIABLE and not symbol.playbook
    name = written.removeprefix("$") if is_state else written
    found = project.usages(path, symbol)
    refusal = _refusal(found, symbol, name)
    if refusal is not None:
        return refusal
    changes: list[FileEdits] = []
    for each in found:
        edits = _edits(each, symbol, name, is_home=each.file.path == path)
        if isinstance(edits, Refusal):
            return edits
        changed = _first_changed(each, edits, symbol, name) if symbol.playbook and each.snapshot is not None else None
        if changed is not None:
            words = _("With another name, this step would mean something else: “{step}”. Change it in the source.")
            return Refusal("other-meaning", words.format(step=changed.text))
        changes.append(FileEdits(each.file, edits))
    return tuple(change for change in changes if change.edits)


def _edits(found: FileUsages, symbol: Symbol, name: str, *, is_home: bool) -> tuple[TextEdit, ...] | Refusal:
    if symbol.kind is not SymbolKind.PLAYBOOK:
        return _plain(found.usages, name)
    if not is_home or found.snapshot is None:
        return _plain(found.usages, normalise_name(name).name)
    first = found.snapshot.program.playbook(symbol.name)
    if not any(agent.name == symbol.agent and first in agent.playbooks for agent in found.snapshot.program.agents):
        words = _("Another agent has a playbook of this name, which is meant first. Change the name in the source.")
        return Refusal("another-first", words)
    planned = plan(found.snapshot, RenamePlaybook(symbol.name, name))
    return planned if isinstance(planned, Refusal) else planned.change.edits


def _first_changed(found: FileUsages, edits: tuple[TextEdit, ...], symbol: Symbol, name: str) -> Step | None:
    """The first step that would not set and read the same but for the *name*: words without ``$`` can mean anything."""
    assert found.snapshot is not None
    before, source = found.snapshot, found.file.source
    after = derive(source.with_text(TextChange(edits).apply(source.text)))
    names = {symbol.name: name}
    for (owner, step), (_owner, other) in zip(_steps(before), _steps(after), strict=False):
        if _said(step, names if owner == symbol.playbook else {}) != _said(other, {}):
            return step
    return None


def _steps(snapshot: Snapshot) -> Iterator[tuple[str, Step]]:
    for playbook in snapshot.program.playbooks:
        for section in playbook.sections:
            yield from ((playbook.name, step) for root in section.steps for step in root.walk())


def _said(step: Step, names: Mapping[str, str]) -> tuple[object, ...]:
    facts = own_facts(step)
    both = (facts.sets, facts.read_names, frozenset(call.target for _step, call in facts.calls))
    return step.kind, *(frozenset(names.get(each, each) for each in one) for one in both)


def _plain(usages: Sequence[Usage], name: str) -> tuple[TextEdit, ...]:
    return tuple(TextEdit(usage.span, name) for usage in usages)


def _refusal(found: Sequence[FileUsages], symbol: Symbol, name: str) -> Refusal | None:
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
    if any(_is_taken(each.snapshot, symbol, name) for each in found if each.snapshot is not None):
        return Refusal("name-taken", _("“{name}” already exists. Choose another name.").format(name=name))
    return None


def _is_taken(snapshot: Snapshot, symbol: Symbol, name: str) -> bool:
    if symbol.playbook:
        of_playbook = (one.parameters for one in snapshot.program.playbooks if one.name == symbol.playbook)
        is_parameter = any(each.name == name for parameters in of_playbook for each in parameters)
        return is_parameter or bool(usages_of(snapshot, replace(symbol, name=name)))
    if symbol.kind is SymbolKind.VARIABLE:
        agents = snapshot.program.agents
        return any(usages_of(snapshot, Symbol(SymbolKind.VARIABLE, name, agent.name)) for agent in agents)
    program = snapshot.program
    return program.playbook(name) is not None or program.function(name) is not None
