"""What a file is does not hang on what does not matter, and holds at every key while it is typed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.test_foreign_formats import MARKDOWN, NAMED, NAMED_JSON, OURS, UNNAMED
from tests.core.test_kinds import PROCEDURES, PROGRAMS, SKILLS
from workbench.model.derivers import deriver_of, why
from workbench.model.incremental.advancing import advance
from workbench.model.kinds import FileKind
from workbench.model.snapshot import derive
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import SourceText, Span, split_lines

DATA = (*NAMED.values(), *map(json.dumps, NAMED_JSON.values()), *UNNAMED, *OURS)
PEOPLE = tuple(text for text in (*PROCEDURES, *SKILLS, *PROGRAMS) if len(text) < 1000 and text.endswith("\n"))
EVERY = (*DATA, *PEOPLE, *MARKDOWN)
IRRELEVANT = (
    "\n",
    "\nLook at the list below; it costs $5, or $HOME.\n\n",
    "\n```sh\nexport name=$name\n- echo $name\n```\n\n",
    "\n- Read `$name` and ${NAME}\n\n",
    "\n#### More\n\n",
    "\n| a | b |\n|---|---|\n| 1 | 2 |\n\n",
    "\n> Status: draft\n\n",
)


@pytest.mark.parametrize("text", EVERY)
def test_what_is_typed_key_by_key_is_read_like_what_is_opened(text: str) -> None:
    snapshot = derive(SourceText(""))
    for end, key in enumerate(text[:400]):
        snapshot = advance(snapshot, TextChange((TextEdit(Span(end, end), key),)))
        fresh = derive(SourceText(text[: end + 1]))
        assert snapshot.deriver == fresh.deriver
        assert [block.text for block in snapshot.blocks] == [block.text for block in fresh.blocks]
        assert why(snapshot.deriver, snapshot.text)


@settings(max_examples=examples(150))
@given(st.sampled_from(PEOPLE), st.sampled_from(IRRELEVANT), st.data())
def test_text_between_the_blocks_of_markdown_does_not_change_what_it_is(
    text: str, added: str, data: st.DataObject
) -> None:
    places = _places_between_blocks(text)
    at = data.draw(st.sampled_from(places))
    assert deriver_of(text[:at] + added + text[at:]).kind is deriver_of(text).kind


def _places_between_blocks(text: str) -> list[int]:
    """Where a blank line stands, below the front matter and outside of fences; and the end."""
    start = text.find("\n---\n", 3) + 5 if text.startswith("---\n") else 0
    lines, at, is_in_fence, found = split_lines(text), 0, False, [len(text)]
    for line in lines:
        is_in_fence ^= line.startswith("```")
        if at >= start and not line.strip() and not is_in_fence:
            found.append(at)
        at += len(line)
    return found


@settings(max_examples=examples(100))
@given(st.sampled_from([*NAMED.values(), *(text for text in OURS if text.endswith("\n"))]), st.data())
def test_comments_in_yaml_do_not_change_what_it_is(text: str, data: st.DataObject) -> None:
    lines = split_lines(text)
    at = data.draw(st.integers(0, len(lines) - 1))
    comment = data.draw(st.sampled_from(["# why\n", "## MAIN PART\n", "#\n", "\n"]))
    assert deriver_of("".join([*lines[:at], comment, *lines[at:]])).kind is deriver_of(text).kind


@settings(max_examples=examples(150))
@given(st.sampled_from(EVERY), st.sampled_from([None, *FileKind]), st.data())
def test_any_piece_of_any_text_can_be_read_as_anything(text: str, wanted: FileKind | None, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    piece = text[start : data.draw(st.integers(start, len(text)))]
    snapshot = derive(SourceText(piece), wanted=wanted)
    assert "".join(block.text for block in snapshot.blocks) == piece
    assert snapshot.program.kind is (wanted or snapshot.deriver.kind)
    assert len(snapshot.diagnostics) >= 0
