"""A text that is changed in an editor is the same in the server, unit by unit, and so is all that follows from it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import attrs
import pytest

pytest.importorskip("pygls", reason="make set-up installs it")
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from tests.core.lsp_client import Editor, capabilities_of, editor
from workbench.cli.language_server import findings, shape
from workbench.cli.language_server.documents import Client, Encoding, OpenDocument, Positions, View, change_of
from workbench.model.snapshot import derive
from workbench.syntax.text import LineIndex, SourceText

PIECES = (
    *(
        "- If $x > 3\n",
        "  - $y = $x + 1\r\n",
        "## Check($x)\r",
        "# Agent\n",
        "### Steps\n",
        "- Check($y)\n",
        "- Return $y\n",
    ),
    *("\n", "\r", "\r\n", "😀", "é", "\u2028", "\x0c", "$x", "```\n", "<!--", "-->", "- ", "  ", "{", "steps:\n"),
    *("\ud83d", "\ude00", "- Tell user “{$y}”\n", ""),
)
START = "# Desk\r\n## Main\r\n- $x = 1 😀\r\n- If $x > 3\n  - $y = 2\n- Check($x)\n## Check($x)\n- Return $x 🚀"
EDITS = 1_000
LOOKED_AT = 25
"""How often everything is compared on the way."""


def units(text: str) -> str:
    """*text* with a character for each unit of UTF-16, as editors count."""
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(int.from_bytes(data[at : at + 2], "little")) for at in range(0, len(data), 2))


def text_of(row: str) -> str:
    """The text that a *row* of units is."""
    return row.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class Sheet:
    """What an editor shows: a row of units, changed by line and column."""

    def __init__(self, text: str) -> None:
        self.row = units(text)

    @property
    def text(self) -> str:
        """The text."""
        return text_of(self.row)

    def place(self, offset: int) -> lsp.Position:
        """Line and column of the unit at *offset*."""
        return lsp.Position(*LineIndex.of(self.row).position(offset))

    def type(self, start: int, end: int, insert: str) -> lsp.TextDocumentContentChangePartial:
        """Replace a stretch; what the server is told of it."""
        told = lsp.TextDocumentContentChangePartial(lsp.Range(self.place(start), self.place(end)), insert)
        self.row = self.row[:start] + units(insert) + self.row[end:]
        return told


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 8), st.sampled_from(PIECES)), max_size=8))
def test_changes_lead_to_the_text_of_the_editor_whatever_they_cut_through(edits: list[tuple[int, int, str]]) -> None:
    sheet, changes = Sheet(START), []
    for at, length, insert in edits:
        start = min(at, len(sheet.row))
        end = min(start + length, len(sheet.row))
        # between CR and LF there is no column
        if "\r\n" not in (sheet.row[start - 1 : start + 1], sheet.row[end - 1 : end + 1]):
            changes.append(sheet.type(start, end, insert))
    change = change_of(Positions.of(START, Encoding.UTF16), changes)
    assert change.apply(START) == sheet.text


@pytest.mark.parametrize("encoding", Encoding)
@given(st.lists(st.sampled_from(PIECES[:-3]), max_size=12).map("".join))
def test_a_place_is_the_same_on_the_way_to_the_editor_and_back(encoding: Encoding, text: str) -> None:
    positions = Positions.of(text, encoding)
    for offset in range(len(text) + 1):
        place = positions.position(offset)
        line = positions.line_text(place.line)
        is_inside = offset - positions.lines.starts[place.line] <= len(line)
        assert not is_inside or positions.offset(place) == offset
    assert positions.offset(lsp.Position(10**6, 0)) == len(text)
    assert positions.offset(lsp.Position(0, 10**6)) == len(positions.line_text(0))


def test_the_columns_of_each_encoding_are_those_of_its_units() -> None:
    text = "aé😀b"
    columns = {each: Positions.of(text, each).position(3).character for each in Encoding}
    assert columns == {Encoding.UTF8: 7, Encoding.UTF16: 4, Encoding.UTF32: 3}


def some_edits(sheet: Sheet, random: Random) -> lsp.TextDocumentContentChangeEvent:
    """One edit of *sheet*, mostly small; now and then all of it, as when a file is loaded again."""
    if random.random() < 0.01:
        sheet.row = units(START)
        return lsp.TextDocumentContentChangeWholeDocument(START)
    length = random.choice((0, 0, 0, 1, 2, 9, 30)) if len(sheet.row) < 600 else 60
    start = random.randrange(len(sheet.row) + 1)
    end = min(start + length, len(sheet.row))
    while "\r\n" in (sheet.row[start - 1 : start + 1], sheet.row[end - 1 : end + 1]):
        start, end = max(start - 1, 0), min(end + 1, len(sheet.row))
    return sheet.type(start, end, random.choice(PIECES))


class Shown:
    """A document that is typed in, and what its editor knows of its colours."""

    def __init__(self, uri: str, sheet: Sheet) -> None:
        self.uri = uri
        self.sheet = sheet
        self.version = 1
        self.colours: list[int] = []
        self.kept = ""

    def show(self, one: Editor) -> None:
        """Open it, in a server that knows nothing of it."""
        one.open(self.uri, self.sheet.text, self.version)
        self.kept = ""

    def type(self, one: Editor, random: Random, times: int) -> None:
        """Edit it *times* times."""
        self.version += 1
        one.change(self.uri, self.version, *[some_edits(self.sheet, random) for _ in range(times)])

    def compare(self, one: Editor, view: View) -> None:
        """What the server says is what follows from the text alone."""
        fresh = OpenDocument(self.uri, self.version, derive(SourceText(self.sheet.text)), Encoding.UTF16)
        outline = one.of(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, self.uri)
        assert one.as_json(outline) == one.as_json(shape.document_symbols(view, fresh))
        told = one.of(lsp.TEXT_DOCUMENT_DIAGNOSTIC, self.uri).items
        wanted = [findings.told(view, fresh, each) for each in findings.findings_of(view, fresh)]
        assert one.as_json(told) == one.as_json(wanted)
        self._colour(one)
        assert self.colours == shape.tokens_of(fresh)

    def _colour(self, one: Editor) -> None:
        """Bring the colours up to date by what the server says has changed in them."""
        method = lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA
        found = one.of(method, self.uri, previous_result_id=self.kept)
        self.kept = found.result_id
        if isinstance(found, lsp.SemanticTokens):
            self.colours = list(found.data)
        for edit in getattr(found, "edits", ()):
            self.colours[edit.start : edit.start + edit.delete_count] = edit.data or ()


def test_a_thousand_edits_over_a_crash_of_the_server_leave_it_with_what_the_editor_has(tmp_path: Path) -> None:
    (tmp_path / "desk.md").write_text(START, "utf-8", newline="")
    capabilities = capabilities_of("neovim", diagnostic=lsp.DiagnosticClientCapabilities())
    in_utf16 = lsp.GeneralClientCapabilities(position_encodings=["utf-16"])
    capabilities = attrs.evolve(capabilities, general=in_utf16)
    view, random = View(Client(capabilities)), Random(7)
    shown = Shown((tmp_path / "desk.md").as_uri(), Sheet(START))
    rounds = [EDITS // LOOKED_AT // 4] * 4
    for lives in (12, LOOKED_AT - 12):
        with editor(tmp_path / "home") as one:
            one.initialize(tmp_path, capabilities)
            shown.show(one)
            for _round in range(lives):
                for times in rounds:
                    shown.type(one, random, times)
                shown.compare(one, view)
            shown.type(one, random, 3)
            one.kill()
    assert (tmp_path / "desk.md").read_text("utf-8") == START.replace("\r\n", "\n")
