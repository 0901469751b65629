"""The language server: what a client can ask for, and when it is answered.

One thread reads, keeps the documents as they are now and answers what somebody waits for at a key; what grows with a
document or a project is worked out on a second thread, from values that do not change. So a request is answered of the
state that it was sent in, whatever has been typed since, and nothing long holds up the next key.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from threading import Event
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import FeatureRequestError, JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import JsonRPCNotification

from workbench import __version__
from workbench.cli.language_server import findings, naming, shape, writing
from workbench.cli.language_server.documents import OpenDocument, View
from workbench.cli.language_server.session import Documents, Knowledge, Session
from workbench.editing.commands import Refusal

log = logging.getLogger(__name__)

_SWITCH_S = 0.001
"""How long the second thread may go on while a key waits."""
_PASSED_OVER = "$/passedOver"
Answer = Callable[[View, OpenDocument, Any], Any]
Handler = Callable[[Any], Any]


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


def _now(session: Session, work: Answer) -> Handler:
    """Answers with *work* before anything else is read."""

    def handle(params: Any) -> Any:
        document = session.view.documents.get(params.text_document.uri)
        return None if document is None else work(session.view, document, params)

    return handle


def _writing(session: Session, knowledge: Knowledge, work: Callable[..., Any]) -> Handler:
    """The same with *work* that wants to know what is around the text."""
    return _now(session, lambda view, document, params: work(document, params, knowledge.of(document), view))


def _beside(session: Session, work: Answer) -> Handler:
    """Answers with *work*, done on the second thread, of the document as it is now."""

    async def handle(params: Any) -> Any:
        view = session.view
        document = view.documents.get(params.text_document.uri)
        if document is None:
            return None
        return _answered(await session.beside(partial(work, view, document, params)))

    return handle


def _of_project(session: Session, work: Callable[[View, Any], Any]) -> Handler:
    """Answers with *work*, which is about no single document, on the second thread."""

    async def handle(params: Any) -> Any:
        return _answered(await session.beside(partial(work, session.view, params)))

    return handle


def _symbols(session: Session) -> Handler:
    """Answers what is called like that in the project, and stops looking when nobody wants to know any more."""
    index = naming.SymbolIndex()

    async def handle(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        is_over = Event()
        try:
            return await session.beside(partial(index.found, session.view, params.query, is_over.is_set))
        finally:
            is_over.set()

    return handle


def _answered(found: Any) -> Any:
    """*found*; a refusal is an error with its words."""
    if isinstance(found, Refusal):
        raise JsonRpcException(found.message, lsp.LSPErrorCodes.RequestFailed.value)
    return found


def _of_range(_view: View, document: OpenDocument, params: lsp.SemanticTokensRangeParams) -> lsp.SemanticTokens:
    lines = range(params.range.start.line, params.range.end.line + 1)
    return lsp.SemanticTokens(shape.tokens_of(document, lines))


_AT_ONCE: Mapping[str, Answer] = {
    lsp.TEXT_DOCUMENT_SELECTION_RANGE: lambda view, document, params: shape.selection_ranges(document, params),
}
_FOR_WRITING: Mapping[str, Callable[..., Any]] = {
    lsp.TEXT_DOCUMENT_COMPLETION: writing.completion_list,
    lsp.TEXT_DOCUMENT_HOVER: writing.hover_at,
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: writing.signature_at,
}
_WORKED_OUT: Mapping[str, Answer] = {
    lsp.TEXT_DOCUMENT_DIAGNOSTIC: findings.report,
    lsp.TEXT_DOCUMENT_CODE_ACTION: findings.code_actions,
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: lambda view, document, params: shape.document_symbols(view, document),
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: lambda view, document, params: shape.folding_ranges(document),
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: lambda view, document, params: naming.highlights(document, params),
    lsp.TEXT_DOCUMENT_INLAY_HINT: lambda view, document, params: shape.inlay_hints(document, params),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: _of_range,
    lsp.TEXT_DOCUMENT_DEFINITION: naming.definitions,
    lsp.TEXT_DOCUMENT_REFERENCES: naming.references,
    lsp.TEXT_DOCUMENT_DOCUMENT_LINK: lambda view, document, params: naming.document_links(view, document),
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: naming.rename_place,
    lsp.TEXT_DOCUMENT_RENAME: naming.renamed,
}
_OF_PROJECT: Mapping[str, Callable[[View, Any], Any]] = {
    lsp.CODE_ACTION_RESOLVE: findings.resolved,
    lsp.WORKSPACE_WILL_RENAME_FILES: lambda view, params: naming.edits_for_renaming(view, params.files),
    lsp.WORKSPACE_DID_RENAME_FILES: lambda view, params: naming.take_along(params.files),
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


def _table(session: Session) -> Mapping[str, Handler]:
    """What takes each message that a client can send."""
    documents = Documents(session)
    return {
        lsp.INITIALIZE: session.initialize,
        lsp.INITIALIZED: session.initialized,
        lsp.SHUTDOWN: session.shutdown,
        lsp.TEXT_DOCUMENT_DID_OPEN: documents.open,
        lsp.TEXT_DOCUMENT_DID_CHANGE: documents.change,
        lsp.TEXT_DOCUMENT_DID_CLOSE: documents.close,
        lsp.TEXT_DOCUMENT_DID_SAVE: documents.diagnosis.files_changed,
        lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: documents.diagnosis.files_changed,
        lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: session.folders_changed,
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: documents.colours.all,
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: documents.colours.changes,
        lsp.WORKSPACE_SYMBOL: _symbols(session),
        **{method: _of_project(session, work) for method, work in _OF_PROJECT.items()},
        **{method: _now(session, work) for method, work in _AT_ONCE.items()},
        **{method: _writing(session, documents.knowledge, work) for method, work in _FOR_WRITING.items()},
        **{method: _beside(session, work) for method, work in _WORKED_OUT.items()},
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
