"""The inspector shows what stands in a step besides its words: prose, commands, tables, constraints."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.inspector.step_contents import CodeView, StepContents
from workbench.gui.look.label import Label, WordsLabel
from workbench.gui.shell.main_window import MainWindow
from workbench.model.program import Step
from workbench.model.showing.texts import constraint_in, contents_of, first_words
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

TEXT = """\
# Bread

## Steps

### 1. Dough

Take **good** flour.

**Constraints:**
- You MUST wait
- You MAY add salt

```sh
oven on
```

| A | B |
|---|---|
| 1 | 2 |

### 2. Oven

1. Heat

   ```sh
   oven --heat
   ```
"""


def step_with(words: str) -> Step:
    chapters = derive(SourceText(TEXT)).program.playbooks
    return next(step for each in chapters for root in each.steps for step in root.walk() if step.text == words)


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def view(qtbot: QtBot, told: list[str]) -> StepContents:
    made = StepContents(told.append)
    qtbot.addWidget(made)
    return made


def words_in(view: QWidget) -> list[str]:
    """What all labels say, in their order."""
    return [each.words if isinstance(each, WordsLabel) else each.text() for each in view.findChildren(QLabel)]


def test_a_step_over_several_blocks_shows_what_stands_in_it(view: StepContents) -> None:
    assert view.show_step(step_with("1. Dough"))
    words = words_in(view)
    assert words[:2] == ["Take good flour.", "Constraints:"]
    assert {"You MUST wait", "You MAY add salt", "oven on", "A", "B", "1", "2"} <= set(words)


def test_constraints_have_badges(view: StepContents) -> None:
    view.show_step(step_with("1. Dough"))
    badges = [(each.text(), each.property("role")) for each in view.findChildren(Label)]
    assert [each for each in badges if str(each[1]).startswith("badge")] == [
        ("MUST", "badge-must"),
        ("MAY", "badge-may"),
    ]


def test_the_code_below_a_list_item_is_shown_and_copied(view: StepContents, told: list[str]) -> None:
    view.show_step(step_with("Heat"))
    (code,) = view.findChildren(CodeView)
    code.button.click()
    assert QGuiApplication.clipboard().text() == "oven --heat"
    assert told == ["Copied 1 line of code."]


def test_another_step_replaces_what_was_shown(view: StepContents) -> None:
    view.show_step(step_with("1. Dough"))
    assert not view.show_step(step_with("2. Oven"))
    assert view.parts == ()


def test_long_words_do_not_make_the_pane_wider(view: StepContents) -> None:
    inside = f"{'w' * 400}\n\n```\n{'c' * 400}\n```\n\n| A |\n|---|\n| {'t' * 400} |\n"
    text = "# B\n\n## Steps\n\n1. Heat\n\n" + "".join(f"   {line}\n" for line in inside.splitlines())
    view.show_step(derive(SourceText(text)).program.playbooks[0].steps[0])
    assert len(view.parts) >= 1
    assert view.minimumSizeHint().width() < 300


def test_a_step_without_anything_else_has_no_such_section(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "bread.md"
    path.write_text(TEXT, encoding="utf-8")
    window.files.open_path(path)
    page = window.panes.panel("inspector").page  # type: ignore[attr-defined]
    for words, is_there in (("1. Dough", True), ("2. Oven", False)):
        snapshot = window.context.documents.snapshot
        window.context.selection.select(
            tuple(one.id for each in snapshot.program.playbooks for one in each.steps if one.text == words)
        )
        assert page._sections["contents"].isVisibleTo(page) is is_there


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("You MUST NOT go", "MUST NOT"),
        ("You SHOULD wait", "SHOULD"),
        ("You may go", ""),
        ("MUSTARD", ""),
        ("**MAY**: x", "MAY"),
    ],
)
def test_constraints_are_known_by_their_words(text: str, word: str) -> None:
    assert constraint_in(text) == word


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("```sh\n\nls -l\n```", "ls -l"),
        ("| **A** | B |\n|-|-|\n| 1 | 2 |", "A · B"),
        ("**Never** do\nthis", "Never do this"),
        ("- [ ] a\n- b", "☐ a"),
        ("", ""),
    ],
)
def test_a_row_of_the_outline_begins_with_the_words_of_the_text(text: str, words: str) -> None:
    assert first_words(text) == words


def test_what_stands_in_a_step_is_not_what_stands_in_those_below_it() -> None:
    assert contents_of(step_with("2. Oven")) == ()
