"""What a project says in ``workbench.toml``."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.disk.files import PROJECT_FILE
from workbench.project_file import ProjectFile, project_file


def _said(folder: Path, text: str | bytes) -> ProjectFile:
    data = text.encode() if isinstance(text, str) else text
    (folder / PROJECT_FILE).write_bytes(data)
    return project_file(folder)


def test_a_project_without_the_file_says_nothing(tmp_path: Path) -> None:
    assert project_file(tmp_path) == ProjectFile(tmp_path / PROJECT_FILE)


def test_its_tables_are_read_as_written(tmp_path: Path) -> None:
    said = _said(tmp_path, '[models.big]\nurl = "http://localhost/v1"\n[mcp.time]\ncommand = "x"\nargs = ["a"]\n')
    assert said.models["big"]["url"] == "http://localhost/v1"
    assert said.mcp["time"] == {"command": "x", "args": ("a",)}
    assert not said.problems


def test_nothing_of_it_can_be_changed(tmp_path: Path) -> None:
    said = _said(tmp_path, "[tools.shell]\nallow = true\n")
    with pytest.raises(TypeError):
        said.tools["shell"]["allow"] = False


@pytest.mark.parametrize(
    "entry",
    [
        'key = "abc"',
        'api_key = "abc"',
        'token = "abc"',
        'password = "abc"',
        'password = ["abc"]',
        'headers = { Authorization = "Bearer abc" }',
        'env = { GITHUB_TOKEN = "abc" }',
        'env = { ANY = "ghp_0123456789abcdef0123" }',
        'url = "https://me:secret@example.org/"',
        'key = "env:"',
        'token = "${A}sk-0123456789abcdef0123"',
    ],
)
def test_a_key_in_it_is_refused_and_left_out(tmp_path: Path, entry: str) -> None:
    said = _said(tmp_path, f"[mcp.x]\n{entry}\n")
    assert len(said.problems) == 1
    assert "env:NAME" in said.problems[0]
    assert "abc" not in str(said) and "0123" not in str(said) and "secret@" not in str(said)


@pytest.mark.parametrize(
    "entry",
    ['key = "env:BIG_KEY"', 'key = "keyring:big"', 'headers = { Authorization = "Bearer ${A}" }', "max_tokens = 5"],
)
def test_the_name_of_a_key_is_none(tmp_path: Path, entry: str) -> None:
    assert not _said(tmp_path, f"[models.x]\n{entry}\n").problems


@pytest.mark.parametrize(
    "damaged",
    [
        "models = ",
        b"\xff\xfe",
        "[models]\na = " + "[" * 3000,
        "models = 3",
        "[modles.big]\nurl = 'x'",
        "#" * 1_100_000,
        ".".join("a" * 3000) + " = 1",
        "[models.x]\n" + ".".join("a" * 3000) + " = 1",
    ],
)
def test_a_damaged_file_is_a_problem_and_no_failure(tmp_path: Path, damaged: str | bytes) -> None:
    said = _said(tmp_path, damaged)
    assert len(said.problems) == 1
    assert not said.models


def test_what_is_no_file_is_a_problem_too(tmp_path: Path) -> None:
    (tmp_path / PROJECT_FILE).mkdir()
    assert "is a folder" in project_file(tmp_path).problems[0]


def test_tables_that_are_not_known_are_told_in_the_order_of_the_file(tmp_path: Path) -> None:
    names = [f"unknown{number}" for number in (4, 1, 7, 3, 9)]
    problems = _said(tmp_path, "".join(f"[{name}]\n" for name in names)).problems
    assert [next(name for name in names if name in problem) for problem in problems] == names
