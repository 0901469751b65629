"""Endpoints and their keys: where they stand, what is refused, and that a key goes to its own address only."""

from __future__ import annotations

import json
import sys
import threading
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.core.model_client import KEY, NoKeyring
from workbench.disk.places import Places
from workbench.errors import ModelFailed
from workbench.providers.endpoints import (
    Endpoint,
    ModelFacts,
    WireProtocol,
    base_url,
    endpoint_table,
    is_loopback,
    read_endpoint,
)
from workbench.providers.keyrings import KeyringFailed, SystemKeyring, safe_backend
from workbench.providers.keys import Keys, Secret, checked_key
from workbench.providers.known import Endpoints, known_endpoints, with_endpoint, without_endpoint
from workbench.providers.wire.collecting import TokenCounts
from workbench.settings import Settings, load_settings, save_settings

URL = "https://models.example.org/v1"
OPENAI = WireProtocol.OPENAI
FULL = Endpoint(
    "work",
    OPENAI,
    URL,
    "env:WORK_KEY",
    "large",
    (ModelFacts("large", 2.5, 10.0, 0.0, None, 128_000), ModelFacts("small")),
    60,
    32_000,
)


class OneKeyring(SystemKeyring):
    """A keyring in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[str, tuple[str, str]] = {}

    def is_safe(self) -> bool:
        return True

    def read(self, name: str) -> tuple[str, str] | None:
        return self.kept.get(name)

    def write(self, name: str, url: str, key: str) -> None:
        self.kept[name] = url, key

    def remove(self, name: str) -> None:
        del self.kept[name]


def endpoint(key: str, url: str = URL, origin: str = "") -> Endpoint:
    """An endpoint that has its key at *key*."""
    return Endpoint("work", OPENAI, url, key, "large", origin=origin)


def found(keys: Keys, wanted: Endpoint) -> str | None:
    """The text of the key of *wanted*."""
    key = keys.find(wanted)
    return key and key.revealed()


@pytest.mark.parametrize("given", [FULL, endpoint(""), Endpoint("here", WireProtocol.LOCAL, file="/a.gguf")], ids=str)
def test_an_endpoint_comes_back_from_the_settings_as_it_was(given: Endpoint, own_places: Places) -> None:
    save_settings(own_places, with_endpoint(Settings(), given))
    assert known_endpoints(load_settings(own_places)).known == (given,)


def test_settings_without_endpoints_do_not_speak_of_them(own_places: Places) -> None:
    save_settings(own_places, Settings(theme="dark"))
    assert json.loads(own_places.settings_file.read_text()) == {"theme": "dark"}


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (" https://API.example.org:443/v1/ ", "https://api.example.org/v1"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("https://a.example/v1/chat/completions", "https://a.example/v1"),
        ("https://a.example/v1/messages/", "https://a.example/v1"),
        ("http://[::1]:80/x", "http://[::1]/x"),
    ],
)
def test_an_address_is_written_in_one_way(text: str, url: str) -> None:
    assert base_url(text) == url


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "example.org",
            "ftp://a.example",
            "http://",
            "http://[::1",
            "http://a.example:99999",
            "file:///etc/passwd",
        ),
        *(f"https://me:{KEY}@a.example", f"https://a.example/v1?key={KEY}", f"https://a.example/#{KEY}"),
    ],
)
def test_what_is_no_address_or_holds_a_key_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(ValueError, match="address") as caught:
        base_url(text)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"protocol": "gopher"}, "protocol"),
        ({"key": KEY}, "never stands there"),
        ({"key": "env:a b"}, "never stands there"),
        ({"url": 5}, "not a text"),
        ({"name": "other"}, "no field “name”"),
        ({"origin": ""}, "no field “origin”"),
        ({"colour": 1}, "no field “colour”"),
        ({"requests_per_minute": -1}, "not a whole number"),
        ({"context_tokens": True}, "not a whole number"),
        ({"models": 5}, "not a table"),
        ({"models": {"a": {"tokens": 5}}}, "can name"),
        ({"models": {"a": {"input_usd": "much"}}}, "not a price"),
        ({"models": {"a": {"input_usd": float("nan")}}}, "not a price"),
        ({"protocol": "local"}, "names no file"),
    ],
)
def test_what_is_wrong_with_a_table_is_told(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        read_endpoint("work", {"url": URL} | change)
    assert KEY not in str(caught.value)


def test_one_bad_endpoint_keeps_nobody_from_using_the_others() -> None:
    known = known_endpoints(Settings(endpoints={"a": {"url": "?"}, "b": {"url": URL}, "c d": {"url": URL}}))
    assert [each.name for each in known.known] == ["b"]
    assert ["“a”" in known.problems[0], "“c d”" in known.problems[1]] == [True, True]


def test_the_cost_is_known_where_the_prices_are() -> None:
    counts = TokenCounts(1_000_000, 100_000, 400_000)
    assert FULL.cost_usd("large", counts) == pytest.approx(0.6 * 2.5 + 0.1 * 10)
    assert FULL.cost_usd("small", counts) is None


def test_what_a_model_can_read_is_said_by_it_or_by_its_endpoint() -> None:
    assert [FULL.context_of(name) for name in ("", "large", "small", "other")] == [128_000, 128_000, 32_000, 32_000]


@pytest.mark.parametrize(
    ("url", "is_warned"),
    [("http://models.example.org", True), ("http://10.0.0.1", True), (URL, False)]
    + [(f"http://{host}:80", False) for host in ("localhost", "127.8.8.8", "[::1]")],
)
def test_a_connection_that_others_can_read_is_warned_of(url: str, is_warned: bool) -> None:
    assert bool(endpoint("", url).warning) is is_warned


def test_a_name_that_only_looks_like_this_machine_is_not_it() -> None:
    assert not any(map(is_loopback, ("localhost.example.org", "127.0.0.1.example.org", "", "0.0.0.0")))


def test_a_key_is_found_in_the_environment_the_keyring_or_what_was_typed() -> None:
    keyring = OneKeyring()
    keyring.write("work", URL, "from-keyring")
    keys = Keys({"WORK_KEY": "from-environment\n"}, keyring)
    keys.remember(URL, "from-hand")
    wanted = ("env:WORK_KEY", "env:OTHER", "keyring:work", "keyring:other", "ask", "")
    assert [found(keys, endpoint(key)) for key in wanted] == [
        "from-environment",
        "from-hand",
        "from-keyring",
        "from-hand",
        "from-hand",
        None,
    ]


@pytest.mark.parametrize(
    ("key", "words"),
    [("env:WORK_KEY", "environment variable WORK_KEY"), ("keyring:work", "keyring"), ("ask", "entered")],
)
def test_a_key_that_is_nowhere_is_told(key: str, words: str) -> None:
    with pytest.raises(ModelFailed, match=words):
        Keys({}, OneKeyring()).find(endpoint(key))


def test_a_key_is_sent_to_no_other_address_than_the_one_it_was_saved_for() -> None:
    keys = Keys({}, OneKeyring())
    assert keys.save(endpoint("keyring:work"), KEY)
    with pytest.raises(ModelFailed, match="saved for another address"):
        keys.find(endpoint("keyring:work", "https://evil.example.org/v1"))
    with pytest.raises(ModelFailed, match="entered"):
        keys.find(endpoint("ask", "https://evil.example.org/v1"))


def test_a_key_is_kept_in_memory_where_no_keyring_protects_it() -> None:
    keys = Keys({}, NoKeyring())
    assert not keys.save(endpoint("keyring:work"), KEY)
    assert found(keys, endpoint("keyring:work")) == KEY


def test_what_can_be_no_key_is_not_kept_and_not_used() -> None:
    keyring = OneKeyring()
    keyring.write("work", URL, "line\nbreak")
    keys = Keys({"WORK_KEY": "two words"}, keyring)
    with pytest.raises(ValueError, match="not a key"):
        keys.save(endpoint("keyring:work"), "ü")
    for key in ("keyring:work", "env:WORK_KEY"):
        with pytest.raises(ModelFailed):
            keys.find(endpoint(key))


def test_a_removed_key_is_gone() -> None:
    keys = Keys({}, OneKeyring())
    keys.save(endpoint("keyring:work"), KEY)
    keys.forget(endpoint("keyring:work"))
    with pytest.raises(ModelFailed):
        keys.find(endpoint("keyring:work"))


def test_a_key_shows_in_no_text() -> None:
    secret = Secret(KEY)
    assert KEY not in f"{secret} {secret!r} {[secret]}"


@pytest.mark.parametrize("text", ["", "abc", "two words", "schlüssel-schlüssel", "new\nline", "nul\0nul"])
def test_what_can_be_no_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a key"):
        checked_key(text)


def backend(module: str, **methods: Any) -> Any:
    """A backend of the library, as if it came from *module*."""
    return type("Keyring", (), {"__module__": module, **methods})()


def use_backend(monkeypatch: pytest.MonkeyPatch, chosen: Any) -> None:
    """Have the library choose *chosen*."""
    library = types.ModuleType("keyring")
    library.get_keyring = lambda: chosen  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", library)


@pytest.mark.parametrize("name", ["fail", "null", "chainer"])
def test_a_keyring_that_does_not_protect_keys_gets_none(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    use_backend(monkeypatch, backend(f"keyring.backends.{name}"))
    assert not SystemKeyring().is_safe()
    with pytest.raises(KeyringFailed):
        SystemKeyring().write("work", URL, KEY)


def test_plain_text_files_are_no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    use_backend(monkeypatch, backend("keyrings.alt.file"))
    assert safe_backend() is None


def test_of_several_keyrings_a_safe_one_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    safe = backend("keyring.backends.SecretService")
    several = backend("keyring.backends.chainer", backends=(backend("keyrings.alt.file"), safe))
    use_backend(monkeypatch, several)
    assert safe_backend() is safe


def test_what_is_kept_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[tuple[str, str], str] = {}
    methods = {
        "set_password": lambda _self, service, name, text: kept.update({(service, name): text}),
        "get_password": lambda _self, service, name: kept.get((service, name)),
        "delete_password": lambda _self, service, name: kept.pop((service, name)),
    }
    use_backend(monkeypatch, backend("keyring.backends.macOS", **methods))
    keyring = SystemKeyring()
    keyring.write("work", URL, KEY)
    assert keyring.read("work") == (URL, KEY)
    keyring.remove("work")
    assert (keyring.read("work"), kept) == (None, {})


def test_a_keyring_that_does_not_answer_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    unlocked = threading.Event()
    waits = backend("keyring.backends.macOS", get_password=lambda _self, _service, _name: unlocked.wait())
    use_backend(monkeypatch, waits)
    with pytest.raises(KeyringFailed):
        SystemKeyring(0.01).read("work")
    unlocked.set()


def test_what_a_keyring_says_when_it_fails_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_self: Any, _service: str, _name: str, text: str) -> None:
        raise RuntimeError(text)

    use_backend(monkeypatch, backend("keyring.backends.macOS", set_password=fail))
    with pytest.raises(KeyringFailed) as caught:
        SystemKeyring().write("work", URL, KEY)
    assert KEY not in repr(caught.value) + repr(caught.value.__context__ and "")
    assert caught.value.__cause__ is None


def project(folder: Path, text: str, settings: Settings | None = None) -> Endpoints:
    """What is known in a project whose file is *text*."""
    (folder / "workbench.toml").write_text(text)
    return known_endpoints(settings or Settings(), folder)


def own(**tables: Mapping[str, Any]) -> Settings:
    """Settings with endpoints."""
    return Settings(endpoints=tables)


def test_a_project_names_endpoints_and_says_that_they_are_its_own(tmp_path: Path) -> None:
    known = project(tmp_path, f'[models]\ndefault = "team"\n[models.team]\nurl = "{URL}"\nmodel = "large"\n')
    assert known.named("") == Endpoint("team", OPENAI, URL, model="large", origin=str(tmp_path / "workbench.toml"))


def test_what_a_person_has_set_up_goes_before_what_a_project_names(tmp_path: Path) -> None:
    text = '[models]\ndefault = "team"\n[models.team]\nurl = "https://evil.example.org"\n'
    known = project(tmp_path, text, own(team={"url": URL}, mine={"url": URL}))
    assert known.named("team").url == URL
    assert [each.name for each in known.known] == ["team", "mine"]


def test_a_project_has_no_key_sent_to_an_address_that_its_person_has_not_allowed(tmp_path: Path) -> None:
    text = '[models.team]\nurl = "https://evil.example.org/v1"\nkey = "env:WORK_KEY"\n'
    settings = own(mine={"url": URL, "key": "env:WORK_KEY"})
    with pytest.raises(ModelFailed, match="which you have not allowed"):
        project(tmp_path, text, settings).named("team")
    allowed = own(mine={"url": "https://evil.example.org/v1", "key": "env:WORK_KEY"})
    assert project(tmp_path, text, allowed).named("team").key == "env:WORK_KEY"


def test_a_key_in_a_project_file_is_not_used(tmp_path: Path) -> None:
    known = project(tmp_path, f'[models.team]\nurl = "{URL}"\nkey = "{KEY}"\n')
    assert KEY not in "".join(known.problems)
    assert known.named("team").key == ""


def test_a_project_names_no_file_outside_of_itself(tmp_path: Path) -> None:
    known = project(tmp_path, '[models.team]\nprotocol = "local"\nfile = "../secret.gguf"\n')
    assert known.known == ()
    assert "outside of the project" in known.problems[0]


def test_without_any_endpoint_it_is_said_how_to_add_one() -> None:
    with pytest.raises(ModelFailed, match="workbench models add"):
        Endpoints().named("")


def test_which_one_is_used_where_none_is_named_is_no_accident() -> None:
    settings = own(a={"url": URL}, b={"url": URL})
    with pytest.raises(ModelFailed, match="none is the default one: a, b"):
        known_endpoints(settings).named("")
    assert known_endpoints(without_endpoint(settings, "a")).named("").name == "b"


def test_the_first_endpoint_stays_the_default_one_when_others_follow() -> None:
    one = with_endpoint(Settings(), endpoint(""))
    assert with_endpoint(one, Endpoint("another", OPENAI, URL)).default_endpoint == "work"
    assert with_endpoint(own(a={"url": URL}, b={"url": URL}), endpoint("")).default_endpoint == ""


def test_an_unknown_name_is_told_with_those_that_are_known() -> None:
    with pytest.raises(ModelFailed, match=r"“c”\. Known are: a, b"):
        known_endpoints(own(a={"url": URL}, b={"url": URL})).named("c")


def test_a_table_leaves_out_what_is_usual() -> None:
    assert endpoint_table(endpoint("")) == {"protocol": "openai", "url": URL, "model": "large"}
