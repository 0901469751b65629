"""Which blocks an edit exchanges: those that are not the same when the new text is scanned.

Whether and where a block ends depends only on the text from its start to the first line
behind it, or on all that follows where something in it never ends (``Problem.is_open``). So
in ``- a``, ``- b``, ``- c``, typing into ``b`` makes the scanner begin at ``a``, which could take in
the line below it, and go on to ``b``; where ``c`` begins, it meets an old boundary behind the
edit and stops, for what follows is what it was.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import takewhile
from operator import attrgetter, le, sub

from workbench.model.derivers import Deriver
from workbench.model.format import Notation
from workbench.model.incremental.draft import Draft, Rescan
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.change import TextChange, changed_window
from workbench.syntax.differences import part
from workbench.syntax.scan import Scanner
from workbench.syntax.steplists.pieces import yaml_runs
from workbench.syntax.steplists.scan import Known, is_read_whole, read_element, scan_steplist
from workbench.syntax.text import Span

_PLAIN = frozenset({BlockKind.PARAGRAPH, BlockKind.BLANK})
_FEW_EDITS = 8
"""So many edits are looked at one by one."""
_MANY = 256
_KIND, _PROBLEMS = attrgetter("kind"), attrgetter("problems")
_OPENINGS = 2
"""How many blocks at the start of a document (shebang, front matter) read differently there."""


def exchange_blocks(draft: Draft, change: TextChange, text: str, deriver: Deriver) -> None:
    """Exchange in *draft* the blocks that differ after *change* led from its text to *text*, which *deriver* reads."""
    before = draft.before
    notation = deriver.form.notation
    if notation is not before.deriver.form.notation or deriver.is_procedure is not before.deriver.is_procedure:
        draft.exchange(Rescan(0, len(before.blocks), deriver.scan(text)))
    elif notation is Notation.MARKDOWN:
        portion = draft.text
        for single in change.portions(portion):
            portion = single.apply(portion)
            scanner = deriver.scanner(portion)
            draft.exchange(rescan(draft.blocks, draft.starts, single, scanner))
        _keep_unread(draft, change)
    else:
        is_json = deriver.form.is_json
        draft.exchange(_rescan_steplist(before.blocks, before.block_starts, change, text, is_json=is_json))


def take_numbers(draft: Draft, change: TextChange) -> TextChange:
    """Give items in *draft* the numbers that *change* gives them, where it gives many of them one; what else it does.

    The rest counts in a text of the same length. Equal to scanning: no number has more digits or fewer, and below
    another item no line depends on which number it begins with.
    """
    deriver = draft.before.deriver
    if len(change.starts) <= _FEW_EDITS or not draft.blocks or not deriver.is_markdown or deriver.is_procedure:
        return change
    found = _Numbers(draft, change)
    found.look()
    if sum(map(len, found.runs)) <= _FEW_EDITS:
        return change
    draft.renumber(found.runs, change.only(found.edits))
    return change.only(found.rest)


class _Numbers:
    """Which *edits* of a change do nothing but give items, the blocks *runs*, other numbers; and the *rest*.

    Most stand right below one another: so many at once are looked at column by column.
    """

    def __init__(self, draft: Draft, change: TextChange) -> None:
        self._draft, self._change = draft, change
        self.runs: list[range] = []
        self.edits: list[int] = []
        self.rest: list[int] = []

    def look(self) -> None:
        """Look at all edits."""
        count = len(self._change.starts)
        for first in range(0, count, _MANY):
            self._look_at(range(first, min(first + _MANY, count)))

    def _look_at(self, edits: range) -> None:
        index = self._block_of(edits.start)
        is_one = len(edits) == 1
        if self._is_number(edits.start, index) if is_one else self._are_blocks_of_numbers(edits, index):
            self._take(range(index, index + len(edits)))
            self.edits += edits
        elif is_one:
            self.rest.append(edits.start)
        else:
            middle = len(edits) // 2
            self._look_at(edits[:middle])
            self._look_at(edits[middle:])

    def _block_of(self, at: int) -> int:
        return min(bisect_right(self._draft.starts, self._change.starts[at]), len(self._draft.blocks)) - 1

    def _take(self, run: range) -> None:
        if self.runs and self.runs[-1].stop == run.start:
            run = range(self.runs.pop().start, run.stop)
        self.runs.append(run)

    def _are_free(self, blocks: range) -> bool:
        """Whether *blocks* are items below another one, undamaged, and have no other numbers yet."""
        if not blocks.start or (self.runs and self.runs[-1].stop > blocks.start):
            return False
        # where none stands above, a number could decide whether an item begins here
        row = self._draft.blocks[blocks.start - 1 : blocks.stop]
        return list(map(_KIND, row)).count(BlockKind.ITEM) == len(blocks) + 1 and not any(map(_PROBLEMS, row[1:]))

    def _are_blocks_of_numbers(self, edits: range, index: int) -> bool:
        """Whether *edits* are of the digits with which as many blocks begin, that with *index* first."""
        change, where, text = self._change, part(edits), self._draft.text
        starts, ends, inserts = change.starts[where], change.ends[where], change.inserts[where]
        lows = self._draft.starts[index : index + len(edits)]
        if not self._are_free(range(index, index + len(edits))) or not all(map(le, lows, starts)):
            return False
        is_alike = list(map(len, inserts)) == list(map(sub, ends, starts)) and all(inserts)
        old = "".join([text[low:end] for low, end in zip(lows, ends, strict=True)])
        return is_alike and _are_digits(old) and _are_digits("".join(inserts))

    def _is_number(self, at: int, index: int) -> bool:
        """Whether the edit *at* is of digits of the number before the item *index*."""
        start, end, insert = self._change.starts[at], self._change.ends[at], self._change.inserts[at]
        item = self._draft.blocks[index].item if self._are_free(range(index, index + 1)) else None
        if item is None or end - start != len(insert) or not _are_digits(insert):
            return False
        low = self._draft.starts[index] + item.marker_span.start
        return low <= start and end <= low + item.digits


def _are_digits(text: str) -> bool:
    return text.isdecimal() and text.isascii()


def _keep_unread(draft: Draft, change: TextChange) -> None:
    """Put the blocks of before in place of fresh ones that are the same and only stand elsewhere now.

    Many edits make one window of all between the first and the last, and most of that is
    untouched. Only items that have not been read yet are compared, by their text: reading
    them is what costs time.
    """
    before = draft.before
    places = {draft.starts[index]: index for index in draft.fresh if callable(draft.blocks[index].item_source)}
    blocks = list(draft.blocks)
    for index in (index for window in draft.windows for index in window.old) if places else ():
        place = places.get(change.map_position(before.block_starts[index]), -1)
        if place >= 0 and _would_be_read_as(before.blocks[index], draft.blocks[place]):
            blocks[place] = before.blocks[index]
    draft.blocks = tuple(blocks)


def _would_be_read_as(old: Block, new: Block) -> bool:
    """True when *new* is an item that has not been read yet, and would be read as *old*."""
    return callable(new.item_source) and old.kind is new.kind and old.text == new.text and old.problems == new.problems


def rescan(blocks: Sequence[Block], starts: Sequence[int], change: TextChange, scanner: Scanner) -> Rescan:
    """The blocks that differ after *change* led to the text of *scanner*.

    Equal to scanning it from nothing: a block depends on the text from its start to the
    first line behind it (or on all of it, where something never ends), so scanning starts at
    the last block that could see the edit and stops at the first old boundary behind it.
    """
    text = scanner.text
    old_window, new_window = changed_window(change)
    growth = len(new_window) - len(old_window)
    first = _first_affected(blocks, starts, old_window.start)
    fresh: list[Block] = []
    position = starts[first] if first < len(starts) else 0
    at_start = first == 0
    while position < len(text):
        is_past = position >= new_window.end and first + len(fresh) >= _OPENINGS
        if is_past and _is_boundary(starts, position - growth, old_window.end):
            break
        block = scanner.block(position, at_start=at_start)
        at_start = at_start and block.kind is BlockKind.SHEBANG
        fresh.append(block)
        position += len(block.text)
    last_old = bisect_left(starts, position - growth) if position < len(text) else len(blocks)
    return _without_lead(blocks, Rescan(first, max(last_old, first), tuple(fresh)))


def _without_lead(blocks: Sequence[Block], found: Rescan) -> Rescan:
    """*found* without the prose and the blank lines at its beginning that read as they did: they stay what they are."""
    pairs = zip(blocks[found.first : max(found.last_old - 1, found.first)], found.fresh[:-1], strict=False)
    count = sum(1 for _pair in takewhile(_reads_alike, pairs))
    return Rescan(found.first + count, found.last_old, found.fresh[count:])


def _reads_alike(pair: tuple[Block, Block]) -> bool:
    old, new = pair
    return old.kind is new.kind and old.kind in _PLAIN and old.text == new.text and old.problems == new.problems


def _is_boundary(starts: Sequence[int], old_position: int, old_end: int) -> bool:
    """True where an old block begins behind the edit: from there on the scanner would see what it saw before."""
    if old_position < old_end:
        return False
    index = bisect_left(starts, old_position)
    return _OPENINGS <= index < len(starts) and starts[index] == old_position


def _first_affected(blocks: Sequence[Block], starts: Sequence[int], offset: int) -> int:
    """The first block whose extent could depend on what stands at *offset*.

    That is the block before the one it lies in: a line that is put in below ``- a`` may go on
    with it. Blank lines between do not part them (an indented line behind them belongs to the
    item above), but a heading is never continued. A block with something that never ends
    looks for its end in all that follows, wherever the edit is.
    """
    index = max(0, min(bisect_right(starts, offset) - 1, len(blocks) - 1))
    inside = index
    index = max(0, index - 1)
    while index > 0 and blocks[index].kind is BlockKind.BLANK:
        index -= 1
    if index < inside and blocks[index].kind is BlockKind.HEADING and blocks[index].text.endswith("\n"):
        index += 1
    for earlier in range(index):
        if blocks[earlier].problems and any(problem.is_open for problem in blocks[earlier].problems):
            index = earlier
            break
    return index if index >= _OPENINGS else 0


def _rescan_steplist(
    blocks: Sequence[Block], starts: Sequence[int], change: TextChange, text: str, *, is_json: bool
) -> Rescan:
    """The blocks that differ after *change* led to *text*; blocks that are equal are kept as they are."""
    within = None if is_json else _within_element(blocks, starts, change, text)
    return within or _compared(blocks, text, is_json=is_json)


def _within_element(blocks: Sequence[Block], starts: Sequence[int], change: TextChange, text: str) -> Rescan | None:
    """The element that *change* lies in, read again; None where more than this element may have changed.

    Equal to scanning everything: the new lines are cut like those of any element, so they are
    no more and no less than one, and whatever is around them is cut as it was.
    """
    old, new = changed_window(change)
    index = bisect_right(starts, old.start) - 1
    if not 0 <= index < len(blocks) or not _is_cut_by_lines(blocks):
        return None
    block, start = blocks[index], starts[index]
    words_end = start + len(block.text.rstrip("\r\n"))
    if block.kind is not BlockKind.ITEM or old.start == start or old.end > words_end:
        return None
    piece = text[start : starts[index + 1] + len(new) - len(old)]
    fresh = _element_of(piece, block)
    return Rescan(index, index + 1, (fresh,)) if fresh is not None else None


def _element_of(piece: str, before: Block) -> Block | None:
    """*piece* as an element where *before* stood, if it is one by itself."""
    lead = f"{before.list_key}:\n"
    runs = yaml_runs(lead + piece)
    whole = (Span(len(lead), len(lead) + len(piece)),)
    if len(runs) != 1 or runs[0].elements != whole or before.item is None or runs[0].indent != before.item.indent:
        return None
    if "+" in piece or "+" in before.text:  # blank lines below may belong to a text that keeps them
        return None
    fresh = read_element(piece, before.list_key, len(runs[0].indent), is_json=False)
    return fresh if fresh.kind is BlockKind.ITEM and fresh.text == piece else None


def _is_cut_by_lines(blocks: Sequence[Block]) -> bool:
    """True where no element depends on the others: else all lines around the elements say so."""
    around = next((block for block in blocks if block.kind is BlockKind.DATA), None)
    return around is not None and not around.problems


def _compared(blocks: Sequence[Block], text: str, *, is_json: bool) -> Rescan:
    elements = {(block.list_key, block.text): block for block in blocks if block.kind is BlockKind.ITEM}
    known = Known(elements, are_of_whole=any(is_read_whole(block) for block in blocks))
    fresh = scan_steplist(text, is_json=is_json, known=known)
    limit = min(len(blocks), len(fresh))
    first = next((index for index in range(limit) if not _is_same(blocks[index], fresh[index])), limit)
    rest = range(limit - first)
    tail = next((index for index in rest if not _is_same(blocks[-1 - index], fresh[-1 - index])), limit - first)
    return Rescan(first, len(blocks) - tail, fresh[first : len(fresh) - tail])


def _is_same(old: Block, new: Block) -> bool:
    if old is new:
        return True
    same_kind = old.kind is new.kind and old.kind is not BlockKind.ITEM and old.list_key == new.list_key
    return same_kind and old.text == new.text and old.problems == new.problems
