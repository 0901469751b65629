"""Scanning: blocks cover the text exactly, and scanning a window again equals scanning everything."""

from __future__ import annotations

import re
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.shapes import TOKENS
from tests.conftest import DATA
from workbench.model.incremental.rescanning import rescan
from workbench.resources import sample_playbooks
from workbench.syntax import scan as scanning
from workbench.syntax.blocks import Block, BlockKind, ItemNode, block_starts
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.items import NESTING
from workbench.syntax.lines import title_span
from workbench.syntax.scan import Scanner, scan
from workbench.syntax.text import SourceText, Span

TEXTS = st.lists(st.sampled_from(TOKENS), max_size=30).map("".join)
OTHERS = {"steplist_corpus", "earlier", "programs"}
FILES = [
    *sorted(path for path in DATA.rglob("*") if path.is_file() and path.relative_to(DATA).parts[0] not in OTHERS),
    *sample_playbooks(),
]
"""Every text but the corpus of step lists, the stores of earlier versions and the whole programs, which have tests of
their own."""


def shape(blocks: tuple[Block, ...]) -> list[tuple[object, ...]]:
    """What can be compared of blocks."""
    return [(block.kind, block.text, block.level, block.title, block.problems) for block in blocks]


def kinds(text: str) -> list[BlockKind]:
    """The kinds of blocks in *text*, without blanks."""
    return [block.kind for block in scan(text) if block.kind is not BlockKind.BLANK]


def tree(text: str) -> list[object]:
    """The items of *text* as nested lists: words, then children."""
    return [_tree(block.item, block.text) for block in scan(text) if block.item]


def places(item: ItemNode) -> object:
    """Every span of *item*, and of what is nested in it."""
    words = (item.owned, item.lines, item.indent, item.sign, item.digits, item.head, item.text)
    own = (*words, item.fences, item.tails, item.box)
    return own, [places(child) for child in item.children]


def _tree(item: ItemNode, text: str) -> object:
    words = item.head.of(text)
    return [words, *[_tree(child, text) for child in item.children]] if item.children else words


@given(st.text())
def test_blocks_cover_any_text(text: str) -> None:
    assert "".join(block.text for block in scan(text)) == text


@given(TEXTS)
def test_blocks_cover_any_mixture_of_marks(text: str) -> None:
    assert "".join(block.text for block in scan(text)) == text


@given(st.binary())
def test_any_bytes_come_back(data: bytes) -> None:
    assert SourceText.decode(data).encode() == data


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@pytest.mark.parametrize("variant", ["as is", "crlf", "bom", "no final newline", "tabs"])
def test_every_file_comes_back_in_every_variant(path: Path, variant: str) -> None:
    data = path.read_bytes()
    changed = {
        "as is": data,
        "crlf": data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
        "bom": b"\xef\xbb\xbf" + data,
        "no final newline": data.rstrip(b"\r\n"),
        "tabs": data.replace(b"    ", b"\t"),
    }[variant]
    source = SourceText.decode(changed)
    assert "".join(block.text for block in scan(source.text)) == source.text
    assert source.encode() == changed


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, TextChange]:
    """A text and one edit of it."""
    text = draw(TEXTS)
    first, second = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
    insert = draw(st.one_of(TEXTS, st.sampled_from(list("ab-`<>!# \n\t1."))))
    return text, TextChange((TextEdit(Span(first, second), insert),))


@given(edited())
def test_rescanning_a_window_equals_scanning_everything(case: tuple[str, TextChange]) -> None:
    text, change = case
    blocks = scan(text)
    after = change.apply(text)
    result = rescan(blocks, block_starts(blocks), change, Scanner(after))
    assert shape(result.splice(blocks)) == shape(scan(after))


@given(edited())
def test_block_starts_are_spliced_like_the_blocks(case: tuple[str, TextChange]) -> None:
    text, change = case
    blocks = scan(text)
    result = rescan(blocks, block_starts(blocks), change, Scanner(change.apply(text)))
    assert result.splice_starts(block_starts(blocks)) == block_starts(result.splice(blocks))


@given(TEXTS | TEXTS.map("- {}".format))
@example("- a\r\n---\n")
@example("- \t- -\n\n")
def test_items_seen_at_one_glance_are_what_their_lines_say(text: str) -> None:
    at_one_glance = scan(text)
    with patch.object(scanning, "PLAIN_ITEMS", re.compile("(?!)")):
        by_line = scan(text)
    assert shape(at_one_glance) == shape(by_line)
    assert [block.item and places(block.item) for block in at_one_glance] == [
        block.item and places(block.item) for block in by_line
    ]


