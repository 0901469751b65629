"""The server: what is offered as tools of the Model Context Protocol, whatever carries the messages.

Imports ``mcp``, which takes more than a second: import this where something is served and no earlier.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from workbench import __version__
from workbench.engine.fields import NotThatType
from workbench.engine.journal.events import RunEvent
from workbench.engine.ports import Request
from workbench.errors import WorkbenchError
from workbench.event_words import described
from workbench.i18n import _
from workbench.serving.calls import Begin, Form, Outcome, ServedRun, answer_of, form_of
from workbench.serving.offers import ServedTool
from workbench.tools.schemas import check_arguments

_KEY = "answer"
_PATIENCE_S = 600.0
_LARGEST_PROGRESS = 500
Context = ServerRequestContext[dict[str, Any]]
Result = types.CallToolResult | types.InputRequiredResult


class PlaybookServer:
    """Serves *offers*; each call is a run that *begin* makes.

    A question comes back to who called, as the protocol has it: as a request of ours where the client speaks an older
    revision, else as a result that asks for more, with which the call is made again. A question that nobody answers for
    *patience_s* is left to the desk.
    """

    def __init__(self, offers: Sequence[ServedTool], begin: Begin, patience_s: float = _PATIENCE_S) -> None:
        self._offers = {each.name: each for each in offers}
        self._begin = begin
        self._patience_s = patience_s
        self._waiting: dict[str, tuple[ServedRun, Request, asyncio.TimerHandle]] = {}
        self.protocol: Server[dict[str, Any]] = Server(
            "playbook-workbench",
            version=__version__,
            title="Playbook Workbench",
            instructions=_("Each tool is a playbook. A call is a run, which is kept and can be looked at later."),
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    @property
    def offers(self) -> tuple[ServedTool, ...]:
        """What is offered."""
        return tuple(self._offers.values())

    async def close(self) -> None:
        """Let go of the runs that wait for an answer: a person can go on with them."""
        waiting, self._waiting = list(self._waiting.values()), {}
        for served, _request, timer in waiting:
            timer.cancel()
            await asyncio.to_thread(served.leave)

    async def _list(self, _ctx: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(name=each.name, description=each.description or None, input_schema=dict(each.schema))
                for each in self._offers.values()
            ]
        )

    async def _call(self, ctx: Context, params: types.CallToolRequestParams) -> Result:
        if params.request_state is not None:
            return await self._go_on(ctx, params)
        offer, arguments = self._offers.get(params.name), params.arguments or {}
        if offer is None:
            return _failed(_("There is no playbook called {name} here.").format(name=params.name))
        try:
            check_arguments(offer.schema, arguments)
            served = await self._begun(offer, arguments)
        except WorkbenchError as error:
            return _failed(str(error))
        return await self._follow(ctx, served)

    async def _begun(self, offer: ServedTool, arguments: Mapping[str, Any]) -> ServedRun:
        """The run of a call. One that begins just when the call is taken back is stopped."""
        beginning = asyncio.ensure_future(asyncio.to_thread(self._begin, offer, arguments))
        try:
            return await asyncio.shield(beginning)
        except asyncio.CancelledError:
            beginning.add_done_callback(_stop)
            raise

    async def _go_on(self, ctx: Context, params: types.CallToolRequestParams) -> Result:
        """A call that is made again with what was asked for."""
        served, request, timer = self._waiting.pop(params.request_state or "", (None, None, None))
        if served is None or request is None or timer is None:
            return _failed(_("This question is no longer open. A person may go on with the run."))
        timer.cancel()
        said = (params.input_responses or {}).get(_KEY)
        filled = said if isinstance(said, types.ElicitResult) else None
        return await self._take(ctx, served, request, filled)

    async def _follow(self, ctx: Context, served: ServedRun) -> Result:
        """Go along with *served* until it ends or asks. Whoever takes the call back stops it."""
        steps = 0

        def tell(event: RunEvent) -> None:
            nonlocal steps
            steps += 1
            words = f"{event.step} {described(event)}".strip()[:_LARGEST_PROGRESS]
            telling.append(asyncio.ensure_future(ctx.session.report_progress(steps, None, words)))

        telling: list[asyncio.Future[None]] = []
        try:
            request = await served.follow(tell)
            await asyncio.gather(*telling, return_exceptions=True)
        except asyncio.CancelledError:
            await asyncio.shield(asyncio.to_thread(served.stop))
            raise
        if request is None:
            return _result(served.outcome)
        return await self._ask(ctx, served, request)

    async def _ask(self, ctx: Context, served: ServedRun, request: Request) -> Result:
        form = form_of(request)
        if form is None or not _can_ask(ctx):
            return await self._left(served, request)
        if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return self._asked_back(served, request, form)
        try:
            filled = await ctx.session.elicit_form(form.message, dict(form.schema), ctx.request_id)
        except asyncio.CancelledError:
            await asyncio.shield(asyncio.to_thread(served.stop))
            raise
        except Exception:  # noqa: BLE001 - the client's side of the wire: whatever it is, nobody has answered
            return await self._left(served, request)
        return await self._take(ctx, served, request, filled)

    def _asked_back(self, served: ServedRun, request: Request, form: Form) -> types.InputRequiredResult:
        """The result that asks; the run waits meanwhile, and nobody else can guess the name of its question."""
        state = secrets.token_urlsafe(24)
        timer = asyncio.get_running_loop().call_later(self._patience_s, self._give_up, state)
        self._waiting[state] = served, request, timer
        params = types.ElicitRequestFormParams(message=form.message, requested_schema=dict(form.schema))
        return types.InputRequiredResult(input_requests={_KEY: types.ElicitRequest(params=params)}, request_state=state)

    def _give_up(self, state: str) -> None:
        served, _request, _timer = self._waiting.pop(state, (None, None, None))
        if served is not None:
            asyncio.get_running_loop().run_in_executor(None, served.leave)

    async def _take(
        self, ctx: Context, served: ServedRun, request: Request, filled: types.ElicitResult | None
    ) -> Result:
        """Hand over what was filled in; who declines leaves it to the desk."""
        if filled is None or filled.action != "accept":
            return await self._left(served, request)
        try:
            answer = answer_of(request, filled.content or {})
        except NotThatType as error:
            return await self._ask_again(ctx, served, request, str(error))
        if not await served.take(request, answer):
            return await self._ask_again(ctx, served, request, _("This is no answer to the question."))
        return await self._follow(ctx, served)

    async def _ask_again(self, ctx: Context, served: ServedRun, request: Request, problem: str) -> Result:
        form = form_of(request)
        if form is None or served.run.pending is not request or ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            return await self._left(served, request)
        return self._asked_back(served, request, Form(f"{problem}\n{form.message}", form.schema))

    async def _left(self, served: ServedRun, request: Request) -> types.CallToolResult:
        await asyncio.to_thread(served.leave)
        return _result(served.waiting(request))


def _stop(begun: asyncio.Future[ServedRun]) -> None:
    if not begun.cancelled() and begun.exception() is None:
        asyncio.get_running_loop().run_in_executor(None, begun.result().stop)


def _can_ask(ctx: Context) -> bool:
    """Whether the client shows forms."""
    capabilities = ctx.session.client_capabilities
    shows = capabilities.elicitation if capabilities is not None else None
    return shows is not None and (shows.form is not None or shows.url is None)


def _result(outcome: Outcome) -> types.CallToolResult:
    data: Mapping[str, Any] = outcome.data
    return types.CallToolResult(
        content=[types.TextContent(text=outcome.text)], structured_content=dict(data), is_error=outcome.is_error
    )


def _failed(words: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=words)], is_error=True)
