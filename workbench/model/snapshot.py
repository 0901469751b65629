"""One revision of a document: text, blocks, program, positions, diagnostics. Frozen, usable on any thread.

``derive`` makes one from nothing; ``advance`` makes the next one after a change by scanning
and lowering only what the change touched. Both give the same, except that ``advance`` keeps
the ids of steps that are still there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from workbench.model.checks.families import check
from workbench.model.foreign import why_foreign
from workbench.model.format import TextFormat, detect_format
from workbench.model.identity import Buried, Carried, Matching, NewStep, OldStep, bury, unearth
from workbench.model.lowering import Role, count_nodes, lower_block, walk_items, words_of
from workbench.model.meaning import Call, Judge, StepKind
from workbench.model.program import Program, Step, StepId
from workbench.model.queries import Queries, heads_of
from workbench.model.resolve import Callables
from workbench.model.steplists.checks import check_list
from workbench.model.steplists.program import assemble_list
from workbench.model.structure import Assembler, Structure, spliced
from workbench.model.windows import Window, exchanged, part
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.scan import Rescan, block_starts, rescan, scan
from workbench.syntax.steplists.rescan import rescan_list
from workbench.syntax.steplists.scan import scan_list
from workbench.syntax.text import SourceText, TextChange


@dataclass(frozen=True, eq=False)
class Snapshot(Queries):
    """One revision of a document.

    *next_id* and *buried* are what the next revision needs to name steps. *windows*: which
    blocks differ from the revision before; of the first, all of them.
    """

    callables: Callables = field(default_factory=Callables)
    next_id: int = 1
    buried: Buried = field(default_factory=dict)
    windows: tuple[Window, ...] = ()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All findings, in the order of the text; looked for when they are first asked for."""
        # a ``cached_property`` holds one lock for the snapshots of all threads before Python 3.12
        found: tuple[Diagnostic, ...] | None = self.__dict__.get("_diagnostics")
        if found is None:
            found = check_list(self) if self.program.format.is_list else check(self)
            self.__dict__["_diagnostics"] = found
        return found

    @property
    def is_diagnosed(self) -> bool:
        """Whether the findings are there already."""
        return "_diagnostics" in self.__dict__


def derive(source: SourceText) -> Snapshot:
    """The first snapshot of *source*; ids are ``s1``, ``s2``, … in source order."""
    form = detect_format(source.text)
    return _Draft(_scanned(source.text, form)).finish(source, form)


def advance(snapshot: Snapshot, change: TextChange, carried: Sequence[Carried] = ()) -> Snapshot:
    """The snapshot after *change*."""
    draft = _Draft(snapshot.blocks, snapshot)
    text = change.apply(snapshot.text)
    form = detect_format(text)
    if form.is_list or snapshot.program.format.is_list:
        draft.exchange(_rescanned(snapshot, change, text, form))
    else:
        portion = snapshot.text
        for single in change.portions(snapshot.text):
            portion = single.apply(portion)
            draft.exchange(rescan(draft.blocks, draft.starts, single, portion))
        draft.blocks = _as_they_were(snapshot, draft, change)
    if draft.windows:
        draft.identify(snapshot, Matching(change, carried))
    return draft.finish(snapshot.source.with_text(text), form)


def _scanned(text: str, form: TextFormat) -> tuple[Block, ...]:
    return scan_list(text, is_json=form.is_json) if form.is_list else scan(text)


def _rescanned(snapshot: Snapshot, change: TextChange, text: str, form: TextFormat) -> Rescan:
    """What a change of a step list exchanged; everything where it became another kind of file."""
    before = snapshot.program.format
    if before.is_list and form.is_list and before.is_json is form.is_json:
        return rescan_list(snapshot.blocks, snapshot.block_starts, change, text, is_json=form.is_json)
    return Rescan(0, len(snapshot.blocks), _scanned(text, form))


_PLAIN = frozenset({BlockKind.ITEM, BlockKind.BLANK, BlockKind.COMMENT})
"""Blocks that can come and go without changing what the blocks around them are."""


