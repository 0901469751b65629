"""A person opens an ordinary runbook, says what it leaves open, goes through all of it, and keeps the report."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from tests.journeys.person import Person
from workbench.gui.runs.asked_before import ProcedureDialog
from workbench.gui.runs.request_form import RequestForm
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.main_window import MainWindow

FREEZER = """\
# Freezer too warm

## Meaning

The freezer is warmer than **-15 degrees**.

## Diagnosis

1. Read the sensor of `<freezer>`:

   ```sh
   echo "-9 degrees"
   ```

2. If the door stands open, close it and go to step 3.
3. Look for [ice on the fan](thaw.md).

## Mitigation

| Step | Action |
|---|---|
| 1 | Move the food |
| 2 | Switch <freezer> off |

### Afterwards

- [ ] wipe the floor
- [ ] tell the **cook**
"""
THAW = "# Thaw the fan\n\n## Steps\n\n1. Open the back.\n2. Wait ten minutes.\n"


class Keeper(Person):
    """Goes through a procedure with the buttons of its forms."""

    def start(self, value: str) -> None:
        """Press Run, say what *value* the placeholder has, and that boxes are to be ticked."""
        self.context.actions.action("run.start").trigger()
        dialogs = [each for each in QApplication.topLevelWidgets() if isinstance(each, ProcedureDialog)]
        dialog = next(each for each in dialogs if each.isVisible())
        (field,) = dialog.values
        field.field.fill(value)
        dialog.ticks.setChecked(True)
        self.picture("start", dialog)
        dialog.accept()

    def form(self) -> RequestForm:
        """The form of the question that waits."""
        panel = self.panel()
        self.qtbot.waitUntil(lambda: isinstance(panel.form, RequestForm))
        assert isinstance(panel.form, RequestForm)
        return panel.form

    def panel(self) -> RunPanel:
        panel = self.window.panes.panel("run")
        assert isinstance(panel, RunPanel)
        return panel

    def say(self, button: str, note: str = "") -> str:
        """Press *button* with a *note*; the words of the question."""
        form, panel = self.form(), self.panel()
        self.picture(f"{len(self.asked):02d}-{button}", self.window)
        form.note.setText(note)
        form.submit(button)
        self.qtbot.waitUntil(lambda: panel.form is not form or not self.context.runs.is_running)
        return form.request.text

    def picture(self, name: str, widget: object) -> None:
        """Keep a picture where somebody wants to look at them."""
        folder = os.environ.get("JOURNEY_PICTURES")
        if folder:
            widget.grab().save(f"{folder}/{name}.png")  # type: ignore[attr-defined]

    @property
    def asked(self) -> list[str]:
        return [card.text for card in self.panel().conversation.cards]


def test_a_runbook_is_gone_through_from_what_it_leaves_open_to_its_report(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, report = tmp_path / "freezer.md", tmp_path / "report.md"
    book.write_text(FREEZER)
    (tmp_path / "thaw.md").write_text(THAW)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_given: (str(report), ""))
    keeper = Keeper(qtbot, window)
    keeper.open(book)
    keeper.start("F3")
    words = [keeper.say("done", "-9 degrees"), keeper.say("yes"), keeper.say("done")]
    form = keeper.form()
    keeper.picture("link", window)
    form.matter.calls[0].click()
    qtbot.waitUntil(lambda: keeper.panel().form is not form)
    words += [keeper.say("done"), keeper.say("done", "lots of ice"), keeper.say("done")]
    words += [keeper.say("done"), keeper.say("did not work", "the switch is stuck"), keeper.say("go on")]
    words += [keeper.say("done"), keeper.say("skip")]
    qtbot.waitUntil(lambda: not window.context.runs.is_running)
    keeper.picture("end", window)
    action = window.context.actions.action("run.report")
    qtbot.waitUntil(action.isEnabled)
    action.trigger()
    told = report.read_text("utf-8")
    assert words == [
        "Read the sensor of `F3`:",
        "the door stands open",
        "close it and go to step 3",
        "Open the back.",
        "Wait ten minutes.",
        "Look for [ice on the fan](thaw.md).",
        "Move the food",
        "Switch F3 off",
        "Switch F3 off",
        "wipe the floor",
        "tell the **cook**",
    ]
    assert [line for line in told.splitlines() if line.strip().startswith((">", "##", "- 7"))] == [
        "- 7 steps done, 1 step skipped, 1 step did not work",
        "## Diagnosis",
        "  > -9 degrees",
        "  > → thaw.md",
        "## Thaw the fan",
        "  > lots of ice",
        "## Mitigation",
        "    > the switch is stuck",
    ]
    assert window.context.documents.snapshot.text.endswith("- [x] wipe the floor\n- [ ] tell the **cook**\n")
