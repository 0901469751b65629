"""A run in which nothing changes any more is ended, and says so; one that gets somewhere may take its time."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.core.engine_driver import book, play
from workbench.engine import starting
from workbench.engine.journal.choices import RunStatus
from workbench.engine.language.turn import Rules

_HEAD = "# A\n## Main\n### Steps\n"
_MEETING = "meeting: true\n### Steps\n- Repeat\n  - $said = WaitForMessage('meeting')\n"
_DEAF = "meeting: true\n### Steps\n- Say('meeting', 'hello')\n- $said = WaitForMessage('Somebody')\n"
_IDLE = {
    "a loop without anything in it": f"{_HEAD}- Repeat\n- Return 1\n",
    "the same value again": f"{_HEAD}- Repeat\n  - $a = 1\n",
    "a condition that nothing changes": f"{_HEAD}- $a = 1\n- While $a == 1\n  - If $a == 2\n    - $b = 1\n",
    "a jump back": f"{_HEAD}- $a = 1\n- Go to step 1\n",
    "a playbook called for ever": f"{_HEAD}- Repeat\n  - Sub()\n## Sub\n### Steps\n- $l = 1\n",
    "an inner loop that ends": f"{_HEAD}- While 1 == 1\n  - For each $x in [1, 2]\n    - break\n",
    "waiting for what nobody says": (
        f"{_HEAD}- $v = Review(topic='x', attendees=['B'])\n## Review\n{_DEAF}# B\n## Join\n{_DEAF}"
    ),
    "waiting for each other": (
        f"{_HEAD}- $v = Review(topic='x', attendees=['B'])\n## Review\n{_MEETING}# B\n## Join\n{_MEETING}"
    ),
}
_BUSY = {
    "another value each time": f"{_HEAD}- $a = 0\n- While $a < 90\n  - $a = $a + 1\n",
    "words": f'{_HEAD}- Repeat 90 times\n  - Tell user "on"\n',
    "calls": f"{_HEAD}- Repeat 90 times\n  - $w = Weather()\n",
    "questions": f"{_HEAD}- Repeat 90 times\n  - Look around\n",
    "many steps that are done once": _HEAD + "- If 1 == 2\n  - $a = 1\n" * 45,
}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "Rules", partial(Rules, max_idle=60))


@pytest.mark.parametrize("text", _IDLE.values(), ids=_IDLE)
def test_a_run_in_which_nothing_changes_ends_and_says_so(text: str, tmp_path: Path) -> None:
    played = play(book("", text), tmp_path)
    assert played.state.status is RunStatus.FAILED
    assert "the last 60 steps and rounds changed nothing" in played.state.error


@pytest.mark.parametrize("text", _BUSY.values(), ids=_BUSY)
def test_a_run_that_gets_somewhere_may_take_its_time(text: str, tmp_path: Path) -> None:
    played = play(book("", text), tmp_path, f"tools: {{Weather: 1}}\nanswers: [{', '.join(['{}'] * 90)}]")
    assert played.state.status is RunStatus.COMPLETED, played.state.error


def test_a_loop_alone_writes_little_before_it_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "Rules", Rules)
    play(book("", "# Bake\n\n## Work\n\n1. Knead the dough.\n2. Repeat\n3. Bake it.\n"), tmp_path, "answers: [{}]")
    assert sum(file.stat().st_size for file in tmp_path.glob("runs.sqlite*")) < 10_000_000
