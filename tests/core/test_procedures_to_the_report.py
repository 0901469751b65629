"""Procedures of different houses, each run by a script from its first chapter to its report, word for word."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import DATA
from tests.core.cli_driver import Terminal
from tests.core.cutting import check_cut, run_whole, some_cuts
from tests.core.engine_driver import Played, play
from workbench.cli.reading import whole_program
from workbench.engine.audit.report import report_of
from workbench.engine.audit.report_markdown import as_markdown
from workbench.engine.journal.choices import RunStatus
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
    "till": {"month": "May"},
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


def test_boxes_are_ticked_for_what_was_done_where_that_is_asked_for(tmp_path: Path, terminal: Terminal) -> None:
    for name in ("close-shop.md", "close-shop.script.yaml"):
        (tmp_path / name).write_text((FOLDER / name).read_text("utf-8"), "utf-8")
    file, script = tmp_path / "close-shop.md", tmp_path / "close-shop.script.yaml"
    before = file.read_text("utf-8")
    terminal.run("run", file, "--script", script, "--store", tmp_path / "a")
    assert file.read_text("utf-8") == before
    terminal.run("run", file, "--script", script, "--store", tmp_path / "b", "--tick")
    lines = [line for line in file.read_text("utf-8").splitlines() if "[" in line]
    assert lines == [
        "- [x] lock the **back** door",
        "- [x] switch the heating off",
        "- [x] set the alarm to `<code-word>`",
        "  - [ ] wait for the green light",
    ]


def test_values_are_options_of_the_command_and_the_report_is_exported(tmp_path: Path, terminal: Terminal) -> None:
    file, store = FOLDER / "slow-lift.md", tmp_path / "store"
    script = file.with_suffix(".script.yaml")
    done = terminal.run("run", file, "--script", script, "--store", store, "--lift-id", "L7", "--chapter", "Diagnosis")
    assert done.code == 0
    assert "\n# Report: Slow lift\n" in done.out
    run = terminal.run("runs", "--json", "--store", store).json[0]["run"]
    saved = tmp_path / "found.md"
    assert terminal.run("export", run, "--store", store, "--report", saved).code == 0
    assert "- lift_id = L7\n" in saved.read_text("utf-8")


def test_a_value_that_must_be_given_is_asked_for_by_its_name(tmp_path: Path, terminal: Terminal) -> None:
    file = FOLDER / "tidy-desk.sop.md"
    done = terminal.run("run", file, "--script", file.with_suffix(".script.yaml"), "--store", tmp_path)
    assert done.code == 2
    assert "Tidy a desk needs a value for desk: --desk VALUE." in done.err


def test_the_run_of_a_program_has_no_report(tmp_path: Path, terminal: Terminal) -> None:
    program = tmp_path / "hello.md"
    program.write_text('# A\n## Main\n### Steps\n- Tell user "Hello"\n', "utf-8")
    terminal.run("run", program, "--store", tmp_path)
    run = terminal.run("runs", "--json", "--store", tmp_path).json[0]["run"]
    done = terminal.run("export", run, "--store", tmp_path, "--report", tmp_path / "x.md")
    assert (done.code, "has no report" in done.err) == (2, True)


def test_a_run_that_goes_through_a_linked_procedure_can_be_cut_anywhere(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    (tmp_path / "whole" / "drain.md").write_text((FOLDER / "drain.md").read_text("utf-8"), "utf-8")
    whole = run_whole(FOLDER / "flood.md", tmp_path / "whole")
    assert whole.played.state.status is RunStatus.COMPLETED
    for number, cut in enumerate(some_cuts(whole, 20)):
        check_cut(whole, cut, tmp_path / str(number))


def test_a_link_that_cannot_be_run_is_only_shown(tmp_path: Path) -> None:
    file = tmp_path / "flood.md"
    file.write_text((FOLDER / "flood.md").read_text("utf-8"), "utf-8")
    script = "answers:\n- {step: Response:01}\n- {step: Response:02, call: drain.md}\n"
    played = play(whole_program([file]).snapshot, tmp_path, script, RunOptions(path=str(file)))
    assert played.state.status is RunStatus.FAILED
    assert "has no link to a playbook “drain.md” that can be run" in played.state.error
