"""Which step is which after an edit.

A step keeps its id when a command says so (``Carried``), when its words still begin where
they began, when the same words stand elsewhere in the part that changed, when they come
back after having vanished, or when similar words stand in the same order. Everything else
is new. Ids are never given out twice.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate, islice

from workbench.model.incremental.draft import Draft
from workbench.model.markdown.lowering import readable_text
from workbench.model.program import StepId, count_ids
from workbench.model.queries import heads_of
from workbench.model.snapshot import Buried, Names, Snapshot
from workbench.syntax.blocks import Block
from workbench.syntax.change import Side, TextChange
from workbench.syntax.differences import part

SIMILAR = 0.6
_SIMILARITY_LIMIT = 40
_BURIED_LIMIT = 20_000


def name_steps(draft: Draft, change: TextChange, carried: Sequence[Carried]) -> Names:
    """Fill in the ids of the fresh blocks in *draft*; the result is what naming the next ones needs."""
    before = draft.before
    removed = [names for window in draft.windows for names in before.block_ids[part(window.old)] if names]
    old = [step for names in removed for step in _old_steps(before, names)]
    new = {index: _new_steps(draft.blocks[index], draft.starts[index]) for index in draft.fresh if not draft.ids[index]}
    ids = Ids(before.names.next_id, _is_kept(draft))
    matching = Matching(change, carried, ids)
    gone = {step.id for step in matching.match(old, [step for steps in new.values() for step in steps])}
    nameless = [(draft.blocks[at].text, steps) for at, steps in new.items() if not any(step.id for step in steps)]
    buried = unearth(before.names.buried, nameless, ids)
    for index, steps in new.items():
        draft.ids[index] = tuple([step.id or ids.make(step) for step in steps])
    vanished = (names for names in removed if all(step_id in gone for step_id in names))
    texts = [(before.blocks[before.where[names[0]]].text, names) for names in vanished]
    return Names(ids.next_number, bury(buried, texts))


def _is_kept(draft: Draft) -> Callable[[StepId], bool]:
    where, windows = draft.before.where, draft.windows

    def is_kept(step_id: StepId) -> bool:
        index = where.get(step_id)
        return index is not None and not any(index in window.old for window in windows)

    return is_kept


def _old_steps(before: Snapshot, ids: tuple[StepId, ...]) -> Iterator[OldStep]:
    index = before.where[ids[0]]
    texts = _texts(before.blocks[index])
    for (step_id, head), text in zip(before.heads_in_block(index), texts, strict=True):
        yield OldStep(step_id, head, text)


def _new_steps(block: Block, start: int) -> list[NewStep]:
    placeholders = [StepId("")] * count_ids(block)
    heads = heads_of(block, placeholders, start)
    return [NewStep(head, text) for (_id, head), text in zip(heads, _texts(block), strict=True)]


def _texts(block: Block) -> list[str]:
    """The words of every step in *block*, in the order of its ids."""
    if block.item is None:
        return [block.text] * count_ids(block)
    return [readable_text(item.text.of(block.text)) for item in block.item.walk()]


@dataclass(frozen=True, slots=True)
class Carried:
    """In the new text, the steps whose words begin at or after *start* are *ids*, in source order."""

    start: int
    ids: tuple[StepId, ...]


@dataclass(frozen=True, slots=True)
class OldStep:
    """A step of the part that was replaced: where its words began, and what they were."""

    id: StepId
    head: int
    text: str


@dataclass(slots=True)
class NewStep:
    """A step of the part that replaced it; *id* is None until ``Ids`` gives it one."""

    head: int
    text: str
    id: StepId | None = None


class Ids:
    """Hands out the ids of one revision, each of them once: whoever finds out which step is which has to ask here.

    So no two steps can have one id, whatever is found. *is_kept*: true of the ids of steps that the change left alone.
    """

    def __init__(self, next_number: int, is_kept: Callable[[StepId], bool]) -> None:
        self.next_number = next_number
        self._is_kept = is_kept
        self._given: set[StepId] = set()

    def is_free(self, step_id: StepId) -> bool:
        """True while no step of the revision has *step_id*."""
        return step_id not in self._given and not self._is_kept(step_id)

    def give(self, step: NewStep, step_id: StepId) -> bool:
        """Make *step* the one with *step_id*; False where it has another id, or another step has this one."""
        if step.id is not None or not self.is_free(step_id):
            return False
        self._given.add(step_id)
        step.id = step_id
        return True

    def make(self, step: NewStep) -> StepId:
        """Give *step* an id that no step ever had."""
        step_id = StepId(f"s{self.next_number}")
        self.next_number += 1
        self.give(step, step_id)
        return step_id


@dataclass(frozen=True, slots=True)
class Matching:
    """One matching of old to new steps."""

    change: TextChange
    carried: Sequence[Carried]
    ids: Ids

    def match(self, old: Sequence[OldStep], new: Sequence[NewStep]) -> list[OldStep]:
        """Give *new* the ids of *old* where they are the same; the old ones that are gone."""
        self._carry(new)
        left = [step for step in old if self.ids.is_free(step.id)]
        left = self._by_anchor(left, new, _has_same_text)
        left = self._by_anchor(left, new, _always)
        left = self._by_text(left, new)
        return self._by_similarity(left, new)

    def _carry(self, new: Sequence[NewStep]) -> None:
        # an undo carries thousands at once: each begins to look at the first step that reaches so far
        furthest = list(accumulate((step.head for step in new), max))
        # where two name one step, the later knows better
        for carried in reversed(self.carried):
            onward = range(bisect_left(furthest, carried.start), len(new))
            following = (new[index] for index in onward if new[index].head >= carried.start)
            for step, step_id in zip(following, carried.ids, strict=False):
                self.ids.give(step, step_id)

    def _by_anchor(
        self, old: Sequence[OldStep], new: Sequence[NewStep], fits: Callable[[OldStep, NewStep], bool]
    ) -> list[OldStep]:
        free = {step.head: step for step in new if not step.id}
        left: list[OldStep] = []
        for before in old:
            after = free.get(self.change.map_position(before.head, Side.BEFORE))
            if after is None or not fits(before, after) or not self.ids.give(after, before.id):
                left.append(before)
        return left

    def _by_text(self, old: Iterable[OldStep], new: Sequence[NewStep]) -> list[OldStep]:
        free: dict[str, list[NewStep]] = {}
        for step in reversed(new):
            if not step.id:
                free.setdefault(step.text, []).append(step)
        left: list[OldStep] = []
        for before in old:
            candidates = free.get(before.text)
            if not candidates or not self.ids.give(candidates.pop(), before.id):
                left.append(before)
        return left

    def _by_similarity(self, old: list[OldStep], new: Sequence[NewStep]) -> list[OldStep]:
        free = [step for step in new if not step.id]
        if not free or len(old) * len(free) > _SIMILARITY_LIMIT**2:
            return old
        left: list[OldStep] = []
        first = 0
        for before in old:
            found = next((i for i in range(first, len(free)) if _is_similar(before.text, free[i].text)), None)
            if found is None or not self.ids.give(free[found], before.id):
                left.append(before)
            else:
                first = found + 1
        return left


def _has_same_text(before: OldStep, after: NewStep) -> bool:
    return before.text == after.text


def _always(_before: OldStep, _after: NewStep) -> bool:
    return True


def _is_similar(first: str, second: str) -> bool:
    matcher = SequenceMatcher(None, first[:400], second[:400], autojunk=False)
    return matcher.real_quick_ratio() >= SIMILAR and matcher.quick_ratio() >= SIMILAR and matcher.ratio() >= SIMILAR


def bury(buried: Buried, vanished: Iterable[tuple[str, tuple[StepId, ...]]]) -> Buried:
    """*buried* with the blocks that vanished added; the oldest are forgotten beyond a limit."""
    added: dict[str, list[tuple[StepId, ...]]] = {}
    for text, ids in vanished:
        names = added.pop(text, [])  # put in again: the last that vanished is the last to be forgotten
        names.append(ids)
        added[text] = names
    if not added:
        return buried
    merged = dict(buried)
    for text, names in added.items():
        merged[text] = (*merged.pop(text, ()), *names)
    for text in tuple(islice(merged, max(0, len(merged) - _BURIED_LIMIT))):
        del merged[text]
    return merged


def unearth(buried: Buried, blocks: Iterable[tuple[str, Sequence[NewStep]]], ids: Ids) -> Buried:
    """Give the steps of *blocks* (with their texts) the ids that were buried last with such a block.

    The result is what stays buried. Undo brings steps back without digging, so that some of these ids may be taken.
    """
    known = [(text, steps) for text, steps in blocks if text in buried]
    if not known:
        return buried
    taken: Counter[str] = Counter()
    for text, steps in known:
        if taken[text] < len(buried[text]):
            taken[text] += 1
            for step, step_id in zip(steps, buried[text][-taken[text]], strict=False):
                ids.give(step, step_id)
    rest = {text: names[: len(names) - taken[text]] if text in taken else names for text, names in buried.items()}
    return {text: names for text, names in rest.items() if names}
