"""What the window does for the actions about versions: comparing the document with what it was, or another file."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication, QWidget

from workbench.disk.files import home_folder
from workbench.disk.outputs import write_file
from workbench.editing.keeping.states import states_beside, thin_out
from workbench.errors import WorkbenchError
from workbench.gui.control.background import Job
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.control.notices import Cause
from workbench.gui.control.versions.known_versions import (
    committed_version,
    other_file,
    revised_version,
    saved_version,
)
from workbench.gui.control.versions.version_control import Wanted
from workbench.gui.files import file_dialogs
from workbench.i18n import _
from workbench.settings import Settings

_AFTER_MS = 5_000

if TYPE_CHECKING:
    from workbench.disk.revisions import Revision
    from workbench.model.versions.differences import Differences


class HistoryRetention(QObject):
    """Keeps the local history within the limits of the settings: some time after the start, a save, or another limit.

    What is kept at most in any case is bounded where states are written.
    """

    def __init__(self, context: WindowContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._limits = _limits(context.settings.current)
        self._rest = QTimer(self, interval=_AFTER_MS, singleShot=True)
        self._rest.timeout.connect(self.look)
        context.settings.settings_changed.connect(self._on_settings_changed)
        context.documents.file_state_changed.connect(self._on_file_state_changed)
        self._wait()

    def _wait(self) -> None:
        if self._limits != _limits(Settings()):
            self._rest.start()

    @Slot(object)
    def _on_settings_changed(self, settings: Settings) -> None:
        """Whoever is choosing a number may come past others: nothing is removed before it rests."""
        if _limits(settings) != self._limits:
            self._limits = _limits(settings)
            self._rest.stop()
            self._wait()

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        if state.path is not None and not state.is_dirty and not self._rest.isActive():
            self._wait()

    @Slot()
    def look(self) -> None:
        """Remove what is above the limits, beside the window."""
        states = states_beside(self._context.places.edits_dir)
        Job(partial(thin_out, states, *self._limits, time.time_ns())).start()


def _limits(settings: Settings) -> tuple[int, int]:
    """For how many days, and how many of one file."""
    return settings.history_days, settings.history_states


class VersionActions(QObject):
    """Handles them; what takes time is done beside the window."""

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        context.actions.register("version.saved", self.compare_with_saved)
        context.actions.register("version.head", self.compare_with_commit)
        context.actions.register("version.revision", self.choose_revision)
        context.actions.register("version.file", self.choose_file)
        context.actions.register("version.history", self.show_history)
        context.actions.register("version.name", self.name_state)
        context.versions.comparison_requested.connect(self._on_requested)
        HistoryRetention(context, self)

    @property
    def _path(self) -> Path | None:
        return self._context.documents.document.path

    def compare_with_saved(self) -> None:
        """Show what differs from the saved file."""
        if self._path is not None:
            self._context.versions.compare(Wanted(saved_version(self._path)))

    def compare_with_commit(self) -> None:
        """Show what differs from the last commit."""
        if self._path is not None:
            text = self._context.documents.snapshot.text
            self._context.versions.compare(Wanted(committed_version(self._path, text)))

    def choose_revision(self) -> None:
        """Ask which revision is meant."""
        if self._path is not None:
            from workbench.gui.versions.revision_dialog import RevisionDialog  # noqa: PLC0415 - no start needs it

            dialog = RevisionDialog(self._path, self._window)
            dialog.chosen.connect(self._on_revision_chosen)
            dialog.open()

    @Slot(object)
    def _on_revision_chosen(self, revision: Revision) -> None:
        if self._path is not None:
            text = self._context.documents.snapshot.text
            self._context.versions.compare(Wanted(revised_version(self._path, revision, text)))

    def choose_file(self) -> None:
        """Ask which other file is meant."""
        folder = self._path.parent if self._path is not None else home_folder()
        other = file_dialogs.ask_file_to_compare(self._window, folder)
        if other is not None:
            self._context.versions.compare(Wanted(other_file(other)))

    def show_history(self) -> None:
        """Show what the file was."""
        from workbench.gui.versions.state_dialog import StateDialog  # noqa: PLC0415 - no start needs it

        StateDialog(self._context, self._window).show()

    def name_state(self) -> None:
        """Ask what the text as it is now is called, and keep it."""
        from workbench.gui.versions.state_dialog import ask_name  # noqa: PLC0415 - no start needs it

        ask_name(self._window, "", self._on_named)

    @Slot(str)
    def _on_named(self, name: str) -> None:
        from workbench.editing.keeping.states import keep_named, states_beside  # noqa: PLC0415 - no start needs it

        notices, documents = self._context.notices, self._context.documents
        if not name.strip():
            return
        try:
            states = states_beside(self._context.places.edits_dir)
            keep_named(states, self._path, documents.snapshot.source.encode(), name)
        except WorkbenchError as error:
            notices.report(error, Cause.OTHER_FILE)
        else:
            notices.settle(Cause.OTHER_FILE)
            notices.tell(_("This state is kept as “{name}”.").format(name=name))

    @Slot(object)
    def _on_requested(self, wanted: Wanted) -> None:
        from workbench.gui.versions.version_dialog import VersionDialog  # noqa: PLC0415 - no start needs it

        # a dialog that has to be answered first lets nobody use what lies below it
        dialog = VersionDialog(self._context, wanted, QApplication.activeModalWidget() or self._window)
        dialog.page_wanted.connect(self._on_page_wanted)
        dialog.show()

    @Slot(object, object)
    def _on_page_wanted(self, differences: Differences, names: tuple[str, str]) -> None:
        """Ask for a file and write down there what differs."""
        from workbench.pages.version_page import version_page  # noqa: PLC0415 - seldom wanted

        notices, path = self._context.notices, self._path
        folder = path.parent if path is not None else home_folder()
        stem = path.stem if path is not None else _("playbook")
        target = file_dialogs.ask_comparison_file(self._window, folder / _("{file} compared.html").format(file=stem))
        if target is None:
            return
        try:
            write_file(target, version_page(differences, names).encode("utf-8", "backslashreplace"))
        except WorkbenchError as error:
            notices.report(error, Cause.OTHER_FILE)
        else:
            notices.settle(Cause.OTHER_FILE)
            notices.tell(_("Saved as {name}.").format(name=target.name))
