"""Playbooks without steps: a loop of choosing and seeing, or one request; and descriptions with placeholders."""

from __future__ import annotations

from pathlib import Path

from tests.core.engine_driver import Played, book, play

_PROGRAM = (
    "# B\n```python\n@playbook\ndef add(a, b=1):\n    return a + b\n\n"
    "@playbook\ndef boom():\n    raise ValueError('no')\n```\n"
    "## Main\n### Steps\n- $r = Solve('the sum')\n- Return $r\n"
    "## Solve($task) -> int\nFind {$task}.\n"
    "## Ask($what)\n### Steps\n- Return $what * 2\n"
    "# Other\n## Open\npublic: true\n### Steps\n- Return 5\n## Closed\n### Steps\n- Return 6\n"
)


def _solved(folder: Path, *answers: str) -> Played:
    listed = ", ".join(f"{{step: Solve, values: {answer}}}" for answer in answers)
    return play(book("", _PROGRAM), folder, f"answers: [{listed}]")


def test_calls_are_chosen_and_their_results_seen_until_there_is_a_result(tmp_path: Path) -> None:
    played = _solved(
        tmp_path,
        "{action: add, arguments: {a: 3}}",
        "{action: Ask, arguments: {what: 4}}",
        "{action: Other.Open}",
        "{action: done, result: 12}",
    )
    assert played.run.result == 12, played.state.error
    assert [body["value"] for body in played.bodies("react.observed")] == [4, 8, 5]
    assert played.bodies("input.asked")[-1]["text"] == (
        'Find the sum.\nadd({"a":3}) → 4\nAsk({"what":4}) → 8\nOther.Open({}) → 5'
    )


def test_what_can_be_chosen_is_what_the_agent_has_and_others_offer(tmp_path: Path) -> None:
    asked = _solved(tmp_path, "{result: 1}").bodies("input.asked")[0]
    assert asked["choices"] == [
        *("Main", "Ask", "add", "boom", "Other.Open", "Say", "SaveArtifact", "LoadArtifact", "done"),
    ]
    assert (asked["purpose"], [field["name"] for field in asked["fields"]]) == (
        "react",
        ["action", "arguments", "result"],
    )


def test_what_is_hidden_is_not_chosen_and_can_be_called_all_the_same(tmp_path: Path) -> None:
    text = _PROGRAM.replace("## Ask($what)\n", "## Ask($what)\nhidden: true\n").replace(
        "public: true", "public: true\nhidden: true"
    )
    text = text.replace("@playbook\ndef boom", "@playbook(hidden=True)\ndef boom").replace(
        "Return $r", "Return Ask($r)"
    )
    played = play(book("", text), tmp_path, "answers: [{step: Solve, values: {result: 1}}]")
    assert played.bodies("input.asked")[0]["choices"] == ["Main", "add", "Say", "SaveArtifact", "LoadArtifact", "done"]
    assert played.run.result == 2


def test_a_call_that_fails_is_seen_too(tmp_path: Path) -> None:
    played = _solved(tmp_path, "{action: boom}", "{action: Say, arguments: {message: oh}}", "{result: 1}")
    assert played.run.result == 1, played.state.error
    assert "no" in played.bodies("react.observed")[0]["error"]
    assert played.told() == ["oh"]


def test_a_call_of_something_unknown_is_a_clear_failure(tmp_path: Path) -> None:
    assert "there is nothing to call named Nowhere" in _solved(tmp_path, "{action: Nowhere}").state.error


def test_a_result_has_the_type_that_the_heading_says(tmp_path: Path) -> None:
    assert _solved(tmp_path, "{result: '7'}").run.result == 7


def test_a_raw_playbook_is_one_request_whose_answer_is_the_result(tmp_path: Path) -> None:
    text = (
        "# B\n## Main\n### Steps\n- $r = Poem('rain')\n- Return $r\n"
        "## Poem($about)\nexecution_mode: raw\n\nA poem about {$about}.\n"
    )
    played = play(book("", text), tmp_path, "answers: [{step: Poem, text: drip}]")
    assert played.run.result == "drip", played.state.error
    asked = played.bodies("input.asked")[0]
    assert (asked["text"], asked["purpose"]) == ("A poem about rain.", "raw")


def _described(description: str, folder: Path, call: str = "F('you')") -> Played:
    text = f"# B\n## Main\n### Steps\n- $order = {{'id': 5}}\n- {call}\n"
    text += f"## F($name, $times=10)\n{description}\n### Steps\n- $name = 'changed'\n"
    return play(book("", text), folder)


def _description(played: Played) -> str:
    return str(played.bodies("playbook.entered")[1].get("description", ""))


def test_placeholders_are_filled_in_once_when_the_playbook_begins(tmp_path: Path) -> None:
    played = _described("Hello, {name} {$times} times: {$order['id']}, {len({'a': 1})}.", tmp_path)
    assert _description(played) == "Hello, you 10 times: 5, 1."


def test_a_description_without_placeholders_stays_as_it_is(tmp_path: Path) -> None:
    assert _description(_described("Pays $5 to $name.", tmp_path)) == ""


def test_values_are_written_as_people_read_them(tmp_path: Path) -> None:
    played = _described("{None}|{123}|{True}|{[1, 2]}|{{'k': 'v'}}", tmp_path)
    assert _description(played) == '|123|True|[1, 2]|{"k": "v"}'


def test_a_name_that_is_missing_fails_and_says_where(tmp_path: Path) -> None:
    error = _described("Hello {$nobody}.", tmp_path).state.error
    assert error.startswith("Main:02 (line 5) failed: the description of F cannot be filled in:")
    assert "nobody" in error
    assert "(at position 8)" in error


def test_the_description_of_the_first_playbook_can_fail_too(tmp_path: Path) -> None:
    played = play(book("", "# B\n## Main\nHello {$who}.\n### Steps\n- Return 1\n"), tmp_path)
    assert "the description of Main cannot be filled in" in played.state.error
