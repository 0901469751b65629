"""Moving elements: within their list, and from one group to another."""

from __future__ import annotations

import re
from itertools import pairwise

from workbench.editing.commands import MoveSteps, Refusal
from workbench.editing.edit_plan import Draft, EditPlan, Fragment
from workbench.editing.geometry.siblings import topmost
from workbench.editing.refusals import refuse_steps
from workbench.editing.steplist_verbs.cutting import cut, place_text
from workbench.editing.steplist_verbs.listing import Element, Listing, listing_at, listing_of
from workbench.i18n import _, ngettext
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import Span, line_end


def refuse(snapshot: Snapshot, command: MoveSteps) -> Refusal | None:
    """Why the steps cannot be moved there."""
    refusal = refuse_steps(snapshot, command.steps)
    if refusal:
        return refusal
    target = listing_at(snapshot, command.place)
    if isinstance(target, Refusal):
        return target
    if command.place.parent in command.steps:
        return Refusal("into-itself", _("A step cannot be moved into itself."))
    sources = [listing_of(snapshot, step.id) for step in topmost(snapshot, command.steps)]
    if any(source.key != target.key for source in sources):
        return Refusal("other-list", _("Phases can be placed next to phases, and steps inside phases."))
    if any(source.is_loose for source in sources) or target.is_loose:
        return loose()
    parents = {source.parent for source in sources}
    if parents == {target.parent}:
        return None
    if len(parents) > 1:
        return Refusal("several-lists", _("Steps from several phases cannot be moved together."))
    return _refuse_other_style(sources[0], target)


def loose() -> Refusal:
    """The list is written in a way that is not taken apart."""
    return Refusal("loose", _("These steps are not on lines of their own. Change their order in the source."))


def _refuse_other_style(source: Listing, target: Listing) -> Refusal | None:
    if not target.elements:
        return None if not source.is_flow or source.snapshot.program.format.is_json else _other_style()
    return None if source.is_flow is target.is_flow else _other_style()


def _other_style() -> Refusal:
    return Refusal("other-style", _("These two lists are written in different styles. Move the step in the source."))


def plan(snapshot: Snapshot, command: MoveSteps) -> EditPlan | Refusal:
    """The edits that move the steps with the comments directly above them."""
    target = listing_at(snapshot, command.place)
    if isinstance(target, Refusal):
        return target
    steps = topmost(snapshot, command.steps)
    moved = [step.id for step in steps]
    label = ngettext("Move step", "Move {count} steps", len(steps))
    source = listing_of(snapshot, moved[0])
    draft = Draft(snapshot.text)
    if source.parent == target.parent:
        _reorder(draft, target, _new_order(target, moved, command.place.after), frozenset(moved))
    else:
        _carry_over(draft, source, target, moved, command.place.after)
    return draft.finish(label)


def _new_order(listing: Listing, moved: list[StepId], after: StepId | None) -> list[Element]:
    order = [element for element in listing.elements if element.step not in moved]
    at = 0
    if after is not None:
        ids = [element.step for element in listing.elements]
        stays = [step for step in ids[: ids.index(after) + 1] if step not in moved]
        at = len(stays)
    block = [element for element in listing.elements if element.step in moved]
    return order[:at] + block + order[at:]


def _reorder(draft: Draft, listing: Listing, order: list[Element], moved: frozenset[StepId]) -> None:
    """Write the elements in their new *order*; blank lines and commas between them stay where they are."""
    changed = [at for at, pair in enumerate(zip(listing.elements, order, strict=True)) if pair[0] is not pair[1]]
    if not changed:
        return
    is_flow, text = listing.is_flow, draft.text
    spans = [element.value if is_flow else element.owned for element in listing.elements]
    own = [text[above.end : below.start] for above, below in pairwise(spans)]
    lead, gaps = ("", own) if is_flow else _gaps(own, listing, order, moved)
    first, last = _widened(changed[0], changed[-1], own, gaps)
    whole = Fragment(lead)
    for at in range(first, last + 1):
        piece = _fragment(text, order[at], is_flow=is_flow, is_moved=order[at].step in moved)
        if not changed[0] <= at <= changed[-1]:
            piece = Fragment(piece.text)
        whole = whole + _closed(piece, text, is_flow=is_flow) + Fragment(gaps[at] if at < last else "")
    was_open = spans[last].end == len(text) and text[-1:] not in "\r\n"
    if was_open and not is_flow:
        whole = Fragment(re.sub(r"(?:\r\n|\r|\n)\Z", "", whole.text), whole.ids, whole.heads)
    # nothing else begins between them, so all of them can be named at once, in order
    names = tuple(step for _offset, inside in whole.ids for step in inside)
    whole = Fragment(whole.text, ((whole.ids[0][0], names),), whole.heads)
    draft.replace(Span(spans[first].start, spans[last].end), whole)


def _gaps(own: list[str], listing: Listing, order: list[Element], moved: frozenset[StepId]) -> tuple[str, list[str]]:
    """What stands above the first element and between all of them, once they stand in *order*.

    *own*: what stands between them now. A comment that is set apart announces what is below it: it stays above the
    next element that does not move, wherever that comes to stand.
    """
    above: dict[StepId, str] = {}
    waiting = ""
    for gap, element in zip(own, listing.elements[1:], strict=True):
        waiting += gap if gap.strip() else ""
        if waiting and element.step not in moved:
            above[element.step], waiting = waiting, ""
    if waiting:
        return "", own
    plain = min((gap for gap in own if not gap.strip()), key=len, default="")
    gaps = [
        above.get(element.step) or (plain if gap.strip() else gap) for gap, element in zip(own, order[1:], strict=True)
    ]
    return above.get(order[0].step, "").lstrip("\r\n"), gaps


def _widened(first: int, last: int, own: list[str], gaps: list[str]) -> tuple[int, int]:
    """The places *first* to *last* with those beside them where the *gaps* differ from what stood there."""
    if first and own[first - 1] != gaps[first - 1]:
        first -= 1
    if last < len(own) and own[last] != gaps[last]:
        last += 1
    return first, last


def _fragment(text: str, element: Element, *, is_flow: bool, is_moved: bool) -> Fragment:
    span = element.value if is_flow else element.owned
    ids = tuple((max(head - span.start, 0), (step,)) for head, step in element.heads)
    heads = (ids[0][0],) if is_moved else ()
    return Fragment(span.of(text), ids, heads)


def _closed(piece: Fragment, text: str, *, is_flow: bool) -> Fragment:
    """*piece* with a line end, which the last line of a file may lack."""
    if is_flow or piece.text[-1:] in ("\n", "\r"):
        return piece
    return piece + Fragment(line_end(text))


def _carry_over(draft: Draft, source: Listing, target: Listing, moved: list[StepId], after: StepId | None) -> None:
    chosen = [element for element in source.elements if element.step in moved]
    pieces = [_fragment(draft.text, element, is_flow=source.is_flow, is_moved=True) for element in chosen]
    cut(draft, source, frozenset(moved))
    place_text(draft, target, after, pieces, chosen[0].indent)
