"""What a tool is and what it is called with, wherever it comes from: the file, a server, or the workbench itself."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol


class CallSafety(enum.Enum):
    """Whether a call whose end nobody saw may be made again without asking."""

    UNSAFE = "unsafe"
    READ = "read"
    IDEMPOTENT = "idempotent"


class Asking(enum.Enum):
    """When a person is asked before a call. ONCE: for the first in a run. FORBIDDEN: the call is not made at all."""

    NEVER = "never"
    ONCE = "once"
    ALWAYS = "always"
    FORBIDDEN = "forbid"

    @property
    def strictness(self) -> int:
        """The larger, the stricter."""
        return tuple(Asking).index(self)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool that can be called.

    *name*: as a playbook or a model calls it. *schema*: a JSON schema of its arguments, an object. *source*: who
    offers it, in words for a person.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    safety: CallSafety
    source: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What a call would do, as a person reads it before it is allowed.

    *summary*: one line, such as the command. *detail*: the whole of it: a difference, a body; empty where the line
    says it all. *is_difference*: *detail* is a unified diff.
    """

    summary: str
    detail: str = ""
    is_difference: bool = False


class Toolbox(Protocol):
    """Tools of one kind, as one run uses them; called on the thread of the run.

    Life cycle: nothing is started before something is asked. ``close`` ends everything that was
    started; when it returns it has ended.
    """

    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools that there are now. May start what offers them. Raises RunFailed, and Cancelled."""
        ...

    def find(self, name: str) -> ToolSpec | None:
        """The tool *name*; may start what offers it, and nothing else.

        Raises NotTrusted where that is not allowed, and Cancelled.
        """
        ...

    def may_have(self, name: str) -> bool:
        """Whether *name* is that of a tool here, as far as can be said without starting anything. Raises RunFailed."""
        ...

    def preview(self, name: str, arguments: Mapping[str, Any]) -> Preview:
        """What calling *name* would do. Does nothing. Raises RunFailed where it could not be done at all."""
        ...

    def call(self, name: str, arguments: Mapping[str, Any], on_output: Callable[[str], None]) -> Any:
        """What *name* gives, as JSON data. Raises RunFailed, and Cancelled after ``cancel``."""
        ...

    def cancel(self) -> None:
        """Give up the call at hand; callable from any thread."""
        ...

    def close(self) -> None:
        """End all that goes on for these tools."""
        ...
