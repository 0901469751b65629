"""``workbench export`` and ``workbench audit verify``: the record of a run, and whether it is intact."""

from __future__ import annotations

import html.parser
import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import DATA
from tests.core.cli_driver import Terminal
from workbench.engine.audit.chain import check_chain
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.signing import key_file

LIST = DATA / "enforce" / "refund.yaml"
CALLS = """calls:
- {tool: issue_refund, args: {amount: 20, note: "<b>&now"}}
- {tool: lookup_order, args: {order: A-17}, result: {total: 20}}
- {tool: lookup_payment}
- {tool: check_policy, result: fine}
- {tool: issue_refund, result: refunded 20}
- {text: "Dear customer"}
"""
MARKDOWN = "# Desk\n\n## Main\n\n### Steps\n\n- $n = 1\n- Ask user for $name\n- Return $name\n"


@pytest.fixture
def steplist(terminal: Terminal, tmp_path: Path) -> Path:
    """A store with one run of a step list."""
    script = tmp_path / "calls.yaml"
    script.write_text(CALLS, encoding="utf-8")
    assert terminal.run("run", LIST, "--script", script, "--store", tmp_path).code == 0
    return tmp_path


@pytest.fixture
def markdown(terminal: Terminal, tmp_path: Path) -> Path:
    """A store with one run of a markdown playbook, which waits for an answer."""
    playbook = tmp_path / "desk.md"
    playbook.write_text(MARKDOWN, encoding="utf-8")
    assert terminal.run("run", playbook, "--store", tmp_path).code == 3
    return tmp_path


def run_in(store: Path) -> str:
    journal = Journal(store / "runs.sqlite")
    try:
        return journal.runs()[0].id
    finally:
        journal.close()


def exported(terminal: Terminal, store: Path, name: str) -> str:
    out = store / name
    assert terminal.run("export", run_in(store), "--store", store, "-o", out).code == 0
    return out.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["steplist", "markdown"])
def test_json_lines_hold_every_event_and_its_hash(
    terminal: Terminal, kind: str, request: pytest.FixtureRequest
) -> None:
    store = request.getfixturevalue(kind)
    lines = [json.loads(line) for line in exported(terminal, store, "audit.jsonl").splitlines()]
    journal = Journal(store / "runs.sqlite")
    report = check_chain(journal, run_in(store))  # type: ignore[arg-type]
    journal.close()
    assert [line["seq"] for line in lines] == list(range(report.written))
    assert lines[-1]["hash"] == report.head
    assert report.is_sound


def test_the_page_tells_calls_blocked_calls_violations_plan_and_head(terminal: Terminal, steplist: Path) -> None:
    page = exported(terminal, steplist, "audit.html")
    for words in ("issue_refund", "blocked", "unexpected_tool", "The plan at the end", "Head of the hash chain"):
        assert words in page
    assert "A-17" in page
    assert "&lt;b&gt;&amp;now" in page
    assert "<b>" not in page


def test_the_page_needs_nothing_else_and_is_well_formed(terminal: Terminal, steplist: Path) -> None:
    page = exported(terminal, steplist, "audit.html")
    checker = _Tags()
    checker.feed(page)
    assert checker.open == []
    assert not {"script", "link", "img", "iframe"} & checker.seen
    assert "http" not in page


def test_the_page_of_a_markdown_run_says_that_it_was_not_enforced(terminal: Terminal, markdown: Path) -> None:
    page = exported(terminal, markdown, "audit.html")
    assert "<dt>Enforcement</dt><dd>off</dd>" in page
    assert "The plan at the end" not in page


def test_without_a_file_the_audit_is_printed(terminal: Terminal, steplist: Path) -> None:
    done = terminal.run("export", run_in(steplist)[:13], "--store", steplist, "--format", "jsonl")
    assert json.loads(done.out.splitlines()[0])["type"] == "run.created"


def test_a_run_that_nobody_touched_is_as_it_was_written(terminal: Terminal, steplist: Path) -> None:
    done = terminal.run("audit", "verify", run_in(steplist), "--store", steplist)
    assert done.code == 0
    assert "is intact" in done.out


@pytest.mark.parametrize(
    ("change", "first"),
    [
        ("UPDATE event SET body = replace(body, 'A-17', 'B-99') WHERE seq = 9", 9),
        ("UPDATE event SET actor = 'user' WHERE seq = 3", 3),
        ("DELETE FROM event WHERE seq = 5", 5),
        ("UPDATE event SET at = at + 1 WHERE seq = 0", 0),
    ],
)
def test_the_first_event_that_was_tampered_with_is_named(
    terminal: Terminal, steplist: Path, change: str, first: int
) -> None:
    run = run_in(steplist)
    if "A-17" in change:
        first = next(
            json.loads(line)["seq"] for line in exported(terminal, steplist, "a.jsonl").splitlines() if "A-17" in line
        )
        change = change.replace("seq = 9", f"seq = {first}")
    tamper(steplist, change)
    done = terminal.run("audit", "verify", run, "--store", steplist, "--json")
    assert done.code == 1
    assert done.json["first_broken"] == first


def test_a_cut_off_end_is_found_even_where_the_count_was_changed_too(terminal: Terminal, steplist: Path) -> None:
    run = run_in(steplist)
    tamper(steplist, "DELETE FROM event WHERE seq >= 7")
    tamper(steplist, "UPDATE run SET events = 7")
    done = terminal.run("audit", "verify", run, "--store", steplist)
    assert done.code == 1
    assert "event 7 is the first that does not match, of 7" in done.err


