"""Dialogs and forms about runs, patterns and the shelf: room for large text on a small screen, names, keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.test_approvals import CALL, request_for
from tests.gui.test_comfort import cut_off, is_seen, nameless, small
from tests.gui.test_procedure_runs import AFTER, WORK
from tests.gui.test_saved_tests import TEST
from tests.gui.test_shelf_panel import TEXT as GREETING
from tests.gui.test_window_names import OPERATED, is_part_of_another, name_of
from workbench.engine.journal.events import RunId
from workbench.engine.judges import Limits
from workbench.engine.language.procedures.start import who
from workbench.engine.options import RunOptions
from workbench.engine.ports import Request, RequestKind
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_questions import ArgumentsQuestion, ProcedureQuestion, TrustQuestion
from workbench.gui.forms.approval_form import ApprovalForm
from workbench.gui.patterns.patterns_panel import PatternsPanel
from workbench.gui.recorded.comparison_dialog import ComparisonDialog
from workbench.gui.recorded.fork_dialog import ForkDialog
from workbench.gui.recorded.tests_dialog import SavedTestsDialog
from workbench.gui.resume.resume_dialog import CutOffRun, ResumeDialog
from workbench.gui.runs.asked_before import ProcedureDialog, TrustDialog
from workbench.gui.runs.request_form import RequestForm
from workbench.gui.runs.stand_in_dialogs import AnswerDialog, OutcomeDialog
from workbench.gui.runs.start_dialogs import ArgumentsDialog
from workbench.gui.shelf.shelf_panel import ShelfPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.library.store import PatternStore
from workbench.model.meaning import Variable
from workbench.model.procedures.placeholders import Placeholder
from workbench.planning.shelf.entries import Kept, Note, Origin
from workbench.planning.shelf.notes import Notes
from workbench.planning.shelf.store import Shelf
from workbench.syntax.signatures import Parameter

__all__ = ["small"]
IN_GERMAN = pytest.mark.parametrize("small", ["de"], indirect=True)  # the longer words of the two languages
LONG = "Look at every order of the customer, say which of them may still be changed, and note it as $order"
ASKED = Request("r", RequestKind.ASK, "Main:01", LONG, (Variable("name", True), Variable("order", True)))  # noqa: FBT003
CHAPTERS = (("Diagnosis", "Diagnosis of all that can be wrong with the lift"), ("FixIt", "Fix it"))
OPEN = (Placeholder("lift_id", "lift-id"), Placeholder("hours", "hours", default="72"))
CUT_OFF = CutOffRun(
    *(RunId("r"), "A playbook with a long name", "3 days ago", (LONG,) * 4, 12, f"shell('{LONG}')", LONG),
    is_old=True,
    is_changed=True,
    limits=Limits(),
)
ASKING: Mapping[str, Callable[[QWidget], QWidget]] = {
    "resume": lambda parent: ResumeDialog(CUT_OFF, parent),
    "result": lambda parent: OutcomeDialog("Change the result", LONG, '{"a": 1}', parent),
    "answer": lambda parent: AnswerDialog(ASKED, {}, True, parent),  # noqa: FBT003
    "arguments": lambda parent: ArgumentsDialog(
        ArgumentsQuestion("Main", (Parameter("a"), Parameter("b")), RunOptions()), parent
    ),
    "trust": lambda parent: TrustDialog(TrustQuestion("d", "@playbook\ndef f():\n", Path("/a/folder/a.md")), parent),
    "procedure": lambda parent: ProcedureDialog(ProcedureQuestion("Lift", CHAPTERS, OPEN, RunOptions()), parent),
    "work": lambda parent: RequestForm(WORK, parent),
    "afterwards": lambda parent: RequestForm(AFTER, parent),
    "ask": lambda parent: RequestForm(ASKED, parent),
    "decide": lambda parent: RequestForm(Request("r", RequestKind.DECIDE, "Main:01", LONG), parent),
    "in doubt": lambda parent: RequestForm(Request("r", RequestKind.IN_DOUBT, "Main:01", LONG), parent),
    "approve": lambda parent: ApprovalForm(request_for(CALL), parent),
}
"""What asks something. Forms stand in the pane of the run."""


def faults(whole: QWidget) -> list[str]:
    """What is wrong with *whole* where the screen has 800 × 600 points."""
    whole.show()
    whole.resize(whole.size().boundedTo(QSize(768, 536)))
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    found = [f"{whole.width()} × {whole.height()}"] if whole.width() > 800 or whole.height() > 600 else []
    found += [*cut_off(whole), *(f"a {type(each).__name__} without a name" for each in nameless(whole))]
    return [*found, *(f"no key leads to {name_of(each)}" for each in out_of_reach(whole))]


def out_of_reach(whole: QWidget) -> Iterator[QWidget]:
    """What can be operated in *whole*, but not reached by Tab."""
    for each in whole.findChildren(QWidget):
        is_reached = bool(each.focusPolicy() & Qt.FocusPolicy.TabFocus) or is_part_of_another(each)
        if isinstance(each, OPERATED) and is_seen(each) and not is_reached:
            yield each


@IN_GERMAN
def test_what_a_run_asks_has_room_and_every_key(small: MainWindow) -> None:
    found: dict[str, list[str]] = {}
    for name, make in ASKING.items():
        asking = make(small)
        if not isinstance(asking, QDialog):
            asking.setGeometry(0, 0, 440, 250)  # half of the pane
        found[name] = faults(asking)
        asking.close()
        asking.deleteLater()
    assert {name: each for name, each in found.items() if each} == {}


@IN_GERMAN
def test_what_is_done_with_runs_has_room_and_every_key(small: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    context, path = small.context, tmp_path / "shop.md"
    path.write_text("# Shop\n\n## Main\n\n- $a = 1\n- $b = $a + 1\n- Return $b\n", encoding="utf-8")
    small.files.open_path(path)
    for _run in range(2):
        with qtbot.waitSignal(context.runs.run_finished):
            context.runs.start()
        qtbot.waitUntil(lambda: context.shown.is_settled)
    context.actions.trigger("run.compare")
    comparison = small.findChild(ComparisonDialog)
    qtbot.waitUntil(lambda: bool(comparison.save.isEnabled() or comparison.said.text()))
    context.actions.trigger("run.fork")
    fork = small.findChild(ForkDialog)
    qtbot.waitUntil(lambda: fork.planned is not None or bool(fork.said.text()))
    tests = SavedTestsDialog(context, path, small)
    tests.begin(is_changed=True)
    tests.take(TEST)
    tests.end("")
    found = {type(each).__name__: faults(each) for each in (comparison, fork, tests)}
    assert {name: each for name, each in found.items() if each} == {}


@IN_GERMAN
def test_what_is_done_with_patterns_and_the_shelf_has_room_and_every_key(small: MainWindow, qtbot: QtBot) -> None:
    fill_library(small.context)
    patterns, shelf = small.panes.panel("patterns"), small.panes.panel("shelf")
    assert isinstance(patterns, PatternsPanel) and isinstance(shelf, ShelfPanel)
    small.panes.bring_forward("patterns")
    small.panes.bring_forward("shelf")
    page = shelf.playbooks
    qtbot.waitUntil(lambda: patterns.detail.details is not None and page.detail.isVisible())
    qtbot.waitUntil(lambda: not list(cut_off(small)))  # both panes are laid out in turns of their own
    found: dict[str, list[str]] = {}
    patterns.detail.promote.click()
    promotion = patterns.actions_of_pattern.dialog
    assert promotion is not None
    found["promotion"] = faults(promotion)
    promotion.close()
    for name, begin in (("reuse", page.detail.reuse.click), ("export", page.acts.export.trigger)):
        begin()
        qtbot.waitUntil(lambda: page.acts.dialog is not None)
        assert page.acts.dialog is not None
        found[name] = faults(page.acts.dialog)
        page.acts.dialog.close()
    page.take_in.click()
    assert page.dialog is not None
    found["import"] = faults(page.dialog)
    page.dialog.close()
    assert {name: each for name, each in found.items() if each} == {}


def fill_library(context: WindowContext) -> None:
    """A pattern that can be promoted, and a playbook on the shelf that a note changes."""
    store = PatternStore(context.places.patterns_file)
    for _time in range(3):
        store.record("shell", "Free the disk of a machine", ["du", "rm"])
    shelf = Shelf(context.places.shelf_file, who())
    origin = Origin("Greet", "form · rules")
    shelf.put(Kept("Greet people kindly", GREETING.format(said="politely"), "markdown", origin))
    Notes(shelf).add(Note("", "Be kind", old="Tell user politely", new='Tell user "my dear"'))
    shelf.close()
