"""Whether a plan does what it was made for, and nothing else: tried on the text before anything is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from workbench.editing import commands
from workbench.editing.commands import Command, MoveSteps, Refusal, UnwrapStep, WrapSteps
from workbench.editing.edit_plan import EditPlan
from workbench.editing.geometry.heading_steps import number_span
from workbench.editing.geometry.siblings import walk_ids
from workbench.editing.refusals import is_drawn, only_read, would_merge
from workbench.editing.surgery.disabling import comes_back
from workbench.model.meaning import StepKind
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.blocks import Block, BlockKind, ItemNode

_ABOUT_STEPS = (
    commands.InsertStep,
    commands.InsertLines,
    commands.DeleteSteps,
    commands.MoveSteps,
    commands.DuplicateSteps,
    commands.WrapSteps,
    commands.UnwrapStep,
    commands.SwapBranches,
    commands.AddOtherwise,
    commands.ChangeLoop,
    commands.DisableSteps,
    commands.EnableSteps,
    commands.SplitStep,
    commands.JoinSteps,
    commands.SortSteps,
    commands.ExtractPlaybook,
    commands.InlineCall,
)
_MAKING = (commands.InsertStep, commands.InsertLines, commands.DuplicateSteps, commands.AddOtherwise)
_SAYING_NOTHING = frozenset({BlockKind.BLANK, BlockKind.COMMENT, BlockKind.RULE})


def why_not(before: Snapshot, after: Snapshot, planned: EditPlan, command: Command) -> Refusal | None:
    """Why *planned*, which leads to *after*, is no plan: something would be lost, swallowed or taken apart by it."""
    if _loses_steps(before, after, planned):
        return would_merge()
    if not _has_kept_shape(before, after, command):
        return only_read() if _is_taken_in(after, command) else would_merge()
    if not all(_is_whole(before, after, step) for step in planned.moved):
        return would_merge()
    if isinstance(command, commands.DisableSteps) and not comes_back(before, after, planned.heads):
        return would_merge()
    if before.program.format.is_steplist or not isinstance(command, _ABOUT_STEPS):
        return None
    if isinstance(command, _MAKING) and not _copies_text(before, command):
        made = [_made(before, after, head) for head in planned.heads]
        if None in made:
            return would_merge()
        if after.deriver.is_procedure and not all(_is_step(after, step) for step in made if step is not None):
            return only_read()
    return None if _keeps_the_rest(before, after, planned, command) else would_merge()


def _keeps_the_rest(before: Snapshot, after: Snapshot, planned: EditPlan, command: Command) -> bool:
    """True when all that *command* is not about is there, in its order and with its words."""
    touched = planned.removed | planned.moved | planned.reworded | _moved(before, command)

    def is_kept(step: StepId) -> bool:
        return step in before.where and step not in touched

    is_nesting = isinstance(command, WrapSteps | UnwrapStep)
    old = [index for window in after.windows for index in window.old]
    new = [index for window in after.windows for index in window.new]
    if not _stand_as_before(before, after, is_kept):
        return False
    there = iter(_rest(after, new, is_kept, is_nesting=is_nesting))
    # a command can add headings, so there may be more than there was
    return all(any(one == another for another in there) for one in _rest(before, old, is_kept, is_nesting=is_nesting))


def _stand_as_before(before: Snapshot, after: Snapshot, is_kept: Callable[[StepId], bool]) -> bool:
    """True where every step that is kept stands below the heading that it stood below, as far as it is one still."""
    if not (before.deriver.is_procedure and after.deriver.is_procedure):
        return True
    return all(
        _heading_over(before, step) == heading
        for heading, step in _newly_placed(before, after)
        if is_kept(step) and before.has(step)
    )


def _newly_placed(before: Snapshot, after: Snapshot) -> Iterator[tuple[StepId | None, StepId]]:
    """The steps of *after* that may stand below another heading than in *before*, each with the one that it is."""
    old, new = before.program.playbooks, after.program.playbooks
    # by identity: a chapter or a heading that an edit leaves alone is the same value, and is not looked into
    stayed = {id(chapter) for chapter in old} & {id(chapter) for chapter in new}
    was = {step.id for chapter in old if id(chapter) not in stayed for step in chapter.steps}
    came = [step for chapter in new if id(chapter) not in stayed for step in chapter.steps]
    yield from ((None, step.id) for step in came if step.id not in was)
    for step in came:
        yield from _newly_below(before, step)


def _newly_below(before: Snapshot, heading: Step) -> Iterator[tuple[StepId, StepId]]:
    if not heading.children or not heading.is_spread:
        return
    old = before.find(heading.id)
    if old is heading:
        return
    was = {child.id for child in old.children} if old is not None and old.is_spread else set()
    yield from ((heading.id, child.id) for child in heading.children if child.id not in was)
    for child in heading.children:
        yield from _newly_below(before, child)


def _heading_over(snapshot: Snapshot, root: StepId) -> StepId | None:
    parent = snapshot.parent(root)
    return parent.id if parent is not None else None


@dataclass(frozen=True, slots=True)
class _Kept:
    """What no command was about: a step with its words and what it stands in, or what stands between steps."""

    step: StepId | None
    inside: StepId | None
    words: str


def _rest(
    snapshot: Snapshot, indices: Iterable[int], is_kept: Callable[[StepId], bool], *, is_nesting: bool
) -> Iterator[_Kept]:
    """What stands in the blocks *indices*, in source order: of steps those that are to be kept, and all else."""
    for index in indices:
        block, ids = snapshot.blocks[index], snapshot.block_ids[index]
        if block.item is not None:
            for step, inside, item in _items(block.item, iter(ids)):
                if is_kept(step):
                    yield _Kept(step, None if is_nesting else inside, _words(block.text, item))
        elif block.kind not in _SAYING_NOTHING and (not ids or is_kept(ids[0])):
            yield _Kept(ids[0] if ids else None, None, _said(block))


def _items(
    item: ItemNode, ids: Iterator[StepId], inside: StepId | None = None
) -> Iterator[tuple[StepId, StepId | None, ItemNode]]:
    """*item* and all below it, each with what it stands in; *ids* are theirs, in the order of ``ItemNode.walk``."""
    step = next(ids)
    yield step, inside, item
    for child in item.children:
        yield from _items(child, ids, step)


def _said(block: Block) -> str:
    """What *block* says, of a heading the title without the number that it has for the place where it stands."""
    if (number := number_span(block)) is not None:
        return _said_by(block.text[: number.start]) + block.text[number.end :].strip()
    return block.title if block.kind is BlockKind.HEADING else block.text.strip()


def _said_by(marks: str) -> str:
    """What stands before a number without the marks of a heading: its level may be another one."""
    return marks.lstrip("# ")


def _words(text: str, item: ItemNode) -> str:
    """All that *item* says itself, with single blanks: an item that is indented anew says the same."""
    return " ".join(" ".join(span.of(text) for span in (item.text, *item.fences, *item.tails)).split())


def _moved(before: Snapshot, command: Command) -> frozenset[StepId]:
    if not isinstance(command, MoveSteps):
        return frozenset()
    return frozenset(inner for step in command.steps for inner in walk_ids(before, before.step(step)))


def _made(before: Snapshot, after: Snapshot, head: int) -> StepId | None:
    """The new step that begins at *head*, which is right behind its marker; None where something took it in."""
    new = (one for one in after.heads_in_block(after.block_index_at(head)) if one[0] not in before.where)
    return next((step for step, at in new if head <= at and not after.text[head:at].strip()), None)


def _copies_text(before: Snapshot, command: Command) -> bool:
    """True where only text is copied: beside itself it may well be one text."""
    steps = command.steps if isinstance(command, commands.DuplicateSteps) else ()
    return bool(steps) and all(before.step(step).kind is StepKind.RAW for step in steps)


def _is_taken_in(after: Snapshot, command: Command) -> bool:
    """True where what was moved is part of a text of a procedure now."""
    steps = command.steps if isinstance(command, MoveSteps) else ()
    return after.deriver.is_procedure and not all(after.has(step) for step in steps)


def _is_step(after: Snapshot, step: StepId) -> bool:
    """False where *step* stands among text that is only read, and became part of that."""
    found = after.find(step)
    return found is not None and (found.item is not None or found.block.kind is not BlockKind.ITEM)


def _loses_steps(before: Snapshot, after: Snapshot, planned: EditPlan) -> bool:
    """True when a step that should have stayed is gone."""
    indices = (index for window in after.windows for index in window.old)
    if before.deriver.is_procedure and not after.deriver.is_procedure:  # headings are no steps any more
        indices = (index for index in indices if before.blocks[index].kind is not BlockKind.HEADING)
    exchanged = (step for index in indices for step in before.block_ids[index])
    return any(step not in after.where and step not in planned.removed for step in exchanged)


def _has_kept_shape(before: Snapshot, after: Snapshot, command: Command) -> bool:
    """True when moved or wrapped steps hold what they held, and moved ones stand where they were to be."""
    if not isinstance(command, MoveSteps | WrapSteps):
        return True
    if isinstance(command, MoveSteps) and not _arrived(after, command):
        return False
    return all(_held(before, step) == _held(after, step) for step in command.steps)


def _is_whole(before: Snapshot, after: Snapshot, step_id: StepId) -> bool:
    """True when a step that changed places says what it said, and holds what it held."""
    old, new = before.step(step_id), after.find(step_id)
    return new is not None and old.text == new.text and _held(before, step_id) == _held(after, step_id)


def _held(snapshot: Snapshot, step_id: StepId) -> tuple[StepId, ...]:
    """All that stands in the step, in order; nothing where it is no step any more."""
    step = snapshot.find(step_id)
    return walk_ids(snapshot, step) if step is not None else ()


def _arrived(after: Snapshot, command: MoveSteps) -> bool:
    """True when the moved steps stand where they were to be."""
    for step in command.steps:
        if not is_drawn(after, step):
            return False
        parent = after.parent(step)
        inside = parent.id if parent else None
        if inside != command.place.parent and inside not in command.steps:
            return False
    return True
