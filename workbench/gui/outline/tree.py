"""The rows of the outline: made when they are looked at, numbered like the steps they show."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.gui.outline.nodes import Key, Value, keys_of, prefix_and_start, values_under
from workbench.model.meaning import StepKind
from workbench.model.program import Playbook, Section, Step
from workbench.syntax.differences import common_ends


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
        if isinstance(self.parent.value, Step):
            return f"{self.parent.number()}.{self.place() + 1:02d}"
        if self.value.kind is StepKind.RAW:
            return ""
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


def differing(old: Sequence[object], new: Sequence[object]) -> tuple[int, int, int]:
    """Where two sequences differ: ``[first, last_old)`` against ``[first, last_new)``.

    Slices compare in C, so this is quick although it may look at all of them.
    """
    first, tail = common_ends(old, new)
    return first, len(old) - tail, len(new) - tail
