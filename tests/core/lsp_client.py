"""An editor for the language server: the client of pytest-lsp, which holds every message to what editors announce.

Texts stand in it as an editor has them: a row of UTF-16 units, which edits change by line and column.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import attrs
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.protocol.json_rpc import JsonRPCNotification
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

from tests.conftest import PATIENCE_S
from workbench.disk.places import HOME_VARIABLE

ROOT = Path(__file__).resolve().parents[2]
START = [sys.executable, "-m", "workbench", "lsp", "--stdio"]


class Refused(Exception):
    """The server has answered with an error. *code*: its number."""

    def __init__(self, code: int, words: str) -> None:
        super().__init__(words)
        self.code = code


class Editor:
    """One connection to a server that is a process of its own."""

    def __init__(self, home: Path, *, env: dict[str, str] | None = None) -> None:
        self._loop = asyncio.new_event_loop()
        self.client: LanguageClient = make_test_lsp_client()
        self._env = {**os.environ, HOME_VARIABLE: str(home), **(env or {})}
        self.told: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self._run(self.client.start_io(*START, cwd=str(ROOT), env=self._env))
        self.process: asyncio.subprocess.Process = self.client._server
        self.registered: list[str] = []
        features = self.client.protocol.fm.features
        features.pop(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, None)
        # the library notes something on what it is given, which a method cannot hold
        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self.told.put_nowait))
        self.client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(partial(self._on_registered))

    def _on_registered(self, params: lsp.RegistrationParams) -> None:
        self.registered += [each.method for each in params.registrations]

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(asyncio.wait_for(work, PATIENCE_S))

    # what an editor does

    def initialize(self, root: Path, capabilities: lsp.ClientCapabilities, **how: Any) -> lsp.InitializeResult:
        """Introduce the editor, which shows the folder *root*."""
        folders = [lsp.WorkspaceFolder(root.as_uri(), root.name)]
        params = lsp.InitializeParams(capabilities, os.getpid(), workspace_folders=folders, **how)
        self.client.capabilities = capabilities
        result: lsp.InitializeResult = self._run(self.client.initialize_async(params))
        self.client.initialized(lsp.InitializedParams())
        return result

    def ask(self, method: str, params: Any = None) -> Any:
        """What the server answers. Raises Refused."""
        try:
            return self._run(self.client.protocol.send_request_async(method, params))
        except JsonRpcException as error:
            raise Refused(error.code, error.message) from error

    def at(self, method: str, uri: str, place: lsp.Position, params: type | None = None, **how: Any) -> Any:
        """What the server answers about a place."""
        kind = params or lsp.METHOD_TO_TYPES[method][2]
        return self.ask(method, kind(text_document=lsp.TextDocumentIdentifier(uri), position=place, **how))

    def of(self, method: str, uri: str, **how: Any) -> Any:
        """What the server answers about a document."""
        kind = lsp.METHOD_TO_TYPES[method][2]
        return self.ask(method, kind(text_document=lsp.TextDocumentIdentifier(uri), **how))

    def open(self, uri: str, text: str, version: int = 1) -> None:
        """Show a document."""
        self.client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "markdown", version, text))
        )

    def change(self, uri: str, version: int, *changes: lsp.TextDocumentContentChangeEvent) -> None:
        """Type."""
        identifier = lsp.VersionedTextDocumentIdentifier(version, uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, list(changes)))

    def close(self, uri: str) -> None:
        """Show a document no more."""
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))

    def findings(self, uri: str, version: int | None = 1) -> list[lsp.Diagnostic]:
        """What the server tells of this version of a document; what it tells of others is passed over."""
        while True:
            told = self._run(self.told.get())
            if told.uri == uri and told.version == version:
                return list(told.diagnostics)

    def as_json(self, values: Sequence[Any]) -> str:
        """*values* of the protocol as they go over the wire."""
        return json.dumps([self.client.protocol._converter.unstructure(each) for each in values])

    def answers_to(self, *bodies: bytes) -> list[tuple[int | None, int]]:
        """The errors that the server answers to *bodies*, which the client would not send: number and code of each."""
        found: list[tuple[int | None, int]] = []
        protocol, is_over = self.client.protocol, asyncio.Event()
        take = protocol.structure_message

        def hear(data: dict[str, Any]) -> Any:
            if "error" not in data or isinstance(data["id"], str):
                return take(data)
            found.append((data["id"], data["error"]["code"]))
            if len(found) == len(bodies):
                is_over.set()
            return JsonRPCNotification("$/heard", "2.0", None)

        protocol.structure_message = hear
        assert self.process.stdin is not None
        for body in bodies:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._run(is_over.wait())
        protocol.structure_message = take
        return found

    def wait(self) -> int:
        """The exit code of the server, which ends."""
        return int(self._run(self.process.wait()))

    def kill(self) -> None:
        """End the server as a crash would."""
        self.process.kill()
        self.wait()

    def end(self) -> int:
        """Leave the server as an editor does; its exit code."""
        self.ask(lsp.SHUTDOWN)
        self.client.exit(None)
        return self.wait()

    def leave(self) -> None:
        """Let go of everything."""
        if self.process.returncode is None:
            self.process.kill()
        self._run(self.client.stop())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()


@contextmanager
def editor(home: Path, **how: Any) -> Iterator[Editor]:
    """An editor with a server of its own, which has ended afterwards."""
    one = Editor(home, **how)
    try:
        yield one
    finally:
        one.leave()


def capabilities_of(name: str, **text_document: Any) -> lsp.ClientCapabilities:
    """What a real editor announces: ``visual-studio-code``, ``neovim``, ``emacs``; *text_document*: and besides."""
    found: lsp.ClientCapabilities = client_capabilities(name)
    if text_document and found.text_document is not None:
        found = attrs.evolve(found, text_document=attrs.evolve(found.text_document, **text_document))
    return found
