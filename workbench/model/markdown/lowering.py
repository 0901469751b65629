"""Blocks → steps: what each list item, with everything nested in it, means."""

from __future__ import annotations

import enum
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workbench.model.meaning import (
    Ask,
    Assign,
    Call,
    End,
    Group,
    Judge,
    Jump,
    Meaning,
    Note,
    Raw,
    Return,
    StepKind,
    Variable,
    actions_of,
    kind_of,
)
from workbench.model.program import Step, StepId
from workbench.model.sentences.assembly import classify_assembly
from workbench.model.sentences.classify import classify, classify_trigger
from workbench.model.sentences.guards import judges_what_is_below
from workbench.model.sentences.resolving import Callables, resolved_in
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind, ItemNode
from workbench.syntax.lines import without_comments
from workbench.syntax.text import split_lines

_QUEUED = ":QUE "
_LINE_BREAKS = regex(r"[ \t]*(?:(?:\r\n|\r|\n)[ \t]*)+")


class Role(enum.Enum):
    """What the items of a section are."""

    STEP = enum.auto()
    TRIGGER = enum.auto()
    NOTE = enum.auto()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a step stands in: a section of *role* of the playbook *home*. *callables*: all that can be called.

    *is_procedure*: it was written for people, and not in the language.
    """

    role: Role
    home: str
    callables: Callables
    is_procedure: bool = False


_OF_PARAGRAPHS: dict[Role, Callable[[str], Meaning]] = {
    Role.STEP: lambda _words: Raw(),
    Role.TRIGGER: classify_trigger,
    Role.NOTE: Note,
}
"""What a paragraph means by itself: among triggers and notes it is one."""


def lower_block(block: Block, ids: tuple[StepId, ...], around: Surroundings) -> Step:
    """The step that *block* means where it stands; *ids* in the order of ``ItemNode.walk``."""
    if block.item is None:
        words = block.text.strip() if around.role is Role.STEP else readable_text(block.text.strip())
        meaning = _OF_PARAGRAPHS[around.role](words)
        return Step(ids[0], kind_of(meaning), words, meaning, block, None)
    if block.kind is BlockKind.TABLE:
        return _lower_table(block, block.item, ids, around)
    return _lower_item(block, block.item, iter(ids), around)


def _lower_table(block: Block, item: ItemNode, ids: tuple[StepId, ...], around: Surroundings) -> Step:
    """The group of the steps of a table: it moves as the one block that it is, and each row is a step."""
    from workbench.syntax.tables.reading import cells_of  # noqa: PLC0415 - no program needs it

    left = iter(ids[1:])
    rows = tuple([_lower_item(block, row, left, around) for row in item.children])
    names = " | ".join([each.of(block.text) for each in cells_of(split_lines(block.text)[0])])
    return Step(ids[0], kind_of(Group()), names, Group(), block, None, rows)


def _lower_item(block: Block, item: ItemNode, ids: Iterator[StepId], around: Surroundings) -> Step:
    step_id = next(ids)
    text = item_text(block, item)
    meaning, is_of_home = _meaning(text, item, around)
    children: tuple[Step, ...] = ()
    if item.children:
        children = tuple([_lower_item(block, child, ids, around) for child in item.children])
        is_of_home = is_of_home or any(child.home for child in children)
        if (
            isinstance(meaning, Judge)
            and not around.is_procedure
            and judges_what_is_below(text)
            and not any(map(_is_branch, children))
        ):
            meaning, children = _judged_with(meaning, _below(block, item), children), ()
    return Step(step_id, kind_of(meaning), text, meaning, block, item, children, around.home if is_of_home else "")


def _below(block: Block, item: ItemNode) -> str:
    """The list below *item*, as written."""
    start, lines = item.children[0].lines.start, ""
    for each in (each for child in item.children for each in child.walk() if each.box is not None):
        lines += block.text[start : each.content_start]
        start = each.head.start
    lines += block.text[start : item.children[-1].lines.end]
    return textwrap.dedent(without_comments(lines).expandtabs(4)).strip()


def _judged_with(judge: Judge, below: str, children: tuple[Step, ...]) -> Judge:
    """*judge* of the whole list *below* as well: with all that it may set, and all ways out of it."""
    outputs, outcomes = {one.name: one for one in judge.outputs}, dict.fromkeys(judge.outcomes)
    for step in (step for child in children for step in child.walk()):
        for action in actions_of(step.meaning):
            match action:
                case Judge():
                    outputs |= {one.name: one for one in action.outputs}
                    outcomes |= dict.fromkeys(action.outcomes)
                case Assign(target=target) | Call(result=Variable() as target):
                    outputs[target.name] = target
                case Ask(variables=variables):
                    outputs |= {one.name: one for one in variables}
                case Return() | End() | Jump():
                    outcomes[action] = None
    return Judge(f"{judge.text}\n{below}", tuple(outputs.values()), tuple(outcomes))


def _is_branch(step: Step) -> bool:
    return step.kind is StepKind.DECISION


def item_text(block: Block, item: ItemNode) -> str:
    """What a person reads of *item*, without what is nested in it."""
    text = readable_text(block.text[item.text.start : item.text.end])
    return text.replace("\\|", "|") if block.kind is BlockKind.TABLE else text


def readable_text(source: str) -> str:
    """What a person reads of *source*: comments removed, lines joined by blanks."""
    if "<!--" in source:
        source = without_comments(source).strip()
    if "\n" in source or "\r" in source:
        source = _LINE_BREAKS.sub(" ", source)
    return source


def _meaning(text: str, item: ItemNode, around: Surroundings) -> tuple[Meaning, bool]:
    """What *text* means, and whether it may mean something else in another playbook."""
    if around.is_procedure:
        from workbench.model.sentences.prose.reading import classify_prose  # noqa: PLC0415 - no program needs it

        return classify_prose(text, bool(item.children)), False
    if around.role is Role.STEP:
        compiled = classify_assembly(text, bool(item.children))
        if compiled is not None and _QUEUED not in text:
            return compiled, False
        return resolved_in(around.home, compiled or classify(text, bool(item.children)), around.callables)
    return (classify_trigger(text) if around.role is Role.TRIGGER else Note(text)), False
