"""The list that elements stand in, whatever it is written like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from workbench.editing.commands import Place, Refusal
from workbench.editing.refusals import no_such_place, no_such_playbook
from workbench.editing.steplist_verbs.data_text import node_of
from workbench.i18n import _
from workbench.model.meaning import StepListEntry, StepListForm
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.steplists.elements import BLOCK_MARK, FLOW_MARK, LOOSE_MARK
from workbench.syntax.text import Span


@dataclass(frozen=True, slots=True)
class Element:
    """One element. *owned*: what moves with it; *value*: only what it says (between commas). *ids*: in source order."""

    step: StepId
    owned: Span
    value: Span
    marker: str
    indent: str
    heads: tuple[tuple[int, StepId], ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """The elements of one list, in order. *key*: what it stands under. *parent*: its group, None at the top."""

    snapshot: Snapshot
    parent: StepId | None
    key: str
    elements: tuple[Element, ...]

    @property
    def is_flow(self) -> bool:
        """True where the elements stand between commas."""
        return any(element.marker == FLOW_MARK for element in self.elements)

    @property
    def is_loose(self) -> bool:
        """True where an element stands in a way that cannot be cut out."""
        return any(element.marker == LOOSE_MARK for element in self.elements)

    def index(self, step: StepId) -> int:
        """Where *step* stands."""
        return next(at for at, element in enumerate(self.elements) if element.step == step)

    def gap(self, at: int) -> Span:
        """What stands between the element *at* and the next one."""
        return Span(self.elements[at].owned.end, self.elements[at + 1].owned.start)


def listing_of(snapshot: Snapshot, step: StepId) -> Listing:
    """The list that *step* stands in."""
    parent = snapshot.parent(step)
    if parent is not None:
        return _listing(snapshot, parent.id, "steps", parent.children)
    return _top(snapshot, snapshot.step(step).block.list_key)


def listing_at(snapshot: Snapshot, place: Place) -> Listing | Refusal:
    """The list that *place* is in, or why nothing can be put there."""
    if snapshot.program.playbook(place.playbook) is None:
        return no_such_playbook(place.playbook)
    if place.after is not None:
        found = listing_of(snapshot, place.after) if snapshot.has(place.after) else None
        return found if found is not None and found.parent == place.parent else no_such_place()
    if place.parent is None:
        first = next((root for root in snapshot.roots if root is not None), None)
        return _top(snapshot, first.block.list_key if first is not None else "steps")
    if not snapshot.has(place.parent):
        return no_such_place()
    parent = snapshot.step(place.parent)
    if not is_group(parent):
        return Refusal("not-nested", _("Steps in a list cannot contain other steps."))
    return _listing(snapshot, parent.id, "steps", parent.children)


def is_group(step: Step) -> bool:
    """True for a phase that holds steps."""
    return isinstance(step.meaning, StepListEntry) and step.meaning.form is StepListForm.GROUP


@lru_cache(maxsize=4)
def _top(snapshot: Snapshot, key: str) -> Listing:
    steps = tuple(root for root in snapshot.roots if root is not None and root.block.list_key == key)
    return _listing(snapshot, None, key, steps)


def _listing(snapshot: Snapshot, parent: StepId | None, key: str, steps: tuple[Step, ...]) -> Listing:
    return Listing(snapshot, parent, key, tuple(_element(snapshot, step) for step in steps))


def _element(snapshot: Snapshot, step: Step) -> Element:
    start = snapshot.block_start(step.id)
    item, node = step.item, node_of(snapshot, step)
    if item is None or node is None:
        span = Span(start, start + len(step.block.text))
        marker = LOOSE_MARK if snapshot.program.format.is_json else BLOCK_MARK
        return Element(step.id, span, span, marker, "", ((start, step.id),))
    pairs = zip(item.walk(), step.walk(), strict=True)
    heads = tuple((start + inner.head.start, one.id) for inner, one in pairs)
    return Element(step.id, item.owned.shifted(start), node.span.shifted(start), item.sign, item.indent, heads)


def list_key_span(snapshot: Snapshot, listing: Listing) -> Span | None:
    """Where the key stands that the list is written under, for a list in lines below it."""
    if listing.parent is not None:
        node = node_of(snapshot, snapshot.step(listing.parent))
        start = snapshot.block_start(listing.parent)
        keys = [key.span.shifted(start) for key, _value in node.entries if key.text == "steps"] if node else []
        return keys[-1] if keys else None
    before = listing.elements[0].owned.start if listing.elements else len(snapshot.text)
    pattern = re.compile(rf"(?:\A|(?<=[\r\n]))[ \t]*([\"']?){listing.key}\1(?=[ \t]*:)")
    found = None
    for found in pattern.finditer(snapshot.text, 0, before):  # noqa: B007 - the last one is wanted
        pass
    return Span(found.start(), found.end()) if found else None


def all_ids(snapshot: Snapshot) -> Iterator[str]:
    """The ids of all steps and groups, as written."""
    for root in snapshot.roots:
        for step in root.walk() if root is not None else ():
            if isinstance(step.meaning, StepListEntry):
                yield step.meaning.id