class _Draft:
    """A snapshot in the making: blocks with the ids and steps that are known so far (None: not yet)."""

    def __init__(self, blocks: tuple[Block, ...], before: Snapshot | None = None) -> None:
        self.blocks = blocks
        self.before = before
        self.starts = list(before.block_starts) if before else block_starts(blocks)
        self.ids: list[tuple[StepId, ...] | None] = list(before.block_ids) if before else [None] * len(blocks)
        self.roots: list[Step | None] = list(before.roots) if before else [None] * len(blocks)
        self.next_id = before.next_id if before else 1
        self.buried: Buried = before.buried if before else {}
        self.windows: tuple[Window, ...] = () if before else (Window(range(0), range(len(blocks))),)

    def exchange(self, result: Rescan) -> None:
        """Replace the blocks that an edit touched."""
        window = slice(result.first, result.last_old)
        self.windows = exchanged(self.windows, result.first, result.last_old, len(result.fresh))
        self.starts = result.splice_starts(self.starts)
        self.blocks = result.splice(self.blocks)
        self.ids[window] = [None] * len(result.fresh)
        self.roots[window] = [None] * len(result.fresh)

    @property
    def fresh(self) -> Iterator[int]:
        """The indices of all blocks that came."""
        return (index for window in self.windows for index in window.new)

    def identify(self, before: Snapshot, matching: Matching) -> None:
        """Name the steps of all new blocks."""
        removed = [ids for window in self.windows for ids in before.block_ids[part(window.old)] if ids]
        old = [step for ids in removed for step in _old_steps(before, ids)]
        drafts = {index: _new_steps(self.blocks[index], self.starts[index]) for index in self.fresh}
        gone = {step.id for step in matching.match(old, [step for steps in drafts.values() for step in steps])}
        self._unearth(drafts)
        for index, steps in drafts.items():
            self.ids[index] = tuple([step.id or self._new_id() for step in steps])
        vanished = (ids for ids in removed if all(step_id in gone for step_id in ids))
        self.buried = bury(self.buried, [(before.blocks[before.where[ids[0]]].text, ids) for ids in vanished])

    def _unearth(self, drafts: Mapping[int, Sequence[NewStep]]) -> None:
        """Name the steps of blocks that are back after having vanished."""
        unknown = [
            (self.blocks[index].text, steps)
            for index, steps in drafts.items()
            if steps and not any(step.id for step in steps)
        ]
        kept = (step_id for names in self.ids for step_id in names or ())
        known = (step.id for steps in drafts.values() for step in steps if step.id)
        self.buried = unearth(self.buried, unknown, chain(kept, known))

    def _new_id(self) -> StepId:
        step_id = StepId(f"s{self.next_id}")
        self.next_id += 1
        return step_id

    def finish(self, source: SourceText, form: TextFormat) -> Snapshot:
        """The snapshot; steps are lowered where they are not known yet."""
        for index in self.fresh:
            if self.ids[index] is None:
                self.ids[index] = tuple([self._new_id() for _ in range(count_nodes(self.blocks[index]))])
        callables = self.before.callables if self.before else Callables()
        foreign = "" if form.is_list else why_foreign(source.text)
        is_other = self.before is not None and self.before.program.format is not form
        structure = None if foreign or is_other or self._was_foreign or form.is_list else self._spliced(callables)
        if form.is_list:
            structure, callables = self._listed(form, is_other=is_other), Callables()
        elif foreign:
            structure = Structure(Program((), foreign=foreign), ())
            self.roots = [None] * len(self.blocks)
        elif structure is None:
            structure, callables = self._assembled(callables)
        return Snapshot(
            self.before.revision + 1 if self.before else 0,
            source, self.blocks, self.starts, tuple([ids or () for ids in self.ids]), tuple(self.roots),
            structure, self._where(), callables, self.next_id, self.buried, self.windows,
        )  # fmt: skip

    def _listed(self, form: TextFormat, *, is_other: bool) -> Structure:
        """The structure of a step list."""
        ids = [names or () for names in self.ids]
        for index in self.fresh:
            self.roots[index] = self._root_of(ids[index], self.blocks[index])
        known = [None] * len(ids) if is_other else self.roots
        structure, self.roots = assemble_list(self.blocks, ids, known, form)
        return structure

    def _root_of(self, ids: tuple[StepId, ...], block: Block) -> Step | None:
        """The step that *block* was before, where it only stands elsewhere now."""
        index = self.before.where.get(ids[0]) if self.before is not None and ids else None
        if self.before is None or index is None or self.before.blocks[index] is not block:
            return None
        return self.before.roots[index] if self.before.block_ids[index] == ids else None

    @property
    def _was_foreign(self) -> bool:
        return self.before is not None and bool(self.before.program.foreign)

    def _where(self) -> dict[StepId, int]:
        if self.before is None or any(window.growth for window in self.windows):
            return {step_id: index for index, names in enumerate(self.ids) for step_id in names or ()}
        where = dict(self.before.where)
        for window in self.windows:
            for ids in self.before.block_ids[part(window.old)]:
                for step_id in ids:
                    del where[step_id]
        for index in self.fresh:
            where.update(dict.fromkeys(self.ids[index] or (), index))
        return where

    def _spliced(self, callables: Callables) -> Structure | None:
        """The structure where the edits only exchanged some steps of some sections; None where they did more."""
        if self.before is None:
            return None
        structure: Structure | None = self.before.structure
        for window in reversed(self.windows):
            if structure is not None:
                structure = self._with_window(structure, self.before, window, callables)
        return structure

    def _with_window(
        self, structure: Structure, before: Snapshot, window: Window, callables: Callables
    ) -> Structure | None:
        """*structure* with the steps of one window exchanged; None where it holds more than steps."""
        gone, fresh = before.blocks[part(window.old)], self.blocks[part(window.new)]
        roots = tuple([root for root in before.roots[part(window.old)] if root is not None])
        if not roots or not all(block.kind in _PLAIN for block in (*gone, *fresh)):
            return None
        role = _role_of(roots[0])
        steps: list[Step] = []
        for index in window.new:
            if self.blocks[index].kind is BlockKind.ITEM:
                step = self._root_of(self.ids[index] or (), self.blocks[index])
                if step is None or _role_of(step) is not role:
                    step = lower_block(self.blocks[index], self.ids[index] or (), role, callables)
                self.roots[index] = step
                steps.append(step)
        return spliced(structure, window.old.start, window.growth, roots, tuple(steps))

    def _assembled(self, callables: Callables) -> tuple[Structure, Callables]:
        """The structure from all blocks, and what its steps can call."""
        for index in self.fresh:
            self.roots[index] = self._root_of(self.ids[index] or (), self.blocks[index])
        structure = self._assemble(callables)
        found = callables_of(structure.program)
        if found == callables:
            return structure, callables
        self.roots = [None if root and _may_call(root) else root for root in self.roots]
        return self._assemble(found), found

    def _assemble(self, callables: Callables) -> Structure:
        used: list[Step | None] = [None] * len(self.blocks)
        known = self.roots

        def step_of(index: int, role: Role) -> Step:
            step = known[index]
            if step is None or _role_of(step) is not role:
                step = lower_block(self.blocks[index], self.ids[index] or (), role, callables)
            used[index] = step
            return step

        structure = Assembler(self.blocks, step_of).assemble()
        self.roots = [None] * len(used)
        for placed in structure.placed:
            # what stands in a chapter that is no playbook is not drawn and is no step
            self.roots[placed.start : placed.stop] = used[placed.start : placed.stop]
        return structure


