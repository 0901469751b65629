"""What the window asks before a run: found by the one rule that says where a run begins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workbench.engine.language.program.book import Book, entry_of
from workbench.engine.options import RunOptions
from workbench.engine.trust import python_digest
from workbench.gui.control.running.run_questions import ArgumentsQuestion, preparation
from workbench.model.snapshot import Snapshot, derive
from workbench.settings import Settings
from workbench.syntax.text import SourceText

STARTING = (
    "# Desk\n\n```python\n@playbook(triggers=['T1:BGN At start'])\nasync def begin(city: str, days: int = 3) -> str:\n"
    "    return city\n```\n\n## Other\n\n### Steps\n\n- Return 1\n"
)
MADE_FOR_THE_TERMINAL = STARTING.replace("triggers=['T1:BGN At start']", "cli_entry=True")
ONLY_PYTHON = STARTING[: STARTING.index("## Other")]
TWO_STARTS = "# Desk\n## One\n### Triggers\n- At the beginning\n### Steps\n- Return 1\n## Two\n"
TWO_STARTS += "### Triggers\n- At the beginning\n### Steps\n- Return 2\n"


def snapshot_of(text: str) -> Snapshot:
    """*text* as the window has it."""
    return derive(SourceText(text))


def trusting(snapshot: Snapshot) -> Settings:
    """Settings of a person who lets the Python of *snapshot* run."""
    return Settings().with_trust(python_digest(snapshot.program))


@pytest.mark.parametrize("text", [STARTING, MADE_FOR_THE_TERMINAL, ONLY_PYTHON])
def test_the_arguments_of_an_entry_that_is_a_python_function_are_asked_for(text: str, tmp_path: Path) -> None:
    snapshot = snapshot_of(text)
    asked = preparation(snapshot, None, trusting(snapshot), None, tmp_path)
    assert isinstance(asked, ArgumentsQuestion)
    assert [parameter.name for parameter in asked.parameters] == ["city"]
    entry = entry_of(Book(snapshot), "")
    assert entry is not None
    assert asked.playbook == entry.playbook.name


def test_with_its_arguments_given_such_an_entry_can_start(tmp_path: Path) -> None:
    snapshot = snapshot_of(STARTING)
    asked = preparation(snapshot, None, trusting(snapshot), None, tmp_path)
    assert isinstance(asked, ArgumentsQuestion)
    ready = preparation(
        snapshot, replace(asked.options, arguments={"city": "Rome"}), trusting(snapshot), None, tmp_path
    )
    assert isinstance(ready, RunOptions)
    assert ready.arguments == {"city": "Rome"}


def test_where_no_playbook_was_chosen_all_that_start_by_themselves_are_left_to_start(tmp_path: Path) -> None:
    ready = preparation(snapshot_of(TWO_STARTS), None, Settings(), None, tmp_path)
    assert isinstance(ready, RunOptions)
    assert ready.playbook == ""


def test_a_playbook_that_is_not_there_is_told(tmp_path: Path) -> None:
    told = preparation(snapshot_of(TWO_STARTS), RunOptions(playbook="Three"), Settings(), None, tmp_path)
    assert isinstance(told, str)
