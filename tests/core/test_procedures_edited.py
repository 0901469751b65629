"""What an edit leaves of a procedure: the chapters in which nothing changed, unless another chapter changes them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.conftest import DATA
from tests.core.check import snapshot_of
from tests.core.test_procedures import outline
from workbench.model.incremental.advancing import advance
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import Span

_ORDINARY = [path for name in ("ordinary", "procedures") for path in sorted((DATA / name).glob("*.md"))]
_TYPED = ("## Steps\n", "# Other\n", "\n## Notes\n\n", "1. Check it\n", "- [ ] Tick it\n", "Words.\n", "### 1. Look\n")
_TWO = "# T\n\n## Rotate\n\n1. Turn it\n\n## Close\n\n1. Shut it\n"


def _edited(snapshot: Snapshot, old: str, new: str) -> Snapshot:
    at = snapshot.text.index(old)
    return advance(snapshot, TextChange((TextEdit(Span(at, at + len(old)), new),)))


def _placed(snapshot: Snapshot) -> list[tuple[str, int, int]]:
    return [(one.playbook.name, one.start, one.stop) for one in snapshot.structure.placed]


def _lines(snapshot: Snapshot) -> list[list[str]]:
    """For each block with a step the words that it stands in."""
    return [[step.text for step in snapshot.lineage(root.id)] for root in snapshot.roots if root is not None]


def test_a_chapter_in_which_nothing_changed_is_taken_again() -> None:
    before = snapshot_of(_TWO)
    after = _edited(before, "1. Turn it\n", "1. Turn it\n2. Lock it\n")
    assert after.program.playbooks[1] is before.program.playbooks[1]


def test_a_chapter_above_which_another_takes_its_name_is_named_anew() -> None:
    after = _edited(snapshot_of(_TWO), "## Rotate\n", "## Close\n\n1. Look\n\n## Rotate\n")
    assert [playbook.name for playbook in after.program.playbooks] == ["Close", "Rotate", "Close2"]


def test_lists_are_read_anew_where_another_chapter_now_says_what_is_done() -> None:
    before = snapshot_of("# T\n\n## Ideas\n\n- the sun\n- the sea\n\n## Things\n\n- the moon\n")
    after = _edited(before, "- the moon\n", "- the moon\n\n## Steps\n\n1. Look\n")
    assert outline(before)[0] == "# Ideas"
    assert outline(after)[0] == "- Ideas"


def test_a_heading_that_begins_to_count_steps_makes_steps_of_its_neighbours() -> None:
    before = snapshot_of("# T\n\n## 1. Turn it\n\nText.\n\n## Close\n\nText.\n")
    after = _edited(before, "## Close", "## 2. Close")
    assert outline(after) == outline(snapshot_of(after.text))


@pytest.mark.parametrize("path", _ORDINARY, ids=lambda path: path.stem)
def test_edits_of_lines_one_after_the_other_give_what_reading_anew_gives(path: Path) -> None:
    chance, after = random.Random(path.stem), snapshot_of(path.read_text(encoding="utf-8"))
    for _turn in range(4):
        lines = after.text.splitlines(keepends=True)
        at = chance.randrange(len(lines))
        start = sum(map(len, lines[:at]))
        stop = start + len(lines[at]) * chance.randrange(2)
        after = advance(after, TextChange((TextEdit(Span(start, stop), chance.choice((*_TYPED, ""))),)))
        anew = snapshot_of(after.text)
        assert (outline(after), _placed(after), _lines(after)) == (outline(anew), _placed(anew), _lines(anew))


def test_prose_above_an_edited_list_stays_the_same_block() -> None:
    before = snapshot_of("# T\n\n## Steps\n\nWords.\n\n1. Turn it\n2. Lock it\n")
    after = _edited(before, "Turn it", "Turn it twice")
    assert [index for index, block in enumerate(after.blocks) if block is not before.blocks[index]] == [6]
