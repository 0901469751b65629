"""The tree behind the outline: what stands under what and what each row says; made when looked at, patched by key."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from workbench.gui.look.icons import icon
from workbench.gui.look.row_filter import TAGS_ROLE
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.words.directions import ordered
from workbench.gui.words.kinds import icon_of, word_for
from workbench.gui.words.run_words import comment_of, told_words
from workbench.gui.words.values import drawable, tip
from workbench.i18n import _
from workbench.model.meaning import StepKind
from workbench.model.program import Agent, Playbook, PythonFunction, Section, SectionKind, Step, StepId
from workbench.model.showing.outline import SECTION_WORDS, OutlineValue, values_under
from workbench.model.showing.texts import first_words, text_of
from workbench.model.showing.words import plain_text
from workbench.model.snapshot import Snapshot
from workbench.syntax.differences import common_ends, kept, part, windows_between

if TYPE_CHECKING:
    from workbench.model.showing.tags import Tags

Value = OutlineValue
Key = tuple[Hashable, ...]
Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
WORDS, NUMBER = range(2)


@dataclass(frozen=True, slots=True)
class RowLook:
    """What one row shows. *kind*: of a step, None for headings."""

    text: str
    icon: str
    kind: StepKind | None = None
    tip: str = ""


def keys_of(values: Sequence[Value]) -> list[Key]:
    """A key for each of *values*, unique among them; a step keeps its key over edits."""
    counts: dict[Hashable, int] = {}
    keys: list[Key] = []
    for value in values:
        if isinstance(value, Step):
            keys.append((value.id,))
            continue
        name = _name_of(value)
        counts[name] = counts.get(name, 0) + 1
        keys.append((name, counts[name]))
    return keys


def _name_of(value: Value) -> Hashable:
    match value:
        case Agent() | Playbook() | PythonFunction():
            return type(value).__name__, value.name
        case Section():
            return value.kind
    return type(value).__name__


def has_children(value: Value) -> bool:
    """True when something stands under *value*."""
    if isinstance(value, Step):
        return bool(value.children)
    return bool(value.steps) if isinstance(value, Section) else bool(values_under(value))


def prefix_and_start(playbook: Playbook, section: Section | None) -> tuple[str, int]:
    """How the numbers of a section's steps begin, and how many came before them; None: all steps of the playbook."""
    if section is None:
        return "", 0
    earlier = 0
    for each in playbook.sections:
        if each is section:
            break
        if each.kind is section.kind:
            earlier += sum(step.kind is not StepKind.RAW for step in each.steps)
    return {SectionKind.TRIGGERS: "T", SectionKind.NOTES: "N"}.get(section.kind, ""), earlier


def look_of(value: Value) -> RowLook:
    """What the row of *value* shows."""
    match value:
        case Step():
            is_raw = value.kind is StepKind.RAW
            first_line = first_words(text_of(value)) if is_raw else plain_text(value)
            tip = "\n".join(part for part in (word_for(value), told_words(value).strip(), comment_of(value)) if part)
            return RowLook(drawable(first_line), icon_of(value.kind), value.kind, drawable(tip))
        case Agent():
            return RowLook(drawable(value.title or value.name), "person" if value.kind == "Human" else "workbench")
        case Playbook():
            return RowLook(drawable(value.title), "playbook", tip=drawable(value.description))
        case PythonFunction():
            return RowLook(drawable(value.name), "python", tip=drawable(value.description))
        case Section():
            return RowLook(str(SECTION_WORDS[value.kind]), _SECTION_ICONS[value.kind])
    return RowLook("", "")


_SECTION_ICONS = {
    SectionKind.DESCRIPTION: "note",
    SectionKind.TRIGGERS: "trigger",
    SectionKind.STEPS: "step",
    SectionKind.NOTES: "note",
    SectionKind.OTHER: "raw",
}


def word_beside(value: Value) -> str:
    """What the row of *value* says of what it is, where that is not a list of steps."""
    if isinstance(value, PythonFunction):
        return _("Python function")
    return _("prompt") if isinstance(value, Playbook) and value.is_prompt else ""


def path_of(snapshot: Snapshot, step_id: StepId) -> list[Value]:
    """What the step may stand in, from the outside in; the step itself is the last."""
    lineage = snapshot.lineage(step_id)
    playbook = snapshot.playbook_of(step_id)
    agent = next(agent for agent in snapshot.program.agents if playbook in agent.playbooks)
    section = next(section for section in playbook.sections if lineage[0] in section.steps)
    return [agent, playbook, section, *lineage]


