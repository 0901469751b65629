"""The events of a run on the terminal: one line each for people, JSON lines for programs, spans for a collector.

With ``--tick`` the boxes of a checklist are ticked for what the run has done.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.cli.reading import kind_of_file
from workbench.cli.running.debugging import LetGo, Stops
from workbench.cli.running.judging import used_text
from workbench.cli.running.prompt import MessagePrompt, ask
from workbench.cli.running.store import journal_in, learn_from
from workbench.cli.terminal import (
    FINDINGS,
    FINE,
    INPUT_NEEDED,
    INTERRUPTED,
    UNUSABLE,
    complain,
    show,
    show_exactly,
    show_piece,
)
from workbench.disk.places import places
from workbench.editing.commands import Refusal, TickSteps
from workbench.editing.document import Document
from workbench.engine.audit.chain import as_json
from workbench.engine.audit.reporting import report_text
from workbench.engine.journal import model_events as model
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import Told
from workbench.engine.ports import Answer, Request
from workbench.engine.running.run import Run
from workbench.errors import InputNeeded, RunFailed, StoreFailed, WorkbenchError
from workbench.event_words import described
from workbench.i18n import _
from workbench.planning.lessons import boxes_done
from workbench.settings import load_settings

_WIDTH = 160
_ENDED = frozenset({RunStatus.COMPLETED, RunStatus.FAILED})
_ADDRESS = 18
ShowEvent = Callable[[RunEvent], None]
_POLL_S = 0.02
_ATTEMPTS = 500
"""How often an answer is offered to a run that does not wait for it yet: it is late only on a machine under load."""


def show_as_json(event: RunEvent) -> None:
    """Print *event* as one line of JSON."""
    show(json.dumps(as_json(event), ensure_ascii=True, separators=(",", ":")))


def show_as_text(event: RunEvent) -> None:
    """Print *event* as one line to read."""
    clock = dt.datetime.fromtimestamp(event.at_ns / 1e9, dt.UTC).strftime("%H:%M:%S.%f")[:-3]
    line = f"{clock} {event.step:<{_ADDRESS}} {event.name:<17} {described(event)}".rstrip()[:_WIDTH]
    show(line.encode("utf-8", "backslashreplace").decode())


def show_what_is_said(event: RunEvent) -> None:
    """Print what *event* says to a person, as it is."""
    if isinstance(event.payload, Told):
        text, target = event.payload.text, event.payload.target
        show_exactly((_("To {name}: {text}").format(name=target, text=text) if target else text) + "\n")


class TextEvents:
    """Prints events to read, and what a model says as it comes."""

    def __init__(self) -> None:
        self._is_speaking = False

    def __call__(self, event: RunEvent) -> None:
        """Print *event*."""
        if isinstance(event.payload, model.ModelSaid):
            show_piece(event.payload.text)
        elif self._is_speaking:
            show("")
        self._is_speaking = isinstance(event.payload, model.ModelSaid)
        if not self._is_speaking:
            show_as_text(event)


def is_at_terminal() -> bool:
    """Whether a person can be asked."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def begin(start: Callable[[Journal], Run], options: argparse.Namespace) -> int:
    """Let *start* make a run in the store of *options* and carry it out; where it cannot begin, say why."""
    journal = journal_in(options.store)
    try:
        run = start(journal)
    except (RunFailed, InputNeeded) as error:
        complain(str(error))
        journal.close()
        return INPUT_NEEDED if isinstance(error, InputNeeded) else FINDINGS
    except BaseException:  # Ctrl+C too: nobody else closes the journal
        journal.close()
        raise
    return carry_out(run, journal, options)


def carry_out(run: Run, journal: Journal, options: argparse.Namespace) -> int:
    """Follow *run* to its end, and learn from it."""
    show_event = shown_events(options)
    try:
        with telling_spans(journal, show_event) as tell:
            code = follow(run, tell, resuming(run, options.store))
        if run.state.origin.ticks:
            tick(run, journal)
        if run.state.origin.read_as and run.state.status in _ENDED and not options.json and not options.quiet:
            show("")
            show(report_text(journal, run.id))
        if run.state.used.requests and not options.json and not options.quiet:
            show(used_text(run.state.used))
        add_to_library(run, journal, options.store)
        return code
    finally:
        journal.close()


def add_to_library(run: Run, journal: Journal, store: Path | None) -> None:
    """Record the pattern of *run*, which has ended; say why where that cannot be."""
    try:
        learn_from(run, journal, store)
    except StoreFailed as error:  # the run is what was asked for, and it is over
        complain(_("The run was not added to the library. {reason}").format(reason=error))


def resuming(run: Run, store: Path | None) -> str:
    """The sentence that says how to go on with *run*."""
    where = "" if store is None else f" --store {shlex.quote(str(store))}"
    if run.state.origin.is_cycle:
        return _("Resume it with: workbench generate --resume {run}{where}").format(run=run.id, where=where)
    return _("Resume it with: workbench resume {run}{where}").format(run=run.id, where=where)


