"""The headings of a document as a tree, and which of them is its title.

People number levels as they like: a file may begin with ``##``, have a ``#`` for each chapter, or none at all. So
what a heading is depends on the headings around it, never on its level alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.heading_words import Sort, StepTitle, sort_of, step_title

_ANCHOR = regex(r"[ \t]*+\{#[^{}]*\}\Z")
"""``Overview {#overview}``: the name that links use, and no word of the title."""


@dataclass(slots=True, eq=False)
class Node:
    """A heading with all that stands below it.

    *at*: its block, -1 for what stands above all headings. *stop*: the block behind all that it holds. *below*: the
    headings directly under it. *is_step*: it begins a step; see ``mark_steps``.
    """

    at: int
    level: int
    title: str
    stop: int
    below: list[Node] = field(default_factory=list)
    is_step: bool = False

    @property
    def own_stop(self) -> int:
        """The block behind what stands directly under the heading."""
        return self.below[0].at if self.below else self.stop

    @property
    def own(self) -> range:
        """The blocks directly under the heading."""
        return range(self.at + 1, self.own_stop)

    @property
    def sort(self) -> Sort:
        """What the title promises."""
        return sort_of(self.title)

    @property
    def step(self) -> StepTitle | None:
        """The step that the title speaks of."""
        return step_title(self.title)

    def walk(self) -> Iterator[Node]:
        """This heading and all below it, in source order."""
        yield self
        for each in self.below:
            yield from each.walk()


def tree_of(blocks: Sequence[Block]) -> Node:
    """All of *blocks*: the title with its chapters below it; where there is no title, it is empty and at -1."""
    root = Node(-1, 0, "", len(blocks))
    line = [root]
    for index in [at for at, each in enumerate(blocks) if each.kind is BlockKind.HEADING]:
        block = blocks[index]
        while line[-1].level >= block.level:
            line.pop().stop = index
        node = Node(index, block.level, _ANCHOR.sub("", block.title), len(blocks))
        line[-1].below.append(node)
        line.append(node)
    title = _title(root, blocks)
    if title is not None:
        # what follows the title on its own level is a chapter as well
        title.below += root.below[1:]
        title.stop = root.stop
    found = title or root
    mark_steps(found, is_top=True)
    return found


def _title(root: Node, blocks: Sequence[Block]) -> Node | None:
    """The heading that names the document: the first, where it is not one of several chapters of its level."""
    first = root.below[0] if root.below else None
    if first is None or first.level != 1 or any(blocks[index].kind is BlockKind.ITEM for index in range(first.at)):
        return None
    alike = [each for each in root.below if each.level == 1]
    if len(alike) == 1:
        return first
    if first.below:
        return None if sum(bool(each.below) for each in alike) > 1 else first
    return None if any(blocks[index].kind is BlockKind.ITEM for index in first.own) else first


def mark_steps(node: Node, *, is_top: bool = False) -> None:
    """Say of all headings below *node* which begin a step.

    *Step 2: Rest* always does. *2. Rest* does where it counts steps, and not chapters: among chapters, a numbered one
    with a title that chapters have (*1. Overview*), or with headings below it, makes all of them chapters.
    """
    numbered = [each for each in node.below if each.step is not None and not each.step.is_said]
    are_chapters = is_top and any(_is_like_chapter(each) for each in numbered)
    is_counting = not are_chapters and (len(numbered) > 1 or node.sort is Sort.DONE)
    for each in node.below:
        each.is_step = each.step is not None and (each.step.is_said or is_counting)
        mark_steps(each)


def _is_like_chapter(node: Node) -> bool:
    return bool(node.below) or node.sort is not Sort.NEUTRAL
