"""Runs as spans of OpenTelemetry: from the journal alone, by one mapping, without contents unless asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import DATA
from tests.core.cli_driver import Terminal
from tests.core.cutting import run_whole
from tests.core.engine_driver import play
from tests.core.model_driver import FakeModel, judge, said
from tests.otlp_checks import named, spans_in
from workbench.engine.audit.otlp import otlp_text
from workbench.engine.journal.events import RunEvent

_SECRET = "the-cellar-key"


def _spans(events: tuple[RunEvent, ...], *, contents: bool = False) -> list[dict[str, Any]]:
    return spans_in(json.loads(otlp_text(events, contents=contents)))


def _named(spans: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(span for span in spans if span["name"] == name)


@pytest.mark.parametrize("name", ["nested.md", "market-stall.md", "leave.md", "help-desk.md"])
def test_every_event_that_begins_something_becomes_a_span(name: str, tmp_path: Path) -> None:
    events = run_whole(DATA / "language" / name, tmp_path / "run").events
    spans = _spans(events)
    begun = sum(event.name in {"playbook.entered", "step.entered", "tool.call", "input.asked"} for event in events)
    kinds = ("invoke_agent ", "playbook.step", "execute_tool ", "playbook.question")
    assert sum(span["name"].startswith(kinds) for span in spans) == begun


def test_a_sample_is_one_trace_whose_spans_lie_in_each_other(sample: Path, tmp_path: Path) -> None:
    spans = _spans(run_whole(sample, tmp_path / "run").events)
    by_id = {span["spanId"]: span for span in spans}
    roots = [span for span in spans if "parentSpanId" not in span]
    assert (len(roots), len({span["traceId"] for span in spans})) == (1, 1)
    for span in spans:
        outer = by_id[span.get("parentSpanId", roots[0]["spanId"])]
        assert int(outer["startTimeUnixNano"]) <= int(span["startTimeUnixNano"])
        assert int(span["endTimeUnixNano"]) <= int(outer["endTimeUnixNano"])


def test_the_trace_has_the_digits_of_the_run(tmp_path: Path) -> None:
    played = play("- Return 1\n", tmp_path)
    root = _named(_spans(played.events), "invoke_workflow Main")
    assert root["traceId"] == played.run.id.replace("-", "")
    assert named(root["attributes"])["gen_ai.conversation.id"] == played.run.id


def test_the_same_run_gives_the_same_spans_each_time(tmp_path: Path) -> None:
    events = play("- Say('a')\n- Return 1\n", tmp_path).events
    assert otlp_text(events) == otlp_text(events)


def test_a_call_is_a_tool_that_was_executed(tmp_path: Path) -> None:
    played = play("- $r = Look(3)\n", tmp_path, "tools: {Look: found}")
    span = _named(_spans(played.events, contents=True), "execute_tool Look")
    told = named(span["attributes"])
    assert (told["gen_ai.operation.name"], told["gen_ai.tool.type"]) == ("execute_tool", "function")
    assert (told["gen_ai.tool.call.arguments"], told["gen_ai.tool.call.result"]) == ('{"1": 3}', '"found"')
    assert told["playbook.step"] == "Main:01"


def test_contents_stay_out_unless_they_are_asked_for(tmp_path: Path) -> None:
    steps = f"- $r = Look('{_SECRET}')\n- Say('{_SECRET}')\n- Ask user for $name\n- Return $name\n"
    script = f"tools: {{Look: {_SECRET}}}\nanswers: [{{values: {{name: {_SECRET}}}}}]"
    events = play(steps, tmp_path, script).events
    assert _SECRET not in otlp_text(events)
    assert _SECRET in otlp_text(events, contents=True)


def test_what_failed_says_so_and_why_only_with_contents(tmp_path: Path) -> None:
    events = play("- $x = 1 / 0\n", tmp_path).events
    root = _named(_spans(events), "invoke_workflow Main")
    step = _named(_spans(events, contents=True), "playbook.step")
    assert (root["status"], named(root["attributes"])["error.type"]) == ({"code": 2}, "run_failed")
    assert step["status"]["code"] == 2
    assert "Main:01" in step["status"]["message"]


def test_a_model_is_a_client_span_with_what_it_used(tmp_path: Path) -> None:
    events = judge("- Water the plants\n", tmp_path, FakeModel([said("Watered.")])).events
    span = _named(_spans(events), "chat small")
    told = named(span["attributes"])
    assert (span["kind"], told["gen_ai.request.model"], told["gen_ai.response.model"]) == (3, "small", "small-1")
    assert (told["gen_ai.usage.input_tokens"], told["gen_ai.usage.output_tokens"]) == ("100", "10")
    assert "gen_ai.output.messages" not in told


def test_a_run_that_was_cut_off_leaves_spans_that_say_so(tmp_path: Path) -> None:
    events = play("- Ask user for $name\n", tmp_path, "answers: [{values: {name: Ada}}]").events
    spans = _spans(events[:5])
    assert {span["name"] for span in spans if named(span["attributes"]).get("playbook.is_open")} >= {
        "invoke_workflow Main",
        "playbook.step",
    }


def test_a_run_can_be_cut_anywhere_and_is_a_trace(tmp_path: Path) -> None:
    events = run_whole(DATA / "language" / "help-desk.md", tmp_path / "run").events
    for count in range(1, len(events)):
        _spans(events[:count])


def test_the_terminal_writes_spans_to_a_file(tmp_path: Path, terminal: Terminal) -> None:
    played = play("- Say('a')\n", tmp_path)
    out = tmp_path / "run.otlp.json"
    assert terminal.run("export", played.run.id, "-o", out, "--store", tmp_path).code == 0
    assert len(spans_in(json.loads(out.read_text("utf-8")))) == 3
    shown = terminal.run("export", played.run.id, "--format", "otlp", "--contents", "--store", tmp_path)
    assert "playbook.text" in shown.out


def test_a_step_list_is_a_trace_with_its_turns_and_what_was_blocked(tmp_path: Path, terminal: Terminal) -> None:
    script = tmp_path / "calls.yaml"
    script.write_text("calls:\n- {tool: issue_refund}\n", encoding="utf-8")
    terminal.run("run", DATA / "enforce" / "refund.yaml", "--script", script, "--store", tmp_path)
    run = terminal.run("runs", "--json", "--store", tmp_path).json[0]["run"]
    spans = spans_in(json.loads(terminal.run("export", run, "--format", "otlp", "--store", tmp_path).out))
    blocked = _named(spans, "execute_tool issue_refund")
    assert named(blocked["attributes"])["error.type"] == "blocked"
    assert _named(spans, "playbook.turn")["spanId"] != blocked["spanId"]
