"""Models are set up in the window: added, tried, changed, removed; keys go where they belong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.model_replies import Call, Reply
from tests.model_server import ModelServer
from workbench.gui.control.context import WindowContext
from workbench.gui.models.models_dialog import ModelsDialog
from workbench.providers.endpoints import Endpoint, WireProtocol
from workbench.providers.keys import session_keys
from workbench.providers.known import with_endpoint

LARGE = Endpoint("large", WireProtocol.OPENAI, "https://models.example.org/v1", "env:LARGE_KEY", "big")
SMALL = Endpoint("small", WireProtocol.ANTHROPIC, "https://other.example.org", "", "little")

Opened = Callable[..., ModelsDialog]


@pytest.fixture
def shown_over(qtbot: QtBot) -> QWidget:
    """A window."""
    window = QWidget()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def opened(context: WindowContext, shown_over: QWidget) -> Opened:
    """Opens the dialog of somebody who has some endpoints."""

    def open_dialog(*endpoints: Endpoint) -> ModelsDialog:
        for endpoint in endpoints:
            context.settings.change(lambda settings, each=endpoint: with_endpoint(settings, each))  # type: ignore[misc]
        dialog = ModelsDialog(context, shown_over)
        dialog.show()
        return dialog

    return open_dialog


def rows(dialog: ModelsDialog) -> list[str]:
    """The endpoints that are listed."""
    return [dialog.list.item(row).text() for row in range(dialog.list.count())]


def enter(qtbot: QtBot, dialog: ModelsDialog, **fields: str) -> None:
    """Type into the form."""
    for name, text in fields.items():
        line = getattr(dialog.form, name)
        line.clear()
        qtbot.keyClicks(line, text)


def choose(dialog: ModelsDialog, name: str, value: object) -> None:
    """Choose *value* in a list of the form."""
    box = getattr(dialog.form, name)
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def test_who_has_no_model_is_shown_an_empty_form(opened: Opened) -> None:
    dialog = opened()
    assert (rows(dialog), dialog.form.name.text(), dialog.form.isEnabled()) == ([], "", True)
    assert not dialog.save_button.isEnabled()


def test_an_endpoint_that_was_entered_is_kept_and_is_the_default_one(
    qtbot: QtBot, opened: Opened, context: WindowContext
) -> None:
    dialog = opened()
    enter(qtbot, dialog, name="work", url="https://models.example.org/v1/", model="big")
    enter(qtbot, dialog, input_usd="2,5", output_usd="10")
    choose(dialog, "place", "env")
    enter(qtbot, dialog, variable="WORK_KEY")
    dialog.save_button.click()
    assert rows(dialog) == ["work (default)"]
    kept = context.settings.current.endpoints["work"]
    assert kept == {
        "protocol": "openai",
        "url": "https://models.example.org/v1",
        "key": "env:WORK_KEY",
        "model": "big",
        "models": {"big": {"input_usd": 2.5, "output_usd": 10.0}},
    }


def test_what_cannot_be_used_is_said_and_not_kept(qtbot: QtBot, opened: Opened, context: WindowContext) -> None:
    dialog = opened()
    enter(qtbot, dialog, name="work", url="models.example.org")
    dialog.save_button.click()
    assert dialog.said.text() == "The address is not one of the web, such as https://example.org/v1."
    assert not context.settings.current.endpoints


def test_a_second_endpoint_cannot_take_the_name_of_the_first(qtbot: QtBot, opened: Opened) -> None:
    dialog = opened(LARGE, SMALL)
    dialog.list.setCurrentRow(1)
    enter(qtbot, dialog, name="large")
    dialog.save_button.click()
    assert dialog.said.text() == "There is another endpoint with this name."


def test_another_name_leaves_no_endpoint_of_the_old_one(qtbot: QtBot, opened: Opened, context: WindowContext) -> None:
    dialog = opened(LARGE, SMALL)
    enter(qtbot, dialog, name="largest")
    dialog.save_button.click()
    assert list(context.settings.current.endpoints) == ["largest", "small"]


def test_changes_are_reverted(qtbot: QtBot, opened: Opened) -> None:
    dialog = opened(LARGE)
    enter(qtbot, dialog, model="other")
    dialog.revert_button.click()
    assert (dialog.form.model.text(), dialog.save_button.isEnabled()) == ("big", False)


def test_the_dialog_stays_while_something_is_not_saved(qtbot: QtBot, opened: Opened) -> None:
    dialog = opened(LARGE)
    enter(qtbot, dialog, model="other")
    dialog.reject()
    assert dialog.isVisible()
    assert dialog.said.text() == "Save your changes or revert them first."


def test_an_endpoint_is_removed(opened: Opened, context: WindowContext) -> None:
    dialog = opened(LARGE, SMALL)
    dialog.remove_button.click()
    assert (rows(dialog), list(context.settings.current.endpoints)) == (["small (default)"], ["small"])


def test_one_of_several_is_made_the_default_one(opened: Opened, context: WindowContext) -> None:
    dialog = opened(LARGE, SMALL)
    dialog.list.setCurrentRow(1)
    dialog.default_button.click()
    assert (rows(dialog), context.settings.current.default_endpoint) == (["large", "small (default)"], "small")


def test_an_endpoint_of_the_project_is_shown_and_cannot_be_changed(
    qtbot: QtBot, opened: Opened, context: WindowContext, tmp_path: Path
) -> None:
    (tmp_path / "workbench.toml").write_text('[models.team]\nurl = "https://team.example.org/v1"\n')
    context.settings.change(lambda settings: replace(settings, project_folder=str(tmp_path)))
    dialog = opened()
    assert rows(dialog) == ["team (project)"]
    assert not dialog.form.isEnabled()
    assert not dialog.remove_button.isEnabled()
    assert str(tmp_path / "workbench.toml") in dialog.notes.text()


def test_a_key_that_is_asked_for_each_time_is_kept_in_no_file(
    qtbot: QtBot, opened: Opened, context: WindowContext
) -> None:
    dialog = opened()
    enter(qtbot, dialog, name="work", url="https://models.example.org/v1")
    choose(dialog, "place", "ask")
    enter(qtbot, dialog, key="wk-1234567890")
    with qtbot.waitSignal(dialog.keeper.said):
        dialog.save_button.click()
    found = session_keys().find(Endpoint("work", WireProtocol.OPENAI, "https://models.example.org/v1", "ask"))
    assert found is not None and found.revealed() == "wk-1234567890"
    files = [file for file in context.places.config_dir.parent.rglob("*") if file.is_file()]
    assert not any(b"wk-1234567890" in file.read_bytes() for file in files)


def test_trying_an_endpoint_shows_what_it_can_do(qtbot: QtBot, opened: Opened) -> None:
    weather = Call("look_up_weather", {"city": "Paris"})
    with ModelServer([Reply(("one ", "two")), Reply(calls=(weather,)), Reply(data={"is_true": True})]) as server:
        dialog = opened(Endpoint("here", WireProtocol.OPENAI, server.url, model="scripted"))
        dialog.trial.button.click()
        qtbot.waitUntil(dialog.trial.button.isEnabled)
        said = [line.partition(" – ")[0] for line in dialog.trial.lines]
    assert said == ["Reachable: yes", "Streaming: yes", "Tools: yes", "Answers by a schema: yes"]


def test_an_endpoint_that_is_not_there_says_so(qtbot: QtBot, opened: Opened) -> None:
    with ModelServer([]) as server:
        url = server.url
    dialog = opened(Endpoint("gone", WireProtocol.OPENAI, url, model="scripted"))
    dialog.trial.button.click()
    qtbot.waitUntil(dialog.trial.button.isEnabled)
    assert dialog.trial.lines[0].startswith("Reachable: no – ")


def test_closing_gives_up_a_trial(qtbot: QtBot, opened: Opened) -> None:

    with ModelServer([Reply("late", waits=Event())]) as server:
        dialog = opened(Endpoint("slow", WireProtocol.OPENAI, server.url, model="scripted"))
        dialog.trial.button.click()
        qtbot.waitUntil(server.arrived.is_set)
        dialog.reject()
        qtbot.waitUntil(server.hung_up.is_set)
    assert not dialog.isVisible()
