"""``workbench runs`` and ``workbench resume RUN``: what was run, what models were asked, and how to go on with it."""

from __future__ import annotations

import argparse
import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from workbench.cli.running.choosing import add_choosing, chosen
from workbench.cli.running.debugging import add_stopping, breakpoints_in
from workbench.cli.running.following import begin
from workbench.cli.running.given import json_or_text
from workbench.cli.running.judging import add_judging, judged_options, used_text
from workbench.cli.running.keeping import register_keeping, size_words
from workbench.cli.running.pinning import register_pinning
from workbench.cli.running.replaying import register_log, register_where
from workbench.cli.running.run import add_answering, backend_for, person_here
from workbench.cli.running.servers import ready
from workbench.cli.running.store import add_store, journal_in, patterns_file_in
from workbench.cli.running.testing import register_saving, register_script
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, show, show_exactly, show_json
from workbench.engine.audit.chain import as_json
from workbench.engine.backends.script import ScriptBackend, ScriptedWalker
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.language_events import PlaybookWritten
from workbench.engine.journal.model_events import ModelAnswered, ModelAsked
from workbench.engine.journal.run_list import ForkedFrom, RunSummary, name_of
from workbench.engine.journal.storage.room import sizes
from workbench.engine.judging.sent import kept_request
from workbench.engine.language.program.book import written_source
from workbench.engine.ports import InDoubtChoice
from workbench.engine.running.run import Run
from workbench.engine.scripts import read_script
from workbench.engine.starting import options_of, refuse_cycle, resume_run, snapshot_of
from workbench.engine.state.fold import fold
from workbench.engine.state.waiting import OpenWait
from workbench.errors import CannotRead
from workbench.i18n import _, numeral
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.kinds import FileKind
from workbench.model.snapshot import derive
from workbench.planning.lessons import KnownPatterns
from workbench.providers.values import ModelRequest
from workbench.syntax.text import SourceText
from workbench.tools.permissions import Permissions
from workbench.vocabulary import status_of_run, waiting_words

_WAITING = frozenset({RunStatus.LISTENING, RunStatus.TIMED})
_CHOICES = (*(choice.value for choice in InDoubtChoice), "ask")


def register(commands: Commands) -> None:
    """Add the commands to *commands*."""
    runs = add_command(commands, "runs", _("list runs, newest first"), "runs")
    runs.add_argument("--json", action="store_true", help=_("print a JSON list"))
    runs.add_argument("--size", action="store_true", help=_("say in JSON too how many bytes each run takes"))
    add_choosing(runs)
    add_store(runs)
    runs.set_defaults(execute=list_runs)
    verbs = runs.add_subparsers(title=_("verbs"), metavar="VERB")
    register_showing(verbs)
    register_saving(verbs)
    register_keeping(verbs)
    register_where(verbs)
    register_log(verbs)
    register_script(verbs)
    register_pinning(verbs)
    _register_resume(commands)


def _register_resume(commands: Commands) -> None:
    resume = add_command(
        commands,
        "resume",
        _("resume an interrupted run"),
        "resume 0193",
        _(
            "Completed work is never repeated. For calls with unknown outcome you are asked, or "
            "--in-doubt decides. Exit codes as for run."
        ),
    )
    resume.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    add_going_on(resume)
    resume.set_defaults(execute=resume_one)