def callables_of(program: Program) -> Callables:
    """What the steps of *program* can call by a sentence."""
    playbooks = [(playbook.name, playbook.parameters) for playbook in program.playbooks]
    functions = [(function.name, function.parameters) for function in program.functions]
    meetings = frozenset(one.name for one in program.playbooks if dict(one.metadata).get("meeting") is True)
    return Callables.of(playbooks + functions, meetings)


def _as_they_were(before: Snapshot, draft: _Draft, change: TextChange) -> tuple[Block, ...]:
    """The blocks of *draft*; those that were scanned again but only stand elsewhere now are the objects of *before*.

    Many edits make one window of all between the first and the last, and most of that is untouched.
    """
    places = {draft.starts[index]: index for index in draft.fresh}
    known: dict[int, Block] = {}
    for index in (index for window in draft.windows for index in window.old):
        place = places.get(change.map_position(before.block_starts[index]), -1)
        if place >= 0 and _is_same(before.blocks[index], draft.blocks[place]):
            known[place] = before.blocks[index]
    blocks = list(draft.blocks)
    for place, block in known.items():
        blocks[place] = block
    return tuple(blocks)


def _is_same(old: Block, new: Block) -> bool:
    """True when *new* is an item that has not been read yet, and would be read as *old*."""
    return callable(new.item_source) and old.kind is new.kind and old.text == new.text and old.problems == new.problems


def _role_of(step: Step) -> Role:
    if step.kind is StepKind.TRIGGER:
        return Role.TRIGGER
    return Role.NOTE if step.kind is StepKind.NOTE else Role.STEP


def _may_call(root: Step) -> bool:
    """True when a change of what can be called may change what *root* means."""
    actions = (getattr(step.meaning, "action", None) or step.meaning for step in root.walk())
    return any(isinstance(one, Judge) or (isinstance(one, Call) and one.is_resolved) for one in actions)


def _old_steps(before: Snapshot, ids: tuple[StepId, ...]) -> Iterator[OldStep]:
    index = before.where[ids[0]]
    texts = _texts(before.blocks[index])
    for (step_id, head), text in zip(before.heads_in_block(index), texts, strict=True):
        yield OldStep(step_id, head, text)


def _new_steps(block: Block, start: int) -> list[NewStep]:
    placeholders = [StepId("")] * count_nodes(block)
    heads = heads_of(block, placeholders, start)
    return [NewStep(head, text) for (_id, head), text in zip(heads, _texts(block), strict=True)]


def _texts(block: Block) -> list[str]:
    """The words of every step in *block*, in the order of its ids."""
    if block.item is None:
        return [block.text] * count_nodes(block)
    return [words_of(item.text.of(block.text)) for item in walk_items(block.item)]
