"""The table of settings: it knows them all, finds them by their words, and says what is wrong with a file."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from workbench.disk.places import Places
from workbench.model.kinds import FileKind
from workbench.preferences import PERMISSIONS, SETTINGS, THRESHOLD, Setting, found, problems_of, setting
from workbench.setting_kinds import Form
from workbench.settings import Settings, change_settings, kinds, load_settings

OF_FOLDERS = {"promotion_thresholds"}
"""What has a row for the open folder instead."""


def keys_of(query: str) -> list[str]:
    """The keys that *query* finds."""
    return [each.key for each in found(query)]


def test_every_choice_of_a_person_has_a_row() -> None:
    chosen = {name for name, kind in kinds().items() if not kind.is_remembered}
    assert {each.key for each in SETTINGS} == (chosen - OF_FOLDERS) | {THRESHOLD, PERMISSIONS}
    assert len({each.key for each in SETTINGS}) == len(SETTINGS)


@pytest.mark.parametrize("row", SETTINGS, ids=lambda row: row.key)
def test_every_row_says_all_that_a_person_needs(row: object) -> None:
    row = setting(row.key)  # type: ignore[attr-defined]
    assert all(map(str, (row.title, row.description, row.where)))
    assert row.told(row.default)


@pytest.mark.parametrize("row", [each for each in SETTINGS if each.kind.form is Form.CHOICE], ids=lambda row: row.key)
def test_every_choice_has_words(row: Setting) -> None:
    assert set(row.words) == set(row.kind.choices)


def test_every_kind_of_file_has_words() -> None:
    assert set(setting("kinds").words) == {each.value for each in FileKind}


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("tab", "tab_width"),
        ("text_scale", "text_scale"),
        ("high contrast", "theme"),
        ("scrolling SIDEWAYS", "wraps_source"),
    ],
)
def test_a_setting_is_found_by_title_key_choice_and_description(query: str, wanted: str) -> None:
    assert keys_of(query)[0] == wanted


def test_every_word_counts_and_none_finds_all() -> None:
    assert keys_of("tab nonsense") == []
    assert keys_of("  ") == [each.key for each in SETTINGS]


def test_a_value_is_checked_and_can_be_taken_back() -> None:
    row = setting("tab_width")
    changed = row.changed(Settings(), 8)
    assert (changed.tab_width, row.is_changed(changed)) == (8, True)
    assert row.reset(changed) == Settings()
    with pytest.raises(ValueError, match=r"“tab_width” can be a whole number .1–16., and not 99"):
        row.changed(Settings(), 99)


def test_the_threshold_is_that_of_the_open_folder() -> None:
    settings = replace(Settings(), project_folder="/a").with_promotion_threshold(5)
    row = setting(THRESHOLD)
    assert (row.value(settings), row.value(replace(settings, project_folder="/b"))) == (5, 3)
    assert row.reset(settings).promotion_thresholds == {}


def test_what_is_wrong_in_the_file_is_told_until_it_is_reset(own_places: Places) -> None:
    own_places.config_dir.mkdir(parents=True)
    own_places.settings_file.write_text('{"theme": "blue", "wallpaper": 1}', encoding="utf-8")
    (problem,) = problems_of(load_settings(own_places))
    assert problem.startswith('“theme” in the settings file can be one of "system", "light"')
    assert setting("theme").is_changed(load_settings(own_places))
    change_settings(own_places, setting("theme").reset)
    assert json.loads(own_places.settings_file.read_text("utf-8")) == {"wallpaper": 1}
    assert list(problems_of(load_settings(own_places))) == []


def test_a_file_that_is_no_json_is_told(own_places: Places) -> None:
    own_places.config_dir.mkdir(parents=True)
    own_places.settings_file.write_text('{"theme": "dark",}', encoding="utf-8")
    (problem,) = problems_of(load_settings(own_places))
    assert "line 1 column" in problem


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("text_scale", 1.5, "150%"),
        ("font", "", "as the system has it"),
        ("theme", "contrast", "High contrast"),
        ("tab_width", 8, "8 columns"),
        ("python_timeout_s", 0.5, "0.5 seconds"),
        ("is_following", False, "off"),
        ("trusted", frozenset({"a"}), "1"),
    ],
)
def test_values_are_told_in_words(key: str, value: object, words: str) -> None:
    assert setting(key).told(value) == words
