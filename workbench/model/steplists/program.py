"""What stands below the words of a step in a step list when it is drawn: its tools and its limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from workbench.i18n import _
from workbench.model.format import TextFormat
from workbench.model.loader.findings import Findings
from workbench.model.loader.step_reading import step_fields
from workbench.model.loader.steplist import PlaybookStep
from workbench.model.markdown.metadata import Metadata
from workbench.model.meaning import Raw, StepKind, StepListBranch, StepListEntry, StepListForm
from workbench.model.plans.policies import DEVIATION
from workbench.model.program import (
    Agent,
    PlacedPlaybook,
    Playbook,
    Program,
    Section,
    SectionKind,
    Step,
    StepId,
    Structure,
    count_ids,
)
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind, ItemNode
from workbench.syntax.data.nodes import DataNode, Expansion, NodeKind, ScalarType
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.signatures import normalise_name
from workbench.syntax.steplists.elements import children_of, label_node
from workbench.syntax.steplists.scan import read_data
from workbench.syntax.text import Span

_SPACES = regex(r"\s+")
_WORD = regex(r"[^\W\d][\w.-]*")
_IS_FALSE = ("false", "no", "off")
Anchors = Mapping[str, DataNode]


def fields_of(step: Step) -> PlaybookStep | None:
    """The fields of *step*, where it is one of a step list."""
    meaning = step.meaning
    return meaning.step if isinstance(meaning, StepListEntry) and meaning.form is not StepListForm.GROUP else None


def has_details(step: Step) -> bool:
    """True where *step* needs a row of its own for tools and limits."""
    fields = fields_of(step)
    if fields is None:
        return False
    limits = (fields.max_tool_calls, fields.min_tool_calls, fields.timeout_seconds)
    return bool(fields.expected_tools or fields.validation or any(one is not None for one in limits))


def assemble_steplist(
    blocks: Sequence[Block], ids: Sequence[tuple[StepId, ...]], known: Sequence[Step | None], form: TextFormat
) -> Structure:
    """What *blocks* mean, whose steps have *ids*; a step in *known*, lowered from its block before, is taken again."""
    reading = _Reading(form.is_graph, _anchors_of(blocks))
    roots: list[Step | None] = []
    for block, names, before in zip(blocks, ids, known, strict=True):
        if before is not None and "*" not in block.text:
            roots.append(before)
        elif not count_ids(block):
            roots.append(None)
        else:
            roots.append(_kept(before, _lower_element(block, names, reading)))
    playbook = _playbook(blocks, tuple([root for root in roots if root is not None]), form)
    program = Program((Agent(normalise_name("").name, "", "AI", None, "", (playbook,)),), format=form)
    return Structure(program, (PlacedPlaybook(playbook, 0, len(blocks)),), tuple(roots))


def _kept(before: Step | None, now: Step) -> Step:
    """*before* where it says the same as *now*: only what an alias refers to could have made it differ."""
    if before is None or before.block is not now.block:
        return now
    pairs = zip(before.walk(), now.walk(), strict=True)
    is_same = all((one.meaning, one.text, one.id) == (two.meaning, two.text, two.id) for one, two in pairs)
    return before if is_same else now


def _playbook(blocks: Sequence[Block], steps: tuple[Step, ...], form: TextFormat) -> Playbook:
    rest = "".join([block.text for block in blocks if block.item is None and not count_ids(block)])
    name, title, description, is_ordered, metadata = _top_fields(rest, is_json=form.is_json)
    section = Section(SectionKind.STEPS, None, steps)
    ordered = is_ordered and not form.is_graph
    return Playbook(name, title, (), "", None, description, (section,), metadata=metadata, is_ordered=ordered)


@lru_cache(maxsize=64)
def _top_fields(rest: str, *, is_json: bool) -> tuple[str, str, str, bool, Metadata]:
    """Name, title, description, whether the steps keep their order, and what is said of deviations: from the text
    around the elements.
    """
    root = read_data(rest, is_json=is_json).root
    if root is None or root.kind is not NodeKind.MAPPING:
        root = DataNode(NodeKind.MAPPING, Span(0, 0))
    own_id = _text(root, "id") or _text(root, "playbook_id")
    title = _text(root, "name") or _text(root, "title") or own_id or _("Step list")
    name = own_id if _WORD.fullmatch(own_id) else normalise_name(title).name
    strict = root.get("strict_sequence")
    is_loose = strict is not None and strict.type is ScalarType.BOOLEAN and strict.text.lower() in _IS_FALSE
    description = " ".join((_text(root, "description") or _text(root, "summary")).split())
    said = deviations_in(root)
    metadata = ((DEVIATION, words_in(said)),) if said is not None else ()
    return name, title, description, not is_loose, metadata


def deviations_in(root: DataNode) -> DataNode | None:
    """What the step list *root* says of deviations in its metadata, where other programs leave it alone; else None.

    Something else than names with values is their own affair.
    """
    metadata = root.get("metadata")
    said = metadata.resolved.get(DEVIATION) if metadata is not None and _is_mapping(metadata) else None
    return said.resolved if said is not None and _is_mapping(said) else None


def words_in(said: DataNode) -> dict[str, str]:
    """The names in *said*, a mapping, with their values as written; what is no word is empty."""
    return {name.text: value.resolved.text for name, value in said.entries}


def _is_mapping(node: DataNode) -> bool:
    return node.resolved.kind is NodeKind.MAPPING


def _text(root: DataNode, key: str) -> str:
    value = root.get(key)
    return value.text.strip() if value is not None and value.kind is NodeKind.SCALAR else ""


@dataclass(slots=True)
class _Reading:
    """What lowering needs to know beyond one block. *expansion*: one limit on aliases for all of them."""

    is_graph: bool = False
    anchors: dict[str, DataNode] = field(default_factory=dict)
    expansion: Expansion = field(default_factory=Expansion)


def _lower_element(block: Block, ids: tuple[StepId, ...], reading: _Reading) -> Step:
    """The step that *block* means; *ids* in the order of ``ItemNode.walk``."""
    data = block.element.node if block.element is not None else None
    if block.item is None or data is None:
        return Step(ids[0], StepKind.RAW, _SPACES.sub(" ", block.text).strip(), Raw(), block, None)
    node = _bound(data, block.text, reading.anchors) if "*" in block.text else data
    if block.list_key != "step_groups":
        return _step(ids[0], block, block.item, node, reading)
    return _group(iter(ids), block, node, reading)


def _group(ids: Iterator[StepId], block: Block, node: DataNode, reading: _Reading) -> Step:
    own = next(ids)
    assert block.item is not None
    nodes = [found.node for found in children_of(block.text, node)]
    pairs = zip(block.item.children, nodes, strict=True)
    children = tuple([_step(next(ids), block, item, child, reading) for item, child in pairs])
    text = _label(node, block.text, is_group=True)
    meaning = StepListEntry(_plain(node, "id"), None, StepListForm.GROUP)
    return Step(own, StepKind.STEP, text, meaning, block, block.item, children)


def _step(step_id: StepId, block: Block, item: ItemNode, node: DataNode, reading: _Reading) -> Step:
    meaning = _meaning(node.resolved, reading)
    kind = StepKind.ASK if meaning.form in (StepListForm.TASK, StepListForm.APPROVAL) else StepKind.STEP
    return Step(step_id, kind, _label(node, block.text, is_group=False), meaning, block, item)


def _label(node: DataNode, source: str, *, is_group: bool) -> str:
    """What a person reads of an element, on one line."""
    label = label_node(node.resolved, is_group=is_group)
    if label is not None and label.resolved.kind is NodeKind.SCALAR:
        return _SPACES.sub(" ", label.resolved.text).strip()
    return _SPACES.sub(" ", node.span.of(source)).strip()


def _meaning(node: DataNode, reading: _Reading) -> StepListEntry:
    own_id = _plain(node, "id")
    if node.kind is not NodeKind.MAPPING:
        return StepListEntry(own_id, None)
    step = _fields(node, reading)
    if not reading.is_graph:
        return StepListEntry(own_id, step)
    is_task = _plain(node, "kind") in ("task", "human_task")
    form = StepListForm.TASK if is_task else StepListForm.APPROVAL if node.get("approval") else StepListForm.STEP
    after, joins = (_texts(node.get(key)) for key in ("after", "joins"))
    return StepListEntry(own_id, step, form, after, tuple(_branches(node)), _plain(node, "parallel_group"), joins)


def _fields(node: DataNode, reading: _Reading) -> PlaybookStep | None:
    """The fields of a step as far as they can be read."""
    try:
        return PlaybookStep(**step_fields(_described(node), Findings(reading.expansion)))
    except ValueError:
        return None


def _described(node: DataNode) -> DataNode:
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


def _branches(node: DataNode) -> Iterator[StepListBranch]:
    branches = node.get("branches")
    for branch in branches.items if branches is not None else ():
        target = _plain(branch, "next_step_id")
        if target:
            yield StepListBranch(_plain(branch, "label") or _plain(branch, "when") or _plain(branch, "id"), target)


def _anchors_of(blocks: Sequence[Block]) -> dict[str, DataNode]:
    """All anchors of a document; the last one where a name is given twice."""
    found: dict[str, DataNode] = {}
    if not any("*" in block.text and block.item is not None for block in blocks):
        return found
    for block in blocks:
        if "&" in block.text:
            root = block.element.node if block.element is not None else _lines_around(block)
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


def _bound(node: DataNode, text: str, anchors: Anchors) -> DataNode:
    """A copy of *node* whose aliases lead to *anchors*, where they lead nowhere inside of it."""
    if node.kind is NodeKind.SCALAR:
        is_loose = node.type is ScalarType.NULL and text.startswith("*", node.span.start)
        target = anchors.get(node.text) if is_loose else None
        return node if target is None else DataNode(NodeKind.ALIAS, node.span, node.text, target=target)
    if node.kind is NodeKind.ALIAS:
        return node
    entries = [(key, _bound(value, text, anchors)) for key, value in node.entries]
    return replace(node, entries=entries, items=[_bound(item, text, anchors) for item in node.items])
