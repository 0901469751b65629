"""Runs that are answered by a script, for pictures of the window."""

from __future__ import annotations

from pathlib import Path

from workbench.engine.backends.script import ScriptBackend
from workbench.engine.runner import Run, RunOptions, start_run
from workbench.gui.engine_host import JournaledHost
from workbench.model.snapshot import Snapshot
from workbench.settings import Places


class ScriptedHost(JournaledHost):
    """As the window's own host, but nobody has to be at the desk."""

    def __init__(self, places: Places, script: Path) -> None:
        super().__init__(places)
        self._script = script

    def start(self, snapshot: Snapshot, options: RunOptions) -> Run:
        """A new run of *snapshot*, answered from the beginning of the script."""
        return start_run(snapshot, self._journal, ScriptBackend.from_file(self._script), options)
