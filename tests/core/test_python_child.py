"""What the Python of a playbook can do to a run, and what is left of it when the run goes away: nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import PATIENCE_S
from workbench.disk.lock import HeldFile
from workbench.engine.backends import call_ledger
from workbench.engine.backends.call_ledger import CallLedger
from workbench.engine.backends.python_host import PythonCall, PythonCode, PythonFailed, PythonHost
from workbench.engine.backends.python_reply import LINE_LIMIT
from workbench.engine.expressions.data import MAX_VALUE
from workbench.engine.journal.instead import NOWHERE, Noted
from workbench.engine.journal.lease import started_of
from workbench.engine.journal.run_events import ToolResult
from workbench.engine.ports import Broke, NeverBegun, Unknown
from workbench.errors import Cancelled

_ROOT = Path(__file__).resolve().parents[2]

_CODE = f"""\
import os, pathlib, signal, subprocess, time

def note(name, pid=0):
    pathlib.Path(name + ".new").write_text(str(pid or os.getpid()))
    os.replace(name + ".new", name)

def wait_for(name):
    while not pathlib.Path(name).exists():
        time.sleep(0.01)

@playbook
def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            note("daemon")
            time.sleep({PATIENCE_S})
        os._exit(0)
    wait_for("daemon")
    return 7

@playbook
def daemon_and_hang():
    daemon()
    time.sleep({PATIENCE_S})

@playbook
def starts_a_program():
    note("program", subprocess.Popen(["sleep", "{PATIENCE_S}"], start_new_session=True).pid)
    note("begun")
    wait_for("go on")
    return 7

@playbook
async def asks_late():
    note("begun")
    wait_for("go on")
    try:
        return await Price(1)
    except BaseException as error:
        note("caught")
        raise

@playbook
def says(text, times=1):
    for descriptor in range(3, 12):
        try:
            for _ in range(times):
                os.write(descriptor, text.encode())
        except OSError:
            pass
    time.sleep({PATIENCE_S})

@playbook
def stops_its_guard():
    os.kill(os.getppid(), signal.SIGSTOP)
    note("begun")
    time.sleep({PATIENCE_S})

@playbook
def long(length):
    return "x" * length

@playbook
def takes_all():
    kept, size = [], 1 << 24
    while size > 4096:
        try:
            kept.append(bytes(size))
        except MemoryError:
            size //= 2
    raise ValueError("full")

@playbook
def takes(megabytes):
    return len(bytearray(megabytes * 1024 * 1024))

@playbook
def prints():
    while True:
        print("x" * 10000)

@playbook
def hangs():
    note("begun")
    time.sleep({PATIENCE_S})

@playbook
def seven():
    return 7
