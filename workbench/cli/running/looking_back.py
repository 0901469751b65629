"""What is asked of a run that has been, with ``workbench runs where`` and ``workbench runs log``.

The first tells where the value of a variable came from, the second what a breakpoint or a log point would have said.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from workbench.cli.running.debugging import breakpoint_option, check_place
from workbench.cli.running.store import add_store, journal_in
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, show, show_json
from workbench.engine.audit.chain import as_json
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.provenance.setters import setters_of
from workbench.engine.provenance.tracing import History, Origin, home_of, reads_in, where_from
from workbench.engine.replaying.looking_back import CameBy, came_by
from workbench.engine.starting import snapshot_of
from workbench.engine.state.fold import fold
from workbench.errors import CannotRead, RunFailed, StoreFailed
from workbench.event_words import made_words
from workbench.i18n import _
from workbench.model.snapshot import Snapshot


def register_where(verbs: Commands) -> None:
    """Add the verb to *verbs* of ``runs``."""
    where = add_command(
        verbs,
        "where",
        _("show where the value of a variable came from"),
        "runs where 0193 total --at 57",
        _("Each line is an event that the value goes back to; what it took its own value from stands below it."),
    )
    where.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    where.add_argument("name", metavar="NAME", help=_("the variable, with or without its $"))
    where.add_argument("--at", type=int, metavar="SEQ", help=_("its value directly after the event with this number"))
    where.add_argument("--json", action="store_true", help=_("print JSON"))
    add_store(where)
    where.set_defaults(execute=show_where)


def show_where(options: argparse.Namespace) -> int:
    """Print the way of a value."""
    journal = journal_in(options.store)
    try:
        events = journal.read(journal.find(options.run))
        ran = _text_of(events, journal)
    finally:
        journal.close()
    origin = _origin(events, ran, options)
    if origin is None:
        show(_("{name} had no value there.").format(name=options.name))
        return FINDINGS
    if options.json:
        show_json(_origin_as_json(origin))
    else:
        for line in _lines(origin, 0):
            show(line)
    return FINE


def _text_of(events: tuple[RunEvent, ...], journal: Journal) -> Snapshot | None:
    try:
        return snapshot_of(fold(events[:1]), journal)
    except StoreFailed:
        return None


def _origin(events: tuple[RunEvent, ...], ran: Snapshot | None, options: argparse.Namespace) -> Origin | None:
    count = len(events) if options.at is None else max(0, min(options.at + 1, len(events)))
    state, setters = fold(events[:count]), setters_of(events[:count])
    for name in dict.fromkeys((options.name, f"${options.name.removeprefix('$')}")):
        home = home_of(state, name, setters)
        if home is not None:
            return where_from(History(events, setters, reads_in(ran)), home, name, count)
    return None


def _lines(origin: Origin, depth: int) -> Iterator[str]:
    event, cut = origin.event, " …" if origin.is_cut else ""
    yield f"{'  ' * depth}{event.seq}  {event.step}  {made_words(event, origin.name)}{cut}"
    for source in origin.sources:
        yield from _lines(source, depth + 1)


def _origin_as_json(origin: Origin) -> dict[str, Any]:
    return {
        "name": origin.name,
        "event": as_json(origin.event),
        "is_cut": origin.is_cut,
        "sources": [_origin_as_json(source) for source in origin.sources],
    }


def register_log(verbs: Commands) -> None:
    """Add the verb to *verbs* of ``runs``."""
    log = add_command(
        verbs,
        "log",
        _("tell what a log point would have told of a run that has been"),
        'runs log 0193 "Main:04 if $n > 3 log n is {$n}"',
        _("POINT is written as for run --break; without “log TEXT” the times are told at which the run came by."),
    )
    log.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    log.add_argument("point", metavar="POINT", type=breakpoint_option, help=_("a place, and what is told there"))
    log.add_argument("--json", action="store_true", help=_("print a JSON list"))
    add_store(log)
    log.set_defaults(execute=show_log)


def show_log(options: argparse.Namespace) -> int:
    """Print each time that the run came by."""
    journal = journal_in(options.store)
    try:
        run = journal.find(options.run)
        check_place(options.point, snapshot_of(fold(journal.read(run)[:1]), journal))
        found = tuple(came_by(journal, run, options.point))
    except RunFailed as error:
        raise CannotRead(str(error)) from error
    finally:
        journal.close()
    if options.json:
        show_json(list(map(_as_json, found)))
    elif not found:
        show(_("The run never came by {place}.").format(place=options.point.place))
    for each in () if options.json else found:
        show(f"{each.event.seq:>6}  {each.event.step:<18} {each.text or each.problem}".rstrip())
    return FINE if found else FINDINGS


def _as_json(found: CameBy) -> dict[str, Any]:
    event = found.event
    told = {"text": found.text, "problem": found.problem}
    return {"seq": event.seq, "at_ns": event.at_ns, "step": event.step, "line": event.line, "hit": found.hit, **told}
