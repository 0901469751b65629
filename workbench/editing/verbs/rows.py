"""Tables whose rows are steps: their words, and whole rows that are moved, copied, deleted and added.

A row is a line, so it can change places with any other; what follows from its place is only its number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from workbench.editing import commands
from workbench.editing.commands import Command, Place, Refusal
from workbench.editing.edit_plan import Draft, EditPlan, Fragment
from workbench.editing.geometry.siblings import line_end_of
from workbench.editing.refusals import no_such_place, no_such_step, no_words, refuse_steps
from workbench.i18n import _, ngettext
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.blocks import BlockKind
from workbench.syntax.tables.reading import Row, Table, cells_of, read_table
from workbench.syntax.tables.steps import step_columns
from workbench.syntax.text import Span

_DIGITS = regex(r"\d+")
_BAR = regex(r"(?<!\\)\|")
_Verb = tuple[Callable[[Snapshot, Any], Refusal | None], Callable[[Snapshot, Any], EditPlan | Refusal]]


def verb_for_rows(snapshot: Snapshot, command: Command) -> _Verb | None:
    """What carries out *command* where it is about rows of a table or a place among them; None where it is not."""
    if isinstance(command, commands.TickSteps):
        return None
    place: Place | None = getattr(command, "place", None)
    steps: tuple[StepId, ...] = getattr(command, "steps", ())
    inside = place is not None and (_is_table(snapshot, place.parent) or _is_row(snapshot, place.after))
    whole = {snapshot.where[step] for step in steps if _is_table(snapshot, step)}
    rows = [step for step in steps if _is_row(snapshot, step) and snapshot.where[step] not in whole]
    one: StepId | None = getattr(command, "step", None)
    is_about_one = _is_row(snapshot, one) or (_is_table(snapshot, one) and isinstance(command, commands.SetStepText))
    is_inside_row = place is not None and _is_row(snapshot, place.parent)
    if rows or inside or is_inside_row or is_about_one:
        return _VERBS.get(type(command), (_refuse_other, _refuse_other))
    return None


def _is_row(snapshot: Snapshot, step_id: StepId | None) -> bool:
    step = snapshot.find(step_id) if step_id is not None else None
    return step is not None and step.block.kind is BlockKind.TABLE and step.item is not None


def _is_table(snapshot: Snapshot, step_id: StepId | None) -> bool:
    step = snapshot.find(step_id) if step_id is not None else None
    return step is not None and step.block.kind is BlockKind.TABLE and bool(step.children)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of one table, which begins at *start*. *steps*: the step that each row is, None for one that is none."""

    root: Step
    table: Table
    start: int
    steps: tuple[Step | None, ...]

    @classmethod
    def of(cls, snapshot: Snapshot, step: StepId) -> _Rows:
        root = snapshot.roots[snapshot.where[step]]
        table = read_table(root.block.text) if root is not None else None
        assert root is not None and table is not None
        at = {child.item.lines.start: child for child in root.children if child.item is not None}
        steps = tuple([at.get(row.span.start) for row in table.rows])
        return cls(root, table, snapshot.block_start(root.id), steps)

    def index(self, step: StepId) -> int:
        return next(at for at, each in enumerate(self.steps) if each is not None and each.id == step)

    def line(self, row: Row) -> str:
        return row.span.of(self.table.text).rstrip("\r\n")

    def slot(self, place: Place) -> int:
        return self.index(place.after) + 1 if place.after is not None else 0


def refuse_words(snapshot: Snapshot, command: commands.SetStepText) -> Refusal | None:
    """Why the words of the row cannot be changed."""
    refusal = refuse_steps(snapshot, (command.step,))
    if refusal is None and not _is_row(snapshot, command.step):
        refusal = Refusal("table-names", _("The names of the columns can only be changed in the source."))
    return refusal or _refuse_cell(command.text)


def _refuse_cell(text: str) -> Refusal | None:
    if not text.strip():
        return no_words()
    if "\n" in text.strip() or "\r" in text.strip() or "<!--" in text:
        return _no_cell()
    return None


def plan_words(snapshot: Snapshot, command: commands.SetStepText) -> EditPlan | Refusal:
    """The edit that puts the text into the cell."""
    step, span = snapshot.step(command.step), snapshot.head_span(command.step)
    assert step.item is not None
    draft = Draft(snapshot.text)
    if command.text.strip() != step.text:
        draft.replace(span, _in_cell(command.text))
    planned = draft.finish(_("Edit step"))
    line = step.item.lines.shifted(snapshot.block_start(step.id))
    after = planned.change.apply(snapshot.text)
    changed = after[line.start : line.end + len(after) - len(snapshot.text)]
    return planned if _has_cells_of(changed, line.of(snapshot.text)) else _no_cell()


