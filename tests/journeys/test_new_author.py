"""A new author writes a playbook, takes it apart and puts it otherwise: by keys alone, and again by mouse alone."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QDialog, QFileDialog, QInputDialog, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.journeys.author import Author, Keys, Mouse
from workbench.gui.files.exporting import ExportDialog
from workbench.gui.search.search_panel import SearchPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.versions.version_dialog import VersionDialog
from workbench.i18n import _
from workbench.pages.diagrams.forms import Form

PARTS = """## CountLate($orders)
### Steps
- $late = 0
- For each $order in $orders
  - If $order == "late"
    - $late = $late + 1
- Return $late
"""


MAIN = """# My agent

!import parts.md

## Main

### Triggers

- At the beginning

### Steps

- Tell user "Hello!"
- Ask user for $customer
- $orders = ["late", "paid", "late"]
- $overdue = CountLate($orders)
- If $overdue > 1
  - Tell user "The orders of {$customer} are late"
  - $level = "high"
- Otherwise
  - $level = "low"
- For each $order in $orders
  - If $order == "late"
    - Tell user "The order {$order} is late"
  - Tell user "The order {$order} was looked at"
- $total = PayBack($overdue)
- Return $total
- End program

## PayBack($overdue)

### Steps

- $total = $overdue * 10
- Tell user "Level {$level}, to pay back: {$total}"
- Return $total
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the dialogs of the system choose."""
    folder = tmp_path / "desk"
    folder.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_args: str(folder))

    def where(_parent: QWidget, _title: str, suggestion: str, *_kinds: str) -> tuple[str, str]:
        ending = Path(suggestion).suffix
        return str(folder / f"main{ending}"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", where)
    return folder


def write_by_mouse(author: Mouse) -> None:
    """A playbook of seventeen steps, kind by kind from the palette."""
    author.select("Tell user")
    author.put("Ask", "$customer")
    author.type_behind("# My agent", "\n\n!import parts.md")
    author.select("Ask user")
    author.put("Step", '$orders = ["late", "paid", "late"]')
    author.put("Step", "$late = CountLate($o")
    author.complete("$orders")
    author.type(")")
    author.put("If", "$late > 1")
    author.put("Tell", "The orders of {$customer} are late")
    author.do("step.move-in")
    author.put("Step", '$level = "high"')
    author.select("If $late")
    author.do("operation.add-otherwise")
    author.type('$level = "low"')
    author.put("For each", "$order in $orders")
    author.do("step.move-out")
    author.put("If", '$order == "late"')
    author.do("step.move-in")
    author.put("Tell", "Order {$order} is late")
    author.do("step.move-in")
    author.put("Tell", "Order {$order} was looked at")
    author.do("step.move-out")
    author.put("Step", "$total = $late * 10")
    author.do("step.move-out")
    author.put("Step", 'Tell user "Level {$level}, to pay back: {$total}"')
    author.put("Return", "$total")
    author.select("$total = ")


def write_by_keys(author: Keys) -> None:
    """The same in the source, where lists go on by themselves, Tab nests, and Shift+Tab leads out again."""
    author.go_to(author.window.centre.source)
    author.press("Ctrl+Home", "End")
    author.type("\n\n!import parts.md")
    author.press("Ctrl+F")
    author.type("Hello!")
    author.press("Return", "Escape", "End")
    author.type('\nAsk user for $customer\n$orders = ["late", "paid", "late"]\n$late = CountL')
    author.do("source.complete")
    author.complete("CountLate")
    author.type("$o")
    author.complete("$orders")
    author.type(")")
    author.type('\nIf $late > 1\n\tTell user "The orders of {$customer} are late"\n$level = "high"\n')
    author.press("Backtab")
    author.type('Otherwise\n\t$level = "low"\n')
    author.press("Backtab")
    author.type('For each $order in $orders\n\tIf $order == "late"\n\tTell user "Order {$order} is late"\n')
    author.press("Backtab")
    author.type('Tell user "Order {$order} was looked at"\n')
    author.press("Backtab")
    author.type('$total = $late * 10\nTell user "Level {$level}, to pay back: {$total}"\nReturn $total')


def extract(author: Author) -> None:
    """What is paid back becomes a playbook of its own, which is named at once."""
    author.select("$total = ", 'Tell user "Level')
    author.do("operation.extract")
    author.press("Ctrl+A")
    author.type("PayBack\n")
    author.wait("## PayBack(")
    author.picture("3-extracted")


def rename(author: Author) -> None:
    """A variable gets another name in both files."""
    author.select("$late = ")
    author.do("edit.rename-symbol")
    dialog = author.window.findChild(QInputDialog)
    assert isinstance(dialog, QInputDialog)
    field = dialog.findChild(QLineEdit)
    assert field is not None
    author.fill(field, "$overdue")
    author.push(button(dialog, "OK"))
    panel = author.window.panes.panel("search")
    assert isinstance(panel, SearchPanel)
    author.qtbot.waitUntil(panel.apply.isEnabled)
    author.picture("4-renaming")
    author.push(panel.apply)
    author.wait("$overdue = CountLate($orders)")


def replace(author: Author) -> None:
    """Both sentences about an order are put otherwise, by one expression."""
    bar = author.window.find_bar
    author.do("edit.replace")
    author.fill(bar.field, r"Order (\{\$order\}) (is|was)")
    author.fill(bar.replacement, r"The order \1 \2")
    author.push(bar.regex)
    author.qtbot.waitUntil(lambda: len(author.context.find.found.matches) == len(("is", "was")))
    author.picture("5-replacing")
    author.push(button(bar, "Replace all"))
    author.wait("The order {$order} was looked at")


def compare(author: Author) -> None:
    """What differs from the commit is looked at, and one change is taken back and made again."""
    before = author.text
    author.do("version.head")
    author.qtbot.waitUntil(lambda: dialog_of(author, VersionDialog).differences is not None)
    dialog = dialog_of(author, VersionDialog)
    author.push(dialog.next)
    author.picture("6-compared", dialog)
    author.push(dialog.take)
    author.qtbot.waitUntil(lambda: author.text != before)
    author.push(button(dialog, "Close"))
    author.do("edit.undo")
    author.wait(before)


def export(author: Author, project: Path) -> None:
    """What is there goes out to those who have other programs, and to those who want paper."""
    for form, beginning in ((Form.BPMN, b"<?xml"), (Form.PDF, b"%PDF")):
        author.do("file.export")
        dialog = dialog_of(author, ExportDialog)
        author.choose_in(dialog.form, form.value)
        author.picture(f"7-export-{form.value}", dialog)
        author.push(dialog.go_on)
        file = project / f"main.{form.value}"
        author.qtbot.waitUntil(file.exists)
        assert file.read_bytes().startswith(beginning)
    assert b"The order {$order} was looked at" in (project / "main.bpmn").read_bytes()


def tell_story(author: Author, write: Callable[[], None], project: Path) -> None:
    """All of it, and what is there in the end."""
    with author.qtbot.waitActive(author.window):
        author.window.activateWindow()
    (project / "parts.md").write_text(PARTS)
    author.do("file.open-folder")
    author.do("file.new")
    author.push(button(author.window.files.templates, "Create"))
    author.do("file.save")
    write()
    author.picture("2-written")
    author.qtbot.waitUntil(lambda: not any(each.code == "unknown-call" for each in author.findings))
    author.do("file.save")
    commit(project)
    extract(author)
    rename(author)
    replace(author)
    compare(author)
    author.do("file.save")
    export(author, project)
    author.picture("9-done")
    assert (project / "main.md").read_text() == author.text == MAIN
    assert (project / "parts.md").read_text() == PARTS.replace("$late", "$overdue")


def commit(folder: Path) -> None:
    """What is there so far is committed, in a terminal."""
    for words in ("init -q", "add .", "commit -q -m First"):
        subprocess.run(
            ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words.split()], cwd=folder, check=True
        )


def test_a_new_author_with_the_mouse(window: MainWindow, qtbot: QtBot, project: Path) -> None:
    author = Mouse(qtbot, window)
    tell_story(author, partial(write_by_mouse, author), project)


def test_a_new_author_with_the_keys(window: MainWindow, qtbot: QtBot, project: Path) -> None:
    author = Keys(qtbot, window)
    tell_story(author, partial(write_by_keys, author), project)


Dialog = TypeVar("Dialog", bound=QDialog)


def dialog_of(author: Author, kind: type[Dialog]) -> Dialog:
    """The dialog of this *kind* that is open."""
    found = [each for each in author.window.findChildren(kind) if each.isVisible()]
    assert found, f"no {kind.__name__} is open"
    return found[-1]


def button(parent: QWidget, words: str) -> QPushButton:
    """The button with *words* in *parent*, in the language that is spoken."""
    wanted = {words, _(words)}
    return next(each for each in parent.findChildren(QPushButton) if each.text().replace("&", "") in wanted)
