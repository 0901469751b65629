"""What is doubtful or wrong in a text, and the edits that would mend it."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span


class Severity(enum.Enum):
    """How much a diagnostic matters: an ERROR keeps a playbook from running as written."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Fix:
    """A named set of edits that would remove the cause of a diagnostic."""

    title: str
    edits: tuple[TextEdit, ...]
    is_safe: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: *code* is stable (kebab-case), *span* is in the whole text."""

    code: str
    severity: Severity
    message: str
    span: Span
    fixes: tuple[Fix, ...] = ()