def _in_cell(text: str) -> str:
    """*text* with bars that do not end the cell; in code as well, where not every reader lets them stand."""
    words = _BAR.sub(r"\\|", text.strip())
    return f"{words} " if words.endswith("\\") else words


def _has_cells_of(line: str, other: str) -> bool:
    return len(cells_of(line)) == len(cells_of(other))


def _no_cell() -> Refusal:
    return Refusal("cell", _("A cell of a table is one line, without comments and with marks of code in pairs."))


def refuse_rows(snapshot: Snapshot, command: commands.DeleteSteps | commands.DuplicateSteps) -> Refusal | None:
    """Why the rows cannot be deleted or copied."""
    refusal = refuse_steps(snapshot, command.steps)
    if refusal is not None:
        return refusal
    if not _are_of_one(snapshot, command.steps):
        return Refusal("several-tables", _("Rows of a table can only be changed together with rows of the same table."))
    rows = _Rows.of(snapshot, command.steps[0])
    if isinstance(command, commands.DeleteSteps) and len(set(command.steps)) == len(rows.root.children):
        return Refusal("last-row", _("A table of steps needs at least one row. Delete the whole table instead."))
    return None


def _are_of_one(snapshot: Snapshot, steps: Sequence[StepId]) -> bool:
    return len({snapshot.where[step] for step in steps}) == 1 and all(_is_row(snapshot, step) for step in steps)


def plan_delete(snapshot: Snapshot, command: commands.DeleteSteps) -> EditPlan:
    """The edits that take the rows out, and number the others on."""
    rows = _Rows.of(snapshot, command.steps[0])
    gone = {rows.index(step) for step in command.steps}
    order = [at for at in range(len(rows.steps)) if at not in gone]
    label = ngettext("Delete step", "Delete {count} steps", len(gone))
    return _written(snapshot, rows, [_Line(at) for at in order], label, frozenset(command.steps))


def plan_duplicate(snapshot: Snapshot, command: commands.DuplicateSteps) -> EditPlan:
    """The edits that copy the rows directly below the last of them."""
    rows = _Rows.of(snapshot, command.steps[0])
    copied = sorted({rows.index(step) for step in command.steps})
    lines = [_Line(at) for at in range(len(rows.steps))]
    lines[copied[-1] + 1 : copied[-1] + 1] = [_Line(at, rows.line(rows.table.rows[at])) for at in copied]
    return _written(snapshot, rows, lines, ngettext("Duplicate step", "Duplicate {count} steps", len(copied)))


def refuse_move(snapshot: Snapshot, command: commands.MoveSteps) -> Refusal | None:
    """Why the steps cannot be moved there."""
    refusal = refuse_steps(snapshot, command.steps) or _refuse_place(snapshot, command.place)
    if refusal is not None:
        return refusal
    parent = command.place.parent
    if parent is None or not _are_of_one(snapshot, (*command.steps,)):
        return _stay()
    return None if snapshot.where[parent] == snapshot.where[command.steps[0]] else _stay()


def _stay() -> Refusal:
    message = _("The rows of a table stay in their table, and nothing else can be moved into it.")
    return Refusal("other-table", message)


def _refuse_place(snapshot: Snapshot, place: Place) -> Refusal | None:
    """Why no row can be put at *place*."""
    if not all(snapshot.has(step) for step in (place.parent, place.after) if step is not None):
        return no_such_place()
    if _is_row(snapshot, place.parent):
        return Refusal("in-a-row", _("Nothing can be put into a row of a table. Put it above or below the row."))
    if place.parent is None:
        return _stay()
    if place.after is None:
        return None
    parent = snapshot.parent(place.after)
    return None if parent is not None and parent.id == place.parent else no_such_place()


def plan_move(snapshot: Snapshot, command: commands.MoveSteps) -> EditPlan:
    """The edits that bring the rows together at the place, and number all rows on."""
    rows = _Rows.of(snapshot, command.steps[0])
    moved = sorted({rows.index(step) for step in command.steps})
    slot = rows.slot(command.place)
    above = [_Line(at) for at in range(slot) if at not in moved]
    below = [_Line(at) for at in range(slot, len(rows.steps)) if at not in moved]
    lines = [*above, *(_Line(at, is_chosen=True) for at in moved), *below]
    return _written(snapshot, rows, lines, ngettext("Move step", "Move {count} steps", len(moved)))


def refuse_insert(snapshot: Snapshot, command: commands.InsertStep) -> Refusal | None:
    """Why no row can be added there."""
    return _refuse_place(snapshot, command.place) or _refuse_cell(command.text)


