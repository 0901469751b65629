"""The background loop: starts by itself, hands results and failures back, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError

import pytest

from tests.conftest import PATIENCE_S
from workbench.async_loop import AsyncLoop


@pytest.fixture
def loop() -> Iterator[AsyncLoop]:
    """A loop of this test."""
    made = AsyncLoop()
    yield made
    made.close()


async def _thread_name() -> str:
    return threading.current_thread().name


async def _failing() -> None:
    raise ValueError("so")


def test_work_runs_on_the_thread_of_the_loop(loop: AsyncLoop) -> None:
    assert loop.submit(_thread_name()).result(PATIENCE_S) == "async-loop"


def test_a_failure_comes_back_to_whoever_waits(loop: AsyncLoop) -> None:
    with pytest.raises(ValueError, match="so"):
        loop.submit(_failing()).result(PATIENCE_S)


def test_cancelling_wakes_whoever_waits_and_reaches_the_work(loop: AsyncLoop) -> None:
    began, ended = threading.Event(), threading.Event()
    future = loop.submit(_waits(began, ended))
    assert began.wait(PATIENCE_S)
    future.cancel()
    with pytest.raises(CancelledError):
        future.result(PATIENCE_S)
    assert ended.wait(PATIENCE_S)


async def _waits(began: threading.Event, ended: threading.Event) -> None:
    began.set()
    try:
        await asyncio.Event().wait()
    finally:
        ended.set()


def test_closing_ends_what_still_runs(loop: AsyncLoop) -> None:
    began, ended = threading.Event(), threading.Event()
    loop.submit(_waits(began, ended))
    assert began.wait(PATIENCE_S)
    loop.close()
    assert ended.is_set()


def test_a_closed_loop_starts_anew(loop: AsyncLoop) -> None:
    loop.submit(_thread_name()).result(PATIENCE_S)
    loop.close()
    assert loop.submit(_thread_name()).result(PATIENCE_S) == "async-loop"


def test_no_thread_is_started_before_there_is_work() -> None:
    before = threading.active_count()
    AsyncLoop().close()
    assert threading.active_count() == before


def test_a_program_ends_without_a_warning_while_work_goes_on() -> None:
    program = (
        "import asyncio, threading; from workbench.async_loop import shared_loop; began = threading.Event()\n"
        "async def wait():\n    began.set(); await asyncio.Event().wait()\n"
        "shared_loop().submit(wait()); began.wait()"
    )
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