def test_a_heading_needs_a_blank_after_its_marks() -> None:
    assert kinds("#A\n# A #\n") == [BlockKind.PARAGRAPH, BlockKind.HEADING]


def test_trailing_marks_and_comments_are_no_part_of_a_title() -> None:
    assert scan("## Name <!-- x --> ##\n")[0].title == "Name"


@given(st.lists(st.sampled_from(["a", "b ", "<!-- a -->", "<!--", "\0", "\t", "#", "("]), max_size=8).map("".join))
def test_the_words_of_a_heading_stand_where_they_are_found(words: str) -> None:
    (heading,) = scan(f"## {words}\n")
    found = title_span(heading)
    assert found.of(heading.text) == heading.title if found is not None else "<!--" in words


def headings(text: str) -> list[tuple[int, str]]:
    """Level and title of each heading in *text*."""
    return [(block.level, block.title) for block in scan(text) if block.kind is BlockKind.HEADING]


UNDERLINED = {
    "Title\n=====\n": (1, "Title"),
    "Title\n-----\n": (2, "Title"),
    "Title\n==": (1, "Title"),
    "Title\n=\ntext": (1, "Title"),
    "Title\r\n---  \r\n": (2, "Title"),
    "  Title\n   ---\n": (2, "Title"),
    "A title\n of two lines\n---\n": (2, "A title of two lines"),
    "Title <!-- why -->\n---\n": (2, "Title"),
    "Step 1: Knead\n---\n": (2, "Step 1: Knead"),
    "Public: yes\n===\n": (1, "Public: yes"),
    "Done.\n-----\n": (2, "Done."),
    "Impact:S3/Caller!Known\n----\n": (2, "Impact:S3/Caller!Known"),
    "<https://example.org>\n---\n": (2, "<https://example.org>"),
    "2. Two\n\nTitle\n---\n": (2, "Title"),
}


@pytest.mark.parametrize("text", UNDERLINED)
def test_a_line_of_marks_below_a_paragraph_makes_a_heading_of_it(text: str) -> None:
    assert headings(text) == [UNDERLINED[text]]


NOT_UNDERLINED = [
    "Title\n\n---\n", "Title\n\n===\n", "- Title\n---\n", "- Title\n===\n", "1. a\n   b\n---\n", "> Title\n---\n",
    "Title\n- - -\n", "Title\n***\n", "Title\n-\n", "Title\n    ---\n", "    code\n===\n", "---\n", "===\n",
    "</details>\n---\n", "[a]: https://example.org\n---\n", "| a | b |\n---\n", "```\nTitle\n---\n```\n",
    "!import a.md\n---\n", "<!-- Title -->\n---\n",
]  # fmt: skip


@pytest.mark.parametrize("text", NOT_UNDERLINED)
def test_what_no_reader_of_markdown_takes_for_a_title_is_no_heading(text: str) -> None:
    assert not headings(text)


SETTINGS = [
    "execution_mode: raw\n---\n", "metadata:\n  public: true\n---\n", " metadata:\n  public: true\n---\n",
    "Owner: me\nVersion: 2\n---\n", "tags:\n  - a\n---\n",
]  # fmt: skip


@pytest.mark.parametrize("text", SETTINGS)
def test_settings_that_a_rule_ends_are_no_heading(text: str) -> None:
    assert kinds(text) == [BlockKind.PARAGRAPH, BlockKind.RULE]


def test_a_sentence_over_the_shortest_rule_is_no_heading() -> None:
    assert kinds("It says what it does.\n---\n") == [BlockKind.PARAGRAPH, BlockKind.RULE]


@pytest.mark.parametrize("heading", ["A title\n---\n", "A\n  title  \n---\n", "## A title\n"])
def test_the_title_of_a_heading_is_found_in_its_lines(heading: str) -> None:
    (block,) = scan(heading)
    found = title_span(block)
    assert found is not None
    assert " ".join(found.of(heading).split()) == "A title"


def test_a_comment_among_the_lines_of_a_title_splits_it() -> None:
    (block,) = scan("A <!-- x -->\ntitle\n---\n")
    assert (block.title, title_span(block)) == ("A title", None)


def test_front_matter_stands_only_at_the_start() -> None:
    assert kinds("---\na: 1\n---\nx\n---\na: 1\n---\n")[0] is BlockKind.FRONT_MATTER
    assert kinds("x\n---\na: 1\n---\n").count(BlockKind.FRONT_MATTER) == 0


