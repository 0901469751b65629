"""Step lists in every style that YAML and JSON allow: opened, saved, edited; nothing else ever changes."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import examples, is_thorough
from tests.core.steplist_cases import (
    CORPUS,
    FILES,
    Edit,
    Values,
    field_edits,
    list_of,
    opened,
    steps_of,
    structure_edits,
    text_edits,
    top_edits,
    values_of,
)
from workbench.editing.commands import EditText, Refusal, SetStepText
from workbench.editing.document import Document
from workbench.editing.edit_plan import EditPlan
from workbench.editing.undoable import plan
from workbench.model.incremental import rescanning
from workbench.model.incremental.advancing import advance
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.blocks import BlockKind
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.steplists.scan import scan_steplist
from workbench.syntax.text import SourceText, Span

VARIANTS = {
    "as it is": lambda text: text,
    "with CRLF": lambda text: re.sub(r"\r\n|\r|\n", "\r\n", text),
    "without the final newline": lambda text: text.rstrip("\r\n"),
}
T = TypeVar("T")
ids = [path.name for path in FILES]


def test_the_corpus_is_large_enough() -> None:
    assert len(CORPUS) >= 60


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_opening_and_saving_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    for mark in (b"", b"\xef\xbb\xbf"):
        data = mark + path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        file = tmp_path / path.name
        file.write_bytes(data)
        document = Document.open(file)
        document.save()
        assert file.read_bytes() == data


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_blocks_cover_the_text_and_no_element_is_damaged(path: Path) -> None:
    for variant in VARIANTS.values():
        snapshot = derive(SourceText(variant(opened(path).text)))
        assert "".join(block.text for block in snapshot.blocks) == snapshot.text
        assert not any(block.kind is BlockKind.DAMAGED for block in snapshot.blocks)
        assert [step.text for step in steps_of(snapshot)] == [step.text for step in steps_of(opened(path))]


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_every_kind_of_edit_gives_exactly_the_intended_values(path: Path) -> None:
    for number, (name, variant) in enumerate(VARIANTS.items()):
        snapshot = derive(SourceText(variant(opened(path).text)))
        values = values_of(snapshot.text)
        assert plan(snapshot, EditText(())).is_empty  # type: ignore[union-attr]
        for turn, step in enumerate(steps_to_edit(snapshot, name), number):
            for edit in in_turn((*field_edits(step), *structure_edits(snapshot, step)), turn):
                _try(snapshot, step, edit, values)
        for edit in top_edits(snapshot):
            _try(snapshot, None, edit, values)


def in_turn(tries: Sequence[T], turn: int) -> Sequence[T]:
    """Those of *tries* whose *turn* it is: a third of them, unless the run is thorough."""
    return tries if is_thorough() else tries[turn % 3 :: 3]


def steps_to_edit(snapshot: Snapshot, variant: str) -> list[Step]:
    """All steps; of what differs in its line ends only those at its ends, unless the run is thorough."""
    steps = steps_of(snapshot)
    if variant == "as it is" or is_thorough() or not steps:
        return steps
    return [steps[0], steps[-1]] if variant == "with CRLF" else steps[-1:]


def _try(before: Snapshot, step: Step | None, edit: Edit, values: Values) -> None:
    planned = plan(before, edit.command)
    if isinstance(planned, Refusal):
        assert planned.message.endswith(".")
        return
    after = planned.after or before
    wanted = copy.deepcopy(values)
    edit.apply(wanted, *(list_of(wanted, before, step) if step is not None else ([], 0)))
    got = values_of(after.text)
    if before.text[-1:] not in ("\n", "\r"):
        # whether a block of text at the very end has a line end depends on the end of the file
        wanted, got = _without_ends(wanted), _without_ends(got)
    assert _agree(wanted, got), f"{edit.name}\n{after.text}"
    _check_laws(before, after, planned, step)


def _without_ends(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_ends(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_ends(item) for item in value]
    return value.rstrip("\n") if isinstance(value, str) else value


def _agree(wanted: Any, got: Any) -> bool:
    """Equal values; a pattern stands for any text that it matches, ``words`` for any field that holds words."""
    if isinstance(wanted, re.Pattern):
        return wanted.fullmatch(str(got)) is not None
    if isinstance(wanted, dict) and isinstance(got, dict):
        if "words" in wanted:
            got = {("words" if key in ("description", "goal", "title") else key): value for key, value in got.items()}
        return wanted.keys() == got.keys() and all(_agree(wanted[key], got[key]) for key in wanted)
    if isinstance(wanted, list) and isinstance(got, list):
        return len(wanted) == len(got) and all(map(_agree, wanted, got))
    return type(wanted) is type(got) and (wanted == got or str(wanted) == str(got) == "nan")


def _check_laws(before: Snapshot, after: Snapshot, planned: EditPlan, step: Step | None) -> None:
    """The way back gives the same text; the snapshot is what the text says; other steps are as they were."""
    assert planned.change.invert(before.text).apply(after.text) == before.text
    fresh = scan_steplist(after.text, is_json=after.program.format.is_json)
    assert [block.text for block in fresh] == [block.text for block in after.blocks]
    lineage = {one.id for one in before.lineage(step.id)} if step is not None else set()
    inside = {one.id for one in step.walk()} if step is not None else set()
    for other in steps_of(before):
        if other.id not in lineage | inside and after.has(other.id):
            assert _own(before, other) == _own(after, after.step(other.id))


def _own(snapshot: Snapshot, step: Step) -> str:
    text = snapshot.owned_span(step.id).of(snapshot.text).strip()
    # comments between commas stay at their places
    return re.sub(r"\s*,?\s*(?:#.*)?\Z", "", text) if step.item and step.item.sign == "," else text


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_new_words_are_read_back_as_they_were_written(path: Path) -> None:
    snapshot = opened(path)
    for step in steps_of(snapshot):
        for command in text_edits(step):
            planned = plan(snapshot, command)
            if isinstance(planned, EditPlan) and planned.after is not None:
                assert isinstance(command, SetStepText)
                assert planned.after.step(step.id).text == command.text
                start, end = snapshot.owned_span(step.id).start, snapshot.owned_span(step.id).end
                assert planned.after.text.startswith(snapshot.text[:start])
                assert planned.after.text.endswith(snapshot.text[end:])


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_typing_anywhere_gives_what_opening_gives(path: Path) -> None:
    before = opened(path)
    words = ("x", "\n", '"', "- ", "#", "{", ":")
    for number, offset in enumerate(range(0, len(before.text) + 1, max(1, len(before.text) // examples(14)))):
        # they take turns at the places, unless the run is thorough
        for typed in words if is_thorough() else (words[number % len(words)],):
            after = advance(before, TextChange((TextEdit(Span(offset, offset), typed),)))
            fresh = derive(after.source)
            assert [(one.kind, one.text) for one in after.blocks] == [(one.kind, one.text) for one in fresh.blocks]
            assert [one.text for one in steps_of(after)] == [one.text for one in steps_of(fresh)]
            assert len(set(after.where)) == sum(len(names) for names in after.block_ids)


@given(
    path=st.sampled_from(FILES),
    place=st.floats(0, 1),
    gone=st.sampled_from([0, 0, 1, 3, 40]),
    typed=st.sampled_from(
        ["", "x", "\n", "\n- id: q\n", "\n# c\n", "\r", "]", "'", "|+\n", "\nsteps:\n", "...\n", "&a "]
    ),
)
def test_an_edit_of_the_text_gives_what_opening_the_new_text_gives(
    path: Path, place: float, gone: int, typed: str
) -> None:
    before = opened(path)
    start = round(place * len(before.text))
    span = Span(start, min(start + gone, len(before.text)))
    after = advance(before, TextChange((TextEdit(span, typed),)))
    fresh = derive(after.source)
    assert [(one.kind, one.text, one.problems) for one in after.blocks] == [
        (one.kind, one.text, one.problems) for one in fresh.blocks
    ]
    assert [(one.text, one.meaning) for one in steps_of(after)] == [(one.text, one.meaning) for one in steps_of(fresh)]


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("id: x\nsteps:\n- \u2028a: b\nmore: {}\n", "{}", "{"),
        ('{\n"steps": [\n  {"id": "a"},\n  {"id": "b"},\n]\n}\n', "\n]", '\n  {"id": "c"}\n]'),
        ("a: {x: &a {id: one}}\nsteps: [*a, {id: two}]\n", "one", "three"),
    ],
)
def test_an_element_is_read_as_if_the_text_had_just_been_opened(text: str, old: str, new: str) -> None:
    before = derive(SourceText(text))
    at = text.index(old)
    after = advance(before, TextChange((TextEdit(Span(at, at + len(old)), new),)))
    fresh = derive(after.source)
    assert [(one.kind, one.text) for one in after.blocks] == [(one.kind, one.text) for one in fresh.blocks]
    assert [(one.text, one.meaning) for one in steps_of(after)] == [(one.text, one.meaning) for one in steps_of(fresh)]


def test_typing_into_one_element_reads_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    elements = "".join(f"- id: e{number}\n  description: what {number} does\n" for number in range(50))
    before = derive(SourceText(f"id: x\nname: X\nsteps:\n{elements}"))
    at = before.text.index("what 25")
    monkeypatch.setattr(rescanning, "scan_steplist", None)
    after = advance(before, TextChange((TextEdit(Span(at, at), "x"),)))
    assert [one.text for one in after.blocks if one not in before.blocks] == [
        "- id: e25\n  description: xwhat 25 does\n"
    ]


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_undo_brings_back_every_byte_and_every_step(path: Path) -> None:
    document = Document.from_text(opened(path).text)
    before = [step.id for step in steps_of(document.snapshot)]
    text = document.snapshot.text
    for number, step in enumerate(steps_of(document.snapshot)):
        for edit in in_turn((*field_edits(step), *structure_edits(document.snapshot, step)), number):
            outcome = document.execute(edit.command)
            if not isinstance(outcome, Refusal) and outcome.after is not outcome.before:
                document.undo()
                assert document.snapshot.text == text
                assert [one.id for one in steps_of(document.snapshot)] == before


def test_an_edit_of_the_source_keeps_the_other_steps() -> None:
    document = Document.from_text("id: x\nname: X\nsteps:\n- id: a\n  description: one\n- id: b\n  description: two\n")
    at = document.snapshot.text.index("one")
    last = document.snapshot.program.playbooks[0].steps[1]
    document.execute(EditText((TextEdit(Span(at, at), '"'),)))
    first, second = document.snapshot.program.playbooks[0].steps
    assert second is last
    assert first.kind.value == "raw"
    assert [one.code for one in document.snapshot.diagnostics] == ["yaml-syntax"]
    document.execute(EditText((TextEdit(Span(at, at + 1), ""),)))
    assert [step.text for step in document.snapshot.program.playbooks[0].steps] == ["one", "two"]
