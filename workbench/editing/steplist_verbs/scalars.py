"""Values as YAML and JSON write them, in a style that is asked for and that every reader reads back the same."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import yaml

from workbench.regex import regex
from workbench.syntax.data.encodable import Encodable
from workbench.syntax.data.nodes import DataNode, NodeKind, ScalarType
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.text import SURROGATES

_HEADER = regex(r"(?P<style>[|>])(?P<rest>[^\r\n]*)")
_LOOKS_LIKE_A_NUMBER = regex(r"[+-]?[0-9][0-9_]*(?:\.[0-9]*)?[eE][+-]?[0-9]+|0[oO]?[0-7]+|0[xX][0-9a-fA-F]+")
_LINE_END = regex(r"\r\n|\r|\n")
_ESCAPED = regex("[\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")
_OTHERS: tuple[Any, ...] = tuple(getattr(yaml, name) for name in ("SafeLoader", "CSafeLoader") if hasattr(yaml, name))
"""The readers of others: that of Python and that of libyaml differ in what they take."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a value is written. *quote*: ``'``, ``"``, ``|``, ``>`` or empty. *indent*: of the lines that go on.

    *may_be_block*: nothing stands behind it that would become part of a block of text.
    """

    quote: str = ""
    is_flow: bool = False
    is_json: bool = False
    indent: str = "  "
    end: str = "\n"
    header: str = ""
    may_be_block: bool = True


def style_of(source: str) -> str:
    """The quote that *source*, a value as written, begins with; empty for plain text."""
    return source[:1] if source[:1] in ("'", '"', "|", ">") else ""


def written(value: object, style: Style) -> str:
    """*value* on one line, or for text in more lines as a block where *style* allows that."""
    if isinstance(value, str):
        return _text(value, style)
    if isinstance(value, Mapping):
        return _mapping(value, style)
    if isinstance(value, Sequence):
        return f"[{', '.join(written(item, inner(style)) for item in value)}]"
    return _plain_value(value)


def inner(style: Style) -> Style:
    """The style of what stands inside brackets."""
    quote = style.quote if style.quote in ("'", '"') else ""
    return Style(quote, is_flow=True, is_json=style.is_json, indent=style.indent, end=style.end)


def _plain_value(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _number(value)
    return json.dumps(value if isinstance(value, int) else str(value))


def _number(value: float) -> str:
    """*value* with a point, without which YAML takes an exponent for text."""
    if not math.isfinite(value):
        return ".nan" if math.isnan(value) else f"{'-' if value < 0 else ''}.inf"
    digits, exponent, power = repr(value).partition("e")
    return f"{digits}{'' if '.' in digits else '.0'}{exponent}{power}"


def _mapping(value: Mapping[Any, Any], style: Style) -> str:
    inside = inner(style)
    pairs = [f"{key_text(str(key), inside)}: {written(item, inside)}" for key, item in value.items()]
    return "{" + ", ".join(pairs) + "}"


def key_text(key: str, style: Style) -> str:
    """*key* as the name of a value."""
    return _text(key, Style("", is_flow=True, is_json=style.is_json))


def _text(value: str, style: Style) -> str:
    if style.is_json:
        return SURROGATES.sub(_escape, _double(value))
    for candidate in _candidates(value, style):
        if reads_as(candidate, value, style):
            return candidate
    return _double(value)


def _candidates(value: str, style: Style) -> Iterator[str]:
    has_lines = bool(_LINE_END.search(value))
    if style.quote in ("|", ">") and not style.is_flow:
        yield from _blocks(value, style)
    if style.quote == '"':
        yield _double(value)
    if style.quote == "'" and not has_lines:
        yield _single(value)
    if not has_lines:
        yield value
    elif not style.is_flow and style.may_be_block:
        yield from _blocks(value, style)
    yield _double(value)


def _single(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _double(value: str) -> str:
    """*value* in double quotes; letters that are no plain letters are escaped as YAML and JSON both read them."""
    quoted = json.dumps(value, ensure_ascii=False)
    return _ESCAPED.sub(_escape, quoted)


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _blocks(value: str, style: Style) -> Iterator[str]:
    """*value* as a block of text, folded where it was, else line by line."""
    body = value.rstrip("\n")
    trailing = len(value) - len(body)
    if not body or "\r" in value:
        return
    chomp = "-" if not trailing else "" if trailing == 1 else "+"
    kept = _HEADER.match(style.header)
    rest = kept["rest"] if kept and _chomp(kept["rest"]) == chomp and not re.search(r"\d", kept["rest"]) else chomp
    tail = style.end * max(trailing - 1, 0)
    if style.quote == ">":
        folded = re.sub(r"\n", "\n\n", body)
        yield ">" + rest + style.end + _indented(folded, style) + tail
    yield "|" + rest + style.end + _indented(body, style) + tail


def _chomp(rest: str) -> str:
    found = re.match(r"[0-9]?([+-]?)", rest)
    return found[1] if found else ""


def _indented(body: str, style: Style) -> str:
    lines = [style.indent + line if line else "" for line in body.split("\n")]
    return style.end.join(lines)


def reads_as(source: str, value: str, style: Style) -> bool:
    """True when *source* is read as the text *value* where it stands, by us and by others."""
    if style.is_flow:
        texts = [f"[{{k: {source}}}]", f"[{source}]"]
    else:
        indent = " " * max(len(style.indent) - 1, 0)
        texts = [f"{indent}k: {source}{style.end}", f"{indent}- {source}{style.end}"]
    return all(_is_read_back(text, value) for text in texts)


@lru_cache(maxsize=1024)
def _is_read_back(text: str, value: str) -> bool:
    return _holds(text, value) and _others_read(text, value)


def _holds(text: str, value: str) -> bool:
    """True when *text* is read by us as collections around nothing but the text *value*."""
    parse = read_yaml(text)
    node = parse.root
    while node is not None and node.kind in (NodeKind.SEQUENCE, NodeKind.MAPPING):
        inside = [*node.items, *(item for _key, item in node.entries)]
        node = inside[0] if len(inside) == 1 else None
    return not parse.diagnostics and node is not None and _is_text(node, value)


def _others_read(text: str, value: str) -> bool:
    """True when *text* is read by others as it is by us."""
    whole, part = Encodable.of(text + value), len(text)
    try:
        found = [yaml.load(whole.text[:part], Loader=loader) for loader in _OTHERS]  # noqa: S506 - they are safe ones
    except (yaml.YAMLError, ValueError):  # what is no date raises the latter
        return False
    return all(_only(each) == whole.text[part:] for each in found)


def _only(data: object) -> object:
    """What stands in collections of one."""
    while isinstance(data, dict | list) and len(data) == 1:
        data = next(iter(data.values() if isinstance(data, dict) else data))
    return data


def _is_text(node: DataNode, value: str) -> bool:
    if node.kind is not NodeKind.SCALAR or node.type is not ScalarType.TEXT or node.text != value:
        return False
    return not (node.is_plain and _LOOKS_LIKE_A_NUMBER.fullmatch(value))
