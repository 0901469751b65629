"""Runs that are answered by a script, for pictures of the window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from workbench.engine.backends.script import ScriptBackend
from workbench.engine.running.run_thread import RunHandle
from workbench.engine.running.runner import RunOptions, start_run
from workbench.engine.steplists.handle import start_listed
from workbench.engine.steplists.scripted import scripted_walker
from workbench.gui.control.running.engine_host import JournaledHost
from workbench.model.snapshot import Snapshot
from workbench.settings import Places


class ScriptedHost(JournaledHost):
    """As the window's own host, but nobody has to be at the desk."""

    def __init__(self, places: Places, script: Path) -> None:
        super().__init__(places)
        self._script = script

    def start(self, snapshot: Snapshot, options: RunOptions) -> RunHandle:
        """A new run of *snapshot*, answered from the beginning of the script."""
        if snapshot.program.format.is_steplist:
            script = self._script.read_text(encoding="utf-8")
            walk = replace(self.walk_options(options), walker=scripted_walker(script), script=script)
            return start_listed(snapshot, self._journal, walk)
        return start_run(snapshot, self._journal, ScriptBackend.from_file(self._script), options)
