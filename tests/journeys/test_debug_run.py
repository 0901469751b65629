"""A person stops a run inside a called playbook, changes what it knows, goes back, forks it with an edited step,

compares both runs, keeps the fork as a test, and has that test run.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.core.cli_driver import Terminal
from tests.journeys.person import Person
from workbench.engine.journal.choices import RunStatus
from workbench.gui.control.running.run_marks import MarkStatus
from workbench.gui.recorded.comparison_dialog import ComparisonDialog
from workbench.gui.recorded.fork_dialog import ForkDialog
from workbench.gui.recorded.saved_tests import saved_tests_of
from workbench.gui.recorded.tests_dialog import SavedTestsDialog
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.variables.variable_tree import VALUE
from workbench.gui.variables.variables_panel import VariablesPanel

INVOICE = """# Invoice desk

## Main

### Steps

- $net = 100
- $gross = With Tax($net)
- $total = $gross + 5
- Tell user "To pay: {$total}"
- Return $total

## With Tax($amount)

### Steps

- $rate = 20
- $tax = $amount * $rate / 100
- Return $amount + $tax
"""


class Debugger(Person):
    """Leads a run on by the actions of the window."""

    def at(self, address: str) -> None:
        """Wait until the run is held before the step at *address*."""
        found = self.context.documents.snapshot.at_address(address)
        assert found is not None

        def is_held() -> bool:
            state, mark = self.context.runs.state, self.context.shown.marks.get(found.id)
            is_paused = state is not None and state.status is RunStatus.PAUSED
            return is_paused and mark is not None and mark.status is MarkStatus.NEXT

        self.qtbot.waitUntil(is_held)

    def do(self, action: str) -> None:
        """Choose *action*."""
        self.context.actions.action(action).trigger()

    def select(self, address: str) -> None:
        """Select the step at *address*."""
        found = self.context.documents.snapshot.at_address(address)
        assert found is not None
        self.context.selection.select((found.id,))

    def change(self, name: str, value: str) -> None:
        """Type another value for the variable *name* of the run that is held."""
        panel = self.window.panes.panel("variables")
        assert isinstance(panel, VariablesPanel)
        self.do("pane.variables")
        self.qtbot.waitUntil(lambda: panel.tree.row_of(name) is not None)
        row = panel.tree.row_of(name)
        assert row is not None
        panel.tree.setCurrentItem(row, VALUE)
        panel.editing.edit_current()
        line = panel.tree.findChild(QLineEdit)
        assert line is not None
        line.setText(value)
        self.qtbot.keyClick(line, Qt.Key.Key_Return)

    def end(self) -> object:
        """Let the run go on to its end; what it gives."""
        with self.qtbot.waitSignal(self.context.runs.run_finished):
            self.do("run.go-on")
        assert self.context.runs.run is not None
        return self.context.runs.run.result

    def picture(self, name: str, widget: QWidget | None = None) -> None:
        """Keep a picture where somebody wants to look at them."""
        folder = os.environ.get("JOURNEY_PICTURES")
        if folder:
            (widget or self.window).grab().save(f"{folder}/debug-{name}.png")


@pytest.fixture
def somebody(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> Debugger:
    """A person with the invoice desk open."""
    file = tmp_path / "invoice.md"
    file.write_text(INVOICE, "utf-8")
    person = Debugger(qtbot, window)
    person.open(file)
    return person


def stop_and_change(somebody: Debugger) -> None:
    """Stop inside the called playbook, change a variable there, step out, and go back three events."""
    context = somebody.context
    somebody.select("WithTax:02")
    somebody.do("step.breakpoint")
    somebody.do("run.start")
    somebody.at("WithTax:02")
    somebody.picture("1-stopped")
    somebody.change("$rate", "10")
    somebody.qtbot.waitUntil(lambda: context.runs.state is not None and context.runs.state.variables.get("rate") == 10)
    somebody.picture("2-changed")
    somebody.do("run.step-out")
    somebody.at("Main:03")
    somebody.picture("3-out")
    for _event in range(3):
        somebody.do("run.back")
    somebody.qtbot.waitUntil(lambda: context.shown.moment is not None)
    somebody.picture("4-back")
    somebody.do("run.now")


def fork_with_edited_step(somebody: Debugger) -> str:
    """Edit a step, and go on from before it with the text as it is now; the text."""
    context, path = somebody.context, somebody.context.documents.document.path
    assert path is not None
    text = context.documents.snapshot.text.replace("$gross + 5", "$gross + 7")
    path.write_text(text, "utf-8")
    context.documents.check_disk()
    somebody.select("Main:03")
    somebody.do("step.fork")
    dialog = somebody.window.findChild(ForkDialog)
    assert dialog is not None
    somebody.qtbot.waitUntil(lambda: dialog.planned is not None)
    somebody.picture("5-fork", dialog)
    with somebody.qtbot.waitSignal(context.runs.run_finished):
        dialog.start.click()
    somebody.qtbot.waitUntil(lambda: context.shown.is_settled)
    somebody.picture("6-forked")
    return text


def compare(somebody: Debugger, page: Path) -> None:
    """Compare the run that is shown with the one before, and save that as a page."""
    somebody.do("run.compare")
    compared = somebody.window.findChild(ComparisonDialog)
    assert compared is not None
    somebody.qtbot.waitUntil(compared.save.isEnabled)
    somebody.picture("7-compared", compared)
    compared.save.click()
    somebody.qtbot.waitUntil(page.exists)
    compared.close()


def keep_as_test(somebody: Debugger, playbook: Path) -> None:
    """Save the run that is shown as a test, and have it run: the playbook does the same."""
    somebody.do("run.save-test")
    somebody.qtbot.waitUntil(lambda: len(saved_tests_of(playbook)) == 1)
    somebody.do("run.test")
    tests = somebody.window.findChild(SavedTestsDialog)
    assert tests is not None
    somebody.qtbot.waitUntil(tests.again.isEnabled)
    somebody.picture("8-tested", tests)
    assert tests.summary.text() == "1 saved run: 1 same"
    tests.close()


def test_a_run_is_stopped_changed_forked_compared_and_kept_as_a_test(
    somebody: Debugger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    context, page = somebody.context, tmp_path / "comparison.html"
    stop_and_change(somebody)
    assert somebody.end() == 115
    somebody.qtbot.waitUntil(lambda: context.shown.is_settled)
    first = context.runs.host.runs()[0].id
    text = fork_with_edited_step(somebody)
    fork = context.runs.host.runs()[0]
    assert fork.fork is not None and fork.fork.source == first
    assert context.runs.run is not None and context.runs.run.result == 117
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_given: (str(page), ""))
    compare(somebody, page)
    assert "117" in page.read_text("utf-8")
    keep_as_test(somebody, tmp_path / "invoice.md")
    (tmp_path / "invoice.md").write_text(text.replace("+ 7", "+ 8"), "utf-8")
    assert Terminal(capsys).run("test", tmp_path).code == 1
