"""Tools of a server that is made with the official package, over its pipes and over HTTP."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from tests.core.mcp_servers import TOOLS_SERVER, box_of, tools_server, unheard
from workbench.errors import RunFailed
from workbench.tools.mcp.server import ServerState
from workbench.tools.mcp.specs import ServerSpec, Transport
from workbench.tools.mcp.toolbox import McpToolbox
from workbench.tools.values import CallSafety


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpToolbox]:
    folder = tmp_path_factory.mktemp("servers")
    box = box_of(folder, tools_server(folder))
    yield box
    box.close()


@pytest.fixture(scope="module")
def web_box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpToolbox]:
    folder = tmp_path_factory.mktemp("web")
    with subprocess.Popen([*TOOLS_SERVER, "http"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = f"http://127.0.0.1:{int(process.stdout.readline())}/mcp"
        web = ServerSpec("web", "workbench.toml", folder, Transport.HTTP, url=url)
        box = box_of(folder, web, replace(web, name="older", transport=Transport.SSE, url=url.replace("mcp", "sse")))
        yield box
        box.close()
        process.kill()


def _call(box: McpToolbox, name: str, **arguments: Any) -> Any:
    return box.call(name, arguments, unheard)


def test_every_tool_is_listed_under_the_name_of_its_server(box: McpToolbox) -> None:
    names = {spec.name for spec in box.specs()}
    assert {"tools.add", "tools.describe", "tools.say_hello"} <= names


def test_a_tool_has_its_description_schema_and_source(box: McpToolbox) -> None:
    spec = next(each for each in box.specs() if each.name == "tools.add")
    assert spec.description == "The sum of two numbers."
    assert list(spec.schema["properties"]) == ["a", "b"]
    assert spec.source == "the server “tools” of .mcp.json"


def test_the_word_of_a_server_about_its_tools_counts_only_once_they_are_approved(box: McpToolbox) -> None:
    before = {spec.safety for spec in box.specs()}
    box.servers.approve("tools")
    after = {spec.name: spec.safety for spec in box.specs()}
    assert before == {CallSafety.UNSAFE}
    assert after["tools.add"] is CallSafety.READ
    assert after["tools.describe"] is CallSafety.IDEMPOTENT
    assert after["tools.die"] is CallSafety.UNSAFE


@pytest.mark.parametrize(
    ("name", "arguments", "value"),
    [
        ("tools.add", {"a": 2, "b": 3}, 5),
        ("tools.describe", {"name": "x"}, {"name": "x", "kind": "word"}),
        ("tools.say_hello", {}, "Hello, world!"),
        ("tools.say_hello", {"name": "you"}, "Hello, you!"),
        ("tools.picture", {}, {"image": "image/png", "bytes": 300}),
    ],
)
def test_what_a_tool_gives_is_data(box: McpToolbox, name: str, arguments: dict[str, Any], value: Any) -> None:
    assert box.call(name, arguments, unheard) == value


def test_a_text_without_end_is_cut(box: McpToolbox) -> None:
    text = _call(box, "tools.large", count=1_500_000)
    assert text[1_000_000:] == "\n(cut here: 500,000 more characters)"


def test_what_a_tool_says_meanwhile_is_heard(box: McpToolbox) -> None:
    heard: list[str] = []
    assert box.call("tools.slow", {"seconds": 0}, heard.append) == "done"
    assert heard == ["half of it\n"]


def test_many_threads_may_call_at_once(box: McpToolbox) -> None:
    with ThreadPoolExecutor(4) as pool:
        sums = pool.map(lambda number: _call(box, "tools.add", a=number, b=1), range(40))
    assert list(sums) == list(range(1, 41))


def test_arguments_that_do_not_fit_are_refused_by_the_server_in_its_own_words(box: McpToolbox) -> None:
    with pytest.raises(RunFailed, match="valid integer"):
        _call(box, "tools.add", a="two", b=3)


def test_a_tool_that_fails_says_so(box: McpToolbox) -> None:
    with pytest.raises(RunFailed, match="Error executing tool fail"):
        _call(box, "tools.fail")


def test_a_tool_that_is_not_there_is_told_with_those_that_are(box: McpToolbox) -> None:
    with pytest.raises(RunFailed, match=r"The server “tools” has no tool ad\. It has: add,"):
        _call(box, "tools.ad")


def test_a_tool_has_one_name_only(box: McpToolbox) -> None:
    with pytest.raises(RunFailed, match="has no tool say-hello"):
        _call(box, "tools.say-hello")


def test_a_server_gets_nothing_of_our_environment_that_is_not_named(
    box: McpToolbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = set(_call(box, "tools.environment"))
    assert given <= {"PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP", "LC_CTYPE"}
    assert given < set(os.environ) | {"LC_CTYPE"}


def test_the_same_tools_are_reached_over_http(web_box: McpToolbox) -> None:
    assert "web.add" in {spec.name for spec in web_box.specs()}
    assert _call(web_box, "web.add", a=2, b=3) == 5


def test_and_over_its_older_protocol(web_box: McpToolbox) -> None:
    assert "older.add" in {spec.name for spec in web_box.specs()}
    assert _call(web_box, "older.add", a=2, b=3) == 5


def test_progress_comes_over_http_too(web_box: McpToolbox) -> None:
    heard: list[str] = []
    web_box.call("web.slow", {"seconds": 0}, heard.append)
    assert heard == ["half of it\n"]


def test_a_server_on_the_web_that_dies_is_told(web_box: McpToolbox) -> None:
    with pytest.raises(RunFailed, match=r"could not carry out “die”|did not finish “die”"):
        _call(web_box, "web.die")
    with pytest.raises(RunFailed, match="nothing answers at its address"):
        _call(web_box, "web.add", a=1, b=1)
    assert web_box.servers.status("web").state is ServerState.FAILED
