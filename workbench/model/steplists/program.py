"""Blocks of a step list → a program with one playbook."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from workbench.i18n import _
from workbench.model.format import TextFormat
from workbench.model.lowering import count_nodes
from workbench.model.program import Agent, Playbook, Program, Section, SectionKind, Step, StepId
from workbench.model.steplists.lowering import Reading, anchors_of, lower_element
from workbench.model.structure import PlacedPlaybook, Structure
from workbench.syntax.blocks import Block
from workbench.syntax.data.nodes import DataNode, NodeKind, ScalarType
from workbench.syntax.signatures import normalise_name
from workbench.syntax.steplists.scan import read_data
from workbench.syntax.text import Span

_WORD = re.compile(r"[^\W\d][\w.-]*")
_IS_FALSE = ("false", "no", "off")


def assemble_list(
    blocks: Sequence[Block], ids: Sequence[tuple[StepId, ...]], known: Sequence[Step | None], form: TextFormat
) -> tuple[Structure, list[Step | None]]:
    """The structure of a step list, and the step of each block; those in *known* are taken again."""
    anchors = anchors_of(blocks)
    reading = Reading(is_graph=form.is_graph, anchors=anchors)
    roots: list[Step | None] = []
    for block, names, before in zip(blocks, ids, known, strict=True):
        if before is not None and "*" not in block.text:
            roots.append(before)
        elif not count_nodes(block):
            roots.append(None)
        else:
            roots.append(_kept(before, lower_element(block, names, reading)))
    playbook = _playbook(blocks, tuple([root for root in roots if root is not None]), form)
    program = Program((Agent(normalise_name("").name, "", "AI", None, "", (playbook,)),), format=form)
    return Structure(program, (PlacedPlaybook(playbook, 0, len(blocks)),)), roots


def _kept(before: Step | None, now: Step) -> Step:
    """*before* where it says the same as *now*: only what an alias refers to could have made it differ."""
    if before is None or before.block is not now.block:
        return now
    pairs = zip(before.walk(), now.walk(), strict=True)
    is_same = all((one.meaning, one.text, one.id) == (two.meaning, two.text, two.id) for one, two in pairs)
    return before if is_same else now


def _playbook(blocks: Sequence[Block], steps: tuple[Step, ...], form: TextFormat) -> Playbook:
    rest = "".join([block.text for block in blocks if block.item is None and not count_nodes(block)])
    name, title, description, is_ordered = _top_fields(rest, is_json=form.is_json)
    section = Section(SectionKind.STEPS, None, steps)
    ordered = is_ordered and not form.is_graph
    return Playbook(name, title, (), "", None, description, (section,), is_ordered=ordered)


@lru_cache(maxsize=64)
def _top_fields(rest: str, *, is_json: bool) -> tuple[str, str, str, bool]:
    """Name, title, description, and whether the steps keep their order: from the text around the elements."""
    root = read_data(rest, is_json=is_json).root
    if root is None or root.kind is not NodeKind.MAPPING:
        root = DataNode(NodeKind.MAPPING, Span(0, 0))
    own_id = _text(root, "id") or _text(root, "playbook_id")
    title = _text(root, "name") or _text(root, "title") or own_id or _("Step list")
    name = own_id if _WORD.fullmatch(own_id) else normalise_name(title).name
    strict = root.get("strict_sequence")
    is_loose = strict is not None and strict.type is ScalarType.BOOLEAN and strict.text.lower() in _IS_FALSE
    description = " ".join((_text(root, "description") or _text(root, "summary")).split())
    return name, title, description, not is_loose


def _text(root: DataNode, key: str) -> str:
    value = root.get(key)
    return value.text.strip() if value is not None and value.kind is NodeKind.SCALAR else ""
