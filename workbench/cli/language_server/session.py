"""What lives as long as a client is there: the documents as they are now, and what is looked for in them beside.

All of it is used on the one thread that reads; only what is frozen goes to the second one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

from lsprotocol import types as lsp

from workbench.assist.tools import tools_of
from workbench.assist.values import NOTHING, Around
from workbench.cli.language_server import shape
from workbench.cli.language_server.documents import Client, OpenDocument, View, opened, path_of
from workbench.cli.language_server.findings import findings_of, told
from workbench.disk.places import places
from workbench.i18n import LANGUAGES, SYSTEM, use_language
from workbench.project.imported import import_lines, imported_playbooks
from workbench.settings import load_settings

log = logging.getLogger(__name__)

_REST_S = 0.2
"""How long nothing has been typed before findings are looked for."""
_WATCHED = "**/*.{md,markdown,pb,playbooks,yaml,yml,json,py,toml}"
Found = TypeVar("Found")


class Session:
    """Who the client is, what it has open, and the second thread. *server*: sends what nobody asked for."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.view = View(Client())
        self.is_shut_down = False
        self._worker = ThreadPoolExecutor(1, "beside")
        self._tasks: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Nobody wants anything any more."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def beside(self, work: Callable[[], Found]) -> Found:
        """What *work* gives, done on the second thread; never, where it is cancelled before its turn."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do *work* while other things go on."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def initialize(self, params: lsp.InitializeParams) -> None:
        """Hear who the client is."""
        client = Client(params.capabilities)
        folders = [each.uri for each in params.workspace_folders or ()] or [params.root_uri or ""]
        known = tuple(path for uri in folders if (path := path_of(uri)) is not None)
        self.view = View(client, client.encoding, folders=known)
        spoken = (params.locale or "")[:2]
        if spoken in LANGUAGES and load_settings(places()).language == SYSTEM:
            use_language(spoken)

    def initialized(self, _params: Any) -> None:
        """Ask to be told when files change."""
        if self.view.client.can("workspace.did_change_watched_files.dynamic_registration"):
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(_WATCHED)])
            wish = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            self.server.client_register_capability(lsp.RegistrationParams([wish]))

    def shutdown(self, _params: Any) -> None:
        """The client is about to go."""
        self.is_shut_down = True

    def folders_changed(self, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        """Other folders are shown as the project."""
        gone = {path_of(each.uri) for each in params.event.removed}
        come = (path_of(each.uri) for each in params.event.added)
        kept = (each for each in self.view.folders if each not in gone)
        self.view = replace(self.view, folders=(*kept, *(each for each in come if each is not None)))

    def put(self, document: OpenDocument) -> None:
        """Take *document* for what it is now."""
        documents = {**self.view.documents, document.uri: document}
        self.view = replace(self.view, documents=MappingProxyType(documents))

    def drop(self, uri: str) -> None:
        """What is on the disk counts again."""
        left = {each: document for each, document in self.view.documents.items() if each != uri}
        self.view = replace(self.view, documents=MappingProxyType(left))


class Knowledge:
    """What is known beside each text, for whoever completes: tools, and playbooks of the files that it imports."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._around: dict[str, Around] = {}
        self._imports: dict[str, tuple[str, ...]] = {}

    def of(self, document: OpenDocument) -> Around:
        """As far as it is known by now."""
        return self._around.get(document.uri, NOTHING)

    def opened(self, document: OpenDocument) -> None:
        """Look for the tools of a document."""
        if document.is_ours:
            self._session.spawn(self._learn_tools(document))
        self.changed(document)

    def changed(self, document: OpenDocument) -> None:
        """Look into the files that are imported, where these are others than before."""
        lines = import_lines(document.snapshot.text)
        if document.path is not None and lines != self._imports.get(document.uri, ()):
            self._imports[document.uri] = lines
            self._session.spawn(self._learn_imports(document))

    def closed(self, uri: str) -> None:
        """Nothing is to be known any more."""
        self._around.pop(uri, None)
        self._imports.pop(uri, None)

    async def _learn_tools(self, document: OpenDocument) -> None:
        work = partial(tools_of, document.path, document.snapshot.program, places())
        self._keep(document, tools=await self._session.beside(work))

    async def _learn_imports(self, document: OpenDocument) -> None:
        assert document.path is not None, "only files import others"
        work = partial(imported_playbooks, document.path, document.snapshot.text)
        self._keep(document, imported=await self._session.beside(work))

    def _keep(self, document: OpenDocument, **learned: Any) -> None:
        if document.uri in self._session.view.documents:
            self._around[document.uri] = replace(self.of(document), **learned)


