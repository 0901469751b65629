"""The other side of ``python_host``: runs as a program of its own, and imports nothing of the workbench.

Requests and replies are JSON lines on what were standard input and output; whatever the
playbook's Python prints goes to the pipe that was the error stream. Before a call begins,
and after it has ended, that is written to the ledger: a file that stays locked while this
process lives. So it can be told later, whatever died in between, whether a call was made.

It speaks the language of the run, from which it has its sentences.

When the run has gone away, this process finishes the call at hand and ends. It never tells the
playbook's Python of that: a function would fail for something that it has not done.

It is started for each run: what takes long to import is imported where it is first needed.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib.util
import json
import os
import sys
import threading
import types

TYPE_CHECKING = False
if TYPE_CHECKING:  # from ``typing`` it would cost a sixth of the time until a child is ready
    from collections.abc import Callable
    from typing import Any, NoReturn, TextIO

if sys.platform != "win32":  # Windows has no such limits
    import resource

END_OF_OUTPUT = "\0end of output\0"
_MEGABYTE = 1024 * 1024
_COROUTINE_FLAG = 128
"""``inspect.CO_COROUTINE``."""


def _beside(name: str) -> Any:
    """The part *name* of this program: no folder of the workbench is where Python looks for modules here."""
    path = os.path.join(os.path.dirname(__file__), f"{name}.py")  # noqa: PTH118, PTH120 - quicker to import
    spec = importlib.util.spec_from_file_location(f"_workbench_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and protocols look themselves up there
    spec.loader.exec_module(module)
    return module


_agent = _beside("python_agent")
_failures = _beside("python_failures")


class CallFailed(RuntimeError):
    """What was called has failed, as the message says."""


class Ledger:
    """The file that says which calls began and how they ended; the run has made it."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND)
        self._is_cut_off = False

    def write(self, entry: dict[str, Any]) -> None:
        """Add *entry*; it is on the disk when this returns. Raises OSError."""
        # behind an entry for which the disk had no room, on a line of its own
        data = b"\n" * self._is_cut_off + json.dumps(entry).encode("ascii") + b"\n"
        self._is_cut_off = True
        while data:
            data = data[os.write(self._file, data) :]
        os.fsync(self._file)
        self._is_cut_off = False


class Loop(contextlib.ExitStack):
    """Where coroutines run: made for the first of them, for it would double the time until a child is ready."""

    runner: Any = None

    def run(self, coroutine: Any) -> Any:
        """What *coroutine* returns. Raises what it raises."""
        if self.runner is None:
            import asyncio  # noqa: PLC0415 - as above

            self.runner = self.enter_context(asyncio.Runner())
        return self.runner.run(coroutine)


def main() -> None:
    """Serve calls until the requests end."""
    requests, replies = _take_streams()
    greeting = json.loads(requests.readline())
    _limit_memory(greeting["memory_mb"])
    line = Line(Ledger(greeting["ledger"]), requests, replies, greeting)
    with Loop() as loop:
        problem = _load(line)
        line.send({"failed": problem} if problem else {"ready": True})
        while request := requests.readline():
            _serve(json.loads(request), line, loop)
    _leave()


def _leave() -> NoReturn:
    """End at once: the run has gone away, what was done is in the ledger, and nothing else that goes on is waited for.

    Not by an exception: the playbook's Python could catch it, and would take it for its own.
    """
    os._exit(0)


