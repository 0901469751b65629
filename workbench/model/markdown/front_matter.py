"""The front matter of a markdown file as fields with the stretch of text that each takes, to show and to edit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.data.nodes import DataNode, NodeKind, ScalarType
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.steplists.elements import word_span
from workbench.syntax.text import Span, line_stop, split_lines

Path = tuple[str, ...]
Value = str | tuple[str, ...]
_SIZE_LIMIT = 65_536
_DEEPEST = 4
_OPENINGS = 3
"""Front matter is among the first blocks: only a mark of byte order and a line for the shell can stand above."""


@dataclass(frozen=True, slots=True)
class FrontField:
    """One value. *path*: its key, behind the keys that it stands in. *span*: key and value, in the block.

    *value*: text, as it is read, without line ends behind a block of text; or texts in a list. None for what is more
    than that: it is shown as its *source*. *is_text*: false for what YAML reads as a number, yes or no, or a date.
    """

    path: Path
    value: Value | None
    source: str
    span: Span
    is_text: bool = True


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The *text* of the block, with its lines of dashes. *root*: the mapping in it; its spans count from *base*.

    *is_broken*: it cannot be read as a mapping. An empty one has no root, and is not broken.
    """

    text: str
    base: int
    root: DataNode | None
    fields: tuple[FrontField, ...]
    is_broken: bool

    def field(self, path: Path) -> FrontField | None:
        """What stands at *path*; the last one where it stands twice."""
        return next((each for each in reversed(self.fields) if each.path == path), None)

    def holds(self, path: Path) -> bool:
        """True where something stands at *path*, or below it."""
        return any(each.path[: len(path)] == path for each in self.fields)


def front_of(blocks: Sequence[Block]) -> tuple[int, FrontMatter] | None:
    """Where the front matter of a document of *blocks* begins, and what stands in it; None where there is none."""
    start = 0
    for block in blocks[:_OPENINGS]:
        if block.kind is BlockKind.FRONT_MATTER:
            return start, read_front(block.text)
        start += len(block.text)
    return None


@lru_cache(maxsize=64)
def read_front(text: str) -> FrontMatter:
    """What stands in *text*, a block of front matter."""
    base = line_stop(text, 0)
    inner = "".join(split_lines(text)[1:-1])
    parse = read_yaml(inner if len(inner) <= _SIZE_LIMIT else "")
    is_broken = len(inner) > _SIZE_LIMIT or any(one.code != "duplicate-key" for one in parse.diagnostics)
    is_mapping = parse.root is not None and parse.root.kind is NodeKind.MAPPING
    if is_broken or not is_mapping:
        return FrontMatter(text, base, None, (), is_broken or parse.root is not None)
    assert parse.root is not None
    return FrontMatter(text, base, parse.root, tuple(_fields(text[base:], base, parse.root, ())), is_broken=False)


def _fields(text: str, base: int, node: DataNode, above: Path) -> Iterator[FrontField]:
    for key, value in node.entries:
        path = (*above, key.text)
        if value.kind is NodeKind.MAPPING and value.entries and len(path) < _DEEPEST:
            yield from _fields(text, base, value, path)
            continue
        span = word_span(text, value)
        source = span.of(text)
        is_text = value.kind is not NodeKind.SCALAR or value.type in (ScalarType.TEXT, ScalarType.NULL)
        whole = Span(key.span.start + base, max(key.span.end, span.end) + base)
        yield FrontField(path, _value(value.resolved, source), source, whole, is_text)


def _value(node: DataNode, source: str) -> Value | None:
    if node.kind is NodeKind.SCALAR:
        if node.type is ScalarType.NULL:
            return ""
        return node.text.rstrip("\r\n") if source[:1] in ("|", ">") else node.text
    if node.kind is NodeKind.SEQUENCE and all(item.resolved.kind is NodeKind.SCALAR for item in node.items):
        return tuple(item.resolved.text for item in node.items)
    return None
