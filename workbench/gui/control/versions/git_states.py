"""What git has of the open file and of the files around it, looked at beside the window, again when it may differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication

from workbench.disk.files import absolute, is_there
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.file_watch import FileWatch

if TYPE_CHECKING:
    from workbench.disk.revisions import Digests, GitState
    from workbench.gui.control.document_controller import DocumentController
    from workbench.gui.control.project_controller import ProjectController

REST_MS = 250
_ENDINGS = (".md", ".markdown", ".pb", ".playbooks", ".pbasm", ".yaml", ".yml", ".json")
"""Of the names of files that can be playbooks."""


@dataclass(frozen=True, slots=True)
class GitView:
    """What git has. *base*: the text of the file *path* in the last commit; None where it has none, or nobody can tell.

    *states*: the files that differ from the last commit. *git_dir*: where git keeps it.
    """

    path: Path | None = None
    base: str | None = None
    states: Mapping[Path, GitState] = field(default_factory=dict)
    git_dir: Path | None = None


def git_view(path: Path | None, text: str, folder: Path | None, known: Digests) -> GitView:
    """What git has of the file *path*, which holds *text*, and of the files in *folder*. Starts nothing without a
    repository.
    """
    if not any(map(_is_in_repository, (path.parent if path is not None else None, folder))):
        return GitView(path)
    from workbench.disk.revisions import repository_of, states_in  # noqa: PLC0415 - it starts programs

    near = folder if folder is not None else path.parent if path is not None else None
    repository = repository_of(path.parent if path is not None else near) if near is not None else None
    states = states_in(near, _ENDINGS, known) if near is not None else {}
    return GitView(path, _base_of(path, text), states, repository.git_dir if repository is not None else None)


def _is_in_repository(folder: Path | None) -> bool:
    """Whether *folder* or one above it is a repository, by what lies there."""
    whole = absolute(folder) if folder is not None else None
    return whole is not None and any(is_there(each / ".git") for each in (whole, *whole.parents))


def _base_of(path: Path | None, text: str) -> str | None:
    from workbench.disk.revisions import is_kept_otherwise  # noqa: PLC0415 - it starts programs
    from workbench.errors import CannotRead  # noqa: PLC0415 - likewise
    from workbench.gui.control.versions.known_versions import committed_text  # noqa: PLC0415 - likewise

    if path is None:
        return None
    try:
        base = committed_text(path, text).text
    except CannotRead:
        return None
    return None if is_kept_otherwise(path) else base


class GitStates(QObject):
    """Looks again when a file was opened or saved, when the files of the project or those of git have changed, and
    when the window comes to the front.
    """

    states_changed = Signal()
    base_changed = Signal()

    def __init__(self, documents: DocumentController, project: ProjectController) -> None:
        super().__init__(documents)
        self._documents = documents
        self._project = project
        self._known: Digests = {}
        self._view = GitView()
        self._watch = FileWatch(self)
        self._work = BackgroundWork(self)
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(self._on_rested)
        self._work.done.connect(self._on_looked)
        self._watch.touched.connect(self._rest.start)
        documents.document_opened.connect(self._on_opened)
        documents.file_state_changed.connect(self.look)
        project.folder_changed.connect(self.look)
        project.index_changed.connect(self.look)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.applicationStateChanged.connect(self._on_application_state)
        self.look()

    @property
    def states(self) -> Mapping[Path, GitState]:
        """The files that differ from the last commit."""
        return self._view.states

    @property
    def base(self) -> str | None:
        """The text of the open file in the last commit; None where there is none, or it is not known yet."""
        path = self._documents.document.path
        return self._view.base if path is not None and path == self._view.path else None

    @Slot()
    def look(self) -> None:
        """Look again soon."""
        self._rest.start()

    @Slot()
    def _on_opened(self) -> None:
        """What is known is of another file."""
        self.base_changed.emit()
        self.look()

    @Slot(Qt.ApplicationState)
    def _on_application_state(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            self.look()

    @Slot()
    def _on_rested(self) -> None:
        documents = self._documents
        folder = Path(self._project.folder) if self._project.folder else None
        self._work.ask(partial(git_view, documents.document.path, documents.snapshot.text, folder, self._known))

    @Slot(object)
    def _on_looked(self, found: GitView) -> None:
        before, self._view = self._view, found
        if found.git_dir != before.git_dir:
            self._watch.watch(found.git_dir / "index" if found.git_dir is not None else None)
        if found.states != before.states:
            self.states_changed.emit()
        if (found.path, found.base) != (before.path, before.base):
            self.base_changed.emit()
