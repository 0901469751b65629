"""Playbooks served to other programs, called by the official client of the protocol."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.conftest import PATIENCE_S
from workbench.cli.main import parser_for
from workbench.cli.running.serving import server_for
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.state.fold import fold
from workbench.errors import CannotRead

DESK = """# Desk

## Add($a:int, $b:int=1)
public: true

Adds two numbers.

### Steps
- $sum = $a + $b
- Tell user "It is {$sum}"
- Return $sum

## Greet()
public: true
### Steps
- Ask user for $name
- If the name sounds friendly
  - Return "Hello, {$name}"
- Return "Good day, {$name}"

## Wait()
public: true
### Steps
- Wait 3600 seconds
- Return 1

## Write()
public: true
### Steps
- write_file(path="x.txt", text="1")
- Return 1

## Hidden()
- Return 2
"""
TOKEN = "a-token-that-is-long-enough"
MODERN = "2026-07-28"  # trying out which one a server speaks has a time limit
Answers = Callable[[Any, types.ElicitRequestParams], Awaitable[types.ElicitResult]]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    file = tmp_path / "desk.md"
    file.write_text(DESK)
    return file


def arguments(desk: Path, *more: str) -> list[str]:
    return ["serve", str(desk), *more, "--store", str(desk.parent / "store")]


@asynccontextmanager
async def connected(desk: Path, answers: Answers | None = None, mode: str = MODERN) -> AsyncIterator[Client]:
    """A client of a server in this process: all but the carrying of the messages is as it is elsewhere."""
    server = server_for(parser_for(["running.serving"]).parse_args(arguments(desk)))
    async with Client(server.protocol, elicitation_callback=answers, mode=mode) as client:
        yield client
    await server.close()


def words_of(result: types.CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))


def statuses(desk: Path) -> list[RunStatus]:
    """How the runs in the journal stand, the oldest first."""
    journal = Journal(desk.parent / "store" / "runs.sqlite")
    try:
        return [fold(journal.read(run.id)).status for run in reversed(journal.runs())]
    finally:
        journal.close()


def run(work: Awaitable[None]) -> None:
    async def within() -> None:
        await asyncio.wait_for(work, PATIENCE_S)

    asyncio.run(within())


def test_the_public_playbooks_are_listed_and_called(desk: Path) -> None:
    async def story() -> None:
        async with connected(desk) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert set(tools) == {"Add", "Greet", "Wait", "Write"}
            assert tools["Add"].description == "Adds two numbers."
            assert tools["Add"].input_schema["required"] == ["a"]
            result = await client.call_tool("Add", {"a": 2})
            assert words_of(result) == "It is 3\n3"
            assert result.structured_content is not None and result.structured_content["result"] == 3
            wrong = await client.call_tool("Add", {"a": "two"})
            assert wrong.is_error and "a" in words_of(wrong)

    run(story())
    assert statuses(desk) == [RunStatus.COMPLETED]


@pytest.mark.parametrize("mode", [MODERN, "legacy"])
def test_questions_come_back_to_who_called(desk: Path, mode: str) -> None:
    asked: list[str] = []

    async def answers(_context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params.message)
        is_name = "name" in params.requested_schema["properties"]
        return types.ElicitResult(action="accept", content={"name": "Ada"} if is_name else {"decision": True})

    async def story() -> None:
        async with connected(desk, answers, mode) as client:
            assert words_of(await client.call_tool("Greet", {})) == "Hello, Ada"

    run(story())
    assert len(asked) == 2 and "sounds friendly" in asked[1]
    assert statuses(desk) == [RunStatus.COMPLETED]


def test_a_question_that_nobody_can_be_asked_is_left_to_the_desk(desk: Path) -> None:
    async def decline(_context: object, _params: types.ElicitRequestParams) -> types.ElicitResult:
        return types.ElicitResult(action="decline")

    async def story() -> None:
        for answers in (None, decline):
            async with connected(desk, answers) as client:
                result = await client.call_tool("Greet", {})
                assert result.is_error and "workbench resume" in words_of(result)

    run(story())
    assert all(status is not RunStatus.COMPLETED for status in statuses(desk))


def test_leave_for_a_call_is_never_given_from_outside(desk: Path) -> None:
    async def accept(_context: object, _params: types.ElicitRequestParams) -> types.ElicitResult:
        raise AssertionError("nobody is to be asked")

    async def story() -> None:
        async with connected(desk, accept) as client:
            result = await client.call_tool("Write", {})
            assert result.is_error and "only a person at the desk" in words_of(result)

    run(story())
    assert not (desk.parent / "x.txt").exists()


def test_two_calls_go_on_at_once_and_one_that_is_cancelled_is_stopped(desk: Path) -> None:
    async def story() -> None:
        async with connected(desk) as client:
            waiting = asyncio.create_task(client.call_tool("Wait", {}))
            assert words_of(await client.call_tool("Add", {"a": 1, "b": 4})) == "It is 5\n5"
            assert not waiting.done()
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            while sorted(each.value for each in statuses(desk)) != ["cancelled", "completed"]:
                await asyncio.sleep(0.05)

    run(story())


def test_a_client_starts_a_server_and_calls_it_over_its_streams(desk: Path) -> None:
    child = StdioServerParameters(
        command=sys.executable, args=["-m", "workbench", *arguments(desk)], env=dict(os.environ)
    )

    async def story() -> None:
        async with Client(stdio_client(child), mode=MODERN) as client:
            assert words_of(await client.call_tool("Add", {"a": 2})) == "It is 3\n3"

    run(story())
    assert statuses(desk) == [RunStatus.COMPLETED]


@asynccontextmanager
async def over_http(desk: Path) -> AsyncIterator[str]:
    """The address of a server; it has ended behind this."""
    environment = {**os.environ, "WORKBENCH_SERVE_TOKEN": TOKEN}
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "workbench", *arguments(desk, "--http", "0")),
        env=environment,
        stderr=asyncio.subprocess.PIPE,
    )
    assert child.stderr is not None
    line = (await child.stderr.readline()).decode()
    try:
        yield next(word.rstrip(".") for word in line.split() if word.startswith("http://"))
    finally:
        child.terminate()
        await child.wait()


def test_over_http_only_who_knows_the_token_is_heard(desk: Path) -> None:
    async def story() -> None:
        async with over_http(desk) as address:
            async with (
                httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as http,
                Client(streamable_http_client(address, http_client=http), mode=MODERN) as client,
            ):
                assert words_of(await client.call_tool("Add", {"a": 2})) == "It is 3\n3"
            async with httpx2.AsyncClient() as http:
                for header in ({}, {"Authorization": "Bearer wrong"}):
                    answer = await http.post(address, json={}, headers=header)
                    assert answer.status_code == 401 and "token" in answer.text

    run(story())
    assert statuses(desk) == [RunStatus.COMPLETED]


def test_a_file_that_offers_nothing_is_refused_in_words(desk: Path) -> None:
    desk.write_text("# Desk\n## Hidden()\n- Return 2\n")
    with pytest.raises(CannotRead, match="public: true"):
        server_for(parser_for(["running.serving"]).parse_args(arguments(desk)))


def test_playbooks_of_one_name_are_called_by_their_files(desk: Path) -> None:
    other = desk.with_name("other.md")
    other.write_text(DESK)
    options = parser_for(["running.serving"]).parse_args(arguments(desk, str(other)))
    assert {each.name for each in server_for(options).offers} >= {"desk.Add", "other.Add"}


def test_a_procedure_and_a_step_list_are_one_tool_each(tmp_path: Path) -> None:
    procedure, steps = tmp_path / "clean.md", tmp_path / "steps.yaml"
    procedure.write_text("# Clean the till\n\n1. Open <till>\n2. Wipe it\n3. Close it\n")
    steps.write_text("id: count\nname: Count the money\nsteps:\n  - id: a\n    description: Count it\n")
    options = parser_for(["running.serving"]).parse_args(arguments(procedure, str(steps)))
    tools = {each.name: dict(each.schema["properties"]) for each in server_for(options).offers}
    assert tools == {"Clean_the_till": {"till": {"type": "string"}}, "Count_the_money": {}}
