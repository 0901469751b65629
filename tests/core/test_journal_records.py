"""Whatever stands in a journal: what makes sense up to there is offered, and nothing raises."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from workbench.editing.commands import EditText
from workbench.editing.document import Document
from workbench.editing.keeping.edit_journal import LARGEST_BASE, files_left, read_journal
from workbench.editing.keeping.journal_records import line
from workbench.editing.keeping.unsaved_journal import unsaved_left
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

BOOK = "## Book\n### Steps\n- A\n- B\n"
PACKED = base64.b85encode(zlib.compress(BOOK.encode())).decode()
HEADER = {"path": "/book.md", "digest": "d", "base": PACKED}
TYPED = {"edits": [[0, 0, "x"]], "label": "Typing"}
SAVED = {"saved": "e"}

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-3, 40) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
places = st.integers(-3, 40) | st.sampled_from([2**31, 10**30, -1])
edits = st.lists(st.tuples(places, places, st.text("ab\n-", max_size=3)).map(list) | values, max_size=3)
NAMES = ("path", "digest", "base", "begun", "edits", "label", "saved")
foreign = values | st.dictionaries(st.sampled_from(NAMES), values | edits | st.just(BOOK), max_size=4)
near = st.fixed_dictionaries({"edits": edits, "label": st.text(max_size=2)})
rows = st.lists(near | foreign | st.sampled_from([TYPED, SAVED]), max_size=6)

NOT_OURS: list[Any] = [
    None,
    5,
    [],
    "edits",
    {},
    {"label": "Typing"},
    {"edits": [[0, 0, "x"]]},
    {"edits": [[0, 0, "x"]], "label": 5},
    {"edits": None, "label": ""},
    {"edits": {"0": 0}, "label": ""},
    {"edits": [5], "label": ""},
    {"edits": [[0, 0]], "label": ""},
    {"edits": [[0, 0, "x", "y"]], "label": ""},
    {"edits": [["0", "0", "x"]], "label": ""},
    {"edits": [[0.0, 0.0, "x"]], "label": ""},
    {"edits": [[False, True, "x"]], "label": ""},
    {"edits": [[0, 0, None]], "label": ""},
    {"edits": [[-2, -1, "x"]], "label": ""},
    {"edits": [[5, 2, "x"]], "label": ""},
    {"edits": [[0, len(BOOK) + 2, "x"]], "label": ""},
    {"edits": [[10**30, 10**30, "x"]], "label": ""},
    {"edits": [[0, 5, "x"], [3, 6, "y"]], "label": ""},
    {"saved": None},
    {"saved": 5, "edits": [], "label": ""},
]


def packed(data: bytes) -> str:
    """*data* as the text that edits start from is kept."""
    return base64.b85encode(zlib.compress(data)).decode()


@pytest.mark.parametrize("record", NOT_OURS, ids=repr)
def test_a_record_that_is_none_of_ours_ends_the_journal(record: Any, tmp_path: Path) -> None:
    journal = tmp_path / "a.edits"
    journal.write_bytes(b"".join(map(line, [HEADER, TYPED, record, TYPED, SAVED])))
    found = read_journal(journal)
    assert found is not None
    assert found.text == "x" + BOOK
    assert len(found.pending) == 1


@pytest.mark.parametrize("record", NOT_OURS, ids=repr)
def test_what_was_never_saved_is_offered_up_to_a_record_that_is_none_of_ours(record: Any, tmp_path: Path) -> None:
    journal = tmp_path / "a.unsaved"
    journal.write_bytes(b"".join(map(line, [{"begun": BOOK}, TYPED, record, TYPED])))
    (left,) = unsaved_left(tmp_path)
    assert left.text == "x" + BOOK
    document = Document.restore(journal)
    document.execute(EditText((TextEdit(Span(0, 0), "later "),)))
    del document
    assert Document.restore(journal).snapshot.text == "later x" + BOOK


@pytest.mark.parametrize(
    "header",
    [
        {},
        [],
        {"path": "/book.md", "base": PACKED},
        {"digest": "d", "base": PACKED},
        {"path": 5, "digest": "d", "base": PACKED},
        {"path": "/book.md", "digest": None, "base": PACKED},
        {"path": "/book.md", "digest": "d", "base": 5},
        {"path": "/book.md", "digest": "d", "base": "é"},
        {"path": "/book.md", "digest": "d", "base": "words"},
        {"path": "/book.md", "digest": "d", "base": PACKED[:-5]},
        {"path": "/book.md", "digest": "d", "base": packed(b"x" * (LARGEST_BASE + 1))},
        {"path": "\0", "digest": "d", "base": None},
        {"path": "/", "digest": "d", "base": None},
        {"path": "/dev/zero", "digest": "d", "base": None},
    ],
    ids=lambda header: repr(header)[:60],
)
def test_without_the_text_that_edits_start_from_nothing_is_offered(header: Any, tmp_path: Path) -> None:
    journal = tmp_path / "a.pending1"
    journal.write_bytes(line(header) + line(TYPED))
    assert read_journal(journal) is None
    assert files_left(tmp_path) == ()


def test_a_record_that_is_nested_without_end_ends_the_journal(tmp_path: Path) -> None:
    body = b"[" * 100_000
    journal = tmp_path / "a.edits"
    journal.write_bytes(line(HEADER) + line(TYPED) + b"%08x " % zlib.crc32(body) + body + b"\n" + line(TYPED))
    found = read_journal(journal)
    assert found is not None
    assert found.text == "x" + BOOK


@given(st.just(HEADER) | foreign, rows)
@settings(max_examples=examples(60, 150))
def test_no_journal_of_a_file_makes_opening_it_fail(header: Any, records: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        file, journals = Path(folder, "book.md"), Path(folder, "edits")
        file.write_text(BOOK)
        document = Document.open(file, journals)
        document.execute(EditText((TextEdit(Span(0, 0), "x"),)))
        del document
        (journal,) = journals.iterdir()
        journal.write_bytes(b"".join(map(line, [header, *records])))
        files_left(journals)
        document = Document.open(file, journals)
        document.recover()
        while document.undo():
            pass


@given(rows)
@settings(max_examples=examples(90, 150))
def test_no_journal_of_an_unsaved_playbook_makes_restoring_it_fail(records: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        journal = Path(folder, "a.unsaved")
        journal.write_bytes(b"".join(map(line, [{"begun": BOOK}, *records])))
        for left in unsaved_left(Path(folder)):
            document = Document.restore(left.file)
            assert document.snapshot.text == left.text
            while document.undo():
                pass
            assert document.snapshot.text == BOOK
