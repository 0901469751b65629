"""Settings: what is saved comes back, and damage never keeps the program from starting."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.hostile_paths import HOSTILE, Make
from workbench import settings
from workbench.disk.lock import in_turn
from workbench.disk.places import Places, places
from workbench.errors import CannotSave
from workbench.settings import RECENT_LIMIT, Settings, change_settings, content_digest, load_settings, save_settings


def test_all_places_move_under_the_home_variable(home: Path) -> None:
    own = places()
    assert all(folder.is_relative_to(home) for folder in (own.config_dir, own.data_dir, own.state_dir))


def test_what_is_saved_comes_back(own_places: Places, tmp_path: Path) -> None:
    chosen = Settings(theme="dark", project_folder="/x").with_recent(tmp_path / "a.md").with_layout("main", b"\0\xff")
    save_settings(own_places, chosen.with_trust("abc"))
    assert load_settings(own_places) == chosen.with_trust("abc")


def test_no_file_means_defaults(own_places: Places) -> None:
    assert load_settings(own_places) == Settings()


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00", b"[" * 100_000])
def test_a_damaged_file_can_be_mended_until_it_would_be_written_over(own_places: Places, content: bytes) -> None:
    own_places.config_dir.mkdir(parents=True)
    own_places.settings_file.write_bytes(content)
    assert load_settings(own_places) == Settings()
    assert load_settings(own_places).damage
    change_settings(own_places, lambda before: before.with_layout("main", b"\0"))
    assert own_places.settings_file.read_bytes() == content
    change_settings(own_places, lambda before: before.with_trust("abc"))
    assert own_places.settings_file.with_suffix(".damaged.json").read_bytes() == content
    assert load_settings(own_places).trusted == {"abc"}


def test_what_the_program_remembers_never_touches_the_file_of_the_person(own_places: Places, tmp_path: Path) -> None:
    own_places.config_dir.mkdir(parents=True)
    by_hand = '{"theme": "dark",\n\n "layouts": {"main": "AA=="}, "recent_files": ["/x"]}'
    own_places.settings_file.write_text(by_hand, encoding="utf-8")
    before = load_settings(own_places)
    assert (before.layouts["main"], before.recent_files) == (b"\0", ("/x",))  # as earlier versions kept them
    change_settings(own_places, lambda now: replace(now, recent_files=(), project_folder=str(tmp_path)))
    assert own_places.settings_file.read_text("utf-8") == by_hand
    assert load_settings(own_places) == replace(before, recent_files=(), project_folder=str(tmp_path))


def test_what_cannot_be_used_stays_in_the_file_until_something_else_is_chosen(own_places: Places) -> None:
    own_places.config_dir.mkdir(parents=True)
    own_places.settings_file.write_text('{"theme": "blue", "tab_width": "wide"}', encoding="utf-8")
    assert load_settings(own_places).wrong == {"theme": "blue", "tab_width": "wide"}
    change_settings(own_places, lambda before: replace(before, theme="dark"))
    assert json.loads(own_places.settings_file.read_text("utf-8")) == {"theme": "dark", "tab_width": "wide"}


def test_a_field_of_a_wrong_type_costs_only_that_field(own_places: Places) -> None:
    own_places.config_dir.mkdir(parents=True)
    wrong = {"theme": 7, "recent_files": ["a", 3], "layouts": {"x": "%"}, "python_timeout_s": True, "trusted": ["t"]}
    own_places.settings_file.write_text(json.dumps(wrong), encoding="utf-8")
    assert load_settings(own_places) == Settings(recent_files=("a",), trusted=frozenset({"t"}))


def test_fields_of_a_newer_version_survive_a_save(own_places: Places) -> None:
    own_places.config_dir.mkdir(parents=True)
    own_places.settings_file.write_text('{"wallpaper": "stars"}', encoding="utf-8")
    save_settings(own_places, load_settings(own_places))
    assert json.loads(own_places.settings_file.read_bytes())["wallpaper"] == "stars"


def test_the_newest_file_comes_first_and_only_once(tmp_path: Path) -> None:
    names = [tmp_path / f"{number}.md" for number in (*range(RECENT_LIMIT + 5), 6)]
    chosen = Settings()
    for name in names:
        chosen = chosen.with_recent(name)
    assert chosen.recent_files[0] == str(tmp_path / "6.md")
    assert len(set(chosen.recent_files)) == len(chosen.recent_files) == RECENT_LIMIT


def test_a_folder_that_cannot_be_made_is_said_in_words(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    with pytest.raises(CannotSave, match="settings could not be saved"):
        save_settings(Places(blocked / "config", blocked, blocked), Settings())


def test_trust_ends_with_the_first_changed_byte() -> None:
    chosen = Settings().with_trust(content_digest(b"a"))
    assert chosen.is_trusted(content_digest(b"a"))
    assert not chosen.is_trusted(content_digest(b"b"))


@pytest.mark.parametrize(
    ("name", "bad", "edge"),
    [
        ("python_timeout_s", 0, 0.001),
        ("python_timeout_s", 86_401, 86_400),
        ("python_memory_mb", 15, 16),
        ("python_memory_mb", 20.5, 1_048_576),
        ("text_scale", 4.1, 4),
        ("text_scale", "1", 0.5),
        ("theme", ["dark"], "dark"),
        ("promotion_thresholds", [1], {"/x": 1}),
    ],
)
def test_a_value_is_taken_up_to_its_limits_and_no_further(
    own_places: Places, name: str, bad: object, edge: object
) -> None:
    own_places.config_dir.mkdir(parents=True)
    for value, expected in ((bad, getattr(Settings(), name)), (edge, edge)):
        own_places.settings_file.write_text(json.dumps({name: value}), encoding="utf-8")
        assert getattr(load_settings(own_places), name) == expected


CHANGING = """
import sys
from workbench import settings
from workbench.disk.places import places
from workbench.settings import change_settings
settings._PATIENCE_S = 60  # whoever is in turn may have to wait for a processor
for number in range(int(sys.argv[2])):
    change_settings(places(), lambda before: before.with_trust(f"{sys.argv[1]}-{number}"))
"""


def test_programs_that_change_the_settings_at_once_lose_nothing(own_places: Places) -> None:
    programs = [subprocess.Popen([sys.executable, "-c", CHANGING, str(name), "15"]) for name in range(3)]
    assert [program.wait() for program in programs] == [0, 0, 0]
    assert len(load_settings(own_places).trusted) == 45


def test_a_program_that_stands_still_keeps_nobody_from_changing_the_settings(
    own_places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "_PATIENCE_S", 0.05)
    with in_turn(own_places.settings_file.with_suffix(".lock"), 1) as is_alone:
        change_settings(own_places, lambda before: before.with_trust("abc"))
    assert is_alone
    assert load_settings(own_places).is_trusted("abc")


@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_whatever_stands_in_place_of_the_settings_the_program_starts(make: Make, own_places: Places) -> None:
    own_places.config_dir.mkdir(parents=True)
    path = make(own_places.config_dir)
    if path.is_relative_to(own_places.config_dir) and "\0" not in str(path) and len(str(path)) < 250:
        own_places.settings_file.symlink_to(path)
    assert load_settings(own_places) == Settings()
