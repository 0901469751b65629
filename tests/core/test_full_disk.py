"""A full disk stops nobody's work, is told, and what it refused is kept as soon as there is room."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.disk.lock import HeldFile
from workbench.editing.commands import EditText
from workbench.editing.document import Document
from workbench.editing.keeping.edit_journal import files_left
from workbench.editing.keeping.unsaved_journal import unsaved_left
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

BOOK = "## Book\n### Steps\n- A\n"

pytestmark = pytest.mark.expects_warnings


class Disk:
    """A disk with room for so many bytes; None: for all."""

    def __init__(self) -> None:
        self.room: int | None = None

    def append(self, real: Callable[[HeldFile, bytes], None]) -> Callable[[HeldFile, bytes], None]:
        """As *real*, which writes what there is room for."""

        def within(held: HeldFile, data: bytes) -> None:
            if self.room is None:
                real(held, data)
                return
            real(held, data[: self.room])
            is_full, self.room = len(data) > self.room, max(0, self.room - len(data))
            if is_full:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        return within


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """The disk on which journals are kept."""
    made = Disk()
    monkeypatch.setattr(HeldFile, "append", made.append(HeldFile.append))
    return made


@pytest.fixture
def journals(tmp_path: Path) -> Path:
    """Where journals are kept."""
    return tmp_path / "edits"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a playbook."""
    path = tmp_path / "book.md"
    path.write_text(BOOK)
    return path


def crashed(journals: Path) -> Path:
    """What the journals of a session hold that ends at this moment: nobody holds them any more."""
    return Path(shutil.copytree(journals, journals.with_name("left")))


def type_in(document: Document, *words: str) -> None:
    for word in words:
        document.execute(EditText((TextEdit(Span(0, 0), word),)))


@pytest.mark.parametrize("room", [0, 1, 40, 200, 260])
def test_what_was_typed_while_the_disk_was_full_is_kept_when_there_is_room(
    room: int, file: Path, journals: Path, disk: Disk
) -> None:
    document = Document.open(file, journals)
    disk.room = room
    type_in(document, "a", "b", "c")
    assert document.trouble == "the disk is full"
    document.try_again()
    assert document.trouble == "the disk is full"
    disk.room = None
    document.try_again()
    assert document.trouble == ""
    type_in(document, "d")
    again = Document.open(file, crashed(journals))
    again.recover()
    assert again.snapshot.text == "dcba" + BOOK


@pytest.mark.parametrize("room", [0, 1, 40, 100])
def test_a_new_playbook_is_kept_when_there_is_room(room: int, journals: Path, disk: Disk) -> None:
    document = Document.from_text(BOOK, journals)
    disk.room = room
    type_in(document, "a", "b", "c")
    assert document.trouble
    disk.room = None
    document.try_again()
    (left,) = unsaved_left(crashed(journals))
    assert left.text == "cba" + BOOK


def test_a_crash_while_the_disk_is_full_loses_only_what_was_typed_since(file: Path, journals: Path, disk: Disk) -> None:
    document = Document.open(file, journals)
    type_in(document, "a")
    disk.room = 10
    type_in(document, "b")
    again = Document.open(file, crashed(journals))
    again.recover()
    assert again.snapshot.text == "a" + BOOK


def test_a_save_makes_everything_safe_and_the_journal_begins_anew(file: Path, journals: Path, disk: Disk) -> None:
    document = Document.open(file, journals)
    disk.room = 0
    type_in(document, "a")
    document.save()
    assert (document.trouble, files_left(journals)) == ("", ())
    disk.room = None
    type_in(document, "b")
    again = Document.open(file, crashed(journals))
    again.recover()
    assert again.snapshot.text == "ba" + BOOK


def test_a_save_after_the_disk_has_room_again_leaves_all_to_be_undone(file: Path, journals: Path, disk: Disk) -> None:
    document = Document.open(file, journals)
    disk.room = 0
    type_in(document, "a\n")
    disk.room = None
    document.save()
    document.close()
    again = Document.open(file, journals)
    again.undo()
    assert again.snapshot.text == BOOK
