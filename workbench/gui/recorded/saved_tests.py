"""Saved runs, tested by the program itself as at the terminal: a test speaks the language of its run and lives in its
time zone, and both belong to a whole process.
"""

from __future__ import annotations

import enum
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QSignalBlocker, Signal, Slot

from workbench.disk.files import fitting, is_folder
from workbench.disk.places import Places
from workbench.engine.journal.events import RunId
from workbench.engine.replaying.saved import ENDING, folder_of
from workbench.i18n import N_, _, language

_PATIENCE_MS = 5_000
_MOST_COMPLAINTS = 4_000


class Verdict(enum.Enum):
    """What became of a test, under the names of the command line."""

    SAME = "same"
    OTHERWISE = "otherwise"
    UNUSABLE = "unusable"

    @property
    def words(self) -> str:
        """For people."""
        return str(_WORDS[self])


_WORDS = {
    Verdict.SAME: N_("same"),
    Verdict.OTHERWISE: N_("otherwise"),
    Verdict.UNUSABLE: N_("unusable"),
}


@dataclass(frozen=True, slots=True)
class SavedTest:
    """One saved run, tested. *lines*: what came out otherwise. *step*, *line*: where; empty and 0 where nowhere."""

    file: Path
    playbook: Path
    verdict: Verdict
    events: int = 0
    lines: tuple[str, ...] = ()
    step: str = ""
    line: int = 0

    @property
    def name(self) -> str:
        """Of the test."""
        return self.file.name.removesuffix(ENDING)


def saved_tests_of(playbook: Path) -> tuple[Path, ...]:
    """The saved runs of *playbook*."""
    folder = folder_of(playbook)
    return tuple(fitting(folder, f"*{ENDING}")) if is_folder(folder) else ()


def told_in(line: str) -> SavedTest | None:
    """The test that *line* of the program tells; None where it tells none."""
    try:
        told: dict[str, Any] = json.loads(line)
        where = told["divergence"] or {}
        return SavedTest(
            Path(told["file"]),
            Path(told["playbook"]),
            Verdict(told["verdict"]),
            told["events"],
            tuple(told["lines"]),
            where.get("step", ""),
            where.get("line", 0),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


class ReplayProgram(QObject):
    """Runs one such program at a time.

    Life cycle: ``give_up`` before it goes, so that no program is left behind.
    """

    told = Signal(object)  # SavedTest
    over = Signal(str)  # why there is nothing to tell; empty where all was told

    def __init__(self, places: Places, parent: QObject) -> None:
        super().__init__(parent)
        self._places = places
        self._count = 0
        self._process = QProcess(self)
        self._process.setProgram(sys.executable)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("LANGUAGE", language())
        self._process.setProcessEnvironment(environment)
        self._process.readyReadStandardOutput.connect(self._on_read)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)

    @property
    def is_testing(self) -> bool:
        """Whether a program is at work."""
        return self._process.state() is not QProcess.ProcessState.NotRunning

    def test(self, playbook: Path) -> None:
        """Test all saved runs of *playbook*."""
        self._begin("test", "--json", "--", str(playbook))

    def save(self, run: RunId) -> None:
        """Save *run* as a test beside its playbook, and test it."""
        store = str(self._places.runs_file.parent)
        self._begin("runs", "save-test", "--json", "--store", store, "--", run)

    def give_up(self) -> None:
        """End the program, and tell nothing more."""
        if self.is_testing:
            with QSignalBlocker(self._process):
                self._process.kill()
                self._process.waitForFinished(_PATIENCE_MS)

    def _begin(self, *arguments: str) -> None:
        self.give_up()
        self._count = 0
        # without -P, a module that lies in the folder at hand would be taken for one of Python's
        self._process.setArguments(["-P", "-X", "utf8", "-m", "workbench", *arguments])
        self._process.start()

    @Slot()
    def _on_read(self) -> None:
        while self._process.canReadLine():
            test = told_in(bytes(self._process.readLine().data()).decode("utf-8", "replace"))
            if test is not None:
                self._count += 1
                self.told.emit(test)

    @Slot()
    def _on_finished(self) -> None:
        self._on_read()
        said = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace").strip()
        self.over.emit("" if self._count else said[-_MOST_COMPLAINTS:] or _("Nothing could be tested."))

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        """Where it did not start, nothing finishes."""
        if error is QProcess.ProcessError.FailedToStart:
            self.over.emit(self._process.errorString())
