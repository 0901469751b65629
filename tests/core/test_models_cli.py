"""``workbench models``, as it is typed."""

from __future__ import annotations

import getpass
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.core.cli_driver import Terminal
from tests.core.model_client import KEY
from tests.model_replies import Answer, Asked, Call, Fails, Reply
from tests.model_server import ModelServer
from workbench.disk.places import Places
from workbench.providers.keyrings import SystemKeyring
from workbench.providers.keys import session_keys
from workbench.settings import load_settings

URL = "https://models.example.org/v1"


def able(asked: Asked) -> Answer:
    """A model that does what it is asked for."""
    if asked.schema is not None:
        return Reply(data={"is_true": True})
    return Reply(calls=[Call(asked.tools[0], {"city": "Paris"})]) if asked.tools else Reply("one two three four")


def type_in(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Have *text* come through a pipe."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def at_a_screen(monkeypatch: pytest.MonkeyPatch, key: str) -> list[str]:
    """Have *key* typed by a person; what they were asked."""
    asked: list[str] = []

    def typed(question: str) -> str:
        asked.append(question)
        return key

    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", screen)
    monkeypatch.setattr(getpass, "getpass", typed)
    return asked


def holding(folder: Path, text: str) -> list[Path]:
    """The files in *folder* that hold *text*."""
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def kept(own_places: Places) -> Any:
    """The endpoints in the settings."""
    return {name: dict(table) for name, table in load_settings(own_places).endpoints.items()}


def test_an_endpoint_is_added_listed_and_removed(terminal: Terminal, own_places: Places) -> None:
    added = ("models", "add", "work", "--url", URL, "--key", "env:WORK_KEY", "--model", "large", "--input-usd", "2.5")
    assert terminal.run(*added).code == 0
    facts = {"large": {"input_usd": 2.5}}
    usual = {"protocol": "openai", "url": URL, "key": "env:WORK_KEY", "model": "large", "models": facts}
    assert kept(own_places) == {"work": usual}
    assert terminal.run("models", "list", "--json").json == [{"name": "work", "default": True, "origin": "", **usual}]
    assert terminal.run("models", "list").out.split() == ["work", "openai", URL, "large", "env:WORK_KEY", "default"]
    assert terminal.run("models", "remove", "work").code == 0
    assert kept(own_places) == {}


def test_an_endpoint_can_be_made_the_default_one(terminal: Terminal, own_places: Places) -> None:
    for name in ("a", "b"):
        terminal.run("models", "add", name, "--url", URL, "--default")
    assert load_settings(own_places).default_endpoint == "b"
    terminal.run("models", "remove", "b")
    assert load_settings(own_places).default_endpoint == ""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--url", f"https://a.example/?key={KEY}"), "must not hold a key"),
        (("--url", URL, "--key", KEY), "A key itself never stands there"),
        (("--url", URL, "--input-usd", "1"), "name it with --model"),
        (("--model", "large"), "not one of the web"),
    ],
)
def test_what_cannot_be_added_is_refused_without_repeating_a_key(
    terminal: Terminal, own_places: Places, options: tuple[str, ...], words: str
) -> None:
    done = terminal.run("models", "add", "work", *options)
    assert (done.code, words in done.err, KEY in done.err + done.out) == (1, True, False)
    assert kept(own_places) == {}


def test_a_warning_is_given_where_others_could_read_along(terminal: Terminal) -> None:
    assert "without encryption" in terminal.run("models", "add", "work", "--url", "http://models.example.org").err


