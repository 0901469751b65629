"""Markdown: how a text becomes blocks, and its metadata."""

from __future__ import annotations

import pytest

from tests.core.test_scan import kinds, tree
from tests.core.test_snapshot import book
from workbench.model.markdown.metadata import read_head
from workbench.model.meaning import StepKind
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.scan import scan
from workbench.syntax.text import split_lines


def only(text: str, kind: BlockKind) -> Block:
    """The one block of *kind* in *text*."""
    (found,) = [block for block in scan(text) if block.kind is kind]
    return found


def line_of(text: str, words: str) -> int:
    """The 1-based line of the step whose words are *words*."""
    snapshot = book(text)
    (step,) = [step for root in snapshot.roots if root for step in root.walk() if step.text == words]
    return snapshot.line(step.id)


def test_headings_hold_what_stands_below_them() -> None:
    program = book("# Kitchen\n\n## Bake\n### Steps\n- Mix\n\n## Wash\n### Steps\n- Rinse\n").program
    assert [(agent.name, [one.name for one in agent.playbooks]) for agent in program.agents] == [
        ("Kitchen", ["Bake", "Wash"])
    ]
    assert [block.level for block in scan("# a\n## b\n### c\n#### d\n")] == [1, 2, 3, 4]


def test_the_text_of_a_document_is_unchanged() -> None:
    text = "# Kitchen\n\nBakes.\n"
    assert book(text).text == text


def test_an_empty_text_has_no_blocks() -> None:
    assert scan("") == ()
    assert book("").program.agents == ()


BLOCKS = {
    "blank lines separate paragraphs": ("one\n\ntwo\n\nthree\n", [BlockKind.PARAGRAPH] * 3),
    "dashes below text are a rule": (
        "metadata:\n  a: 1\n---\nWhat it does.\n",
        [BlockKind.PARAGRAPH, BlockKind.RULE, BlockKind.PARAGRAPH],
    ),
    "equal signs below text make a heading of it": ("Title\n=====\n", [BlockKind.HEADING]),
    "a comment alone": ("<!-- alone -->\n\ntext\n", [BlockKind.COMMENT, BlockKind.PARAGRAPH]),
    "a closing tag belongs to its item": ("- a\n</tag>\n", [BlockKind.ITEM]),
    "a tag is text": ("<tag>\ntext\n", [BlockKind.PARAGRAPH]),
    "a table is one block": ("| a | b |\n|---|---|\n| 1 | 2 |\n", [BlockKind.TABLE]),
    "a heading needs a blank": ("#A\n", [BlockKind.PARAGRAPH]),
}


@pytest.mark.parametrize(("text", "expected"), BLOCKS.values(), ids=BLOCKS)
def test_a_text_is_cut_into_blocks(text: str, expected: list[BlockKind]) -> None:
    assert kinds(text) == expected


def test_a_bullet_list_and_an_ordered_list_are_told_apart() -> None:
    items = [block.item for block in scan("- a\n- b\n\n1. c\n2. d\n") if block.item]
    assert [item.is_ordered for item in items] == [False, False, True, True]


def test_four_levels_of_bullets() -> None:
    text = "- a\n  - b\n    - c\n      - d\n      - e\n  - f\n- g\n"
    assert tree(text) == [["a", ["b", ["c", "d", "e"]], "f"], "g"]


@pytest.mark.parametrize("indent", ["    ", "\t"])
def test_wide_indentation_nests_like_two_blanks(indent: str) -> None:
    text = "- a\n  - b\n    - c\n- d\n"
    assert tree(text.replace("  ", indent)) == tree(text)


def test_a_fence_keeps_its_text_and_its_info() -> None:
    fence = only("```sh -e\n# no heading\n```\n", BlockKind.FENCE)
    assert (fence.title, fence.text) == ("sh -e", "```sh -e\n# no heading\n```\n")


def test_a_quote_with_two_paragraphs_keeps_both() -> None:
    text = "# A\n## M\n### Steps\n- a\n\n> first\n>\n> second\n"
    assert "".join(block.text for block in scan(text)) == text
    raw = [step.text for step in book(text).program.playbooks[0].steps if step.kind is StepKind.RAW]
    assert raw == ["> first\n>\n> second"]


def test_a_comment_within_an_item_is_part_of_it() -> None:
    block = only("- a <!-- inside --> b\n", BlockKind.ITEM)
    assert block.text == "- a <!-- inside --> b\n"


