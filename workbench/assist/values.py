"""What is offered to somebody who writes, as plain values. Positions are code points of the text in question."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.model.meaning import StepKind
from workbench.model.program import Playbook
from workbench.syntax.text import Span
from workbench.tools.values import ToolSpec


class CompletionKind(enum.Enum):
    """What a completion is."""

    VARIABLE = "variable"
    PLAYBOOK = "playbook"
    FUNCTION = "function"
    TOOL = "tool"
    STEP = "step"
    KEY = "key"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Completion:
    """One thing to write. *label*: what is looked for; *detail*: one line beside it; *text*: what is written.

    *blank*: the part of *text* that is still to be written over. *step*: the kind of step that it begins. *words*: more
    about it, for whoever considers it.
    """

    label: str
    detail: str
    text: str
    kind: CompletionKind = CompletionKind.STEP
    step: StepKind = StepKind.STEP
    blank: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Completions:
    """What can stand in the place of *span*, best first. *is_all*: false where there is more than is listed.

    *is_whole*: what is written there is one of the names already.
    """

    span: Span
    items: tuple[Completion, ...] = ()
    is_all: bool = True
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Hover:
    """What is known of *span*: a *title* in the words of the source, and *lines* for a person."""

    span: Span
    title: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SignatureHelp:
    """The call that is being written. *label*: its signature. *parameters*: where each of them stands in it.

    *active*: which one is being written, -1 where there are no more. *words*: what it does.
    """

    label: str
    parameters: tuple[Span, ...]
    active: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class Around:
    """What is known beside the text. *tools*: those that can be called and do not stand in it.

    *values*: what each variable was at the last run, by its name as steps write it. *imported*: the playbooks of the
    files that it imports.
    """

    tools: tuple[ToolSpec, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    imported: tuple[Playbook, ...] = ()


NOTHING = Around()
