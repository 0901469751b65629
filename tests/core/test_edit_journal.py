"""What was typed survives a crash, and undo survives a restart."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.editing.commands import EditText
from workbench.editing.document import Document
from workbench.editing.edit_journal import journal_path, read_journal
from workbench.syntax.text import Span, TextEdit

BOOK = "## Book\n### Steps\n- A\n- B\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a playbook."""
    path = tmp_path / "book.md"
    path.write_text(BOOK)
    return path


@pytest.fixture
def journals(tmp_path: Path) -> Path:
    """Where journals are kept."""
    return tmp_path / "state" / "edits"


def type_at(document: Document, at: int, text: str) -> None:
    document.execute(EditText((TextEdit(Span(at, at), text),)))


def test_a_document_that_was_only_looked_at_leaves_no_journal(file: Path, journals: Path) -> None:
    Document.open(file, journals).close()
    assert not journals.exists()


def test_unsaved_edits_are_offered_at_the_next_start(file: Path, journals: Path) -> None:
    type_at(Document.open(file, journals), 0, "Größe 🗂️ \udce4\n")
    document = Document.open(file, journals)
    assert document.recovery is not None
    assert document.snapshot.text == BOOK
    document.recover()
    assert document.snapshot.text == "Größe 🗂️ \udce4\n" + BOOK
    document.undo()
    assert document.snapshot.text == BOOK


def test_unsaved_edits_are_offered_until_somebody_decides(file: Path, journals: Path) -> None:
    type_at(Document.open(file, journals), 0, "lost?\n")
    Document.open(file, journals).close()
    type_at(Document.open(file, journals), len(BOOK), "- later\n")
    document = Document.open(file, journals)
    document.recover()
    assert document.snapshot.text == "lost?\n" + BOOK
    again = Document.open(file, journals)
    assert again.recovery is not None
    again.discard_recovery()


def test_recovered_edits_merge_with_a_file_that_went_on(file: Path, journals: Path) -> None:
    type_at(Document.open(file, journals), 0, "Mine.\n")
    file.write_text(BOOK + "- Theirs\n")
    document = Document.open(file, journals)
    document.recover()
    assert document.snapshot.text == "Mine.\n" + BOOK + "- Theirs\n"


def test_nothing_is_offered_after_a_save(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "x")
    document.save()
    assert Document.open(file, journals).recovery is None


def test_what_was_given_up_is_not_offered(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "x")
    document.close()
    assert Document.open(file, journals).recovery is None


def test_undo_survives_a_restart(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "one\n")
    type_at(document, 4, "two\n")
    document.save()
    document.close()
    again = Document.open(file, journals)
    type_at(again, 8, "three\n")
    again.save()
    last = Document.open(file, journals)
    texts = []
    while last.undo():
        texts.append(last.snapshot.text)
    assert texts == ["one\ntwo\n" + BOOK, "one\n" + BOOK, BOOK]


def test_history_is_dropped_when_the_file_is_another(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "x")
    document.save()
    file.write_text("other")
    assert not Document.open(file, journals).can_undo


def test_a_journal_cut_off_anywhere_is_a_shorter_journal(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    for index in range(6):
        type_at(document, index, str(index))
    whole = read_journal(journal_path(journals, file))
    assert whole is not None
    data = journal_path(journals, file).read_bytes()
    for end in range(len(data)):
        cut = file.with_suffix(".cut")
        cut.write_bytes(data[:end])
        found = read_journal(cut)
        assert found is None or whole.edits[: len(found.edits)] == found.edits
    assert read_journal(journal_path(journals, file)) == whole


def test_a_damaged_record_ends_the_journal(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "a")
    type_at(document, 1, "\n")
    type_at(document, 2, "b")
    path = journal_path(journals, file)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:2], lines[2].replace(b"1", b"7"), *lines[3:]]))
    found = read_journal(journal_path(journals, file))
    assert found is not None
    assert found.text == "a" + BOOK


def test_a_killed_program_loses_at_most_the_last_keystroke(file: Path, journals: Path) -> None:
    script = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from workbench.editing.document import Document\nfrom workbench.editing.commands import EditText\n"
        "from workbench.syntax.text import Span, TextEdit\n"
        f"document = Document.open(Path({str(file)!r}), Path({str(journals)!r}))\n"
        "for index in range(50):\n"
        "    document.execute(EditText((TextEdit(Span(index, index), 'x'),)))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], cwd=Path.cwd(), env=dict(os.environ), check=False)
    assert ended.returncode == -signal.SIGKILL
    document = Document.open(file, journals)
    document.recover()
    assert document.snapshot.text == "x" * 50 + BOOK


def test_a_session_that_still_runs_keeps_its_journal(file: Path, journals: Path) -> None:
    type_at(Document.open(file, journals), 0, "x")
    mine = journal_path(journals, file)
    theirs = mine.with_name(mine.name.replace(f"-{os.getpid()}", f"-{os.getppid()}"))
    mine.rename(theirs)
    assert Document.open(file, journals).recovery is None
    assert theirs.exists()


@pytest.mark.expects_warnings
def test_work_goes_on_where_no_journal_can_be_written(file: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, not a folder")
    document = Document.open(file, blocked)
    type_at(document, 0, "x")
    type_at(document, 1, "y")
    document.save()
    assert file.read_text() == "xy" + BOOK
