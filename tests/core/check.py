"""One way to test a command: whoever tests what it does also proves its undo, its mapping and its round trip."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from workbench.editing.change import DocumentChange
from workbench.editing.commands import Command, EnableSteps, Refusal
from workbench.editing.document import Document
from workbench.editing.edit_plan import EditPlan
from workbench.editing.undoable import plan
from workbench.model.format import detect_format
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.blocks import Block
from workbench.syntax.scan import scan
from workbench.syntax.steplists.scan import scan_steplist
from workbench.syntax.text import SourceText

Find = Callable[[str], StepId]
Make = Callable[[Find], Command]
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def finder(snapshot: Snapshot) -> Find:
    """A function that finds the first step whose words are, or begin with, what it is given."""
    steps = [step for root in snapshot.roots if root for step in root.walk()]

    def find(words: str) -> StepId:
        exact = [step.id for step in steps if step.text == words]
        return (exact or [step.id for step in steps if step.text.startswith(words)])[0]

    return find


def snapshot_of(text: str) -> Snapshot:
    """The first snapshot of *text*."""
    return derive(SourceText(text))


def check_command(before: str, command: Make, after: str) -> DocumentChange:
    """*command* leads from *before* to *after*, and everything that must hold of any command holds."""
    change = check_laws(snapshot_of(before), command(finder(snapshot_of(before))))
    assert change.after.text == after
    return change


def check_unchanged(before: str, command: Make) -> None:
    """*command* plans no edit at all."""
    snapshot = snapshot_of(before)
    planned = plan(snapshot, command(finder(snapshot)))
    assert isinstance(planned, EditPlan)
    assert planned.is_empty


def check_refused(before: str, command: Make, code: str) -> Refusal:
    """*command* is refused with *code* and a sentence."""
    snapshot = snapshot_of(before)
    refusal = plan(snapshot, command(finder(snapshot)))
    assert isinstance(refusal, Refusal)
    assert refusal.code == code
    assert refusal.message.endswith(".")
    return refusal


def check_laws(snapshot: Snapshot, command: Command) -> DocumentChange:
    """Do *command*, which must not be refused, on the text of *snapshot* and prove all that must hold of it."""
    change = try_laws(snapshot, command)
    assert isinstance(change, DocumentChange), change
    return change


def try_laws(snapshot: Snapshot, command: Command) -> DocumentChange | Refusal:
    """Do *command*, if it can be done, on the text of *snapshot*; prove its inverse, its mapping, undo and redo."""
    planned = plan(snapshot, command)
    if isinstance(planned, Refusal):
        return planned
    document = Document.from_text(snapshot.text)
    change = document.execute(command, selection=())
    assert isinstance(change, DocumentChange), change
    check_change(change)
    # what comes back out of a comment leaves no comment behind
    gone = snapshot.text if isinstance(command, EnableSteps) else _removed_text(change)
    check_comments(snapshot.text, change.after.text, gone)
    check_undo(document, change)
    return change


def check_change(change: DocumentChange) -> None:
    """The change is what it says: inverse, mapping, reported ids, and the same as reading the text anew."""
    before, after, edits = change.before, change.after, change.change
    assert edits.apply(before.text) == after.text
    assert edits.invert(before.text).apply(after.text) == before.text
    assert "".join(block.text for block in after.blocks) == after.text
    assert [block.text for block in blocks_of(after.text)] == [block.text for block in after.blocks]
    # a line of text can become a step: one of a list that was judged as a whole
    assert all(after.has(step) and not before.has(step) for step in change.added)
    for step in set(before.where) - change.removed - change.changed:
        if before.has(step) and after.has(step):
            assert before.step(step).text == after.step(step).text


def blocks_of(text: str) -> tuple[Block, ...]:
    """The blocks of *text*, scanned from nothing."""
    form = detect_format(text)
    return scan_steplist(text, is_json=form.is_json) if form.is_steplist else scan(text)


def check_undo(document: Document, change: DocumentChange) -> None:
    """Undo restores bytes and ids, redo does it again."""
    if change.change.is_empty:
        return
    undone = document.undo()
    assert undone is not None
    assert undone.after.text == change.before.text
    assert heads(undone.after) == heads(change.before)
    redone = document.redo()
    assert redone is not None
    assert redone.after.text == change.after.text
    assert heads(redone.after) == heads(change.after)


def heads(snapshot: Snapshot) -> dict[StepId, int]:
    """Where every step begins."""
    return {step: head for index in range(len(snapshot.blocks)) for step, head in snapshot.heads_in_block(index)}


def comments(text: str) -> Counter[str]:
    """All comments of *text*."""
    return Counter(re.sub(r"\s+", " ", comment) for comment in _COMMENT.findall(text))


def check_comments(before: str, after: str, removed: str) -> None:
    """Every comment is still there, but for those of steps that were meant to go."""
    assert not comments(before) - comments(after) - comments(removed)


def _removed_text(change: DocumentChange) -> str:
    """What the removed steps owned."""
    before = change.before
    gone = [step for step in change.removed if before.has(step)]
    return "\n".join(before.owned_span(step).of(before.text) for step in gone)
