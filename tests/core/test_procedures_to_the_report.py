"""Ten procedures of different houses, each run by a script from its first chapter to its report, word for word."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import DATA
from tests.core.cutting import check_cut, run_whole, some_cuts
from tests.core.engine_driver import Played, play
from workbench.cli.reading import whole_program
from workbench.engine.audit.report import report_of
from workbench.engine.audit.report_markdown import as_markdown
from workbench.engine.options import RunOptions

FOLDER = DATA / "procedures"
GIVEN: Mapping[str, Mapping[str, str]] = {
    "bread": {"loaves": "2", "name": "Ada", "heat": "250"},
    "close-shop": {},
    "cold-room": {"room_id": "R2"},
    "flood": {},
    "pump-alarm": {"pump": "P1"},
    "schimmel": {"raum": "Bad"},
    "slow-lift": {"building": "North", "lift_id": "L7"},
    "tidy-desk.sop": {"desk": "the long table"},
    "handover": {"colleague": "Bo"},
    "watering": {},
}


def report(played: Played) -> str:
    """The report of a run, without its times."""
    text = as_markdown(report_of(played.events, played.run.snapshot.program), dt.UTC)
    for at in {event.at_ns for event in played.events}:
        time = dt.datetime.fromtimestamp(at / 1e9, dt.UTC)
        text = text.replace(time.strftime("%Y-%m-%d %H:%M:%S"), "DATE").replace(time.strftime("%H:%M:%S"), "TIME")
    return text


@pytest.mark.parametrize("name", GIVEN)
def test_a_procedure_runs_from_its_first_chapter_to_its_report(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "ada")
    file = FOLDER / f"{name}.md"
    script = (FOLDER / f"{name}.script.yaml").read_text("utf-8")
    played = play(whole_program([file]).snapshot, tmp_path, script, RunOptions(arguments=GIVEN[name], path=str(file)))
    assert report(played).replace(str(FOLDER), "FOLDER") == (FOLDER / f"{name}.report.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["bread", "pump-alarm", "slow-lift", "close-shop"])
def test_the_run_of_a_procedure_can_be_cut_anywhere(name: str, tmp_path: Path) -> None:
    whole = run_whole(FOLDER / f"{name}.md", tmp_path / "whole")
    for number, cut in enumerate(some_cuts(whole, 12)):
        check_cut(whole, cut, tmp_path / str(number))
