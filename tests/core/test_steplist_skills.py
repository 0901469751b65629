"""Skills of a project limit the tools of the steps that use them, in every way that a list is run or tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.library.skills.importing import skill_in
from workbench.library.skills.nearby import skills_near

LIST = """\
id: cert
name: Certificates
step_groups:
- id: look
  steps:
  - id: measure
    goal: Measure
    guidance: {skill_refs: [metrics]}
- id: act
  steps:
  - {id: renew, goal: Renew, expected_tools: [renew]}
"""
SKILL = "---\nname: metrics\ndescription: Ask for metrics.\nallowed-tools: query_metrics, list_metrics\n---\nAsk.\n"
CALLS = (
    "calls:\n- {tool: query_metrics, result: 3}\n- {tool: complete_step, args: {step_id: measure}}\n- {tool: renew}\n"
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a list and a script, and a person without skills."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "list.yaml").write_text(LIST)
    (tmp_path / "project" / "calls.yaml").write_text(CALLS)
    return tmp_path / "project"


def put_skill(folder: Path, text: str = SKILL) -> None:
    (folder / "metrics").mkdir(parents=True)
    (folder / "metrics" / "SKILL.md").write_text(text)


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


@pytest.mark.parametrize("place", ["project/.agents/skills", "project/skills", "home/.agents/skills"])
def test_the_tools_of_a_skill_belong_to_a_step_that_uses_it(project: Path, terminal: Terminal, place: str) -> None:
    put_skill(project.parent / place)
    tried = terminal.run("enforce", project / "list.yaml", "--calls", project / "calls.yaml")
    assert (tried.code, "blocked" in tried.out) == (0, False), tried.out
    store = project.parent / "store"
    run = terminal.run("run", project / "list.yaml", "--script", project / "calls.yaml", "--store", store)
    assert run.code == 0, run.out


def test_a_tool_outside_of_the_skill_is_blocked(project: Path, terminal: Terminal) -> None:
    put_skill(project / "skills")
    (project / "calls.yaml").write_text("calls:\n- {tool: delete_all}\n")
    tried = terminal.run("enforce", project / "list.yaml", "--calls", project / "calls.yaml")
    assert "tool_outside_skill" in tried.out


def test_a_skill_that_nobody_has_constrains_nothing_and_is_told(project: Path, terminal: Terminal) -> None:
    tried = terminal.run("enforce", project / "list.yaml", "--calls", project / "calls.yaml")
    assert "blocked" not in tried.out
    checked = terminal.run("check", project / "list.yaml")
    assert checked.code == 0
    assert "8:29: warning: There is no skill named “metrics”" in checked.out
    put_skill(project / "skills")
    assert "no problems" in terminal.run("check", project / "list.yaml").out


def test_the_skill_of_the_project_wins_over_that_of_the_person(project: Path) -> None:
    put_skill(project / ".agents" / "skills")
    put_skill(project.parent / "home" / ".agents" / "skills", SKILL.replace("query_metrics, ", ""))
    assert skills_near(project / "list.yaml") == {"metrics": ("query_metrics", "list_metrics")}


@pytest.mark.parametrize("tools", ["tools: [a, b]", "tools:\n- a\n- b", "tools: a, b", "tools: a b"])
def test_the_tools_that_a_skill_lists_are_its_sequence(tools: str) -> None:
    text = f"---\nname: s\ndescription: d\nauthor: Ann\nversion: 1.2\n{tools}\n---\nBody.\n"
    skill = skill_in(text, Path("s", "SKILL.md"))
    assert skill.tools == ("a", "b")
    assert skill.about == {"author": "Ann", "version": "1.2"}


def test_allowed_tools_may_have_patterns_and_commas() -> None:
    text = "---\nname: s\ndescription: d\nallowed-tools: Read, Bash(git add:*), Grep\n---\nBody.\n"
    assert skill_in(text, Path("s", "SKILL.md")).allowed == ("Read", "Bash(git add:*)", "Grep")
