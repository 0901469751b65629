"""Files that were damaged at random, and everything that reads a file."""

from __future__ import annotations

import random
from pathlib import Path

from tests.conftest import DATA
from workbench.engine.scripts import parse_calls, parse_script
from workbench.errors import CannotRead
from workbench.library.skills.rules import check_skill_text
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.converting import comments_of, to_markdown, to_steplist
from workbench.model.flow import flow_of_program
from workbench.model.layout.program import layout_program
from workbench.model.loader.loading import PlaybookLoadError, load_text
from workbench.model.snapshot import Snapshot, derive
from workbench.resources import sample_playbooks
from workbench.syntax.change import TextChange
from workbench.syntax.text import SourceText

_ODD = [
    b"\xe9", b"\xed\xa0\x80", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\t", b"\xe2\x80\xae",
    b"\xf3\xa0\x81\x81", b"**", b"__", b"(", b"{$x", b'"', b"`", b"```\n", b"<!--", b"---\n", b"- ", b"-X ", b"&a ",
    b"*a", b"\xe2\x80\x8b",
    b"!!python/object:os.system ", b"steps:\n", b"{", b"]", b"$x = 2**", b"Retrun ", b"If ", b"#", b"|+\n", b"? ",
    b"\\ud800", b"9" * 5000, b"\xe2\x80\xa8", b"\x1b[2J", b"<<: ", b"%YAML 9.9\n", b"T1:CND ", b"01:EXE ",
]  # fmt: skip
"""Bytes and marks that readers have trouble with."""


def originals() -> list[bytes]:
    """The files that are damaged: ours, in every format."""
    folders = ("markdown", "language", "steplists", "steplist_corpus", "enforce", "damaged")
    paths: list[Path] = [path for name in folders for path in sorted((DATA / name).iterdir()) if path.is_file()]
    samples = [path for sample in sample_playbooks() for path in sorted(sample.parent.glob(f"{sample.stem}*"))]
    return [path.read_bytes() for path in [*samples, *paths]]


def damaged(seed: int, files: list[bytes]) -> bytes:
    """One of *files*, changed in some places; always the same for one *seed*."""
    chance = random.Random(seed)
    data = bytearray(chance.choice(files))
    for _ in range(chance.randint(1, 8)):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.choice((0, 0, 1, 5, 80)))
        other = chance.choice(files)
        at = chance.randrange(len(other) + 1)
        data[start:end] = chance.choice((chance.choice(_ODD), chance.randbytes(3), other[at : at + 60], b""))
    return bytes(data)


def read_everything(data: bytes) -> None:
    """All that the program does with a file, but running it. Raises whatever goes wrong."""
    source = SourceText.decode(data)
    assert source.encode() == data, "the bytes do not come back"
    snapshot = derive(source)
    assert "".join(block.text for block in snapshot.blocks) == source.text, "the blocks are not the text"
    layout_program(snapshot)
    flow_of_program(snapshot)
    SourceText(compile_assembly(snapshot).text).encode()
    _mend(snapshot)
    _convert(snapshot)
    check_skill_text(source.text, "a")
    for parse in (parse_script, parse_calls):
        try:
            parse(source.text)
        except CannotRead:
            continue


def _mend(snapshot: Snapshot) -> None:
    """Every fix of the first findings can be made."""
    for finding in snapshot.diagnostics[:20]:
        assert 0 <= finding.span.start <= finding.span.end <= len(snapshot.text), finding
        for fix in finding.fixes:
            derive(SourceText(TextChange(fix.edits).apply(snapshot.text)))


def _convert(snapshot: Snapshot) -> None:
    converted = to_steplist(snapshot) if not snapshot.program.format.is_steplist else None
    try:
        listed = load_text(snapshot.text)
    except PlaybookLoadError:
        listed = None
    if listed is not None:
        converted = to_markdown(listed, comments_of(snapshot.text))
    if converted is not None:
        SourceText(converted.text).encode()
