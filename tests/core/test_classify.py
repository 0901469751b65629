"""What a step's words mean, as the table of the language says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.work import lines_run
from workbench.model.meaning import (
    Ask,
    Assign,
    Branch,
    BranchForm,
    Call,
    End,
    Judge,
    Jump,
    JumpForm,
    Loop,
    LoopForm,
    Meaning,
    Return,
    Tell,
    Variable,
)
from workbench.model.sentences.classify import classify, classify_trigger
from workbench.syntax.expressions import Template


def meaning(text: str) -> Meaning:
    """The meaning of a step; with a leading ``+`` something stands below it."""
    return classify(text.removeprefix("+"), text.startswith("+"))


def shown(variables: tuple[Variable, ...]) -> str:
    """Variables as they are written."""
    return " ".join(
        ("$" if one.is_state else "") + one.name + (f":{one.type}" if one.type else "") for one in variables
    )


ASSIGNMENTS = {
    "$total = $price * $quantity": ("$total", "$price * $quantity"),
    "x = 5": ("x", "5"),
    "$n:int = len($items)": ("$n:int", "len($items)"),
    "$xs:list[str] = ['a']": ("$xs:list[str]", "['a']"),
    "$name = $first.upper()": ("$name", "$first.upper()"),
    "`$y = $x + 1`": ("$y", "$x + 1"),
    "$x = $y or 'default'": ("$x", "$y or 'default'"),
    "Set $x to 5": ("$x", "5"),
    "Let $x be $y": ("$x", "$y"),
    "$x += 2": ("$x", "$x + 2"),
    "$x *= $y + 1": ("$x", "$x * ($y + 1)"),
    "$x -= $y - 1": ("$x", "$x - ($y - 1)"),
    "$x += 2**3": ("$x", "$x + 2**3"),
    "$x += 1 if $y else 2": ("$x", "$x + (1 if $y else 2)"),
    "Then $x = 1": ("$x", "1"),
    "end_date = '2026-01-01'": ("end_date", "'2026-01-01'"),
    "$größe = 3": ("$größe", "3"),
}


@pytest.mark.parametrize("text", ASSIGNMENTS)
def test_an_assignment_is_exact_where_its_right_side_is_an_expression(text: str) -> None:
    assign = meaning(text)
    assert isinstance(assign, Assign)
    assert (shown((assign.target,)), assign.value.source) == ASSIGNMENTS[text]


JUDGED = {
    "$name = the user's reply": "$name",
    "$c = 3 and more text": "$c",
    "$colour = red or blue": "$colour",
    "Extract $date from the letter": "$date",
    "List 5 $cities near $city": "$cities",
    "List 2 to 4 $questions:list[str] about $topic": "$questions:list[str]",
    "Compute $a and $b from $c": "$a $b",
    "Find the name of $user": "",
    "Page the team and record the $ticket": "$ticket",
    "Pay {$amount} back to $account, and record the $receipt": "$receipt",
    "Find out which team must hear {$complaint}; note it as $team": "$team",
    "Shorten $text to at most {$limit} words": "$text",
    "Set $severity to the highest level": "$severity",
    "Treat $a as $b": "",
    "Save the result in $r": "$r",
    "Update the status page": "",
    "Send the customer a label for $order_id": "",
    "First do this": "",
    "Wait for the parcel": "",
    "Think about $topic": "",
    "End meeting": "",
    "Stop the server": "",
    "Break the news gently": "",
    "Continue the conversation": "",
    "Go back to step 2 once.": "",
    "Do not call `F($a)` now": "",
    "F(the user's name)": "",
    "For more information see the handbook": "",
    "While you wait, look at the dashboard": "",
    "Tell the team": "",
    "Ask somebody who is awake": "",
    "Ask the accountant for $tax": "$tax",
    "If both agree, go on; if they do not, fix the exporter first": "",
    "Confirm the alert on the dashboard **and** on the host. If both agree, go on.": "",
    "Verify that free space is above 20 %. If not, repeat from step 3.": "",
    "": "",
    "測試": "",
}


@pytest.mark.parametrize("text", JUDGED)
def test_what_is_not_exact_is_a_judgement_with_its_outputs(text: str) -> None:
    judge = meaning(text)
    assert isinstance(judge, Judge)
    assert shown(judge.outputs) == JUDGED[text]


CALLS = {
    "GetOrder()": ("GetOrder", [], ""),
    "GetOrder($order_id)": ("GetOrder", [("", "$order_id")], ""),
    "F($a, $b)": ("F", [("", "$a"), ("", "$b")], ""),
    "F($a, status='pending, really')": ("F", [("", "$a"), ("status", "'pending, really'")], ""),
    "FileSystem.list(path=$f, deep=true)": ("FileSystem.list", [("path", "$f"), ("deep", "true")], ""),
    "F(-1, null)": ("F", [("", "-1"), ("", "null")], ""),
    "$r = F($x[0], len($items))": ("F", [("", "$x[0]"), ("", "len($items)")], "$r"),
    "F([1, $x], {'k': $y})": ("F", [("", "[1, $x]"), ("", "{'k': $y}")], ""),
    "$r:int = Agent:1020.F()": ("Agent:1020.F", [], "$r:int"),
    "`$x:int = A.B(1)`": ("A.B", [("", "1")], "$x:int"),
    "Run `F('(')`": ("F", [("", "'('")], ""),
    "Call F($a) as $r": ("F", [("", "$a")], "$r"),
    "is_large = needs_second($amount)": ("needs_second", [("", "$amount")], "is_large"),
    "$w = get_weather with:\n    latitude=47\n    longitude=15": (
        "get_weather",
        [("latitude", "47"), ("longitude", "15")],
        "$w",
    ),
    "$w = get_weather with: latitude=47 longitude=15": (
        "get_weather",
        [("latitude", "47"), ("longitude", "15")],
        "$w",
    ),
    "Weather Desk's sky with: city='a b=c', hour=3": ("WeatherDesk.sky", [("city", "'a b=c'"), ("hour", "3")], ""),
}


@pytest.mark.parametrize("text", CALLS)
def test_a_written_call_is_exact(text: str) -> None:
    call = meaning(text)
    assert isinstance(call, Call)
    arguments = [(argument.name, argument.value.source) for argument in call.arguments]
    result = shown((call.result,)) if call.result else ""
    assert (call.target, arguments, result) == CALLS[text]


ASKS = {
    "Ask user for $name and $email": "$name $email",
    "Ask the user for their $name:str and $age:int": "$name:str $age:int",
    "ask user for $a, $b:float and $c": "$a $b:float $c",
    "Ask user if $total is right": "",
    "Ask user which of $cities they prefer": "",
    "Ask the user what they want and store it in $wish": "$wish",
    'Ask user "How is $place?" as $answer': "$answer",
    "Get $name from the user": "$name",
    "Next, ask the customer for $order_id": "$order_id",
}


@pytest.mark.parametrize("text", ASKS)
def test_a_question_has_a_field_for_each_variable_that_it_wants(text: str) -> None:
    ask = meaning(text)
    assert isinstance(ask, Ask)
    assert shown(ask.variables) == ASKS[text]


TELLS = {
    'Tell user "Hello, $name!"': ["Hello, ", "<$name>", "!"],
    'Tell the customer: "a \\"b\\" {$c}"': ['a "b" ', "<$c>"],
    "Tell user “Hello”": ["Hello"],
    'Say "Hi"': ["Hi"],
    'Say "Hi" to the user': ["Hi"],
    'Say(user, "n is {$n}")': ["n is ", "<$n>"],
    "Tell user $text": ["<$text>"],
    "Tell user $order.total.": ["<$order.total>"],
    "Tell user $a and $b": None,
    "Tell user $a or $b.": None,
    "Tell user their order status": None,
    'Tell user "a", "b"': None,
    "Inform the customer that $order is late": None,
    "Say hello to the user": None,
}


@pytest.mark.parametrize("text", TELLS)
def test_a_wording_is_exact_where_it_is_quoted(text: str) -> None:
    tell = meaning(text)
    assert isinstance(tell, Tell)
    assert _pieces(tell.template) == TELLS[text]


def _pieces(template: Template | None) -> list[str] | None:
    if template is None:
        return None
    return [piece if isinstance(piece, str) else f"<{piece.source}>" for piece in template.pieces]


BRANCHES = {
    "+If $total > 100:": (BranchForm.IF, "$total > 100", True),
    "+IF $x is empty, then": (BranchForm.IF, "$x is empty", True),
    "+If user is not satisfied": (BranchForm.IF, "user is not satisfied", False),
    "+If not is_large": (BranchForm.IF, "not is_large", True),
    "+If the user agrees, or at least does not object": (
        BranchForm.IF,
        "the user agrees, or at least does not object",
        False,
    ),
    "+Else if $x > 3": (BranchForm.ELSE_IF, "$x > 3", True),
    "+elif $x > 3": (BranchForm.ELSE_IF, "$x > 3", True),
    "+Otherwise, if $x > 3, do the following:": (BranchForm.ELSE_IF, "$x > 3", True),
    "+When $order['status'] == \"packing\"": (BranchForm.WHEN, "$order['status'] == \"packing\"", True),
    "+When the parcel is here": (BranchForm.WHEN, "the parcel is here", False),
}


@pytest.mark.parametrize("text", BRANCHES)
def test_a_branch_keeps_its_condition_as_written(text: str) -> None:
    branch = meaning(text)
    assert isinstance(branch, Branch)
    assert branch.condition is not None
    assert (branch.form, branch.condition.text, branch.condition.test is not None) == BRANCHES[text]


INLINE = {
    'If $x > 3, tell user "no"': ("$x > 3", Tell),
    "If $x > 3 then go to step 2": ("$x > 3", Jump),
    "If $x > 3: break": ("$x > 3", Jump),
    'If $city is one of "a", "b", or "c", end program': ('$city is one of "a", "b", or "c"', End),
    "If the user is unhappy, stop the program": ("the user is unhappy", End),
    "If needed, restart": ("needed", Judge),
    "**If $x > 3**, $y = 5": ("$x > 3", Assign),
    "When done, return $x": ("done", Return),
}


@pytest.mark.parametrize("text", INLINE)
def test_an_action_may_stand_behind_its_condition(text: str) -> None:
    branch = meaning(text)
    assert isinstance(branch, Branch)
    assert branch.condition is not None
    assert (branch.condition.text, type(branch.action)) == INLINE[text]


def test_otherwise_may_carry_its_action() -> None:
    assert meaning("Otherwise") == Branch(BranchForm.OTHERWISE, None)
    assert meaning("+ELSE:") == Branch(BranchForm.OTHERWISE, None)
    dropped = Judge("drop its slot (ask the owner).")
    assert meaning("Otherwise drop its slot (ask the owner).") == Branch(BranchForm.OTHERWISE, None, dropped)


LOOPS = {
    "+While $n > 0": (LoopForm.WHILE, True, "", ""),
    "+Until the user is satisfied": (LoopForm.UNTIL, False, "", ""),
    "+For each $x in $xs": (LoopForm.FOR_EACH, None, "$x", "$xs"),
    "+for each $x:str in $order['lines']": (LoopForm.FOR_EACH, None, "$x:str", "$order['lines']"),
    "+for x in xs": (LoopForm.FOR_EACH, None, "x", "xs"),
    "+For `x` in `things`": (LoopForm.FOR_EACH, None, "x", "things"),
    "+For $i from 1 to 3": (LoopForm.FOR_EACH, None, "$i", "1 to 3"),
    "+For each $i in 1..$n": (LoopForm.FOR_EACH, None, "$i", "1..$n"),
    "For $i from $a up to $b.last, tell user $i": (LoopForm.FOR_EACH, None, "$i", "$a up to $b.last"),
    "+For each $k in 1 to 2 days": (LoopForm.FOR_EACH, None, "$k", ""),
    "+For every file in folder": (LoopForm.FOR_EACH, None, "file", ""),
    "+For each unresolved ticket": (LoopForm.FOR_EACH, None, "", ""),
    "+Repeat 3 times": (LoopForm.REPEAT, None, "", "3"),
    "+Repeat up to $n times:": (LoopForm.REPEAT, None, "", "$n"),
    "+Repeat up to 3 times until $ok is true": (LoopForm.REPEAT, True, "", "3"),
    "+Repeat three times": (LoopForm.REPEAT, None, "", "three"),
    "+Repeat until $ok": (LoopForm.UNTIL, True, "", ""),
    "+Up to 4 times:": (LoopForm.REPEAT, None, "", "4"),
    "+Repeat": (LoopForm.WHILE, True, "", ""),
    "While $n > 0, $n = $n - 1": (LoopForm.WHILE, True, "", ""),
    "For each $x in $xs, tell user $x": (LoopForm.FOR_EACH, None, "$x", "$xs"),
    "Repeat the check 3 times": (LoopForm.REPEAT, None, "", "3"),
}


@pytest.mark.parametrize("text", LOOPS)
def test_a_loop_says_how_it_counts(text: str) -> None:
    loop = meaning(text)
    assert isinstance(loop, Loop)
    form, is_exact, variable, items = LOOPS[text]
    assert (loop.form, loop.items.source if loop.items else "") == (form, items)
    assert shown((loop.variable,) if loop.variable else ()) == variable
    assert (loop.condition.test is not None if loop.condition else None) is is_exact


@pytest.mark.parametrize("word", ["today", "now", "Tomorrow", "yes", "off", "nothing", "1,000", "1,5"])
def test_a_word_that_only_says_which_value_is_judged(word: str) -> None:
    assert meaning(f"Set $due to {word}") == Judge(f"Set $due to {word}", (Variable("due"),))


ENDS = {
    "Return": Return(),
    "Return nothing.": Return(),
    "Return the best answer": Return(None, "the best answer"),
    "End program": End(),
    "Exit the program.": End(),
    "stop": End(),
    "EndProgram()": End(),
    "break": Jump(JumpForm.BREAK),
    "Leave the loop.": Jump(JumpForm.BREAK),
    "Continue with the next item": Jump(JumpForm.CONTINUE),
    "Go back to step 02.01": Jump(JumpForm.GO_TO, "02.01"),
    "goto 2": Jump(JumpForm.GO_TO, "2"),
    "Return to step 3": Jump(JumpForm.GO_TO, "3"),
    "Repeat from step 3": Jump(JumpForm.GO_TO, "3"),
}


@pytest.mark.parametrize("text", ENDS)
def test_ends_and_jumps_are_exact(text: str) -> None:
    assert meaning(text) == ENDS[text]


@pytest.mark.parametrize("text", ["Return $x", 'Return "Enjoy."', "return [$a, $b].", 'Finally, return {"a": 1}'])
def test_a_value_is_returned(text: str) -> None:
    returned = meaning(text)
    assert isinstance(returned, Return)
    assert returned.value is not None


TRIGGERS = {
    "When program starts": (True, None),
    "At the beginning": (True, None),
    "In the beginning": (True, None),
    "T1:BGN Whenever": (True, None),
    "When $amount > 1000": (False, True),
    "When $balance becomes negative": (False, True),
    "T2:CND $x is the best of all": (False, False),
    "When the user likes $city": (False, False),
    "When user provides email": (False, None),
    "Upon receiving a message": (False, None),
}


@pytest.mark.parametrize("text", TRIGGERS)
def test_a_trigger_is_a_start_a_condition_or_an_event(text: str) -> None:
    event = classify_trigger(text)
    is_exact = event.condition.test is not None if event.condition else None
    assert (event.is_start, is_exact) == TRIGGERS[text]


words = st.sampled_from(
    "if else otherwise when while until for each repeat ask tell user return break go to step in is not empty and or"
    " then $x $y x 3 = ( ) , . : \" ' ` [ ] { } with at least between the times \n".split(" ")
)


@given(st.lists(words, max_size=20).map(" ".join) | st.text(max_size=80), st.booleans())
def test_every_text_has_one_meaning(text: str, has_children: bool) -> None:
    assert classify.__wrapped__(text, has_children) == classify(text, has_children)
    assert classify_trigger(text).text == text


@pytest.mark.parametrize("times", [50, 100, 400])
@pytest.mark.parametrize(
    ("head", "part"), [("If ", "$x is 1, "), ("Save ", "$x in "), ("if ", "not "), ("For each ", "x in ")]
)
def test_long_texts_are_no_more_work_than_their_length(head: str, part: str, times: int) -> None:
    text = head + part * times
    assert lines_run(lambda: classify.__wrapped__(text, False)) < 2 * len(text)
