"""What the language promises: names, placeholders, payments, orders, notes and triggers, to the letter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.core.engine_driver import Played, book, play
from workbench.engine.journal.codec import encoded
from workbench.engine.options import RunOptions
from workbench.model.meaning import Call, Judge, Tell
from workbench.model.sentences.classify import classify_trigger
from workbench.model.snapshot import Snapshot

START = "### Triggers\n- When program starts\n### Steps\n"


def program(steps: str, others: str = "", head: str = "") -> Snapshot:
    """A shop whose ``Main`` has *steps*."""
    return book("", f"# Corner Shop\n{head}\n## Main\n{START}{steps}{others}")


def ran(folder: Path, steps: str, others: str = "", head: str = "", script: str = "") -> Played:
    """The run of that program, at its end."""
    return play(program(steps, others, head), folder, script)


# Names


HEADINGS = {
    "process_order": ["process_order", "ProcessOrder"],
    "CheckOrder_statusFlow": ["CheckOrder_statusFlow", "CheckorderStatusflow"],
    "ProcessOrder": ["ProcessOrder"],
    "Process order": ["ProcessOrder"],
    "processOrder": ["processOrder", "Processorder"],
    "Order 66": ["Order66"],
}


@pytest.mark.parametrize(("heading", "name"), [(head, name) for head, names in HEADINGS.items() for name in names])
def test_a_playbook_can_be_called_as_its_heading_is_written_and_as_it_is_normalised(
    heading: str, name: str, tmp_path: Path
) -> None:
    played = ran(tmp_path, f"- $r = {name}(3)\n- Return $r\n", f"## {heading}($n)\n### Steps\n- Return $n + 1\n")
    assert (played.run.result, played.state.error) == (4, "")


@pytest.mark.parametrize("name", ["process_order", "ProcessOrder"])
def test_a_run_can_begin_with_a_playbook_by_either_name(name: str, tmp_path: Path) -> None:
    snapshot = book("", '# Shop\n## process_order\n### Steps\n- Return "done"\n')
    assert play(snapshot, tmp_path, options=RunOptions(playbook=name)).run.result == "done"


def test_python_can_call_a_playbook_as_its_heading_is_written(tmp_path: Path) -> None:
    head = "```python\n@playbook\nasync def both():\n    return [await process_order(1), await ProcessOrder(2)]\n```\n"
    played = ran(tmp_path, "- $r = both()\n- Return $r\n", "## process_order($n)\n### Steps\n- Return $n * 10\n", head)
    assert (played.run.result, played.state.error) == ([10, 20], "")


# Placeholders of descriptions


PYTHON = (
    "```python\nimport json\n\nLIMIT = 5\nSHELVES = {'left': ['tea', 'jam']}\n\n\n"
    "@playbook\ndef stock(what):\n    return len(what)\n```\n"
)
PLACEHOLDERS = {
    "{$goods}": "tea",
    "{goods}": "tea",
    "{$count + 1}": "4",
    "{len([x for x in $list if x > 1])}": "2",
    "{'many' if $count > 2 else 'few'}": "many",
    "{$prices['tea']}": "1.5",
    "{$prices.tea * $count}": "4.5",
    "{$count:03d} and {$prices['tea']:.2f}": "003 and 1.50",
    "{$goods.upper()}": "TEA",
    '{QuarterlySummary("Q1")}': "Q1 of tea",
    '{QuarterlySummary("Q" + str($count))}': "Q3 of tea",
    "{agent.klass}": "CornerShop",
    "{agent.state.count}": "3",
    "{call.playbook_name}": "Described",
    "${5} costs $5": "$5 costs $5",
}
OF_PYTHON = {
    "{LIMIT}": "5",
    "{SHELVES['left'][1]}": "jam",
    "{json.dumps({'a': 1})}": '{"a": 1}',
    '{stock("abc")}': "3",
}
MODES = {
    "playbook": ("### Steps\n- Return 1\n", ""),
    "react": ("", "answers: [{step: Described, values: {action: done, result: x}}]"),
    "raw": ("", "answers: [{step: Described, text: x}]"),
}


def described(folder: Path, text: str, mode: str, head: str = "") -> Played:
    """The run of a program with a playbook that *text* describes."""
    more, script = MODES[mode]
    steps = '- $goods = "tea"\n- $count = 3\n- $list = [1, 2, 3]\n- $prices = {"tea": 1.5}\n- Described()\n'
    others = f"## Described\nexecution_mode: {mode}\n\nIt is {text}.\n{more}"
    others += '## QuarterlySummary($q)\n### Steps\n- Return "{$q} of {$goods}"\n'
    return ran(folder, steps, others, head, script)


def descriptions(played: Played, playbook: str = "Described") -> list[str]:
    """What each call of *playbook* began with, filled in."""
    assert played.state.error == ""
    found, inside = [], False
    for event in played.events:
        body = dict(encoded(event.payload))
        if event.name == "playbook.entered" and body["playbook"] == playbook:
            found.append(str(body.get("description", "")))
            inside = True
        elif event.name == "playbook.described" and inside:
            found[-1] = str(body["text"])
    return found


@pytest.mark.parametrize("text", PLACEHOLDERS)
@pytest.mark.parametrize("mode", MODES)
def test_a_placeholder_of_a_description_is_filled_in(text: str, mode: str, tmp_path: Path) -> None:
    assert descriptions(described(tmp_path, text, mode)) == [f"It is {PLACEHOLDERS[text]}."]


def test_a_placeholder_knows_what_the_python_of_its_file_knows(tmp_path: Path) -> None:
    played = described(tmp_path, " ".join(OF_PYTHON), "playbook", PYTHON)
    assert descriptions(played) == [f"It is {' '.join(OF_PYTHON.values())}."]


def test_the_time_in_a_description_is_the_time_of_the_call(tmp_path: Path) -> None:
    played = ran(tmp_path, "- F()\n", "## F\nAt {timestamp}.\n### Steps\n- Return 1\n")
    assert played.state.error == ""
    text = played.bodies("playbook.entered")[1]["description"]
    assert text.startswith("At 20")


def test_a_description_is_filled_in_once_for_each_call(tmp_path: Path) -> None:
    others = '## Sell($what)\nSells {$what}, number {Count()}.\n### Steps\n- $what = "other"\n- Return 1\n'
    others += "## Count\n### Steps\n- Increment $sold\n- Return $sold\n"
    played = ran(tmp_path, '- $sold = 0\n- Sell("tea")\n- Sell("jam")\n- Return $sold\n', others)
    assert (descriptions(played, "Sell"), played.run.result) == (["Sells tea, number 1.", "Sells jam, number 2."], 2)


# Payments


def test_a_payment_in_words_is_made_with_the_variables_that_it_needs(tmp_path: Path) -> None:
    others = "## ProcessPayment($order_total)\n### Steps\n- Return $order_total + 1\n"
    snapshot = program("- $order_total = 20\n- Process payment\n", others)
    called = snapshot.program.playbooks[0].steps[1].meaning
    assert isinstance(called, Call)
    assert called.target == "ProcessPayment"
    played = play(snapshot, tmp_path)
    assert [body["arguments"] for body in played.bodies("playbook.entered")][1:] == [{"order_total": 20}]


def test_a_payment_in_words_is_asked_about_where_a_value_is_missing(tmp_path: Path) -> None:
    others = "## ProcessPayment($total)\n### Steps\n- Return $total + 1\n"
    steps = "- $order_total = 20\n- $paid = Process payment\n- Return $paid\n"
    played = ran(tmp_path, steps, others, script="answers: [{values: {total: 30}}]")
    (asked,) = played.bodies("input.asked")
    assert (asked["text"], [field["name"] for field in asked["fields"]]) == ("$paid = Process payment", ["total"])
    assert (played.run.result, played.state.agents["CornerShop"]["order_total"]) == (31, 20)


def test_an_amount_that_is_typed_is_paid_as_a_number(tmp_path: Path) -> None:
    steps = "- Ask user for the $amount\n- $paid = $amount * 1.2\n- If $paid > 10\n  - Return large\n- Return small\n"
    assert ran(tmp_path, steps, script="answers: [{values: {amount: '9'}}]").run.result == "large"


# Orders


ORDER = (
    "- Ask user for their $order_id\n- $state = CheckOrder_statusFlow($order_id)\n"
    '- When $state is "shipped"\n  - Tell user "It is on its way."\n'
    '- When $state is "unknown", tell user "We do not know {$order_id}." and return unknown\n'
    "- Otherwise\n  - Ask user whether they want to wait, as $wait\n"
    "  - If the user does not want to wait\n    - Return cancelled\n- Return $state\n"
)
STATUS = (
    '## CheckOrder_statusFlow($id) -> str\n### Steps\n- $states = {"1": "shipped", "2": "packed"}\n'
    '- Return $states.get($id, "unknown")\n'
)
ORDERS: dict[str, tuple[str, list[str], Any]] = {
    "1": ("", ["It is on its way."], "shipped"),
    "7": ("", ["We do not know 7."], "unknown"),
    "2": (", {values: {wait: no thanks}}, {decision: true}", [], "cancelled"),
}


@pytest.mark.parametrize("order", ORDERS)
def test_the_status_of_an_order_leads_to_what_is_told(order: str, tmp_path: Path) -> None:
    more, told, result = ORDERS[order]
    played = ran(tmp_path, ORDER, STATUS, script=f"answers: [{{values: {{order_id: '{order}'}}}}{more}]")
    assert (played.told(), played.run.result, played.state.error) == (told, result, "")


def test_what_another_agent_is_asked_for_by_name_is_its_call(tmp_path: Path) -> None:
    others = "# Accountant\n## TaxRate($income)\npublic: true\n### Steps\n- Return 0.2 if $income < 100 else 0.3\n"
    played = ran(tmp_path, "- $rate = Accountant.TaxRate(income=50)\n- Return $rate\n", others)
    assert played.run.result == 0.2


def test_what_an_agent_is_asked_in_prose_only_sets_what_is_to_be_known(tmp_path: Path) -> None:
    steps = (
        "- $gross_income = 50\n- Ask the accountant what the $tax_rate for the $gross_income is\n- Return $tax_rate\n"
    )
    others = "# Accountant\n## TaxRate($income)\npublic: true\n### Steps\n- Return 0.2\n"
    played = ran(tmp_path, steps, others, script="answers: [{values: {tax_rate: 0.25}}]")
    assert (played.run.result, played.state.agents["CornerShop"]["gross_income"]) == (0.25, 50)


# Notes


def test_notes_reach_whoever_judges_and_never_a_step_that_is_exact(tmp_path: Path) -> None:
    steps = "- $n = 1\n- Pack the parcel\n### Notes\n- N1 Glass goes in straw.\n- Never pack on Sundays.\n"
    played = ran(tmp_path, steps, script="answers: [{text: packed}]")
    (asked,) = played.bodies("input.asked")
    assert asked["text"] == "Pack the parcel"
    assert [note.text for note in program(steps).program.playbooks[0].notes] == [
        "N1 Glass goes in straw.",
        "Never pack on Sundays.",
    ]


# Triggers


TRIGGERS = {
    "When program starts": "start",
    "At the beginning": "start",
    "In the beginning": "start",
    "When $stock < 5": "condition",
    "When $name is not empty and $stock is at least 3": "condition",
    "When the $mood of the customer is bad": "judged condition",
    "After calling Pay": "after Pay",
    "Before calling Pay": "before Pay",
    "When Pay fails": "fails Pay",
    "When the user asks for a refund": "message",
    'When the user says "stop"': "message stop",
    "When a message arrives": "rest",
    "After 5 minutes": "time",
    "Every day at 8:30": "time",
    "At the end": "end",
    "Before ending program": "end",
    "When invited to a meeting": "invited",
    "When it begins to rain": "event",
}


@pytest.mark.parametrize("text", TRIGGERS)
def test_a_trigger_waits_for_what_it_says(text: str) -> None:
    trigger = classify_trigger(text)
    found = "start" if trigger.is_start else "time" if trigger.timing else f"{trigger.moment} {trigger.subject}".strip()
    if trigger.condition is not None:
        found = "condition" if trigger.condition.test is not None else "judged condition"
    if trigger.hearing is not None:
        found = " ".join(["rest" if trigger.hearing.is_rest else "message", *trigger.hearing.words])
    assert (found or "event") == TRIGGERS[text]


def test_triggers_of_state_flow_and_failure_need_nobody(tmp_path: Path) -> None:
    steps = "- $stock = 6\n- $r = Pay(2)\n- $stock = 4\n- $r = Pay(0)\n- Return $r\n"
    others = "## Pay($n)\n### Steps\n- Return 10 / $n\n"
    for name, when, words in (
        ("Few", "When $stock < 5", "Few left: {$stock}"),
        ("Then", "After calling Pay", "Paid {$r}"),
        ("First", "Before calling Pay", "Paying"),
    ):
        others += f'## {name}\n### Triggers\n- {when}\n### Steps\n- Tell user "{words}"\n'
    others += "## Rescue\n### Triggers\n- When Pay fails\n### Steps\n- Return free\n"
    played = ran(tmp_path, steps, others)
    assert played.told() == ["Paying", "Paid 5.0", "Few left: 4", "Paying"]
    assert (played.run.result, played.bodies("input.asked")) == ("free", [])


def test_a_user_who_asks_is_answered_by_the_playbook_that_waits_for_it(tmp_path: Path) -> None:
    others = "## Refund($message)\n### Triggers\n- When the user asks for a refund\n"
    others += '### Steps\n- Say "You said: {$message}"\n'
    script = "messages: [{text: my money back, triggers: Refund}]"
    assert ran(tmp_path, '- Say "Hello."\n', others, script=script).told() == ["Hello.", "You said: my money back"]


# What is carried out and what is asked


def test_extracting_and_choosing_are_asked_with_a_field_for_each_name() -> None:
    steps = (
        program("- Extract $date:str and $place from $letter\n- Choose the $best of $offers\n")
        .program.playbooks[0]
        .steps
    )
    meanings = [step.meaning for step in steps]
    assert all(isinstance(meaning, Judge) for meaning in meanings)
    assert [[output.name for output in meaning.outputs] for meaning in meanings if isinstance(meaning, Judge)] == [
        ["date", "place"],
        ["best"],
    ]


def test_a_text_that_is_told_is_told_to_the_letter(tmp_path: Path) -> None:
    step = program('- Tell user "Costs: $5.99, {$n} left; {braces} stay"\n').program.playbooks[0].steps[0].meaning
    assert isinstance(step, Tell)
    assert ran(tmp_path, '- $n = 3\n- Tell user "Costs: $5.99, {$n} left"\n').told() == ["Costs: $5.99, 3 left"]


WORDS = ["valid", "success", "too_late"]


@pytest.mark.parametrize("word", WORDS)
def test_a_word_that_names_no_variable_is_returned_as_it_is(word: str, tmp_path: Path) -> None:
    assert ran(tmp_path, "- $r = F()\n- Return $r\n", f"## F\n### Steps\n- Return {word}\n").run.result == word


def test_the_name_of_a_user_is_asked_for_without_a_sign(tmp_path: Path) -> None:
    played = ran(
        tmp_path, '- Ask user for their name\n- Tell user "Hello, {$name}!"\n', script="answers: [{text: Ada}]"
    )
    assert (played.told(), played.state.error) == (["Hello, Ada!"], "")
