"""The whole way: a goal, two mistakes, a failing call, another segment, kept, found again, and used once more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.core.cycle_driver import LOAD, PAY, decides, done, journal_in, says, told
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.journal.events import RunEvent
from workbench.engine.ports import Answer
from workbench.engine.scripts import Script, ScriptedAnswer, parse_script
from workbench.event_words import described
from workbench.planning.cycle import Means, begin
from workbench.planning.deviation.carrying import RunHands
from workbench.planning.request import PlanRequest
from workbench.planning.shelf.entries import NoteSource
from workbench.planning.shelf.keeping import ShelfHands, known_for
from workbench.planning.shelf.notes import Notes
from workbench.planning.shelf.store import Shelf

_PLAN = {
    "title": "Refund an order",
    "description": "Gives money back.",
    "steps": [
        {"intent": "load it", "call": "LoadOrder", "arguments": {"id": "A-1"}, "result": "found"},
        {"intent": "pay", "call": "PayBack", "arguments": {"id": "A-1"}},
    ],
}
_RIGHT = """# Refund an order

## Main()

### Triggers

- At the beginning

### Steps

- $found = LoadOrder(id="A-1")
- PayBack(id="A-1")
- Return $found
"""
_WRONG = _RIGHT.replace("LoadOrder", "LodOrder").replace("PayBack(id", "PayBack(ids")
_OTHER = _RIGHT.replace('- PayBack(id="A-1")\n', '- Tell user "It is paid by hand."\n')


def _answered(stage: int, *, is_yes: bool) -> ScriptedAnswer:
    return ScriptedAnswer(f"Cycle:{stage:02d}", Answer(decision=is_yes))


def test_a_goal_comes_to_a_finished_run_and_to_a_playbook_that_is_used_again(tmp_path: Path) -> None:
    journal, shelf = journal_in(tmp_path), Shelf(tmp_path / "shelf.sqlite", "ada")

    def world(events: tuple[RunEvent, ...]) -> ScriptBackend:
        fails = "failures: {PayBack: {'1': the bank is closed}}"
        made = ScriptBackend(parse_script(f"tools: {{LoadOrder: 120, PayBack: 5}}\n{fails if not events else ''}"))
        made.catch_up(events)
        return made

    means = Means(RunHands(journal, world, ShelfHands(shelf.path, "ada", tmp_path)))
    request = PlanRequest("Refund an order", offers=(LOAD, PAY), is_free=True, is_run=True)
    made = (says(1, plan=_PLAN), says(2, text=_WRONG), says(3, text=_RIGHT), decides(True))
    went = (says(6, how="segment"), says(6, text=_OTHER), _answered(6, is_yes=True))
    run = done(begin(request, journal, ScriptBackend(Script((*made, *went))), means))
    assert run.state.status.value == "completed" and run.result == _OTHER
    names = [event.name.removeprefix("cycle.") for event in journal.check(run.id) if event.name.startswith("cycle.")]
    made_so = "planned generated checked generated checked observed reviewed compiled begun"
    went_so = "deviated answered regenerated accepted begun ended stored"
    assert names == [*made_so.split(), *went_so.split()]
    assert all(described(event) for event in journal.check(run.id) if event.name.startswith("cycle."))
    similar = replace(request, goal="refund this order please")
    known = known_for(shelf, similar)
    assert known is not None and known.text == _OTHER and known.record == "went well in 1 of 1 run"
    (note,) = Notes(shelf).all()
    assert note.source is NoteSource.DEVIATION and "PayBack" in note.text and "the bank is closed" in note.text
    again = (_answered(1, is_yes=True), decides(True))
    other = done(begin(replace(similar, known=known), journal, ScriptBackend(Script(again)), means))
    assert other.result == _OTHER and told(journal.check(other.id), "cycle.ended")[0]["status"] == "completed"
    assert (shelf.entries()[0].successes, len(shelf.entries())) == (2, 1)
    shelf.close()
    journal.close()
