"""``workbench runs show RUN`` and ``runs context RUN N``: what models were asked in a run, and word for word."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from workbench.cli.running.judging import used_text
from workbench.cli.running.store import add_store, journal_in
from workbench.cli.terminal import FINE, Commands, add_command, show, show_json
from workbench.engine.audit.chain import as_json
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.model_events import ModelAnswered, ModelAsked
from workbench.engine.judging.sent import kept_request
from workbench.engine.state.fold import fold
from workbench.errors import CannotRead
from workbench.i18n import _, numeral
from workbench.providers.values import ModelRequest
from workbench.vocabulary import status_of_run, waiting_words


def register(verbs: Commands) -> None:
    """Add the verbs to *verbs* of ``runs``."""
    shown = add_command(verbs, "show", _("show a run: its end, and what models did and cost"), "runs show 0193")
    shown.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    shown.add_argument("--json", action="store_true", help=_("print JSON"))
    add_store(shown)
    shown.set_defaults(execute=show_run)
    context = add_command(
        verbs, "context", _("print a request to a model as it was sent"), "runs context 0193 2", _("N counts from 1.")
    )
    context.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    context.add_argument("number", metavar="N", type=int)
    add_store(context)
    context.set_defaults(execute=show_context)


def _events(journal: Journal, prefix: str) -> tuple[RunEvent, ...]:
    return journal.read(journal.find(prefix))


def show_run(options: argparse.Namespace) -> int:
    """Print the end of a run, a line for each request to a model, and what they cost together."""
    journal = journal_in(options.store)
    try:
        events = _events(journal, options.run)
    finally:
        journal.close()
    state = fold(events)
    asked = [event for event in events if isinstance(event.payload, ModelAsked | ModelAnswered)]
    if options.json:
        show_json({"run": state.run, "status": state.status.value, "models": [as_json(event) for event in asked]})
        return FINE
    show(f"{state.run}  {state.origin.playbook}  {status_of_run(state.status, is_live=False)}  {state.origin.path}")
    wait = state.waiting.wait
    if wait is not None:
        show(waiting_words(wait.until_ns, is_open=wait.is_open))
    for line in _lines(asked):
        show(line)
    if state.used.requests:
        show(used_text(state.used))
    return FINE


def _lines(events: Sequence[RunEvent]) -> list[str]:
    lines, number = [], 0
    for event in events:
        match event.payload:
            case ModelAsked(tokens=tokens) as asked:
                number += 1
                about = _("tokens: about {tokens}").format(tokens=numeral(sum(tokens.values())))
                model = "/".join(filter(None, (asked.endpoint, asked.model)))
                lines.append(f"{number:4}  {event.step:<18} {model}  {about}")
            case ModelAnswered() as answered:
                cost = "" if answered.cost_usd is None else f"  ${numeral(answered.cost_usd, '.4f')}"
                said = " ".join((answered.text or ", ".join(wish.tool for wish in answered.wishes)).split())
                lines.append(f"      → {numeral(answered.input)}/{numeral(answered.output)}{cost}  {said[:80]}")
    return lines


def show_context(options: argparse.Namespace) -> int:
    """Print one request, part by part."""
    journal = journal_in(options.store)
    try:
        asked = [one.payload for one in _events(journal, options.run) if isinstance(one.payload, ModelAsked)]
        if not 0 < options.number <= len(asked):
            message = _("There is no request {number}; requests to models in this run: {count}.")
            raise CannotRead(message.format(count=numeral(len(asked)), number=options.number))
        chosen = asked[options.number - 1]
        request = kept_request(journal, chosen.context)
    finally:
        journal.close()
    for part, tokens in chosen.tokens.items():
        show(f"{numeral(tokens):>8}  {part}")
    show(f"{numeral(sum(chosen.tokens.values())):>8}  = {_('tokens, estimated')}")
    _show_request(request)
    return FINE


def _show_request(request: ModelRequest) -> None:
    show(f"\n--- system\n{request.system}")
    for message in request.messages:
        show(f"\n--- {message.role.value}\n{message.text}")
        for wish in message.wishes:
            show(f"{wish.name}({wish.written or dict(wish.arguments or {})})")
    for tool in request.tools:
        show(f"\n--- tool {tool.name}\n{tool.description}")
        show_json(tool.schema)
    if request.schema is not None:
        show("\n--- schema")
        show_json(request.schema)
