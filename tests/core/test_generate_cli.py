"""``workbench generate``: from a goal in words to a file that runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.core.cli_driver import Done, Terminal
from tests.core.cycle_driver import PLAN
from tests.core.mcp_servers import PLAIN_SERVER

pytestmark = pytest.mark.usefixtures("own_places")
_TOOLS = "## LoadOrder($id: str)\n\nLoads an order.\n\n### Steps\n\n- Return 120\n"
_PLAN = {**PLAN, "steps": [PLAN["steps"][0]], "parameters": []}
_PLAN["steps"] = [{**PLAN["steps"][0], "arguments": {"id": "A-1"}}]


def generated(terminal: Terminal, folder: Path, *options: object) -> Done:
    """What ``generate`` says, with tools of a file in *folder* and its store there."""
    (folder / "tools.md").write_text(_TOOLS, "utf-8")
    (folder / "plan.json").write_text(json.dumps(_PLAN), "utf-8")
    return terminal.run("generate", "Refund an order", "--store", folder, *options)


def test_a_plan_in_a_file_becomes_a_playbook_that_runs(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = generated(terminal, tmp_path, "--tools", "tools.md", "--plan", "plan.json", "--yes", "-o", "refund.md")
    assert made.code == 0, made.err
    assert "cycle.compiled" in made.out and "Wrote refund.md." in made.out
    assert '- $found = LoadOrder(id="A-1")\n' in (tmp_path / "refund.md").read_text("utf-8")
    assert terminal.run("check", "refund.md").code == 0
    assert terminal.run("run", "refund.md", "--store", tmp_path).code == 0
    taken = generated(terminal, tmp_path, "--tools", "tools.md", "--plan", "plan.json", "--yes", "-o", "refund.md")
    assert taken.code == 2 and "is there already" in taken.err


def test_without_a_file_only_the_playbook_is_printed(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options = ("--tools", "tools.md", "--plan", "plan.json", "--yes", "--format", "steplist")
    made = generated(terminal, tmp_path, *options)
    assert [step["expected_tools"] for step in yaml.safe_load(made.out)["steps"]] == [["LoadOrder"]]


def test_a_goal_that_waits_for_a_plan_is_gone_on_with_and_a_stage_is_done_again(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    waits = generated(terminal, tmp_path, "--tools", "tools.md")
    assert waits.code == 3
    (told,) = [line for line in waits.err.splitlines() if "Resume it with: workbench generate --resume" in line]
    run = told.split("--resume ")[1].split()[0]
    script = tmp_path / "answers.yaml"
    answers = [{"step": "Cycle:01", "values": {"plan": _PLAN}}, {"step": "Cycle:04", "decision": True}]
    script.write_text(yaml.safe_dump({"answers": answers}), "utf-8")
    resumed = terminal.run("generate", "--resume", run, "--store", tmp_path, "--script", script)
    assert resumed.code == 0 and resumed.out.endswith("!import tools.md\n")
    (tmp_path / "changed.md").write_text(resumed.out.replace("LoadOrder", "loadOrders"), "utf-8")
    again = terminal.run("generate", "--again", run, "--text", "changed.md", "--store", tmp_path)
    assert again.code == 3 and "nothing to call named loadOrders" in again.err
    refused = terminal.run("resume", run, "--store", tmp_path)
    assert refused.code == 1 and "generate --resume" in refused.err


def test_runs_for_a_goal_are_listed_by_it(terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    options = ("--tools", "tools.md", "--plan", "plan.json", "--yes", "--run", "--no-shelf")
    assert generated(terminal, tmp_path, *options).code == 0
    carried, cycle = terminal.run("runs", "--json", "--store", tmp_path).json
    assert cycle["goal"] == carried["goal"] == "Refund an order"
    assert cycle["cycle"] == carried["cycle"] == cycle["run"]
    listed = terminal.run("runs", "--store", tmp_path).out
    assert "  Goal: Refund an order  " in listed and "  Main, for the goal “Refund an order”  " in listed
    assert "Refund an order" in terminal.run("runs", "show", cycle["run"], "--store", tmp_path).out
    assert terminal.run("audit", "verify", cycle["run"], "--store", tmp_path).code == 0


def test_a_secret_in_a_goal_is_not_in_the_list_of_runs(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    secret = "sk-live-0123456789abcdefghijklmnopqrstuvwxyz"
    (tmp_path / "plan.json").write_text(json.dumps({**PLAN, "parameters": [], "steps": [{"intent": "Ask"}]}), "utf-8")
    terminal.run("generate", f"Call it with {secret}", "--plan", "plan.json", "--store", tmp_path, "--no-shelf")
    (cycle,) = terminal.run("runs", "--json", "--store", tmp_path).json
    assert cycle["goal"].startswith("Call it with") and secret not in cycle["goal"]
    assert terminal.run("audit", "verify", cycle["run"], "--store", tmp_path).code == 0


def test_a_playbook_or_a_pattern_is_a_template(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.md").write_text("# Old\n\n## Main()\n\n### Steps\n\n- Water the plants\n", "utf-8")
    made = generated(terminal, tmp_path, "--template", "old.md", "--yes")
    assert made.code == 0 and "- Water the plants\n" in made.out
    terminal.run("patterns", "record", "--store", tmp_path / "patterns.sqlite", "--type", "orders", "clock", "notify")
    (pattern,) = terminal.run("patterns", "list", "--json", "--store", tmp_path / "patterns.sqlite").json
    made = generated(terminal, tmp_path, "--template", pattern["pattern_id"][:8], "--yes", "--no-shelf")
    assert "notify" in made.err + made.out
    assert generated(terminal, tmp_path, "--template", "nothing").code == 2


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--tools", "nothing"), "neither a tool nor a file"),
        (("--tools", "plan.json"), "no playbook or function"),
        (("--plan", "tools.md"), "holds no plan"),
        (("--plan", "half.json"), "holds no plan: line 2:"),
        (("-o", "nowhere/refund.md"), "There is no folder “nowhere”"),
        (("--text", "tools.md"), "--text is for --again"),
    ],
)
def test_what_cannot_be_used_is_told(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "half.json").write_text('{"title": "x",\n"steps": [{', "utf-8")
    said = generated(terminal, tmp_path, *options)
    assert said.code == 2 and problem in said.err


def test_a_plan_calls_tools_of_servers_and_what_they_do_not_have_is_refused(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    server = {"command": PLAIN_SERVER[0], "args": [*PLAIN_SERVER[1:], str(tmp_path)]}
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": {"plain": server}}), "utf-8")
    echoing = {"intent": "say", "call": "plain.echo", "arguments": {"n": 3}, "result": "said"}
    (tmp_path / "echo.json").write_text(json.dumps({"title": "Echo", "steps": [echoing], "returns": "$said"}), "utf-8")
    common = ("Echo", "--store", tmp_path, "--yes", "--no-shelf", "--plan")
    unseen = terminal.run("generate", *common, "echo.json", "--tools", "plain")
    assert unseen.code == 2 and "neither a tool nor a file" in unseen.err
    made = terminal.run(
        "generate",
        *common,
        "echo.json",
        "--tools",
        "plain",
        "--trust",
        "--run",
        "--allow",
        "plain.echo",
        "-o",
        "echo.md",
    )
    assert made.code == 0, made.err + made.out
    assert "tools: [plain.echo]" in (tmp_path / "echo.md").read_text("utf-8") and "plain.echo(n=3)" in made.out
    starts = (tmp_path / "starts").read_text("utf-8").splitlines()
    seen = terminal.run("generate", *common, "echo.json", "--tools", "plain.echo")
    assert seen.code == 0 and "$said = plain.echo(n=3)" in seen.out
    wrong = {"title": "Echo", "steps": [{**echoing, "call": "plain.shout"}]}
    (tmp_path / "shout.json").write_text(json.dumps(wrong), "utf-8")
    refused = terminal.run("generate", *common, "shout.json", "--tools", "plain")
    assert refused.code == 1 and "nothing to call named plain.shout" in refused.err + refused.out
    assert (tmp_path / "starts").read_text("utf-8").splitlines() == starts  # nothing was started without leave
