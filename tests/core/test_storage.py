"""Files: nothing is lost, whatever happens to them."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.disk.files import LARGEST_FILE
from workbench.editing.commands import EditText
from workbench.editing.document import Document
from workbench.editing.keeping import storage
from workbench.editing.keeping.merge import merge
from workbench.editing.keeping.storage import DiskState
from workbench.errors import CannotRead, CannotSave, ChangedOnDisk
from workbench.syntax.change import TextEdit
from workbench.syntax.comparing.lines import line_change
from workbench.syntax.text import Span

BOOK = "## Book\n### Steps\n- A\n- B\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a playbook."""
    path = tmp_path / "book.md"
    path.write_text(BOOK)
    return path


def type_at(document: Document, at: int, text: str) -> None:
    document.execute(EditText((TextEdit(Span(at, at), text),)))


def test_saving_keeps_the_mode_and_leaves_no_other_file(file: Path) -> None:
    file.chmod(0o640)
    document = Document.open(file)
    type_at(document, 0, "x")
    document.save()
    assert file.read_text() == "x" + BOOK
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(file.parent.iterdir()) == [file]
    assert not document.is_dirty


def test_saving_through_a_link_changes_the_file_behind_it(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.md"
    link.symlink_to(file)
    document = Document.open(link)
    type_at(document, 0, "x")
    document.save()
    assert link.is_symlink()
    assert file.read_text() == "x" + BOOK


def test_a_file_that_another_program_changed_is_not_overwritten(file: Path) -> None:
    document = Document.open(file)
    type_at(document, 0, "x")
    file.write_text("theirs")
    assert document.check_disk() is DiskState.CHANGED
    with pytest.raises(ChangedOnDisk):
        document.save()
    assert file.read_text() == "theirs"
    assert document.snapshot.text == "x" + BOOK


def test_a_full_disk_leaves_the_old_file_whole(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    document = Document.open(file)
    type_at(document, 0, "x")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CannotSave, match="the disk is full"):
        document.save()
    assert file.read_text() == BOOK
    assert list(file.parent.iterdir()) == [file]
    assert document.is_dirty


def test_a_read_only_file_is_not_replaced(file: Path) -> None:
    file.chmod(0o444)
    document = Document.open(file)
    type_at(document, 0, "x")
    with pytest.raises(CannotSave, match="read-only"):
        document.save()
    assert file.read_text() == BOOK


def test_a_deleted_file_can_be_saved_again(file: Path) -> None:
    document = Document.open(file)
    file.unlink()
    assert document.check_disk() is DiskState.MISSING
    document.save()
    assert file.read_text() == BOOK


def test_saving_under_another_name_moves_the_document_there(file: Path, tmp_path: Path) -> None:
    document = Document.open(file)
    document.save(tmp_path / "new.md")
    assert document.path == tmp_path / "new.md"
    assert (tmp_path / "new.md").read_text() == BOOK


def test_what_cannot_be_opened_says_why(tmp_path: Path) -> None:
    with pytest.raises(CannotRead, match="is a folder"):
        storage.load(tmp_path)
    with pytest.raises(CannotRead, match="does not exist"):
        storage.load(tmp_path / "none.md")
    with pytest.raises(CannotRead, match="not a regular file"):
        storage.load(Path("/dev/null"))


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path: Path) -> None:
    large = tmp_path / "large.md"
    with large.open("wb") as stream:
        stream.truncate(LARGEST_FILE + 1)
    with pytest.raises(CannotRead, match=r"files up to \d+ MiB"):
        storage.load(large)


@given(st.binary(max_size=200))
def test_any_bytes_come_back(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_bytes(data)
    document = Document.open(path)
    document.save()
    assert path.read_bytes() == data


def test_zero_bytes_mark_a_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\0\0")
    assert storage.load(path).is_binary


def test_a_change_from_outside_is_taken_over_and_can_be_undone(file: Path) -> None:
    document = Document.open(file)
    steps = {document.snapshot.step(step).text: step for step in document.snapshot.where}
    file.write_text(BOOK.replace("- B", "- New\n- B"))
    change = document.take_from_disk()
    assert change is not None
    assert {text: step for text, step in steps.items() if document.snapshot.step(step).text == text} == steps
    assert not document.is_dirty
    document.undo()
    assert document.snapshot.text == BOOK


def test_changes_on_both_sides_are_merged(file: Path) -> None:
    document = Document.open(file)
    type_at(document, len(BOOK), "- Mine\n")
    file.write_text("Theirs.\n" + BOOK)
    document.take_from_disk()
    assert document.snapshot.text == "Theirs.\n" + BOOK + "- Mine\n"
    assert not document.conflicts
    document.save()
    assert file.read_text() == document.snapshot.text


def test_a_conflict_shows_both_sides(file: Path) -> None:
    document = Document.open(file)
    type_at(document, BOOK.index("A"), "My ")
    file.write_text(BOOK.replace("- A", "- Their A"))
    document.take_from_disk()
    assert [(one.ours, one.theirs) for one in document.conflicts] == [("- My A\n", "- Their A\n")]
    assert document.conflicts[0].span.of(document.snapshot.text).splitlines() == [
        "<<<<<<< yours", "- My A", "=======", "- Their A", ">>>>>>> on disk",
    ]  # fmt: skip


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\r\n", "\n"]), max_size=8).map("".join)


@given(LINES, LINES)
def test_a_side_that_changed_alone_wins(base: str, other: str) -> None:
    assert merge(base, base, other).text == other
    assert merge(base, other, base).text == other
    assert merge(base, other, other).text == other
    assert line_change(base, other).apply(base) == other


@given(LINES, LINES, LINES)
def test_a_merge_loses_nothing_silently(base: str, ours: str, theirs: str) -> None:
    merged = merge(base, ours, theirs)
    kept = set(merged.text.splitlines())
    if merged.conflicts:
        assert all(set(one.ours.splitlines()) | set(one.theirs.splitlines()) <= kept for one in merged.conflicts)
    added = (set(ours.splitlines()) | set(theirs.splitlines())) - set(base.splitlines())
    assert added <= kept
