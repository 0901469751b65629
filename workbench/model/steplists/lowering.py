"""Elements of a step list → steps of the model, with the fields that each has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from workbench.model.loader.findings import Findings
from workbench.model.loader.reading import step_fields
from workbench.model.loader.values import PlaybookStep
from workbench.model.meaning import ListedBranch, ListedForm, ListedStep, Raw, StepKind
from workbench.model.program import Step, StepId
from workbench.syntax.blocks import Block, BlockKind, ItemNode
from workbench.syntax.data.nodes import DataNode, Expansion, NodeKind, ScalarType
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.steplists.elements import children_of, words_node

_SPACES = re.compile(r"\s+")
Anchors = Mapping[str, DataNode]


@dataclass(slots=True)
class Reading:
    """What lowering needs to know beyond one block. *expansion*: one limit on aliases for all of them."""

    is_graph: bool = False
    anchors: dict[str, DataNode] = field(default_factory=dict)
    expansion: Expansion = field(default_factory=Expansion)


def lower_element(block: Block, ids: tuple[StepId, ...], reading: Reading) -> Step:
    """The step that *block* means; *ids* in the order of ``walk_items``."""
    if block.item is None or block.data is None:
        return Step(ids[0], StepKind.RAW, _SPACES.sub(" ", block.text).strip(), Raw(), block, None)
    node = bound(block.data, block.text, reading.anchors) if "*" in block.text else block.data
    if block.title != "step_groups":
        return _step(ids[0], block, block.item, node, reading)
    return _group(iter(ids), block, node, reading)


def _group(ids: Iterator[StepId], block: Block, node: DataNode, reading: Reading) -> Step:
    own = next(ids)
    assert block.item is not None
    nodes = [found.node for found in children_of(block.text, node)]
    pairs = zip(block.item.children, nodes, strict=True)
    children = tuple([_step(next(ids), block, item, child, reading) for item, child in pairs])
    text = _words(node, block.text, is_group=True)
    meaning = ListedStep(_plain(node, "id"), None, ListedForm.GROUP)
    return Step(own, StepKind.STEP, text, meaning, block, block.item, children)


def _step(step_id: StepId, block: Block, item: ItemNode, node: DataNode, reading: Reading) -> Step:
    meaning = _meaning(node.resolved, reading)
    kind = StepKind.ASK if meaning.form in (ListedForm.TASK, ListedForm.APPROVAL) else StepKind.STEP
    return Step(step_id, kind, _words(node, block.text, is_group=False), meaning, block, item)


def _words(node: DataNode, source: str, *, is_group: bool) -> str:
    """What a person reads of an element, on one line."""
    words = words_node(node.resolved, is_group=is_group)
    if words is not None and words.resolved.kind is NodeKind.SCALAR:
        return _SPACES.sub(" ", words.resolved.text).strip()
    return _SPACES.sub(" ", node.span.of(source)).strip()


def _meaning(node: DataNode, reading: Reading) -> ListedStep:
    own_id = _plain(node, "id")
    if node.kind is not NodeKind.MAPPING:
        return ListedStep(own_id, None)
    step = _fields(node, reading)
    if not reading.is_graph:
        return ListedStep(own_id, step)
    is_task = _plain(node, "kind") in ("task", "human_task")
    form = ListedForm.TASK if is_task else ListedForm.APPROVAL if node.get("approval") else ListedForm.STEP
    return ListedStep(own_id, step, form, _texts(node.get("after")), tuple(_branches(node)))


def _fields(node: DataNode, reading: Reading) -> PlaybookStep | None:
    """The fields of a step as far as they can be read."""
    try:
        return PlaybookStep(**step_fields(described(node), Findings(reading.expansion)))
    except ValueError:
        return None


def described(node: DataNode) -> DataNode:
    """*node* in the words of a plain list: its goal or title as description, its allowed tools as expected ones."""
    entries = list(node.entries)
    names = {key.text for key, _value in entries}
    for wanted, others in (("description", ("goal", "title")), ("expected_tools", ("allowed_tools",))):
        value = next((node.get(other) for other in others if other in names), None)
        if wanted not in names and value is not None and value.type is not ScalarType.NULL:
            entries.append((DataNode(NodeKind.SCALAR, value.span, wanted), value))
    return DataNode(node.kind, node.span, entries=entries)


def _plain(node: DataNode, key: str) -> str:
    """The text of a field, empty where it has none."""
    value = node.resolved.get(key) if node.resolved.kind is NodeKind.MAPPING else None
    return value.text if value is not None and value.kind is NodeKind.SCALAR else ""


def _texts(node: DataNode | None) -> tuple[str, ...]:
    if node is None:
        return ()
    if node.kind is NodeKind.SCALAR:
        return (node.text,) if node.text else ()
    return tuple(item.resolved.text for item in node.items if item.resolved.kind is NodeKind.SCALAR)


def _branches(node: DataNode) -> Iterator[ListedBranch]:
    branches = node.get("branches")
    for branch in branches.items if branches is not None else ():
        target = _plain(branch, "next_step_id")
        if target:
            yield ListedBranch(_plain(branch, "label") or _plain(branch, "when") or _plain(branch, "id"), target)


def anchors_of(blocks: Sequence[Block]) -> dict[str, DataNode]:
    """All anchors of a document; the last one where a name is given twice."""
    found: dict[str, DataNode] = {}
    if not any("*" in block.text and block.item is not None for block in blocks):
        return found
    for block in blocks:
        if "&" in block.text:
            root = block.data if block.data is not None else _lines_around(block)
            found.update({node.anchor: node for node in _walk(root) if node.anchor})
    return found


def _lines_around(block: Block) -> DataNode | None:
    return _read(block.text) if block.kind is BlockKind.DATA else None


@lru_cache(maxsize=16)
def _read(text: str) -> DataNode | None:
    return read_yaml(text).root


def _walk(root: DataNode | None) -> Iterator[DataNode]:
    todo = [root] if root is not None else []
    while todo:
        node = todo.pop()
        yield node
        todo += node.items
        for key, value in node.entries:
            todo += (key, value)


def bound(node: DataNode, text: str, anchors: Anchors) -> DataNode:
    """A copy of *node* whose aliases lead to *anchors*, where they lead nowhere inside of it."""
    if node.kind is NodeKind.SCALAR:
        is_loose = node.type is ScalarType.NULL and text.startswith("*", node.span.start)
        target = anchors.get(node.text) if is_loose else None
        return node if target is None else DataNode(NodeKind.ALIAS, node.span, node.text, target=target)
    if node.kind is NodeKind.ALIAS:
        return node
    return DataNode(
        node.kind, node.span, node.text, node.type, node.is_plain, node.is_flow,
        [(key, bound(value, text, anchors)) for key, value in node.entries],
        [bound(item, text, anchors) for item in node.items],
        node.anchor,
    )  # fmt: skip
