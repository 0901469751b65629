"""The window is killed while it works on a goal, and started again: it goes on, and nothing is done twice."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from workbench.engine.ports import Answer, InDoubtChoice, RequestKind
from workbench.gui.banners.startup_offers import StartupOffers
from workbench.gui.control.planning.goals import Goal
from workbench.gui.control.running.window_runs import WindowRun
from workbench.gui.look.label import Label
from workbench.gui.resume.resume_dialog import ResumeDialog
from workbench.gui.shell.main_window import MainWindow

_ROOT = Path(__file__).resolve().parents[2]

_WORKING = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QApplication
from workbench.engine.permissions import say
from workbench.gui import app
from workbench.gui.control.planning.cycles import GoalWish
from workbench.gui.shell.main_window import MainWindow
from workbench.planning.offering import usual_offers
from workbench.planning.plan import Plan, PlanStep
from workbench.planning.request import PlanRequest
from workbench.tools.permissions import Rule
from workbench.tools.values import Asking

folder = Path(sys.argv[1])

def effect(name):
    return PlanStep(name, "shell", {"command": [sys.executable, "effect.py", name]})

def main_window():
    return next((each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow)), None)

@Slot()
def look():
    window = main_window()
    if window is None:
        return
    goals = window.context.goals
    if goals.shown is None:
        if goals.host and not looking.property("begun"):
            looking.setProperty("begun", True)
            say(window.context.places.permissions_file, folder, Rule("shell", Asking.NEVER))
            steps = (effect("first"), effect("second"), PlanStep("Ask user for $name"))
            request = PlanRequest("Do both", offers=usual_offers(folder), is_run=True)
            goals.begin(GoalWish(request, Plan("Do both", "", steps), folder=str(folder)))
    elif goals.shown.asks == "accept" and goals.written == goals.shown.at.text:
        goals.decide(is_yes=True)
    elif (folder / "second begun").exists():
        os.kill(os.getpid(), signal.SIGKILL)

app.application_for_window()
looking = QTimer()
looking.timeout.connect(look)
looking.start(20)
app.main([])
"""
_EFFECT = """
import pathlib, sys, time
pathlib.Path(f"{sys.argv[1]} begun").touch(exist_ok=False)
if sys.argv[1] == "second":
    time.sleep(60)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a call leaves a trace, and fails when it is made twice."""
    folder = tmp_path / "desk"
    folder.mkdir()
    (folder / "effect.py").write_text(_EFFECT, "utf-8")
    return folder


class Returned:
    """Whoever comes back to the goal: resumes it, and answers what is asked."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window, self.context = qtbot, window, window.context
        StartupOffers(window.context, window.banners).show_offers()

    def resume(self) -> str:
        """What the dialog says before the goal goes on."""
        (banner,) = [each for each in self.window.banners.banners if "Do both” was interrupted" in each.notice.text]
        banner.buttons[0].click()
        (dialog,) = self.window.findChildren(ResumeDialog)
        told = "\n".join(each.text() for each in dialog.findChildren(Label))
        dialog.resume_button.click()
        self.qtbot.waitUntil(lambda: self.context.goals.shown is not None)
        return told

    @property
    def goal(self) -> Goal:
        """The goal."""
        assert self.context.goals.shown is not None
        return self.context.goals.shown

    def run_that_asks(self, kind: RequestKind) -> WindowRun:
        """The run of the playbook, when it asks for *kind*."""

        def found() -> WindowRun | None:
            going = (each for each in self.context.runs.going if each.id == self.goal.at.begun)
            return next((each for each in going if each.request is not None and each.request.kind is kind), None)

        self.qtbot.waitUntil(lambda: found() is not None)
        run = found()
        assert run is not None
        return run

    def finish(self, name: str) -> None:
        """Answer the question for *name*, and wait for the end."""
        run = self.run_that_asks(RequestKind.ASK)
        assert run.request is not None and run.run.answer(run.request.id, Answer(((name, "Ada"),)))
        self.qtbot.waitUntil(lambda: not self.goal.is_going)
        assert self.goal.at.ended is not None and self.goal.at.ended.status == "completed"
        assert self.goal.at.stored is not None


def _killed_in_a_call(folder: Path) -> None:
    process = subprocess.run([sys.executable, "-c", _WORKING, str(folder)], cwd=_ROOT, check=False)
    assert process.returncode == -signal.SIGKILL


@pytest.mark.usefixtures("own_places")
def test_a_window_killed_in_a_goal_goes_on_where_it_was(
    folder: Path, open_window: Callable[[], MainWindow], qtbot: QtBot
) -> None:
    _killed_in_a_call(folder)
    person = Returned(qtbot, open_window())
    told = person.resume()
    assert "effect.py, second" in told.replace("'", "").replace('"', "") and "Main:01" in told
    run = person.run_that_asks(RequestKind.IN_DOUBT)
    assert run.request is not None
    assert run.run.answer(run.request.id, Answer((("result", ""),), choice=InDoubtChoice.DONE))
    person.finish("name")
    assert sorted(each.name for each in folder.glob("* begun")) == ["first begun", "second begun"]