def test_a_key_is_kept_in_the_keyring_and_nowhere_else(
    terminal: Terminal, own_places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[tuple[str, str, str]] = []
    monkeypatch.setattr(SystemKeyring, "is_safe", lambda _self: True)
    monkeypatch.setattr(SystemKeyring, "write", lambda _self, *given: written.append(given))
    type_in(monkeypatch, KEY + "\n")
    done = terminal.run("models", "add", "work", "--url", URL, "--key", "keyring")
    session_keys.cache_clear()
    assert (done.code, written) == (0, [("work", URL, KEY)])
    assert KEY not in own_places.settings_file.read_text() + done.out + done.err


def test_a_key_is_typed_at_a_prompt_that_shows_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = at_a_screen(monkeypatch, KEY)
    monkeypatch.setattr(SystemKeyring, "is_safe", lambda _self: False)
    terminal.run("models", "add", "work", "--url", URL, "--key", "keyring")
    session_keys.cache_clear()
    assert asked == ["Key of “work”: "]


def test_without_a_keyring_no_key_is_kept_and_it_is_said_what_to_do(
    terminal: Terminal, own_places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SystemKeyring, "is_safe", lambda _self: False)
    type_in(monkeypatch, KEY + "\n")
    done = terminal.run("models", "add", "work", "--url", URL, "--key", "keyring")
    session_keys.cache_clear()
    assert (done.code, "--key env:NAME" in done.err, kept(own_places)) == (1, True, {})


def test_what_a_model_can_do_is_tried(terminal: Terminal) -> None:
    with ModelServer(able) as server:
        terminal.run("models", "add", "work", "--url", server.url, "--model", "scripted")
        done = terminal.run("models", "test")
    assert (done.code, [line.split(" – ")[0] for line in done.out.splitlines()]) == (
        0,
        ["Reachable: yes", "Streaming: yes", "Tools: yes", "Answers by a schema: yes"],
    )


def test_what_a_model_cannot_do_is_told_with_the_reason(terminal: Terminal) -> None:
    with ModelServer(lambda asked: Reply(data={"is_true": True}) if asked.schema else Reply(["no"])) as server:
        server.refuses = frozenset({"response_format"})
        terminal.run("models", "add", "work", "--url", server.url, "--model", "scripted")
        done = terminal.run("models", "test", "--json")
    assert done.code == 1
    assert [(each["works"], each["why"]) for each in done.json] == [
        (True, ""),
        (False, "the answer came in one piece"),
        (False, "it called no tool"),
        (True, "by a tool that it must call; it takes no schemas"),
    ]


def test_an_endpoint_that_fails_is_told_and_the_rest_is_not_tried(terminal: Terminal) -> None:
    with ModelServer([Fails(401)]) as server:
        terminal.run("models", "add", "work", "--url", server.url, "--model", "scripted")
        done = terminal.run("models", "test", "work")
    assert (done.code, "wants a key" in done.out, done.out.count("not tried")) == (1, True, 3)


def test_a_key_that_is_asked_for_each_time_is_used_and_kept_nowhere(
    terminal: Terminal, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(able, key=KEY) as server:
        terminal.run("models", "add", "work", "--url", server.url, "--model", "scripted", "--key", "ask")
        type_in(monkeypatch, KEY + "\n")
        done = terminal.run("models", "test", "work")
    session_keys.cache_clear()
    assert done.code == 0, done.out
    assert holding(home, KEY) == []


PLAYBOOK = "# Desk\n\n## Main\n\n### Triggers\n\n- At the beginning\n\n### Steps\n\n- Return the capital of France\n"


def test_a_run_asks_for_such_a_key_before_it_starts_and_writes_it_nowhere(
    terminal: Terminal, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "desk.md"
    file.write_text(PLAYBOOK)
    with ModelServer(lambda asked: Fails(500, f"{asked.headers}"), key=KEY) as server:
        terminal.run("models", "add", "work", "--url", server.url, "--model", "scripted", "--key", "ask")
        at_a_screen(monkeypatch, KEY)
        done = terminal.run("run", file, "--judge", "model", "--no-hand-over")
        asked = len(server.requests)
    session_keys.cache_clear()
    assert (asked > 0, KEY in done.out + done.err, holding(home, KEY)) == (True, False, [])


def test_endpoints_of_a_project_are_listed_with_where_they_come_from(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "workbench.toml").write_text(f'[models.team]\nurl = "{URL}"\n[models.bad]\nurl = "?"\n')
    done = terminal.run("models", "list", "--project", tmp_path)
    assert f"from {tmp_path / 'workbench.toml'}" in done.out
    assert "“bad” cannot be used" in done.err


def test_an_endpoint_that_is_not_there_cannot_be_removed(terminal: Terminal) -> None:
    done = terminal.run("models", "remove", "work")
    assert (done.code, "no model endpoint “work”" in done.err) == (1, True)


def test_a_damaged_endpoint_can_be_removed(terminal: Terminal, own_places: Places) -> None:
    own_places.config_dir.mkdir(parents=True)
    own_places.settings_file.write_text(json.dumps({"endpoints": {"bad": {"url": "?"}}}))
    assert terminal.run("models", "remove", "bad").code == 0
    assert kept(own_places) == {}
