"""What is a person's own can be read by nobody else, whatever the mask for new files says."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.disk.places import Places
from workbench.disk.private import close_to_others
from workbench.editing.commands import EditText
from workbench.editing.document import Document
from workbench.engine.journal.journal import Journal
from workbench.library.store import PatternStore, back_up
from workbench.logs import log_to_file
from workbench.settings import Settings, change_settings
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

PLAYBOOK = """# Desk

## Main
### Steps
- $x = double(2)
- Return $x

```python
@playbook
async def double(n):
    return n * 2
```
"""

MASKS = (0, 0o022, 0o477)


@pytest.fixture(params=MASKS, ids=oct)
def mask(request: pytest.FixtureRequest) -> Iterator[None]:
    """The mask of the person: it forbids nothing, what is usual, or more than is good."""
    before = os.umask(request.param)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """What below *folder* others may do anything with."""
    return [
        f"{path.relative_to(folder)} {path.stat().st_mode:o}"
        for path in folder.rglob("*")
        if path.stat().st_mode & 0o77
    ]


def edit(document: Document) -> None:
    document.execute(EditText((TextEdit(Span(0, 0), "x"),)))


@pytest.mark.usefixtures("mask")
def test_journals_of_edits_are_private(tmp_path: Path, home: Path, own_places: Places) -> None:
    saved = Document.from_text("", own_places.edits_dir)
    edit(saved)
    saved.save(tmp_path / "a.md")
    edit(saved)
    edit(Document.from_text("", own_places.edits_dir))
    assert any(own_places.edits_dir.iterdir())
    assert open_to_others(home) == []


@pytest.mark.usefixtures("mask")
def test_stores_and_what_stands_beside_them_are_private(home: Path, own_places: Places) -> None:
    journal = Journal(own_places.runs_file)
    journal.keep(b"text")
    patterns = PatternStore(own_places.patterns_file)
    patterns.record("shell", "a task", ("a",))
    back_up(patterns)
    names = {path.name for path in own_places.data_dir.iterdir()}
    assert {"runs.sqlite", "runs.sqlite-wal", "runs.sqlite-shm", "patterns.sqlite", "patterns.sqlite-wal"} < names
    assert open_to_others(home) == []
    journal.close()
    patterns.close()


@pytest.mark.usefixtures("mask")
def test_settings_and_logs_are_private(home: Path, own_places: Places) -> None:
    change_settings(own_places, lambda before: before.with_trust("abc"))
    logger = logging.getLogger("workbench")
    before, level = list(logger.handlers), logger.level
    log_to_file(own_places.log_dir)
    (handler,) = (each for each in logger.handlers if each not in before)
    handler.doRollover()  # type: ignore[attr-defined]
    logger.removeHandler(handler)
    handler.close()
    logger.setLevel(level)
    assert {path.name for path in own_places.log_dir.iterdir()} == {"workbench.log", "workbench.log.1"}
    assert open_to_others(home) == []


@pytest.mark.usefixtures("mask")
def test_a_run_and_its_exports_are_private(tmp_path: Path, home: Path, terminal: Terminal) -> None:
    playbook = tmp_path / "desk.md"
    playbook.write_text(PLAYBOOK)
    playbook.chmod(0o600)
    assert terminal.run("run", playbook, "--trust").code == 0
    (run,) = (each["run"] for each in terminal.run("runs", "--json").json)
    for name in ("audit.html", "audit.jsonl"):
        assert terminal.run("export", run, "-o", tmp_path / name).code == 0
    assert terminal.run("patterns", "export", "-o", tmp_path / "patterns.json").code == 0
    assert open_to_others(home) == open_to_others(tmp_path) == []


def test_what_earlier_versions_left_open_is_closed(own_places: Places) -> None:
    own_places.data_dir.mkdir(parents=True)
    for path in (own_places.runs_file, own_places.patterns_file):
        path.write_bytes(b"")
        path.chmod(0o644)
    close_to_others(own_places)
    assert open_to_others(own_places.data_dir) == []


def test_a_store_that_somebody_shares_on_purpose_stays_shared(tmp_path: Path, terminal: Terminal) -> None:
    (tmp_path / "store").mkdir()
    terminal.run("runs", "--store", tmp_path / "store")
    (tmp_path / "store" / "runs.sqlite").chmod(0o660)
    assert terminal.run("runs", "--store", tmp_path / "store").code == 0
    assert (tmp_path / "store" / "runs.sqlite").stat().st_mode & 0o777 == 0o660


def test_a_picture_or_an_assembly_is_as_open_as_the_person_wants(tmp_path: Path, terminal: Terminal) -> None:
    (tmp_path / "desk.md").write_text(PLAYBOOK)
    before = os.umask(0o027)
    terminal.run("compile", tmp_path / "desk.md", "-o", tmp_path / "desk.pbasm")
    os.umask(before)
    assert (tmp_path / "desk.pbasm").stat().st_mode & 0o777 == 0o640


def test_settings_are_those_that_are_chosen_last(own_places: Places) -> None:
    change_settings(own_places, lambda before: before.with_trust("abc"))
    assert change_settings(own_places, lambda before: before) == (Settings(trusted=frozenset({"abc"})),) * 2
