"""What stands at the top of a YAML or JSON text: its keys, and those one level below; read by lines.

A sketch is made while somebody types, of a text that may be half written and of any length: so it looks at the
beginning only, is the same whatever stands deeper, and nothing can be wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from workbench.regex import regex
from workbench.syntax.text import split_lines

_SIZE = 8_192
_LINES = 250
_KEY = regex(r"(?:\? )?(\"[^\"\n]*\"|'[^'\n]*'|[\w.$@/<*+-]+)(?:[ \t]*:(?=[ \t\r\n]|$)(.*)|(?<=\w)[ \t]*$)")
_BLOCK_SCALAR = regex(r"(?:[&!]\S*[ \t]+)*[|>][-+\d]*[ \t]*(?:#.*)?$")
_TOKEN = regex(r'"((?:[^"\\]|\\.)*)"[ \t\r\n]*(:?)|([{}\[\]])|[-\w.+]+', re.DOTALL)


@dataclass(slots=True)
class Sketch:
    """The top of a text. *top*: each key with its value where that is a word. *below*: for a key those in what it
    holds, or in the elements of what it holds. *deep*: all keys anywhere below. *items*: the keys in the elements of
    the list that the whole is, where *is_list*.
    """

    top: dict[str, str] = field(default_factory=dict)
    below: dict[str, set[str]] = field(default_factory=dict)
    deep: set[str] = field(default_factory=set)
    items: set[str] = field(default_factory=set)
    is_list: bool = False
    is_json: bool = False

    def has(self, *keys: str) -> bool:
        """True where all *keys* stand at the top."""
        return all(key in self.top for key in keys)

    def under(self, key: str) -> set[str]:
        """The keys one level below *key*."""
        return self.below.get(key, set())

    def add(self, depth: int, key: str, value: str, above: str) -> None:
        """Take *key*, which stands *depth* levels down, with *above* at the top."""
        if depth == 0:
            self.top[key] = value
        else:
            self.deep.add(key)
            if depth == 1 and self.is_list and not above:
                self.items.add(key)
            elif depth == 1:
                self.below.setdefault(above, set()).add(key)


class Line(NamedTuple):
    """A line of YAML that says something. *indent*: of its words, behind the marks of lists; *dash*: of those marks."""

    dash: int | None
    indent: int
    key: str
    value: str
    text: str


@lru_cache(maxsize=4)
def lines_of(text: str) -> tuple[Line, ...]:
    """The lines at the beginning of *text* that are neither blank, comments, marks nor parts of a longer text."""
    return tuple(islice(telling_lines(text), _LINES))


def telling_lines(text: str) -> Iterator[Line]:
    """As ``lines_of``, one after the other, and all of them."""
    return (line for _start, line in placed_lines(text))


def placed_lines(text: str) -> Iterator[tuple[int, Line]]:
    """The same, each with the place of its first word or mark in *text*."""
    scalar_at: int | None = None
    end = 0
    for raw in split_lines(text):
        end += len(raw)
        line = raw.rstrip().expandtabs(2)
        stripped = line.lstrip()
        if not stripped:
            continue
        indent = len(line) - len(stripped)
        if scalar_at is not None and indent > scalar_at:
            continue
        scalar_at = None
        if stripped[0] in "#%" or stripped.startswith(("{{", "{%")) or (indent == 0 and stripped in ("---", "...")):
            continue
        found = _line(stripped.removeprefix("--- "), indent)
        if _BLOCK_SCALAR.match(found.value):
            scalar_at = found.indent if found.key else indent
        yield end - len(raw.lstrip()), found


def _line(stripped: str, indent: int) -> Line:
    text, dash = stripped, None
    while stripped.startswith("- ") or stripped == "-":
        dash = indent if dash is None else dash
        rest = stripped[1:].lstrip()
        indent += len(stripped) - len(rest)
        stripped = rest
    key = _KEY.match(stripped)
    if key is None or (key[2] is None and not stripped.startswith("? ")):
        return Line(dash, indent, "", stripped, text)
    return Line(dash, indent, key[1].strip("\"'"), (key[2] or "").strip(), text)


def sketch_of_yaml(text: str) -> Sketch:
    """What stands at the top of *text*, written as YAML."""
    sketch, above, level, base = Sketch(), "", -1, -1
    for line in lines_of(text[:_SIZE]):
        if base < 0:
            base = line.indent if line.dash is None else line.dash
            sketch.is_list = line.dash is not None
        at_base = line.indent <= base and line.dash is None
        if at_base and line.key:
            sketch.add(0, line.key, line.value.strip("\"'"), "")
            above, level = line.key, -1
        elif line.key and line.indent > base:
            level = line.indent if level < 0 else level
            sketch.add(1 if line.indent <= level else 2, line.key, line.value, above)
    return sketch


def json_tokens(text: str) -> Iterator[re.Match[str]]:
    """The strings, brackets and words of *text*: 1 is what stands in quotes, 2 a colon behind it, 3 a bracket."""
    return _TOKEN.finditer(text)


def sketch_of_json(text: str) -> Sketch:
    """What stands at the top of *text*, written as JSON."""
    sketch = Sketch(is_json=True)
    opened: list[str] = []
    above = waiting = ""
    for token in json_tokens(text[:_SIZE]):
        bracket = token[3]
        if bracket:
            waiting = ""
            if bracket in "{[":
                sketch.is_list = sketch.is_list or (bracket == "[" and not opened)
                opened.append(bracket)
            elif opened:
                opened.pop()
        elif token[2]:
            depth = opened.count("{") - (0 if sketch.is_list else 1)
            above = token[1] if depth == 0 else above
            sketch.add(max(depth, 0), token[1], "", above)
            waiting = token[1] if depth == 0 else ""
        elif waiting:
            sketch.top[waiting] = token[1] if token[1] is not None else token[0]
            waiting = ""
    return sketch
