"""Triggers for the end of a program: they fire once, whatever ends it as it should."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import Played, book, play
from workbench.engine.options import RunOptions
from workbench.engine.state.fold import fold

_LAST = "## Last\n### Triggers\n- {when}\n### Steps\n- Say('last')\n- Return 'ignored'\n"
_WHEN = "Before ending program"


def _play(steps: str, folder: Path, more: str = "", script: str = "", **options: str) -> Played:
    text = f"# B\n## Main\n### Steps\n{steps}{_LAST.format(when=_WHEN)}{more}"
    return play(book("", text), folder, script, RunOptions(is_trusted=True, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("steps", ["- Say('first')\n", "- Say('first')\n- End program\n- Say('no')\n"])
def test_the_end_is_told_once_whatever_ends_the_program(steps: str, tmp_path: Path) -> None:
    played = _play(steps, tmp_path)
    assert (played.told(), played.state.status.value) == (["first", "last"], "completed")
    assert [body["cause"] for body in played.bodies("trigger.fired")] == ["end"]
    assert fold(played.events) == played.state


def test_a_conversation_that_is_over_ends_the_program_too(tmp_path: Path) -> None:
    more = "## Greet\n### Triggers\n- When the user says \"hello\"\n### Steps\n- Say('hi')\n"
    assert _play("- Say('first')\n", tmp_path, more, "messages: [hello]").told() == ["first", "hi", "last"]


def test_what_the_program_gives_stays_what_it_is(tmp_path: Path) -> None:
    assert _play("- Return 7\n", tmp_path).run.result == 7


def test_what_is_ended_gives_nothing(tmp_path: Path) -> None:
    more = "## Other\n### Triggers\n- At the start\n### Steps\n- End program\n"
    assert _play("- Return 7\n", tmp_path, more).run.result is None


def test_several_triggers_fire_in_their_order_also_where_one_ends_the_program(tmp_path: Path) -> None:
    more = "".join(
        f"## {name}\n### Triggers\n- At the end\n### Steps\n- Say('{name}')\n- End program\n" for name in "CD"
    )
    assert _play("- Return 7\n", tmp_path, more).told() == ["last", "C", "D"]


def test_a_run_that_fails_has_no_such_end(tmp_path: Path) -> None:
    assert _play("- $x = 1 / 0\n", tmp_path).told() == []


def test_a_chosen_playbook_is_carried_out_alone(tmp_path: Path) -> None:
    assert _play("- Say('first')\n", tmp_path, playbook="Main").told() == ["first"]


def test_the_end_comes_after_all_that_begins_by_itself(tmp_path: Path) -> None:
    more = "## Other\n### Triggers\n- At the beginning\n### Steps\n- Say('other')\n"
    assert _play("- Say('no start')\n", tmp_path, more).told() == ["other", "last"]


def test_each_agent_that_was_made_has_its_end(tmp_path: Path) -> None:
    more = "# T\n## Bye\n### Triggers\n- When the program ends\n### Steps\n- Say('bye {$name}')\n"
    played = _play("- CreateAgent('T', name='Ada')\n", tmp_path, more.replace("{$name}", "now"))
    assert played.told() == ["last", "bye now", "bye now"]
    assert [body["agent"] for body in played.bodies("trigger.fired")] == ["B", "T", "T:1002"]
