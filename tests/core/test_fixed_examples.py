"""Property tests are no lottery: outside ``make thorough`` each of them tries the same examples wherever it runs."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import is_thorough


@pytest.mark.skipif(is_thorough(), reason="a thorough run tries other examples each time")
def test_examples_do_not_depend_on_what_has_been_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = drawn()
    for number in range(50):
        path = tmp_path / f"numbers_{number}.py"
        path.write_text(f"NUMBERS = ({number + 12_345}, {number + 300}, 0.{number + 1}, 'word {number}')\n", "utf-8")
        module = ModuleType(path.stem)
        module.__file__ = str(path)
        monkeypatch.setitem(sys.modules, path.stem, module)
    assert drawn() == before


def drawn() -> list[tuple[int, float, str]]:
    """What a property test tries."""
    tried = []

    @given(st.integers(), st.floats(0, 1), st.text())
    def try_one(number: int, share: float, words: str) -> None:
        tried.append((number, share, words))

    try_one()
    return tried
