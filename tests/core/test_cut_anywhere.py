"""A run that is cut off between any two events goes on: outside nothing happens twice, nothing is lost, and it ends.

Here some of all cuts are tried; ``make soak`` tries each.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import DATA
from tests.core.cutting import check_cut, run_whole, some_cuts


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("nested.md", 16),
        ("market-stall.md", 6),
        ("leave.md", 18),
        ("commands.md", 18),
        ("help-desk.md", 24),
        ("agency.md", 30),
        ("prose-calls.md", 14),
        ("inner-calls.md", 24),
    ],
)
def test_a_run_whose_calls_call_back_or_ask_for_leave_or_are_wanted_by_a_person_or_that_waits_can_be_cut(
    name: str, count: int, tmp_path: Path
) -> None:
    whole = run_whole(DATA / "language" / name, tmp_path / "whole")
    for number, cut in enumerate(some_cuts(whole, count)):
        check_cut(whole, cut, tmp_path / str(number))


CUT = "complaint council deploy-talk door haggle ledger oven recipe-maker trip-cost two-people".split()


@pytest.mark.parametrize("name", CUT)
def test_a_whole_program_can_be_cut(name: str, tmp_path: Path) -> None:
    whole = run_whole(DATA / "programs" / f"{name}.md", tmp_path / "whole")
    for number, cut in enumerate(some_cuts(whole, 5)):
        check_cut(whole, cut, tmp_path / str(number))


def test_a_sample_can_be_cut_anywhere(sample: Path, tmp_path: Path) -> None:
    whole = run_whole(sample, tmp_path / "whole")
    for number, cut in enumerate(some_cuts(whole, 5)):
        check_cut(whole, cut, tmp_path / str(number))
