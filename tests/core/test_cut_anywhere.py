"""A run that is cut off between any two events goes on: outside nothing happens twice, nothing is lost, and it ends.

Here some of all cuts are tried, and more of them by ``make thorough``; ``make soak`` tries each.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import DATA, examples
from tests.core.cutting import check_cut, run_whole, some_cuts


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("nested.md", 8),
        ("market-stall.md", 6),
        ("leave.md", 10),
        ("commands.md", 10),
        ("help-desk.md", 12),
        ("agency.md", 15),
        ("prose-calls.md", 8),
        ("inner-calls.md", 12),
    ],
)
def test_a_run_whose_calls_call_back_or_ask_for_leave_or_are_wanted_by_a_person_or_that_waits_can_be_cut(
    name: str, count: int, tmp_path: Path
) -> None:
    whole = run_whole(DATA / "language" / name, tmp_path / "whole")
    for number, cut in enumerate(some_cuts(whole, examples(count))):
        check_cut(whole, cut, tmp_path / str(number))


CUT = "complaint council deploy-talk door haggle ledger oven recipe-maker trip-cost two-people".split()


@pytest.mark.parametrize("name", CUT)
def test_a_whole_program_can_be_cut(name: str, tmp_path: Path) -> None:
    whole = run_whole(DATA / "programs" / f"{name}.md", tmp_path / "whole")
    for number, cut in enumerate(some_cuts(whole, examples(4))):
        check_cut(whole, cut, tmp_path / str(number))


def test_a_sample_can_be_cut_anywhere(sample: Path, tmp_path: Path) -> None:
    whole = run_whole(sample, tmp_path / "whole")
    for number, cut in enumerate(some_cuts(whole, examples(4))):
        check_cut(whole, cut, tmp_path / str(number))
