"""Another program holds a store: the window goes on, says what it waits for, and does it once it can."""

from __future__ import annotations

import ast
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from workbench.disk.places import Places
from workbench.engine.journal.journal import Journal
from workbench.engine.ports import Answer
from workbench.errors import StoreBusy
from workbench.gui.banners.startup_offers import StartupOffers
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running import run_host
from workbench.gui.shell.main_window import MainWindow
from workbench.library.store import PatternStore

_GUI = Path(run_host.__file__).parents[2]
_TEXT = "# Desk\n\n## Main\n\n### Steps\n\n- Return 5\n"
_ASKING = "# Desk\n\n## Main\n\n### Steps\n\n- Ask user for $name\n- Return $name\n"
_CALLING = "# Desk\n\n```python\n@playbook\ndef two():\n    return 2\n```\n\n## Main\n\n### Steps\n\n- $n = two()\n"
_ELSEWHERE = {"_opened", "_back_up", "_learned_later"}
"""Functions that may wait for a store: they take how long from their caller, or run on a thread of their own."""


@contextmanager
def held(file: Path, how: str = "BEGIN EXCLUSIVE") -> Iterator[None]:
    """*file* is held by another program, until the block is left."""
    connection = sqlite3.connect(file, isolation_level=None)
    try:
        if how != "BEGIN EXCLUSIVE":
            connection.execute(how)
        connection.execute("BEGIN EXCLUSIVE")
        yield
    finally:
        connection.close()


@pytest.fixture
def runs_file(qtbot: QtBot, context: WindowContext, own_places: Places) -> Path:
    """A journal with one run in it."""
    context.documents.open_text(_TEXT)
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()
    return own_places.runs_file


def test_a_run_starts_once_the_journal_is_free(qtbot: QtBot, context: WindowContext, runs_file: Path) -> None:
    assert not context.runs.host.is_waiting
    with held(runs_file):
        with qtbot.waitSignal(context.runs.start_delayed):
            context.runs.start()
        assert context.runs.host.is_waiting
    with qtbot.waitSignal(context.runs.run_finished):
        pass
    assert len(context.runs.host.runs()) == 2


def test_a_run_goes_on_once_the_journal_is_free(qtbot: QtBot, context: WindowContext, runs_file: Path) -> None:
    context.documents.open_text(_ASKING)
    context.runs.start()
    qtbot.waitUntil(lambda: context.runs.request is not None)
    context.runs.leave()
    assert context.runs.run is not None
    with held(runs_file), qtbot.waitSignal(context.runs.start_delayed):
        context.runs.resume(context.runs.run.id)
    qtbot.waitUntil(lambda: context.runs.request is not None)
    assert context.runs.request is not None
    with qtbot.waitSignal(context.runs.run_finished):
        assert context.runs.answer(context.runs.request.id, Answer(values=(("name", "Ada"),)))


def test_a_journal_that_stays_held_is_told(
    qtbot: QtBot, context: WindowContext, runs_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_host, "WAIT_S", 0.2)
    context.runs.host = run_host.RunHost(context.places)
    with held(runs_file), qtbot.waitSignal(context.runs.run_refused) as refused:
        context.runs.start()
    assert "locked by another program" in refused.args[0]
    assert not context.runs.is_running


def test_a_second_run_is_not_started_while_one_waits(qtbot: QtBot, context: WindowContext, runs_file: Path) -> None:
    with held(runs_file):
        context.runs.start()
        with qtbot.waitSignal(context.runs.run_refused):
            context.runs.start()
    with qtbot.waitSignal(context.runs.run_finished):
        pass


def test_the_window_does_not_wait_to_list_runs(context: WindowContext, own_places: Places) -> None:
    Journal(own_places.runs_file).close()
    with held(own_places.runs_file, "PRAGMA locking_mode=EXCLUSIVE"), pytest.raises(StoreBusy, match=r"than 0\.1 s"):
        context.runs.host.runs()


def test_a_run_that_was_cut_off_is_offered_once_the_journal_is_free(
    qtbot: QtBot, window: MainWindow, another_window: MainWindow
) -> None:
    window.context.documents.open_text(_ASKING)
    window.context.runs.start()
    qtbot.waitUntil(lambda: window.context.runs.request is not None)
    window.context.runs.leave()
    window.context.runs.host._of_others.close()
    window.context.runs.host._of_window.close()
    with held(another_window.context.places.runs_file, "PRAGMA locking_mode=EXCLUSIVE"):
        StartupOffers(another_window.context, another_window.banners).show_offers()
        assert another_window.banners.banners == ()
    qtbot.waitUntil(lambda: len(another_window.banners.banners) == 1)
    assert "was interrupted" in another_window.banners.banners[0].notice.text


def test_a_run_is_learned_from_once_the_library_is_free(
    qtbot: QtBot, context: WindowContext, own_places: Places
) -> None:
    PatternStore(own_places.patterns_file).record("web", "Look", ("one",))
    context.documents.open_text(_CALLING)
    context.runs.trust_needed.connect(context.runs.trust)
    with held(own_places.patterns_file), qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()
    with qtbot.waitSignal(context.recorder.recorded) as recorded:
        pass
    assert recorded.args[0].tool_sequence == ("two",)


def _openings(file: Path) -> Iterator[str]:
    """Where a store is opened in *file* by a call that does not say how long it may wait."""
    for function in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(function, ast.FunctionDef) and function.name not in _ELSEWHERE:
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and ast.unparse(call.func) in {"Journal", "PatternStore"}:
                    yield from [] if "WINDOW_WAIT_S" in ast.unparse(call) else [f"{file.name}: {function.name}"]


def test_no_store_is_opened_by_the_window_so_that_it_would_wait() -> None:
    assert [each for file in _GUI.rglob("*.py") for each in _openings(file)] == []
