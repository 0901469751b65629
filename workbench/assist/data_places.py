"""What is being written at a place of a step list, YAML or JSON: a key, or the value of one; and below which keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.model.queries import Queries
from workbench.regex import regex
from workbench.syntax.text import Span, split_lines

_ROW = regex(r"(?P<lead>[ \t]*(?:-[ \t]+|-$)*)(?P<rest>.*)")
_PAIR = regex(r"(?P<key>[\w.-]+)[ \t]*:(?:[ \t]+|$)")
_WORD = regex(r"[\w.-]*$")
_AFTER = regex(r"[\w.-]*")
_TOKEN = regex(r'"(?:[^"\\\n]|\\.)*"?|[{}\[\]:,]|[^\s"{}\[\]:,]+')


@dataclass(frozen=True, slots=True)
class DataPlace:
    """A word in a step list. *span*: where it stands; *word*: what is written of it.

    *key*: whose value it is, empty where it is a key itself. *above*: the keys that it stands below, the nearest first.
    """

    span: Span
    word: str
    key: str
    above: tuple[str, ...]


def data_place(document: Queries, offset: int) -> DataPlace | None:
    """What is written at *offset*; None in an empty text, or where it cannot be said."""
    index = document.block_index_at(offset)
    if index < 0:
        return DataPlace(Span(offset, offset), "", "", ())
    block, start = document.blocks[index], document.block_starts[index]
    outer = (block.list_key,) if block.list_key else ()
    inside = block.text[: offset - start]
    found = _in_json(inside, outer) if document.program.format.is_json else _in_yaml(inside, outer)
    if found is None:
        return None
    more = _AFTER.match(document.text, offset)
    end = more.end() if more is not None else offset
    return DataPlace(
        Span(start + found.span.start, end), document.text[start + found.span.start : end], found.key, found.above
    )


def _in_yaml(text: str, outer: tuple[str, ...]) -> DataPlace | None:
    """What is written at the end of *text*, whose lines stand below the keys *outer*."""
    lines = split_lines(text)
    row = _ROW.match(lines[-1] if lines and not lines[-1].endswith(("\n", "\r")) else "")
    assert row is not None, "every line is a row"
    rest, at = row["rest"], len(text) - len(row["rest"])
    if row["rest"].startswith("#"):
        return None
    above = tuple(_keys_above(lines[:-1] if row.group() else lines, len(row["lead"]))) + outer
    pair = _PAIR.match(rest)
    word = _WORD.search(rest)
    span = Span(at + word.start(), len(text)) if word is not None else Span(len(text), len(text))
    if pair is not None:
        return DataPlace(span, "", pair["key"], above)
    if "-" in row["lead"] and above and above[0] not in ("steps", "step_groups", "required_probes", "branches"):
        return DataPlace(span, "", above[0], above[1:])
    return DataPlace(span, "", "", above) if span.start == at else None


def _keys_above(lines: list[str], column: int) -> Iterator[str]:
    """The keys of the mappings around what stands at *column* below *lines*, the nearest first."""
    for line in reversed(lines):
        row = _ROW.match(line.rstrip("\r\n"))
        pair = _PAIR.match(row["rest"]) if row is not None else None
        if row is not None and pair is not None and len(row["lead"]) < column:
            column = len(row["lead"])
            yield pair["key"]
        if column == 0:
            return


@dataclass(slots=True)
class _Open:
    """A bracket that is open. *key*: whose value it is. *last*: the latest key in it; *is_value*: its value comes."""

    bracket: str
    key: str
    last: str = ""
    is_value: bool = False


def _in_json(text: str, outer: tuple[str, ...]) -> DataPlace | None:
    """The same in JSON."""
    stack: list[_Open] = []
    token, start, end = "", 0, 0
    for match in _TOKEN.finditer(text):
        token, start, end = match.group(), match.start(), match.end()
        _take(stack, token)
    is_open_text = token.startswith('"') and (len(token) == 1 or not token.endswith('"'))
    is_word = end == len(text) and (is_open_text or token[:1].isalnum())
    at = (start + token.startswith('"')) if is_word else len(text)
    span = Span(at, len(text))
    keys = tuple(one.key for one in reversed(stack) if one.key)
    if not stack:
        return DataPlace(span, "", "", outer)
    top = stack[-1]
    if top.bracket == "[":
        return DataPlace(span, "", keys[0] if keys else "", keys[1:] + outer)
    return DataPlace(span, "", top.last if top.is_value else "", keys + outer)


def _take(stack: list[_Open], piece: str) -> None:
    """Follow *piece* in what is open."""
    top = stack[-1] if stack else None
    if piece in "{[":
        stack.append(_Open(piece, top.last if top is not None and top.bracket == "{" else ""))
    elif piece in "}]":
        if stack:
            stack.pop()
    elif top is not None and piece == ":":
        top.is_value = True
    elif top is not None and piece == ",":
        top.is_value = False
    elif top is not None and not top.is_value:
        top.last = piece.strip('"')
