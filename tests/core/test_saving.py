"""Saving changes what a file holds and nothing else, and what a killed program leaves is put in order."""

from __future__ import annotations

import errno
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.soak import saves
from workbench.disk import unfinished
from workbench.disk.atomic import replace_file
from workbench.disk.files import real_path
from workbench.disk.places import Places
from workbench.disk.unfinished import clear_up
from workbench.editing.commands import EditText
from workbench.editing.document import Document
from workbench.errors import CannotSave, ChangedOnDisk
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

BOOK = "## Book\n### Steps\n- A\n- B\n"
OTHERS = 12345


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a playbook."""
    path = tmp_path / "folder" / "book.md"
    path.parent.mkdir()
    path.write_text(BOOK)
    return path


@pytest.fixture
def edited(file: Path) -> Document:
    """The open document, with a word typed at its beginning."""
    document = Document.open(file)
    document.execute(EditText((TextEdit(Span(0, 0), "x"),)))
    return document


def has_attributes(path: Path) -> bool:
    """True where files keep attributes of a person."""
    try:
        os.setxattr(path, "user.tag", b"mine")
    except OSError:
        return False
    return True


def no_new_files(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder in which nothing can be made, though the files in it can be written."""
    real = os.open

    def refusing(path: object, flags: int, *mode: int) -> int:
        if flags & os.O_EXCL and str(path).endswith(".tmp"):
            raise OSError(number, os.strerror(number), str(path))
        return real(path, flags, *mode)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", refusing)


def test_both_names_of_a_file_hold_what_was_saved(file: Path, edited: Document) -> None:
    other = file.with_name("other.md")
    os.link(file, other)
    edited.save()
    assert other.read_text() == "x" + BOOK
    assert other.samefile(file)


def test_attributes_of_a_file_stay(file: Path, edited: Document) -> None:
    if not has_attributes(file):
        pytest.skip("this file system keeps no attributes")
    edited.save()
    assert os.getxattr(file, "user.tag") == b"mine"
    assert file.read_text() == "x" + BOOK


@pytest.mark.skipif(os.geteuid() != 0, reason="only an administrator can give files to others")
def test_an_administrator_leaves_a_file_to_its_owner(file: Path, edited: Document) -> None:
    os.chown(file, OTHERS, OTHERS)
    edited.save()
    assert (file.stat().st_uid, file.stat().st_gid) == (OTHERS, OTHERS)


@pytest.mark.parametrize("name", ["fchown", "fchmod", "setxattr"])
def test_a_file_that_a_new_one_could_not_be_like_stays_the_same_file(
    name: str, file: Path, edited: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_attributes(file)
    file.chmod(0o2640)
    inode = file.stat().st_ino
    real = os.fstat
    monkeypatch.setattr(os, name, refuse)
    if name == "fchown":
        monkeypatch.setattr(os, "fstat", lambda handle: of_others(real(handle)))
    edited.save()
    assert (file.stat().st_ino, file.read_text()) == (inode, "x" + BOOK)
    assert list(file.parent.iterdir()) == [file]


def refuse(*_arguments: object) -> None:
    """What an ordinary person may not do."""
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))


