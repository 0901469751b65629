"""A person at the terminal is asked each question once, however long a run takes to ask it or to take the answer."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.core.engine_driver import begin
from workbench.cli.running.following import follow
from workbench.engine.backends.person import PersonBackend
from workbench.engine.journal.journal import Journal
from workbench.engine.ports import Answer, Request

LATE_S = 0.15


class Late(PersonBackend):
    """A person whose answers reach a run late: it has not begun to wait, or has not looked at what was said."""

    def __init__(self, before_s: float, after_s: float) -> None:
        super().__init__()
        self._late_s = before_s, after_s

    def judge(self, request: Request) -> Answer:
        time.sleep(self._late_s[0])
        answer = super().judge(request)
        time.sleep(self._late_s[1])
        return answer


@pytest.mark.parametrize(("before_s", "after_s"), [(LATE_S, 0.0), (0.0, LATE_S), (0.0, 0.0)], ids=str)
def test_what_is_typed_answers_the_questions_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before_s: float, after_s: float
) -> None:
    lines = iter(["Ada", "Bea", "Cem"])
    monkeypatch.setattr("builtins.input", lambda _question: next(lines))
    journal = Journal(tmp_path / "runs.sqlite")
    steps = "- Ask user for $a\n- Ask user for $b\n- Ask user for $c\n"
    run = begin(steps, journal, Late(before_s, after_s))
    try:
        assert follow(run, lambda _event: None, "") == 0
        assert [run.state.variables[name] for name in "abc"] == ["Ada", "Bea", "Cem"]
    finally:
        journal.close()
