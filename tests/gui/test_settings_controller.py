"""The settings while the window is open: one way to change them, and a file that others change too."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from workbench import settings as kept
from workbench.disk.lock import in_turn
from workbench.disk.places import Places
from workbench.errors import CannotSave
from workbench.gui.control import settings_controller
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_questions import TrustQuestion
from workbench.gui.control.settings_controller import SettingsController
from workbench.settings import Settings, load_settings, save_settings


def test_the_file_is_read_again_only_when_it_has_changed(own_places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Places] = []

    def counted(where: Places) -> Settings:
        read.append(where)
        return load_settings(where)

    monkeypatch.setattr(settings_controller, "load_settings", counted)
    controller = SettingsController(own_places)
    assert [controller.current.theme for _time in range(3)] == ["system"] * 3
    assert len(read) == 1
    save_settings(own_places, replace(load_settings(own_places), theme="dark"))
    assert [controller.current.theme for _time in range(3)] == ["dark"] * 3
    assert len(read) == 2
    controller.change(partial(replace, theme="light"))
    assert [controller.current.theme for _time in range(3)] == ["light"] * 3
    assert len(read) == 3


def test_what_another_window_saved_stays(own_places: Places) -> None:
    one, other = SettingsController(own_places), SettingsController(own_places)
    assert one.current == other.current
    other.change(partial(replace, theme="dark"))
    one.change(partial(replace, text_scale=2.0))
    assert (one.current.theme, other.current.text_scale) == ("dark", 2.0)


def test_trust_is_told_to_whoever_listens_to_settings(qtbot: QtBot, context: WindowContext) -> None:
    with qtbot.waitSignal(context.settings.settings_changed) as changed:
        context.runs.trust(TrustQuestion("abc", "code"))
    assert changed.args[0].is_trusted("abc")
    assert context.settings.current.is_trusted("abc")


def test_a_change_counts_at_once_while_another_program_holds_the_settings(own_places: Places) -> None:
    controller = SettingsController(own_places)
    with in_turn(own_places.settings_file.with_suffix(".lock"), 0):
        controller.change(partial(replace, theme="dark"))
        controller.change(partial(replace, text_scale=2.0))
        assert (controller.current.theme, controller.current.text_scale) == ("dark", 2.0)
        assert load_settings(own_places) == Settings()
        # what the other program does meanwhile
        save_settings(own_places, Settings(language="de"))
    controller.finish()
    assert load_settings(own_places) == Settings(theme="dark", text_scale=2.0, language="de")
    assert controller.current == load_settings(own_places)


def test_a_change_that_waits_is_written_without_anybody_asking(own_places: Places, qtbot: QtBot) -> None:
    controller = SettingsController(own_places)
    with in_turn(own_places.settings_file.with_suffix(".lock"), 0):
        controller.change(partial(replace, theme="dark"))
    qtbot.waitUntil(lambda: load_settings(own_places).theme == "dark")


def test_a_change_that_waits_and_cannot_be_written_is_told_and_counts_no_more(
    own_places: Places, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_what: object) -> None:
        raise CannotSave("The disk is full.")

    controller = SettingsController(own_places)
    monkeypatch.setattr(kept, "save_settings", full)
    with qtbot.waitSignal(controller.failed) as failed, in_turn(own_places.settings_file.with_suffix(".lock"), 0):
        controller.change(partial(replace, theme="dark"))
    assert str(failed.args[0]) == "The disk is full."
    assert controller.current.theme == "system"
