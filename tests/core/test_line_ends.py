"""What a file means does not depend on what its lines end with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.core.test_scan import FILES
from tests.core.test_snapshot import book
from workbench.model.assembly.compiling import compile_assembly
from workbench.syntax.text import SourceText

WRITTEN = [path for path in FILES if path.suffix != ".pbasm"]


@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=repr)
@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_a_file_means_the_same_with_other_line_ends(path: Path, end: str) -> None:
    text = re.sub(r"\r\n?", "\n", SourceText.decode(path.read_bytes()).text)
    there, here = book(text.replace("\n", end)), book(text)
    assert compile_assembly(there).text == compile_assembly(here).text
    assert [one.code for one in there.diagnostics] == [one.code for one in here.diagnostics]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=repr)
def test_front_matter_with_anchors_is_read(end: str) -> None:
    text = "---\na: &x [1]\nb: *x\n<<: {c: 2}\n---\n# Desk\n## Main\n### Steps\n- One\n".replace("\n", end)
    assert dict(book(text).program.front_matter) == {"a": [1], "b": [1], "c": 2}


def test_front_matter_whose_aliases_make_too_much_of_it_is_left_alone() -> None:
    pairs = zip("abcdefgh", "bcdefghi", strict=True)
    bomb = "".join(f"{name}: &{name} [*{below}, *{below}, *{below}, *{below}]\n" for below, name in pairs)
    text = f"---\na: &a [1, 1, 1, 1]\n{bomb}---\n# Desk\n## Main\n### Steps\n- One\n"
    assert book(text).program.front_matter == ()
    assert "front-matter-unreadable" in {one.code for one in book(text).diagnostics}
