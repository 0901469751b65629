"""Servers that others have written, where they are installed.

``WORKBENCH_MCP_SERVERS`` names the folders with the commands ``mcp-server-time``, ``mcp-server-git``,
``mcp-server-everything`` and ``mcp-server-filesystem``, with colons between; each test needs only its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.core.engine_driver import finished, play
from tests.core.mcp_servers import box_of, unheard
from tests.core.model_client import talk
from tests.model_replies import Call, Reply
from workbench.engine.backends.person import NobodyBackend
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.judges import JudgeKind, Judges
from workbench.engine.options import RunOptions
from workbench.engine.starting import start_run
from workbench.errors import RunFailed
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText
from workbench.tools.mcp.specs import ServerSpec
from workbench.tools.mcp.toolbox import McpToolbox
from workbench.tools.permissions import Permissions, Rule
from workbench.tools.values import Asking, CallSafety


def command(name: str) -> str:
    """The command *name*; skips the test where it is not installed."""
    found = shutil.which(name, path=os.environ.get("WORKBENCH_MCP_SERVERS", ""))
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with one commit in it."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "note.txt").write_text("hello\n")
    named = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "The first one")):
        subprocess.run(["git", *named, *words], cwd=folder, check=True)
    return folder


@pytest.fixture
def box(request: pytest.FixtureRequest, project: Path) -> Iterator[McpToolbox]:
    """A box around the server whose name and arguments the test says."""
    name, *arguments = request.param
    words = (command(f"mcp-server-{name}"), *(each.replace("PROJECT", str(project)) for each in arguments))
    box = box_of(project.parent, ServerSpec(name, ".mcp.json", project, words=words))
    box.servers.approve(name)
    yield box
    box.close()


def _options(box: McpToolbox, *free: str, **more: Any) -> RunOptions:
    """A run with *box*, in which the tools *free* need no leave."""
    policy = Permissions(rules=tuple(Rule(name, Asking.NEVER) for name in free))
    return RunOptions(is_trusted=True, toolboxes=(box,), policy=policy, **more)


def _call(box: McpToolbox, name: str, **arguments: Any) -> Any:
    return box.call(name, arguments, unheard)


@pytest.mark.parametrize("box", [("time",)], indirect=True)
def test_the_time_is_read(box: McpToolbox) -> None:
    assert _call(box, "time.get_current_time", timezone="Europe/Berlin")["timezone"] == "Europe/Berlin"
    assert all(spec.safety is CallSafety.READ for spec in box.specs())
    with pytest.raises(RunFailed, match="Mars"):
        _call(box, "time.get_current_time", timezone="Mars/Olympus")


@pytest.mark.parametrize("box", [("git", "-r", "PROJECT")], indirect=True)
def test_a_repository_is_read_and_no_other(box: McpToolbox, project: Path) -> None:
    assert "The first one" in _call(box, "git.git_log", repo_path=str(project))
    with pytest.raises(RunFailed, match="outside"):
        _call(box, "git.git_log", repo_path="/")


@pytest.mark.parametrize("box", [("everything",)], indirect=True)
def test_all_kinds_of_results_are_data(box: McpToolbox) -> None:
    assert _call(box, "everything.get_sum", a=2, b=3) == "The sum of 2 and 3 is 5."
    assert {"image": "image/png", "bytes": 4033} in _call(box, "everything.get_tiny_image")
    assert set(_call(box, "everything.get_structured_content", location="Chicago")) >= {"temperature", "humidity"}
    assert _call(box, "everything.get_resource_links", count=1)[1]["resource"].startswith("demo://")
    with pytest.raises(RunFailed, match="expected number"):
        _call(box, "everything.get_sum", a=2, b="x")


@pytest.mark.parametrize("box", [("filesystem", "PROJECT")], indirect=True)
def test_files_are_read_and_written_in_the_folder_only(box: McpToolbox, project: Path) -> None:
    assert _call(box, "filesystem.read_text_file", path=str(project / "note.txt")) == "hello\n"
    _call(box, "filesystem.write_file", path=str(project / "new.txt"), content="new")
    assert (project / "new.txt").read_text() == "new"
    with pytest.raises(RunFailed, match="Access denied"):
        _call(box, "filesystem.read_text_file", path="/etc/hostname")


CALLS = (
    (("time",), "time.get_current_time", {"timezone": "UTC"}, "UTC"),
    (("git", "-r", "PROJECT"), "git.git_log", {"repo_path": "PROJECT"}, "The first one"),
    (("everything",), "everything.get_sum", {"a": 2, "b": 3}, "The sum of 2 and 3 is 5."),
    (("filesystem", "PROJECT"), "filesystem.read_text_file", {"path": "PROJECT/note.txt"}, "hello"),
)
_LIST = """id: look
name: Look
version: "1.0"
steps:
  - id: look
    description: Look
    expected_tools: [{tool}]
"""
_STEP = "# Book\n## Main\n### Steps\n- Find out $what:str it says\n- Return $what\n"
each_server = pytest.mark.parametrize(
    ("box", "tool", "arguments", "found"), CALLS, indirect=["box"], ids=lambda _each: ""
)


def _in(project: Path, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: each.replace("PROJECT", str(project)) if isinstance(each, str) else each
        for name, each in arguments.items()
    }


@each_server
def test_a_playbook_calls_a_server(
    box: McpToolbox, tool: str, arguments: Mapping[str, Any], found: str, project: Path
) -> None:
    given = ", ".join(f"{name}={value!r}" for name, value in _in(project, arguments).items())
    played = play(f"- $what = {tool}({given})\n- Return $what\n", project.parent, options=_options(box, tool))
    assert found in str(played.run.result)


@each_server
@pytest.mark.parametrize("text", [_LIST, _STEP], ids=["list", "step"])
def test_a_model_calls_a_server_in_a_step_and_in_a_list(
    box: McpToolbox, tool: str, arguments: Mapping[str, Any], found: str, project: Path, text: str
) -> None:
    wish = Call(tool.replace(".", "_"), _in(project, arguments))
    with talk([Reply(calls=[wish]), Reply("Seen.", data={"what": "seen"} if text == _STEP else None)]) as talking:
        options = _options(box, tool, judges=Judges(JudgeKind.MODEL), client=lambda: talking.client)
        journal = Journal(project.parent / "runs.sqlite")
        snapshot = derive(SourceText(text.replace("{tool}", tool)))
        played = finished(start_run(snapshot, journal, NobodyBackend(), options), journal)
    assert played.state.status is RunStatus.COMPLETED
    assert found in str(played.bodies("effect.result")[0]["value"])