class Diagnosis:
    """Looks for findings when typing rests, and tells them to a client that does not ask for them itself."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._waiting: dict[str, asyncio.TimerHandle] = {}

    @property
    def _is_asked(self) -> bool:
        """Whether the client asks for findings when it wants some."""
        what = self._session.view.client.capabilities.text_document
        return what is not None and what.diagnostic is not None

    def opened(self, uri: str) -> None:
        """A document is there."""
        self._look(uri, 0)
        self._look_around(uri)

    def changed(self, uri: str) -> None:
        """A document is another."""
        self._look(uri, _REST_S)
        self._look_around(uri)

    def closed(self, uri: str) -> None:
        """A document is open no more, so nothing is to be seen in it."""
        if not self._is_asked:
            self._session.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
        self._look_around(uri)

    def files_changed(self, _params: Any) -> None:
        """Something was saved, here or elsewhere."""
        for uri in self._session.view.documents:
            self._look(uri, _REST_S)
        self._refresh()

    def _look(self, uri: str, after_s: float) -> None:
        """Look for findings soon; the last wish counts."""
        if self._is_asked:
            return
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        self._waiting[uri] = asyncio.get_running_loop().call_later(after_s, self._begin, uri)

    def _look_around(self, uri: str) -> None:
        """Look again at what is open and may import the document *uri*."""
        documents = self._session.view.documents
        beside = [each for each, one in documents.items() if each != uri and one.snapshot.may_import]
        for each in beside:
            self._look(each, _REST_S)
        if beside:
            self._refresh()

    def _refresh(self) -> None:
        if self._is_asked and self._session.view.client.can("workspace.diagnostics.refresh_support"):
            self._session.server.workspace_diagnostic_refresh(None)

    def _begin(self, uri: str) -> None:
        self._waiting.pop(uri, None)
        self._session.spawn(self._publish(uri))

    async def _publish(self, uri: str) -> None:
        """Tell the findings of a document, unless it is another by then: they will be looked for again."""
        view = self._session.view
        document = view.documents.get(uri)
        if document is None:
            return
        found = await self._session.beside(partial(_told_of, view, document))
        if self._session.view.documents.get(uri) is document:
            params = lsp.PublishDiagnosticsParams(uri, found, document.version)
            self._session.server.text_document_publish_diagnostics(params)


def _told_of(view: View, document: OpenDocument) -> list[lsp.Diagnostic]:
    return [told(view, document, each) for each in findings_of(view, document)]


class Colours:
    """The colours of documents, and what has changed in them since the client asked last."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._kept: dict[str, tuple[str, list[int]]] = {}

    def closed(self, uri: str) -> None:
        """Nobody will ask what has changed."""
        self._kept.pop(uri, None)

    async def all(self, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
        """All colours of a document."""
        found = await self._coloured(params.text_document.uri)
        return lsp.SemanticTokens(found[1], found[0]) if found is not None else None

    async def changes(
        self, params: lsp.SemanticTokensDeltaParams
    ) -> lsp.SemanticTokens | lsp.SemanticTokensDelta | None:
        """What is other than it was; all of it where the client has something else."""
        before = self._kept.get(params.text_document.uri)
        found = await self._coloured(params.text_document.uri)
        if found is None:
            return None
        if before is None or before[0] != params.previous_result_id:
            return lsp.SemanticTokens(found[1], found[0])
        edits = await self._session.beside(partial(shape.token_edits, before[1], found[1]))
        return lsp.SemanticTokensDelta(edits, found[0])

    async def _coloured(self, uri: str) -> tuple[str, list[int]] | None:
        document = self._session.view.documents.get(uri)
        if document is None:
            return None
        found = str(document.version), await self._session.beside(partial(shape.tokens_of, document))
        self._kept[uri] = found
        return found


class Documents:
    """Takes what the client says of its documents, and lets all who follow them know."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.knowledge = Knowledge(session)
        self.diagnosis = Diagnosis(session)
        self.colours = Colours(session)

    def open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """A document is open from now on."""
        document = opened(params.text_document, self._session.view.encoding)
        self._session.put(document)
        self.diagnosis.opened(document.uri)
        self.knowledge.opened(document)

    def change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Text was typed."""
        before = self._session.view.documents.get(params.text_document.uri)
        if before is None:
            log.error("The client changed a document that it has not opened")
            return
        document = before.changed(params)
        self._session.put(document)
        self.diagnosis.changed(document.uri)
        self.knowledge.changed(document)

    def close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """A document is shown no more."""
        uri = params.text_document.uri
        self._session.drop(uri)
        self.knowledge.closed(uri)
        self.colours.closed(uri)
        self.diagnosis.closed(uri)
