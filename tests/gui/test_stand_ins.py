"""What a run was given is changed in the window; tools are mocked, and answers pinned, from a menu."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from workbench.engine.debugging.breakpoints import parse_breakpoint
from workbench.engine.debugging.mocks import Mock
from workbench.engine.journal.choices import RunStatus
from workbench.engine.ports import Answer
from workbench.gui.forms.run_menu import RunMenu
from workbench.gui.runs.card import CardKind
from workbench.gui.runs.request_form import PinnedOffer, RequestForm
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.runs.stand_in_dialogs import AnswerDialog, OutcomeDialog
from workbench.gui.shell.debug_actions import StandInActions
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.timeline.bars.bars import BarKind
from workbench.gui.timeline.timeline_panel import TimelinePanel

TEXT = """# Desk

## Main

### Steps

- $now = clock()
- Ask user for $name:str
- $both = [$now, $name]
- Return $both
"""


class Desk:
    """A window with a playbook that calls a tool and asks, and a run of it."""

    def __init__(self, qtbot: QtBot, window: MainWindow, folder: Path) -> None:
        self.qtbot, self.window, self.context = qtbot, window, window.context
        file = folder / "desk.md"
        file.write_text(TEXT, "utf-8")
        window.files.open_path(file)
        actions, panel, timeline = window.findChild(StandInActions), *map(window.panes.panel, ("run", "timeline"))
        assert isinstance(actions, StandInActions)
        assert isinstance(panel, RunPanel) and isinstance(timeline, TimelinePanel)
        self.actions, self.panel, self.timeline = actions, panel, timeline

    def start(self, *stops: str) -> None:
        """Begin a run that stops at *stops*."""
        own = self.context.breakpoints
        own.replace_all([own.stop_for(parse_breakpoint(each)) for each in stops])
        self.context.runs.start()

    def held(self, action: str) -> None:
        """Wait until the run is held, where *action* can be taken; then take it."""
        taken = self.context.actions.action(action)
        self.qtbot.waitUntil(lambda: self._is_paused() and taken.isEnabled())
        taken.trigger()

    def _is_paused(self) -> bool:
        state = self.context.runs.state
        return state is not None and state.status is RunStatus.PAUSED

    def form(self) -> RequestForm:
        """The question, once it is asked."""
        self.qtbot.waitUntil(lambda: self.panel.form is not None)
        assert isinstance(self.panel.form, RequestForm)
        return self.panel.form

    def menu_of(self, kind: CardKind) -> RunMenu:
        """The menu of the last card of *kind*."""
        talk = self.panel.conversation
        talk.current = max(at for at, card in enumerate(talk.cards) if card.kind is kind)
        talk.offer()
        return talk.menu

    def enter(self, words: str) -> None:
        """Enter *words* into the dialog that has been opened, and accept it."""
        dialog = self.actions.dialog
        assert isinstance(dialog, OutcomeDialog)
        dialog.outcome.setText(words)
        dialog.accept()

    def end(self) -> object:
        """What the run comes to."""
        runs = self.context.runs
        with self.qtbot.waitSignal(runs.run_finished):
            runs.go_on()
        assert runs.run is not None
        return runs.run.result


@pytest.fixture
def desk(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> Desk:
    return Desk(qtbot, window, tmp_path)


def test_a_result_and_an_answer_are_changed_while_the_run_is_held_at_them(desk: Desk) -> None:
    desk.start("result:clock", "Main:03")
    desk.held("run.change-result")
    desk.enter('"noon"')
    desk.context.runs.go_on()
    desk.form().answered.emit(Answer((("name", "Ada"),)))
    desk.held("run.change-answer")
    assert desk.menu_of(CardKind.ANSWERED).answer.isVisible()
    dialog = desk.actions.dialog
    assert isinstance(dialog, AnswerDialog) and dialog.form.fields[0].words == "Ada"
    dialog.form.fields[0].fill("Eve")
    dialog.form.submit("answer")
    desk.qtbot.waitUntil(lambda: len([card for card in desk.panel.conversation.cards if "was" in card.outcome]) == 2)
    assert desk.end() == ["noon", "Eve"]
    assert not desk.context.actions.action("run.change-answer").isEnabled()


def test_tools_are_mocked_from_a_card_and_from_a_bar_and_answers_pinned(desk: Desk) -> None:
    desk.start()
    desk.form().answered.emit(Answer((("name", "Ada"),)))
    desk.end()
    menu = desk.menu_of(CardKind.CALLED)
    assert menu.mock.isVisible() and not (menu.answer.isVisible() or menu.result.isVisible() or menu.pin.isVisible())
    menu.mock.trigger()
    dialog = desk.actions.dialog
    assert isinstance(dialog, OutcomeDialog) and dialog.outcome.text().startswith('"')  # what the call gave
    desk.enter("noon")
    table = desk.timeline.board.view.table
    bars = [table.bar(at, index) for at, lane in enumerate(table.lanes) for index in range(len(lane))]
    call = next(bar for bar in bars if bar.tint.kind is BarKind.CALL)
    desk.timeline.menu.offer(call)
    assert desk.timeline.menu.unmock.isVisible()
    assert desk.context.runs.mock_of("clock") == Mock("clock", "noon")

    with desk.qtbot.waitSignal(desk.context.notices.noticed):
        desk.menu_of(CardKind.ANSWERED).pin.trigger()
    desk.start()
    form = desk.form()
    offer = form.findChild(PinnedOffer)
    assert isinstance(offer, PinnedOffer) and "Ada" in offer.text()
    offer.click()
    assert desk.end() == ["noon", "Ada"]
