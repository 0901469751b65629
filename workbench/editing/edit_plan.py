"""What planning a command yields, and the draft it is put together in."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress, islice
from operator import add, and_, eq, gt, ne
from typing import Any

from workbench.editing.commands import Refusal
from workbench.model.incremental.identity import Carried
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import Side, TextChange, TextEdit, smallest_change
from workbench.syntax.text import Span


@dataclass(frozen=True, slots=True)
class EditPlan:
    """The edits that carry out a command against one snapshot.

    *carried*: which ids go on in the new text at places that the edits made. *heads*: offsets
    in the new text of what is to be selected. *reference_fixes*: edits against the **new** text
    that would put right what prose says of steps whose numbers changed ("step 5").
    *lost_references*: how many such mentions mean a step that is gone. *removed*: steps that
    are meant to go. *moved*: steps that change places, each with all that stands in it. *reworded*: steps that are
    meant to say something else.
    *seams*: offsets in the new text where things meet that did not before.
    """

    change: TextChange
    label: str
    carried: tuple[Carried, ...] = ()
    heads: tuple[int, ...] = ()
    removed: frozenset[StepId] = frozenset()
    moved: frozenset[StepId] = frozenset()
    reworded: frozenset[StepId] = frozenset()
    reference_fixes: tuple[TextEdit, ...] = ()
    lost_references: int = 0
    after: Snapshot | None = None
    seams: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True when the command changes nothing."""
        return self.change.is_empty

    def followed_by(self, change: TextChange) -> EditPlan:
        """The plan that makes *change*, of its new text, as well; it has not been tried."""
        carried = tuple(Carried(change.map_position(one.start, Side.BEFORE), one.ids) for one in self.carried)
        heads = tuple(change.map_position(head, Side.BEFORE) for head in self.heads)
        return replace(self, change=self.change.compose(change), carried=carried, heads=heads, after=None)


@dataclass(frozen=True, slots=True)
class Fragment:
    """New text in the making. *ids*: (offset in *text*, the ids of the steps from there on); *seams* as in a plan."""

    text: str
    ids: tuple[tuple[int, tuple[StepId, ...]], ...] = ()
    heads: tuple[int, ...] = ()
    seams: tuple[int, ...] = ()

    def __add__(self, other: Fragment) -> Fragment:
        by = len(self.text)
        return Fragment(
            self.text + other.text,
            self.ids + tuple((offset + by, ids) for offset, ids in other.ids),
            self.heads + tuple(offset + by for offset in other.heads),
            self.seams + tuple(offset + by for offset in other.seams),
        )


SEAM = Fragment("", seams=(0,))
"""Nothing, where what stands above and what stands below have come together."""


@dataclass(slots=True)
class _Numbers:
    """Edits that put other digits in the place of as many, in columns, as of a change: there may be very many."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    inserts: list[str] = field(default_factory=list)

    def sort(self) -> None:
        """Put them in the order of the text."""
        starts, ends, inserts = self.starts, self.ends, self.inserts
        if any(map(gt, starts, islice(starts, 1, None))):
            order = sorted(range(len(starts)), key=starts.__getitem__)
            self.starts, self.ends = [starts[at] for at in order], [ends[at] for at in order]
            self.inserts = [inserts[at] for at in order]


@dataclass(slots=True)
class Draft:
    """Collects replacements against one text; ``finish`` gives the smallest edits. *numbers*: see ``renumber``."""

    text: str
    pieces: list[tuple[Span, Fragment]] = field(default_factory=list)
    numbers: _Numbers = field(default_factory=_Numbers)

    def replace(self, span: Span, fragment: Fragment | str) -> None:
        """Put *fragment* in place of *span*."""
        piece = Fragment(fragment) if isinstance(fragment, str) else fragment
        if piece.ids or piece.heads or piece.seams or piece.text != span.of(self.text):
            self.pieces.append((span, piece))

    def renumber(self, starts: Sequence[int], olds: Sequence[str], news: Sequence[str]) -> None:
        """Put the numbers *news* in the place of *olds*, at *starts*, where they have as many digits."""
        wanted = list(map(and_, map(ne, olds, news), map(eq, map(len, olds), map(len, news))))
        self.numbers.starts += compress(starts, wanted)
        self.numbers.ends += compress(map(add, starts, map(len, olds)), wanted)
        self.numbers.inserts += compress(news, wanted)

    def finish(self, label: str, removed: frozenset[StepId] = frozenset()) -> EditPlan:
        """The plan; parts of a replacement that equal the old text are not edited."""
        edits: list[TextEdit] = []
        carried: list[Carried] = []
        heads: list[int] = []
        seams: list[int] = []
        shift = 0
        for span, fragment in sorted(self.pieces, key=lambda piece: (piece[0].start, piece[0].end)):
            start = span.start + shift
            carried += [Carried(start + offset, ids) for offset, ids in fragment.ids]
            heads += [start + offset for offset in fragment.heads]
            seams += [start + offset for offset in fragment.seams]
            edits += _trimmed(span, span.of(self.text), fragment.text)
            shift += len(fragment.text) - len(span)
        return EditPlan(self._change(edits), label, tuple(carried), tuple(heads), removed, seams=tuple(seams))

    def _change(self, edits: Sequence[TextEdit]) -> TextChange:
        """*edits*, and the numbers, which stand apart from them."""
        numbers = self.numbers
        if not numbers.starts:
            return TextChange(edits)
        numbers.sort()
        for edit in reversed(TextChange(edits).edits):
            at = bisect_left(numbers.starts, edit.span.start)  # what is put in comes before a number at its place
            numbers.starts.insert(at, edit.span.start)
            numbers.ends.insert(at, edit.span.end)
            numbers.inserts.insert(at, edit.insert)
        return TextChange.of_columns(numbers.starts, numbers.ends, numbers.inserts)


def _trimmed(span: Span, old: str, new: str) -> list[TextEdit]:
    """The edit from *old* at *span* to *new* without what is equal at both ends."""
    return [TextEdit(edit.span.shifted(span.start), edit.insert) for edit in smallest_change(old, new).edits]


Verb = tuple[Callable[[Snapshot, Any], Refusal | None], Callable[[Snapshot, Any], EditPlan | Refusal]]
"""What carries out one kind of command: why it cannot be done, and the plan for it."""
