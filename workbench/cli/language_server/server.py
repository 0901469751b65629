"""The language server: what a client can ask for, and when it is answered.

One thread reads, keeps the documents as they are now and answers what somebody waits for at a key; what grows with a
document or a project is worked out on a second thread, from values that do not change. So a request is answered of the
state that it was sent in, whatever has been typed since, and nothing long holds up the next key.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from threading import Event
from types import MappingProxyType
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import FeatureRequestError, JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import JsonRPCNotification

from workbench import __version__
from workbench.assist.tools import tools_of
from workbench.assist.values import NOTHING, Around
from workbench.cli.language_server import findings, naming, shape, writing
from workbench.cli.language_server.documents import Client, OpenDocument, View, opened, path_of
from workbench.disk.places import places
from workbench.editing.commands import Refusal
from workbench.i18n import LANGUAGES, SYSTEM, use_language
from workbench.settings import load_settings

log = logging.getLogger(__name__)

_REST_S = 0.2
"""How long nothing has been typed before findings are looked for."""
_SWITCH_S = 0.001
"""How long the second thread may go on while a key waits."""
_PASSED_OVER = "$/passedOver"
Found = TypeVar("Found")
Answer = Callable[[View, OpenDocument, Any], Any]


class _Protocol(LanguageServerProtocol):
    """The protocol without its own copy of the documents, and with an answer to whatever is sent."""

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> Any:
        """Hand a document on."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> Any:
        """Hand a change on."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> Any:
        """Hand on that a document is open no more."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CLOSE], (params,), None

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message that *data* is; a request that is none is answered at once."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" not in data or "id" not in data:
                raise
            is_known = self.get_message_type(data["method"]) is not None
            code = lsp.ErrorCodes.InvalidParams if is_known else lsp.ErrorCodes.MethodNotFound
            self.refuse(data["id"], code, str(error))
            return JsonRPCNotification(_PASSED_OVER, "", None)

    def handle_message(self, message: Any) -> None:
        """Take a message, where it is one and it is time for it."""
        number, method = getattr(message, "id", None), getattr(message, "method", "")
        if method == _PASSED_OVER:
            return
        if getattr(message, "jsonrpc", "") != self.VERSION:
            number = message.get("id") if isinstance(message, dict) else number
            self.refuse(number, lsp.ErrorCodes.InvalidRequest, "this is no message of JSON-RPC 2.0")
        elif number is not None and method and self._shutdown:
            self.refuse(number, lsp.ErrorCodes.InvalidRequest, "the server has been shut down")
        elif number is not None and method not in ("", lsp.INITIALIZE) and self._workspace is None:
            self.refuse(number, lsp.ErrorCodes.ServerNotInitialized, "the client has not introduced itself")
        else:
            super().handle_message(message)

    def refuse(self, number: int | str | None, code: lsp.ErrorCodes | lsp.LSPErrorCodes, words: str) -> None:
        """Answer the request *number* with an error."""
        whole = number if isinstance(number, int | str) else None
        # by hand, for the library leaves a number out that is not known, where the protocol wants to hear just that
        error = {"code": code.value, "message": words}
        self._send_data({"jsonrpc": self.VERSION, "id": whole, "error": error})


