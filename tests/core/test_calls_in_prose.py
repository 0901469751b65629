"""Calls in prose: by the exact name, or by its words; what is missing is asked for, and what says more is judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.check import snapshot_of
from tests.core.engine_driver import Played, play
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.flow import flow_of_program
from workbench.model.incremental.advancing import advance
from workbench.model.meaning import Ask, Call, Meaning, Tell, actions_of
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import Span

OTHERS = """
## AnswerIt
### Steps
- Return 7

## F($n, $b=2)
### Steps
- Return $n + $b

## Joke
### Steps
- Return "ha"

## ProcessPayment($total)
### Steps
- If $total > 100
  - Return "much"
- Return "little"

## GreetTheCustomer
### Steps
- Tell user "Welcome"
"""


def program(steps: str, others: str = OTHERS) -> str:
    """A program whose first playbook has *steps*, beside *others*."""
    return f"# Desk\n## Main\n### Steps\n{steps}\n{others}"


def meaning_of(sentence: str, others: str = OTHERS) -> Meaning:
    """What *sentence* does as the only step of a playbook beside *others*."""
    (meaning,) = actions_of(snapshot_of(program(f"- {sentence}", others)).program.playbooks[0].steps[0].meaning)
    return meaning


def shown(meaning: Meaning) -> str:
    """A call as it would be written: ``r = F(1, n=$n)``, with ``?`` before what is asked for; else what it is."""
    if not isinstance(meaning, Call):
        return type(meaning).__name__
    given = [(f"{one.name}=" if one.name else "") + one.value.source for one in meaning.arguments]
    given += [f"?{one.name}" for one in meaning.asked]
    result = f"{meaning.result.name} = " if meaning.result else ""
    return f"{result}{meaning.target}({', '.join(given)})"


FORMS = [
    ("AnswerIt", "AnswerIt()"),
    ("`AnswerIt`", "AnswerIt()"),
    ("Run AnswerIt", "AnswerIt()"),
    ("Run AnswerIt.", "AnswerIt()"),
    ("Then run AnswerIt", "AnswerIt()"),
    ("Call AnswerIt", "AnswerIt()"),
    ("Call `AnswerIt`", "AnswerIt()"),
    ("Call the AnswerIt playbook", "AnswerIt()"),
    ("Execute AnswerIt()", "AnswerIt()"),
    ("await AnswerIt()", "AnswerIt()"),
    ("Use AnswerIt to find the answer", "AnswerIt()"),
    ("Run AnswerIt and store the result in $r", "r = AnswerIt()"),
    ("Run AnswerIt as $r", "r = AnswerIt()"),
    ("Call F with $n", "F($n)"),
    ("Call F with 3", "F(3)"),
    ("Call F with $a and $b", "F($a, $b)"),
    ("Call F with $a, $b", "F($a, $b)"),
    ("Call F with n=$a and b=3", "F(n=$a, b=3)"),
    ("Run F for $n to add it up", "F($n)"),
    ("Call F", "F(n=$n)"),
    ("Use F to add it up", "F(n=$n)"),
    ("Get $r from F", "r = F(n=$n)"),
    ("Get $joke from Joke()", "joke = Joke()"),
    ("Get the $joke from the Joke playbook", "joke = Joke()"),
    ("$r = Call F($n)", "r = F($n)"),
    ("$r = await F($n)", "r = F($n)"),
    ("$r = Run AnswerIt", "r = AnswerIt()"),
    ("Process payment", "ProcessPayment(total=$total)"),
    ("Process the payment.", "ProcessPayment(total=$total)"),
    ("Process payment with $total", "ProcessPayment(total=$total)"),
    ("Process payment and store the result in $r", "r = ProcessPayment(total=$total)"),
    ("$r = Process payment", "r = ProcessPayment(total=$total)"),
    ("Process payment for $order", "ProcessPayment(?total)"),
    ("Process payment of 20", "ProcessPayment(?total)"),
    ("Process payment quickly", "ProcessPayment(?total)"),
    ("Call F with the larger number", "F(?n)"),
    ("Greet the customer", "GreetTheCustomer()"),
    ("Greet the customer warmly", "Tell"),
    ("Process payment (or not)", "Judge"),
    ("$r = process_payment(3) + 1", "Assign"),
    ("Run AnswerIt twice", "Judge"),
    ("Run AnswerIt and tell the user about it", "Judge"),
    ("Use AnswerIt to find the answer and $x", "Judge"),
    ("Call AnswerIt with $n", "Judge"),
    ("Call F with $a, $b and $c", "Judge"),
    ("Call answerit", "Judge"),
    ("Call Nobody", "Judge"),
    ("Do not call AnswerIt", "Judge"),
    ("Call F only if it is needed", "Judge"),
    ("Process payment unless it was paid", "Judge"),
    ("Summarize the answer from AnswerIt", "Judge"),
]


@pytest.mark.parametrize(("sentence", "what"), FORMS)
def test_a_step_in_prose_is_this_call_or_judged_as_a_whole(sentence: str, what: str) -> None:
    assert shown(meaning_of(sentence)) == what


@pytest.mark.parametrize(("sentence", "what"), [each for each in FORMS if each[0][0] not in "`$"])
def test_the_same_words_on_the_line_of_a_condition_are_the_same(sentence: str, what: str) -> None:
    said = sentence[0].lower() + sentence[1:] if not sentence.startswith("AnswerIt") else sentence
    assert shown(meaning_of(f"If $x > 3, {said}")) == what


def run(steps: str, folder: Path, script: str = "", others: str = OTHERS) -> Played:
    """A run of *steps* beside *others*."""
    return play(snapshot_of(program(steps, others)), folder, script)


PAYMENT = "- $order_total = 20\n- $r = Process payment\n- Return $r"


def test_a_missing_value_is_asked_for_as_a_number_and_the_call_is_made(tmp_path: Path) -> None:
    played = run(PAYMENT, tmp_path, "answers: [{step: 'Main:02', values: {total: 150}}]")
    (asked,) = played.bodies("input.asked")
    assert (asked["kind"], asked["text"]) == ("judge", "$r = Process payment")
    assert asked["fields"] == [{"name": "total", "is_state": False, "type": "number"}]
    assert played.state.result == "much"
    assert [each["playbook"] for each in played.bodies("playbook.entered")] == ["Main", "ProcessPayment"]


def test_a_value_that_is_there_is_not_asked_for(tmp_path: Path) -> None:
    played = run("- $total = 20\n- $r = Process payment\n- Return $r", tmp_path)
    assert (played.state.result, played.bodies("input.asked")) == ("little", [])


def test_what_more_is_said_is_for_whoever_gives_the_value(tmp_path: Path) -> None:
    played = run(
        "- $total = 20\n- Process payment of 150 to Bob", tmp_path, "answers: [{step: 'Main:02', values: {total: 150}}]"
    )
    (asked,) = played.bodies("input.asked")
    assert asked["text"] == "Process payment of 150 to Bob"


def test_a_value_that_a_named_call_is_given_and_that_is_not_there_is_asked_for(tmp_path: Path) -> None:
    played = run(
        "- Run F with $n and $b and store it in $r\n- Return $r",
        tmp_path,
        "answers: [{step: 'Main:01', values: {n: 1, b: 5}}]",
    )
    assert played.state.result == 6


RETURN = """
## PrepareTheReturn
### Steps
- Check the figures
- Prepare the return
- Return 1