def of_others(found: os.stat_result) -> os.stat_result:
    """The same, owned by somebody else."""
    return os.stat_result((*found[:4], OTHERS, OTHERS, *found[6:]))


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.EROFS])
def test_a_file_is_saved_in_a_folder_that_takes_no_new_ones(
    number: int, file: Path, edited: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_new_files(number, monkeypatch)
    edited.save()
    assert file.read_text() == "x" + BOOK


def test_a_new_file_in_a_folder_that_takes_none_is_refused(
    file: Path, edited: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_new_files(errno.EACCES, monkeypatch)
    with pytest.raises(CannotSave, match="permission"):
        edited.save(file.with_name("new.md"))


@pytest.mark.parametrize("is_linked", [False, True], ids=["replaced", "written in place"])
def test_who_writes_at_the_last_moment_is_not_overwritten(
    is_linked: bool, file: Path, edited: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, written = os.fsync, []

    def late(handle: int) -> None:
        real(handle)
        if not written:
            written.append(file.write_text("theirs"))

    if is_linked:
        os.link(file, file.with_name("other.md"))
        monkeypatch.setattr(
            "workbench.disk.atomic.bytes_of", lambda handle, count: late(handle) or os.read(handle, count)
        )
    monkeypatch.setattr(os, "fsync", late)
    with pytest.raises(ChangedOnDisk):
        edited.save()
    assert file.read_text() == "theirs"


@pytest.mark.parametrize("longer", [True, False])
@pytest.mark.parametrize("failing", range(1, 4))
def test_a_writing_in_place_that_fails_leaves_what_was_there(
    longer: bool, failing: int, file: Path, own_places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.link(file, file.with_name("other.md"))
    calls, real = iter(range(1, 100)), unfinished._write_at

    def full(handle: int, place: int, data: bytes) -> None:
        number = next(calls)
        real(handle, place, data[: len(data) // 2] if number == failing else data)
        if number == failing:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(unfinished, "_write_at", full)
    data = (BOOK * 2 if longer else BOOK[:9]).upper().encode()
    if failing == 3:
        replace_file(file, data)  # it is written in two pieces
    else:
        with pytest.raises(OSError, match="No space"):
            replace_file(file, data)
        assert file.read_text() == BOOK
    assert list(own_places.unfinished_dir.iterdir()) == []


KILLED = """
import os, sys
from pathlib import Path
from workbench.disk import atomic, unfinished
real = os.write
def cut(handle, data):
    if data == sys.argv[2].encode()[int(sys.argv[3]):][:len(data)] or data == sys.argv[2].encode():
        real(handle, data[:int(sys.argv[4])])
        os._exit(9)
    return real(handle, data)
os.write = cut
atomic.replace_file(Path(sys.argv[1]), sys.argv[2].encode())
"""


def killed_while_writing_in_place(file: Path, text: str, length: int, count: int) -> None:
    """A process that was killed when it had written *count* bytes of a piece of *text* into a file of *length*."""
    arguments = (sys.executable, "-c", KILLED, str(file), text, str(length if len(text) > length else 0), str(count))
    assert subprocess.run(arguments, check=False).returncode == 9


@pytest.mark.parametrize("text", [BOOK.upper() * 2, BOOK[:9].upper(), BOOK.swapcase()])
@pytest.mark.parametrize("count", [0, 5])
def test_what_a_killed_program_wrote_half_is_finished_at_the_next_start(
    text: str, count: int, file: Path, own_places: Places
) -> None:
    os.link(file, file.with_name("other.md"))
    killed_while_writing_in_place(file, text, len(BOOK), count)
    half = file.read_text()
    clear_up()
    assert file.read_text() == (text if half != BOOK else BOOK)
    assert list(own_places.unfinished_dir.iterdir()) == []


def test_what_somebody_else_has_written_since_is_let_alone(file: Path, own_places: Places) -> None:
    os.link(file, file.with_name("other.md"))
    killed_while_writing_in_place(file, BOOK.upper(), len(BOOK), 5)
    file.write_text("theirs, and rather longer than what was there before")
    clear_up()
    assert file.read_text().startswith("theirs")
    assert list(own_places.unfinished_dir.iterdir()) == []


def test_what_was_written_long_after_is_let_alone_though_it_looks_like_a_half(file: Path) -> None:
    os.link(file, file.with_name("other.md"))
    killed_while_writing_in_place(file, BOOK.upper(), len(BOOK), 5)
    half = file.read_text()
    later_s = file.stat().st_mtime + 100
    os.utime(file, (later_s, later_s))
    clear_up()
    assert file.read_text() == half


def test_every_mixture_of_old_and_new_counts_as_half() -> None:
    chance = random.Random(1)
    for _time in range(100):
        before, after = (chance.randbytes(chance.randint(0, 9000)) for _side in range(2))
        shorter, longer = sorted((before, after), key=len)
        mixed = bytearray(longer[: chance.randint(len(shorter), len(longer))])
        for at in range(len(shorter)):
            mixed[at] = chance.choice((before[at], after[at]))
        assert unfinished._is_half(bytes(mixed), before, after)
        if shorter:
            mixed[0] = next(byte for byte in range(3) if byte not in {before[0], after[0]})
            assert not unfinished._is_half(bytes(mixed), before, after)


def note(own_places: Places, text: str) -> Path:
    """A note that a dead process left."""
    own_places.unfinished_dir.mkdir(parents=True, exist_ok=True)
    path = own_places.unfinished_dir / "0123456789abcdef-1.note"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", '{"target": "/x"}', '{"temporary": 5}', '{"temporary": "/etc/hosts"}']
)
def test_a_note_that_says_nothing_of_ours_does_no_harm(text: str, own_places: Places) -> None:
    left = note(own_places, text)
    clear_up()
    assert not left.exists()
    assert Path("/etc/hosts").exists()


def test_a_note_of_a_disk_that_is_not_connected_is_kept(tmp_path: Path, own_places: Places) -> None:
    left = note(own_places, f'{{"temporary": "{tmp_path}/away/.workbench-0123456789abcdef.tmp"}}')
    clear_up()
    assert left.exists()
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / ".workbench-0123456789abcdef.tmp").write_text("half")
    clear_up()
    assert not left.exists()
    assert list((tmp_path / "away").iterdir()) == []


def test_what_another_program_is_just_saving_is_let_alone(file: Path) -> None:
    with unfinished.temporary_in(file.parent) as draft:
        draft.write_text("half")
        clear_up()
        assert draft.exists()
    assert not draft.exists()


def test_saving_goes_on_where_no_note_can_be_kept(file: Path, edited: Document, own_places: Places) -> None:
    own_places.state_dir.parent.mkdir(parents=True)
    own_places.state_dir.write_text("a file, not a folder")
    edited.save()
    assert file.read_text() == "x" + BOOK


def test_a_killed_save_leaves_the_old_file_or_the_new_one_and_no_other(tmp_path: Path) -> None:
    assert list(saves.failures(3, tmp_path)) == []


def test_a_link_stays_a_link_wherever_something_is_saved(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(real)
    replace_file(link, b"text")
    assert (link.is_symlink(), real.read_bytes(), real_path(link)) == (True, b"text", real)
