"""Commands and addresses: real child processes, and a real server on this machine."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PATIENCE_S
from workbench.errors import Cancelled, RunFailed
from workbench.tools.builtin.rules import BuiltinRules
from workbench.tools.builtin.toolbox import BuiltinTools


def use(rules: BuiltinRules, name: str, on_output: Callable[[str], None] = lambda _text: None, **arguments: Any) -> Any:
    """What the tool gives."""
    return BuiltinTools(rules).call(name, arguments, on_output)


@pytest.fixture
def rules(tmp_path: Path) -> BuiltinRules:
    """A run in an empty project."""
    return BuiltinRules(tmp_path)


def test_a_command_gives_what_it_prints_and_is_heard_meanwhile(rules: BuiltinRules) -> None:
    heard: list[str] = []
    assert use(rules, "shell", heard.append, command=["echo", "$(id)", "&&", "*"]) == "$(id) && *"
    assert "".join(heard) == "$(id) && *\n"


def test_a_command_runs_in_the_project(rules: BuiltinRules) -> None:
    assert Path(use(rules, "shell", command="pwd")) == rules.folder


def test_a_shell_runs_a_script(rules: BuiltinRules) -> None:
    assert use(rules, "sh", script="echo a | tr a b") == "b"


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("false", "“false” ended with exit code 1."),
        ("no-such-program", "“no-such-program” ended with exit code 127.\nno-such-program: No such file or directory"),
        (["sh", "-c", "echo why >&2; exit 3"], "“sh” ended with exit code 3.\nwhy"),
        (["echo", "a\0b"], "A command cannot hold a character of value 0."),
        ("", "The command is empty."),
        (["echo", 7], "command[1] must be of the type string."),
    ],
)
def test_a_command_that_fails_says_why(rules: BuiltinRules, command: Any, problem: str) -> None:
    with pytest.raises(RunFailed) as caught:
        use(rules, "shell", command=command)
    assert str(caught.value) == problem


def test_a_command_sees_only_what_every_program_needs_and_what_is_named(
    rules: BuiltinRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hidden")
    monkeypatch.setenv("KUBECONFIG", "/named")
    seen = use(replace(rules, environment=("KUBECONFIG", "NOT_SET")), "shell", command="env")
    names = {line.partition("=")[0] for line in seen.splitlines()}
    assert "KUBECONFIG" in names
    assert names <= {"PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP", "KUBECONFIG"}


def test_a_command_that_takes_too_long_is_stopped(rules: BuiltinRules) -> None:
    with pytest.raises(RunFailed, match="took longer than"):
        use(replace(rules, time_limit_s=0.5), "shell", command=["sleep", str(PATIENCE_S)])


def test_a_command_that_writes_without_end_is_stopped(rules: BuiltinRules) -> None:
    with pytest.raises(RunFailed, match="more than 10,000 characters"):
        use(replace(rules, output_limit=10_000), "shell", command="yes")


def test_a_command_has_so_much_memory_and_no_more(rules: BuiltinRules) -> None:
    with pytest.raises(RunFailed, match="MemoryError"):
        use(replace(rules, memory_mb=100), "shell", command=["python3", "-c", "x = bytearray(10**9)"])


def test_a_command_gets_no_input(rules: BuiltinRules) -> None:
    assert use(rules, "shell", command="cat") == ""


def test_what_a_command_leaves_behind_is_ended_with_it(rules: BuiltinRules) -> None:
    pid = int(use(rules, "shell", command=["sh", "-c", f"setsid sleep {PATIENCE_S} > /dev/null 2>&1 & echo $!"]))
    assert _is_gone(pid)


def test_stopping_ends_a_command_and_all_that_came_of_it(rules: BuiltinRules, tmp_path: Path) -> None:
    tools = BuiltinTools(rules)
    script = f"sleep {PATIENCE_S} & echo $! > pid.new; mv pid.new pid; wait"
    stopper = threading.Thread(target=lambda: (_wait_for(tmp_path / "pid"), tools.cancel()))
    stopper.start()
    with pytest.raises(Cancelled):
        tools.call("sh", {"script": script}, lambda _text: None)
    stopper.join()
    assert _is_gone(int((tmp_path / "pid").read_text()))
    with pytest.raises(Cancelled):
        tools.call("shell", {"command": "true"}, lambda _text: None)


def _wait_for(path: Path) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.01)


def _is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


class Server(BaseHTTPRequestHandler):
    """Answers by the path that is asked for."""

    def do_GET(self) -> None:
        status, headers, body = PAGES.get(self.path.partition("?")[0], (404, {}, b"nothing here"))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value.replace("HOST", f"127.0.0.1:{self.server.server_address[1]}"))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: object) -> None:
        """Say nothing."""


PAGES: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/": (200, {"Content-Type": "text/plain; charset=utf-8"}, "Grüße".encode()),
    "/moved": (302, {"Location": "/"}, b""),
    "/around": (302, {"Location": "/around"}, b""),
    "/file": (302, {"Location": "file:///etc/passwd"}, b""),
    "/elsewhere": (302, {"Location": "http://localhost:1/"}, b""),
    "/large": (200, {}, b"x" * 5000),
    "/broken": (500, {}, b"oops"),
}


@contextmanager
def serving() -> Iterator[str]:
    """The address of a server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server."""
    with serving() as found:
        yield found


@pytest.mark.parametrize("path", ["/", "/moved"])
def test_a_page_is_read(rules: BuiltinRules, address: str, path: str) -> None:
    assert use(rules, "http_get", url=address + path) == "Grüße"


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("/around", "leads on and on"),
        ("/file", "Only addresses that begin with http"),
        ("/elsewhere", "leads on to http://localhost:1, which nobody has allowed"),
        ("/large", "gives more than 1,000 bytes"),
        ("/broken", "answered 500: oops"),
        ("/missing", "answered 404: nothing here"),
    ],
)
def test_what_is_no_page_is_said(rules: BuiltinRules, address: str, path: str, problem: str) -> None:
    with pytest.raises(RunFailed, match=problem):
        use(replace(rules, download_limit=1000), "http_get", url=address + path)


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://a/b", "//a/b", "http://", "a", "http://a b/", "http://a\n/"]
)
def test_only_the_web_is_read(rules: BuiltinRules, url: str) -> None:
    with pytest.raises(RunFailed, match="Only addresses"):
        use(rules, "http_get", url=url)


def test_what_fails_does_not_repeat_what_may_be_secret(rules: BuiltinRules) -> None:
    with pytest.raises(RunFailed) as caught:
        use(rules, "http_get", url="http://user:pass1234@127.0.0.1:1/a/key987654?api_key=abc123def456")
    assert "http://127.0.0.1:1 could not be read" in str(caught.value)
    assert not any(secret in str(caught.value) for secret in ("pass1234", "key987654", "abc123def456"))


def test_stopping_gives_up_an_address_that_does_not_answer(rules: BuiltinRules) -> None:
    tools = BuiltinTools(rules)
    with silent() as url:
        threading.Timer(0.2, tools.cancel).start()
        with pytest.raises(Cancelled):
            tools.call("http_get", {"url": url}, lambda _text: None)


@contextmanager
def silent() -> Iterator[str]:
    """The address of a server that takes a connection and says nothing."""

    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
