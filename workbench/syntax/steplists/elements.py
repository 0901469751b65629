"""One element of a step list as a block: where its words stand, and what is nested in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind, ItemNode, ListElement
from workbench.syntax.data.nodes import DataNode, NodeKind
from workbench.syntax.text import Span, line_start

LABEL_KEYS = ("description", "goal", "title", "id")
"""The fields whose value can label an element, the first one that is there."""
GROUP_LABEL_KEYS = ("title", "goal", "description", "id")
LINE = regex(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_BLANKS = regex(r"(?:(?:(?<=\n)|(?<=\r)(?!\n))[ \t]*(?:\r\n|\r|\n|\Z))+\Z")
_LEAD = regex(r"[&!][^\s,\[\]{}]*[ \t\r\n]+")

BLOCK_MARK = "-"
FLOW_MARK = ","
LOOSE_MARK = "?"
"""How an element stands: below a dash on lines of its own, between commas, or in a way that is not moved."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where an element stands in a text. *owned*, *lines*: as in ``ItemNode``."""

    node: DataNode
    owned: Span
    lines: Span
    indent: str
    marker: str


def element_block(text: str, found: Found, key: str) -> Block:
    """The block of *found*, cut out of *text*; its node then counts from the start of the block."""
    start = found.owned.start
    shift(found.node, -start)
    inner = replace(found, owned=found.owned.shifted(-start), lines=found.lines.shifted(-start))
    own = text[start : found.owned.end]
    item = _item(own, inner, is_group=key == "step_groups")
    return Block(BlockKind.ITEM, own, item_source=item, element=ListElement(key, found.node))


def shift(node: DataNode, by: int) -> None:
    """Move the spans of *node* and of all below it."""
    if not by:
        return
    todo = [node]
    while todo:
        one = todo.pop()
        one.span = one.span.shifted(by)
        todo += one.items
        for key, value in one.entries:
            todo += (key, value)


def _item(text: str, found: Found, *, is_group: bool) -> ItemNode:
    children = tuple(_item(text, child, is_group=False) for child in children_of(text, found.node)) if is_group else ()
    label = label_node(found.node, is_group=is_group)
    span = word_span(text, label) if label is not None else Span(found.node.span.start, found.node.span.start)
    if label is None and found.node.kind is NodeKind.SCALAR:
        span = found.node.span
    if children and span.start >= children[0].owned.start:
        span = Span(found.node.span.start, found.node.span.start)
    head = Span(span.start, span.start + len(LINE.match(text[: span.end], span.start)[0].rstrip("\r\n")))  # type: ignore[index]
    return ItemNode(found.owned, found.lines, found.indent, found.marker, head, span, children)


def word_span(text: str, node: DataNode) -> Span:
    """Where the value *node* is written, without an anchor in front and blank lines behind."""
    start, end = value_start(text, node), node.span.end
    return Span(start, start + len(text[start:end].rstrip()))


def value_start(text: str, node: DataNode) -> int:
    """Where the value itself begins, behind its anchor and tag."""
    start = node.span.start
    if node.kind is not NodeKind.ALIAS:
        while (lead := _LEAD.match(text, start, max(node.span.end, start))) is not None:
            start = lead.end()
    return start


def label_node(node: DataNode, *, is_group: bool) -> DataNode | None:
    """The value that an element is labelled with, as written (an alias is not followed)."""
    if node.kind is not NodeKind.MAPPING:
        return None
    for name in GROUP_LABEL_KEYS if is_group else LABEL_KEYS:
        for key, value in node.entries:
            if key.text == name and value.kind in (NodeKind.SCALAR, NodeKind.ALIAS):
                return value
    return None


def nested_list(node: DataNode) -> DataNode | None:
    """The list of steps in a group, where it is written there."""
    found = [value for key, value in node.entries if key.text == "steps"]
    return found[-1] if found and found[-1].kind is NodeKind.SEQUENCE else None


def children_of(text: str, group: DataNode) -> list[Found]:
    """The elements of the steps of *group*."""
    sequence = nested_list(group)
    return elements_of(text, sequence) if sequence is not None else []


