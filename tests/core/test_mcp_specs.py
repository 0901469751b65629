"""Which servers a project and a playbook name, and how what they say is read."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from workbench.disk.files import PROJECT_FILE
from workbench.errors import RunFailed
from workbench.project_file import project_file
from workbench.tools.mcp.agents import servers_of_agents
from workbench.tools.mcp.reading import SERVERS_FILE, NamedServers, joined, servers_of_project
from workbench.tools.mcp.server_tool import name_warnings, safe_names
from workbench.tools.mcp.specs import ServerSpec, Transport, filled, secrets_of


def _foreign(folder: Path, entries: Any) -> NamedServers:
    (folder / SERVERS_FILE).write_text(json.dumps({"mcpServers": entries}))
    return servers_of_project(folder, project_file(folder))


def _own(folder: Path, text: str) -> NamedServers:
    (folder / PROJECT_FILE).write_text(text)
    return servers_of_project(folder, project_file(folder))


@pytest.mark.parametrize(("fence", "file"), [("```toml\n", PROJECT_FILE), ("```json\n", SERVERS_FILE)])
def test_what_the_readme_shows_is_read_without_problems(tmp_path: Path, fence: str, file: str) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    shown = [each.partition("```")[0] for each in readme.split(fence)[1:]]
    (tmp_path / file).write_text(next(each for each in shown if "mcp" in each))
    said = project_file(tmp_path)
    found = servers_of_project(tmp_path, said)
    assert found.specs and not (*said.problems, *found.problems)


def test_a_project_that_names_none_has_none(tmp_path: Path) -> None:
    assert servers_of_project(tmp_path, project_file(tmp_path)) == NamedServers()


def test_a_command_is_read_as_coding_agents_write_it(tmp_path: Path) -> None:
    (spec,) = _foreign(tmp_path, {"time": {"command": "uvx", "args": ["time"], "env": {"TZ": "UTC"}}}).specs
    assert spec == ServerSpec("time", SERVERS_FILE, tmp_path, words=("uvx", "time"), env=(("TZ", "UTC"),))


@pytest.mark.parametrize(
    ("entry", "transport"),
    [
        ({"type": "http", "url": "https://example.org/mcp"}, Transport.HTTP),
        ({"type": "streamable-http", "url": "https://example.org/mcp"}, Transport.HTTP),
        ({"url": "https://example.org/mcp"}, Transport.HTTP),
        ({"type": "sse", "url": "https://example.org/sse"}, Transport.SSE),
        ({"type": "stdio", "command": "x"}, Transport.STDIO),
    ],
)
def test_the_kind_of_a_server_is_told_or_follows_from_what_it_has(
    tmp_path: Path, entry: dict[str, Any], transport: Transport
) -> None:
    assert _foreign(tmp_path, {"a": entry}).specs[0].transport is transport


def test_servers_whose_names_look_alike_are_told(tmp_path: Path) -> None:
    found = _foreign(tmp_path, {"git": {"command": "x"}, "g\u0456t": {"command": "y"}})
    assert sum("look alike" in problem for problem in joined(found).problems) == 1


def test_one_that_is_switched_off_is_none(tmp_path: Path) -> None:
    assert _foreign(tmp_path, {"a": {"command": "x", "disabled": True}}) == NamedServers()


def test_the_project_file_names_servers_with_keys_by_name(tmp_path: Path) -> None:
    text = '[mcp.a]\nurl = "https://example.org/mcp"\nheaders = {Authorization = "env:A_KEY"}\ntimeout_s = 5\n'
    (spec,) = _own(tmp_path, text).specs
    assert spec.headers == (("Authorization", "${A_KEY}"),)
    assert spec.variables == ("A_KEY",)
    assert spec.timeout_s == 5


def test_of_two_servers_with_one_name_that_of_the_project_file_counts(tmp_path: Path) -> None:
    (tmp_path / SERVERS_FILE).write_text('{"mcpServers": {"a": {"command": "foreign"}}}')
    found = _own(tmp_path, '[mcp.a]\ncommand = "own"\n')
    assert [spec.words for spec in found.specs] == [("own",)]
    assert "is named in workbench.toml and in .mcp.json" in found.problems[0]


def test_a_server_belongs_to_the_project_that_names_it_wherever_it_is_started(tmp_path: Path) -> None:
    (spec,) = _foreign(tmp_path, {"a": {"command": "x", "cwd": "/somewhere/else"}}).specs
    assert (spec.folder, spec.cwd) == (tmp_path, Path("/somewhere/else"))


@pytest.mark.parametrize(
    "entry",
    [
        3,
        {},
        {"command": ""},
        {"command": 3},
        {"command": "x", "args": "y"},
        {"command": "x", "args": [1]},
        {"command": "x\0"},
        {"command": "x", "env": {"A": ["b"]}},
        {"command": "x", "env": {"A": "b\0"}},
        {"type": "carrier-pigeon", "command": "x"},
        {"type": "http"},
        {"url": "file:///etc/passwd"},
        {"url": "http://[::1"},
        {"url": "http://example.org/mcp", "headers": {"Authorization": "${A}"}},
        {"command": "x", "timeout_s": -1},
        {"command": "x", "cwd": "~nobody-at-all/x"},
    ],
)
def test_an_entry_that_cannot_be_used_is_told_and_left_out(tmp_path: Path, entry: Any) -> None:
    found = _foreign(tmp_path, {"odd": entry, "good": {"command": "x"}})
    assert [spec.name for spec in found.specs] == ["good"]
    assert len(found.problems) == 1
    assert found.problems[0].startswith("The server “odd” cannot be used: ")


@pytest.mark.parametrize("text", ["{", "[]", '{"mcpServers": []}', "[" * 100_000, "\0"])
def test_a_damaged_file_is_a_problem_and_no_failure(tmp_path: Path, text: str) -> None:
    (tmp_path / SERVERS_FILE).write_text(text)
    found = servers_of_project(tmp_path, project_file(tmp_path))
    assert not found.specs and len(found.problems) == 1


def test_a_value_is_put_in_where_it_is_named() -> None:
    assert filled("Bearer ${A} ${B:-none} $C {D}", {"A": "x"}.get) == "Bearer x none $C {D}"


def test_what_is_not_set_is_told_by_its_name() -> None:
    with pytest.raises(RunFailed, match="It needs A_KEY, which is not set"):
        filled("${A_KEY}", {}.get)


def test_keys_are_what_is_sent_and_what_is_called_so(tmp_path: Path) -> None:
    env = (("TZ", "${TZ}"), ("A_KEY", "${ONE}"), ("NAME", "${MY_TOKEN}"), ("API_KEY", "written-there"))
    spec = ServerSpec("a", "x", tmp_path, env=env, headers=(("X-Any", "${TWO}"),), login=("me", "${THREE}"))
    found = secrets_of(spec, lambda name: f"value of {name}")
    assert set(found) == {"value of MY_TOKEN", "value of THREE", "value of ONE", "value of TWO", "written-there"}


def test_another_command_is_another_server_to_whoever_allows_it(tmp_path: Path) -> None:
    one, other = (_foreign(tmp_path, {"a": {"command": "x", "args": [word]}}).specs[0] for word in ("y", "z"))
    assert one.digest != other.digest


def _agent(remote: object) -> NamedServers:
    return servers_of_agents(Path("/project"), [("Almanac", remote)])


def test_an_agent_is_a_server_at_an_address() -> None:
    (spec,) = _agent({"type": "mcp", "url": "https://example.org/sse", "timeout": 7}).specs
    assert (spec.name, spec.agent, spec.transport) == ("Almanac", "Almanac", Transport.SSE)
    assert spec.timeout_s == 7


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("stdio://almanac --quiet", ("almanac", "--quiet")),
        ("stdio://sky/server.py", (sys.executable, "sky/server.py")),
        ("stdio://server.js", ("node", "server.js")),
    ],
)
def test_an_agent_is_a_command(url: str, words: tuple[str, ...]) -> None:
    assert _agent({"type": "mcp", "url": url}).specs[0].words == words


@pytest.mark.parametrize(
    ("auth", "headers", "login"),
    [
        ({"type": "bearer", "token": "env:KEY"}, (("Authorization", "Bearer ${KEY}"),), None),
        ({"type": "api_key", "key": "env:SKY"}, (("X-API-Key", "${SKY}"),), None),
        ({"type": "basic", "username": "me", "password": "${KEY}"}, (), ("me", "${KEY}")),
    ],
)
def test_an_agent_proves_who_we_are_with_keys_by_name(auth: Any, headers: Any, login: Any) -> None:
    (spec,) = _agent({"type": "mcp", "url": "https://example.org/sse", "auth": auth}).specs
    assert (spec.headers, spec.login) == (headers, login)


@pytest.mark.parametrize(
    ("remote", "reason"),
    [
        ({"type": "mcp"}, "needs the type mcp, and a url"),
        ({"type": "a2a", "url": "https://example.org"}, "needs the type mcp"),
        ({"type": "mcp", "url": "memory://server.py?var=mcp"}, "servers in memory are not supported"),
        ({"type": "mcp", "url": "x", "transport": "memory"}, "servers in memory are not supported"),
        ({"type": "mcp", "url": "ws://x", "transport": "websocket"}, "a transport that is not supported, “websocket”"),
        ({"type": "mcp", "url": "stdio://"}, "its url is no command"),
        ({"type": "mcp", "url": "stdio://'"}, "its url is no command"),
        ({"type": "mcp", "url": "https://x", "timeout": "long"}, "timeout must be a number"),
        ({"type": "mcp", "url": "https://x", "auth": {"type": "mtls"}}, "auth must have the type"),
        ({"type": "mcp", "url": "https://x", "auth": {"type": "bearer", "token": "abc"}}, "keys never stand"),
        ({"type": "mcp", "url": "https://x", "auth": {"type": "api_key", "key": "keyring:a"}}, "environment only"),
        ({"type": "mcp", "url": "http://x", "auth": {"type": "bearer", "token": "env:A"}}, "unencrypted"),
    ],
)
def test_an_agent_that_cannot_be_reached_is_told(remote: object, reason: str) -> None:
    found = _agent(remote)
    assert not found.specs
    assert found.problems[0].startswith("The tools of the agent Almanac cannot be used: ")
    assert reason in found.problems[0]


def test_names_are_made_safe_and_no_two_alike() -> None:
    assert safe_names(["say-hello", "say_hello", "say.hello", "7up", "ключ", ""]) == {
        "say_hello": "say_hello",
        "": "_",
        "7up": "_7up",
        "say-hello": "say_hello_2",
        "say.hello": "say_hello_3",
        "ключ": "u043Au043Bu044Eu0447",
    }


@pytest.mark.parametrize(
    ("names", "warning"),
    [
        (["read\u200b_file"], "has characters that nobody sees"),
        (["re\u0430d_file"], "looks like “read_file”, but is written with other letters"),
        (["read_file", "read-file"], "“read_file” and “read-file” look alike"),
        (["tool1", "tooll"], "look alike"),
    ],
)
def test_names_that_may_be_taken_for_others_are_told(names: list[str], warning: str) -> None:
    assert any(warning in each for each in name_warnings(names))


def test_names_in_another_script_are_all_right() -> None:
    assert not list(name_warnings(["ключ", "読む", "read_file", "write_file"]))
