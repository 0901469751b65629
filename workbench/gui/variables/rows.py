"""The variables of a frame as rows: name, value, type, and what the value was before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.state.frames import Frame
from workbench.engine.state.run_state import RunState
from workbench.i18n import _

MOST_ENTRIES = 500


@dataclass(frozen=True, slots=True)
class VariableGroup:
    """Variables that live together. *key*: stays the same while they do."""

    key: str
    title: str
    values: Mapping[str, Any]


def groups_of(state: RunState, frame: Frame | None) -> tuple[VariableGroup, ...]:
    """What *frame* can see (None: the agent that was last at work), the frame's own first."""
    groups = []
    agent = frame.agent if frame is not None else state.agent
    if frame is not None:
        title = _("Values of {playbook}").format(playbook=frame.playbook)
        own = {f"${name}": value for name, value in frame.parameters.items()} | dict(frame.locals)
        groups.append(VariableGroup(f"frame {frame.span}", title, _shown(own)))
    kept = {f"${name}": value for name, value in state.agents.get(agent, {}).items()}
    title = _("Kept by {agent}").format(agent=agent) if agent else _("Kept by the agent")
    groups.append(VariableGroup(f"agent {agent}", title, _shown(kept)))
    return tuple(group for group in groups if group.values)


def _shown(values: Mapping[str, Any]) -> dict[str, Any]:
    """Without what the runtime keeps for itself."""
    return {name: value for name, value in values.items() if not name.lstrip("$").startswith("_")}


def entries_of(value: Any) -> Iterator[tuple[str, Any]]:
    """What is inside *value*: name and value of each entry, up to a limit."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for count, (name, entry) in enumerate(pairs):
        if count >= MOST_ENTRIES:
            return
        yield (f"[{name}]" if isinstance(value, list) else str(name)), entry


def has_entries(value: Any) -> bool:
    """Whether there is something inside *value*."""
    return isinstance(value, dict | list) and bool(value)


def type_words(value: Any) -> str:
    """The type of *value* in plain words."""
    if value is None:
        return _("nothing")
    if isinstance(value, bool):
        return _("yes/no")
    if isinstance(value, str):
        return _("text")
    if isinstance(value, int | float):
        return _("number")
    if isinstance(value, list):
        return _("list of {count}").format(count=f"{len(value):,}")
    return _("record of {count}").format(count=f"{len(value):,}") if isinstance(value, dict) else type(value).__name__
