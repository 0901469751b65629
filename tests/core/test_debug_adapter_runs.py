"""Runs of every kind under a debugger: questions, messages, step lists, procedures, meetings, what a run makes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import DATA
from tests.core.dap_client import DapClient, inside
from tests.core.test_debug_adapter import CALLS as SHOP
from tests.core.test_debug_adapter import kept, launched, playbook, started
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_list import RunSummary

REFUND = DATA / "enforce" / "refund.yaml"
CALLS = """calls:
- {tool: lookup_order, result: {total: 20}}
- {tool: issue_refund}
- {tool: lookup_payment}
- {tool: check_policy, result: fine}
- {tool: issue_refund, result: refunded 20}
- {text: "Dear customer"}
"""
LIFT = """# Slow lift

## Diagnosis

1. Read the panel of <lift-id>.
2. Open the doors.

## Mitigation

1. Change the fuse.
"""


@pytest.fixture
def client() -> Iterator[DapClient]:
    """A client of an adapter in this process."""
    with inside() as connected:
        yield connected


def program(*steps: str) -> str:
    """A playbook ``Main`` with *steps*."""
    return "# Book\n## Main\n### Steps\n" + "".join(f"- {step}\n" for step in steps)


# Questions


def test_a_question_is_asked_in_the_console_and_answered_there(client: DapClient, tmp_path: Path) -> None:
    started(client, tmp_path, program("Ask user for $n:int and $name", "Tell user {$n} {$name}", "Return $n"))
    client.output("$n (int)")
    client.type("many")
    client.output("not a whole number")
    client.output("$n (int)")
    assert client.type("7") == ""
    client.output("$name:")
    client.type("Ada")
    assert client.end() == 0
    assert "7 Ada" in client.all_output("stdout") and kept(tmp_path).result == 7


def test_a_judgement_is_answered_with_yes_or_no_and_a_dot_stands_for_nothing(client: DapClient, tmp_path: Path) -> None:
    steps = ("If the customer is happy\n  - $a = 1", "Otherwise\n  - $a = 2", "Thank everybody", "Return $a")
    started(client, tmp_path, program(*steps))
    client.output("yes or no")
    client.type("no")
    client.output("Thank everybody")
    client.type(".")
    assert client.end() == 0
    assert kept(tmp_path).result == 2


def test_a_script_answers_first_and_the_console_the_rest(client: DapClient, tmp_path: Path) -> None:
    script = playbook(tmp_path, 'answers:\n- {step: "Main:01", values: {a: one}}\n', "script.yaml")
    steps = ("Ask user for $a", "Ask user for $b", "Return '{$a} {$b}'")
    started(client, tmp_path, program(*steps), script="script.yaml", cwd=str(script.parent))
    client.output("Main:02")
    client.output("$b:")
    client.type("two")
    assert client.end() == 0
    assert kept(tmp_path).result == "one two"
    assert "Main:01 → a = one" in client.all_output("console")


def test_a_run_that_waits_for_an_answer_can_be_paused_and_looked_at(client: DapClient, tmp_path: Path) -> None:
    started(client, tmp_path, program("$n = 5", "Ask user for $a", "$b = 1", "Return $a"))
    client.output("$a:")
    client.go("pause")
    stop = client.stopped()
    assert (stop["reason"], client.lines()) == ("pause", [("Main", 5)])
    scope = client.scopes()["State of Book"]
    assert client.variables(scope)["$n"]["value"] == "5" and client.type("= $n + 1") == "6"
    assert "answer" in client.refused("setVariable", variablesReference=scope, name="$n", value="1")
    client.type("it")
    client.event("continued")
    assert (client.stopped()["reason"], client.lines()) == ("pause", [("Main", 6)])
    client.go()
    assert client.end() == 0
    assert kept(tmp_path).result == "it"


def test_a_step_goes_on_past_an_answer(client: DapClient, tmp_path: Path) -> None:
    started(client, tmp_path, program("Ask user for $a", "$b = 1", "Return $a"), stopOnEntry=True)
    client.stopped()
    client.go("next")
    client.output("$a:")
    client.type("it")
    assert (client.stopped()["reason"], client.lines()) == ("step", [("Main", 5)])


def test_leave_for_a_call_is_given_in_the_console(client: DapClient, tmp_path: Path) -> None:
    path, seq = launched(client, tmp_path, program('$r = write_file("out.txt", "hello")', "Return $r"))
    client.begin(seq)
    client.output("y = allow")
    assert "out.txt" in client.all_output("console")
    client.type("y")
    assert client.end() == 0
    assert (path.parent / "out.txt").read_text("utf-8") == "hello"


def test_messages_of_a_conversation_are_typed_in_the_console(client: DapClient, tmp_path: Path) -> None:
    text = "# Shop\n## Greet\n### Triggers\n- When user says \"hello\"\n### Steps\n- Say('Hello yourself')\n"
    started(client, tmp_path, text)
    client.output("waits for a message")
    client.type("hello")
    client.output("Hello yourself")
    client.output("waits for a message")
    client.go("pause")
    client.stopped()
    assert client.frames() == []
    client.go()
    client.output("waits for a message")
    client.type(":end")
    assert client.end() == 0


def test_what_is_typed_while_a_run_goes_on_is_refused(client: DapClient, tmp_path: Path) -> None:
    text = program("Wait 3 hours", "Return 1")
    started(client, tmp_path, text)
    for context in ("repl", "hover"):
        assert "Pause it" in client.refused("evaluate", expression="1", context=context)
    for command in ("stackTrace", "scopes", "next"):
        assert "Pause it" in client.refused(command, threadId=1, frameId=1)
    client.ask("terminate")
    assert client.end() == 130


# How a session ends


def test_a_client_that_disconnects_lets_go_of_the_run(client: DapClient, tmp_path: Path) -> None:
    started(client, tmp_path, program("Ask user for $a", "Return $a"))
    client.output("$a:")
    client.ask("disconnect")
    assert "workbench resume" in client.all_output("stderr")
    assert client.is_closed() and kept(tmp_path).status is RunStatus.PAUSED


def test_a_client_that_wants_it_ends_the_run(client: DapClient, tmp_path: Path) -> None:
    started(client, tmp_path, program("Ask user for $a", "Return $a"), stopOnEntry=True)
    client.stopped()
    client.ask("disconnect", terminateDebuggee=True)
    assert client.is_closed() and kept(tmp_path).status is RunStatus.CANCELLED


def test_a_run_that_fails_says_so(client: DapClient, tmp_path: Path) -> None:
    started(client, tmp_path, program("$a = 1 / 0"))
    assert client.end() == 1
    assert "zero" in client.all_output("stderr")


# Step lists and procedures


def list_launched(client: DapClient, folder: Path) -> int:
    """A step list that is launched with a script of calls."""
    script = playbook(folder, CALLS, "calls.yaml")
    return client.launch(REFUND, script=str(script), store=str(folder / "store"))


def test_a_step_list_stops_at_a_line_and_before_a_violation(client: DapClient, tmp_path: Path) -> None:
    seq = list_launched(client, tmp_path)
    found = client.ask("breakpointLocations", source={"path": str(REFUND)}, line=1, endLine=99)["breakpoints"]
    first, second, *_more = (each["line"] for each in found)
    assert [each["line"] for each in client.set_lines(REFUND, first, second - 1)] == [first, second]
    client.ask("setExceptionBreakpoints", filters=["violation"])
    client.begin(seq)
    assert (client.stopped()["reason"], client.frames()[0]["line"]) == ("breakpoint", first)
    client.set_lines(REFUND)
    client.go()
    stop = client.stopped()
    assert stop["reason"] == "exception" and "issue_refund" in stop["text"]
    assert client.ask("exceptionInfo", threadId=1)["exceptionId"] == "violation"
    state = next(scope for name, scope in client.scopes().items() if name.startswith("State"))
    assert client.variables(state)["$lookup_order"]["value"] == '{"total": 20}'
    client.set_lines(REFUND, second)
    client.ask("setExceptionBreakpoints", filters=[])
    client.go()
    assert (client.stopped()["reason"], client.frames()[0]["line"]) == ("breakpoint", second)
    client.go()
    assert client.end() == 0


def test_a_step_of_a_list_is_not_skipped_from_outside(client: DapClient, tmp_path: Path) -> None:
    seq = list_launched(client, tmp_path)
    client.set_lines(REFUND, 1)
    client.begin(seq)
    client.stopped()
    client.type("skip")
    client.output("skip")
    client.stopped()
    client.ask("disconnect", terminateDebuggee=True)


def test_a_damaged_step_list_is_refused_with_its_line(client: DapClient, tmp_path: Path) -> None:
    path = playbook(tmp_path, "id: x\nname: x\nsteps:\n  - id: a\n    description: [\n", "list.yaml")
    client.initialize()
    seq = client.send("launch", program=str(path), store=str(tmp_path / "store"))
    response = client.response(seq)
    assert not response["success"] and str(path) in response["message"]


def test_a_procedure_is_gone_through_step_by_step(client: DapClient, tmp_path: Path) -> None:
    path, seq = launched(client, tmp_path, LIFT, arguments={"lift-id": "L7"})
    client.set_lines(path, 5, 10)
    client.begin(seq)
    client.stopped()
    assert client.lines() == [("Diagnosis", 5)]
    client.go("next")
    client.output("Read the panel of L7")
    client.type("done")
    client.type("shows 50")
    client.stopped()
    assert client.lines() == [("Diagnosis", 6)]
    client.go()
    client.output("Open the doors")
    client.type("skip")
    client.type(".")
    client.stopped()
    assert client.lines() == [("Mitigation", 10)]
    client.go()
    client.output("Change the fuse")
    client.type("done")
    client.type(".")
    assert client.end() == 0


def test_a_linked_procedure_has_lines_in_its_own_file(client: DapClient, tmp_path: Path) -> None:
    linked = playbook(tmp_path, "# Drain\n\n## How\n\n1. Stop the traffic.\n2. Wait.\n", "drain.md")
    path, seq = launched(
        client, tmp_path, "# Desk\n\n## Restart\n\n1. Drain it, see [drain](drain.md).\n2. Start it.\n"
    )
    (found,) = client.set_lines(linked, 6)
    assert found["verified"]
    client.begin(seq)
    client.output("go 1")
    client.type("go 1")
    client.output("Stop the traffic")
    client.type("done")
    client.type(".")
    client.stopped()
    assert [(Path(each["source"]["path"]), each["line"]) for each in client.frames()] == [(linked, 6), (path, 5)]
    assert str(linked) in [each["path"] for each in client.ask("loadedSources")["sources"]]


# Programs of several files, agents and texts


def test_an_imported_file_has_lines_of_its_own(client: DapClient, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    part = playbook(tmp_path, "## Twice($n)\n### Steps\n- $m = $n * 2\n- Return $m\n", "part.md")
    text = "# Book\n## Main\n### Steps\n- $a = Twice(4)\n- Return $a\n\n!import part.md\n"
    path, seq = launched(client, tmp_path, text)
    (found,) = client.set_lines(part, 4)
    assert found["line"] == 4 and found["verified"]
    client.begin(seq)
    client.stopped()
    assert [(Path(each["source"]["path"]), each["line"]) for each in client.frames()] == [(part, 4), (path, 4)]


def test_a_playbook_that_the_run_has_made_can_be_read_and_stepped_through(client: DapClient, tmp_path: Path) -> None:
    made = "CreatePlaybook('Add Tax', '- $t = $n * 2\\n- Return $t + 1')"
    started(client, tmp_path, program(made, "$n = 5", "$r = AddTax()", "Return $r"), stopOnEntry=True)
    for _step in range(3):
        client.stopped()
        client.go("stepIn")
    client.stopped()
    frame = client.frames()[0]
    text = client.ask("source", sourceReference=frame["source"]["sourceReference"])["content"]
    assert text.splitlines()[frame["line"] - 1] == "- $t = $n * 2"
    assert frame["source"] in client.ask("loadedSources")["sources"]


MEETING = """# Host
## Main
### Steps
- $r = Review(topic='prices', attendees=['Law'])
- Return $r
## Review($topic)
meeting: true
### Steps
- Say('meeting', 'What about {$topic}?')
- $said = WaitForMessage('meeting')
- Return $said
# Law
## Join($topic)
meeting: true
### Steps
- $heard = WaitForMessage('meeting')
- Say('meeting', 'Law: {$topic} are legal')
"""


def test_those_in_a_meeting_are_threads_of_their_own(client: DapClient, tmp_path: Path) -> None:
    path, seq = launched(client, tmp_path, MEETING)
    client.set_lines(path, 17)
    client.begin(seq)
    stop = client.stopped()
    threads = {each["name"]: each["id"] for each in client.ask("threads")["threads"]}
    assert set(threads) == {"Host", "Law in meeting 100"}
    assert stop["threadId"] == threads["Law in meeting 100"]
    assert [each["line"] for each in client.frames(threads["Law in meeting 100"])] == [17]
    outer = client.frames(threads["Host"])
    assert [each["name"] for each in outer] == ["Review", "Main"]
    assert client.ask("evaluate", expression="$topic", context="watch", frameId=outer[0]["id"])["result"] == '"prices"'
    client.go()
    assert client.end() == 0
    assert [each["body"]["reason"] for each in client.past if each["event"] == "thread"] == [
        "started",
        "started",
        "exited",
    ]


def test_a_state_of_two_agents_is_told_apart(client: DapClient, tmp_path: Path) -> None:
    other = "# Two\n## Other\npublic: true\n### Steps\n- $a = 2\n- Return $a\n"
    text = f"# One\n## Main\n### Steps\n- $a = 1\n- $b = Two.Other()\n- Return $b\n{other}"
    path, seq = launched(client, tmp_path, text)
    client.set_lines(path, 12)
    client.begin(seq)
    client.stopped()
    assert [each["name"] for each in client.frames()] == ["Two: Other", "One: Main"]
    values: list[Any] = []
    for frame, agent in ((0, "Two"), (1, "One")):
        values.append(client.variables(client.scopes(frame)[f"State of {agent}"])["$a"]["value"])
    assert values == ["2", "1"]


# Back, past, and once more


def runs_in(folder: Path) -> tuple[RunSummary, ...]:
    """All runs in the store, newest first."""
    journal = Journal(folder / "store" / "runs.sqlite")
    try:
        return journal.runs()
    finally:
        journal.close()


def targets(client: DapClient, path: Path, line: int) -> list[Any]:
    """Where the run can go to at *line*."""
    found: list[Any] = client.ask("gotoTargets", source={"path": str(path)}, line=line)["targets"]
    return found


def test_a_session_looks_back_leaves_steps_out_and_begins_again(client: DapClient, tmp_path: Path) -> None:
    path, seq = launched(client, tmp_path, SHOP)
    client.set_lines(path, 17)
    client.begin(seq)
    client.stopped()
    client.ask("stepBack", threadId=1)
    assert "nothing is undone" in client.stopped()["description"]
    assert client.lines() == [("Double", 16), ("Main", 8)] and client.type("$x") == "1"
    assert "earlier moment" in client.refused("evaluate", expression="set $x = 2", context="repl")
    client.ask("reverseContinue", threadId=1)
    client.stopped()
    assert client.lines() == [("Main", 7)]
    client.go("next")
    client.stopped()
    assert client.lines() == [("Main", 8)]
    client.go()
    assert client.stopped()["reason"] == "pause" and client.lines()[0] == ("Double", 17)

    (target,) = targets(client, path, 19)
    assert targets(client, path, 16) == targets(client, path, 7) == []
    client.ask("goto", threadId=1, targetId=target["id"])
    assert client.stopped()["reason"] == "goto" and client.lines()[0] == ("Double", 19)
    path.write_text(SHOP.replace("- $a = 1", "- $a = 20\n- $again = 1"), "utf-8")
    told = client.frames()[0]["source"]
    assert client.ask("source", source=told, sourceReference=told["sourceReference"])["content"] == SHOP
    client.ask("restart")
    client.stopped()
    assert client.lines() == [("Double", 17), ("Main", 9)] and client.type("$again") == "1"
    client.go()
    assert client.end() == 0
    assert [each.status for each in runs_in(tmp_path)] == [RunStatus.COMPLETED, RunStatus.CANCELLED]


def test_an_answer_and_a_result_are_changed_in_the_editor(client: DapClient, tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text("answers:\n  - {values: {name: Ada}}\ntools: {Pay: [1]}\n", "utf-8")
    text = "# Desk\n## Main\n### Steps\n- Ask user for $name:str\n- $paid = Pay()\n- Return [$name, $paid]\n"
    _path, seq = launched(client, tmp_path, text, script=str(tmp_path / "script.yaml"))
    names = ("answer:Main:01", "Main:02", "result:Pay")
    client.ask("setFunctionBreakpoints", breakpoints=[{"name": name} for name in names])
    client.begin(seq)
    client.stopped()

    def change(group: str, name: str, value: str) -> Any:
        return client.ask("setVariable", variablesReference=client.scopes()[group], name=name, value=value)["value"]

    assert change("Answer", "name", '"Eve"') == '"Eve"'
    client.go()
    client.stopped()
    assert change("Answer", "name", "Zoe") == '"Zoe"'  # its step is carried out again, up to the first breakpoint
    client.stopped()
    client.go()
    client.stopped()
    assert client.type("$name") == '"Zoe"'
    client.go()
    client.stopped()
    assert client.type("result = 2") == "2" and change("Result", "result", "!closed") == '"!closed"'
    assert client.type("result = 3") == "3"
    client.go()
    assert client.end() == 0
    assert kept(tmp_path).result == ["Zoe", 3]