def _limit_memory(megabytes: int) -> None:
    """Let this process, and each that it starts, have so much memory of its own."""
    if sys.platform != "win32":
        limit = megabytes * _MEGABYTE
        with contextlib.suppress(OSError, ValueError):  # where the system has a lower limit, that stays
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _take_streams() -> tuple[TextIO, TextIO]:
    """Requests and replies on descriptors of their own, so that the playbook's Python cannot mix with them."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    printed, end = os.pipe()
    threading.Thread(target=_forward, args=(printed, os.dup(2)), daemon=True).start()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(end, 1)
    os.dup2(end, 2)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]
    return requests, replies


def _forward(printed: int, to: int) -> None:
    """Hand on what is printed; when the run is gone it is dropped, since a print must not break a call."""
    is_heard = True
    while chunk := os.read(printed, 65536):
        try:
            while chunk and is_heard:
                chunk = chunk[os.write(to, chunk) :]
        except OSError:
            is_heard = False


class Line:
    """The line to the run: what the playbook's Python calls besides itself is asked for here.

    While an answer is waited for, calls may come the other way: a playbook that was asked for calls Python too.
    """

    def __init__(self, ledger: Ledger, requests: TextIO, replies: TextIO, greeting: dict[str, Any]) -> None:
        self.ledger, self.requests, self.replies = ledger, requests, replies
        self.greeting = greeting
        self.words = greeting["words"]
        self.offered = frozenset(greeting.get("callables", ()))
        self.functions: dict[str, Callable[..., Any]] = {}
        self.calls: list[Any] = []
        self.failures: dict[str, BaseException] = {}

    @property
    def acting(self) -> str:
        """As which agent the call at hand is made. Raises RuntimeError where there is none."""
        return str(self._call.agent)

    @property
    def _call(self) -> Any:
        if not self.calls:
            raise RuntimeError(self.words["no_call"])
        return self.calls[-1]

    def callable(self, name: str) -> Callable[..., Any]:
        """What calls *name* when it is awaited."""

        async def called(*positional: Any, **named: Any) -> Any:
            return self.ask(name, positional, named)

        called.__name__ = called.__qualname__ = name.rpartition(".")[2]
        return called

    def send(self, reply: dict[str, Any]) -> None:
        """Say *reply*, behind all that was printed."""
        self._write(json.dumps(reply))

    def _write(self, text: str) -> None:
        _end_output()
        try:
            self.replies.write(text + "\n")
            self.replies.flush()
        except OSError:
            _leave()

    def ask(self, name: str, positional: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """What the call of *name* gives.

        Raises RuntimeError where the run refuses it; where it fails, the exception of Python here, else CallFailed.
        """
        self.settle()
        asks = {"name": name, "positional": _agent.as_data(positional), "named": _agent.as_data(named)}
        return _agent.named(self._exchange({"asks": asks}))

    def look(self, what: str, name: str = "") -> Any:
        """What the run says of *what*: variables as lists that are empty where there is none."""
        self.settle()
        call, value = self._call, _agent.named(self._exchange({"looks": what, "name": name}))
        return [call.kept(name, value[0])] if what == "variable" and value else value

    def set(self, name: str, value: Any) -> None:
        """Set the variable *name* of the agent."""
        self.settle()
        self._call.seen.pop(name, None)
        self._exchange({"sets": name, "value": self._plain(name, value)})
        self._call.kept(name, value)

    def settle(self) -> None:
        """Set the variables whose values, lists and records that Python was given, it has changed since."""
        for name, (value, text) in list(self.calls[-1].seen.items()) if self.calls else ():
            del self._call.seen[name]  # what cannot be set is told once
            data = self._plain(name, value)
            if json.dumps(data) != text:
                if json.dumps(self._exchange({"looks": "variable", "name": name})) != f"[{text}]":
                    raise RuntimeError(self.words["changed"].format(name=name))
                self._exchange({"sets": name, "value": data})
            self._call.kept(name, value)

    def _plain(self, name: str, value: Any) -> Any:
        """*value* of the variable *name* as data. Raises TypeError."""
        try:
            return _agent.as_data(value)
        except _agent.NotData as error:
            raise TypeError(self.words["not_kept"].format(name=name, kind=error.kind)) from None

    def _exchange(self, message: dict[str, Any]) -> Any:
        text = json.dumps(message, allow_nan=False)
        if len(text) > self.greeting["reply_limit"]:
            raise ValueError(_too_long(text, "passed", self.greeting))
        faulthandler.cancel_dump_traceback_later()  # a person may take their time
        self._write(text)
        reply = self._answer()
        _limit_time(self.greeting)
        if "refused" in reply:
            raise RuntimeError(reply["refused"])
        if "failed" in reply:
            raise self.failures.pop(reply["key"], None) or CallFailed(reply["failed"])
        return reply["value"]

    def _answer(self) -> dict[str, Any]:
        while line := self.requests.readline():
            message = json.loads(line)
            if "reply" in message:
                return dict(message["reply"])
            inner = threading.Thread(target=self._serve_within, args=(message,))  # here a loop is running already
            inner.start()
            inner.join()
        _leave()

    def _serve_within(self, call: dict[str, Any]) -> None:
        with Loop() as loop:
            _serve(call, self, loop)


def _limit_time(greeting: dict[str, Any]) -> None:
    """End this process when Python takes too long: the run may be dead, and then nobody else does."""
    faulthandler.dump_traceback_later(greeting["time_limit_s"] + greeting["grace_s"], exit=True)


def _offer(line: Line, names: dict[str, Any]) -> None:
    """Put everything that can be called besides into *names*."""
    for name in line.greeting.get("callables", ()):
        agent, dot, own = name.rpartition(".")
        if not dot:
            names[name] = line.callable(name)
            continue
        if not isinstance(names.get(agent), types.SimpleNamespace):
            names[agent] = types.SimpleNamespace()
        setattr(names[agent], own, line.callable(name))
        names.setdefault(own, line.callable(name))


def _load(line: Line) -> str:
    """Run the fences, which fills the functions of *line*; a sentence where that fails."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        line.functions[function.__name__] = function
        line.offered |= {function.__name__}
        # awaited by other Python it is a call like any other, which the run makes and writes down
        return line.callable(function.__name__) if _is_awaited(function) else function

    def playbook(*given: Any, **_options: Any) -> Any:
        return register(given[0]) if len(given) == 1 and callable(given[0]) else register

    module = sys.modules["playbook"] = types.ModuleType("playbook")
    if line.offered:
        vars(module)["agent"] = vars(module)["self"] = _agent.Agent(line)
        vars(module)["agents"] = _agent.Agents(line)
    _offer(line, vars(module))
    vars(module)["playbook"] = playbook
    for number, source in enumerate(line.greeting["fences"]):
        name = _failures.FENCE.format(number=number)
        try:
            exec(compile(source, name, "exec", dont_inherit=True), vars(module))  # noqa: S102 - it is trusted
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is reported
            return _sentence(error, line.greeting)
    return ""


