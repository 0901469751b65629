"""Findings are looked for beside the window, and only those of the document as it is are told."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from tests.conftest import PATIENCE_S
from workbench.editing.commands import EditText
from workbench.gui.control import context as window
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

ROOT = Path(__file__).resolve().parents[2]
TEXT = "# A\n## M\n### Steps\n- Nowhere()\n"


def test_findings_are_looked_for_on_another_thread(
    context: WindowContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    look = window.diagnosed

    def noted(snapshot: Snapshot, *beside: str) -> Snapshot:
        threads.append(threading.get_ident())
        return look(snapshot, *beside)

    monkeypatch.setattr(window, "diagnosed", noted)
    with qtbot.waitSignal(context.diagnosis.ready):
        context.documents.open_text(TEXT)
    assert threads
    assert threading.get_ident() not in threads


def test_findings_of_an_earlier_text_are_not_told(context: WindowContext, qtbot: QtBot) -> None:
    context.documents.open_text(TEXT)
    told: list[Snapshot] = []
    context.diagnosis.ready.connect(told.append)
    with qtbot.waitSignal(context.diagnosis.ready):
        for _letter in range(3):
            context.documents.execute(EditText((TextEdit(Span(len(TEXT) - 2, len(TEXT) - 2), "x"),)))
    qtbot.wait(50)
    assert told == [context.documents.snapshot]


def test_a_skill_that_nobody_has_is_found_and_one_beside_the_file_is_not(
    context: WindowContext, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "skills" / "known").mkdir(parents=True)
    (tmp_path / "skills" / "known" / "SKILL.md").write_text("---\nname: known\ndescription: x\n---\n")
    file = tmp_path / "list.yaml"
    file.write_text("id: a\nname: A\nsteps:\n- id: b\n  description: c\n  uses: [known, gone]\n")
    with qtbot.waitSignal(context.diagnosis.ready):
        context.documents.open(file)
    found = [one for one in context.documents.snapshot.diagnostics if one.code == "unknown-skill"]
    assert [one.span.of(context.documents.snapshot.text) for one in found] == ["gone"]


def test_what_the_project_says_wrongly_about_plans_is_found_in_its_playbooks(
    context: WindowContext, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "workbench.toml").write_text('[deviation]\nfailed = "rety"\n', "utf-8")
    file = tmp_path / "a.md"
    file.write_text(TEXT, "utf-8")
    with qtbot.waitSignal(context.diagnosis.ready):
        context.documents.open(file)
    (found,) = [one for one in context.documents.snapshot.diagnostics if one.code == "metadata-value"]
    assert found.message.startswith("[deviation] in workbench.toml: failed cannot be “rety”.")


def test_whoever_comes_late_is_told_what_is_known_already(context: WindowContext, qtbot: QtBot) -> None:
    with qtbot.waitSignal(context.diagnosis.ready):
        context.documents.open_text(TEXT)
    assert context.documents.snapshot.is_diagnosed
    with qtbot.waitSignal(context.diagnosis.ready):
        context.diagnosis.ask()


def test_of_several_wishes_only_the_last_is_told(qtbot: QtBot) -> None:
    owner = QObject()
    beside, go_on = BackgroundWork(owner), threading.Event()
    told: list[object] = []
    beside.done.connect(told.append)
    beside.ask(lambda: go_on.wait(PATIENCE_S) and "first")
    beside.ask(lambda: "second")
    with qtbot.waitSignal(beside.done):
        beside.ask(lambda: "third")
        go_on.set()
    assert told == ["third"]


def test_what_is_not_wanted_any_more_is_not_told(qtbot: QtBot) -> None:
    owner = QObject()
    beside, go_on, done = BackgroundWork(owner), threading.Event(), threading.Event()
    told: list[object] = []
    beside.done.connect(told.append)
    beside.ask(lambda: (go_on.wait(PATIENCE_S), done.set()))
    beside.forget()
    go_on.set()
    qtbot.waitUntil(done.is_set)
    qtbot.wait(50)
    assert told == []


def test_findings_are_found_where_assertions_are_left_out() -> None:
    program = """
from workbench.gui.control.context import diagnosed
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText
raise SystemExit(not diagnosed(derive(SourceText("# A")), "").is_diagnosed)
"""
    assert subprocess.run([sys.executable, "-O", "-c", program], check=False, cwd=ROOT).returncode == 0
