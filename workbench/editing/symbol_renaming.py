"""Another name for a variable, a playbook, a function or a tool, wherever it stands in the project."""

from __future__ import annotations

import keyword
from collections.abc import Sequence

from workbench.editing.commands import Refusal, RenamePlaybook
from workbench.editing.undoable import plan
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.search.across import FileUsages, Project
from workbench.search.files import FileEdits
from workbench.search.symbols import Symbol, SymbolKind, Usage, usages_of
from workbench.syntax.change import TextEdit
from workbench.syntax.expressions import NAME
from workbench.syntax.signatures import normalise_name

_NAME = regex(NAME)


def rename_symbol(project: Project, path: str, symbol: Symbol, new: str) -> tuple[FileEdits, ...] | Refusal:
    """What changes in which file when *symbol* of the file *path* is called *new*."""
    path, symbol = project.meant(path, symbol)
    written = new.strip()
    name = written.removeprefix("$") if symbol.kind is SymbolKind.VARIABLE else written
    found = project.usages(path, symbol)
    refusal = _refusal(found, symbol, name)
    if refusal is not None:
        return refusal
    changes: list[FileEdits] = []
    for each in found:
        edits = _edits(each, symbol, name, is_home=each.file.path == path)
        if isinstance(edits, Refusal):
            return edits
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
    if symbol.kind is SymbolKind.VARIABLE:
        agents = snapshot.program.agents
        return any(usages_of(snapshot, Symbol(SymbolKind.VARIABLE, name, agent.name)) for agent in agents)
    program = snapshot.program
    return program.playbook(name) is not None or program.function(name) is not None