class _Server(LanguageServer):
    """Tells of what goes wrong outside of an answer in the log, and not in a box in front of the person."""

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What cannot be read or done is answered; everything else is a mistake of ours."""
        if source is FeatureRequestError and not isinstance(error, JsonRpcInternalError):
            return
        if isinstance(error, json.JSONDecodeError | UnicodeDecodeError | RecursionError):
            self.protocol.refuse(None, lsp.ErrorCodes.ParseError, "this is no JSON")
        else:
            log.error("Could not carry out what the client sent: %s", error)


class Session:
    """Everything that lives as long as the client is there; used on one thread, but for what is frozen."""

    def __init__(self, server: Any) -> None:
        self.is_shut_down = False
        self._server = server
        self._view = View(Client())
        self._worker = ThreadPoolExecutor(1, "beside")
        self._tools: dict[str, Around] = {}
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._tokens: dict[str, tuple[str, list[int]]] = {}
        self._symbols = naming.SymbolIndex()

    def close(self) -> None:
        """Nobody wants anything any more."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    # what the client tells

    def initialize(self, params: lsp.InitializeParams) -> None:
        """Hear who the client is."""
        client = Client(params.capabilities)
        folders = [each.uri for each in params.workspace_folders or ()] or [params.root_uri or ""]
        known = tuple(path for uri in folders if (path := path_of(uri)) is not None)
        self._view = View(client, client.encoding, folders=known)
        spoken = (params.locale or "")[:2]
        if spoken in LANGUAGES and load_settings(places()).language == SYSTEM:
            use_language(spoken)

    def initialized(self, _params: Any) -> None:
        """Ask to be told when files change."""
        if self._view.client.can("workspace.did_change_watched_files.dynamic_registration"):
            watched = [lsp.FileSystemWatcher("**/*.{md,markdown,pb,playbooks,yaml,yml,json,py,toml}")]
            options = lsp.DidChangeWatchedFilesRegistrationOptions(watched)
            wish = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            self._server.client_register_capability(lsp.RegistrationParams([wish]))

    def shutdown(self, _params: Any) -> None:
        """The client is about to go."""
        self.is_shut_down = True

    def folders_changed(self, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        """Other folders are shown as the project."""
        gone = {path_of(each.uri) for each in params.event.removed}
        come = (path_of(each.uri) for each in params.event.added)
        kept = (each for each in self._view.folders if each not in gone)
        self._view = replace(self._view, folders=(*kept, *(each for each in come if each is not None)))

    def open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """A document is open from now on."""
        document = opened(params.text_document, self._view.encoding)
        self._put(document)
        self._look(document.uri, 0)
        self._look_around(document.uri)
        self._learn_tools(document)

    def change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Text was typed."""
        document = self._view.documents.get(params.text_document.uri)
        if document is None:
            log.error("The client changed a document that it has not opened")
            return
        self._put(document.changed(params))
        self._look(document.uri, _REST_S)
        self._look_around(document.uri)

    def close_document(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """What is on the disk counts again."""
        uri = params.text_document.uri
        left = {each: document for each, document in self._view.documents.items() if each != uri}
        self._view = replace(self._view, documents=MappingProxyType(left))
        self._tools.pop(uri, None)
        self._tokens.pop(uri, None)
        if not self._is_asked:
            self._server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
        self._look_around(uri)

    def files_changed(self, _params: Any) -> None:
        """Something was saved, here or elsewhere."""
        for uri in self._view.documents:
            self._look(uri, _REST_S)
        self._refresh()

    def renamed(self, params: lsp.RenameFilesParams) -> None:
        """Files have other names."""
        naming.take_along(params.files)

    def _put(self, document: OpenDocument) -> None:
        documents = {**self._view.documents, document.uri: document}
        self._view = replace(self._view, documents=MappingProxyType(documents))

    # findings

    @property
    def _is_asked(self) -> bool:
        """Whether the client asks for findings when it wants some."""
        return self._view.client.capabilities.text_document is not None and (
            self._view.client.capabilities.text_document.diagnostic is not None
        )

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
        beside = [each for each, one in self._view.documents.items() if each != uri and "!import" in one.snapshot.text]
        for each in beside:
            self._look(each, _REST_S)
        if beside:
            self._refresh()

    def _refresh(self) -> None:
        if self._is_asked and self._view.client.can("workspace.diagnostics.refresh_support"):
            self._server.workspace_diagnostic_refresh(None)

    def _begin(self, uri: str) -> None:
        self._waiting.pop(uri, None)
        self._spawn(self._publish(uri))

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _publish(self, uri: str) -> None:
        view = self._view
        document = view.documents.get(uri)
        if document is None:
            return
        told = await self._beside(
            lambda: [findings.told(view, document, each) for each in findings.findings_of(view, document)]
        )
        if self._view.documents.get(uri) is document:
            self._server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, told, document.version))

    async def _beside(self, work: Callable[[], Found]) -> Found:
        """What *work* gives, done on the second thread."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    # what the client asks

    def answer_now(self, work: Answer) -> Callable[[Any], Any]:
        """Answers with *work* before anything else is read."""

        def handle(params: Any) -> Any:
            document = self._view.documents.get(params.text_document.uri)
            return None if document is None else _answered(work(self._view, document, params))

        return handle

    def answer_beside(self, work: Answer) -> Callable[[Any], Any]:
        """Answers with *work*, done on the second thread, of the document as it is now."""

        async def handle(params: Any) -> Any:
            view = self._view
            document = view.documents.get(params.text_document.uri)
            if document is None:
                return None
            return _answered(await self._beside(partial(work, view, document, params)))

        return handle

    def writing(self, work: Callable[..., Any]) -> Callable[[Any], Any]:
        """Answers with *work*, which wants to know what is around the text."""
        return self.answer_now(
            lambda view, document, params: work(document, params, self._tools.get(document.uri, NOTHING), view)
        )

    def _learn_tools(self, document: OpenDocument) -> None:
        if document.is_ours:
            self._spawn(self._learn(document))

    async def _learn(self, document: OpenDocument) -> None:
        tools = await self._beside(partial(tools_of, document.path, document.snapshot.program, places()))
        if document.uri in self._view.documents:
            self._tools[document.uri] = Around(tools)

    async def resolve(self, action: lsp.CodeAction) -> lsp.CodeAction:
        """The edit of an operation that somebody looks at."""
        found: lsp.CodeAction = _answered(await self._beside(partial(findings.resolved, self._view, action)))
        return found

    async def workspace_symbols(self, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        """What is called like that in the project."""
        is_over = Event()
        try:
            return await self._beside(partial(self._symbols.found, self._view, params.query, is_over.is_set))
        finally:
            is_over.set()

    async def will_rename(self, params: lsp.RenameFilesParams) -> lsp.WorkspaceEdit | None:
        """The links that change when files get other names."""
        return await self._beside(partial(naming.edits_for_renaming, self._view, params.files))

    async def tokens(self, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
        """All colours."""
        found = await self._coloured(params.text_document.uri)
        return lsp.SemanticTokens(found[1], found[0]) if found is not None else None

    async def token_changes(
        self, params: lsp.SemanticTokensDeltaParams
    ) -> lsp.SemanticTokens | lsp.SemanticTokensDelta | None:
        """What is other in the colours than it was."""
        before = self._tokens.get(params.text_document.uri)
        found = await self._coloured(params.text_document.uri)
        if found is None:
            return None
        if before is None or before[0] != params.previous_result_id:
            return lsp.SemanticTokens(found[1], found[0])
        edits = await self._beside(partial(shape.token_edits, before[1], found[1]))
        return lsp.SemanticTokensDelta(edits, found[0])

    async def _coloured(self, uri: str) -> tuple[str, list[int]] | None:
        document = self._view.documents.get(uri)
        if document is None:
            return None
        found = str(document.version), await self._beside(partial(shape.tokens_of, document))
        self._tokens[uri] = found
        return found


def _answered(found: Any) -> Any:
    """*found*; a refusal is an error with its words."""
    if isinstance(found, Refusal):
        raise JsonRpcException(found.message, lsp.LSPErrorCodes.RequestFailed.value)
    return found


def _of_range(_view: View, document: OpenDocument, params: lsp.SemanticTokensRangeParams) -> lsp.SemanticTokens:
    lines = range(params.range.start.line, params.range.end.line + 1)
    return lsp.SemanticTokens(shape.tokens_of(document, lines))


_NOW: Mapping[str, Answer] = {
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: lambda view, document, params: naming.highlights(document, params),
    lsp.TEXT_DOCUMENT_SELECTION_RANGE: lambda view, document, params: shape.selection_ranges(document, params),
}
_WRITING: Mapping[str, Callable[..., Any]] = {
    lsp.TEXT_DOCUMENT_COMPLETION: writing.completion_list,
    lsp.TEXT_DOCUMENT_HOVER: writing.hover_at,
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: writing.signature_at,
}
_BESIDE: Mapping[str, Answer] = {
    lsp.TEXT_DOCUMENT_DIAGNOSTIC: findings.report,
    lsp.TEXT_DOCUMENT_CODE_ACTION: findings.code_actions,
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: lambda view, document, params: shape.document_symbols(view, document),
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: lambda view, document, params: shape.folding_ranges(document),
    lsp.TEXT_DOCUMENT_INLAY_HINT: lambda view, document, params: shape.inlay_hints(document, params),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: _of_range,
    lsp.TEXT_DOCUMENT_DEFINITION: naming.definitions,
    lsp.TEXT_DOCUMENT_REFERENCES: naming.references,
    lsp.TEXT_DOCUMENT_DOCUMENT_LINK: lambda view, document, params: naming.document_links(view, document),
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: naming.rename_place,
    lsp.TEXT_DOCUMENT_RENAME: naming.renamed,
}
_FILES = lsp.FileOperationRegistrationOptions(
    [lsp.FileOperationFilter(lsp.FileOperationPattern("**/*", lsp.FileOperationPatternKind.File), "file")]
)
_OPTIONS: Mapping[str, Any] = {
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(trigger_characters=list(writing.TRIGGERS)),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: lsp.SignatureHelpOptions(["(", ","], [")"]),
    lsp.TEXT_DOCUMENT_DIAGNOSTIC: lsp.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=False, identifier=findings.SOURCE
    ),
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions(
        [
            lsp.CodeActionKind.QuickFix,
            findings.FIX_ALL,
            *dict.fromkeys(each.kind for each in findings.OPERATIONS.values()),
        ],
        resolve_provider=True,
    ),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: shape.LEGEND,
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: shape.LEGEND,
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: shape.LEGEND,
    lsp.WORKSPACE_WILL_RENAME_FILES: _FILES,
    lsp.WORKSPACE_DID_RENAME_FILES: _FILES,
}


def _table(session: Session) -> Mapping[str, Callable[[Any], Any]]:
    """What takes each message that a client can send."""
    return {
        lsp.INITIALIZE: session.initialize,
        lsp.INITIALIZED: session.initialized,
        lsp.SHUTDOWN: session.shutdown,
        lsp.TEXT_DOCUMENT_DID_OPEN: session.open,
        lsp.TEXT_DOCUMENT_DID_CHANGE: session.change,
        lsp.TEXT_DOCUMENT_DID_CLOSE: session.close_document,
        lsp.TEXT_DOCUMENT_DID_SAVE: session.files_changed,
        lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: session.files_changed,
        lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: session.folders_changed,
        lsp.WORKSPACE_DID_RENAME_FILES: session.renamed,
        lsp.WORKSPACE_WILL_RENAME_FILES: session.will_rename,
        lsp.WORKSPACE_SYMBOL: session.workspace_symbols,
        lsp.CODE_ACTION_RESOLVE: session.resolve,
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: session.tokens,
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: session.token_changes,
        **{method: session.answer_now(work) for method, work in _NOW.items()},
        **{method: session.writing(work) for method, work in _WRITING.items()},
        **{method: session.answer_beside(work) for method, work in _BESIDE.items()},
    }


def serve(wire_in: int, wire_out: int) -> int:
    """Serve one client over two pipes, until it goes; 0 where it has said so before."""
    sys.setswitchinterval(_SWITCH_S)
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # what it tells is answered, or told by us
    server = _Server("workbench", __version__, protocol_cls=_Protocol, max_workers=2)
    session = Session(server)
    for method, handler in _table(session).items():
        # the library notes something on what it is given, which a method cannot hold
        server.feature(method, _OPTIONS.get(method))(partial(handler))
    with os.fdopen(wire_in, "rb") as heard, os.fdopen(wire_out, "wb") as said:
        try:
            server.start_io(heard, said)
        finally:
            session.close()
    return 0 if session.is_shut_down else 1
