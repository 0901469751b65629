"""Runs of the window, sent to the collector of the settings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot

from tests.collector import Collector
from tests.conftest import PATIENCE_S
from tests.otlp_checks import spans_in
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Notice
from workbench.gui.shell.main_window import MainWindow

_BOOK = "# Book\n## Main\n### Steps\n- Say('a')\n- Return 1\n"


def _run(qtbot: QtBot, context: WindowContext, endpoint: str) -> None:
    context.settings.change(lambda settings: replace(settings, otlp_endpoint=endpoint))
    context.documents.open_text(_BOOK)
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()


def test_a_run_is_sent_once_it_is_over(qtbot: QtBot, context: WindowContext) -> None:
    with Collector() as collector:
        _run(qtbot, context, collector.url)
        assert collector.arrived.acquire(timeout=PATIENCE_S)
    assert len([span for _path, request in collector.requests for span in spans_in(request)]) == 4


def test_a_collector_that_is_not_there_is_told_of(qtbot: QtBot, context: WindowContext) -> None:
    noticed: list[Notice] = []
    context.notices.noticed.connect(noticed.append)
    _run(qtbot, context, "http://127.0.0.1:1")
    qtbot.waitUntil(lambda: any("Spans could not be sent" in notice.text for notice in noticed))


@pytest.mark.parametrize(("entered", "kept"), [("http://127.0.0.1:4318/v1/traces", True), ("collector", False)])
def test_the_address_of_the_collector_is_entered_in_the_menu(window: MainWindow, entered: str, kept: bool) -> None:
    window.context.actions.action("run.spans").trigger()
    dialog = window.findChild(QInputDialog)
    dialog.setTextValue(entered)
    dialog.accept()
    assert window.context.settings.current.otlp_endpoint == (entered if kept else "")
