"""The text that the nodes of a step list were read from, and where each of them stands in it."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.data.nodes import DataNode, NodeKind
from workbench.syntax.steplists.elements import children_of, value_start, word_span
from workbench.syntax.text import Span, line_end, line_start, line_stop


@dataclass(frozen=True, slots=True)
class DataText:
    """*text*: of the whole document. *base*: what the spans of nodes count from."""

    text: str
    base: int
    is_json: bool

    @property
    def end(self) -> str:
        """How lines end in this document."""
        return line_end(self.text)

    def span(self, node: DataNode) -> Span:
        """Where *node* stands, without an anchor in front and blank lines behind."""
        inside = word_span(self._own, node) if node.kind is NodeKind.SCALAR else node.span
        start = value_start(self._own, node) if node.kind is not NodeKind.SCALAR and node.is_flow else inside.start
        return Span(start, max(inside.end, start)).shifted(self.base)

    @property
    def _own(self) -> str:
        return self.text[self.base :] if self.base else self.text

    def source(self, node: DataNode) -> str:
        """*node* as written."""
        return self.span(node).of(self.text)

    def line_start(self, at: int) -> int:
        """Where the line that holds *at* begins."""
        return line_start(self.text, at)

    def line_stop(self, at: int) -> int:
        """Where the line that holds *at* ends, its line end included."""
        return line_stop(self.text, at)

    def indent(self, at: int) -> str:
        """Blanks as wide as what stands left of *at*."""
        return " " * (at - self.line_start(at))


def data_text_of(snapshot: Snapshot, step: StepId) -> DataText:
    """The text of the block that *step* stands in."""
    return DataText(snapshot.text, snapshot.block_start(step), snapshot.program.format.is_json)


def node_of(snapshot: Snapshot, step: Step) -> DataNode | None:
    """The element that *step* was read from; None where it is damaged. Its spans count from its block."""
    data = step.block.element.node if step.block.element is not None else None
    if data is None or step.item is None:
        return None
    if step.item is step.block.item:
        return data
    assert step.block.item is not None
    at = step.block.item.children.index(step.item)
    return children_of(step.block.text, data)[at].node
