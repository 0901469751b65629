"""``workbench compare``: at the terminal, as JSON and as a page."""

from __future__ import annotations

import html.parser
import json
from pathlib import Path

import pytest

from tests.core.cli_driver import Done, Terminal
from workbench.engine.journal.journal import Journal
from workbench.i18n import use_language

BOOK = """\
# Book
## Main
### Steps
- Ask user for $name
- If $name == "Zoe"
  - $n = 1 / 0
- Tell user "Hello {$name}"
- Return $name
"""


def run_with(terminal: Terminal, folder: Path, name: str, book: str = BOOK) -> Done:
    playbook, answers = folder / "book.md", folder / "answers.yaml"
    playbook.write_text(book, encoding="utf-8")
    answers.write_text(json.dumps({"answers": [{"step": "Main:01", "values": {"name": name}}]}), encoding="utf-8")
    return terminal.run("run", playbook, "--script", answers, "--store", folder, "--quiet")


def runs_in(folder: Path) -> list[str]:
    """All runs, the oldest first."""
    journal = Journal(folder / "runs.sqlite")
    try:
        return [one.id for one in journal.runs()][::-1]
    finally:
        journal.close()


@pytest.fixture
def broken(terminal: Terminal, tmp_path: Path) -> Path:
    """A store with a run that was completed, and one that failed then."""
    assert run_with(terminal, tmp_path, "Ann").code == 0
    assert run_with(terminal, tmp_path, "Zoe").code == 1
    return tmp_path


def test_a_failed_run_is_compared_with_the_last_that_worked(terminal: Terminal, broken: Path) -> None:
    done = terminal.run("compare", runs_in(broken)[1], "--store", broken)
    assert done.code == 1
    assert "How this run ended: failed; the other run: completed." in done.out
    assert "They part at Main:01 “Ask user for $name”: answer name: Ann → Zoe" in done.out
    assert '- Main:03  Tell user "Hello {$name}" (only in the other run)' in done.out


def test_runs_that_did_the_same_end_with_zero(terminal: Terminal, broken: Path) -> None:
    assert run_with(terminal, broken, "Ann").code == 0
    first, _failed, last = runs_in(broken)
    assert terminal.run("compare", last, "--store", broken).code == 0
    assert terminal.run("compare", last, first, "--store", broken).code == 0


def test_json_says_what_differs_and_where(terminal: Terminal, broken: Path) -> None:
    told = terminal.run("compare", runs_in(broken)[1], "--store", broken, "--json").json
    assert told["differs"] is True
    assert told["steps"][0]["step"] == "Main:01"
    answer = {"about": "answer", "name": "name", "other": "Ann", "run": "Zoe", "matters": True}
    assert answer in told["steps"][0]["differences"]
    assert [each["in"] for each in told["steps"] if each["step"] == "Main:03"] == ["other"]


def test_what_cannot_be_compared_is_told(terminal: Terminal, broken: Path) -> None:
    first = runs_in(broken)[0]
    assert terminal.run("compare", "nope", "--store", broken).code == 2
    assert terminal.run("compare", first, "nope", "--store", broken).code == 2
    done = terminal.run("compare", first, "--store", broken)
    assert (done.code, "was completed before" in done.err) == (2, True)


def test_a_fork_is_told_and_the_time_before_it_is_not_its_own(terminal: Terminal, broken: Path) -> None:
    failed = runs_in(broken)[1]
    assert terminal.run("fork", failed, "--at-step", "Main:02", "--set", "name=Ann", "--store", broken).code == 0
    done = terminal.run("compare", runs_in(broken)[-1], failed, "--store", broken)
    assert done.code == 1
    assert "This run is a fork of the other one, from its event" in done.out
    assert "answer name: nothing → Ann" in done.out


class Tags(html.parser.HTMLParser):
    """Which elements are open, which were seen, and the words."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_of(terminal: Terminal, folder: Path) -> str:
    out = folder / "difference.html"
    assert terminal.run("compare", runs_in(folder)[-1], "--store", folder, "-o", out).code == 1
    return out.read_text(encoding="utf-8")


def test_the_page_needs_nothing_else_and_marks_only_what_differs(terminal: Terminal, broken: Path) -> None:
    page = page_of(terminal, broken)
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert not {"script", "link", "img", "iframe"} & tags.seen
    assert "http" not in page
    assert '<td class="was value">Ann</td><td class="now value">Zoe</td>' in page
    assert page.count('<tr class="step-row gone">') == 2


def test_the_page_shows_what_nobody_would_see_and_no_markup_of_the_playbook(terminal: Terminal, tmp_path: Path) -> None:
    for name in ("Ann", "<b>Ann\u202e\x1b</b>"):
        run_with(terminal, tmp_path, name)
    page = page_of(terminal, tmp_path)
    assert "&lt;b&gt;Ann⟨U+202E⟩⟨U+001B⟩&lt;/b&gt;" in page
    assert not {"\u202e", "\x1b"} & set(page)
    assert "<b>" not in page


def test_the_page_speaks_the_chosen_language(terminal: Terminal, broken: Path) -> None:
    use_language("de")
    try:
        page = page_of(terminal, broken)
    finally:
        use_language("en")
    assert '<html lang="de">' in page
    assert "fehlgeschlagen" in page