def plan_insert(snapshot: Snapshot, command: commands.InsertStep) -> EditPlan | Refusal:
    """The edits that add a row that looks like the one beside it, with nothing in its other cells."""
    assert command.place.parent is not None
    rows = _Rows.of(snapshot, command.place.parent)
    slot = rows.slot(command.place)
    like = next((at for at in [*range(slot - 1, -1, -1), *range(slot, len(rows.steps))] if rows.steps[at]), None)
    if like is None:
        return no_such_step()
    new = _new_line(rows.table, rows.table.rows[like], command.text)
    if not _has_cells_of(new, rows.line(rows.table.rows[like])):
        return _no_cell()
    lines = [_Line(at) for at in range(len(rows.steps))]
    lines.insert(slot, _Line(like, new))
    return _written(snapshot, rows, lines, _("Insert step"))


def _new_line(table: Table, like: Row, text: str) -> str:
    columns = step_columns(table)
    assert columns is not None
    draft = Draft(table.text)
    for column, cell in enumerate(like.cells):
        if column == columns.action:
            box = "[ ] " if cell.of(table.text)[:4].lower() in ("[ ] ", "[x] ") else ""
            draft.replace(cell, box + _in_cell(text))
        elif column == columns.box:
            draft.replace(cell, "[ ]")
        elif column != columns.number:
            draft.replace(cell, "")
    change = draft.finish("").change
    after = change.apply(table.text)
    return after[like.span.start : like.span.end + len(after) - len(table.text)].rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class _Line:
    """A row of the changed table: the old row *index*, or a new one with *text* that looks like it.

    *is_chosen*: it is to be selected.
    """

    index: int
    text: str = ""
    is_chosen: bool = False


def _written(
    snapshot: Snapshot, rows: _Rows, lines: Sequence[_Line], label: str, removed: frozenset[StepId] = frozenset()
) -> EditPlan:
    """The plan that makes the rows of the table *lines*, numbered as they were."""
    old = rows.table.rows
    whole = Span(old[0].span.start, old[-1].span.end)
    *ends, last = [row.span.of(rows.table.text)[len(rows.line(row)) :] for row in old]
    ends += [line_end_of(snapshot, rows.start + whole.end)] * (len(lines) - len(old))
    ends = [*ends[: len(lines) - 1], last]
    texts = _numbered(rows, lines)
    body = Fragment("")
    for line, text, end in zip(lines, texts, ends, strict=True):
        body = body + _fragment(rows, line, text) + Fragment(end)
    draft = Draft(snapshot.text)
    draft.replace(whole.shifted(rows.start), body)
    return draft.finish(label, removed)


def _fragment(rows: _Rows, line: _Line, text: str) -> Fragment:
    step = rows.steps[line.index]
    ids = ((0, (step.id,)),) if step is not None and not line.text else ()
    assert step is None or step.item is not None
    heads = (_content_start(rows.table, text),) if line.text or line.is_chosen else ()
    return Fragment(text, ids, heads)


def _content_start(table: Table, line: str) -> int:
    """Where the step that *line* is begins: with its box, or its words."""
    columns = step_columns(table)
    assert columns is not None
    cells = cells_of(line)
    return min(cells[at].start for at in (columns.action, columns.box) if at is not None and at < len(cells))


def _numbered(rows: _Rows, lines: Sequence[_Line]) -> list[str]:
    """The text of each of *lines*, with the numbers of their places where the rows count up."""
    columns = step_columns(rows.table)
    texts = [line.text or rows.line(rows.table.rows[line.index]) for line in lines]
    number = columns.number if columns is not None else None
    if number is None:
        return texts
    old = [_number_in(rows.line(row), number) for row in rows.table.rows]
    counted = [int(each[0]) for each in old if each is not None]
    if any(after - before != 1 for before, after in pairwise(counted)):
        return texts
    following = counted[0] if counted else 0
    for at, text in enumerate(texts):
        found = _number_in(text, number)
        if found is not None:
            wide = len(found[0]) if found[0].startswith("0") else 1
            texts[at] = f"{text[: found.start()]}{following:0{wide}d}{text[found.end() :]}"
            following += 1
    return texts


def _number_in(line: str, column: int) -> re.Match[str] | None:
    """The number that *line* has in *column*."""
    cells = cells_of(line)
    cell = cells[column] if column < len(cells) else None
    return _DIGITS.search(line, cell.start, cell.end) if cell is not None else None


def _refuse_other(_snapshot: Snapshot, command: Command) -> Refusal:
    if isinstance(command, commands.InsertLines):
        return Refusal("paste-row", _("Only a single step can be added to a table. Type it instead."))
    return Refusal("row", _("This cannot be done with the rows of a table. Change them in the source."))


_VERBS: Mapping[type, _Verb] = {
    commands.SetStepText: (refuse_words, plan_words),
    commands.DeleteSteps: (refuse_rows, plan_delete),
    commands.DuplicateSteps: (refuse_rows, plan_duplicate),
    commands.MoveSteps: (refuse_move, plan_move),
    commands.InsertStep: (refuse_insert, plan_insert),
}