class Row:
    """One row. *children* is None until somebody asks for them; *values* is what they stand for."""

    __slots__ = ("_ordinals", "children", "key", "parent", "value", "values")

    def __init__(self, key: Key, value: Value, parent: Row | None) -> None:
        self.key = key
        self.value = value
        self.parent = parent
        self.children: list[Row] | None = None
        self.values: tuple[Value, ...] = ()
        self._ordinals: list[int] | None = None

    @property
    def step(self) -> Step | None:
        """The step that the row shows, None for headings."""
        return self.value if isinstance(self.value, Step) else None

    def path(self) -> tuple[Key, ...]:
        """The keys from the top down to this row."""
        above = self.parent.path() if self.parent is not None else ()
        return (*above, self.key)

    def load(self) -> list[Row]:
        """The rows below this one."""
        if self.children is None:
            self.values = values_under(self.value)
            self.children = [Row(key, value, self) for key, value in self.keyed(self.values)]
        return self.children

    def keyed(self, values: Sequence[Value]) -> list[tuple[Key, Value]]:
        """*values* with their keys."""
        return list(zip(keys_of(values), values, strict=True))

    def place(self) -> int:
        """Where this row stands among its siblings."""
        siblings = self.parent.children if self.parent is not None else None
        return siblings.index(self) if siblings else 0

    def exchange(self, places: slice, wanted: Sequence[tuple[Key, Value]]) -> None:
        """Put rows for *wanted* where those at *places* are."""
        assert self.children is not None, "only loaded rows are exchanged"
        self.children[places] = [Row(key, value, self) for key, value in wanted]
        fresh = tuple(value for _key, value in wanted)
        self.values = (*self.values[: places.start], *fresh, *self.values[places.stop :])
        self.renumber()

    def renumber(self) -> None:
        """The rows below came, went, or count differently now."""
        self._ordinals = None

    def number(self) -> str:
        """``02.01``, ``T1``; empty for headings and for what is kept word for word."""
        if not isinstance(self.value, Step) or self.parent is None:
            return ""
        if self.value.kind is StepKind.RAW:
            return ""
        if isinstance(self.parent.value, Step):
            return f"{self.parent.number()}.{self.parent.ordinal(self.place()):02d}"
        prefix, start = self.parent.numbering()
        ordinal = start + self.parent.ordinal(self.place())
        return f"{prefix}{ordinal}" if prefix else f"{ordinal:02d}"

    def numbering(self) -> tuple[str, int]:
        """How the numbers of the rows below begin, and how many came before them."""
        above = self.parent.value if self.parent is not None else None
        if isinstance(self.value, Section) and isinstance(above, Playbook):
            return prefix_and_start(above, self.value)
        return "", 0

    def ordinal(self, place: int) -> int:
        """How many of the rows below, up to the one at *place*, have a number."""
        if self._ordinals is None:
            count, self._ordinals = 0, []
            for value in self.values:
                count += is_numbered(value)
                self._ordinals.append(count)
        return self._ordinals[place]


def is_numbered(value: Value) -> bool:
    """False for steps that are kept word for word, which have no number."""
    return not (isinstance(value, Step) and value.kind is StepKind.RAW)


