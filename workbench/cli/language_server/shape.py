"""The shape of a document: its outline, what can be folded and chosen, its colours, and the numbers of its steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from lsprotocol import types as lsp
from pygments.token import Comment, Generic, Keyword, Literal, Name, Number, Operator, String

from workbench.cli.language_server.documents import Encoding, OpenDocument, Positions, View
from workbench.model.meaning import StepKind
from workbench.model.program import Agent, Playbook, PythonFunction, Section, Step
from workbench.model.queries import Queries
from workbench.model.showing.colours import OUTSIDE, Inside, coloured, language_of, next_inside
from workbench.model.showing.folds import fold_at, foldable_lines
from workbench.model.showing.outline import SECTION_WORDS, OutlineValue, values_under
from workbench.model.showing.words import plain_text
from workbench.search.symbols import word_at
from workbench.syntax.blocks import BlockKind
from workbench.syntax.differences import common_ends
from workbench.syntax.text import Span, split_lines
from workbench.visible import visible

_SYMBOLS: Mapping[StepKind, lsp.SymbolKind] = {
    StepKind.TRIGGER: lsp.SymbolKind.Event,
    StepKind.ASK: lsp.SymbolKind.String,
    StepKind.TELL: lsp.SymbolKind.String,
    StepKind.ASSIGN: lsp.SymbolKind.Variable,
    StepKind.CALL: lsp.SymbolKind.Method,
    StepKind.DECISION: lsp.SymbolKind.Boolean,
    StepKind.LOOP: lsp.SymbolKind.Array,
    StepKind.NOTE: lsp.SymbolKind.Constant,
}
TYPES: Mapping[object, str] = {
    Comment: "comment",
    Keyword: "keyword",
    Keyword.Pseudo: "macro",
    Name.Variable: "variable",
    Name.Function: "function",
    Name.Decorator: "decorator",
    Name.Builtin: "method",
    Name.Tag: "property",
    String: "string",
    Literal: "enumMember",
    Number: "number",
    Operator: "operator",
    Operator.Word: "keyword",
    Generic.Heading: "class",
}
"""What a client knows words as that the window has a colour for."""
LEGEND = lsp.SemanticTokensLegend(list(dict.fromkeys(TYPES.values())), [])
_NUMBERS = {name: number for number, name in enumerate(LEGEND.token_types)}
_NAME_LIMIT = 200


def document_symbols(view: View, document: OpenDocument) -> list[lsp.DocumentSymbol] | list[lsp.SymbolInformation]:
    """The outline: agents, playbooks, sections, steps; as a row for a client that knows no trees."""
    if not document.is_ours:
        return []
    tree = _Outline(document).under(document.snapshot.program)
    if view.client.can("text_document.document_symbol.hierarchical_document_symbol_support"):
        return tree
    return [each for root in tree for each in _flat(root, document.uri, "")]


def _flat(symbol: lsp.DocumentSymbol, uri: str, above: str) -> Iterator[lsp.SymbolInformation]:
    yield lsp.SymbolInformation(lsp.Location(uri, symbol.range), symbol.name, symbol.kind, container_name=above or None)
    for child in symbol.children or ():
        yield from _flat(child, uri, symbol.name)


class _Outline:
    """Makes symbols of what a document means."""

    def __init__(self, document: OpenDocument) -> None:
        self._snapshot = document.snapshot
        self._positions = document.positions
        self._placed = {id(each.playbook): each for each in self._snapshot.structure.placed}
        starts = self._snapshot.block_starts
        blocks = enumerate(self._snapshot.blocks)
        self._headings = {id(block): starts[at] for at, block in blocks if block.kind is BlockKind.HEADING}

    def under(self, value: OutlineValue) -> list[lsp.DocumentSymbol]:
        """What stands directly under *value*."""
        found = (self._symbol(each) for each in values_under(value))
        return [each for each in found if each is not None]

    def _symbol(self, value: OutlineValue) -> lsp.DocumentSymbol | None:
        if isinstance(value, Step):
            return self._of_step(value)
        children = self.under(value)
        span, words = self._spans(value, children)
        if span is None:
            return None
        name, detail, kind = _told(value)
        return _symbol_of(self._positions, (name, detail, kind), (span, words), children)

    def _of_step(self, step: Step) -> lsp.DocumentSymbol | None:
        snapshot = self._snapshot
        if step.kind is StepKind.RAW or not snapshot.has(step.id):
            return None
        facts = plain_text(step), snapshot.number(step.id), _SYMBOLS.get(step.kind, lsp.SymbolKind.Field)
        spans = snapshot.owned_span(step.id), snapshot.head_span(step.id)
        return _symbol_of(self._positions, facts, spans, self.under(step))

    def _spans(self, value: OutlineValue, children: Sequence[lsp.DocumentSymbol]) -> tuple[Span | None, Span]:
        """All that belongs to *value*, and the words that it is named by."""
        nothing = Span(0, 0)
        heading = getattr(value, "heading", None)
        start = self._headings.get(id(heading)) if heading is not None else None
        placed = self._placed.get(id(value))
        if placed is not None:
            starts = self._snapshot.block_starts
            span = Span(starts[placed.start], starts[placed.stop])
            return span, _line(self._snapshot, span.start if start is None else start)
        if isinstance(value, PythonFunction):
            at = self._snapshot.text.find(f"def {value.name}")
            return (
                (Span(at, at + 4 + len(value.name)), Span(at + 4, at + 4 + len(value.name)))
                if at >= 0
                else (None, nothing)
            )
        if not children and start is None:
            return None, nothing
        inner = [self._positions.span(each.range) for each in children]
        first = start if start is not None else inner[0].start
        words = _line(self._snapshot, first)
        return Span(first, max([words.end, *(each.end for each in inner)])), words


def _line(snapshot: Queries, start: int) -> Span:
    """The words of the line at *start*."""
    line = snapshot.lines.line(start)
    stop = snapshot.lines.offset(line + 1)
    return Span(start, start + len(snapshot.text[start:stop].rstrip()))


def _told(value: OutlineValue) -> tuple[str, str, lsp.SymbolKind]:
    """Name, detail and kind of what is no step."""
    match value:
        case Agent():
            return value.title or value.name, value.kind, lsp.SymbolKind.Class
        case Playbook():
            return value.title, "", lsp.SymbolKind.Function
        case PythonFunction():
            return value.name, "Python", lsp.SymbolKind.Function
        case Section():
            return str(SECTION_WORDS[value.kind]), "", lsp.SymbolKind.Namespace
    return "", "", lsp.SymbolKind.Null


def _symbol_of(
    positions: Positions,
    facts: tuple[str, str, lsp.SymbolKind],
    spans: tuple[Span, Span],
    children: list[lsp.DocumentSymbol],
) -> lsp.DocumentSymbol:
    """A symbol whose words lie in it, and which has a name, as the protocol wants it."""
    name, detail, kind = facts
    span, words = spans
    chosen = Span(min(max(words.start, span.start), span.end), max(min(words.end, span.end), span.start))
    shown = " ".join(visible(name).split())[:_NAME_LIMIT] or "–"
    return lsp.DocumentSymbol(
        shown, kind, positions.range(span), positions.range(chosen), detail or None, children=children or None
    )


def folding_ranges(document: OpenDocument) -> list[lsp.FoldingRange]:
    """The lines that can be folded, as in the window."""
    snapshot, found = document.snapshot, []
    for start in foldable_lines(snapshot) if document.is_ours else ():
        hidden = fold_at(snapshot, start)
        assert hidden is not None, "foldable lines have something to hide"
        kind = snapshot.blocks[snapshot.block_index_at(start)].kind
        is_comment = kind is BlockKind.COMMENT
        found.append(
            lsp.FoldingRange(
                snapshot.lines.line(start),
                snapshot.lines.line(hidden.end - 1),
                kind=lsp.FoldingRangeKind.Comment if is_comment else None,
            )
        )
    return found


def selection_ranges(document: OpenDocument, params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
    """For each place, what can be chosen around it: word, line, step, the steps it is in, playbook, all."""
    return [_selection(document, document.positions.offset(each)) for each in params.positions]


def _selection(document: OpenDocument, offset: int) -> lsp.SelectionRange:
    around: lsp.SelectionRange | None = None
    kept = Span(0, len(document.snapshot.text))
    for span in sorted(_around(document, offset), key=len, reverse=True):
        if kept.start <= span.start <= offset <= span.end <= kept.end and (around is None or span != kept):
            around, kept = lsp.SelectionRange(document.positions.range(span), around), span
    assert around is not None, "the whole text is around every place"
    return around


def _around(document: OpenDocument, offset: int) -> Iterator[Span]:
    snapshot = document.snapshot
    yield Span(0, len(snapshot.text))
    yield word_at(snapshot.text, offset)
    yield _line(snapshot, snapshot.lines.starts[snapshot.lines.line(offset)])
    placed = snapshot.placed_at_block(snapshot.block_index_at(offset)) if document.is_ours else None
    if placed is not None:
        yield Span(snapshot.block_starts[placed.start], snapshot.block_starts[placed.stop])
    step = snapshot.step_at(offset) if document.is_ours and snapshot.blocks else None
    for each in snapshot.lineage(step) if step is not None and snapshot.has(step) else ():
        yield snapshot.owned_span(each.id)
        yield snapshot.text_span(each.id)


def tokens_of(document: OpenDocument, lines: range | None = None) -> list[int]:
    """The colours of the text, or of some *lines*, as the protocol counts them: each from the one before it."""
    data: list[int] = []
    inside, language = OUTSIDE, language_of(document.snapshot)
    last = 0
    for number, written in enumerate(split_lines(document.snapshot.text) if document.is_ours else ()):
        line = written.rstrip("\r\n")
        before, inside = inside, next_inside(inside, line, language, is_first=number == 0)
        if lines is not None and number not in lines:
            continue
        pieces = _pieces(line, (before, inside), language, document.encoding)
        for index, (start, length, kind) in enumerate(pieces):
            behind = start - pieces[index - 1][0] if index else start
            data += (0 if index else number - last, behind, length, kind, 0)
        last = number if pieces else last
    return data


@lru_cache(65_536)
def _pieces(
    line: str, around: tuple[Inside, Inside], language: str, encoding: Encoding
) -> tuple[tuple[int, int, int], ...]:
    """Start, length and type of each coloured piece of *line*, in units of *encoding*; kept, as most lines stay."""
    found: list[tuple[int, int, int]] = []
    for start, length, token in coloured(line, *around, language):
        kind = _type_of(token)
        if kind is not None and length:
            width = encoding.width
            found.append((width(line[:start]), width(line[start : start + length]), kind))
    return tuple(found)


def _type_of(token: object) -> int | None:
    """The number of the type, or of that of the nearest token type above."""
    while token is not None:
        name = TYPES.get(token)
        if name is not None:
            return _NUMBERS[name]
        token = getattr(token, "parent", None)
    return None


def token_edits(before: Sequence[int], after: Sequence[int]) -> list[lsp.SemanticTokensEdit]:
    """What makes the colours *after* of those *before*."""
    head, tail = common_ends(before, after)
    gone, come = len(before) - head - tail, list(after[head : len(after) - tail])
    return [lsp.SemanticTokensEdit(head, gone, come)] if gone or come else []


def inlay_hints(document: OpenDocument, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    """The numbers of the steps in a stretch of text, as logs, breakpoints and ``workbench edit`` have them."""
    snapshot, positions = document.snapshot, document.positions
    found: list[lsp.InlayHint] = []
    for step in snapshot.steps_within(positions.span(params.range)) if document.is_ours else ():
        number = snapshot.number(step) if snapshot.has(step) else ""
        if number and snapshot.step(step).kind is not StepKind.RAW:
            place = positions.position(snapshot.head_span(step).start)
            found.append(lsp.InlayHint(place, number, tooltip=snapshot.address(step), padding_right=True))
    return found
