"""What a pane says while it is empty can be read in any room."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import Picture

WORDS = "When a run succeeds, the tools and functions that it called are recorded here. " * 3


@pytest.fixture
def state(qtbot: QtBot) -> EmptyState:
    """An empty state with much to say, and a button."""
    made = EmptyState("pattern", "No patterns yet", WORDS)
    qtbot.addWidget(made)
    made.add_button(QPushButton("Import…", made))
    made.resize(400, 400)
    made.show()
    return made


def picture(state: EmptyState) -> Picture:
    """Its picture."""
    return state.findChildren(Picture)[0]


@pytest.mark.parametrize(("width", "height"), [(400, 400), (200, 80), (120, 60)])
def test_no_words_are_cut_off(state: EmptyState, width: int, height: int, qtbot: QtBot) -> None:
    state.resize(width, height)
    qtbot.waitUntil(lambda: state.words.height() >= state.words.heightForWidth(state.words.width()))
    assert state.words.mapTo(state.widget(), state.words.rect().bottomLeft()).y() < state.widget().height()


def test_only_what_has_no_room_scrolls_and_the_picture_goes_first(state: EmptyState, qtbot: QtBot) -> None:
    qtbot.waitUntil(picture(state).isVisible)
    qtbot.waitUntil(lambda: state.verticalScrollBar().maximum() == 0)
    state.resize(200, 80)
    qtbot.waitUntil(lambda: not picture(state).isVisible())
    qtbot.waitUntil(lambda: state.verticalScrollBar().maximum() > 0)
    state.resize(400, 400)
    qtbot.waitUntil(picture(state).isVisible)
