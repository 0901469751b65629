"""What has a name at the caret, or in the selected step: where it is defined and used, in the whole project."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from workbench.disk.files import real_path
from workbench.editing.commands import Refusal
from workbench.editing.symbol_renaming import rename_symbol
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.document_controller import DocumentController
from workbench.gui.control.notices import Notices
from workbench.gui.control.project_controller import ProjectController
from workbench.gui.control.search.trail import Trail
from workbench.gui.control.selection import SelectionController
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.project.targets import project_of
from workbench.regex import regex
from workbench.search.across import FileUsages, Project
from workbench.search.files import FileEdits
from workbench.search.symbols import Symbol, symbol_at, usages_of
from workbench.syntax.expressions import NAME

_WORD = regex(rf"\$?{NAME}")


@dataclass(frozen=True)
class ProjectUsages:
    """Where *symbol* of the file *path* stands in the files of the folder *root*."""

    root: Path
    path: str
    symbol: Symbol
    project: Project
    files: tuple[FileUsages, ...] = ()
    is_for_definition: bool = False


@dataclass(frozen=True)
class PlannedRenaming:
    """What changes in the folder *root* when *symbol* is called *new*."""

    root: Path
    symbol: Symbol
    new: str
    changes: tuple[FileEdits, ...]


@dataclass(frozen=True)
class LeftBehind:
    """What is to change in other files; None where nothing is."""

    planned: PlannedRenaming | None


class NameController(QObject):
    """Looks where a name stands, beside the window, since it may read the whole project."""

    usages_found = Signal(object)  # ProjectUsages
    renaming_planned = Signal(object)  # PlannedRenaming
    left_behind = Signal(object)  # PlannedRenaming of the files that say the old name of what was renamed here

    def __init__(
        self,
        documents: DocumentController,
        selection: SelectionController,
        project: ProjectController,
        trail: Trail,
        notices: Notices,
    ) -> None:
        super().__init__(trail)
        self._documents = documents
        self._selection = selection
        self._project = project
        self._trail = trail
        self._notices = notices
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_found)

    @property
    def symbol(self) -> Symbol | None:
        """What is named at the caret, else first in the selected step."""
        snapshot, caret = self._documents.snapshot, self._selection.caret
        found = symbol_at(snapshot, caret.start)
        steps = [step for step in self._selection.selected[:1] if snapshot.has(step)]
        if found is not None or not steps:
            return found
        words = snapshot.text_span(steps[0])
        places = (match.start() for match in _WORD.finditer(snapshot.text, words.start, words.end))
        named = (symbol_at(snapshot, place) for place in places)
        return next((each for each in named if each is not None), None)

    def go_to_definition(self) -> None:
        """Show where it is defined; where that is elsewhere, once it is known."""
        symbol = self.symbol
        if symbol is None:
            self._tell_nothing()
        else:
            self.show_definition(symbol)

    def show_definition(self, symbol: Symbol) -> None:
        """Show where *symbol* is defined; where that is elsewhere, once it is known."""
        here = [usage for usage in usages_of(self._documents.snapshot, symbol) if usage.is_definition]
        if here:
            self._trail.go_to(here[0].span)
        else:
            self._look(symbol, is_for_definition=True)

    def list_usages(self) -> None:
        """Tell all places, once they are known."""
        symbol = self.symbol
        if symbol is None:
            self._tell_nothing()
        else:
            self._look(symbol)

    def plan_renaming(self, symbol: Symbol, new: str) -> None:
        """Work out what changes when *symbol* is called *new*, and tell it, or why that cannot be."""
        self._work.ask(partial(_planned, *self._scope(), (symbol, new)))

    def look_elsewhere(self, before: Snapshot, symbol: Symbol, new: str) -> None:
        """Tell which other files call *symbol*, which had this name in the open document as it was *before*."""
        if self._documents.document.path is not None:
            self._work.ask(partial(_left_behind, *self._scope(before), (symbol, new)))

    def _tell_nothing(self) -> None:
        self._notices.tell(_("There is no variable, playbook or tool here."))

    def _scope(self, snapshot: Snapshot | None = None) -> tuple[Path, str, Project]:
        """The folder of the project, the path of the open document in it, and its files with the text as it is now.

        *snapshot*: what is taken in place of the document.
        """
        file, source = self._documents.document.path, (snapshot or self._documents.snapshot).source
        if file is None:
            return Path(), "", Project.alone(source)
        root = real_path(project_of(file, self._project.folder))
        path = real_path(file).relative_to(root).as_posix()
        return root, path, Project(root, {path: source})

    def _look(self, symbol: Symbol, *, is_for_definition: bool = False) -> None:
        root, path, project = self._scope()
        wanted = ProjectUsages(root, path, symbol, project, is_for_definition=is_for_definition)
        self._work.ask(partial(_found, wanted))

    @Slot(object)
    def _on_found(self, found: ProjectUsages | PlannedRenaming | LeftBehind | Refusal) -> None:
        if isinstance(found, LeftBehind):
            if found.planned is not None:
                self.left_behind.emit(found.planned)
        elif isinstance(found, Refusal):
            self._notices.refuse(found)
        elif isinstance(found, PlannedRenaming):
            self.renaming_planned.emit(found)
        elif not found.is_for_definition:
            self.usages_found.emit(found)
        else:
            self._go(found)

    def _go(self, found: ProjectUsages) -> None:
        places = [(each, usage) for each in found.files for usage in each.usages if usage.is_definition]
        if not places:
            words = _("“{name}” is not defined in this project: it is a tool of the workbench or of a server.")
            self._notices.tell(words.format(name=found.symbol.written))
            return
        file, usage = places[0]
        self._trail.go_to(usage.span, found.root / file.file.path if file.file.path else None)


def _planned(root: Path, path: str, project: Project, names: tuple[Symbol, str]) -> PlannedRenaming | Refusal:
    changes = rename_symbol(project, path, *names)
    return changes if isinstance(changes, Refusal) else PlannedRenaming(root, *names, changes)


def _left_behind(root: Path, path: str, project: Project, names: tuple[Symbol, str]) -> LeftBehind:
    changes = rename_symbol(project, path, *names)
    others = () if isinstance(changes, Refusal) else tuple(each for each in changes if each.path != path)
    return LeftBehind(PlannedRenaming(root, *names, others) if others else None)


def _found(wanted: ProjectUsages) -> ProjectUsages:
    files = wanted.project.usages(wanted.path, wanted.symbol)
    return replace(wanted, files=files)
