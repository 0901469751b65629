"""Plans without a model: from patterns, and from playbooks, which are written again as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import book
from workbench.errors import CannotRead
from workbench.library.store import PatternStore
from workbench.model.snapshot import Snapshot, derive
from workbench.planning.checking import read_text
from workbench.planning.moves import playbook_text
from workbench.planning.plan import plan_from_json, plan_to_json
from workbench.planning.request import PlaybookFormat
from workbench.planning.templates import plan_of_pattern, plan_of_playbook
from workbench.syntax.text import SourceText

_SAMPLES = sorted((Path(__file__).resolve().parents[2] / "playbooks").glob("*.md"))


def words_of(snapshot: Snapshot, name: str) -> set[str]:
    """What the steps of the playbook *name* say."""
    playbook = snapshot.program.playbook(name)
    assert playbook is not None
    return {step.text for each in playbook.steps for step in each.walk()}


@pytest.mark.parametrize("path", _SAMPLES, ids=lambda path: path.stem)
def test_the_plan_of_a_playbook_has_its_steps_and_survives_json(path: Path) -> None:
    snapshot = derive(SourceText.decode(path.read_bytes()))
    plan = plan_of_playbook(snapshot)
    assert plan_from_json(plan_to_json(plan)) == plan and plan.steps


def test_a_playbook_is_written_again_as_it_was() -> None:
    steps = (
        "- $a = 1\n- $b = Load(id=$a, times=2)\n- If $b > 1\n  - Look at it\n- Else if $b < 0\n  - Stop here\n"
        '- Otherwise\n  - For each $x in [1, 2]\n    - Tell user "{$x}"\n- Water the plants\n  - gently\n- Load($a)\n'
    )
    before = book(steps)
    after = read_text(playbook_text(plan_of_playbook(before), PlaybookFormat.MARKDOWN), PlaybookFormat.MARKDOWN)
    assert words_of(before, "Main") - {"Else if $b < 0"} <= words_of(after, "Main")
    assert plan_of_playbook(after).steps == plan_of_playbook(before).steps
    with pytest.raises(CannotRead, match="no playbook with steps"):
        plan_of_playbook(before, "Other")


def test_a_pattern_becomes_a_plan_that_calls_its_tools(tmp_path: Path) -> None:
    store = PatternStore(tmp_path / "patterns.sqlite")
    entry = store.record("orders", "Refund an order", ("lookup", "pay", "notify"))
    plan = plan_of_pattern(entry, store.variants(entry.pattern_id))
    assert [step.call for step in plan.steps] == ["lookup", "pay", "notify"]
    assert "- lookup()\n- pay()\n- notify()\n" in playbook_text(plan, PlaybookFormat.MARKDOWN)
    store.close()


def test_a_step_list_becomes_a_plan() -> None:
    text = "id: a\nname: A\nsteps:\n  - id: one\n    description: Look it up\n    expected_tools: [lookup]\n"
    plan = plan_of_playbook(derive(SourceText(text)))
    assert (plan.title, plan.steps[0].intent, plan.steps[0].call) == ("A", "Look it up", "lookup")
