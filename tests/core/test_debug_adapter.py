"""An editor sets breakpoints in a playbook, runs it and steps through it, over the Debug Adapter Protocol."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PATIENCE_S
from tests.core.dap_client import DapClient, child, inside
from workbench.cli.debug_adapter.wire import MOST_BYTES
from workbench.engine.backends.script import scripted
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.starting import resume_run
from workbench.engine.state.fold import fold
from workbench.engine.state.run_state import RunState
from workbench.model.format import TextFormat

HUGE = MOST_BYTES + 1
CALLS = """# Shop

## Main

### Steps

- $a = 1
- $b = Double($a)
- $c = $b + 1
- Return $c

## Double($x)

### Steps

- $y = $x * 2
- half = $x / 2
- $z = $y
- Return $z
"""
LOOP = """# Sum
## Main
### Steps
- $sum = 0
- For each $n in [1, 2, 3, 4]:
  - $sum = $sum + $n
- Return $sum
"""


@pytest.fixture
def client() -> Iterator[DapClient]:
    """A client of an adapter in this process."""
    with inside() as connected:
        yield connected


def playbook(folder: Path, text: str, name: str = "book.md") -> Path:
    """A file with *text*."""
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def launched(client: DapClient, folder: Path, text: str, **how: Any) -> tuple[Path, int]:
    """A playbook that is launched, up to where breakpoints are set."""
    path = playbook(folder, text)
    return path, client.launch(path, store=str(folder / "store"), **how)


def started(client: DapClient, folder: Path, text: str, **how: Any) -> Path:
    """A playbook that is launched and begun."""
    path, seq = launched(client, folder, text, **how)
    client.begin(seq)
    return path


def kept(folder: Path) -> RunState:
    """Where the only run in the store stands."""
    journal = Journal(folder / "store" / "runs.sqlite")
    try:
        (summary,) = journal.runs()
        return fold(journal.read(summary.id))
    finally:
        journal.close()


# A whole session, with a real process


def test_a_session_goes_from_launch_over_stops_to_disconnect(tmp_path: Path) -> None:
    with child() as (client, process):
        path, seq = launched(client, tmp_path, CALLS)
        (inner,) = client.set_lines(path, 16)
        client.begin(seq)
        stop = client.stopped()
        assert (stop["reason"], stop["hitBreakpointIds"]) == ("breakpoint", [inner["id"]])
        assert client.lines() == [("Double", 16), ("Main", 8)]
        assert {each["source"]["path"] for each in client.frames()} == {str(path)}
        client.go("next")
        assert (client.stopped()["reason"], client.lines()[0]) == ("step", ("Double", 17))
        own = client.scopes()["Parameters and local variables"]
        assert client.variables(own)["$x"]["value"] == "1"
        client.ask("setVariable", variablesReference=client.scopes()["State of Shop"], name="$y", value="40")
        assert client.ask("evaluate", expression="$y + 1", context="watch", frameId=client.frames()[0]["id"]) == {
            "result": "41",
            "type": "int",
            "variablesReference": 0,
        }
        client.go()
        assert client.end() == 0
        client.ask("disconnect")
        assert client.is_closed() and process.wait(PATIENCE_S) == 0
    assert (kept(tmp_path).status, kept(tmp_path).result) == (RunStatus.COMPLETED, 41)


def test_a_client_that_is_killed_leaves_a_run_that_can_be_resumed(tmp_path: Path) -> None:
    with child() as (client, process):
        path, seq = launched(client, tmp_path, CALLS)
        client.set_lines(path, 9)
        client.begin(seq)
        client.stopped()
        assert process.stdin is not None
        process.stdin.close()  # all that a killed client leaves behind
        assert process.wait(PATIENCE_S) == 0
    assert kept(tmp_path).status is RunStatus.PAUSED
    assert resumed(tmp_path) == 3


def test_a_killed_adapter_leaves_a_run_that_can_be_resumed(tmp_path: Path) -> None:
    with child() as (client, process):
        path, seq = launched(client, tmp_path, CALLS)
        client.set_lines(path, 9)
        client.begin(seq)
        client.stopped()
        os.kill(process.pid, signal.SIGKILL)
        process.wait(PATIENCE_S)
    assert resumed(tmp_path) == 3


def resumed(folder: Path) -> object:
    """What the run in the store comes to."""
    journal = Journal(folder / "store" / "runs.sqlite")
    run = resume_run(journal.runs()[0].id, journal, scripted("", TextFormat.MARKDOWN))
    assert run.wait(PATIENCE_S)
    journal.close()
    return run.result


def test_rubbish_on_the_wire_is_told_and_the_session_goes_on(tmp_path: Path) -> None:
    with child() as (client, process):
        client.raw(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n\x00\xff\r\n")
        _path, seq = launched(client, tmp_path, CALLS)
        client.raw(b"Content-Length: 3\r\n\r\n{a}")
        client.raw(b"Content-Length: %d\r\n\r\n" % HUGE + b"x" * HUGE)
        client.begin(seq)
        assert client.end() == 0
        assert client.all_output("stderr").count("no message") == 1
        assert "no JSON" in client.all_output() and "too long" in client.all_output()
        client.raw(b"Content-Length: 500\r\n\r\n{cut")
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0


def test_what_python_of_the_file_prints_and_reads_is_kept_off_the_wire(tmp_path: Path) -> None:
    python = "import sys\n\n@playbook\ndef look() -> str:\n    print('loud')\n    return sys.stdin.read()\n"
    text = f"# Book\n```python\n{python}```\n## Main\n### Steps\n- $a = look()\n- Return 5\n"
    with child() as (client, _process):
        started(client, tmp_path, text, trust=True)
        assert client.end() == 0
        assert "loud" in client.all_output("stdout")


# How a session begins


def test_the_adapter_says_truly_what_it_can_do(client: DapClient) -> None:
    found = client.initialize()
    assert [each["filter"] for each in found["exceptionBreakpointFilters"]] == ["error", "violation"]
    assert found["supportsSetVariable"] and found["supportsStepBack"] and "supportsRestartFrame" not in found
    assert "unknown" not in client.refused("restartFrame", frameId=1) and "“modules”" in client.refused("modules")


def test_nothing_is_done_before_the_client_has_said_who_it_is(client: DapClient) -> None:
    assert "initialize" in client.refused("threads")
    client.initialize()
    assert "already" in client.refused("initialize", adapterID="x")
    assert "launched" in client.refused("setFunctionBreakpoints", breakpoints=[])
    assert "launched" in client.refused("configurationDone")


def test_a_run_cannot_be_attached_to(client: DapClient) -> None:
    client.initialize()
    assert "launch" in client.refused("attach")


def test_a_second_launch_is_refused(client: DapClient, tmp_path: Path) -> None:
    path, seq = launched(client, tmp_path, CALLS)
    assert "another session" in client.refused("launch", program=str(path))
    client.begin(seq)
    assert client.end() == 0
    assert "another session" in client.refused("launch", program=str(path))
    assert "already" in client.refused("configurationDone")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "program"),
        ({"program": []}, "program"),
        ({"program": 5}, "program"),
        ({"program": "nowhere.md"}, "nowhere.md"),
        ({"program": "book.md", "playbook": "Nobody"}, "Nobody"),
        ({"program": "book.md", "playbook": "Double"}, "a value for x"),
        (
            {"program": "book.md", "playbook": "Double", "arguments": {"x": {}, "y": 1}, "judges": {"steps": "dog"}},
            "dog",
        ),
        ({"program": "book.md", "trust": "yes"}, "trust"),
        ({"program": "book.md", "args": ["--judge", "nobody"]}, "nobody"),
        ({"program": "book.md", "args": "'"}, "args"),
        ({"program": "book.md", "args": ["--help"]}, "--help"),
        ({"program": "book.md", "arguments": {"x": 1}, "args": ["--nothing"]}, "--nothing"),
        ({"program": "book.md", "script": "none.yaml"}, "none.yaml"),
        ({"program": "empty.md"}, "empty.md"),
    ],
)
def test_a_launch_that_cannot_be_is_refused_with_the_reason(
    client: DapClient, tmp_path: Path, arguments: dict[str, Any], reason: str
) -> None:
    playbook(tmp_path, CALLS)
    playbook(tmp_path, '{"compilerOptions": {}}', "empty.md")
    client.initialize()
    seq = client.send("launch", cwd=str(tmp_path), store=str(tmp_path / "store"), **arguments)
    client.send("configurationDone")
    response = client.response(seq)
    assert not response["success"] and reason in response["message"]


def test_a_program_gets_its_arguments_however_they_are_given(client: DapClient, tmp_path: Path) -> None:
    text = "# Book\n## Main($a:int, $b)\n### Steps\n- Tell user {$a} {$b} {$c}\n- Return $a\n"
    started(client, tmp_path, text, arguments={"$a": 4, "c": "see"}, args=["--b", "bee"], cwd=str(tmp_path))
    assert client.end() == 0
    assert "4 bee see" in client.all_output("stdout")


def test_errors_of_a_file_are_told_before_it_runs(client: DapClient, tmp_path: Path) -> None:
    path, _seq = launched(client, tmp_path, "# Book\n## Main\n### Steps\n- Return Foo(\n")
    assert f"{path}:4: This “(” is never closed" in client.all_output("stderr")


def test_python_runs_only_where_it_is_trusted(client: DapClient, tmp_path: Path) -> None:
    text = "# Book\n```python\n@playbook\ndef one() -> int:\n    return 1\n```\n## Main\n### Steps\n- $a = one()\n"
    started(client, tmp_path, text)
    assert client.end() == 2
    assert "Python" in client.all_output("stderr")


def test_a_run_without_debugging_stops_nowhere(client: DapClient, tmp_path: Path) -> None:
    path, seq = launched(client, tmp_path, CALLS, noDebug=True, stopOnEntry=True)
    client.set_lines(path, 9)
    client.begin(seq)
    client.set_lines(path, 8, 9)
    assert client.end() == 0


# Where it stops


def test_a_breakpoint_goes_to_the_step_of_its_line_or_the_next_below(client: DapClient, tmp_path: Path) -> None:
    path, _seq = launched(client, tmp_path, CALLS + "\nThe end.\n")
    found = client.set_lines(path, 8, 3, 13, 22)
    assert [each.get("line") for each in found] == [8, 7, 16, None]
    assert [each["verified"] for each in found] == [True, True, True, False]
    assert "message" not in found[0] and "Main:01" in found[1]["message"] and "below" in found[3]["message"]
    assert client.ask("breakpointLocations", source={"path": str(path)}, line=8, endLine=9) == {
        "breakpoints": [{"line": 8}, {"line": 9}]
    }


def test_a_breakpoint_in_another_file_is_not_set(client: DapClient, tmp_path: Path) -> None:
    _path, _seq = launched(client, tmp_path, CALLS)
    (found,) = client.set_lines(playbook(tmp_path, CALLS, "other.md"), 8)
    assert not found["verified"] and "no part" in found["message"]


def test_a_changed_file_is_told(client: DapClient, tmp_path: Path) -> None:
    path, _seq = launched(client, tmp_path, CALLS)
    playbook(tmp_path, f"More above.\n\n{CALLS}")
    assert "changed" in client.set_lines(path, 8)[0]["message"]


def test_lines_are_counted_as_the_client_counts(client: DapClient, tmp_path: Path) -> None:
    client.initialize(linesStartAt1=False, columnsStartAt1=False)
    path = playbook(tmp_path, CALLS)
    seq = client.send("launch", program=str(path), store=str(tmp_path / "store"))
    client.event("initialized")
    assert client.set_lines(path, 7)[0]["line"] == 7
    client.begin(seq)
    client.stopped()
    (frame,) = client.frames()
    assert (frame["line"], frame["column"]) == (7, 0)


@pytest.mark.parametrize(
    ("wanted", "sums"),
    [
        ({"condition": "$n > 2"}, [3, 6]),
        ({"hitCondition": "3"}, [3, 6]),
        ({"hitCondition": ">= 4"}, [6]),
        ({"hitCondition": "> 3"}, [6]),
        ({"hitCondition": "== 2"}, [1]),
        ({"hitCondition": "%2"}, [1, 6]),
        ({"condition": "$n > 1", "hitCondition": "2"}, [3, 6]),
    ],
)
def test_a_condition_and_a_count_decide_where_it_stops(
    client: DapClient, tmp_path: Path, wanted: dict[str, Any], sums: list[int]
) -> None:
    path, seq = launched(client, tmp_path, LOOP)
    client.set_lines(path, {"line": 6, **wanted})
    client.begin(seq)
    for total in sums:
        client.stopped()
        assert client.type("$sum") == str(total)
        client.go()
    assert client.end() == 0


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [({"condition": "$n >"}, "$n >"), ({"hitCondition": "% 0"}, "% 0"), ({"hitCondition": "x"}, "x")],
)
def test_what_cannot_decide_is_not_set(client: DapClient, tmp_path: Path, wanted: dict[str, Any], reason: str) -> None:
    path, _seq = launched(client, tmp_path, LOOP)
    (found,) = client.set_lines(path, {"line": 6, **wanted})
    assert not found["verified"] and reason in found["message"]


def test_a_log_point_writes_to_the_console(client: DapClient, tmp_path: Path) -> None:
    path, seq = launched(client, tmp_path, LOOP)
    client.set_lines(path, {"line": 6, "logMessage": "{$n} on top of {$sum}"})
    client.begin(seq)
    assert client.output("on top of")["line"] == 6
    assert client.end() == 0
    assert client.all_output("console").count("on top of") == 4


def test_a_condition_that_cannot_be_worked_out_changes_the_breakpoint(client: DapClient, tmp_path: Path) -> None:
    path, seq = launched(client, tmp_path, LOOP)
    (found,) = client.set_lines(path, {"line": 6, "condition": "$nobody > 1"})
    client.begin(seq)
    changed = client.event("breakpoint")
    assert changed["breakpoint"]["id"] == found["id"] and "nobody" in changed["breakpoint"]["message"]
    assert client.end() == 0


def test_a_name_stands_for_the_first_step_of_a_playbook_or_a_tool(client: DapClient, tmp_path: Path) -> None:
    script = playbook(tmp_path, "tools:\n  Pay: [paid]\n", "script.yaml")
    text = "# Shop\n## Main\n### Steps\n- $b = Give()\n- $c = Pay($b)\n- Return $c\n\n## Give\n### Steps\n- Return 3\n"
    _path, seq = launched(client, tmp_path, text, script=str(script))
    names = [{"name": "Give"}, {"name": "tool:Pay", "condition": "$b == 3"}, {"name": "Nobody"}, {"name": "Main:09"}]
    found = client.ask("setFunctionBreakpoints", breakpoints=names)["breakpoints"]
    assert [each["verified"] for each in found] == [True, True, False, False]
    client.begin(seq)
    for line, number in ((10, 0), (5, 1)):
        stop = client.stopped()
        assert (stop["reason"], stop["hitBreakpointIds"]) == ("function breakpoint", [found[number]["id"]])
        assert client.lines()[0][1] == line
        client.go()
    assert client.end() == 0


def test_a_failure_is_stopped_at_and_mended(client: DapClient, tmp_path: Path) -> None:
    _path, seq = launched(client, tmp_path, "# Book\n## Main\n### Steps\n- $n = 0\n- $half = 10 / $n\n- Return $half\n")
    client.ask("setExceptionBreakpoints", filters=["error"])
    client.begin(seq)
    stop = client.stopped()
    assert (stop["reason"], client.lines()) == ("exception", [("Main", 5)])
    assert "zero" in stop["text"]
    info = client.ask("exceptionInfo", threadId=1)
    assert (info["exceptionId"], info["description"]) == ("error", stop["text"])
    assert client.type("set $n = 2") == "$n = 2"
    client.go()
    assert client.end() == 0
    assert kept(tmp_path).result == 5


def test_a_failure_can_have_a_condition(client: DapClient, tmp_path: Path) -> None:
    _path, seq = launched(client, tmp_path, "# Book\n## Main\n### Steps\n- $n = 0\n- $half = 10 / $n\n")
    options = [{"filterId": "error", "condition": "$n > 0"}, {"filterId": "weather"}]
    found = client.ask("setExceptionBreakpoints", filters=[], filterOptions=options)["breakpoints"]
    assert [each["verified"] for each in found] == [True, False]
    client.begin(seq)
    assert client.end() == 1
    assert "zero" in client.all_output("stderr")


def test_breakpoints_can_be_set_while_a_run_is_held(client: DapClient, tmp_path: Path) -> None:
    path = started(client, tmp_path, CALLS, stopOnEntry=True)
    assert client.stopped()["reason"] == "entry"
    client.set_lines(path, 9)
    client.go()
    assert (client.stopped()["reason"], client.lines()) == ("breakpoint", [("Main", 9)])
    client.set_lines(path)
    client.go()
    assert client.end() == 0


# How it goes on


@pytest.mark.parametrize(("command", "lines"), [("next", [7, 8, 9, 10]), ("stepIn", [7, 8, 16, 17, 18, 19, 9, 10])])
def test_a_run_is_stepped_through(client: DapClient, tmp_path: Path, command: str, lines: list[int]) -> None:
    started(client, tmp_path, CALLS, stopOnEntry=True)
    for line in lines:
        client.stopped()
        assert client.lines()[0][1] == line
        client.go(command)
    assert client.end() == 0


def test_a_run_steps_out_of_nested_calls(client: DapClient, tmp_path: Path) -> None:
    text = (
        CALLS.replace("- $y = $x * 2\n", "- $y = Deep($x)\n") + "\n## Deep($u)\n### Steps\n- $v = $u\n- Return $v * 2\n"
    )
    path, seq = launched(client, tmp_path, text)
    client.set_lines(path, 23)
    client.begin(seq)
    client.stopped()
    assert client.lines() == [("Deep", 23), ("Double", 16), ("Main", 8)]
    assert client.ask("stackTrace", threadId=1, startFrame=1, levels=1)["stackFrames"][0]["name"] == "Double"
    outer = client.frames()[2]["id"]
    assert client.ask("evaluate", expression="$u", context="watch", frameId=client.frames()[0]["id"])["result"] == "1"
    assert client.refused("evaluate", expression="half", context="watch", frameId=outer)
    client.go("stepOut")
    client.stopped()
    assert client.lines() == [("Double", 17), ("Main", 8)]
    client.go("stepOut")
    client.stopped()
    assert client.lines() == [("Main", 9)]


def test_the_console_skips_a_step_sets_a_variable_and_goes_up_to_a_step(client: DapClient, tmp_path: Path) -> None:
    started(client, tmp_path, CALLS, stopOnEntry=True)
    client.stopped()
    assert client.type("skip")
    client.event("continued")
    client.stopped()
    assert client.lines() == [("Main", 8)]
    assert client.type("set $a = 20 + 1") == "$a = 21"
    assert client.type("to Double:03")
    client.stopped()
    assert client.lines()[0] == ("Double", 18) and client.type("half") == "10.5"
    assert client.type("set half = {'a': 1}") == 'half = {"a": 1}' and client.type("half") == '{"a": 1}'
    assert "skip" in client.type("help")
    assert client.refused("evaluate", expression="to Nowhere:01", context="repl")
    assert client.refused("evaluate", expression="set $a", context="repl")
    client.go()
    assert client.end() == 0


def test_what_needs_a_stop_is_refused_while_the_run_goes_on(client: DapClient, tmp_path: Path) -> None:
    _path, _seq = launched(client, tmp_path, CALLS)
    for command in ("continue", "next", "pause", "terminate"):
        assert "No run" in client.refused(command, threadId=1)
    assert client.ask("threads") == {"threads": []}


# What is seen


def values(client: DapClient, tmp_path: Path) -> None:
    """A run that is held where its variables have values of every kind."""
    steps = (
        "- $n = [1, [2, 3], 'x']\n- $d = {'a': {'b': 5}, 'c': none}\n- $t = 'it'\n- $many = range(300)\n- Return 0\n"
    )
    path, seq = launched(client, tmp_path, f"# Book\n## Main\n### Steps\n{steps}")
    client.set_lines(path, 8)
    client.begin(seq)
    client.stopped()


def test_values_are_shown_level_by_level(client: DapClient, tmp_path: Path) -> None:
    values(client, tmp_path)
    state = client.variables(client.scopes()["State of Book"])
    assert {name: each["value"] for name, each in state.items() if name != "$many"} == {
        "$n": '[1, [2, 3], "x"]',
        "$d": '{"a": {"b": 5}, "c": null}',
        "$t": '"it"',
    }
    assert [state[name]["type"] for name in ("$n", "$d", "$t")] == ["list", "dict", "str"]
    assert state["$n"]["indexedVariables"] == 3 and state["$d"]["namedVariables"] == 2
    assert len(state["$many"]["value"]) == 200
    inner = client.variables(state["$n"]["variablesReference"])["1"]
    assert client.variables(inner["variablesReference"])["0"]["evaluateName"] == "$n[1][0]"
    entry = client.variables(client.variables(state["$d"]["variablesReference"])["a"]["variablesReference"])["b"]
    assert client.ask("evaluate", expression=entry["evaluateName"], context="hover")["result"] == "5"


def test_long_lists_are_shown_in_pages(client: DapClient, tmp_path: Path) -> None:
    values(client, tmp_path)
    reference = client.variables(client.scopes()["State of Book"])["$many"]["variablesReference"]
    assert list(client.variables(reference, filter="indexed", start=100, count=3)) == ["100", "101", "102"]
    assert client.variables(reference, filter="named") == {}
    assert list(client.variables(reference, start=298, count=50)) == ["298", "299"]
    assert len(client.variables(reference)) == 300


def test_an_entry_of_a_value_is_changed(client: DapClient, tmp_path: Path) -> None:
    values(client, tmp_path)
    scope = client.scopes()["State of Book"]
    state = client.variables(scope)
    inner = client.variables(state["$d"]["variablesReference"])["a"]["variablesReference"]
    client.ask("setVariable", variablesReference=inner, name="b", value="$t + '!'")
    reference = client.variables(state["$n"]["variablesReference"])["1"]["variablesReference"]
    changed = client.ask("setVariable", variablesReference=reference, name="0", value='{"new": [7]}')
    assert client.variables(changed["variablesReference"])["new"]["value"] == "[7]"
    assert client.variables(inner)["b"]["value"] == '"it!"'
    assert client.type("$n") == '[1, [{"new": [7]}, 3], "x"]'
    assert client.refused("setVariable", variablesReference=scope, name="$nobody", value="1")
    assert client.refused("setVariable", variablesReference=scope, name="$t", value="$t +")
    assert client.refused("variables", variablesReference=99_999)


def test_what_the_last_call_gave_is_seen_and_not_changed(client: DapClient, tmp_path: Path) -> None:
    path, seq = launched(client, tmp_path, CALLS)
    client.set_lines(path, 9)
    client.begin(seq)
    client.stopped()
    scope = client.scopes()["Last result"]
    assert client.variables(scope)["_"]["value"] == "2"
    assert client.variables(scope)["_"]["presentationHint"] == {"attributes": ["readOnly"]}
    assert "cannot be changed" in client.refused("setVariable", variablesReference=scope, name="_", value="1")


def test_secrets_are_shown_as_marks_and_survive_a_change_beside_them(client: DapClient, tmp_path: Path) -> None:
    steps = "- $who = {'password': 'tiger12345', 'name': 'Ann'}\n- $length = len($who.password)\n- Return $length\n"
    path, seq = launched(client, tmp_path, f"# Book\n## Main\n### Steps\n{steps}")
    client.set_lines(path, 5)
    client.begin(seq)
    client.stopped()
    who = client.variables(client.scopes()["State of Book"])["$who"]
    assert "tiger" not in str(who) and "secret" in who["value"]
    client.ask("setVariable", variablesReference=who["variablesReference"], name="name", value='"Bob"')
    client.go()
    assert client.end() == 0
    assert kept(tmp_path).result == 10


def test_an_expression_changes_nothing_and_makes_no_call(client: DapClient, tmp_path: Path) -> None:
    started(client, tmp_path, CALLS, stopOnEntry=True)
    client.stopped()
    assert client.refused("evaluate", expression="Double(4)", context="hover")
    assert client.refused("evaluate", expression="", context="watch")
    assert client.ask("evaluate", expression="[1, 2]", context="clipboard")["result"] == "[1, 2]"
    reference = client.ask("evaluate", expression="[1, [2]]", context="repl")["variablesReference"]
    assert client.variables(client.variables(reference)["1"]["variablesReference"])["0"]["value"] == "2"


def test_names_are_completed(client: DapClient, tmp_path: Path) -> None:
    started(client, tmp_path, CALLS, stopOnEntry=True)
    client.stopped()
    client.go("next")
    client.stopped()
    found = client.ask("completions", text="1 + $", column=6)["targets"]
    assert found == [{"label": "$a", "start": 4, "length": 1}]
    assert "skip" in [each["label"] for each in client.ask("completions", text="", column=1)["targets"]]


def test_the_files_of_a_program_are_listed(client: DapClient, tmp_path: Path) -> None:
    path, _seq = launched(client, tmp_path, CALLS)
    assert client.ask("loadedSources") == {"sources": [{"name": "book.md", "path": str(path)}]}
    assert client.refused("source", sourceReference=7)
