"""What goes wrong in a run ends it with a sentence that names the step."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import book, play
from workbench.engine.journal.choices import RunStatus, StepStatus
from workbench.engine.options import RunOptions
from workbench.errors import RunFailed


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ("- $a = 1\n- $b = $a / 0\n", ["Main:02", "line 5", "position", "$a / 0"]),
        ("- $b = $missing + 1\n", ["Main:01", "missing"]),
        ("- $a = 1\n- go to step 9\n", ["Main:02", "go to step 9", "no target"]),
        ("- $a = 1\n- break\n", ["Main:02", "no target"]),
        ("- $n = 5\n- For each $x in $n\n  - $y = $x\n", ["Main:02", "list"]),
        ("- Other(1, 2)\n\n## Other($a)\n### Steps\n- Return $a\n", ["Main:01", "too many values: 2 instead of 1"]),
        ("- Other()\n\n## Other($a)\n### Steps\n- Return $a\n", ["Main:01", "needs a value for a"]),
        ("- Other(b=1)\n\n## Other($a)\n### Steps\n- Return $a\n", ["Main:01", "no free parameter b"]),
        ('- Tell user "Hello {$nobody}"\n', ["Main:01", "nobody"]),
    ],
)
def test_a_failing_step_is_named_with_its_reason(steps: str, words: list[str], tmp_path: Path) -> None:
    played = play(steps, tmp_path)
    assert played.state.status is RunStatus.FAILED
    assert all(word in played.state.error for word in words), played.state.error
    assert [event.name for event in played.events[-2:]] == ["step.failed", "run.failed"]
    assert StepStatus.FAILED in played.state.step_statuses.values()


def test_a_playbook_that_calls_itself_for_ever_is_stopped(tmp_path: Path) -> None:
    played = play(book("", "# B\n## Main\n### Steps\n- Main()\n"), tmp_path)
    assert "Main may call itself endlessly" in played.state.error
    assert "64" in played.state.error


def test_a_loop_that_never_ends_is_stopped(tmp_path: Path) -> None:
    played = play("- While 1 == 1\n  - $a = 1\n", tmp_path, "", RunOptions(max_steps=500))
    assert "limit" in played.state.error


def test_an_empty_loop_that_never_ends_is_stopped(tmp_path: Path) -> None:
    assert "limit" in play("- While 1 == 1\n", tmp_path, "", RunOptions(max_steps=500)).state.error


@pytest.mark.parametrize(
    ("text", "playbook", "words"),
    [
        ("", "", "no playbook to run"),
        ("just words\n", "", "no playbook to run"),
        ("# B\n## Main\n### Steps\n- Return 1\n", "Other", "It has: Main"),
        ("# B\n## Main($city)\n### Steps\n- Return 1\n", "", "needs a value for city"),
    ],
)
def test_what_cannot_begin_says_why(text: str, playbook: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(RunFailed, match=words):
        play(book("", text), tmp_path, "", RunOptions(playbook=playbook))


def test_a_jump_into_a_loop_that_has_not_begun_is_refused(tmp_path: Path) -> None:
    played = play("- $a = 1\n- If $a == 1\n  - go to step 3.1\n- Repeat 2 times\n  - $a = 3\n", tmp_path)
    assert "jump to the loop itself" in played.state.error
