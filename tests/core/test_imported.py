"""What a file has through its imports: playbooks to call, and findings that follow from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.model.snapshot import MISSING, derive
from workbench.project.imported import findings_with_imports, import_lines, imported_playbooks
from workbench.syntax.text import SourceText

PARTS = "## Count($orders, $from)\n### Steps\n- $late = 0\n- Return $late\n"
MAIN = "# Desk\n\n!import parts.md\n\n## Main\n### Steps\n- $orders = [1]\n- $late = {call}\n- Tell user $late\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "parts.md").write_text(PARTS)
    return tmp_path


def found(folder: Path, text: str) -> dict[str, str]:
    """The findings by their codes, each with the words that it is about."""
    findings = findings_with_imports(derive(SourceText(text)), folder / "main.md")
    return {each.code: each.span.of(text) for each in findings}


def test_the_call_of_an_imported_playbook_is_not_unknown(folder: Path) -> None:
    assert found(folder, MAIN.format(call="Count($orders, 1)")) == {}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_call_with_too_few_arguments_is_told_at_its_own_place(folder: Path, end: str) -> None:
    text = MAIN.format(call="Count($orders)").replace("\n", end)
    assert list(found(folder, text).values()) == ["$late = Count($orders)"]


def test_what_is_doubtful_in_the_other_file_is_not_told(folder: Path) -> None:
    (folder / "parts.md").write_text(PARTS + "- $x = Nobody()\n")
    assert found(folder, MAIN.format(call="Count($orders, 1)")) == {}


def test_an_import_that_is_not_there_is_told_and_its_playbooks_are_unknown(folder: Path) -> None:
    (folder / "parts.md").unlink()
    codes = found(folder, MAIN.format(call="Count($orders, 1)"))
    assert "unknown-call" in codes and "parts.md" in "".join(codes.values())


def test_the_own_findings_keep_their_fixes(folder: Path) -> None:
    text = MAIN.format(call="Count($orders, 1)") + "- Retrun $late\n"
    found = derive(SourceText(text)).diagnostics
    own = [each for each in found if each.fixes and each.code not in MISSING]  # of what an import brings, none is told
    kept = findings_with_imports(derive(SourceText(text)), folder / "main.md")
    assert own and all(each in kept for each in own)


def test_playbooks_of_imports_in_imports_can_be_called(folder: Path) -> None:
    (folder / "parts.md").write_text(f"{PARTS}\n!import more.md\n")
    (folder / "more.md").write_text("## Further()\n- Tell user 1\n")
    names = [each.name for each in imported_playbooks(folder / "main.md", MAIN.format(call="1"))]
    assert names == ["Count", "Further"]


def test_a_file_without_imports_has_what_it_has_by_itself(folder: Path) -> None:
    text = "# Desk\n## Main\n- Nobody()\n"
    snapshot = derive(SourceText(text))
    assert findings_with_imports(snapshot, folder / "main.md") == snapshot.diagnostics
    assert imported_playbooks(folder / "main.md", text) == ()


def test_lines_that_may_be_imports_are_found_at_both_ends_of_a_text() -> None:
    assert import_lines("!import a.md\nx\n  !import b.md") == ("!import a.md", "  !import b.md")
