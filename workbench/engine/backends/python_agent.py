"""What Python finds besides its own: ``self`` with its ``$`` variables, ``agents``, records with names.

Part of ``python_child``, which loads it by its path: nothing of the workbench can be imported there.
"""

from __future__ import annotations

import functools
import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, NoReturn, Protocol

    class Asks(Protocol):
        """The line to the run, as far as it is needed here. *offered*: what can be called: ``name``, ``Agent.name``."""

        words: Mapping[str, str]
        offered: frozenset[str]
        acting: str

        def look(self, what: str, name: str = "") -> Any:
            """What the run says of *what*."""
            ...

        def set(self, name: str, value: Any) -> None:
            """Set the ``$`` variable *name*."""
            ...

        def callable(self, name: str) -> Callable[..., Any]:
            """What calls *name* when it is awaited."""
            ...


_METHODS = ("get", "items", "keys", "update", "values")
_MESSAGE = {"content": "text", "sender": "from"}


class NotData(TypeError):
    """A value that cannot be handed over; *kind*: its type."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"a value of type {kind} was returned, which is not text, a number, a list or a record")
        self.kind = kind


def as_data(value: Any) -> Any:
    """*value* as JSON data; raises NotData where it is none."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, dict):
        return {key if isinstance(key, str) else json.dumps(key): as_data(each) for key, each in value.items()}
    if isinstance(value, list | tuple | range):
        return [as_data(each) for each in value]
    if isinstance(value, set | frozenset):
        return sorted((as_data(each) for each in value), key=json.dumps)
    return _rare_as_data(value)


def _rare_as_data(value: Any) -> Any:
    """The same for what is rarely returned, and takes long to import."""
    import dataclasses  # noqa: PLC0415 - as said
    import datetime as dt  # noqa: PLC0415
    import pathlib  # noqa: PLC0415

    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, pathlib.PurePath | Agent):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return as_data(dataclasses.asdict(value))
    raise NotData(type(value).__name__)


class Call:
    """A call under way, made as *agent*. *seen*: variables whose values may change here, with what the run knows."""

    def __init__(self, agent: str) -> None:
        self.agent = agent
        self.seen: dict[str, tuple[Any, str]] = {}

    def kept(self, name: str, value: Any) -> Any:
        """*value* of the variable *name*, or what was handed out before where that is the same."""
        if not isinstance(value, dict | list):
            self.seen.pop(name, None)
            return value
        known, text = self.seen.get(name), json.dumps(as_data(value))
        if known is None or known[1] != text:
            known = self.seen[name] = (value, text)
        return known[0]


class Record(dict["str", "Any"]):
    """A record whose entries have names as well: ``order.total``. A message has ``content`` and ``sender``."""

    def __getattr__(self, name: str) -> Any:
        key = name if name in self else _MESSAGE.get(name, name) if {*self} == {"from", "text"} else name
        if key not in self:
            raise AttributeError(f"there is no {name} in this record")
        return self[key]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __delattr__(self, name: str) -> None:
        if name not in self:
            raise AttributeError(f"there is no {name} in this record")
        del self[name]


def named(value: Any) -> Any:
    """*value*, whose records have names."""
    if isinstance(value, dict):
        return Record({key: named(each) for key, each in value.items()})
    return [named(each) for each in value] if isinstance(value, list) else value


class State:
    """The ``$`` variables of the agent as which Python is called: ``self.state.name``, ``self.state["name"]``.

    A variable that is called like a method (``items``) is meant before the method.
    """

    __line: Asks

    def __init__(self, line: Asks) -> None:
        object.__setattr__(self, "_State__line", line)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        found = self.__line.look("variable", name)
        if found:
            return found[0]
        if name in _METHODS:
            return functools.partial(_METHODS_OF_STATE[name], self)
        raise AttributeError(self.__line.words["unset"].format(name=name))

    def __setattr__(self, name: str, value: Any) -> None:
        self.__line.set(name, value)

    def __getitem__(self, name: str) -> Any:
        found = self.__line.look("variable", name)
        if not found:
            raise KeyError(self.__line.words["unset"].format(name=name))
        return found[0]

    def __setitem__(self, name: str, value: Any) -> None:
        self.__line.set(name, value)

    def __delattr__(self, name: str) -> NoReturn:
        raise TypeError(self.__line.words["undeletable"].format(name=name))

    __delitem__ = __delattr__

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and bool(self.__line.look("variable", name))

    def __iter__(self) -> Iterator[str]:
        return iter(self.__line.look("names"))

    def __len__(self) -> int:
        return len(self.__line.look("names"))

    def __repr__(self) -> str:
        return repr(_all(self))


def _all(state: State) -> dict[str, Any]:
    return {name: state[name] for name in state}


def _get(state: State, name: str, default: Any = None) -> Any:
    return state[name] if name in state else default  # noqa: SIM401 - this is what ``get`` is


def _update(state: State, *given: Any, **values: Any) -> None:
    for name, value in dict(*given, **values).items():
        state[name] = value


_METHODS_OF_STATE: dict[str, Callable[..., Any]] = {
    "get": _get,
    "items": lambda state: _all(state).items(),
    "keys": lambda state: _all(state).keys(),
    "update": _update,
    "values": lambda state: _all(state).values(),
}


class Agent:
    """An agent. *key*: empty for the one as which Python is called, whose ``state`` can be had; else its name."""

    def __init__(self, line: Asks, key: str = "") -> None:
        self.__line, self.__key = line, key

    @property
    def klass(self) -> str:
        """The heading under which it stands."""
        return str(self).partition(":")[0]

    @property
    def id(self) -> str:
        """Its number."""
        known = self.__line.look("agents")
        return str(next((each["id"] for each in known if each["key"] == str(self)), ""))

    @property
    def state(self) -> State:
        """Its variables. Raises AttributeError for another agent."""
        if self.__key and self.__key != self.__line.acting:
            raise AttributeError  # which ``__getattr__`` puts into words
        return State(self.__line)

    @state.setter
    def state(self, _value: Any) -> NoReturn:
        raise AttributeError(self.__line.words["undeletable"].format(name="state"))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name == "state":
            raise AttributeError(self.__line.words["foreign_state"].format(name=self.__key))
        is_own = not self.__key or self.__key == self.__line.acting
        offered = name if is_own else f"{self.klass}.{name}"
        if offered not in self.__line.offered:
            raise AttributeError(self.__line.words["not_offered"].format(name=name, agent=str(self)))
        return self.__line.callable(name if is_own else f"{self}.{name}")

    def __str__(self) -> str:
        return self.__key or self.__line.acting

    def __repr__(self) -> str:
        return f"<agent {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Agent) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


class _Index(dict["str", "Any"]):
    """Agents by a word, in brackets or in parentheses."""

    def __call__(self, word: object) -> Any:
        return self[str(word)]


class Agents:
    """All agents of the run."""

    def __init__(self, line: Asks) -> None:
        self.__line = line

    @property
    def all(self) -> list[Agent]:
        """Those of the file in its order, then those made in the run."""
        return [Agent(self.__line, each["key"]) for each in self.__line.look("agents")]

    @property
    def by_klass(self) -> Mapping[str, list[Agent]]:
        """Those under each heading."""
        found = _Index()
        for each in self.all:
            found.setdefault(each.klass, []).append(each)
        return found

    @property
    def by_id(self) -> Mapping[str, Agent]:
        """Each by its number."""
        return _Index({each["id"]: Agent(self.__line, each["key"]) for each in self.__line.look("agents")})

    def __iter__(self) -> Iterator[Agent]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)