def test_headings_inside_fences_are_text() -> None:
    assert kinds("```\n# no\n```\n# yes\n") == [BlockKind.FENCE, BlockKind.HEADING]


def test_an_open_fence_damages_one_line_only() -> None:
    assert kinds("```\n- a\n- b\n") == [BlockKind.FENCE, BlockKind.ITEM, BlockKind.ITEM]


def test_an_open_comment_damages_one_line_only() -> None:
    assert kinds("<!-- a\n- b\n") == [BlockKind.COMMENT, BlockKind.ITEM]


def test_a_comment_directly_above_belongs_to_the_item() -> None:
    block = scan("<!-- why -->\n- a\n")[0]
    assert block.item is not None
    assert block.item.owned.of(block.text) == "<!-- why -->\n- a\n"


def test_a_comment_set_off_by_a_blank_line_stands_alone() -> None:
    assert kinds("<!-- why -->\n\n- a\n") == [BlockKind.COMMENT, BlockKind.ITEM]


def test_a_comment_at_the_end_of_a_nested_list_belongs_to_the_parent() -> None:
    block = scan("- a\n  - b\n  <!-- end -->\n- c\n")[0]
    assert block.item is not None
    assert block.item.owned.of(block.text).endswith("<!-- end -->\n")
    assert block.item.children[0].owned.of(block.text) == "  - b\n"


@pytest.mark.parametrize("indent", ["  ", "   ", "    ", "\t"])
def test_children_may_be_indented_in_any_usual_way(indent: str) -> None:
    assert tree(f"- a\n{indent}- b\n{indent}{indent}- c\n- d\n") == [["a", ["b", "c"]], "d"]


def test_one_column_more_is_still_a_sibling() -> None:
    assert NESTING == 2
    assert tree("- a\n - b\n") == ["a", "b"]


def test_indents_and_bullets_may_be_mixed() -> None:
    text = "- a\n    - b\n\t\t* c\n      1) d\n    + e\n"
    assert tree(text) == [["a", ["b", "c", "d"], "e"]]


def test_continuation_lines_and_paragraphs_are_the_items_own_words() -> None:
    block = scan("- a\n  more\n\n  para\n- b\n")[0]
    assert block.item is not None
    assert block.item.text.of(block.text) == "a\n  more\n\n  para"


def test_a_fence_inside_an_item_is_kept_with_it() -> None:
    block = scan("1. a\n\n   ```sh\n   # no heading\n   ```\n2. b\n")[0]
    assert block.item is not None
    assert [span.of(block.text) for span in block.item.fences] == ["   ```sh\n   # no heading\n   ```\n"]


def test_an_early_closed_fence_is_reported_with_the_inner_line() -> None:
    block = scan("```md\na\n```sh\nb\n```\n")[0]
    assert [problem.code for problem in block.problems] == ["nested-fence"]
    assert block.problems[0].span.of(block.text) == "```sh"


def test_a_list_under_a_metadata_key_is_no_step() -> None:
    assert kinds("tags:\n  - a\n  - b\n") == [BlockKind.PARAGRAPH]


@pytest.mark.parametrize(
    ("text", "fences"),
    [
        ("- ```sh\n  ls\n  ```\n", ["```sh\n  ls\n  ```\n"]),
        ("2. [x] ~~~\n   ls\n\n   - no item\n   ~~~\n", ["~~~\n   ls\n\n   - no item\n   ~~~\n"]),
        ("- ````\n  ```\n  ````\n", ["````\n  ```\n  ````\n"]),
        ("- ```sh\n  ls\n", []),
        ("- ```sh\n- ls\n", []),
        ("- ``` ls ```\n", []),
    ],
)
def test_a_fence_opens_on_the_line_of_a_marker_and_ends_in_its_item(text: str, fences: list[str]) -> None:
    item = scan(text)[0].item
    assert item is not None
    assert [fence.of(text) for fence in item.fences] == fences
    assert not item.children


@pytest.mark.parametrize(("is_procedure", "words"), [(True, "a\n  b"), (False, "a\n  b\n\n  c")])
def test_only_in_a_program_a_later_paragraph_goes_on_with_the_words_of_an_item(is_procedure: bool, words: str) -> None:
    item = scan("- a\n  b\n\n  c\n", is_procedure=is_procedure)[0].item
    assert item is not None
    assert item.text.of("- a\n  b\n\n  c\n") == words
