"""Any row of the words that sentences of control are made of is read, checked, drawn and compiled."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.layout.program import layout_program
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

WORDS = """
    Ask Tell Prompt Get Collect Say Show Print If Otherwise Else For each every Repeat times While Until until till Set
    Let Store store as Return return stop End Exit Call Run Use using with to in of the a an their his her your user
    customer for from and or not no is are was when then unless first please what which who name names number email
    address list items item $x $y $user.name $items $x:int $total == > < >= 1 2 3 10 5% "quoted" 'one' ( ) [ ] { } , . :
    ; ! ? - -> → @Main Main() Main(a) `code` **bold** wait Wait seconds minutes approval confirm whether if true false
    None null empty than more less by at on all any both between again go back step steps 2-4 Do do done sum count
    length price cards short text each, other one
""".split()
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
ITEMS = st.tuples(st.sampled_from(["- ", "- ", "  - "]), SENTENCES).map("".join)
HEADS = st.sampled_from(["# A\n\n## Main($x)\n### Steps\n", "# How to do it\n\n## Steps\n\n"])


@given(HEADS, st.lists(ITEMS, min_size=1, max_size=6))
@settings(max_examples=examples(150))
def test_every_row_of_usual_words_is_read_checked_drawn_and_compiled(head: str, items: list[str]) -> None:
    text = head + "\n".join(items) + "\n"
    snapshot = derive(SourceText(text))
    assert all(diagnostic.span.end <= len(text) for diagnostic in snapshot.diagnostics)
    layout_program(snapshot)
    compile_assembly(snapshot)
