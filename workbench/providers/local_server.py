"""Serves one model file on this machine, in a process of its own; imports nothing of ours.

The first line of the input says which file, with which key and how many threads; the first line of the output says
where the server is, or what is wrong. It ends when its input does, so also with a program that was killed.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import sys
from typing import Any
from urllib.parse import urlsplit

if sys.platform == "linux":
    import ctypes

    _SET_DEATH_SIGNAL = 1

_PATIENCE_S = 60.0


def main() -> None:
    """Serve until the input ends."""
    parent = os.getppid()
    wanted = json.loads(sys.stdin.buffer.readline())
    if sys.platform == "linux":
        # while a file is loaded nothing of Python runs that could see the input end
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    answers = os.dup(1)
    # what the server itself prints is for nobody
    os.dup2(2, 1)
    try:
        server = _served(**wanted)
        has_tools = _has_tools(server.listening_address, wanted["key"])
    except Exception as error:  # noqa: BLE001 - whatever it is, the program tells it
        os.write(answers, json.dumps({"error": str(error)}).encode() + b"\n")
        os._exit(1)
    told = {"url": f"{server.listening_address}/v1", "has_tools": has_tools}
    os.write(answers, json.dumps(told).encode() + b"\n")
    sys.stdin.buffer.read()
    # the server has threads that nobody waits for
    os._exit(0)


def _served(file: str, key: str, name: str, threads: int, context: int) -> Any:
    import xllamacpp  # noqa: PLC0415 - an optional part, and what is wrong with it shall be told

    params = xllamacpp.CommonParams()
    params.model.path, params.model_alias = file, {name}
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.api_keys, params.offline = [key], True
    params.ui = params.endpoint_slots = params.endpoint_props = params.endpoint_metrics = False
    params.cors_origins = ""
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.n_parallel, params.n_ctx, params.verbosity = 1, context, 0
    return xllamacpp.Server(params)


def _has_tools(url: str, key: str) -> bool:
    """Whether the template of the model speaks of tools; one that does not leaves them out without a word."""
    server = http.client.HTTPConnection(urlsplit(url).netloc, timeout=_PATIENCE_S)
    server.request("GET", "/props", headers={"Authorization": f"Bearer {key}"})
    able = json.load(server.getresponse()).get("chat_template_caps", {})
    server.close()
    return bool(able.get("supports_tools", True))


if __name__ == "__main__":
    main()
