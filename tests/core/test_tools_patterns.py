"""Patterns of arguments for which nobody is asked: what they allow, and that nothing makes them allow more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from workbench.errors import RunFailed
from workbench.tools.builtin.toolbox import builtin_specs
from workbench.tools.command_lines import argv_of, look_alikes, shown
from workbench.tools.patterns import check_pattern, is_match
from workbench.tools.permissions import Origin, Permissions, Rule, rule_of
from workbench.tools.values import Asking, CallSafety, ToolSpec

SPECS = {spec.name: spec for spec in builtin_specs()}


def matches(pattern: str, command: Any) -> bool:
    """Whether the command is one that the pattern speaks of."""
    return is_match("shell", {"command": command}, pattern, Path())


@pytest.mark.parametrize(
    ("pattern", "command"),
    [
        ("echo ok", "echo ok"),
        ("echo ok", ["echo", "ok"]),
        ("echo 'a b'", ["echo", "a b"]),
        ("git log *", "git log main"),
        ("git log **", "git log main dev"),
        ("git log **", "git log"),
        ("cat notes/*.md", "cat notes/today.md"),
        ("df -h", "df -h"),
    ],
)
def test_a_pattern_matches_word_by_word(pattern: str, command: Any) -> None:
    assert matches(pattern, command)


@pytest.mark.parametrize(
    ("pattern", "command"),
    [
        ("echo ok", "echo ok && rm -rf ."),
        ("echo ok", ["echo", "ok", "&&", "rm", "-rf", "."]),
        ("echo ok", ["echo", "ok && rm -rf ."]),
        ("echo ok", "echo ok; rm x"),
        ("echo ok", "echo ok\nrm x"),
        ("echo ok", ["echo", "ok\nrm x"]),
        ("echo ok", ["echo", "ok\0"]),
        ("echo ok", ["еcho", "ok"]),  # a Cyrillic е
        ("echo ok", ["echo", "оk"]),  # a Cyrillic о
        ("echo ok", ["ＥＣＨＯ", "ok"]),
        ("echo ok", ["echo", "ok\u200b"]),
        ("echo *", ["echo", "$(rm x)"]),
        ("echo *", ["echo", "`rm x`"]),
        ("echo *", ["echo", "a\nb"]),
        ("echo *", ["echo", "a b"]),
        ("echo *", ["echo", "a\u202eb"]),
        ("echo **", ["echo", "a", ";", "rm"]),
        ("echo *", "echo a b"),
        ("git log *", "git log --output=/etc/passwd"),
        ("git log **", ["git", "log", "main", "-O/tmp/x"]),
        ("cat notes/*", "cat notes/../../etc/passwd"),
        ("cat notes/*", "cat notes/a/b"),
        ("rm *", "rm"),
        ("echo ok", ["echo ok"]),
        ("echo ok", []),
        ("echo ok", 7),
        ("echo ok", ["echo", 7]),
    ],
)
def test_nothing_makes_a_pattern_match_more(pattern: str, command: Any) -> None:
    assert not matches(pattern, command)


@settings(max_examples=examples(200))
@given(st.lists(st.text(max_size=6), max_size=4))
def test_a_pattern_without_stars_matches_only_its_own_words(words: list[str]) -> None:
    assert matches("echo ok", words) is (words == ["echo", "ok"])


@settings(max_examples=examples(200))
@given(st.text(max_size=12))
def test_whatever_a_star_stands_for_is_one_plain_word(word: str) -> None:
    if matches("echo *", ["echo", word]):
        assert word.isprintable()
        assert argv_of(f"echo {word}") == ("echo", word)


@pytest.mark.parametrize(
    ("tool", "pattern", "arguments", "is_one"),
    [
        ("write_file", "notes/*", {"path": "notes/a.md", "text": ""}, True),
        ("write_file", "notes/*", {"path": "notes/b/a.md", "text": ""}, False),
        ("write_file", "notes/**", {"path": "notes/b/a.md", "text": ""}, True),
        ("write_file", "notes/*", {"path": "notes/../a.md", "text": ""}, False),
        ("write_file", "notes/*", {"path": "nоtes/a.md", "text": ""}, False),
        ("http_get", "https://example.com/api/*", {"url": "https://example.com/api/1"}, True),
        ("http_get", "https://example.com/api/*", {"url": "https://example.com/api/../admin"}, False),
        ("http_get", "https://example.com/api/*", {"url": "https://example.com/api/%2e%2e"}, False),
        ("http_get", "https://example.com/**", {"url": "https://example.com@evil.org/"}, False),
        ("http_get", "https://example.com/**", {"url": "https://example.com.evil.org/"}, False),
        ("http_get", "https://example.com/**", {"url": "http://example.com/"}, False),
        ("http_get", "https://example.com/**", {"url": "https://examplе.com/"}, False),
        ("http_get", "https://example.com/**", {"url": "https://example.com/?q=secret"}, False),
        ("weather.get", '{"city": "*"}', {"city": "Bern"}, True),
        ("weather.get", '{"city": "*"}', {"city": "Bern", "save": True}, False),
        ("weather.get", '{"city": "*"}', {"city": ["Bern"]}, False),
        ("weather.get", '{"days": 1}', {"days": True}, False),
    ],
)
def test_a_pattern_knows_paths_addresses_and_values(
    tmp_path: Path, tool: str, pattern: str, arguments: dict[str, Any], is_one: bool
) -> None:
    assert is_match(tool, arguments, pattern, tmp_path) is is_one


def test_a_link_does_not_carry_a_pattern_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "notes" / "link").symlink_to(tmp_path / "src")
    assert not is_match("write_file", {"path": "notes/link", "text": ""}, "notes/*", tmp_path)


@pytest.mark.parametrize("text", ["", "=x", "shell=a ** b", "shell='a", "sh=echo", "weather.get=city", "http_get=*"])
def test_a_damaged_rule_is_refused(text: str) -> None:
    with pytest.raises(RunFailed):
        rule_of(text)


def test_a_pattern_of_a_command_is_checked() -> None:
    check_pattern("shell", "git log **")


@pytest.mark.parametrize(
    "line", ["a && b", "a | b", "a; b", "a > b", "$(a)", "a `b`", "echo $HOME", 'echo "$HOME"', "a\nb"]
)
def test_what_only_a_shell_would_understand_is_refused(line: str) -> None:
    with pytest.raises(RunFailed, match="No shell reads this"):
        argv_of(line)


@pytest.mark.parametrize("line", ["echo 'a && b'", "echo '$HOME'", "grep 'a|b' x", r"echo a\;b"])
def test_what_is_quoted_is_a_word(line: str) -> None:
    assert argv_of(shown(argv_of(line))) == argv_of(line)


def test_letters_of_several_alphabets_are_pointed_out() -> None:
    assert look_alikes(("echo", "pаsswd", "Größe", "привет")) == ("pаsswd",)


READER = ToolSpec("get", "", {"type": "object"}, CallSafety.READ, "a server")


@pytest.mark.parametrize(
    ("spec", "origin", "asking"),
    [
        (SPECS["read_file"], Origin.BUILT_IN, Asking.NEVER),
        (SPECS["clock"], Origin.BUILT_IN, Asking.NEVER),
        (SPECS["notify"], Origin.BUILT_IN, Asking.NEVER),
        (SPECS["shell"], Origin.BUILT_IN, Asking.ALWAYS),
        (SPECS["write_file"], Origin.BUILT_IN, Asking.ALWAYS),
        (SPECS["http_get"], Origin.BUILT_IN, Asking.ALWAYS),
        (SPECS["sh"], Origin.BUILT_IN, Asking.FORBIDDEN),
        (READER, Origin.SERVER, Asking.ONCE),
        (SPECS["shell"], Origin.PYTHON, Asking.NEVER),
    ],
)
def test_who_is_asked_without_rules(spec: ToolSpec, origin: Origin, asking: Asking) -> None:
    assert Permissions().asking(spec, origin, {}) is asking


def test_a_rule_with_a_pattern_counts_before_one_without() -> None:
    policy = Permissions((Rule("shell", Asking.NEVER, "git status"), Rule("shell", Asking.ALWAYS)))
    assert policy.asking(SPECS["shell"], Origin.BUILT_IN, {"command": "git status"}) is Asking.NEVER
    assert policy.asking(SPECS["shell"], Origin.BUILT_IN, {"command": "git push"}) is Asking.ALWAYS


def test_what_is_forbidden_stays_forbidden() -> None:
    policy = Permissions((Rule("shell", Asking.FORBIDDEN, "rm **"), Rule("shell", Asking.NEVER)))
    assert policy.asking(SPECS["shell"], Origin.BUILT_IN, {"command": "rm x"}) is Asking.FORBIDDEN


def test_a_project_can_only_be_stricter() -> None:
    project = (Rule("shell", Asking.NEVER), Rule("read_file", Asking.ALWAYS), Rule("clock", Asking.FORBIDDEN))
    policy = Permissions((), project)
    found = {name: policy.asking(SPECS[name], Origin.BUILT_IN, {"command": "ls"}) for name in SPECS}
    assert (found["shell"], found["read_file"], found["clock"]) == (Asking.ALWAYS, Asking.ALWAYS, Asking.FORBIDDEN)


def test_only_what_a_limit_names_is_there() -> None:
    policy = Permissions().limited_to(frozenset({"read_file", "sh"}), frozenset({"read_file", "clock"}))
    assert [name for name in SPECS if policy.is_offered(name)] == ["read_file"]


@pytest.mark.parametrize("path", [".git/hooks/pre-commit", "workbench.toml", ".mcp.json", "a/.GIT/config"])
def test_files_that_decide_what_may_be_done_are_never_written_unasked(tmp_path: Path, path: str) -> None:
    policy = Permissions((Rule("write_file", Asking.NEVER),), folder=tmp_path)
    assert policy.asking(SPECS["write_file"], Origin.BUILT_IN, {"path": path, "text": ""}) is Asking.ALWAYS
