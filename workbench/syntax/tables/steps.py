"""Tables that say step by step what to do: told by the names of their columns, their numbers and their boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from workbench.regex import regex
from workbench.syntax.blocks import ItemNode
from workbench.syntax.heading_words import begins_with_verb
from workbench.syntax.lines import BOX
from workbench.syntax.tables.reading import Table, cells_of, read_table
from workbench.syntax.text import Span, split_lines

_NUMBER = regex(r"(?:[^\W\d]{1,12}\.?[ \t]*)?(\d{1,4})(?:[.)]|[a-z])?")
_WORDS = regex(r"[^\W\d_]{2,}")
_STEP_NAMES = frozenset(
    "step steps schritt schritte étape étapes etape paso pasos passo passos шаг 步骤 手順 절차 단계".split()
)
_NUMBER_NAMES = frozenset(["", "#", "no", "nr", "num", "number", "nummer", "№", "n°", "nº", "order", "seq", "s.no"])
_ACTION_NAMES = frozenset(
    """action actions task tasks activity activities instruction instructions procedure todo description details what do
    command check aktion aktionen aufgabe aufgaben tätigkeit anweisung maßnahme massnahme beschreibung prüfung was
    tâche acción tarea actividad ação действие задача 操作 作業 작업""".split()
)


@dataclass(frozen=True, slots=True)
class StepColumns:
    """Where a table of steps has what is done, and where its numbers and boxes to tick, if there are any."""

    action: int
    number: int | None = None
    box: int | None = None


def step_columns(table: Table) -> StepColumns | None:
    """The columns of *table* where each row is a step; None for any other table.

    A column is headed *Step*, or rows are numbered or have a box to tick and some column says what to do: tables of
    risks and levels are numbered as well.
    """
    names = [_plain(cell.of(table.text)) for cell in table.names.cells]
    columns = [table.column(index) for index in range(len(names))]
    if not table.rows:
        return None
    step = next((at for at, name in enumerate(names) if name in _STEP_NAMES), None)
    if step is not None and not _is_numbered(columns[step]):
        # *Steps* beside something else has many of them in each row
        is_told = _is_wordy(columns[step]) and (step == 0 or not names[step].endswith("s"))
        return StepColumns(step, _number(names, columns), _box(columns)) if is_told else None
    number = step if step is not None else _number(names, columns)
    box = _box(columns)
    action = _action(names, columns, (number, box))
    if action is None or (number is None and box is None):
        return None
    is_told = step is not None or box is not None or names[action] in _ACTION_NAMES or _tells(columns[action])
    return StepColumns(action, number, box) if is_told else None


def _plain(name: str) -> str:
    """The *name* of a column without marks."""
    return name.strip("*_`: \t").rstrip(".").lower()


def _number(names: Sequence[str], columns: Sequence[Sequence[str]]) -> int | None:
    """The column that only numbers the rows."""
    numbered = (at for at, name in enumerate(names) if name in _NUMBER_NAMES and _is_numbered(columns[at]))
    return next(numbered, None)


def _is_numbered(column: Sequence[str]) -> bool:
    """True where the cells count up: *1*, *2.*, *Step 3*."""
    found = [_NUMBER.fullmatch(cell.strip("*_` \t")) for cell in column if cell]
    if not found or not all(found):
        return False
    numbers = [int(each[1]) for each in found if each is not None]
    return numbers[0] in (0, 1) and all(after - before in (0, 1) for before, after in pairwise(numbers))


def _box(columns: Sequence[Sequence[str]]) -> int | None:
    """The column that holds nothing but boxes to tick."""
    return next((at for at, cells in enumerate(columns) if all(BOX.fullmatch(cell) for cell in cells)), None)


def _action(names: Sequence[str], columns: Sequence[Sequence[str]], others: Sequence[int | None]) -> int | None:
    """The column that says what is done: by its name, else the first with words."""
    left = [at for at in range(len(columns)) if at not in others and _is_wordy(columns[at])]
    return next((at for at in left if names[at] in _ACTION_NAMES), left[0] if left else None)


def _is_wordy(column: Sequence[str]) -> bool:
    return _most(column, lambda cell: _WORDS.search(cell) is not None)


def _tells(column: Sequence[str]) -> bool:
    """True where most cells begin with what to do, and go on."""
    return _most(column, lambda cell: " " in cell and begins_with_verb(cell.lstrip("*_`")))


def _most(column: Sequence[str], holds: Callable[[str], bool]) -> bool:
    """True where *holds* is true of most cells with words."""
    cells = [cell for cell in column if cell]
    return 2 * sum(map(holds, cells)) > len(cells)


def read_step_table(text: str) -> ItemNode | None:
    """The block of a table of steps: one item, with a child for each row that says what to do; None for others."""
    table = read_table(text)
    columns = step_columns(table) if table is not None else None
    if table is None or columns is None:
        return None
    steps = tuple(_steps(table, columns))
    whole, cells = Span(0, len(text)), table.names.cells
    head = Span(cells[0].start, cells[-1].end)
    return ItemNode(whole, whole, "", "", head, head, steps) if steps else None


def _steps(table: Table, columns: StepColumns) -> Iterator[ItemNode]:
    for row in table.rows:
        cell = row.cells[columns.action] if columns.action < len(row.cells) else None
        if cell is None or not len(cell):
            continue
        box = BOX.match(table.text, cell.start, cell.end)
        head = Span(box.end(), cell.end) if box else cell
        place = Span(cell.start, cell.start + 3) if box else None
        if columns.box is not None and columns.box < len(row.cells):
            place = row.cells[columns.box]
        indent = table.text[row.span.start : row.span.end]
        indent = indent[: len(indent) - len(indent.lstrip(" \t"))]
        yield ItemNode(row.span, row.span, indent, "", head, head, box=place)


def other_cells(text: str, step: ItemNode) -> tuple[str, ...]:
    """What the row of *step* says besides its action, each under the name of its column; *text*: of the table."""
    names = [cell.of(text) for cell in cells_of(split_lines(text)[0])]
    found = []
    for name, cell in zip(names, cells_of(step.lines.of(text)), strict=False):
        place, words = cell.shifted(step.lines.start), cell.shifted(step.lines.start).of(text)
        is_number = _plain(name) in _STEP_NAMES | _NUMBER_NAMES and _NUMBER.fullmatch(words) is not None
        if words and place.end != step.head.end and not BOX.fullmatch(words) and not is_number:
            found.append(f"{name}: {words}" if name else words)
    return tuple(found)
