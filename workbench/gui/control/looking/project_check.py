"""What is doubtful in all playbooks of the open folder: found by a program of its own, so that nobody waits for it.

Python of this process could only do it between the keys of the person, for there is one lock for all of its threads.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QSignalBlocker, QTimer, Signal, Slot

from workbench.disk.places import Places
from workbench.gui.control.background import BackgroundWork, Job
from workbench.gui.control.project_controller import ProjectController
from workbench.gui.control.settings_controller import SettingsController
from workbench.i18n import language
from workbench.project.checked import (
    Checked,
    Checks,
    Stamps,
    checked_by_the_way,
    checked_in,
    found_in,
    keep_checks,
    kept_checks,
    unchecked,
)
from workbench.project.index import MOST_EARLIER, ProjectIndex, Told
from workbench.settings import Settings

REST_MS = 1_500
FIRST_MS = 50
"""After which what was kept is shown."""
_TOLD_MS = 500
_PATIENCE_MS = 5_000
_UNREADABLE = 2  # how the program ends where it could read some of the files
_ARGUMENTS = ("check", "--format", "jsonl", "--give-way", "--files-from", "-")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be checked, and what is known already of the same project. *is_more*: more than before."""

    stamps: Stamps
    known: Checks
    wanted: tuple[str, ...]
    earlier: Earlier
    is_more: bool


Earlier = Mapping[tuple[str, str], Checked]
"""By path and stamp, what was found in files as they were."""


def planned(places: Places, stamps: Stamps, known: Checks | None, told: Mapping[str, Told], earlier: Earlier) -> Plan:
    """Which files are to be checked. *known*: None at first, then it is what was kept. *told*: found by the way."""
    before = kept_checks(places, stamps.index.root) if known is None else known
    held = {path: each for path, each in before.items() if path in stamps.index.entries}
    left = {(path, each.stamp): each for path, each in held.items() if each.stamp != stamps.of(path)}
    earlier = dict([*earlier.items(), *left.items()][-MOST_EARLIER:])
    for path in {path for path, _stamp in left}:
        again = earlier.get((path, stamps.of(path)))
        if again is not None and stamps.holds(path, again):
            held[path] = again
    found = ((path, checked_by_the_way(stamps, path, each)) for path, each in told.items())
    held |= {path: each for path, each in found if each is not None}
    return Plan(stamps, held, unchecked(stamps, held), earlier, is_more=held != before)


