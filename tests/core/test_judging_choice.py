"""Who judges: what the run says, and what file, playbook and step say of themselves; and going on with others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.conformance.enforcing import step, steplist
from tests.conftest import PATIENCE_S
from tests.core.engine_driver import book, scripted
from tests.core.model_driver import MODEL, FakeModel, judge, options, said, wants
from tests.core.steplist_driver import text_of
from workbench.engine.journal.events import RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.judges import JudgeKind, Judges, Subject
from workbench.engine.judging.choosing import who_judges, who_judges_playbook
from workbench.engine.options import RunOptions
from workbench.engine.starting import options_of, resume_run
from workbench.engine.state.fold import fold
from workbench.errors import ModelFailed
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

_STEPS = '- Water the plants\n- If it rains\n  - Return "wet"\n- $x = 1\n- Return the best of them\n'


def judges_in(snapshot: Snapshot, judges: Judges) -> list[str]:
    """Who judges each step of *snapshot*, a dash where nothing is judged."""
    roots = [root for playbook in snapshot.program.playbooks for part in playbook.sections for root in part.steps]
    steps = [each for root in roots for each in root.walk()]
    found = [who_judges(snapshot, each, judges) for each in steps]
    return ["-" if kind is None else kind.value for kind in found]


def test_steps_and_conditions_are_judged_by_whom_the_run_says() -> None:
    judges = MODEL.with_judge(Subject.CONDITIONS, JudgeKind.PERSON)
    assert judges_in(book(_STEPS), judges) == ["model", "person", "-", "-", "model"]


@pytest.mark.parametrize(
    ("before", "steps"),
    [
        ("---\njudge: person\n---\n# Book\n## Main\n### Steps\n", "- Water the plants\n"),
        ("# Book\n## Main\njudge: person\n### Steps\n", "- Water the plants\n"),
        ("# Book\n## Main\njudge: {steps: person}\n### Steps\n", "- Water the plants\n"),
        ("# Book\n## Main\n### Steps\n", "<!-- judge: person -->\n- Water the plants\n"),
        ("# Book\n## Main\n### Steps\n", "- Water the plants <!-- judge: person -->\n"),
        ("# Book\n## Main\njudge: model\n### Steps\n", "<!-- judge: person -->\n- Water the plants\n"),
    ],
)
def test_file_playbook_and_step_can_ask_for_a_person(before: str, steps: str) -> None:
    assert judges_in(book(steps, before), MODEL) == ["person"]


def test_a_note_is_for_its_own_step_alone() -> None:
    made = book("- Water the plants\n  <!-- judge: person -->\n  - Feed the cat\n  - Go home\n")
    assert judges_in(made, MODEL) == ["model", "person", "model"]


def test_a_file_cannot_bring_in_a_model() -> None:
    made = book("- Water the plants\n", "---\njudge: model\n---\n# Book\n## Main\n### Steps\n")
    assert judges_in(made, Judges()) == ["person"]


def test_an_entry_of_a_step_list_says_it_in_a_field() -> None:
    text = "id: l\nname: L\nsteps:\n  - {id: a, description: A}\n  - id: b\n    description: B\n    judge: person\n"
    assert judges_in(derive(SourceText(text)), MODEL) == ["model", "person"]


def test_a_playbook_without_steps_is_judged_as_a_whole() -> None:
    made = book("", "# B\n## Main\n### Steps\n- Solve()\n## Solve\nFind it.\n")
    kinds = [who_judges_playbook(made, each, MODEL) for each in made.program.playbooks]
    assert kinds == [None, JudgeKind.MODEL]


def resumed(folder: Path, run: str, chosen: RunOptions, script: str) -> object:
    """What the run came to that went on in *folder* as *chosen*, with the answers of *script*."""
    journal = Journal(folder / "runs.sqlite")
    again = resume_run(RunId(run), journal, scripted(script), chosen)
    assert again.wait(PATIENCE_S)
    journal.close()
    assert again.halt is None, again.halt
    return again.result


def test_a_question_that_a_model_has_left_open_goes_to_a_person(tmp_path: Path) -> None:
    model = FakeModel([ModelFailed("no route")])
    played = judge("- Extract $n:int\n- Return $n\n", tmp_path, model)
    chosen = replace(options_of(fold(played.events)), judges=Judges())
    assert resumed(tmp_path, played.run.id, chosen, "answers: [{values: {n: 4}}]") == 4


def test_a_turn_that_a_model_has_left_open_goes_to_a_person(tmp_path: Path) -> None:
    made = text_of(steplist(step("find", "lookup"), step("tell")))
    played = judge(made, tmp_path, FakeModel([ModelFailed("no route")]))
    chosen = replace(options_of(fold(played.events)), judges=Judges())
    script = "answers: [{values: {action: lookup, result: found}}, {values: {action: done, result: Told.}}]"
    assert resumed(tmp_path, played.run.id, chosen, script) == ""


def test_other_judges_are_kept_with_the_run(tmp_path: Path) -> None:
    model = FakeModel([wants(("nothing", {})), ModelFailed("no route")])
    played = judge("- Extract $n:int\n- Water the plants\n- Return $n\n", tmp_path, model)
    chosen = replace(options(FakeModel([said("Watered.")]), MODEL.with_judge(Subject.STEPS, JudgeKind.PERSON)))
    script = "answers: [{values: {n: 4}}, {text: By hand.}]"
    assert resumed(tmp_path, played.run.id, chosen, script) == 4
    journal = Journal(tmp_path / "runs.sqlite")
    kept = options_of(fold(journal.read(RunId(played.run.id))))
    journal.close()
    assert kept.judges.of(Subject.STEPS) is JudgeKind.PERSON
