"""Fields of a mapping, and lists of texts inside a field: set, added, taken out; all else stays as it was written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.editing.edit_plan import Draft
from workbench.editing.steplist_verbs.data_text import DataText
from workbench.editing.steplist_verbs.scalars import Style, key_text, style_of, written
from workbench.regex import regex
from workbench.syntax.data.nodes import DataNode, NodeKind, plain_value, scalar_value
from workbench.syntax.text import Span

_COLON = regex(r"[ \t]*:")
_COMMENT_BEHIND = regex(r"[ \t]+(?:[\r\n]|\Z)|\s*#")
_LINE_END = regex(r"[\r\n]")
_BETWEEN = regex(r"\s*,\s*")


Field = tuple[str, object]
"""The name of a field, and its value."""


def plain(value: object) -> object:
    """*value* with lists for tuples."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, tuple | list) else value


def set_field(draft: Draft, data: DataText, node: DataNode, field: Field, order: Sequence[str]) -> None:
    """Add to *draft* what sets *field* of the mapping *node*; a new one goes where *order* has it."""
    entry = next((pair for pair in reversed(node.entries) if pair[0].text == field[0]), None)
    if entry is None:
        _add(draft, data, node, field, order)
    else:
        _replace(draft, data, node, entry, field[1])


def remove_field(draft: Draft, data: DataText, node: DataNode, key: str) -> None:
    """Add to *draft* what takes *key* out of the mapping *node*."""
    indices = [at for at, pair in enumerate(node.entries) if pair[0].text == key]
    for index in indices:
        _remove(draft, data, node, index)


def _remove(draft: Draft, data: DataText, node: DataNode, index: int) -> None:
    if len(node.entries) == 1:
        span = Span(data.span(node.entries[0][0]).start, _value_end(data, node.entries[0][1]))
        draft.replace(span, "" if node.is_flow else "{}")
    elif node.is_flow:
        _remove_between_commas(draft, data, node, index)
    else:
        _remove_lines(draft, data, node, index)


def _remove_between_commas(draft: Draft, data: DataText, node: DataNode, index: int) -> None:
    key, value = node.entries[index]
    if index:
        span = Span(_value_end(data, node.entries[index - 1][1]), _value_end(data, value))
    else:
        span = Span(data.span(key).start, data.span(node.entries[1][0]).start)
    draft.replace(span, "")


def _remove_lines(draft: Draft, data: DataText, node: DataNode, index: int) -> None:
    key, value = node.entries[index]
    start, end = _key_start(data, key), _value_end(data, value)
    line = data.line_start(start)
    if not data.text[line:start].strip():
        draft.replace(Span(line, _lines_end(data, value)), "")
        return
    following = _key_start(data, node.entries[index + 1][0]) if index + 1 < len(node.entries) else end
    has_comment = "#" in data.text[end:following]
    draft.replace(Span(start, end if has_comment else following), "")


def _key_start(data: DataText, key: DataNode) -> int:
    """Where the entry begins: at its key, or at the question mark before it."""
    start = key.span.start + data.base
    line = data.line_start(start)
    before = data.text[line:start]
    return start - (len(before) - before.rindex("?")) if before.rstrip().endswith("?") else start


def _value_end(data: DataText, value: DataNode) -> int:
    return data.span(value).end


def _lines_end(data: DataText, value: DataNode) -> int:
    """Where the lines of *value* end; blank lines that a block of text keeps belong to it."""
    end = _value_end(data, value)
    stop = data.line_stop(max(end - 1, 0) if data.text[end - 1 : end] in ("\n", "\r") else end)
    head = data.source(value).split("\n")[0]
    if head[:1] in ("|", ">") and "+" in head:
        stop = max(stop, value.span.end + data.base)
    return stop


def _replace(draft: Draft, data: DataText, node: DataNode, entry: tuple[DataNode, DataNode], value: object) -> None:
    key, old = entry
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    if is_list and old.kind is NodeKind.SEQUENCE and _are_scalars(old) and value and old.items:
        assert isinstance(value, Sequence)
        _edit_texts(draft, data, old, value)
    elif isinstance(value, Mapping) and old.kind is NodeKind.MAPPING and old.entries and value:
        _merge(draft, data, old, value)
    else:
        _rewrite(draft, data, node, (key, old), value)


def _are_scalars(node: DataNode) -> bool:
    return all(item.kind is NodeKind.SCALAR for item in node.items)


