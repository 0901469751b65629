"""``workbench check --fix``: safe fixes are made, the others are left; nothing changes its meaning."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import DATA
from tests.core.cli_driver import Terminal
from tests.core.test_snapshot import meaning_of
from workbench.cli.checking.check import fix_file
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

MENDABLE = (
    "# Desk\n\n## Check order($n)\n### Trigger\n- When asked\n### Steps:\n- Return $n\n* Other()\n\n"
    "## Other\n- Return 1\n"
)
MENDED = (
    "# Desk\n\n## CheckOrder($n)\n### Triggers\n- When asked\n### Steps\n- Return $n\n- Other()\n\n"
    "## Other\n### Steps\n- Return 1\n"
)
FILES = sorted((DATA / "markdown").iterdir())


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    """A terminal without a display."""
    return Terminal(capsys)


def test_safe_fixes_are_made_and_said(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "a.pb"
    path.write_text(MENDABLE, "utf-8")
    done = terminal.run("check", "--fix", path)
    assert path.read_text("utf-8") == MENDED
    assert f"{path}:4: fixed: Change to ### Triggers [section-heading]" in done.out
    assert done.out.count(": fixed: ") == 5


def test_fixing_again_changes_nothing(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "a.pb"
    path.write_text(MENDED, "utf-8")
    before = path.stat().st_mtime_ns
    assert "fixed" not in terminal.run("check", "--fix", path).out
    assert path.stat().st_mtime_ns == before


def test_a_dry_run_prints_the_difference_and_changes_nothing(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "a.pb"
    path.write_text(MENDABLE, "utf-8")
    done = terminal.run("check", "--fix", "--dry-run", path)
    assert path.read_text("utf-8") == MENDABLE
    assert "-### Steps:\n+### Steps\n" in done.out
    assert done.code == 0


def test_a_fix_that_could_change_the_meaning_is_left_to_a_person(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "a.pb"
    text = "# A\n\n## M\n### Steps\n- $total = 1\n- Return $totl\n"
    path.write_text(text, "utf-8")
    done = terminal.run("check", "--fix", path)
    assert path.read_text("utf-8") == text
    assert "fix: Change to $total" in done.out


def test_a_dry_run_without_fix_and_a_missing_file_are_mistakes(terminal: Terminal, tmp_path: Path) -> None:
    assert terminal.run("check", "--dry-run", tmp_path / "a.pb").code == 2
    assert terminal.run("check").code == 2
    assert "does not exist" in terminal.run("check", "--fix", tmp_path / "a.pb").err


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@pytest.mark.parametrize("variant", ["as is", "crlf", "bom"])
def test_what_a_file_means_stays_the_same(path: Path, variant: str, tmp_path: Path) -> None:
    data = path.read_bytes()
    data = {"as is": data, "crlf": data.replace(b"\n", b"\r\n"), "bom": b"\xef\xbb\xbf" + data}[variant]
    copy = tmp_path / path.name
    copy.write_bytes(data)
    fixed = fix_file(copy, is_dry_run=False)
    after = SourceText.decode(copy.read_bytes())
    assert after.bom == SourceText.decode(data).bom
    assert (b"\n" in copy.read_bytes().replace(b"\r\n", b"")) == (b"\n" in data.replace(b"\r\n", b""))
    assert steps_of(derive(after)) == steps_of(derive(SourceText.decode(data)))
    assert not any(fix.is_safe for finding in derive(after).diagnostics for fix in finding.fixes)
    assert fixed.after == after.text


def steps_of(snapshot: Snapshot) -> list[object]:
    """What the steps mean, by the names of their playbooks."""
    return [(name, sections) for name, _title, _description, sections in meaning_of(snapshot)]  # type: ignore[misc]
