"""JSON text → nodes with spans; every mistake is found with its place, and nothing recurses."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import cached_property
from typing import NoReturn

from workbench.i18n import _
from workbench.regex import regex
from workbench.syntax.data.nodes import MAX_DEPTH, MAX_SIZE, DataNode, DataParse, NodeKind, ScalarType
from workbench.syntax.diagnostics import Diagnostic, Severity
from workbench.syntax.text import LineIndex, Span

_TOKEN = regex(
    r"""[ \t\r\n]*(?:
      (?P<text>"(?:[^"\\\x00-\x1f]|\\.)*+")
    | (?P<number>-?(?:0|[1-9][0-9]*)(?P<fraction>(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?))
    | (?P<word>[A-Za-z]+)
    | (?P<mark>[\[\]{},:])
    | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
_WORDS = {"true": ScalarType.BOOLEAN, "false": ScalarType.BOOLEAN, "null": ScalarType.NULL}


class _Stopped(Exception):
    """Nothing behind this can be read."""


def read_json(text: str) -> DataParse:
    """The nodes of *text* with everything that is wrong in it; never raises."""
    if len(text) > MAX_SIZE:
        message = _("This file is larger than 16 MiB. It is shown as text and not read as a playbook.")
        return DataParse(None, (Diagnostic("too-large", Severity.ERROR, message, Span(0, 0)),))
    reader = _Reader(text)
    with suppress(_Stopped):
        reader.read()
    return DataParse(reader.root, tuple(reader.diagnostics))


class _Reader:
    """A stack machine over tokens."""

    def __init__(self, text: str) -> None:
        self.root: DataNode | None = None
        self.diagnostics: list[Diagnostic] = []
        self._text = text
        self._at = 0
        self._stack: list[DataNode] = []
        self._keys: list[DataNode | None] = []

    @cached_property
    def _lines(self) -> LineIndex:
        return LineIndex.of(self._text)

    def read(self) -> None:
        """Read one value and see that nothing follows."""
        self._value(self._next())
        while self._stack:
            self._inside()
        if self._next().lastgroup != "end":
            self._stop("json-syntax", _("There is more text after the end of the JSON value."), self._at)

    def _next(self) -> re.Match[str]:
        token = _TOKEN.match(self._text, self._at)
        if token is None:
            blank = re.compile(r"[ \t\r\n]*").match(self._text, self._at)
            at = blank.end() if blank else self._at
            self._stop("json-syntax", _("JSON syntax error here."), at)
        self._at = token.end()
        return token

    def _stop(self, code: str, message: str, at: int) -> NoReturn:
        at = max(0, min(at, len(self._text)))
        span = Span(at, min(at + 1, len(self._text)))
        self.diagnostics.append(Diagnostic(code, Severity.ERROR, message, span))
        raise _Stopped

    def _value(self, token: re.Match[str]) -> None:
        if token.lastgroup in ("text", "word"):
            self._add(self._scalar(token))
        elif token["number"] is not None:
            kind = ScalarType.NUMBER if token["fraction"] else ScalarType.INTEGER
            self._add(DataNode(NodeKind.SCALAR, Span(*token.span("number")), token["number"], kind))
        elif token["mark"] in ("{", "["):
            kind_of = NodeKind.MAPPING if token["mark"] == "{" else NodeKind.SEQUENCE
            self._open(DataNode(kind_of, Span(token.start("mark"), token.end()), is_flow=True))
        else:
            self._stop("json-syntax", _("A value is expected here."), token.end() - 1)

    def _scalar(self, token: re.Match[str]) -> DataNode:
        if token.lastgroup == "word":
            kind = _WORDS.get(token["word"])
            if kind is None:
                message = _("“{word}” is not a JSON value. Put it in double quotes.").format(word=token["word"])
                self._stop("json-syntax", message, token.start("word"))
            return DataNode(NodeKind.SCALAR, Span(*token.span("word")), token["word"], kind)
        span = Span(*token.span("text"))
        try:
            value = json.loads(token["text"])
        except ValueError:
            self._stop("json-syntax", _("This text has an escape that JSON does not allow."), span.start)
        return DataNode(NodeKind.SCALAR, span, str(value))

    def _open(self, node: DataNode) -> None:
        if len(self._stack) >= MAX_DEPTH:
            message = _("Lists and mappings are nested more than {limit} levels deep here.").format(limit=MAX_DEPTH)
            self._stop("too-deep", message, node.span.start)
        self._add(node)
        self._stack.append(node)
        self._keys.append(None)

    def _add(self, node: DataNode) -> None:
        if not self._stack:
            self.root = node
            return
        parent = self._stack[-1]
        key = self._keys[-1]
        if parent.kind is NodeKind.SEQUENCE:
            parent.items.append(node)
        elif key is not None:
            parent.entries.append((key, node))
            self._keys[-1] = None

    def _inside(self) -> None:
        """The next element of the innermost collection, or its end."""
        parent = self._stack[-1]
        is_mapping = parent.kind is NodeKind.MAPPING
        count = len(parent.entries) if is_mapping else len(parent.items)
        token = self._next()
        if token["mark"] == ("}" if is_mapping else "]"):
            self._close(token.end())
            return
        if count:
            if token["mark"] != ",":
                self._stop("json-syntax", _("A comma or the end of the list is expected here."), token.end() - 1)
            token = self._next()
        if is_mapping:
            self._key(token)
            token = self._next()
        self._value(token)

    def _key(self, token: re.Match[str]) -> None:
        if token.lastgroup != "text":
            self._stop("json-syntax", _("A name in double quotes is expected here."), token.end() - 1)
        self._keys[-1] = self._scalar(token)
        if self._next()["mark"] != ":":
            self._stop("json-syntax", _("A colon is expected here."), self._at - 1)

    def _close(self, end: int) -> None:
        node = self._stack.pop()
        self._keys.pop()
        node.span = Span(node.span.start, end)
        seen: dict[str, DataNode] = {}
        for key, _value in node.entries:
            if key.text in seen:
                self._duplicate(seen[key.text], key)
            seen.setdefault(key.text, key)

    def _duplicate(self, first: DataNode, second: DataNode) -> None:
        lines = self._lines
        message = _("“{key}” appears twice, on lines {first} and {second}. Only one of them counts.").format(
            key=second.text, first=lines.line(first.span.start) + 1, second=lines.line(second.span.start) + 1
        )
        self.diagnostics.append(Diagnostic("duplicate-key", Severity.ERROR, message, second.span))
