"""Emphasis in the words of a step: marks stand around words of prose, and are never taken out of what is code.

``**If** $n > 2`` is a condition all the same; ``2**10``, ``"__init__.py"`` and ``mcp__github__list_issues()`` are
what they are. So a step is read as it is written, and once more without the marks around its words. That counts if
it says all the code that was found before, and if each piece of code stands in the source as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from workbench.model.meaning import Call, Meaning, Variable
from workbench.syntax.expressions import Expression, Template
from workbench.syntax.masking import top_level

_MARKED = re.compile(
    r"(?<![^\s(])(?:\*\*(?=[^\s*]).+?(?<=[^\s*])\*\*|__(?=[^\s_])(?P<strong>(?:[^_]|_(?!_)|(?<=\w)__(?=\w))+?)(?<=[^\s_])__)"
    r"(?![^\s,.:;!?)]|\.\w)",
    re.DOTALL,
)
_NAME = re.compile(r"\w+")
_M = TypeVar("_M", bound=Meaning)


def read_marked(text: str, read: Callable[[str], _M]) -> _M:
    """What *read* makes of *text*: as it is written, or without the marks around its words."""
    meaning = read(text)
    if "**" not in text and "__" not in text:
        return meaning
    bare = _without_marks(text)
    if bare == text:
        return meaning
    other = read(bare)
    code = set(code_in(other))
    is_whole = all(piece in text for piece in code if piece in bare)
    return other if is_whole and code.issuperset(code_in(meaning)) else meaning


def code_in(part: object) -> Iterator[str]:
    """Every piece of code that a meaning carries: expressions, told texts, names, what is called."""
    match part:
        case Expression(source=source) | Template(source=source):
            yield source
            # of "$n += 1" only the 1 is written so
            yield source.partition("(")[2].rpartition(")")[0]
        case Variable(name=name):
            yield name
        case tuple():
            for one in part:
                yield from code_in(one)
        case str() | None:
            return
        case _ if hasattr(part, "__slots__"):
            if isinstance(part, Call):
                yield part.target
            for name in part.__slots__:
                yield from code_in(getattr(part, name))


def _without_marks(text: str) -> str:
    """*text* without the marks around its words; those in quotes and brackets stay, and those of names."""
    parts: list[str] = []
    done = 0
    for match in _MARKED.finditer(top_level(text)):
        if not _is_perhaps_name(match):
            start, end = match.span()
            parts += (text[done:start], text[start + 2 : end - 2])
            done = end
    return "".join([*parts, text[done:]])


def _is_perhaps_name(match: re.Match[str]) -> bool:
    """True for ``__init__``; but a step that begins with ``__If__`` has a marked word."""
    strong = match["strong"]
    return strong is not None and bool(_NAME.fullmatch(strong)) and (match.start() > 0 or strong[0].islower())
