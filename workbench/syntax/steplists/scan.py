"""A step list → blocks that cover it exactly: one per element, and the lines around them.

Elements are read one by one and kept by their text, so that an edit reads only what it
touched. Where a text cannot be cut by its lines it is read as a whole; where it cannot be
read at all, only the elements that are damaged are lost, and only for as long.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from workbench.syntax.blocks import Block, BlockKind, ListElement, Problem
from workbench.syntax.data.json_reading import read_json
from workbench.syntax.data.nodes import DataNode, DataParse, NodeKind
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.steplists.elements import Found, element_block, elements_of, without_blanks
from workbench.syntax.steplists.pieces import Run, json_runs, yaml_runs
from workbench.syntax.text import Span, line_start

LIST_KEYS = ("steps", "step_groups")
_BROKEN = frozenset({"yaml-syntax", "json-syntax", "too-deep", "several-documents", "too-large"})
_READ_WHOLE = Problem("", Span(0, 0), is_open=True)
"""What lines around the elements bear that are no damage, but were read as one with all of the text."""


@dataclass(frozen=True, slots=True)
class Known:
    """Elements that were read before, by key and text: each by itself, or (*are_of_whole*) where it stood.

    An element can be read in the one way and not in the other, so those of the other way are none.
    """

    blocks: Mapping[tuple[str, str], Block] = field(default_factory=dict)
    are_of_whole: bool = False

    def by_itself(self, key: str, text: str) -> Block | None:
        """The element as it was read by itself."""
        return None if self.are_of_whole else self.blocks.get((key, text))

    def in_place(self, key: str, text: str, found: Found) -> Block | None:
        """The element as it was read where it stood, in such a place; not where others say what it means."""
        block = self.blocks.get((key, text)) if self.are_of_whole and "*" not in text else None
        is_alike = block is not None and block.item is not None and block.item.sign == found.marker
        return block if is_alike else None


def scan_steplist(text: str, *, is_json: bool, known: Known | None = None) -> tuple[Block, ...]:
    """The blocks of *text*; elements in *known* are taken again."""
    return tuple(_StepListScanner(text, known or Known(), is_json=is_json).blocks())


def is_read_whole(block: Block) -> bool:
    """True for lines around elements that were read where they stand, and not each by itself."""
    return _READ_WHOLE in block.problems


def is_broken(parse: DataParse) -> bool:
    """True where a text could not be read to its end."""
    return any(one.code in _BROKEN for one in parse.diagnostics)


def read_data(text: str, *, is_json: bool) -> DataParse:
    """The nodes of *text*."""
    return read_json(text) if is_json else read_yaml(text)


@dataclass(frozen=True, slots=True)
class _Piece:
    """An element with its key: read, or damaged where *block* says so."""

    span: Span
    block: Block


class _StepListScanner:
    """Cuts one text; three ways, each tried where the one before cannot be trusted.

    By its lines, each element read by itself: right if the text *without* its elements can be
    read too and has empty lists where they stood (``_fits``). Else as a whole, cut where its
    nodes stand. Else, where not even that can be read, by its lines again, and the elements
    that cannot be read are damaged.
    """

    def __init__(self, text: str, known: Known, *, is_json: bool) -> None:
        self._text = text
        self._known = known
        self._is_json = is_json
        self._problems: tuple[Problem, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """All blocks, in order."""
        pieces = self._pieces()
        at = 0
        for piece in pieces:
            yield from self._around(at, piece.span.start)
            yield piece.block
            at = piece.span.end
        yield from self._around(at, len(self._text))

    def _around(self, start: int, end: int) -> Iterator[Block]:
        """The lines that are no element."""
        text = self._text[start:end]
        if not text:
            return
        if text.strip():
            yield Block(BlockKind.DATA, text, problems=self._problems)
        else:
            yield Block(BlockKind.BLANK, text)

    def _pieces(self) -> list[_Piece]:
        runs = json_runs(self._text) if self._is_json else yaml_runs(self._text)
        pieces = self._cut(runs)
        if all(piece.block.kind is BlockKind.ITEM for piece in pieces) and self._fits(runs, pieces):
            return pieces
        parse = read_data(self._text, is_json=self._is_json)
        if is_broken(parse) or parse.root is None:
            self._problems = (Problem("data-syntax", Span(0, 0), is_open=True),)
            return pieces
        self._problems = (_READ_WHOLE,)
        return self._read_whole(parse.root)

    def _cut(self, runs: Sequence[Run]) -> list[_Piece]:
        """The elements of *runs*, each read by itself."""
        pieces: list[_Piece] = []
        for run in runs:
            limit = len(self._text)
            for span, following in zip(run.elements, [*run.elements[1:], None], strict=True):
                is_last = following is None
                pieces.append(self._piece(run, span, following.start if following else limit, is_last=is_last))
        return pieces

    def _piece(self, run: Run, span: Span, limit: int, *, is_last: bool) -> _Piece:
        """The element at *span*; *limit*: where the next one begins."""
        text = span.of(self._text)
        known = self._known.by_itself(run.key, text)
        block = known or read_element(text, run.key, len(run.indent), is_json=self._is_json)
        if block.kind is BlockKind.ITEM and block.item is not None and self._is_json:
            if _ends_with_comma(block) is is_last:
                return _Piece(span, _damaged(text, run.key))
        elif block.kind is BlockKind.ITEM and ("|" in text or ">" in text) and "+" in text:
            return self._with_kept_blanks(run, _Piece(span, block), limit)
        return _Piece(span, block)

    def _with_kept_blanks(self, run: Run, piece: _Piece, limit: int) -> _Piece:
        """*piece* with the blank lines below it, where its last text keeps them."""
        end = piece.span.end
        while end < limit:
            line_end = _blank_line_end(self._text, end)
            if line_end is None or line_end > limit:
                break
            end = line_end
        if end == piece.span.end:
            return piece
        text = self._text[piece.span.start : end]
        longer = read_element(text, run.key, len(run.indent), is_json=False)
        is_kept = longer.item is not None and longer.item.owned.end == len(text)
        return _Piece(Span(piece.span.start, end), longer) if is_kept else piece

    def _fits(self, runs: Sequence[Run], pieces: Sequence[_Piece]) -> bool:
        """True where the text without its elements can be read, and says that the lists stand at the top."""
        rest, places = [], []
        at = shift = 0
        bounds = iter(pieces)
        for run in runs:
            places.append((run.key, run.at - shift))
            for _element_span in run.elements:
                piece = next(bounds)
                rest.append(self._text[at : piece.span.start])
                shift += len(piece.span)
                at = piece.span.end
        rest.append(self._text[at:])
        return _holds_lists("".join(rest), tuple(places), is_json=self._is_json)

    def _read_whole(self, root: DataNode) -> list[_Piece]:
        """The elements by where their nodes stand."""
        pieces: list[_Piece] = []
        for key, value in root.entries if root.kind is NodeKind.MAPPING else ():
            if key.text in LIST_KEYS and value.kind is NodeKind.SEQUENCE:
                for found in elements_of(self._text, value):
                    block = self._known.in_place(key.text, found.owned.of(self._text), found)
                    span = found.owned
                    pieces.append(_Piece(span, block or element_block(self._text, found, key.text)))
        return sorted(pieces, key=lambda piece: piece.span.start)


def _ends_with_comma(block: Block) -> bool:
    return block.text.rstrip().endswith(",")


def _blank_line_end(text: str, at: int) -> int | None:
    """Where the blank line at *at* ends; None where the line is not blank."""
    end = at
    while end < len(text) and text[end] in " \t":
        end += 1
    if end == len(text):
        return end
    if text.startswith("\r\n", end):
        return end + 2
    return end + 1 if text[end] in "\r\n" else None


def _damaged(text: str, key: str) -> Block:
    problem = Problem("data-syntax", Span(0, 0))
    return Block(BlockKind.DAMAGED, text, problems=(problem,), element=ListElement(key, None))


@lru_cache(maxsize=2048)
def read_element(text: str, key: str, indent: int, *, is_json: bool) -> Block:
    """The block of an element that is read by itself."""
    return _json_element(text, key) if is_json else _yaml_element(text, key, indent)


def _json_element(text: str, key: str) -> Block:
    core = text.rstrip()
    core = core.removesuffix(",").rstrip()
    parse = read_json(core)
    if is_broken(parse) or parse.root is None:
        return _damaged(text, key)
    whole = Span(0, len(text))
    indent = core[: len(core) - len(core.lstrip(" \t"))]
    return element_block(text, Found(parse.root, whole, whole, indent, ","), key)


def _yaml_element(text: str, key: str, indent: int) -> Block:
    parse = read_yaml(text)
    root = parse.root
    if is_broken(parse) or root is None or root.kind is not NodeKind.SEQUENCE or root.is_flow or len(root.items) != 1:
        return _damaged(text, key)
    found = elements_of(text, root)[0]
    if found.marker != "-" or len(found.indent) != indent or found.owned.start:
        return _damaged(text, key)
    # comments that stand deeper than the list, below the last value, belong to the element
    has_comments = bool(text[found.owned.end :].strip())
    whole = Span(0, len(without_blanks(text)) if has_comments else found.owned.end)
    lines = Span(found.lines.start, whole.end)
    return element_block(text, Found(found.node, whole, lines, found.indent, found.marker), key)


@lru_cache(maxsize=64)
def _holds_lists(rest: str, places: tuple[tuple[str, int], ...], *, is_json: bool) -> bool:
    parse = read_data(rest, is_json=is_json)
    root = parse.root
    if is_broken(parse) or root is None or root.kind is not NodeKind.MAPPING:
        return False
    if root.is_flow is not is_json:
        return False
    spots: dict[tuple[str, int], DataNode] = {}
    written: set[tuple[str, int]] = set()
    for key, value in root.entries:
        if key.text in LIST_KEYS and value.kind is NodeKind.SEQUENCE and value.items:
            return False
        spots[key.text, line_start(rest, key.span.start)] = value
    for name, at in places:
        spot = (name, line_start(rest, at))
        if spot not in spots or spot in written or not _is_empty(spots[spot], rest, is_json=is_json):
            return False
        written.add(spot)
    return True


def _is_empty(value: DataNode, rest: str, *, is_json: bool) -> bool:
    if is_json:
        return value.kind is NodeKind.SEQUENCE and not value.items
    return value.kind is NodeKind.SCALAR and not value.span.of(rest)
