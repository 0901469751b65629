"""Runs that call the tools of servers: from a step, from a step list, and because a model wants it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.core.engine_driver import Played, begin, book, finished, play, scripted, wait_for
from tests.core.mcp_servers import plain_server, rules_in
from tests.core.model_client import talk
from tests.core.model_driver import MODEL
from tests.model_replies import Call, Reply
from workbench.disk.places import places_under
from workbench.engine.backends.person import NobodyBackend
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.servers import server_boxes, servers_named
from workbench.engine.starting import resume_run, start_run
from workbench.errors import InputNeeded, NotTrusted
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText
from workbench.tools.mcp.servers import Servers
from workbench.tools.mcp.specs import ServerSpec
from workbench.tools.mcp.toolbox import McpToolbox
from workbench.tools.permissions import Permissions, Rule
from workbench.tools.values import Asking

_FREE = Permissions(rules=(Rule("plain.echo", Asking.NEVER),))
_STEPS = '- $said = plain.echo(text="hello")\n- Return $said\n'


def _options(folder: Path, is_allowed: Callable[[ServerSpec], bool] = lambda _spec: True, **more: Any) -> RunOptions:
    """A run with the plain server in *folder*, whose tool needs no leave."""
    box = McpToolbox(Servers((plain_server(folder, 5.0),), rules_in(folder, is_allowed)))
    return RunOptions(**{"is_trusted": True, "policy": _FREE, "toolboxes": (box,), **more})


def _do(folder: Path, what: str) -> None:
    (folder / "do").write_text(what)


def test_a_step_calls_the_tool_of_a_server(tmp_path: Path) -> None:
    assert play(_STEPS, tmp_path, options=_options(tmp_path)).run.result == '{"text": "hello"}'


def test_the_tool_of_an_agent_on_a_server_is_called_by_its_name(tmp_path: Path) -> None:
    words = " ".join(plain_server(tmp_path).words)
    agent = f"\n# Sky\nremote:\n  type: mcp\n  transport: stdio\n  url: {words}\n---\n"
    program = book('- Return Sky.echo(text="blue")\n' + agent)
    boxes = server_boxes(servers_named(tmp_path, program.program), lambda _spec: True, places_under(tmp_path / "home"))
    policy = Permissions(rules=(Rule("Sky.echo", Asking.NEVER),))
    played = play(program, tmp_path, options=_options(tmp_path, toolboxes=boxes, policy=policy))
    assert played.run.result == '{"text": "blue"}'


def test_a_key_that_a_server_was_given_is_in_no_file_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "correct-horse-battery")
    spec = replace(plain_server(tmp_path), env=(("LOUD", "${SOME_KEY}"),))
    _do(tmp_path, "tell")
    box = McpToolbox(Servers((spec,), rules_in(tmp_path)))
    played = play(_STEPS, tmp_path, options=_options(tmp_path, toolboxes=(box,)))
    assert played.run.result == "‹key›"
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"correct-horse" not in written


def test_nothing_starts_where_no_tool_of_a_server_is_called(tmp_path: Path) -> None:
    play("- $said = clock()\n- Return 1\n", tmp_path, options=_options(tmp_path))
    assert not (tmp_path / "starts").exists()


def test_a_run_waits_before_a_server_that_nobody_has_allowed(tmp_path: Path) -> None:
    played = play(_STEPS, tmp_path, options=_options(tmp_path, lambda _spec: False))
    assert isinstance(played.run.halt, NotTrusted)
    assert not (tmp_path / "starts").exists()


def test_leave_is_asked_for_with_what_the_tool_is_given(tmp_path: Path) -> None:
    played = play(_STEPS, tmp_path, options=_options(tmp_path, policy=Permissions()))
    assert isinstance(played.run.halt, InputNeeded)
    asked = played.bodies("approval.asked")[0]
    assert asked["preview"]["summary"] == "echo of the server “plain” of .mcp.json"
    assert asked["preview"]["detail"] == '{\n  "text": "hello"\n}'


def test_a_server_that_dies_fails_the_step_and_the_run_can_answer_that(tmp_path: Path) -> None:
    _do(tmp_path, "die")
    answering = '\n## Instead\n### Triggers\n- When plain.echo fails\n### Steps\n- Return "nothing"\n'
    played = play(book(_STEPS + answering), tmp_path, options=_options(tmp_path))
    assert "did not finish “echo”, which may have been done or not" in played.bodies("effect.error")[0]["message"]
    assert played.run.result == "nothing"


def test_a_trigger_about_a_tool_of_a_server_is_not_taken_for_one_that_never_fires() -> None:
    checked = derive(SourceText("# Book\n## Main\n### Triggers\n- When plain.echo fails\n### Steps\n- Return 1\n"))
    assert "trigger-never-fires" not in [each.code for each in checked.diagnostics]


def test_tools_that_have_changed_are_not_called_in_a_run(tmp_path: Path) -> None:
    options = _options(tmp_path)
    options.toolboxes[0].servers.approve("plain")  # type: ignore[attr-defined]
    _do(tmp_path, "change")
    played = play(_STEPS, tmp_path, options=_options(tmp_path))
    options.toolboxes[0].close()
    assert "are not what they were" in played.state.error


@pytest.mark.parametrize("written", ["plain.ech(text=1)", "plain.ech(1, 2)"])
def test_a_tool_that_the_server_does_not_have_fails_the_step(tmp_path: Path, written: str) -> None:
    played = play(f"- {written}\n", tmp_path, options=_options(tmp_path))
    assert "has no tool ech. It has: echo" in played.state.error


def test_a_call_that_was_cut_off_is_in_doubt(tmp_path: Path) -> None:
    _do(tmp_path, "hang")
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin(_STEPS, journal, scripted(""), _options(tmp_path))
    wait_for(run, "tool.call")
    run.stop()
    finished(run, journal)
    played = finished(resume_run(run.id, journal, NobodyBackend(), _options(tmp_path)), journal)
    assert "effect.in_doubt" in [event.name for event in played.events]


_LIST = """id: look
name: Look
version: "1.0"
steps:
  - id: say
    description: Say hello
    expected_tools: [plain.echo]
"""


def _judged(folder: Path, text: str, replies: list[Reply]) -> Played:
    """A run that a model judges which says *replies*, over HTTP."""
    with talk(replies) as talking:
        options = _options(folder, judges=replace(MODEL, endpoint="", model=""), client=lambda: talking.client)
        journal = Journal(folder / "runs.sqlite")
        snapshot = derive(SourceText(text))
        return finished(start_run(snapshot, journal, NobodyBackend(), options), journal)


def test_a_model_calls_the_tool_of_a_server_in_a_step(tmp_path: Path) -> None:
    replies = [Reply(calls=[Call("plain_echo", {"text": "hi"})]), Reply(data={"city": "Oslo"})]
    played = _judged(tmp_path, "# Book\n## Main\n### Steps\n- Find out the $city:str\n- Return $city\n", replies)
    assert played.run.result == "Oslo"
    assert played.bodies("effect.result")[0]["value"] == '{"text": "hi"}'


def test_a_model_walks_a_step_list_with_the_tool_of_a_server(tmp_path: Path) -> None:
    played = _judged(tmp_path, _LIST, [Reply(calls=[Call("plain_echo", {"text": "hi"})]), Reply("All is done.")])
    assert played.state.status is RunStatus.COMPLETED
    assert played.bodies("effect.result")[0]["value"] == '{"text": "hi"}'
