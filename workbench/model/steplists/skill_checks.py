"""Skills that a step list uses and that nobody has."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from workbench.i18n import _
from workbench.model.loader.loading import parse_data
from workbench.syntax.data.nodes import DataNode, NodeKind
from workbench.syntax.diagnostics import Diagnostic, Severity

_FIELDS = ("uses", "skill_refs")


def unknown_skills(text: str, known: Collection[str]) -> Iterator[Diagnostic]:
    """A warning for each skill that *text* names and that is not *known*."""
    for node in _named(parse_data(text).root):
        if node.text not in known:
            message = _("There is no skill named “{name}” in the project, so this does not limit any tools.")
            yield Diagnostic("unknown-skill", Severity.WARNING, message.format(name=node.text), node.span)


def uses_skills(text: str) -> bool:
    """Whether *text* may name skills; cheap, and true of some that do not."""
    return any(field in text for field in _FIELDS)


def _named(root: DataNode | None) -> Iterator[DataNode]:
    """What stands in the fields that name skills, anchors and aliases not followed."""
    todo = [root] if root is not None else []
    while todo:
        node = todo.pop()
        todo += node.items
        for key, value in node.entries:
            if key.text in _FIELDS:
                yield from (item for item in value.items if item.kind is NodeKind.SCALAR)
            elif key.text != "metadata":
                todo.append(value)
