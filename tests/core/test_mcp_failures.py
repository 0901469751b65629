"""Servers that die, hang, talk rubbish, or are none: what is said of them, and that nothing of them is left."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.mcp_servers import box_of, plain_server, rules_in, unheard
from tests.soak.servers import failures
from workbench.disk.lock import is_running
from workbench.errors import Cancelled, NotTrusted, RunFailed
from workbench.tools.mcp import child_transport
from workbench.tools.mcp.server import ServerState
from workbench.tools.mcp.servers import Servers
from workbench.tools.mcp.specs import ServerSpec
from workbench.tools.mcp.toolbox import McpToolbox

_LONG_S = 60.0


@pytest.fixture(autouse=True)
def _without_mercy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that hang are not given time to end by themselves."""
    monkeypatch.setattr(child_transport, "_GRACE_S", 0.1)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[McpToolbox]:
    box = box_of(tmp_path, plain_server(tmp_path))
    yield box
    box.close()


def _do(folder: Path, what: str) -> None:
    (folder / "do").write_text(what)


def _starts(folder: Path) -> list[int]:
    counted = folder / "starts"
    return [int(line) for line in counted.read_text().split()] if counted.exists() else []


def _echo(box: McpToolbox) -> object:
    return box.call("plain.echo", {"a": 1}, unheard)


def _until_dead(pid: int) -> None:
    deadline = time.monotonic() + _LONG_S
    while is_running(pid):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_nothing_starts_before_something_is_wanted(tmp_path: Path) -> None:
    box = box_of(tmp_path, plain_server(tmp_path))
    box.close()
    assert not _starts(tmp_path)


def test_a_server_that_is_not_allowed_never_starts(tmp_path: Path) -> None:
    box = McpToolbox(Servers((plain_server(tmp_path),), rules_in(tmp_path, lambda _spec: False)))
    assert box.specs() == ()
    assert box.problems == ("The server “plain” is not allowed to start yet.",)
    with pytest.raises(NotTrusted, match="plain_server"):
        _echo(box)
    assert not _starts(tmp_path)


def test_one_that_is_used_several_times_is_started_once(tmp_path: Path, box: McpToolbox) -> None:
    box.specs()
    assert _echo(box) == '{"a": 1}'
    assert len(_starts(tmp_path)) == 1


def test_a_server_is_dead_when_its_box_is_closed(tmp_path: Path, box: McpToolbox) -> None:
    _echo(box)
    box.close()
    assert is_running(_starts(tmp_path)[0]) is False
    assert box.servers.status("plain").state is ServerState.STOPPED


def test_what_a_server_has_started_is_dead_too(tmp_path: Path, box: McpToolbox) -> None:
    _do(tmp_path, "child")
    child = int(str(_echo(box)))
    box.close()
    _until_dead(child)


def test_one_that_dies_in_a_call_is_told_with_its_last_words(tmp_path: Path, box: McpToolbox) -> None:
    _do(tmp_path, "die")
    with pytest.raises(RunFailed) as caught:
        _echo(box)
    assert str(caught.value) == (
        "The server “plain” did not finish “echo”, which may have been done or not: "
        "it ended with exit code 7 and last wrote “no more”."
    )
    assert box.servers.status("plain").state is ServerState.FAILED


@pytest.mark.skipif(sys.platform == "win32", reason="there are no guards on Windows")
def test_one_that_is_killed_is_told(tmp_path: Path, box: McpToolbox) -> None:
    _echo(box)
    _do(tmp_path, "hang")
    threading.Timer(0.1, os.kill, (_starts(tmp_path)[0], signal.SIGKILL)).start()
    with pytest.raises(RunFailed, match=r"it was killed \(signal 9\)"):
        _echo(box)


def test_it_is_started_anew_for_the_next_call(tmp_path: Path, box: McpToolbox) -> None:
    _do(tmp_path, "die")
    with pytest.raises(RunFailed):
        _echo(box)
    _do(tmp_path, "")
    assert _echo(box) == '{"a": 1}'


def test_one_that_works_in_between_is_started_as_often_as_it_takes(tmp_path: Path, box: McpToolbox) -> None:
    for _attempt in range(4):
        _do(tmp_path, "die")
        with pytest.raises(RunFailed):
            _echo(box)
        _do(tmp_path, "")
        assert _echo(box) == '{"a": 1}'


def test_one_that_dies_every_time_is_given_up_until_it_is_restarted(tmp_path: Path, box: McpToolbox) -> None:
    _do(tmp_path, "die")
    for _attempt in range(5):
        with pytest.raises(RunFailed):
            _echo(box)
    assert len(_starts(tmp_path)) == 3
    _do(tmp_path, "")
    box.servers.restart("plain")
    assert _echo(box) == '{"a": 1}'


def test_several_calls_after_its_death_start_it_once(tmp_path: Path, box: McpToolbox) -> None:
    _do(tmp_path, "die")
    with pytest.raises(RunFailed):
        _echo(box)
    _do(tmp_path, "")
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _number: _echo(box), range(8))) == ['{"a": 1}'] * 8
    assert len(_starts(tmp_path)) == 2


def test_every_call_ends_though_the_server_is_killed_meanwhile(tmp_path: Path) -> None:
    assert not list(failures(2, tmp_path))


def test_one_that_hangs_in_a_call_is_waited_for_so_long_and_no_longer(tmp_path: Path) -> None:
    _do(tmp_path, "hang")
    box = box_of(tmp_path, plain_server(tmp_path, timeout_s=0.3))
    with pytest.raises(RunFailed, match=r"may have been done or not: it took longer than 0.3 s"):
        _echo(box)
    box.close()
    assert is_running(_starts(tmp_path)[0]) is False