TEXT = "SELECT json_extract(body, '$.pb_hash') FROM event WHERE seq = 0"
BESIDE = (
    ("UPDATE run SET status = 'paused'", "status"),
    ("UPDATE run SET status = NULL", "status"),
    ("UPDATE run SET error = 'x'", "error"),
    ("UPDATE run SET playbook = 'Other'", "playbook"),
    ("UPDATE run SET path = '/tmp/other.yaml'", "path"),
    ("UPDATE run SET started = started + 1", "started"),
    ("UPDATE run SET ended = ended + 1", "ended"),
    ("UPDATE run SET head = NULL", "does not match"),
    ("UPDATE run SET events = NULL", "does not match"),
    ("UPDATE event SET body = NULL WHERE seq = 3", "event 3"),
    ("UPDATE event SET body = x'00ff' WHERE seq = 3", "event 3"),
    ("UPDATE event SET blob = NULL WHERE seq = 3", "event 3"),
    ("UPDATE event SET blob = 'none' WHERE seq = 3", "event 3"),
    ("UPDATE event SET step = NULL WHERE seq = 3", "event 3"),
    (f"DELETE FROM blob WHERE sha256 = ({TEXT})", "text that it carried out"),
    (f"UPDATE blob SET data = x'00' WHERE sha256 = ({TEXT})", "text that it carried out"),
    (f"UPDATE blob SET data = NULL WHERE sha256 = ({TEXT})", "text that it carried out"),
    ("UPDATE blob SET data = NULL", "does not match"),
    ("INSERT INTO event (run, seq, body) SELECT run, 9999, 'x' FROM event WHERE seq = 0", "after its last one"),
    ("DELETE FROM event", "does not match"),
)


@pytest.mark.parametrize(("change", "words"), BESIDE)
def test_what_was_changed_beside_the_chain_is_found(
    terminal: Terminal, steplist: Path, change: str, words: str
) -> None:
    run = run_in(steplist)
    tamper(steplist, change)
    done = terminal.run("audit", "verify", run, "--store", steplist)
    assert done.code == 1
    assert words in done.err


@pytest.mark.parametrize("change", [change for change, _words in BESIDE])
def test_no_command_ends_in_a_traceback_over_a_store_that_was_changed(
    terminal: Terminal, markdown: Path, change: str
) -> None:
    run = run_in(markdown)
    tamper(markdown, change)
    for command in (("runs",), ("export", run), ("export", run, "--format", "html"), ("resume", run)):
        assert terminal.run(*command, "--store", markdown).code in {0, 1, 2, 3}


def test_all_events_gone_with_their_count_is_found(terminal: Terminal, steplist: Path) -> None:
    run = run_in(steplist)
    tamper(steplist, "DELETE FROM event")
    tamper(steplist, "UPDATE run SET events = 0, head = zeroblob(32)")
    done = terminal.run("audit", "verify", run, "--store", steplist)
    assert (done.code, "all its events are missing" in done.err) == (1, True)


def made_anew(store: Path) -> None:
    """Change the actor of each event, and make the whole chain anew, as somebody who knows how it is made could."""
    journal = Journal(store / "runs.sqlite")
    events = [replace(event, actor="user") for event in journal.read(journal.runs()[0].id)]
    journal.close()
    for table in ("event", "run"):
        tamper(store, f"DELETE FROM {table}")
    journal = Journal(store / "runs.sqlite")
    journal.append(events)
    journal.close()


def test_a_chain_that_was_made_anew_is_seen_with_a_key_only(terminal: Terminal, request: pytest.FixtureRequest) -> None:
    assert terminal.run("audit", "new-key").code == 0
    store = request.getfixturevalue("steplist")
    assert terminal.run("audit", "verify", run_in(store), "--store", store).code == 0
    made_anew(store)
    done = terminal.run("audit", "verify", run_in(store), "--store", store)
    assert (done.code, "its signature does not fit" in done.err) == (1, True)
    key_file().unlink()
    done = terminal.run("audit", "verify", run_in(store), "--store", store)
    assert (done.code, "It is not signed" in done.out) == (0, True)


def test_a_signature_that_was_removed_is_missed(terminal: Terminal, request: pytest.FixtureRequest) -> None:
    terminal.run("audit", "new-key")
    store = request.getfixturevalue("steplist")
    tamper(store, "DELETE FROM signature")
    done = terminal.run("audit", "verify", run_in(store), "--store", store)
    assert (done.code, "it is not signed" in done.err) == (1, True)


def test_a_key_is_never_written_over(terminal: Terminal, tmp_path: Path) -> None:
    key = tmp_path / "k"
    assert terminal.run("audit", "new-key", key).code == 0
    before = key.read_bytes()
    assert terminal.run("audit", "new-key", key).code == 2
    assert key.read_bytes() == before


def test_a_file_that_is_no_key_is_told(terminal: Terminal, steplist: Path) -> None:
    (steplist / "k").write_text("not a key", encoding="utf-8")
    done = terminal.run("audit", "verify", run_in(steplist), "--store", steplist, "--key", steplist / "k")
    assert (done.code, "is not a key" in done.err) == (2, True)


def test_a_run_that_is_not_there_is_told(terminal: Terminal, tmp_path: Path) -> None:
    assert terminal.run("audit", "verify", "nope", "--store", tmp_path).code == 2


def tamper(store: Path, change: str) -> None:
    connection = sqlite3.connect(store / "runs.sqlite")
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(change)
    connection.commit()
    connection.close()


class _Tags(html.parser.HTMLParser):
    """Which elements are open, and which were seen."""

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
