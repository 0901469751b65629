"""What the window says when an edit makes prose call steps by wrong numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from workbench.editing.commands import (
    Command,
    DeleteSteps,
    DuplicateSteps,
    EditText,
    InsertStep,
    Place,
    UnwrapStep,
    WrapForm,
    WrapSteps,
)
from workbench.gui.shell.main_window import MainWindow
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

TEXT = "## Main\n### Steps\n1. A\n2. If x\n   1. In\n   2. Inner\n3. See step 3, or step 2.1\n"


def step(snapshot: Snapshot, address: str) -> StepId:
    """The step at *address* of the playbook Main."""
    found = snapshot.at_address(f"Main:{address}")
    assert found is not None
    return found.id


EDITS: dict[str, tuple[Callable[[Snapshot], Command], str]] = {
    "insert": (lambda _: InsertStep(Place("Main"), "New"), "See step 4, or step 3.1"),
    "delete": (lambda now: DeleteSteps((step(now, "01"),)), "See step 2, or step 1.1"),
    "duplicate": (lambda now: DuplicateSteps((step(now, "01"),)), "See step 4, or step 3.1"),
    "wrap": (lambda now: WrapSteps((step(now, "02"),), WrapForm.IF), "See step 3, or step 2.1.1"),
    "unwrap": (lambda now: UnwrapStep(step(now, "02")), "See step 4, or step 2"),
}


@pytest.mark.parametrize(("make", "expected"), EDITS.values(), ids=EDITS)
def test_every_edit_that_renumbers_steps_offers_to_update_mentions(
    window: MainWindow, make: Callable[[Snapshot], Command], expected: str
) -> None:
    documents = window.context.documents
    documents.open_text(TEXT)
    documents.execute(make(documents.snapshot))
    window.banners.banners[0].buttons[0].click()
    assert expected in documents.snapshot.text
    assert window.banners.banners == ()
    documents.undo()
    documents.undo()
    assert documents.snapshot.text == TEXT


def test_mentions_of_a_step_that_is_gone_are_told_and_nothing_is_offered(window: MainWindow) -> None:
    documents = window.context.documents
    documents.open_text("## Main\n### Steps\n1. See step 2\n2. B\n")
    documents.execute(DeleteSteps((step(documents.snapshot, "02"),)))
    banner = window.banners.banners[0]
    assert "One reference no longer points to a step" in banner.notice.text
    assert banner.buttons == ()


def test_what_can_be_put_right_and_what_cannot_are_told_together(window: MainWindow) -> None:
    documents = window.context.documents
    documents.open_text("## Main\n### Steps\n1. A\n2. B\n3. C\n4. See steps 1, 2 and 3\n")
    documents.execute(DeleteSteps((step(documents.snapshot, "01"),)))
    text = window.banners.banners[0].notice.text
    assert "2 references point to step numbers that have changed." in text
    assert "One reference no longer points to a step" in text
    window.banners.banners[0].buttons[0].click()
    assert "See steps 1, 1 and 2" in documents.snapshot.text


def test_typing_shows_no_offer(window: MainWindow) -> None:
    documents = window.context.documents
    documents.open_text(TEXT)
    at = TEXT.index("1. A")
    documents.execute(EditText((TextEdit(Span(at, at), "1. New\n"),)))
    assert window.banners.banners == ()
