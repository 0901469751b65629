"""Before a run: are the tools that the steps expect there at all?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from workbench.errors import WorkbenchError
from workbench.i18n import _
from workbench.model.loader.steplist import Playbook


class ToolsMissing(WorkbenchError):
    """A step expects a tool that is not there, so the plan could never be completed."""


@dataclass(frozen=True, slots=True)
class MissingTool:
    """A tool that a step expects and nobody offers. *near*: the names it may have been meant as."""

    step_id: str
    tool: str
    near: tuple[str, ...]


def missing_tools(playbook: Playbook, offered: Iterable[str]) -> tuple[MissingTool, ...]:
    """Every expected tool that is not *offered*, step by step.

    Names are compared exactly; what differs only in letter case, blanks or a
    ``mcp__server__`` prefix comes first among the near ones.
    """
    known = sorted(set(offered))
    by_bare: dict[str, list[str]] = {}
    for name in known:
        by_bare.setdefault(_bare(name), []).append(name)
    found = []
    for step in playbook.steps:
        for tool in step.expected_tools:
            if tool not in known:
                near = by_bare.get(_bare(tool), []) + get_close_matches(tool, known, 3)
                found.append(MissingTool(step.id, tool, tuple(dict.fromkeys(near))))
    return tuple(found)


def check_tools(playbook: Playbook, offered: Iterable[str]) -> None:
    """Raise ToolsMissing where a step expects what is not *offered*."""
    missing = missing_tools(playbook, offered)
    if missing:
        lines = [_told(one) for one in missing]
        raise ToolsMissing(_("The run cannot start:") + "\n" + "\n".join(lines))


def _told(missing: MissingTool) -> str:
    message = _("Step {step} expects the tool {tool}, which is not available.").format(
        step=missing.step_id, tool=missing.tool
    )
    if missing.near:
        message += " " + _("Did you mean {near}?").format(near=", ".join(missing.near))
    return message


def _bare(name: str) -> str:
    return name.rpartition("__")[2].strip().lower().replace("-", "_")