def add_going_on(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take how a run that was begun before goes on."""
    parser.add_argument(
        "--in-doubt", choices=_CHOICES, default="ask", help=_("how to treat calls with unknown outcome")
    )
    parser.add_argument(
        "--value",
        type=json_or_text,
        metavar="VALUE",
        help=_("what a call gave that counts as done, as JSON or as text (with --in-doubt done)"),
    )
    add_stopping(parser)
    add_answering(parser)
    add_judging(parser)


def list_runs(options: argparse.Namespace) -> int:
    """Print the runs of the store that are wanted."""
    journal = journal_in(options.store)
    try:
        summaries, sized = chosen(journal, options), sizes(journal)
        has_any = bool(summaries or journal.runs())
        waits = {one.id: wait for one in summaries if one.is_live and (wait := _wait_of(journal, one))}
    finally:
        journal.close()
    if options.json:
        sizes_too = [{"bytes": sized.get(one.id, 0)} if options.size else {} for one in summaries]
        show_json([_as_json(one, waits.get(one.id)) | more for one, more in zip(summaries, sizes_too, strict=True)])
    elif not summaries:
        show(_("No run is so.") if has_any else _("No runs yet."))
    else:
        for summary in summaries:
            show(_as_text(summary, waits.get(summary.id), sized.get(summary.id, 0)))
    return FINE


def _wait_of(journal: Journal, summary: RunSummary) -> OpenWait | None:
    """What the run of *summary* waits for, as far as no step has asked for it."""
    return fold(journal.read(summary.id)).waiting.wait if summary.status in _WAITING else None


def _as_json(summary: RunSummary, wait: OpenWait | None) -> dict[str, object]:
    waits = {"waits_until_ns": wait.until_ns} if wait is not None else {}
    return {
        "run": summary.id,
        "playbook": summary.playbook,
        "path": summary.path,
        "status": summary.status.value,
        "is_live": summary.is_live,
        "is_resumable": summary.is_resumable,
        "events": summary.events,
        "started_ns": summary.started_ns,
        "ended_ns": summary.ended_ns,
        "error": summary.error,
        **({"is_pinned": True} if summary.is_pinned else {}),
        **(fork_as_json(summary.fork) if summary.fork is not None else {}),
        **({"goal": summary.purpose.goal, "cycle": summary.purpose.cycle} if summary.purpose is not None else {}),
        **waits,
    }


def _as_text(summary: RunSummary, wait: OpenWait | None, size: int) -> str:
    started = dt.datetime.fromtimestamp(summary.started_ns / 1e9, dt.UTC).strftime("%Y-%m-%d %H:%M:%S")
    status = str(status_of_run(summary.status, is_live=summary.is_live))
    if wait is not None:
        status = waiting_words(wait.until_ns, is_open=wait.is_open)
    if summary.is_resumable and not summary.is_live:
        status = _("{status}, can be resumed").format(status=status)
    if summary.is_pinned:
        status = _("{status}, pinned").format(status=status)
    many = f"{summary.events}  {size_words(size)}"
    fork = f"  {fork_text(summary.fork)}" if summary.fork is not None else ""
    return f"{summary.id}  {started}  {summary.title}  {status}  {many}  {summary.path}{fork}"


def fork_as_json(fork: ForkedFrom) -> dict[str, object]:
    """Where a fork comes from."""
    return {"fork_of": fork.source, "fork_seq": fork.seq}


def fork_text(fork: ForkedFrom) -> str:
    """The same in words."""
    if not fork.source:
        return _("begun at a step")
    return _("fork of {run} at event {seq}").format(run=fork.source, seq=numeral(fork.seq))


def resume_one(options: argparse.Namespace) -> int:
    """Go on with the run of *options*."""
    check_value(options)
    return begin(lambda journal: resumed(options, journal, journal.find(options.run)), options)


def check_value(options: argparse.Namespace) -> None:
    """Raises CannotRead where *options* tell what a call gave that they do not say was done."""
    if options.value is not None and options.in_doubt != InDoubtChoice.DONE.value:
        raise CannotRead(_("--value is for calls that were done: it needs --in-doubt done."))


def resumed(options: argparse.Namespace, journal: Journal, run: RunId) -> Run:
    """*run*, going on as *options* say."""
    events = journal.check(run)
    state = fold(events)
    refuse_cycle(state)
    began = options_of(state)
    script = read_script(options.script) if options.script is not None else began.script or None
    snapshot = snapshot_of(state, journal)
    program = snapshot.program
    options.file = Path(state.origin.path)
    judged = judged_options(options, replace(began, script=script or ""), journal)
    backend = backend_for(script, program.format, judged.judges, person_here())
    if isinstance(backend, ScriptBackend | ScriptedWalker):
        backend.catch_up(events)
    said = replace(
        judged,
        policy=Permissions(tuple(options.allow), environment=tuple(options.env)),
        once=options.once,
        breakpoints=breakpoints_in(options, snapshot),
        start_paused=options.step,
        mocks=tuple(options.mocks),
        in_doubt=None if options.in_doubt == "ask" else InDoubtChoice(options.in_doubt),
        gave=() if options.value is None else (options.value[0],),
    )
    chosen = ready(options, said, program)
    return resume_run(run, journal, backend, chosen, KnownPatterns(patterns_file_in(options.store)))


def register_showing(verbs: Commands) -> None:
    """Add the verbs to *verbs* of ``runs``."""
    shown = add_command(verbs, "show", _("show a run: its end, and what models did and cost"), "runs show 0193")
    shown.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    shown.add_argument("--json", action="store_true", help=_("print JSON"))
    add_store(shown)
    shown.set_defaults(execute=show_run)
    tree = add_command(verbs, "tree", _("list runs, each with the runs that were forked from it"), "runs tree")
    tree.add_argument("--json", action="store_true", help=_("print a JSON list"))
    add_store(tree)
    tree.set_defaults(execute=show_tree)
    made = add_command(verbs, "made", _("print the playbooks that a run has made"), "runs made 0193 --assembly")
    made.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    made.add_argument("--assembly", action="store_true", help=_("print what they compile to"))
    made.add_argument("--json", action="store_true", help=_("print a JSON list"))
    add_store(made)
    made.set_defaults(execute=show_made)
    context = add_command(
        verbs, "context", _("print a request to a model as it was sent"), "runs context 0193 2", _("N counts from 1.")
    )
    context.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    context.add_argument("number", metavar="N", type=int)
    add_store(context)
    context.set_defaults(execute=show_context)


def show_made(options: argparse.Namespace) -> int:
    """Print the playbooks that a run has made, with where they were made; as assembly where that is wanted."""
    journal = journal_in(options.store)
    try:
        events = _events(journal, options.run)
    finally:
        journal.close()
    found = [(each.step, each.payload) for each in events if isinstance(each.payload, PlaybookWritten)]
    texts = [written_source(made.agent, made.name, made.text) for _step, made in found]
    if options.assembly:
        texts = [compile_assembly(derive(SourceText(each), wanted=FileKind.PROGRAM)).text for each in texts]
    if options.json:
        rows = [{"step": step, "agent": made.agent, "name": made.name} for step, made in found]
        show_json([{**row, "text": text} for row, text in zip(rows, texts, strict=True)])
        return FINE if found else FINDINGS
    for (step, _made), text in zip(found, texts, strict=True):
        show(_("Made at {step}:").format(step=step))
        show_exactly(text)
    return FINE if found else FINDINGS


def show_tree(options: argparse.Namespace) -> int:
    """Print all runs of the store, each with its forks below it."""
    journal = journal_in(options.store)
    try:
        summaries, sized = journal.runs(), sizes(journal)
    finally:
        journal.close()
    known = {summary.id for summary in summaries}
    forks: dict[RunId, list[RunSummary]] = {}
    for summary in summaries:
        source = summary.fork.source if summary.fork is not None else _ROOT
        forks.setdefault(source if source in known else _ROOT, []).append(summary)
    if options.json:
        show_json(_branches(forks))
    for depth, summary in () if options.json else _walked(forks):
        show("  " * depth + _as_text(summary, None, sized.get(summary.id, 0)))
    return FINE


_ROOT = RunId("")
_Forks = Mapping[RunId, Sequence[RunSummary]]


def _walked(forks: _Forks) -> Iterator[tuple[int, RunSummary]]:
    """Each run with its depth, directly before its *forks*."""
    left = [(0, summary) for summary in reversed(forks.get(_ROOT, ()))]
    while left:
        depth, summary = left.pop()
        yield depth, summary
        left += [(depth + 1, fork) for fork in reversed(forks.get(summary.id, ()))]


def _branches(forks: _Forks) -> list[dict[str, object]]:
    """The same as JSON data, forks in the runs that they come from."""
    rows: dict[RunId, list[dict[str, object]]] = {_ROOT: []}
    for depth, summary in _walked(forks):
        rows[summary.id] = []
        above = summary.fork.source if depth and summary.fork is not None else _ROOT
        rows[above].append({**_as_json(summary, None), "forks": rows[summary.id]})
    return rows[_ROOT]


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
    show(f"{state.run}  {name_of(state.origin)}  {status_of_run(state.status, is_live=False)}  {state.origin.path}")
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
