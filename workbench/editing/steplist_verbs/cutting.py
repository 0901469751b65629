"""Taking elements out of a list, and putting text of elements into one."""

from __future__ import annotations

import re

from workbench.editing.edit_plan import Draft, Fragment
from workbench.editing.steplist_verbs.listing import Listing, list_key_span
from workbench.model.program import StepId
from workbench.regex import regex
from workbench.syntax.data.nodes import NodeKind
from workbench.syntax.steplists.scan import read_data
from workbench.syntax.text import Span, line_end, line_start

_LINE_START = regex(r"(?:\A|(?<=[\r\n]))(?=[^\r\n])")
_COLON = regex(r"[ \t]*:")
_EMPTY = regex(r"[ \t]*(?:\[\s*\]|null|~)?")


def cut(draft: Draft, listing: Listing, gone: frozenset[StepId]) -> None:
    """Take the elements *gone* out, with the blank lines that set them apart."""
    stays = [element for element in listing.elements if element.step not in gone]
    if not stays:
        _empty(draft, listing)
    elif listing.is_flow:
        _cut_between_commas(draft, listing, gone)
    else:
        for at, element in enumerate(listing.elements):
            if element.step in gone:
                draft.replace(_with_gap(draft.text, listing, at, gone), "")


def _with_gap(text: str, listing: Listing, at: int, gone: frozenset[StepId]) -> Span:
    """What the element *at* takes with it: blank lines below it, or above it where it ends the list."""
    owned = listing.elements[at].owned
    last = len(listing.elements) - 1
    if at < last and (at == 0 or len(listing.gap(at - 1)) or listing.elements[at - 1].step in gone):
        gap = listing.gap(at)
        return Span(owned.start, gap.end if not gap.of(text).strip() else owned.end)
    ends_list = all(element.step in gone for element in listing.elements[at:])
    if at and ends_list:
        gap = listing.gap(at - 1)
        return Span(gap.start if not gap.of(text).strip() else owned.start, owned.end)
    return owned


def _cut_between_commas(draft: Draft, listing: Listing, gone: frozenset[StepId]) -> None:
    elements = listing.elements
    kept_before = None
    for at, element in enumerate(elements):
        if element.step not in gone:
            kept_before = at
            continue
        following = elements[at + 1] if at + 1 < len(elements) else None
        rest_goes = all(one.step in gone for one in elements[at:])
        if following is not None and not rest_goes:
            draft.replace(Span(element.value.start, following.value.start), "")
        elif kept_before is not None:
            draft.replace(_last_ones(draft.text, listing, kept_before, at), "")
            return


def _last_ones(text: str, listing: Listing, kept: int, first: int) -> Span:
    """The elements from *first* on with the comma before them; a comment behind what is kept stays with its comma."""
    elements = listing.elements
    span = Span(elements[kept].value.end, elements[-1].value.end)
    start = line_start(text, elements[first].value.start)
    if "#" not in text[span.start : elements[first].value.start] or text[start : elements[first].value.start].strip():
        return span
    rest = re.compile(r"[ \t]*,?[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)").match(text, span.end)
    return Span(start, rest.end() if rest else span.end)


def _empty(draft: Draft, listing: Listing) -> None:
    """Take all elements out: what is left must still be a list."""
    first, last = listing.elements[0], listing.elements[-1]
    if listing.is_flow:
        comma = re.compile(r"[ \t]*,").match(draft.text, last.value.end)
        draft.replace(Span(first.value.start, comma.end() if comma else last.value.end), "")
        return
    key = list_key_span(listing.snapshot, listing)
    if key is not None:
        colon = _COLON.match(draft.text, key.end)
        at = colon.end() if colon else key.end
        draft.replace(Span(at, at), " []")
    draft.replace(Span(first.owned.start, last.owned.end), "")


def place_text(draft: Draft, listing: Listing, after: StepId | None, pieces: list[Fragment], indent: str) -> None:
    """Put *pieces*, each the text of one element whose dash is *indent* deep, into *listing*."""
    if not listing.elements:
        _fill(draft, listing, pieces, indent)
    elif listing.is_flow:
        _place_between_commas(draft, listing, after, pieces)
    else:
        _place_lines(draft, listing, after, pieces, indent)


def _place_lines(draft: Draft, listing: Listing, after: StepId | None, pieces: list[Fragment], indent: str) -> None:
    text = draft.text
    end = line_end(text)
    wanted = next((one.indent for one in listing.elements if one.marker == "-"), "")
    blank = _blank_between(text, listing)
    at = listing.elements[listing.index(after)].owned.end if after is not None else listing.elements[0].owned.start
    is_open = after is not None and text[at - 1 : at] not in ("\n", "\r")
    is_last = after is not None and listing.elements[-1].step == after
    whole = Fragment(end if is_open else "")
    if after is not None:
        whole = whole + Fragment(blank)
    for number, piece in enumerate(pieces):
        moved = reindented(piece, indent, wanted)
        if moved.text[-1:] not in ("\n", "\r"):
            moved = moved + Fragment(end)
        whole = whole + (Fragment(blank) if number else Fragment("")) + moved
    if after is None:
        whole = whole + Fragment(blank)
    if is_open and is_last:
        whole = Fragment(re.sub(r"(?:\r\n|\r|\n)\Z", "", whole.text), whole.ids, whole.heads)
    draft.replace(Span(at, at), whole)