class OutlineModel(QAbstractItemModel):
    """Agents, playbooks, sections and steps of one document."""

    def __init__(self, snapshot: Snapshot, parent: QObject) -> None:
        super().__init__(parent)
        self._snapshot = snapshot
        self._root = Row((), snapshot.program, None)
        # Qt keeps bare pointers to rows: those that go stay alive until the change after the one they went with
        self._gone: list[Row] = []
        self._tags: tuple[Snapshot, Tags] | None = None

    @property
    def tags(self) -> Tags:
        """What is tagged in the document as it is shown; looked for when somebody asks."""
        from workbench.model.showing.tags import tags_of  # noqa: PLC0415 - no start needs it

        if self._tags is None or self._tags[0] is not self._snapshot:
            self._tags = self._snapshot, tags_of(self._snapshot)
        return self._tags[1]

    def reset(self, snapshot: Snapshot) -> None:
        """Show another document."""
        self.beginResetModel()
        self._gone = [self._root]
        self._snapshot = snapshot
        self._root = Row((), snapshot.program, None)
        self.endResetModel()

    def patch(self, snapshot: Snapshot) -> None:
        """Show the next revision of the same document: only rows that differ come, go or change."""
        self._snapshot = snapshot
        self._gone = []
        self._sync(self._root, snapshot.program)

    def row_at(self, index: Index) -> Row:
        """The row at *index*; what all others stand under where that is not valid."""
        row = index.internalPointer() if index.isValid() else None
        return row if isinstance(row, Row) else self._root

    def index_of(self, step_id: StepId) -> QModelIndex:
        """Where the step is shown; not valid where it is not."""
        if not self._snapshot.has(step_id):
            return QModelIndex()
        node = self._root
        for value in path_of(self._snapshot, step_id):
            children = node.load()
            if value in node.values:
                node = children[node.values.index(value)]
        return QModelIndex() if not isinstance(node.value, Step) else self.createIndex(node.place(), 0, node)

    def _sync(self, row: Row, value: Value) -> None:
        """Make *row* stand for *value*, and what is loaded below it follow."""
        row.value = value
        if row.children is None:
            return
        wanted = values_under(value)
        first, tail = common_ends(row.values, wanted)
        stop, are_steps = len(wanted) - tail, bool(wanted) and isinstance(wanted[0], Step)
        # the keys of steps do not depend on their siblings
        fresh = row.keyed(wanted[first:stop]) if are_steps else row.keyed(wanted)[first:stop]
        old = row.children[first : len(row.values) - tail]
        windows = windows_between([child.key for child in old], [key for key, _value in fresh])
        for one in reversed(windows):
            self._replace(row, slice(first + one.old.start, first + one.old.stop), fresh[part(one.new)])
        row.values = wanted
        for _was, stayed in kept(windows, len(old)):
            for place, (_key, new) in enumerate(fresh[stayed], first + stayed.start):
                self._follow(row.children[place], new, place)

    def _follow(self, row: Row, value: Value, place: int) -> None:
        """Make *row*, at *place*, stand for *value*, and tell views where that looks different."""
        before = row.value
        if before is value:
            return
        if row.parent is not None and is_numbered(before) is not is_numbered(value):
            row.parent.renumber()
        self._sync(row, value)
        changed = self.createIndex(place, 0, row)
        self.dataChanged.emit(changed, changed)

    def _replace(self, row: Row, places: slice, wanted: Sequence[tuple[Key, Value]]) -> None:
        """Exchange the rows at *places* below *row*."""
        index = self._index(row)
        if places.stop > places.start:
            self.beginRemoveRows(index, places.start, places.stop - 1)
            self._gone += row.load()[places]
            row.exchange(places, [])
            self.endRemoveRows()
        if wanted:
            self.beginInsertRows(index, places.start, places.start + len(wanted) - 1)
            row.exchange(slice(places.start, places.start), wanted)
            self.endInsertRows()

    def _index(self, node: Row) -> QModelIndex:
        return QModelIndex() if node.parent is None else self.createIndex(node.place(), 0, node)

    def index(self, row: int, column: int, parent: Index = _NO_INDEX) -> QModelIndex:
        """The row *row* below *parent*."""
        children = self.row_at(parent).load()
        return self.createIndex(row, column, children[row]) if 0 <= row < len(children) else QModelIndex()

    def parent(self, index: Index = _NO_INDEX) -> QModelIndex:  # type: ignore[override]
        """The row above *index*; only the first column holds rows."""
        above = self.row_at(index).parent
        return QModelIndex() if above is None or above.parent is None else self.createIndex(above.place(), 0, above)

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        """How many rows are below *parent*."""
        if parent.isValid() and parent.column() != WORDS:
            return 0
        return len(self.row_at(parent).load())

    def hasChildren(self, parent: Index = _NO_INDEX) -> bool:
        """True when there are rows below *parent*, which need not be loaded for it."""
        node = self.row_at(parent)
        if parent.isValid() and parent.column() != WORDS:
            return False
        return bool(node.children) if node.children is not None else has_children(node.value)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        """Words and number."""
        return 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One row's words, icon, colour or tool tip."""
        if role == TAGS_ROLE:
            return " ".join(f"#{tag}" for tag in sorted(self._tags_at(self.row_at(index).value)))
        if role not in _ROLES:
            return None
        if index.column() == NUMBER:
            return _number(self.row_at(index), role)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return None
        look = look_of(self.row_at(index).value)
        if role == Qt.ItemDataRole.DisplayRole:
            return ordered(look.text)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (look.text, word_beside(self.row_at(index).value)) if part)
        if role == Qt.ItemDataRole.DecorationRole:
            return icon(look.icon, look.kind or Ink.MUTED)
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(current_theme().color(Ink.MUTED if look.kind is None else Ink.TEXT))
        return tip(look.tip) or None

    def _tags_at(self, value: Value) -> frozenset[str]:
        """All tags that count for *value*; those of a section are said of its steps."""
        match value:
            case Step():
                return self.tags.of_step(self._snapshot, value.id)
            case Playbook():
                return self.tags.of_playbook(self._snapshot, value)
            case Agent():
                return self.tags.of_agent(value)
        return frozenset()


_ROLES = frozenset(
    {
        Qt.ItemDataRole.AccessibleTextRole,
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.DecorationRole,
        Qt.ItemDataRole.ForegroundRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.TextAlignmentRole,
    }
)


def _number(row: Row, role: int) -> Any:
    """The second column: small and muted."""
    if role == Qt.ItemDataRole.DisplayRole:
        # the words of steps need the room: what a function is in full is said by its tip, and to screen readers
        return row.number() or (_("Python") if isinstance(row.value, PythonFunction) else word_beside(row.value))
    if role == Qt.ItemDataRole.TextAlignmentRole:
        return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return QColor(current_theme().muted) if role == Qt.ItemDataRole.ForegroundRole else None
