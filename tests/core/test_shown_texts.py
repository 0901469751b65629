"""Text among steps as it is drawn: what its parts are, how many lines they take, and what is left out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.test_inline import TEXTS
from tests.core.work import WORST_GROWTH, growth
from workbench.model.layout.program import layout_program
from workbench.model.layout.shapes import BLOCK_WIDTH, Shape
from workbench.model.layout.texts import height_of_text, placed_parts
from workbench.model.showing.texts import (
    FEW_LINES,
    PartKind,
    ShownText,
    code_of,
    codes_in,
    parts_of,
    shown_text,
)
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

PARTS = [
    ("Warm **water**\nand salt", ["WORDS Warm water and salt"]),
    ("## Why `salt`", ["HEADING Why salt"]),
    ("- flour\n- water\n  and salt", ["ITEM • flour", "ITEM • water and salt"]),
    ("1. mix\n   * slowly\n2) bake", ["ITEM 1. mix", "ITEM •1 slowly", "ITEM 2) bake"]),
    ("- [ ] mix\n- [x] bake", ["ITEM ☐ mix", "ITEM ☑ bake"]),
    ("```bash\n  oven on\n    heat\n```\nthen", ["CODE bash oven on|  heat", "WORDS then"]),
    ("~~~\na ``` b\n", ["CODE  a ``` b"]),
    ("words\n\n    code set in\n    more\n", ["WORDS words", "CODE  code set in|more"]),
    ("| A | `B` |\n|---|:-:|\n| a\\|b | **c** |\nend", ["TABLE A,B|a\\|b,c", "WORDS end"]),
    ("A | B\n--|--\n1 | 2", ["TABLE A,B|1,2"]),
    ("a | b without a rule", ["WORDS a | b without a rule"]),
    ("> quoted\n> words", ["WORDS quoted words"]),
    ("above\n\n---\n\nbelow", ["WORDS above", "WORDS below"]),
    ("<!-- only\nfor authors -->\nwords", ["WORDS words"]),
    ("", []),
]


def told(text: str) -> list[str]:
    """The parts of *text*, each on one line."""
    lines = []
    for part in parts_of(text):
        words = "".join([each.text for each in part.words])
        rows = "|".join([",".join(row) for row in part.rows])
        sign = part.sign + (str(part.depth) if part.depth else "") or (part.language if part.rows else "")
        has_sign = part.kind in (PartKind.ITEM, PartKind.CODE)
        lines.append(f"{part.kind.name} {sign + ' ' if has_sign else ''}{words or rows}")
    return lines


@pytest.mark.parametrize(("text", "parts"), PARTS)
def test_a_text_is_read_as_its_parts(text: str, parts: list[str]) -> None:
    assert [each.replace("a|b", "a\\|b") for each in told(text)] == parts


def test_a_long_table_counts_the_rows_it_leaves_out() -> None:
    shown = shown_text("| A |\n|---|\n" + "| a |\n" * 12)
    assert [(part.kind, part.lines, part.count) for part in shown.parts] == [
        (PartKind.TABLE, 7, 0),
        (PartKind.MORE, 1, 6),
    ]
    assert shown.is_cut


def test_long_code_counts_the_lines_it_leaves_out() -> None:
    shown = shown_text("Run:\n```sh\n" + "ls\n" * 20 + "```\n")
    assert [(part.kind, part.lines, part.count) for part in shown.parts] == [
        (PartKind.WORDS, 1, 0),
        (PartKind.CODE, 6, 0),
        (PartKind.MORE, 1, 14),
    ]


def test_a_paragraph_that_is_too_long_keeps_the_lines_there_are() -> None:
    shown = shown_text("word " * 200)
    assert (shown.lines, shown.is_cut) == (FEW_LINES, True)


def test_wide_characters_take_the_room_of_two() -> None:
    assert parts_of("重" * 38)[0].lines == 2 * parts_of("x" * 38)[0].lines


def test_code_is_copied_without_what_it_is_set_in_by() -> None:
    assert codes_in("```\n  a\n    b\n```\nx\n```py\nc\n```") == ("a\n  b", "c")


def test_the_code_of_a_step_is_what_stands_in_its_fences() -> None:
    text = "# Desk\n## Main\n### Steps\n- Heat\n  ```sh\n  oven on\n    --hot\n  ```\n\n```sh\nls\n```\n"
    step, fence = derive(SourceText(text)).program.playbooks[0].steps
    assert (code_of(step), code_of(fence)) == ("oven on\n  --hot", "ls")


def test_a_text_is_a_wider_block_as_high_as_its_lines() -> None:
    layout = layout_program(derive(SourceText("# Desk\n## Main\n### Steps\n- Heat\n\nOne.\n\n```\na\nb\nc\n```\n")))
    boxes = [box for placed in layout.playbooks[0].placed for box in placed.fragment.boxes if box.shape is Shape.RAW]
    assert [box.lines for box in boxes] == [1, 3]
    assert all(box.rect.width > BLOCK_WIDTH for box in boxes)
    assert boxes[1].rect.height > boxes[0].rect.height


def test_an_open_text_is_higher_than_a_closed_one() -> None:
    snapshot = derive(SourceText("# Desk\n## Main\n### Steps\n- Heat\n\n```\n" + "a\n" * 30 + "```\n"))
    text = snapshot.program.playbooks[0].steps[1].id
    closed, opened = (layout_program(snapshot, frozenset(ids)) for ids in ((), (text,)))
    heights = [layout.place_of(text) for layout in (closed, opened)]
    assert heights[0] is not None
    assert heights[1] is not None
    assert heights[0].height < heights[1].height


@given(TEXTS, st.integers(1, 12))
@settings(max_examples=examples(200))
def test_no_more_lines_are_shown_than_there_may_be(text: str, most: int) -> None:
    shown = shown_text(text.replace(" ", "\n", 3), most)
    assert sum(part.lines for part in shown.parts) <= most
    assert shown.is_cut or shown == ShownText(parts_of(text.replace(" ", "\n", 3)))


@given(TEXTS)
@settings(max_examples=examples(100))
def test_parts_stand_below_one_another_within_their_block(text: str) -> None:
    shown = shown_text(text.replace(" ", "\n"))
    ends = [0.0]
    for part in placed_parts(shown):
        assert part.top >= ends[-1]
        ends.append(part.top + part.height)
    assert ends[-1] < height_of_text(shown)


@pytest.mark.parametrize(
    "piece", ["- a\n", "```\n", "| a |\n", "> ", "<!--\n", "    x\n", "a\n", "|-|\n", "- [ ] ", "~~~\n`"]
)
def test_reading_a_text_takes_time_in_proportion_to_it(piece: str) -> None:
    assert growth(parts_of, piece * 100, piece * 400) < WORST_GROWTH
