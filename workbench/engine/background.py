"""What whoever judges should know besides the question itself, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.tools.values import ToolSpec


@dataclass(frozen=True, slots=True)
class Background:
    """What is known where a question is asked.

    *title*, *description*, *notes*: of the playbook. *details*: fences and paragraphs that stand under the step.
    *variables*: in view. *named*: words that steps of this playbook use; *now*: those of the step itself. *artifacts*:
    by name, with what they are. *choices*: what may be called, where the question is which call. *knowledge*: whatever
    else there is to say. *task*: what the playbook is for, in one line; empty where it does not say so. *worked*: what
    has worked for that before.
    """

    agent: str
    title: str
    description: str = ""
    notes: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    variables: tuple[tuple[str, Any], ...] = ()
    named: frozenset[str] = frozenset()
    now: frozenset[str] = frozenset()
    artifacts: Mapping[str, Any] = field(default_factory=dict)
    choices: tuple[ToolSpec, ...] = ()
    knowledge: str = ""
    task: str = ""
    worked: str = ""
