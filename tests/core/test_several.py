"""Steps of several parts: carried out in their order, told in assembly, and leaving the flow like their last part."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.cutting import all_cuts, check_cut, run_whole
from tests.core.engine_driver import book, play
from tests.core.test_assembly import steps_of
from tests.core.test_flow import edges
from workbench.engine.judging.wanted import answer_schema
from workbench.engine.outcomes import outcome_field
from workbench.engine.ports import Request, RequestKind
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.meaning import (
    Ask,
    Assign,
    Branch,
    Call,
    End,
    Judge,
    Jump,
    JumpForm,
    Return,
    Several,
    StepKind,
    Tell,
    kind_of,
)
from workbench.model.sentences.assembly import classify_assembly
from workbench.model.sentences.classify import classify
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText


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


def read(text: str) -> str:
    """What *text* means in short: its parts, or what is judged, what it fills in and what may follow."""
    return shown(classify(text, has_children=False))


def shown(meaning: object) -> str:
    match meaning:
        case Several(parts=parts):
            return "; ".join(map(shown, parts))
        case Judge(outputs=outputs, outcomes=outcomes):
            names = "".join(f" ${one.name}" for one in outputs)
            return f"judge{names}" + "".join(f" or {shown(one)}" for one in outcomes)
        case Ask(variables=variables):
            return "ask" + "".join(f" ${one.name}" for one in variables)
        case Tell(template=template):
            return "tell" if template is None else f"tell {template.source}"
        case Assign(target=target, value=value):
            return f"${target.name} = {value.source}"
        case Call(target=target):
            return f"{target}()"
        case Return(value=value, text=text):
            return f"return {value.source if value else text}".strip()
        case Jump(form=form, number=number):
            return f"{form.value} {number}".strip()
        case Branch(action=action):
            return f"if: {shown(action)}"
    return type(meaning).__name__.lower()


PARTS = {
    "Greet the user and ask for their $name": "tell; ask $name",
    "Tell them no and return": "tell; return",
    "Thank the user and end the program": "tell; end",
    "Say goodbye, then end the program": "tell; end",
    "Thank the user. End the program.": "tell; end",
    "Tell the user no; then return $x": "tell; return $x",
    "Welcome the user to the shop, and ask how you can help": "tell; ask",
    "Ask the user for $name and $email and return": "ask $name $email; return",
    "Ask the user for their $name, then say \"Hi {$name}\" and return 1": "ask $name; tell Hi {$name}; return 1",
    "$x = 1; $y = 2": "$x = 1; $y = 2",
    "$x = 1 and then go to step 2": "$x = 1; go to 2",
    "Set $x to 5 and tell the user \"ok\"": "$x = 5; tell ok",
    "F(1), then G(2)": "F(); G()",
    "Call F($x) and return": "F(); return",
    "First greet the user and then ask for $name": "tell; ask $name",
    "Wait 5 minutes and then tell the user \"Done\"": "wait; tell Done",
    "If $n is 1, tell the user no and return": "if: tell; return",
    "If the customer is angry, tell them sorry and end the program": "if: tell; end",
    "Otherwise tell the user no and break": "if: tell; break",
}  # fmt: skip


@pytest.mark.parametrize("text", PARTS)
def test_a_sentence_whose_parts_are_plain_is_cut_into_them(text: str) -> None:
    assert read(text) == PARTS[text]


WHOLE = {
    "Announce the winner and break out of the loop": "judge or break",
    "Process the refund and return": "judge or return",
    "Check it again; gracefully exit if the user gives up": "judge or end",
    "Ask for $x and if it is bad, return": "judge $x or return",
    "Tell the user yes or end the program": "judge or end",
    "Tell the user no, otherwise return": "judge or return",
    "Think about the order and end the program": "judge or end",
    "Greet the user and look the order up": "judge",
    "Greet the user, check their $order_id and return the result": "judge or return the result",
    "Return $x and end the program": "judge or return $x or end",
    "Go to step 2 and try again": "judge or go to 2",
    "If the customer is angry, apologise, then end the program": "if: judge or end",
    "Check the list. If it is empty, end the program. Otherwise return.": "judge or end or return",
}


@pytest.mark.parametrize("text", WHOLE)
def test_a_sentence_with_a_part_that_is_not_plain_is_judged_as_a_whole(text: str) -> None:
    assert read(text) == WHOLE[text]


ONE = {
    "Tell the user their name and address": "tell",
    "Tell the user about their order and return policy": "tell",
    "Ask the user whether they want tea or coffee": "ask",
    "Ask the user what they want and store it in $wish": "ask $wish",
    "Next, ask the customer for $order_id": "ask $order_id",
    'Say "a and return" to the user': "tell a and return",
    "Return the name and address": "return the name and address",
    "Return a fact about $country and include the news": "return a fact about $country and include the news",
    "Return an apology for the delay and indicating that it is paid": (
        "return an apology for the delay and indicating that it is paid"
    ),
    "Compare the start and end": "judge",
    "$x = $a and $b": "$x = $a and $b",
    "F(then=1)": "F()",
}


@pytest.mark.parametrize("text", ONE)
def test_a_sentence_that_says_one_thing_is_one(text: str) -> None:
    assert read(text) == ONE[text]


def test_a_judgement_is_asked_for_what_follows_too(tmp_path: Path) -> None:
    played = play("- Check the order and return\n- $n = 1\n", tmp_path, "answers: [{values: {and-then: return}}]")
    (asked,) = played.bodies("input.asked")
    assert [(one["name"], one["type"]) for one in asked["fields"]] == [("and-then", "go on|return")]
    assert played.steps() == ["Main:01"]


@pytest.mark.parametrize("answer", ["{text: done}", "{values: {and-then: go on}}"])
def test_nothing_said_about_what_follows_means_to_go_on(answer: str, tmp_path: Path) -> None:
    played = play("- Check the order and return\n- $n = 1\n", tmp_path, f"answers: [{answer}]")
    assert played.steps() == ["Main:01", "Main:02"]


def test_what_follows_comes_after_the_values(tmp_path: Path) -> None:
    steps = "- For each $x in [1, 2]\n  - Look at $x, set $y:int and leave the loop\n- $z = $y\n"
    played = play(steps, tmp_path, "answers: [{values: {y: 7, and-then: break}}]")
    assert played.state.agents["Book"] == {"x": 1, "y": 7, "z": 7}


def test_a_loop_is_not_offered_where_there_is_none(tmp_path: Path) -> None:
    played = play("- Check the order and break out of the loop\n", tmp_path, "answers: [{text: done}]")
    assert played.bodies("input.asked")[0]["fields"] == []


def test_what_may_follow_is_an_edge_of_its_own() -> None:
    found = edges("- While $x\n  - Check it and leave the loop\n- Do that and return\n- c\n")
    assert {
        ("Check it and leave the loop", "jump", "Do that and return"),
        ("Do that and return", "jump", "End"),
    } <= found
    assert ("Do that and return", "next", "c") in found


def test_one_person_is_told_and_the_program_ends(tmp_path: Path) -> None:
    text = "# Book\n## Main\n### Steps\n- Tell Ada no and end the program\n- $n = 1\n\n# Ada:Human\n"
    played = play(book(text, ""), tmp_path)
    assert [(body["text"], body["target"]) for body in played.bodies("say.told")] == [("Tell Ada no", "Ada")]
    assert played.steps() == ["Main:01"]


STEPS = "".join(f"- {text}\n" for text in (*PARTS, *WHOLE, *ONE))


def test_what_the_sentences_compile_to_compiles_to_itself() -> None:
    once = compile_assembly(book(f"- While $x\n  - Say no and break\n{STEPS}")).text
    assert compile_assembly(derive(SourceText(once))).text == once


def test_a_run_can_be_cut_between_any_two_parts(tmp_path: Path) -> None:
    file = tmp_path / "parts.md"
    file.write_text(PROGRAM, "utf-8")
    file.with_suffix(".script.yaml").write_text(SCRIPT, "utf-8")
    whole = run_whole(file, tmp_path / "whole")
    assert whole.played.told() == ["Greet the user", "Hi Ada", "Bye"]
    for number, cut in enumerate(all_cuts(whole)):
        check_cut(whole, cut, tmp_path / str(number))


PROGRAM = """# Book
## Main
### Steps
- Greet the user and ask for their $name, then say "Hi {$name}"
- For each $x in [1, 2]
  - Look at $x, set $y and leave the loop
- Check whether all is well and return
- Say "Bye" and end the program
"""
SCRIPT = "answers: [{text: Ada}, {values: {y: 2, and-then: break}}, {text: fine}]"


def test_a_model_must_say_what_follows() -> None:
    request = Request("q", RequestKind.JUDGE, "Main:01", "Check", (outcome_field((Return(), End())),))
    schema = answer_schema(request, may_hand_over=False)
    assert schema is not None
    assert schema["properties"] == {"and-then": {"type": "string", "enum": ["go on", "return", "end"]}}


def test_two_ways_to_return_are_told_apart() -> None:
    field = outcome_field((Return(), Return(None, "the sum"), Jump(JumpForm.GO_TO, "2.1")))
    assert field.type == "go on|return|return (2)|go to 2.1"
