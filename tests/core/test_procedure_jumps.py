"""Going back, going on and repeating in the run of a procedure leads where its author says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import Played, play
from tests.core.work import lines_run
from workbench.engine.journal.choices import RunStatus
from workbench.engine.language.program.code import compile_playbook
from workbench.model.kinds import FileKind
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText


def procedure(*steps: str) -> Snapshot:
    """The snapshot of a procedure with one chapter, of *steps*."""
    return derive(
        SourceText("# Pump\n\n## Steps\n\n" + "".join(f"{step}\n" for step in steps)), wanted=FileKind.PROCEDURE
    )


def _played(folder: Path, snapshot: Snapshot, *said: str) -> Played:
    """A run in which *said* is answered, step by step: ``07 again``, ``07 skip``, else done."""
    lines = [f"- {{step: Steps:{each.partition(' ')[0]}{_answer(each.partition(' ')[2])}}}\n" for each in said]
    return play(snapshot, folder, "answers:\n" + "".join(lines))


def _answer(word: str) -> str:
    if word in ("", "done"):
        return ""
    return f", how: {word}" if word == "skip" else f", values: {{and-then: {word!r}}}"


def _way(played: Played) -> str:
    assert played.state.status is RunStatus.COMPLETED
    return " ".join(step.removeprefix("Steps:") for step in played.steps())


PUMP = ("1. Look.", "2. Oil it.", "3. Turn it.", "   - Twice.", "4. Clean it.", "5. Dry it.")


def test_repeated_steps_are_done_again_and_the_sentence_is_asked_once_per_round(tmp_path: Path) -> None:
    snapshot = procedure(*PUMP, "6. Repeat steps 2-3 until it turns.", "7. Note it.")
    once = ("01", "02", "03", "03.01", "04", "05")
    again = ("06 repeat 2-3", "02", "03", "03.01")
    played = _played(tmp_path, snapshot, *once, *again, *again, "06", "07")
    assert _way(played) == "01 02 03 03.01 04 05 06 02 03 03.01 06 02 03 03.01 06 07"


def test_a_step_that_is_skipped_while_repeated_leads_on_among_those(tmp_path: Path) -> None:
    snapshot = procedure(*PUMP, "6. Repeat steps 2-3 until it turns.", "7. Note it.")
    once = ("01", "02", "03", "03.01", "04", "05")
    played = _played(tmp_path, snapshot, *once, "06 repeat 2-3", "02 skip", "03 skip", "06", "07")
    assert _way(played) == "01 02 03 03.01 04 05 06 02 03 06 07"


def test_one_step_is_repeated_alone(tmp_path: Path) -> None:
    snapshot = procedure("1. Oil it.", "2. Turn it.", "3. Re-run step 1.", "4. Note it.")
    assert _way(_played(tmp_path, snapshot, "01", "02", "03 repeat 1", "01", "03", "04")) == "01 02 03 01 03 04"


def test_repeating_from_a_step_on_goes_back_to_it(tmp_path: Path) -> None:
    snapshot = procedure("1. Oil it.", "2. Turn it.", "3. Repeat from step 1.", "4. Note it.")
    played = _played(tmp_path, snapshot, "01", "02", "03 go to 1", "01", "02", "03", "04")
    assert _way(played) == "01 02 03 01 02 03 04"


@pytest.mark.parametrize("words", ["Repeat", "Repeat until satisfied", "Repeat as needed."])
def test_repeating_asks_whether_the_list_is_done_again(words: str, tmp_path: Path) -> None:
    snapshot = procedure("1. Oil it.", f"2. {words}", "3. Note it.")
    assert _way(_played(tmp_path, snapshot, "01", "02 go to 1", "01", "02", "03")) == "01 02 01 02 03"


def test_repeating_at_the_head_of_a_list_goes_back_to_the_list_around(tmp_path: Path) -> None:
    snapshot = procedure("1. Oil it.", "2. Turn it.", "   - Repeat as needed")
    played = _played(tmp_path, snapshot, "01", "02", "02.01 go to 1", "01", "02", "02.01")
    assert _way(played) == "01 02 02.01 01 02 02.01"


def test_steps_that_repeat_each_other_end(tmp_path: Path) -> None:
    snapshot = procedure("1. Oil it.", "2. Repeat steps 1-1", "3. Turn it.", "4. Repeat steps 1-2", "5. Note it.")
    played = _played(tmp_path, snapshot, "01", "02", "03", "04 repeat 1-2", "01", "02", "04", "05")
    assert _way(played) == "01 02 03 04 01 02 04 05"


def test_a_way_that_leads_nowhere_is_not_offered(tmp_path: Path) -> None:
    played = _played(tmp_path, procedure("1. Oil it.", "2. Turn it, or go to step 7."), "01", "02")
    assert [field["name"] for field in played.bodies("input.asked")[1]["fields"]] == ["how"]


def test_otherwise_without_a_condition_is_a_step(tmp_path: Path) -> None:
    played = _played(tmp_path, procedure("1. Oil it.", "2. Otherwise, turn it."), "01", "02")
    assert _way(played) == "01 02"
    assert [body["text"] for body in played.bodies("input.asked")] == ["Oil it.", "Otherwise, turn it."]


@pytest.mark.parametrize("words", ["Go back to step 5", "Repeat steps 1-9", "If it drips, go to step 5"])
def test_compiling_many_jumps_takes_work_in_proportion(words: str) -> None:
    def work(count: int) -> int:
        snapshot = procedure(*(f"{number}. {words}" for number in range(1, count + 1)))
        return lines_run(lambda: compile_playbook(snapshot.program.playbooks[0], snapshot))

    assert work(600) < 3 * work(300)
