"""Which step is which after an edit.

A step keeps its id when a command says so (``Carried``), when its words still begin where
they began, when the same words stand elsewhere in the part that changed, when they come
back after having vanished, or when similar words stand in the same order. Everything else
is new. Ids are never given out twice.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate, chain, count, islice

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
    removed = [ids for window in draft.windows for ids in before.block_ids[part(window.old)] if ids]
    old = [step for ids in removed for step in _old_steps(before, ids)]
    new = {index: _new_steps(draft.blocks[index], draft.starts[index]) for index in draft.fresh}
    matching = Matching(change, carried)
    gone = {step.id for step in matching.match(old, [step for steps in new.values() for step in steps])}
    buried = _without_revived(draft, new)
    numbers = count(before.names.next_id)
    for index, steps in new.items():
        draft.ids[index] = tuple([step.id or StepId(f"s{next(numbers)}") for step in steps])
    vanished = (ids for ids in removed if all(step_id in gone for step_id in ids))
    texts = [(before.blocks[before.where[ids[0]]].text, ids) for ids in vanished]
    return Names(next(numbers), bury(buried, texts))


def _without_revived(draft: Draft, new: Mapping[int, Sequence[NewStep]]) -> Buried:
    """What stays buried when the steps of blocks that are back after having vanished have been named."""
    unknown = [
        (draft.blocks[index].text, steps)
        for index, steps in new.items()
        if steps and not any(step.id for step in steps)
    ]
    kept = (step_id for ids in draft.ids for step_id in ids)
    known = (step.id for steps in new.values() for step in steps if step.id)
    return unearth(draft.before.names.buried, unknown, chain(kept, known))


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
    """A step of the part that replaced it; *id* is None until it is known which it is."""

    head: int
    text: str
    id: StepId | None = None


@dataclass(frozen=True, slots=True)
class Matching:
    """One matching of old to new steps."""

    change: TextChange
    carried: Sequence[Carried]

    def match(self, old: Sequence[OldStep], new: Sequence[NewStep]) -> list[OldStep]:
        """Give *new* the ids of *old* where they are the same; the old ones that are gone."""
        taken = self._carry(new)
        left = [step for step in old if step.id not in taken]
        left = self._by_anchor(left, new, _has_same_text)
        left = self._by_anchor(left, new, _always)
        left = _by_text(left, new)
        return _by_similarity(left, new)

    def _carry(self, new: Sequence[NewStep]) -> set[StepId]:
        taken: set[StepId] = set()
        # an undo carries thousands at once: each begins to look at the first step that reaches so far
        furthest = list(accumulate((step.head for step in new), max))
        for carried in self.carried:
            onward = range(bisect_left(furthest, carried.start), len(new))
            following = (new[index] for index in onward if new[index].head >= carried.start)
            for step, step_id in zip(following, carried.ids, strict=False):
                step.id = step_id
                taken.add(step_id)
        return taken

    def _by_anchor(
        self, old: Sequence[OldStep], new: Sequence[NewStep], fits: Callable[[OldStep, NewStep], bool]
    ) -> list[OldStep]:
        free = {step.head: step for step in new if not step.id}
        left: list[OldStep] = []
        for before in old:
            after = free.get(self.change.map_position(before.head, Side.BEFORE))
            if after is None or after.id or not fits(before, after):
                left.append(before)
            else:
                after.id = before.id
        return left


def _has_same_text(before: OldStep, after: NewStep) -> bool:
    return before.text == after.text


def _always(_before: OldStep, _after: NewStep) -> bool:
    return True


def _by_text(old: Iterable[OldStep], new: Sequence[NewStep]) -> list[OldStep]:
    free: dict[str, list[NewStep]] = {}
    for step in reversed(new):
        if not step.id:
            free.setdefault(step.text, []).append(step)
    left: list[OldStep] = []
    for before in old:
        candidates = free.get(before.text)
        if candidates:
            candidates.pop().id = before.id
        else:
            left.append(before)
    return left


def _by_similarity(old: list[OldStep], new: Sequence[NewStep]) -> list[OldStep]:
    free = [step for step in new if not step.id]
    if not free or len(old) * len(free) > _SIMILARITY_LIMIT**2:
        return old
    left: list[OldStep] = []
    first = 0
    for before in old:
        found = next((i for i in range(first, len(free)) if _is_similar(before.text, free[i].text)), None)
        if found is None:
            left.append(before)
        else:
            free[found].id = before.id
            first = found + 1
    return left


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


def unearth(buried: Buried, blocks: Iterable[tuple[str, Sequence[NewStep]]], living: Iterable[StepId]) -> Buried:
    """Give the steps of *blocks* (with their texts) the ids that were buried last with such a block.

    The result is what stays buried. Ids of *living* steps are not given: undo brings steps
    back without digging.
    """
    known = [(text, steps) for text, steps in blocks if text in buried]
    if not known:
        return buried
    above = set(living)
    taken: Counter[str] = Counter()
    for text, steps in known:
        if taken[text] < len(buried[text]):
            taken[text] += 1
            ids = buried[text][-taken[text]]
            for step, step_id in zip(steps, ids, strict=False):
                step.id = None if step_id in above else step_id
            above.update(ids)
    rest = {text: names[: len(names) - taken[text]] if text in taken else names for text, names in buried.items()}
    return {text: names for text, names in rest.items() if names}
