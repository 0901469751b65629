"""The life of a pattern: three runs, advice in the fourth, a skill, a playbook that runs, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.journeys.person import Person
from workbench.gui.patterns.patterns_panel import PatternsPanel
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.library.skills.importing import read_skill
from workbench.library.skills.promotion import PromotionKind
from workbench.resources import sample_playbooks

ANSWERS = ("a-1001", "y")


@pytest.fixture
def person(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> Person:
    """A person who has the order desk open."""
    original = next(path for path in sample_playbooks() if path.stem == "order-status")
    copy = tmp_path / original.name
    copy.write_bytes(original.read_bytes())
    person = Person(qtbot, window)
    person.open(copy)
    return person


def library(person: Person) -> PatternsPanel:
    """The pattern pane, in front."""
    panel = person.window.panes.panel("patterns")
    assert isinstance(panel, PatternsPanel)
    person.window.panes.bring_forward("patterns")
    return panel


def promote(panel: PatternsPanel, kind: PromotionKind, folder: Path) -> Path:
    """Promote the chosen pattern as a person does; gives the file."""
    panel.detail.promote.click()
    dialog = panel.actions_of_pattern.dialog
    assert dialog is not None
    dialog.kind.setCurrentIndex([PromotionKind.SKILL, PromotionKind.PLAYBOOK, PromotionKind.STEPLIST].index(kind))
    dialog.folder.setText(str(folder))
    dialog.redraft()
    assert dialog.draft is not None
    dialog.confirm.click()
    return dialog.draft.path


def test_a_pattern_is_learned_used_promoted_run_and_taken_back(person: Person, tmp_path: Path) -> None:
    runs = person.window.panes.panel("run")
    assert isinstance(runs, RunPanel)
    for _round in range(3):
        assert person.run(ANSWERS)[-1].name == "run.completed"
    panel = library(person)
    person.qtbot.waitUntil(lambda: panel.model.rowCount() == 1 and panel.detail.promote.isEnabled())

    person.run(ANSWERS)
    assert runs.advice.words.startswith("Succeeded in 3 of 3 runs: find_order")

    skill = promote(panel, PromotionKind.SKILL, tmp_path / "skills")
    assert read_skill(skill.parent).problems == ()
    panel.actions_of_pattern.undo.trigger()
    playbook = promote(panel, PromotionKind.PLAYBOOK, tmp_path)

    person.open(playbook)
    events = person.run(("", ""))
    assert events[-1].name == "run.completed"

    panel.actions_of_pattern.undo.trigger()
    person.qtbot.waitUntil(panel.detail.promote.isEnabled)
    assert [event.state.value for event in panel.store.history(panel.store.patterns()[0].pattern_id)] == [
        *("accepted", "none", "accepted", "none")
    ]
