"""What was typed survives a crash, and undo survives a restart."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.disk.lock import HeldFile
from workbench.editing.commands import EditText
from workbench.editing.document import Document
from workbench.editing.keeping.edit_journal import files_left, read_journal
from workbench.errors import CannotRead
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

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


def journal_in(journals: Path) -> Path:
    """The one journal that there is."""
    (file,) = journals.glob("*.edits")
    return file


def written_by(journals: Path, process: int, *, is_earlier_version: bool) -> Path:
    """The one journal, named as if *process* had written it."""
    journal = journal_in(journals)
    unique = journal.stem.rpartition("-")[0]
    name = f"{unique.partition('-')[0] if is_earlier_version else unique}-{process}.edits"
    return journal.rename(journal.with_name(name))


def a_dead_process() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


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
    del document
    again = Document.open(file, journals)
    assert again.recovery is not None
    again.discard_recovery()


@pytest.mark.expects_warnings
def test_what_cannot_be_discarded_is_offered_again(file: Path, journals: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    type_at(Document.open(file, journals), 0, "x")
    document = Document.open(file, journals)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        document.discard_recovery()
    assert document.recovery is None
    document.close()
    assert Document.open(file, journals).recovery is not None


def refuse(_path: Path, *, missing_ok: bool = False) -> None:
    """A folder in which nothing can be deleted."""
    raise PermissionError(missing_ok)


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
    del document
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
    del again
    last = Document.open(file, journals)
    assert texts_back(last) == ["one\ntwo\n" + BOOK, "one\n" + BOOK, BOOK]


def texts_back(document: Document) -> list[str]:
    """What undo leads to, one thing after the other, to the beginning."""
    texts = []
    while document.undo():
        texts.append(document.snapshot.text)
    return texts


def test_undo_goes_back_past_a_crash_with_unsaved_edits(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "one\n")
    document.save()
    type_at(document, 4, "two\n")
    del document
    again = Document.open(file, journals)
    again.recover()
    assert again.snapshot.text == "one\ntwo\n" + BOOK
    assert texts_back(again) == ["one\n" + BOOK, BOOK]


def test_undo_goes_back_past_crash_after_crash(file: Path, journals: Path) -> None:
    for number in range(4):
        document = Document.open(file, journals)
        document.recover()
        document.save()
        type_at(document, 0, f"{number}\n")
        del document
    assert texts_back(Document.open(file, journals)) == ["1\n0\n" + BOOK, "0\n" + BOOK, BOOK]


def test_unsaved_edits_are_set_aside_once_though_a_crash_comes_in_between(
    file: Path, journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "one\n")
    document.save()
    type_at(document, 0, "two\n")
    del document
    with monkeypatch.context() as patch:
        patch.setattr(HeldFile, "cut", _refused)
        assert Document.open(file, journals).recovery is not None
    document = Document.open(file, journals)
    document.discard_recovery()
    del document
    again = Document.open(file, journals)
    assert again.recovery is None
    assert texts_back(again) == [BOOK]


def test_what_was_saved_just_before_a_crash_is_not_offered_and_can_be_undone(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "one\n")
    file.write_text(document.snapshot.text)
    del document
    for _time in range(2):
        again = Document.open(file, journals)
        assert again.recovery is None
        assert files_left(journals) == ()
        assert again.can_undo
        del again
    assert texts_back(Document.open(file, journals)) == [BOOK]


def test_undo_goes_back_past_what_another_program_wrote_and_a_restart(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "one\n")
    document.save()
    file.write_text("one\n" + BOOK + "- theirs\n")
    document.take_from_disk()
    assert not document.is_dirty
    type_at(document, 0, "mine\n")
    file.write_text("one\n" + BOOK + "- theirs too\n")
    document.take_from_disk()
    document.save()
    del document
    again = Document.open(file, journals)
    assert again.recovery is None
    last, first = texts_back(again)[-2:]
    assert (last, first) == ("one\n" + BOOK, BOOK)


def test_undo_goes_back_past_a_new_name_and_a_restart(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "one\n")
    other = file.with_name("other.md")
    document.save(other)
    type_at(document, 0, "two\n")
    del document
    again = Document.open(other, journals)
    again.recover()
    assert texts_back(again) == ["one\n" + BOOK, BOOK]


def test_undo_goes_back_to_what_a_new_document_began_with_after_it_was_saved_and_closed(
    file: Path, journals: Path
) -> None:
    document = Document.from_text(BOOK, journals)
    type_at(document, 0, "one\n")
    document.save(file)
    document.close()
    assert texts_back(Document.open(file, journals)) == [BOOK]


def test_what_another_program_wrote_is_not_offered_as_unsaved(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    file.write_text(BOOK + "- theirs\n")
    document.take_from_disk()
    del document
    assert files_left(journals) == ()
    assert Document.open(file, journals).recovery is None


def test_history_is_dropped_when_the_file_is_another(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "x")
    document.save()
    document.close()
    file.write_text("other")
    assert not Document.open(file, journals).can_undo
    assert list(journals.iterdir()) == []


def test_edits_are_kept_of_the_text_that_was_read_and_not_of_one_with_the_same_bytes(
    file: Path, journals: Path
) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "\ufeff")
    document.save()
    document.close()
    again = Document.open(file, journals)
    type_at(again, 0, "x")
    del again
    recovered = Document.open(file, journals)
    recovered.recover()
    assert recovered.snapshot.text == "x" + BOOK


def test_a_journal_cut_off_anywhere_is_a_shorter_journal(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    for index in range(6):
        type_at(document, index, str(index))
    whole = read_journal(journal_in(journals))
    assert whole is not None
    data = journal_in(journals).read_bytes()
    for end in range(len(data)):
        cut = file.with_suffix(".cut")
        cut.write_bytes(data[:end])
        found = read_journal(cut)
        assert found is None or whole.edits[: len(found.edits)] == found.edits
    assert read_journal(journal_in(journals)) == whole


def test_a_damaged_record_ends_the_journal(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "a")
    type_at(document, 1, "\n")
    type_at(document, 2, "b")
    path = journal_in(journals)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:2], lines[2].replace(b"1", b"7"), *lines[3:]]))
    found = read_journal(path)
    assert found is not None
    assert found.text == "a" + BOOK


def test_a_killed_program_loses_at_most_the_last_keystroke(file: Path, journals: Path) -> None:
    script = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from workbench.editing.document import Document\nfrom workbench.editing.commands import EditText\n"
        "from workbench.syntax.change import TextEdit\nfrom workbench.syntax.text import Span\n"
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


def test_two_windows_on_one_file_keep_their_journals_although_they_have_one_process_number(
    file: Path, journals: Path
) -> None:
    one, other = Document.open(file, journals), Document.open(file, journals)
    type_at(one, 0, "one\n")
    type_at(other, 0, "other\n")
    assert Document.open(file, journals).recovery is None
    assert files_left(journals) == ()
    type_at(one, 0, "more of ")
    del one, other
    texts = set()
    for _window in range(2):
        document = Document.open(file, journals)
        document.recover()
        texts.add(document.snapshot.text)
        document.close()
    assert texts == {"more of one\n" + BOOK, "other\n" + BOOK}
    assert list(journals.iterdir()) == []


def test_a_session_in_another_process_keeps_its_journal_until_it_is_killed(file: Path, journals: Path) -> None:
    script = (
        "from pathlib import Path\n"
        "from workbench.editing.document import Document\nfrom workbench.editing.commands import EditText\n"
        "from workbench.syntax.change import TextEdit\nfrom workbench.syntax.text import Span\n"
        f"document = Document.open(Path({str(file)!r}), Path({str(journals)!r}))\n"
        "document.execute(EditText((TextEdit(Span(0, 0), 'theirs '),)))\n"
        "print(flush=True)\ninput()\n"
    )
    command, pipe = (sys.executable, "-c", script), subprocess.PIPE
    with subprocess.Popen(command, cwd=Path.cwd(), stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert Document.open(file, journals).recovery is None
        assert files_left(journals) == ()
        process.kill()
    assert files_left(journals) == (file,)
    document = Document.open(file, journals)
    document.recover()
    assert document.snapshot.text == "theirs " + BOOK


def test_that_another_process_has_the_number_by_now_does_not_matter(file: Path, journals: Path) -> None:
    type_at(Document.open(file, journals), 0, "x")
    written_by(journals, os.getppid(), is_earlier_version=False)
    assert files_left(journals) == (file,)
    assert Document.open(file, journals).recovery is not None


@pytest.mark.parametrize("is_earlier_version", [True, False])
def test_without_a_lock_the_number_of_the_process_tells(
    is_earlier_version: bool, file: Path, journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*_arguments: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    if not is_earlier_version:
        monkeypatch.setattr("workbench.disk.lock.fcntl.flock", no_locks)
    type_at(Document.open(file, journals), 0, "x")
    theirs = written_by(journals, os.getppid(), is_earlier_version=is_earlier_version)
    assert Document.open(file, journals).recovery is None
    assert files_left(journals) == ()
    assert theirs.exists()
    for number in (os.getpid(), a_dead_process()):
        written_by(journals, number, is_earlier_version=is_earlier_version)
        assert files_left(journals) == (file,)
    assert Document.open(file, journals).recovery is not None


def test_typing_is_joined_after_a_restart_whatever_language_it_was_labelled_in(
    file: Path, journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.editing.verbs.step_text._", lambda _text: "Tippen")
    document = Document.open(file, journals)
    type_at(document, 0, "a")
    type_at(document, 1, "b")
    document.save()
    document.close()
    again = Document.open(file, journals)
    assert again.undo_label == "Tippen"
    again.undo()
    assert again.snapshot.text == BOOK


def test_undo_goes_back_into_what_an_earlier_version_kept(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "one\n")
    document.save()
    document.close()
    written_by(journals, a_dead_process(), is_earlier_version=True)
    again = Document.open(file, journals)
    again.undo()
    assert again.snapshot.text == BOOK


def test_a_journal_that_another_program_has_open_is_let_alone(
    file: Path, journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_at(Document.open(file, journals), 0, "x")
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", _refused)
        assert Document.open(file, journals).recovery is None
    assert Document.open(file, journals).recovery is not None


def _refused(*_arguments: object) -> None:
    raise PermissionError(errno.EACCES, "used by another process")


def test_opening_a_file_again_in_its_window_goes_on_in_its_journal(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "one\n")
    document.save()
    again = Document.open(file, journals, document)
    type_at(again, 0, "two\n")
    assert len(list(journals.iterdir())) == 1
    again.undo()
    again.undo()
    assert again.snapshot.text == BOOK


def test_opening_a_file_again_gives_up_what_was_unsaved_but_not_when_it_cannot_be_read(
    file: Path, journals: Path
) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "x")
    with pytest.raises(CannotRead):
        Document.open(file.with_name("gone.md"), journals, document)
    assert journal_in(journals).exists()
    assert Document.open(file, journals, document).recovery is None
    assert list(journals.iterdir()) == []


@pytest.mark.parametrize("is_changed_since", [True, False])
def test_the_journal_of_a_large_file_needs_the_file_as_it_was(
    is_changed_since: bool, file: Path, journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.editing.keeping.edit_journal.LARGEST_BASE", 5)
    type_at(Document.open(file, journals), 0, "x")
    if is_changed_since:
        file.write_text("other")
    assert (Document.open(file, journals).recovery is None) == is_changed_since


def test_unsaved_edits_of_a_large_file_are_kept_after_a_save_too(
    file: Path, journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.editing.keeping.edit_journal.LARGEST_BASE", 5)
    document = Document.open(file, journals)
    type_at(document, 0, "x")
    document.save()
    type_at(document, 1, "y")
    del document
    again = Document.open(file, journals)
    again.recover()
    assert again.snapshot.text == "xy" + BOOK


@pytest.mark.expects_warnings
def test_work_goes_on_where_no_journal_can_be_written(file: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, not a folder")
    document = Document.open(file, blocked)
    type_at(document, 0, "x")
    type_at(document, 1, "y")
    document.save()
    assert file.read_text() == "xy" + BOOK


def test_giving_up_what_is_unsaved_keeps_the_undo_of_what_is_saved(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, len(BOOK), "- C\n")
    document.save()
    type_at(document, len(BOOK), "- never saved\n")
    document.close()
    again = Document.open(file, journals)
    assert (again.snapshot.text, again.recovery) == (BOOK + "- C\n", None)
    again.undo()
    assert again.snapshot.text == BOOK
    assert not again.can_undo


def test_what_was_undone_after_a_save_is_not_offered(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, len(BOOK), "- C\n")
    document.save()
    type_at(document, len(BOOK), "- D\n")
    document.undo()
    document.close()
    again = Document.open(file, journals)
    assert again.recovery is None
    again.undo()
    assert again.snapshot.text == BOOK


@pytest.mark.expects_warnings
@pytest.mark.parametrize("lost", [b"edits", b"saved"])
def test_edits_are_not_offered_once_they_are_saved_though_the_journal_could_not_tell(
    lost: bytes, file: Path, journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = Document.open(file, journals)
    type_at(document, 0, "x")
    append = HeldFile.append

    def full(held: HeldFile, data: bytes) -> None:
        if lost in data:
            raise OSError(errno.ENOSPC, "full")
        append(held, data)

    monkeypatch.setattr(HeldFile, "append", full)
    type_at(document, 1, "y")
    document.save()
    document.close()
    assert Document.open(file, journals).recovery is None


@pytest.mark.expects_warnings
@pytest.mark.parametrize("is_new", [True, False])
def test_a_journal_that_cannot_be_removed_does_not_make_a_save_fail(
    is_new: bool, file: Path, journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = Document.from_text(BOOK, journals) if is_new else Document.open(file, journals)
    type_at(document, 0, "x")
    monkeypatch.setattr(HeldFile, "remove", _refused)
    document.save(file.with_name("other.md"))
    assert (document.is_dirty, file.with_name("other.md").read_text()) == (False, "x" + BOOK)


def test_files_that_are_no_journals_are_let_alone(file: Path, journals: Path) -> None:
    type_at(Document.open(file, journals), 0, "x")
    (journals / "notes.edits").write_text("mine")
    assert files_left(journals) == (file,)
    assert (journals / "notes.edits").exists()


def test_giving_up_what_was_never_saved_leaves_no_journal(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, len(BOOK), "- never saved\n")
    document.close()
    assert list(journals.iterdir()) == []


def test_a_document_may_be_closed_twice(file: Path, journals: Path) -> None:
    document = Document.open(file, journals)
    type_at(document, len(BOOK), "- saved\n")
    document.save()
    document.close()
    document.close()
    assert Document.open(file, journals).can_undo
