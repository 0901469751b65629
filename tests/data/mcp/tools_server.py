"""A small server of tools, with the official package: over its pipes, or with ``http`` on a free port that it prints.

There it speaks both protocols: under ``/mcp`` and under ``/sse``.
"""

import asyncio
import os
import socket
import sys

import uvicorn
from mcp.server.mcpserver import Context, Image, MCPServer
from mcp_types import ToolAnnotations

server = MCPServer("tools", log_level="CRITICAL")


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def add(a: int, b: int) -> int:
    """The sum of two numbers."""
    return a + b


@server.tool(annotations=ToolAnnotations(idempotentHint=True))
def describe(name: str) -> dict[str, str]:
    """What is known of a name."""
    return {"name": name, "kind": "word"}


@server.tool(name="say-hello", structured_output=False)
def say_hello(name: str = "world") -> str:
    """A greeting."""
    return f"Hello, {name}!"


@server.tool(structured_output=False)
def picture() -> Image:
    """A picture."""
    return Image(data=bytes(300), format="png")


@server.tool(structured_output=False)
def fail() -> str:
    """Fails."""
    raise ValueError("there is no paper")


@server.tool(structured_output=False)
async def slow(seconds: float, ctx: Context) -> str:
    """Takes its time, and says so."""
    await ctx.report_progress(1, 2, "half of it")
    await asyncio.sleep(seconds)
    return "done"


@server.tool(structured_output=False)
def large(count: int) -> str:
    """A text of this length."""
    return "x" * count


@server.tool()
def environment() -> list[str]:
    """The names of the variables that it has."""
    return sorted(os.environ)


@server.tool(structured_output=False)
def grow(ctx: Context) -> str:
    """Adds a tool."""
    server.add_tool(say_hello, "another", description="A tool that was not there.")
    return "grown"


@server.tool(structured_output=False)
def die() -> str:
    """Ends the server."""
    print("out of paper", file=sys.stderr, flush=True)
    os._exit(3)


def over_http() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        print(listening.getsockname()[1], flush=True)
        app = server.streamable_http_app()
        app.router.routes.extend(server.sse_app().routes)
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])


if __name__ == "__main__":
    over_http() if sys.argv[1:] == ["http"] else server.run()
