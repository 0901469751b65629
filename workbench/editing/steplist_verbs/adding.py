"""New elements: written, pasted, copied; and elements that go, unless another step of a graph still names them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from workbench.editing.commands import DeleteSteps, DuplicateSteps, InsertLines, InsertStep, Place, Refusal
from workbench.editing.edit_plan import Draft, EditPlan, Fragment
from workbench.editing.geometry.indentation import dedented
from workbench.editing.geometry.siblings import topmost
from workbench.editing.refusals import no_words, nothing_to_paste, refuse_steps
from workbench.editing.steplist_verbs.cutting import cut, place_text
from workbench.editing.steplist_verbs.data_text import DataText, data_text_of, node_of
from workbench.editing.steplist_verbs.listing import Listing, all_ids, listing_at, listing_of
from workbench.editing.steplist_verbs.moving import loose
from workbench.editing.steplist_verbs.scalars import Style, key_text, style_of, written
from workbench.i18n import _, ngettext
from workbench.model.meaning import StepListEntry
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.data.nodes import DataNode, ExpansionRefused, NodeKind, plain_value
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.scan import scan
from workbench.syntax.steplists.elements import label_node
from workbench.syntax.steplists.scan import is_broken
from workbench.syntax.text import line_end

_ID_WORDS = regex(r"[^\W_]+")
_MOST_ID_WORDS = 5
_LONGEST_ID = 40


def refuse_step(snapshot: Snapshot, command: InsertStep) -> Refusal | None:
    """Why no step can be written there."""
    return no_words() if not command.text.strip() else refuse_place(snapshot, command.place)


def refuse_lines(snapshot: Snapshot, command: InsertLines) -> Refusal | None:
    """Why the piece of source cannot be put there."""
    if not command.source.strip():
        return nothing_to_paste()
    return refuse_place(snapshot, command.place)


def refuse_place(snapshot: Snapshot, place: Place) -> Refusal | None:
    """Why nothing can be put at *place*."""
    listing = listing_at(snapshot, place)
    if isinstance(listing, Refusal):
        return listing
    return loose() if listing.is_loose else None


def plan_step(snapshot: Snapshot, command: InsertStep) -> EditPlan | Refusal:
    """The edits that add one step, written like the one above it."""
    text = re.sub(r"\s+", " ", command.text).strip()
    return _plan(snapshot, command.place, [{"id": "", "description": text}])


def plan_lines(snapshot: Snapshot, command: InsertLines) -> EditPlan | Refusal:
    """The edits that add the steps of a piece of YAML or JSON; of other text each line becomes a step."""
    return _plan(snapshot, command.place, _pasted(command.source))


def _pasted(source: str) -> list[dict[str, object]]:
    text = dedented(source).strip().removesuffix(",")
    for candidate in (text, f"[{text}]"):
        parse = read_yaml(candidate)
        root = parse.root
        if is_broken(parse) or root is None:
            continue
        nodes = root.items if root.kind is NodeKind.SEQUENCE else [root]
        if nodes and all(node.kind is NodeKind.MAPPING for node in nodes):
            try:
                return [_as_fields(plain_value(node)) for node in nodes]
            except ExpansionRefused:
                break
    return [{"id": "", "description": words} for block in scan(dedented(source)) for words in _words_in(block)]


def _words_in(block: Block) -> list[str]:
    """What each line of *block* says, without the sign before it; a fence says one thing."""
    if block.kind is BlockKind.FENCE:
        return [block.text.strip()]
    lines = (re.sub(r"^(?:[-*+]|\d+[.)])\s+", "", line.strip()) for line in block.text.splitlines())
    return [line for line in lines if line]


def _as_fields(value: object) -> dict[str, object]:
    return dict(value) if isinstance(value, dict) else {}


def _plan(snapshot: Snapshot, place: Place, steps: list[dict[str, object]]) -> EditPlan | Refusal:
    listing = listing_at(snapshot, place)
    if isinstance(listing, Refusal):
        return listing
    taken = set(all_ids(snapshot))
    model = _Model.of(snapshot, listing, place.after)
    pieces: list[Fragment] = []
    for fields in steps:
        wanted = str(fields.get("id") or "")
        own_id = _free_id(wanted, taken) if wanted else _new_id(str(fields.get("description") or ""), taken)
        taken.add(own_id)
        pieces.append(model.written({**fields, "id": own_id}))
    draft = Draft(snapshot.text)
    place_text(draft, listing, place.after, pieces, model.indent)
    return draft.finish(ngettext("Insert step", "Insert {count} steps", len(steps)))


@dataclass(frozen=True, slots=True)
class _Model:
    """How new elements are written: like a neighbour. *words*: the field that holds what a step says."""

    indent: str
    dash: str
    is_flow_item: bool
    is_between_commas: bool
    is_json: bool
    order: tuple[str, ...]
    quotes: Mapping[str, str]
    words: str
    end: str
    json_gaps: tuple[str, str, str, str]

    @classmethod
    def of(cls, snapshot: Snapshot, listing: Listing, after: StepId | None) -> _Model:
        """The style of the element above the place, else of the one below."""
        is_json = snapshot.program.format.is_json
        words = "goal" if snapshot.program.format.is_graph else "description"
        near = _neighbour(snapshot, listing, after)
        if near is None:
            gaps = ("", ", ", ": ", "")
            return cls("", "- ", is_json, is_json, is_json, ("id", words), {}, words, line_end(snapshot.text), gaps)
        step, node = near
        data = data_text_of(snapshot, step.id)
        item = step.item
        assert item is not None
        order = tuple(key.text for key, _value in node.entries)
        quotes = {
            key.text: style_of(data.source(value)) for key, value in node.entries if value.kind is NodeKind.SCALAR
        }
        found = next((key.text for key, value in node.entries if value is label_node(node, is_group=False)), words)
        words = found if found != "id" else words
        start = item.lines.start + len(item.indent)
        dash = step.block.text[start : node.span.start]
        dash = dash if item.sign == "-" and re.fullmatch(r"-[ \t]+", dash) else "- "
        gaps = _json_gaps(data, node) if node.is_flow else ("", ", ", ": ", "")
        return cls(
            item.indent, dash, node.is_flow, listing.is_flow, is_json, order, quotes, words,
            line_end(snapshot.text), gaps,
        )  # fmt: skip

    def written(self, fields: Mapping[str, object]) -> Fragment:
        """The element with *fields*."""
        named = {(self.words if key == "description" else key): value for key, value in fields.items()}
        keys = sorted(named, key=lambda key: self.order.index(key) if key in self.order else len(self.order))
        if self.is_flow_item:
            text = self._flow(keys, named)
            return Fragment(text, heads=(0,)) if self.is_between_commas else self._line(text)
        inside = self.indent + " " * len(self.dash)
        style = Style(indent=inside + "  ", end=self.end)
        lines = [f"{key_text(key, Style())}: {written(named[key], _with(style, self._quote(key)))}" for key in keys]
        return self._line((self.end + inside).join(lines))

    def _line(self, text: str) -> Fragment:
        lead = self.indent + self.dash
        return Fragment(lead + text + self.end, heads=(len(lead),))

    def _flow(self, keys: list[str], named: Mapping[str, object]) -> str:
        opening, comma, colon, closing = self.json_gaps
        parts = []
        for key in keys:
            style = Style(self._quote(key), is_flow=True, is_json=self.is_json)
            parts.append(f"{key_text(key, style)}{colon}{written(named[key], style)}")
        return "{" + opening + comma.join(parts) + closing + "}"

    def _quote(self, key: str) -> str:
        quote = self.quotes.get(key, "")
        return quote if quote in ("'", '"') else ""


def _with(style: Style, quote: str) -> Style:
    return Style(quote, indent=style.indent, end=style.end)


def _neighbour(snapshot: Snapshot, listing: Listing, after: StepId | None) -> tuple[Step, DataNode] | None:
    at = listing.index(after) if after is not None else 0
    order = [*listing.elements[at::-1], *listing.elements[at + 1 :]]
    for element in order:
        step = snapshot.step(element.step)
        node = node_of(snapshot, step)
        if node is not None and node.kind is NodeKind.MAPPING and node.entries:
            return step, node
    return None


def _json_gaps(data: DataText, node: DataNode) -> tuple[str, str, str, str]:
    """What stands behind the opening brace, between two entries, behind a key, and before the closing brace."""
    text, first = data.text, node.entries[0]
    keys = [data.span(key) for key, _value in node.entries]
    ends = [data.span(value).end for _key, value in node.entries]
    whole = data.span(node)
    opening = text[whole.start + 1 : keys[0].start]
    closing = text[ends[-1] : whole.end - 1]
    colon = text[keys[0].end : data.span(first[1]).start]
    pairs = zip(ends, keys[1:], strict=False)
    comma = next((one for end, key in pairs if re.fullmatch(r"\s*,\s*", one := text[end : key.start])), ", ")
    is_tight = colon.strip() == ":" and (data.is_json or colon.endswith(" "))
    return (
        opening if not opening.strip() else "",
        comma,
        colon if is_tight else ": ",
        closing if not closing.strip() else "",
    )


def refuse_some(snapshot: Snapshot, command: DeleteSteps | DuplicateSteps) -> Refusal | None:
    """Why the steps cannot be deleted or copied."""
    refusal = refuse_steps(snapshot, command.steps)
    if refusal is None and isinstance(command, DeleteSteps):
        refusal = refuse_named(snapshot, command.steps)
    if refusal:
        return refusal
    if isinstance(command, DuplicateSteps) and any(_is_alias(snapshot, step) for step in command.steps):
        return Refusal("alias", _("This step is an alias for another place, so a copy would have the same id."))
    listings = [listing_of(snapshot, step.id) for step in topmost(snapshot, command.steps)]
    return loose() if any(listing.is_loose for listing in listings) else None


def _is_alias(snapshot: Snapshot, step: StepId) -> bool:
    node = node_of(snapshot, snapshot.step(step))
    return node is not None and node.kind is not NodeKind.MAPPING


def plan_delete(snapshot: Snapshot, command: DeleteSteps) -> EditPlan:
    """The edits that take the steps out with the comments directly above them."""
    steps = topmost(snapshot, command.steps)
    draft = Draft(snapshot.text)
    for listing in _listings(snapshot, steps):
        cut(draft, listing, frozenset(step.id for step in steps))
    removed = frozenset(inner.id for step in steps for inner in step.walk())
    return draft.finish(ngettext("Delete step", "Delete {count} steps", len(steps)), removed)


def _listings(snapshot: Snapshot, steps: tuple[Step, ...]) -> list[Listing]:
    found: dict[tuple[StepId | None, str], Listing] = {}
    for step in steps:
        listing = listing_of(snapshot, step.id)
        found.setdefault((listing.parent, listing.key), listing)
    return list(found.values())


def plan_duplicate(snapshot: Snapshot, command: DuplicateSteps) -> EditPlan | Refusal:
    """The edits that copy the steps below the last of them, under ids of their own."""
    steps = topmost(snapshot, command.steps)
    listing = listing_of(snapshot, steps[-1].id)
    if any(step.id not in {one.step for one in listing.elements} for step in steps):
        return Refusal("several-lists", _("Steps from several phases cannot be copied together."))
    taken = set(all_ids(snapshot))
    pieces = [_copy(snapshot, listing, step, taken) for step in steps]
    draft = Draft(snapshot.text)
    indent = listing.elements[listing.index(steps[-1].id)].indent
    place_text(draft, listing, steps[-1].id, pieces, indent)
    return draft.finish(ngettext("Duplicate step", "Duplicate {count} steps", len(steps)))


def _copy(snapshot: Snapshot, listing: Listing, step: Step, taken: set[str]) -> Fragment:
    """The text of *step* with new ids."""
    element = listing.elements[listing.index(step.id)]
    span = element.value if listing.is_flow else element.owned
    draft = Draft(snapshot.text)
    for inner in step.walk():
        _rename(draft, snapshot, inner, taken)
    change = draft.finish("").change
    text = span.of(snapshot.text)
    for edit in reversed(change.edits):
        inside = edit.span.shifted(-span.start)
        text = text[: inside.start] + edit.insert + text[inside.end :]
    return Fragment(text, heads=(max(element.heads[0][0] - span.start, 0),))


def _rename(draft: Draft, snapshot: Snapshot, step: Step, taken: set[str]) -> None:
    node = node_of(snapshot, step)
    own = node.get("id") if node is not None and node.kind is NodeKind.MAPPING else None
    written_id = next((value for key, value in node.entries if key.text == "id"), None) if node is not None else None
    if own is None or written_id is None or written_id.kind is not NodeKind.SCALAR:
        return
    data = data_text_of(snapshot, step.id)
    fresh = _free_id(own.text, taken)
    taken.add(fresh)
    is_flow = node is not None and node.is_flow
    style = Style(style_of(data.source(written_id)), is_flow=is_flow, is_json=data.is_json)
    draft.replace(data.span(written_id), written(fresh, style))


def _new_id(text: str, taken: Iterable[str]) -> str:
    """An id for a step that says *text*, written like those that are *taken*."""
    known = set(taken)
    joint = "-" if sum("-" in one for one in known) > sum("_" in one for one in known) else "_"
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = _ID_WORDS.findall(plain.lower())[:_MOST_ID_WORDS]
    wanted = joint.join(words)[:_LONGEST_ID].strip("-_") or "step"
    if not wanted[0].isalpha():
        wanted = f"step{joint}{wanted}"
    return _free_id(wanted, known)


def _free_id(wanted: str, taken: Iterable[str]) -> str:
    """*wanted*, with the first number that makes it free where it is taken."""
    known = set(taken)
    if wanted not in known:
        return wanted
    joint = "-" if "-" in wanted and "_" not in wanted else "_"
    stem = re.sub(r"[-_]\d+$", "", wanted)
    number = 2
    while f"{stem}{joint}{number}" in known:
        number += 1
    return f"{stem}{joint}{number}"


def refuse_named(snapshot: Snapshot, steps: Iterable[StepId]) -> Refusal | None:
    """Why the ids of *steps* cannot go: other steps of a graph name them, or the group that they alone are in."""
    if not snapshot.program.format.is_graph:
        return None
    gone = {inner.id for step in steps for inner in snapshot.step(step).walk()}
    left: list[StepListEntry] = []
    lost: list[StepListEntry] = []
    for root in snapshot.roots:
        for step in root.walk() if root is not None else ():
            if isinstance(step.meaning, StepListEntry):
                (lost if step.id in gone else left).append(step.meaning)
    ids = {one.id for one in lost} - {one.id for one in left}
    groups = {one.group for one in lost if one.group} - {one.group for one in left}
    for one in left:
        named = ids.intersection([*one.after, *(branch.target for branch in one.branches)]) | groups.intersection(
            one.joins
        )
        if named:
            message = _("The step “{id}” refers to “{name}”. Change that first.")
            return Refusal("named", message.format(id=one.id, name=min(named)))
    return None
