"""Two changes of text, one after the other, as one."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from workbench.syntax.text import Span, TextChange, TextEdit

_REST = 1 << 62


@dataclass(slots=True)
class _Piece:
    """A stretch of the first change: *kept* or *dropped* old code points, or new text from *done* on."""

    kept: int = 0
    dropped: int = 0
    new: str = ""
    done: int = 0

    @property
    def left(self) -> int:
        """How many code points of the text between the two changes it still is."""
        return self.kept or len(self.new) - self.done


@dataclass(slots=True)
class _Output:
    """Collects edits against the old text; neighbouring deletions and insertions become one edit."""

    position: int = 0
    dropped: int = 0
    new: list[str] = field(default_factory=list)
    edits: list[TextEdit] = field(default_factory=list)

    def keep(self, count: int) -> None:
        """Leave *count* old code points alone."""
        self.flush()
        self.position += count

    def flush(self) -> None:
        """Close the edit that is being collected."""
        insert = "".join(self.new)
        if self.dropped or insert:
            self.edits.append(TextEdit(Span(self.position, self.position + self.dropped), insert))
        self.position += self.dropped
        self.dropped, self.new = 0, []


def compose(first: TextChange, second: TextChange) -> TextChange:
    """The change with ``compose(first, second).apply(t) == second.apply(first.apply(t))``.

    Idea: the composition of change sets in CodeMirror 6, without the texts.
    """
    pieces = _pieces(first)
    output = _Output()
    done = 0
    for edit in second.edits:
        _take(pieces, edit.span.start - done, output, is_kept=True)
        _take(pieces, len(edit.span), output, is_kept=False)
        output.new.append(edit.insert)
        done = edit.span.end
    while pieces[0].kept < _REST:
        _pass(pieces.popleft(), output)
    output.flush()
    return TextChange(tuple(output.edits))


def _pieces(change: TextChange) -> deque[_Piece]:
    """*change* as a row of pieces, with an endless kept one at its end."""
    pieces: deque[_Piece] = deque()
    done = 0
    for edit in change.edits:
        pieces += (_Piece(kept=edit.span.start - done), _Piece(dropped=len(edit.span)), _Piece(new=edit.insert))
        done = edit.span.end
    pieces.append(_Piece(kept=2 * _REST))
    return pieces


def _take(pieces: deque[_Piece], count: int, output: _Output, *, is_kept: bool) -> None:
    """Move *count* code points of the text between the two changes to *output*, or drop them."""
    while count:
        piece = pieces[0]
        size = min(count, piece.left)
        if piece.kept:
            _take_kept(piece, size, output, is_kept=is_kept)
        elif piece.new:
            output.new += [piece.new[piece.done : piece.done + size]] if is_kept else []
            piece.done += size
        else:
            _pass(piece, output)
        count -= size
        if not piece.left:
            pieces.popleft()


def _take_kept(piece: _Piece, size: int, output: _Output, *, is_kept: bool) -> None:
    if is_kept:
        output.keep(size)
    else:
        output.dropped += size
    piece.kept -= size


def _pass(piece: _Piece, output: _Output) -> None:
    """Take over a whole *piece* as the first change made it."""
    if piece.kept:
        output.keep(piece.kept)
    output.dropped += piece.dropped
    output.new.append(piece.new[piece.done :])
