"""Ids stay unique when what was deleted comes back by undo, and equal words are written afterwards."""

from __future__ import annotations

from pathlib import Path

from tests.core.chains import check_ids
from workbench.editing.commands import DeleteSteps, DuplicateSteps, EditText
from workbench.editing.document import Document
from workbench.syntax.change import TextEdit
from workbench.syntax.text import SourceText, Span

SINGULAR = Path(__file__).resolve().parents[1] / "data" / "markdown" / "singular.pb"


def test_a_copy_never_takes_the_id_of_a_step_that_undo_brought_back() -> None:
    document = Document.from_text("# A\n## M\n### Steps\n- a\n")
    step = document.snapshot.program.playbooks[0].steps[0].id
    document.execute(DeleteSteps((step,)))
    document.undo()
    document.execute(DuplicateSteps((step,)))
    ids = [each.id for each in document.snapshot.program.playbooks[0].steps]
    assert ids[0] == step
    assert len(set(ids)) == 2


def test_new_words_above_never_take_the_id_of_a_step_below_that_undo_brought_back() -> None:
    document = Document.from_text("# A\n## M\n### Steps\n- a\n" + "".join(f"- s{number}\n" for number in range(9)))
    step = document.snapshot.program.playbooks[0].steps[0].id
    document.execute(DeleteSteps((step,)))
    document.undo()
    text = document.snapshot.text
    marks = [at for at in range(len(text)) if text.startswith("- s", at)]
    above = TextEdit(Span(text.index("- a"), text.index("- a")), "- a\n")
    document.execute(EditText((above, *(TextEdit(Span(at + 2, at + 3), "t") for at in marks)), "Many"))
    ids = [each.id for each in document.snapshot.program.playbooks[0].steps]
    assert ids[1] == step
    assert len(set(ids)) == len(ids)


def type_at(document: Document, at: int, text: str) -> None:
    document.execute(EditText((TextEdit(Span(at, at), text),)))


def test_a_burst_of_typing_after_an_edit_elsewhere_is_undone_without_giving_two_steps_one_id() -> None:
    document = Document.from_text(SourceText.decode(SINGULAR.read_bytes()).text)
    for at, key in ((126, "#"), (175, "\n"), (176, "-"), (177, " ")):
        type_at(document, at, key)
    document.undo()
    check_ids(document.snapshot)


def test_steps_have_their_ids_again_when_a_burst_that_swallowed_them_is_undone() -> None:
    document = Document.from_text("# A\n## M\n### Steps\n- a\n- b\n- a\n- c\n")
    before = document.snapshot.block_ids
    start = document.snapshot.text.index("- b")
    for at, key in enumerate("- a\r<!-- x", start):
        type_at(document, at, key)
    while document.undo():
        check_ids(document.snapshot)
    assert document.snapshot.block_ids == before
