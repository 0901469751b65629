"""What the author noted beside a step."""

from __future__ import annotations

from workbench.model.program import Step


def comment_of(step: Step) -> str:
    """The comment lines directly above *step*, as written."""
    item = step.item
    return step.block.text[item.owned.start : item.lines.start].strip() if item is not None else ""
