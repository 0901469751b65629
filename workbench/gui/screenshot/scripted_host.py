"""Runs that are answered by a script, for pictures of the window."""

from __future__ import annotations

from pathlib import Path

from workbench.engine.backends.script import scripted
from workbench.engine.ports import JudgementBackend
from workbench.engine.scripts import read_script
from workbench.gui.control.running.run_host import RunHost
from workbench.model.snapshot import Snapshot
from workbench.settings import Places


class ScriptedHost(RunHost):
    """As the window's own host, but nobody has to be at the desk."""

    def __init__(self, places: Places, script: Path) -> None:
        super().__init__(places)
        self._script = script

    def backend(self, snapshot: Snapshot) -> JudgementBackend:
        """The script, from its beginning."""
        return scripted(read_script(self._script), snapshot.program.format)
