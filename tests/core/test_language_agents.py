"""Several agents in one run: their variables, what they offer each other, agents made on the way, several people."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import book, play
from workbench.engine.language.program.book import Book
from workbench.engine.language.program.people import agent_meant
from workbench.engine.options import RunOptions
from workbench.engine.state.fold import fold
from workbench.model.snapshot import Snapshot

_SHOP = (
    "# Shop\n## Main\n### Steps\n{steps}"
    "# Tax\n## Rate($country)\npublic: true\n### Steps\n- $asked = $country\n- Return 7\n"
    "## Secret\n### Steps\n- Return 1\n"
    "## Name\npublic: true\n### Steps\n- Return $name\n"
)


def _result(steps: str, folder: Path) -> object:
    return play(book("", _SHOP.format(steps=steps)), folder).run.result


def test_a_public_playbook_of_another_agent_is_called_by_agent_and_name(tmp_path: Path) -> None:
    assert _result("- $rate = Tax.Rate('DE')\n- Return $rate\n", tmp_path) == 7


def test_a_name_that_is_not_local_is_found_where_it_is_public(tmp_path: Path) -> None:
    assert _result("- $rate = Rate('DE')\n- Return $rate\n", tmp_path) == 7


def test_the_result_of_a_call_can_be_returned_at_once(tmp_path: Path) -> None:
    assert _result("- If 1 > 0, return Tax.Rate('DE')\n- Return 1\n", tmp_path) == 7


def test_each_agent_keeps_its_own_variables(tmp_path: Path) -> None:
    played = play(book("", _SHOP.format(steps="- $rate = Rate('DE')\n")), tmp_path)
    assert {name: dict(values) for name, values in played.state.agents.items()} == {
        "Shop": {"rate": 7},
        "Tax": {"country": "DE", "asked": "DE"},
    }


def test_what_is_not_public_cannot_be_called_by_others(tmp_path: Path) -> None:
    failed = play(book("", _SHOP.format(steps="- $x = Tax.Secret()\n")), tmp_path).state.error
    assert failed == (
        "Main:01 (line 4) failed: Secret of Tax is not public, so Shop cannot call it. Mark it “public: true”."
    )


def test_an_agent_is_called_by_its_number_too(tmp_path: Path) -> None:
    assert _result("- $rate = Tax:1001.Rate('DE')\n- Return $rate\n", tmp_path) == 7


def test_a_number_that_nobody_has_is_a_clear_failure(tmp_path: Path) -> None:
    failed = play(book("", _SHOP.format(steps="- $x = Tax:1044.Rate('DE')\n")), tmp_path).state.error
    assert failed.endswith("there is no agent “Tax:1044”.")


def test_a_number_longer_than_python_reads_means_no_agent(tmp_path: Path) -> None:
    shop = book("", _SHOP.format(steps="- Return 1\n"))
    state = play(shop, tmp_path).state
    words = [word.format("9" * 5000) for word in ("{}", "agent {}", "Tax:{}")]
    assert [agent_meant(state, Book(shop), word) for word in words] == ["", "", ""]


def test_an_agent_made_in_the_run_has_a_number_and_variables_of_its_own(tmp_path: Path) -> None:
    steps = (
        "- $first = CreateAgent(Tax, name='Ada')\n- $second = CreateAgent('Tax', name='Bo')\n"
        "- $a = $first.Name()\n- $b = Tax:1003.Name()\n- Return [$first, $a, $b]\n"
    )
    assert _result(steps, tmp_path) == ["agent 1002", "Ada", "Bo"]


_CLERK = (
    "# Shop\n## Main\n### Steps\n{steps}"
    "# Clerk\n## Begin($name='nobody')\n### Triggers\n- When the agent starts running\n### Steps\n- $ready = 1\n"
    "- Say('{{$name}} begins')\n## Also\n### Triggers\n- At the start\n### Steps\n- Say('also')\n"
    "## Ready\npublic: true\n### Steps\n- Return $ready\n"
)


def _clerk(steps: str) -> Snapshot:
    return book("", _CLERK.format(steps=steps))


@pytest.mark.parametrize("step", ["$c = CreateAgent('Clerk')", "Create a Clerk as $c", "$c = Create an agent Clerk"])
def test_an_agent_made_in_the_run_begins(step: str, tmp_path: Path) -> None:
    played = play(_clerk(f"- Say('before')\n- {step}\n- Say('after')\n- $r = $c.Ready()\n- Return $r\n"), tmp_path)
    # first those that begin with the program, of which Main is none
    assert played.told() == ["nobody begins", "also"]
    played = play(
        _clerk(f"- Say('before')\n- {step}\n- Say('after')\n- $r = $c.Ready()\n- Return $r\n"),
        tmp_path,
        options=RunOptions(playbook="Main"),
    )
    assert played.told() == ["before", "nobody begins", "also", "after"], played.state.error
    assert played.run.result == 1
    assert fold(played.events) == played.state


def test_what_begins_with_an_agent_is_given_its_variables(tmp_path: Path) -> None:
    played = play(_clerk("- CreateAgent('Clerk', name='Ada')\n"), tmp_path, options=RunOptions(playbook="Main"))
    assert played.told() == ["Ada begins", "also"]
    assert [(body["agent"], body["cause"]) for body in played.bodies("trigger.fired")] == [("Clerk:1002", "made")] * 2


def test_agents_that_make_each_other_come_to_a_clear_end(tmp_path: Path) -> None:
    text = "# A\n## Main\n### Triggers\n- At the start\n### Steps\n- CreateAgent('A')\n"
    assert "call depth limit (64) reached" in play(book("", text), tmp_path).state.error


def test_an_agent_that_python_makes_begins_when_python_is_done(tmp_path: Path) -> None:
    python = "```python\n@playbook\nasync def hire():\n    return await CreateAgent('Clerk')\n```\n"
    program = _clerk("- $c = hire()\n- Say('after {$c}')\n").source.text.replace("# Shop\n", f"# Shop\n{python}")
    played = play(book("", program), tmp_path, options=RunOptions(playbook="Main", is_trusted=True))
    assert played.told() == ["nobody begins", "also", "after agent 1002"], played.state.error


def test_what_is_said_to_an_agent_is_heard_by_its_triggers(tmp_path: Path) -> None:
    text = (
        "# A\n## Main\n### Triggers\n- At the start\n### Steps\n- Say('Bob', 'hi')\n"
        "- SendMessage('agent 1001', 'bye')\n"
        "# Bob\n## Answer\n### Triggers\n- When a message arrives\n### Steps\n- Say('Bob heard {$message}')\n"
    )
    assert play(book("", text), tmp_path).told() == ["Bob heard hi", "Bob heard bye"]


def test_a_person_other_than_the_user_is_named_in_the_question(tmp_path: Path) -> None:
    text = (
        "# Shop\n## Main\n### Steps\n- Ask Alice for $price:int\n- Ask user for $name\n"
        '- Tell Bob "It is {$price}"\n- Say(Alice, "Thanks, {$name}")\n# Alice:Human\n# Bob:Human\n'
    )
    played = play(book("", text), tmp_path, "answers: [{values: {price: 3}}, {values: {name: Eve}}]")
    assert [body.get("target") for body in played.bodies("input.asked")] == ["Alice", None]
    assert [(body["target"], body["text"]) for body in played.bodies("say.told")] == [
        ("Bob", "It is 3"),
        ("Alice", "Thanks, Eve"),
    ]


def test_a_reply_goes_to_the_user_where_there_is_nobody_else(tmp_path: Path) -> None:
    played = play(book("", '# Shop\n## Main\n### Steps\n- $n = 3\n- Reply "{$n} left"\n- Reply with "Bye"\n'), tmp_path)
    assert (played.told(), played.state.error) == (["3 left", "Bye"], "")


@pytest.mark.parametrize("other", ["# Bob\n## Answer\n### Steps\n- Return 1\n", "# Alice:Human\n"])
def test_whom_a_reply_answers_is_judged_where_it_may_be_another(other: str, tmp_path: Path) -> None:
    steps = '- Reply "a"\n- Reply to the user "b"\n'
    played = play(book("", f"# Shop\n## Main\n### Steps\n{steps}{other}"), tmp_path, "answers: [{text: ok}]")
    assert (played.told(), len(played.bodies("input.asked"))) == (["b"], 1)


def test_what_an_agent_is_made_with_comes_before_what_its_beginning_takes_by_default(tmp_path: Path) -> None:
    text = (
        '# A\n## Main\n### Triggers\n- At the start\n### Steps\n- CreateAgent("B", limit=9)\n'
        "# B\n## Begin($limit=3, $more=2)\n### Triggers\n- At the start\n### Steps\n"
        '- Tell user "{$limit} {$more}"\n'
    )
    assert play(book("", text), tmp_path).told() == ["9 2", "3 2"]
