"""Lists of texts inside a field, such as tools and hints: entries come and go, those that stay are not touched."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.editing.outcome import Draft
from workbench.editing.steplist_verbs.scalars import Style, style_of, written
from workbench.editing.steplist_verbs.scope import Scope
from workbench.syntax.data.nodes import DataNode, scalar_value
from workbench.syntax.text import Span

_LINE_END = re.compile(r"[\r\n]")
_BETWEEN = re.compile(r"\s*,\s*")


def edit_texts(draft: Draft, scope: Scope, node: DataNode, values: Sequence[object]) -> None:
    """Add to *draft* what makes the entries of *node* be *values*; neither is empty."""
    old = [scalar_value(item) if not isinstance(values[0], str) else item.text for item in node.items]
    new = list(values)
    first = next((at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), None)
    first = min(len(old), len(new)) if first is None else first
    tail = 0
    while tail < min(len(old), len(new)) - first and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    last_old, last_new = len(old) - tail, len(new) - tail
    shared = min(last_old, last_new)
    for at in range(first, shared):
        _rewrite(draft, scope, node, at, new[at])
    if last_old > shared:
        _remove(draft, scope, node, range(shared, last_old))
    elif last_new > shared:
        _insert(draft, scope, node, shared, new[shared:last_new])


def _style(scope: Scope, node: DataNode, at: int) -> Style:
    quote = style_of(scope.source(node.items[at]))
    indent = scope.indent(scope.span(node.items[at]).start)
    return Style(quote, is_flow=node.is_flow, is_json=scope.is_json, indent=indent + "  ", end=scope.end)


def _rewrite(draft: Draft, scope: Scope, node: DataNode, at: int, value: object) -> None:
    span = scope.span(node.items[at])
    spacing = " " if not len(span) and not node.is_flow else ""
    draft.replace(span, spacing + written(value, _style(scope, node, at)))


def _remove(draft: Draft, scope: Scope, node: DataNode, gone: range) -> None:
    spans = [scope.span(item) for item in node.items]
    if not node.is_flow:
        for at in gone:
            start = _dash_line(scope, spans[at])
            draft.replace(Span(start, scope.line_stop(spans[at].end)), "")
    elif gone.start:
        draft.replace(Span(spans[gone.start - 1].end, spans[gone.stop - 1].end), "")
    elif gone.stop < len(spans):
        draft.replace(Span(spans[0].start, spans[gone.stop].start), "")
    else:
        draft.replace(Span(spans[0].start, spans[-1].end), "")


def _dash_line(scope: Scope, span: Span) -> int:
    """The line of the dash before the value at *span*."""
    dash = scope.text.rfind("-", 0, max(span.start, 1))
    return scope.line_start(dash)


def _insert(draft: Draft, scope: Scope, node: DataNode, at: int, values: Sequence[object]) -> None:
    spans = [scope.span(item) for item in node.items]
    style = _style(scope, node, max(at - 1, 0))
    if node.is_flow:
        between = [scope.text[one.end : two.start] for one, two in zip(spans, spans[1:], strict=False)]
        comma = next((one for one in between if _BETWEEN.fullmatch(one)), _first_comma(scope, node, spans))
        if at:
            added = "".join(comma + written(value, style) for value in values)
            draft.replace(Span(spans[at - 1].end, spans[at - 1].end), added)
        else:
            added = "".join(written(value, style) + comma for value in values)
            draft.replace(Span(spans[0].start, spans[0].start), added)
        return
    _insert_lines(draft, scope, node, at, [written(value, style) for value in values])


def _first_comma(scope: Scope, node: DataNode, spans: Sequence[Span]) -> str:
    """What comes between two entries where there is only one: a line end where that one has a line of its own."""
    lead = scope.text[scope.span(node).start + 1 : spans[0].start]
    return "," + lead if not lead.strip() and _LINE_END.search(lead) else ", "


def _insert_lines(draft: Draft, scope: Scope, node: DataNode, at: int, texts: Sequence[str]) -> None:
    near = scope.span(node.items[max(at - 1, 0)])
    start = _dash_line(scope, near)
    lead = scope.text[start : near.start]
    if lead.strip() != "-" or "\n" in lead:
        # the first entry stands on the line of something else: the others say how they are written
        dash = scope.text.rfind("-", 0, near.start)
        lead = scope.indent(dash) + "- "
    place = scope.line_stop(near.end) if at else start
    is_open = place > 0 and scope.text[place - 1] not in "\r\n"
    lines = "".join(f"{lead}{text}{scope.end}" for text in texts)
    draft.replace(Span(place, place), scope.end + lines.removesuffix(scope.end) if is_open else lines)
