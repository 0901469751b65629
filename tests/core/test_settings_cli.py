"""``workbench settings``: the same table in the terminal; and what a project may say of settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.disk.places import Places
from workbench.preferences import project_settings
from workbench.settings import Settings, load_settings


def test_settings_are_listed_shown_changed_and_reset(terminal: Terminal, own_places: Places) -> None:
    assert terminal.run("settings", "set", "tab_width", "8").out == "Tab width: 8 columns\n"
    assert load_settings(own_places).tab_width == 8
    assert [each["key"] for each in terminal.run("settings", "list", "--changed", "--json").json] == ["tab_width"]
    assert terminal.run("settings", "get", "tab_width", "--json").json["value"] == 8
    assert "wraps_source" in terminal.run("settings", "list", "wrap").out
    assert terminal.run("settings", "reset", "tab_width").code == 0
    assert load_settings(own_places) == Settings()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("set", "theme", "blue"), "one of"),
        (("set", "nonsense", "1"), "There is no setting “nonsense”"),
        (("set", "trusted", "abc"), "It can be changed in the window."),
        (("get", "nonsense"), "workbench settings list"),
        (("reset", "nonsense"), "workbench settings list"),
    ],
)
def test_what_cannot_be_set_is_said_and_changes_nothing(
    terminal: Terminal, own_places: Places, words: tuple[str, ...], told: str
) -> None:
    done = terminal.run("settings", *words)
    assert done.code == 1
    assert told in done.err
    assert load_settings(own_places) == Settings()


def test_permissions_of_single_tools_are_found_changed_and_taken_back(
    terminal: Terminal, own_places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "workbench.toml").write_text('[tools]\nask = ["shell"]\nforbid = ["http_get"]\n', "utf-8")
    book = tmp_path / "deploy.md"
    book.write_text("# Deploy\n\n## Main()\n\n### Steps\n\n- Say it\n", "utf-8")
    key = "permissions.shell=git status"
    assert terminal.run("settings", "set", key, "never", "--for", book).code == 0
    assert terminal.run("settings", "set", "permissions.notify", "once", "--for", own_places.data_dir).code == 0
    (found,) = terminal.run("settings", "list", "git", "--json").json
    assert (found["key"], found["value"], found["place"], found["stricter"]) == (key, "never", str(book), "always")
    told = terminal.run("settings", "get", "permissions").out
    assert f"For {book}. Stands in {own_places.permissions_file}. The project is stricter: asked each time." in told
    assert f"permissions.http_get: forbidden\n    For {tmp_path}. Stands in {tmp_path / 'workbench.toml'}." in told
    assert "shell=git status" in terminal.run("settings", "list", "permissions").out
    assert terminal.run("settings", "reset", key).code == 0  # it was said for one place only
    assert "git" not in terminal.run("settings", "get", "permissions").out
    assert terminal.run("settings", "get", "permissions.notify", "--json").json[0]["value"] == "once"


@pytest.mark.usefixtures("own_places")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("set", "permissions.shell", "sometimes", "--for", "."), "can be never, once, always, forbid"),
        (("set", "permissions.shell", "never"), "Say with --for"),
        (("reset", "permissions.shell"), "Say with --for"),
        (("reset", "permissions.shell", "--for", "."), "Nothing was said about shell"),
        (("reset", "permissions"), "one by one"),
    ],
)
def test_a_permission_that_cannot_be_kept_is_told(terminal: Terminal, words: tuple[str, ...], told: str) -> None:
    done = terminal.run("settings", *words)
    assert done.code == 1
    assert told in done.err


def test_words_are_taken_as_they_are_for_a_text(terminal: Terminal, own_places: Places) -> None:
    terminal.run("settings", "set", "font", "12")
    assert load_settings(own_places).font == "12"


def test_what_is_wrong_in_the_file_is_told(terminal: Terminal, own_places: Places) -> None:
    own_places.config_dir.mkdir(parents=True)
    own_places.settings_file.write_text('{"theme": "blue"}', encoding="utf-8")
    assert "“theme” in the settings file" in terminal.run("settings", "list", "theme").err


def test_a_project_can_set_how_its_text_is_shown_and_never_trust(tmp_path: Path) -> None:
    said = '[settings]\ntab_width = 2\nautosave = "pause"\nwraps_source = 7\ntrusted = ["abc"]\n'
    (tmp_path / "workbench.toml").write_text(said + "keys = {}\nendpoints = {}\n", encoding="utf-8")
    project = project_settings(tmp_path)
    assert dict(project.values) == {"tab_width": 2, "autosave": "pause"}
    assert [problem.split("”")[0] for problem in project.problems] == [
        "workbench.toml: “wraps_source",
        "“trusted",
        "“keys",
        "“endpoints",
    ]
    over = project.over(Settings(tab_width=8, trusted=frozenset({"mine"})))
    assert (over.tab_width, over.trusted, over.wraps_source) == (2, {"mine"}, True)


def test_old_runs_are_removed_as_the_settings_say_where_nobody_else_does(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\n## Main\n\n- End program\n", encoding="utf-8")
    for _time in range(3):
        terminal.run("run", tmp_path / "a.md")
    assert terminal.run("runs", "prune", "--project", tmp_path).code == 2
    terminal.run("settings", "set", "keep_runs", "1")
    assert len(terminal.run("runs", "prune", "--project", tmp_path, "--json").json["runs"]) == 2
    assert json.loads(terminal.run("settings", "get", "keep_runs", "--json").out)["value"] == 1
