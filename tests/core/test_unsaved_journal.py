"""What was typed into a document that was never saved survives a crash, and nobody else's does."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.editing.commands import EditText
from workbench.editing.document import Document
from workbench.editing.keeping.edit_journal import files_left
from workbench.editing.keeping.journal_records import line
from workbench.editing.keeping.unsaved_journal import UnsavedJournal, discard_unsaved, unsaved_left
from workbench.errors import CannotRead, CannotSave
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

BOOK = "## Book\n### Steps\n- A\n- B\n"
ROOT = Path(__file__).resolve().parents[2]

TYPING = """
import sys
from pathlib import Path
from workbench.editing.commands import EditText
from workbench.editing.document import Document
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span
document = Document.from_text(sys.argv[2], Path(sys.argv[1]))
for index in range(int(sys.argv[3])):
    document.execute(EditText((TextEdit(Span(index, index), "x"),)))
    print(index + 1, flush=True)
input()
"""


@pytest.fixture
def journals(tmp_path: Path) -> Path:
    """Where journals are kept."""
    return tmp_path / "state" / "edits"


class Typists:
    """Real processes that type into a new document, tell after each key, and then wait."""

    def __init__(self, journals: Path) -> None:
        self._journals = journals
        self._processes: list[subprocess.Popen[bytes]] = []

    def __call__(self, text: str, keys: int) -> subprocess.Popen[bytes]:
        arguments = (sys.executable, "-c", TYPING, str(self._journals), text, str(keys))
        process = subprocess.Popen(arguments, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._processes.append(process)
        return process

    def kill(self) -> None:
        """Kill all of them, as ``kill -9`` does."""
        for process in self._processes:
            process.kill()
            process.communicate()
            assert process.returncode == -signal.SIGKILL


@pytest.fixture
def typist(journals: Path) -> Iterator[Typists]:
    typists = Typists(journals)
    yield typists
    typists.kill()


def read_keys(process: subprocess.Popen[bytes], count: int) -> None:
    """Wait until *process* has typed *count* keys."""
    assert process.stdout is not None
    for number in range(count):
        assert int(process.stdout.readline()) == number + 1


def type_at(document: Document, at: int, text: str) -> None:
    document.execute(EditText((TextEdit(Span(at, at), text),)))


def cut_off(journals: Path, *texts: str, begun: str = BOOK) -> Path:
    """The journal of a session that put *texts* in front, one after the other, and was cut off."""
    before = {left.file for left in unsaved_left(journals)}
    document = Document.from_text(begun, journals)
    for text in texts:
        type_at(document, 0, text)
    del document
    (left,) = (left for left in unsaved_left(journals) if left.file not in before)
    return left.file


def test_a_new_document_that_was_not_touched_leaves_no_journal(journals: Path) -> None:
    Document.from_text(BOOK, journals).close()
    assert not journals.exists()


def test_what_was_typed_comes_back_as_an_unsaved_document(journals: Path) -> None:
    document = Document.restore(cut_off(journals, "Größe 🗂️ \udce4\r\n", "\ud800\n"))
    assert document.snapshot.text == "\ud800\nGröße 🗂️ \udce4\r\n" + BOOK
    assert document.path is None
    assert document.is_dirty


def test_a_restored_document_can_be_undone_to_its_beginning(journals: Path) -> None:
    document = Document.restore(cut_off(journals, "one\n", "two\n"))
    texts = []
    while document.undo():
        texts.append(document.snapshot.text)
    assert texts == ["one\n" + BOOK, BOOK]
    assert not document.is_dirty


def test_a_restored_document_goes_on_in_its_journal(journals: Path) -> None:
    file = cut_off(journals, "one\n")
    document = Document.restore(file)
    type_at(document, 0, "two\n")
    document.undo()
    type_at(document, 0, "three\n")
    del document
    assert list(journals.iterdir()) == [file]
    assert Document.restore(file).snapshot.text == "three\none\n" + BOOK


def test_an_open_document_is_neither_offered_nor_taken_nor_discarded(journals: Path) -> None:
    document = Document.from_text(BOOK, journals)
    type_at(document, 0, "x")
    (file,) = journals.iterdir()
    assert unsaved_left(journals) == ()
    with pytest.raises(CannotRead):
        Document.restore(file)
    discard_unsaved(file)
    type_at(document, 1, "y")
    del document
    assert Document.restore(file).snapshot.text == "xy" + BOOK


def test_what_was_restored_cannot_be_restored_twice(journals: Path) -> None:
    file = cut_off(journals, "x")
    first = Document.restore(file)
    with pytest.raises(CannotRead, match="another window"):
        Document.restore(file)
    first.close()
    with pytest.raises(CannotRead):
        Document.restore(file)


@pytest.mark.parametrize("is_undone", [True, False])
def test_what_was_given_up_is_not_offered(journals: Path, is_undone: bool) -> None:
    document = Document.from_text(BOOK, journals)
    type_at(document, 0, "x")
    if is_undone:
        document.undo()
    document.close()
    assert list(journals.iterdir()) == []


def test_what_was_discarded_is_gone(journals: Path) -> None:
    discard_unsaved(cut_off(journals, "x"))
    assert list(journals.iterdir()) == []


@pytest.mark.expects_warnings
def test_what_cannot_be_discarded_is_offered_again(journals: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = cut_off(journals, "x")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        discard_unsaved(kept)
    assert [left.file for left in unsaved_left(journals)] == [kept]


def refuse(_path: Path, *, missing_ok: bool = False) -> None:
    """A folder in which nothing can be deleted."""
    raise PermissionError(missing_ok)


def test_where_everything_was_undone_nothing_is_offered_and_nothing_stays(journals: Path) -> None:
    document = Document.from_text(BOOK, journals)
    type_at(document, 0, "x")
    document.undo()
    del document
    assert unsaved_left(journals) == ()
    assert list(journals.iterdir()) == []


def test_once_saved_the_journal_of_the_file_takes_over(journals: Path, tmp_path: Path) -> None:
    document = Document.from_text(BOOK, journals)
    type_at(document, 0, "one\n")
    path = tmp_path / "book.md"
    document.save(path)
    assert [file.suffix for file in journals.iterdir()] == [".edits"]
    type_at(document, 0, "two\n")
    del document
    assert unsaved_left(journals) == ()
    assert files_left(journals) == (path,)
    again = Document.open(path, journals)
    again.recover()
    assert again.snapshot.text == "two\none\n" + BOOK


def test_a_restored_document_is_saved_like_any_other(journals: Path, tmp_path: Path) -> None:
    document = Document.restore(cut_off(journals, "one\n"))
    document.save(tmp_path / "book.md")
    type_at(document, 0, "two\n")
    del document
    assert unsaved_left(journals) == ()
    assert files_left(journals) == (tmp_path / "book.md",)


def test_when_saving_fails_the_journal_stays(journals: Path, tmp_path: Path) -> None:
    document = Document.from_text(BOOK, journals)
    type_at(document, 0, "x")
    with pytest.raises(CannotSave):
        document.save(tmp_path)
    del document
    (left,) = unsaved_left(journals)
    assert left.text == "x" + BOOK


def test_cut_off_between_saving_and_forgetting_everything_is_there_twice(
    journals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(_journal: UnsavedJournal) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(UnsavedJournal, "remove", cut)
    document = Document.from_text(BOOK, journals)
    type_at(document, 0, "x")
    with pytest.raises(KeyboardInterrupt):
        document.save(tmp_path / "book.md")
    del document
    (left,) = unsaved_left(journals)
    assert left.text == (tmp_path / "book.md").read_text() == "x" + BOOK


def test_the_newest_is_offered_first(journals: Path) -> None:
    files = []
    for text in ("a", "b", "c"):
        files.append(cut_off(journals, text))
        os.utime(files[-1], (len(files), len(files)))
    left = unsaved_left(journals)
    assert [each.file for each in left] == files[::-1]
    assert [each.text[0] for each in left] == ["c", "b", "a"]


def test_a_journal_cut_off_anywhere_is_a_shorter_journal_that_can_go_on(journals: Path) -> None:
    data = cut_off(journals, "1\n", "2\n", "3\n").read_bytes()
    found = set()
    for end in range(len(data)):
        cut = journals / f"{end}.unsaved"
        cut.write_bytes(data[:end])
        if cut not in {left.file for left in unsaved_left(journals)}:
            assert not cut.exists()
            continue
        document = Document.restore(cut)
        found.add(document.snapshot.text)
        type_at(document, 0, "later\n")
        later = document.snapshot.text
        del document
        assert Document.restore(cut).snapshot.text == later
        cut.unlink()
    assert found == {"2\n1\n" + BOOK, "1\n" + BOOK}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"words\n",
        b"\0" * 4096,
        line({"begun": BOOK}),
        line({"path": "/book.md", "digest": "", "base": None}) + line({"edits": [[0, 0, "x"]], "label": ""}),
        line({"begun": 5}) + line({"edits": [[0, 0, "x"]], "label": ""}),
        line({"begun": BOOK}) + line({"edits": 5, "label": ""}),
        line({"begun": BOOK}) + line({"edits": [[0, 9, "x"], [3, 4, "y"]], "label": ""}),
    ],
)
def test_a_journal_that_is_of_no_use_is_removed(data: bytes, journals: Path) -> None:
    journals.mkdir(parents=True)
    (journals / "a.unsaved").write_bytes(data)
    assert unsaved_left(journals) == ()
    assert list(journals.iterdir()) == []


def test_what_is_no_journal_is_let_alone(journals: Path) -> None:
    (journals / "folder.unsaved").mkdir(parents=True)
    (journals / "words.txt").write_text("words")
    assert unsaved_left(journals) == ()
    assert len(list(journals.iterdir())) == 2


@pytest.mark.parametrize("seed", range(4))
def test_a_killed_program_loses_at_most_the_last_keystroke(seed: int, journals: Path, typist: Typists) -> None:
    chance = random.Random(seed)
    typed = chance.randint(1, 400)
    process = typist(BOOK, 100_000)
    read_keys(process, typed)
    time.sleep(chance.uniform(0, 0.01))
    typist.kill()
    (left,) = unsaved_left(journals)
    text = Document.restore(left.file).snapshot.text
    assert text == "x" * (len(text) - len(BOOK)) + BOOK
    assert len(text) - len(BOOK) >= typed


def test_two_programs_at_once_do_not_disturb_each_other(journals: Path, typist: Typists) -> None:
    first, second = typist("First\n", 3), typist("Second\n", 3)
    read_keys(first, 3)
    read_keys(second, 3)
    assert unsaved_left(journals) == ()
    first.kill()
    first.wait()
    (left,) = unsaved_left(journals)
    assert left.text == "xxxFirst\n"
    mine = Document.restore(left.file)
    second.kill()
    second.wait()
    assert [left.text for left in unsaved_left(journals)] == ["xxxSecond\n"]
    mine.close()
    assert len(list(journals.iterdir())) == 1


@pytest.mark.expects_warnings
def test_work_goes_on_where_no_journal_can_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, not a folder")
    document = Document.from_text(BOOK, blocked)
    type_at(document, 0, "x")
    type_at(document, 1, "y")
    document.save(tmp_path / "book.md")
    assert (tmp_path / "book.md").read_text() == "xy" + BOOK
