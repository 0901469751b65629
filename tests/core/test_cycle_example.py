"""The example of ARCHITECTURE.md, from a goal to what the playbook says, as it stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

_TEXT = (Path(__file__).resolve().parents[2] / "ARCHITECTURE.md").read_text("utf-8")


def test_the_example_of_the_documentation_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = _TEXT.split("runs just these lines:\n\n```python\n")[1].split("```")[0]
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "ARCHITECTURE.md", "exec"), {})
    assert capsys.readouterr().out == "2\n"
    assert len([line for line in code.splitlines() if line]) <= 30
