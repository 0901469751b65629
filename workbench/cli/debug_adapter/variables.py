"""What a frame knows, as a tree that is shown level by level, and changed at its leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.cli.debug_adapter.client import Refused
from workbench.cli.debug_adapter.stack import FrameKey, Told
from workbench.engine.journal.choices import Scope
from workbench.engine.journal.payload import NOTHING
from workbench.engine.state.answering import answer_at_hand
from workbench.engine.state.frames import LiveFrame
from workbench.i18n import _

_SHORT = 200
"""How much of a list or an object is shown in one line."""
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: in a variable of an agent or a frame, as ``EditVariable`` has it, and how deep in it."""

    scope: Scope
    agent: str
    frame: str
    name: str
    path: Path = ()

    def inside(self, key: str | int) -> Place:
        """The place of an entry."""
        return Place(self.scope, self.agent, self.frame, self.name, (*self.path, key))


@dataclass(frozen=True, slots=True)
class Held:
    """Where something stands that was given to the run, and can be something else: *name* in the answer to a step.

    *is_result*: it is what the call at hand has come to.
    """

    name: str = ""
    is_result: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A named value. *place*: where it can be changed, None for nowhere. *written*: the expression that gives it."""

    name: str
    value: Any
    place: Place | Held | None = None
    written: str = ""

    @property
    def children(self) -> Iterator[Shown]:
        """Its entries, each with a name."""
        if isinstance(self.value, Mapping):
            for key, value in self.value.items():
                yield self._child(str(key), key, value)
        elif isinstance(self.value, list):
            for index, value in enumerate(self.value):
                yield self._child(str(index), index, value)

    def child(self, name: str) -> Shown | None:
        """The entry called *name*."""
        if isinstance(self.value, Mapping):
            return self._child(name, name, self.value[name]) if name in self.value else None
        is_there = isinstance(self.value, list) and name.isdecimal() and int(name) < len(self.value)
        return self._child(name, int(name), self.value[int(name)]) if is_there else None

    def _child(self, name: str, key: str | int, value: Any) -> Shown:
        written = f"{self.written}[{json.dumps(key, ensure_ascii=False)}]" if self.written else ""
        return Shown(name, value, self.place.inside(key) if isinstance(self.place, Place) else None, written)

    @property
    def count(self) -> int:
        """How many entries it has."""
        return len(self.value) if isinstance(self.value, Mapping | list) else 0

    @property
    def is_list(self) -> bool:
        """Whether its entries are counted rather than named."""
        return isinstance(self.value, list)


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Variables that are shown under one heading. *hint*: what an editor may make of it."""

    name: str
    children: Sequence[Shown]
    hint: str = ""

    def child(self, name: str) -> Shown | None:
        """The variable called *name*."""
        return next((each for each in self.children if each.name == name), None)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.children)

    @property
    def is_list(self) -> bool:
        """Never: they have names."""
        return False


Parent = Shown | Group


@dataclass(frozen=True, slots=True)
class Handle:
    """Where the client finds something again, as it is by then: a group of a frame, or with *names* what is in it."""

    frame: FrameKey
    group: int
    names: tuple[str, ...] = ()

    def inside(self, name: str) -> Handle:
        """The handle of an entry."""
        return Handle(self.frame, self.group, (*self.names, name))


def found_by(handle: Handle, told: Told) -> Parent | None:
    """What *handle* leads to now."""
    frame = told.frame(handle.frame)
    if frame is None:
        return None
    groups = list(groups_in(frame, told))
    found: Parent | None = groups[handle.group] if handle.group < len(groups) else None
    for name in handle.names:
        found = found.child(name) if found is not None else None
    return found


def groups_in(frame: LiveFrame, told: Told) -> Iterator[Group]:
    """The scopes of *frame*: its variables, and what was just given to the run, where it is the one at work."""
    yield from groups_of(frame, told.fold.agents.get(frame.agent, {}))
    if not told.fold.frames or frame is not told.fold.frames[-1]:
        return
    state = told.fold.state()
    at = answer_at_hand(state)
    if at is not None:
        decision = [("decision", at.answer["decision"])] if "decision" in at.answer else []
        named = [*decision, *dict(at.answer.get("values") or {}).items()]
        shown = named or [("text", at.answer.get("text", ""))]
        yield Group(_("Answer"), [Shown(name, value, Held(name)) for name, value in shown])
    held = state.intent.held if state.intent is not None else None
    if held is not None:
        gave = held.value if held.failure is None else f"!{held.failure}"
        yield Group(_("Result"), [Shown("result", gave, Held(is_result=True))], "returnValue")


def groups_of(frame: LiveFrame, state: Mapping[str, Any]) -> Iterator[Group]:
    """The scopes of *frame*, whose agent has the ``$`` variables *state*."""

    def of_agent(name: str) -> Place:
        return Place(Scope.STATE, frame.agent, frame.span, name)

    own = [Shown(f"${name}", value, of_agent(name), f"${name}") for name, value in frame.parameters.items()]
    for name, value in frame.locals.items():
        own.append(Shown(name, value, Place(Scope.LOCAL, frame.agent, frame.span, name), name))
    yield Group(_("Parameters and local variables"), own, "locals")
    shared = [Shown(f"${name}", value, of_agent(name), f"${name}") for name, value in state.items()]
    yield Group(_("State of {agent}").format(agent=frame.agent) if frame.agent else _("State"), shared)
    if frame.last is not NOTHING:
        yield Group(_("Last result"), [Shown("_", frame.last, None, "_")], "returnValue")


def part_of(parent: Parent, kind: str | None, start: int, count: int) -> list[Shown]:
    """The entries of *parent* that are asked for: *kind* ``indexed`` or ``named``, from *start* on; *count* 0: all."""
    if kind is not None and parent.is_list is not (kind == "indexed"):
        return []
    found = list(parent.children)
    start = max(0, start)
    return found[start : start + count] if count > 0 else found[start:]


def type_of_value(value: Any) -> str:
    """The type of *value*, as playbooks name it."""
    return "none" if value is None else type(value).__name__


def as_text(value: Any) -> str:
    """*value* as JSON, which can be typed again; of lists and objects only the beginning."""
    text = whole_text(value)
    return text if not isinstance(value, Mapping | list) or len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"


def whole_text(value: Any) -> str:
    """All of *value* as JSON."""
    return json.dumps(value, ensure_ascii=False, default=str)


def changed(value: Any, path: Path, new: Any) -> Any:
    """*value* with *new* at *path* in it. Raises Refused where it is not what it was."""
    if not path:
        return new
    first, *rest = path
    try:
        inner = changed(value[first], tuple(rest), new)
    except (LookupError, TypeError) as error:
        raise Refused(_("There is no such entry any more.")) from error
    if isinstance(value, list):
        return [inner if index == first else each for index, each in enumerate(value)]
    return {**value, first: inner}
