"""The expression language: parsed, bounded, and never handed to ``eval``.

Source may write ``$name`` (agent state) or ``name`` (local to the frame). The front end is
Python's ``ast``; what is not on the list of ``product`` forms is refused with a position.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression. *source*: exactly as written. *names*: (name, is_state) that it reads.

    *tree* is a checked ``ast.expr`` in which ``$name`` stands as ``ast.Name`` whose ``id`` is
    ``STATE_PREFIX + name``.
    """

    source: str
    tree: ast.expr
    names: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Template:
    """Text with placeholders: *pieces* are literal strings and expressions, in order."""

    source: str
    pieces: tuple[str | Expression, ...]


class ExpressionRefused(ValueError):
    """Text that is not an expression of ours; *position* is a 0-based offset into it."""

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.position = position


STATE_PREFIX = "ẟ"
