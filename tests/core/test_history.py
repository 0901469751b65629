"""Undo and redo: bytes, ids, selection, and what counts as one entry."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.core.check import finder, heads
from workbench.editing.change import DocumentChange
from workbench.editing.commands import DeleteSteps, EditText, MoveSteps, Place, RenamePlaybook
from workbench.editing.document import Document
from workbench.editing.history import MOST_ENTRIES, Entry, History
from workbench.editing.keeping.document_file import DocumentFile
from workbench.syntax.change import TextChange, TextEdit, smallest_change
from workbench.syntax.text import SourceText, Span

BOOK = "## Book\n### Steps\n- A\n- If x\n  - In\n- C\n"


class Clock:
    """A clock that stands still until it is told."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now_s


def document_with(text: str) -> tuple[Document, Clock]:
    clock = Clock()
    return Document(DocumentFile(None, SourceText(text), None, None), clock), clock


def type_text(document: Document, at: int, text: str) -> DocumentChange:
    change = document.execute(EditText((TextEdit(Span(at, at), text),)))
    assert isinstance(change, DocumentChange)
    return change


@given(st.text("ab\n", max_size=8), st.text("ab\n", max_size=8), st.text("ab\n", max_size=8), st.data())
def test_two_changes_composed_do_what_both_do(one: str, two: str, three: str, data: st.DataObject) -> None:
    first = smallest_change(one, two)
    second = smallest_change(two, three)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(two)), max_size=4)))
    spans = [Span(low, high) for low, high in zip(cuts[::2], cuts[1::2], strict=False)]
    many = TextChange(tuple(TextEdit(span, str(index)) for index, span in enumerate(spans)))
    assert first.compose(second).apply(one) == three
    assert first.compose(many).apply(one) == many.apply(two)
    assert many.compose(smallest_change(many.apply(two), one)).apply(two) == one


def test_typing_in_one_place_is_one_entry() -> None:
    document, clock = document_with("")
    for index, letter in enumerate("word"):
        clock.now_s += 0.9
        type_text(document, index, letter)
    document.undo()
    assert document.snapshot.text == ""
    assert not document.can_undo


def test_a_pause_a_new_line_or_another_place_begins_a_new_entry() -> None:
    document, clock = document_with("")
    type_text(document, 0, "a")
    clock.now_s += 1.0
    type_text(document, 1, "b")
    type_text(document, 2, "\n")
    type_text(document, 0, "c")
    seen = []
    while document.undo():
        seen.append(document.snapshot.text)
    assert seen == ["ab\n", "ab", "a", ""]


def test_backspace_after_typing_joins_it() -> None:
    document, _clock = document_with("x")
    type_text(document, 1, "ab")
    document.execute(EditText((TextEdit(Span(2, 3), ""),)))
    document.undo()
    assert document.snapshot.text == "x"


def test_undo_brings_back_ids_and_the_selection() -> None:
    document = Document.from_text(BOOK)
    before, find = document.snapshot, finder(document.snapshot)
    document.execute(DeleteSteps((find("If x"),)), selection=(find("If x"),))
    undone = document.undo()
    assert undone is not None
    assert undone.selection == (find("If x"),)
    assert heads(document.snapshot) == heads(before)


def test_redo_selects_what_was_selected_after_the_command() -> None:
    document = Document.from_text(BOOK)
    find = finder(document.snapshot)
    document.execute(MoveSteps((find("C"),), Place("Book")), selection=(find("A"),))
    undone, redone = document.undo(), document.redo()
    assert undone is not None
    assert redone is not None
    assert (undone.selection, redone.selection) == ((find("A"),), (find("C"),))


def test_ids_swallowed_by_typing_come_back_with_undo() -> None:
    document, _clock = document_with(BOOK)
    before = heads(document.snapshot)
    at = BOOK.index("- A")
    for index, letter in enumerate("<!--"):
        type_text(document, at + index, letter)
    type_text(document, at + 4, " -->")
    while document.undo():
        pass
    assert heads(document.snapshot) == before


def test_labels_say_what_undo_takes_back() -> None:
    document = Document.from_text(BOOK)
    find = finder(document.snapshot)
    document.execute(MoveSteps((find("A"), find("If x")), Place("Book", None, find("C"))))
    assert document.undo_label == "Move 2 steps"
    document.undo()
    assert document.redo_label == "Move 2 steps"


def test_a_rename_with_all_its_calls_is_one_entry() -> None:
    text = "# A\n## One\n### Steps\n- Two()\n- `$x = Two()`\n\n## Two\n### Steps\n- Two()\n"
    document = Document.from_text(text)
    document.execute(RenamePlaybook("Two", "Three"))
    assert "Two" not in document.snapshot.text
    document.undo()
    assert document.snapshot.text == text


def test_a_new_change_forgets_what_could_be_redone() -> None:
    document, _clock = document_with("")
    type_text(document, 0, "a")
    document.undo()
    type_text(document, 0, "b")
    assert document.redo() is None


def test_memory_is_bounded_and_the_latest_entry_stays() -> None:
    history = History()
    for _index in range(MOST_ENTRIES + 5):
        history.record(Entry("Edit", TextChange(())))
    assert len(history.entries) == MOST_ENTRIES
    history.record(Entry("Huge", TextChange((TextEdit(Span(0, 0), "x" * 65_000_000),))))
    assert [entry.label for entry in history.entries] == ["Huge"]