## CheckTheFigures
### Steps
- Prepare the return
"""


def test_the_words_of_a_playbook_never_mean_itself_but_its_name_does() -> None:
    names = [each.name for each in snapshot_of(program("- Prepare the return", RETURN)).program.playbooks]
    assert names == ["Main", "PrepareTheReturn", "CheckTheFigures"]
    inside = snapshot_of(program("- Prepare the return", RETURN)).program.playbooks[1].steps
    assert [shown(step.meaning) for step in inside] == ["CheckTheFigures()", "Judge", "Return"]
    again = "\n## PrepareTheReturn\n### Steps\n- Run PrepareTheReturn\n- PrepareTheReturn()\n- PrepareTheReturn\n"
    inside = snapshot_of(program("- Wait", again)).program.playbooks[1].steps
    assert [shown(step.meaning) for step in inside] == ["PrepareTheReturn()", "PrepareTheReturn()", "Judge"]


def test_words_that_lead_back_to_what_is_going_on_are_judged(tmp_path: Path) -> None:
    script = "answers: [{step: 'CheckTheFigures:01', text: done}, {step: 'PrepareTheReturn:02', text: done}]"
    played = run("- $r = Prepare the return\n- Return $r", tmp_path, script, RETURN)
    assert played.state.result == 1
    entered = [each["playbook"] for each in played.bodies("playbook.entered")]
    assert entered == ["Main", "PrepareTheReturn", "CheckTheFigures"]
    assert [each["text"] for each in played.bodies("input.asked")] == ["Prepare the return", "Prepare the return"]


def test_the_exact_one_is_meant_where_others_only_come_near() -> None:
    others = "\n## CreateTicket\n### Steps\n- Return 1\n\n## CreateTicketHelper\n### Steps\n- Return 2\n"
    assert shown(meaning_of("Create a ticket", others)) == "CreateTicket()"
    assert shown(meaning_of("Create tickets", others)) == "CreateTicket()"
    snapshot = snapshot_of(program("- Create a ticket\n- Create a ticket helper", others))
    assert not [one for one in snapshot.diagnostics if one.code == "ambiguous-call"]


def test_a_greeting_that_no_playbook_is_called_after_is_told() -> None:
    assert isinstance(meaning_of("Greet the customer", ""), Tell)
    assert isinstance(meaning_of("Ask the user for $name", "\n## AskTheUser\n### Steps\n- Return 1\n"), Ask)


def test_python_is_called_in_prose_with_the_names_of_its_parameters() -> None:
    python = "```python\n@playbook\ndef process_files(path, depth=1):\n    return path\n```\n"
    snapshot = snapshot_of(f"# Desk\n{python}## Main\n### Steps\n- Process files\n- Run process_files with $folder\n")
    steps = snapshot.program.playbooks[0].steps
    assert [shown(step.meaning) for step in steps] == ["process_files(path=$path)", "process_files($folder)"]


def test_calls_in_prose_have_their_edges_and_compile_to_what_a_run_reads_the_same() -> None:
    steps = "- Run AnswerIt\n- Process payment\n- If $x > 3, greet the customer\n- Get $r from F"
    snapshot = snapshot_of(program(steps))
    graph = flow_of_program(snapshot)
    called = [graph.nodes[b]["playbook"] for _a, b, kind in graph.edges(data="kind") if kind == "call"]
    assert called == ["AnswerIt", "ProcessPayment", "GreetTheCustomer", "F"]
    compiled = snapshot_of(compile_assembly(snapshot).text)
    lines = [line for line in compiled.text.splitlines() if line.startswith(("- 01:", "- 02:", "- 04:"))][:3]
    assert lines == [
        "- 01:QUE AnswerIt(); YLD for call",
        "- 02:QUE Process payment; YLD for call",
        "- 04:QUE Get $r from F; YLD for call",
    ]
    again = [step.meaning for step in compiled.program.playbooks[0].steps]
    assert [shown(again[1]), shown(again[3])] == ["ProcessPayment(total=$total)", "r = F(n=$n)"]


def test_a_step_that_moves_into_the_playbook_that_it_tells_of_is_judged_there() -> None:
    before = snapshot_of(program("- Check the figures\n- Prepare the return", RETURN))
    heading = "## PrepareTheReturn\n### Steps\n"
    at = before.text.index("- Prepare the return")
    gone = before.text.index(heading)
    edits = (TextEdit(Span(at, at), "\n" + heading), TextEdit(Span(gone, gone + len(heading)), ""))
    after = advance(before, TextChange(edits))
    fresh = snapshot_of(after.text)
    for one in (after, fresh):
        assert [shown(step.meaning) for step in one.program.playbooks[1].steps[:2]] == ["Judge", "CheckTheFigures()"]


def test_a_sentence_that_calls_by_a_name_names_it_in_assembly_as_its_heading_does() -> None:
    source = (
        "# A\n## Main\n### Steps\n- Get $s from CheckOrder_flow\n## CheckOrder_flow($id)\n### Steps\n- Return $id\n"
    )
    compiled = compile_assembly(snapshot_of(source)).text
    assert "- 01:QUE Get $s from CheckorderFlow; YLD for call" in compiled
    assert compile_assembly(snapshot_of(compiled)).text == compiled


@pytest.mark.parametrize(
    "step", ["$r = Judge password($a)", "judge Password($a) as $r", "$r = Call Judge password(word=$a)"]
)
def test_a_heading_of_several_words_is_called_with_brackets_behind_it(step: str) -> None:
    snapshot = snapshot_of(f"# A\n## Main\n### Steps\n- {step}\n## Judge Password($word)\n### Steps\n- Return $word\n")
    called = snapshot.program.playbooks[0].steps[0].meaning
    assert isinstance(called, Call)
    assert (called.target, called.result and called.result.name) == ("JudgePassword", "r")
    assert [argument.value.source for argument in called.arguments] == ["$a"]
