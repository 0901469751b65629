"""The findings of the open document, looked for beside the window when typing rests."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from workbench.disk.files import is_in_project
from workbench.disk.places import Places
from workbench.gui.control.actions import ActionRegistry
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.document_controller import DocumentController
from workbench.gui.control.explaining.help_controller import HelpController
from workbench.gui.control.file_kinds import FileKinds, wanted_reading
from workbench.gui.control.notices import Notices
from workbench.gui.control.planning.goals import GoalController, GoalDocuments
from workbench.gui.control.project_controller import ProjectController
from workbench.gui.control.running.breakpoints import StepBreakpoints
from workbench.gui.control.running.pattern_recorder import PatternRecorder
from workbench.gui.control.running.run_controller import RunController
from workbench.gui.control.running.run_export import RunExport
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.control.running.run_ticker import RunTicker
from workbench.gui.control.running.shown_run import ShownRun
from workbench.gui.control.search.find_controller import FindController
from workbench.gui.control.search.link_opener import LinkOpener
from workbench.gui.control.search.trail import Trail
from workbench.gui.control.selection import SelectedSteps, SelectionController
from workbench.gui.control.settings_controller import SettingsController
from workbench.gui.control.tabs.open_tabs import OpenTabs
from workbench.gui.control.versions.git_states import GitStates
from workbench.gui.control.versions.version_control import VersionControl
from workbench.gui.look.theme_controller import ThemeController, looks_of
from workbench.model.snapshot import MISSING, Snapshot
from workbench.syntax.diagnostics import Diagnostic

if TYPE_CHECKING:  # loaded with the first project, and when somebody looks for something in it
    from workbench.disk.listing import ListedFolder
    from workbench.gui.control.looking.project_check import ProjectCheck
    from workbench.gui.control.search.names import NameController
    from workbench.gui.control.search.project_search import ProjectSearch
    from workbench.project.index import ProjectIndex

log = logging.getLogger(__name__)
_REST_MS = 180


class Diagnosis(QObject):
    """Says when there are findings to show; what they are is in the snapshot."""

    ready = Signal(object)  # Snapshot: the document as it is now

    def __init__(
        self,
        documents: DocumentController,
        settings: SettingsController,
        project: ProjectController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._documents = documents
        self._settings = settings
        self._seen: tuple[ListedFolder, ...] = ()
        self._stale: Snapshot | None = None
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._on_rested)
        self._background = BackgroundWork(self)
        self._background.done.connect(self._on_diagnosed)
        documents.document_changed.connect(self._on_changed)
        documents.document_opened.connect(self._on_changed)
        project.index_changed.connect(self._on_index_changed)

    def ask(self) -> None:
        """Say so once more, for somebody who was not there."""
        if self._documents.file_state.is_open:
            self._rest.start()

    @Slot(object)
    def _on_changed(self, _cause: object) -> None:
        self._rest.start()

    @Slot()
    def _on_rested(self) -> None:
        """Findings of a long file take longer than a keystroke may: the window goes on meanwhile."""
        snapshot, path = self._documents.snapshot, self._documents.file_state.path
        is_stale, self._stale = self._stale is snapshot and snapshot.is_looked_beside, None
        is_found = snapshot.is_diagnosed and (snapshot.is_looked_beside or not _asks_beside(snapshot, str(path or "")))
        if not is_stale and is_found:
            self.ready.emit(snapshot)
        else:
            opened, look = self._settings.current.project_folder, looked_again if is_stale else diagnosed
            self._background.ask(partial(look, snapshot, str(path or ""), opened))

    @Slot(object)
    def _on_index_changed(self, index: ProjectIndex) -> None:
        """Links lead elsewhere, and imports bring others, where files of the project have come, gone or changed."""
        if not index.is_whole or not index.folders or index.folders == self._seen:
            return
        is_first, self._seen = not self._seen, index.folders
        snapshot = self._documents.snapshot
        is_bound = snapshot.may_link_files or snapshot.may_import
        if not is_first and self._documents.file_state.is_open and is_bound:
            self._stale = snapshot
            self._rest.start()

    @Slot(object)
    def _on_diagnosed(self, snapshot: Snapshot) -> None:
        """Where typing has gone on, there will be another rest."""
        if snapshot is self._documents.snapshot:
            self.ready.emit(snapshot)


def looked_again(snapshot: Snapshot, path: str, opened: str) -> Snapshot:
    """*snapshot* with its findings about links and imports found anew, after files around it have changed."""
    if snapshot.may_import:
        kept = _findings_beside(snapshot, path)
    else:
        known = {(finding.code, finding.span) for finding in snapshot.diagnostics}
        own = snapshot.deriver.check(snapshot)
        kept = tuple(each for each in own if each.code not in MISSING or (each.code, each.span) in known)
    snapshot.look_again((*kept, *_link_findings(snapshot, path, opened), *_project_findings(snapshot, path)))
    return snapshot


def _findings_beside(snapshot: Snapshot, path: str) -> tuple[Diagnostic, ...]:
    from workbench.planning.lessons import findings_beside  # noqa: PLC0415 - loads the library, few files need it

    return findings_beside(snapshot, path)


def _link_findings(snapshot: Snapshot, path: str, opened: str) -> tuple[Diagnostic, ...]:
    from workbench.project.around import link_findings  # noqa: PLC0415 - most files link to no other

    return link_findings(snapshot, path, opened)


def _project_findings(snapshot: Snapshot, path: str) -> tuple[Diagnostic, ...]:
    if not path or not is_in_project(Path(path)):
        return ()
    from workbench.project.around import project_findings  # noqa: PLC0415 - few folders are projects

    return tuple(project_findings(snapshot, path))


def _asks_beside(snapshot: Snapshot, path: str) -> bool:
    return snapshot.may_link_files or snapshot.asks_beside or (bool(path) and is_in_project(Path(path)))


def diagnosed(snapshot: Snapshot, path: str, opened: str = "") -> Snapshot:
    """*snapshot*, a file at *path*, with its findings found, also those that follow from the files around it.

    *opened*: the folder that is shown as the project.
    """
    found = snapshot.diagnostics
    if snapshot.asks_beside:
        found = _findings_beside(snapshot, path)
    if snapshot.may_link_files:
        found = (*found, *_link_findings(snapshot, path, opened))
    if _asks_beside(snapshot, path):
        snapshot.look_beside((*found, *_project_findings(snapshot, path)))
    log.debug("Found %d findings in revision %d", len(snapshot.diagnostics), snapshot.revision)
    return snapshot


@dataclass(frozen=True)
class WindowContext:
    """The controllers of one window. Panes know these, and never each other."""

    documents: DocumentController
    tabs: OpenTabs
    diagnosis: Diagnosis
    selection: SelectionController
    runs: RunController
    shown: ShownRun
    breakpoints: StepBreakpoints
    theme: ThemeController
    settings: SettingsController
    project: ProjectController
    links: LinkOpener
    places: Places
    actions: ActionRegistry
    notices: Notices
    recorder: PatternRecorder
    export: RunExport
    ticker: RunTicker
    kinds: FileKinds
    find: FindController
    trail: Trail

    @cached_property
    def versions(self) -> VersionControl:
        """What the document is compared with."""
        return VersionControl(self.documents)

    @cached_property
    def git(self) -> GitStates:
        """What git has of the document and of the files around it."""
        return GitStates(self.documents, self.project)

    @cached_property
    def search(self) -> ProjectSearch:
        """What stands in the files of the project; made when it is first wanted."""
        from workbench.gui.control.search.project_search import ProjectSearch  # noqa: PLC0415 - no start needs it

        return ProjectSearch(self.documents, self.project, self.notices, self.trail)

    @cached_property
    def names(self) -> NameController:
        """Where names are defined and used; made when it is first wanted."""
        from workbench.gui.control.search.names import NameController  # noqa: PLC0415 - likewise

        return NameController(self.documents, self.selection, self.project, self.trail, self.notices)

    @cached_property
    def checks(self) -> ProjectCheck:
        """What is doubtful in all files of the project; made when it is first wanted, for both sides of a window."""
        from workbench.gui.control.looking.project_check import ProjectCheck  # noqa: PLC0415 - likewise

        known = self.project.findChild(ProjectCheck)
        return known or ProjectCheck(self.project, self.settings, self.places)

    @cached_property
    def goals(self) -> GoalController:
        """The goals of the window, from which playbooks are made."""
        made = GoalDocuments(self.documents, self.tabs, self.places.edits_dir)
        return GoalController(self.runs, self.shown, made, self.runs)

    @cached_property
    def help(self) -> HelpController:
        """Where explanations are asked for."""
        return HelpController()

    def leave_search(self) -> None:
        """Look for nothing any more, in the document and in the project."""
        self.find.stop()
        if "search" in self.__dict__:
            self.search.leave()


def _theme(settings: SettingsController, parent: QObject | None) -> ThemeController:
    theme = ThemeController(looks_of(settings.current), parent)
    settings.settings_changed.connect(theme.take_settings)
    return theme


def _actions(settings: SettingsController, notices: Notices, parent: QObject | None) -> ActionRegistry:
    actions = ActionRegistry(notices, parent)
    actions.take_settings(settings.current)
    settings.settings_changed.connect(actions.take_settings)
    return actions


def window_context(places: Places, parent: QObject | None = None, beside: WindowContext | None = None) -> WindowContext:
    """Fresh controllers in *places*, owned by *parent*. *beside*: those of the other side, with the same settings."""
    settings = SettingsController(places, parent) if beside is None else beside.settings
    documents = DocumentController(places.edits_dir, parent, partial(wanted_reading, settings))
    project = ProjectController(documents, settings, places, parent) if beside is None else beside.project
    selection, notices = SelectionController(parent, documents.catch_up), Notices(parent)
    _kept, runs = SelectedSteps(selection, documents), RunController(documents, settings, RunHost(places), parent)
    shown, trail = ShownRun(runs, documents, parent), Trail(documents, selection, notices, parent)
    return WindowContext(
        documents=documents,
        tabs=OpenTabs(documents, parent),
        diagnosis=Diagnosis(documents, settings, project, parent),
        selection=selection,
        runs=runs,
        shown=shown,
        breakpoints=StepBreakpoints(documents, runs, shown, notices, places.breakpoints_file),
        ticker=RunTicker(runs, shown, documents, parent),
        theme=_theme(settings, parent) if beside is None else beside.theme,
        settings=settings,
        project=project,
        links=LinkOpener(documents, selection, project, notices, trail),
        trail=trail,
        places=places,
        actions=_actions(settings, notices, parent),
        notices=notices,
        recorder=PatternRecorder(runs, notices, places, parent),
        export=RunExport(runs, settings, notices, parent),
        kinds=FileKinds(documents, settings, notices, parent),
        find=FindController(documents, selection, notices, parent),
    )