class ProjectCheck(QObject):
    """Checks what has changed, a while after it has. *found*: by path, of the files in which something was found.

    What a program has told by the time that another change comes is kept, and the next one checks the rest.
    It ends with the *project* whose child it is, so that no program is left behind.
    """

    changed = Signal()

    def __init__(self, project: ProjectController, settings: SettingsController, places: Places) -> None:
        super().__init__(project)
        self._project = project
        self._settings = settings
        self._places = places
        self._known: dict[str, Checked] | None = None
        self._plan: Plan | None = None
        self._seen: dict[str, Told] = {}
        self._fresh: dict[str, Checked] = {}
        self._earlier: Earlier = {}
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(self._on_rested)
        self._told = QTimer(self, interval=_TOLD_MS, singleShot=True)
        self._told.timeout.connect(self.changed)
        self._planning = BackgroundWork(self)
        self._planning.done.connect(self._on_planned)
        self._process = _program(self)
        self._process.readyReadStandardOutput.connect(self._on_read)
        self._process.finished.connect(self._on_finished)
        project.index_changed.connect(self._on_index_changed)
        project.left.connect(self.leave)
        project.folder_changed.connect(self._on_folder_changed)
        settings.settings_changed.connect(self._on_settings_changed)
        self._on_index_changed(project.index)

    @property
    def found(self) -> Mapping[str, Checked]:
        """What is known now, by path from the project on."""
        return MappingProxyType({**(self._known or {}), **self._fresh})

    @property
    def is_checking(self) -> bool:
        """Whether more is to come."""
        return self._process.state() is not QProcess.ProcessState.NotRunning

    @Slot()
    def leave(self) -> None:
        """The window closes: end the program, and tell nothing more."""
        self._rest.stop()
        self._planning.forget()
        self._end()

    @Slot(object)
    def _on_index_changed(self, index: ProjectIndex) -> None:
        if self._settings.current.checks_project and index.folders:
            self._take(index)
            if index.is_whole:
                self._rest.start(FIRST_MS if self._plan is None else REST_MS)

    def _take(self, index: ProjectIndex) -> None:
        """Tell what was found while files were read; whether it still holds is seen when all of them have been."""
        fresh = [path for path, each in index.told.items() if self._seen.get(path) is not each]
        if not fresh:
            return
        for path in fresh:
            told = self._seen[path] = index.told[path]
            with suppress(ValueError, TypeError):
                self._fresh[path] = Checked("", tuple(found_in(told.rows)), told.depends_on)
        if not self._told.isActive():
            self._told.start()

    @Slot()
    def _on_folder_changed(self) -> None:
        """What was found in another folder is not said of this one."""
        if self._plan is not None and str(self._plan.stamps.index.root) != self._project.folder:
            self._forget()

    @Slot(object)
    def _on_settings_changed(self, settings: Settings) -> None:
        if settings.checks_project:
            self._on_index_changed(self._project.index)
        elif self._known is not None or self._fresh:
            self._forget()

    def _forget(self) -> None:
        self.leave()
        self._known = self._plan = None
        self._seen, self._fresh, self._earlier = {}, {}, {}
        self.changed.emit()

    @Slot()
    def _on_rested(self) -> None:
        self._end()
        stamps = Stamps(self._project.index, self._settings.current.chapters)
        known = dict(self._known) if self._known is not None else None
        self._planning.ask(partial(planned, self._places, stamps, known, dict(self._seen), self._earlier))

    @Slot(object)
    def _on_planned(self, plan: Plan) -> None:
        if plan.stamps.index.root != self._project.index.root:
            return
        self._plan, self._known, self._earlier = plan, dict(plan.known), plan.earlier
        self._seen, self._fresh = {}, {}
        self.changed.emit()
        if plan.wanted:
            root = plan.stamps.index.root
            self._process.start()
            names = (os.fsencode(root / path) for path in plan.wanted if "\n" not in path and "\r" not in path)
            self._process.write(b"".join(name + b"\n" for name in names))
            self._process.closeWriteChannel()
        elif plan.is_more:
            self._keep(plan)

    def _keep(self, plan: Plan) -> None:
        Job(partial(keep_checks, self._places, plan.stamps.index.root, dict(self.found))).start()

    def _end(self) -> None:
        if self.is_checking:
            with QSignalBlocker(self._process):
                self._process.kill()
                self._process.waitForFinished(_PATIENCE_MS)

    @Slot()
    def _on_read(self) -> None:
        if self._plan is None or self._known is None:
            return
        while self._process.canReadLine():
            line = bytes(self._process.readLine().data()).decode("utf-8", "replace")
            told = checked_in(self._plan.stamps, line)
            if told is not None:
                self._known[told[0]] = told[1]
        if not self._told.isActive():
            self._told.start()

    @Slot(int, QProcess.ExitStatus)
    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        """What could not be read has no findings, until it is another file. Who broke off has told nothing."""
        self._on_read()
        is_done = status is QProcess.ExitStatus.NormalExit and code <= _UNREADABLE
        if self._plan is None or self._known is None or not is_done:
            return
        for path in self._plan.wanted:
            if path not in self._known:
                self._known[path] = Checked(self._plan.stamps.of(path))
        self.changed.emit()
        self._keep(self._plan)


def _program(parent: QObject) -> QProcess:
    process = QProcess(parent)
    process.setProgram(sys.executable)
    # without -P, a module that lies in the folder at hand would be taken for one of Python's
    process.setArguments(["-P", "-X", "utf8", "-m", "workbench", *_ARGUMENTS])
    environment = QProcessEnvironment.systemEnvironment()
    environment.insert("LANGUAGE", language())
    process.setProcessEnvironment(environment)
    process.setStandardErrorFile(QProcess.nullDevice())
    return process
