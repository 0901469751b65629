"""Ordinary markdown → chapters with steps: a title, chapters in order, headings and lists below them.

A chapter is a playbook. Headings below it hold what stands under them: they are steps themselves, groups of steps, or
text. Whatever is no step is drawn as text in its place, so that nothing an author wrote is missing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from workbench.model.markdown.heads import text_of
from workbench.model.markdown.lowering import Role, Surroundings, lower_block
from workbench.model.markdown.metadata import Metadata, front_matter
from workbench.model.meaning import Branch, Group, Judge, Meaning, Raw, kind_of
from workbench.model.procedures.deciding import Deciding, Run, bold_step, runs_of
from workbench.model.procedures.earlier import Earlier
from workbench.model.procedures.headings import Node, tree_of
from workbench.model.program import (
    RAW_KINDS,
    Agent,
    PlacedPlaybook,
    Playbook,
    Program,
    Section,
    SectionKind,
    Step,
    StepId,
    Structure,
)
from workbench.model.sentences.prose.reading import classify_prose
from workbench.model.sentences.resolving import Callables
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.heading_words import Sort, begins_with_verb, step_title
from workbench.syntax.signatures import normalise_name

_UNTITLED = "Main"
_CHAPTER = "Chapter"
OF_PROCEDURES = Surroundings(Role.STEP, "", Callables(), is_procedure=True)
"""What every step of a procedure stands in: nothing in it is a sentence that calls."""


def assemble_procedure(
    blocks: Sequence[Block],
    ids: Sequence[tuple[StepId, ...]],
    known: Sequence[Step | None],
    wanted: Mapping[str, bool],
    earlier: Earlier | None = None,
) -> Structure:
    """What *blocks* mean, whose steps have *ids*, where they are no program.

    *known*: for each block a step that it meant before, or None; it is taken again where it still means the same.
    *wanted*: what a person says of chapters, by their titles: true where they are something to do. *earlier*: the
    state before, which was read with the same wishes; a chapter in which nothing changed is taken from it.
    """
    deciding, reading = Deciding(blocks, wanted), Deciding(blocks, is_reading=True)
    return _Assembler(blocks, ids, known, deciding, reading, earlier).assemble()


@dataclass(slots=True)
class _Names:
    """The names of chapters so far. *counts*: the number that the next one like it has, by name."""

    taken: set[str] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)

    def name(self, title: str) -> str:
        """The name of a chapter, which no other has; what counts chapters is not part of it."""
        name = base = _base_name(title)
        number = self.counts.get(base, 2)
        while name in self.taken:
            name, number = f"{base}{number}", number + 1
        self.taken.add(name)
        self.counts[base] = number
        return name


@dataclass(slots=True)
class _Assembler:
    blocks: Sequence[Block]
    ids: Sequence[tuple[StepId, ...]]
    known: Sequence[Step | None]
    deciding: Deciding
    reading: Deciding
    earlier: Earlier | None
    roots: list[Step | None] = field(default_factory=list)
    placed: list[PlacedPlaybook] = field(default_factory=list)
    names: _Names = field(default_factory=_Names)

    def assemble(self) -> Structure:
        self.roots = [None] * len(self.blocks)
        tree = tree_of(self.blocks)
        if not any(self.deciding.is_done(node) for node in (tree, *tree.below)):
            self.deciding = Deciding(self.blocks, self.deciding.wanted, is_generous=True)
        first = next((index for index in tree.own if self.blocks[index].kind is BlockKind.ITEM), tree.own_stop)
        if first < tree.own_stop or not tree.below:
            run = next(runs_of(self.blocks, tree.own), None)
            # the chapter directly under the title begins with the line that introduces its list
            first = run.start if run is not None else first
        self._chapters(tree, first)
        agent = _agent(self.blocks, tree, first, tuple([each.playbook for each in self.placed]))
        program = Program((agent,) if self.blocks else (), _front(self.blocks))
        is_generous = self.deciding.is_generous
        return Structure(program, tuple(self.placed), tuple(self.roots), Callables(), is_generous)

    def _chapters(self, tree: Node, first: int) -> None:
        """What stands directly under the title, and the headings below; neighbours that are steps are one chapter."""
        if first < tree.own_stop:
            alone = replace(tree, below=[], stop=tree.own_stop)
            self._chapter(alone, first, self._content(alone, range(first, tree.own_stop)), is_implied=True)
        nodes, at = tree.below, 0
        while at < len(nodes):
            start, at = at, next((each for each in range(at, len(nodes)) if not nodes[each].is_step), len(nodes))
            if at > start:
                # steps that stand side by side with chapters are a chapter of their own, named like the document
                steps = tuple([step for each in nodes[start:at] for step in self._below(each, Sort.DONE)])
                self._chapter(replace(tree, stop=nodes[at - 1].stop), nodes[start].at, steps, is_implied=True)
            else:
                self._whole(nodes[at])
                at += 1

    def _whole(self, node: Node) -> None:
        """The chapter that the heading *node* begins; the earlier one, where nothing in it has changed."""
        part, known = slice(node.at, node.stop), None
        if self.earlier is not None and self.earlier.is_generous is self.deciding.is_generous:
            known = self.earlier.chapter(self.blocks[part], self.ids[part])
        if known is not None:
            playbook, self.roots[part] = known
            name = self.names.name(playbook.title)
            same = playbook if name == playbook.name else replace(playbook, name=name)
            self.placed.append(PlacedPlaybook(same, node.at, node.stop))
            return
        is_done = self.deciding.is_done(node)
        steps = self._inside(node) if is_done else self._read(node)
        self._chapter(node, node.at, steps, is_read=not is_done)

    def _read(self, node: Node) -> tuple[Step, ...]:
        """All that stands under the heading *node*, which is not done: with its numbered lists, or else as one text."""
        if not self.reading.is_done(node):
            return self._text(range(node.at + 1, node.stop))
        deciding, self.deciding = self.deciding, self.reading
        steps = self._inside(node)
        self.deciding = deciding
        return steps

    def _chapter(
        self, node: Node, start: int, steps: tuple[Step, ...], *, is_implied: bool = False, is_read: bool = False
    ) -> None:
        heading = self.blocks[node.at] if node.at >= 0 else None
        title = node.title if heading else _UNTITLED
        playbook = Playbook(
            self.names.name(title),
            title,
            (),
            "",
            heading,
            "",
            (Section(SectionKind.STEPS, None, steps),),
            is_implied=is_implied,
            written=title,
            is_chapter=True,
            is_carried_out=not is_read and _any_done(steps),
        )
        self.placed.append(PlacedPlaybook(playbook, start, node.stop))

    def _inside(self, node: Node) -> tuple[Step, ...]:
        """All that stands under the heading *node*, which is done."""
        below = [step for each in node.below for step in self._below(each, node.sort)]
        return (*self._content(node, node.own), *below)

    def _below(self, node: Node, around: Sort) -> tuple[Step, ...]:
        """The step that the heading *node* begins, or the text that it is; *around*: the sort of the heading above."""
        is_text = node.sort is not Sort.NEUTRAL or around is not Sort.DONE
        if is_text and not self.deciding.is_done(node):
            if not self.reading.is_done(node):
                return self._text(range(node.at, node.stop))
            return (self._step(node.at, Group(is_read=True), self._read(node), node.stop - node.at),)
        children = self._inside(node)
        return (self._heading(node, children),)

    def _heading(self, node: Node, children: tuple[Step, ...]) -> Step:
        said = classify_prose(node.title, has_children=bool(children))
        meaning: Meaning = said if isinstance(said, Branch) else Judge(node.title)
        if not node.is_step and not isinstance(said, Branch) and _any_done(children):
            meaning = Group()
        return self._step(node.at, meaning, children, node.stop - node.at)

    def _content(self, node: Node, own: range) -> tuple[Step, ...]:
        """What stands directly under a heading: its lists as steps or text, and everything else in its place."""
        runs = {run.start: run for run in self.deciding.runs(node, own)}
        told = self._told(node, runs.values(), own)
        found: list[Step] = []
        at = own.start
        while at < own.stop:
            run = runs.get(at)
            if run is None:
                found += self._block(at, is_step=at in told)
                at += 1
                continue
            part = range(run.start, run.stop)
            found += self._steps(part, told) if self.deciding.has_steps(node, run) else self._text(part)
            at = run.stop
        return tuple(found)

    def _steps(self, part: range, told: Collection[int]) -> list[Step]:
        """The steps of a list, which stands in *part*, and what stands between them."""
        found: list[Step] = []
        for at in part:
            if self.blocks[at].kind is BlockKind.ITEM:
                found.append(self._lowered(at))
            else:
                found += self._block(at, is_step=at in told)
        return found

    def _told(self, node: Node, runs: Iterable[Run], own: range) -> frozenset[int]:
        """The paragraphs that are steps, where something is to be done and nothing else says what."""
        if self.deciding.is_reading or node.sort is not Sort.DONE or node.is_step:
            return frozenset()
        if any(self.deciding.is_done(each) for each in node.below):
            return frozenset()
        # lists first: what is known of them answers for thousands of lines
        if any(self.deciding.has_steps(node, run) for run in runs):
            return frozenset()
        if any(bold_step(self.blocks[at]) or self.deciding.is_step_table(at) for at in own):
            return frozenset()
        prose = [at for at in own if self.blocks[at].kind is BlockKind.PARAGRAPH]
        return frozenset([at for at in prose if _tells(self.blocks[at])] or prose[:1])

    def _block(self, index: int, *, is_step: bool) -> tuple[Step, ...]:
        block = self.blocks[index]
        if block.kind is BlockKind.ITEM or self.deciding.is_step_table(index):
            return (self._lowered(index),)
        if block.kind not in RAW_KINDS:
            return ()
        if bold_step(block) or is_step:
            return (self._step(index, Judge(" ".join(block.text.split())), (), 1),)
        return (self._step(index, Raw(), (), 1),)

    def _lowered(self, index: int) -> Step:
        step = self.known[index]
        if step is None or (step.item is None and not step.children) or step.home:
            step = lower_block(self.blocks[index], self.ids[index], OF_PROCEDURES)
        self.roots[index] = step
        return step

    def _text(self, blocks: range) -> tuple[Step, ...]:
        """*blocks* as one text; nothing where they say nothing."""
        first = next((index for index in blocks if self.ids[index]), blocks.stop)
        last = next((at for at in reversed(blocks) if self.blocks[at].kind is not BlockKind.BLANK), blocks.start)
        if first >= blocks.stop:
            return ()
        return (self._step(first, Raw(), (), last + 1 - first),)

    def _step(self, index: int, meaning: Meaning, children: tuple[Step, ...], count: int) -> Step:
        """The step that begins with the block *index* and takes *count* blocks; the known one where it is the same."""
        block, known = self.blocks[index], self.known[index]
        text = (
            block.title
            if block.kind is BlockKind.HEADING and not isinstance(meaning, Raw)
            else _words(self.blocks[index : index + count])
        )
        if isinstance(meaning, Judge) and block.kind is not BlockKind.HEADING:
            text = meaning.text
        step = Step(self.ids[index][0], kind_of(meaning), text, meaning, block, None, children, blocks=count)
        if known is not None and _is_same(known, step):
            step = known
        self.roots[index] = step
        return step


@lru_cache(maxsize=32_768)
def _base_name(title: str) -> str:
    """The name of a chapter with *title*, as long as no other has it."""
    said = step_title(title)
    base = normalise_name(title[title.index(said.number) + len(said.number) :] if said else title).name
    return f"{_CHAPTER}{base}" if base[0].isdigit() else base


def _tells(block: Block) -> bool:
    """True for a paragraph that tells somebody to do something, or leads to a command."""
    words = block.text.strip()
    return (
        begins_with_verb(words) or words.endswith(":") or isinstance(classify_prose(words, has_children=False), Branch)
    )


def _any_done(steps: Iterable[Step]) -> bool:
    return any(not isinstance(step.meaning, Raw) for step in steps)


def _is_same(known: Step, step: Step) -> bool:
    """True where *known* says all that *step* does."""
    return (known.id, known.block, known.text, known.meaning, known.children, known.blocks) == (
        step.id,
        step.block,
        step.text,
        step.meaning,
        step.children,
        step.blocks,
    )


def _front(blocks: Sequence[Block]) -> Metadata:
    # only a line for a shell can stand above it
    found = next((block for block in blocks[:2] if block.kind is BlockKind.FRONT_MATTER), None)
    return front_matter(found.text) if found is not None else ()


def _agent(blocks: Sequence[Block], tree: Node, first: int, chapters: tuple[Playbook, ...]) -> Agent:
    """Who the document is about: its title, and what stands above the block *first*, where the first chapter begins."""
    above = [block for block in blocks[tree.at + 1 : first] if block.kind is not BlockKind.FRONT_MATTER]
    heading = blocks[tree.at] if tree.at >= 0 else None
    return Agent(normalise_name(tree.title).name, tree.title, "AI", heading, text_of(above).strip(), chapters)


def _words(blocks: Sequence[Block]) -> str:
    return "".join([block.text for block in blocks]).strip()
