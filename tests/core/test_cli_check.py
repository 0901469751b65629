"""``workbench check``: findings for people and machines, and clear words for what is no playbook."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal

FIELDS = ["path", "kind", "code", "severity", "line", "column", "end_line", "end_column", "message", "fixes"]


def write(folder: Path, text: str, name: str = "a.md") -> Path:
    """A file with *text*."""
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_a_sample_has_no_errors(terminal: Terminal, sample: Path) -> None:
    done = terminal.run("check", sample, "--json")
    assert (done.code, [finding for finding in done.json if finding["severity"] != "info"]) == (0, [])


def test_every_finding_has_exactly_the_documented_fields(terminal: Terminal, markdown_file: Path) -> None:
    for finding in terminal.run("check", markdown_file, "--json").json:
        assert list(finding) == FIELDS
        assert 1 <= finding["line"] <= finding["end_line"]
        assert finding["column"] >= 1


def test_an_unclosed_fence_is_reported_where_it_opens(terminal: Terminal, tmp_path: Path) -> None:
    path = write(tmp_path, "# A\n\n## Main\n### Steps\n- x\n\n```python\ny = 1\n")
    findings = terminal.run("check", path, "--json").json
    assert 7 in {finding["line"] for finding in findings}


def test_a_call_of_something_unknown_is_an_error_with_exit_code_1(terminal: Terminal, tmp_path: Path) -> None:
    path = write(tmp_path, "# A\n\n## Main\n### Steps\n- $x = NoSuchThing(1)\n")
    done = terminal.run("check", path)
    assert done.code == 1
    assert f"{path}:5:" in done.out
    assert "error" in done.out


def test_columns_count_code_points(terminal: Terminal, tmp_path: Path) -> None:
    path = write(tmp_path, "# A\n\n## Main\n### Steps\n- $𝔘 = NoSuchThing(1)\n")
    error = next(one for one in terminal.run("check", path, "--json").json if one["severity"] == "error")
    assert (error["line"], error["column"]) == (5, 8)


def test_what_a_project_says_wrongly_about_plans_and_deviations_is_told_of_each_playbook(
    terminal: Terminal, tmp_path: Path
) -> None:
    text = '# A\n\n## Main\n\n### Triggers\n\n- At the beginning\n\n### Steps\n\n- Tell user "hello"\n'
    (tmp_path / "a.md").write_text(text, "utf-8")
    (tmp_path / "workbench.toml").write_text('[plans]\nnumber = -1\nsize = 3\n\n[deviation]\nfaild = "ask"\n', "utf-8")
    found = terminal.run("check", tmp_path / "a.md", "--json").json
    assert [(each["code"], each["severity"], each["line"]) for each in found] == [("metadata-value", "warning", 1)] * 3
    assert [each["message"].partition(": ")[0] for each in found] == [
        "[deviation] in workbench.toml",
        "[plans] in workbench.toml",
        "[plans] in workbench.toml",
    ]
    (tmp_path / "workbench.toml").write_text('[plans]\nnumber = 1\n\n[deviation]\nfailed = "ask"\n', "utf-8")
    assert terminal.run("check", tmp_path / "a.md", "--json").json == []


def test_a_file_without_a_playbook_says_so(terminal: Terminal, tmp_path: Path) -> None:
    done = terminal.run("check", write(tmp_path, ""))
    assert done.code in {0, 1}
    assert "no problems" not in done.out
    assert "playbook" in done.out


@pytest.mark.parametrize("text", ["just words\n", "- a list\n- without any heading\n"])
def test_nothing_is_wrong_with_words_and_lists(terminal: Terminal, tmp_path: Path, text: str) -> None:
    done = terminal.run("check", write(tmp_path, text))
    assert (done.code, "no problems (procedure)" in done.out) == (0, True)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "does not exist"),
        (lambda path: path.mkdir(), "is a folder"),
        (lambda path: path.write_bytes(b"\x7fELF\0\0\x01\xff" * 40), "is not a text file"),
        (lambda path: path.write_bytes(b"# A\n- step\n" * 5_000_000), "MiB"),
    ],
    ids=["missing", "folder", "binary", "50 MB"],
)
def test_what_cannot_be_read_is_said_in_words(terminal: Terminal, tmp_path: Path, make, words: str) -> None:  # noqa: ANN001
    path = tmp_path / "a.md"
    make(path)
    done = terminal.run("check", path)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert "Traceback" not in done.err


def test_an_unreadable_file_does_not_hide_the_others(terminal: Terminal, tmp_path: Path, sample: Path) -> None:
    done = terminal.run("check", tmp_path / "missing.md", sample)
    assert done.code == 2
    assert str(sample) in done.out
