"""``workbench runs log RUN POINT``: what a breakpoint or a log point would have said of a run that has been."""

from __future__ import annotations

import argparse
from typing import Any

from workbench.cli.running.debugging import breakpoint_option, check_place
from workbench.cli.running.store import add_store, journal_in
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, show, show_json
from workbench.engine.replaying.looking_back import CameBy, came_by
from workbench.engine.starting import snapshot_of
from workbench.engine.state.fold import fold
from workbench.errors import CannotRead, RunFailed
from workbench.i18n import _


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
