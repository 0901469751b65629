"""YAML text → nodes, from the event stream of libyaml: nothing is constructed, no tag is obeyed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any

import yaml
from yaml.resolver import Resolver

from workbench.i18n import _
from workbench.syntax.data.encodable import Encodable
from workbench.syntax.data.nodes import MAX_DEPTH, DataNode, DataParse, NodeKind, ScalarType
from workbench.syntax.diagnostics import Diagnostic, Severity
from workbench.syntax.text import LineIndex, Span

try:
    # the parser of libyaml alone: what constructs objects is never even set up
    _PARSER: Any = import_module("yaml.cyaml").CParser
except ImportError:  # PyYAML without libyaml
    _PARSER = yaml.SafeLoader
_UNREADABLE = yaml.reader.Reader.NON_PRINTABLE
_TYPES = {
    "tag:yaml.org,2002:null": ScalarType.NULL,
    "tag:yaml.org,2002:bool": ScalarType.BOOLEAN,
    "tag:yaml.org,2002:int": ScalarType.INTEGER,
    "tag:yaml.org,2002:float": ScalarType.NUMBER,
    "tag:yaml.org,2002:timestamp": ScalarType.DATE,
}


def nodes_of(text: str) -> DataParse:
    """The nodes of *text* with everything that is wrong in it; never raises."""
    builder = _Builder(text)
    readable = builder.readable.text
    try:
        builder.feed(_PARSER(readable))
    except yaml.YAMLError as error:
        builder.report("yaml-syntax", _syntax_message(error, readable), _place(error, readable))
    except _TooDeep as error:
        message = _("Lists and mappings are nested more than {limit} levels deep here.").format(limit=MAX_DEPTH)
        builder.report("too-deep", message, error.span)
    return DataParse(builder.root, tuple(builder.diagnostics))


class _TooDeep(Exception):
    def __init__(self, span: Span) -> None:
        super().__init__()
        self.span = span


class _Builder:
    """Puts nodes together from events, without recursion."""

    def __init__(self, text: str) -> None:
        self.root: DataNode | None = None
        self.diagnostics: list[Diagnostic] = []
        self.readable = Encodable.of(text)
        self._text = text
        # libyaml does not count a byte-order mark
        self._shift = 1 if text.startswith("\ufeff") else 0
        self._stack: list[DataNode] = []
        self._keys: list[DataNode | None] = []
        self._anchors: dict[str, DataNode] = {}
        self._documents = 0

    @cached_property
    def _lines(self) -> LineIndex:
        return LineIndex.of(self._text)

    def report(self, code: str, message: str, span: Span) -> None:
        """Note an error."""
        self.diagnostics.append(Diagnostic(code, Severity.ERROR, message, span))

    def feed(self, parser: Any) -> None:
        """Take all events of *parser*."""
        takers: dict[type, Callable[[Any], None]] = {
            yaml.ScalarEvent: self._scalar,
            yaml.MappingStartEvent: self._open,
            yaml.SequenceStartEvent: self._open,
            yaml.MappingEndEvent: self._close,
            yaml.SequenceEndEvent: self._close,
            yaml.AliasEvent: self._alias,
            yaml.DocumentStartEvent: self._document,
        }
        while (event := parser.get_event()) is not None:
            take = takers.get(type(event))
            if take is not None:
                take(event)

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents == 2:
            message = _("A second document starts here. A step list is one document; the rest is not read.")
            self.report("several-documents", message, self._span(event))

    def _span(self, event: Any) -> Span:
        return Span(event.start_mark.index + self._shift, event.end_mark.index + self._shift)

    def _scalar(self, event: Any) -> None:
        is_plain = not event.style
        value = self.readable.original(event.value)
        kind = _plain_type(value) if is_plain and not event.tag else ScalarType.TEXT
        node = DataNode(NodeKind.SCALAR, self._span(event), value, kind, is_plain)
        if event.tag:
            self._tagged(event, node)
        self._add(node, event.anchor)

    def _tagged(self, event: Any, node: DataNode) -> None:
        """Tags are never obeyed; those of YAML's own text types change nothing."""
        if event.tag and event.tag not in (
            "!",
            "tag:yaml.org,2002:str",
            "tag:yaml.org,2002:map",
            "tag:yaml.org,2002:seq",
        ):
            message = _("The tag {tag} would create an object. Playbooks contain plain data only; remove the tag.")
            self.report("tag", message.format(tag=self.readable.original(event.tag)), node.span)

    def _open(self, event: Any) -> None:
        kind = NodeKind.MAPPING if isinstance(event, yaml.MappingStartEvent) else NodeKind.SEQUENCE
        node = DataNode(kind, self._span(event), is_flow=bool(event.flow_style))
        if len(self._stack) >= MAX_DEPTH:
            raise _TooDeep(node.span)
        self._tagged(event, node)
        self._add(node, event.anchor)
        self._stack.append(node)
        self._keys.append(None)

    def _close(self, event: Any) -> None:
        node = self._stack.pop()
        self._keys.pop()
        end = self._span(event).end if node.is_flow else _last_end(node)
        node.span = Span(node.span.start, max(end, node.span.start))
        if node.kind is NodeKind.MAPPING:
            self._check_duplicates(node)

    def _alias(self, event: Any) -> None:
        span = self._span(event)
        node = DataNode(NodeKind.ALIAS, span, event.anchor)
        node.target = self._anchors.get(event.anchor)
        if node.target is None:
            message = _("There is no anchor &{name} above this alias.").format(name=event.anchor)
            self.report("unknown-alias", message, span)
            node.kind, node.type = NodeKind.SCALAR, ScalarType.NULL
        elif any(node.target is above for above in self._stack):
            message = _("The alias *{name} refers to a value that contains it, so it would never end.").format(
                name=event.anchor
            )
            self.report("circular-alias", message, span)
            node.kind, node.type, node.target = NodeKind.SCALAR, ScalarType.NULL, None
        self._add(node, None)

    def _add(self, node: DataNode, anchor: str | None) -> None:
        if anchor:
            node.anchor = anchor
            self._anchors[anchor] = node
        if not self._stack:
            if self._documents <= 1:
                self.root = node
            return
        parent = self._stack[-1]
        if parent.kind is NodeKind.SEQUENCE:
            parent.items.append(node)
        elif self._keys[-1] is None:
            self._keys[-1] = node
        else:
            parent.entries.append((self._keys[-1], node))
            self._keys[-1] = None

    def _check_duplicates(self, node: DataNode) -> None:
        seen: dict[str, DataNode] = {}
        for key, _value in node.entries:
            if key.kind is not NodeKind.SCALAR:
                message = _("A list or mapping is used as a key here. Keys must be text.")
                self.report("key-is-no-text", message, key.span)
            elif key.text in seen and key.text != "<<":
                first = self._lines.line(seen[key.text].span.start) + 1
                second = self._lines.line(key.span.start) + 1
                message = _("“{key}” appears twice, on lines {first} and {second}. Only one of them counts.")
                text = message.format(key=key.text, first=first, second=second)
                self.report("duplicate-key", text, key.span)
            else:
                seen[key.text] = key


