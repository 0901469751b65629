"""``make bench`` measures what it is asked for: everything, or some parts."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import PARTS, wanted_parts


def test_all_parts_are_measured_where_none_is_named() -> None:
    assert wanted_parts([]) == list(PARTS)


def test_named_parts_are_measured_in_the_order_they_are_named() -> None:
    assert wanted_parts(["peers", "core"]) == ["peers", "core"]


def test_an_unknown_part_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        wanted_parts(["everything"])
    assert "no part called everything" in capsys.readouterr().err
