"""Step lists that are killed and gone on with: a few of the kills of ``make soak``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.soak import list_kills


@pytest.mark.parametrize("kills", [list_kills.scripts, list_kills.tools, list_kills.entries])
def test_nothing_is_lost_or_done_twice_and_every_run_ends(
    kills: Callable[[int, Path], Iterator[str]], tmp_path: Path
) -> None:
    assert list(kills(1, tmp_path)) == []
