"""Snapshots: ids stay with their steps, positions lead both ways."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.test_scan import FILES, TEXTS
from workbench.model.incremental.advancing import advance
from workbench.model.incremental.identity import Carried
from workbench.model.meaning import StepKind
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import SourceText, Span

BOOK = "# Desk\n\n## Main\n### Steps\n- one\n- two\n  - inner\n- three\n"


def book(text: str = BOOK) -> Snapshot:
    """The snapshot of *text*."""
    return derive(SourceText(text))


def replaced(snapshot: Snapshot, old: str, new: str) -> Snapshot:
    """The next snapshot, with the first *old* exchanged for *new*."""
    at = snapshot.text.index(old)
    return advance(snapshot, TextChange((TextEdit(Span(at, at + len(old)), new),)))


def named(snapshot: Snapshot, text: str) -> StepId:
    """The id of the step whose words are *text*."""
    found = (step.id for root in snapshot.roots if root for step in root.walk() if step.text == text)
    return next(found)


def meaning_of(snapshot: Snapshot) -> list[object]:
    """Everything a snapshot means, without ids."""
    return [
        (
            playbook.name,
            playbook.title,
            playbook.description,
            [_section(section.steps) for section in playbook.sections],
        )
        for playbook in snapshot.program.playbooks
    ]


def _section(steps: tuple[object, ...]) -> list[object]:
    return [
        [(step.kind, step.text, step.meaning) for step in root.walk()]  # type: ignore[attr-defined]
        for root in steps
    ]


@st.composite
def changes(draw: st.DrawFn, text: str) -> TextChange:
    """Some disjoint edits of *text*."""
    count = draw(st.sampled_from([1, 1, 2, 3, 12]))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2 * count, max_size=2 * count)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=True))
    keeps = draw(st.booleans())
    return TextChange(tuple(TextEdit(Span(a, a if keeps else b), draw(TEXTS)) for a, b in pairs))


@given(st.data(), TEXTS)
def test_no_id_is_given_twice(data: st.DataObject, text: str) -> None:
    snapshot = advance(book(text), data.draw(changes(text)))
    ids = [step_id for ids in snapshot.block_ids for step_id in ids]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_prefix_keeps_the_ids_of_what_is_there(path: Path) -> None:
    snapshot = derive(SourceText.decode(path.read_bytes()))
    steps = [step for root in snapshot.roots if root for step in root.walk()]
    lines = snapshot.lines.starts
    for cut in lines[:: max(1, len(lines) // 12)]:
        shorter = advance(snapshot, TextChange((TextEdit(Span(cut, len(snapshot.text)), ""),)))
        for step in steps:
            if snapshot.owned_span(step.id).end < cut and snapshot.source.text[:1] not in "{[":
                left = shorter.find(step.id)
                # what is done and what is only read is decided by the whole text of a procedure
                is_alike = left is None or (left.kind, left.blocks) == (step.kind, step.blocks)
                assert left is None or not is_alike or left.text == step.text
                # a text above a list goes into the description where there is no list any more
                is_text = step.kind is StepKind.RAW and snapshot.deriver.is_procedure
                assert shorter.has(step.id) or is_text or path.suffix in (".yaml", ".json")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_addresses_and_positions_lead_back_to_their_step(path: object) -> None:
    snapshot = derive(SourceText.decode(path.read_bytes()))  # type: ignore[attr-defined]
    for root in snapshot.roots:
        for step in root.walk() if root else ():
            assert snapshot.step_at(snapshot.head_span(step.id).start) == step.id
            if step.kind is not StepKind.RAW:
                assert snapshot.at_address(snapshot.address(step.id)) is step


def test_typing_inside_a_step_keeps_its_id_and_leaves_the_others_the_same_objects() -> None:
    before = book()
    after = replaced(before, "two", "two more")
    assert named(after, "two more") == named(before, "two")
    assert after.step(named(after, "three")) is before.step(named(before, "three"))


def test_a_new_line_between_steps_gets_a_new_id() -> None:
    before = book()
    after = replaced(before, "- three", "- new\n- three")
    assert named(after, "three") == named(before, "three")
    assert named(after, "new") not in before.where


def test_carried_ids_follow_a_move() -> None:
    before = book()
    one = named(before, "one")
    span = before.owned_span(one)
    end = len(before.text)
    change = TextChange((TextEdit(span, ""), TextEdit(Span(end, end), "- one\n")))
    after = advance(before, change, (Carried(end - len(span), (one,)),))
    assert after.address(one) == "Main:03"


def test_steps_that_vanish_behind_damage_come_back_as_themselves() -> None:
    before = book()
    hidden = replaced(before, "- two", "<!--\n- two")
    swallowed = advance(hidden, TextChange((TextEdit(Span(len(hidden.text), len(hidden.text)), "\n-->\n"),)))
    assert not swallowed.has(named(before, "three"))
    back = replaced(swallowed, "<!--\n", "")
    assert named(back, "three") == named(before, "three")


def test_the_canvas_is_never_blank_while_a_fence_is_typed() -> None:
    after = replaced(book(), "- two", "```\n- two")
    assert [step.text for step in after.program.playbooks[0].steps if step.kind is not StepKind.RAW] == [
        "one",
        "two",
        "three",
    ]


def test_numbers_count_every_item_and_no_raw_block() -> None:
    snapshot = book("# A\n## M\n### Steps\n- a\n\n```\nx\n```\n\n- b\n  - c\n")
    assert [snapshot.number(step.id) for step in snapshot.program.playbooks[0].steps] == ["01", "", "02"]
    assert snapshot.number(named(snapshot, "c")) == "02.01"


def test_a_runbook_without_section_headings_is_carried_out_and_its_links_are_not() -> None:
    snapshot = book("# Disk\n\n## Do\n1. a\n2. b\n\n## Links\n* [x]\n* <https://example.org>\n")
    chapters = [(playbook.name, playbook.is_carried_out) for playbook in snapshot.program.playbooks]
    assert chapters == [("Do", True), ("Links", False)]


def test_steps_directly_under_an_agent_make_an_implied_playbook() -> None:
    snapshot = book("# Disk full\n\n1. a\n2. b\n")
    assert [(one.name, one.is_implied, len(one.steps)) for one in snapshot.program.playbooks] == [("DiskFull", True, 2)]


def test_metadata_is_read_in_both_forms() -> None:
    snapshot = book("# A\nmodel: x\n---\nText.\n\n## P\nmetadata:\n  public: true\n---\nWhat.\n### Steps\n- a\n")
    agent = snapshot.program.agents[0]
    assert dict(agent.metadata) == {"model": "x"}
    assert dict(agent.playbooks[0].metadata) == {"public": True}
    assert (agent.description, agent.playbooks[0].description) == ("Text.", "What.")


def test_a_sentence_that_fits_one_playbook_is_a_call() -> None:
    snapshot = book(
        "# A\n## LoadUserAccount($email)\n### Steps\n- Return 1\n## M\n### Steps\n- Load the user's account\n"
    )
    assert snapshot.program.playbooks[1].steps[0].kind is StepKind.CALL


def test_a_new_playbook_can_change_what_a_sentence_elsewhere_means() -> None:
    before = book("# A\n## M\n### Steps\n- Load the user's account\n")
    after = advance(before, TextChange((TextEdit(Span(4, 4), "## LoadUserAccount()\n### Steps\n- Return 1\n"),)))
    assert after.program.playbooks[1].steps[0].kind is StepKind.CALL


@pytest.mark.parametrize(
    "text",
    ["a\0b", '{"id": "x"}\n', "id: x\nrules:\n- id: a\n", "- hosts: all\n  tasks:\n", "; x\nEnableExplicit\n"],
)
def test_other_kinds_of_files_are_shown_as_text_with_a_reason(text: str) -> None:
    program = book(text).program
    assert program.foreign.endswith(".")
    assert program.playbooks == ()


@pytest.mark.parametrize(
    ("line", "may_link"),
    [
        ("[tea]: tea.md", True),
        ("   [te\\]a]: tea.md", True),
        ("See [tea](tea.md)", True),
        ("def one(a: list[str]) -> list[str]:", False),
        ("Tea [black]: two cups", False),
    ],
)
def test_only_what_can_be_a_link_lets_files_around_be_looked_at(line: str, may_link: bool) -> None:
    assert book(f"# A\n{line}\n## M\n### Steps\n- a\n").may_link_files is may_link