def follow(run: Run, show_event: ShowEvent, resuming: str) -> int:
    """The exit code of *run*, whose events are printed until it ends.

    Ctrl+C stops it, the end of the input lets go of it. *resuming* says how to go on with one
    that has not come to its end.
    """
    try:
        _go_along(run, Stops(run, show_event))
    except KeyboardInterrupt:
        run.stop()
        run.wait()
    except EOFError as error:
        run.leave()
        run.wait()
        if not isinstance(error, LetGo):
            complain(_("The input ended before the question was answered."))
    except BrokenPipeError:
        run.leave()
        run.wait()
        raise
    _show_new(run, show_event)
    return exit_code(run, resuming)


def _go_along(run: Run, stops: Stops) -> None:
    """Print what happens, and ask the person what the run needs of one, until it ends."""
    saying = MessagePrompt()
    answered: Request | None = None
    while not run.wait(_POLL_S):
        _show_new(run, stops.take)
        if stops.is_stopped:
            stops.ask()
            continue
        answered = _answer(run, stops.take, answered)
        if saying.follow(is_open=run.is_listening):
            _say(run, saying)


def go_along(run: Run, show_event: ShowEvent) -> None:
    """Follow *run*, which is part of another one, to its end: each event is handed on, and the person is asked."""
    _go_along(run, Stops(run, show_event))
    _show_new(run, show_event)


def shown_events(options: argparse.Namespace) -> ShowEvent:
    """How *options* want events printed."""
    return show_as_json if options.json else show_what_is_said if options.quiet else TextEvents()


def _show_new(run: Run, show_event: ShowEvent) -> None:
    while events := run.drain():
        for event in events:
            show_event(event)


def _answer(run: Run, show_event: ShowEvent, answered: Request | None) -> Request | None:
    """Ask the person what the run waits for, where it waits for a person; the question that was *answered* last.

    A run may take its time to take an answer: it is not asked for again, and nothing that was typed gets lost.
    """
    request = run.pending
    if request is None or request is answered or not run.is_asking_person:
        return answered
    _show_new(run, show_event)
    return request if handed_over(run, request, ask(request)) else answered


def handed_over(run: Run, request: Request, answer: Answer) -> bool:
    """Whether *run* has taken *answer* to *request*; it may take its time to wait for one."""
    for _attempt in range(_ATTEMPTS):
        if run.answer(request.id, answer):
            return True
        if run.pending is not request or run.wait(_POLL_S):
            break
    return False


def _say(run: Run, saying: MessagePrompt) -> None:
    """Hand on what the person says; the end of the input ends the conversation, and so the run."""
    try:
        text = saying.read()
    except EOFError:
        show("")
        run.controls.mailbox.end()
        return
    if text.strip():
        run.controls.mailbox.send(text)


def exit_code(run: Run, resuming: str) -> int:
    """The exit code of *run*, which goes on no more; says why, and how it can be *resuming*, where it is not over."""
    status = run.state.status
    if status is RunStatus.COMPLETED:
        return FINE
    if status is RunStatus.CANCELLED:
        complain(_("The run was stopped.") + " " + resuming)
        return INTERRUPTED
    if run.halt is not None:
        complain(str(run.halt))
        complain(resuming)
        return INPUT_NEEDED if isinstance(run.halt, InputNeeded) else UNUSABLE
    if status is RunStatus.FAILED:
        complain(run.state.error)
        return FINDINGS
    complain(resuming)
    return FINDINGS


@contextmanager
def telling_spans(journal: Journal, show_event: ShowEvent) -> Iterator[ShowEvent]:
    """*show_event*, which also hands the events on to a collector, where the settings name one."""
    endpoint = load_settings(places()).otlp_endpoint
    if not endpoint:
        yield show_event
        return
    from workbench.engine.audit.otlp_live import SpanExporter  # noqa: PLC0415 - seldom wanted

    exporter = SpanExporter(endpoint, complain)
    is_first = True

    def tell(event: RunEvent) -> None:
        nonlocal is_first
        if is_first and event.seq:  # it goes on with what another process has begun
            earlier = (each for each in journal.read(event.run) if each.seq < event.seq)
            exporter.take(earlier, is_earlier=True)
        is_first = False
        exporter.take((event,))
        show_event(event)

    try:
        yield tell
    finally:
        exporter.close()


def tick(run: Run, journal: Journal) -> None:
    """Tick the boxes in the file of *run* whose steps were done; say why where that cannot be."""
    path = Path(run.state.origin.path)
    try:
        document = Document.open(path, wanted=kind_of_file(path))
        steps = boxes_done(journal.read(run.id), run.snapshot, document.snapshot)
        outcome = document.execute(TickSteps(steps, True)) if steps else None
        if isinstance(outcome, Refusal):
            complain(outcome.message)
        elif document.is_dirty:
            document.save()
    except WorkbenchError as error:
        complain(_("The boxes were not ticked. {reason}").format(reason=error))
