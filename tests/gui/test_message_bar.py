"""The run pane while a run waits for a message: write, send, be done."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from workbench.engine.journal.choices import RunStatus
from workbench.gui.control.context import WindowContext
from workbench.gui.runs.cards import CardKind
from workbench.gui.runs.run_panel import RunPanel

DESK = """# Desk

## Main

### Triggers

- When program starts

### Steps

- Say("Welcome.")

## Greet

### Triggers

- When the user says "hello"

### Steps

- Say("Hello yourself.")
"""
CLOCK = DESK.replace('When the user says "hello"', "Every hour")


@pytest.fixture
def panel(qtbot: QtBot, context: WindowContext) -> RunPanel:
    """The pane, on screen, with a program open that listens."""
    made = RunPanel(context)
    qtbot.addWidget(made)
    made.resize(900, 300)
    made.show()
    context.documents.open_text(DESK)
    return made


def _waiting(qtbot: QtBot, panel: RunPanel, context: WindowContext) -> None:
    context.runs.start()
    qtbot.waitUntil(panel.message.isVisible)


def test_a_conversation_from_the_keyboard(qtbot: QtBot, panel: RunPanel, context: WindowContext) -> None:
    _waiting(qtbot, panel, context)
    qtbot.keyClicks(panel.message.text, "hello")
    qtbot.keyClick(panel.message.text, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.conversation.cards[-1].text == "Hello yourself.")
    qtbot.waitUntil(panel.message.isVisible)
    with qtbot.waitSignal(context.runs.run_finished):
        panel.message.done.click()
    kinds = [card.kind for card in panel.conversation.cards]
    assert kinds[-4:] == [CardKind.ANSWERED, CardKind.TRIGGERED, CardKind.TOLD, CardKind.ENDED]


def test_the_bar_is_there_only_while_the_run_waits(qtbot: QtBot, panel: RunPanel, context: WindowContext) -> None:
    assert panel.message.isHidden()
    _waiting(qtbot, panel, context)
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.stop()
    assert panel.message.isHidden()


def test_the_header_says_what_is_waited_for(qtbot: QtBot, panel: RunPanel, context: WindowContext) -> None:
    _waiting(qtbot, panel, context)
    assert "waiting for a message" in panel.header.words
    context.runs.end_conversation()
    qtbot.waitUntil(lambda: not context.runs.is_running)


def test_shift_and_enter_begin_a_line(qtbot: QtBot, panel: RunPanel, context: WindowContext) -> None:
    _waiting(qtbot, panel, context)
    qtbot.keyClicks(panel.message.text, "one")
    qtbot.keyClick(panel.message.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(panel.message.text, "two")
    assert panel.message.written == "one\ntwo"
    panel.message.take_back()
    context.runs.stop()
    qtbot.waitUntil(lambda: not context.runs.is_running)


def test_words_that_were_not_sent_when_the_run_ends_are_left_over(
    qtbot: QtBot, panel: RunPanel, context: WindowContext
) -> None:
    _waiting(qtbot, panel, context)
    qtbot.keyClicks(panel.message.text, "and one more thing")
    assert context.documents.fields.are_written_in
    with qtbot.waitSignal(context.documents.fields.left_over) as left:
        context.runs.end_conversation()
    assert (left.args, panel.message.written) == (["and one more thing"], "")


def test_a_run_that_only_waits_for_its_timers_can_be_ended(
    qtbot: QtBot, panel: RunPanel, context: WindowContext
) -> None:
    context.documents.open_text(CLOCK)
    _waiting(qtbot, panel, context)
    assert (panel.message.text.isHidden(), panel.message.until.text()[:11]) == (True, "Next timer:")
    with qtbot.waitSignal(context.runs.run_finished):
        panel.message.done.click()
    assert context.runs.state is not None
    assert context.runs.state.status is RunStatus.COMPLETED
