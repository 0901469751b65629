"""Takes patterns in from files and gives them out, from the window; and copies the library once a day."""

from __future__ import annotations

import threading
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QWidget

from workbench.disk.atomic import replace_private_file
from workbench.disk.files import is_folder
from workbench.disk.outputs import write_file
from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.i18n import _, ngettext, numeral
from workbench.library.exchange import ImportReport, export_bytes, export_patterns, import_patterns
from workbench.library.skills.importing import import_skills
from workbench.library.store import PatternStore, back_up_when_due

_FIRST_LOOK_MS = 30_000
_NEXT_LOOK_MS = 3_600_000
_NOTICES = 3  # in one line; the terminal says all of them


class PatternExchange(QObject):
    """The actions that import and export. ``changed`` comes after something was taken in."""

    changed = Signal()

    def __init__(self, context: WindowContext, store: PatternStore, parent: QWidget) -> None:
        super().__init__(parent)
        self.store = store
        self._notices = context.notices
        self._window = parent
        self.actions = (
            self._action(_("Export all…"), self.ask_file_to_export),
            self._action(_("Import…"), self.ask_file_to_import),
            self._action(_("Import skills…"), self.ask_folder_of_skills),
        )

    def _action(self, text: str, slot: object) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(slot)
        return action

    @Slot()
    def ask_file_to_export(self) -> None:
        """Write all patterns to a file that the person chooses."""
        name, _filter = QFileDialog.getSaveFileName(
            self._window, _("Export patterns"), "playbook.json", _("Patterns (*.json)")
        )
        if name:
            self.export_to(Path(name))

    @Slot()
    def ask_file_to_import(self) -> None:
        """Take in a published file that the person chooses."""
        name, _filter = QFileDialog.getOpenFileName(
            self._window, _("Import patterns"), "", _("Patterns (*.json);;All files (*)")
        )
        if name:
            self.import_from(Path(name))

    @Slot()
    def ask_folder_of_skills(self) -> None:
        """Take in the skills in a folder that the person chooses."""
        name = QFileDialog.getExistingDirectory(self._window, _("Import skills from a folder"))
        if name:
            self.import_from(Path(name))

    def export_to(self, path: Path) -> None:
        """Write all patterns to *path*."""
        try:
            entries = self.store.patterns()
            write_file(path, export_bytes(export_patterns(entries)), replace_private_file)
        except WorkbenchError as error:
            self._notices.report(error, Cause.OTHER_FILE)
            return
        self._notices.settle(Cause.OTHER_FILE)
        text = ngettext("Wrote {count} pattern to “{path}”.", "Wrote {count} patterns to “{path}”.", len(entries))
        self._notices.tell(text.format(path=path))

    def import_from(self, path: Path) -> None:
        """Take in the published file *path*, or the skills in the folder *path*."""
        try:
            report = import_skills(self.store, path) if is_folder(path) else import_patterns(self.store, path)
        except WorkbenchError as error:
            self._notices.report(error, Cause.OTHER_FILE)
            return
        self._notices.settle(Cause.OTHER_FILE)
        self._notices.tell(report_text(report))
        self.changed.emit()


def report_text(report: ImportReport) -> str:
    """What an import did, in one line."""
    text = " ".join((report.words, *report.noticed[:_NOTICES]))
    if not report.skipped:
        return text
    number, reason = report.skipped[0]
    left_out = _("{count} left out, the first is number {number}: {reason}.")
    count = numeral(len(report.skipped))
    return text + " " + left_out.format(count=count, number=number, reason=reason.rstrip("."))


def _back_up(path: Path) -> None:
    """One copy, where one is due, over a connection of its own."""
    store = PatternStore(path)
    try:
        back_up_when_due(store)
    finally:
        store.close()


class DailyBackup(QObject):
    """Looks half a minute after the start, then every hour, whether a copy is due."""

    def __init__(self, path: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._path = path
        self.thread_of_copy: threading.Thread | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(_FIRST_LOOK_MS)

    @Slot()
    def look(self) -> None:
        """Copy the library when the last copy is more than a day old."""
        self._timer.setInterval(_NEXT_LOOK_MS)
        # a copy that is cut off by the end of the program is made again the next time
        self.thread_of_copy = threading.Thread(target=_back_up, args=(self._path,), name="patterns-backup", daemon=True)
        self.thread_of_copy.start()
