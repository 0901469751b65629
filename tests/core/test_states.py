"""Local history: what a file was is kept, bounded, and given back byte for byte, whatever ends a program meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from workbench.editing.commands import EditText
from workbench.editing.document import Document
from workbench.editing.keeping import states
from workbench.editing.keeping.states import (
    KeptState,
    Reason,
    _superfluous,
    keep_named,
    keep_state,
    name_state,
    read_state,
    states_beside,
    states_of,
    thin_out,
)
from workbench.errors import CannotRead, CannotSave
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

BOOK = b"\xef\xbb\xbf# Shop\r\n\r\n## Main\n\n- Pack \xff\n- Weigh"
DAY_NS = 86_400 * 10**9


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with bytes that are no text, a mark at its start, and no line end at the last line."""
    path = tmp_path / "shop.md"
    path.write_bytes(BOOK)
    return path


@pytest.fixture
def journals(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "edits"


@pytest.fixture
def kept(journals: Path) -> Path:
    """Where states lie."""
    return states_beside(journals)


def write(document: Document, text: str) -> None:
    document.execute(EditText((TextEdit(Span(0, len(document.snapshot.text)), text),), "Write"))


def told(kept: Path, file: Path) -> list[tuple[str, bytes]]:
    """The states, the newest first, as why they were kept and their bytes."""
    return [(state.reason.value, read_state(state)) for state in states_of(kept, file)]


def test_saving_keeps_what_was_written_and_what_was_written_over(file: Path, journals: Path, kept: Path) -> None:
    document = Document.open(file, journals)
    write(document, "# Two\n")
    document.save()
    write(document, "# Three\n")
    document.save()
    document.save()
    saved = [("saved", b"\xef\xbb\xbf# Three\n"), ("saved", b"\xef\xbb\xbf# Two\n"), ("found", BOOK)]
    assert told(kept, file) == saved
    file.write_bytes(b"# Outside\n")
    document.take_from_disk()
    assert told(kept, file) == [("outside", b"# Outside\n"), *saved]
    assert [path for path in kept.rglob("*") if path.is_file() and path.stat().st_mode & 0o077] == []


def test_a_state_is_restored_byte_for_byte_as_one_edit(file: Path, journals: Path, kept: Path) -> None:
    document = Document.open(file, journals)
    write(document, "# Two\n")
    document.save()
    found = states_of(kept, file)[-1]
    change = document.restore_state(found)
    assert change is not None
    document.save()
    assert file.read_bytes() == BOOK
    document.undo()
    assert document.snapshot.text == "# Two\n"
    document.redo()
    assert document.snapshot.source.encode() == BOOK
    assert document.restore_state(found) is None
    document.close()
    again = Document.open(file, journals)
    again.undo()
    assert again.snapshot.text == "# Two\n"


def test_a_state_in_another_encoding_comes_back_in_it(tmp_path: Path, journals: Path, kept: Path) -> None:
    file = tmp_path / "wide.md"
    file.write_bytes("# Ä\n".encode("utf-16"))
    document = Document.open(file, journals)
    write(document, "# B\n")
    document.save()
    file.write_bytes(b"# Plain\n")
    document.take_from_disk()
    document.restore_state(states_of(kept, file)[-1])
    document.save()
    assert file.read_bytes() == "# Ä\n".encode("utf-16")


def test_what_is_not_saved_can_be_kept_under_a_name(file: Path, journals: Path, kept: Path) -> None:
    document = Document.open(file, journals)
    write(document, "# Idea\n")
    keep_named(kept, document.path, document.snapshot.source.encode(), "Before\nthe  rewrite")
    (state,) = states_of(kept, file)
    assert (state.name, state.reason, read_state(state)) == (
        "Before the rewrite",
        Reason.NAMED,
        b"\xef\xbb\xbf# Idea\n",
    )
    name_state(state, "")
    assert states_of(kept, file)[0].name == ""
    with pytest.raises(CannotSave):
        keep_named(kept, None, b"# New\n", "Nothing to keep it for")


def test_a_file_that_gets_another_name_keeps_its_history(file: Path, journals: Path, kept: Path) -> None:
    document = Document.open(file, journals)
    write(document, "# Two\n")
    document.save()
    file.rename(file.with_name("tome.md"))
    document.save(file.with_name("tome.md"))
    assert [reason for reason, _data in told(kept, file.with_name("tome.md"))] == ["saved", "found"]
    assert states_of(kept, file) == ()


def test_what_cannot_be_kept_prevents_no_save(file: Path, journals: Path, kept: Path) -> None:
    kept.parent.mkdir()
    kept.write_bytes(b"in the way")
    document = Document.open(file, journals)
    write(document, "# Two\n")
    document.save()
    assert file.read_bytes() == b"\xef\xbb\xbf# Two\n"


def test_a_damaged_state_is_told_and_harms_no_other(file: Path, kept: Path) -> None:
    for text in (b"one", b"two"):
        assert keep_state(kept, file, text, Reason.SAVED) is not None
    newest, older = states_of(kept, file)
    newest.file.write_bytes(newest.file.read_bytes()[:5])
    (newest.file.parent / "what is this.state").write_bytes(b"?")
    with pytest.raises(CannotRead, match="damaged"):
        read_state(newest)
    assert read_state(older) == b"one"


@settings(max_examples=examples(15))
@given(st.lists(st.tuples(st.integers(0, 500 * DAY_NS), st.booleans()), max_size=60))
def test_the_further_back_states_lie_the_fewer_stay(drawn: list[tuple[int, bool]]) -> None:
    now = 1_000 * DAY_NS
    ages = sorted(dict(drawn).items())
    kept = [KeptState(now - age, Reason.SAVED, "", "x" if named else "", Path(str(age))) for age, named in ages]
    gone = set(_superfluous(kept, now))
    left = [state for state in kept if state not in gone]
    assert not any(state.name for state in gone)
    assert left[:1] == kept[:1]
    assert set(_superfluous(left, now)) == set()
    unnamed = [state for state in left[1:] if not state.name]
    assert all(now - state.time_ns < 365 * DAY_NS for state in unnamed)
    old = [state.time_ns // DAY_NS for state in unnamed if DAY_NS <= now - state.time_ns < 30 * DAY_NS]
    assert len(old) == len(set(old))
    if all(age < 3_600 * 10**9 for age, _named in ages):
        assert left == kept


def test_the_number_of_states_and_of_files_is_bounded(file: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "MOST_STATES", 3)
    monkeypatch.setattr(states, "MOST_FILES", 2)
    for number in range(8):
        keep_state(kept, file, b"%d" % number, Reason.SAVED)
    assert len(states_of(kept, file)) == 4
    os.utime(states_of(kept, file)[0].file.parent, (1, 1))
    for name in ("second", "third"):
        keep_state(kept, file.with_name(name), b"x", Reason.SAVED)
    assert states_of(kept, file) == ()
    assert len(states_of(kept, file.with_name("third"))) == 1


KILLED = """
import sys
from pathlib import Path
from workbench.editing.keeping.states import Reason, keep_state
number = 0
while True:
    number += 1
    keep_state(Path(sys.argv[1]), Path(sys.argv[2]), b"%d " % number * 50_000, Reason.SAVED)
    print(number, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_whenever_a_program_is_killed_each_state_is_whole(file: Path, kept: Path) -> None:
    for count in (1, 3):
        command = [sys.executable, "-c", KILLED, str(kept), str(file)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            for _each in range(count):
                assert process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        found = states_of(kept, file)
        assert len(found) >= count
        for state in found:
            data = read_state(state)
            assert data == data[: data.index(b" ") + 1] * 50_000


def test_states_above_the_limits_go_but_never_the_newest_nor_those_with_names(kept: Path, file: Path) -> None:
    other = file.with_name("other.md")
    for day in range(6):
        state = keep_state(kept, file, f"{day}".encode(), Reason.SAVED, day * DAY_NS)
        assert state is not None
        if day == 1:
            name_state(state, "first draft")
    keep_state(kept, other, b"old", Reason.SAVED, 0)
    assert thin_out(kept, 365, 200, 6 * DAY_NS) == 0
    assert thin_out(kept, 3, 200, 6 * DAY_NS) == 2
    assert [data for _reason, data in told(kept, file)] == [b"5", b"4", b"3", b"1"]
    assert thin_out(kept, 365, 2, 6 * DAY_NS) == 1
    assert [data for _reason, data in told(kept, file)] == [b"5", b"4", b"1"]
    assert told(kept, other) == [("saved", b"old")]
    assert thin_out(kept / "none", 1, 1, 0) == 0