def _blank_between(text: str, listing: Listing) -> str:
    """The blank lines that set the elements of a list apart, where most of them are."""
    gaps = [listing.gap(at).of(text) for at in range(len(listing.elements) - 1)]
    blank = [gap for gap in gaps if gap and not gap.strip()]
    return blank[0] if blank and len(blank) * 2 > len(gaps) else ""


def reindented(piece: Fragment, old: str, new: str) -> Fragment:
    """*piece* with each line that begins with *old* beginning with *new*."""
    if old == new:
        return piece
    shifts: list[tuple[int, int]] = []
    parts: list[str] = []
    done = 0
    for line in _LINE_START.finditer(piece.text):
        if piece.text.startswith(old, line.start()):
            parts += [piece.text[done : line.start()], new]
            done = line.start() + len(old)
            shifts.append((line.start() + len(old), len(new) - len(old)))
    parts.append(piece.text[done:])

    def moved(offset: int) -> int:
        return offset + sum(by for at, by in shifts if at <= offset)

    ids = tuple((moved(offset), names) for offset, names in piece.ids)
    return Fragment("".join(parts), ids, tuple(moved(offset) for offset in piece.heads))


def _place_between_commas(draft: Draft, listing: Listing, after: StepId | None, pieces: list[Fragment]) -> None:
    comma = comma_of(draft.text, listing)
    if after is None:
        at = listing.elements[0].value.start
        whole = Fragment("")
        for piece in pieces:
            whole = whole + piece + Fragment(comma)
    else:
        index = listing.index(after)
        at = listing.elements[index].value.end
        whole = Fragment("")
        has_comment = (
            index + 1 < len(listing.elements) and "#" in draft.text[at : listing.elements[index + 1].value.start]
        )
        if has_comment:
            # the comment is about the element before it and stays there
            at = listing.elements[index + 1].value.start
        for piece in pieces:
            whole = whole + piece + Fragment(comma) if has_comment else whole + Fragment(comma) + piece
    draft.replace(Span(at, at), whole)


def comma_of(text: str, listing: Listing) -> str:
    """What stands between two elements of *listing*."""
    elements = listing.elements
    pairs = zip(elements, elements[1:], strict=False)
    between = [text[one.value.end : two.value.start] for one, two in pairs]
    plain = next((one for one in between if re.fullmatch(r"\s*,\s*", one)), None)
    if plain is not None:
        return plain
    start = line_start(text, elements[0].value.start)
    lead = text[start : elements[0].value.start]
    return "," + line_end(text) + lead if start and not lead.strip() else ", "


def _fill(draft: Draft, listing: Listing, pieces: list[Fragment], indent: str) -> None:
    """Put the first elements into a list that is empty, or is not written yet."""
    text = draft.text
    end = line_end(text)
    key = list_key_span(listing.snapshot, listing)
    if listing.snapshot.program.format.is_json:
        _fill_json(draft, listing, pieces, key)
        return
    depth = text[line_start(text, key.start) : key.start] if key is not None else ""
    depth = " " * len(depth)
    wanted = depth + "  "
    whole = Fragment("")
    for piece in pieces:
        whole = whole + Fragment(end) + reindented(piece, indent, wanted)
        whole = Fragment(re.sub(r"(?:\r\n|\r|\n)\Z", "", whole.text), whole.ids, whole.heads)
    if key is None:
        lead = "" if not text or text[-1] in "\r\n" else end
        draft.replace(Span(len(text), len(text)), Fragment(f"{lead}{listing.key}:") + whole + Fragment(end))
        return
    colon = _COLON.match(text, key.end)
    at = colon.end() if colon else key.end
    empty = _EMPTY.match(text, at)
    stop = empty.end() if empty else at
    rest = text[stop : _stop(text, stop)]
    draft.replace(Span(at, stop), "")
    draft.replace(Span(stop + len(rest), stop + len(rest)), whole)


def _fill_json(draft: Draft, listing: Listing, pieces: list[Fragment], key: Span | None) -> None:
    text = draft.text
    start = text.find("[", key.end) if key is not None else -1
    stop = text.find("]", start)
    if key is None or start < 0 or stop < 0 or text[start + 1 : stop].strip():
        _add_json_list(draft, listing, pieces)
        return
    depth = text[line_start(text, key.start) : _first_letter(text, key.start)]
    unit = re.search(r"(?<=[\r\n])[ \t]+", text)
    lead = line_end(text) + depth + (unit[0] if unit else "  ") if "\n" in text or "\r" in text else ""
    whole = Fragment("")
    for number, piece in enumerate(pieces):
        whole = whole + Fragment(("," if number else "") + lead) + piece
    draft.replace(Span(start + 1, stop), whole + Fragment(line_end(text) + depth if lead else ""))


def _add_json_list(draft: Draft, listing: Listing, pieces: list[Fragment]) -> None:
    root = read_data(draft.text, is_json=True).root
    if root is None or root.kind is not NodeKind.MAPPING:
        return
    at = root.entries[-1][1].span.end if root.entries else root.span.start + 1
    whole = Fragment((", " if root.entries else "") + f'"{listing.key}": [')
    for number, piece in enumerate(pieces):
        whole = whole + Fragment(", " if number else "") + piece
    draft.replace(Span(at, at), whole + Fragment("]"))


def _first_letter(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def _stop(text: str, at: int) -> int:
    found = re.compile(r"\r\n|\r|\n|\Z").search(text, at)
    return found.start() if found else len(text)