def elements_of(text: str, sequence: DataNode) -> list[Found]:
    """Where the elements of *sequence* stand in *text*, in order, apart from one another."""
    if sequence.is_flow:
        return _flow_elements(text, sequence)
    found: list[Found] = []
    floor = sequence.span.start if sequence.items else 0
    floor = line_start(text, floor)
    for index, node in enumerate(sequence.items):
        dash = text.rfind("-", floor, max(node.span.start, floor)) if node.span.start > floor else floor
        before = sequence.items[index - 1].span.end if index else floor
        element = _block_element(text, node, max(dash, floor), before if index else None)
        found.append(element)
        floor = element.lines.end
    return found


def _block_element(text: str, node: DataNode, dash: int, before: int | None) -> Found:
    start = line_start(text, dash)
    indent = text[start:dash]
    end = _content_end(text, node)
    if indent.strip() or (before is not None and before > start):
        span = Span(dash, max(end, dash + 1))
        return Found(node, span, span, "", LOOSE_MARK)
    line_end = LINE.match(text, max(end - 1, dash))
    stop = line_end.end() if line_end else len(text)
    if _keeps(text, node):
        stop = max(stop, node.span.end)
    floor = before if before is not None else 0
    return Found(
        node, Span(_comments_start(text, start, len(indent), floor), stop), Span(start, stop), indent, BLOCK_MARK
    )


def _content_end(text: str, node: DataNode) -> int:
    """Where the words of *node* end, without the blank lines behind."""
    return node.span.start + len(text[node.span.start : node.span.end].rstrip())


def _keeps(text: str, node: DataNode) -> bool:
    """True where the last value below *node* is a block of text that keeps the blank lines behind it."""
    last = last_leaf(node)
    head = text[value_start(text, last) : last.span.end][:4]
    return last.kind is NodeKind.SCALAR and head[:1] in ("|", ">") and "+" in head.split("\n")[0]


def last_leaf(node: DataNode) -> DataNode:
    """The value that ends *node*."""
    while True:
        if node.kind is NodeKind.MAPPING and node.entries:
            node = node.entries[-1][1]
        elif node.kind is NodeKind.SEQUENCE and node.items:
            node = node.items[-1]
        else:
            return node


def _comments_start(text: str, start: int, indent: int, floor: int) -> int:
    """Where the comment lines directly above *start* begin that line up with the list or stand further left."""
    while start > floor:
        above = line_start(text, start - 1 - text.startswith("\n", start - 1) * text.startswith("\r", start - 2))
        line = text[above:start]
        stripped = line.lstrip(" \t")
        if above < floor or not stripped.startswith("#") or len(line) - len(stripped) > indent:
            break
        start = above
    return start


_REST = regex(r"[ \t]*,?[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|\Z)")
_COMMA = regex(r"[ \t]*(?:,[ \t]*)?")


def _flow_elements(text: str, sequence: DataNode) -> list[Found]:
    """Elements between commas: whole lines where every one has lines of its own, else only the values."""
    on_lines = [_on_lines(text, node) for node in sequence.items]
    spans = [span for span in on_lines if span is not None]
    apart = all(one.end <= two.start for one, two in zip(spans, spans[1:], strict=False))
    if len(spans) == len(on_lines) and apart:
        pairs = zip(sequence.items, spans, strict=True)
        return [Found(node, span, span, _indent(text, span), FLOW_MARK) for node, span in pairs]
    found = []
    for node in sequence.items:
        comma = _COMMA.match(text, node.span.end)
        span = Span(node.span.start, comma.end() if comma else node.span.end)
        found.append(Found(node, span, span, "", FLOW_MARK))
    return found


def _on_lines(text: str, node: DataNode) -> Span | None:
    start = line_start(text, node.span.start)
    rest = _REST.match(text, node.span.end)
    if rest is None or text[start : node.span.start].strip(" \t"):
        return None
    return Span(start, rest.end())


def _indent(text: str, span: Span) -> str:
    line = span.of(text)
    return line[: len(line) - len(line.lstrip(" \t"))]


def without_blanks(text: str) -> str:
    """*text* without the blank lines at its end."""
    return _BLANKS.sub("", text)