def _merge(draft: Draft, data: DataText, node: DataNode, value: Mapping[str, object]) -> None:
    """Only what differs between the mapping *node* and *value*."""
    old = plain_value(node)
    assert isinstance(old, dict)
    gone = [key.text for key, _value in node.entries if key.text not in value and key.text != "<<"]
    if len(gone) == len(node.entries):
        span = data.span(node)
        draft.replace(span, written(value, Style(is_flow=node.is_flow, is_json=data.is_json)))
        return
    for key in gone:
        remove_field(draft, data, node, key)
    for key, item in value.items():
        if key not in old or type(old[key]) is not type(item) or old[key] != item:
            set_field(draft, data, node, (key, item), tuple(value))


def _rewrite(draft: Draft, data: DataText, node: DataNode, entry: tuple[DataNode, DataNode], value: object) -> None:
    """Write *value* in place of the old one, in its style."""
    key, old = entry
    colon = _COLON.match(data.text, key.span.end + data.base)
    after_colon = colon.end() if colon else key.span.end + data.base
    span = data.span(old)
    indent = data.indent(_key_start(data, key))
    if old.kind in (NodeKind.SCALAR, NodeKind.ALIAS) or node.is_flow or old.is_flow:
        style = _style_of(data, node, old, indent)
        spacing = " " if span.start == after_colon and not data.is_json else ""
        draft.replace(span, spacing + written(value, style))
    else:
        style = Style(is_flow=node.is_flow, is_json=data.is_json, indent=indent + "  ", end=data.end)
        draft.replace(Span(after_colon, span.end), " " + written(value, style))


def _style_of(data: DataText, node: DataNode, old: DataNode, indent: str) -> Style:
    source = data.source(old)
    quote = style_of(source) if old.kind is NodeKind.SCALAR else ""
    inside = indent + "  "
    if quote in ("|", ">"):
        lines = source.splitlines()[1:]
        first = next((line for line in lines if line.strip()), "")
        inside = first[: len(first) - len(first.lstrip(" "))] or inside
    header = source.splitlines()[0] if quote in ("|", ">") else ""
    return Style(quote, node.is_flow, data.is_json, inside, data.end, header, _may_be_block(data, data.span(old).end))


def _may_be_block(data: DataText, at: int) -> bool:
    """True where no blank or comment stands directly behind or below *at*, which a block of text would swallow."""
    return _COMMENT_BEHIND.match(data.text, at) is None


def _add(draft: Draft, data: DataText, node: DataNode, field: Field, order: Sequence[str]) -> None:
    """A new entry behind the last one that comes before it in *order*."""
    key, value = field
    if not node.entries:
        style = Style(is_flow=True, is_json=data.is_json)
        start = data.span(node).start + 1
        draft.replace(Span(start, start), f"{key_text(key, style)}: {written(value, style)}")
        return
    after = _entry_before(node, key, order)
    if node.is_flow:
        _add_between_commas(draft, data, node, after, field)
    else:
        _add_line(draft, data, node, after, field)


def _entry_before(node: DataNode, key: str, order: Sequence[str]) -> int:
    """The index of the entry that a new *key* follows."""
    if key not in order:
        return len(node.entries) - 1
    earlier = set(order[: order.index(key)])
    found = [index for index, (name, _value) in enumerate(node.entries) if name.text in earlier]
    return max(found) if found else 0


def _add_between_commas(draft: Draft, data: DataText, node: DataNode, after: int, entry: Field) -> None:
    key, value = entry
    names = [data.span(name) for name, _value in node.entries]
    sample_value = node.entries[after][1]
    is_quoted = data.text[names[after].start] == '"'
    style = Style(is_flow=True, is_json=data.is_json)
    colon = data.text[names[after].end : data.span(sample_value).start]
    colon = colon if colon.strip() == ":" and "\n" not in colon and (data.is_json or colon.endswith(" ")) else ": "
    ends = [_value_end(data, item) for _name, item in node.entries]
    between = [data.text[end : start.start] for end, start in zip(ends, names[1:], strict=False)]
    comma = next((one for one in between if _BETWEEN.fullmatch(one)), None)
    if comma is None:
        lead = data.text[data.span(node).start + 1 : names[0].start]
        comma = "," + lead if lead.strip() == "" and ("\n" in lead or "\r" in lead) else ", "
    name = key_text(key, Style(is_json=True)) if is_quoted else key_text(key, style)
    draft.replace(Span(ends[after], ends[after]), f"{comma}{name}{colon}{written(value, style)}")


def _add_line(draft: Draft, data: DataText, node: DataNode, after: int, entry: Field) -> None:
    key, value = entry
    first = _key_start(data, node.entries[0][0])
    indent = data.indent(first)
    at = _lines_end(data, node.entries[after][1])
    is_open = at > 0 and data.text[at - 1] not in "\r\n"
    style = Style(indent=indent + "  ", end=data.end, may_be_block=_may_be_block(data, at))
    line = f"{indent}{key_text(key, Style())}: {written(value, style)}"
    draft.replace(Span(at, at), data.end + line if is_open else line + data.end)