@lru_cache(maxsize=4096)
def _plain_type(value: str) -> ScalarType:
    """What a plain scalar is read as; the keys of a list come again with each step."""
    for tag, pattern in Resolver.yaml_implicit_resolvers.get(value[:1], ()):
        if pattern.match(value):
            return _TYPES.get(tag, ScalarType.OTHER if tag.endswith(":value") else ScalarType.TEXT)
    return ScalarType.TEXT


def _last_end(node: DataNode) -> int:
    if node.kind is NodeKind.SEQUENCE:
        return node.items[-1].span.end if node.items else node.span.end
    return node.entries[-1][1].span.end if node.entries else node.span.end


def _place(error: yaml.YAMLError, text: str) -> Span:
    mark = getattr(error, "problem_mark", None)
    # what libyaml cannot take at all it places by bytes
    odd = _UNREADABLE.search(text) if mark is None else None
    at = min(mark.index if mark is not None else odd.start() if odd is not None else 0, len(text))
    return Span(at, min(at + 1, len(text)))


def _syntax_message(error: yaml.YAMLError, text: str) -> str:
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error).split("\n", maxsplit=1)[0]
    context = getattr(error, "context", None)
    if "nesting depth" in str(problem):
        return _("Lists and mappings are nested more than {limit} levels deep here.").format(limit=MAX_DEPTH)
    place = _place(error, text)
    if "\\t" in str(problem) or "tab" in str(problem) or place.of(text) == "\t":
        return _("YAML does not allow a tab here. Indent with spaces.")
    words = f"{problem} ({context})" if context else str(problem)
    return _("YAML syntax error here: {words}.").format(words=words)
