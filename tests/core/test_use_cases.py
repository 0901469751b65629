"""The samples that show whole tasks: each runs with its script to what its story says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import finished, scripted
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import PlaybookEntered
from workbench.engine.options import RunOptions
from workbench.engine.starting import start_run
from workbench.model.snapshot import derive
from workbench.resources import use_case_playbooks
from workbench.syntax.text import SourceText

STORIES = {
    "adaptive-coding": ("deployed", ["Main", "RunTests", "RunTests", "RunTests", "RunTests", "Deploy", "Deploy"]),
    "research-protocol": ("Yes.", ["Main", "Judge"]),
    "troubleshooting": ("escalated", ["Main", "Rate", "Escalate"]),
}


@pytest.fixture(params=use_case_playbooks(), ids=lambda path: path.stem)
def use_case(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_it_has_no_problems(use_case: Path) -> None:
    assert derive(SourceText.decode(use_case.read_bytes())).diagnostics == ()


def test_it_runs_with_its_script_to_the_end_of_its_story(use_case: Path, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    backend = scripted(use_case.with_suffix(".script.yaml").read_text(encoding="utf-8"))
    snapshot = derive(SourceText.decode(use_case.read_bytes()))
    played = finished(start_run(snapshot, journal, backend, RunOptions(is_trusted=True)), journal)
    entered = [each.payload.playbook for each in played.events if isinstance(each.payload, PlaybookEntered)]
    assert (played.run.result, entered) == STORIES[use_case.stem]