"""


def _made(folder: Path, time_limit_s: float = PATIENCE_S) -> PythonHost:
    return PythonHost(
        PythonCode((_CODE,), (1,), folder, folder / "calls" / "a.jsonl", time_limit_s, ("Price",), memory_mb=256)
    )


@pytest.fixture
def host(tmp_path: Path) -> Iterator[PythonHost]:
    """A child with the functions above."""
    made = _made(tmp_path)
    yield made
    made.close()


def _call(host: PythonHost, name: str, *positional: object) -> object:
    return host.call(PythonCall(name, name, positional, ()), lambda text: None)


def _take_too_long(folder: Path, name: str, sign: Path) -> None:
    """Call the function *name* until it is stopped at its limit after it has left its *sign*.

    The limit holds from the start of the child on, which alone takes longer than a short one where the machine is busy.
    """
    limit_s = 1.0
    while not sign.exists():
        host = _made(folder, limit_s)
        with pytest.raises(PythonFailed, match=f"longer than {limit_s:g} s "):
            _call(host, name)
        limit_s *= 2


def _is_dead(file: Path) -> bool:
    """Whether the process that has written *file* is gone."""
    return not started_of(int(file.read_text("utf-8")))


def _wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def _run_that_is_killed(folder: Path, name: str) -> None:
    """A process of its own calls the function *name*, and is killed in the middle of that."""
    program = (
        "from tests.core.test_python_child import _made, _call\nfrom pathlib import Path\n"
        f"_call(_made(Path({str(folder)!r})), {name!r})"
    )
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    run = subprocess.Popen([sys.executable, "-c", program], env=environment, stderr=subprocess.DEVNULL)
    _wait_until((folder / "begun").exists)
    run.kill()
    run.wait()
    (folder / "go on").touch()


def _resumed(folder: Path, name: str, patience_s: float = PATIENCE_S) -> object:
    """What the ledger says of the call *name* to the next process that holds it."""
    ledger = CallLedger(folder / "calls" / "a.jsonl", patience_s)
    found = ledger.recollect(name, NOWHERE)
    ledger.let_go()
    return found


def test_a_daemon_does_not_outlive_its_run(host: PythonHost, tmp_path: Path) -> None:
    assert _call(host, "daemon") == 7
    host.close()
    assert _is_dead(tmp_path / "daemon")


def test_a_daemon_does_not_outlive_the_time_limit(tmp_path: Path) -> None:
    _take_too_long(tmp_path, "daemon_and_hang", tmp_path / "daemon")
    assert _is_dead(tmp_path / "daemon")


def test_python_that_prints_without_end_is_stopped_at_its_limit(tmp_path: Path) -> None:
    host, heard = _made(tmp_path, 1.0), list[str]()
    with pytest.raises(PythonFailed, match="longer than 1 s "):
        host.call(PythonCall("prints", "prints", (), ()), heard.append)
    assert sum(map(len, heard)) < 1_100_000


def test_a_child_that_has_stopped_its_guard_ends_all_the_same(tmp_path: Path) -> None:
    _take_too_long(tmp_path, "stops_its_guard", tmp_path / "begun")
    assert _is_dead(tmp_path / "begun")


def test_what_a_call_started_is_ended_when_the_run_is_killed(tmp_path: Path) -> None:
    _run_that_is_killed(tmp_path, "starts_a_program")
    _wait_until(lambda: _is_dead(tmp_path / "program"))
    assert _resumed(tmp_path, "starts_a_program") == ToolResult(7, recovered=True)


def test_a_run_that_went_away_is_no_failure_of_the_function(tmp_path: Path) -> None:
    _run_that_is_killed(tmp_path, "asks_late")
    assert _resumed(tmp_path, "asks_late") == Unknown()
    assert not (tmp_path / "caught").exists()


@pytest.mark.parametrize("said", ["5\n", "[1]\n", "no JSON\n", '{"state": "done"}\n', '{"asks": 5}\n', "\0\n"])
def test_what_is_no_reply_fails_the_call_and_the_next_one_works(host: PythonHost, said: str) -> None:
    with pytest.raises(PythonFailed, match="wrote into its connection"):
        _call(host, "says", said)
    assert _call(host, "seven") == 7


def test_a_reply_without_an_end_fails_the_call(host: PythonHost) -> None:
    with pytest.raises(PythonFailed, match="more than 10,000,000 characters"):
        _call(host, "says", "x" * 65_536, LINE_LIMIT // 65_536 + 1)
    assert _call(host, "seven") == 7


def test_a_result_may_be_long_but_not_too_long(host: PythonHost) -> None:
    assert _call(host, "long", MAX_VALUE - 2) == "x" * (MAX_VALUE - 2)
    with pytest.raises(PythonFailed, match="length of 11,000,002"):
        _call(host, "long", 11_000_000)


def test_memory_is_limited_and_the_next_call_works(host: PythonHost) -> None:
    with pytest.raises(PythonFailed, match="may use 256 MB"):
        _call(host, "takes", 600)
    assert _call(host, "takes", 1) == 1024 * 1024


def test_what_fails_with_all_memory_full_is_told_and_the_next_call_works(host: PythonHost) -> None:
    with pytest.raises(PythonFailed, match="ValueError: full, in line"):
        _call(host, "takes_all")
    assert _call(host, "takes", 1) == 1024 * 1024


def test_a_child_that_takes_too_long_after_its_run_is_ended_by_the_next(tmp_path: Path) -> None:
    _run_that_is_killed(tmp_path, "hangs")
    assert _resumed(tmp_path, "hangs", 0.1) == Unknown()
    assert _is_dead(tmp_path / "begun")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[CallLedger]:
    """A ledger that nobody has written yet."""
    made = CallLedger(tmp_path / "calls" / "a.jsonl", 0.0)
    yield made
    made.let_go()


def _add(ledger: CallLedger, text: str) -> None:
    with ledger.path.open("a", encoding="utf-8") as file:
        file.write(text)


@pytest.mark.parametrize(
    ("entries", "became"),
    [
        ("", NeverBegun()),
        ('{"key": "a", "state": "begun"}\n', Unknown()),
        ('{"key": "a", "state": "begun"}\n{"key": "a", "state": "done", "value": 5}\n', ToolResult(5, recovered=True)),
        ('{"key": "a", "state": "begun"}\n{"key": "a", "state": "failed", "message": "No."}\n', Broke("No.")),
        ('{"key": "a", "state": "begun"}\n{"key": "a", "state": "do', Unknown()),
        ('{"key": "a", "state": "done"}\n', Unknown()),
        (
            '{"key": "a", "state": "done", "value": ' + "[" * 150 + "]" * 150 + "}\n",
            Broke("The value it gave cannot be used: lists can be nested at most 100 levels deep."),
        ),
        ('{"key": "b", "state": "begun"}\n\n5\n', NeverBegun()),
    ],
)
def test_a_ledger_says_what_became_of_a_call(ledger: CallLedger, entries: str, became: object) -> None:
    noted = ledger.noted()
    _add(ledger, entries)
    ledger.let_go()
    assert ledger.recollect("a", noted) == became


def test_what_is_noted_behind_an_entry_that_was_cut_off_is_read(ledger: CallLedger) -> None:
    ledger.noted()
    _add(ledger, '{"key": "a", "sta')
    ledger.note_writer(1)
    _add(ledger, '{"key": "a", "state": "begun"}\n')
    assert ledger.recollect("a", ledger.noted()) == Unknown()


def test_a_ledger_that_is_gone_knows_of_no_call(ledger: CallLedger) -> None:
    noted = ledger.noted()
    ledger.forget()
    assert ledger.recollect("a", noted) == Unknown()


def test_a_call_that_another_machine_was_to_make_may_have_begun_there(ledger: CallLedger) -> None:
    assert ledger.recollect("a", Noted("another", ledger.noted().ledger)) == Unknown()


def test_a_ledger_that_somebody_keeps_for_ever_is_left_to_him(
    ledger: CallLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_ledger, "_MERCY_S", 0.1)
    keeper = HeldFile.create(ledger.path)
    noted = ledger.noted()
    assert ledger.recollect("a", noted) == NeverBegun()
    keeper.let_go()


def test_waiting_for_a_ledger_can_be_given_up(ledger: CallLedger) -> None:
    keeper = HeldFile.create(ledger.path)
    ledger.give_up()
    with pytest.raises(Cancelled):
        ledger.noted()
    keeper.let_go()
