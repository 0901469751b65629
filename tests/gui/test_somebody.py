"""Whatever is done in the window, nothing is lost and nothing goes wrong. ``make soak`` goes on for ten minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gui.somebody import Somebody
from workbench.gui.shell.main_window import MainWindow

THINGS = 100


@pytest.mark.expects_warnings
@pytest.mark.parametrize("seed", [1, 2])
def test_random_things_in_the_window_keep_every_law(window: MainWindow, tmp_path: Path, seed: int) -> None:
    person = Somebody(window, tmp_path, seed)
    with person.at_work():
        for _time in range(THINGS):
            person.do_something()
    assert person.failures == []
