"""Links that lead nowhere are found, with what was probably meant; what nobody can tell is let alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.disk.files import read_file
from workbench.model.snapshot import derive
from workbench.project import around
from workbench.project.around import link_findings
from workbench.syntax.change import TextChange
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.text import SourceText


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with some files."""
    for name, text in {
        "how/drain.md": "# Drain it\n## Now\n",
        "restart.md": "# Restart\n",
        "a b.md": "# Blank\n",
        "two/same.md": "x\n",
        "three/same.md": "x\n",
        "sign.png": "x",
        "two/alarm-1.md": "x\n",
        "values.yaml": "a: 1\n",
        ".github/ports.md": "# Ports\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / ".git").mkdir()
    return tmp_path


def found(project: Path, text: str, name: str = "here.md") -> list[Diagnostic]:
    """All findings about links in *text*, a file called *name*."""
    snapshot = derive(SourceText(text))
    own = [finding for finding in snapshot.diagnostics if finding.code == "missing-anchor"]
    return [*own, *link_findings(snapshot, str(project / name))]


FINE = [
    "[a](how/drain.md) [b](./how/../restart.md#restart) [c](how/drain.md#now) [d](how/drain.md#drain-it)",
    "[a](<a b.md>) [b](a%20b.md) ![c](sign.png) [d](values.yaml) [e](how/)",
    "[a](#here)\n# Here\n",
    # what nobody can tell, or nobody wants to know
    "[a](https://nobody.example/x.md#y) <https://nobody.example> [b](//x.example/y.md) [c](mailto:a@b.example)",
    "[a](../../outside.md) [b](/absolute/of/a/site.md) [c](page) [d](made.html) [e](www.nobody.example)",
    "[a]({name}.md) [b](<$HOME/x.md>) [c](...) [d](*.md) [e](<name>.md) [f](url) [g](v1.2)",
    "`[a](nobody.md)`\n\n```\n[b](nobody.md)\n```\n<!-- [c](nobody.md) -->",
    "[[Nobody]] and [x]: no",
    "[[Node.js]], [[nobody.md#there|it]] and ![[anywhere.png]]",
    "[a](restart.md#L12) [b](#top) [c](#) [d](restart.md#:~:text=x) [e](values.yaml#anything)",
]


@pytest.mark.parametrize("text", FINE)
def test_nothing_is_found_where_a_link_leads_somewhere_or_nobody_can_tell(text: str, project: Path) -> None:
    assert found(project, text) == []


WRONG = {
    "- See [a](how/drian.md) now": ("missing-file", "how/drian.md", "- See [a](how/drain.md) now"),
    "[a](drain.md#now)": ("missing-file", "drain.md", "[a](how/drain.md#now)"),
    "[a](Restart.md)": ("missing-file", "Restart.md", "[a](restart.md)"),
    "[a](<a-b.md> 'T')": ("missing-file", "a-b.md", "[a](<a b.md> 'T')"),
    "[a](a-b.md)": ("missing-file", "a-b.md", "[a](a%20b.md)"),
    "[a][r] [b][r]\n\n[r]: restrat.md 'T'": ("missing-file", "restrat.md", "[a][r] [b][r]\n\n[r]: restart.md 'T'"),
    "![a](sing.png)": ("missing-file", "sing.png", "![a](sign.png)"),
    '<a href="restrat.md">x</a>': ("missing-file", "restrat.md", '<a href="restart.md">x</a>'),
    "[a](same.md)": ("missing-file", "same.md", ""),
    "[a](nobody.md)": ("missing-file", "nobody.md", ""),
    "[a](how/drain.md#no)": ("missing-anchor", "no", "[a](how/drain.md#now)"),
    "[a](restart.md#x)": ("missing-anchor", "x", ""),
    "# Drain it\n[a](#drain-ti)": ("missing-anchor", "drain-ti", "# Drain it\n[a](#drain-it)"),
    "# Step 1\n[a](#step-2)": ("missing-anchor", "step-2", ""),
    "# Solution A\n[a](#solution-b)": ("missing-anchor", "solution-b", ""),
    "[a](two/alarm-2.md)": ("missing-file", "two/alarm-2.md", ""),
    "[a](#nobody)": ("missing-anchor", "nobody", ""),
    "[a](.github/porst.md)": ("missing-file", ".github/porst.md", "[a](.github/ports.md)"),
    "[a](restart.md&num;x)": ("missing-anchor", "restart.md&num;x", ""),
}


@pytest.mark.parametrize("text", WRONG)
def test_a_link_that_leads_nowhere_is_found_where_it_stands(text: str, project: Path) -> None:
    ((finding),) = found(project, text)
    mended = [TextChange(fix.edits).apply(text) for fix in finding.fixes]
    assert (finding.code, finding.span.of(text), "".join(mended)) == WRONG[text]


def test_a_link_counts_from_the_folder_of_its_file(project: Path) -> None:
    assert found(project, "[a](../restart.md) [b](drain.md)", "how/here.md") == []
    (finding,) = found(project, "[a](restart.md)", "how/here.md")
    assert [fix.edits[0].insert for fix in finding.fixes] == ["../restart.md"]


def test_nothing_outside_of_the_project_is_looked_at(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (project / "link").symlink_to(outside)
    assert found(project, "[a](link/nobody.md)") == []


def test_a_file_that_many_links_lead_into_is_read_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def reading(place: Path, limit: int) -> bytes:
        read.append(place)
        return read_file(place, limit)

    monkeypatch.setattr(around, "read_file", reading)
    assert len(found(project, "[a](how/drain.md#now) [b](how/drain.md#x) [c](./how/drain.md#y)")) == 2
    assert len(read) == 1


def test_a_file_that_was_never_saved_has_no_files_around() -> None:
    assert link_findings(derive(SourceText("[a](nobody.md)")), "") == ()


def test_the_terminal_tells_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "here.md").write_text("# Here\n\nSee [a](restrat.md).\n", encoding="utf-8")
    done = Terminal(capsys).run("check", str(project / "here.md"))
    assert "3:9" in done.out
    assert "missing-file" in done.out


def test_a_fix_is_never_made_unasked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "# Here\n\nSee [a](restrat.md).\n"
    (project / "here.md").write_text(text, encoding="utf-8")
    Terminal(capsys).run("check", "--fix", str(project / "here.md"))
    assert (project / "here.md").read_text("utf-8") == text
