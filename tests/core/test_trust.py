"""What a person allows: the Python of a playbook together with the steps that decide what it is called with."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.engine.trust import allowed_text, changed_since, keep_allowed, python_digest
from workbench.model.program import Program
from workbench.model.snapshot import derive
from workbench.settings import Settings
from workbench.syntax.text import SourceText

CODE = "@playbook\ndef sh(cmd):\n    return cmd\n"
TEXT = f'# Desk\n```python\n{CODE}```\n## Main\n### Steps\n- $cmd = "echo harmless"\n- sh($cmd)\n- Tell user "done"\n'


def program(text: str) -> Program:
    return derive(SourceText(text)).program


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return cmd", "return cmd * 2"),
        ('$cmd = "echo harmless"', '$cmd = "id"'),
        ("- sh($cmd)", '- sh("id")'),
        ("- sh($cmd)", "- If $cmd\n  - sh($cmd)"),
        ("### Steps", "### Triggers\n- When the user asks\n### Steps"),
    ],
)
def test_another_code_or_another_call_of_it_is_another_decision(before: str, after: str) -> None:
    assert before in TEXT
    assert python_digest(program(TEXT.replace(before, after))) != python_digest(program(TEXT))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('Tell user "done"', 'Tell user "ready"'),
        ("# Desk", "# Reception"),
        ("- sh($cmd)", "- sh($cmd) <!-- as ever -->"),
    ],
)
def test_what_reaches_no_function_is_the_same_decision(before: str, after: str) -> None:
    assert before in TEXT
    assert python_digest(program(TEXT.replace(before, after))) == python_digest(program(TEXT))


def test_without_python_there_is_nothing_to_allow() -> None:
    assert allowed_text(program(TEXT.replace("```python", "```text"))) == ""


def test_what_has_changed_since_it_was_allowed_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    keep_allowed(tmp_path / "allowed", file, allowed_text(program(TEXT)))
    changes = changed_since(tmp_path / "allowed", file, allowed_text(program(TEXT.replace("harmless", "$(id)"))))
    assert '-- $cmd = "echo harmless"\n+- $cmd = "echo $(id)"' in changes


def test_a_file_that_was_never_allowed_has_not_changed(tmp_path: Path) -> None:
    assert changed_since(tmp_path / "allowed", tmp_path / "a.md", "x") == ""


def test_in_a_trusted_folder_everything_may_run_and_nothing_outside(tmp_path: Path) -> None:
    settings = Settings().with_trusted_folder(tmp_path / "mine")
    assert settings.is_trusted("any", tmp_path / "mine" / "deep" / "a.md")
    assert not settings.is_trusted("any", tmp_path / "other" / "a.md")


def test_a_link_into_a_trusted_folder_that_leads_out_of_it_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "a.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "mine" / "a.md").symlink_to(tmp_path / "a.md")
    assert not Settings().with_trusted_folder(tmp_path / "mine").is_trusted("any", tmp_path / "mine" / "a.md")
