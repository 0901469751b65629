"""A person's first hour: open, drag, type, undo, run, look at the timeline, promote what worked three times."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.conftest import PATIENCE_S
from tests.journeys.person import Person
from workbench.editing import history
from workbench.engine.journal.codec import encoded
from workbench.gui.patterns.patterns_panel import PatternsPanel
from workbench.gui.patterns.promotion_dialog import PromotionDialog
from workbench.gui.shell.main_window import MainWindow
from workbench.library.skills.importing import read_skill
from workbench.resources import sample_playbooks

ANSWERS = ("a-1001", "y")
"""The order number, and whether the caller is satisfied."""


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A copy of the order desk."""
    original = next(path for path in sample_playbooks() if path.stem == "order-status")
    copy = tmp_path / original.name
    copy.write_bytes(original.read_bytes())
    return copy


@pytest.fixture
def person(qtbot: QtBot, window: MainWindow, sample: Path) -> Person:
    """A person who has the order desk open."""
    person = Person(qtbot, window)
    person.open(sample)
    return person


def test_dragging_a_block_moves_exactly_its_lines(person: Person) -> None:
    before = person.source
    third = person.blocks[3]
    person.drag_above(third, person.blocks[1])
    line = f"- {third}"
    expected = [one for one in before if one != line]
    first = expected.index('- Tell user "Welcome. I can tell you where your order is."')
    assert person.source == [*expected[:first], line, *expected[first:]]


def test_typing_in_the_source_changes_the_block(person: Person) -> None:
    person.type_behind("$tries = 0", " + 0")
    assert "$tries = 0 + 0" in person.blocks


def test_ctrl_z_takes_back_typing_and_dragging(person: Person, sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # on a busy machine a second may pass between two keys
    monkeypatch.setattr(history, "BURST_PAUSE_S", PATIENCE_S)
    person.drag_above(person.blocks[3], person.blocks[1])
    person.type_behind("$tries = 0", " + 0")
    person.undo()
    person.undo()
    assert person.context.documents.snapshot.source.encode() == sample.read_bytes()


def test_every_event_of_a_run_stands_on_the_timeline(person: Person) -> None:
    events = person.run(ANSWERS)
    assert events[-1].name == "run.completed"
    assert encoded(events[-1].payload)["return"] == "shipped"
    person.qtbot.waitUntil(lambda: person.events_on_timeline() == len(events))


def test_what_worked_three_times_becomes_a_skill(person: Person, tmp_path: Path) -> None:
    for _round in range(3):
        assert person.run(ANSWERS)[-1].name == "run.completed"
    panel = person.window.panes.panel("patterns")
    assert isinstance(panel, PatternsPanel)
    person.window.panes.bring_forward("patterns")
    person.qtbot.waitUntil(lambda: panel.model.rowCount() == 1 and _counts_three(panel))
    panel.list.choose_row(0)
    person.qtbot.waitUntil(panel.detail.promote.isEnabled)
    panel.detail.promote.click()
    dialog = panel.actions_of_pattern.dialog
    assert isinstance(dialog, PromotionDialog)
    _type_over(dialog.folder, str(tmp_path / "skills"), person.qtbot)
    dialog.confirm.click()
    skills = list((tmp_path / "skills").glob("*/SKILL.md"))
    assert len(skills) == 1
    assert read_skill(skills[0].parent).problems == ()


def _counts_three(panel: PatternsPanel) -> bool:
    entry = panel.model.entry_at(0)
    return entry is not None and entry.success_count == 3


def _type_over(field: QWidget, text: str, qtbot: QtBot) -> None:
    field.selectAll()  # type: ignore[attr-defined]
    qtbot.keyClicks(field, text)
