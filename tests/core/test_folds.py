"""What of a text can be folded."""

from __future__ import annotations

import pytest

from workbench.model.showing.folds import fold_at, foldable_lines, found_again
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

PLAYBOOK = """---
title: x
---
# Desk
Words.

## Main
### Steps
- If $a > 1
  - b
    more of b

  - c
    ```python
    # no heading
    ```
- d

## Other
### Steps
- e
"""
STEPS = "id: a\nname: b\nsteps:\n  - id: one\n    description: x\n\n  - id: two\n    description: y\n"


@pytest.mark.parametrize(
    ("text", "line", "hidden"),
    [
        (PLAYBOOK, "---", "title: x\n---\n"),
        (PLAYBOOK, "## Main", PLAYBOOK[PLAYBOOK.index("### Steps") : PLAYBOOK.index("\n## Other")]),
        (PLAYBOOK, "## Other", "### Steps\n- e\n"),
        (PLAYBOOK, "- If", PLAYBOOK[PLAYBOOK.index("  - b") : PLAYBOOK.index("- d")]),
        (PLAYBOOK, "  - b", "    more of b\n"),
        (PLAYBOOK, "    ```python", "    # no heading\n    ```\n"),
        (PLAYBOOK, "- d", None),
        (PLAYBOOK, "    # no", None),
        (STEPS, "  - id: one", "    description: x\n"),
        ("", "", None),
    ],
)
def test_a_line_hides_what_stands_in_it(text: str, line: str, hidden: str | None) -> None:
    start = text.index(line) if text.startswith(line) else text.index(f"\n{line}") + 1
    found = fold_at(derive(SourceText(text)), start)
    assert (found.of(text) if found is not None else None) == hidden


def test_every_line_that_can_be_folded_is_found() -> None:
    starts = foldable_lines(derive(SourceText(PLAYBOOK)))
    assert [PLAYBOOK[at:].partition("\n")[0] for at in starts] == [
        *("---", "# Desk", "## Main", "### Steps", "- If $a > 1", "  - b", "  - c", "    ```python"),
        *("## Other", "### Steps"),
    ]


def test_folded_lines_are_found_again_after_others_have_come_and_gone() -> None:
    lines = ["new", "- a", "- b", "- a"]
    assert found_again([(0, "- a"), (2, "- b"), (9, "gone"), (3, "- a")], lines) == (1, 2, 3)