def test_one_that_hangs_at_its_start_is_waited_for_once(tmp_path: Path) -> None:
    # a shell is there in a few milliseconds: on a busy machine Python would be ended before it could count itself
    hangs = "sh", "-c", f"echo $$ >> {shlex.quote(str(tmp_path / 'starts'))}; exec sleep 1000"
    box = box_of(tmp_path, replace(plain_server(tmp_path), words=hangs, start_timeout_s=1.5))
    for _attempt in range(2):
        with pytest.raises(RunFailed, match=r"it took longer than 1.5 s"):
            _echo(box)
    box.close()
    assert len(_starts(tmp_path)) == 1


def test_a_call_is_given_up_at_once_though_the_server_hangs(tmp_path: Path, box: McpToolbox) -> None:
    _echo(box)
    _do(tmp_path, "hang")
    threading.Timer(0.05, box.cancel).start()
    with pytest.raises(Cancelled):
        _echo(box)
    with pytest.raises(Cancelled):
        box.specs()


def test_rubbish_between_messages_is_logged_and_does_no_harm(tmp_path: Path, box: McpToolbox) -> None:
    _do(tmp_path, "rubbish")
    assert _echo(box) == '{"a": 1}'
    assert "Hello! {this is not a message}" in box.servers.log("plain")


@pytest.mark.parametrize(
    ("what", "words"),
    [("flood", "nothing that it wrote was a message"), ("endless", "more than 16 MB in one message")],
)
def test_output_without_end_ends_the_server(tmp_path: Path, box: McpToolbox, what: str, words: str) -> None:
    _do(tmp_path, what)
    with pytest.raises(RunFailed, match=words):
        _echo(box)
    _until_dead(_starts(tmp_path)[0])


def test_a_program_that_only_floods_is_no_server(tmp_path: Path, box: McpToolbox) -> None:
    _do(tmp_path, "flood at start")
    with pytest.raises(RunFailed, match="no server of this kind"):
        _echo(box)


def test_an_answer_that_is_none_is_told(tmp_path: Path, box: McpToolbox) -> None:
    _do(tmp_path, "wrong")
    with pytest.raises(RunFailed, match="could not carry out “echo”: what it sent is no message"):
        _echo(box)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("no-such-command-at-all", "x"), "its command could not be started: no-such-command-at-all: No such file"),
        ((sys.executable, "-c", "print('hello')"), "it ended with exit code 0"),
        ((sys.executable, "-c", "raise SystemExit('no key')"), "exit code 1 and last wrote “no key”"),
        (("cat",), "it answered: |no message that it may send"),
    ],
)
def test_what_is_no_server_is_told_plainly(tmp_path: Path, words: tuple[str, ...], reason: str) -> None:
    box = box_of(tmp_path, ServerSpec("odd", ".mcp.json", tmp_path, words=words, start_timeout_s=_LONG_S))
    with pytest.raises(RunFailed, match=reason) as caught:
        box.call("odd.x", {}, unheard)
    box.close()
    assert str(caught.value).startswith("The server “odd” could not be started, so its tools cannot be called: ")


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    box = box_of(tmp_path, ServerSpec("odd", ".mcp.json", tmp_path / "gone", words=("cat",)))
    with pytest.raises(RunFailed, match=r"gone: No such file or directory"):
        box.call("odd.x", {}, unheard)


def test_a_server_that_fails_does_not_hide_the_tools_of_another(tmp_path: Path) -> None:
    odd = ServerSpec("odd", ".mcp.json", tmp_path, words=("no-such-command",))
    box = box_of(tmp_path, odd, plain_server(tmp_path))
    names = [spec.name for spec in box.specs()]
    box.close()
    assert names == ["plain.echo"]
    assert len(box.problems) == 1 and "“odd” could not be started" in box.problems[0]


def test_no_secret_of_a_server_is_in_what_is_said_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_NAME", "correct-horse-battery")
    loud = "import os, sys; sys.exit(os.environ['KEY'])"
    env = (("KEY", "${SOME_NAME}"),)
    box = box_of(tmp_path, ServerSpec("loud", ".mcp.json", tmp_path, words=(sys.executable, "-c", loud), env=env))
    with pytest.raises(RunFailed) as caught:
        box.call("loud.x", {}, unheard)
    box.close()
    told = f"{caught.value}{box.servers.log('loud')}{box.servers.status('loud')}"
    assert "correct-horse" not in told and "‹secret" in told


def test_a_value_that_is_not_set_keeps_the_server_from_starting(tmp_path: Path) -> None:
    spec = replace(plain_server(tmp_path), env=(("KEY", "${SURELY_NOT_SET}"),))
    box = box_of(tmp_path, spec)
    with pytest.raises(RunFailed, match="It needs SURELY_NOT_SET, which is not set"):
        _echo(box)
    assert not _starts(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no guards on Windows")
def test_a_server_dies_with_us_though_we_are_killed(tmp_path: Path) -> None:
    _do(tmp_path, "child")
    code = (
        "import sys, time; from pathlib import Path\n"
        "from tests.core.mcp_servers import box_of, plain_server, unheard\n"
        "folder = Path(sys.argv[1])\n"
        "print(box_of(folder, plain_server(folder)).call('plain.echo', {}, unheard), flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGKILL)
    for pid in (child, *_starts(tmp_path)):
        _until_dead(pid)
