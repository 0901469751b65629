"""Steps of several parts: carried out in their order, told in assembly, and leaving the flow like their last part."""

from __future__ import annotations

from pathlib import Path

from tests.core.engine_driver import book, play
from tests.core.test_assembly import steps_of
from tests.core.test_flow import edges
from workbench.model.meaning import Ask, End, Return, Several, StepKind, Tell, kind_of
from workbench.model.sentences.assembly import classify_assembly


def test_a_line_of_assembly_with_several_codes_has_several_parts() -> None:
    meaning = classify_assembly('01:QUE Say(user, "Hi; RET"); QUE Say(user, ask for $n); YLD for user; RET 1', False)
    assert isinstance(meaning, Several)
    assert [type(part) for part in meaning.parts] == [Tell, Ask, Return]


def test_a_step_that_ends_something_at_last_is_drawn_as_an_end() -> None:
    assert kind_of(Several((Tell("Bye"), End()))) is StepKind.END
    assert kind_of(Several((Tell("Hi"), Ask("Who?")))) is StepKind.ASK


def test_parts_are_carried_out_in_their_order(tmp_path: Path) -> None:
    program = '- 01:QUE Say(user, "A"); QUE Say(user, Ask user for $n); YLD for user; RET\n- 02:QUE Say(user, "B")\n'
    played = play(book(program), tmp_path, "answers: [{text: Ada}]")
    assert played.told() == ["A"]
    assert played.state.agents["Book"] == {"n": "Ada"}


def test_several_parts_are_compiled_to_themselves() -> None:
    line = '- 01:QUE Say(user, "A"); QUE Say(user, Ask user for $n); YLD for user; RET\n'
    assert steps_of(line) == [line.removeprefix("- ").strip()]


def test_a_step_whose_last_part_leaves_has_nothing_after_it() -> None:
    assert edges("- 01:EXE a; RET\n- 02:EXE b\n") == {("M", "next", "01:EXE a; RET"), ("02:EXE b", "next", "End")}


def test_an_arm_that_returns_on_its_own_line_has_nothing_after_it() -> None:
    assert ("If $x, return", "yes", "b") not in edges("- If $x, return\n- b\n")
