"""Headings with a line of ``=`` or ``-`` below: what they begin, and how they are renamed and added."""

from __future__ import annotations

from tests.core.check import snapshot_of
from workbench.editing.commands import AddNote, AddPlaybook, Command, Refusal, RenamePlaybook, SetStepText
from workbench.editing.undoable import plan
from workbench.model.kinds import FileKind
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

PROGRAM = "Desk\n====\n\nMain\n----\n### Steps\n- Greet()\n\nGreet\n----------\n### Steps\n- Say hello\n"
PROCEDURE = (
    "Bread\n=====\n\nSteps\n-----\n\nStep 1: Knead\n-------------\n\nTen minutes.\n\nStep 2: Bake\n---\n\n- Wait\n"
)


def after(snapshot: Snapshot, command: Command) -> str:
    """The text after *command*; why it was refused."""
    planned = plan(snapshot, command)
    return planned.code if isinstance(planned, Refusal) else planned.change.apply(snapshot.text)


def test_underlined_headings_begin_agents_and_playbooks() -> None:
    program = snapshot_of(PROGRAM).program
    assert [(agent.title, [one.title for one in agent.playbooks]) for agent in program.agents] == [
        ("Desk", ["Main", "Greet"])
    ]


def test_underlined_headings_begin_chapters_and_steps() -> None:
    snapshot = snapshot_of(PROCEDURE)
    assert [step.text for step in snapshot.program.playbooks[-1].steps] == ["Step 1: Knead", "Step 2: Bake"]


def test_an_underline_that_is_as_long_as_the_title_stays_so_when_it_is_renamed() -> None:
    assert after(snapshot_of(PROGRAM), RenamePlaybook("Main", "Begin")).count("Begin\n-----\n") == 1


def test_an_underline_of_another_length_stays_as_it_is() -> None:
    renamed = after(snapshot_of(PROGRAM), RenamePlaybook("Greet", "Welcome"))
    assert "Welcome\n----------\n" in renamed
    assert "- Welcome()\n" in renamed


def test_a_name_that_would_be_no_title_is_refused() -> None:
    assert after(snapshot_of(PROGRAM), RenamePlaybook("Main", "- Begin")) == "no-name"


def test_a_new_playbook_is_underlined_where_the_others_are() -> None:
    program = derive(SourceText(PROGRAM), wanted=FileKind.PROGRAM)
    assert after(program, AddPlaybook("Leave")).endswith("\n\nLeave\n-----\n### Steps\n")


def test_a_new_section_is_written_like_the_others() -> None:
    text = "# A\n\n## Main\n\nSteps\n-----\n- a\n"
    assert after(snapshot_of(text), AddNote("Main", "Be brief")) == text + "\nNotes\n-----\n- Be brief\n"


def test_the_words_of_a_step_that_is_a_heading_are_its_title() -> None:
    snapshot = snapshot_of(PROCEDURE)
    first, second = snapshot.program.playbooks[-1].steps
    assert "\nStep 1: Knead and rest\n----------------------\n\nTen" in after(
        snapshot, SetStepText(first.id, "Step 1: Knead and rest")
    )
    assert "\nStep 2: Bake it\n---\n" in after(snapshot, SetStepText(second.id, "Step 2: Bake it"))
    assert after(snapshot, SetStepText(first.id, "two\nlines")) == "no-title"