def _is_awaited(function: Callable[..., Any]) -> bool:
    """True where calling *function* gives a coroutine."""
    if isinstance(function, types.FunctionType) and "inspect" not in sys.modules:
        return bool(function.__code__.co_flags & _COROUTINE_FLAG)
    import inspect  # noqa: PLC0415 - only it knows what else there is

    return inspect.iscoroutinefunction(function)


def _serve(call: dict[str, Any], line: Line, loop: Loop) -> None:
    """Make one *call* and reply with what came of it."""
    key = call["key"]
    try:
        line.ledger.write({"key": key, "state": "begun"})
    except OSError as error:
        message = line.greeting["words"]["unwritten"].format(reason=error.strerror)
        line.send({"state": "failed", "message": message})
        return
    _limit_time(line.greeting)
    line.calls.append(_agent.Call(call.get("agent", "")))
    outcome = _outcome(line, call, loop)
    line.calls.pop()
    if not line.calls:
        line.failures.clear()
    faulthandler.cancel_dump_traceback_later()
    with contextlib.suppress(OSError):  # a full disk: then the run has to write down what it is told
        line.ledger.write({"key": key, **outcome})
    line.send(outcome)


def _outcome(line: Line, call: dict[str, Any], loop: Loop) -> dict[str, Any]:
    function, greeting = line.functions.get(call["name"]), line.greeting
    if function is None:
        return {"state": "failed", "message": greeting["words"]["unknown"].format(name=call["name"])}
    try:
        try:
            value = function(*call["positional"], **call["named"])
            if isinstance(value, types.CoroutineType):
                value = loop.run(value)
        finally:
            line.settle()
        text = json.dumps(data := _agent.as_data(value), allow_nan=False)
        if len(text) > greeting["reply_limit"]:
            raise ValueError(_too_long(text, "returned", greeting))
        return {"state": "done", "value": data}
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is reported
        line.failures[call["key"].partition("#")[0]] = error
        return {"state": "failed", "message": _sentence(error, greeting)}


def _too_long(text: str, how: str, greeting: dict[str, Any]) -> str:
    words = greeting["words"]
    size = f"{len(text):,}".replace(",", words["comma"])
    return str(words[how].format(size=size, limit=words["limit"]))


def _sentence(error: BaseException, greeting: dict[str, Any]) -> str:
    """What went wrong and in which line of which fence."""
    if isinstance(error, CallFailed):
        return str(error)
    kind = error.kind if isinstance(error, _agent.NotData) else ""
    words = f"TypeError: {greeting['words']['not_data'].format(kind=kind)}" if kind else ""
    return str(_failures.sentence(error, greeting, words))


def _end_output() -> None:
    """Mark the end of what one call has printed."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.write(2, END_OF_OUTPUT.encode())


if __name__ == "__main__":
    main()