def test_a_heading_loses_closing_marks() -> None:
    assert only("# A #\n", BlockKind.HEADING).title == "A"


def test_continuation_and_second_paragraph_belong_to_the_item() -> None:
    block = only("- a\n  cont\n\n  para2\n", BlockKind.ITEM)
    assert block.item is not None
    assert [line.strip() for line in split_lines(block.item.text.of(block.text))] == ["a", "cont", "", "para2"]


def test_a_fence_in_an_item_belongs_to_it() -> None:
    block = only("- a\n  ```sh\n  x\n  ```\n", BlockKind.ITEM)
    assert block.item is not None
    assert [span.of(block.text) for span in block.item.fences] == ["  ```sh\n  x\n  ```\n"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_are_counted_from_one_and_blank_lines_count(end: str) -> None:
    text = end.join(["# A", "", "## M", "### Steps", "", "- one", "", "- two", "  - three", ""])
    assert [line_of(text, words) for words in ("one", "two", "three")] == [6, 8, 9]


def test_indented_code_is_kept_and_shown() -> None:
    text = "# A\n## M\n### Steps\n\n    df -h\n\n- a\n"
    assert kinds(text)[3] is BlockKind.CODE
    assert book(text).program.playbooks[0].steps[0].text == "df -h"
    assert "indented-code" in {one.code for one in book(text).diagnostics}


def test_a_rule_between_agents_and_text_before_the_first_one_are_harmless() -> None:
    program = book("Before.\n\n# A\n## M\n### Steps\n- a\n\n---\n\n# B\n### Steps\n- b\n").program
    assert [agent.name for agent in program.agents if agent.heading] == ["A", "B"]
    assert [[step.text for step in one.steps] for one in program.playbooks] == [["a"], ["b"]]


def test_a_jump_in_heading_levels_is_tolerated() -> None:
    program = book("# A\n### Steps\n- a\n## M\n### Steps\n- b\n").program
    assert {one.name: [step.text for step in one.steps] for one in program.playbooks} == {"A": ["a"], "M": ["b"]}


def read(text: str) -> tuple[dict[str, object], str]:
    """Metadata and description of a playbook with *text* below its heading."""
    playbook = book(f"# A\n\n## M\n{text}\n### Steps\n- a\n").program.playbooks[0]
    return dict(playbook.metadata), playbook.description


def test_a_metadata_block_and_a_description() -> None:
    assert read("metadata:\n  public: true\n---\nWhat it does.") == ({"public": True}, "What it does.")


@pytest.mark.parametrize(
    ("text", "metadata", "description"),
    [
        ("Only words.", {}, "Only words."),
        ("metadata:\n  a: 1\n---", {"a": 1}, ""),
        ("", {}, ""),
        ("   ", {}, ""),
    ],
)
def test_one_without_the_other(text: str, metadata: dict[str, object], description: str) -> None:
    assert read(text) == (metadata, description)


def test_dashes_in_the_description_or_a_value_stay() -> None:
    metadata, description = read("metadata:\n  a: x---y\n---\nFirst.\n\n---\n\nSecond --- third.")
    assert metadata == {"a": "x---y"}
    assert description.startswith("First.")
    assert description.endswith("Second --- third.")


def test_an_indented_block_is_a_description_and_a_finding() -> None:
    snapshot = book("# A\n## M\n metadata:\n   a: 1\n---\nx\n### Steps\n- a\n")
    assert snapshot.program.playbooks[0].metadata == ()
    assert "metadata-unreadable" in {one.code for one in snapshot.diagnostics}


def test_inline_and_empty_blocks() -> None:
    assert read_head("metadata: {a: 1}\n", is_agent=False) == ((("a", 1),), "")
    assert read_head("metadata:\n", is_agent=False) == ((), "")


def test_a_block_without_dashes_is_read_and_a_finding() -> None:
    snapshot = book("# A\n## M\nmetadata:\n  a: 1\nText.\n### Steps\n- a\n")
    playbook = snapshot.program.playbooks[0]
    assert (dict(playbook.metadata), playbook.description) == ({"a": 1}, "Text.")
    assert "metadata-not-closed" in {one.code for one in snapshot.diagnostics}


def test_free_lines_are_metadata_in_source_form() -> None:
    assert read("model: large\npublic: true\n---\nText.") == ({"model": "large", "public": True}, "Text.")