def add_nested(draft: Draft, data: DataText, node: DataNode | None, field: tuple[Sequence[str], object]) -> None:
    """Add to *draft* a value below keys that are new, a line for each; *node*: the mapping, None for an empty text."""
    keys, value = field
    indent, at = "", data.base
    if node is not None:
        indent = data.indent(_key_start(data, node.entries[0][0]))
        at = _lines_end(data, node.entries[-1][1])
        held = next((item for key, item in node.entries if key.text == keys[0]), None)
        if held is not None:
            at, keys, indent = data.line_stop(data.span(held).end), keys[1:], indent + "  "
    lines = [f"{indent}{'  ' * depth}{key_text(key, Style())}:" for depth, key in enumerate(keys)]
    style = Style(indent=indent + "  " * len(keys), end=data.end, may_be_block=_may_be_block(data, at))
    draft.replace(Span(at, at), data.end.join(lines) + " " + written(value, style) + data.end)


def _edit_texts(draft: Draft, data: DataText, node: DataNode, values: Sequence[object]) -> None:
    """Add to *draft* what makes the entries of *node* be *values*; those that stay are not touched.

    Neither is empty.
    """
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
        _rewrite_text(draft, data, node, at, new[at])
    if last_old > shared:
        _remove_texts(draft, data, node, range(shared, last_old))
    elif last_new > shared:
        _insert_texts(draft, data, node, shared, new[shared:last_new])


def _text_style(data: DataText, node: DataNode, at: int) -> Style:
    quote = style_of(data.source(node.items[at]))
    indent = data.indent(data.span(node.items[at]).start)
    return Style(quote, is_flow=node.is_flow, is_json=data.is_json, indent=indent + "  ", end=data.end)


def _rewrite_text(draft: Draft, data: DataText, node: DataNode, at: int, value: object) -> None:
    span = data.span(node.items[at])
    spacing = " " if not len(span) and not node.is_flow else ""
    draft.replace(span, spacing + written(value, _text_style(data, node, at)))


def _remove_texts(draft: Draft, data: DataText, node: DataNode, gone: range) -> None:
    spans = [data.span(item) for item in node.items]
    if not node.is_flow:
        for at in gone:
            start = _dash_line(data, spans[at])
            draft.replace(Span(start, data.line_stop(spans[at].end)), "")
    elif gone.start:
        draft.replace(Span(spans[gone.start - 1].end, spans[gone.stop - 1].end), "")
    elif gone.stop < len(spans):
        draft.replace(Span(spans[0].start, spans[gone.stop].start), "")
    else:
        draft.replace(Span(spans[0].start, spans[-1].end), "")


def _dash_line(data: DataText, span: Span) -> int:
    """The line of the dash before the value at *span*."""
    dash = data.text.rfind("-", 0, max(span.start, 1))
    return data.line_start(dash)


def _insert_texts(draft: Draft, data: DataText, node: DataNode, at: int, values: Sequence[object]) -> None:
    spans = [data.span(item) for item in node.items]
    style = _text_style(data, node, max(at - 1, 0))
    if node.is_flow:
        between = [data.text[one.end : two.start] for one, two in zip(spans, spans[1:], strict=False)]
        comma = next((one for one in between if _BETWEEN.fullmatch(one)), _first_comma(data, node, spans))
        if at:
            added = "".join(comma + written(value, style) for value in values)
            draft.replace(Span(spans[at - 1].end, spans[at - 1].end), added)
        else:
            added = "".join(written(value, style) + comma for value in values)
            draft.replace(Span(spans[0].start, spans[0].start), added)
        return
    _insert_text_lines(draft, data, node, at, [written(value, style) for value in values])


def _first_comma(data: DataText, node: DataNode, spans: Sequence[Span]) -> str:
    """What comes between two entries where there is only one: a line end where that one has a line of its own."""
    lead = data.text[data.span(node).start + 1 : spans[0].start]
    return "," + lead if not lead.strip() and _LINE_END.search(lead) else ", "


def _insert_text_lines(draft: Draft, data: DataText, node: DataNode, at: int, texts: Sequence[str]) -> None:
    near = data.span(node.items[max(at - 1, 0)])
    start = _dash_line(data, near)
    lead = data.text[start : near.start]
    if lead.strip() != "-" or "\n" in lead:
        # the first entry stands on the line of something else: the others say how they are written
        dash = data.text.rfind("-", 0, near.start)
        lead = data.indent(dash) + "- "
    place = data.line_stop(near.end) if at else start
    is_open = place > 0 and data.text[place - 1] not in "\r\n"
    lines = "".join(f"{lead}{text}{data.end}" for text in texts)
    draft.replace(Span(place, place), data.end + lines.removesuffix(data.end) if is_open else lines)
