"""``workbench fork RUN``: goes on from an event of a run, as another run, and shows before what that means."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from workbench.cli.reading import add_kind_option, whole_program
from workbench.cli.running.following import begin
from workbench.cli.running.given import setting
from workbench.cli.running.runs import add_going_on, check_value, fork_as_json, fork_text, resumed
from workbench.cli.running.store import journal_in
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, show, show_json
from workbench.disk.files import real_path
from workbench.engine.audit.chain import as_json
from workbench.engine.forking.forking import fork_run, plan_fork
from workbench.engine.forking.plan import ForkPlan, ForkWish
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_list import ForkedFrom
from workbench.engine.ports import InDoubtChoice
from workbench.engine.running.run import Run
from workbench.i18n import _
from workbench.pages.fork_words import plan_lines
from workbench.planning.lessons import skills_of


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "fork",
        _("go on from an event of an earlier run, as a new run"),
        "fork 0193 --at-step Main:04 --set total=20",
        _(
            "The earlier run stays as it is. Nothing that it did up to the event is done again. Without --at and "
            "--at-step, the fork goes on where the run stands, or repeats the last step of a run that has ended. "
            "Exit codes as for run."
        ),
    )
    parser.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    _add_wish(parser)
    parser.add_argument("--dry-run", action="store_true", help=_("only show what the fork would be"))
    add_going_on(parser)
    parser.set_defaults(execute=execute)


def _add_wish(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take from where the fork goes on, and what is changed in it."""
    point = parser.add_mutually_exclusive_group()
    point.add_argument("--at", type=int, metavar="SEQ", help=_("the last event that is taken over"))
    point.add_argument(
        "--at-step", default="", metavar="ADDRESS", help=_("go on before this step, where it was entered last")
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        type=setting,
        metavar="NAME=VALUE",
        dest="settings",
        help=_("give a variable another value; may be given several times"),
    )
    parser.add_argument("--on", type=Path, metavar="FILE", help=_("go on with this text of the playbook"))
    add_kind_option(parser)


def execute(options: argparse.Namespace) -> int:
    """Fork the run of *options*, and carry the fork out."""
    check_value(options)
    if options.dry_run:
        return _tried(options)
    return begin(lambda journal: _forked(options, journal), options)


def _tried(options: argparse.Namespace) -> int:
    """Show the plan, and do nothing."""
    journal = journal_in(options.store)
    try:
        plan = plan_fork(journal, _wish(options, journal))
    finally:
        journal.close()
    if options.json:
        show_json(plan_as_json(plan))
    else:
        _show(plan)
    return FINE if plan.is_possible else FINDINGS


def _forked(options: argparse.Namespace, journal: Journal) -> Run:
    plan = plan_fork(journal, _wish(options, journal))
    run = fork_run(journal, plan)
    if options.json:
        show(json.dumps({"type": "fork.plan", "run": run, **plan_as_json(plan)}, separators=(",", ":")))
    elif not options.quiet:
        _show(plan)
        show(_("The fork is run {run}.").format(run=run))
    gave = plan.open_calls[-1].gave if plan.open_calls else ()
    if options.in_doubt == InDoubtChoice.DONE.value and options.value is None and gave:
        options.value = gave
    return resumed(options, journal, run)


def _show(plan: ForkPlan) -> None:
    show(fork_text(ForkedFrom(plan.source, plan.seq)))
    for line in plan_lines(plan):
        show(line)


def _wish(options: argparse.Namespace, journal: Journal) -> ForkWish:
    values = {each.name: each.value for each in options.settings}
    run = journal.find(options.run)
    if options.on is None:
        return ForkWish(run, options.at, options.at_step, values=values)
    text, path = whole_program([options.on], kind=options.kind).snapshot, str(real_path(options.on))
    skills = skills_of(text, path)
    return ForkWish(run, options.at, options.at_step, values=values, text=text, path=path, skills=skills)


def plan_as_json(plan: ForkPlan) -> dict[str, Any]:
    """*plan* as JSON data."""
    return {
        **fork_as_json(ForkedFrom(plan.source, plan.seq)),
        "event": as_json(plan.events[-1]),
        "is_possible": plan.is_possible,
        "refusals": list(plan.refusals),
        "next_step": plan.next_step,
        "kept": list(plan.kept),
        "lost": [
            {"step": each.step, "text": each.text, "why": each.why.value, "is_open": each.is_open} for each in plan.lost
        ],
        "edited": [dict(encoded(each)) for each in plan.edited],
        "open_calls": [
            {"tool": each.tool, "arguments": dict(each.arguments), "gave": list(each.gave)} for each in plan.open_calls
        ],
        "later_calls": [{"step": each.step, "tool": each.tool} for each in plan.later_calls],
        "is_other_text": plan.forked.text is not None,
    }
