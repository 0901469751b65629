"""Values of the front matter: set, added and taken out; all else stays as it was written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.editing.commands import Refusal, SetFrontMatter
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.steplist_verbs.data_text import DataText
from workbench.editing.steplist_verbs.fields import add_nested, remove_field, set_field
from workbench.i18n import _
from workbench.model.markdown.front_matter import FrontField, FrontMatter, Path, Value, front_of, read_front
from workbench.model.snapshot import Snapshot
from workbench.syntax.blocks import BlockKind
from workbench.syntax.data.nodes import DataNode, NodeKind
from workbench.syntax.scan import Scanner
from workbench.syntax.text import Span

ORDER = ("name", "description", "model", "tools", "allowed-tools", "license", "compatibility", "metadata")
"""Where a key goes that is new: behind those that come before it here."""


def refuse(snapshot: Snapshot, command: SetFrontMatter) -> Refusal | None:
    """Why the value cannot be set."""
    found = front_of(snapshot.blocks)
    if found is None:
        return Refusal("no-front-matter", _("This file has no front matter."))
    front = found[1]
    if front.is_broken:
        return Refusal("damaged", _("The front matter has a syntax error. Fix it in the source first."))
    if not command.path or not all(key.strip() for key in command.path):
        return Refusal("no-field", _("A field needs a name."))
    if command.value is None and not front.holds(command.path):
        return Refusal("no-field", _("There is nothing to take out."))
    return None


def plan(snapshot: Snapshot, command: SetFrontMatter) -> EditPlan | Refusal:
    """The edit of one value; None takes it out, with the key that held nothing else."""
    found = front_of(snapshot.blocks)
    assert found is not None
    start, front = found
    before = front.field(command.path)
    draft = Draft(snapshot.text)
    if before is None or before.value != command.value:
        _write(draft, DataText(snapshot.text, start + front.base, is_json=False), front, command)
    planned = draft.finish(_("Change {field}").format(field=command.path[-1]))
    if _is_kept(front, planned.change.apply(snapshot.text)[start:], command):
        return planned
    return Refusal("not-here", _("This value cannot be changed here. Change it in the source."))


def _is_kept(front: FrontMatter, text: str, command: SetFrontMatter) -> bool:
    """True where *text* begins with front matter in which only that value differs from what *front* has."""
    block = Scanner(text).block(0, at_start=True)
    if block.kind is not BlockKind.FRONT_MATTER:
        return False
    wanted: dict[Path, object] = {each.path: _said(each) for each in front.fields}
    for path in [path for path in wanted if path[: len(command.path)] == command.path]:
        del wanted[path]
    if command.value is not None:
        wanted[command.path] = command.value
        for at in range(1, len(command.path)):  # what held nothing holds something now
            wanted.pop(command.path[:at], None)
    elif not wanted:  # an empty mapping would need a spelling of its own
        wanted[command.path[:1]] = ""
    return {each.path: _said(each) for each in read_front(block.text).fields} == wanted


def _said(field: FrontField) -> object:
    return field.source if field.value is None else field.value


def _write(draft: Draft, data: DataText, front: FrontMatter, command: SetFrontMatter) -> None:
    path, value = command.path, command.value
    if front.root is None:
        add_nested(draft, data, None, (path, value or ""))
        return
    node, rest = _parent(front.root, path)
    if value is None:
        _take_out(draft, data, front.root, path)
    elif len(rest) > 1:
        add_nested(draft, data, node, (rest, value))
    else:
        spelling = next(_spellings(front, path, value), None)
        field = front.field(path)
        if spelling is not None and field is not None:
            end = field.span.end - front.base + data.base
            draft.replace(Span(end - len(field.source), end), spelling)
        else:
            set_field(draft, data, node, (path[-1], _as_written(field, value)), ORDER if len(path) == 1 else ())


def _parent(root: DataNode, path: Path) -> tuple[DataNode, Path]:
    """The innermost mapping that is there on the way to *path*, and the rest of the way."""
    node, rest = root, path
    while len(rest) > 1:
        inner = next((value for key, value in reversed(node.entries) if key.text == rest[0]), None)
        if inner is None or inner.kind is not NodeKind.MAPPING:
            break
        node, rest = inner, rest[1:]
    return node, rest


def _take_out(draft: Draft, data: DataText, root: DataNode, path: Path) -> None:
    """Take out the value, with each mapping that would be empty then; the last one of all stays without a value."""
    way = [_parent(root, path[: at + 1])[0] for at in range(len(path))]
    at = len(path) - 1
    while at and len(way[at].entries) == 1:
        at -= 1
    if at == 0 and len(root.entries) == 1:
        set_field(draft, data, root, (path[0], ""), ())
    else:
        remove_field(draft, data, way[at], path[at])


def _as_written(field: FrontField | None, value: Value) -> object:
    """*value*, with the line ends that stand behind a block of text."""
    if isinstance(value, tuple):
        return list(value)
    is_block = field is not None and field.source[:1] in ("|", ">")
    return f"{value}\n" if field is not None and is_block and "-" not in field.source.split("\n")[0] else value


def _spellings(front: FrontMatter, path: Path, value: Value) -> Iterator[str]:
    """How *value* can be written so that more of what stands there stays than if all of it were written anew."""
    field = front.field(path)
    if field is None or not isinstance(value, str) or not isinstance(field.value, str):
        return
    if not field.is_text and _reads_as(front, field, value, value, is_text=False):
        yield value
    if field.is_text and len(field.source.splitlines()) > 1:
        candidate = _within(field.source, field.value, value)
        if candidate and _reads_as(front, field, candidate, value, is_text=True):
            yield candidate


def _reads_as(front: FrontMatter, field: FrontField, source: str, value: str, *, is_text: bool) -> bool:
    """True when *source* in the place of *field* is read as *value*."""
    end = field.span.end
    text = front.text[: end - len(field.source)] + source + front.text[end:]
    found = read_front(text).field(field.path)
    return found is not None and found.value == value and found.source == source and found.is_text is is_text


def _within(source: str, old: str, new: str) -> str:
    """*source*, whose words are *old*, with only those words changed in which *new* differs; empty where unsure."""
    was, now = old.split(), new.split()
    first = next((at for at, pair in enumerate(zip(was, now, strict=False)) if pair[0] != pair[1]), None)
    first = min(len(was), len(now)) if first is None else first
    tail = 0
    while tail < min(len(was), len(now)) - first and was[-1 - tail] == now[-1 - tail]:
        tail += 1
    first, tail = max(first - 1, 0), max(tail - 1, 0)
    gone, come = was[first : len(was) - tail], now[first : len(now) - tail]
    found = (
        list(re.finditer(r"(?<!\S)" + r"(\s+)".join(map(re.escape, gone)) + r"(?!\S)", source)) if gone and come else []
    )
    if len(found) != 1:
        return ""
    spaces, between = found[0].groups(), [" "] * (len(come) - 1)
    if spaces and between:  # what stands beside the words that are kept at both ends
        between[0] = spaces[0] if len(spaces) > 1 else " "
        between[-1] = spaces[-1]
    made = "".join(word + space for word, space in zip(come, [*between, ""], strict=True))
    return source[: found[0].start()] + made + source[found[0].end() :]
