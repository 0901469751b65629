"""What stands in the file of another program, to be looked through: its keys, and the things in it that have names.

Like a sketch it is made of lines and signs, and never of a parser: so it is there for a file that is broken, and takes
no longer for one that is long.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from workbench.model.foreign.notation import is_json, is_yaml
from workbench.model.foreign.sketch import json_tokens, placed_lines
from workbench.syntax.text import Span

_LONGEST = 1_000_000
_MOST = 2_000
_DEEPEST = 5
_WIDEST = 80
_NAMES = ("name", "title", "displayName", "alert", "record", "label", "id", "hosts", "uses", "task", "key", "type")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One thing in a file. *text*: its name, or its key and what that holds. *span*: where it begins."""

    text: str
    span: Span
    children: tuple[OutlineEntry, ...] = ()


@dataclass(slots=True)
class _Draft:
    """An entry that is being read. *margin*: the column of what stands in it; *key* is empty for elements of lists."""

    margin: int
    key: str
    span: Span
    value: str = ""
    names: dict[str, str] = field(default_factory=dict)
    children: list[_Draft] = field(default_factory=list)
    is_element: bool = False

    def take(self, key: str, value: str) -> None:
        """Note that *key* holds *value*, which may be the name of this."""
        if key in _NAMES and value:
            self.names.setdefault(key, value)
        if self.is_element and not self.key:
            self.key, self.value = key, value

    @property
    def text(self) -> str:
        """What a person reads."""
        name = next((self.names[key] for key in _NAMES if key in self.names), "")
        if self.is_element and name:
            return name
        return f"{self.key}: {name or self.value}" if name or self.value else self.key


def has_outline(text: str) -> bool:
    """True where *text* is written in a way that an outline can be made of."""
    return "\0" not in text and (is_json(text) or is_yaml(text))


def outline_of(text: str) -> tuple[OutlineEntry, ...]:
    """The entries of *text*, in its order: not all of a very long one, and none where it is neither YAML nor JSON."""
    if not has_outline(text):
        return ()
    start = text[:_LONGEST]
    root = _of_json(start) if is_json(start) else _of_yaml(start)
    return _finished(root.children, 0, [_MOST])


def _finished(drafts: Iterable[_Draft], depth: int, left: list[int]) -> tuple[OutlineEntry, ...]:
    found = []
    for draft in drafts:
        is_worth_it = depth == 0 or draft.is_element or draft.children or draft.names
        if not is_worth_it or not draft.text or left[0] <= 0:
            continue
        left[0] -= 1
        children = _finished(draft.children, depth + 1, left) if depth < _DEEPEST else ()
        found.append(OutlineEntry(draft.text[:_WIDEST], draft.span, children))
    return tuple(found)


def _of_yaml(text: str) -> _Draft:
    root = _Draft(-1, "", Span(0, 0))
    opened = [root]
    for start, line in placed_lines(text):
        span = Span(start, start + len(line.text))
        if line.dash is not None:
            while opened[-1].margin > line.dash or (opened[-1].is_element and opened[-1].margin == line.dash):
                opened.pop()
            opened.append(_added(opened[-1], _Draft(line.dash, "", span, is_element=True)))
            if not line.key:
                opened[-1].key = line.value if len(line.text) <= _WIDEST else ""
                continue
        while opened[-1].margin >= line.indent:
            opened.pop()
        if line.key:
            _key_in(opened, line.indent, line.key, line.value, span)
    return root


def _key_in(opened: list[_Draft], margin: int, key: str, value: str, span: Span) -> None:
    """Take a key of the innermost of *opened*; what it holds will stand in it."""
    said = value.strip("\"'") if value[:1] not in "|>&*{[" else ""
    above = opened[-1]
    above.take(key, said)
    if not value or above.margin < 0:
        opened.append(_added(above, _Draft(margin, key, span, said)))


def _added(above: _Draft, draft: _Draft) -> _Draft:
    above.children.append(draft)
    return draft


def _of_json(text: str) -> _Draft:
    root = _Draft(-1, "", Span(0, 0))
    opened: list[tuple[str, _Draft]] = []
    key, key_span = "", Span(0, 0)
    for token in json_tokens(text):
        span, sign = Span(token.start(), token.end()), token[3] or ""
        above = opened[-1][1] if opened else root
        if sign and sign in "{[":
            opened.append((sign, _opened(above, sign, key, key_span if key else span, opened)))
            key = ""
        elif sign:
            key = ""
            del opened[-1:]
        elif token[2]:
            key, key_span = _unquoted(token[0].rstrip(": \t\r\n")), span
        elif key:
            above.take(key, value := _unquoted(token[0]))
            if above is root:
                _added(root, _Draft(0, key, key_span, value))
            key = ""
    return root


def _opened(above: _Draft, sign: str, key: str, span: Span, opened: list[tuple[str, _Draft]]) -> _Draft:
    """Where what comes now belongs to: a key's value, an element, or what it stands in."""
    if key:
        return _added(above, _Draft(len(opened), key, span))
    if sign == "{" and opened and opened[-1][0] == "[":
        return _added(above, _Draft(len(opened), "", span, is_element=True))
    return above


def _unquoted(word: str) -> str:
    try:
        return str(json.loads(word)) if word.startswith('"') else word
    except ValueError:
        return word.strip('"')
