"""Blocks → steps: what each list item, with everything nested in it, means."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator

from workbench.model.meaning import Meaning, Note, Raw, StepKind, kind_of
from workbench.model.program import Step, StepId
from workbench.model.sentences.assembly import classify_assembly
from workbench.model.sentences.classify import classify, classify_trigger
from workbench.model.sentences.resolving import Callables, resolved
from workbench.syntax.blocks import Block, ItemNode
from workbench.syntax.lines import without_comments

_LINE_BREAKS = re.compile(r"[ \t]*(?:(?:\r\n|\r|\n)[ \t]*)+")


class Role(enum.Enum):
    """What the items of a section are."""

    STEP = enum.auto()
    TRIGGER = enum.auto()
    NOTE = enum.auto()


def lower_block(block: Block, ids: tuple[StepId, ...], role: Role, callables: Callables) -> Step:
    """The step that *block* means in a section of *role*; *ids* in the order of ``ItemNode.walk``."""
    if block.item is None:
        return Step(ids[0], StepKind.RAW, block.text.strip(), Raw(), block, None)
    return _lower_item(block, block.item, iter(ids), role, callables)


def _lower_item(block: Block, item: ItemNode, ids: Iterator[StepId], role: Role, callables: Callables) -> Step:
    step_id = next(ids)
    text = readable_text(block.text[item.text.start : item.text.end])
    meaning = _meaning(text, item, role, callables)
    children: tuple[Step, ...] = ()
    if item.children:
        children = tuple([_lower_item(block, child, ids, role, callables) for child in item.children])
    return Step(step_id, kind_of(meaning), text, meaning, block, item, children)


def readable_text(source: str) -> str:
    """What a person reads of *source*: comments removed, lines joined by blanks."""
    if "<!--" in source:
        source = without_comments(source).strip()
    if "\n" in source or "\r" in source:
        source = _LINE_BREAKS.sub(" ", source)
    return source


def _meaning(text: str, item: ItemNode, role: Role, callables: Callables) -> Meaning:
    if role is Role.STEP:
        compiled = classify_assembly(text, bool(item.children))
        return compiled or resolved(classify(text, bool(item.children)), callables)
    if role is Role.TRIGGER:
        return classify_trigger(text)
    return Note(text)
